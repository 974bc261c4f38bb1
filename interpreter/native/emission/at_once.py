"""Loops over seats that are written for all seats at once (lanes.py), where they are fit for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from trionfi.core import ir
from trionfi.core.types import Kind
from trionfi.interpreter.native.emission.emitter import Emitter, Unfit
from trionfi.interpreter.native.emission.lanes import SeatLanes

__all__ = ["at_once"]

FEW, MANY = 8, 16  # lanes; where there may be more seats than few, all is written for many, too


def at_once(e: Emitter, node: ir.Each, slowly: Callable[[], None]) -> bool:
    """Writes the loop for all seats at once, and `slowly` for where a guard is up; false if it is not fit for that."""
    if e.build.watched or node.source.type.kind is not Kind.SEATS:
        return False
    with speculative(e) as kept:
        slow, after = e.code.block("slowly"), e.code.block("after")
        for count in counts(e):
            written = write_lanes(e, node, count, slow, after)
            if written is None:
                break
            e.code.go_on(written)
        else:
            e.code.jump(slow)
        kept.append(after)
    if not kept:
        return False
    e.code.go_on(slow)
    slowly()
    e.code.jump(after)
    e.code.go_on(after)
    return True


def counts(e: Emitter) -> list[int]:
    """How many lanes there may be: few, and as many as there can be seats, unless these are very many."""
    most = max(4, 1 << (e.layout.seats - 1).bit_length())
    return [most] if most <= FEW else [FEW, most] if most <= MANY else [FEW]


def write_lanes(e: Emitter, node: ir.Each, count: int, slow: Any, after: Any) -> Any:
    """Writes the loop with so many lanes; gives where to go on if there are too few, None if they are always enough."""
    code, more, test = e.code, e.code.block("more"), e.code.builder.block
    code.go_on(code.block("at_once"))
    start = code.builder.block
    loop = SeatLanes(e, node, count)
    loop.run(e.value(node.source))
    guard = loop.guard()
    if guard is not None:
        fast = code.block("at_once")
        code.branch(guard, slow, fast, likely=False)
        code.go_on(fast)
    loop.write()
    code.jump(after)
    code.go_on(test)
    if not loop.widths or count >= e.layout.seats:
        code.jump(start)
        return None
    code.branch(code.compare("<=", e.seats, count), start, more)
    return more


@contextmanager
def speculative(e: Emitter) -> Iterator[list[Any]]:
    """Blocks that are thrown away again if what is written in them is unfit; kept if something is noted."""
    code, before = e.code, e.code.builder.block
    count, names, start = len(code.function.blocks), dict(e.names), code.block("seats")
    kept: list[Any] = []
    code.go_on(start)
    try:
        yield kept
    except Unfit:
        kept.clear()
    e.names = names
    if not kept:
        del code.function.blocks[count:]
        code.go_on(before)
        return
    code.go_on(before)
    code.jump(start)
