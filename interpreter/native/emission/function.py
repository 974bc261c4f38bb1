"""Emits one function of the core."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.ops import Op
from trionfi.interpreter.native.builder import FALSE, I1, I64, POINTER, VOID, function, number
from trionfi.interpreter.native.emission import shuffling, values
from trionfi.interpreter.native.emission.calls import call
from trionfi.interpreter.native.emission.emitter import Emitted, Emitter
from trionfi.interpreter.native.emission.facts import STOPPING
from trionfi.interpreter.native.emission.lists import push_if
from trionfi.interpreter.native.emission.loops import count, each
from trionfi.interpreter.native.emission.operations import OPERATIONS
from trionfi.interpreter.native.layout import OVER, Layout
from trionfi.interpreter.native.module import Build, Made
from trionfi.interpreter.native.values import ArrangementAt

__all__ = ["StatementWriter", "emitted"]

# By the first word of their names: functions in which a card is played, which is done now and then by much code.
COLD = ("enter.", "retarget.", "new_targets.", "can_go_on.")
LIGHT = 60  # statements of a function that is put in wherever it is called


def emitted(build: Build, program: ir.Program, name: str) -> Emitted:
    """The function of that name, emitted when it is first called for."""
    key = ("core", name)
    if key not in build.kernels:
        write(build, program, program.functions[name], key)
    made: Emitted = build.kernels[key]
    return made


def write(build: Build, program: ir.Program, core: ir.Function, key: Any) -> None:
    resumable = build.watched and core.asks
    kinds = [POINTER]
    if not resumable:
        kinds += [part for name in core.parameters for part in values.type_kinds(build.layout, name.type)]
    if renders(core):
        kinds.append(POINTER)
    if core.pure and core.result is not None and values.in_room(core.result):
        kinds.append(POINTER)
    light = core.pure and not build.watched and not build.rules.effects and weight(program, core) <= LIGHT
    wish = "alwaysinline" if light else "inlinehint"
    result = result_kind(build.layout, core)
    with function(build.module, f"core.{core.name}", result, kinds, attributes=[wish]) as code:
        e = StatementWriter(build, program, core, code)
        made = Emitted(core, code.function, may_fail(program, core))
        if not core.pure and core.result is not None:
            made.result = values.reserved(build.layout, core.result)
        if resumable:
            made.frame = e.frame = Made(code.function, build.layout.reserve("", I64))
        build.kernels[key] = made
        if core.name.startswith(COLD):
            build.seldom.add(code.function.name)
        e.made = made
        e.bind_parameters()
        if core.name == "play":
            shuffling.begin(e)
        e.block(core.body)
        e.finish()
        e.write_switch()


def result_kind(layout: Layout, core: ir.Function) -> llvm.Type:
    if not core.pure:
        return I1
    if core.result is None:
        return VOID
    if core.result.is_list:
        return I64
    if values.in_room(core.result):
        return VOID
    parts = values.type_kinds(layout, core.result)
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


class StatementWriter(Emitter):
    """Writes the statements of a function."""

    def callee(self, name: str) -> Emitted:
        return emitted(self.build, self.program, name)

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
                self.set_field("status", OVER)
                self.stop()

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

    def declare(self, name: ir.Name, value: ir.Operand | None) -> None:
        given = None if value is None else self.value(value, name.type)
        if name.text in self.in_record:
            self.declare_kept(name)
        elif name.text == self.returned:
            self.names[name.text] = values.ListVariable(self, name.type, room=self.code.arguments[-1])
        else:
            self.names[name.text] = values.variable(self, name.type)
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

    def loop(self, label: str, body: ir.Block) -> None:
        with self.code.loop() as loop, self.labelled(label, loop):
            self.block(body)

    def give(self, value: ir.Operand | None) -> None:
        assert self.made is not None
        if self.core.pure:
            assert value is not None
            self.give_value(self.value(value, self.core.result))
            return
        if value is not None and self.core.result is not None:
            values.variable(self, self.core.result, self.made.result).store(self.value(value, self.core.result))
        self.code.give(FALSE)

    def give_value(self, value: Any) -> None:
        if isinstance(value, values.Items):
            if value.pointer is not self.code.arguments[-1]:
                values.copy_items(self, self.code.arguments[-1], value)
            self.code.give(value.count)
            return
        if isinstance(value, ArrangementAt):
            self.code.copy(self.code.arguments[-1], value.pointer, self.layout.sets_size)
            self.code.give()
            return
        parts = values.parts_of(value)
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
