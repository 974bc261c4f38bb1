"""The best hand found by trying every choice of cards, eight choices side by side.

A *source* is cards of which so many are taken. Its choices are either listed beforehand, each made from a smaller one
and one card more (few cards, each of one reading), or gone through in nested loops. The last source fills the lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb, prod

from llvmlite import ir

from trionfi.interpreter.native.builder import I16, I32, I64, Code, Value, Variable, function, number, table
from trionfi.interpreter.native.hands.fields import ExactHand, Fields, Partial
from trionfi.interpreter.native.hands.handvalues import HandNumber
from trionfi.interpreter.native.hands.plan import Plan, Shape
from trionfi.interpreter.native.hands.rate import Rater
from trionfi.interpreter.native.hands.strength import Strength
from trionfi.interpreter.native.hands.words import Lanes, Truth, Word, ones

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
    """Evaluates hands of just these cards, in two steps: the head of the strength, then what stands behind it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.fields = Fields(plan)
        self.strength = Strength(plan)

    def head(self, lanes: Lanes, cards: Partial) -> Word:
        """Values before the category, and the category; -1 if it is no hand."""
        hand = ExactHand(lanes, self.fields, cards)
        category = Rater(self.plan, self.strength, hand).category()
        valid = category.at_least(0)
        if self.plan.qualifier is not None:
            valid = valid & self.plan.qualifier.emit(hand).is_set()
        values = _valued(hand, lanes.zero, self.plan.order.head)
        whole = values << self.strength.category_width | category
        return valid.choose(self._turned(whole, self.strength.width - self.strength.category_shift), -1)

    def rest(self, lanes: Lanes, cards: Partial, shape: Shape) -> Word:
        """Groups and values behind them, of a hand of this category."""
        hand = ExactHand(lanes, self.fields, cards)
        groups = Rater(self.plan, self.strength, hand).groups(shape)
        return self._turned(_valued(hand, groups, self.plan.order.tail), self.strength.category_shift)

    def _turned(self, word: Word, width: int) -> Word:
        return word ^ ones(width) if self.plan.best_low else word

    def is_of(self, lanes: Lanes, head: Word, shape: Shape) -> Truth:
        """Is the head one of this category?"""
        category = self.strength.category_bits(shape.number)
        turned = category ^ ones(self.strength.category_width) if self.plan.best_low else category
        return (head & ones(self.strength.category_width)).equals(turned)

    def whole(self, lanes: Lanes, cards: Partial) -> Word:
        """The strength of a hand of just these cards, -1 if it is none."""
        head, rest = self.head(lanes, cards), lanes.zero
        for shape in self.plan.shapes:
            rest = self.is_of(lanes, head, shape).choose(self.rest(lanes, cards, shape), rest)
        return head.at_least(0).choose(head << self.strength.category_shift | rest, -1)


def _valued(hand: ExactHand, before: Word, values: Sequence[HandNumber]) -> Word:
    for value in values:
        before = before << value.width | (value.emit(hand) - value.least)
    return before


def head_function(exact: Exact, module: ir.Module, cards: Partial) -> ir.Function:
    """head(words of hands of so many cards, side by side): their heads."""
    kinds = [word.value.type for word in cards.words]
    name = f"{exact.plan.name}_head_{cards.size}"
    if name not in module.globals:
        with function(module, name, ir.VectorType(I64, LANES), kinds, attributes=_apart(exact)) as code:
            lanes = Lanes(code.builder, LANES)
            held = exact.fields.of_words(cards.size, [lanes.wrap(word) for word in code.arguments])
            code.give(exact.head(lanes, held).value)
    return module.globals[name]


def rest_function(exact: Exact, module: ir.Module, cards: Partial) -> ir.Function:
    """rest(head, words of hands of so many cards, side by side): what stands behind the head, if that is theirs."""
    kinds = [word.value.type for word in cards.words]
    name = f"{exact.plan.name}_rest_{cards.size}"
    if name not in module.globals:
        with function(module, name, ir.VectorType(I64, LANES), [I64, *kinds], attributes=_apart(exact)) as code:
            lanes, scalar = Lanes(code.builder, LANES), Lanes(code.builder)
            head = scalar.wrap(code.arguments[0])
            held = exact.fields.of_words(cards.size, [lanes.wrap(word) for word in code.arguments[1:]])
            for shape in exact.plan.shapes:
                if shape.size[0] <= cards.size <= shape.size[1]:
                    with code.when(exact.is_of(scalar, head, shape).value):
                        code.give(exact.rest(lanes, held, shape).value)
            code.give(lanes.constant(-1).value)
    return module.globals[name]


def _apart(exact: Exact) -> tuple[str, ...]:
    """Where several searches call a function it stays one: written into each it takes LLVM a second."""
    return () if exact.plan.plain else ("noinline",)


def _values(cards: Partial) -> list[Value]:
    return [word.value for word in cards.words]


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


Rate = Callable[[Callable[[], Partial], Value], None]


class Trial:
    """Emits the search for the best hand of some sources in one function.

    It goes over all choices twice: for the best head, then for the best rest among those few with that head.
    """

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
        heads = Heads(self)
        self._each(lambda cards, there: heads.put(self._head(cards(), there)))
        head = heads.best()
        with self.code.when(self.code.compare("<", head, 0), likely=False):
            self.code.give(-1)
        rest = Best(self)
        heads.again()

        def rate(cards: Callable[[], Partial], there: Value) -> None:
            wanted = heads.next(lambda: self._head(cards(), there)).equals(self.lanes.broadcast(head))
            with self.code.when(wanted.any_lane()):
                rest.put(wanted.choose(self._rest(cards(), head), -1))

        self._each(rate)
        return self.code.builder.or_(
            self.code.builder.shl(head, number(self.exact.strength.category_shift)), rest.best()
        )

    def _head(self, cards: Partial, there: Value) -> Word:
        head = self.code.builder.call(head_function(self.exact, self.code.function.module, cards), _values(cards))
        return Truth(self.lanes, there).choose(self.lanes.wrap(head), -1)

    def _rest(self, cards: Partial, head: Value) -> Word:
        rest = rest_function(self.exact, self.code.function.module, cards)
        return self.lanes.wrap(self.code.builder.call(rest, [head, *_values(cards)]))

    def _each(self, rate: Rate) -> None:
        self._outer(self.sources[:-1], self.fields.nothing(self.scalar), rate)

    def _outer(self, outer: Sequence[Source], prefix: Partial, rate: Rate) -> None:
        if outer:
            outer[0].each(prefix, lambda cards: self._outer(outer[1:], cards, rate))
        else:
            self.sources[-1].each_lanes(prefix, rate)

    def _source(self, taking: Taking) -> Source:
        listed = self.single and comb(taking.most, taking.take) <= LISTED
        return (ListedSource if listed else NestedSource)(self, taking)


class Best:
    """The best of many words, lane by lane."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.place = trial.code.room(trial.lanes.type)
        trial.lanes.store(trial.lanes.constant(-1), self.place)

    def put(self, word: Word) -> None:
        lanes = self.trial.lanes
        lanes.store(lanes.load(self.place).greater(word), self.place)

    def best(self) -> Value:
        lanes = self.trial.lanes
        return lanes.reduce("llvm.vector.reduce.smax", lanes.load(self.place))


class Heads(Best):
    """The heads of all choices, kept from the first time over for the second if there is room for them."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        blocks = [source.most_choices() for source in trial.sources]
        blocks[-1] = -(-blocks[-1] // LANES)
        self.kept = all(isinstance(source, ListedSource) for source in trial.sources) and prod(blocks) <= LISTED
        if self.kept:
            self.words = trial.code.room(I64, prod(blocks) * LANES)
            self.number = Variable(trial.code, I64, 0)

    def put(self, word: Word) -> None:
        super().put(word)
        if self.kept:
            self.trial.lanes.store(word, self._here())

    def again(self) -> None:
        if self.kept:
            self.number.set(0)

    def next(self, make: Callable[[], Word]) -> Word:
        return self.trial.lanes.load(self._here()) if self.kept else make()

    def _here(self) -> Value:
        here = self.trial.code.at(self.words, self.number.get(), 8)
        self.number.add(LANES)
        return here


class Source:
    """Cards of which some are taken."""

    def __init__(self, trial: Trial, taking: Taking) -> None:
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


class ListedSource(Source):
    """All choices are listed, in the order in which those of the first n cards are the first of all."""

    def __init__(self, trial: Trial, taking: Taking) -> None:
        super().__init__(trial, taking)
        self.count: Value = number(0)
        self.rows = self.cards
        self.size = 1

    def prepare(self, parts: Sequence[tuple[Value, Value]]) -> None:
        place = Variable(self.code, I64, 0)
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
            rate(_joining(self, spread, self.listed, start), self.below(start, self.count))


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

    def each_lanes(self, prefix: Partial, rate: Rate) -> None:
        self._lanes(prefix, number(0), self.taking.take, rate)

    def _lanes(self, prefix: Partial, start: Value, left: int, rate: Rate) -> None:
        if left > 1:
            with self.code.count(self.count, start) as entry:
                whole = self.fields.join(prefix, self.single(self.trial.scalar, entry))
                self._lanes(whole, self.code.load(I64, self.next_card, entry), left - 1, rate)
            return
        spread = self.broadcast(prefix)
        blocks = self.code.builder.sdiv(self.code.add(self.code.subtract(self.count, start), LANES - 1), number(LANES))
        with self.code.count(blocks) as block:
            place = self.code.add(start, self.code.multiply(block, LANES))
            rate(_joining(self, spread, self.single, place), self.below(place, self.count))

    def waste(self) -> float:
        return -float(self.taking.take)


def _joining(
    source: Source, prefix: Partial, read: Callable[[Lanes, Value], Partial], place: Value
) -> Callable[[], Partial]:
    return lambda: source.fields.join(prefix, read(source.trial.lanes, place))


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
    most = Variable(code, I64, 1)
    for pointer, count in parts:
        with code.count(count) as index:
            card = code.load(I16, pointer, index, signed=False)
            most.set(code.larger(most.get(), code.load(I32, counts, card)))
    return code.compare("==", most.get(), 1)


def _signed(words: Iterator[int]) -> list[int]:
    return [word - (1 << 64) if word >> 63 else word for word in words]
