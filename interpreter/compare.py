"""Two rulesets, or two settings of one, on the same deals: what differs, and whether that can be chance.

Game k is dealt from the same (seed, k) in both. The games are cut into blocks that depend on their number alone, so
that the result is the same for any number of workers; the spread of a difference is found by leaving out one block
after another (the jackknife), which keeps what the deals share out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any

from trionfi.interpreter.bots import bots_for_seats
from trionfi.interpreter.intervals import FEW_GAMES, student
from trionfi.interpreter.opening import chosen_engine
from trionfi.interpreter.simulate import (
    CutShort,
    Interrupted,
    Setup,
    block_player,
    block_player_of,
    draw_seed,
    plays_natively,
    results_of,
)
from trionfi.interpreter.statistics import Ratio, Sums
from trionfi.interpreter.workers import WorkerLost

if TYPE_CHECKING:
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["Comparison", "Difference", "compare"]

BLOCKS = 200
LEVEL = 0.05  # the chance that any interval of a comparison misses
Exact = int | Fraction


@dataclass(frozen=True, slots=True)
class GameFigure:
    """Of a block of games: a sum, what it is divided by, and the games that it was read in."""

    total: Exact
    count: int
    games: int

    @classmethod
    def of(cls, ratio: Ratio) -> GameFigure:
        return cls(ratio.total, ratio.count, ratio.games)


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure in both: `first`, `second`, and `second - first` with the ends of its interval.

    kind `share` (0 to 1) or `mean`. `seen` is false where a side never read it.
    """

    title: str
    kind: str
    first: float
    second: float
    low: float
    high: float
    seen: bool = True

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def detected(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.seen and (self.low > 0 or self.high < 0)

    def to_dict(self) -> dict[str, object]:
        ends = {"low": finite(self.low), "high": finite(self.high)}
        told = {"first": self.first, "second": self.second, "difference": self.difference, **ends}
        return {"name": self.title, "kind": self.kind, **told, "detected": self.detected, "seen": self.seen}


def finite(value: float) -> float | None:
    return value if abs(value) < inf else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two games came to on the same deals. `rules`, `options`: of the first and the second.

    `wanted`: how many games of each were asked for; 0: as many as were played.
    """

    rules: tuple[str, str]
    names: tuple[str, str]
    options: tuple[Mapping[str, object], Mapping[str, object]]
    players: int
    games: int
    seed: int
    bots: Sequence[str]
    differences: Sequence[Difference]
    wanted: int = 0

    @property
    def stopped(self) -> bool:
        """Whether fewer games were played than were asked for."""
        return self.games < self.wanted

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON; an interval that is not known has null as its ends."""
        sides = [
            {"rules": rules, "options": dict(options)} for rules, options in zip(self.rules, self.options, strict=True)
        ]
        return {
            "first": sides[0],
            "second": sides[1],
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "bots": list(self.bots),
            "level": 1 - LEVEL,
            "differences": [one.to_dict() for one in self.differences],
            "rough": self.games < FEW_GAMES,
        }


def compare(
    first: RulesData,
    second: RulesData,
    games: int,
    *,
    players: int | None = None,
    bots: str | Sequence[str] | Mapping[int, str] = "random",
    seed: int | None = None,
    workers: int | None = None,
    engine: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Plays `games` games of both on the same deals. Stopped by hand it raises Interrupted with those so far, stopped
    by a fault of the machine CutShort.

    `players`: by default as many as is usual, if both take so many. Raises ValueError for what does not fit one of
    them, GameError if one of them fails.
    """
    if games < 1:
        raise ValueError(f"{games} games cannot be compared; at least 1")
    seed = draw_seed() if seed is None else seed
    players = common_players(first, second) if players is None else players
    names = bots_for_seats(first, bots, first.seats(players))
    bots_for_seats(second, bots, second.seats(players))
    both = (first, second)
    setups = [Setup(players, names, seed, chosen_engine(rules, engine)) for rules in both]
    seen: list[tuple[Sums, Sums]] = []

    def outcome() -> Comparison:
        return Comparison(
            rules=(first.key, second.key),
            names=(first.name, second.name),
            options=(first.options, second.options),
            players=players,
            games=sum(one.games for one, _ in seen),
            seed=seed,
            bots=names,
            differences=differences(both, seen, players),
            wanted=games,
        )

    try:
        for pair in pairs(both, setups, games, workers):
            seen.append(pair)
            if progress is not None:
                progress(sum(one.games for one, _ in seen))
    except KeyboardInterrupt as stop:
        raise Interrupted(outcome()) from stop
    except (OSError, WorkerLost) as fault:
        if not seen:
            raise
        raise CutShort(outcome(), fault) from fault
    return outcome()


def common_players(first: RulesData, second: RulesData) -> int:
    """As many as is usual in the first if the second takes them, else the fewest that both are for. Raises
    ValueError."""
    low, high = max(first.players[0], second.players[0]), min(first.players[1], second.players[1])
    if low > high:
        raise ValueError(f"{first.name} and {second.name} are for different numbers of players")
    return first.usual_players if low <= first.usual_players <= high else low


def pairs(
    both: tuple[RulesData, RulesData], setups: Sequence[Setup], games: int, workers: int | None
) -> Iterator[tuple[Sums, Sums]]:
    """The sums of each block in both games."""
    play = pair_player(*(block_player(rules, setup) for rules, setup in zip(both, setups, strict=True)))
    natively = all(map(plays_natively, setups))

    def arguments() -> tuple[tuple[Any, Setup], ...]:
        return tuple((rules.origin, setup) for rules, setup in zip(both, setups, strict=True))

    yield from results_of(play, pair_player_of, arguments, even_blocks(games), workers, natively)


def pair_player(*players: Callable[[int, int], Any]) -> Callable[[int, int], tuple[Sums, Sums]]:
    one, other = players
    return lambda first, count: (one(first, count).sums, other(first, count).sums)


def pair_player_of(*made: tuple[Any, Setup]) -> Callable[[int, int], tuple[Sums, Sums]]:
    """The same in another process."""
    return pair_player(*(block_player_of(*one) for one in made))


def even_blocks(games: int) -> Iterator[tuple[int, int]]:
    """First game and number of games of each block; as many in each as can be."""
    blocks = min(games, BLOCKS)
    for block in range(blocks):
        first, end = games * block // blocks, games * (block + 1) // blocks
        yield first, end - first


# ---- what is compared


def differences(both: tuple[RulesData, RulesData], seen: Sequence[tuple[Sums, Sums]], players: int) -> list[Difference]:
    """Every figure that both have; the intervals hold together, so that one of many does not stand out by chance."""
    if not seen:
        return []
    readers = list(figures(both, players))
    compared = sum(
        any(side.count for pair in seen for side in (read_a(pair[0]), read_b(pair[1])))
        for _, _, read_a, read_b in readers
    )
    return [
        difference(title, kind, [read_a(a) for a, _ in seen], [read_b(b) for _, b in seen], max(1, compared))
        for title, kind, read_a, read_b in readers
    ]


Reader = Callable[[Sums], GameFigure]


def figures(both: tuple[RulesData, RulesData], players: int) -> Iterator[tuple[str, str, Reader, Reader]]:
    """Title, kind, and how it is read off the sums of the one and of the other."""
    for seat in range(players):
        yield f"p{seat + 1} wins", "share", won(seat), won(seat)
    for seat in range(players):
        yield f"p{seat + 1} score", "mean", score(seat), score(seat)
    yield "ties", "share", ties, ties
    yield "decisions a game", "mean", decisions, decisions
    yield from measure_figures(both, players)


def won(seat: int) -> Reader:
    return lambda sums: GameFigure.of(sums.won(seat))


def score(seat: int) -> Reader:
    return lambda sums: GameFigure.of(sums.scores[seat].once)


def ties(sums: Sums) -> GameFigure:
    return GameFigure(sums.ties, sums.games, sums.games)


def decisions(sums: Sums) -> GameFigure:
    return GameFigure.of(sums.decisions.once)


def measure_figures(both: tuple[RulesData, RulesData], players: int) -> Iterator[tuple[str, str, Reader, Reader]]:
    """Measures of one name and one kind; of words those that both know."""
    first, second = ({shape.name: (number, shape) for number, shape in enumerate(r.measure_shapes)} for r in both)
    for name, (number, shape) in first.items():
        other_number, other = second.get(name, (0, None))
        if other is None or (other.kind, other.per_player) != (shape.kind, shape.per_player):
            continue
        for seat in range(players if shape.per_player else 1):
            title = f"p{seat + 1} {name}" if shape.per_player else name
            if shape.kind != "words":
                kind = "share" if shape.kind == "truth" else "mean"
                yield title, kind, measured(number, seat), measured(other_number, seat)
                continue
            for word in shape.words:
                if word in other.words:
                    places = shape.words.index(word), other.words.index(word)
                    readers = measured(number, seat, places[0]), measured(other_number, seat, places[1])
                    yield f"{title}: {word}", "share", *readers


def measured(measure: int, seat: int, figure: int = 0) -> Reader:
    return lambda sums: GameFigure.of(sums.ratios[measure][seat][figure])


# ---- intervals


def difference(
    title: str, kind: str, first: Sequence[GameFigure], second: Sequence[GameFigure], compared: int
) -> Difference:
    """The difference with an interval that is as wide as so many comparisons want it."""
    one, other = mean_of(first), mean_of(second)
    if one is None or other is None:
        return Difference(title, kind, one or 0.0, other or 0.0, -inf, inf, seen=False)
    half = half_width(kind, first, second, LEVEL / compared)
    return Difference(title, kind, one, other, other - one - half, other - one + half)


def mean_of(readings: Sequence[GameFigure]) -> float | None:
    count = sum(one.count for one in readings)
    return float(Fraction(sum(one.total for one in readings)) / count) if count else None


def half_width(kind: str, first: Sequence[GameFigure], second: Sequence[GameFigure], level: float) -> float:
    # a block in which neither was read tells nothing
    told = [number for number, pair in enumerate(zip(first, second, strict=True)) if any(one.count for one in pair)]
    blocks = len(told)
    if blocks < 2:
        return inf
    without = list(zip(left_out(first), left_out(second), strict=True))
    parted = [b - a for a, b in (without[number] for number in told) if a is not None and b is not None]
    if len(parted) < blocks:
        return inf
    centre = sum(parted) / blocks
    spread = sqrt((blocks - 1) / blocks * sum((value - centre) ** 2 for value in parted))
    half = student(1 - level / 2, blocks - 1) * spread
    return half if kind != "share" else max(half, unseen(first, second, level, spread))


def unseen(first: Sequence[GameFigure], second: Sequence[GameFigure], level: float, spread: float) -> float:
    """What was never seen in n trials may still happen in some -log(level) / n of them. Where nothing has varied
    the readings of a game count as one trial."""
    if spread:
        return -log(level / 2) / min(sum(one.count for one in side) for side in (first, second))
    return -log(level / 2) / min(sum(one.games for one in side) for side in (first, second))


def left_out(readings: Sequence[GameFigure]) -> list[float | None]:
    """The mean without each block in turn."""
    total, count = sum(one.total for one in readings), sum(one.count for one in readings)
    return [float((total - one.total) / (count - one.count)) if count > one.count else None for one in readings]
