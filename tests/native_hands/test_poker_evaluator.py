"""The standard ranking and its variants, compiled."""

from __future__ import annotations

from itertools import combinations, islice
from random import Random
from typing import Any

import numpy
import pytest
from compared import Compared, deals
from made_rankings import POKER, RANKS, STANDARD, SUITS, Deck, pattern_ranking

from trionfi.interpreter.native.hands import RankMany

# Hands of five, and best hands of seven, by category (Straight Flush first).
OF_FIVE = [40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]
OF_SEVEN = [41584, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460]


def categories(compared: Compared, strengths: Any) -> list[int]:
    layout = compared.evaluator.strength
    numbers = layout.categories - 1 - (strengths >> layout.category_shift)
    return [int(count) for count in numpy.bincount(numbers, minlength=layout.categories)]


def all_hands(size: int, block: int = 2_000_000) -> Any:
    """All hands of the standard deck, some millions at a time."""
    hands = combinations(range(52), size)
    while len(data := b"".join(map(bytes, islice(hands, block)))):
        yield numpy.frombuffer(data, dtype=numpy.uint8).reshape(-1, size)


def exchanged(one: str, other: str) -> dict[str, str]:
    """The standard categories, two of them exchanged."""
    swap = {one: other, other: one}
    return {swap.get(name, name): POKER[swap.get(name, name)] for name in POKER}


def test_all_hands_of_five() -> None:
    compared = Compared(pattern_ranking(POKER), STANDARD)
    strengths = numpy.concatenate([compared.rank_many([block]) for block in all_hands(5)])
    assert categories(compared, strengths) == OF_FIVE
    assert len(numpy.unique(strengths)) == 7462


def test_all_hands_of_seven(test_size: float) -> None:
    compared = Compared(pattern_ranking(POKER), STANDARD)
    if test_size < 100:
        pytest.skip("133 million hands: TRIONFI_TEST_SIZE=100")
    counts = [categories(compared, compared.rank_many([block])) for block in all_hands(7)]
    assert [sum(column) for column in zip(*counts, strict=True)] == OF_SEVEN


VARIANTS = {
    "standard": (POKER, STANDARD),
    "flush above full house": (exchanged("Flush", "Full House"), STANDARD),
    "three above four of a kind": (exchanged("Three of a Kind", "Four of a Kind"), STANDARD),
    "one pair above two": (exchanged("Two Pair", "One Pair"), STANDARD),
    "high card above one pair": (exchanged("One Pair", "High Card"), STANDARD),
    "no pairs": ({name: text for name, text in POKER.items() if name not in ("One Pair", "Two Pair")}, STANDARD),
    "five suits": (POKER, Deck(RANKS, [*SUITS, "stars"])),
    "fifteen ranks": (POKER, Deck(["0", "1", *RANKS], SUITS)),
    "from seven up": (POKER, Deck(RANKS[5:], SUITS)),
    "two suits": (POKER, Deck(RANKS, SUITS[:2])),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [5, 7])
def test_variants(variant: str, size: int, test_size: float) -> None:
    kinds, deck = VARIANTS[variant]
    compared = Compared(pattern_ranking(kinds), deck)
    assert compared.evaluator.way == "direct"
    random, cards = Random(size), range(len(deck.cards))
    amount = int((50 if size == 5 else 8) * test_size)
    few = random.sample(cards, 14)
    one_suit = [card for card in cards if card % len(deck.ranks) % 2 or card < len(deck.ranks)]
    rows = [row for of in (cards, few, one_suit) for row in deals(random, amount, of, size)[0]]
    compared.check((rows, None))


@pytest.mark.parametrize(
    ("variant", "size"),
    [
        *((variant, 8) for variant in VARIANTS),
        *((variant, size) for variant in ("standard", "three above four of a kind", "five suits") for size in (6, 11)),
    ],
)
def test_at_once_is_the_best_of_all_choices(variant: str, size: int, test_size: float) -> None:
    kinds, deck = VARIANTS[variant]
    compared = Compared(pattern_ranking(kinds), deck)
    random = Random(size)
    some = random.sample(range(len(deck.cards)), 18)
    amount = int((1000 if size < 11 else 60) * test_size)
    rows = [row for of in (range(len(deck.cards)), some) for row in deals(random, amount, of, size)[0]]
    assert list(compared.rank_many([rows])) == list(compared.without_direct()([rows]))


@pytest.mark.parametrize("ace", [(True, True), (True, False), (False, True), (False, False)])
def test_where_the_ace_stands(ace: tuple[bool, bool]) -> None:
    compared = Compared(pattern_ranking(POKER, ace=ace), STANDARD)
    ranks = [[12, 0, 1, 2, 3], [8, 9, 10, 11, 12], [11, 12, 0, 1, 2], [0, 1, 2, 3, 4]]
    rows = [[rank + 13 * (suit and place % 2) for place, rank in enumerate(hand)] for hand in ranks for suit in (0, 1)]
    compared.check((rows, None))


@pytest.mark.parametrize("deck", [STANDARD, Deck(["ace", *RANKS[:-1]], SUITS)])
def test_run_with_the_last_rank_given(deck: Deck) -> None:
    """Big Two's order: 3 .. king ace 2, and runs that end in either."""
    ranking = pattern_ranking(POKER, last=(12, 0))
    compared = Compared(ranking, deck)
    random = Random(1)
    rows = [
        [(first + step) % 13 + 13 * random.randrange(4) for step in range(5)] for first in range(13) for _ in range(9)
    ]
    compared.check((rows, None))


def test_parts_are_one_hand_together() -> None:
    compared = Compared(pattern_ranking(POKER), STANDARD)
    own, board = deals(Random(1), 50, range(52), 2, 5)
    together = compared.rank_many([[a + b for a, b in zip(own, board, strict=True)]])
    assert list(compared.rank_many([own, board])) == list(together)
    compared.check((own[:10], 2), (board[:10], 3))


def test_rows_as_they_come() -> None:
    """uint8 and uint16 in place; other arrays, arrays with gaps and lists by a copy."""
    compared = Compared(pattern_ranking(POKER), STANDARD)
    (rows,) = deals(Random(2), 37, range(52), 7)
    wanted = list(compared.rank_many([rows]))
    for kind in (numpy.uint8, numpy.uint16, numpy.int64, ">u2", numpy.int8):
        array = numpy.array(rows, dtype=kind)
        strengths = compared.rank_many([array])
        assert strengths.dtype == numpy.int64
        assert list(strengths) == wanted
        assert list(compared.rank_many([numpy.asfortranarray(array)])) == wanted
        wide = numpy.concatenate([array, array], axis=1)
        assert list(compared.rank_many([wide[:, 2:9]])) == list(compared.rank_many([wide[:, 2:9].tolist()]))
    with pytest.raises(ValueError, match=r"^-1 is not the number of a card$"):
        compared.rank_many([numpy.array([[0, 1, 2, 3, -1]])])
    for amount in range(10):
        assert list(compared.rank_many([rows[:amount]])) == wanted[:amount]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0, 1, 2, 3, 52], "row 9 holds 52, which is no card of the game"),
        ([0, 1, 2, 3, 300], "row 9 holds 300, which is no card of the game"),
        ([0, 1, 2, 3, 3], r"row 9 holds .* 2 times, the game has it once"),
        ([0, 1, 2, 3, -1], "-1 is not the number of a card"),
        ([0, 1, 2, 3], "all rows of a part must have as many cards"),
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_rows_that_are_no_hands(row: list[int], message: str, at_once: bool) -> None:
    compared = Compared(pattern_ranking(POKER), STANDARD)
    rank_many = compared.rank_many if at_once else compared.without_direct()
    with pytest.raises(ValueError, match=f"^{message}$"):
        rank_many([[[4, 5, 6, 7, 8]] * 9 + [row]])


def test_too_few_cards_are_no_hand() -> None:
    compared = Compared(pattern_ranking(POKER), STANDARD)
    assert list(compared.rank_many([[[1, 2, 3, 4]]])) == [-1]
    assert compared.evaluator.category(-1) is None


def test_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    compared = Compared(pattern_ranking(POKER), STANDARD)
    wanted = list(compared.rank_many([[[1, 2, 3, 4, 5]]]))
    monkeypatch.setitem(sys.modules, "numpy", None)
    strengths = RankMany(compared.evaluator)([[[1, 2, 3, 4, 5]]])
    assert strengths.typecode == "q"
    assert list(strengths) == wanted
