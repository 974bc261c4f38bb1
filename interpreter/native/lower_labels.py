"""Functions that give the values in an option's label, one behind the other (game.py reads them)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trionfi.dsl.types import Type
from trionfi.interpreter.native.builder import I1, I16, I64, POINTER, VOID, Value, Variable, function
from trionfi.interpreter.native.frames import FrameList, FrameSets
from trionfi.interpreter.native.lower_statements import moved_slot
from trionfi.interpreter.native.lowering import DecisionSite, Lowering
from trionfi.interpreter.native.values import Cards, Frame, Zones, parts_of


@contextmanager
def labelling(f: Lowering, site: DecisionSite) -> Iterator[tuple[Lowering, Value, Value]]:
    name = f"labels_{site.number}"
    with function(f.build.module, name, VOID, [POINTER, I64, POINTER], internal=False) as code:
        g = Lowering(f.build, code)
        g.names = {index: seen_from(g, slot) for index, slot in f.names.items()}
        yield g, code.arguments[1], code.arguments[2]
        code.give()


def seen_from(g: Lowering, slot: Any) -> Any:
    """A slot of the asking procedure as another function reaches it."""
    assert isinstance(slot, Frame | FrameList | FrameSets)
    return moved_slot(g, slot, slot.offset)


def words_of(g: Lowering, kind: Type) -> int:
    """How many words a value takes at most (`write_value`)."""
    if kind.kind in ("cards", "zones", "plays"):
        return 1 + g.layout.most_in(kind)
    return g.build.words(kind)


def write_value(g: Lowering, value: Any, out: Value, written: Variable) -> None:
    """The words of a value: of a list its length, then its things."""
    if isinstance(value, Cards | Zones):
        kind = g.layout.card_kind if isinstance(value, Cards) else I16
        listed = g.as_list(value)
        g.code.store(I64, listed.count, out, written.get())
        written.add(1)
        with g.code.count(listed.count) as index:
            g.code.store(I64, g.code.load(kind, listed.pointer, index, signed=False), out, written.get())
            written.add(1)
        return
    for part in parts_of(value):
        word = g.code.number_of(part) if part.type is I1 else part
        g.code.store(I64, word, out, written.get())
        written.add(1)
