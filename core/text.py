"""The core as text: printed for people and tests, and read again. Reading what was printed gives the same functions.

A statement stands on a line of its own, a block is indented by two. A constant has its type in front of it, unless it
is a number, a truth, `none`, or of the type that stands beside it. Behind `#` stands what is not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Never, TypeVar

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
    Function,
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
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, INT, NONE, CoreType, read_type

__all__ = ["CoreTextError", "parse_function", "parse_program", "print_function", "print_program", "print_statement"]

T = TypeVar("T")

INDENT = "  "
PLAIN = re.compile(r"[^\W\d][\w.-]*")


# ---- printing


def print_program(program: Program) -> str:
    """All functions, in the order in which they were written, each check with the line it is for."""
    return "\n".join(print_function(function, program.places) for function in program.functions.values())


def print_function(function: Function, places: Sequence[Place] = ()) -> str:
    """A function, ending with a line's end. With the places of its program a check says where in the ruleset it is."""
    return "".join(f"{line}\n" for line in _Printer(function.result, places).function(function))


def print_statement(statement: Statement) -> str:
    """The first line of a statement, for messages."""
    return next(_Printer(None, ()).statement(statement))


class _Printer:
    def __init__(self, result: CoreType | None, places: Sequence[Place]) -> None:
        self.result = result
        self.places = places

    def function(self, function: Function) -> Iterator[str]:
        words = ["pure"] * function.pure + ["asking"] * function.asks + ["function"]
        parameters = ", ".join(map(_declared, function.parameters))
        result = "" if function.result is None else f" -> {function.result}"
        yield f"{' '.join(words)} {_word(function.name)}({parameters}){result}"
        yield from self.block(function.body)

    def block(self, block: Block) -> Iterator[str]:
        for statement in block:
            yield from (INDENT + line for line in self.statement(statement))

    def statement(self, statement: Statement) -> Iterator[str]:
        """The lines of a statement; those after the first are the blocks in it."""
        match statement:
            case If(condition, then, otherwise):
                yield f"if {_value(condition)}"
                yield from self.block(then)
                yield from self.otherwise(otherwise)
            case Switch(value, cases, otherwise):
                yield f"switch {_value(value)}"
                for number, block in cases:
                    yield f"{INDENT}case {number}"
                    yield from (INDENT + line for line in self.block(block))
                yield from (INDENT + line for line in self.otherwise(otherwise))
            case Loop(label, body):
                yield f"loop as {label}"
                yield from self.block(body)
            case For(label, name, low, high, body):
                yield f"for {_declared(name)} from {_value(low)} below {_value(high)} as {label}"
                yield from self.block(body)
            case Each(label, name, source, body, start):
                order = "" if start is None else f" from {_value(start)}"
                yield f"each {_declared(name)} in {_value(source)}{order} as {label}"
                yield from self.block(body)
            case _:
                yield self.simple(statement)

    def otherwise(self, block: Block) -> Iterator[str]:
        if block:
            yield "else"
            yield from self.block(block)

    def simple(self, statement: Statement) -> str:
        """A statement without blocks."""
        match statement:
            case Let(target, op, args, about):
                words = f"[{', '.join(map(_about, about))}]" if about else ""
                return f"{_target(target)}{op}{words}({_values(args)})"
            case Call(target, function, args):
                return f"{_target(target)}call {_word(function)}({_values(args)})"
            case Check(condition, code, place):
                return f"check {_value(condition)} else {code} @{place}{self.remark(place)}"
            case Var(name, value):
                return f"var {_declared(name)}" + ("" if value is None else f" = {_value(value, name.type)}")
            case Set(name, value):
                return f"set {name.text} = {_value(value, name.type)}"
            case Push(name, value):
                return f"push {name.text}, {_value(value)}"
            case _:
                return self.jump(statement)

    def jump(self, statement: Statement) -> str:
        match statement:
            case Return(value):
                return "return" if value is None else f"return {_value(value, self.result)}"
            case Break(label):
                return f"break {label}"
            case Continue(label):
                return f"continue {label}"
            case EndGame():
                return "end game"
        raise AssertionError(statement)

    def remark(self, place: int) -> str:
        return f"  # {self.places[place].span}" if place < len(self.places) else ""


def _target(target: Name | None) -> str:
    return "" if target is None else f"{_declared(target)} = "


def _declared(name: Name) -> str:
    return f"{name.text}: {name.type}"


def _values(args: Sequence[Operand]) -> str:
    return ", ".join(map(_value, args))


def _value(operand: Operand, wanted: CoreType | None = None) -> str:
    if isinstance(operand, Name):
        return operand.text
    text = _literal(operand.value)
    return text if operand.type == (wanted or _own_type(operand.value)) else f"{operand.type}({text})"


def _literal(value: int | bool | Fraction | None) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case _:
            return str(value)


def _own_type(value: int | bool | Fraction | None) -> CoreType | None:
    """The type of a constant that does not say it; fractions always do."""
    match value:
        case None:
            return NONE
        case bool():
            return BOOL
        case Fraction():
            return None
        case _:
            return INT


def _about(word: str | int) -> str:
    return _word(word) if isinstance(word, str) else str(word)


def _word(text: str) -> str:
    """A declaration's name; in quotes if it is not one word."""
    return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


# ---- reading

TOKEN = re.compile(
    r'\s*(?:(?P<remark>#.*)|(?P<number>-?\d+(?:/\d+)?)(?![\w.])|(?P<word>[\w.-]*[\w.])|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<sign>->|[][(){}:=,?@]))"
)
CONSTANTS = {"none": None, "true": True, "false": False}


class CoreTextError(ValueError):
    """The text is not core; the message begins with the number of its line."""


def parse_program(text: str) -> Program:
    """The functions of a printed program. Its places are not in the text: the list is empty."""
    reader, program = _Reader(text), Program()
    while reader.lines:
        function = reader.function()
        program.functions[function.name] = function
    return program


def parse_function(text: str) -> Function:
    """One function. Raises CoreTextError."""
    reader = _Reader(text)
    function = reader.function()
    if reader.lines:
        reader.lines.pop(0).fail("one function ends before this line")
    return function


class _Line:
    """A line on its way: its indentation, and the tokens (what they are, and their text) that are still to come."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.indent = len(text) - len(text.lstrip(" "))
        self.tokens = list(self._tokens(text.rstrip()))

    def _tokens(self, text: str) -> Iterator[tuple[str, str]]:
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                self.fail(f"`{text[at:].strip()}` is no core")
            at, kind = found.end(), found.lastgroup or ""
            if kind != "remark":
                yield kind, found[kind]

    def fail(self, message: str) -> Never:
        raise CoreTextError(f"line {self.number}: {message}")

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[ahead][1] if ahead < len(self.tokens) else ""

    def take(self, *kinds: str) -> str:
        """The next token, which is of one of these kinds."""
        if not self.tokens or self.tokens[0][0] not in kinds:
            self.fail(f"{' or '.join(kinds)} expected, not {self.found}")
        return self.tokens.pop(0)[1]

    def skip(self, text: str) -> bool:
        """Whether this token comes next; then it is behind us."""
        if self.peek() != text or self.tokens[0][0] == "string":
            return False
        self.tokens.pop(0)
        return True

    def want(self, text: str) -> None:
        if not self.skip(text):
            self.fail(f"`{text}` expected, not {self.found}")

    def end(self) -> None:
        if self.tokens:
            self.fail(f"{self.found} is too much")

    @property
    def found(self) -> str:
        return f"`{self.peek()}`" if self.tokens else "the line's end"


class _Reader:
    """Reads functions line by line. `names`: those of the function at hand."""

    def __init__(self, text: str) -> None:
        self.lines = [line for n, one in enumerate(text.splitlines(), 1) if (line := _Line(n, one)).tokens]
        self.names: dict[str, Name] = {}
        self.result: CoreType | None = None

    def function(self) -> Function:
        if not self.lines:
            raise CoreTextError("line 1: a function expected, not the text's end")
        line = self.lines.pop(0)
        self.names = {}
        pure, asks = line.skip("pure"), line.skip("asking")
        line.want("function")
        name = self.word(line)
        parameters = self.listed(line, "(", ")", self.declared)
        self.result = self.type(line) if line.skip("->") else None
        line.end()
        return Function(name, parameters, self.result, self.block(line), pure, asks)

    def block(self, head: _Line) -> Block:
        """The lines that are indented deeper than the head, which is above them."""
        statements = []
        while self.lines and self.lines[0].indent > head.indent:
            line = self.lines.pop(0)
            if line.indent != head.indent + len(INDENT):
                line.fail(f"indented by {line.indent}, not by {head.indent + len(INDENT)}")
            statements.append(self.statement(line))
        return tuple(statements)

    def statement(self, line: _Line) -> Statement:
        reads = STATEMENTS.get(line.peek()) if line.peek(1) not in (":", "(", "[") else None
        if reads is None:
            found = self.operation(line)
            line.end()
            return found
        line.take("word")
        return reads(self, line)

    # ---- statements without blocks

    def operation(self, line: _Line) -> Statement:
        target = None
        if line.peek(1) == ":":
            target = self.declared(line)
            line.want("=")
        if line.skip("call"):
            return Call(target, self.word(line), self.listed(line, "(", ")", self.value))
        op = line.take("word")
        if op in ("else", "case"):
            line.fail(f"`{op}` stands behind no `if` or `switch`")
        if op not in OPS:
            line.fail(f"there is no operation `{op}`")
        about = self.listed(line, "[", "]", self.about) if line.peek() == "[" else ()
        return Let(target, OPS[op], self.listed(line, "(", ")", self.value), about)

    def call(self, line: _Line) -> Statement:
        return self.ended(line, Call(None, self.word(line), self.listed(line, "(", ")", self.value)))

    def check(self, line: _Line) -> Statement:
        condition = self.value(line)
        line.want("else")
        code = line.take("word")
        line.want("@")
        return self.ended(line, Check(condition, code, int(line.take("number"))))

    def var(self, line: _Line) -> Statement:
        name = self.declared(line)
        return self.ended(line, Var(name, self.value(line, name.type) if line.skip("=") else None))

    def set(self, line: _Line) -> Statement:
        name = self.name(line)
        line.want("=")
        return self.ended(line, Set(name, self.value(line, name.type)))

    def push(self, line: _Line) -> Statement:
        name = self.name(line)
        line.want(",")
        return self.ended(line, Push(name, self.value(line)))

    def leave(self, line: _Line) -> Statement:
        return self.ended(line, Break(line.take("word")))

    def go_on(self, line: _Line) -> Statement:
        return self.ended(line, Continue(line.take("word")))

    def give(self, line: _Line) -> Statement:
        return self.ended(line, Return(self.value(line, self.result) if line.tokens else None))

    def end_game(self, line: _Line) -> Statement:
        line.want("game")
        return self.ended(line, EndGame())

    def ended(self, line: _Line, statement: Statement) -> Statement:
        line.end()
        return statement

    # ---- statements with blocks

    def when(self, line: _Line) -> Statement:
        condition = self.value(line)
        line.end()
        return If(condition, self.block(line), self.otherwise(line.indent))

    def otherwise(self, indent: int) -> Block:
        if not (self.lines and self.lines[0].indent == indent and self.lines[0].peek() == "else"):
            return ()
        line = self.lines.pop(0)
        line.want("else")
        line.end()
        return self.block(line)

    def switch(self, line: _Line) -> Statement:
        value = self.value(line)
        line.end()
        cases = []
        indent = line.indent + len(INDENT)
        while self.lines and self.lines[0].indent == indent and self.lines[0].skip("case"):
            case = self.lines.pop(0)
            number = int(case.take("number"))
            case.end()
            cases.append((number, self.block(case)))
        return Switch(value, tuple(cases), self.otherwise(indent))

    def loop(self, line: _Line) -> Statement:
        return Loop(self.label(line), self.block(line))

    def count(self, line: _Line) -> Statement:
        name = self.declared(line)
        line.want("from")
        low = self.value(line)
        line.want("below")
        high = self.value(line)
        return For(self.label(line), name, low, high, self.block(line))

    def each(self, line: _Line) -> Statement:
        name = self.declared(line)
        line.want("in")
        source = self.value(line)
        start = self.value(line) if line.skip("from") else None
        return Each(self.label(line), name, source, self.block(line), start)

    def label(self, line: _Line) -> str:
        """`as LABEL`, which ends the line."""
        line.want("as")
        label = line.take("word")
        line.end()
        return label

    # ---- names, types, values

    def word(self, line: _Line) -> str:
        return json.loads(line.take("string")) if line.peek().startswith('"') else line.take("word")

    def about(self, line: _Line) -> str | int:
        return int(line.take("number")) if line.tokens and line.tokens[0][0] == "number" else self.word(line)

    def listed(self, line: _Line, before: str, after: str, read: Callable[[_Line], T]) -> tuple[T, ...]:
        line.want(before)
        found: list[T] = []
        while not line.skip(after):
            if found:
                line.want(",")
            found.append(read(line))
        return tuple(found)

    def declared(self, line: _Line) -> Name:
        text = line.take("word")
        line.want(":")
        if text in self.names:
            line.fail(f"`{text}` is declared already")
        if text in CONSTANTS:
            line.fail(f"`{text}` is a constant")
        self.names[text] = name = Name(text, self.type(line))
        return name

    def name(self, line: _Line) -> Name:
        text = line.take("word")
        if text not in self.names:
            line.fail(f"`{text}` is not declared above")
        return self.names[text]

    def type(self, line: _Line) -> CoreType:
        text = self.type_text(line)
        try:
            return read_type(text)
        except ValueError:
            line.fail(f"there is no type `{text}`")

    def type_text(self, line: _Line) -> str:
        text = line.take("word")
        if line.skip("["):
            text += f"[{self.type_text(line)}]"
            line.want("]")
        return text + "?" * line.skip("?")

    def value(self, line: _Line, wanted: CoreType | None = None) -> Operand:
        is_typed = line.peek(1) in ("(", "[", "?")
        if line.peek() in self.names and not is_typed:
            return self.name(line)
        if line.peek() in CONSTANTS or (line.tokens and line.tokens[0][0] == "number"):
            return self.constant(line, wanted)
        if not is_typed:
            return self.name(line)
        kind = self.type(line)
        line.want("(")
        value = self.constant(line, kind)
        line.want(")")
        return value

    def constant(self, line: _Line, wanted: CoreType | None) -> Const:
        text = line.take("word", "number")
        if text in CONSTANTS:
            value: int | Fraction | None = CONSTANTS[text]
        else:
            value = _fraction(line, text) if "/" in text else int(text)
        kind = wanted or _own_type(value)
        if kind is None:
            line.fail(f"`{text}` needs its type: `fraction({text})`")
        return Const(value, kind)


def _fraction(line: _Line, text: str) -> Fraction:
    try:
        return Fraction(text)
    except ZeroDivisionError:
        line.fail(f"`{text}` divides by 0")


OPS = {op.value: op for op in Op}
STATEMENTS: dict[str, Callable[[_Reader, _Line], Statement]] = {
    "call": _Reader.call,
    "check": _Reader.check,
    "var": _Reader.var,
    "set": _Reader.set,
    "push": _Reader.push,
    "break": _Reader.leave,
    "continue": _Reader.go_on,
    "return": _Reader.give,
    "end": _Reader.end_game,
    "if": _Reader.when,
    "switch": _Reader.switch,
    "loop": _Reader.loop,
    "for": _Reader.count,
    "each": _Reader.each,
}
