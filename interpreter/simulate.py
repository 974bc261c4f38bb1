"""Many games: played in blocks, here or in other processes, and added up.

Game k of seed s is `rules.start(seed=s, game=k)`. A block is played by a function `(first, count) -> BlockResult`;
the engines differ in which function that is and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from os import PathLike, cpu_count
from secrets import randbelow
from time import perf_counter
from typing import Any, TypeVar

from trionfi.interpreter.bots import bots_for_seats, seat_bots
from trionfi.interpreter.chance import HIGHEST_SEED
from trionfi.interpreter.opening import chosen_engine, open_game
from trionfi.interpreter.report import Report
from trionfi.interpreter.rows import columns_of, row_of
from trionfi.interpreter.rules_data import Origin, RulesData
from trionfi.interpreter.statistics import Sums
from trionfi.interpreter.workers import WorkerLost, in_processes, in_threads

__all__ = ["BlockResult", "CutShort", "Interrupted", "Setup", "draw_seed", "simulate"]

Answer = TypeVar("Answer")

FIRST_BLOCK = 16
MOST_IN_BLOCK = {"reference": 256, "native": 1 << 16}
BLOCKS_A_WORKER = 16
PATIENCE = 0.7  # seconds; a process is ready to play after about as much


@dataclass(frozen=True, slots=True)
class Setup:
    """What all games of a simulation share; `bots`: a name a seat; `rows`: a row of figures a game is wanted."""

    players: int
    bots: tuple[str, ...]
    seed: int
    engine: str
    rows: bool = False


@dataclass(slots=True)
class BlockResult:
    """A block of games, added up; `rows`: a row a game, if asked for."""

    sums: Sums
    rows: list[list[object]] = field(default_factory=list)


class Interrupted(KeyboardInterrupt):
    """Stopped by hand; `report` (of a comparison: that) holds the games that were played until then."""

    def __init__(self, report: Any) -> None:
        super().__init__("the simulation was interrupted")
        self.report = report


class CutShort(RuntimeError):
    """The machine failed (`__cause__`: a full disk, processes that were killed); `report` as of Interrupted."""

    def __init__(self, report: Any, cause: Exception) -> None:
        super().__init__(f"the simulation was cut short: {cause}")
        self.report = report


def simulate(
    rules: RulesData,
    games: int,
    *,
    players: int | None = None,
    bots: str | Sequence[str] | Mapping[int, str] = "random",
    seed: int | None = None,
    workers: int | None = None,
    engine: str | None = None,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Plays `games` games and adds them up. The result is the same for any number of `workers` (default: the cores).

    `bots`: a name for all seats, one a seat, or by seat from 0. Without `seed` one is drawn; the report holds it.
    `out`: a file (.csv, .jsonl, .parquet) for a row a game, written when all have been played. `progress(n)` is told
    how many have been. Raises ValueError for what does not fit the ruleset, GameError if the ruleset fails in play;
    stopped by hand Interrupted, by a fault of the machine CutShort, both with the games so far.
    """
    if games < 1:
        raise ValueError(f"{games} games cannot be simulated; at least 1")
    seed = draw_seed() if seed is None else seed
    if not 0 <= seed <= HIGHEST_SEED:
        raise ValueError(f"seeds go from 0 to {HIGHEST_SEED}")
    players = rules.seats(players)
    setup = Setup(
        players=players,
        bots=bots_for_seats(rules, bots, players),
        seed=seed,
        engine=chosen_engine(rules, engine),
        rows=out is not None,
    )
    report = Report(
        rules=rules.key,
        name=rules.name,
        options=rules.options,
        players=players,
        seed=setup.seed,
        bots=setup.bots,
        shapes=rules.measure_shapes,
        sums=Sums.empty(players, rules.measure_shapes),
        wanted=games,
        teams=rules.teams,
    )
    try:
        with open_rows(out, rules, players) as write:
            for result in results(rules, setup, games, workers):
                report = replace(report, sums=report.sums.plus(result.sums))  # at once, whenever it is stopped
                write(result.rows)
                if progress is not None:
                    progress(report.games)
    except KeyboardInterrupt as stop:
        raise Interrupted(report) from stop
    except (OSError, WorkerLost) as fault:
        if not report.games:
            raise
        raise CutShort(report, fault) from fault
    return report


def draw_seed() -> int:
    """A seed for who gave none: short enough to be typed again."""
    return randbelow(1_000_000_000)


def open_rows(out: str | PathLike[str] | None, rules: RulesData, players: int) -> Any:
    """A context that gives a function which takes rows; without a file it drops them."""
    if out is None:
        return nullcontext(lambda rows: None)
    from trionfi.interpreter.output import row_file

    return row_file(out, columns_of(rules.measure_shapes, players))


def results(rules: RulesData, setup: Setup, games: int, workers: int | None) -> Iterator[BlockResult]:
    """The blocks' results, in the order of the games."""
    natively = plays_natively(setup)
    blocks = cut(games, worker_count(workers), MOST_IN_BLOCK[setup.engine])
    make = block_player_of
    yield from results_of(block_player(rules, setup), make, lambda: (rules.origin, setup), blocks, workers, natively)


def results_of(
    play: Callable[[int, int], Answer],
    make: Callable[..., Callable[[int, int], Answer]],
    arguments: Callable[[], tuple[Any, ...]],
    blocks: Iterator[tuple[int, int]],
    workers: int | None,
    natively: bool,
) -> Iterator[Answer]:
    """What `play` makes of each block, in order. In another process `make(*arguments())` gives the same player.

    Native code runs in threads. Else, without a wish, the first blocks are played here; other processes join once that
    has taken a while.
    """
    count = worker_count(workers)
    patience = PATIENCE if workers is None else 0.0
    start = perf_counter()
    if natively and count > 1:
        yield from in_threads(play, blocks, count)
        return
    for block in blocks:
        if count > 1 and perf_counter() - start >= patience:
            first = [block, *islice(blocks, count - 1)]  # no more processes than blocks
            yield from in_processes(make, arguments(), chain(first, blocks), len(first))
            return
        yield play(*block)


def cut(games: int, workers: int, most: int) -> Iterator[tuple[int, int]]:
    """First game and number of games of each block: small ones first, so that there is soon something to show."""
    fair = max(1, min(most, games // (workers * BLOCKS_A_WORKER)))
    first, size = 0, min(fair, FIRST_BLOCK)
    while first < games:
        count = min(size, games - first)
        yield first, count
        first, size = first + count, min(2 * size, fair)


def worker_count(workers: int | None) -> int:
    if workers is None:
        return cpu_count() or 1
    if workers < 1:
        raise ValueError(f"{workers} workers cannot play; at least 1")
    return workers


def plays_natively(setup: Setup) -> bool:
    """Whether whole blocks are played in native code, which lets other threads run meanwhile."""
    return setup.engine == "native" and not setup.rows


def block_player(rules: RulesData, setup: Setup) -> Callable[[int, int], BlockResult]:
    """What plays a block, in the engine that is wanted. A row a game is read game by game."""
    if plays_natively(setup):
        from trionfi.interpreter.native.blocks import BlockPlayer

        native = BlockPlayer(rules, setup.players, setup.bots, setup.seed)
        return lambda first, count: BlockResult(native.play(first, count))
    return lambda first, count: play_block(rules, setup, first, count)


def block_player_of(origin: Origin, setup: Setup) -> Callable[[int, int], BlockResult]:
    """The same in another process, which reads the rules anew."""
    return block_player(RulesData.read(origin), setup)


def play_block(rules: RulesData, setup: Setup, first: int, count: int) -> BlockResult:
    """Game by game through the Game interface."""
    result = BlockResult(Sums.empty(setup.players, rules.measure_shapes))
    for number in range(first, first + count):
        game = open_game(rules, setup.players, setup.seed, number, setup.engine, quiet=True)
        game.play_on(seat_bots(rules, setup.bots, setup.seed, number))
        result.sums.see(game)
        if setup.rows:
            result.rows.append(row_of(game))
    return result
