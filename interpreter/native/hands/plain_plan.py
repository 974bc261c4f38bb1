"""A ranking that is rated card by card (plain.py): its values in tables by reading, and what the bits of a strength
say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, assert_never

from trionfi.dsl import tree
from trionfi.interpreter.hands.orders import Ordering
from trionfi.interpreter.hands.patterns import Pattern, Patterns
from trionfi.interpreter.hands.reads import reads, reads_local
from trionfi.interpreter.native.hands.cards import CardTable
from trionfi.interpreter.native.hands.handvalues import HandNumber, Unsuited, ValueReader
from trionfi.interpreter.native.hands.nested import NestedReader
from trionfi.interpreter.native.hands.plan import Readings, local_of


@dataclass(frozen=True)
class Key:
    """One key of the order, in `width` bits: a value of the hand, the category (neither) or `groups`."""

    width: int
    value: HandNumber | None = None
    groups: int | None = None  # which of `PlainPlan.groups`


@dataclass
class Groups:
    """One `groups by`: its expressions as numbers of a group and the one of its cards that names it."""

    numbers: list[HandNumber] = field(default_factory=list)

    @property
    def width(self) -> int:
        """Bits of one group; 0 is no group."""
        return sum(one.width for one in self.numbers) + 1


class GroupReader(ValueReader):
    """Turns expressions over `card` and `group` into numbers."""

    def __init__(self, reader: Readings, card: tree.Local, group: tree.Local, hand: tree.Local, high: int) -> None:
        super().__init__(reader, group, high)
        self.card, self.hand = card, hand
        self.columns: list[list[list[int]]] = []

    def whole(self, expr: tree.Expr) -> HandNumber:
        """A key of groups: what reads the card alone counts by its place among all values."""
        if reads_local([expr], self.hand):
            raise Unsuited("a key of groups that reads the hand")
        if reads_local([expr], self.hands[0]):
            return self.of(expr)
        values = self._read_card(expr)
        places = {value: place for place, value in enumerate(sorted({value for row in values for value in row}))}
        return self._column([[places[value] for value in row] for row in values])

    def of(self, expr: tree.Expr) -> HandNumber:
        if reads_local([expr], self.card) and not reads_local([expr], self.hands[0]):
            return self._column([[int(value) for value in row] for row in self._read_card(expr)])
        return super().of(expr)

    def _read_card(self, expr: tree.Expr) -> list[list[Any]]:
        if "table" in reads([expr]):
            raise Unsuited("a value depends on where cards lie")
        ordering = Ordering(self.reader.host, expr)
        return self.reader.rows(ordering.read, self.card)

    def _column(self, rows: list[list[int]]) -> HandNumber:
        flat = [value for row in rows for value in row] or [0]
        self.columns.append(rows)
        place = len(self.columns) - 1
        return HandNumber(lambda sight: sight.of_card(place), min(flat), max(flat))  # type: ignore[attr-defined]


class PlainPlan:
    """A ranking over a deck, in tables by reading. Raises Unsuited for what no compiled evaluator can do."""

    def __init__(self, ranking: tree.PatternRanking, cards: CardTable) -> None:
        self.ranking, self.table, self.distinct = ranking, cards, cards.distinct
        self.name = f"hand_{ranking.name}"
        self.low, self.high, self.best_low = ranking.low, ranking.high, ranking.best_low
        self.patterns = Patterns(cards.host, [c.facts for c in ranking.categories], ranking.alike, ranking.run)
        self.readings = Readings(ranking, cards, self.patterns)
        card, group, hand = (local_of(ranking, index) for index in range(3))
        self.values = NestedReader(self.readings, hand, self.high)
        self.group_reader = GroupReader(self.readings, card, group, hand, self.high)
        self.groups: list[Groups] = []
        self.order = [self._key(key) for key in ranking.order]
        self.qualifier = None if ranking.qualifier is None else self.values.of(ranking.qualifier)
        self.plain = False  # as sources ask: readings are gone through
        counts = [len(row) for row in self.readings.of_code]
        starts = [0, *accumulate(counts)]
        self.codes = [tuple(range(start, start + count)) for start, count in zip(starts, counts, strict=False)]
        self.atoms = list(range(sum(counts)))
        self.layout = PlainStrength(self)

    def face(self, code: int) -> int:
        return self.table.looks[code].face

    def _key(self, key: tree.OrderKey) -> Key:
        match key.kind:
            case "category":
                return Key((len(self.ranking.categories) - 1).bit_length())
            case "value":
                value = self.values.of(key.expressions[0])
                return Key(value.width, value=value)
            case "groups":
                groups = Groups([self.group_reader.whole(expr) for expr in key.expressions])
                self.groups.append(groups)
                return Key(groups.width * self.most_groups, groups=len(self.groups) - 1)
            case _:
                assert_never(key.kind)

    @cached_property
    def most_groups(self) -> int:
        """How many groups a hand has at most."""
        return max([1, *map(self._groups_of, self.patterns.patterns)])

    def _groups_of(self, pattern: Pattern) -> int:
        least, most = pattern.sizes(self.high)
        beside = most - sum(part.cards[0] for part in pattern.parts)
        return 0 if least > most else len(pattern.parts) + (0 if pattern.whole else beside)

    def column(self, rows: Sequence[Sequence[int]]) -> list[int]:
        """A value by reading."""
        return [value for row in rows for value in row]


class PlainStrength:
    """Which bits of a strength say what: the keys of the order, one behind the other."""

    def __init__(self, plan: PlainPlan) -> None:
        self.plan = plan
        self.categories = len(plan.ranking.categories)
        self.category_width = (self.categories - 1).bit_length()
        self.width = sum(key.width for key in plan.order)
        places = [place for place, key in enumerate(plan.order) if key.value is None and key.groups is None]
        if not places and self.categories > 1:
            raise Unsuited("an order without the category")
        if self.width > 63:
            raise Unsuited("a hand value of more than 63 bits")
        self.category_shift = sum(key.width for key in plan.order[places[0] + 1 :]) if places else 0

    def category(self, strength: int) -> int | None:
        if strength < 0:
            return None
        if self.plan.best_low:
            strength = (1 << self.width) - 1 - strength
        return self.categories - 1 - (strength >> self.category_shift & ((1 << self.category_width) - 1))
