"""What the core's operations for strategies do: they ask the decision that is under way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.core.types import CARD
from trionfi.interpreter.core_engine.meanings import Host, Meaning, means, reads, same_thing
from trionfi.interpreter.game import DONE, Decision, Option, Thing
from trionfi.interpreter.state import State

__all__: list[str] = []


def asked(s: State) -> Decision:
    assert s.offer is not None, "a strategy is asked in a decision"
    return s.offer


@means(Op.OFFERED)
def offered(node: Let, _host: Host) -> Meaning:
    noun = node.about[0]

    def things(s: State) -> tuple[Any, ...]:
        found = (thing.value for option in asked(s).options for thing in option.things if thing.noun == noun)
        return tuple(dict.fromkeys(found))

    return things


@means(Op.LINE_NAMED)
def line_named(node: Let, _host: Host) -> Meaning:
    template = node.about[0]
    return lambda _s: template


def numbered(s: State) -> Iterator[tuple[int, Option]]:
    return enumerate(asked(s).options)


def find_line(s: State, template: str | None) -> int | None:
    return next((i for i, option in numbered(s) if option.template == template), None)


def find_line_about(s: State, template: str | None, wanted: Any) -> int | None:
    if wanted is None:
        return None
    for i, option in numbered(s):
        if option.template == template and any(is_meant(s, own, wanted) for own in option.things):
            return i
    return None


def find_thing(s: State, wanted: Any) -> int | None:
    """The option that is this thing, or the move that says this number."""
    if wanted is None:
        return None
    if asked(s).is_number:
        return asked(s).move_to_number(wanted)
    for i, option in numbered(s):
        if option.label != DONE and len(option.things) == 1 and is_meant(s, option.things[0], wanted):
            return i
    return None


def is_meant(s: State, thing: Thing, wanted: Any) -> bool:
    """The thing itself, or of cards one that is the same option."""
    if thing.value == wanted:
        return True
    if thing.noun != "card" or not isinstance(wanted, int):
        return False
    player = asked(s).player
    return bool(same_thing(s, player, CARD, wanted) == same_thing(s, player, CARD, thing.value))


reads(Op.LOWEST_OFFERED, lambda s: asked(s).low)
reads(Op.HIGHEST_OFFERED, lambda s: asked(s).high)
reads(Op.FIND_LINE, find_line)
reads(Op.FIND_LINE_ABOUT, find_line_about)
reads(Op.FIND_THING, find_thing)
