"""What rankings may ask for beside patterns: qualifiers, low hands, sizes, values; and parts that are not full."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from compared import Compared, deals
from generated import special, strength
from llvmlite import ir
from made_rankings import (
    HAND_LOCAL,
    POKER,
    RANKS,
    SPAN,
    STANDARD,
    SUITS,
    Deck,
    any_card,
    count,
    highest,
    pattern_ranking,
)

from trionfi.dsl import tree
from trionfi.dsl.types import NUMBER, TRUTH
from trionfi.interpreter.native.engine import callable_at, emit, link
from trionfi.interpreter.native.hands import Evaluator, UsablePart
from trionfi.interpreter.native.hands import rows as many_rows

FEW = [card for card in range(52) if card % 13 in (0, 1, 2, 3, 4, 12)]


def at_most(number: int, where: Any) -> tree.Ordered:
    return tree.Ordered(TRUTH, SPAN, "<=", count(HAND_LOCAL, where), tree.Const(NUMBER, SPAN, number))


def test_a_qualifier(test_size: float) -> None:
    """Eight or better: hands without a card above the eight, if such a hand can be made."""
    none_high = at_most(0, lambda card, look: 6 < look.rank < 12)
    compared = Compared(pattern_ranking(POKER, qualifier=none_high), STANDARD)
    for cards in (range(52), FEW):
        (rows,) = deals(Random(1), int(40 * test_size), cards, 7)
        compared.check((rows, None))
    assert -1 in compared.check(([[5, 6, 7, 8, 9, 10, 11]], None))


@pytest.mark.parametrize(
    "categories",
    [
        POKER,
        {"One Pair": "2 alike", "High Card": "anything"},
        {"Three of a Kind": "3 alike", "One Pair": "2 alike", "High Card": "anything"},
        {"Two Pair": "2 alike, 2 alike", "One Pair": "2 alike", "High Card": "anything"},
    ],
    ids=["all", "pairs", "threes", "two pairs"],
)
def test_low_hands(categories: dict[str, str], test_size: float) -> None:
    """The lowest hand is best, and a hand that can be parted in several ways is parted in the lowest."""
    compared = Compared(pattern_ranking(categories, best_low=True), STANDARD)
    for cards in (range(52), FEW, FEW[::2]):
        (fives,) = deals(Random(1), int(80 * test_size), cards, 5)
        compared.check((fives, None))
        (sevens,) = deals(Random(2), int(10 * test_size), cards, 7)
        compared.check((sevens, None))


def test_sizes_of_hands(test_size: float) -> None:
    """That five cards are no triple says nothing of three alike among them."""
    categories = {
        "Triple": "3 cards, 3 alike",
        "Pair": "2 cards, 2 alike",
        "Full House": "3 alike, 2 alike",
        "Three": "4..5 cards, 3 alike",
        "Two": "2 alike",
        "Single": "1..5 cards",
    }
    compared = Compared(pattern_ranking(categories, size=(1, 5), tail=(highest(strength),)), STANDARD)
    for size in range(1, 7):
        (rows,) = deals(Random(size), int(80 * test_size), FEW, size)
        compared.check((rows, None))


def test_values_before_and_behind(test_size: float) -> None:
    """Values below 0, too."""
    deck = Deck(RANKS, SUITS)
    for card in range(0, 52, 7):
        deck.cards[card]["special"] = True
    ranking = pattern_ranking(POKER, head=(highest(strength), any_card(special)), tail=(count(HAND_LOCAL, special),))
    compared = Compared(ranking, deck)
    (rows,) = deals(Random(1), int(300 * test_size), FEW, 5)
    compared.check((rows, None))
    (sevens,) = deals(Random(1), int(20 * test_size), FEW, 7)
    compared.check((sevens, None))


# ---- as an engine calls it


class Called:
    """The function that an evaluator emits for an engine."""

    def __init__(self, evaluator: Evaluator, parts: Sequence[UsablePart]) -> None:
        module = ir.Module("called")
        best = evaluator.emit(module, parts)
        best.linkage = "external"
        kinds = [kind for part in parts for kind in (ctypes.c_void_p, *[ctypes.c_int32] * (1 + part.exactly))]
        address, self.keep = link(emit(str(module), min(many_rows.LEVEL, 1)))
        self.function = callable_at(address(best.name), self.keep, ctypes.c_int64, *kinds)

    def __call__(self, *given: Any) -> int:
        """A row of codes for each part, behind it how many are used where that is asked."""
        arguments: list[Any] = []
        held = []
        for one in given:
            if isinstance(one, int):
                arguments.append(one)
            else:
                held.append((ctypes.c_uint16 * max(1, len(one)))(*one))
                arguments += [ctypes.addressof(held[-1]), len(one)]
        return int(self.function(*arguments))


@pytest.mark.parametrize("way", ["direct", "exact"])
def test_fewer_cards_than_there_may_be(way: str) -> None:
    compared = Compared(pattern_ranking(POKER), STANDARD)
    rank_many = compared.rank_many if way == "direct" else compared.without_direct()
    called = Called(rank_many.evaluator, [UsablePart(3), UsablePart(7)])
    random = Random(1)
    for own, board in [(0, 5), (2, 3), (1, 5), (3, 7), (2, 4), (0, 4), (0, 0)]:
        for _ in range(20):
            row = random.sample(FEW, own + board)
            assert called(row[:own], row[own:]) == int(rank_many([[row]])[0])


def test_numbers_asked_at_each_call() -> None:
    """Exact parts with a part that fills up; more than there are is no hand."""
    compared = Compared(pattern_ranking(POKER, size=(3, 5)), STANDARD)
    called = Called(compared.evaluator, [UsablePart(4, exactly=True), UsablePart(1, exactly=True), UsablePart(2)])
    random = Random(2)
    for first, second in [(0, 0), (0, 1), (2, 1), (3, 0), (4, 1), (5, 0), (2, 2)]:
        own, other, free = (random.sample(range(start, 52, 3), size) for start, size in enumerate((4, 1, 2)))
        found = called(own, first, other, second, free)
        assert found == int(compared.rank_many([([own], first), ([other], second), [free]])[0])
        assert (found < 0) == (first > 4 or second > 1 or first + second + 2 < 3)


def test_the_category_as_an_engine_reads_it() -> None:
    for best_low in (False, True):
        compared = Compared(pattern_ranking(POKER, best_low=best_low), STANDARD)
        (rows,) = deals(Random(3), 100, FEW, 5)
        module = ir.Module("category")
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        made = ir.Function(module, kind, "category")
        builder = ir.IRBuilder(made.append_basic_block())
        builder.ret(compared.evaluator.emit_category(builder, made.args[0]))
        address, keep = link(emit(str(module), min(many_rows.LEVEL, 1)))
        category = callable_at(address("category"), keep, ctypes.c_int64, ctypes.c_int64)
        for one in map(int, compared.rank_many([rows])):
            assert category(one) == compared.evaluator.category(one)
        assert category(-1) == -1
        del keep
