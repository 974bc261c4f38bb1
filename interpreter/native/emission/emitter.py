"""One function of the core on its way to LLVM: what its names are, and how it ends. Its statements are written by
function.py."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.ops import SIGNATURES, Memory, Op
from trionfi.core.types import CoreType, Kind
from trionfi.dsl.source import Span
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I64, TRUE, VOID, Code, Loop, Value, number
from trionfi.interpreter.native.emission import values
from trionfi.interpreter.native.emission.facts import FunctionFacts, returned
from trionfi.interpreter.native.emission.liveness import Points
from trionfi.interpreter.native.module import Build, Made

__all__ = ["Emitted", "Emitter", "Unfit", "silent"]

# What is said stands in the log, which is written by playing the moves again.
SILENT = frozenset({Op.SEAL, Op.UNSEAL, Op.HOLD_LOG, Op.SAY})
TELLING = frozenset({Op.LEARN, Op.KNOWN_BY})  # who knows a card


class Unfit(Exception):  # no error: the plain way is taken
    """What is written does not suit a faster way."""


@dataclass(slots=True)
class Emitted:
    """A function of the core in LLVM: a pure one gives its value; a procedure whether the game does not go on, and its
    result lies in the record. So do the parameters of one that can stop for a decision, and where it goes on."""

    core: ir.Function
    function: llvm.Function
    may_fail: bool
    result: int = -1
    parameters: list[int] = field(default_factory=list)
    frame: Made | None = None


def silent(build: Build) -> frozenset[Op]:
    """What nobody listens to in a module."""
    return SILENT if build.knows else SILENT | TELLING


class Emitter(Body, ABC):
    """One function on its way to LLVM."""

    def __init__(self, build: Build, program: ir.Program, core: ir.Function, code: Code) -> None:
        super().__init__(build, code)
        self.program, self.core = program, core
        self.made: Emitted | None = None
        self.rest: ir.Block = ()  # what follows in the block
        self.failing: Value | None = None
        self.names: dict[str, Any] = {}
        self.facts = FunctionFacts(core, build.layout, program)
        self.silent = silent(build)
        self.unread = self.facts.unread(self.silent)
        self.liveness = Points(program, core) if build.watched and core.asks else None
        self.in_record = self.liveness.crossing() if self.liveness is not None else set()
        self.returned = returned(core)
        self.loops: dict[str, tuple[llvm.Block, llvm.Block]] = {}  # where to leave, where to go on

    @property
    def is_told(self) -> bool:
        """Whether it is kept what is asked, for whoever decides."""
        return self.build.watched or self.build.strategies

    # ---- names

    def bind(self, name: ir.Name, value: Any) -> None:
        """The name is that value: in registers, or in the record if it lives while somebody decides."""
        if name.text not in self.in_record:
            self.names[name.text] = self.noted(value, name.type)
            return
        self.declare_kept(name)
        self.names[name.text].store(value)

    def declare_kept(self, name: ir.Name) -> int:
        offset = values.reserved(self.layout, name.type)
        self.names[name.text] = values.variable(self, name.type, offset)
        return offset

    def bind_parameters(self) -> None:
        if self.liveness is not None:
            assert self.made is not None
            self.made.parameters = [self.declare_kept(name) for name in self.core.parameters]
            return
        arguments = iter(self.code.arguments[1:])
        for name in self.core.parameters:
            parts = [next(arguments) for _ in values.type_kinds(self.layout, name.type)]
            self.names[name.text] = self.noted(values.value_of(self.layout, name.type, parts), name.type)

    def noted(self, value: Any, kind: CoreType) -> Any:
        """The value, of which it is noted how large it may be."""
        most = self.bound(kind)
        if most is not None and not isinstance(value, values.Items):
            self.small(value, most)
        return value

    def bound(self, kind: CoreType) -> int | None:
        """A number that no reference of a type is above."""
        match kind.kind:
            case Kind.SEAT:
                return self.layout.seats
            case Kind.CARD:
                return self.layout.cards.count
            case Kind.ZONE:
                return self.layout.zones
            case Kind.TEAM:
                return max(1, len(self.rules.teams))
            case Kind.MEMBER:
                return len(self.rules.enumerations[kind.name].members)
            case Kind.CATEGORY:
                return len(self.rules.rankings[kind.name].categories)
            case Kind.PLAY | Kind.EFFECT:
                return 1 << 15
            case _:
                return None

    def value(self, operand: ir.Operand, wanted: CoreType | None = None) -> Any:
        """The value of an operand; a bare none becomes that of the type that is wanted."""
        if isinstance(operand, ir.Const):
            kind = operand.type if operand.value is not None else wanted or operand.type
            return values.constant(self, operand.value, kind)
        found = self.names[operand.text]
        if isinstance(found, values.PlainVariable | values.ListVariable | values.SetsVariable):
            return self.noted(found.load(), operand.type)
        return found

    # ---- statements

    @abstractmethod
    def block(self, block: ir.Block) -> None:
        """Writes the statements of a block."""

    @abstractmethod
    def callee(self, name: str) -> Emitted:
        """Another function of the program, emitted when it is first called."""

    def stored(self, operand: ir.Operand) -> Value:
        """A thing as lists keep it."""
        value = self.value(operand)
        return self.code.number_of(value) if operand.type.kind is Kind.BOOL else value

    @contextmanager
    def labelled(self, label: str, loop: Loop) -> Iterator[None]:
        self.loops[label] = loop.after, loop.again
        yield
        del self.loops[label]

    def writes(self, block: ir.Block, memory: Memory) -> bool:
        for statement in ir.walk(block):
            if isinstance(statement, ir.Let) and SIGNATURES[statement.op].writes & memory:
                return True
            if isinstance(statement, ir.Call) and not self.program.functions[statement.function].pure:
                return True
        return False

    # ---- leaving

    def stop_if_failed(self) -> None:
        with self.code.when(self.code.compare("!=", self.field("error"), 0), likely=False):
            self.stop()

    def stop(self) -> None:
        """The game does not go on: this function ends."""
        self.code.give(TRUE if not self.core.pure else self.anything())

    def anything(self) -> Value | None:
        kind = self.code.function.function_type.return_type
        return None if kind is VOID else llvm.Constant(kind, llvm.Undefined)

    def failed(self) -> Value:
        """Which check has failed, in the block where all of a function end."""
        if self.failing is None:
            here, block = self.code.builder.block, self.code.block("failed")
            self.code.go_on(block)
            self.failing = self.code.builder.phi(I64)
            self.code.call(kernels.fail(self.build), [self.state, self.failing, 0])
            self.stop()
            self.code.go_on(here)
        return self.failing

    def fail(self, kind: str, place: ir.Place) -> None:
        self.fail_at(kind, place.span, place.about)

    def fail_at(self, kind: str, span: Span, about: object = None) -> None:
        site = self.build.error_site(kind, span, about)
        self.code.call(kernels.fail(self.build), [self.state, number(site), 0])
        self.stop()
