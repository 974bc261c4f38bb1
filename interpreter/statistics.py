"""Sums over many games, and the figures that a report reads off them.

Everything that is added up is a whole number (or an exact fraction), so that the result is the same in whatever
order and by however many workers the games were played. Figures are floats only in the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset
    from trionfi.dsl.types import Type
    from trionfi.interpreter.game import Game

__all__ = ["Kind", "MeasureShape", "Sums", "Tally", "shapes_of", "wilson", "words_of"]

Kind = Literal["truth", "number", "words"]
Exact = int | Fraction
KINDS: dict[str, Kind] = {"truth": "truth", "number": "number", "fraction": "number"}

# Two-sided 95 per cent of a normal distribution.
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class MeasureShape:
    """What a measure gives: a truth, a number, or one of `words`; `per_player`: one for each seat.

    `repeated`: read each time an event is triggered, else once, at the end of the game.
    """

    name: str
    kind: Kind
    words: tuple[str, ...] = ()
    per_player: bool = False
    repeated: bool = False


def shapes_of(ruleset: Ruleset) -> list[MeasureShape]:
    """The shape of each measure, in the order of the text."""
    return [
        MeasureShape(
            name=measure.name,
            kind=KINDS.get(measure.type.kind, "words"),
            words=words_of(ruleset, measure.type),
            per_player=measure.player is not None,
            repeated=bool(measure.event),
        )
        for measure in ruleset.measures
    ]


def words_of(ruleset: Ruleset, kind: Type) -> tuple[str, ...]:
    """The members of an enumeration or the categories of a ranking, in order; none for other types."""
    if kind.kind == "category":
        return tuple(category.name for category in ruleset.rankings[kind.name].categories)
    if kind.kind == "enum":
        return tuple(ruleset.enumerations[kind.name].members)
    seats = {"player": ("p", ruleset.players[1]), "team": ("team", len(ruleset.teams))}
    word, count = seats.get(kind.kind, ("", 0))
    return tuple(f"{word}{number}" for number in range(1, count + 1))


@dataclass(slots=True)
class Tally:
    """What was seen of one figure: how often, its sum and the sum of its squares, its ends.

    Of a truth `total` is how often it was true; of words `counts` holds how often each was seen.
    """

    count: int = 0
    total: Exact = 0
    squares: Exact = 0
    low: Exact | None = None
    high: Exact | None = None
    counts: list[int] = field(default_factory=list)

    def see(self, value: Exact) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value
        self.low = value if self.low is None else min(self.low, value)
        self.high = value if self.high is None else max(self.high, value)

    def see_word(self, index: int) -> None:
        self.count += 1
        self.counts[index] += 1

    def add(self, other: Tally) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.low = min((x for x in (self.low, other.low) if x is not None), default=None)
        self.high = max((x for x in (self.high, other.high) if x is not None), default=None)
        self.counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]

    @property
    def mean(self) -> float:
        """0 if nothing was seen."""
        return float(Fraction(self.total) / self.count) if self.count else 0.0

    @property
    def sd(self) -> float:
        """Standard deviation of the sample (over n - 1); 0 below two."""
        if self.count < 2:
            return 0.0
        spread = Fraction(self.squares * self.count - self.total * self.total) / (self.count * (self.count - 1))
        return sqrt(spread)


@dataclass(slots=True)
class Sums:
    """What a block of games adds up to. `wins[seat][k - 1]`: games that the seat won with k winners in all."""

    games: int
    wins: list[list[int]]
    scores: list[Tally]
    ties: int
    decisions: Tally
    measures: list[list[Tally]]  # measure by measure; one Tally, or one a seat

    @classmethod
    def empty(cls, players: int, shapes: Sequence[MeasureShape]) -> Sums:
        return cls(
            games=0,
            wins=[[0] * players for _ in range(players)],
            scores=[Tally() for _ in range(players)],
            ties=0,
            decisions=Tally(),
            measures=[
                [Tally(counts=[0] * len(shape.words)) for _ in range(players if shape.per_player else 1)]
                for shape in shapes
            ],
        )

    def see(self, game: Game) -> None:
        """A game that is over."""
        scores, winners = game.scores, game.winners
        if scores is None or winners is None:
            raise ValueError("a game counts when it is over")
        self.games += 1
        self.ties += len(winners) > 1
        self.decisions.see(len(game.moves))
        for seat in winners:
            self.wins[seat][len(winners) - 1] += 1
        for tally, score in zip(self.scores, scores, strict=True):
            tally.see(score)
        for mine, theirs in zip(self.measures, game.tallies, strict=True):
            add_each(mine, theirs)

    def add(self, other: Sums) -> None:
        self.games += other.games
        self.ties += other.ties
        self.decisions.add(other.decisions)
        self.wins = [
            [a + b for a, b in zip(mine, theirs, strict=True)]
            for mine, theirs in zip(self.wins, other.wins, strict=True)
        ]
        add_each(self.scores, other.scores)
        for mine, theirs in zip(self.measures, other.measures, strict=True):
            add_each(mine, theirs)

    def plus(self, other: Sums) -> Sums:
        """The same as a new thing; both stay as they are."""
        both = deepcopy(self)
        both.add(other)
        return both

    def win_share(self, seat: int) -> float:
        """Share of the games that the seat won; of a tie, its part."""
        won = sum(Fraction(count, winners) for winners, count in enumerate(self.wins[seat], start=1))
        return float(won / self.games) if self.games else 0.0


def add_each(mine: list[Tally], theirs: list[Tally]) -> None:
    for tally, other in zip(mine, theirs, strict=True):
        tally.add(other)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95 per cent interval for a share seen in `count` trials; 0 to 1 for no trial."""
    if not count:
        return 0.0, 1.0
    spread = Z * Z / count
    centre = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)
