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
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset
    from trionfi.dsl.types import Type

__all__ = ["Kind", "MeasureShape", "Ratio", "Sums", "Tally", "shapes_of", "words_of"]

Kind = Literal["truth", "number", "words"]
Exact = int | Fraction
KINDS: dict[str, Kind] = {"truth": "truth", "number": "number", "fraction": "number"}


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
    def once(self) -> Ratio:
        """The same as of what each game is asked for once."""
        return Ratio.once(self.count, self.total, self.squares)

    @property
    def mean(self) -> float:
        """0 if nothing was seen."""
        return self.once.mean

    @property
    def sd(self) -> float:
        """Standard deviation of the sample (over n - 1); 0 below two."""
        if self.count < 2:
            return 0.0
        spread = Fraction(self.squares * self.count - self.total * self.total) / (self.count * (self.count - 1))
        return sqrt(spread)


@dataclass(slots=True)
class Ratio:
    """A figure that a game may be asked for several times: the readings of a game, `count` of them that come to
    `total`, added up over the `games` in which it was read, with their squares and products."""

    games: int = 0
    count: int = 0
    total: Exact = 0
    counts_squared: int = 0
    products: Exact = 0
    totals_squared: Exact = 0

    @classmethod
    def once(cls, count: int, total: Exact, squares: Exact) -> Ratio:
        """Of what each of `count` games was asked for once."""
        return cls(count, count, total, count, total, squares)

    def see(self, count: int, total: Exact) -> None:
        """The readings of one game."""
        self.games += count > 0
        self.count += count
        self.total += total
        self.counts_squared += count * count
        self.products += count * total
        self.totals_squared += total * total

    def add(self, other: Ratio) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def mean(self) -> float:
        """0 if nothing was seen."""
        return float(Fraction(self.total) / self.count) if self.count else 0.0

    def spread(self) -> Fraction:
        """The sum, over the games, of the squares of what each is off: its total less the mean for each reading."""
        mean = Fraction(self.total) / self.count
        return self.totals_squared - 2 * mean * self.products + mean * mean * self.counts_squared


class PlayedGame(Protocol):
    """What is added up of a game that is over."""

    moves: list[int]

    @property
    def scores(self) -> list[int | Fraction] | None: ...

    @property
    def winners(self) -> list[int] | None: ...

    @property
    def winning_sides(self) -> int: ...

    @property
    def tallies(self) -> list[list[Tally]]: ...


@dataclass(slots=True)
class Sums:
    """What a block of games adds up to. `wins[seat][k - 1]`: games that the seat won, with winners on k sides in all.
    Partners are one side, and so are those who won together because `won` says so. `ties`: with winners on several.

    `ratios`: measure by measure, seat by seat as `measures`, one figure, or one for each word. Of words that each seat
    shows, all seats together follow.
    """

    games: int
    wins: list[list[int]]
    scores: list[Tally]
    ties: int
    decisions: Tally
    measures: list[list[Tally]]  # measure by measure; one Tally, or one a seat
    ratios: list[list[list[Ratio]]]

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
            ratios=[
                [[Ratio() for _ in shape.words or [""]] for _ in range(rows_of(shape, players))] for shape in shapes
            ],
        )

    def see(self, game: PlayedGame) -> None:
        """A game that is over."""
        scores, winners = game.scores, game.winners
        if scores is None or winners is None:
            raise ValueError("a game counts when it is over")
        self.games += 1
        sides = game.winning_sides
        self.ties += sides > 1
        self.decisions.see(len(game.moves))
        for seat in winners:
            self.wins[seat][sides - 1] += 1
        for tally, score in zip(self.scores, scores, strict=True):
            tally.see(score)
        tallies = game.tallies
        for mine, theirs in zip(self.measures, tallies, strict=True):
            add_each(mine, theirs)
        for ratios, theirs in zip(self.ratios, tallies, strict=True):
            see_each(ratios, theirs)

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
        for rows, other_rows in zip(self.ratios, other.ratios, strict=True):
            for row, other_row in zip(rows, other_rows, strict=True):
                for ratio, other_ratio in zip(row, other_row, strict=True):
                    ratio.add(other_ratio)

    def plus(self, other: Sums) -> Sums:
        """The same as a new thing; both stay as they are."""
        both = deepcopy(self)
        both.add(other)
        return both

    def won(self, seat: int) -> Ratio:
        """The games that the seat won; of a tie, its part."""
        shares = [(count, Fraction(1, sides)) for sides, count in enumerate(self.wins[seat], start=1)]
        return Ratio.once(
            self.games,
            sum(count * share for count, share in shares),
            sum(count * share * share for count, share in shares),
        )

    def win_share(self, seat: int) -> float:
        return self.won(seat).mean


def pools(shape: MeasureShape) -> bool:
    """Whether all seats together are a figure, too: a game's hands are not independent of one another."""
    return shape.per_player and shape.kind == "words"


def rows_of(shape: MeasureShape, players: int) -> int:
    return players + pools(shape) if shape.per_player else 1


def see_each(rows: list[list[Ratio]], tallies: list[Tally]) -> None:
    """The readings of a game; if there is a row more, it is that of all seats."""
    seen = tallies
    if len(rows) > len(tallies):
        whole = Tally(counts=[0] * len(rows[0]))
        for tally in tallies:
            whole.add(tally)
        seen = [*tallies, whole]
    for row, tally in zip(rows, seen, strict=True):
        totals: Sequence[Exact] = tally.counts or [tally.total]
        for ratio, total in zip(row, totals, strict=True):
            ratio.see(tally.count, total)


def add_each(mine: list[Tally], theirs: list[Tally]) -> None:
    for tally, other in zip(mine, theirs, strict=True):
        tally.add(other)
