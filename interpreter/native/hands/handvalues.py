"""Values of a hand (`any card in hand where card.major`): sums, highest and lowest over its cards, and what is made of
those."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import add, mul, sub
from typing import Any, Literal, Protocol, assert_never, get_args

from trionfi.dsl import tree
from trionfi.dsl.tree.words import Comparison, Operator, Quantifier
from trionfi.dsl.types import NUMBER
from trionfi.interpreter.hands.cards import Closure, Host
from trionfi.interpreter.hands.orders import Ordering
from trionfi.interpreter.hands.reads import free_locals, reads
from trionfi.interpreter.native.hands.words import Lanes, Truth, Word, all_of

# What is gathered card by card.
Tallying = Literal["sum", "highest", "lowest"]
TALLYINGS: dict[str, Tallying] = {word: word for word in get_args(Tallying)}


class Unsuited(Exception):  # no error: another way of evaluating serves
    """Why a fast way of evaluating does not serve."""


@dataclass(frozen=True)
class HandTally:
    """What the cards of a hand come to: `sum`, `highest` or `lowest` of a value read off each, which lies between
    `least` and `most`."""

    operator: Tallying
    values: tuple[tuple[int, ...], ...]  # by code, by reading
    least: int
    most: int

    @property
    def nothing(self) -> int:
        """What no card at all comes to."""
        match self.operator:
            case "sum":
                return 0
            case "highest":
                return self.least
            case "lowest":
                return self.most
            case _:
                assert_never(self.operator)


class SeenHand(Protocol):
    """A hand being evaluated, as far as its values go."""

    @property
    def lanes(self) -> Lanes: ...

    @property
    def size(self) -> Word: ...

    def tally(self, tally: HandTally) -> Word: ...


Emit = Callable[[SeenHand], Word]


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
        self.tallies: list[HandTally] = []

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
        operator = TALLYINGS.get(expr.operator)
        if operator is None or not can_tally(operator, rows):
            raise Unsuited(f"no fast way for the {expr.operator} of some cards of a hand")
        return self._tally(operator, [[_number(value) if there else 0 for there, value in row] for row in rows])

    def quantified(self, expr: tree.Quantified) -> HandNumber:
        rows = self._read(expr.domain, expr.condition)

        def hits(wanted: bool) -> HandNumber:
            return self._tally("sum", [[int(there and bool(value) is wanted) for there, value in row] for row in rows])

        return quantified(expr.quantifier, hits)

    def _tally(self, operator: Tallying, rows: Sequence[Sequence[int]]) -> HandNumber:
        flat = [value for row in rows for value in row] or [0]
        tally = HandTally(operator, tuple(tuple(row) for row in rows), min(flat), max(flat))
        if tally not in self.tallies:
            self.tallies.append(tally)
        least, most = ends_of(tally, self.high)
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
        if expr.type != NUMBER:
            raise Unsuited(f"no fast way for {expr.operator} of fractions in an order")
        emit = operation(expr.operator)
        left, right = self.of(expr.left), self.of(expr.right)
        ends = [emit(a, b) for a in (left.least, left.most) for b in (right.least, right.most)]
        return HandNumber(lambda sight: emit(left.emit(sight), right.emit(sight)), min(ends), max(ends))

    def negative(self, expr: tree.Negative) -> HandNumber:
        number = self.of(expr.operand)
        return HandNumber(lambda sight: sight.lanes.zero - number.emit(sight), -number.most, -number.least)

    def ordered(self, expr: tree.Ordered) -> HandNumber:
        if expr.left.type != NUMBER:
            raise Unsuited("a comparison of what are no numbers")
        left, right, compare = self.of(expr.left), self.of(expr.right), comparison(expr.operator)
        return truth_of(lambda sight: compare(left.emit(sight), right.emit(sight)))

    def same(self, expr: tree.Same) -> HandNumber:
        if expr.left.type != NUMBER or expr.right.type != NUMBER:
            raise Unsuited("a comparison of what are no numbers")
        left, right = self.of(expr.left), self.of(expr.right)
        return truth_of(lambda sight: left.emit(sight).equals(right.emit(sight)))

    def within(self, expr: tree.Within) -> HandNumber:
        operand, low, high = self.of(expr.operand), self.of(expr.low), self.of(expr.high)

        def emit(sight: SeenHand) -> Truth:
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

        def emit(sight: SeenHand) -> Word:
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


def truth_of(emit: Callable[[SeenHand], Truth]) -> HandNumber:
    return HandNumber(lambda sight: emit(sight).number(), 0, 1)


def _number(value: Any) -> int:
    if not isinstance(value, int):
        raise Unsuited("a value that is no whole number")
    return int(value)


def can_tally(operator: Tallying, rows: Sequence[Sequence[tuple[bool, Any]]]) -> bool:
    """Of no cards there is a sum, but nothing highest or lowest."""
    match operator:
        case "sum":
            return True
        case "highest" | "lowest":
            return all(there for row in rows for there, _ in row)
        case _:
            assert_never(operator)


def ends_of(tally: HandTally, cards: int) -> tuple[int, int]:
    """The least and the most that at most so many cards come to."""
    match tally.operator:
        case "sum":
            return min(0, tally.least) * cards, max(0, tally.most) * cards
        case "highest" | "lowest":
            return tally.least, tally.most
        case _:
            assert_never(tally.operator)


def quantified(quantifier: Quantifier, hits: Callable[[bool], HandNumber]) -> HandNumber:
    """A question of all cards; `hits` counts those of which it is true, or those of which it is not."""
    match quantifier:
        case "any":
            there = hits(True)
            return truth_of(lambda sight: there.emit(sight).above(0))
        case "no":
            there = hits(True)
            return truth_of(lambda sight: there.emit(sight).equals(0))
        case "every":
            others = hits(False)
            return truth_of(lambda sight: others.emit(sight).equals(0))
        case _:
            assert_never(quantifier)


def operation(operator: Operator) -> Callable[[Any, Any], Any]:
    """Of words, or of whole numbers."""
    match operator:
        case "+":
            return add
        case "-":
            return sub
        case "*":
            return mul
        case "mod" | "/":
            raise Unsuited(f"no fast way for {operator} in an order")
        case _:
            assert_never(operator)


def comparison(operator: Comparison) -> Callable[[Word, Word], Truth]:
    match operator:
        case "<":
            return Word.below
        case "<=":
            return Word.at_most
        case ">":
            return Word.above
        case ">=":
            return Word.at_least
        case _:
            assert_never(operator)


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
