"""Values of a hand (`any card in hand where card.major`): sums, highest and lowest over its cards, and what is made of
those."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from trionfi.dsl import tree
from trionfi.dsl.types import NUMBER
from trionfi.interpreter.hands.cards import Closure, Host
from trionfi.interpreter.hands.orders import Ordering
from trionfi.interpreter.hands.reads import free_locals, reads
from trionfi.interpreter.native.hands.words import Lanes, Truth, Word, all_of


class Unsuited(Exception):  # no error: another way of evaluating serves
    """Why a fast way of evaluating does not serve."""


@dataclass(frozen=True)
class Tally:
    """What the cards of a hand come to: `sum`, `highest` or `lowest` of a value read off each, which lies between
    `least` and `most`."""

    operator: str
    values: tuple[tuple[int, ...], ...]  # by code, by reading
    least: int
    most: int

    @property
    def nothing(self) -> int:
        """What no card at all comes to."""
        return 0 if self.operator == "sum" else (self.least if self.operator == "highest" else self.most)


class Sight(Protocol):
    """A hand being evaluated, as far as its values go."""

    @property
    def lanes(self) -> Lanes: ...

    @property
    def size(self) -> Word: ...

    def tally(self, tally: Tally) -> Word: ...


Emit = Callable[[Sight], Word]


@dataclass(frozen=True)
class HandNumber:
    """A number of a hand, between `least` and `most`; a truth is 0 or 1."""

    emit: Emit
    least: int
    most: int

    @property
    def width(self) -> int:
        """Bits that hold it."""
        return (self.most - self.least).bit_length()


class Reader(Protocol):
    """Reads values off every reading of every code."""

    @property
    def host(self) -> Host: ...

    def rows(self, read: Closure, local: tree.Local) -> list[list[Any]]: ...


class ValueReader:
    """Turns expressions over the local `hand` into `HandNumber`s. Raises Unsuited for what it does not know."""

    def __init__(self, reader: Reader, hand: tree.Local, high: int) -> None:
        self.reader = reader
        self.hands = [hand]
        self.high = high
        self.tallies: list[Tally] = []

    def of(self, expr: tree.Expr) -> HandNumber:
        rule = _RULES.get(type(expr))
        if rule is None:
            raise Unsuited(f"no fast way for {type(expr).__name__} in an order")
        return rule(self, expr)

    # ---- leaves

    def constant(self, expr: tree.Expr) -> HandNumber:
        number = _number(self.reader.host.compile(expr)(None, []))
        return HandNumber(lambda sight: sight.lanes.constant(number), number, number)

    def count(self, expr: tree.Count) -> HandNumber:
        return self._tally("sum", [[int(there) for there, _ in row] for row in self._read(expr.domain, None)])

    def attribute(self, expr: tree.Attribute) -> HandNumber:
        if expr.name != "count" or not self.is_hand(expr.operand):
            raise Unsuited(f"no fast way for .{expr.name} of a hand")
        return HandNumber(lambda sight: sight.size, 0, self.high)

    def fold(self, expr: tree.Fold) -> HandNumber:
        rows = self._read(expr.domain, expr.value)
        if expr.operator != "sum" and not all(there for row in rows for there, _ in row):
            raise Unsuited("highest or lowest of some cards of a hand")
        return self._tally(expr.operator, [[_number(value) if there else 0 for there, value in row] for row in rows])

    def quantified(self, expr: tree.Quantified) -> HandNumber:
        wanted = expr.quantifier != "every"
        rows = self._read(expr.domain, expr.condition)
        hits = self._tally("sum", [[int(there and bool(value) is wanted) for there, value in row] for row in rows])
        if expr.quantifier == "any":
            return truth_of(lambda sight: hits.emit(sight).above(0))
        return truth_of(lambda sight: hits.emit(sight).equals(0))

    def _tally(self, operator: str, rows: Sequence[Sequence[int]]) -> HandNumber:
        flat = [value for row in rows for value in row] or [0]
        tally = Tally(operator, tuple(tuple(row) for row in rows), min(flat), max(flat))
        if tally not in self.tallies:
            self.tallies.append(tally)
        if operator != "sum":
            return HandNumber(lambda sight: sight.tally(tally), tally.least, tally.most)
        least, most = min(0, tally.least) * self.high, max(0, tally.most) * self.high
        return HandNumber(lambda sight: sight.tally(tally), least, most)

    def _read(self, domain: tree.Domain, value: tree.Expr | None) -> list[list[tuple[bool, Any]]]:
        """For each reading of each code: is it in the domain, and its value (none if none is asked for)."""
        self.check_domain(domain)
        return read_domain(self.reader, domain, value)

    def check_domain(self, domain: tree.Domain) -> None:
        if domain.noun != "card" or domain.source is None or not self.is_hand(domain.source):
            raise Unsuited("a query that does not go over the hand")

    def is_hand(self, expr: tree.Expr) -> bool:
        if isinstance(expr, tree.CardsOf):
            return self.is_hand(expr.source)
        return isinstance(expr, tree.LocalValue) and expr.local in self.hands

    # ---- made of others

    def arithmetic(self, expr: tree.Arithmetic) -> HandNumber:
        if expr.operator not in _ARITHMETIC or expr.type != NUMBER:
            raise Unsuited(f"no fast way for {expr.operator} in an order")
        emit = _ARITHMETIC[expr.operator]
        left, right = self.of(expr.left), self.of(expr.right)
        ends = [_FOLDED[expr.operator](a, b) for a in (left.least, left.most) for b in (right.least, right.most)]
        return HandNumber(lambda sight: emit(left.emit(sight), right.emit(sight)), min(ends), max(ends))

    def negative(self, expr: tree.Negative) -> HandNumber:
        number = self.of(expr.operand)
        return HandNumber(lambda sight: sight.lanes.zero - number.emit(sight), -number.most, -number.least)

    def ordered(self, expr: tree.Ordered) -> HandNumber:
        if expr.left.type != NUMBER:
            raise Unsuited("a comparison of what are no numbers")
        left, right, compare = self.of(expr.left), self.of(expr.right), _COMPARE[expr.operator]
        return truth_of(lambda sight: compare(left.emit(sight), right.emit(sight)))

    def same(self, expr: tree.Same) -> HandNumber:
        if expr.left.type != NUMBER or expr.right.type != NUMBER:
            raise Unsuited("a comparison of what are no numbers")
        left, right = self.of(expr.left), self.of(expr.right)
        return truth_of(lambda sight: left.emit(sight).equals(right.emit(sight)))

    def within(self, expr: tree.Within) -> HandNumber:
        operand, low, high = self.of(expr.operand), self.of(expr.low), self.of(expr.high)

        def emit(sight: Sight) -> Truth:
            number = operand.emit(sight)
            return number.at_least(low.emit(sight)) & number.at_most(high.emit(sight))

        return truth_of(emit)

    def invert(self, expr: tree.Not) -> HandNumber:
        operand = self.of(expr.operand)
        return truth_of(lambda sight: operand.emit(sight).equals(0))

    def both(self, expr: tree.And) -> HandNumber:
        operands = [self.of(operand) for operand in expr.operands]
        return truth_of(lambda sight: all_of(sight.lanes, [o.emit(sight).is_set() for o in operands]))

    def either(self, expr: tree.Or) -> HandNumber:
        operands = [self.of(operand) for operand in expr.operands]
        return truth_of(lambda sight: ~all_of(sight.lanes, [o.emit(sight).is_zero() for o in operands]))

    def conditional(self, expr: tree.Conditional) -> HandNumber:
        arms = [(self.of(condition), self.of(value)) for condition, value in expr.arms]
        otherwise = self.of(expr.otherwise)
        values = [otherwise, *(value for _, value in arms)]

        def emit(sight: Sight) -> Word:
            result = otherwise.emit(sight)
            for condition, value in reversed(arms):
                result = condition.emit(sight).is_set().choose(value.emit(sight), result)
            return result

        return HandNumber(emit, min(v.least for v in values), max(v.most for v in values))

    def call(self, expr: tree.CallDefine) -> HandNumber:
        """A define over the hand, written out in its place."""
        if not all(self.is_hand(argument) for argument in expr.arguments):
            raise Unsuited("a call with more than the hand")
        self.hands.extend(expr.define.parameters)
        return self.of(expr.define.body)


def read_domain(reader: Reader, domain: tree.Domain, value: tree.Expr | None) -> list[list[tuple[bool, Any]]]:
    """For each reading of each code: does `where` hold, and the value if it does."""
    where = None if domain.where is None else reader.host.compile(domain.where)
    ordering = None if value is None else Ordering(reader.host, value)

    def read(table: Any, values: list[Any]) -> tuple[bool, Any]:
        there = where is None or bool(where(table, list(values)))
        return there, ordering.read(table, values) if ordering and there else None

    own = [expr for expr in (domain.where, value) if expr is not None]
    if "table" in reads(own):
        raise Unsuited("a value depends on where cards lie")
    if free_locals(own) - {domain.local}:
        raise Unsuited("a question about a card within a question about another")
    return reader.rows(read, domain.local)


def truth_of(emit: Callable[[Sight], Truth]) -> HandNumber:
    return HandNumber(lambda sight: emit(sight).number(), 0, 1)


def _number(value: Any) -> int:
    if not isinstance(value, int):
        raise Unsuited("a value that is no whole number")
    return int(value)


_ARITHMETIC: dict[str, Callable[[Word, Word], Word]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
_FOLDED: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
_COMPARE: dict[str, Callable[[Word, Word], Truth]] = {
    "<": Word.below,
    "<=": Word.at_most,
    ">": Word.above,
    ">=": Word.at_least,
}
_RULES: dict[type, Callable[[ValueReader, Any], HandNumber]] = {
    tree.Const: ValueReader.constant,
    tree.OptionValue: ValueReader.constant,
    tree.Count: ValueReader.count,
    tree.Attribute: ValueReader.attribute,
    tree.Fold: ValueReader.fold,
    tree.Quantified: ValueReader.quantified,
    tree.Arithmetic: ValueReader.arithmetic,
    tree.Negative: ValueReader.negative,
    tree.Ordered: ValueReader.ordered,
    tree.Same: ValueReader.same,
    tree.Within: ValueReader.within,
    tree.Not: ValueReader.invert,
    tree.And: ValueReader.both,
    tree.Or: ValueReader.either,
    tree.Conditional: ValueReader.conditional,
    tree.CallDefine: ValueReader.call,
}
