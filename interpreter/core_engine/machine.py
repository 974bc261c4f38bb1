"""Runs functions of the core: each statement becomes a closure over the state and a frame.

A step gives None, or a signal that what is around it obeys: a label to leave or to go on with, or `Returned`. A step
that may ask is a generator, which yields each decision and is sent the move.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from trionfi.core import ir
from trionfi.core.ops import Op
from trionfi.core.types import Kind
from trionfi.dsl.diagnostics import CODES
from trionfi.interpreter.core_engine import places, playing, strategies
from trionfi.interpreter.core_engine.asking import ASKS
from trionfi.interpreter.core_engine.meanings import MEANINGS, CoreHost
from trionfi.interpreter.errors import fail
from trionfi.interpreter.state import State

__all__ = ["MEANING_ROOMS", "Ended", "Machine", "missing_meanings"]

# Importing them fills the table of meanings.
MEANING_ROOMS = (places, playing, strategies)

Frame = list[Any]
Read = Callable[[Frame], Any]
Asking = Generator[Any, Any, Any]


class Ended(Exception):
    """`end game` has been reached."""


@dataclass(frozen=True, slots=True)
class Leave:
    label: str


@dataclass(frozen=True, slots=True)
class Again:
    label: str


@dataclass(frozen=True, slots=True)
class Returned:
    value: Any


class CoreStep(NamedTuple):
    run: Callable[[State, Frame], Any]
    asks: bool = False


class CoreScript(NamedTuple):
    """A function ready to be called: its frame has `size` places, the first of them the arguments."""

    run: Callable[[State, Frame], Any]
    size: int
    asks: bool


class Machine:
    """The functions of a program at one table, compiled when they are first called for."""

    def __init__(self, program: ir.Program, host: CoreHost) -> None:
        self.program = program
        self.host = host
        host.call = self.call
        self._scripts: dict[str, CoreScript] = {}

    def script(self, name: str) -> CoreScript:
        if name not in self._scripts:
            self._scripts[name] = ClosureWriter(self, self.program.functions[name]).script()
        return self._scripts[name]

    def call(self, name: str, s: State, *args: Any) -> Any:
        """What a function gives that does not ask."""
        script = self.script(name)
        signal = script.run(s, [*args, *[None] * (script.size - len(args))])
        return signal.value if isinstance(signal, Returned) else None

    def asking(self, name: str, s: State, *args: Any) -> Asking:
        """Calls a function that may ask."""
        script = self.script(name)
        frame = [*args, *[None] * (script.size - len(args))]
        signal = (yield from script.run(s, frame)) if script.asks else script.run(s, frame)
        return signal.value if isinstance(signal, Returned) else None


class ClosureWriter:
    """Compiles one function; each name has its place in the frame."""

    def __init__(self, machine: Machine, function: ir.Function) -> None:
        self.machine = machine
        self.function = function
        self.slots: dict[str, int] = {}
        for parameter in function.parameters:
            self.slot(parameter)

    def script(self) -> CoreScript:
        step = self.block(self.function.body)
        return CoreScript(step.run, len(self.slots), step.asks)

    def slot(self, name: ir.Name) -> int:
        return self.slots.setdefault(name.text, len(self.slots))

    def read(self, operand: ir.Operand) -> Read:
        if isinstance(operand, ir.Const):
            value = operand.value
            return lambda _f: value
        slot = self.slots[operand.text]
        return lambda f: f[slot]

    def block(self, block: ir.Block) -> CoreStep:
        steps = [self.step(statement) for statement in block]
        if any(step.asks for step in steps):
            return CoreStep(asking_block(steps), asks=True)
        return CoreStep(plain_block([step.run for step in steps]))

    def step(self, statement: ir.Statement) -> CoreStep:  # noqa: C901  # one case a form
        match statement:
            case ir.Let():
                return self.let(statement)
            case ir.Check():
                return CoreStep(self.check(statement))
            case ir.Var(name, value):
                return CoreStep(self.put(name, None if value is None else self.read(value)))
            case ir.Set(name, value):
                return CoreStep(self.put(name, self.read(value)))
            case ir.Push(name, value):
                return CoreStep(self.push(name, self.read(value)))
            case ir.If(condition, then, otherwise):
                return either(self.read(condition), self.block(then), self.block(otherwise))
            case ir.Switch(value, cases, otherwise):
                blocks = {number: self.block(block) for number, block in cases}
                return switch(self.read(value), blocks, self.block(otherwise))
            case ir.Loop(label, body):
                return loop(label, lambda _s, _f: endless(), self.block(body))
            case ir.For(label, name, low, high, body):
                return loop(label, self.numbers(name, low, high), self.block(body))
            case ir.Each():
                turns = self.things(statement)
                return loop(statement.label, turns, self.block(statement.body))
            case ir.Break(label):
                leave = Leave(label)
                return CoreStep(lambda _s, _f: leave)
            case ir.Continue(label):
                again = Again(label)
                return CoreStep(lambda _s, _f: again)
            case ir.Call():
                return self.call(statement)
            case ir.Return(value):
                read = self.read(value) if value is not None else lambda _f: None
                return CoreStep(lambda _s, f: Returned(read(f)))
            case ir.EndGame():
                return CoreStep(end_game)

    # ---- operations

    def let(self, node: ir.Let) -> CoreStep:
        reads = [self.read(operand) for operand in node.args]
        slot = self.slot(node.target) if node.target is not None else None
        if node.op in ASKS:
            return CoreStep(self.ask(node, reads, slot), asks=True)
        meaning = MEANINGS[node.op](node, self.machine.host)

        def run(s: State, f: Frame) -> None:
            value = meaning(s, *[read(f) for read in reads])
            if slot is not None:
                f[slot] = value

        return CoreStep(run)

    def ask(self, node: ir.Let, reads: list[Read], slot: int | None) -> Callable[[State, Frame], Asking]:
        make = ASKS[node.op](node, self.machine.host)

        def ask(s: State, f: Frame) -> Asking:
            move = None
            while move is None:
                decision = make(s, *[read(f) for read in reads])
                move = yield decision
            s.steps = 0
            if slot is not None:
                f[slot] = decision.number(move) if node.op is Op.ASK_NUMBER else move

        return ask

    def check(self, node: ir.Check) -> Callable[[State, Frame], None]:
        read, place = self.read(node.condition), self.machine.program.places[node.place]

        def run(_s: State, f: Frame) -> None:
            if not read(f):
                fail(node.code, CODES[node.code], place.span)

        return run

    def put(self, name: ir.Name, read: Read | None) -> Callable[[State, Frame], None]:
        slot = self.slot(name)

        def run(_s: State, f: Frame) -> None:
            f[slot] = None if read is None else read(f)

        return run

    def push(self, name: ir.Name, read: Read) -> Callable[[State, Frame], None]:
        slot = self.slot(name)

        def run(_s: State, f: Frame) -> None:
            f[slot] = (*f[slot], read(f))

        return run

    # ---- loops

    def numbers(self, name: ir.Name, low: ir.Operand, high: ir.Operand) -> Callable[[State, Frame], Any]:
        first, behind, slot = self.read(low), self.read(high), self.slot(name)

        def turns(_s: State, f: Frame) -> Any:
            for number in range(first(f), behind(f)):
                f[slot] = number
                yield

        return turns

    def things(self, node: ir.Each) -> Callable[[State, Frame], Any]:
        source, slot = self.read(node.source), self.slot(node.name)
        if node.source.type.kind is not Kind.SEATS:

            def listed(_s: State, f: Frame) -> Any:
                for thing in source(f):
                    f[slot] = thing
                    yield

            return listed
        start = self.read(node.start) if node.start is not None else lambda _f: 0

        def seats(s: State, f: Frame) -> Any:
            among = source(f)
            for seat in s.table.orders[start(f)]:
                if among >> seat & 1:
                    f[slot] = seat
                    yield

        return seats

    # ---- calls

    def call(self, node: ir.Call) -> CoreStep:
        """What is called is compiled when it is called first."""
        reads = [self.read(operand) for operand in node.args]
        slot = self.slot(node.target) if node.target is not None else None

        def keep(f: Frame, signal: Any) -> None:
            if slot is not None:
                f[slot] = signal.value if isinstance(signal, Returned) else None

        def begin(s: State, f: Frame) -> Any:
            script = self.machine.script(node.function)
            return script.run(s, [*[read(f) for read in reads], *[None] * (script.size - len(reads))])

        def ask(s: State, f: Frame) -> Asking:
            keep(f, (yield from begin(s, f)))

        if self.machine.program.functions[node.function].asks:
            return CoreStep(ask, asks=True)
        return CoreStep(lambda s, f: keep(f, begin(s, f)))


def endless() -> Any:
    while True:
        yield


def end_game(_s: State, _f: Frame) -> None:
    raise Ended


def plain_block(runs: list[Callable[[State, Frame], Any]]) -> Callable[[State, Frame], Any]:
    steps = tuple(runs)

    def run(s: State, f: Frame) -> Any:
        for step in steps:
            signal = step(s, f)
            if signal is not None:
                return signal
        return None

    return run


def asking_block(steps: list[CoreStep]) -> Callable[[State, Frame], Asking]:
    parts = tuple(steps)

    def ask(s: State, f: Frame) -> Asking:
        for step, asks in parts:
            signal = (yield from step(s, f)) if asks else step(s, f)
            if signal is not None:
                return signal
        return None

    return ask


def as_asking(step: CoreStep) -> Callable[[State, Frame], Asking]:
    if step.asks:
        return step.run

    def ask(s: State, f: Frame) -> Asking:
        yield from ()
        return step.run(s, f)

    return ask


def either(condition: Read, then: CoreStep, otherwise: CoreStep) -> CoreStep:
    if then.asks or otherwise.asks:
        ask_then, ask_otherwise = as_asking(then), as_asking(otherwise)

        def ask(s: State, f: Frame) -> Asking:
            return (yield from (ask_then if condition(f) else ask_otherwise)(s, f))

        return CoreStep(ask, asks=True)
    one, other = then.run, otherwise.run
    return CoreStep(lambda s, f: one(s, f) if condition(f) else other(s, f))


def switch(value: Read, blocks: dict[int, CoreStep], otherwise: CoreStep) -> CoreStep:
    if otherwise.asks or any(block.asks for block in blocks.values()):
        asking, rest = {number: as_asking(block) for number, block in blocks.items()}, as_asking(otherwise)

        def ask(s: State, f: Frame) -> Asking:
            return (yield from asking.get(value(f), rest)(s, f))

        return CoreStep(ask, asks=True)
    plain = {number: block.run for number, block in blocks.items()}
    return CoreStep(lambda s, f: plain.get(value(f), otherwise.run)(s, f))


def loop(label: str, turns: Callable[[State, Frame], Any], body: CoreStep) -> CoreStep:
    """A signal with the loop's own label is obeyed here, any other goes on outwards."""
    leave, again = Leave(label), Again(label)

    def run(s: State, f: Frame) -> Any:
        for _ in turns(s, f):
            signal = body.run(s, f)
            if signal is not None and signal != again:
                return None if signal == leave else signal
        return None

    def ask(s: State, f: Frame) -> Asking:
        for _ in turns(s, f):
            signal = yield from body.run(s, f)
            if signal is not None and signal != again:
                return None if signal == leave else signal
        return None

    return CoreStep(ask, asks=True) if body.asks else CoreStep(run)


def missing_meanings() -> list[str]:
    """Operations that the interpreter does not know; tests want this to be empty."""
    return sorted(str(op) for op in Op if op not in MEANINGS and op not in ASKS)
