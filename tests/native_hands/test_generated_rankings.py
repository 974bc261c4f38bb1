"""Rankings made at random, compiled, against the reference."""

from __future__ import annotations

from random import Random

import pytest
from compared import Compared, deals
from generated import a_deck, a_ranking
from made_rankings import POKER, STANDARD, pattern_ranking

SEEDS = 3  # of each batch, times the size of the run


def a_comparison(seed: int) -> None:
    """Compares some hands of a ranking."""
    random = Random(seed)
    deck, ranking = a_deck(random), a_ranking(random)
    distinct = random.random() < 0.7 and len(deck.kept) > 6
    compared = Compared(ranking, deck, distinct)
    faces = len(deck.cards) if deck.oriented else 0
    cards = list(deck.kept)
    few = random.sample(cards, min(len(cards), 12))
    cards, few = (cards, few) if len(few) > 6 else (cards * 2, cards * 2)
    wild = ranking.wild is not None or ranking.wild_suit is not None
    amount = 2 if wild else 12
    for size in {ranking.high, min(ranking.high + random.choice([1, 2]), 6), max(1, ranking.low)}:
        rows = [row for of in (cards, few) for row in deals(random, amount, of, size, turned=faces)[0]]
        if not compared.evaluator.plan.distinct:
            rows += [[random.choice(few) for _ in range(size)] for _ in range(amount)]
        compared.check((rows, None))
    own, board = deals(random, 3, few, 2, 3, turned=faces)
    compared.check((own, random.randint(0, 2)), (board, random.choice([None, 1, 2])))


@pytest.mark.parametrize("batch", range(4))
def test_generated_rankings(batch: int, test_size: float) -> None:
    for seed in range(int(SEEDS * test_size)):
        a_comparison(1_000_000 * batch + seed)


def test_the_way_follows_from_the_patterns() -> None:
    """Not from what the ranking is: what cannot be done at once is tried, what words cannot hold goes card by card."""
    ways = {
        "direct": pattern_ranking(POKER),
        "exact": pattern_ranking(POKER, best_low=True),
        "plain": pattern_ranking({**POKER, "Straight": "run of 4"}),
    }
    assert {way: Compared(ranking, STANDARD).evaluator.way for way, ranking in ways.items()} == {
        way: way for way in ways
    }
