"""The evaluator of one pattern ranking over the cards of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from llvmlite import ir

from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.native.builder import I16, I32, I64, POINTER, Code, Mutable, Value, function, number, table
from trionfi.interpreter.native.hands.cards import CardTable
from trionfi.interpreter.native.hands.direct import Cells, DirectHand, SimpleCells
from trionfi.interpreter.native.hands.exact import ExactTrial, Taking, have_one_reading, lists
from trionfi.interpreter.native.hands.exact_hand import Exact
from trionfi.interpreter.native.hands.handvalues import Unsuited
from trionfi.interpreter.native.hands.plain import PlainTrial
from trionfi.interpreter.native.hands.plain_plan import PlainPlan, PlainStrength
from trionfi.interpreter.native.hands.plan import Plan
from trionfi.interpreter.native.hands.rate import Rater
from trionfi.interpreter.native.hands.strength import Strength
from trionfi.interpreter.native.hands.words import Lanes, Word


@dataclass(frozen=True)
class UsablePart:
    """Cards that a hand may use, at most `most` of them. `take`: exactly so many are used; `exactly`: exactly as many
    as each call says. Neither: they fill the hand up."""

    most: int
    exactly: bool = False
    take: int | None = None


class Direct:
    """Evaluates by finding the best hand at once."""

    def __init__(self, plan: Plan, cells: Cells) -> None:
        self.plan, self.cells = plan, cells
        self.strength = Strength(plan)

    def rate(self, lanes: Lanes, words: Sequence[Word], most: int) -> Word:
        return Rater(self.plan, self.strength, DirectHand(lanes, self.cells, words, most)).rate()

    def tables(self, module: ir.Module) -> list[Value]:
        """A table for each word of the cards, by code."""
        columns: list[list[int]] = [[0] * len(self.plan.codes) for _ in range(self.cells.words)]
        for card, readings in enumerate(self.plan.codes):
            for column, word in zip(columns, self.cells.contribution(card) if readings else [], strict=False):
                column[card] = word
        return [table(module, f"{self.plan.name}_cell_{place}", I64, one) for place, one in enumerate(columns)]


class Evaluator:
    """A ranking made ready for the cards of a game.

    `way` says how it finds the best hand: `direct` (at once among all cards), `exact` (trying every choice of cards,
    eight side by side) or `plain` (one after another); `reason` why not by the way before. Raises CannotLower for what
    none can do.
    """

    def __init__(self, ranking: PatternRanking, table: CardTable) -> None:
        self.ranking = ranking
        self.direct: Direct | None = None
        self.simple: Direct | None = None  # for hands of cards of which each has one reading
        self.reason = ""
        self.plan: Plan | PlainPlan
        try:
            self.plan = plan = Plan(ranking, table)
            self.exact: Exact | None = Exact(plan)
            self.strength: Strength | PlainStrength = self.exact.strength
        except Unsuited as unsuited:
            self.reason = str(unsuited)
            self.plan, self.exact = _plain_plan(ranking, table), None
            self.strength = self.plan.layout
            return
        try:
            self.direct = Direct(plan, Cells(plan))
        except Unsuited as unsuited:
            self.reason = str(unsuited)
            with suppress(Unsuited):
                self.simple = Direct(plan, SimpleCells(plan))

    @property
    def way(self) -> str:
        return "direct" if self.direct else "exact" if self.exact else "plain"

    def category(self, strength: int) -> int | None:
        """The number of the category of a strength, none for no hand."""
        return self.strength.category(strength)

    # ---- in the module of an engine

    def emit(self, module: ir.Module, parts: Sequence[UsablePart], name: str = "") -> ir.Function:
        """The function that gives the strength of the best hand from the parts, which share no card.

        Its parameters are, for each part in order: a pointer to the codes of its cards (uint16 each), their number
        (i32, at most `most`), and for a part with `exactly` how many of them are used (i32). Its result is an i64:
        the strength, -1 for no hand. It is private to the module; asked for twice it is made once.
        """
        name = name or f"{self.plan.name}_of_{'_'.join(_spelled(part) for part in parts)}"
        if name in module.globals:
            return module.globals[name]
        kinds = [kind for part in parts for kind in (POINTER, I32, *([I32] if part.exactly else []))]
        with function(module, name, I64, kinds) as code:
            given = _given(code, parts)
            if self.direct and all(one.wanted is None for one in given):
                self._emit_direct(code, self.direct, given)
            else:
                self._emit_exact(code, name, given)
        return code.function

    def _emit_direct(self, code: Code, direct: Direct, given: Sequence[_Given]) -> None:
        total = number(0)
        for one in given:
            total = code.add(total, one.count)
        with code.when(code.compare("<", total, self.plan.high)):
            code.give(-1)
        held = _cells_of(code, direct, [(one.pointer, one.count) for one in given])
        code.give(direct.rate(Lanes(code.builder), held, sum(one.part.most for one in given)).value)

    def _emit_simple(self, code: Code, simple: Direct, pointer: Value, count: Value, most: int) -> None:
        """Gives the best hand at once, if no card has several readings and no two the same."""
        held = _cells_of(code, simple, [(pointer, count)])
        bits = number(0)
        for word in held:
            bits = code.add(bits, code.bits(word.value))
        fits = code.both(code.compare(">=", held[0].value, 0), code.compare("==", bits, count))
        with code.when(fits):
            code.give(simple.rate(Lanes(code.builder), held, most).value)

    def _emit_exact(self, code: Code, name: str, given: Sequence[_Given]) -> None:
        """Asks how many cards each part gives, then goes to the search for just those numbers."""
        fixed = [one for one in given if one.wanted is not None]
        free = number(0)
        for one in given:
            if one.wanted is None:
                free = code.add(free, one.count)
        wanted = number(0)
        for one in fixed:
            wanted = code.add(wanted, one.wanted)
            with code.when(code.compare(">", one.wanted, one.count)):
                code.give(-1)
        size = code.smaller(self.plan.high, code.add(wanted, free))
        for takes in self._takes(given):
            matches = code.compare("==", size, sum(takes))
            for one, take in zip(fixed, takes, strict=False):
                matches = code.both(matches, code.compare("==", one.wanted, take))
            with code.when(matches):
                search = self._search(code.function.module, name, [one.part for one in given], takes)
                code.give(code.call(search, [value for one in given for value in (one.pointer, one.count)]))
        code.give(-1)

    def _takes(self, given: Sequence[_Given]) -> Iterator[tuple[int, ...]]:
        """All numbers of cards that the fixed parts can give, and the free cards beside them."""
        choices = []
        for one in given:
            if one.part.take is not None:
                choices.append([one.part.take])
            elif one.part.exactly:
                choices.append(list(range(min(one.part.most, self.plan.high) + 1)))
        most_free = sum(one.part.most for one in given if one.wanted is None)
        for takes in product(*choices):
            for rest in range(min(most_free, self.plan.high - sum(takes)) + 1):
                if self.plan.low <= sum(takes) + rest <= self.plan.high:
                    yield *takes, rest

    def _search(self, module: ir.Module, name: str, parts: Sequence[UsablePart], takes: Sequence[int]) -> ir.Function:
        """i64 search(pointer, count, ...): the best hand of so many cards from each part."""
        fixed = [place for place, part in enumerate(parts) if part.exactly or part.take is not None]
        free = tuple(place for place in range(len(parts)) if place not in fixed)
        takings = [Taking((place,), take, parts[place].most) for place, take in zip(fixed, takes, strict=False)]
        if free:
            takings.append(Taking(free, takes[-1], sum(parts[place].most for place in free)))
        kinds = [POINTER, I64] * len(parts)
        with function(module, f"{name}_take_{'_'.join(map(str, takes))}", I64, kinds) as code:
            given = list(zip(code.arguments[::2], code.arguments[1::2], strict=True))
            if isinstance(self.plan, PlainPlan):
                code.give(PlainTrial(self.plan, code, takings).best(given))
            elif self.exact:
                if self.simple and len(parts) == 1 and sum(takes) == self.plan.high:
                    self._emit_simple(code, self.simple, *given[0], parts[0].most)
                elif not self.exact.plan.plain and all(map(lists, takings)):
                    # most hands hold no card of several readings, even where there are such cards
                    with code.when(have_one_reading(self.exact, code, given)):
                        code.give(ExactTrial(self.exact, code, takings, single=True).best(given))
                code.give(ExactTrial(self.exact, code, takings, single=self.exact.plan.plain).best(given))
        return code.function

    def emit_category(self, builder: ir.IRBuilder, strength: Value) -> Value:
        """The number of the category of a strength (i64, the first declared is 0), -1 for no hand."""
        lanes, layout = Lanes(builder), self.strength
        word = lanes.wrap(strength)
        bits = lanes.constant((1 << layout.width) - 1) - word if self.plan.best_low else word
        field = bits >> layout.category_shift & ((1 << layout.category_width) - 1)
        return word.below(0).choose(-1, lanes.constant(layout.categories - 1) - field).value


def _cells_of(code: Code, direct: Direct, given: Sequence[tuple[Value, Value]]) -> list[Word]:
    """The bits of all cards."""
    tables = direct.tables(code.function.module)
    words = [Mutable(code, I64, 0) for _ in tables]
    for pointer, count in given:
        with code.count(count) as index:
            card = code.load(I16, pointer, index, signed=False)
            for word, column in zip(words, tables, strict=True):
                word.set(code.builder.or_(word.get(), code.load(I64, column, card)))
    lanes = Lanes(code.builder)
    return [lanes.wrap(word.get()) for word in words]


def _plain_plan(ranking: PatternRanking, table: CardTable) -> PlainPlan:
    try:
        return PlainPlan(ranking, table)
    except Unsuited as unsuited:
        from trionfi.interpreter.native.module import CannotLower

        raise CannotLower(f"{ranking.span}: {unsuited}") from unsuited


@dataclass(frozen=True)
class _Given:
    """A part in a call; `wanted`: how many of its cards are used, None: as many as serve."""

    part: UsablePart
    pointer: Value
    count: Value
    wanted: Value | None


def _given(code: Code, parts: Sequence[UsablePart]) -> list[_Given]:
    """The parameters of an evaluator, numbers widened."""
    arguments = iter(code.arguments)

    def next_number() -> Value:
        return code.builder.sext(next(arguments), I64)

    given = []
    for part in parts:
        pointer, count = next(arguments), next_number()
        take = None if part.take is None else number(part.take)
        given.append(_Given(part, pointer, count, next_number() if part.exactly else take))
    return given


def _spelled(part: UsablePart) -> str:
    if part.exactly:
        return f"some_of_{part.most}"
    return f"{part.most}" if part.take is None else f"{part.take}_of_{part.most}"
