"""Numbers and fractions: sums that stay within 64 bits, and none where a number is needed."""

from __future__ import annotations

from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.interpreter.native.builder import (
    FALSE,
    I8,
    TRUE,
    Number,
    Value,
    constant_of,
    number,
    table,
)
from trionfi.interpreter.native.lowering import NO_NUMBER, Lower, Lowering
from trionfi.interpreter.native.values import Joined

BIGGEST = (1 << 63) - 1


def outside(f: Lowering, value: Value, low: Number, high: Number) -> Value:
    """Whether a number lies outside low .. high."""
    constant, top = constant_of(value), constant_of(high)
    if constant is not None and top is not None and isinstance(low, int):
        return FALSE if low <= constant <= top else TRUE
    return f.code.either(f.code.compare("<", value, low), f.code.compare(">", value, high))


def checked(f: Lowering, operator: str, left: Value, right: Value, span: Span) -> Value:
    """A sum, difference or product; one beyond 64 bits stops the game."""
    most = fits(operator, f.most(left), f.most(right))
    plain = {"+": f.code.add, "-": f.code.subtract, "*": f.code.multiply}[operator]
    if most is not None:
        return f.small(plain(left, right), most)
    b = f.code.builder
    with_flag = {"+": b.sadd_with_overflow, "-": b.ssub_with_overflow, "*": b.smul_with_overflow}[operator]
    pair = with_flag(number(left), number(right))
    f.fail_when(b.extract_value(pair, 1), "number-too-large", span)
    return b.extract_value(pair, 0)


def fits(operator: str, left: int | None, right: int | None) -> int | None:
    """How large the result may be; None if it may not fit in 64 bits."""
    if left is None or right is None:
        return None
    most = left * right if operator == "*" else left + right
    return most if most <= BIGGEST else None


def optional(node: tree.Expr) -> bool:
    """A number that some cards lack."""
    return isinstance(node, tree.Attribute) and node.name == "number" and node.operand.type.kind == "card"


def may_lack(node: tree.Expr) -> bool:
    """Whether a number may be none: one that some cards lack, or a bare none."""
    if isinstance(node, tree.Const):
        return node.value is None
    if isinstance(node, tree.Attribute):
        return optional(node)
    if isinstance(node, tree.Conditional):
        return any(may_lack(value) for value in (node.otherwise, *(value for _, value in node.arms)))
    if isinstance(node, tree.CallDefine):
        return node.type.kind == "number" and may_lack(node.define.body)
    return False


def given(f: Lowering, node: tree.Expr) -> Any:
    """The value of a number or fraction, which must not be none."""
    value = f.expression(node)
    if node.type.kind != "number" or not may_lack(node):
        return value
    return f.sound(value, f.code.compare("==", value, NO_NUMBER), "none-used", node.span)


def lower_arithmetic(f: Lowering, node: tree.Arithmetic) -> Any:
    left, right = given(f, node.left), given(f, node.right)
    if node.type.kind == "fraction":
        return fraction_arithmetic(f, node, as_fraction(left), as_fraction(right))
    if node.operator == "mod":
        return modulo(f, left, right, node.span)
    return checked(f, node.operator, left, right, node.span)


def modulo(f: Lowering, left: Value, right: Value, span: Span) -> Value:
    """The sign of the right side; by 0 stops."""
    right = divisor(f, right, span)
    rest = f.code.builder.srem(left, right)
    apart = f.code.compare("<", f.code.builder.xor(rest, right), 0)
    wrong = f.code.both(f.code.compare("!=", rest, 0), apart)
    result = f.code.choose(wrong, f.code.add(rest, right), rest)
    most = f.most(right)
    return result if most is None else f.small(result, most)


def divisor(f: Lowering, value: Value, span: Span) -> Value:
    if constant_of(value) not in (None, 0, -1):
        return number(value)
    return f.sound(number(value), f.code.compare("==", value, 0), "division-by-zero", span, instead=1)


def as_fraction(value: Any) -> Joined:
    return value if isinstance(value, Joined) else Joined((value, number(1)))


def fraction_arithmetic(f: Lowering, node: tree.Arithmetic, left: Joined, right: Joined) -> Joined:
    (a, b), (c, d) = left.words, right.words
    if node.operator == "/":
        c = divisor(f, c, node.span)
        return signed(f, multiplied(f, a, d, node.span), multiplied(f, b, c, node.span), node.span)
    if node.operator == "*":
        return Joined((multiplied(f, a, c, node.span), multiplied(f, b, d, node.span)))
    over = checked(f, node.operator, multiplied(f, a, d, node.span), multiplied(f, c, b, node.span), node.span)
    return Joined((over, multiplied(f, b, d, node.span)))


def multiplied(f: Lowering, left: Value, right: Value, span: Span) -> Value:
    for one, other in ((left, right), (right, left)):
        if constant_of(one) == 1:
            return other
    return checked(f, "*", left, right, span)


def signed(f: Lowering, over: Value, under: Value, span: Span) -> Joined:
    """With the denominator above zero."""
    if (constant_of(under) or 0) > 0:
        return Joined((over, under))
    negative = f.code.compare("<", under, 0)
    turned = [f.code.choose(negative, f.code.subtract(0, part), part) for part in (over, under)]
    return Joined(tuple(turned))


def fractions_compared(f: Lowering, operator: str, left: Joined, right: Joined, span: Span) -> Value:
    (a, b), (c, d) = left.words, right.words
    return f.code.compare(operator, multiplied(f, a, d, span), multiplied(f, c, b, span))


def lower_to_fraction(f: Lowering, node: tree.ToFraction) -> Joined:
    return as_fraction(f.expression(node.number))


def lower_negative(f: Lowering, node: tree.Negative) -> Any:
    value = given(f, node.operand)
    if isinstance(value, Joined):
        return Joined((checked(f, "-", number(0), value.words[0], node.span), value.words[1]))
    return checked(f, "-", number(0), value, node.span)


def lower_rounded(f: Lowering, node: tree.Rounded) -> Value:
    value = f.expression(node.operand)
    if not isinstance(value, Joined):
        return value
    over, under = value.words
    if constant_of(under) == 1:
        return over
    quotient, rest = f.code.builder.sdiv(over, under), f.code.builder.srem(over, under)
    if node.up:
        result = f.code.add(quotient, f.code.number_of(f.code.compare(">", rest, 0)))
    else:
        result = f.code.subtract(quotient, f.code.number_of(f.code.compare("<", rest, 0)))
    most = f.most(over)
    return result if most is None else f.small(result, most + 1)


def lower_builtin(f: Lowering, node: tree.Builtin) -> Any:
    if node.name == "chance":
        from trionfi.interpreter.native.policy import lower_chance

        return lower_chance(f, node)
    left, right = (given(f, argument) for argument in node.arguments)
    if isinstance(left, Joined) or isinstance(right, Joined):
        pair = [as_fraction(left), as_fraction(right)]
        less = fractions_compared(f, "<" if node.name == "smaller" else ">", pair[0], pair[1], node.span)
        return Joined(tuple(f.code.choose(less, a, b) for a, b in zip(*(p.words for p in pair), strict=True)))
    result = (f.code.smaller if node.name == "smaller" else f.code.larger)(left, right)
    bounds = [f.most(left), f.most(right)]
    return f.small(result, max(bounds)) if None not in bounds else result  # type: ignore[type-var,arg-type]


def lower_rank_of(f: Lowering, node: tree.RankOf) -> Value:
    """The rank called by a number."""
    value = f.expression(node.number)
    members = f.rules.enumerations["rank"].members
    names = {int(name): index for index, name in enumerate(members) if name.isdigit()}
    constant = constant_of(value)
    if constant is not None and constant in names:
        return number(names[constant])
    high = max(names, default=0)
    ranks = table(f.build.module, "ranks_called", I8, [names.get(called, -1) for called in range(high + 1)])
    value = f.sound(value, outside(f, value, 0, high), "no-such-rank", node.span, instead=0)
    rank = f.small(f.code.load(I8, ranks, value), len(members))
    return f.sound(rank, f.code.compare("<", rank, 0), "no-such-rank", node.span)


TABLE: dict[type, Lower] = {
    tree.RankOf: lower_rank_of,
    tree.ToFraction: lower_to_fraction,
    tree.Arithmetic: lower_arithmetic,
    tree.Negative: lower_negative,
    tree.Rounded: lower_rounded,
    tree.Builtin: lower_builtin,
}
