"""The rulebook of a game: its sections in the order in which one learns it, or one named part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from trionfi.dsl.tree import Choose, ChooseNumber, Define, Menu, Node, Procedure, Ruleset
from trionfi.dsl.tree.walk import walk
from trionfi.interpreter.bots import opponents_of
from trionfi.shell.prose.declarations import caption, deck_name
from trionfi.shell.prose.statements import lower
from trionfi.shell.prose.steps import Step, paragraph, step_lines
from trionfi.shell.prose.voice import RENDERERS, Voice, renders
from trionfi.shell.prose.words import amount, cited, human, sentence

__all__ = ["RENDERERS", "parts_of_game", "rulebook_lines"]

Lines = Iterator[str]


@renders(Ruleset)
def say_ruleset(voice: Voice, node: Ruleset) -> str:
    return node.name


def rulebook_lines(ruleset: Ruleset, width: int) -> Lines:
    """The whole rulebook; a section without content is left out."""
    voice = numbered(ruleset)
    yield from underlined(ruleset.name, "=")
    yield from paragraph(f"{cited(ruleset.about)} {players_text(ruleset)}".strip(), width)
    for title, section in SECTIONS.items():
        lines = list(section(voice, width))
        if lines:
            yield from ("", *underlined(title, "-"), *lines)


def underlined(title: str, sign: str) -> Lines:
    yield from (title, sign * len(title))


def players_text(ruleset: Ruleset) -> str:
    low, high = ruleset.players
    count = amount(str(low), "player") if low == high else f"{low} to {high} players"
    if ruleset.usual_players != low:
        count += f", usually {ruleset.usual_players}"
    teams = " and ".join(" with ".join(f"player {seat + 1}" for seat in team) for team in ruleset.teams)
    return f"For {count}{f'; partners: {teams}' if teams else ''}."


# ---- procedures, in the order in which the play comes to them


def numbered(ruleset: Ruleset) -> Voice:
    """A voice that knows in which section each procedure is told: 1 is the play itself."""
    voice = Voice(ruleset)
    for number, procedure in enumerate(reached(ruleset), start=1):
        voice.numbers[id(procedure)] = number
    return voice


def reached(ruleset: Ruleset) -> list[Procedure]:
    """The play and all that it calls, first called first; then what only effects and zones call."""
    events = (script for effect in ruleset.effects for script in (effect.when_played, *effect.events.values()))
    callers = [one for one in (*events, *(zone.when_short for zone in ruleset.zones)) if one is not None]
    found = walk([ruleset.play, *callers], into=Procedure)
    return [one for one in found if isinstance(one, Procedure) and one not in callers]


# ---- sections


def told(steps: Sequence[Step], width: int) -> Lines:
    yield from step_lines(steps, width)


def deck_lines(voice: Voice, width: int) -> Lines:
    decks = voice.ruleset.decks
    several = [Step(deck_name(deck, only=False), voice.tell(deck)) for deck in decks]
    yield from told(several if len(decks) > 1 else voice.tell(decks[0]), width)
    attributes = [define for define in voice.ruleset.defines.values() if define.attribute]
    told_ = [" ".join(sentence(step.text) for step in voice.tell(define)) for define in attributes]
    yield from bulleted(told_, width)
    yield from bulleted([voice.say(mark) for mark in voice.ruleset.marks], width)


def table_lines(voice: Voice, width: int) -> Lines:
    yield from bulleted([voice.say(zone) for zone in voice.ruleset.zones], width)
    layout = layout_lines(voice.ruleset.layout)
    if layout and max(map(len, layout)) <= width:
        yield from ("", "The places lie like this:", "", *layout)


def layout_lines(layout: Sequence[Sequence[str]]) -> list[str]:
    """The grid of places as the ruleset draws it."""
    if not layout:
        return []
    columns = max(map(len, layout))
    rows = [[*row, *[""] * (columns - len(row))] for row in layout]
    widths = [max(len(row[column]) for row in rows) for column in range(columns)]
    return [
        (
            "  "
            + "  ".join(
                ("" if cell == "." else human(cell)).ljust(size) for cell, size in zip(row, widths, strict=True)
            )
        ).rstrip()
        for row in rows
    ]


def kept_lines(voice: Voice, width: int) -> Lines:
    """Variables that say what they are, or are chips; others explain themselves in the play."""
    kept = [one for one in voice.ruleset.variables if one.about or one.chips]
    yield from bulleted([voice.say(one) for one in kept], width)


def play_lines(voice: Voice, width: int) -> Lines:
    """The play as section 1, then each procedure."""
    for procedure in reached(voice.ruleset):
        number = voice.numbers[id(procedure)]
        if number > 1:
            yield ""
        title = "The game" if procedure is voice.ruleset.play else heading(voice, procedure)
        yield from paragraph(f"[{number}] {title}", width)
        yield from procedure_lines(voice, procedure, width)


def heading(voice: Voice, procedure: Procedure) -> str:
    """`Play trick (the leader)`."""
    voice.enter(procedure.locals)
    names = ", ".join(voice.name(local).subject for local in procedure.parameters)
    title = human(procedure.name).capitalize()
    return f"{title} ({names})" if names else title


def procedure_lines(voice: Voice, procedure: Procedure, width: int) -> Lines:
    note = "" if procedure is voice.ruleset.play else caption(procedure.span)
    if note:
        yield from paragraph(f"({note})", width)
    yield from told(voice.tell(procedure), width)


def score_lines(voice: Voice, width: int) -> Lines:
    score, won = voice.ruleset.score, voice.ruleset.won
    if score is not None:
        voice.enter(score.locals)
        yield from paragraph(f"A player's score is {voice.say(score.body)}.", width)
    if won is None:
        yield from paragraph("The highest score wins.", width)
        return
    voice.enter(won.locals)
    yield from paragraph(f"A player has won if {voice.say(won.body)}.", width)


def term_lines(voice: Voice, width: int) -> Lines:
    """What is said by a name in the play. Deck attributes stand with the deck."""
    used = defines_used(voice.ruleset)
    defines = [one for one in voice.ruleset.defines.values() if not one.attribute and id(one) in used]
    for define in sorted(defines, key=lambda one: one.name):
        yield from bulleted([" ".join(sentence(step.text) for step in voice.tell(define))], width)


def defines_used(ruleset: Ruleset) -> set[int]:
    """The ids of the defines that the rules come to; what only measures, strategies and tests ask is none of theirs."""
    roots: list[object] = [*reached(ruleset), ruleset.effects, ruleset.zones, ruleset.decks, ruleset.when_chosen]
    roots += [ruleset.rankings, ruleset.totals, ruleset.melds, ruleset.score, ruleset.won]
    return {id(node) for node in walk(roots, into=Node) if isinstance(node, Define)}


def hand_lines(voice: Voice, width: int) -> Lines:
    ruleset = voice.ruleset
    things = [*ruleset.rankings.values(), *ruleset.totals.values(), *ruleset.melds.values()]
    for number, thing in enumerate(things):
        if number:
            yield ""
        yield f"[{human(thing.name).capitalize()}]"
        note = caption(thing.span)
        yield from paragraph(f"({note})", width) if note else ()
        yield from told(voice.tell(thing), width)


def effect_lines(voice: Voice, width: int) -> Lines:
    chosen = voice.ruleset.when_chosen
    if chosen is not None:
        yield from paragraph("When targets have been chosen for any of these:", width)
        yield from told(voice.tell(chosen), width)
    for effect in voice.ruleset.effects:
        yield ""
        yield from paragraph(f"[{effect.name}] {cited(effect.text)}", width)
        yield from bulleted([step.text for step in flat(voice.tell(effect))], width)


def flat(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        inside = "; ".join(lower(one.text) for one in flat(step.inside))
        yield Step(f"{step.text}: {inside}") if inside else step


def option_lines(voice: Voice, width: int) -> Lines:
    """As they are written, for that is how one sets them."""
    for option in voice.ruleset.options.values():
        yield from paragraph(voice.say(option), width, 0, "*  ")


def opponent_lines(voice: Voice, width: int) -> Lines:
    """Who plays when one sits down alone, where that is said by name."""
    ruleset = voice.ruleset
    name = opponents_of(ruleset)
    if ruleset.players[1] == 1 or name not in ruleset.strategies:
        return
    strategy = ruleset.strategies[name]
    how = cited(strategy.about) or caption(strategy.span)
    yield from paragraph(f"Seats that no person takes are played by `{name}`{f': {how}' if how else '.'}", width)


def bulleted(texts: Sequence[str], width: int) -> Lines:
    for text in texts:
        yield from step_lines([Step(text, choice=True)], width)


SECTIONS: dict[str, Callable[[Voice, int], Lines]] = {
    "The cards": deck_lines,
    "The table": table_lines,
    "What is kept count of": kept_lines,
    "The play": play_lines,
    "The end": score_lines,
    "Hands and counts": hand_lines,
    "Effects of cards": effect_lines,
    "Words used above": term_lines,
    "Options": option_lines,
    "Opponents": opponent_lines,
}

# ---- one part


def parts_of_game(ruleset: Ruleset) -> dict[str, list[Callable[[int], Lines]]]:
    """Everything that has a name, and what tells it at a width: an option and a decision may share one."""
    voice = numbered(ruleset)
    found: dict[str, list[Callable[[int], Lines]]] = {}
    for name, part in named_parts(voice, ruleset):
        found.setdefault(name, []).append(part)
    return found


def named_parts(voice: Voice, ruleset: Ruleset) -> Iterator[tuple[str, Callable[[int], Lines]]]:
    for name, procedure in {**ruleset.procedures, "play": ruleset.play}.items():
        yield name, part_of_whole_procedure(voice, procedure)
    for decision, procedure in decisions_of(ruleset).items():
        yield decision, part_of_procedure(voice, procedure, decision)
    for table in (ruleset.defines, ruleset.rankings, ruleset.totals, ruleset.melds, ruleset.strategies):
        for name, entry in table.items():
            yield name, part_of_steps(voice, entry)
    things: list[Any] = [*ruleset.measures, *ruleset.decks, *ruleset.effects]
    for thing in things:
        yield thing.name, part_of_steps(voice, thing)
    lines: list[Any] = [*ruleset.zones, *ruleset.variables, *ruleset.marks]
    for line in lines:
        yield line.name, part_of_line(voice, line)
    for option in ruleset.options.values():
        yield option.name, lambda width, option=option: paragraph(voice.say(option), width, 0, "*  ")  # type: ignore[misc]
    for enumeration in ruleset.enumerations.values():
        if enumeration.name not in ruleset.options:
            yield enumeration.name, part_of_line(voice, enumeration)


def part_of_line(voice: Voice, thing: Any) -> Callable[[int], Lines]:
    return lambda width: step_lines([Step(voice.say(thing), choice=True)], width)


def part_of_steps(voice: Voice, thing: Any) -> Callable[[int], Lines]:
    def lines(width: int) -> Lines:
        text = getattr(thing, "text", "")
        if text:
            yield from paragraph(cited(text), width)
        yield from step_lines(voice.tell(thing), width)

    return lines


def part_of_whole_procedure(voice: Voice, procedure: Procedure) -> Callable[[int], Lines]:
    def lines(width: int) -> Lines:
        yield from paragraph("The game" if procedure is voice.ruleset.play else heading(voice, procedure), width)
        yield from procedure_lines(voice, procedure, width)

    return lines


def part_of_procedure(voice: Voice, procedure: Procedure, decision: str) -> Callable[[int], Lines]:
    """The choices of this name, as steps."""

    def lines(width: int) -> Lines:
        voice.enter(procedure.locals)
        asked = [node for node in walk(procedure.body) if decision_of(node) == decision]
        yield from told([voice.tell(node) for node in asked], width)

    return lines


def decision_of(node: Any) -> str:
    return node.decision if isinstance(node, Choose | ChooseNumber | Menu) else ""


def decisions_of(ruleset: Ruleset) -> dict[str, Procedure]:
    return {
        name: procedure
        for procedure in reached(ruleset)
        for node in walk(procedure.body)
        if (name := decision_of(node))
    }
