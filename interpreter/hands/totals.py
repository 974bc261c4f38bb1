"""Totals: counts in which a card may have several values."""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.dsl.limits import MOST_SUMS
from trionfi.dsl.tree import TotalSpec
from trionfi.effects import Look
from trionfi.interpreter.errors import fail
from trionfi.interpreter.hands.cards import Host, Table
from trionfi.interpreter.hands.readings import Looks
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.hands.values import Total

BEYOND = 1 << 63


class TotalEvaluator:
    """The highest total not above the limit, else the least."""

    def __init__(self, spec: TotalSpec, host: Host) -> None:
        self.spec = spec
        self.arms = [(host.compile(test), [host.compile(value) for value in values]) for test, values in spec.arms]
        self.otherwise = [host.compile(value) for value in spec.otherwise]
        self.limit = None if spec.limit is None else host.compile(spec.limit)
        self.looks = Looks(host, None, None)
        self._spare = [None] * max(0, len(spec.locals) - 1)
        self._bound = "table" in reads([spec.arms, spec.otherwise])
        self._known: dict[Look, tuple[int, ...]] = {}

    def total(self, table: Table, cards: Sequence[int]) -> Total:
        """The total of the cards; of none: 0. Without a limit nothing is too much."""
        values = [self.values(table, card) for card in cards]
        least = sum([min(of_one) for of_one in values])
        sums = {0}
        for of_one in values:
            sums = {so_far + value for so_far in sums for value in of_one}
            self._check(sums)
        limit = None if self.limit is None else self.limit(table, [None, *self._spare])
        within = [found for found in sums if limit is None or found <= limit]
        best = max(within, default=least)
        return Total(best, best > least, not within)

    def _check(self, sums: set[int]) -> None:
        if len(sums) > MOST_SUMS:
            fail("too-many-sums", f"there are more than {MOST_SUMS} different sums of these cards", self.spec.span)
        if sums and not -BEYOND <= min(sums) <= max(sums) < BEYOND:
            what = "a sum of these cards is too large: a number has up to eighteen digits"
            fail("number-too-large", what, self.spec.span)

    def values(self, table: Table, card: int) -> tuple[int, ...]:
        """What the card may count; one of several suits or ranks: all that it may under any of them."""
        if self._bound:
            return self._read(table, card)
        look = table.look(card)
        if look not in self._known:
            self._known[look] = self._read(table, card)
        return self._known[look]

    def _read(self, table: Table, card: int) -> tuple[int, ...]:
        own = table.look(card)
        found: set[int] = set()
        try:
            for look in self.looks.of(table, card, []):
                table.read_as(card, look)
                found.update(self._read_one(table, card))
        finally:
            table.read_as(card, own)
        return tuple(sorted(found))

    def _read_one(self, table: Table, card: int) -> list[int]:
        for test, values in self.arms:
            if test(table, [card, *self._spare]):
                return [value(table, [card, *self._spare]) for value in values]
        return [value(table, [card, *self._spare]) for value in self.otherwise]
