"""What is read off a game: measures, scores, winners; and their sums over many games.

A tally is eight words and a counter for each word that can be seen: how often, the sum (128 bits), the sum of the
squares (128 bits), the least, the greatest, and one to spare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import I64, I128, POINTER, VOID, Code, Value, Variable, function, number
from trionfi.interpreter.native.lowering import NO_NUMBER, Lowering

if TYPE_CHECKING:
    from trionfi.interpreter.native.layout import Layout
    from trionfi.interpreter.native.lowering import Build

COUNT, TOTAL, SQUARES, LEAST, GREATEST, WORDS = 0, 1, 3, 5, 6, 8


def words_seen(rules: tree.Ruleset, measure: tree.Measure) -> int:
    """How many different words a measure can show; 0 for truths and numbers."""
    if measure.type.kind == "category":
        return len(rules.rankings[measure.type.name].categories)
    if measure.type.kind == "enum":
        return len(rules.enumerations[measure.type.name].members)
    return {"player": rules.players[1], "team": len(rules.teams)}.get(measure.type.kind, 0)


def plan_tallies(layout: Layout) -> None:
    """Room for the sums, in the setting."""
    for index, measure in enumerate(layout.rules.measures):
        size = WORDS + words_seen(layout.rules, measure)
        layout.reserve(f"measure {index}", I64, size * (layout.seats if measure.player else 1))
    layout.reserve("score tallies", I64, WORDS * layout.seats)
    layout.reserve("decision tally", I64, WORDS)
    layout.reserve("wins", I64, layout.seats * layout.seats)
    layout.reserve("ties", I64)


# ---- adding up


def see(code: Code, tally: Value, value: Value) -> None:
    """Adds a number to a tally."""
    b = code.builder
    count = code.load(I64, tally, COUNT)
    wide = b.sext(value, I128)
    for place, more in ((TOTAL, wide), (SQUARES, b.mul(wide, wide))):
        pointer = code.at(tally, place, 8)
        b.store(b.add(b.load(pointer, typ=I128, align=8), more), pointer, align=8)
    first = code.compare("==", count, 0)
    least, greatest = code.load(I64, tally, LEAST), code.load(I64, tally, GREATEST)
    code.store(I64, code.choose(first, value, code.smaller(least, value)), tally, LEAST)
    code.store(I64, code.choose(first, value, code.larger(greatest, value)), tally, GREATEST)
    code.store(I64, code.add(count, 1), tally, COUNT)


def see_word(code: Code, tally: Value, word: Value) -> None:
    code.store(I64, code.add(code.load(I64, tally, COUNT), 1), tally, COUNT)
    counter = code.add(word, WORDS)
    code.store(I64, code.add(code.load(I64, tally, counter), 1), tally, counter)


# ---- measures


def read_measures(f: Lowering, event: str) -> None:
    """Reads the measures of an event (none: those of the end)."""
    for index, measure in enumerate(f.rules.measures):
        if measure.event == event:
            f.code.call(measure_reader(f.build, index, measure), [f.state])


def measure_reader(build: Build, index: int, measure: tree.Measure) -> ir.Function:
    """measure_N(state): reads a measure once, or once a seat."""
    key = ("measure", index)
    if key in build.kernels:
        return build.kernels[key]
    with function(build.module, f"measure_{index}", VOID, [POINTER]) as code:
        build.kernels[key] = code.function
        f = Lowering(build, code)
        tallies = f.address(f"measure {index}")
        if measure.player is None:
            read_measure(f, measure, tallies)
        else:
            size = WORDS + words_seen(build.rules, measure)
            with code.count(f.seats) as seat:
                with f.named(measure.player, f.small(seat, f.layout.seats)):
                    read_measure(f, measure, code.at(tallies, code.multiply(seat, size), 8))
        code.give()
    return build.kernels[key]


def read_measure(f: Lowering, measure: tree.Measure, tally: Value) -> None:
    value = f.expression(measure.body, measure.type)
    if measure.type.kind == "truth":
        see(f.code, tally, f.code.number_of(value))
    elif measure.type.kind == "number":
        with f.code.when(f.code.compare("!=", value, NO_NUMBER)):
            see(f.code, tally, value)
    else:
        with f.code.when(f.code.compare(">=", value, 0)):
            see_word(f.code, tally, value)


# ---- the end


Figure = Callable[[Value], Value]  # of a seat


def write_finish(build: Build) -> ir.Function:
    """finish(state): scores, winners and the measures of the end."""
    with function(build.module, "finish", VOID, [POINTER]) as code:
        f = Lowering(build, code)
        score, won = (figure_of(f, define) for define in (f.rules.score, f.rules.won))
        write_scores(f, score)
        f.set_field("winners", winners(f, won))
        read_measures(f, "")
        code.give()
    return code.function


def figure_of(f: Lowering, define: tree.Define | None) -> Figure | None:
    return None if define is None else lambda seat: f.call_define(define, [seat])


def write_scores(f: Lowering, score: Figure | None) -> None:
    with f.code.count(f.seats) as seat:
        f.small(seat, f.layout.seats)
        f.set_field("scores", score(seat) if score is not None else number(0), seat)


def winners(f: Lowering, won: Figure | None) -> Value:
    """Those of whom `won` is true; without it the highest score."""
    mask, best = Variable(f.code, I64, 0), Variable(f.code, I64, -(1 << 63))
    with f.code.count(f.seats) as seat:
        bit = f.code.bit(f.small(seat, f.layout.seats))
        with_it = f.code.builder.or_(mask.get(), bit)
        if won is not None:
            mask.set(f.code.choose(won(seat), with_it, mask.get()))
        else:
            score = f.field("scores", seat)
            better, equal = f.code.compare(">", score, best.get()), f.code.compare("==", score, best.get())
            first = f.code.compare("==", mask.get(), 0)
            alone = f.code.choose(f.code.either(better, first), bit, mask.get())
            mask.set(f.code.choose(f.code.both(equal, f.code.invert(first)), with_it, alone))
            best.set(f.code.larger(best.get(), score))
    return mask.get()


def write_add_game(build: Build) -> ir.Function:
    """add_game(state): a finished game joins the sums."""
    with function(build.module, "add_game", VOID, [POINTER]) as code:
        f = Lowering(build, code)
        mask = f.field("winners")
        count = f.code.bits(mask)
        seats = f.seats
        with code.count(seats) as seat:
            see(code, code.at(f.address("score tallies"), code.multiply(seat, WORDS), 8), f.field("scores", seat))
            place = code.add(code.multiply(seat, build.layout.seats), code.larger(code.subtract(count, 1), 0))
            won = code.number_of(code.has_bit(mask, seat))
            f.set_field("wins", code.add(f.field("wins", place), won), place)
        tied = code.number_of(code.compare(">", count, 1))
        f.set_field("ties", code.add(f.field("ties"), tied))
        see(code, f.address("decision tally"), f.field("asked"))
        code.give()
    return code.function
