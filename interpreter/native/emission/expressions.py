"""Expressions that evaluators of totals and melds ask for one by one: each is a function of the core."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm

from trionfi.core.desugar.function import Desugar, Desugaring
from trionfi.core.ir import Const, Function, Program, Return
from trionfi.core.passes.dead import with_called
from trionfi.core.passes.inline import inline
from trionfi.core.types import CARD, core_type
from trionfi.dsl import tree
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import Value
from trionfi.interpreter.native.emission.function import emitted
from trionfi.interpreter.native.emission.values import constant
from trionfi.interpreter.native.module import Build

__all__ = ["desugaring", "simplified", "value_of"]


def value_of(f: Body, expression: tree.Expr, card: Value | None = None, is_needed: bool = False) -> Any:
    """The value of an expression over a card, its local 0; `is_needed`: it may not be none. Where it stops the game it
    is 0."""
    core, program = written(f, expression, card is not None, is_needed)
    match core.body:
        case (Return(Const(value=value)),):
            assert core.result is not None
            return constant(f, value, core.result)
    made = emitted(f.build, program, core.name)
    value = f.code.call(made.function, [f.state, *([] if card is None else [card])])
    if not made.may_fail:
        return value
    failed = f.code.compare("!=", f.field("error"), 0)
    return f.code.builder.select(failed, llvm.Constant(value.type, 0), value)


def written(f: Body, expression: tree.Expr, of_card: bool, is_needed: bool) -> tuple[Function, Program]:
    """The function of an expression, and the program that it stands in."""
    whole = desugaring(f.build)

    def write(d: Desugar, name: str) -> Function:
        card = d.fresh("card", CARD)
        if of_card:
            d.env[0] = card
        d.give(d.needed(expression) if is_needed else d.expr(expression))
        kind = core_type(expression.type)
        return Function(name, (card,) if of_card else (), kind.some if is_needed else kind, d.body, pure=True)

    name = whole.function(expression, "value", "number" if is_needed else "any", write)
    program = simplified(whole, name)
    return program.functions[name], program


def desugaring(build: Build) -> Desugaring:
    if build.values is None:
        build.values = Desugaring(build.rules)
    found: Desugaring = build.values
    return found


def simplified(whole: Desugaring, name: str) -> Program:
    return inline(with_called(whole.program, [name]), whole.rules)
