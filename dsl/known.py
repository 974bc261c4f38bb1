"""What an expression gives before play, as far as that can be known: an exact value, a range of numbers, or nothing.

Used where a ruleset is loaded (which cards a deck keeps, whether an amount is a multiple of the chip) and by the
static passes (whether a deal can be made).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, assert_never

from trionfi.dsl.limits import MOST_KNOWN
from trionfi.dsl.tree import (
    AllPlayers,
    And,
    Arithmetic,
    Attribute,
    Builtin,
    CallDefine,
    CardFace,
    CardNamed,
    Conditional,
    Const,
    Define,
    Empty,
    Enumeration,
    Expr,
    Has,
    Local,
    LocalValue,
    Negative,
    Not,
    Option,
    OptionValue,
    Or,
    Ordered,
    RankOf,
    Rounded,
    Same,
    ToFraction,
    Variable,
    VariableValue,
    Within,
)
from trionfi.dsl.tree.words import Operator
from trionfi.dsl.types import CARD


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("what is not known is neither true nor false")


UNKNOWN: Final = _Unknown()


@dataclass(frozen=True, slots=True)
class Range:
    """A number that lies between two others, ends included; None: without end."""

    low: int | None
    high: int | None


Number = int | Range


def exact(low: int | None, high: int | None) -> Number:
    """A range, or the number that it leaves."""
    return low if low is not None and low == high else Range(low, high)


def ends(value: Any) -> tuple[Any, Any]:
    """The least and the greatest that a value may be."""
    if isinstance(value, Range):
        return value.low, value.high
    return (value, value) if isinstance(value, int | Fraction) else (None, None)


def either(one: Any, other: Any) -> Any:
    """What is known if one of two values is there."""
    if one is not UNKNOWN and other is not UNKNOWN and one == other and type(one) is type(other):
        return one
    if _is_number(one) and _is_number(other):
        (a, b), (c, d) = ends(one), ends(other)
        return Range(None if a is None or c is None else min(a, c), None if b is None or d is None else max(b, d))
    return UNKNOWN


def _is_number(value: Any) -> bool:
    return isinstance(value, Range) or (isinstance(value, int) and not isinstance(value, bool))


def _is_amount(value: Any) -> bool:
    return _is_number(value) or isinstance(value, Fraction)


@dataclass(slots=True, eq=False)
class StepBudget:
    """How much may still be worked out before play; what takes more is not known."""

    left: int = MOST_KNOWN

    def spend(self, steps: int) -> None:
        self.left -= steps


@dataclass(slots=True, eq=False)
class Known:
    """Evaluates expressions. What is not in its tables is not known.

    `members` of the ranks serve numbers that stand for ranks. `counts` says how many cards lie in what an
    expression names (of cards, a zone or zones), if anybody knows.
    """

    faces: list[CardFace] = field(default_factory=list)
    options: dict[Option, Any] = field(default_factory=dict)
    players: int | None = None
    ranks: Enumeration | None = None
    locals: dict[Local, Any] = field(default_factory=dict)
    variables: dict[Variable, Any] = field(default_factory=dict)
    counts: Callable[[Expr], Number] | None = None
    steps: StepBudget = field(default_factory=StepBudget)

    def value(self, expr: Expr) -> Any:
        """The value of an expression, a `Range`, or UNKNOWN."""
        self.steps.left -= 1
        rule = _RULES.get(type(expr)) if self.steps.left > 0 else None
        return rule(self, expr) if rule else UNKNOWN

    @staticmethod
    def is_exact(value: Any) -> bool:
        """Whether a value is one, not what is known of it."""
        return value is not UNKNOWN and not isinstance(value, Range)

    def is_true(self, expr: Expr) -> bool | None:
        """Whether a condition holds; None if that is not known."""
        value = self.value(expr)
        return value if isinstance(value, bool) else None

    def known_const(self, expr: Const) -> Any:
        return expr.value

    def known_option_value(self, expr: OptionValue) -> Any:
        return self.options.get(expr.option, UNKNOWN)

    def known_local_value(self, expr: LocalValue) -> Any:
        return self.locals.get(expr.local, UNKNOWN)

    def known_variable_value(self, expr: VariableValue) -> Any:
        return self.variables.get(expr.variable, UNKNOWN)

    def known_card_named(self, expr: CardNamed) -> Any:
        return self.faces[expr.face]

    def known_not(self, expr: Not) -> Any:
        value = self.value(expr.operand)
        return UNKNOWN if value is UNKNOWN else not value

    def known_and(self, expr: And) -> Any:
        return self._chain(expr.operands, stop=False)

    def known_or(self, expr: Or) -> Any:
        return self._chain(expr.operands, stop=True)

    def _chain(self, operands: list[Expr], stop: bool) -> Any:
        values = [self.value(one) for one in operands]
        if any(value is stop for value in values):
            return stop
        return UNKNOWN if UNKNOWN in values else not stop

    def known_same(self, expr: Same) -> Any:
        left, right = self.value(expr.left), self.value(expr.right)
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        if isinstance(left, Range) or isinstance(right, Range):
            return UNKNOWN if _may_meet(left, right) else False
        return left is right if isinstance(left, CardFace) else left == right

    def known_ordered(self, expr: Ordered) -> Any:
        left, right = self.value(expr.left), self.value(expr.right)
        if not (_is_amount(left) and _is_amount(right)) or expr.left.type.kind not in ("number", "fraction"):
            return UNKNOWN
        match expr.operator:
            case "<":
                return _below(left, right, equal_too=False)
            case "<=":
                return _below(left, right, equal_too=True)
            case ">":
                return _below(right, left, equal_too=False)
            case ">=":
                return _below(right, left, equal_too=True)
            case _:
                assert_never(expr.operator)

    def known_within(self, expr: Within) -> Any:
        low, value, high = self.value(expr.low), self.value(expr.operand), self.value(expr.high)
        if value is None:
            return False
        if not all(isinstance(one, int) for one in (low, value, high)):
            return UNKNOWN
        return low <= value <= high

    def known_empty(self, expr: Empty) -> Any:
        if self.counts is None:
            return UNKNOWN
        low, high = ends(self.counts(expr.operand))
        return True if high == 0 else False if low is not None and low > 0 else UNKNOWN

    def known_has(self, expr: Has) -> Any:
        card = self.value(expr.card)
        if not isinstance(card, CardFace):
            return UNKNOWN
        printed = getattr(card, expr.what)
        match expr.amount:
            case "no":
                return printed is None
            case "every":
                return printed is not None
            case "some":
                wanted = self.value(expr.value) if expr.value else UNKNOWN
                return UNKNOWN if wanted is UNKNOWN else printed == wanted
            case _:
                assert_never(expr.amount)

    def known_attribute(self, expr: Attribute) -> Any:
        kind, name = expr.operand.type.kind, expr.name
        if kind in ("cards", "zone", "zones") and name == "count":
            return self.counts(expr.operand) if self.counts else UNKNOWN
        if kind == "players" and name == "count":
            whole = isinstance(expr.operand, AllPlayers) and self.players is not None
            return self.players if whole else Range(0, self.players)
        value = self.value(expr.operand)
        if value is UNKNOWN:
            return UNKNOWN
        if expr.operand.type == CARD and name in ("suit", "rank", "number", "deck"):
            return getattr(value, name) if isinstance(value, CardFace) else UNKNOWN
        if name == "place" and kind == "enum":
            return 0 if value is None else value + 1
        return UNKNOWN

    def known_rank_of(self, expr: RankOf) -> Any:
        number = self.value(expr.number)
        members = self.ranks.members if self.ranks else []
        return members.index(str(number)) if isinstance(number, int) and str(number) in members else UNKNOWN

    def known_to_fraction(self, expr: ToFraction) -> Any:
        number = self.value(expr.number)
        return Fraction(number) if isinstance(number, int) else UNKNOWN

    def known_negative(self, expr: Negative) -> Any:
        value = self.value(expr.operand)
        if not _is_number(value):
            return -value if isinstance(value, Fraction) else UNKNOWN
        low, high = ends(value)
        return exact(None if high is None else -high, None if low is None else -low)

    def known_arithmetic(self, expr: Arithmetic) -> Any:
        left, right = self.value(expr.left), self.value(expr.right)
        if UNKNOWN in (left, right) or left is None or right is None:
            return UNKNOWN
        if isinstance(left, Range) or isinstance(right, Range):
            return _of_ranges(expr.operator, left, right)
        if right == 0 and expr.operator in ("/", "mod"):
            return UNKNOWN
        return _exactly(expr.operator, left, right)

    def known_rounded(self, expr: Rounded) -> Any:
        value = self.value(expr.operand)
        if not isinstance(value, int | Fraction):
            return value
        return -(-value // 1) if expr.up else value // 1

    def known_conditional(self, expr: Conditional) -> Any:
        possible: list[Any] = []
        for condition, value in expr.arms:
            holds = self.is_true(condition)
            if holds is not False:
                possible.append(self.value(value))
            if holds:
                return _any_of(possible)
        return _any_of([*possible, self.value(expr.otherwise)])

    def known_call_define(self, expr: CallDefine) -> Any:
        return self.call(expr.define, [self.value(one) for one in expr.arguments])

    def call(self, define: Define, arguments: list[Any]) -> Any:
        """What a define gives for these values."""
        self.locals.update(zip(define.parameters, arguments, strict=True))
        return self.value(define.body)

    def known_builtin(self, expr: Builtin) -> Any:
        values = [self.value(one) for one in expr.arguments]
        if not all(_is_number(value) for value in values):
            return UNKNOWN
        match expr.name:
            case "chance":
                return UNKNOWN
            case "smaller":
                return _least(values)
            case "larger":
                return _greatest(values)
            case _:
                assert_never(expr.name)


def can_be_known(expr: Expr) -> bool:
    """Whether an expression, its parts set aside, is one that hangs on options and fixed values alone."""
    return type(expr) in _RULES and not isinstance(expr, VariableValue)


def _any_of(values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = either(result, value)
    return result


def _may_meet(one: Any, other: Any) -> bool:
    (a, b), (c, d) = ends(one), ends(other)
    return not ((b is not None and c is not None and b < c) or (d is not None and a is not None and d < a))


def _below(left: Any, right: Any, equal_too: bool) -> Any:
    (least, greatest), (low, high) = ends(left), ends(right)
    if greatest is not None and low is not None and (greatest < low or (equal_too and greatest == low)):
        return True
    if least is not None and high is not None and (least > high or (not equal_too and least == high)):
        return False
    return UNKNOWN


def _least(values: list[Any]) -> Any:
    lows, highs = zip(*(ends(value) for value in values), strict=True)
    known = [high for high in highs if high is not None]
    return exact(None if None in lows else min(lows), min(known) if known else None)


def _greatest(values: list[Any]) -> Any:
    lows, highs = zip(*(ends(value) for value in values), strict=True)
    known = [low for low in lows if low is not None]
    return exact(max(known) if known else None, None if None in highs else max(highs))


def _of_ranges(operator: Operator, left: Any, right: Any) -> Any:
    (a, b), (c, d) = ends(left), ends(right)
    match operator:
        case "+":
            return exact(_sum(a, c), _sum(b, d))
        case "-":
            return exact(_sum(a, d, -1), _sum(b, c, -1))
        case "*":
            if a is None or c is None or a < 0 or c < 0:
                return UNKNOWN
            return exact(a * c, None if b is None or d is None else b * d)
        case "mod":
            return Range(0, None if d is None else d - 1) if c is not None and c > 0 else UNKNOWN
        case "/":
            return UNKNOWN
        case _:
            assert_never(operator)


def _sum(one: int | None, other: int | None, sign: int = 1) -> int | None:
    return None if one is None or other is None else one + sign * other


def _exactly(operator: Operator, a: Any, b: Any) -> Any:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "mod":
            return a % b
        case "/":
            return Fraction(a) / b
        case _:
            assert_never(operator)


_NODES = (Const, OptionValue, LocalValue, VariableValue, CardNamed, Not, And, Or, Same, Ordered, Within, Has, Attribute)
_MORE_NODES = (Empty, RankOf, ToFraction, Negative, Arithmetic, Rounded, Conditional, CallDefine, Builtin)


def _rule_of(node: type) -> Callable[[Known, Any], Any]:
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", node.__name__).lower()
    rule: Callable[[Known, Any], Any] = getattr(Known, f"known_{name}")
    return rule


_RULES: dict[type, Callable[[Known, Any], Any]] = {node: _rule_of(node) for node in (*_NODES, *_MORE_NODES)}
