"""Runs of groups, different ranks and suits, and hands of parts alone, written from what the facts say and tried card by
card. Nothing here knows the evaluators.

A card is (rank, suit); ranks are numbers, 0 the lowest. Every category is a function from a hand to the keys that it can
have: one for each way to part it, none if it is no such hand. A key lists the ranks by which its groups are called, the
largest group first, then the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Card = tuple[int, int]
Key = tuple[int, ...]
Category = Callable[[Sequence[Card]], Iterator[Key]]
Wanted = tuple[str, int, int, int]  # "alike" or "run", from, to, cards of each rank of the run


def is_run(cards: Sequence[Card], each: int, orders: Sequence[Sequence[int]]) -> Iterator[int]:
    """The top ranks by which these cards are a run with so many of each rank."""
    ranks = [rank for rank, _ in cards]
    for order in orders:
        for start in range(len(order)):
            stretch = order[start : start + len(cards) // each]
            if len(stretch) * each == len(cards) and sorted(ranks) == sorted([*stretch] * each):
                yield stretch[-1]


def partings(cards: Sequence[Card], parts: Sequence[Wanted], orders: Sequence[Sequence[int]]) -> Iterator[list[Key]]:
    """All ways to make the parts: (how many cards, the rank that names them) of each, and of the cards left over."""
    if not parts:
        yield [(1, rank) for rank, _ in cards]
        return
    (kind, low, high, each), others = parts[0], parts[1:]
    for size in range(low * each, high * each + 1, each):
        for chosen in combinations(range(len(cards)), size):
            some = [cards[place] for place in chosen]
            rest = [card for place, card in enumerate(cards) if place not in chosen]
            ranks = {rank for rank, _ in some}
            names = (ranks if len(ranks) == 1 else ()) if kind == "alike" else is_run(some, each, orders)
            for rank in names:
                for groups in partings(rest, others, orders):
                    yield [(size, rank), *groups]


def having(
    *parts: Wanted,
    orders: Sequence[Sequence[int]],
    cards: range = range(99),
    ranks: range = range(99),
    suits: range = range(99),
    whole: bool = False,
) -> Category:
    """A category with these parts, so many cards, so many different ranks and suits, and (whole) nothing else."""

    def keys(hand: Sequence[Card]) -> Iterator[Key]:
        if len(hand) not in cards or len({rank for rank, _ in hand}) not in ranks:
            return
        if len({suit for _, suit in hand}) not in suits:
            return
        for groups in partings(hand, parts, orders):
            if not whole or len(groups) == len(parts):
                yield tuple(rank for _, rank in sorted(groups, reverse=True))

    return keys


def best(hand: Sequence[Card], categories: Sequence[Category]) -> tuple[int, Key] | None:
    """Minus the number of the first category that the hand is of, and its highest key."""
    for number, keys in enumerate(categories):
        found = list(keys(hand))
        if found:
            return -number, max(found)
    return None
