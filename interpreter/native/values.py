"""What expressions become: 64-bit numbers, single bits, and small joined values; and where such values are kept.

A number, seat, team, card, zone or member is a 64-bit value (none: -1), a truth one bit, players a mask of seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trionfi.interpreter.native.builder import Value, number


@dataclass(frozen=True, slots=True)
class CardList:
    """Cards in order: their numbers lie at `pointer`. `zone`: they are all the cards of that zone."""

    pointer: Value
    count: Value
    zone: Value | None = None


@dataclass(frozen=True, slots=True)
class Compound:
    """Several numbers that are one value: a fraction (over, under), a total (value, soft, bust), a hand (its
    category, then its keys in the order in which they are compared)."""

    words: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ArrangementAt:
    """An arrangement: cards, melds and the rest in a buffer (arrangements.py)."""

    pointer: Value


def parts_of(value: Any) -> list[Value]:
    """The LLVM values that a value consists of."""
    if isinstance(value, CardList):
        return [value.pointer, number(value.count)]
    if isinstance(value, Compound):
        return list(value.words)
    if isinstance(value, ArrangementAt):
        return [value.pointer]
    return [number(value)]
