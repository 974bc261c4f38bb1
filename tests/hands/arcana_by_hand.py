"""Hands of Arcana Poker (rulings A7, A8), written from the rules alone. Nothing here knows the evaluators.

A card is (suits, rank): a bit a suit (several, or none for a card without suit), rank 2..14, or 0 for one that is wild in rank. Of the
pool's subsets all are tried, of a wild card all ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import combinations, combinations_with_replacement
from operator import and_

Card = tuple[int, int]
Value = tuple[int, tuple[int, ...]]  # minus the category, then the ranks that tell hands apart
CATEGORIES = [
    "Flush Five",
    "Flush House",
    "Five of a Kind",
    "Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
    "Two Pair",
    "Pair",
    "High Card",
    "No Hand",
]
_ACE_LOW = (14, 5, 4, 3, 2)


def best(pool: Sequence[Card], size: int) -> Value:
    """The best of all hands of so many cards."""
    return max((rate(hand) for hand in combinations(pool, size)), default=(-12, ()))


def rate(hand: Sequence[Card]) -> Value:
    same_suit = len(hand) == 5 and bool(reduce(and_, (suits for suits, _ in hand)))
    fixed = tuple(sorted(rank for _, rank in hand if rank))
    return _best_reading(fixed, len(hand) - len(fixed), same_suit)


@cache
def _best_reading(fixed: tuple[int, ...], wild: int, same_suit: bool) -> Value:
    """Each wild card takes any rank for itself."""
    readings = combinations_with_replacement(range(2, 15), wild)
    return max(_rate([*fixed, *ranks], same_suit) for ranks in readings)


def _rate(ranks: Iterable[int], same_suit: bool) -> Value:  # noqa: C901  the table of categories, line by line
    order = sorted(ranks, reverse=True)
    if not order:
        return -12, ()
    groups = sorted(((order.count(rank), rank) for rank in set(order)), reverse=True)
    counts, by_group = tuple(count for count, _ in groups), tuple(rank for _, rank in groups)
    straight = _straight(order)
    if counts == (5,) and same_suit:
        return 0, by_group
    if counts == (3, 2) and same_suit:
        return -1, by_group
    if counts == (5,):
        return -2, by_group
    if straight and same_suit:
        return -3, (straight,)
    if counts[0] == 4:
        return -4, by_group
    if counts == (3, 2):
        return -5, by_group
    if same_suit:
        return -6, tuple(order)
    if straight:
        return -7, (straight,)
    if counts[0] == 3:
        return -8, by_group
    if counts[:2] == (2, 2):
        return -9, by_group
    return (-10 if counts[0] == 2 else -11), by_group


def _straight(order: Sequence[int]) -> int:
    """The top rank of five in a row, 5 for ace low; else 0."""
    if tuple(order) == _ACE_LOW:
        return 5
    return order[0] if len(order) == 5 and list(order) == list(range(order[0], order[0] - 5, -1)) else 0
