"""What the core's operations for strategies do: they ask the decision that is under way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.core.types import CARD, INT, CoreType, Kind, core_type
from trionfi.interpreter.core_engine.meanings import CoreHost, Meaning, means, reads, same_thing
from trionfi.interpreter.decision import DONE, Decision, Option, Thing, end_offered
from trionfi.interpreter.state import State

__all__: list[str] = []


def asked(s: State) -> Decision:
    assert s.offer is not None, "a strategy is asked in a decision"
    return s.offer


@means(Op.OFFERED)
def offered(node: Let, _host: CoreHost) -> Meaning:
    assert node.target is not None
    kind = node.target.type.element

    def things(s: State) -> tuple[Any, ...]:
        found = (thing.value for option in asked(s).options for thing in things_of(option, kind))
        return tuple(dict.fromkeys(found))

    return things


def things_of(option: Option, kind: CoreType) -> Iterator[Thing]:
    """The things of a kind in an option; the game's own kinds are told apart by what a line is about."""
    domains = option.item.domains if option.item is not None else []
    for place, thing in enumerate(option.things):
        is_own = not domains or core_type(domains[place].local.type).some == kind.some
        if thing.noun == noun_of(kind) and is_own:
            yield thing


def noun_of(kind: CoreType) -> str:
    """What options call things of a kind."""
    if kind.kind is Kind.SEAT:
        return "player"
    if kind.kind is Kind.MEMBER:
        return kind.name if kind.name in ("suit", "rank", "orientation") else "enum"
    return "number" if kind.some == INT else str(kind.kind)


@means(Op.LINE_NAMED)
def line_named(node: Let, _host: CoreHost) -> Meaning:
    template = node.about[0]
    return lambda _s: template


def numbered(s: State) -> Iterator[tuple[int, Option]]:
    return enumerate(asked(s).options)


def find_line(s: State, template: str | None) -> int | None:
    return next((i for i, option in numbered(s) if option.template == template), None)


@means(Op.FIND_LINE_ABOUT)
def find_line_about(node: Let, _host: CoreHost) -> Meaning:
    kind = node.args[1].type

    def find(s: State, template: str | None, wanted: Any) -> int | None:
        if wanted is None:
            return None
        return next((i for i, o in numbered(s) if o.template == template and is_about(s, o, kind, wanted)), None)

    return find


@means(Op.FIND_THING)
def find_thing(node: Let, _host: CoreHost) -> Meaning:
    """The option that is this thing, or the move that says this number."""
    kind = node.args[0].type.some

    def find(s: State, wanted: Any) -> int | None:
        if wanted is None:
            return None
        if asked(s).is_number:
            return asked(s).move_to_number(wanted) if kind == INT else None
        alone = ((i, option) for i, option in numbered(s) if option.label != DONE and len(option.things) == 1)
        return next((i for i, option in alone if is_about(s, option, kind, wanted)), None)

    return find


def is_about(s: State, option: Option, kind: CoreType, wanted: Any) -> bool:
    return any(is_meant(s, thing, wanted) for thing in things_of(option, kind))


def is_meant(s: State, thing: Thing, wanted: Any) -> bool:
    """The thing itself, or of cards one that is the same option."""
    if thing.value == wanted:
        return True
    if thing.noun != "card":
        return False
    player = asked(s).player
    return bool(same_thing(s, player, CARD, wanted) == same_thing(s, player, CARD, thing.value))


reads(Op.LOWEST_OFFERED, lambda s: end_offered(asked(s), "lowest"))
reads(Op.HIGHEST_OFFERED, lambda s: end_offered(asked(s), "highest"))
reads(Op.FIND_LINE, find_line)
