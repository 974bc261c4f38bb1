"""Emits one function of the core."""

from __future__ import annotations

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
from trionfi.interpreter.native.builder import FALSE, I1, I64, POINTER, TRUE, VOID, Code, Loop, Value, function, number
from trionfi.interpreter.native.emission.calls import call
from trionfi.interpreter.native.emission.facts import STOPPING, Facts
from trionfi.interpreter.native.emission.lists import push_if, returned
from trionfi.interpreter.native.emission.liveness import Points
from trionfi.interpreter.native.emission.loops import count, each
from trionfi.interpreter.native.emission.operations import OPERATIONS
from trionfi.interpreter.native.emission.values import (
    Items,
    ListVariable,
    PlainVariable,
    SetsVariable,
    constant,
    copy_items,
    in_room,
    parts_of,
    reserved,
    type_kinds,
    value_of,
    variable,
)
from trionfi.interpreter.native.layout import OVER
from trionfi.interpreter.native.module import Build, Made
from trionfi.interpreter.native.values import Sets

__all__ = ["Emitted", "Emitter", "emitted", "silent"]

# What is said stands in the log, which is written by playing the moves again.
SILENT = frozenset({Op.SEAL, Op.UNSEAL, Op.HOLD_LOG, Op.SAY})
TELLING = frozenset({Op.LEARN, Op.KNOWN_BY})  # who knows a card
# By the first word of their names: functions in which a card is played, which is done now and then by much code.
COLD = ("enter.", "retarget.", "new_targets.", "can_go_on.")
LIGHT = 60  # statements of a function that is put in wherever it is called


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


def emitted(build: Build, program: ir.Program, name: str) -> Emitted:
    """The function of that name, emitted when it is first called for."""
    key = ("core", name)
    if key not in build.kernels:
        write(build, program, program.functions[name], key)
    made: Emitted = build.kernels[key]
    return made


def write(build: Build, program: ir.Program, core: ir.Function, key: Any) -> None:
    from trionfi.interpreter.native.emission import shuffling

    probe = Emitter(build, program, core, None)
    kinds = [POINTER]
    if not probe.resumable:
        kinds += [part for name in core.parameters for part in type_kinds(probe, name.type)]
    if renders(core):
        kinds.append(POINTER)
    if core.pure and core.result is not None and in_room(core.result):
        kinds.append(POINTER)
    light = core.pure and not build.watched and not build.rules.effects and weight(program, core) <= LIGHT
    wish = "alwaysinline" if light else "inlinehint"
    result = result_kind(probe, core)
    with function(build.module, f"core.{core.name}", result, kinds, attributes=[wish]) as code:
        e = Emitter(build, program, core, code)
        made = Emitted(core, code.function, may_fail(program, core))
        if not core.pure and core.result is not None:
            made.result = reserved(e, core.result)
        if e.resumable:
            frame = made.frame = Made(code.function)
            frame.resume, e.f.made = build.layout.reserve("", I64), frame
        build.kernels[key] = made
        if core.name.startswith(COLD):
            build.seldom.add(code.function.name)
        e.made = made
        e.bind_parameters()
        if core.name == "play":
            shuffling.begin(e)
        e.block(core.body)
        e.finish()
        e.f.write_switch()


def result_kind(e: Emitter, core: ir.Function) -> llvm.Type:
    if not core.pure:
        return I1
    if core.result is None:
        return VOID
    if core.result.is_list:
        return I64
    if in_room(core.result):
        return VOID
    parts = type_kinds(e, core.result)
    return parts[0] if len(parts) == 1 else llvm.LiteralStructType(parts)


def renders(core: ir.Function) -> bool:
    """Whether a function tells the values in a label: it writes them where its last argument points."""
    return any(isinstance(statement, ir.Let) and statement.op is Op.RENDER for statement in core.body)


def weight(program: ir.Program, core: ir.Function) -> int:
    """How many statements a function has, those of the functions that it calls included."""
    total = 0
    for statement in ir.walk(core.body):
        total += 1
        if isinstance(statement, ir.Call):
            total += weight(program, program.functions[statement.function])
    return total


def may_fail(program: ir.Program, core: ir.Function) -> bool:
    for statement in ir.walk(core.body):
        if isinstance(statement, ir.Check):
            return True
        if isinstance(statement, ir.Let) and statement.op in STOPPING:
            return True
        if isinstance(statement, ir.Call) and may_fail(program, program.functions[statement.function]):
            return True
    return False


class Emitter:
    """One function on its way to LLVM. `f` is what the kernels and evaluators of the engine work with."""

    def __init__(self, build: Build, program: ir.Program, core: ir.Function, code: Code | None) -> None:
        self.build, self.program, self.core = build, program, core
        self.layout, self.rules = build.layout, build.rules
        self.made: Emitted | None = None
        self.failing: Value | None = None
        self.names: dict[str, Any] = {}
        self.facts = Facts(core, build.layout, program)
        self.silent = silent(build)
        self.unread = self.facts.unread(self.silent)
        self.resumable = build.watched and core.asks
        self.points = Points(program, core) if self.resumable else None
        self.kept = self.points.crossing() if self.points is not None else set()
        self.returned = returned(core)
        self.loops: dict[str, tuple[llvm.Block, llvm.Block]] = {}  # where to leave, where to go on
        if code is not None:
            self.code = code
            self.f = Body(build, code)

    @property
    def state(self) -> Value:
        return self.f.state

    @property
    def is_told(self) -> bool:
        """Whether it is kept what is asked, for whoever decides."""
        return self.build.watched or self.build.strategies

    # ---- names

    def bind(self, name: ir.Name, value: Any) -> None:
        """The name is that value: in registers, or in the record if it lives while somebody decides."""
        if name.text not in self.kept:
            self.names[name.text] = self.noted(value, name.type)
            return
        self.declare_kept(name)
        self.names[name.text].store(value)

    def declare_kept(self, name: ir.Name) -> int:
        offset = reserved(self, name.type)
        self.names[name.text] = variable(self, name.type, offset)
        return offset

    def bind_parameters(self) -> None:
        if self.resumable:
            assert self.made is not None
            self.made.parameters = [self.declare_kept(name) for name in self.core.parameters]
            return
        arguments = iter(self.code.arguments[1:])
        for name in self.core.parameters:
            parts = [next(arguments) for _ in type_kinds(self, name.type)]
            self.names[name.text] = self.noted(value_of(self, name.type, parts), name.type)

    def noted(self, value: Any, kind: CoreType) -> Any:
        """The value, of which it is noted how large it may be."""
        most = self.bound(kind)
        if most is not None and not isinstance(value, Items):
            self.f.small(value, most)
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
            return constant(self, operand.value, wanted or operand.type if operand.value is None else operand.type)
        found = self.names[operand.text]
        if isinstance(found, PlainVariable | ListVariable | SetsVariable):
            return self.noted(found.load(), operand.type)
        return found

    # ---- statements

    def block(self, block: ir.Block) -> None:
        for place, statement in enumerate(block):
            if self.code.builder.block.is_terminated:
                return
            self.rest = block[place + 1 :]
            self.statement(statement)

    def statement(self, statement: ir.Statement) -> None:  # noqa: C901  # one case a form
        match statement:
            case ir.Let():
                self.let(statement)
            case ir.Check():
                self.check(statement)
            case ir.Var(name, value):
                self.declare(name, value)
            case ir.Set(name, value):
                self.names[name.text].store(self.value(value, name.type))
            case ir.Push(name, value):
                self.names[name.text].push(self.stored(value))
            case ir.If():
                self.either(statement)
            case ir.Switch():
                self.switch(statement)
            case ir.Loop(label, body):
                self.loop(label, body)
            case ir.For():
                count(self, statement)
            case ir.Each():
                each(self, statement)
            case ir.Break(label):
                self.code.jump(self.loops[label][0])
            case ir.Continue(label):
                self.code.jump(self.loops[label][1])
            case ir.Call():
                call(self, statement)
            case ir.Return(value):
                self.give(value)
            case ir.EndGame():
                self.f.set_field("status", OVER)
                self.stop()

    def stored(self, operand: ir.Operand) -> Value:
        """A thing as lists keep it."""
        value = self.value(operand)
        return self.code.number_of(value) if operand.type.kind is Kind.BOOL else value

    def let(self, node: ir.Let) -> None:
        if node.op in self.silent or (node.target is not None and node.target.text in self.unread):
            return
        value = OPERATIONS[node.op](self, node)
        if node.target is not None:
            self.bind(node.target, value)

    def check(self, node: ir.Check) -> None:
        condition = self.value(node.condition)
        if isinstance(condition, llvm.Constant) and condition.constant == 1:
            return
        place, after = self.program.places[node.place], self.code.block("after")
        here, failed = self.code.builder.block, self.failed()
        self.code.branch(condition, after, failed.parent, likely=True)
        failed.add_incoming(number(self.build.error_site(node.code, place.span, place.about)), here)
        self.code.go_on(after)

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

    def declare(self, name: ir.Name, value: ir.Operand | None) -> None:
        given = None if value is None else self.value(value, name.type)
        if name.text in self.kept:
            self.declare_kept(name)
        elif name.text == self.returned:
            self.names[name.text] = ListVariable(self, name.type, room=self.code.arguments[-1])
        else:
            self.names[name.text] = variable(self, name.type)
        if value is not None:
            self.names[name.text].store(given)

    # ---- control

    def either(self, node: ir.If) -> None:
        code, condition = self.code, self.value(node.condition)
        if isinstance(condition, llvm.Constant):
            self.block(node.then if condition.constant else node.otherwise)
            return
        if push_if(self, node, condition):
            return
        yes, no, after = code.block("yes"), code.block("no"), code.block("after")
        made = self.facts.let_of(node.condition)
        code.branch(condition, yes, no, likely=False if made is not None and made.op is Op.STOPS else None)
        for start, block in ((yes, node.then), (no, node.otherwise)):
            code.go_on(start)
            self.block(block)
            code.jump(after)
        code.go_on(after)

    def switch(self, node: ir.Switch) -> None:
        code, after, rest = self.code, self.code.block("after"), self.code.block("rest")
        blocks = [(value, code.block(f"case{value}"), block) for value, block in node.cases]
        switch = code.builder.switch(self.value(node.value), rest)
        for value, start, _ in blocks:
            switch.add_case(number(value), start)
        for start, block in [*[(start, block) for _, start, block in blocks], (rest, node.otherwise)]:
            code.go_on(start)
            self.block(block)
            code.jump(after)
        code.go_on(after)

    @contextmanager
    def labelled(self, label: str, loop: Loop) -> Iterator[None]:
        self.loops[label] = loop.after, loop.again
        yield
        del self.loops[label]

    def loop(self, label: str, body: ir.Block) -> None:
        with self.code.loop() as loop, self.labelled(label, loop):
            self.block(body)

    def writes(self, block: ir.Block, memory: Memory) -> bool:
        for statement in ir.walk(block):
            if isinstance(statement, ir.Let) and SIGNATURES[statement.op].writes & memory:
                return True
            if isinstance(statement, ir.Call) and not self.program.functions[statement.function].pure:
                return True
        return False

    # ---- leaving

    def stop_if_failed(self) -> None:
        with self.code.when(self.code.compare("!=", self.f.field("error"), 0), likely=False):
            self.stop()

    def stop(self) -> None:
        """The game does not go on: this function ends."""
        self.code.give(TRUE if not self.core.pure else self.anything())

    def anything(self) -> Value | None:
        kind = self.code.function.function_type.return_type
        return None if kind is VOID else llvm.Constant(kind, llvm.Undefined)

    def give(self, value: ir.Operand | None) -> None:
        assert self.made is not None
        if self.core.pure:
            assert value is not None
            self.give_value(self.value(value, self.core.result))
            return
        if value is not None and self.core.result is not None:
            variable(self, self.core.result, self.made.result).store(self.value(value, self.core.result))
        self.code.give(FALSE)

    def give_value(self, value: Any) -> None:
        if isinstance(value, Items):
            if value.pointer is not self.code.arguments[-1]:
                copy_items(self, self.code.arguments[-1], value)
            self.code.give(value.count)
            return
        if isinstance(value, Sets):
            self.code.copy(self.code.arguments[-1], value.pointer, self.layout.sets_size)
            self.code.give()
            return
        parts = parts_of(value)
        if len(parts) == 1:
            self.code.give(parts[0])
            return
        struct = llvm.Constant(self.code.function.function_type.return_type, llvm.Undefined)
        for index, part in enumerate(parts):
            struct = self.code.builder.insert_value(struct, part, index)
        self.code.give(struct)

    def finish(self) -> None:
        """What is behind the last statement: a procedure comes to its end."""
        if not self.code.builder.block.is_terminated:
            self.code.give(FALSE if not self.core.pure else self.anything())
