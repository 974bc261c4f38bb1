"""One part of the rulebook by its name: a procedure, a ranking, a zone, an option, a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from trionfi.dsl.tree import Choose, ChooseNumber, Menu, Procedure, Ruleset
from trionfi.dsl.tree.walk import walk
from trionfi.shell.prose.chapters import paragraphs_about
from trionfi.shell.prose.page import Block, Heading, Passage, StepList, terminal_lines
from trionfi.shell.prose.rulebook import Values, heading, numbered, procedure_blocks, reached
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Voice
from trionfi.shell.prose.words import cited

__all__ = ["parts_of_game", "rules_of_moment"]

Part = Callable[[], Iterator[Block]]


def rules_of_moment(ruleset: Ruleset, decision: str, width: int, values: Values = None) -> Iterator[str]:
    """Short prose about one decision, for who is asked it: what the author tells of it; if that is nothing, what the
    rules offer. Lines of at most `width` columns."""
    voice = numbered(ruleset, values)
    told = paragraphs_about(voice, decision)
    if told:
        return terminal_lines(told, width)
    return terminal_lines([block for part in decision_parts(voice, ruleset, decision) for block in part()], width)


def decision_parts(voice: Voice, ruleset: Ruleset, decision: str) -> list[Part]:
    procedure = decisions_of(ruleset).get(decision)
    return [] if procedure is None else [part_of_choice(voice, procedure, decision)]


def parts_of_game(ruleset: Ruleset, values: Values = None) -> dict[str, list[Part]]:
    """Everything that has a name, and what tells it: an option and a decision may share one."""
    voice = numbered(ruleset, values)
    found: dict[str, list[Part]] = {}
    for name, part in named_parts(voice, ruleset):
        found.setdefault(name, []).append(part)
    return found


def named_parts(voice: Voice, ruleset: Ruleset) -> Iterator[tuple[str, Part]]:
    for name, procedure in {**ruleset.procedures, "play": ruleset.play}.items():
        yield name, part_of_procedure(voice, procedure)
    for decision in decisions_of(ruleset):
        yield from ((decision, part) for part in decision_parts(voice, ruleset, decision))
    for table in (ruleset.defines, ruleset.rankings, ruleset.totals, ruleset.melds, ruleset.strategies):
        for name, entry in table.items():
            yield name, part_of_steps(voice, entry)
    things: list[Any] = [*ruleset.measures, *ruleset.decks, *ruleset.effects]
    for thing in things:
        yield thing.name, part_of_steps(voice, thing)
    lines: list[Any] = [*ruleset.zones, *ruleset.variables, *ruleset.marks, *ruleset.options.values()]
    lines += [one for one in ruleset.enumerations.values() if one.name not in ruleset.options]
    for line in lines:
        yield line.name, part_of_line(voice, line)


def part_of_line(voice: Voice, thing: Any) -> Part:
    return lambda: iter([StepList([Step(voice.say(thing), choice=True)])])


def part_of_steps(voice: Voice, thing: Any) -> Part:
    def blocks() -> Iterator[Block]:
        text = getattr(thing, "text", "")
        if text:
            yield Passage(cited(text))
        yield StepList(voice.tell(thing))

    return blocks


def part_of_procedure(voice: Voice, procedure: Procedure) -> Part:
    def blocks() -> Iterator[Block]:
        yield Heading("The game" if procedure is voice.ruleset.play else heading(voice, procedure), 4)
        yield from procedure_blocks(voice, procedure)

    return blocks


def part_of_choice(voice: Voice, procedure: Procedure, decision: str) -> Part:
    """What the author tells of a choice, and the choices of this name as steps."""

    def blocks() -> Iterator[Block]:
        yield from paragraphs_about(voice, decision)
        voice.enter(procedure.locals)
        asked = [node for node in walk(procedure.body) if decision_of(node) == decision]
        yield StepList([voice.tell(node) for node in asked])

    return blocks


def decision_of(node: Any) -> str:
    return node.decision if isinstance(node, Choose | ChooseNumber | Menu) else ""


def decisions_of(ruleset: Ruleset) -> dict[str, Procedure]:
    return {
        name: procedure
        for procedure in reached(ruleset)
        for node in walk(procedure.body)
        if (name := decision_of(node))
    }
