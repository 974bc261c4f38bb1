"""What is read off a game: measures, scores, winners; and their sums over many games.

A tally is nine words and a counter for each word that can be seen: how often, the sum (128 bits), the sum of the
squares (256 bits), the least, the greatest. A measure that a game may be asked for several times goes on with its
sums over games (`Ratio`): what they were before this game, and the squares and products of what each has added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import I64, I128, I256, POINTER, VOID, Code, Value, Variable, function, number
from trionfi.interpreter.native.module import NO_NUMBER, Body

if TYPE_CHECKING:
    from trionfi.interpreter.native.layout import Layout
    from trionfi.interpreter.native.module import Build

COUNT, TOTAL, SQUARES, LEAST, GREATEST, WORDS = 0, 1, 3, 7, 8, 9
# behind the counters
GAMES, COUNT_BEFORE, COUNTS_SQUARED, FIGURES = 0, 1, 2, 4
# of a number or a truth: the total before, the products, the totals' squares; of each word the same in fewer bits
TOTAL_BEFORE, PRODUCTS, TOTALS_SQUARED, NUMBER_SIZE = 0, 2, 6, 10
SEEN_BEFORE, WORD_PRODUCTS, WORDS_SQUARED, WORD_SIZE = 0, 1, 3, 5


@dataclass(frozen=True, slots=True)
class TallyPlan:
    """How the tallies of a measure lie: `words` that can be seen (0 for truths and numbers), `rows` of the record.

    `by_game`: with sums over games. `pooled`: the row of all seats together, which shows words; -1 without.
    """

    words: int
    rows: int
    by_game: bool
    pooled: int = -1

    @property
    def games(self) -> int:
        """Where the sums over games begin, in words."""
        return WORDS + self.words

    @property
    def size(self) -> int:
        figures = self.words * WORD_SIZE if self.words else NUMBER_SIZE
        return self.games + (FIGURES + figures if self.by_game else 0)


def tally_plan(rules: tree.Ruleset, measure: tree.Measure) -> TallyPlan:
    words, seats = words_seen(rules, measure), rules.players[1]
    if measure.player is None:
        return TallyPlan(words, 1, bool(measure.event))
    if words:
        return TallyPlan(words, seats + 1, by_game=True, pooled=seats)
    return TallyPlan(words, seats, bool(measure.event))


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
        plan = tally_plan(layout.rules, measure)
        layout.reserve(f"measure {index}", I64, plan.size * plan.rows)
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
    increase(code, I128, tally, TOTAL, wide)
    increase(code, I256, tally, SQUARES, b.sext(b.mul(wide, wide), I256))
    first = code.compare("==", count, 0)
    least, greatest = code.load(I64, tally, LEAST), code.load(I64, tally, GREATEST)
    code.store(I64, code.choose(first, value, code.smaller(least, value)), tally, LEAST)
    code.store(I64, code.choose(first, value, code.larger(greatest, value)), tally, GREATEST)
    code.store(I64, code.add(count, 1), tally, COUNT)


def increase(code: Code, kind: ir.IntType, tally: Value, place: Value, more: Value) -> None:
    """Adds to a sum that takes several words."""
    pointer = code.at(tally, place, 8)
    code.builder.store(code.builder.add(code.builder.load(pointer, typ=kind, align=8), more), pointer, align=8)


def see_word(code: Code, tally: Value, word: Value) -> None:
    code.store(I64, code.add(code.load(I64, tally, COUNT), 1), tally, COUNT)
    counter = code.add(word, WORDS)
    code.store(I64, code.add(code.load(I64, tally, counter), 1), tally, counter)


# ---- measures


def count_reading(f: Body, index: int, value: Value, seat: Value | None = None) -> None:
    """Counts one reading of a measure, also where all seats are counted."""
    code, measure, plan = f.code, f.rules.measures[index], tally_plan(f.rules, f.rules.measures[index])
    tallies = f.address(f"measure {index}")
    tally = tallies if seat is None else code.at(tallies, code.multiply(seat, plan.size), 8)
    if measure.type.kind == "truth":
        see(code, tally, code.number_of(value))
    elif measure.type.kind == "number":
        with code.when(code.compare("!=", value, NO_NUMBER)):
            see(code, tally, value)
    else:
        pooled = code.at(tallies, plan.pooled * plan.size, 8) if plan.pooled >= 0 else None
        with code.when(code.compare(">=", value, 0)):
            for seen in (tally,) if pooled is None else (tally, pooled):
                see_word(code, seen, value)


# ---- games


def write_end_game(build: Build, index: int, plan: TallyPlan) -> ir.Function:
    """end_game_N(tally): what the measure was read in this game joins its sums over games."""
    with function(build.module, f"end_game_{index}", VOID, [POINTER]) as code:
        tally, b = code.arguments[0], code.builder
        games = code.at(tally, plan.games, 8)
        count = code.subtract(code.load(I64, tally, COUNT), code.load(I64, games, COUNT_BEFORE))
        with code.when(code.compare("!=", count, 0)):
            code.store(I64, code.load(I64, tally, COUNT), games, COUNT_BEFORE)
            code.store(I64, code.add(code.load(I64, games, GAMES), 1), games, GAMES)
            wide = b.zext(count, I128)
            increase(code, I128, games, COUNTS_SQUARED, b.mul(wide, wide))
            figures = code.at(games, FIGURES, 8)
            if plan.words:
                end_words(code, plan, tally, figures, wide)
            else:
                end_number(code, tally, figures, wide)
        code.give()
    return code.function


def end_number(code: Code, tally: Value, figures: Value, count: Value) -> None:
    b = code.builder
    now, before = code.at(tally, TOTAL, 8), code.at(figures, TOTAL_BEFORE, 8)
    total = b.load(now, typ=I128, align=8)
    seen = b.sext(b.sub(total, b.load(before, typ=I128, align=8)), I256)
    b.store(total, before, align=8)
    increase(code, I256, figures, PRODUCTS, b.mul(seen, b.zext(count, I256)))
    increase(code, I256, figures, TOTALS_SQUARED, b.mul(seen, seen))


def end_words(code: Code, plan: TallyPlan, tally: Value, figures: Value, count: Value) -> None:
    b = code.builder
    with code.count(plan.words) as word:
        figure = code.at(figures, code.multiply(word, WORD_SIZE), 8)
        total = code.load(I64, tally, code.add(word, WORDS))
        seen = code.subtract(total, code.load(I64, figure, SEEN_BEFORE))
        with code.when(code.compare("!=", seen, 0)):
            code.store(I64, total, figure, SEEN_BEFORE)
            wide = b.zext(seen, I128)
            increase(code, I128, figure, WORD_PRODUCTS, b.mul(wide, count))
            increase(code, I128, figure, WORDS_SQUARED, b.mul(wide, wide))


def end_measures(f: Body) -> None:
    code = f.code
    for index, measure in enumerate(f.rules.measures):
        plan = tally_plan(f.rules, measure)
        if not plan.by_game:
            continue
        end, tallies = write_end_game(f.build, index, plan), f.address(f"measure {index}")
        with code.count(f.seats if measure.player is not None else 1) as row:
            code.call(end, [code.at(tallies, code.multiply(row, plan.size), 8)])
        if plan.pooled >= 0:
            code.call(end, [code.at(tallies, plan.pooled * plan.size, 8)])


# ---- the end


Figure = Callable[[Value], Value]  # of a seat


def write_scores(f: Body, score: Figure | None) -> None:
    with f.code.count(f.seats) as seat:
        f.small(seat, f.layout.seats)
        f.set_field("scores", score(seat) if score is not None else number(0), seat)


def winners(f: Body, won: Figure | None) -> Value:
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
        f = Body(build, code)
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
        end_measures(f)
        code.give()
    return code.function
