"""Writes one function of the core, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from trionfi.core.ir import (
    Block,
    Break,
    Call,
    Check,
    Const,
    Continue,
    Each,
    EndGame,
    For,
    If,
    Let,
    Loop,
    Name,
    Operand,
    Place,
    Program,
    Push,
    Return,
    Set,
    Statement,
    Switch,
    Var,
)
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.types import BOOL, INT, NONE, CoreType, Kind, read_type
from trionfi.dsl.source import Span

__all__ = ["FALSE", "TRUE", "Cases", "Writer", "number"]

TRUE, FALSE = Const(True, BOOL), Const(False, BOOL)
NOTHING = Const(None, NONE)


def number(value: int) -> Const:
    return Const(value, INT)


class Writer:
    """Keeps the blocks that are open, and gives names that are unlike all others of the function."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.open: list[list[Statement]] = [[]]
        self._used = dict.fromkeys(("none", "true", "false"), 1)  # constants are written so

    # ---- names and places

    def fresh(self, hint: str, kind: CoreType) -> Name:
        """A new name, as close to the hint as can be."""
        text = "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in hint) or "x"
        self._used[text] = count = self._used.get(text, 0) + 1
        return Name(text if count == 1 else f"{text}.{count}", kind)

    def place(self, span: Span, about: object = None) -> int:
        self.program.places.append(Place(span, about))
        return len(self.program.places) - 1

    def add(self, statement: Statement) -> None:
        self.open[-1].append(statement)

    @property
    def body(self) -> Block:
        """What has been written, when all inner blocks are closed."""
        (block,) = self.open
        return tuple(block)

    # ---- operations

    def let(
        self,
        op: Op,
        *args: Operand,
        type: CoreType | None = None,
        about: tuple[str | int, ...] = (),
        hint: str = "",
    ) -> Name:
        """Names the result of an operation; `type` where the operation does not say it."""
        target = self.fresh(hint or op.value, type or result_type(op))
        self.add(Let(target, op, args, about))
        return target

    def do(self, op: Op, *args: Operand, about: tuple[str | int, ...] = ()) -> None:
        self.add(Let(None, op, args, about))

    def var(self, hint: str, kind: CoreType, value: Operand | None = None) -> Name:
        name = self.fresh(hint, kind)
        self.add(Var(name, value))
        return name

    def set(self, name: Name, value: Operand) -> None:
        self.add(Set(name, value))

    def push(self, name: Name, value: Operand) -> None:
        self.add(Push(name, value))

    def check(self, condition: Operand, code: str, span: Span, about: object = None) -> None:
        if condition != TRUE:
            self.add(Check(condition, code, self.place(span, about)))

    def fail(self, code: str, span: Span, about: object = None) -> None:
        self.check(FALSE, code, span, about)

    def call(self, function: str, *args: Operand, type: CoreType | None = None, hint: str = "") -> Name | None:
        target = None if type is None else self.fresh(hint or function.rsplit(".", maxsplit=1)[-1], type)
        self.add(Call(target, function, args))
        return target

    def call_for(self, function: str, type: CoreType, *args: Operand, hint: str = "") -> Name:
        """Calls a function for what it gives."""
        target = self.fresh(hint or function.rsplit(".", maxsplit=1)[-1], type)
        self.add(Call(target, function, args))
        return target

    # ---- shorthand

    def negation(self, truth: Operand) -> Operand:
        return Const(not truth.value, BOOL) if isinstance(truth, Const) else self.let(Op.NOT, truth)

    def both(self, one: Operand, other: Operand) -> Operand:
        """Of truths that are known already."""
        if one == TRUE or other == FALSE:
            return other
        return one if other == TRUE or one == FALSE else self.let(Op.AND, one, other)

    def same(self, one: Operand, other: Operand) -> Name:
        return self.let(Op.SAME, one, other)

    def is_some(self, value: Operand) -> Operand:
        """Whether a value is not none."""
        if not value.type.optional:
            return TRUE
        return self.negation(self.let(Op.IS_NONE, value))

    def unwrap(self, value: Operand) -> Operand:
        """A value that is known to be not none."""
        if not value.type.optional:
            return value
        hint = value.text.split(".")[0] if isinstance(value, Name) else ""
        return self.let(Op.UNWRAP, value, type=value.type.some, hint=hint)

    def none_of(self, kind: CoreType) -> Const:
        return Const(None, kind.maybe)

    def default_of(self, kind: CoreType) -> Operand | None:
        """What a variable of a type holds before it is set; None if nothing reads it before."""
        if kind.optional:
            return Const(None, kind)
        if kind.kind is Kind.BOOL:
            return FALSE
        if kind.kind is Kind.SEATS:
            return Const(0, kind)
        if kind.kind is Kind.FRACTION:
            return Const(Fraction(0), kind)
        return self.let(Op.EMPTY, type=kind) if kind.is_list else None

    # ---- control

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        self.open.append([])
        yield self.open[-1]
        self.open.pop()

    @contextmanager
    def when(self, condition: Operand) -> Iterator[None]:
        with self.block() as then:
            yield
        self.add(If(condition, tuple(then)))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Behind a `when`, right after it."""
        before = self.open[-1].pop()
        assert isinstance(before, If), "`otherwise` stands behind a `when`"
        with self.block() as block:
            yield
        self.add(If(before.condition, before.then, tuple(block)))

    @contextmanager
    def loop(self, hint: str = "again") -> Iterator[str]:
        """Gives the label, for `leave` and `skip`."""
        label = self.label(hint)
        with self.block() as block:
            yield label
        self.add(Loop(label, tuple(block)))

    @contextmanager
    def count(self, low: Operand, high: Operand, hint: str = "i") -> Iterator[tuple[Name, str]]:
        """The numbers from `low` up to, not including, `high`; the number and the label."""
        label, name = self.label("count"), self.fresh(hint, INT)
        with self.block() as block:
            yield name, label
        self.add(For(label, name, low, high, tuple(block)))

    @contextmanager
    def each(
        self, source: Operand, hint: str = "thing", start: Operand | None = None, element: CoreType | None = None
    ) -> Iterator[tuple[Name, str]]:
        """The things of a list or a set of seats; the thing and the label."""
        label, name = self.label("each"), self.fresh(hint, element or source.type.element)
        with self.block() as block:
            yield name, label
        self.add(Each(label, name, source, tuple(block), start))

    def label(self, hint: str) -> str:
        return self.fresh(hint, BOOL).text

    def leave(self, label: str) -> None:
        self.add(Break(label))

    def skip(self, label: str) -> None:
        self.add(Continue(label))

    def give(self, value: Operand | None = None) -> None:
        self.add(Return(value))

    def end_game(self) -> None:
        self.add(EndGame())

    @contextmanager
    def switch(self, value: Operand) -> Iterator[Cases]:
        cases = Cases(self)
        yield cases
        self.add(Switch(value, tuple(cases.found), cases.rest))


class Cases:
    """The cases of a switch while they are written."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.found: list[tuple[int, Block]] = []
        self.rest: Block = ()

    @contextmanager
    def case(self, value: int) -> Iterator[None]:
        with self._writer.block() as block:
            yield
        self.found.append((value, tuple(block)))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        with self._writer.block() as block:
            yield
        self.rest = tuple(block)


def result_type(op: Op) -> CoreType:
    """The type of what an operation gives, where it alone says it."""
    gives = SIGNATURES[op].gives
    assert gives not in ("-", "as told"), f"{op} does not say what it gives"
    return read_type(gives)
