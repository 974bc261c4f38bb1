"""What lives while somebody decides: names that are made before a question and read after it."""

from __future__ import annotations

from collections.abc import Iterator

from trionfi.core import ir
from trionfi.core.types import Kind

__all__ = ["Points"]


class Points:
    """The places of a function where it can stop for a decision, and its names by where they are made and read. A place
    is the number of a statement in the order of the text; a loop that stands around a reader and not around what it
    reads comes back to it, so that the name is read until the loop's end."""

    def __init__(self, program: ir.Program, core: ir.Function) -> None:
        self.program, self.core = program, core
        self.points: list[int] = []
        self.made: dict[str, int] = {name.text: -1 for name in core.parameters}
        self.loops_of: dict[str, tuple[int, ...]] = {name.text: () for name in core.parameters}
        self.menus: set[str] = set()
        self.reads: list[tuple[str, int, tuple[int, ...]]] = []
        self.ends: dict[int, int] = {}  # of loops, by where they begin
        self._here = 0
        self._number(core.body, ())

    def stops(self, block: ir.Block) -> bool:
        """Whether somebody may be asked in a block."""
        return any(self._is_point(statement) for statement in ir.walk(block))

    def crossing(self) -> set[str]:
        """The names that live while somebody decides; the parameters are always kept."""
        found = {name.text for name in self.core.parameters}
        for name, place, loops in self.reads:
            around = [loop for loop in loops if loop not in self.loops_of[name]]
            last = self.ends[around[0]] if around else place
            if any(self.made[name] < point < last for point in self.points):
                found.add(name)
        return found - self.menus

    def _is_point(self, statement: ir.Statement) -> bool:
        if isinstance(statement, ir.Call):
            return self.program.functions[statement.function].asks
        return ir.is_ask(statement)

    def _number(self, block: ir.Block, loops: tuple[int, ...]) -> None:
        for statement in block:
            self._here = here = self._here + 1
            if self._is_point(statement):
                self.points.append(here)
            for name in read_by(statement):
                self.reads.append((name, here, loops))
            inner = loops
            if isinstance(statement, ir.Loop | ir.For | ir.Each):
                inner = (*loops, here)
            self._make(statement, here, inner)
            for below in ir.blocks_of(statement):
                self._number(below, inner)
            self._here += 1
            self.ends[here] = self._here

    def _make(self, statement: ir.Statement, here: int, loops: tuple[int, ...]) -> None:
        match statement:
            case ir.Let(target=ir.Name() as name) | ir.Call(target=ir.Name() as name):
                pass
            case ir.Var(name=name) | ir.For(name=name) | ir.Each(name=name):
                pass
            case _:
                return
        self.made[name.text], self.loops_of[name.text] = here, loops
        if name.type.kind is Kind.MENU:
            self.menus.add(name.text)


def read_by(statement: ir.Statement) -> Iterator[str]:
    """The names that a statement reads or changes."""
    for operand in ir.operands_of(statement):
        if isinstance(operand, ir.Name):
            yield operand.text
    if isinstance(statement, ir.Set | ir.Push):
        yield statement.name.text
