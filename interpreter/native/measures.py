"""What is read off a game: measures, scores, winners; and their sums over many games."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from trionfi.interpreter.native import tallies
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I64, I128, I256, POINTER, VOID, Code, Mutable, Value, function, number
from trionfi.interpreter.native.module import NO_NUMBER, Build

# ---- adding up


def see(code: Code, tally: Value, value: Value) -> None:
    """Adds a number to a tally."""
    b = code.builder
    count = code.load(I64, tally, tallies.COUNT)
    wide = b.sext(value, I128)
    increase(code, I128, tally, tallies.TOTAL, wide)
    increase(code, I256, tally, tallies.SQUARES, b.sext(b.mul(wide, wide), I256))
    first = code.compare("==", count, 0)
    least, greatest = code.load(I64, tally, tallies.LEAST), code.load(I64, tally, tallies.GREATEST)
    code.store(I64, code.choose(first, value, code.smaller(least, value)), tally, tallies.LEAST)
    code.store(I64, code.choose(first, value, code.larger(greatest, value)), tally, tallies.GREATEST)
    code.store(I64, code.add(count, 1), tally, tallies.COUNT)


def increase(code: Code, kind: ir.IntType, tally: Value, place: Value, more: Value) -> None:
    """Adds to a sum that takes several words."""
    pointer = code.at(tally, place, 8)
    code.builder.store(code.builder.add(code.builder.load(pointer, typ=kind, align=8), more), pointer, align=8)


def see_word(code: Code, tally: Value, word: Value) -> None:
    code.store(I64, code.add(code.load(I64, tally, tallies.COUNT), 1), tally, tallies.COUNT)
    counter = code.add(word, tallies.WORDS)
    code.store(I64, code.add(code.load(I64, tally, counter), 1), tally, counter)


# ---- measures


def count_reading(f: Body, index: int, value: Value, seat: Value | None = None) -> None:
    """Counts one reading of a measure, also where all seats are counted."""
    code, measure = f.code, f.rules.measures[index]
    plan = tallies.tally_plan(f.rules, measure)
    rows = f.address(f"measure {index}")
    tally = rows if seat is None else code.at(rows, code.multiply(seat, plan.size), 8)
    if measure.type.kind == "truth":
        see(code, tally, code.number_of(value))
    elif measure.type.kind == "number":
        with code.when(code.compare("!=", value, NO_NUMBER)):
            see(code, tally, value)
    else:
        pooled = code.at(rows, plan.pooled * plan.size, 8) if plan.pooled >= 0 else None
        with code.when(code.compare(">=", value, 0)):
            for seen in (tally,) if pooled is None else (tally, pooled):
                see_word(code, seen, value)


# ---- games


def write_end_game(build: Build, index: int, plan: tallies.TallyPlan) -> ir.Function:
    """end_game_N(tally): what the measure was read in this game joins its sums over games."""
    with function(build.module, f"end_game_{index}", VOID, [POINTER]) as code:
        tally, b = code.arguments[0], code.builder
        games = code.at(tally, plan.games, 8)
        count = code.subtract(code.load(I64, tally, tallies.COUNT), code.load(I64, games, tallies.COUNT_BEFORE))
        with code.when(code.compare("!=", count, 0)):
            code.store(I64, code.load(I64, tally, tallies.COUNT), games, tallies.COUNT_BEFORE)
            code.store(I64, code.add(code.load(I64, games, tallies.GAMES), 1), games, tallies.GAMES)
            wide = b.zext(count, I128)
            increase(code, I128, games, tallies.COUNTS_SQUARED, b.mul(wide, wide))
            figures = code.at(games, tallies.FIGURES, 8)
            if plan.words:
                end_words(code, plan, tally, figures, wide)
            else:
                end_number(code, tally, figures, wide)
        code.give()
    return code.function


def end_number(code: Code, tally: Value, figures: Value, count: Value) -> None:
    b = code.builder
    now, before = code.at(tally, tallies.TOTAL, 8), code.at(figures, tallies.TOTAL_BEFORE, 8)
    total = b.load(now, typ=I128, align=8)
    seen = b.sext(b.sub(total, b.load(before, typ=I128, align=8)), I256)
    b.store(total, before, align=8)
    increase(code, I256, figures, tallies.PRODUCTS, b.mul(seen, b.zext(count, I256)))
    increase(code, I256, figures, tallies.TOTALS_SQUARED, b.mul(seen, seen))


def end_words(code: Code, plan: tallies.TallyPlan, tally: Value, figures: Value, count: Value) -> None:
    b = code.builder
    with code.count(plan.words) as word:
        figure = code.at(figures, code.multiply(word, tallies.WORD_SIZE), 8)
        total = code.load(I64, tally, code.add(word, tallies.WORDS))
        seen = code.subtract(total, code.load(I64, figure, tallies.SEEN_BEFORE))
        with code.when(code.compare("!=", seen, 0)):
            code.store(I64, total, figure, tallies.SEEN_BEFORE)
            wide = b.zext(seen, I128)
            increase(code, I128, figure, tallies.WORD_PRODUCTS, b.mul(wide, count))
            increase(code, I128, figure, tallies.WORDS_SQUARED, b.mul(wide, wide))


def end_measures(f: Body) -> None:
    code = f.code
    for index, measure in enumerate(f.rules.measures):
        plan = tallies.tally_plan(f.rules, measure)
        if not plan.by_game:
            continue
        end, rows = write_end_game(f.build, index, plan), f.address(f"measure {index}")
        with code.count(f.seats if measure.player is not None else 1) as row:
            code.call(end, [code.at(rows, code.multiply(row, plan.size), 8)])
        if plan.pooled >= 0:
            code.call(end, [code.at(rows, plan.pooled * plan.size, 8)])


# ---- the end


Figure = Callable[[Value], Value]  # of a seat


def write_scores(f: Body, score: Figure | None) -> None:
    with f.code.count(f.seats) as seat:
        f.small(seat, f.layout.seats)
        f.set_field("scores", score(seat) if score is not None else number(0), seat)


def winners(f: Body, won: Figure | None) -> Value:
    """Those of whom `won` is true; without it the highest score."""
    mask, best = Mutable(f.code, I64, 0), Mutable(f.code, I64, -(1 << 63))
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


def sides_of(f: Body, winners: Value) -> Value:
    """On how many sides the winners are: partners on one, and all of whom `won` is true."""
    rules = f.build.rules
    if rules.won is not None:
        return f.code.smaller(f.code.bits(winners), 1)
    if not rules.teams:
        return f.code.bits(winners)
    count: Value = number(0)
    for team in rules.teams:
        mask = number(sum(1 << seat for seat in team))
        there = f.code.compare("!=", f.code.builder.and_(winners, mask), 0)
        count = f.code.add(count, f.code.number_of(there))
    return count


def write_add_game(build: Build) -> ir.Function:
    """add_game(state): a finished game joins the sums."""
    with function(build.module, "add_game", VOID, [POINTER]) as code:
        f = Body(build, code)
        mask = f.field("winners")
        count = sides_of(f, mask)
        seats = f.seats
        with code.count(seats) as seat:
            see(
                code,
                code.at(f.address("score tallies"), code.multiply(seat, tallies.WORDS), 8),
                f.field("scores", seat),
            )
            place = code.add(code.multiply(seat, build.layout.seats), code.larger(code.subtract(count, 1), 0))
            won = code.number_of(code.has_bit(mask, seat))
            f.set_field("wins", code.add(f.field("wins", place), won), place)
        tied = code.number_of(code.compare(">", count, 1))
        f.set_field("ties", code.add(f.field("ties"), tied))
        see(code, f.address("decision tally"), f.field("asked"))
        end_measures(f)
        code.give()
    return code.function
