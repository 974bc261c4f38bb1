"""The best hand found by trying every choice of cards, eight choices side by side.

A *source* is cards of which so many are taken. Its choices are either listed beforehand, each made from a smaller one
and one card more (few cards, each of one reading), or gone through in nested loops whose innermost goes over groups of
cards that are listed. The last source fills the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb

from llvmlite import ir

from trionfi.interpreter.native.builder import I16, I32, I64, Code, Mutable, Value, number, table
from trionfi.interpreter.native.hands.exact_hand import LANES, Exact, head_function, rest_function, values_of
from trionfi.interpreter.native.hands.fields import Partial
from trionfi.interpreter.native.hands.words import Lanes, Truth, Word

LISTED = 512  # at most so many choices of a source are listed
GROUP, GROUPED = 3, 24  # groups of so many cards are listed, if there are at most so many entries to choose from

Body = Callable[[Partial], None]


@dataclass(frozen=True)
class Taking:
    """Takes `take` of the cards of the parts `parts`, together at most `most`."""

    parts: tuple[int, ...]
    take: int
    most: int


def lists(taking: Taking) -> bool:
    """Is the source small enough to list all its choices, if each card has one reading?"""
    return comb(taking.most, taking.take) <= LISTED


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


Rate = Callable[[Partial, Value], None]


class ExactTrial:
    """Emits the search for the best hand of some sources in one function."""

    def __init__(self, exact: Exact, code: Code, takings: Sequence[Taking], single: bool) -> None:
        """`single`: all cards that there are have one reading."""
        self.exact, self.fields, self.code, self.single = exact, exact.fields, code, single
        self.scalar, self.lanes = Lanes(code.builder), Lanes(code.builder, LANES)
        self.sources = sorted((self._source(taking) for taking in takings if taking.take), key=lambda one: -one.waste())

    def best(self, parts: Sequence[tuple[Value, Value]]) -> Value:
        """The strength of the best hand; `parts` are (pointer to codes, number of codes)."""
        if not self.sources:
            return self.exact.whole(self.scalar, self.fields.nothing(self.scalar)).value
        for source in self.sources:
            source.prepare(parts)
        best = Best(self)
        self._outer(self.sources[:-1], self.fields.nothing(self.scalar), best.put)
        return best.strength()

    def head(self, cards: Partial, there: Value) -> Word:
        head = self.code.builder.call(head_function(self.exact, self.code.function.module, cards), values_of(cards))
        return Truth(self.lanes, there).choose(self.lanes.wrap(head), -1)

    def rest(self, cards: Partial, head: Value) -> Word:
        rest = rest_function(self.exact, self.code.function.module, cards)
        return self.lanes.wrap(self.code.builder.call(rest, [head, *values_of(cards)]))

    def _outer(self, outer: Sequence[TakenFrom], prefix: Partial, rate: Rate) -> None:
        if outer:
            outer[0].each(prefix, lambda cards: self._outer(outer[1:], cards, rate))
        else:
            self.sources[-1].each_lanes(prefix, rate)

    def _source(self, taking: Taking) -> TakenFrom:
        return (ListedSource if self.single and lists(taking) else GroupedSource)(self, taking)


class Best:
    """The best strength of many hands: the best head, and lane by lane the best rest of hands with that head."""

    def __init__(self, trial: ExactTrial) -> None:
        self.trial = trial
        self.head = Mutable(trial.code, I64, 0)
        self.rest = trial.code.room(trial.lanes.type)
        trial.lanes.store(trial.lanes.constant(-1), self.rest)

    def put(self, cards: Partial, there: Value) -> None:
        trial, code, lanes = self.trial, self.trial.code, self.trial.lanes
        heads = trial.head(cards, there)
        with code.when(heads.at_least(lanes.broadcast(self.head.get())).any_lane()):
            head = lanes.reduce("llvm.vector.reduce.smax", heads)
            with code.when(code.compare(">", head, self.head.get())):
                self.head.set(head)
                lanes.store(lanes.constant(-1), self.rest)
            rest = heads.equals(lanes.broadcast(head)).choose(trial.rest(cards, head), -1)
            lanes.store(lanes.load(self.rest).greater(rest), self.rest)

    def strength(self) -> Value:
        """-1 if none was a hand."""
        lanes, b = self.trial.lanes, self.trial.code.builder
        rest = lanes.reduce("llvm.vector.reduce.smax", lanes.load(self.rest))
        whole = b.or_(b.shl(self.head.get(), number(self.trial.exact.strength.category_shift)), rest)
        return self.trial.code.choose(self.trial.code.compare("<", rest, 0), -1, whole)


class TakenFrom:
    """Cards of which some are taken."""

    def __init__(self, trial: ExactTrial, taking: Taking) -> None:
        self.trial, self.taking, self.code, self.fields = trial, taking, trial.code, trial.fields
        several = max((len(row) for row in trial.exact.plan.codes), default=1)
        self.readings = 1 if trial.single else several
        self.cards = CardRows(trial.code, self.fields.card_words, taking.most * self.readings)

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        """Reads the words of the cards."""
        raise NotImplementedError

    def each(self, prefix: Partial, body: Body) -> None:
        """Writes `body` for each choice put to the prefix."""
        raise NotImplementedError

    def each_lanes(self, prefix: Partial, rate: Rate) -> None:
        """Writes `rate` for choices side by side: its first argument makes the cards, its second says which lanes
        hold a choice."""
        raise NotImplementedError

    def most_choices(self) -> int:
        return comb(self.taking.most, self.taking.take)

    def waste(self) -> float:
        """How much of the lanes stays empty: the source that wastes least goes last."""
        choices = self.most_choices()
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


class ListedSource(TakenFrom):
    """All choices are listed, in the order in which those of the first n cards are the first of all."""

    def __init__(self, trial: ExactTrial, taking: Taking) -> None:
        super().__init__(trial, taking)
        self.count: Value = number(0)
        self.rows = self.cards
        self.size = 1

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        place = Mutable(self.code, I64, 0)
        module, plain = self.code.function.module, self.trial.exact.plan.plain
        tables, (starts, _) = atom_tables(module, self.trial.exact), reading_tables(module, self.trial.exact)
        for part in self.taking.parts:
            pointer, count = parts[part]
            with self.code.count(count) as index:
                card = self.code.load(I16, pointer, index, signed=False)
                card = card if plain else self.code.load(I32, starts, card)
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

    def each_lanes(self, prefix: Partial, rate: Rate) -> None:
        spread = self.broadcast(prefix)
        blocks = self.code.builder.udiv(self.code.add(self.count, LANES - 1), number(LANES))
        with self.code.count(blocks) as block:
            start = self.code.multiply(block, LANES)
            rate(self.fields.join(spread, self.listed(self.trial.lanes, start)), self.below(start, self.count))


class NestedSource(TakenFrom):
    """Choices are gone through in nested loops over cards and their readings."""

    def __init__(self, trial: ExactTrial, taking: Taking) -> None:
        super().__init__(trial, taking)
        self.next_card = trial.code.room(I64, taking.most * self.readings + 1)
        self.count: Value = number(0)

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        """Each reading is an entry; `next_card` says where the entries of the next card begin."""
        place = Mutable(self.code, I64, 0)
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
        # behind the entry there are as many as are still to come: else large hands of just these cards take long
        with self.code.count(self.code.subtract(self.count, left - 1), start) as entry:
            whole = self.fields.join(prefix, self.single(self.trial.scalar, entry))
            if left == 1:
                body(whole)
            else:
                self._nest(whole, self.code.load(I64, self.next_card, entry), left - 1, body)

    def waste(self) -> float:
        return -float(self.taking.take)


class GroupedSource(NestedSource):
    """The last cards of a choice are listed in groups, which fill the lanes; loops go over the cards before them.

    Groups stand in the order of their first entries, so that those from an entry on are the end of the list.
    """

    def __init__(self, trial: ExactTrial, taking: Taking) -> None:
        super().__init__(trial, taking)
        self.groups: list[GroupChoices] = []

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        super().prepare(parts)
        for size in range(2, min(self.taking.take, GROUP) + 1):
            self.groups.append(GroupChoices(self, size))
        with self.code.when(self._fits()):
            for smaller, groups in zip([None, *self.groups], self.groups, strict=False):
                self._list(groups, smaller)

    def _fits(self) -> Value:
        return self.code.compare("<=", self.count, GROUPED)

    def _list(self, groups: GroupChoices, smaller: GroupChoices | None) -> None:
        """Each entry with all smaller groups of later cards."""
        code, lanes, total = self.code, self.trial.lanes, Mutable(self.code, I64, 0)
        with code.count(self.count) as entry:
            code.store(I64, total.get(), groups.starts, entry)
            first, end = self._from(smaller, code.load(I64, self.next_card, entry))
            spread = self.broadcast(self.single(self.trial.scalar, entry))
            with self._blocks(first, end) as place:
                whole = self.fields.join(spread, self._group(lanes, smaller, place))
                groups.rows.store(lanes, whole.words, code.add(total.get(), code.subtract(place, first)))
            total.add(code.subtract(end, first))
        code.store(I64, total.get(), groups.starts, self.count)

    def _from(self, groups: GroupChoices | None, entry: Value) -> tuple[Value, Value]:
        """Where the groups that begin at an entry or behind it begin and end; None: of one card."""
        if groups is None:
            return entry, self.count
        return self.code.load(I64, groups.starts, entry), self.code.load(I64, groups.starts, self.count)

    def _group(self, lanes: Lanes, groups: GroupChoices | None, place: Value) -> Partial:
        return self.single(lanes, place) if groups is None else groups.load(lanes, place)

    @contextmanager
    def _blocks(self, start: Value, end: Value) -> Iterator[Value]:
        """Every eighth place."""
        code = self.code
        blocks = code.builder.sdiv(code.add(code.subtract(end, start), LANES - 1), number(LANES))
        with code.count(blocks) as block:
            yield code.add(start, code.multiply(block, LANES))

    def each_lanes(self, prefix: Partial, rate: Rate) -> None:
        if not self.groups:
            self._lanes(prefix, number(0), self.taking.take, rate)
            return
        with self.code.otherwise(self._fits()) as other:
            self._lanes(prefix, number(0), self.taking.take, rate)
            other()
            self.groups = []
            self._lanes(prefix, number(0), self.taking.take, rate)

    def _lanes(self, prefix: Partial, start: Value, left: int, rate: Rate) -> None:
        groups = self.groups[-1] if self.groups else None
        if left > (groups.size if groups else 1):
            with self.code.count(self.count, start) as entry:
                whole = self.fields.join(prefix, self.single(self.trial.scalar, entry))
                self._lanes(whole, self.code.load(I64, self.next_card, entry), left - 1, rate)
            return
        spread = self.broadcast(prefix)
        first, end = self._from(groups, start)
        with self._blocks(first, end) as place:
            hands = self.fields.join(spread, self._group(self.trial.lanes, groups, place))
            rate(hands, self.below(place, end))


class GroupChoices:
    """All choices of so many cards, and where those begin that begin at an entry."""

    def __init__(self, source: GroupedSource, size: int) -> None:
        self.fields, self.size = source.fields, size
        width = sum(self.fields.widths(size)) + len(self.fields.joins)
        self.width, self.rows = width, CardRows(source.code, width, comb(GROUPED, size))
        self.starts = source.code.room(I64, GROUPED + 1)

    def load(self, lanes: Lanes, place: Value) -> Partial:
        return self.fields.of_words(self.size, self.rows.load(lanes, place, self.width))


def growth(most: int, size: int) -> tuple[list[int], list[int]]:
    """The choices of `size` of `most` cards, those without the later cards first: for each the number of the choice
    less its last card, and that card."""
    places = {chosen: place for place, chosen in enumerate(_colex(most, size - 1))}
    chosen = list(_colex(most, size))
    return [places[one[:-1]] for one in chosen], [one[-1] for one in chosen]


def _colex(most: int, size: int) -> Iterator[tuple[int, ...]]:
    return iter(sorted(combinations(range(most), size), key=lambda chosen: chosen[::-1]))


def atom_tables(module: ir.Module, exact: Exact) -> list[Value]:
    """A table for each word of a card: by code where every code has one reading, else by reading."""
    plan, fields = exact.plan, exact.fields
    names = [f"{plan.name}_atom_{place}" for place in range(fields.card_words)]
    if all(name in module.globals for name in names):
        return [module.globals[name] for name in names]
    atoms = [plan.atoms[one] for row in plan.codes for one in (row or (0,)[: plan.plain])]
    words = [fields.contribution(atom) for atom in atoms]
    return [table(module, name, I64, _signed(one[place] for one in words)) for place, name in enumerate(names)]


def reading_tables(module: ir.Module, exact: Exact) -> tuple[Value, Value]:
    """Where the readings of a code begin, and how many there are."""
    plan = exact.plan
    names = f"{plan.name}_first", f"{plan.name}_readings"
    counts = [max(len(row), int(plan.plain)) for row in plan.codes]
    starts = [0, *accumulate(counts)][:-1]
    first, many = (table(module, name, I32, column) for name, column in zip(names, (starts, counts), strict=True))
    return first, many


def have_one_reading(exact: Exact, code: Code, parts: Sequence[tuple[Value, Value]]) -> Value:
    """Has each of the cards one reading?"""
    _, counts = reading_tables(code.function.module, exact)
    most = Mutable(code, I64, 1)
    for pointer, count in parts:
        with code.count(count) as index:
            card = code.load(I16, pointer, index, signed=False)
            most.set(code.larger(most.get(), code.load(I32, counts, card)))
    return code.compare("==", most.get(), 1)


def _signed(words: Iterator[int]) -> list[int]:
    return [word - (1 << 64) if word >> 63 else word for word in words]
