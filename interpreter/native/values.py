"""What expressions become: 64-bit numbers, single bits, and small joined values; and where such values are kept.

A number, seat, team, card, zone or member is a 64-bit value (none: -1), a truth one bit, players a mask of seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.types import Type
from trionfi.interpreter.native.builder import I1, I16, I64, POINTER, Code, Value, Variable, number


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in order: their numbers lie at `pointer`. `zone`: they are all the cards of that zone."""

    pointer: Value
    count: Value
    zone: Value | None = None


@dataclass(frozen=True, slots=True)
class Zones:
    """Zones in order: `first` and those behind it, or the 16-bit numbers at `pointer`. Plays are listed so, too."""

    count: Value
    first: Value | None = None
    pointer: Value | None = None
    family: tree.ZoneFamily | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """Several numbers that are one value: a fraction (over, under), a total (value, soft, bust), a hand (its
    category, then its keys in the order in which they are compared)."""

    words: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Sets:
    """An arrangement: cards, melds and the rest in a buffer (lower_melds)."""

    pointer: Value


def parts_of(value: Any) -> list[Value]:
    """The LLVM values that a value consists of."""
    if isinstance(value, Cards):
        return [value.pointer, number(value.count)]
    if isinstance(value, Zones):
        return [value.pointer, number(value.count)]
    if isinstance(value, Joined):
        return list(value.words)
    if isinstance(value, Sets):
        return [value.pointer]
    return [number(value)]


def joined(kind: Type, parts: Sequence[Value]) -> Any:
    """The value of a kind from its parts: `parts_of` backwards."""
    if kind.kind == "cards":
        return Cards(parts[0], parts[1])
    if kind.kind in ("zones", "plays"):
        return Zones(parts[1], pointer=parts[0])
    if kind.kind in ("fraction", "total", "hand"):
        return Joined(tuple(parts))
    if kind.kind in ("arrangement", "card_sets"):
        return Sets(parts[0])
    return parts[0]


def part_kinds(kind: Type, words: int) -> list[ir.Type]:
    """LLVM types of the parts; `words` is how many a joined value has."""
    if kind.kind in ("cards", "zones", "plays"):
        return [POINTER, I64]
    if kind.kind in ("fraction", "total", "hand"):
        return [I64] * words
    if kind.kind in ("arrangement", "card_sets"):
        return [POINTER]
    return [I1 if kind.kind == "truth" else I64]


class Slot:
    """Where a name's value is kept while a script runs: in registers, or in a frame of the record."""

    def load(self) -> Any:
        raise NotImplementedError

    def store(self, value: Any) -> None:
        raise NotImplementedError


class Registers(Slot):
    """A value of plain parts that lives within one call."""

    def __init__(self, code: Code, kind: Type, words: int) -> None:
        self.kind = kind
        self.variables = [Variable(code, part) for part in part_kinds(kind, words)]

    def load(self) -> Any:
        return joined(self.kind, [variable.get() for variable in self.variables])

    def store(self, value: Any) -> None:
        for variable, part in zip(self.variables, parts_of(value), strict=True):
            variable.set(part)


class Frame(Slot):
    """A value of plain parts in the record: `place` gives the address, in whatever block it is wanted."""

    def __init__(self, code: Code, kind: Type, words: int, state: Value, offset: int) -> None:
        self.code, self.kind, self.state, self.offset = code, kind, state, offset
        self.kinds = part_kinds(kind, words)

    def load(self) -> Any:
        at = self.code.at(self.state, self.offset)
        return joined(
            self.kind, [self.code.load(part, at, 8 * i // part_size(part)) for i, part in enumerate(self.kinds)]
        )

    def store(self, value: Any) -> None:
        at = self.code.at(self.state, self.offset)
        for i, (part, word) in enumerate(zip(self.kinds, parts_of(value), strict=True)):
            self.code.store(part, word, at, 8 * i // part_size(part))


def part_size(kind: ir.Type) -> int:
    return 1 if kind is I1 else 8


class ListSlot(Slot):
    """Cards or zones that are kept: their numbers are copied."""

    def __init__(self, code: Code, kind: Type, element: ir.IntType, room: Any, most: int) -> None:
        self.code, self.kind, self.element, self.most = code, kind, element, most
        self.room = room  # () -> address: the count (64 bits), then the numbers

    def load(self) -> Any:
        at = self.room()
        return joined(self.kind, [self.code.at(at, 8), self.code.load(I64, at)])

    def store(self, value: Any) -> None:
        at = self.room()
        self.code.store(I64, value.count, at)
        copy_list(self.code, self.element, self.code.at(at, 8), value)


class SetsSlot(Slot):
    """An arrangement that is kept: its buffer of `size` bytes is copied."""

    def __init__(self, code: Code, kind: Type, room: Any, size: int) -> None:
        self.code, self.kind, self.size = code, kind, size
        self.room = room  # () -> address

    def load(self) -> Any:
        return Sets(self.room())

    def store(self, value: Any) -> None:
        self.code.slide(self.room(), value.pointer, self.size)


def copy_list(code: Code, element: ir.IntType, to: Value, value: Cards | Zones) -> None:
    """Writes the numbers of cards or zones one behind the other; the source may lie at the same place."""
    if isinstance(value, Zones) and value.first is not None:
        with code.count(value.count) as index:
            code.store(I16, code.add(value.first, index), to, index)
        return
    size = int(element.width) // 8
    code.slide(to, value.pointer, code.multiply(value.count, size))
