"""What is never none.

A number may be none in the language, and a player, a card or a member of an enumeration, too. What a program really
gives its variables, parameters and results shows that most of them never are: whoever asks, is told so now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trionfi.core.ir import (
    Block,
    Call,
    Const,
    Each,
    Function,
    Let,
    Name,
    Operand,
    Program,
    Push,
    Return,
    Set,
    Statement,
    Var,
    walk,
)
from trionfi.core.ops import Op
from trionfi.core.passes.folding import NO
from trionfi.core.passes.rewriting import with_blocks
from trionfi.dsl import tree
from trionfi.dsl.tree import Ruleset

__all__ = ["nones"]

Thing = tuple[str, str]  # a function and a name in it; "load", "result" and what of
CALLED = ("define.", "procedure.")  # all who call these are in the program


def nones(program: Program, rules: Ruleset | None) -> Program:
    """The program in which it is known of what is never none."""
    found = Nones(program, rules)
    functions = {name: replace(one, body=found.told(name, one.body)) for name, one in program.functions.items()}
    return Program(functions, program.places)


class Nones:
    """`maybe`: what may be none. All else is shown not to be, by what it is given."""

    def __init__(self, program: Program, rules: Ruleset | None) -> None:
        self.program = program
        self.maybe: set[Thing] = {("load", one.name) for one in variables_of(rules) if not begins(one)}
        self.maybe |= {(name, p.text) for name in self.roots() for p in program.functions[name].parameters}
        self.known = {one.name for one in variables_of(rules)}
        given = [one for name, function in program.functions.items() for one in self.given(name, function)]
        while more := {thing for thing, where, value in given if self.is_maybe(where, value)} - self.maybe:
            self.maybe |= more

    def roots(self) -> set[str]:
        """Functions that somebody else may call."""
        calls = {one.function for f in self.program.functions.values() for one in walk(f.body) if isinstance(one, Call)}
        return {name for name in self.program.functions if name not in calls or not name.startswith(CALLED)}

    def is_maybe(self, function: str, value: Operand | Thing) -> bool:
        if isinstance(value, tuple):
            return value in self.maybe
        if isinstance(value, Const):
            return value.value is None
        return value.type.optional and (function, value.text) in self.maybe

    def given(self, name: str, function: Function) -> Iterator[tuple[Thing, str, Operand | Thing]]:
        """What gets a value, in which function, and which."""
        for one in walk(function.body):
            match one:
                case Let():
                    yield from self.given_by(name, one)
                case Var(name=target, value=Name() | Const() as value) | Set(name=target, value=value):
                    yield (name, target.text), name, value
                case Return(value=Name() | Const() as value):
                    yield ("result", name), name, value
                case Call(target=target, function=called, args=args):
                    if target is not None:
                        yield (name, target.text), name, ("result", called)
                    for parameter, arg in zip(self.program.functions[called].parameters, args, strict=True):
                        yield (called, parameter.text), name, arg
                case Each(name=target) | Push(name=target):
                    yield (name, target.text), name, Const(None, target.type)
                case _:
                    pass

    def given_by(self, name: str, let: Let) -> Iterator[tuple[Thing, str, Operand | Thing]]:
        match let:
            case Let(op=Op.STORE, args=(value, *_), about=(variable, *_)):
                yield ("load", str(variable)), name, value
            case Let(target=Name() as target, op=Op.LOAD, about=(variable, *_)) if str(variable) in self.known:
                yield (name, target.text), name, ("load", str(variable))
            case Let(target=Name() as target, op=Op.SELECT, args=(_, one, other)):
                yield (name, target.text), name, one
                yield (name, target.text), name, other
            case Let(target=Name() as target):
                yield (name, target.text), name, Const(None, target.type)
            case _:
                pass

    def told(self, function: str, block: Block) -> Block:
        """The block in which questions whose answer is known are not asked."""

        def tell(one: Statement) -> Statement:
            match one:
                case Let(target=Name() as target, op=Op.IS_NONE, args=(asked,)) if not self.is_maybe(function, asked):
                    return Var(target, NO)
                case _:
                    return with_blocks(one, lambda inner: self.told(function, inner))

        return tuple(map(tell, block))


def variables_of(rules: Ruleset | None) -> list[tree.Variable]:
    return [] if rules is None else rules.variables


def begins(variable: tree.Variable) -> bool:
    """Whether a variable has a value from the beginning."""
    if variable.start is None:
        return variable.type.kind == "number" and not variable.unset
    if isinstance(variable.start, tree.Const):
        return variable.start.value is not None
    return isinstance(variable.start, tree.OptionValue)
