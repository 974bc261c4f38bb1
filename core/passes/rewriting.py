"""What passes need to write blocks anew: other operands, other names, new names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from trionfi.core.ir import (
    Block,
    Break,
    Call,
    Check,
    Continue,
    Each,
    For,
    If,
    Let,
    Loop,
    Name,
    Operand,
    Program,
    Push,
    Return,
    Set,
    Statement,
    Switch,
    Var,
    walk,
)
from trionfi.core.ops import SIGNATURES, Memory

__all__ = [
    "Names",
    "Renaming",
    "changed_in",
    "declared_by",
    "declared_in",
    "label_of",
    "names_of",
    "reads_of",
    "with_blocks",
    "with_operands",
    "writes_of",
]

EVERYTHING = ~Memory.NOTHING
CHANGING = (Set, Push)


def with_operands(statement: Statement, read: Callable[[Operand], Operand]) -> Statement:
    """The statement with other operands of its own; blocks in it stay as they are."""
    match statement:
        case Let(target, op, args, about):
            given = tuple(map(read, args))
            return statement if given == args else Let(target, op, given, about)
        case Call(target, function, args):
            return Call(target, function, tuple(map(read, args)))
        case If(condition, then, otherwise):
            return If(read(condition), then, otherwise)
        case Set(name, value):
            return Set(name, read(value))
        case Check(condition=condition):
            return replace(statement, condition=read(condition))
        case Switch(value=value) | Push(value=value):
            return replace(statement, value=read(value))
        case Var(value=given) | Return(value=given):
            return statement if given is None else replace(statement, value=read(given))
        case For(low=low, high=high):
            return replace(statement, low=read(low), high=read(high))
        case Each(source=source, start=start):
            return replace(statement, source=read(source), start=None if start is None else read(start))
        case _:
            return statement


def with_blocks(statement: Statement, change: Callable[[Block], Block]) -> Statement:
    """The statement with other blocks in it."""
    match statement:
        case If(condition, then, otherwise):
            return If(condition, change(then), change(otherwise))
        case Switch(value, cases, otherwise):
            return Switch(value, tuple((number, change(block)) for number, block in cases), change(otherwise))
        case Loop(body=body) | For(body=body) | Each(body=body):
            return replace(statement, body=change(body))
        case _:
            return statement


def declared_by(statement: Statement) -> Name | None:
    """The name that a statement declares, for what follows or for its own body."""
    match statement:
        case Let(target=target) | Call(target=target):
            return target
        case Var(name=name) | For(name=name) | Each(name=name):
            return name
        case _:
            return None


def label_of(statement: Statement) -> str | None:
    return statement.label if isinstance(statement, Loop | For | Each) else None


def declared_in(block: Block) -> set[str]:
    """The texts of all names that a block declares, at any depth."""
    return {name.text for statement in walk(block) if (name := declared_by(statement)) is not None}


def changed_in(block: Block) -> set[str]:
    """The texts of the variables that a block sets or pushes to."""
    return {statement.name.text for statement in walk(block) if isinstance(statement, CHANGING)}


def names_of(block: Block, parameters: Iterable[Name] = ()) -> set[str]:
    """All texts that stand for something in a function: names and labels."""
    labels = {label for statement in walk(block) if (label := label_of(statement)) is not None}
    return declared_in(block) | labels | {name.text for name in parameters}


def writes_of(block: Block, program: Program) -> Memory:
    """What of a game's state a block may change."""
    memory = Memory.NOTHING
    for statement in walk(block):
        if isinstance(statement, Let):
            memory |= SIGNATURES[statement.op].writes
        elif isinstance(statement, Call) and not program.functions[statement.function].pure:
            return EVERYTHING
    return memory


def reads_of(program: Program, function: str) -> Memory:
    """What of a game's state a function that changes nothing may read, and those that it calls."""
    memory = Memory.NOTHING
    for statement in walk(program.functions[function].body):
        if isinstance(statement, Let):
            memory |= SIGNATURES[statement.op].reads
        elif isinstance(statement, Call):
            memory |= reads_of(program, statement.function)
    return memory


class Names:
    """Makes names that a function does not have yet."""

    def __init__(self, used: set[str]) -> None:
        self.used = used
        self.counts: dict[str, int] = {}

    def fresh(self, text: str) -> str:
        base, _, number = text.rpartition(".")
        stem = base if base and number.isdigit() else text
        made = stem
        while made in self.used:
            self.counts[stem] = self.counts.get(stem, 1) + 1
            made = f"{stem}.{self.counts[stem]}"
        self.used.add(made)
        return made


class Renaming:
    """A copy of a block in which everything that it declares has a new name; `names`: what else becomes another."""

    def __init__(self, names: Names, given: dict[str, Operand] | None = None) -> None:
        self.fresh = names
        self.names: dict[str, Operand] = dict(given or {})
        self.labels: dict[str, str] = {}

    def read(self, operand: Operand) -> Operand:
        return self.names.get(operand.text, operand) if isinstance(operand, Name) else operand

    def declare(self, name: Name) -> Name:
        made = Name(self.fresh.fresh(name.text), name.type)
        self.names[name.text] = made
        return made

    def known(self, name: Name) -> Name:
        found = self.names.get(name.text, name)
        assert isinstance(found, Name)
        return found

    def block(self, block: Block) -> Block:
        return tuple(map(self.statement, block))

    def statement(self, statement: Statement) -> Statement:
        made = with_operands(statement, self.read)
        match made:
            case Let(target=Name() as name) | Call(target=Name() as name):
                made = replace(made, target=self.declare(name))
            case Var(name=name):
                made = replace(made, name=self.declare(name))
            case For(label=label, name=name) | Each(label=label, name=name):
                made = replace(made, name=self.declare(name), label=self.label(label))
            case Loop(label=label):
                made = replace(made, label=self.label(label))
            case Set(name=name) | Push(name=name):
                made = replace(made, name=self.known(name))
            case Break(label) | Continue(label):
                made = replace(made, label=self.labels.get(label, label))
            case _:
                pass
        return with_blocks(made, self.block)

    def label(self, label: str) -> str:
        self.labels[label] = self.fresh.fresh(label)
        return self.labels[label]
