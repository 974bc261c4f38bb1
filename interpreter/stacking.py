"""What a stacked game gives out, as its lists and outcomes are met in play (docs/meaning.md, Chance)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from trionfi.dsl.source import Span
from trionfi.interpreter.errors import fail
from trionfi.interpreter.stacked import FaceAndSide, Stack
from trionfi.interpreter.state import State

__all__ = ["arrange", "arrange_start", "next_card"]


def next_card(s: State, stack: Stack, source: int, to: int) -> int:
    """The card that a deal takes from `source`, made to lie as listed."""
    for zone in (to, source):
        card = listed_card(s, source, stack.lists.get(zone))
        if card is not None:
            return card
    still_named = {face for cards in stack.named for face, _ in cards}
    cards = s.zones[source]
    return next((card for card in reversed(cards) if s.looks[card].face not in still_named), cards[-1])


def listed_card(s: State, source: int, cards: deque[FaceAndSide] | None) -> int | None:
    """The next card of a list, if it lies in the source: the topmost of its copies."""
    if not cards:
        return None
    face, is_reversed = cards[0]
    card = topmost(s, source, face)
    if card is not None:
        cards.popleft()
        s.orient(card, is_reversed)
    return card


def arrange(s: State, stack: Stack, zone: int, span: Span) -> None:
    """After a shuffle: the cards of the zone's own list that lie in it come to the top, as listed; then, if the
    outcome is given, those of that."""
    lay_on_top(s, zone, stack.lists.get(zone, ()))
    if not stack.orders:
        return
    missing = lay_on_top(s, zone, stack.orders.popleft())
    if missing is not None:
        name = s.table.ruleset.faces[missing].name
        fail("stacked-chance", f"{name} is to come in a shuffle of cards among which it does not lie", span)


def arrange_start(s: State, stack: Stack) -> None:
    """The same of the cards that lie in zones before the first statement."""
    for zone in stack.lists:
        lay_on_top(s, zone, stack.lists[zone])


def lay_on_top(s: State, zone: int, listed: Iterable[FaceAndSide]) -> int | None:
    """Brings cards to the top of their zone, in their order from the top, each to lie as listed; gives the first face
    that does not lie there."""
    top: list[int] = []
    missing = None
    for face, is_reversed in listed:
        card = topmost(s, zone, face, top)
        if card is not None:
            s.orient(card, is_reversed)
            top.append(card)
        elif missing is None:
            missing = face
    cards = s.zones[zone]
    cards[:] = [card for card in cards if card not in top] + top[::-1]
    return missing


def topmost(s: State, zone: int, face: int, besides: Sequence[int] = ()) -> int | None:
    cards = reversed(s.zones[zone])
    return next((card for card in cards if s.looks[card].face == face and card not in besides), None)
