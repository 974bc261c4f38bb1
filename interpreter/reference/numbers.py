"""Arithmetic: whole numbers of 64 bits, exact fractions, rounding."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import add, mod, mul, sub, truediv
from typing import Any, NoReturn, assert_never

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Expr
from trionfi.dsl.tree.words import Operator
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.reference.expressions import HIGHEST, LOWEST, check_size, needed, none_used, too_large
from trionfi.interpreter.reference.truths import none_among
from trionfi.interpreter.state import State

__all__: list[str] = []


@meaning(tree.Arithmetic, foldable=True)
def eval_arithmetic(node: tree.Arithmetic, c: Compiler) -> Value:
    if node.type.kind == "fraction":
        return exact(node, c)
    operate = operation(node.operator)
    left, right, span = c.value(node.left), c.value(node.right), node.span

    def work_out(s: State, f: Frame) -> int:
        one, other = left(s, f), right(s, f)
        try:
            number: int = operate(one, other)
        except TypeError:
            none_among(node, one, other)
        except ZeroDivisionError:
            by_zero(span)
        if not LOWEST <= number <= HIGHEST:
            too_large(span)
        return number

    return work_out


def operation(operator: Operator) -> Callable[[Any, Any], Any]:
    match operator:
        case "+":
            return add
        case "-":
            return sub
        case "*":
            return mul
        case "mod":
            return mod
        case "/":
            return truediv
        case _:
            assert_never(operator)


def by_zero(span: Span) -> NoReturn:
    fail("division-by-zero", "this is a division by zero", span)


def exact(node: tree.Arithmetic, c: Compiler) -> Value:
    """Arithmetic of fractions: exact; in lowest terms both numbers stay within 64 bits."""
    operate, span = operation(node.operator), node.span
    left, right = c.value(node.left), c.value(node.right)

    def work_out(s: State, f: Frame) -> Fraction:
        one, other = left(s, f), right(s, f)
        if one is None or other is None:
            none_among(node, one, other)
        try:
            number = Fraction(operate(Fraction(one), Fraction(other)))
        except ZeroDivisionError:
            by_zero(span)
        check_size(number, span)
        return number

    return work_out


@meaning(tree.Negative, foldable=True)
def eval_negative(node: tree.Negative, c: Compiler) -> Value:
    operand = needed(node.operand, c)

    def negative(s: State, f: Frame) -> Any:
        number = -operand(s, f)
        check_size(number, node.span)
        return number

    return negative


@meaning(tree.Rounded, foldable=True)
def eval_rounded(node: tree.Rounded, c: Compiler) -> Value:
    operand = node.operand
    if isinstance(operand, tree.Arithmetic) and operand.operator == "/":
        left, right = whole(operand.left), whole(operand.right)
        if left is not None and right is not None:
            return whole_division(operand, c.value(left), c.value(right), node.up)
    value = c.value(operand)
    if node.up:
        return lambda s, f: -(-value(s, f) // 1)
    return lambda s, f: value(s, f) // 1


def whole(expr: Expr) -> Expr | None:
    """The whole number that an expression is, though it may stand for a fraction."""
    if isinstance(expr, tree.ToFraction):
        return expr.number
    return expr if expr.type.kind == "number" else None


def whole_division(node: tree.Arithmetic, left: Value, right: Value, up: bool) -> Value:
    """A division of whole numbers that is rounded at once: no fraction is made."""

    def divide_whole(s: State, f: Frame) -> int:
        number, divisor = left(s, f), right(s, f)
        if number is None or divisor is None:
            none_among(node, number, divisor)
        if divisor == 0:
            by_zero(node.span)
        result: int = -(-number // divisor) if up else number // divisor
        if result > HIGHEST:
            too_large(node.span)
        return result

    return divide_whole


@meaning(tree.Builtin)
def eval_builtin(node: tree.Builtin, c: Compiler) -> Value:
    values = c.values(node.arguments)
    match node.name:
        case "smaller":
            return smaller(values, node)
        case "larger":
            return larger(values, node)
        case "chance":
            return chance(values, node)
        case _:
            assert_never(node.name)


def smaller(values: list[Value], node: tree.Builtin) -> Value:
    return lambda s, f: min(numbers_of(values, node, s, f))


def larger(values: list[Value], node: tree.Builtin) -> Value:
    return lambda s, f: max(numbers_of(values, node, s, f))


def numbers_of(values: list[Value], node: tree.Builtin, s: State, f: Frame) -> list[Any]:
    """The values, none of which may be none."""
    found = [value(s, f) for value in values]
    if None in found:
        none_used(node.arguments[found.index(None)])
    return found


def chance(values: list[Value], node: tree.Builtin) -> Value:
    times_true, out_of = values

    def by_chance(s: State, f: Frame) -> bool:
        wins, tries = times_true(s, f), out_of(s, f)
        if not 1 <= tries < 1 << 32:
            fail("bad-chance", f"`chance` wants a number from 1 to 4294967295 behind the comma, not {tries}", node.span)
        drawn: int = s.lot.below(tries)
        return bool(drawn < wins)

    return by_chance
