"""Hands rated card by card and way by way, for rankings that the words of `exact.py` cannot express.

It does what docs/rankings.md says, step by step: every category in turn, every way to part the cards, the groups
sorted. Slow beside the other ways, and without their limits: parts of several sizes, runs with other cards beside them,
any number of parts, any keys of groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.hands.patterns import Pattern
from trionfi.interpreter.native.builder import I16, I64, POINTER, TRUE, Code, Mutable, Value, function, number, table
from trionfi.interpreter.native.hands.exact import NestedSource, Taking
from trionfi.interpreter.native.hands.handvalues import HandNumber, HandTally, Tallying
from trionfi.interpreter.native.hands.plain_parts import Parts
from trionfi.interpreter.native.hands.plain_plan import Groups, PlainPlan
from trionfi.interpreter.native.hands.words import Lanes, Word

# ---- one hand


class PlainSight:
    """Some cards of a hand, by place: a mask of them, and one that names the group. `bound`: the places of the cards
    that queries around go over."""

    def __init__(
        self, rating: Rating, cards: Value, card: Value | None, bound: Mapping[tree.Local, Value] | None = None
    ) -> None:
        self.rating, self.cards, self.card = rating, cards, card
        self.bound = bound or {}
        self.lanes = Lanes(rating.code.builder)

    @property
    def size(self) -> Word:
        return self.lanes.wrap(self.rating.code.bits(self.cards))

    def tally(self, tally: HandTally) -> Word:
        """Over the cards, one after another."""
        code = self.rating.code
        result = Mutable(code, I64, tally.nothing)
        values = self.rating.values(tally.values)
        with code.count(self.rating.count) as place, code.when(code.has_bit(self.cards, place)):
            value = code.load(I64, values, self.rating.atom(place))
            result.set(gathered(code, tally.operator, result.get(), value))
        return self.lanes.wrap(result.get())

    def of_card(self, column: int) -> Word:
        rows = self.rating.plan.group_reader.columns[column]
        return self.lanes.wrap(self.rating.code.load(I64, self.rating.values(rows), self.rating.atom(self.card)))

    def sum_over(self, local: tree.Local, value: Callable[[PlainSight], Word]) -> Word:
        """The sum of a value over the cards, each bound to the local in turn."""
        code = self.rating.code
        result = Mutable(code, I64, 0)
        with code.count(self.rating.count) as place, code.when(code.has_bit(self.cards, place)):
            inner = PlainSight(self.rating, self.cards, self.card, {**self.bound, local: place})
            result.set(code.add(result.get(), value(inner).value))
        return self.lanes.wrap(result.get())

    def of_place(self, column: Sequence[int], local: tree.Local) -> Word:
        atom = self.rating.atom(self.bound[local])
        return self.lanes.wrap(self.rating.code.load(I64, self.rating.column(column), atom))

    def of_places(self, alone: Sequence[int], pairs: Sequence[int], locals_: Sequence[tree.Local]) -> Word:
        """Of two cards: `pairs` by the readings of both; `alone` if they are one and the same."""
        rating, code = self.rating, self.rating.code
        one, other = (self.bound[local] for local in locals_)
        row = code.multiply(rating.atom(one), len(alone))
        apart = code.load(I64, rating.column(pairs), code.add(row, rating.atom(other)))
        same = code.load(I64, rating.column(alone), rating.atom(one))
        return self.lanes.wrap(code.choose(code.compare("==", one, other), same, apart))


def gathered(code: Code, operator: Tallying, one: Value, other: Value) -> Value:
    match operator:
        case "sum":
            return code.add(one, other)
        case "highest":
            return code.larger(one, other)
        case "lowest":
            return code.smaller(one, other)
        case _:
            assert_never(operator)


class Rating:
    """Emits `i64 rate(ptr readings, i64 count)`: what a hand of these readings is worth, -1 for none."""

    def __init__(self, plan: PlainPlan, code: Code) -> None:
        self.plan, self.code = plan, code
        self.atoms, self.count = code.arguments[0], code.arguments[1]
        self.alike = code.room(I64, max(2, plan.high))
        self.masks = code.room(I64, max(2, plan.high))
        self.tops = code.room(I64, max(2, plan.high))
        self.sorted = code.room(I64, max(2, plan.high))

    def atom(self, place: Value) -> Value:
        return self.code.load(I16, self.atoms, place, signed=False)

    def values(self, rows: Sequence[Sequence[int]]) -> Value:
        """A table by reading; equal ones are one."""
        return self.column(self.plan.column(rows))

    def column(self, column: Sequence[int]) -> Value:
        known: dict[tuple[int, ...], Value] = self.code.function.module.__dict__.setdefault("plain_tables", {})
        key = tuple(column)
        if key not in known:
            known[key] = table(self.code.function.module, f"{self.plan.name}_column_{len(known)}", I64, list(column))
        return known[key]

    def _read(self, read: Callable[[Any], int]) -> Value:
        """A table of what a function says of each reading."""
        return self.values([[read(reading) for reading in row] for row in self.plan.readings.of_code])

    # ---- the hand

    def write(self) -> None:
        code = self.code
        everything = code.subtract(code.bit(self.count), 1)
        parts = Parts(self.plan, code, self.count, self.alike, self._read, self.atom)
        hand = PlainSight(self, everything, None)
        if self.plan.qualifier is not None:
            with code.when(code.compare("==", self.plan.qualifier.emit(hand).value, 0)):
                code.give(-1)
        self._find_alike()
        values = [None if key.value is None else self._offset(key.value, hand) for key in self.plan.order]
        for pattern in self.plan.patterns.patterns:
            with code.when(self._may_fit(pattern, everything)):
                best = Mutable(code, I64, -1)
                self._part(pattern, parts, everything, values, best)
                with code.when(code.compare(">=", best.get(), 0)):
                    code.give(best.get())
        code.give(-1)

    def _offset(self, value: HandNumber, sight: PlainSight) -> Value:
        return (value.emit(sight) - value.least).value

    def _find_alike(self) -> None:
        """For each card the cards that are alike to it, itself too; none for a card that is alike no other."""
        code = self.code
        kinds = self._read(lambda reading: -1 if reading.alike is None else reading.alike)
        with code.count(self.count) as place:
            kind = code.load(I64, kinds, self.atom(place))
            mask = Mutable(code, I64, 0)
            with code.count(self.count) as other:
                same = code.both(
                    code.compare("==", kind, code.load(I64, kinds, self.atom(other))), code.compare(">=", kind, 0)
                )
                mask.set(code.builder.or_(mask.get(), code.choose(same, code.bit(other), 0)))
            code.store(I64, mask.get(), self.alike, place)

    def _may_fit(self, pattern: Pattern, everything: Value) -> Value:
        code = self.code
        low, high = pattern.sizes(self.plan.high)
        fits = code.both(code.compare(">=", self.count, low), code.compare("<=", self.count, high))
        if pattern.same is not None:
            which = pattern.same
            shared = Mutable(code, I64, -1)
            masks = self._read(lambda reading: _signed(reading.same[which]))
            with code.count(self.count) as place:
                shared.set(code.builder.and_(shared.get(), code.load(I64, masks, self.atom(place))))
            fits = code.both(fits, code.compare("!=", shared.get(), 0))
        for which, least, most in pattern.truths:
            rows = [[reading.truths[which] for reading in row] for row in self.plan.readings.of_code]
            tally = HandTally("sum", tuple(tuple(row) for row in rows), 0, 1)
            held = PlainSight(self, everything, None).tally(tally).value
            end = self.count if most is None else number(most)
            start = self.count if most is None else number(least)
            fits = code.both(fits, code.both(code.compare(">=", held, start), code.compare("<=", held, end)))
        for which, least, most in pattern.different:
            found = self._different(which)
            fits = code.both(fits, code.both(code.compare(">=", found, least), code.compare("<=", found, most)))
        return fits

    def _different(self, which: int) -> Value:
        """How many values of a property the cards have: each counts with the first card that has it."""
        code, known = self.code, list[object]([None])

        def numbered(reading: Any) -> int:
            value = reading.different[which]
            if value not in known:
                known.append(value)
            return known.index(value)

        numbers, found = self._read(numbered), Mutable(code, I64, 0)
        with code.count(self.count) as place:
            own = code.load(I64, numbers, self.atom(place))
            before = Mutable(code, I64, 0)
            with code.count(place) as other:
                same = code.compare("==", own, code.load(I64, numbers, self.atom(other)))
                before.set(code.builder.or_(before.get(), code.number_of(same)))
            first = code.both(code.compare(">", own, 0), code.compare("==", before.get(), 0))
            found.add(code.number_of(first))
        return found.get()

    # ---- ways to part it

    def _part(self, pattern: Pattern, parts: Parts, everything: Value, values: Sequence[Value], best: Mutable) -> None:
        """Goes through the ways to make its parts."""
        code = self.code

        def keep(place: int, cards: Value, tops: Value) -> None:
            code.store(I64, cards, self.masks, place)
            code.store(I64, tops, self.tops, place)

        def rate(free: Value) -> None:
            fits = code.compare("==", free, 0) if pattern.whole else TRUE
            with code.when(fits):
                self._way(pattern, free, len(pattern.parts), values, best)

        parts.each_way(pattern.parts, everything, keep, rate)

    # ---- what a way is worth

    def _way(self, pattern: Pattern, free: Value, made: int, values: Sequence[Value], best: Mutable) -> None:
        code = self.code
        count = Mutable(code, I64, made)
        with code.count(self.count) as place, code.when(code.has_bit(free, place)):
            code.store(I64, code.bit(place), self.masks, count.get())
            code.store(I64, code.bit(place), self.tops, count.get())
            count.add(1)
        key = number(0)
        for one, value in zip(self.plan.order, values, strict=True):
            held = value
            if one.groups is not None:
                held = self._groups_key(self.plan.groups[one.groups], one.groups, count.get())
            elif held is None:
                held = number(len(self.plan.ranking.categories) - 1 - pattern.number)
            key = code.builder.or_(code.builder.shl(key, number(one.width)), held) if one.width else key
        if self.plan.best_low:
            key = code.subtract((1 << self.plan.layout.width) - 1, key)
        best.set(code.larger(best.get(), key))

    def _groups_key(self, groups: Groups, which: int, count: Value) -> Value:
        """Largest group first, then highest first; where one hand runs out of groups first it is lower."""
        code, width = self.code, groups.width
        rate = group_function(self.plan, which, code.function.module)
        with code.count(count) as place:
            mask, tops = code.load(I64, self.masks, place), code.load(I64, self.tops, place)
            own = code.call(rate, [self.atoms, self.count, mask, tops])
            self._insert(code.builder.or_(code.builder.shl(code.bits(mask), number(width)), own), place)
        key = Mutable(code, I64, 0)
        with code.count(self.plan.most_groups) as place:
            there = code.compare("<", place, count)
            own = code.builder.and_(code.load(I64, self.sorted, place), number((1 << width) - 1))
            shifted = code.builder.shl(key.get(), number(width))
            key.set(code.builder.or_(shifted, code.choose(there, own, 0)))
        return key.get()

    def _insert(self, key: Value, count: Value) -> None:
        """Puts a key to its place among the first `count`, highest first."""
        code = self.code
        place = Mutable(code, I64, count)
        with code.loop() as loop:
            with code.when(code.compare("==", place.get(), 0)):
                loop.leave()
            before = code.load(I64, self.sorted, code.subtract(place.get(), 1))
            with code.when(code.compare(">=", before, key)):
                loop.leave()
            code.store(I64, before, self.sorted, place.get())
            place.add(-1)
        code.store(I64, key, self.sorted, place.get())


def rate_function(plan: PlainPlan, module: ir.Module) -> ir.Function:
    """i64 rate(ptr readings, i64 count)."""
    name = f"{plan.name}_rate"
    if name not in module.globals:
        with function(module, name, I64, [POINTER, I64], attributes=["noinline"]) as code:
            Rating(plan, code).write()
    return module.globals[name]


def group_function(plan: PlainPlan, which: int, module: ir.Module) -> ir.Function:
    """i64 group(ptr readings, i64 count, i64 cards, i64 tops): the key of a group plus one bit that says it is there.

    It goes by the highest of the cards that may name it: of cards alike any, of a run those at its top.
    """
    name = f"{plan.name}_group_{which}"
    if name in module.globals:
        return module.globals[name]
    with function(module, name, I64, [POINTER, I64, I64, I64], attributes=["noinline"]) as code:
        rating = Rating(plan, code)
        _, count, cards, tops = code.arguments
        best = Mutable(code, I64, 0)
        with code.count(count) as place, code.when(code.has_bit(tops, place)):
            sight, key = PlainSight(rating, cards, place), number(1)
            for one in plan.groups[which].numbers:
                field_value = (one.emit(sight) - one.least).value
                key = code.builder.or_(code.builder.shl(key, number(one.width)), field_value)
            best.set(code.larger(best.get(), key))
        code.give(best.get())
    return module.globals[name]


# ---- the best of all choices


@dataclass
class ChosenReadings:
    """Readings chosen so far."""

    size: int
    words: list[Word]


class ChosenFields:
    """What sources need to know of cards: here their readings' numbers alone."""

    card_words = 1

    def contribution(self, atom: int) -> list[int]:
        return [atom]

    def single(self, words: Sequence[Word]) -> ChosenReadings:
        return ChosenReadings(1, list(words))

    def join(self, left: ChosenReadings, right: ChosenReadings) -> ChosenReadings:
        return ChosenReadings(left.size + right.size, [*left.words, *right.words])


class PlainTrial:
    """Emits the search for the best hand of some sources in one function."""

    def __init__(self, plan: PlainPlan, code: Code, takings: Sequence[Taking]) -> None:
        self.exact, self.code, self.single = self, code, False
        self.plan, self.fields = plan, ChosenFields()
        self.scalar = self.lanes = Lanes(code.builder)
        self.sources = [NestedSource(self, taking) for taking in takings if taking.take]  # type: ignore[arg-type]

    def best(self, parts: Sequence[tuple[Value, Value]]) -> Value:
        code = self.code
        best = Mutable(code, I64, -1)
        size = sum(source.taking.take for source in self.sources)
        hand = code.room(I16, max(2, size))
        for source in self.sources:
            source.prepare(parts)

        def rate(chosen: Any) -> None:
            for place, word in enumerate(chosen.words):
                code.store(I16, word.value, hand, place)
            found = code.call(rate_function(self.plan, code.function.module), [hand, number(size)])
            best.set(code.larger(best.get(), found))

        self._each(self.sources, ChosenReadings(0, []), rate)
        return best.get()

    def _each(self, sources: Sequence[NestedSource], prefix: Any, rate: Callable[[Any], None]) -> None:
        if sources:
            sources[0].each(prefix, lambda chosen: self._each(sources[1:], chosen, rate))
        else:
            rate(prefix)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
