"""Procedures while they are written: what they keep in the record from one decision to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.types import Type
from trionfi.interpreter.native.layout import Field
from trionfi.interpreter.native.values import Frame, ListSlot, SetsSlot, Slot

if TYPE_CHECKING:
    from trionfi.interpreter.native.lowering import Lowering


@dataclass(slots=True, eq=False)
class Apart(tree.Procedure):
    """A procedure that stays a function of its own: inlined it would make a large one larger."""

    seldom: bool = False  # it takes little of the time


@dataclass(slots=True)
class Made:
    """A procedure's function, and where its result and its frame lie in the record."""

    procedure: tree.Procedure
    resumable: bool
    result: int
    function: ir.Function = None
    resume: Field | None = None
    parameters: list[Slot] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)


def slot_offset(slot: Slot) -> int:
    assert isinstance(slot, Frame | FrameList | FrameSets)
    return slot.offset


class FrameList(ListSlot):
    """A list in the record."""

    def __init__(self, lowering: Lowering, kind: Type, element: ir.IntType, most: int, offset: int) -> None:
        super().__init__(lowering.code, kind, element, lambda: lowering.code.at(lowering.state, offset), most)
        self.offset = offset


class FrameSets(SetsSlot):
    """An arrangement in the record."""

    def __init__(self, lowering: Lowering, kind: Type, offset: int) -> None:
        super().__init__(
            lowering.code, kind, lambda: lowering.code.at(lowering.state, offset), lowering.layout.sets_size
        )
        self.offset = offset
