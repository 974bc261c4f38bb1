"""Modules of native code from the core."""

from __future__ import annotations

from llvmlite import ir as llvm

from trionfi.core import ir
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
from trionfi.interpreter.native.emission.function import emitted
from trionfi.interpreter.native.frames import Made
from trionfi.interpreter.native.lowering import Build, Lowering
from trionfi.interpreter.native.measures import Figure, winners, write_scores

__all__ = ["ROOMS", "write_game", "write_playout"]

# Importing them fills the table of operations.
ROOMS = (asking, fractions, hands, labels, menus, moving, numbers, places, plays, strategies, things)


def write_game(build: Build, program: ir.Program) -> tuple[Made, llvm.Function]:
    """The function that plays a game, and finish(state): scores, winners and the measures of the end."""
    build.program = program
    play = emitted(build, program, "play")
    made = play.frame or Made(build.rules.play, False, play.result, play.function)
    return made, write_finish(build, program)


def write_finish(build: Build, program: ir.Program) -> llvm.Function:
    end = emitted(build, program, "end").function
    with function(build.module, "finish", VOID, [POINTER]) as code:
        f = Lowering(build, code)
        code.call(end, [f.state])  # it counts what scores try, too
        with code.when(code.compare("==", f.field("error"), 0)):
            write_scores(f, figure(f, program, "score"))
            f.set_field("winners", winners(f, figure(f, program, "won")))
        code.give()
    return code.function


def figure(f: Lowering, program: ir.Program, name: str) -> Figure | None:
    """The score of a seat, or whether it has won, if the program says it."""
    if name not in program.functions:
        return None
    made = emitted(f.build, program, name).function
    return lambda seat: f.code.call(made, [f.state, seat])


def write_playout(build: Build, program: ir.Program) -> None:
    from trionfi.interpreter.native import engine

    engine.write_playout(build, *write_game(build, program))
