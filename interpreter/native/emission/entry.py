"""Whole games from the core: the function that plays and adds up."""

from __future__ import annotations

from trionfi.core import ir
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import I64, POINTER, VOID, Code, function, number
from trionfi.interpreter.native.emission import asking, fractions, hands, menus, moving, numbers, things
from trionfi.interpreter.native.emission.function import emitted
from trionfi.interpreter.native.lowering import Build, Lowering
from trionfi.interpreter.native.measures import write_add_game

__all__ = ["ROOMS", "write_playout"]

# Importing them fills the table of operations.
ROOMS = (asking, fractions, hands, menus, moving, numbers, things)


def write_playout(build: Build, program: ir.Program) -> None:
    """playout(record, template, mixed seed, first game, count): -1, or the number of the game that stopped."""
    play, end = emitted(build, program, "play").function, emitted(build, program, "end").function
    add_game, finish = write_add_game(build), write_finish(build, program)
    kinds = [POINTER, POINTER, I64, I64, I64]
    with function(build.module, "playout", I64, kinds, internal=False) as code:
        f = Lowering(build, code)
        state, template, seed, first, count = code.arguments
        with code.count(count) as index:
            code.copy(state, template, build.layout.core_size)
            game = code.add(first, index)
            code.call(kernels.open_streams(build), [state, seed, game, f.seats])
            code.call(play, [state])
            for step in (finish, end, add_game):
                with code.when(code.compare("!=", f.field("error"), 0), likely=False):
                    code.give(game)
                code.call(step, [state])
        code.give(number(-1))


def write_finish(build: Build, program: ir.Program) -> object:
    """finish(state): scores and winners."""
    from trionfi.interpreter.native.builder import Variable

    with function(build.module, "finish", VOID, [POINTER]) as code:
        f = Lowering(build, code)
        with code.count(f.seats) as seat:
            f.set_field("scores", figure(build, program, code, "score", seat), seat)
        mask, best = Variable(code, I64, 0), Variable(code, I64, -(1 << 63))
        with code.count(f.seats) as seat:
            bit = code.bit(seat)
            with_it = code.builder.or_(mask.get(), bit)
            if "won" in program.functions:
                mask.set(code.choose(figure(build, program, code, "won", seat), with_it, mask.get()))
            else:
                score = f.field("scores", seat)
                better, equal = code.compare(">", score, best.get()), code.compare("==", score, best.get())
                first = code.compare("==", mask.get(), 0)
                alone = code.choose(code.either(better, first), bit, mask.get())
                mask.set(code.choose(code.both(equal, code.invert(first)), with_it, alone))
                best.set(code.larger(best.get(), score))
        f.set_field("winners", mask.get())
        code.give()
    return code.function


def figure(build: Build, program: ir.Program, code: Code, name: str, seat: object) -> object:
    """The score of a seat, or whether it has won."""
    if name not in program.functions:
        return number(0)
    return code.call(emitted(build, program, name).function, [code.arguments[0], seat])
