"""The rulebook of a game: the author's chapters, and what is worked out from the rules, in the order in which one
learns it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trionfi.dsl.tree import Define, Effect, Node, PatternRanking, Procedure, Ruleset
from trionfi.dsl.tree.results import as_declared
from trionfi.dsl.tree.walk import walk
from trionfi.interpreter.bots import opponents_of
from trionfi.shell.prose.chapters import chapter_blocks, difference_blocks
from trionfi.shell.prose.declarations import caption, deck_name
from trionfi.shell.prose.effects import tells_scripts
from trionfi.shell.prose.expressions import constant
from trionfi.shell.prose.page import Block, Drawing, Heading, Passage, StepList, terminal_lines
from trionfi.shell.prose.statements import lower
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import RENDERERS, Voice, renders
from trionfi.shell.prose.words import amount, cited, human, listed, sentence

__all__ = [
    "RENDERERS",
    "Examples",
    "Values",
    "heading",
    "numbered",
    "procedure_blocks",
    "reached",
    "rulebook",
    "rulebook_lines",
]

Page = Iterator[Block]
Values = Mapping[str, Any] | None  # of options, by name
Examples = Mapping[str, Mapping[str, str]]  # ranking -> category -> a hand


@renders(Ruleset)
def say_ruleset(voice: Voice, node: Ruleset) -> str:
    return node.name


def rulebook(ruleset: Ruleset, values: Values = None, full: bool = False, examples: Examples | None = None) -> Page:
    """The whole book. With `full`, and where the author tells nothing, the exact course of play is in it, too."""
    voice = numbered(ruleset, values)
    yield Heading(ruleset.name, 1)
    yield Passage(f"{cited(ruleset.about)} {players_text(ruleset)}".strip())
    yield from set_options(voice)
    yield from difference_blocks(voice)
    chapters = list(chapter_blocks(voice))
    yield from chapters
    if chapters:
        yield Heading("For reference", 2)
    if chapters and not full:
        voice.numbers.clear()  # the course is not told
        yield Passage(REST)
    for title, section in SECTIONS.items():
        if not chapters or full or title not in COURSE:
            blocks = list(section(voice, examples or {}))
            yield from [Heading(title, 3 if chapters else 2), *blocks] if blocks else []


def rulebook_lines(ruleset: Ruleset, width: int, values: Values = None, full: bool = False) -> Iterator[str]:
    """The whole book for the terminal."""
    return terminal_lines(rulebook(ruleset, values, full), width)


def players_text(ruleset: Ruleset) -> str:
    low, high = ruleset.players
    count = amount(str(low), "player") if low == high else f"{low} to {high} players"
    if ruleset.usual_players != low:
        count += f", usually {ruleset.usual_players}"
    teams = " and ".join(" with ".join(f"player {seat + 1}" for seat in team) for team in ruleset.teams)
    return f"For {count}{f'; partners: {teams}' if teams else ''}."


def set_options(voice: Voice) -> Page:
    """What is not as it is by default: the book tells that game."""
    other = [one for one, value in voice.values.items() if value != one.default]
    told = [f"{human(one.name)}: {constant(voice, one.type, voice.values[one])}" for one in other]
    yield from [Passage(f"Told with {listed(told)}.")] if told else []


# ---- procedures, in the order in which the play comes to them


def numbered(ruleset: Ruleset, values: Values = None) -> Voice:
    """A voice that knows in which section each procedure is told: 1 is the play itself."""
    voice = Voice(ruleset, values)
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


def bullets(texts: Sequence[str]) -> Page:
    yield from [StepList([Step(text, choice=True) for text in texts])] if texts else []


def deck_blocks(voice: Voice, _: Examples) -> Page:
    decks = voice.ruleset.decks
    if not decks:
        return
    several = [Step(deck_name(deck, only=False), voice.tell(deck)) for deck in decks]
    yield StepList(several if len(decks) > 1 else voice.tell(decks[0]))
    attributes = [define for define in voice.ruleset.defines.values() if define.attribute]
    told = [" ".join(sentence(step.text) for step in voice.tell(define)) for define in attributes]
    yield from bullets([*told, *(voice.say(mark) for mark in voice.ruleset.marks)])


def table_blocks(voice: Voice, _: Examples) -> Page:
    yield from bullets([voice.say(zone) for zone in voice.ruleset.zones])
    layout = layout_lines(voice.ruleset.layout)
    if layout:
        yield Drawing("The places lie like this:", layout)


def layout_lines(layout: Sequence[Sequence[str]]) -> list[str]:
    """The grid of places as the ruleset draws it."""
    if not layout:
        return []
    columns = max(map(len, layout))
    cells = [["" if cell == "." else human(cell.replace(".", " ")) for cell in row] for row in layout]
    rows = [[*row, *[""] * (columns - len(row))] for row in cells]
    widths = [max(len(row[column]) for row in rows) for column in range(columns)]
    return ["  ".join(["", *map(str.ljust, row, widths)]).rstrip() for row in rows]


def kept_blocks(voice: Voice, _: Examples) -> Page:
    """Variables that say what they are, or are chips; others explain themselves in the play. Then the kinds."""
    kept = [one for one in voice.ruleset.variables if one.about or one.chips]
    kinds = [one for one in voice.ruleset.enumerations.values() if is_kind(voice.ruleset, one.name)]
    yield from bullets([*map(voice.say, kept), *map(voice.say, kinds)])


def is_kind(ruleset: Ruleset, name: str) -> bool:
    """Whether an enumeration is the game's own, not the language's, a mark's or an option's."""
    given = {"suit", "rank", "orientation", "face", "deck", "rotation", "colour"}
    return name not in given and name not in ruleset.options and all(one.type.name != name for one in ruleset.marks)


def play_blocks(voice: Voice, _: Examples) -> Page:
    """The play as section 1, then each procedure."""
    for procedure in reached(voice.ruleset):
        title = "The game" if procedure is voice.ruleset.play else heading(voice, procedure)
        yield Heading(f"{voice.numbers[id(procedure)]}. {title}", 4)
        yield from procedure_blocks(voice, procedure)


def heading(voice: Voice, procedure: Procedure) -> str:
    """`Play trick (the leader)`."""
    voice.enter(procedure.locals)
    names = ", ".join(voice.name(local).subject for local in procedure.parameters)
    title = human(procedure.name).capitalize()
    return f"{title} ({names})" if names else title


def procedure_blocks(voice: Voice, procedure: Procedure) -> Page:
    note = "" if procedure is voice.ruleset.play else caption(procedure.span)
    yield from [Passage(sentence(note), aside=True)] if note else []
    yield StepList(voice.tell(procedure))


def score_blocks(voice: Voice, _: Examples) -> Page:
    score, won = voice.ruleset.score, voice.ruleset.won
    if score is not None:
        of, whose = as_declared(score)
        voice.enter(of.locals)
        yield Passage(f"A {whose}'s score is {voice.say(of.body)}.")
    if won is None:
        yield Passage("The highest score wins.")
        return
    of, whose = as_declared(won)
    voice.enter(of.locals)
    yield Passage(f"A {whose} has won if {voice.say(of.body)}.")


def term_blocks(voice: Voice, _: Examples) -> Page:
    """What is said by a name in the sections that are told. Deck attributes stand with the deck."""
    used = defines_used(voice)
    results = [as_declared(one)[0] for one in (voice.ruleset.score, voice.ruleset.won) if one is not None]
    known = [one for one in voice.ruleset.defines.values() if one not in results]  # told where the end is
    defines = [one for one in known if not one.attribute and id(one) in used]
    told = [voice.tell(define) for define in sorted(defines, key=lambda one: one.name)]
    yield from bullets([" ".join(sentence(step.text) for step in steps) for steps in told])


def defines_used(voice: Voice) -> set[int]:
    """The ids of the defines that the rules come to; what only measures, strategies and tests ask is none of theirs.
    Without the course of play: those that cards, table, hands and effects come to, but not their scripts."""
    ruleset = voice.ruleset
    roots: list[object] = [ruleset.decks, ruleset.rankings, ruleset.totals, ruleset.melds]
    for effect in ruleset.effects:
        roots += [effect] if tells_scripts(voice, effect) else declared(effect)
    if voice.tells_course:
        roots += [ruleset.zones, ruleset.when_chosen, *reached(ruleset), ruleset.score, ruleset.won]
    else:
        roots += [zone.may_review for zone in ruleset.zones]
    return {id(node) for node in walk(roots, into=Node) if isinstance(node, Define)}


def declared(effect: Effect) -> list[object]:
    """What an effect says without its scripts."""
    return [effect.targets, effect.alterations, effect.negates_if]


def hand_blocks(voice: Voice, examples: Examples) -> Page:
    ruleset = voice.ruleset
    for thing in (*ruleset.rankings.values(), *ruleset.totals.values(), *ruleset.melds.values()):
        yield Heading(human(thing.name).capitalize(), 4)
        note = caption(thing.span)
        yield from [Passage(sentence(note), aside=True)] if note else []
        steps = voice.tell(thing)
        hands = examples.get(thing.name, {})
        categories = [one.name for one in thing.categories] if isinstance(thing, PatternRanking) else []
        yield StepList([with_examples(step, categories, hands) for step in steps] if hands else steps)


def with_examples(step: Step, categories: Sequence[str], hands: Mapping[str, str]) -> Step:
    """The list of hands with an example behind each that has one."""
    if len(step.inside) != len(categories):
        return step
    told = [
        Step(f"{one.text.removesuffix('.')}, such as {hands[name]}" if name in hands else one.text)
        for one, name in zip(step.inside, categories, strict=True)
    ]
    return Step(step.text, told)


def effect_blocks(voice: Voice, _: Examples) -> Page:
    chosen = voice.ruleset.when_chosen
    if chosen is not None and any(tells_scripts(voice, effect) for effect in voice.ruleset.effects):
        yield Passage("When targets have been chosen for any of these:")
        yield StepList(voice.tell(chosen))
    for effect in voice.ruleset.effects:
        yield Heading(effect.name, 4)
        yield from [Passage(cited(effect.text))] if effect.text else []
        yield from bullets([step.text for step in flat(voice.tell(effect))])


def flat(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        inside = "; ".join(lower(one.text) for one in flat(step.inside))
        yield Step(f"{step.text}: {inside}") if inside else step


def option_blocks(voice: Voice, _: Examples) -> Page:
    yield from bullets([voice.say(option) for option in voice.ruleset.options.values()])


def opponent_blocks(voice: Voice, _: Examples) -> Page:
    """Who plays when one sits down alone, where that is said by name."""
    ruleset = voice.ruleset
    name = opponents_of(ruleset)
    if ruleset.players[1] == 1 or name not in ruleset.strategies:
        return
    strategy = ruleset.strategies[name]
    how = cited(strategy.about) or caption(strategy.span)
    colon = f": {lower(how)}" if how else ""
    yield Passage(sentence(f'Seats that no person takes are played by the strategy "{human(name)}"{colon}'))


SECTIONS: dict[str, Callable[[Voice, Examples], Page]] = {
    "The cards": deck_blocks,
    "The table": table_blocks,
    "What is kept count of": kept_blocks,
    "The exact course": play_blocks,
    "The end": score_blocks,
    "Hands and counts": hand_blocks,
    "Effects of cards": effect_blocks,
    "Words used here": term_blocks,
    "Options": option_blocks,
    "Opponents": opponent_blocks,
}
REST = (
    "This part is worked out from the rules by the program, for looking things up. With --full the exact course of "
    "play stands here, too."
)
# What tells the game again where the author has told it.
COURSE = frozenset({"What is kept count of", "The exact course", "The end"})
