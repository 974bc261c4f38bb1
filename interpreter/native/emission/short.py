"""Short lists of bytes, 32 at once: copied and searched without branches.

Most lists of cards are short, and where a card stands in them cannot be foretold. What lies behind a list is read and
written, too: there is room for 32 bytes wherever a deck has so many cards.
"""

from __future__ import annotations

from llvmlite import ir as llvm

from trionfi.interpreter.native.builder import FALSE, I8, I32, I64, Code, Mutable, Value, number
from trionfi.interpreter.native.layout import Layout

__all__ = ["are_short", "copy_short", "place_of_byte"]

CHUNK = 32
VECTOR = llvm.VectorType(I8, CHUNK)


def are_short(layout: Layout, element: llvm.IntType) -> bool:
    """Whether lists of such things may be worked on so many at once."""
    return element is I8 and layout.cards.count >= CHUNK


def copy_short(code: Code, to: Value, source: Value, count: Value) -> None:
    """So many bytes; both places have room for 32."""
    with code.otherwise(code.compare("<=", count, CHUNK)) as other:
        code.builder.store(code.builder.load(source, typ=VECTOR, align=1), to, align=1)
        other()
        code.slide(to, source, count)


def splat(code: Code, byte: Value) -> Value:
    b, nothing = code.builder, llvm.Constant(VECTOR, llvm.Undefined)
    one = b.insert_element(nothing, b.trunc(number(byte), I8), llvm.Constant(I32, 0))
    return b.shuffle_vector(one, nothing, llvm.Constant(llvm.VectorType(I32, CHUNK), [0] * CHUNK))


def place_of_byte(code: Code, pointer: Value, count: Value, byte: Value) -> Value:
    """Where a byte stands first among so many; -1 if it does not."""
    b, found = code.builder, Mutable(code, I64, -1)
    same = b.bitcast(b.icmp_unsigned("==", b.load(pointer, typ=VECTOR, align=1), splat(code, byte)), I32)
    first = b.cttz(b.zext(same, I64), FALSE)  # 64 if there is none
    found.set(code.choose(code.compare("<", first, code.smaller(count, CHUNK)), first, -1))
    longer = code.both(code.compare("<", found.get(), 0), code.compare(">", count, CHUNK))
    with code.when(longer, likely=False), code.counting(count, CHUNK) as (index, loop):
        with code.when(code.compare("==", code.load(I8, pointer, index, signed=False), byte)):
            found.set(index)
            loop.leave()
    return found.get()
