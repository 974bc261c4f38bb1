"""What a ranking asks, put into numbers for one deck: classes of cards alike, patterns, and the fields of a strength.

A *class* is a number of a bit: cards of one class are alike and stand alike in the order of groups, and a higher bit
stands higher. A *block* is what cards of one rank in runs share: the classes of block b have the bits from `b * depth`.
An *atom* is all that the ranking can tell of one reading of a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, assert_never

from trionfi.dsl import tree
from trionfi.interpreter.hands.cards import Closure, HandTable, Host
from trionfi.interpreter.hands.orders import Ordering
from trionfi.interpreter.hands.patterns import Pattern, Patterns
from trionfi.interpreter.hands.rankings import sharing_helps
from trionfi.interpreter.hands.readings import Looks, Reading
from trionfi.interpreter.hands.reads import nodes_below, reads, reads_local
from trionfi.interpreter.native.hands.cards import CardTable
from trionfi.interpreter.native.hands.handvalues import HandNumber, HandTally, Unsuited, ValueReader, read_domain


@dataclass(frozen=True)
class Atom:
    """One reading of a card. `kind`: its class; `block`: in runs, None in no run; `same`: a mask for each set of `same`
    properties; `counted`: it has the truth that groups are counted by; `tallies`: its part of each tally."""

    kind: int
    lone: bool  # alike no other card
    block: int | None
    same: tuple[int, ...]
    truths: tuple[int, ...]
    counted: bool
    tallies: tuple[int, ...]


@dataclass(frozen=True)
class PlannedShape:
    """A category under the options, its sizes sorted, largest first. `size`: how many cards such a hand can have."""

    number: int
    alike: tuple[int, ...]
    run: int
    same: int | None
    truths: tuple[tuple[int, int, int | None], ...]
    size: tuple[int, int]


class Failed:
    """What is known of the cards because earlier patterns did not fit: sizes of parts alike that they do not have."""

    def __init__(self) -> None:
        self.parts: list[tuple[int, ...]] = []

    def add(self, shape: PlannedShape, low: int, high: int) -> None:
        """A pattern that hands of `low` to `high` cards do not fit: by their parts, if it asks for nothing else."""
        others = shape.run or shape.same is not None or shape.truths
        if shape.alike and not others and shape.size[0] <= low and high <= shape.size[1]:
            self.parts.append(shape.alike)

    def excludes(self, parts: Sequence[int], cards: int) -> bool:
        """So many cards cannot have all these parts."""
        having = sorted(parts, reverse=True)
        return sum(parts) > cards or any(_within(wanted, having) for wanted in self.parts)

    def most(self, taken: tuple[int, ...], high: int) -> int:
        """How many cards of one class there can be at most when parts of the sizes `taken` are gone."""
        for size in range(1, high + 1):
            if self.excludes((*taken, size), sum(taken) + size):
                return size - 1
        return high


def _within(parts: Sequence[int], having: Sequence[int]) -> bool:
    return len(parts) <= len(having) and all(wanted <= there for wanted, there in zip(parts, having, strict=False))


@dataclass
class Order:
    """The order of hands: values before the category, the groups' keys, values behind them."""

    head: list[HandNumber] = field(default_factory=list)
    card_keys: list[tree.Expr] = field(default_factory=list)
    counted: tree.Domain | None = None
    tail: list[HandNumber] = field(default_factory=list)
    has_groups: bool = False


class Readings:
    """Reads values off every reading of every code."""

    def __init__(self, ranking: tree.PatternRanking, table: CardTable, patterns: Patterns) -> None:
        self._host = table.host
        self.hand = HandTable(table.looks)
        telling = [expr for key in ranking.order for expr in key.expressions]
        if ranking.qualifier is not None:
            telling.append(ranking.qualifier)
        self.width = 1 + max([local.index for local in ranking.locals], default=0)
        below = nodes_below(telling)  # a define that is written out in its place keeps its own locals
        self.frame = max([self.width, *[node.index + 1 for node in below if isinstance(node, tree.Local)]])
        looks = Looks(table.host, ranking.wild, ranking.wild_suit)
        if table.altered is not None and _reads_more(ranking, telling):
            raise Unsuited("a ranking of altered cards that reads more than suit and rank")
        apart = frozenset() if sharing_helps(ranking) else frozenset({"same"})
        reader = patterns.reader(table.host, looks, reads(telling) | apart, self.width - 1)
        if reader.bound:
            raise Unsuited("what a card is depends on where it lies")
        kept = set(table.host.kept)
        self.of_code: list[tuple[Reading, ...]] = [
            reader.readings(self.hand, code) if look.face in kept else () for code, look in enumerate(table.looks)
        ]

    @property
    def host(self) -> Host:
        return self._host

    def rows(self, read: Closure, local: tree.Local) -> list[list[Any]]:
        return [[self._read(read, local, code, one) for one in row] for code, row in enumerate(self.of_code)]

    def _read(self, read: Closure, local: tree.Local, code: int, reading: Reading) -> Any:
        values: list[Any] = [None] * self.frame
        values[local.index] = code
        own = self.hand.look(code)
        try:
            self.hand.read_as(code, reading.look)
            return read(self.hand, values)
        finally:
            self.hand.read_as(code, own)


class Plan:
    """All that the emitters need to know of a ranking over a deck. Raises Unsuited where only the plain way serves."""

    def __init__(self, ranking: tree.PatternRanking, table: CardTable) -> None:
        self.ranking = ranking
        self.name = f"hand_{ranking.name}"
        self.low, self.high = ranking.low, ranking.high
        self.best_low = ranking.best_low
        self.table, self.distinct = table, table.distinct
        self.patterns = Patterns(table.host, [c.facts for c in ranking.categories], ranking.alike, ranking.run)
        self.readings = Readings(ranking, table, self.patterns)
        self.shapes = [shape for p in self.patterns.patterns if (shape := self._shape(p)) is not None]
        self._values = ValueReader(self.readings, local_of(ranking, 2), self.high)
        self.order = self._order()
        self.qualifier = None if ranking.qualifier is None else self._values.of(ranking.qualifier)
        self.tallies: list[HandTally] = self._values.tallies
        if self.best_low:
            self._check_low()
        self._classes = _Classes(self)
        self.depth, self.lone, self.blocks = self._classes.depth, self._classes.lone, self._classes.blocks
        self.width = self._classes.width
        self.codes: list[tuple[int, ...]] = []
        self.atoms: list[Atom] = []
        self._number_atoms()

    # ---- patterns

    def _shape(self, pattern: Pattern) -> PlannedShape | None:
        """The pattern as the fast ways take it; None if no hand can fit it."""
        runs = [part for part in pattern.parts if part.kind == "run"]
        alike = [part for part in pattern.parts if part.kind == "alike"]
        size = max(pattern.size[0], self.low), min(pattern.size[1], self.high)
        if size[0] > size[1] or pattern.sizes(self.high)[0] > size[1]:
            return None
        if pattern.different or pattern.whole or any(part.each > 1 for part in pattern.parts):
            raise Unsuited("different values, groups in a run, or parts with nothing beside them")
        if any(part.low != min(part.high, size[1]) for part in pattern.parts):
            raise Unsuited("a part of several sizes")
        if len(alike) > 2 or (runs and (alike or len(runs) > 1)):
            raise Unsuited("parts of which the highest may not leave room for the others")
        if runs and runs[0].low < size[1]:
            raise Unsuited("a run with other cards beside it")
        if runs:
            size = runs[0].low, runs[0].low
        parts = tuple(sorted((part.low for part in alike), reverse=True))
        return PlannedShape(pattern.number, parts, runs[0].low if runs else 0, pattern.same, pattern.truths, size)

    def _check_low(self) -> None:
        """Cards are parted from the highest down, which is wrong for low hands where there is a choice."""
        failed = Failed()
        for shape in self.shapes:
            others = [(size, size) if size != shape.alike[-1] else (*shape.alike, size) for size in shape.alike]
            if not all(failed.excludes(parts, self.high) for parts in others):
                raise Unsuited("low hands that can be parted in several ways")
            failed.add(shape, self.low, self.high)
        if self.order.counted is not None:
            raise Unsuited("low hands of which groups are counted")

    # ---- order

    def _order(self) -> Order:
        order, behind = Order(), False
        for key in self.ranking.order:
            match key.kind:
                case "category":
                    behind = True
                case "groups":
                    if order.has_groups or not behind:
                        raise Unsuited("groups before the category, or twice")
                    order.has_groups = True
                    self._group_order(order, key.expressions)
                case "value":
                    value = self._values.of(key.expressions[0])
                    (order.tail if order.has_groups or behind else order.head).append(value)
                case _:
                    assert_never(key.kind)
        if not behind:
            raise Unsuited("an order without the category")
        return order

    def _group_order(self, order: Order, expressions: Sequence[tree.Expr]) -> None:
        card, group, hand = (local_of(self.ranking, index) for index in range(3))
        for expr in expressions:
            if order.counted is not None:
                raise Unsuited("a key of groups behind a count")
            if not reads_local([expr], group) and not reads_local([expr], hand):
                order.card_keys.append(expr)
            elif isinstance(expr, tree.Count) and _goes_over(expr.domain, group, (card, hand)):
                order.counted = expr.domain
            else:
                raise Unsuited("a key of groups that is no count")

    # ---- atoms

    def read_card_keys(self) -> list[list[tuple[Any, ...]]]:
        """What orders each reading of each code as a group by itself."""
        card = local_of(self.ranking, 0)
        if "table" in reads(self.order.card_keys):
            raise Unsuited("a value depends on where cards lie")
        orderings = [Ordering(self.readings.host, expr) for expr in self.order.card_keys]
        return self.readings.rows(lambda table, values: tuple(o.read(table, list(values)) for o in orderings), card)

    def _number_atoms(self) -> None:
        rows = self._rows_of_atoms()
        numbers: dict[Atom, int] = {}
        for row in rows:
            self.codes.append(tuple(dict.fromkeys(numbers.setdefault(atom, len(numbers)) for atom in row)))
        self.atoms = list(numbers)

    def _rows_of_atoms(self) -> list[list[Atom]]:
        counted = None
        if self.order.counted is not None:
            counted = read_domain(self.readings, self.order.counted, None)
        result = []
        for code, row in enumerate(self.readings.of_code):
            atoms = []
            for place, reading in enumerate(row):
                kind = self._classes.of_reading[code][place]
                atoms.append(
                    Atom(
                        kind,
                        bool(self.lone >> kind & 1),
                        self.blocks.get(reading.run) if reading.run is not None else None,
                        reading.same,
                        reading.truths,
                        counted is not None and counted[code][place][0],
                        tuple(tally.values[code][place] for tally in self.tallies),
                    )
                )
            result.append(atoms)
        return result

    @cached_property
    def plain(self) -> bool:
        """Every card of the game has one reading."""
        return all(len(row) <= 1 for row in self.codes)

    def face(self, code: int) -> int:
        return self.table.looks[code].face

    def orders(self) -> list[list[int]]:
        """The orders of runs as blocks; a rank that no card has breaks the order."""
        return [[self.blocks.get(rank, -1) for rank in order] for order in self.patterns.orders]

    def atom(self, code: int) -> Atom:
        """Of a card of one reading."""
        return self.atoms[self.codes[code][0]]


class _Classes:
    """Numbers classes so that a higher bit stands higher among groups, those of one rank in runs side by side."""

    def __init__(self, plan: Plan) -> None:
        keys = plan.read_card_keys()
        by_alike = any(shape.alike for shape in plan.shapes)
        found: dict[Any, Any] = {}
        names: list[list[Any]] = []
        for row, of_one in zip(plan.readings.of_code, keys, strict=True):
            names.append([])
            for reading, key in zip(row, of_one, strict=True):
                run = reading.run if plan.patterns.orders else None
                name = (key, run, reading.alike if by_alike else 0)
                found[name] = None
                names[-1].append(name)
        ordered = sorted(found, key=lambda name: (name[0], -1 if name[1] is None else name[1]))
        self._check(plan, ordered, by_alike)
        self.blocks: dict[int, int] = {}
        self.depth, numbers = self._number(ordered)
        self.of_reading = [[numbers[name] for name in row] for row in names]
        self.lone = sum(1 << numbers[name] for name in ordered if name[2] is None)
        self.width = max(numbers.values(), default=0) + 1
        if self.width > 62:
            raise Unsuited("more classes of cards than a word has bits")

    def _check(self, plan: Plan, ordered: Sequence[Any], by_alike: bool) -> None:
        alike = [name[2] for name in ordered if by_alike and name[2] is not None]
        if len(set(alike)) != len(alike):
            raise Unsuited("cards alike that differ in the order of groups or in runs")
        keys = [name[0] for name in ordered]
        if plan.order.has_groups and len(set(keys)) != len(keys):
            raise Unsuited("cards that are not alike and equal in the order of groups")

    def _number(self, ordered: Sequence[Any]) -> tuple[int, dict[Any, int]]:
        blocks: list[list[Any]] = []
        for name in ordered:
            if blocks and name[1] is not None and blocks[-1][0][1] == name[1]:
                blocks[-1].append(name)
            else:
                blocks.append([name])
        depth = max((len(block) for block in blocks), default=1)
        numbers: dict[Any, int] = {}
        for number, block in enumerate(blocks):
            rank = block[0][1]
            if rank is not None and self.blocks.setdefault(rank, number) != number:
                raise Unsuited("runs that go otherwise than the order of groups")
            numbers.update({name: number * depth + place for place, name in enumerate(block)})
        return depth, numbers


def _reads_more(ranking: tree.PatternRanking, telling: Sequence[tree.Expr]) -> bool:
    """Does the ranking read more of a card than suit, rank and orientation?"""
    specs = [*ranking.alike, *(fact.property for category in ranking.categories for fact in category.facts)]
    if ranking.run is not None:
        specs.append(ranking.run.by)
    wild = [expr for expr in (ranking.wild, ranking.wild_suit) if expr is not None]
    read = reads([*telling, *wild, *(spec.expr for spec in specs if spec is not None)])
    return bool(read & {"face", "marks"})


def local_of(ranking: tree.PatternRanking, index: int) -> tree.Local:
    """0 `card`, 1 `group`, 2 `hand`."""
    for local in ranking.locals:
        if local.index == index:
            return local
    raise Unsuited("a ranking without its locals")


def _goes_over(domain: tree.Domain, group: tree.Local, others: Iterable[tree.Local]) -> bool:
    """Does the query go over the cards of the group and ask for nothing but the card?"""
    source = domain.source
    while isinstance(source, tree.CardsOf):
        source = source.source
    own = [] if domain.where is None else [domain.where]
    names_others = any(reads_local(own, local) for local in (group, *others))
    return isinstance(source, tree.LocalValue) and source.local is group and not names_others
