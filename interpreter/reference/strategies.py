"""The ruleset's own strategies: scripts that pick an option (docs/meaning.md, Decisions)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.types import LABEL, NUMBER, ORIENTATION, RANK, SUIT, Type
from trionfi.interpreter.decision import DONE, Decision, Option, Thing, end_offered
from trionfi.interpreter.errors import InternalError
from trionfi.interpreter.reference.compiler import PICKED, Compiler, Frame, Step, Value, meaning, statement
from trionfi.interpreter.reference.decisions import same_thing
from trionfi.interpreter.reference.queries import collected
from trionfi.interpreter.state import State


def asked(s: State) -> Decision:
    if s.offer is None:
        raise InternalError("a strategy is asked outside a decision")
    return s.offer


@meaning(tree.Offered)
def eval_offered(node: tree.Offered, _c: Compiler) -> Value:
    """The things of a kind that any option is about, in the order of the options."""

    def offered(s: State, _f: Frame) -> Any:
        things = [thing.value for option in asked(s).options for thing in things_of(option, node.element)]
        return collected(node.noun, dict.fromkeys(things))

    return offered


def things_of(option: Option, kind: Type) -> Iterator[Thing]:
    """The things of that kind in an option; the game's own kinds are told apart by what a line is about."""
    domains = option.item.domains if option.item is not None else []
    for place, thing in enumerate(option.things):
        if thing.noun == noun_of(kind) and (not domains or domains[place].local.type == kind):
            yield thing


def noun_of(kind: Type) -> str:
    """What options call things of a kind."""
    return kind.name if kind in (SUIT, RANK, ORIENTATION) else kind.kind


@meaning(tree.NumberOffered)
def eval_number_offered(node: tree.NumberOffered, _c: Compiler) -> Value:
    return lambda s, _f: end_offered(asked(s), node.end)


@meaning(tree.ItemName)
def eval_item_name(node: tree.ItemName, c: Compiler) -> Value:
    return c.constant(node.template)


@statement(tree.Pick)
def run_pick(node: tree.Pick, c: Compiler) -> Step:
    value = c.value(node.value)
    about = c.value(node.thing) if node.thing is not None else None
    kind = node.value.type if node.thing is None else node.thing.type

    def move(s: State, f: Frame) -> int | None:
        wanted = value(s, f)
        if about is not None:
            return find_line_about(s, asked(s), wanted, kind, about(s, f))
        return find_line(asked(s), wanted) if kind == LABEL else find_thing(s, asked(s), kind, wanted)

    def run(s: State, f: Frame) -> str | None:
        found = move(s, f)
        if found is None:
            return None
        s.returned = found
        return PICKED

    return Step(run)


def find_line(decision: Decision, template: str | None) -> int | None:
    """The first option of the menu's line that is written so; `done` ends a choice."""
    return next((i for i, option in enumerate(decision.options) if option.template == template), None)


def find_line_about(s: State, decision: Decision, template: str | None, kind: Type, thing: Any) -> int | None:
    if thing is None:
        return None
    for i, option in enumerate(decision.options):
        if option.template == template and is_about(s, decision.player, option, kind, thing):
            return i
    return None


def find_thing(s: State, decision: Decision, kind: Type, wanted: Any) -> int | None:
    """The option that is this thing, or the move that says this number."""
    if wanted is None:
        return None
    if decision.is_number:
        return decision.move_to_number(wanted) if kind == NUMBER else None
    for i, option in enumerate(decision.options):
        if option.label != DONE and len(option.things) == 1 and is_about(s, decision.player, option, kind, wanted):
            return i
    return None


def is_about(s: State, player: int, option: Option, kind: Type, wanted: Any) -> bool:
    return any(is_meant(s, player, thing, wanted) for thing in things_of(option, kind))


def is_meant(s: State, player: int, thing: Thing, wanted: Any) -> bool:
    """The thing itself, or of cards one that is the same option."""
    if thing.value == wanted:
        return True
    if thing.noun != "card":
        return False
    return bool(same_thing(s, player, "card", wanted) == same_thing(s, player, "card", thing.value))
