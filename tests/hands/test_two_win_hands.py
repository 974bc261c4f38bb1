"""The rankings of Two-Win against its rulings, on random hands and on hands biased to the rare ones."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
import two_win_by_hand as by_hand
from given import given
from orders_agree import assert_same_order

TRIALS = 500  # random ones and as many biased ones, times the size of the run


def hands(seed: int, amount: int, size: int) -> list[list[by_hand.Card]]:
    random = Random(seed)
    return [deal(random, size) for _ in range(amount) for deal in (by_hand.random_hand, by_hand.biased_hand)]


def names(cards: list[by_hand.Card]) -> list[str]:
    return [by_hand.name(card) for card in cards]


@pytest.mark.parametrize("mixed_runs", [False, True])
def test_poker_hands_of_five(test_size: float, mixed_runs: bool) -> None:
    two_win = given("two-win", mixed_runs=mixed_runs)
    rows = []
    categories: Counter[str] = Counter()
    for hand in hands(1, int(TRIALS * test_size), 5):
        key, value = by_hand.poker(hand, mixed_runs), two_win.rank("poker", names(hand))
        assert value.category == by_hand.CATEGORIES[-key[1]], names(hand)  # type: ignore[operator]
        categories[value.category] += 1
        rows.append((key, value, names(hand)))
    assert_same_order(rows)
    assert min(categories[category] for category in by_hand.CATEGORIES) > 0


@pytest.mark.parametrize("mixed_runs", [False, True])
def test_best_poker_hand_of_two_and_three(test_size: float, mixed_runs: bool) -> None:
    """W6: two of four, three of five."""
    two_win = given("two-win", mixed_runs=mixed_runs)
    rows = []
    for cards in hands(2, int(TRIALS * test_size / 5), 9):
        key = by_hand.best_poker(cards[:4], cards[4:], mixed_runs)
        value = two_win.rank("poker", (names(cards[:4]), 2), (names(cards[4:]), 3))
        rows.append((key, value, names(cards)))
    assert_same_order(rows)


@pytest.mark.parametrize("major_values", ["whole", "whole_or_digit"])
def test_twenty_one(test_size: float, major_values: str) -> None:
    two_win = given("two-win", major_values=major_values)
    rows, busts = [], []
    for cards in hands(3, int(TRIALS * test_size), 5):
        own, external = cards[:2], cards[2:]
        key = by_hand.twenty_one(own, external, major_values == "whole_or_digit")
        value = two_win.rank("twenty_one", names(own), names(external))
        assert value.category == ["Bust", "Total", "Natural"][key[0]]  # type: ignore[call-overload]
        # which of two busts is better is nothing to the rulings
        (busts if value.category == "Bust" else rows).append((key, value, names(cards)))
    assert_same_order(rows)
    assert max(value for _, value, _ in busts) < min(value for _, value, _ in rows)
