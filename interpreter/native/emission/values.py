"""What values of the core are in LLVM, and where variables are kept.

A number is 64 bits (none: the least), a reference too (none: -1), a truth one bit, a set of seats a mask. A list is
where its things lie and how many there are. Fractions, totals and hands are several words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from trionfi.core.types import CoreType, Kind
from trionfi.dsl.types import PLAYS, Type
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import FALSE, I1, I16, I64, I128, POINTER, TRUE, Mutable, Number, Value, number
from trionfi.interpreter.native.emission.short import are_short, copy_short
from trionfi.interpreter.native.layout import Layout
from trionfi.interpreter.native.module import NO_NUMBER
from trionfi.interpreter.native.play_record import most_things
from trionfi.interpreter.native.values import ArrangementAt, CardList, Compound

__all__ = [
    "Items",
    "ListVariable",
    "PlainVariable",
    "RecordWord",
    "SetsVariable",
    "copy_items",
    "element_of",
    "in_room",
    "item_at",
    "most_items",
    "parts_of",
    "reserved",
    "room_size",
    "type_kinds",
    "value_of",
    "variable",
]

JOINED = (Kind.FRACTION, Kind.TOTAL, Kind.HAND)


@dataclass(frozen=True, slots=True)
class Items:
    """A list. `zone`: they are all the cards of that zone, where they lie; `first`: numbers one behind the other, which
    lie nowhere; `row`: its things are lists, each of so many bytes: its length, then its own things."""

    pointer: Value
    count: Value
    element: ir.IntType
    signed: bool
    zone: Value | None = None
    first: Value | None = None
    row: int = 0

    @property
    def size(self) -> int:
        """Bytes that a thing takes."""
        return self.row or max(1, int(self.element.width) // 8)

    def cards(self) -> CardList:
        return CardList(self.pointer, self.count, self.zone)


def element_of(layout: Layout, kind: CoreType) -> tuple[ir.IntType, bool]:
    """How the things of a list are stored, and whether with a sign."""
    inner = kind.element
    if inner.is_list:
        return element_of(layout, inner)
    if inner.kind is Kind.CARD and not inner.optional:
        return layout.card_kind, False
    return (I64, True) if inner.kind in (Kind.INT, Kind.SEATS, Kind.BOOL, Kind.TARGET) else (I16, True)


def most_items(layout: Layout, kind: CoreType) -> int:
    """How many things a list can hold."""
    inner = kind.element.kind
    if kind.kind is Kind.SETS:
        return layout.cards.count
    if kind.element.is_list:
        return layout.seats  # of secret choices
    most = {Kind.ZONE: layout.zones, Kind.SEAT: layout.seats, Kind.PLAY: layout.most_in(PLAYS)}
    if inner is Kind.TARGET:
        return most_things(layout.rules, layout.cards.count) + 2
    return max(2, most.get(inner, max(layout.cards.count, layout.zones, 64)) + 2)


def row_size(layout: Layout, kind: CoreType) -> int:
    """Bytes of a list that stands in a list of lists; 0 for things that are no lists."""
    inner = kind.element
    return layout.list_size(most_items(layout, inner), element_of(layout, inner)[0]) if inner.is_list else 0


def words_of(layout: Layout, kind: CoreType) -> int:
    """64-bit words of a value of several."""
    return layout.words_of(Type({Kind.FRACTION: "fraction", Kind.TOTAL: "total"}.get(kind.kind, "hand"), kind.name))


def type_kinds(layout: Layout, kind: CoreType) -> list[ir.Type]:
    """LLVM types of the parts of a value."""
    if kind.is_list:
        return [POINTER, I64]
    if kind.kind in JOINED:
        return [I64] * words_of(layout, kind)
    if kind.kind is Kind.WIDE:
        return [I128]
    if kind.kind is Kind.PLACES:
        return [layout.mask_kind]
    if kind.kind is Kind.ARRANGEMENT:
        return [POINTER]
    assert kind.kind is not Kind.MENU, "menus are kept by their names"
    return [I1 if kind.kind is Kind.BOOL else I64]


def parts_of(value: Any) -> list[Value]:
    if isinstance(value, Items):
        return [value.pointer, number(value.count)]
    if isinstance(value, Compound):
        return [number(word) for word in value.words]
    if isinstance(value, ArrangementAt):
        return [value.pointer]
    return [number(value)]


def value_of(layout: Layout, kind: CoreType, parts: list[Value]) -> Any:
    """The value of a type from its parts."""
    if kind.is_list:
        return Items(parts[0], parts[1], *element_of(layout, kind), row=row_size(layout, kind))
    if kind.kind is Kind.ARRANGEMENT:
        return ArrangementAt(parts[0])
    return Compound(tuple(parts)) if kind.kind in JOINED else parts[0]


def constant(f: Body, value: Any, kind: CoreType) -> Any:
    if kind.kind is Kind.FRACTION:
        return Compound((number(value.numerator), number(value.denominator)))
    if value is None:
        return none_of(f, kind)
    if kind.kind is Kind.BOOL:
        return TRUE if value else FALSE
    return ir.Constant(f.layout.mask_kind, value) if kind.kind is Kind.PLACES else number(int(value))


def none_of(f: Body, kind: CoreType) -> Any:
    match kind.kind:
        case Kind.INT | Kind.TARGET:
            return number(NO_NUMBER)
        case Kind.HAND:
            return f.no_hand(kind.name)
        case Kind.FRACTION:
            return Compound((number(0), number(0)))
        case _:
            return number(-1)


def in_room(kind: CoreType) -> bool:
    """Whether values of a type lie in memory, which whoever calls for one provides."""
    return kind.is_list or kind.kind is Kind.ARRANGEMENT


def room_size(layout: Layout, kind: CoreType) -> int:
    """Bytes that such a value takes, of a list its length and its things."""
    if kind.kind is Kind.ARRANGEMENT:
        return layout.sets_size + 32  # what lies behind its last cards is read, too (short.py)
    if row := row_size(layout, kind):
        return 8 + most_items(layout, kind) * row
    return layout.list_size(most_items(layout, kind), element_of(layout, kind)[0])


def reserved(layout: Layout, kind: CoreType) -> int:
    """Room for a value of a type in the record: its offset."""
    size = room_size(layout, kind) if in_room(kind) else 8 * sum(map(words_in, type_kinds(layout, kind)))
    return layout.reserve("", I64, size // 8).offset


def words_in(part: ir.Type) -> int:
    """64-bit words that a part of a value takes in the record."""
    return max(1, int(part.width) // 64) if isinstance(part, ir.IntType) else 1


class RecordWord:
    """A number, a truth or a set of places that is kept in the record; it is used as those in registers are."""

    def __init__(self, f: Body, kind: ir.Type, offset: int) -> None:
        self.f, self.kind, self.offset = f, kind, offset

    @property
    def place(self) -> Value:
        return self.f.code.at(self.f.state, self.offset)

    def get(self) -> Value:
        if words_in(self.kind) > 1:
            return self.f.code.builder.load(self.place, typ=self.kind, align=8)
        return self.f.code.load(self.kind, self.place)

    def set(self, value: Number) -> None:
        if words_in(self.kind) > 1:
            self.f.code.builder.store(value, self.place, align=8)
        else:
            self.f.code.store(self.kind, value, self.place)

    def add(self, amount: Number) -> None:
        self.set(self.f.code.add(self.get(), amount))


class PlainVariable:
    """A variable of plain parts, in registers or from an offset of the record on."""

    def __init__(self, f: Body, kind: CoreType, offset: int | None = None) -> None:
        self.f, self.kind = f, kind
        self.variables = [
            Mutable(f.code, part) if offset is None else RecordWord(f, part, offset + 8 * place)
            for place, part in enumerate(type_kinds(f.layout, kind))
        ]

    def load(self) -> Any:
        return value_of(self.f.layout, self.kind, [variable.get() for variable in self.variables])

    def store(self, value: Any) -> None:
        for variable, part in zip(self.variables, parts_of(value), strict=True):
            variable.set(part)


class ListVariable:
    """A list that changes: room for its things, in the call's own memory or in the record."""

    def __init__(self, f: Body, kind: CoreType, offset: int | None = None, room: Value | None = None) -> None:
        self.f, self.kind, self.offset = f, kind, offset
        self.element, self.signed = element_of(f.layout, kind)
        self.row = row_size(f.layout, kind)
        self.own = room
        if room is None and offset is None:
            self.own = f.code.room(I64, room_size(f.layout, kind) // 8)
        self.count = Mutable(f.code, I64, 0) if offset is None else RecordWord(f, I64, offset)

    @property
    def room(self) -> Value:
        return self.own if self.offset is None else self.f.code.at(self.f.state, self.offset + 8)

    def load(self) -> Items:
        return Items(self.room, self.count.get(), self.element, self.signed, row=self.row)

    def store(self, value: Items) -> None:
        if self.own is None or value.pointer is not self.own:
            copy_items(self.f, self.room, value)
        self.count.set(value.count)

    def push(self, thing: Any, more: Value | None = None) -> None:
        """Puts a thing behind the others; `more`: whether it counts, as a truth or a number."""
        count = self.count.get()
        if self.kind.element.kind is Kind.TARGET:
            # there may be more than there is room for: then the play is not entered
            count = self.f.code.smaller(count, most_items(self.f.layout, self.kind) - 1)
        if isinstance(thing, Items):
            at = self.f.code.at(self.room, count, self.row)
            self.f.code.store(I64, thing.count, at)
            copy_items(self.f, self.f.code.at(at, 8), thing)
        else:
            self.f.code.store(self.element, thing, self.room, count)
        if more is not None and more.type == I1:
            more = self.f.code.number_of(more)
        self.count.set(self.f.code.builder.add(count, number(1) if more is None else more, flags=("nsw", "nuw")))


class SetsVariable:
    """An arrangement that changes."""

    def __init__(self, f: Body, kind: CoreType, offset: int | None = None) -> None:
        self.f, self.offset = f, offset
        self.own = f.code.room(I64, room_size(f.layout, kind) // 8) if offset is None else None

    def load(self) -> ArrangementAt:
        return ArrangementAt(self.own if self.offset is None else self.f.code.at(self.f.state, self.offset))

    def store(self, value: ArrangementAt) -> None:
        self.f.code.slide(self.load().pointer, value.pointer, self.f.layout.sets_size)


def variable(f: Body, kind: CoreType, offset: int | None = None) -> PlainVariable | ListVariable | SetsVariable:
    if kind.is_list:
        return ListVariable(f, kind, offset)
    return (SetsVariable if kind.kind is Kind.ARRANGEMENT else PlainVariable)(f, kind, offset)


def copy_items(f: Body, to: Value, items: Items) -> None:
    """Writes the things of a list one behind the other; it may lie there already."""
    code = f.code
    if items.first is not None:
        with code.count(items.count) as index:
            code.store(items.element, code.add(items.first, index), to, index)
        return
    if isinstance(items.count, ir.Constant) and items.count.constant == 0:
        return
    if not items.row and are_short(f.layout, items.element):
        copy_short(code, to, items.pointer, items.count)
    else:
        code.slide(to, items.pointer, code.multiply(items.count, items.size))


def item_at(f: Body, items: Items, index: Number) -> Any:
    if items.row:
        at = f.code.at(items.pointer, index, items.row)
        count = f.small(f.code.load(I64, at), f.layout.cards.count)
        return Items(f.code.at(at, 8), count, items.element, items.signed)
    if items.first is not None:
        return f.small(f.code.add(items.first, index), f.layout.zones)
    thing = f.code.load(items.element, items.pointer, index, signed=items.signed)
    return thing if items.element is I64 else f.small(thing, 1 << int(items.element.width))
