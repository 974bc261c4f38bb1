"""Numbers and fractions: sums that stay within 64 bits, and none where a number is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, assert_never

from llvmlite import ir

from trionfi.dsl.tree.words import Operator
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I1, I64, I128, Code, Mutable, Sign, Value, constant_of, function, number
from trionfi.interpreter.native.module import Build, CannotLower
from trionfi.interpreter.native.values import Compound

Emit = Callable[[Value, Value], Value]

BIGGEST = (1 << 63) - 1
LOWEST = -(1 << 63)


Plain = Literal["+", "-", "*"]  # what gives a whole number of whole numbers, of any


def with_flag(f: Body, operator: Plain, left: Value, right: Value) -> tuple[Value, Value | None]:
    """A sum, difference or product, and whether it is beyond 64 bits; None if it cannot be."""
    most = fits(operator, f.most(left), f.most(right))
    plain, flagged = emitters(f.code, operator)
    if most is not None:
        return f.small(plain(left, right), most), None
    b = f.code.builder
    pair = flagged(number(left), number(right))
    return b.extract_value(pair, 0), b.extract_value(pair, 1)


def emitters(code: Code, operator: Plain) -> tuple[Emit, Emit]:
    """What emits an operation: with its result alone, and with a flag that is up where it is beyond 64 bits."""
    match operator:
        case "+":
            return code.add, code.builder.sadd_with_overflow
        case "-":
            return code.subtract, code.builder.ssub_with_overflow
        case "*":
            return code.multiply, code.builder.smul_with_overflow
        case _:
            assert_never(operator)


def fits(operator: Plain, left: int | None, right: int | None) -> int | None:
    """How large the result may be; None if it may not fit in 64 bits."""
    if left is None or right is None:
        return None
    most = most_of(operator, left, right)
    return most if most <= BIGGEST else None


def most_of(operator: Plain, left: int, right: int) -> int:
    """How large a result may be, of two numbers that are at most so large without their signs."""
    match operator:
        case "+" | "-":
            return left + right
        case "*":
            return left * right
        case _:
            assert_never(operator)


def as_fraction(value: Any) -> Compound:
    return value if isinstance(value, Compound) else Compound((value, number(1)))


# ---- fractions: kept as they come, brought to lowest terms where they would not fit otherwise


def terms(operator: Operator, left: Compound, right: Compound) -> Callable[[Any], tuple[Value, Value]]:
    """Writes both numbers of a result, in the arithmetic that it is given."""
    (a, b), (c, d) = left.words, right.words
    match operator:
        case "+" | "-":
            return lambda n: (n.joined(operator, n.times(a, d), n.times(c, b)), n.times(b, d))
        case "*":
            return lambda n: (n.times(a, c), n.times(b, d))
        case "/":
            return lambda n: n.with_sign(n.times(a, d), n.times(b, c))
        case "mod":
            raise CannotLower("the rest of a fraction")
        case _:
            assert_never(operator)


class Narrow:
    """Arithmetic in 64 bits, which notes where a result may not fit."""

    def __init__(self, f: Body) -> None:
        self.f = f
        self.beyond: list[Value] = []

    def times(self, left: Value, right: Value) -> Value:
        for one, other in ((left, right), (right, left)):
            if constant_of(one) == 1:
                return other
        return self.joined("*", left, right)

    def joined(self, operator: Plain, left: Value, right: Value) -> Value:
        value, beyond = with_flag(self.f, operator, left, right)
        if beyond is not None:
            self.beyond.append(beyond)
        return value

    def with_sign(self, over: Value, under: Value) -> tuple[Value, Value]:
        """With the denominator above zero."""
        if (constant_of(under) or 0) > 0:
            return over, under
        code = self.f.code
        negative = code.compare("<", under, 0)
        least = code.either(code.compare("==", over, LOWEST), code.compare("==", under, LOWEST))
        self.beyond.append(code.both(negative, least))
        turned = [code.choose(negative, code.subtract(0, part), part) for part in (over, under)]
        return turned[0], turned[1]


class WideArithmetic:
    """The same in 128 bits, where all of it fits."""

    def __init__(self, f: Body) -> None:
        self.builder = f.code.builder

    def times(self, left: Value, right: Value) -> Value:
        return self.builder.mul(wide(self.builder, left), wide(self.builder, right))

    def joined(self, operator: Plain, left: Value, right: Value) -> Value:
        match operator:
            case "+":
                return self.builder.add(left, right)
            case "-":
                return self.builder.sub(left, right)
            case "*":
                return self.times(left, right)
            case _:
                assert_never(operator)

    def with_sign(self, over: Value, under: Value) -> tuple[Value, Value]:
        b = self.builder
        negative = b.icmp_signed("<", under, ir.Constant(I128, 0))
        return b.select(negative, b.neg(over), over), b.select(negative, b.neg(under), under)


def wide(builder: ir.IRBuilder, value: Value) -> Value:
    return builder.sext(number(value), I128)


def fraction_of(f: Body, emit: Callable[[Any], tuple[Value, Value]], when_large: Callable[[Value], None]) -> Compound:
    """A fraction, in 64 bits if it fits so, else in 128 bits and then in lowest terms. `when_large` writes what happens
    if these do not fit either, given whether they do not; it is not called if they always do."""
    narrow = Narrow(f)
    words = emit(narrow)
    if not narrow.beyond:
        return Compound(words)
    results = [Mutable(f.code, I64, word) for word in map(number, words)]
    beyond = narrow.beyond[0]
    for flag in narrow.beyond[1:]:
        beyond = f.code.either(beyond, flag)
    with f.code.when(beyond, likely=False):
        found = f.code.call(in_lowest_terms(f.build), emit(WideArithmetic(f)))
        over, under, large = (f.code.builder.extract_value(found, place) for place in range(3))
        when_large(large)
        for result, word in zip(results, (over, under), strict=True):
            result.set(word)
    return Compound(tuple(result.get() for result in results))


def in_lowest_terms(build: Build) -> ir.Function:
    """in_lowest_terms(over, under): both, and whether they do not fit in 64 bits (then 0 and 1). `under` is above 0."""
    if "in lowest terms" in build.kernels:
        return build.kernels["in lowest terms"]
    result = ir.LiteralStructType([I64, I64, I1])
    with function(build.module, "in_lowest_terms", result, [I128, I128]) as code:
        build.kernels["in lowest terms"] = code.function
        b, (over, under) = code.builder, code.arguments
        negative = b.icmp_signed("<", over, ir.Constant(I128, 0))
        shift, odd = common_divisor(code, b.select(negative, b.neg(over), over), under)
        # division without rest is multiplication by the inverse modulo 2^128
        inverse = odd
        for _ in range(6):  # each time twice as many bits are right, of an odd number 3 at first
            inverse = b.mul(inverse, b.sub(ir.Constant(I128, 2), b.mul(odd, inverse)))
        parts = [b.mul(b.ashr(part, shift), inverse) for part in (over, under)]
        words = [b.trunc(part, I64) for part in parts]
        fits = [b.icmp_signed("==", b.sext(word, I128), part) for word, part in zip(words, parts, strict=True)]
        large = code.invert(code.both(*fits))
        struct = ir.Constant(result, ir.Undefined)
        for place, value in enumerate((code.choose(large, 0, words[0]), code.choose(large, 1, words[1]), large)):
            struct = b.insert_value(struct, value, place)
        code.give(struct)
    return code.function


def common_divisor(code: Code, one: Value, other: Value) -> tuple[Value, Value]:
    """The greatest common divisor of a number from 0 on and one above 0: how often it has 2, and what is left."""
    b, nothing = code.builder, ir.Constant(I128, 0)

    def twos(value: Value) -> Value:
        return b.cttz(value, ir.Constant(I1, 0))

    shift = twos(b.or_(one, other))
    least, rest = Mutable(code, I128), Mutable(code, I128)
    least.set(b.lshr(other, twos(other)))
    rest.set(one)
    with code.loop() as loop:
        with code.when(b.icmp_unsigned("==", rest.get(), nothing)):
            loop.leave()
        here = b.lshr(rest.get(), twos(rest.get()))
        smaller = b.icmp_unsigned("<", here, least.get())
        rest.set(b.select(smaller, b.sub(least.get(), here), b.sub(here, least.get())))
        least.set(b.select(smaller, here, least.get()))
    return shift, least.get()


def fractions_compared(f: Body, operator: Sign, left: Compound, right: Compound) -> Value:
    (a, b), (c, d) = left.words, right.words
    narrow = Narrow(f)
    pair = narrow.times(a, d), narrow.times(c, b)
    if not narrow.beyond:
        return f.code.compare(operator, *pair)
    whole = WideArithmetic(f)
    return f.code.builder.icmp_signed(operator, whole.times(a, d), whole.times(c, b))


def fraction_key(f: Body, value: Compound) -> tuple[Value, ...]:
    """Three words that compare one after another as fractions do: the whole number below, and 128 bits of what is above
    it. Denominators have 63 bits, so that no two fractions share them."""
    code, b = f.code, f.code.builder
    over, under = value.words
    whole = rounded(f, over, under, up=False)
    rest, bits = Mutable(code, I64), [Mutable(code, I64, 0) for _ in range(2)]
    rest.set(code.subtract(over, code.multiply(whole, under)))
    for word in bits:
        with code.count(64):
            doubled = b.shl(rest.get(), number(1))
            reached = b.icmp_unsigned(">=", doubled, number(under))
            rest.set(code.choose(reached, code.subtract(doubled, under), doubled))
            word.set(b.or_(b.shl(word.get(), number(1)), code.number_of(reached)))
    # words are compared with their sign
    return whole, *(b.xor(word.get(), number(LOWEST)) for word in bits)


def rounded(f: Body, over: Value, under: Value, up: bool) -> Value:
    if constant_of(under) == 1:
        return over
    quotient, rest = f.code.builder.sdiv(over, under), f.code.builder.srem(over, under)
    if up:
        result = f.code.add(quotient, f.code.number_of(f.code.compare(">", rest, 0)))
    else:
        result = f.code.subtract(quotient, f.code.number_of(f.code.compare("<", rest, 0)))
    most = f.most(over)
    return result if most is None else f.small(result, most + 1)
