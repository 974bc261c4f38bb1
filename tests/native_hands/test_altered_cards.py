"""Cards whose suits and rank effects have changed: sets of suits, no rank, every rank (a ranking like Arcana Poker's)."""

from __future__ import annotations

from random import Random

import pytest
from compared import Compared
from made_rankings import STANDARD, Host, pattern_ranking, prop

from trionfi.interpreter.native.hands import Evaluator, altered_table
from trionfi.interpreter.native.module import CannotLower

ARCANA = {
    "Flush Five": "5 alike, same suit",
    "Flush House": "3 alike, 2 alike, same suit",
    "Five of a Kind": "5 alike",
    "Straight Flush": "run of 5, same suit",
    "Four of a Kind": "4 alike",
    "Full House": "3 alike, 2 alike",
    "Flush": "5 cards, same suit",
    "Straight": "run of 5",
    "Three of a Kind": "3 alike",
    "Two Pair": "2 alike, 2 alike",
    "Pair": "2 alike",
    "High Card": "1..5 cards",
    "No Hand": "0 cards",
}


def compared() -> Compared:
    made = Compared(pattern_ranking(ARCANA, size=(0, 5)), STANDARD)
    made.take(altered_table(Host(STANDARD)))
    return made


def a_row(random: Random, made: Compared, size: int, any_ranks: int) -> list[int]:
    """Some printed cards, some of several suits or none, some without rank, at most so many of every rank."""
    altered, row = made.table.altered, []
    assert altered is not None
    for place in range(size):
        suits = random.choice([15, 15, 1, 2, 4, 8, 3, 0])
        rank = random.choice([None, *range(8, 13), *range(8, 13)])
        any_rank = place < any_ranks and random.random() < 0.7
        row.append(altered.code(0, suits, rank, any_rank) if random.random() < 0.6 else random.randrange(52))
    return row


@pytest.mark.parametrize("size", [0, 1, 3, 5])
def test_hands_with_altered_cards(size: int, test_size: float) -> None:
    made, random = compared(), Random(size)
    made.check(([a_row(random, made, size, 2) for _ in range(int(60 * test_size))], None))


def test_best_of_seven_altered_cards(test_size: float) -> None:
    made, random = compared(), Random(7)
    made.check(([a_row(random, made, 7, place % 3 // 2) for place in range(int(30 * test_size))], None))


def test_some_of_ten(test_size: float) -> None:
    """A10: as many as a player still has places for."""
    made, random = compared(), Random(8)
    for take in range(6):
        made.check(([a_row(random, made, 6, 0) for _ in range(int(8 * test_size))], take))


def test_what_else_cards_are_is_not_known_of_altered_ones() -> None:
    named = prop("name", lambda card, look: look.face)
    ranking = pattern_ranking({"Pair": "2 alike"}, alike=("name",), properties={"name": named}, run=None)
    with pytest.raises(CannotLower, match="altered cards that reads more than suit and rank"):
        Evaluator(ranking, altered_table(Host(STANDARD)))
