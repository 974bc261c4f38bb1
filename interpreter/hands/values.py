"""What rankings, totals and melds give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from trionfi.dsl.tree import ConditionRanking, PatternRanking


class HandValue:
    """The strength of a hand: greater is better (also where the lowest hand is best), equal for ties.

    `number` counts the categories from 0, the first declared; `category` is its name, `columns` its further
    columns (also read as attributes: `value.points`). `cards` are those used, in the order given.
    """

    __slots__ = ("cards", "key", "number", "ranking")

    def __init__(
        self, ranking: PatternRanking | ConditionRanking, key: tuple[Any, ...], number: int, cards: tuple[Any, ...]
    ) -> None:
        self.ranking = ranking
        self.key = key
        self.number = number
        self.cards = cards

    @property
    def category(self) -> str:
        return self.ranking.categories[self.number].name

    @property
    def columns(self) -> dict[str, int]:
        return dict(self.ranking.categories[self.number].columns)

    def with_cards(self, cards: tuple[Any, ...]) -> HandValue:
        """The same value, its cards called otherwise (by name, for people)."""
        return HandValue(self.ranking, self.key, self.number, cards)

    def __getattr__(self, name: str) -> int:
        if name in HandValue.__slots__ or name.startswith("__"):  # asked while a copy is being made
            raise AttributeError(name)
        columns = self.ranking.categories[self.number].columns
        if name in columns:
            return columns[name]
        raise AttributeError(f"a hand of {self.ranking.name} has no column {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandValue) and self.ranking is other.ranking and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: HandValue) -> bool:
        return self.key < self._peer(other)

    def __le__(self, other: HandValue) -> bool:
        return self.key <= self._peer(other)

    def __gt__(self, other: HandValue) -> bool:
        return self.key > self._peer(other)

    def __ge__(self, other: HandValue) -> bool:
        return self.key >= self._peer(other)

    def _peer(self, other: HandValue) -> tuple[Any, ...]:
        if not isinstance(other, HandValue) or other.ranking is not self.ranking:
            raise TypeError(f"a hand of {self.ranking.name} compares with hands of {self.ranking.name} only")
        return other.key

    def __repr__(self) -> str:
        return f"<{self.ranking.name}: {self.category}, {', '.join(map(str, self.cards))}>"


class Total(NamedTuple):
    """A count of cards. `soft`: it is more than the least total, so some card counts a higher one of its
    values. `bust`: it is above the limit (and then the least)."""

    value: int
    soft: bool
    bust: bool


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Cards parted into melds, least cost left. `melds` and `left` keep the cards' order."""

    cost: int
    melds: tuple[tuple[int, ...], ...]
    left: tuple[int, ...]
