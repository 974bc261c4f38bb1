"""Decisions. What is offered stands as a list of 64-bit *entries*: of a pick the thing (and, 16 bits up, its place in
the list of things), of a menu the line and, 16 bits each, the things that the line is about (of more than three as many
bits as each needs).

Watched, a decision notes itself in the header and returns; else it asks a policy in place.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_OPTIONS
from trionfi.dsl.source import Span
from trionfi.interpreter.native.access import face_of
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I16, I64, I128, TRUE, Mutable, Number, Value, number
from trionfi.interpreter.native.layout import ASKING
from trionfi.interpreter.native.module import DecisionSite

DONE = -2  # the entry that ends a choice of several
MOST_IN_CALL = 4096  # entries that lie in a call's own memory
MOST_LINES = 30  # of a menu that is told by which of them are offered

# ---- asking


class Offer:
    """The entries of one decision while they are listed."""

    def __init__(self, f: Body, most: int, span: Span) -> None:
        self.f, self.span, self.limited = f, span, most > MOST_OPTIONS
        # one more is written than counts, where a line is not offered
        most = min(most, MOST_OPTIONS) + 1
        f.build.most_entries = max(f.build.most_entries, most)
        in_record = f.build.watched or most > MOST_IN_CALL
        self.room = None if in_record else f.code.room(I64, max(2, most))
        self.count = Mutable(f.code, I64, 0)
        self.lines = Mutable(f.code, I64, 0)

    @property
    def pointer(self) -> Value:
        if self.room is not None:
            return self.room
        offset = self.f.code.builder.load(self.f.build.entries_offset(), typ=I64)
        return self.f.code.at(self.f.state, offset)

    def add(self, entry: Number, condition: Value | None = None) -> None:
        """Offers an entry, if the condition holds."""
        code = self.f.code
        if self.limited:
            self._check_room(condition)
        code.store(I64, entry, self.pointer, self.count.get())
        more = number(1) if condition is None else code.number_of(condition)
        self.count.set(code.builder.add(self.count.get(), more))

    def _check_room(self, condition: Value | None) -> None:
        code = self.f.code
        full = code.compare(">=", self.count.get(), MOST_OPTIONS)
        with code.when(full if condition is None else code.both(full, condition), likely=False):
            self.f.fail_when(TRUE, "too-many-options", self.span)
            code.give(self.f.leaving)
        # where the condition does not hold, what is written there counts for nothing
        self.count.set(code.smaller(self.count.get(), MOST_OPTIONS))

    def entry(self, index: Value) -> Value:
        return self.f.code.load(I64, self.pointer, index)


def stop_to_ask(f: Body, site: DecisionSite, player: Value, count: Value, offer: Offer | None) -> Value:
    f.set_field("status", ASKING)
    f.set_field("site", site.number)
    f.set_field("player", player)
    f.set_field("offered", count)
    f.set_field("entries", offer.count.get() if offer is not None else 0)
    f.set_field("lines", offer.lines.get() if offer is not None and is_plain(site.node) else 0)
    point, block = f.point()
    f.note_point(point)
    f.code.give(TRUE)
    f.code.go_on(block)
    return f.field("choice")


def is_plain(node: tree.Statement) -> bool:
    """A menu whose labels are as written: which lines are offered says all."""
    if not isinstance(node, tree.Menu) or len(node.items) > MOST_LINES:
        return False
    return all(not item.domains and all(isinstance(p, str) for p in item.label.parts) for item in node.items)


# ---- picks


def note_picks(f: Body, picked: Number, left: Number) -> None:
    if f.build.watched:
        f.set_field("picked", picked)
        f.set_field("left", left)


def alike(f: Body, one: Value, other: Value, player: Value) -> Value:
    """Copies of one face in one orientation, both known to the player."""
    faces = f.code.compare("==", face_of(f, one), face_of(f, other))
    sides = f.code.compare("==", f.field("reversed", one), f.field("reversed", other))
    known = f.code.builder.and_(f.field("known", one), f.field("known", other))
    return f.code.both(f.code.both(faces, sides), f.code.has_bit(known, player))


def low_bits(f: Body, entry: Value) -> Value:
    return f.code.builder.and_(entry, number(0xFFFF))


def group_copies(f: Body, kind: ir.IntType, numbers: Value, size: Value, same: Callable[[Value, Value], Value]) -> None:
    """Copies are put side by side, where the first of them stands."""
    width, end = int(kind.width) // 8, Mutable(f.code, I64, 0)
    with f.code.loop() as loop:
        with f.code.when(f.code.compare(">=", end.get(), size)):
            loop.leave()
        first = f.code.load(kind, numbers, end.get(), signed=kind is I16)
        end.add(1)
        with f.code.count(size, end.get()) as index:
            other = f.code.load(kind, numbers, index, signed=kind is I16)
            with f.code.when(same(first, other)):
                place = f.code.at(numbers, end.get(), width)
                gap = f.code.multiply(f.code.subtract(index, end.get()), width)
                f.code.slide(f.code.at(place, width), place, gap)
                f.code.store(kind, other, place)
                end.add(1)


# ---- numbers, orientations


def stepped(f: Body, chosen: Value) -> Value:
    """The number after so many steps from the lowest; the last step may be a short one."""
    b, (low, high, step) = f.code.builder, (f.field(name) for name in ("low", "high", "step"))
    above = b.mul(b.zext(chosen, I128), b.zext(step, I128))
    short = b.icmp_unsigned(">", above, b.zext(f.code.subtract(high, low), I128))
    return f.code.choose(short, high, f.code.add(low, b.trunc(above, I64)))
