"""Two revisions of this repository side by side: whole games with random players, and the commands that one waits for.

    python benchmarks/paired.py REVISION [--games [NAME:PLAYERS ...]] [--commands] [--rounds N] [--moment SECONDS]

REVISION is compared with the files as they are here: `1.50` says that ours takes two thirds of its time. Both run in
turn, in processes of their own with caches of their own, so that what else the machine does meets both. Games are
measured in CPU time and must come out equal; commands in CPU and wall-clock time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parents[1]
GAMES = ["hearts:4", "euchre:4", "tarot-tennessee:2", "tennessee-for-two:2", "blackjack:1", "no-limit-holdem:6"]
GAMES += ["two-win:4", "gin-rummy:2", "arcana-poker:2", "kuhn:2", "leduc:2"]
MAKE_NOTHING = "import trionfi; trionfi.load('{}').simulate(games=1, players={}, bots='random', seed=1, workers=1)"
MAIN = "import sys; sys.argv = {}; from trionfi.cli import main; main()"
COMMANDS = {  # and whether they begin with nothing kept
    "cold compile, two-win": (MAKE_NOTHING.format("two-win", 4), True),
    "cold compile, hearts": (MAKE_NOTHING.format("hearts", 4), True),
    "validate --static two-win": (MAIN.format(["trionfi", "validate", "--static", "two-win"]), False),
    "play two-win </dev/null": (MAIN.format(["trionfi", "play", "two-win"]), False),
}


@dataclass
class Side:
    """A revision laid out as a package, and how it is run."""

    room: Path

    def environment(self, cache: Path) -> dict[str, str]:
        kept = {"XDG_CACHE_HOME": str(cache), "HOME": str(cache), "PYTHONPATH": str(self.room)}
        return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"} | kept

    def worker(self) -> Callable[[str, int], dict[str, Any]]:
        """A process that plays as it is told."""
        command = [sys.executable, __file__, "--worker"]
        process = subprocess.Popen(
            command, env=self.environment(self.room), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

        def play(game: str, count: int) -> dict[str, Any]:
            assert process.stdin is not None
            assert process.stdout is not None
            print(game, count, file=process.stdin, flush=True)
            answer = process.stdout.readline()
            if not answer:
                raise SystemExit(f"{game} is not played in {self.room}")
            return json.loads(answer)  # type: ignore[no-any-return]

        return play

    def run(self, text: str, cache: Path) -> tuple[float, float]:
        """CPU and wall-clock seconds of a whole process that runs a text."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "-c", text]
        done = subprocess.run(
            command, env=self.environment(cache), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if b"Traceback" in done.stderr:
            raise SystemExit(done.stderr.decode())
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--games", nargs="*")
    parser.add_argument("--commands", action="store_true")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--moment", type=float, default=0.4)
    given = parser.parse_args()
    with ExitStack() as stack:
        room = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides = [laid_out(room / "before", given.revision), laid_out(room / "here")]
        if given.games is not None or not given.commands:
            compare_games(sides, given.games or GAMES, given.rounds, given.moment)
        if given.commands:
            compare_commands(sides, room, given.rounds)


def laid_out(room: Path, revision: str = "") -> Side:
    """A revision unpacked as the package; without one, what lies here."""
    room.mkdir()
    if revision:
        (room / "trionfi").mkdir()
        packed = subprocess.run(["git", "archive", revision], cwd=HERE, capture_output=True, check=True).stdout
        subprocess.run(["tar", "x", "-C", room / "trionfi"], input=packed, check=True)
    else:
        (room / "trionfi").symlink_to(HERE)
    return Side(room)


# ---- games


def compare_games(sides: list[Side], games: list[str], rounds: int, moment: float) -> None:
    workers = [side.worker() for side in sides]
    print(f"{'':28}{'before':>12}{'here':>12}  ns a decision; ratio: median, of the least, from to")
    for game in games:
        first = [worker(game, 200) for worker in workers]
        count = max(200, int(200 * moment / max(first[0]["seconds"], 1e-6)))
        count = max(count, int(count * moment / max(workers[0](game, count)["seconds"], 1e-6)))
        pairs = [paired(workers, game, count, number) for number in range(rounds)]
        show(game, [[one["seconds"] for one in pair] for pair in pairs], 1e9 / pairs[0][0]["decisions"])


def paired(workers: list[Callable[[str, int], dict[str, Any]]], game: str, count: int, number: int) -> list[Any]:
    """Both sides' games, which must be the same; who begins changes."""
    order = (0, 1) if number % 2 else (1, 0)
    found = {side: workers[side](game, count) for side in order}
    if found[0]["sums"] != found[1]["sums"]:
        raise SystemExit(f"{game} is not the same game any more")
    return [found[0], found[1]]


def show(name: str, pairs: list[list[float]], scale: float) -> None:
    ratios = [before / here for before, here in pairs]
    least = [min(side) for side in zip(*pairs, strict=True)]
    figures = f"{least[0] * scale:12.1f}{least[1] * scale:12.1f}{median(ratios):10.2f}{least[0] / least[1]:8.2f}"
    print(f"{name:28}{figures}   {min(ratios):.2f} to {max(ratios):.2f}", flush=True)


def work() -> None:
    for line in sys.stdin:
        game, count = line.split()
        play = player_of(*game.split(":"))
        start = time.process_time()
        sums = play(0, int(count))
        seconds = time.process_time() - start
        print(json.dumps({"seconds": seconds, "decisions": sums.decisions.total, "sums": str(sums)}), flush=True)


@cache
def player_of(name: str, players: str) -> Any:
    import trionfi
    from trionfi.interpreter.native.blocks import BlockPlayer

    return BlockPlayer(trionfi.load(name), int(players), ["random"] * int(players), seed=1).play


# ---- commands


def compare_commands(sides: list[Side], room: Path, rounds: int) -> None:
    print(f"{'':28}{'before':>12}{'here':>12}  milliseconds; ratio: median, of the least, from to")
    for name, (text, is_cold) in COMMANDS.items():
        for side in sides:
            side.run(text, side.room)
        pairs = [list(timed(sides, text, room / f"{name} {number}", is_cold)) for number in range(rounds)]
        for kind, figure in (("CPU", 0), ("wall", 1)):
            show(f"{name}, {kind}"[:28], [[one[figure] for one in pair] for pair in pairs], 1000)


def timed(sides: list[Side], text: str, room: Path, is_cold: bool) -> Iterator[tuple[float, float]]:
    for number, side in enumerate(sides):
        yield side.run(text, room / str(number) if is_cold else side.room)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        work()
    else:
        main()
