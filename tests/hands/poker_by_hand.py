"""Poker with the standard deck, high and low, written from the rules alone. Nothing here knows the evaluators.

A card is (rank, suit): rank 2..14 (ace 14), suit 0..3. Every function gives what orders two hands: greater is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from random import Random

Card = tuple[int, int]
ACE = 14
COURT = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
SUITS = ["clubs", "diamonds", "hearts", "spades"]
DECK = [(rank, suit) for suit in range(4) for rank in range(2, 15)]


def name(card: Card) -> str:
    return f"{COURT.get(card[0], card[0])} of {SUITS[card[1]]}"


def top_of_straight(ranks: Iterable[int], lowest: int = 2, ace_low: bool = True) -> int:
    """The top rank, 0 for no straight. The ace stands also below the `lowest` rank of the deck."""
    in_order = sorted(ranks)
    if in_order == list(range(in_order[0], in_order[0] + 5)):
        return in_order[-1]
    if ace_low and in_order == [*range(lowest, lowest + 4), ACE]:
        return lowest + 3
    return 0


def by_count(ranks: Iterable[int]) -> list[tuple[int, int]]:
    """(how many, rank), most and highest first."""
    return sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)


def high(cards: Sequence[Card], lowest: int = 2, ace_low: bool = True) -> tuple[object, ...]:
    """Five cards; the first value is minus the category."""
    ranks = [rank for rank, _ in cards]
    counts = by_count(ranks)
    pattern = [count for count, _ in counts]
    flush = len({suit for _, suit in cards}) == 1
    top = top_of_straight(ranks, lowest, ace_low)
    if pattern == [5]:
        return 0, [counts[0][1]]
    if flush and top:
        return -1, [top]
    for number, wanted in ((2, [4, 1]), (3, [3, 2])):
        if pattern == wanted:
            return -number, [rank for _, rank in counts]
    if flush:
        return -4, sorted(ranks, reverse=True)
    if top:
        return -5, [top]
    number = {(3, 1, 1): 6, (2, 2, 1): 7, (2, 1, 1, 1): 8}.get(tuple(pattern), 9)
    return -number, [rank for _, rank in counts]


def lowball(cards: Sequence[Card]) -> tuple[object, ...]:
    """2-7: the worst high hand, in which the ace is high only."""
    category, ranks = high(cards, ace_low=False)
    return -category, [-rank for rank in ranks]  # type: ignore[operator, attr-defined]


def ace_to_five(cards: Sequence[Card]) -> tuple[object, ...]:
    """Ace low; straights and flushes are nothing. Fewer pairs first, then the lowest from the top down."""
    counts = by_count(1 if rank == ACE else rank for rank, _ in cards)
    pattern = tuple(count for count, _ in counts)
    order = [(1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1), (5,)]
    return -order.index(pattern), [-rank for _, rank in counts]


def eight_or_better(cards: Sequence[Card]) -> tuple[object, ...] | None:
    ranks = sorted((1 if rank == ACE else rank for rank, _ in cards), reverse=True)
    return [-rank for rank in ranks] if len(set(ranks)) == 5 and ranks[0] <= 8 else None  # type: ignore[return-value]


def badugi(cards: Sequence[Card]) -> tuple[object, ...]:
    """The most cards of which no two share rank or suit; among as many the lowest, ace low."""
    found = []
    for size in range(1, 5):
        for chosen in combinations(cards, size):
            ranks = {1 if rank == ACE else rank for rank, _ in chosen}
            if len(ranks) == size and len({suit for _, suit in chosen}) == size:
                found.append((size, [-rank for rank in sorted(ranks, reverse=True)]))
    return max(found)


def best(rate: Callable[[Sequence[Card]], object], cards: Sequence[Card], size: int = 5) -> object:
    """The best of all choices of cards; those that are no hand (None) do not count."""
    rated = [rate(chosen) for chosen in combinations(cards, size)]
    return max((value for value in rated if value is not None), default=None)  # type: ignore[type-var]


def substituted(rate: Callable[[Sequence[Card]], object], cards: Sequence[Sequence[Card]], size: int = 5) -> object:
    """The best of all choices of cards when each stands for any one of several."""
    rated = [rate(hand) for chosen in combinations(cards, size) for hand in product(*chosen)]
    return max((value for value in rated if value is not None), default=None)  # type: ignore[type-var]


def random_hand(random: Random, size: int, deck: Sequence[Card] = DECK) -> list[Card]:
    return random.sample(deck, size)


def biased_hand(random: Random, size: int, deck: Sequence[Card] = DECK) -> list[Card]:
    """Cards of few ranks, of one suit or in a row, some of them exchanged."""
    ranks = sorted({rank for rank, _ in deck})
    suit = random.randrange(4)
    some = random.sample(ranks, min(len(ranks), random.choice([1, 2, 2, 3])))
    start = random.randrange(-1, len(ranks) - 4)
    row = [ranks[i] for i in range(start, start + 5)]
    wished = random.choice(
        [
            [card for card in deck if card[0] in some],
            [card for card in deck if card[1] == suit],
            [random.choice([card for card in deck if card[0] == rank]) for rank in row],
            [card for card in deck if card[0] in row and card[1] == suit],
        ]
    )
    wished = random.sample(wished, min(len(wished), size - random.choice([0, 0, 0, 1, 2])))
    hand = wished + random.sample([card for card in deck if card not in wished], size - len(wished))
    random.shuffle(hand)
    return hand
