"""Compiled evaluators against the reference and against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from made_rankings import Deck, Host

from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.hands import HandTable, HandValue, PatternEvaluator
from trionfi.interpreter.native.hands import CardTable, Evaluator, RankMany, printed_table

Row = Sequence[int]


class Compared:
    """One ranking over one deck, compiled and by the reference."""

    def __init__(self, ranking: PatternRanking, deck: Deck, distinct: bool = True) -> None:
        host = Host(deck)
        self.table = printed_table(host, distinct)
        self.evaluator = Evaluator(ranking, self.table)
        self.reference = PatternEvaluator(ranking, host)
        self.rank_many = RankMany(self.evaluator)

    def take(self, table: CardTable) -> None:
        """From now on over these cards."""
        self.table = table
        self.evaluator = Evaluator(self.evaluator.ranking, table)
        self.rank_many = RankMany(self.evaluator)

    def check(self, *parts: tuple[Sequence[Row], int | None]) -> list[int]:
        """The compiled strengths of the rows; fails unless categories, order and ties are those of the reference."""
        strengths = [int(one) for one in self.rank_many([_given(part) for part in parts])]
        values = [self._reference(cards) for cards in zip(*(_dealt(part) for part in parts), strict=True)]
        for row, (strength, value) in enumerate(zip(strengths, values, strict=True)):
            wanted = None if value is None else value.number
            assert self.evaluator.category(strength) == wanted, (row, [rows[row] for rows, _ in parts])
        _assert_same_order(strengths, values)
        return strengths

    def _reference(self, cards: Sequence[tuple[Row, int | None]]) -> HandValue | None:
        looks = [self.table.looks[code] for row, _ in cards for code in row]
        places = iter(range(len(looks)))
        return self.reference.best_hand(
            HandTable(looks), [([next(places) for _ in row], exactly) for row, exactly in cards]
        )

    def without_direct(self) -> RankMany:
        """The same ranking by trying all choices."""
        evaluator = Evaluator(self.evaluator.ranking, self.table)
        evaluator.direct = None
        return RankMany(evaluator)


def _given(part: tuple[Sequence[Row], int | None]) -> Any:
    rows, exactly = part
    return rows if exactly is None else (rows, exactly)


def _dealt(part: tuple[Sequence[Row], int | None]) -> list[tuple[Row, int | None]]:
    rows, exactly = part
    return [(row, exactly) for row in rows]


def _assert_same_order(strengths: Sequence[int], values: Sequence[HandValue | None]) -> None:
    there = [place for place, value in enumerate(values) if value is not None]
    there.sort(key=lambda place: strengths[place])
    for lower, higher in pairwise(there):
        one, other = values[lower], values[higher]
        assert one is not None
        assert other is not None
        tie = strengths[lower] == strengths[higher]
        assert (one == other) if tie else (one < other), (strengths[lower], one, strengths[higher], other)


def deals(random: Random, amount: int, cards: Sequence[int], *sizes: int, turned: int = 0) -> list[list[list[int]]]:
    """Rows for each size, dealt from `cards`; with `turned` faces each card lies reversed half the time."""
    parts: list[list[list[int]]] = [[] for _ in sizes]
    for _ in range(amount):
        dealt = [card + turned * random.randrange(2) if turned else card for card in random.sample(cards, sum(sizes))]
        for rows, size in zip(parts, sizes, strict=True):
            rows.append(dealt[:size])
            dealt = dealt[size:]
    return parts
