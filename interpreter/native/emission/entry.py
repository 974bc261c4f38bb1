"""Modules of native code from the core."""

from __future__ import annotations

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.desugar.cards import rating_function
from trionfi.dsl import tree
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import POINTER, VOID, function
from trionfi.interpreter.native.emission import (
    asking,
    fractions,
    hands,
    labels,
    menus,
    moving,
    numbers,
    places,
    plays,
    strategies,
    things,
)
from trionfi.interpreter.native.emission.expressions import desugaring, simplified
from trionfi.interpreter.native.emission.function import emitted
from trionfi.interpreter.native.measures import Figure, winners, write_scores
from trionfi.interpreter.native.module import Build, Made

__all__ = ["ROOMS", "write_game", "write_rating"]

# Importing them fills the table of operations.
ROOMS = (asking, fractions, hands, labels, menus, moving, numbers, places, plays, strategies, things)


def write_game(build: Build, program: ir.Program) -> tuple[Made, llvm.Function]:
    """The function that plays a game, and finish(state): scores, winners and the measures of the end."""
    build.program = program
    play = emitted(build, program, "play")
    made = play.frame or Made(play.function)
    return made, write_finish(build, program)


def write_finish(build: Build, program: ir.Program) -> llvm.Function:
    end = emitted(build, program, "end").function
    with function(build.module, "finish", VOID, [POINTER]) as code:
        f = Body(build, code)
        code.call(end, [f.state])  # it counts what scores try, too
        with code.when(code.compare("==", f.field("error"), 0)):
            write_scores(f, figure(f, program, "score"))
            f.set_field("winners", winners(f, figure(f, program, "won")))
        code.give()
    return code.function


def figure(f: Body, program: ir.Program, name: str) -> Figure | None:
    """The score of a seat, or whether it has won, if the program says it."""
    if name not in program.functions:
        return None
    made = emitted(f.build, program, name).function
    return lambda seat: f.code.call(made, [f.state, seat])


def write_rating(build: Build, ranking: tree.ConditionRanking) -> llvm.Function:
    """rate(state, cards, count, ...): the category, then the keys in the order in which they are compared."""
    whole = desugaring(build)
    name = rating_function(whole, ranking)
    return emitted(build, simplified(whole, name), name).function
