"""Machine words in lanes: straight-line bit tricks that read like arithmetic.

A `Word` is one i64, or a vector of them (one lane a hand); a `Truth` is an i1 or a vector of those. The same emitter
writes both: it says what happens in one lane and never asks how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from llvmlite import ir

I1 = ir.IntType(1)
I8 = ir.IntType(8)
I32 = ir.IntType(32)
I64 = ir.IntType(64)

FULL = (1 << 64) - 1


def ones(count: int) -> int:
    """A mask of the `count` lowest bits."""
    return (1 << count) - 1


class Lanes:
    """Where words are made: a builder, and how many lanes a word has (1: a plain i64)."""

    def __init__(self, builder: ir.IRBuilder, count: int = 1) -> None:
        self.builder = builder
        self.count = count
        self.type: ir.Type = I64 if count == 1 else ir.VectorType(I64, count)
        self.truth_type: ir.Type = I1 if count == 1 else ir.VectorType(I1, count)

    def constant(self, number: int) -> Word:
        """The same number in every lane."""
        signed = number if number < 1 << 63 else number - (1 << 64)
        return Word(self, self._splat(self.type, I64, signed))

    def truth(self, holds: bool) -> Truth:
        return Truth(self, self._splat(self.truth_type, I1, int(holds)))

    def _splat(self, whole: ir.Type, part: ir.Type, number: int) -> ir.Value:
        if self.count == 1:
            return ir.Constant(part, number)
        return ir.Constant(whole, [ir.Constant(part, number)] * self.count)

    @cached_property
    def zero(self) -> Word:
        return self.constant(0)

    @cached_property
    def never(self) -> Truth:
        return self.truth(False)

    @cached_property
    def always(self) -> Truth:
        return self.truth(True)

    def wrap(self, value: ir.Value) -> Word:
        return Word(self, value)

    def load(self, address: ir.Value) -> Word:
        """The words of all lanes, side by side in memory."""
        return Word(self, self.builder.load(address, typ=self.type, align=8))

    def store(self, word: Word, address: ir.Value) -> None:
        self.builder.store(word.value, address, align=8)

    def broadcast(self, value: ir.Value) -> Word:
        """One i64 in every lane."""
        if self.count == 1:
            return Word(self, value)
        undefined = ir.Constant(self.type, ir.Undefined)
        first = self.builder.insert_element(undefined, value, ir.Constant(I32, 0))
        order = ir.Constant(ir.VectorType(I32, self.count), [ir.Constant(I32, 0)] * self.count)
        return Word(self, self.builder.shuffle_vector(first, undefined, order))

    def reduce(self, name: str, word: Word) -> ir.Value:
        """One i64 from all lanes: `llvm.vector.reduce.smax`, `smin`."""
        if self.count == 1:
            return word.value
        return self.builder.call(intrinsic(self.builder.module, name, self.type, I64), [word.value])

    def call_each(self, name: str, word: Word, *more: ir.Value) -> Word:
        function = intrinsic(self.builder.module, name, self.type, self.type, *(value.type for value in more))
        return Word(self, self.builder.call(function, [word.value, *more]))


class Word:
    """64 bits in each lane, unsigned unless it says otherwise."""

    __slots__ = ("lanes", "value")

    def __init__(self, lanes: Lanes, value: ir.Value) -> None:
        self.lanes = lanes
        self.value = value

    def _other(self, other: Word | int) -> ir.Value:
        return other.value if isinstance(other, Word) else self.lanes.constant(other).value

    def _is(self, number: int) -> bool:
        """A constant of this value: known while emitting, so that nothing is emitted for it."""
        constant = self.value
        if not isinstance(constant, ir.Constant):
            return False
        held = constant.constant if self.lanes.count == 1 else constant.constant[0].constant
        return bool(held == number)

    def __and__(self, other: Word | int) -> Word:
        if self._is(0) or (isinstance(other, Word) and other._is(0)):
            return self.lanes.zero
        return Word(self.lanes, self.lanes.builder.and_(self.value, self._other(other)))

    def __or__(self, other: Word | int) -> Word:
        if isinstance(other, Word) and other._is(0):
            return self
        if self._is(0) and isinstance(other, Word):
            return other
        return Word(self.lanes, self.lanes.builder.or_(self.value, self._other(other)))

    def __xor__(self, other: Word | int) -> Word:
        return Word(self.lanes, self.lanes.builder.xor(self.value, self._other(other)))

    def __invert__(self) -> Word:
        return self ^ FULL

    def without(self, other: Word) -> Word:
        """The bits that the other has not."""
        return self if other._is(0) else self & ~other

    def __add__(self, other: Word | int) -> Word:
        return Word(self.lanes, self.lanes.builder.add(self.value, self._other(other)))

    def __sub__(self, other: Word | int) -> Word:
        return Word(self.lanes, self.lanes.builder.sub(self.value, self._other(other)))

    def __mul__(self, other: Word | int) -> Word:
        return Word(self.lanes, self.lanes.builder.mul(self.value, self._other(other)))

    def __lshift__(self, amount: Word | int) -> Word:
        if isinstance(amount, int) and amount == 0:
            return self
        return Word(self.lanes, self.lanes.builder.shl(self.value, self._other(amount)))

    def __rshift__(self, amount: Word | int) -> Word:
        if isinstance(amount, int) and amount == 0:
            return self
        return Word(self.lanes, self.lanes.builder.lshr(self.value, self._other(amount)))

    def is_zero(self) -> Truth:
        return self.lanes.always if self._is(0) else self._compare("==", 0)

    def is_set(self) -> Truth:
        """Any bit is set."""
        return self.lanes.never if self._is(0) else self._compare("!=", 0)

    def equals(self, other: Word | int) -> Truth:
        return self._compare("==", other)

    def at_least(self, other: Word | int) -> Truth:
        return self._compare(">=", other)

    def at_most(self, other: Word | int) -> Truth:
        return self._compare("<=", other)

    def below(self, other: Word | int) -> Truth:
        return self._compare("<", other)

    def above(self, other: Word | int) -> Truth:
        return self._compare(">", other)

    def _compare(self, operator: str, other: Word | int) -> Truth:
        """As signed numbers."""
        return Truth(self.lanes, self.lanes.builder.icmp_signed(operator, self.value, self._other(other)))

    def greater(self, other: Word) -> Word:
        """The greater of both, as signed numbers."""
        return self.at_least(other).choose(self, other)

    def smaller(self, other: Word) -> Word:
        return self.at_most(other).choose(self, other)

    def count(self) -> Word:
        """How many bits are set."""
        return self.lanes.zero if self._is(0) else self.lanes.call_each("llvm.ctpop", self)

    def height(self) -> Word:
        """One more than the number of the highest bit; 0 if none is set."""
        return self if self._is(0) else self.lanes.constant(64) - self._leading()

    def peel(self) -> tuple[Word, Word]:
        """The height, and the highest bit alone (bit 63 if none is set)."""
        if self._is(0):
            return self, self.lanes.constant(1 << 63)
        leading = self._leading()
        # a shift by 64 would be undefined
        return self.lanes.constant(64) - leading, self.lanes.constant(1 << 63) >> (leading & 63)

    def _leading(self) -> Word:
        return self.lanes.call_each("llvm.ctlz", self, ir.Constant(I1, 0))


class Truth:
    """Yes or no in each lane."""

    __slots__ = ("lanes", "value")

    def __init__(self, lanes: Lanes, value: ir.Value) -> None:
        self.lanes = lanes
        self.value = value

    @property
    def always(self) -> bool:
        """Known to hold while emitting."""
        return self.value is self.lanes.always.value

    @property
    def never(self) -> bool:
        """Known not to hold while emitting."""
        return self.value is self.lanes.never.value

    def __and__(self, other: Truth) -> Truth:
        if self.always or other.never:
            return other
        if other.always or self.never:
            return self
        return Truth(self.lanes, self.lanes.builder.and_(self.value, other.value))

    def __or__(self, other: Truth) -> Truth:
        return Truth(self.lanes, self.lanes.builder.or_(self.value, other.value))

    def __invert__(self) -> Truth:
        return Truth(self.lanes, self.lanes.builder.xor(self.value, self.lanes.always.value))

    def choose(self, yes: Word | int, no: Word | int) -> Word:
        """Lane by lane the one or the other."""
        if self.always and isinstance(yes, Word):
            return yes
        chosen = yes if isinstance(yes, Word) else self.lanes.constant(yes)
        other = no if isinstance(no, Word) else self.lanes.constant(no)
        return Word(self.lanes, self.lanes.builder.select(self.value, chosen.value, other.value))

    def keep(self, word: Word) -> Word:
        """The word where this holds, else 0."""
        return self.choose(word, self.lanes.zero)

    def number(self) -> Word:
        """1 or 0."""
        return Word(self.lanes, self.lanes.builder.zext(self.value, self.lanes.type))

    def any_lane(self) -> ir.Value:
        """Holds in a lane at least, as an i1."""
        if self.lanes.count == 1:
            return self.value
        name, builder = "llvm.vector.reduce.or", self.lanes.builder
        return builder.call(intrinsic(builder.module, name, self.lanes.truth_type, I1), [self.value])


def all_of(lanes: Lanes, truths: Sequence[Truth]) -> Truth:
    """All hold (none given: yes)."""
    result = lanes.always
    for truth in truths:
        result = result & truth
    return result


def intrinsic(module: ir.Module, name: str, operand: ir.Type, result: ir.Type, *more: ir.Type) -> ir.Function:
    """An intrinsic for this type of operand, declared once a module."""
    full = f"{name}.{_suffix(operand)}"
    known = module.globals.get(full)
    if known is not None:
        return known
    return ir.Function(module, ir.FunctionType(result, [operand, *more]), full)


def _suffix(kind: ir.Type) -> str:
    if isinstance(kind, ir.VectorType):
        return f"v{kind.count}{_suffix(kind.element)}"
    return f"i{kind.width}"
