"""Hands of up to ten cards with several suits, raised ranks, no suit, and wild in rank as well, against brute force.

Both engines' evaluators; at full size 40,000 pools, and as many with a Tower or two among the five.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import arcana_by_hand as by_hand
import pytest
from given import given
from orders_agree import assert_same_order

from trionfi.interpreter.native.hands import Evaluator, RankMany, altered_table

TRIALS = 400  # times the size of the run
SUITS = ["clubs", "diamonds", "hearts", "spades"]
COURT = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
ALL = 15


def biased_pool(random: Random) -> list[by_hand.Card]:
    """Up to ten cards of few suits and few ranks, some of them wild or without suit, so that the top rows are common."""
    ranks = random.sample(range(2, 15), random.choice([1, 2, 3, 5, 13]))
    if random.random() < 0.2:
        low = random.randrange(2, 11)
        ranks = list(range(low, low + 5)) if random.random() < 0.8 else [14, 2, 3, 4, 5]
    suits = random.sample(range(4), random.choice([1, 2, 4]))
    wilds = random.choice([0, 0, 1, 2, 4, 7])
    pool = []
    for place in range(random.choice([1, 3, 4, 5, 7, 9, 10, 10, 10])):
        mask = 1 << random.choice(suits)
        if random.random() < 0.15:
            mask = random.choice([0, ALL, ALL, mask | 1 << random.randrange(4)])
        wild = place < wilds and random.random() < 0.7
        pool.append((mask if not wild else random.choice([ALL, mask]), 0 if wild else random.choice(ranks)))
    random.shuffle(pool)
    return pool


def as_given(place: int, card: by_hand.Card) -> dict[str, Any]:
    """A card of the deck, altered; which one it is does not matter."""
    suits, rank = card
    printed = f"{place + 2 if place < 9 else 'ace'} of {SUITS[place % 4]}"
    return {
        "card": printed,
        "rank": COURT.get(rank, str(rank)) if rank else "every",
        "suits": [suit for i, suit in enumerate(SUITS) if suits >> i & 1],
    }


class Natively:
    """The compiled evaluator of the ruleset's ranking, over cards that effects have altered."""

    def __init__(self) -> None:
        arcana = given("arcana-poker")
        table = altered_table(arcana.compiler)
        assert table.altered is not None
        ranking: Any = arcana.ruleset.rankings["hand"]
        self.codes, self.evaluator = table.altered, Evaluator(ranking, table)
        self.rank_many = RankMany(self.evaluator)

    def strengths(self, pools: list[list[by_hand.Card]], towers: int, widths: set[int]) -> list[int | None]:
        """One a pool of these sizes: greater is better."""
        found: list[int | None] = [None] * len(pools)
        for width in widths:
            places = [place for place, pool in enumerate(pools) if len(pool) == width]
            rows = [[self.code(card) for card in pools[place]] for place in places]
            for place, strength in zip(places, self.rank_many([(rows, min(5 - towers, width))]), strict=True):
                found[place] = int(strength)
        return found

    def code(self, card: by_hand.Card) -> int:
        suits, rank = card
        return self.codes.code(0, suits, rank - 2 if rank else None, any_rank=not rank)

    def category(self, strength: int) -> str:
        number = self.evaluator.category(strength)
        assert number is not None
        return self.evaluator.ranking.categories[number].name


@pytest.mark.parametrize("towers", [0, 1, 2])
def test_the_best_of_all_subsets(test_size: float, towers: int) -> None:
    """With n Towers among the five the other places are the best of the standard cards."""
    random, arcana, natively = Random(5 + towers), given("arcana-poker"), Natively()
    rows, native_rows = [], []
    pools = [biased_pool(random) for _ in range(int(TRIALS * test_size * (1 if towers == 0 else 0.5)))]
    # each size of pool is compiled for itself
    widths = {len(pool) for pool in pools} if test_size >= 10 else {4, 10}
    for pool, strength in zip(pools, natively.strengths(pools, towers, widths), strict=True):
        size = min(5 - towers, len(pool))
        cards = [as_given(place, card) for place, card in enumerate(pool)]
        value = arcana.rank("hand", (cards, size))
        expected = by_hand.best(pool, size)
        assert value is not None
        assert value.category == by_hand.CATEGORIES[-expected[0]], pool
        rows.append((expected, value, pool))
        if strength is not None:
            assert natively.category(strength) == value.category, pool
            native_rows.append((expected, strength, pool))
    assert_same_order(rows)
    assert_same_order(native_rows)
    counted = Counter(value.category for _, value, _ in rows if value is not None)
    wanted = by_hand.CATEGORIES[:12] if towers == 0 else ["Four of a Kind", "Three of a Kind", "Pair"][towers > 1 :]
    assert set(wanted) <= set(counted), counted


def test_the_hand_of_no_card() -> None:
    arcana = given("arcana-poker")
    value = arcana.rank("hand", [])
    assert value is not None
    assert value.category == "No Hand"
    worst = arcana.rank("hand", ["2 of clubs"])
    assert worst is not None
    assert value < worst
