"""The best hand found by trying every choice of cards, eight choices side by side.

A *source* is cards of which so many are taken. Its choices are either listed beforehand, each made from a smaller one and
one card more (few cards, each of one reading), or gone through in nested loops. The last source fills the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from llvmlite import ir

from trionfi.interpreter.native.builder import I16, I32, I64, Code, Value, Variable, number, table
from trionfi.interpreter.native.hands.fields import ExactHand, Fields, Partial
from trionfi.interpreter.native.hands.plan import Plan
from trionfi.interpreter.native.hands.rate import Rater
from trionfi.interpreter.native.hands.strength import Strength
from trionfi.interpreter.native.hands.words import Lanes, Word

LANES = 8
LISTED = 512  # at most so many choices of a source are listed

Body = Callable[[Partial], None]


@dataclass(frozen=True)
class Taking:
    """Takes `take` of the cards of the parts `parts`, together at most `most`."""

    parts: tuple[int, ...]
    take: int
    most: int


class Exact:
    """Evaluates by trying all choices."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.fields = Fields(plan)
        self.strength = Strength(plan)

    def rate(self, lanes: Lanes, cards: Partial) -> Word:
        """The strength of a hand of just these cards, -1 if it is none."""
        hand = ExactHand(lanes, self.fields, cards)
        found = Rater(self.plan, self.strength, hand).rate()
        strength = self._with_values(hand, found)
        valid = found.at_least(0)
        if self.plan.qualifier is not None:
            valid = valid & self.plan.qualifier.emit(hand).is_set()
        return valid.choose(strength, -1)

    def _with_values(self, hand: ExactHand, found: Word) -> Word:
        """Puts the values before the category, and those behind the groups."""
        result = hand.lanes.zero
        for value in self.plan.order.head:
            result = result << value.width | (value.emit(hand) - value.least)
        result = result << (self.strength.head_shift - self.strength.tail_width) | found
        for value in self.plan.order.tail:
            result = result << value.width | (value.emit(hand) - value.least)
        if self.plan.best_low:
            return hand.lanes.constant((1 << self.strength.width) - 1) - result
        return result


class CardRows:
    """The words of the readings of all cards of a source, word by word in memory."""

    def __init__(self, code: Code, words: int, room: int) -> None:
        self.code, self.words, self.room = code, words, room
        # a row more than there is room: lanes read beyond the end
        self.pointer = code.room(I64, words * (room + LANES))

    def at(self, word: int, place: Value | int) -> Value:
        start = self.code.at(self.pointer, word * (self.room + LANES), 8)
        return self.code.at(start, place, 8)

    def load(self, lanes: Lanes, place: Value | int, words: int) -> list[Word]:
        return [lanes.load(self.at(word, place)) for word in range(words)]

    def store(self, lanes: Lanes, words: Sequence[Word], place: Value | int) -> None:
        for word, held in enumerate(words):
            lanes.store(held, self.at(word, place))


class Trial:
    """Emits the search for the best hand of some sources in one function."""

    def __init__(self, exact: Exact, code: Code, takings: Sequence[Taking]) -> None:
        self.exact, self.fields, self.code = exact, exact.fields, code
        self.scalar, self.lanes = Lanes(code.builder), Lanes(code.builder, LANES)
        self.sources = [self._source(taking) for taking in takings if taking.take]

    def best(self, parts: Sequence[tuple[Value, Value]]) -> Value:
        """The strength of the best hand; `parts` are (pointer to codes, number of codes)."""
        best = self.code.room(self.lanes.type)
        self.code.builder.store(self.lanes.constant(-1).value, best, align=8)
        for source in self.sources:
            source.prepare(parts)
        order = sorted(self.sources, key=lambda source: source.waste())
        if not order:
            return self.exact.rate(self.scalar, self.fields.nothing(self.scalar)).value

        def rate(cards: Partial, there: Value) -> None:
            strength = Word(self.lanes, self.code.builder.select(there, self.exact.rate(self.lanes, cards).value, self.lanes.constant(-1).value))
            held = Word(self.lanes, self.code.builder.load(best, typ=self.lanes.type, align=8))
            self.code.builder.store(held.greater(strength).value, best, align=8)

        self._outer(order[1:], order[0], self.fields.nothing(self.scalar), rate)
        held = Word(self.lanes, self.code.builder.load(best, typ=self.lanes.type, align=8))
        return self.lanes.reduce("llvm.vector.reduce.smax", held)

    def _outer(self, outer: Sequence[Source], inner: Source, prefix: Partial, rate: Callable[[Partial, Value], None]) -> None:
        if outer:
            outer[0].each(prefix, lambda cards: self._outer(outer[1:], inner, cards, rate))
        else:
            inner.each_lanes(prefix, rate)

    def _source(self, taking: Taking) -> Source:
        listed = self.exact.plan.plain and comb(taking.most, taking.take) <= LISTED
        return (ListedSource if listed else NestedSource)(self, taking)


class Source:
    """Cards of which some are taken."""

    def __init__(self, trial: Trial, taking: Taking) -> None:
        self.trial, self.taking, self.code, self.fields = trial, taking, trial.code, trial.fields
        self.readings = max((len(row) for row in trial.exact.plan.codes), default=1)
        self.cards = CardRows(trial.code, self.fields.card_words, taking.most * self.readings)

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        """Reads the words of the cards."""
        raise NotImplementedError

    def each(self, prefix: Partial, body: Body) -> None:
        """Writes `body` for each choice put to the prefix."""
        raise NotImplementedError

    def each_lanes(self, prefix: Partial, rate: Callable[[Partial, Value], None]) -> None:
        """Writes `rate` for choices side by side; its second argument says which lanes hold one."""
        raise NotImplementedError

    def waste(self) -> float:
        """How much of the lanes stays empty: the least goes last."""
        choices = comb(self.taking.most, self.taking.take)
        return -(-choices // LANES) * LANES / choices if choices else 99.0

    def broadcast(self, prefix: Partial) -> Partial:
        lanes = self.trial.lanes
        spread = [lanes.broadcast(word.value) for word in prefix.words]
        return self.fields.of_words(prefix.size, spread)

    def below(self, start: Value, end: Value) -> Value:
        """Which of the lanes start, start + 1, ... are before the end."""
        lanes = self.trial.lanes
        steps = Word(lanes, ir.Constant(lanes.type, [ir.Constant(I64, lane) for lane in range(LANES)]))
        return (steps + lanes.broadcast(start)).below(lanes.broadcast(end)).value

    def single(self, lanes: Lanes, place: Value | int) -> Partial:
        return self.fields.single(self.cards.load(lanes, place, self.fields.card_words))


class ListedSource(Source):
    """All choices are listed, in the order in which those of the first n cards are the first of all."""

    def __init__(self, trial: Trial, taking: Taking) -> None:
        super().__init__(trial, taking)
        self.count: Value = number(0)
        self.rows = self.cards
        self.size = 1

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        place = Variable(self.code, I64, 0)
        tables = atom_tables(self.code.function.module, self.trial.exact)
        for part in self.taking.parts:
            pointer, count = parts[part]
            with self.code.count(count) as index:
                card = self.code.load(I16, pointer, index, signed=False)
                here = place.get()
                for word, one in enumerate(tables):
                    self.code.store(I64, self.code.load(I64, one, card), self.cards.at(word, here))
                place.add(1)
        total = place.get()
        for size in range(2, self.taking.take + 1):
            self._grow(size, total)
        self.count = self._choices(self.taking.take, total)

    def _grow(self, size: int, total: Value) -> None:
        """Lists the choices of `size` cards from those of one card less."""
        width = sum(self.fields.widths(size)) + len(self.fields.joins)
        rows = CardRows(self.code, width, comb(self.taking.most, size))
        smaller, cards = growth(self.taking.most, size)
        name = f"choose_{size}_of_{self.taking.most}"
        module = self.code.function.module
        from_table, card_table = table(module, f"{name}_from", I16, smaller), table(module, f"{name}_card", I16, cards)
        lanes = self.trial.scalar
        with self.code.count(self._choices(size, total)) as index:
            less = self.listed(lanes, self.code.load(I16, from_table, index))
            whole = self.fields.join(less, self.single(lanes, self.code.load(I16, card_table, index)))
            rows.store(lanes, whole.words, index)
        self.rows, self.size = rows, size

    def _choices(self, size: int, total: Value) -> Value:
        counts = [comb(there, size) for there in range(self.taking.most + 1)]
        name = f"choices_{size}_of_{self.taking.most}"
        return self.code.load(I16, table(self.code.function.module, name, I16, counts), total)

    def listed(self, lanes: Lanes, place: Value | int) -> Partial:
        if self.size == 1:
            return self.single(lanes, place)
        width = sum(self.fields.widths(self.size)) + len(self.fields.joins)
        return self.fields.of_words(self.size, self.rows.load(lanes, place, width))

    def each(self, prefix: Partial, body: Body) -> None:
        with self.code.count(self.count) as index:
            body(self.fields.join(prefix, self.listed(self.trial.scalar, index)))

    def each_lanes(self, prefix: Partial, rate: Callable[[Partial, Value], None]) -> None:
        spread = self.broadcast(prefix)
        blocks = self.code.builder.udiv(self.code.add(self.count, LANES - 1), number(LANES))
        with self.code.count(blocks) as block:
            start = self.code.multiply(block, LANES)
            rate(self.fields.join(spread, self.listed(self.trial.lanes, start)), self.below(start, self.count))


class NestedSource(Source):
    """Choices are gone through in nested loops over cards and their readings."""

    def __init__(self, trial: Trial, taking: Taking) -> None:
        super().__init__(trial, taking)
        self.next_card = trial.code.room(I64, taking.most * self.readings + 1)
        self.count: Value = number(0)

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        """Each reading is an entry; `next_card` says where the entries of the next card begin."""
        place = Variable(self.code, I64, 0)
        module = self.code.function.module
        tables = atom_tables(module, self.trial.exact)
        starts, counts = reading_tables(module, self.trial.exact)
        for part in self.taking.parts:
            pointer, count = parts[part]
            with self.code.count(count) as index:
                card = self.code.load(I16, pointer, index, signed=False)
                first, many, here = self.code.load(I32, starts, card), self.code.load(I32, counts, card), place.get()
                end = self.code.add(here, many)
                with self.code.count(many) as reading:
                    entry, atom = self.code.add(here, reading), self.code.add(first, reading)
                    for word, one in enumerate(tables):
                        self.code.store(I64, self.code.load(I64, one, atom), self.cards.at(word, entry))
                    self.code.store(I64, end, self.next_card, entry)
                place.set(end)
        self.count = place.get()

    def each(self, prefix: Partial, body: Body) -> None:
        self._nest(prefix, number(0), self.taking.take, body)

    def _nest(self, prefix: Partial, start: Value, left: int, body: Body) -> None:
        with self.code.count(self.count, start) as entry:
            whole = self.fields.join(prefix, self.single(self.trial.scalar, entry))
            if left == 1:
                body(whole)
            else:
                self._nest(whole, self.code.load(I64, self.next_card, entry), left - 1, body)

    def each_lanes(self, prefix: Partial, rate: Callable[[Partial, Value], None]) -> None:
        self._lanes(prefix, number(0), self.taking.take, rate)

    def _lanes(self, prefix: Partial, start: Value, left: int, rate: Callable[[Partial, Value], None]) -> None:
        if left > 1:
            with self.code.count(self.count, start) as entry:
                whole = self.fields.join(prefix, self.single(self.trial.scalar, entry))
                self._lanes(whole, self.code.load(I64, self.next_card, entry), left - 1, rate)
            return
        spread = self.broadcast(prefix)
        blocks = self.code.builder.sdiv(self.code.add(self.code.subtract(self.count, start), LANES - 1), number(LANES))
        with self.code.count(blocks) as block:
            place = self.code.add(start, self.code.multiply(block, LANES))
            rate(self.fields.join(spread, self.single(self.trial.lanes, place)), self.below(place, self.count))

    def waste(self) -> float:
        return 100.0 - self.taking.take


def growth(most: int, size: int) -> tuple[list[int], list[int]]:
    """The choices of `size` of `most` cards, those without the later cards first: for each the number of the choice less its
    last card, and that card."""
    places = {chosen: place for place, chosen in enumerate(_colex(most, size - 1))}
    chosen = list(_colex(most, size))
    return [places[one[:-1]] for one in chosen], [one[-1] for one in chosen]


def _colex(most: int, size: int) -> Iterator[tuple[int, ...]]:
    return iter(sorted(combinations(range(most), size), key=lambda chosen: chosen[::-1]))


def atom_tables(module: ir.Module, exact: Exact) -> list[Value]:
    """A table for each word of a card: by code where every code has one reading, else by reading."""
    plan, fields = exact.plan, exact.fields
    atoms = [plan.atoms[one] for row in plan.codes for one in (row or (0,)[: plan.plain])]
    words = [fields.contribution(atom) for atom in atoms]
    name = f"{plan.name}_atom"
    return [table(module, f"{name}_{place}", I64, _signed(one[place] for one in words)) for place in range(fields.card_words)]


def reading_tables(module: ir.Module, exact: Exact) -> tuple[Value, Value]:
    """Where the readings of a code begin, and how many there are."""
    plan = exact.plan
    counts = [max(len(row), int(plan.plain)) for row in plan.codes]
    starts = [sum(counts[:place]) for place in range(len(counts))]
    return table(module, f"{plan.name}_first", I32, starts), table(module, f"{plan.name}_readings", I32, counts)


def _signed(words: Iterator[int]) -> list[int]:
    return [word - (1 << 64) if word >> 63 else word for word in words]
