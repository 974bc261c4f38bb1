"""Numbers and fractions: sums that stay within 64 bits, and none where a number is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, assert_never

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.tree.words import Operator
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I64,
    I128,
    TRUE,
    Code,
    Number,
    Sign,
    Value,
    Variable,
    constant_of,
    function,
    number,
    table,
)
from trionfi.interpreter.native.lowering import NO_NUMBER, Build, CannotLower, Lower, Lowering
from trionfi.interpreter.native.values import Joined

Emit = Callable[[Value, Value], Value]

BIGGEST = (1 << 63) - 1
LOWEST = -(1 << 63)


def outside(f: Lowering, value: Value, low: Number, high: Number) -> Value:
    """Whether a number lies outside low .. high."""
    constant, top = constant_of(value), constant_of(high)
    if constant is not None and top is not None and isinstance(low, int):
        return FALSE if low <= constant <= top else TRUE
    return f.code.either(f.code.compare("<", value, low), f.code.compare(">", value, high))


Plain = Literal["+", "-", "*"]  # what gives a whole number of whole numbers, of any


def checked(f: Lowering, operator: Plain, left: Value, right: Value, span: Span) -> Value:
    """A sum, difference or product; one beyond 64 bits stops the game."""
    value, beyond = with_flag(f, operator, left, right)
    if beyond is not None:
        f.fail_when(beyond, "number-too-large", span)
    return value


def with_flag(f: Lowering, operator: Plain, left: Value, right: Value) -> tuple[Value, Value | None]:
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
        return fraction_arithmetic(f, node.operator, as_fraction(left), as_fraction(right), node.span)
    match node.operator:
        case "+" | "-" | "*":
            return checked(f, node.operator, left, right, node.span)
        case "mod":
            return modulo(f, left, right, node.span)
        case "/":
            raise CannotLower(f"{node.span}: a quotient that is no fraction")
        case _:
            assert_never(node.operator)


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


# ---- fractions: kept as they come, brought to lowest terms where they would not fit otherwise


def fraction_arithmetic(f: Lowering, operator: Operator, left: Joined, right: Joined, span: Span) -> Joined:
    """A result that in lowest terms is beyond 64 bits stops the game."""
    if operator == "/":
        right = Joined((divisor(f, right.words[0], span), right.words[1]))
    return exact(f, span, terms(operator, left, right))


def terms(operator: Operator, left: Joined, right: Joined) -> Callable[[Any], tuple[Value, Value]]:
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

    def __init__(self, f: Lowering) -> None:
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


class Wide:
    """The same in 128 bits, where all of it fits."""

    def __init__(self, f: Lowering) -> None:
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


def exact(f: Lowering, span: Span, emit: Callable[[Any], tuple[Value, Value]]) -> Joined:
    """A fraction; one beyond 64 bits stops the game."""
    return fraction_of(f, emit, lambda large: f.fail_when(large, "number-too-large", span))


def fraction_of(f: Lowering, emit: Callable[[Any], tuple[Value, Value]], when_large: Callable[[Value], None]) -> Joined:
    """A fraction, in 64 bits if it fits so, else in 128 bits and then in lowest terms. `when_large` writes what happens
    if these do not fit either, given whether they do not; it is not called if they always do."""
    narrow = Narrow(f)
    words = emit(narrow)
    if not narrow.beyond:
        return Joined(words)
    results = [Variable(f.code, I64, word) for word in map(number, words)]
    beyond = narrow.beyond[0]
    for flag in narrow.beyond[1:]:
        beyond = f.code.either(beyond, flag)
    with f.code.when(beyond, likely=False):
        found = f.code.call(in_lowest_terms(f.build), emit(Wide(f)))
        over, under, large = (f.code.builder.extract_value(found, place) for place in range(3))
        when_large(large)
        for result, word in zip(results, (over, under), strict=True):
            result.set(word)
    return Joined(tuple(result.get() for result in results))


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
    least, rest = Variable(code, I128), Variable(code, I128)
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


def fractions_compared(f: Lowering, operator: Sign, left: Joined, right: Joined) -> Value:
    (a, b), (c, d) = left.words, right.words
    narrow = Narrow(f)
    pair = narrow.times(a, d), narrow.times(c, b)
    if not narrow.beyond:
        return f.code.compare(operator, *pair)
    whole = Wide(f)
    return f.code.builder.icmp_signed(operator, whole.times(a, d), whole.times(c, b))


def fraction_key(f: Lowering, value: Joined) -> tuple[Value, ...]:
    """Three words that compare one after another as fractions do: the whole number below, and 128 bits of what is above
    it. Denominators have 63 bits, so that no two fractions share them."""
    code, b = f.code, f.code.builder
    over, under = value.words
    whole = rounded(f, over, under, up=False)
    rest, bits = Variable(code, I64), [Variable(code, I64, 0) for _ in range(2)]
    rest.set(code.subtract(over, code.multiply(whole, under)))
    for word in bits:
        with code.count(64):
            doubled = b.shl(rest.get(), number(1))
            reached = b.icmp_unsigned(">=", doubled, number(under))
            rest.set(code.choose(reached, code.subtract(doubled, under), doubled))
            word.set(b.or_(b.shl(word.get(), number(1)), code.number_of(reached)))
    # words are compared with their sign
    return whole, *(b.xor(word.get(), number(LOWEST)) for word in bits)


def lower_to_fraction(f: Lowering, node: tree.ToFraction) -> Joined:
    return as_fraction(given(f, node.number))


def lower_negative(f: Lowering, node: tree.Negative) -> Any:
    value = given(f, node.operand)
    if isinstance(value, Joined):
        return fraction_arithmetic(f, "-", as_fraction(number(0)), value, node.span)
    return checked(f, "-", number(0), value, node.span)


def lower_rounded(f: Lowering, node: tree.Rounded) -> Value:
    operand = node.operand
    if isinstance(operand, tree.Arithmetic) and operand.operator == "/":
        left, right = whole_number(operand.left), whole_number(operand.right)
        if left is not None and right is not None:
            return whole_division(f, operand, given(f, left), given(f, right), node.up)
    value = f.expression(operand)
    if not isinstance(value, Joined):
        return value
    over, under = value.words
    return rounded(f, over, under, node.up)


def rounded(f: Lowering, over: Value, under: Value, up: bool) -> Value:
    if constant_of(under) == 1:
        return over
    quotient, rest = f.code.builder.sdiv(over, under), f.code.builder.srem(over, under)
    if up:
        result = f.code.add(quotient, f.code.number_of(f.code.compare(">", rest, 0)))
    else:
        result = f.code.subtract(quotient, f.code.number_of(f.code.compare("<", rest, 0)))
    most = f.most(over)
    return result if most is None else f.small(result, most + 1)


def whole_number(expr: tree.Expr) -> tree.Expr | None:
    """The whole number that an expression is, though it may stand for a fraction."""
    if isinstance(expr, tree.ToFraction):
        return expr.number
    return expr if expr.type.kind == "number" else None


def whole_division(f: Lowering, node: tree.Arithmetic, left: Value, right: Value, up: bool) -> Value:
    """A division of whole numbers that is rounded at once: no fraction is made."""
    code, b = f.code, f.code.builder
    right, most = divisor(f, right, node.span), f.most(left)
    left = number(left)
    if most is None:
        large = code.both(code.compare("==", left, LOWEST), code.compare("==", right, -1))
        f.fail_when(large, "number-too-large", node.span)
        left = code.choose(large, 0, left)
    quotient, rest = b.sdiv(left, right), b.srem(left, right)
    apart = code.compare("<", b.xor(rest, right), 0)
    off = code.both(code.compare("!=", rest, 0), code.invert(apart) if up else apart)
    result = (code.add if up else code.subtract)(quotient, code.number_of(off))
    return result if most is None else f.small(result, most + 1)


def lower_builtin(f: Lowering, node: tree.Builtin) -> Any:
    match node.name:
        case "chance":
            from trionfi.interpreter.native.policy import lower_chance

            return lower_chance(f, node)
        case "smaller":
            return best_of_all(f, node, "<")
        case "larger":
            return best_of_all(f, node, ">")
        case _:
            assert_never(node.name)


def best_of_all(f: Lowering, node: tree.Builtin, sign: Literal["<", ">"]) -> Any:
    result, *others = [given(f, argument) for argument in node.arguments]
    for value in others:
        result = better_of(f, sign, result, value)
    return result


def better_of(f: Lowering, sign: Literal["<", ">"], left: Any, right: Any) -> Any:
    """The smaller or the larger of two."""
    if isinstance(left, Joined) or isinstance(right, Joined):
        pair = [as_fraction(left), as_fraction(right)]
        less = fractions_compared(f, sign, pair[0], pair[1])
        return Joined(tuple(f.code.choose(less, a, b) for a, b in zip(*(p.words for p in pair), strict=True)))
    result = f.code.choose(f.code.compare(sign, left, right), left, right)
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
