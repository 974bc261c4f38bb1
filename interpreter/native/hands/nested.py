"""Questions about one card of a hand within questions about another, such as `no card c in hand where (any card d in
hand where d is not c and d.rank is c.rank)`.

They are asked card by card; what is read off one card, or off two, lies in tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trionfi.dsl import tree
from trionfi.interpreter.hands.cards import Closure, HandTable
from trionfi.interpreter.hands.orders import Ordering
from trionfi.interpreter.hands.reads import free_locals, reads
from trionfi.interpreter.native.hands.handvalues import HandNumber, Unsuited, ValueReader, quantified
from trionfi.interpreter.native.hands.plan import Readings

MOST_PAIRS = 1 << 16  # entries of a table of two cards


class NestedReader(ValueReader):
    """Turns expressions over `hand` into numbers, those within queries over the cards that the queries go over."""

    def __init__(self, reader: Readings, hand: tree.Local, high: int) -> None:
        super().__init__(reader, hand, high)
        self.readings = reader
        self.bound: list[tree.Local] = []  # what the queries around go over, the outermost first

    def of(self, expr: tree.Expr) -> HandNumber:
        named = free_locals(expr)
        if named and named <= set(self.bound):
            return self._of_cards(expr, [local for local in self.bound if local in named])
        if isinstance(expr, tree.Count) and self._is_nested(expr.domain, None):
            return self._hits(expr.domain, None, True)
        if isinstance(expr, tree.Quantified) and self._is_nested(expr.domain, expr.condition):
            return self._quantified(expr)
        return super().of(expr)

    def _quantified(self, expr: tree.Quantified) -> HandNumber:
        return quantified(expr.quantifier, lambda wanted: self._hits(expr.domain, expr.condition, wanted))

    def _is_nested(self, domain: tree.Domain, condition: tree.Expr | None) -> bool:
        own = [expr for expr in (domain.where, condition) if expr is not None]
        return bool(free_locals(own) - {domain.local})

    def _hits(self, domain: tree.Domain, condition: tree.Expr | None, wanted: bool) -> HandNumber:
        """How many of the domain's cards there are of which the condition is as wanted."""
        self.check_domain(domain)
        self.bound.append(domain.local)
        where = None if domain.where is None else self.of(domain.where)
        asked = None if condition is None else self.of(condition)
        self.bound.pop()

        def emit(sight: Any) -> Any:
            def holds(inner: Any) -> Any:
                there = inner.lanes.constant(1) if where is None else where.emit(inner)
                if asked is None:
                    return there
                truth = asked.emit(inner)
                return (truth.is_set() if wanted else truth.is_zero()).choose(there, inner.lanes.zero)

            return sight.sum_over(domain.local, holds)

        return HandNumber(emit, 0, self.high)

    def _of_cards(self, expr: tree.Expr, locals_: Sequence[tree.Local]) -> HandNumber:
        if "table" in reads([expr]):
            raise Unsuited("a value depends on where cards lie")
        if len(locals_) > 2:
            raise Unsuited("a question about three cards at once")
        ordering = Ordering(self.reader.host, expr)
        alone = [int(value) for row in self._alone(ordering.read, locals_) for value in row]
        if len(locals_) == 1:
            return HandNumber(lambda sight: sight.of_place(alone, locals_[0]), min(alone), max(alone))  # type: ignore[attr-defined]
        pairs = [int(value) for value in read_pairs(self.readings, ordering.read, locals_)]
        every = [*alone, *pairs]

        def emit(sight: Any) -> Any:
            return sight.of_places(alone, pairs, locals_)

        return HandNumber(emit, min(every), max(every))

    def _alone(self, read: Closure, locals_: Sequence[tree.Local]) -> list[list[Any]]:
        """For each reading of each code: what is read if all the locals are this card."""

        def read_one(table: Any, values: list[Any]) -> Any:
            for local in locals_[1:]:
                values[local.index] = values[locals_[0].index]
            return read(table, values)

        return self.readings.rows(read_one, locals_[0])


def read_pairs(readings: Readings, read: Callable[[Any, list[Any]], Any], locals_: Sequence[tree.Local]) -> list[Any]:
    """What is read of each two readings, of different cards: row by row, the first local's reading before the second's.

    The cards lie on a table of two packs, so that two cards of one code are two."""
    own = [(code, reading.look) for code, row in enumerate(readings.of_code) for reading in row]
    if len(own) ** 2 > MOST_PAIRS:
        raise Unsuited("a question about two cards at once, of too many cards")
    looks = readings.hand.looks
    table = HandTable([*looks, *looks])
    values: list[Any] = [None] * readings.frame
    first, second = (local.index for local in locals_)
    found = []
    for code, look in own:
        table.read_as(code, look)
        for other, seen in own:
            table.read_as(len(looks) + other, seen)
            values[first], values[second] = code, len(looks) + other
            found.append(read(table, values))
        table.read_as(code, looks[code])
    return found
