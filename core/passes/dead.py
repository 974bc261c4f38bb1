"""Takes away what nobody reads: operations that only give something, variables that are only set, blocks that do
nothing. What may stop the game stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from trionfi.core.ir import (
    Block,
    Call,
    Each,
    For,
    Function,
    If,
    Let,
    Name,
    Program,
    Push,
    Set,
    Statement,
    Var,
    operands_of,
    walk,
)
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.passes.rewriting import with_blocks

__all__ = ["silenced", "with_called", "without_dead"]

# They stop a game as their own text says.
STOPPING = frozenset({Op.TOTAL, Op.ARRANGED, Op.IS_MELD, Op.BEST_HAND})


def without_dead(function: Function) -> Function:
    """The function without what does nothing; what it gives and does is the same."""
    body = function.body
    while (less := living(body)) != body:
        body = less
    return replace(function, body=body)


def silenced(program: Program, ops: Container[Op]) -> Program:
    """The program without operations that nobody listens to, and without what was worked out for them alone."""

    def less(block: Block) -> Block:
        return tuple(with_blocks(one, less) for one in block if not (isinstance(one, Let) and one.op in ops))

    functions = {n: without_dead(replace(one, body=less(one.body))) for n, one in program.functions.items()}
    return Program(functions, program.places)


def with_called(program: Program, entries: Iterable[str]) -> Program:
    """The program with these functions and all that they speak of: call, ask of things, show as labels."""
    found: dict[str, None] = {}
    left = list(entries)
    while left:
        name = left.pop()
        if name in program.functions and name not in found:
            found[name] = None
            left += spoken_of(program.functions[name])
    return Program({name: one for name, one in program.functions.items() if name in found}, program.places)


def spoken_of(function: Function) -> Iterator[str]:
    for statement in walk(function.body):
        if isinstance(statement, Call):
            yield statement.function
        elif isinstance(statement, Let) and statement.op in (Op.MATCHING, Op.STOPS, Op.ASK):
            yield from map(str, statement.about)


def living(block: Block) -> Block:
    read = Counter(operand.text for one in walk(block) for operand in operands_of(one) if isinstance(operand, Name))

    def inside(block: Block) -> Block:
        """From its end, so that what only the dead read goes with them."""
        kept: list[Statement] = []
        for one in reversed(block):
            done = with_blocks(one, inside)
            if lives(done, read):
                kept.append(done)
            else:
                read.subtract(operand.text for operand in operands_of(one) if isinstance(operand, Name))
        return tuple(reversed(kept))

    return inside(block)


def lives(statement: Statement, read: Counter[str]) -> bool:
    match statement:
        case Let(target=Name(text), op=op):
            return bool(read[text] or SIGNATURES[op].writes or op in STOPPING)
        case Var(name=name) | Set(name=name) | Push(name=name):
            return bool(read[name.text])
        case If(_, then, otherwise):
            return bool(then or otherwise)
        case For(body=body) | Each(body=body):
            return bool(body)
        case _:
            return True
