"""Sets of places of a list: what a condition says about all its things."""

from __future__ import annotations

from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.interpreter.core_engine.meanings import CoreHost, Meaning, means, plain
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.state import State

__all__: list[str] = []


@means(Op.MATCHING)
def matching(node: Let, host: CoreHost) -> Meaning:
    ask = answer_of(node, host)
    return lambda s, things, *more: sum((ask(s, thing, *more) is True) << place for place, thing in enumerate(things))


@means(Op.STOPS)
def stops(node: Let, host: CoreHost) -> Meaning:
    ask = answer_of(node, host)
    return lambda s, things, *more: any(ask(s, thing, *more) is None for thing in things)


def answer_of(node: Let, host: CoreHost) -> Meaning:
    """What a function says about a thing; none where it stops."""
    name = str(node.about[0])

    def ask(s: State, *args: Any) -> bool | None:
        try:
            return bool(host.call(name, s, *args))
        except GameError:
            return None

    return ask


def places_in(places: int) -> list[int]:
    return [place for place in range(places.bit_length()) if places >> place & 1]


def picks_at(things: tuple[Any, ...], places: int) -> list[tuple[Any, int]]:
    """Things to pick, and their numbers among them."""
    return [(things[place], number) for number, place in enumerate(places_in(places))]


plain(Op.WITH_PLACE, lambda places, place: places | 1 << place)
plain(Op.NTH_PLACE, lambda places, number: places_in(places)[number])

plain(Op.PICK_MENU, lambda things, places: [(0, pick) for pick in picks_at(things, places)])
