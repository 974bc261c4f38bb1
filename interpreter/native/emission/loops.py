"""Loops over numbers, lists and seats. Where somebody may be asked in one, how far it has come lies in the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from trionfi.core import ir
from trionfi.core.ops import Memory, Op
from trionfi.core.types import INT, Kind
from trionfi.interpreter.native.builder import FALSE, I64, Loop, Mutable, Number, Value, number
from trionfi.interpreter.native.emission.at_once import at_once
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.lists import gather_row
from trionfi.interpreter.native.emission.values import (
    Items,
    ListVariable,
    RecordWord,
    copy_items,
    item_at,
    most_items,
    reserved,
)

__all__ = ["count", "each"]


def stops(e: Emitter, block: ir.Block) -> bool:
    return e.liveness is not None and e.liveness.stops(block)


def kept_word(e: Emitter, value: Number) -> RecordWord:
    word = RecordWord(e, I64, reserved(e.layout, INT))
    word.set(value)
    return word


@contextmanager
def counting(e: Emitter, body: ir.Block, high: Number, low: Number = 0) -> Iterator[tuple[Value, Loop]]:
    """From `low` up to, not including, `high`."""
    code = e.code
    if not stops(e, body):
        with code.counting(high, low) as found:
            yield found
        return
    index, end = kept_word(e, low), kept_word(e, high)
    head, inside, again, after = (code.block(name) for name in ("count", "body", "again", "after"))
    code.jump(head)
    code.go_on(head)
    here = index.get()
    code.branch(code.compare("<", here, end.get()), inside, after)
    code.go_on(inside)
    yield here, Loop(code, after, again)
    code.jump(again)
    code.go_on(again)
    index.add(1)
    code.jump(head)
    code.go_on(after)


def count(e: Emitter, node: ir.For) -> None:
    low, high = e.value(node.low), e.value(node.high)
    most = e.most(high)
    with counting(e, node.body, high, low) as (index, loop), e.labelled(node.label, loop):
        e.bind(node.name, index if most is None else e.small(index, most))
        e.block(node.body)


def each(e: Emitter, node: ir.Each) -> None:
    if node.source.type.kind is Kind.SEATS:
        if not at_once(e, node, lambda: each_seat(e, node)):
            each_seat(e, node)
        return
    if node.source.type.kind is Kind.ZONES and gather_row(e, node):
        return
    things = own_things(e, node, e.value(node.source))
    with counting(e, node.body, things().count) as (index, loop), e.labelled(node.label, loop):
        e.bind(node.name, item_at(e, things(), index))
        e.block(node.body)


def own_things(e: Emitter, node: ir.Each, items: Items) -> Callable[[], Items]:
    """The things as they were when the loop began; it is written again wherever they are read."""
    if stops(e, node.body):
        kept = ListVariable(e, node.source.type, reserved(e.layout, node.source.type))
        kept.store(items)
        return kept.load
    if not changes(e, node):
        return lambda: items
    room = e.code.room(items.element, most_items(e.layout, node.source.type))
    copy_items(e, room, items)
    own = Items(room, items.count, items.element, items.signed)
    return lambda: own


def changes(e: Emitter, node: ir.Each) -> bool:
    """Whether the body of a loop may change the list that it goes over."""
    source = node.source
    if isinstance(source, ir.Name) and isinstance(e.names[source.text], ListVariable):
        touched = (s for s in ir.walk(node.body) if isinstance(s, ir.Set | ir.Push | ir.Var))
        return any(s.name.text == source.text for s in touched)
    return e.value(source).zone is not None and e.writes(node.body, Memory.ZONES)


# ---- seats


def each_seat(e: Emitter, node: ir.Each) -> None:
    """Seats from `start` on: the set is turned so that it comes first, then its bits are gone over."""
    code, b = e.code, e.code.builder
    made = e.facts.let_of(node.source)
    if made is not None and made.op is Op.EVERYONE:
        each_of_all(e, node)
        return
    mask, seats = e.value(node.source), e.seats
    start = number(0) if node.start is None else e.value(node.start)
    if node.start is not None:
        turned = b.or_(b.lshr(mask, start), b.shl(mask, code.subtract(seats, start)))
        mask = b.and_(turned, code.subtract(code.bit(seats), 1))
    is_kept = stops(e, node.body)
    left = kept_word(e, mask) if is_kept else Mutable(code, I64, mask)
    first = kept_word(e, start) if is_kept and node.start is not None else None
    with code.loop() as loop, e.labelled(node.label, loop):
        here, inside = left.get(), code.block("seat")
        code.branch(code.compare("==", here, 0), loop.after, inside)
        code.go_on(inside)
        left.set(code.builder.and_(here, code.subtract(here, 1)))
        name_seat(e, node, code.builder.cttz(here, FALSE), start if first is None else first.get())
        e.block(node.body)


def each_of_all(e: Emitter, node: ir.Each) -> None:
    start = number(0) if node.start is None else e.value(node.start)
    first = kept_word(e, start) if stops(e, node.body) and node.start is not None else None
    with counting(e, node.body, e.seats) as (index, loop), e.labelled(node.label, loop):
        name_seat(e, node, index, start if first is None else first.get())
        e.block(node.body)


def name_seat(e: Emitter, node: ir.Each, index: Value, start: Value) -> None:
    code, seat = e.code, index
    if node.start is not None:
        on = code.add(index, start)
        seat = code.choose(code.compare(">=", on, e.seats), code.subtract(on, e.seats), on)
    e.bind(node.name, seat)
