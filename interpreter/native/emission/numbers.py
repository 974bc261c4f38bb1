"""Operations on numbers, truths, references and seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from llvmlite import ir as llvm

from trionfi.core.ir import Const, Let
from trionfi.core.ops import Op
from trionfi.core.types import Kind
from trionfi.dsl.limits import MOST_STATEMENTS
from trionfi.interpreter.native.access import option_value
from trionfi.interpreter.native.arithmetic import fits
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I32,
    I64,
    I128,
    TRUE,
    Mutable,
    Value,
    constant_of,
    number,
    table,
)
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.operations import OPERATIONS, emits
from trionfi.interpreter.native.emission.values import Items, item_at, parts_of, value_of
from trionfi.interpreter.native.module import NO_NUMBER
from trionfi.interpreter.native.values import Compound

__all__: list[str] = []


def arguments(e: Emitter, node: Let) -> list[Any]:
    return [e.value(operand) for operand in node.args]


def simple(op: Op, emit: Callable[..., Any]) -> None:
    """An operation of the code and its arguments alone."""
    OPERATIONS[op] = lambda e, node: emit(e.code, *arguments(e, node))


# ---- numbers


def arithmetic(op: Op, overflows: Op, operator: Literal["+", "-", "*"], plain: Callable[..., Value]) -> None:
    @emits(op)
    def work_out(e: Emitter, node: Let) -> Value:
        one, other = arguments(e, node)
        most = fits(operator, e.most(one), e.most(other))
        value = plain(e.code, one, other)
        return value if most is None else e.small(value, most)

    @emits(overflows)
    def beyond(e: Emitter, node: Let) -> Value:
        one, other = arguments(e, node)
        if fits(operator, e.most(one), e.most(other)) is not None:
            return FALSE
        b = e.code.builder
        flagged = {"+": b.sadd_with_overflow, "-": b.ssub_with_overflow, "*": b.smul_with_overflow}[operator]
        return b.extract_value(flagged(number(one), number(other)), 1)


arithmetic(Op.ADD, Op.ADD_OVERFLOWS, "+", lambda code, a, b: code.add(a, b))
arithmetic(Op.SUBTRACT, Op.SUBTRACT_OVERFLOWS, "-", lambda code, a, b: code.subtract(a, b))
arithmetic(Op.MULTIPLY, Op.MULTIPLY_OVERFLOWS, "*", lambda code, a, b: code.multiply(a, b))


@emits(Op.MODULO)
def modulo(e: Emitter, node: Let) -> Value:
    """The sign of the right side."""
    code, b = e.code, e.code.builder
    left, right = arguments(e, node)
    rest = b.srem(left, right)
    apart = code.compare("<", b.xor(rest, right), 0)
    result = code.choose(code.both(code.compare("!=", rest, 0), apart), code.add(rest, right), rest)
    most = e.most(right)
    return result if most is None else e.small(result, most)


@emits(Op.FLOOR_DIVIDE, Op.CEIL_DIVIDE)
def divide(e: Emitter, node: Let) -> Value:
    code, b = e.code, e.code.builder
    left, right = arguments(e, node)
    quotient, rest = b.sdiv(left, right), b.srem(left, right)
    uneven = code.compare("!=", rest, 0)
    same_sign = code.compare(">=", b.xor(left, right), 0)
    if node.op is Op.FLOOR_DIVIDE:
        down = code.both(uneven, code.invert(same_sign))
        return code.subtract(quotient, code.number_of(down))
    return code.add(quotient, code.number_of(code.both(uneven, same_sign)))


@emits(Op.DIVIDE_OVERFLOWS)
def divide_overflows(e: Emitter, node: Let) -> Value:
    left, right = arguments(e, node)
    return e.code.both(e.code.compare("==", left, NO_NUMBER), e.code.compare("==", right, -1))


@emits(Op.MINIMUM, Op.MAXIMUM)
def extreme(e: Emitter, node: Let) -> Value:
    one, other = arguments(e, node)
    value = (e.code.smaller if node.op is Op.MINIMUM else e.code.larger)(one, other)
    known = [e.most(one), e.most(other)]
    return value if None in known else e.small(value, max(most for most in known if most is not None))


@emits(Op.LESS, Op.AT_MOST)
def compared(e: Emitter, node: Let) -> Value:
    """Known where the bounds say it."""
    one, other = arguments(e, node)
    most, limit = e.most(one), constant_of(other)
    if most is not None and limit is not None and most < limit:
        return TRUE
    return e.code.compare("<" if node.op is Op.LESS else "<=", one, other)


# ---- any value


@emits(Op.SAME)
def same(e: Emitter, node: Let) -> Value:
    left, right = node.args
    one = e.value(left, right.type.maybe if isinstance(left, Const) else None)
    other = e.value(right, left.type.maybe if isinstance(right, Const) else None)
    if isinstance(one, Compound):
        words = zip(one.words[1:] or one.words, other.words[1:] or other.words, strict=True)
        result = TRUE
        for a, b in words:
            result = e.code.both(result, e.code.compare("==", a, b))
        return result
    return e.code.builder.icmp_signed("==", one, other)


def same_lists(e: Emitter, one: Items, other: Items) -> Value:
    """The same things in the same order."""
    result = Mutable(e.code, I1, 0)
    result.set(e.code.compare("==", one.count, other.count))
    with e.code.when(result.get()), e.code.counting(one.count) as (index, loop):
        with e.code.when(e.code.compare("!=", item_at(e, one, index), item_at(e, other, index))):
            result.set(FALSE)
            loop.leave()
    return result.get()


@emits(Op.IS_NONE)
def is_none(e: Emitter, node: Let) -> Value:
    (operand,) = node.args
    value = e.value(operand)
    match operand.type.kind:
        case Kind.INT | Kind.TARGET:
            return e.code.compare("==", value, NO_NUMBER)
        case Kind.FRACTION:
            return getattr(value, "is_none", None) or e.code.compare("==", value.words[1], 0)
        case Kind.HAND:
            return e.code.compare("<", value.words[0], 0)
        case _:
            return e.code.compare("<", value, 0)


@emits(Op.UNWRAP, Op.INDEX, Op.THING)
def as_it_is(e: Emitter, node: Let) -> Any:
    return e.value(node.args[0])


simple(Op.NOT, lambda code, a: code.invert(a))
simple(Op.AND, lambda code, a, b: code.both(a, b))
simple(Op.OR, lambda code, a, b: code.either(a, b))


@emits(Op.SELECT)
def select(e: Emitter, node: Let) -> Any:
    assert node.target is not None
    condition = e.value(node.args[0])
    one, other = (e.value(operand, node.target.type) for operand in node.args[1:])
    if isinstance(one, Items):
        parts = [e.code.choose(condition, a, b) for a, b in zip(parts_of(one), parts_of(other), strict=True)]
        return value_of(e.layout, node.target.type, parts)
    if isinstance(one, Compound):
        pairs = zip(one.words, other.words, strict=True)
        return Compound(tuple(e.code.choose(condition, a, b) for a, b in pairs))
    return e.code.choose(condition, one, other)


@emits(Op.LOOKUP)
def lookup(e: Emitter, node: Let) -> Value:
    assert node.target is not None
    values = [int(value) for value in node.about]
    if node.target.type.kind is Kind.INT and node.target.type.optional:
        values = [NO_NUMBER if value == -1 else value for value in values]
    kind = next(
        kind for kind in (I8, I16, I32, I64) if all(-(1 << kind.width - 1) <= v < 1 << kind.width - 1 for v in values)
    )
    name = f"lookup {kind.width} {' '.join(map(str, values))}"
    value = e.code.load(kind, table(e.build.module, name, kind, values), e.value(node.args[0]))
    return e.small(value, max(map(abs, values), default=0)) if kind is not I64 else value


# ---- seats


@emits(Op.EVERYONE)
def everyone(e: Emitter, _node: Let) -> Value:
    return e.code.subtract(e.code.bit(e.seats), 1)


@emits(Op.SEAT_COUNT)
def seat_count(e: Emitter, _node: Let) -> Value:
    return e.seats


@emits(Op.SEAT_ON)
def seat_on(e: Emitter, node: Let) -> Value:
    code, seats = e.code, e.seats
    seat, steps = arguments(e, node)
    if isinstance(steps, llvm.Constant) and steps.constant in (1, -1):
        on = code.add(seat, steps)
        past = code.compare("==", on, seats if steps.constant == 1 else -1)
        return code.choose(past, 0 if steps.constant == 1 else code.subtract(seats, 1), on)
    far = code.builder.srem(code.add(seat, steps), seats)
    return code.choose(code.compare("<", far, 0), code.add(far, seats), far)


simple(Op.HAS_SEAT, lambda code, seats, seat: code.has_bit(seats, seat))
simple(Op.WITH_SEAT, lambda code, seats, seat: code.builder.or_(seats, code.bit(seat)))


@emits(Op.PASS)
def count_pass(e: Emitter, node: Let) -> Value:
    e.build.counting.add(e.code.function.name)
    passes = e.code.add(e.field("passes"), int(node.about[0]))
    e.set_field("passes", passes)
    return e.code.compare("<=", passes, MOST_STATEMENTS)


@emits(Op.OPTION)
def option(e: Emitter, node: Let) -> Any:
    return option_value(e, e.rules.options[str(node.about[0])])


# ---- sums on their way


def wide(e: Emitter, value: Value) -> Value:
    return e.code.builder.sext(number(value), I128)


@emits(Op.WIDEN)
def widen(e: Emitter, node: Let) -> Value:
    return wide(e, e.value(node.args[0]))


@emits(Op.WIDE_ADD)
def wide_add(e: Emitter, node: Let) -> Value:
    one, other = arguments(e, node)
    return e.code.builder.add(one, other)


@emits(Op.WIDE_FITS)
def wide_fits(e: Emitter, node: Let) -> Value:
    value = e.value(node.args[0])
    b = e.code.builder
    return b.icmp_signed("==", b.sext(b.trunc(value, I64), I128), value)


@emits(Op.NARROW)
def narrow(e: Emitter, node: Let) -> Value:
    return e.code.builder.trunc(e.value(node.args[0]), I64)
