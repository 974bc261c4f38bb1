"""What operations give where the text shows it: a constant, or one of their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trionfi.core.ir import Const, Let, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, INT, Kind

__all__ = ["NO", "YES", "folded"]

YES, NO = Const(True, BOOL), Const(False, BOOL)
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
LISTED = (Kind.HAND, Kind.TOTAL, Kind.ARRANGEMENT, Kind.FRACTION)

Lets = Mapping[str, Let]  # how the names in sight were made
Fold = Callable[[Let, Lets], Operand | None]
FOLDS: dict[Op, Fold] = {}


def folded(let: Let, lets: Lets) -> Operand | None:
    """What a let gives, if it need not be worked out."""
    fold = FOLDS.get(let.op)
    return None if fold is None or let.target is None else fold(let, lets)


def folds(op: Op) -> Callable[[Fold], Fold]:
    def register(fold: Fold) -> Fold:
        FOLDS[op] = fold
        return fold

    return register


def truth(value: bool) -> Const:
    return YES if value else NO


def number(operand: Operand) -> int | None:
    plain = isinstance(operand, Const) and operand.value is not None and operand.type.kind is not Kind.FRACTION
    return int(operand.value) if plain else None  # type: ignore[union-attr, arg-type]


@folds(Op.IS_NONE)
def is_none(let: Let, _lets: Lets) -> Operand | None:
    (value,) = let.args
    if isinstance(value, Const):
        return truth(value.value is None)
    return None if value.type.optional else NO


@folds(Op.UNWRAP)
def unwrap(let: Let, _lets: Lets) -> Operand | None:
    (value,) = let.args
    if isinstance(value, Const) and value.value is not None:
        return Const(value.value, value.type.some)
    return None if value.type.optional else value


@folds(Op.SAME)
def same(let: Let, _lets: Lets) -> Operand | None:
    one, other = let.args
    if isinstance(one, Const) and isinstance(other, Const):
        return truth(one.value == other.value)
    if one == other and not one.type.is_list and one.type.kind not in LISTED:
        return YES
    for value, against in ((one, other), (other, one)):
        if isinstance(against, Const) and against.value is None and not value.type.optional:
            return NO
    return None


@folds(Op.NOT)
def negation(let: Let, lets: Lets) -> Operand | None:
    (value,) = let.args
    if isinstance(value, Const):
        return truth(not value.value)
    made = lets.get(value.text)
    return made.args[0] if made is not None and made.op is Op.NOT else None


@folds(Op.AND)
def both(let: Let, _lets: Lets) -> Operand | None:
    one, other = let.args
    if NO in (one, other):
        return NO
    return other if one == YES else one if other in (YES, one) else None


@folds(Op.OR)
def either(let: Let, _lets: Lets) -> Operand | None:
    one, other = let.args
    if YES in (one, other):
        return YES
    return other if one == NO else one if other in (NO, one) else None


@folds(Op.SELECT)
def select(let: Let, _lets: Lets) -> Operand | None:
    condition, one, other = let.args
    if one == other:
        return one
    if isinstance(condition, Const):
        return one if condition.value else other
    return None


@folds(Op.INDEX)
def index(let: Let, _lets: Lets) -> Operand | None:
    value = number(let.args[0])
    return None if value is None else Const(value, INT)


def on_numbers(op: Op, work_out: Callable[[int, int], int | bool]) -> None:
    @folds(op)
    def fold(let: Let, _lets: Lets) -> Operand | None:
        one, other = map(number, let.args)
        if one is None or other is None:
            return None
        result = work_out(one, other)
        if isinstance(result, bool):
            return truth(result)
        return Const(result, INT) if LOWEST <= result <= HIGHEST else None


def beyond(work_out: Callable[[int, int], int]) -> Callable[[int, int], bool]:
    return lambda one, other: not LOWEST <= work_out(one, other) <= HIGHEST


on_numbers(Op.ADD, int.__add__)
on_numbers(Op.SUBTRACT, int.__sub__)
on_numbers(Op.MULTIPLY, int.__mul__)
on_numbers(Op.ADD_OVERFLOWS, beyond(int.__add__))
on_numbers(Op.SUBTRACT_OVERFLOWS, beyond(int.__sub__))
on_numbers(Op.MULTIPLY_OVERFLOWS, beyond(int.__mul__))
on_numbers(Op.LESS, int.__lt__)
on_numbers(Op.AT_MOST, int.__le__)
on_numbers(Op.MINIMUM, min)
on_numbers(Op.MAXIMUM, max)


def of_twice(op: Op, result: Const) -> None:
    """A number with itself."""
    known = FOLDS[op]
    FOLDS[op] = lambda let, lets: result if let.args[0] == let.args[1] else known(let, lets)


of_twice(Op.SUBTRACT, Const(0, INT))
of_twice(Op.SUBTRACT_OVERFLOWS, NO)
of_twice(Op.LESS, NO)
of_twice(Op.AT_MOST, YES)


@folds(Op.DIVIDE_OVERFLOWS)
def divide_overflows(let: Let, _lets: Lets) -> Operand | None:
    """Only the least number by minus one does."""
    one, other = map(number, let.args)
    if (other is not None and other != -1) or (one is not None and one != LOWEST):
        return NO
    return None
