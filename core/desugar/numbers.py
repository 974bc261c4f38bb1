"""Arithmetic: whole numbers of 64 bits, exact fractions, rounding."""

from __future__ import annotations

from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.writer import number
from trionfi.core.ir import Operand
from trionfi.core.ops import Op
from trionfi.core.types import FRACTION, INT
from trionfi.dsl import tree
from trionfi.dsl.source import Span

__all__ = ["as_fraction", "checked_add", "checked_subtract", "fitting"]

WHOLE = {
    "+": (Op.ADD, Op.ADD_OVERFLOWS),
    "-": (Op.SUBTRACT, Op.SUBTRACT_OVERFLOWS),
    "*": (Op.MULTIPLY, Op.MULTIPLY_OVERFLOWS),
}
EXACT = {
    "+": Op.FRACTION_ADD,
    "-": Op.FRACTION_SUBTRACT,
    "*": Op.FRACTION_MULTIPLY,
    "/": Op.FRACTION_DIVIDE,
}
LEAST_CHANCE, MOST_CHANCE = 1, (1 << 32) - 1


@desugars(tree.Arithmetic)
def desugar_arithmetic(d: Desugar, node: tree.Arithmetic) -> Operand:
    left, right = d.expr(node.left), d.expr(node.right)
    one, other = d.some(left, node.left), d.some(right, node.right)
    if node.type.kind == "fraction":
        return exact(d, node, as_fraction(d, one), as_fraction(d, other))
    if node.operator == "mod":
        check_divisor(d, other, node.span)
        return d.let(Op.MODULO, one, other)
    return checked(d, *WHOLE[node.operator], one, other, node.span)


def checked(d: Desugar, op: Op, overflows: Op, one: Operand, other: Operand, span: Span) -> Operand:
    d.check(d.negation(d.let(overflows, one, other)), "number-too-large", span)
    return d.let(op, one, other)


def checked_add(d: Desugar, one: Operand, other: Operand, span: Span) -> Operand:
    return checked(d, Op.ADD, Op.ADD_OVERFLOWS, one, other, span)


def checked_subtract(d: Desugar, one: Operand, other: Operand, span: Span) -> Operand:
    return checked(d, Op.SUBTRACT, Op.SUBTRACT_OVERFLOWS, one, other, span)


def check_divisor(d: Desugar, divisor: Operand, span: Span) -> None:
    zero = d.let(Op.FRACTION_IS_ZERO, divisor) if divisor.type == FRACTION else d.same(divisor, number(0))
    d.check(d.negation(zero), "division-by-zero", span)


def as_fraction(d: Desugar, value: Operand) -> Operand:
    return d.let(Op.TO_FRACTION, value) if value.type == INT else value


def exact(d: Desugar, node: tree.Arithmetic, one: Operand, other: Operand) -> Operand:
    if node.operator in ("/", "mod"):
        check_divisor(d, other, node.span)
    return fitting(d, d.let(EXACT[node.operator], one, other), node.span)


def fitting(d: Desugar, result: Operand, span: Span) -> Operand:
    """A fraction, of which none stands for one that is too large."""
    d.check(d.is_some(result), "number-too-large", span)
    return d.unwrap(result)


@desugars(tree.Negative)
def desugar_negative(d: Desugar, node: tree.Negative) -> Operand:
    operand = d.needed(node.operand)
    if operand.type == FRACTION:
        return fitting(d, d.let(Op.FRACTION_NEGATE, operand), node.span)
    return checked_subtract(d, number(0), operand, node.span)


@desugars(tree.Rounded)
def desugar_rounded(d: Desugar, node: tree.Rounded) -> Operand:
    operand = node.operand
    if isinstance(operand, tree.Arithmetic) and operand.operator == "/":
        left, right = whole(operand.left), whole(operand.right)
        if left is not None and right is not None:
            return whole_division(d, operand, left, right, node.up)
    value = d.needed(operand)
    if value.type == INT:
        return value
    return d.let(Op.CEIL if node.up else Op.FLOOR, value)


def whole(expr: tree.Expr) -> tree.Expr | None:
    """The whole number that an expression is, though it may stand for a fraction."""
    if isinstance(expr, tree.ToFraction):
        return expr.number
    return expr if expr.type.kind == "number" else None


def whole_division(d: Desugar, node: tree.Arithmetic, left: tree.Expr, right: tree.Expr, up: bool) -> Operand:
    """A division of whole numbers that is rounded at once: no fraction is made."""
    one, other = d.expr(left), d.expr(right)
    one, other = d.some(one, node.left), d.some(other, node.right)
    check_divisor(d, other, node.span)
    d.check(d.negation(d.let(Op.DIVIDE_OVERFLOWS, one, other)), "number-too-large", node.span)
    return d.let(Op.CEIL_DIVIDE if up else Op.FLOOR_DIVIDE, one, other)


@desugars(tree.Builtin)
def desugar_builtin(d: Desugar, node: tree.Builtin) -> Operand:
    found = [d.expr(argument) for argument in node.arguments]
    values = [d.some(value, argument) for value, argument in zip(found, node.arguments, strict=True)]
    if node.name == "chance":
        return by_chance(d, node, values[0], values[1])
    result = values[0]
    for value in values[1:]:
        result = extreme(d, result, value, greatest=node.name == "larger")
    return result


def extreme(d: Desugar, one: Operand, other: Operand, greatest: bool) -> Operand:
    """The smaller or the larger of two numbers."""
    if one.type == other.type == INT:
        return d.let(Op.MAXIMUM if greatest else Op.MINIMUM, one, other)
    one, other = as_fraction(d, one), as_fraction(d, other)
    less = d.let(Op.FRACTION_LESS, one, other)
    return d.let(Op.SELECT, less, *((other, one) if greatest else (one, other)), type=FRACTION)


def by_chance(d: Desugar, node: tree.Builtin, wins: Operand, tries: Operand) -> Operand:
    at_least = d.let(Op.AT_MOST, number(LEAST_CHANCE), tries)
    at_most = d.let(Op.AT_MOST, tries, number(MOST_CHANCE))
    d.check(d.both(at_least, at_most), "bad-chance", node.span)
    return d.let(Op.LESS, d.let(Op.BELOW, tries), wins)
