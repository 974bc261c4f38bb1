"""A ranking like Two-Win's (W7 to W10), compiled: groups by orientation, counted majors, values before the category."""

from __future__ import annotations

from random import Random

import pytest
from compared import Compared, deals
from made_rankings import TAROT, TWO_WIN, TWO_WIN_MIXED, poker_rank, two_win

CARDS = range(len(TAROT.cards))
SOME = {
    "all": list(CARDS),
    "low": [card for card in CARDS if poker_rank(TAROT.cards[card], None) in (13, 0, 1, 2, 3, 4)],
    "aces and tens": [card for card in CARDS if poker_rank(TAROT.cards[card], None) in (13, 8)],
    "majors and a suit": [card for card in CARDS if TAROT.cards[card]["suit"] in (0, 4)],
    "court": [card for card in CARDS if TAROT.cards[card]["suit"] == 1 or TAROT.cards[card].get("rank", 0) > 8],
}


@pytest.mark.parametrize("some", SOME)
@pytest.mark.parametrize("categories", [TWO_WIN, TWO_WIN_MIXED], ids=["unmixed", "mixed"])
def test_hands_of_five(categories: dict[str, str], some: str, test_size: float) -> None:
    compared = Compared(two_win(categories), TAROT)
    (rows,) = deals(Random(1), int(300 * test_size), SOME[some], 5, turned=len(CARDS))
    (upright,) = deals(Random(2), int(100 * test_size), SOME[some], 5)
    compared.check((rows + upright, None))


@pytest.mark.parametrize("some", SOME)
def test_two_of_four_with_three_of_five(some: str, test_size: float) -> None:
    """W6."""
    compared = Compared(two_win(), TAROT)
    own, internal = deals(Random(3), int(12 * test_size), SOME[some], 4, 5, turned=len(CARDS))
    compared.check((own, 2), (internal, 3))


def test_best_of_seven(test_size: float) -> None:
    compared = Compared(two_win(TWO_WIN_MIXED), TAROT)
    (rows,) = deals(Random(4), int(25 * test_size), SOME["low"], 7, turned=len(CARDS))
    compared.check((rows, None))


def test_a_part_that_fills_up(test_size: float) -> None:
    compared = Compared(two_win(), TAROT)
    own, internal = deals(Random(5), int(20 * test_size), SOME["low"], 3, 4, turned=len(CARDS))
    compared.check((own, 2), (internal, None))
