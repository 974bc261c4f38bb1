"""A small structured builder over llvmlite: native code written as loops, ifs and typed loads and stores.

Whole numbers are 64 bits wide while they are computed (`I64`), whatever they take in memory; truths are one bit.
A Python int stands wherever a 64-bit value is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from llvmlite import ir

I1, I8, I16, I32, I64, I128, I256 = (ir.IntType(width) for width in (1, 8, 16, 32, 64, 128, 256))
POINTER = ir.PointerType()
VOID = ir.VoidType()
TRUE, FALSE = ir.Constant(I1, 1), ir.Constant(I1, 0)

Value = Any  # an llvmlite value; the library is untyped
Number = Any  # a 64-bit value, or a Python int
Sign = Literal["<", "<=", ">", ">=", "==", "!="]


def number(value: Number) -> Value:
    """A 64-bit constant of a Python int; anything else as it is."""
    return ir.Constant(I64, value) if isinstance(value, int) else value


def constant_of(value: Number) -> int | None:
    """The Python int behind a constant, else None."""
    if isinstance(value, int):
        return value
    plain = isinstance(value, ir.Constant) and isinstance(value.constant, int)
    return int(value.constant) if plain else None


class Mutable:
    """A value that changes within one call; LLVM turns it into registers."""

    def __init__(self, code: Code, kind: ir.Type, start: Number | None = None) -> None:
        self.code, self.kind = code, kind
        self.pointer = code.room(kind)
        if start is not None:
            self.set(start)

    def get(self) -> Value:
        return self.code.builder.load(self.pointer, typ=self.kind)

    def set(self, value: Number) -> None:
        self.code.builder.store(ir.Constant(self.kind, value) if isinstance(value, int) else value, self.pointer)

    def add(self, amount: Number) -> None:
        self.set(self.code.add(self.get(), amount))


class Loop:
    """A loop being written: where `leave` and `skip` jump to."""

    def __init__(self, code: Code, after: ir.Block, again: ir.Block) -> None:
        self.code, self.after, self.again = code, after, again

    def leave(self) -> None:
        self.code.jump(self.after)

    def skip(self) -> None:
        self.code.jump(self.again)


class Code:
    """The body of one function while it is written, block after block."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.entry = function.append_basic_block("entry")
        self.start = function.append_basic_block("start")
        self.rooms = ir.IRBuilder(self.entry)
        self.builder = ir.IRBuilder(self.start)

    @property
    def arguments(self) -> Sequence[Value]:
        return self.function.args  # type: ignore[no-any-return]

    def finish(self) -> None:
        """Ends the entry block and what is open; call it once, when the body is written."""
        if not self.entry.is_terminated:
            ir.IRBuilder(self.entry).branch(self.start)
        gives_nothing = isinstance(self.function.function_type.return_type, ir.VoidType)
        for block in self.function.blocks:
            if block.is_terminated:
                continue
            if gives_nothing:
                ir.IRBuilder(block).ret_void()
            else:
                ir.IRBuilder(block).unreachable()

    # ---- memory

    def room(self, kind: ir.Type, count: int = 1) -> Value:
        """A place in the call's own memory for `count` values."""
        made = self.rooms.alloca(kind, count if count > 1 else None)
        made.type = POINTER  # pointers are of one kind
        return made

    def at(self, pointer: Value, offset: Number, size: int = 1) -> Value:
        """The address `offset` things of `size` bytes behind `pointer`."""
        constant = constant_of(offset)
        if constant is not None:
            if constant == 0:
                return pointer
            return self.builder.gep(pointer, [number(constant * size)], inbounds=True, source_etype=I8)
        kind = {1: I8, 2: I16, 4: I32, 8: I64}.get(size)
        if kind is None:
            offset, kind = self.builder.mul(offset, number(size)), I8
        return self.builder.gep(pointer, [offset], inbounds=True, source_etype=kind)

    def load(self, kind: ir.IntType, pointer: Value, offset: Number = 0, signed: bool = True) -> Value:
        """A 64-bit value read from the `offset`-th place of `kind`; truths come as one bit."""
        size = max(1, kind.width // 8)
        place = self.at(pointer, offset, size)
        if kind.width == 1:
            return self.builder.trunc(self.builder.load(place, typ=I8), I1)
        value = self.builder.load(place, typ=kind)
        if kind.width == 64:
            return value
        return self.builder.sext(value, I64) if signed else self.builder.zext(value, I64)

    def store(self, kind: ir.IntType, value: Number, pointer: Value, offset: Number = 0) -> None:
        size = max(1, kind.width // 8)
        place = self.at(pointer, offset, size)
        if kind.width == 1:
            self.builder.store(self.builder.zext(value, I8), place)
            return
        value = number(value)
        self.builder.store(self.builder.trunc(value, kind) if kind.width < 64 else value, place)

    def copy(self, to: Value, source: Value, size: Number) -> None:
        """Copies `size` bytes that do not overlap."""
        self._memory("llvm.memcpy.p0.p0.i64", to, source, size)

    def slide(self, to: Value, source: Value, size: Number) -> None:
        """Copies `size` bytes that may overlap."""
        self._memory("llvm.memmove.p0.p0.i64", to, source, size)

    def _memory(self, name: str, to: Value, source: Value, size: Number) -> None:
        kind = ir.FunctionType(VOID, [POINTER, POINTER, I64, I1])
        self.builder.call(declared(self.function.module, name, kind), [to, source, number(size), FALSE])

    def fill(self, to: Value, byte: int, size: Number) -> None:
        kind = ir.FunctionType(VOID, [POINTER, I8, I64, I1])
        function = declared(self.function.module, "llvm.memset.p0.i64", kind)
        self.builder.call(function, [to, ir.Constant(I8, byte), number(size), FALSE])

    # ---- arithmetic (wrapping; checked forms are the lowering's)

    def add(self, left: Number, right: Number) -> Value:
        return self._folded(left, right, int.__add__, self.builder.add)

    def subtract(self, left: Number, right: Number) -> Value:
        return self._folded(left, right, int.__sub__, self.builder.sub)

    def multiply(self, left: Number, right: Number) -> Value:
        return self._folded(left, right, int.__mul__, self.builder.mul)

    def _folded(self, left: Number, right: Number, fold: Callable[[int, int], int], emit: Any) -> Value:
        a, b = constant_of(left), constant_of(right)
        if a is not None and b is not None:
            return number(fold(a, b))
        return emit(number(left), number(right))

    def compare(self, operator: Sign, left: Number, right: Number) -> Value:
        """Signed; `operator` as in Python."""
        return self.builder.icmp_signed(operator, number(left), number(right))

    def choose(self, condition: Value, yes: Value, no: Value) -> Value:
        return self.builder.select(condition, number(yes), number(no))

    def smaller(self, left: Number, right: Number) -> Value:
        return self.choose(self.compare("<", left, right), left, right)

    def larger(self, left: Number, right: Number) -> Value:
        return self.choose(self.compare(">", left, right), left, right)

    def both(self, left: Value, right: Value) -> Value:
        return self.builder.and_(left, right)

    def either(self, left: Value, right: Value) -> Value:
        return self.builder.or_(left, right)

    def invert(self, truth: Value) -> Value:
        return self.builder.xor(truth, TRUE)

    def bit(self, index: Number) -> Value:
        return self.builder.shl(number(1), number(index))

    def has_bit(self, mask: Value, index: Number) -> Value:
        return self.builder.trunc(self.builder.lshr(mask, number(index)), I1)

    def bits(self, mask: Value) -> Value:
        """How many bits are set."""
        return self.builder.ctpop(mask)

    def number_of(self, truth: Value) -> Value:
        return self.builder.zext(truth, I64)

    # ---- control flow

    def block(self, name: str = "") -> ir.Block:
        return self.function.append_basic_block(name)

    def jump(self, block: ir.Block) -> None:
        if not self.builder.block.is_terminated:
            self.builder.branch(block)

    def go_on(self, block: ir.Block) -> None:
        """Writes on in `block`."""
        self.builder.position_at_end(block)

    def branch(self, condition: Value, yes: ir.Block, no: ir.Block, likely: bool | None = None) -> None:
        branch = self.builder.cbranch(condition, yes, no)
        if likely is not None:
            branch.set_weights([2000, 1] if likely else [1, 2000])

    def give(self, value: Value | None = None) -> None:
        """Returns from the function."""
        if self.builder.block.is_terminated:
            return
        if value is None:
            self.builder.ret_void()
        else:
            self.builder.ret(number(value))

    @contextmanager
    def when(self, condition: Value, likely: bool | None = None) -> Iterator[None]:
        inside, after = self.block("when"), self.block("after")
        self.branch(condition, inside, after, likely)
        self.go_on(inside)
        yield
        self.jump(after)
        self.go_on(after)

    @contextmanager
    def otherwise(self, condition: Value) -> Iterator[Callable[[], None]]:
        """`with otherwise(c) as other:` writes what happens if c, then, after `other()`, what happens if not."""
        yes, no, after = self.block("yes"), self.block("no"), self.block("after")
        self.branch(condition, yes, no)
        self.go_on(yes)

        def other() -> None:
            self.jump(after)
            self.go_on(no)

        yield other
        self.jump(after)
        self.go_on(after)

    @contextmanager
    def count(self, high: Number, low: Number = 0) -> Iterator[Value]:
        """A loop for numbers low, low + 1 .. high - 1."""
        with self.counting(high, low) as (index, _):
            yield index

    @contextmanager
    def counting(self, high: Number, low: Number = 0) -> Iterator[tuple[Value, Loop]]:
        """The same, with the loop, so that it may be left."""
        high = number(high)
        test, body, again, after = (self.block(name) for name in ("test", "body", "again", "after"))
        before = self.builder.block
        self.jump(test)
        self.go_on(test)
        index = self.builder.phi(I64)
        index.add_incoming(number(low), before)
        self.branch(self.compare("<", index, high), body, after)
        self.go_on(body)
        yield index, Loop(self, after, again)
        self.jump(again)
        self.go_on(again)
        index.add_incoming(self.builder.add(index, number(1), flags=("nsw",)), again)
        self.jump(test)
        self.go_on(after)

    @contextmanager
    def loop(self) -> Iterator[Loop]:
        """A loop that goes on until it is left."""
        body, after = self.block("loop"), self.block("after")
        self.jump(body)
        self.go_on(body)
        yield Loop(self, after, body)
        self.jump(body)
        self.go_on(after)

    def call(self, function: ir.Function, arguments: Sequence[Number]) -> Value:
        return self.builder.call(function, [number(a) for a in arguments])


def declared(module: ir.Module, name: str, kind: ir.FunctionType) -> ir.Function:
    """The function of that name, declared if it is not yet there."""
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, kind, name)


def table(module: ir.Module, name: str, kind: ir.IntType, values: Sequence[int]) -> Value:
    """A constant array; equal names are one table."""
    if name in module.globals:
        return module.globals[name]
    array = ir.ArrayType(kind, max(1, len(values)))
    result = ir.GlobalVariable(module, array, name)
    result.initializer = ir.Constant(array, list(values) or [0])
    result.global_constant = True
    result.linkage = "internal"
    result.unnamed_addr = True
    result.type = POINTER
    return result


@contextmanager
def function(
    module: ir.Module,
    name: str,
    result: ir.Type,
    parameters: Sequence[ir.Type],
    internal: bool = True,
    attributes: Sequence[str] = (),
) -> Iterator[Code]:
    """Writes a whole function; `with function(...) as code:` and `code.function` is it."""
    kind = ir.FunctionType(result, list(parameters))
    made = declared(module, name, kind)
    if internal:
        made.linkage = "internal"
    made.attributes.add("nounwind")
    for attribute in attributes:
        made.attributes.add(attribute)
    code = Code(made)
    yield code
    code.finish()
