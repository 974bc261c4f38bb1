"""What is known of all seats at once: a truth is a mask with a bit a seat, a number a vector with a lane a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir as llvm

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import I1, I32, I64, Value, constant_of, declared, number
from trionfi.interpreter.native.emission.emitter import Emitter, Unfit

SAFE = 1 << 55  # numbers of at most this size may be added up, lane by lane, without leaving 64 bits


@dataclass(frozen=True, slots=True)
class Mask:
    """A truth of each seat. `own`: what it is of the seat of the loop around, if that differs: then `bits` is of all
    other seats."""

    bits: Value
    own: Value | None = None


@dataclass(frozen=True, slots=True)
class SeatNumbers:
    """A number of each seat."""

    lanes: Value


@dataclass(frozen=True, slots=True)
class Grown:
    """A variable outside, or one of the table's, with something added to it."""

    name: str
    by: Any


class Outer:
    """The seat of the loop around."""


LANE, OUTER = SeatNumbers(None), Outer()


def is_number(value: Any) -> bool:
    return isinstance(value, llvm.Value) and value.type == I64


def is_truth(value: Any) -> bool:
    return isinstance(value, Mask) or (isinstance(value, llvm.Value) and value.type == I1)


class SeatValues:
    """Values of all seats in one piece of code, of `count` lanes. Where a *guard* is up nothing counts."""

    def __init__(self, e: Emitter, count: int, path: Mask, guards: list[Value], widths: set[int]) -> None:
        self.e, self.code, self.count, self.path = e, e.code, count, path
        self.guards, self.widths = guards, widths  # `widths`: of the vectors that are needed

    @property
    def b(self) -> Any:
        return self.code.builder

    # ---- shapes

    def vector(self, element: llvm.Type = I64) -> llvm.VectorType:
        self.widths.add(self.count)
        return llvm.VectorType(element, self.count)

    def spread(self, value: Value) -> Value:
        """One number in all lanes."""
        constant = constant_of(value)
        kind = self.vector()
        if constant is not None:
            return llvm.Constant(kind, [constant] * self.count)
        one = self.b.insert_element(llvm.Constant(kind, llvm.Undefined), value, llvm.Constant(I32, 0))
        zeros = llvm.Constant(self.vector(I32), [0] * self.count)
        return self.b.shuffle_vector(one, llvm.Constant(kind, llvm.Undefined), zeros)

    def bits(self, truths: Value) -> Value:
        """A mask of a vector of truths."""
        return self.b.zext(self.b.bitcast(truths, llvm.IntType(self.count)), I64)

    def truths(self, bits: Value) -> Value:
        """A vector of truths of a mask."""
        return self.b.bitcast(self.b.trunc(bits, llvm.IntType(self.count)), self.vector(I1))

    def lanes(self, value: Any) -> Value:
        if value is LANE:
            return llvm.Constant(self.vector(), list(range(self.count)))
        if isinstance(value, SeatNumbers):
            return value.lanes
        if isinstance(value, Mask | Grown | Outer) or not is_number(value):
            raise Unfit
        return self.spread(value)

    def mask(self, value: Any) -> Mask:
        if isinstance(value, Mask):
            return value
        if not isinstance(value, llvm.Value) or value.type != I1:
            raise Unfit
        constant = constant_of(value)
        if constant is not None:
            return Mask(number(-1 if constant else 0))
        return Mask(self.code.choose(value, -1, 0))

    def joined(self, emit: Callable[..., Value], *masks: Mask) -> Mask:
        bits = emit(*(one.bits for one in masks))
        if all(one.own is None for one in masks):
            return Mask(bits)
        return Mask(bits, emit(*(one.bits if one.own is None else one.own for one in masks)))

    def and_(self, one: Value, other: Value) -> Value:
        known = constant_of(one), constant_of(other)
        if 0 in known:
            return number(0)
        return other if known[0] == -1 else one if known[1] == -1 else self.b.and_(one, other)

    def not_(self, one: Value) -> Value:
        known = constant_of(one)
        return self.b.not_(one) if known is None else number(~known)

    def both(self, one: Mask, other: Mask) -> Mask:
        return self.joined(self.and_, one, other)

    def others(self, one: Mask) -> Mask:
        return self.joined(self.not_, one)

    def is_wide(self, value: Any) -> bool:
        return isinstance(value, Mask | SeatNumbers | Grown | Outer)

    # ---- choices

    def chosen(self, by: Any, new: Any, old: Any) -> Any:
        if not self.is_wide(by) and not self.is_wide(new) and not self.is_wide(old):
            return self.code.choose(by, new, old)
        which = self.mask(by)
        if is_truth(new) or is_truth(old):
            return self.one_of(which, self.mask(new), self.mask(old))
        if which.own is not None:
            raise Unfit
        if isinstance(new, llvm.Value) and isinstance(old, llvm.Value) and new is old:
            return new
        return SeatNumbers(self.b.select(self.truths(which.bits), self.lanes(new), self.lanes(old)))

    def one_of(self, which: Mask, new: Mask, old: Mask) -> Mask:
        known = constant_of(new.bits), constant_of(old.bits)
        if new.own is None and old.own is None and known in ((-1, 0), (0, -1)):
            return which if known == (-1, 0) else self.others(which)
        if old.own is None and known[1] == 0:
            return self.both(which, new)
        b = self.b
        return self.joined(lambda w, n, o: b.xor(o, b.and_(w, b.xor(n, o))), which, new, old)

    # ---- guards

    def raise_where(self, bad: Mask) -> None:
        raised = self.both(self.path, bad)
        bits = raised.bits if raised.own is None else self.b.or_(raised.bits, raised.own)
        if constant_of(bits) != 0:
            self.guards.append(bits)

    def guard(self) -> Value | None:
        """Whether a guard is up."""
        if not self.guards:
            return None
        raised = self.guards[0]
        for one in self.guards[1:]:
            raised = self.b.or_(raised, one)
        return self.code.compare("!=", raised, 0)

    def reduced(self, name: str, vector: Value) -> Value:
        kind = llvm.FunctionType(I64, [vector.type])
        made = declared(self.e.build.module, f"llvm.vector.reduce.{name}.v{self.count}i64", kind)
        return self.b.call(made, [vector])

    # ---- variables of players

    def write_all(self, variable: tree.Variable, who: Mask, what: Any) -> None:
        e, b, name = self.e, self.b, f"variable {variable.name}"
        field = e.layout[name]
        if variable.type.kind == "truth":
            old = e.field(name)
            e.set_field(name, b.xor(old, b.and_(who.bits, b.xor(old, self.mask(what).bits))))
            return
        kind, lanes = self.vector(field.kind), self.lanes(what)
        old = b.load(e.address(name), typ=kind, align=field.size)
        new = lanes if field.kind is I64 else b.trunc(lanes, kind)
        written = b.select(self.truths(who.bits), new, old)
        if self.count <= e.layout.seats:
            b.store(written, e.address(name), align=field.size)
            return
        there = llvm.Constant(self.vector(I1), [int(lane < e.layout.seats) for lane in range(self.count)])
        width = int(field.kind.width)
        store = declared(
            e.build.module,
            f"llvm.masked.store.v{self.count}i{width}.p0",
            llvm.FunctionType(llvm.VoidType(), [kind, e.address(name).type, I32, there.type]),
        )
        b.call(store, [written, e.address(name), llvm.Constant(I32, field.size), there])


# ---- operations
