"""`trionfi simulate`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from trionfi.shell.printing import note, print_json

if TYPE_CHECKING:
    from trionfi.interpreter.report import Report
    from trionfi.shell.calls import Sitting

__all__ = ["simulate_games"]

BAR = 30


def simulate_games(sitting: Sitting, games: int, workers: int | None, out: Path | None, as_json: bool) -> None:
    """Plays the games and shows the report; stopped by hand, the report so far."""
    from trionfi.interpreter.output import check_file
    from trionfi.interpreter.simulate import Interrupted, simulate

    if out is not None:
        check_file(out)
    progress = Progress(games)
    try:
        report = simulate(
            sitting.rules,
            games,
            players=sitting.players,
            bots=sitting.bots,
            seed=sitting.seed,
            engine=sitting.engine,
            workers=workers,
            out=out,
            progress=progress,
        )
    except Interrupted as stopped:
        progress.clear()
        note(f"stopped after {stopped.report.games} of {games} games")
        if stopped.report.games:
            show(stopped.report, as_json)
        raise
    progress.clear()
    show(report, as_json)


def show(report: Report, as_json: bool) -> None:
    if as_json:
        print_json(report.to_dict())
    else:
        print(report)


class Progress:
    """A bar on the terminal, drawn at most ten times a second; nothing where stderr is no terminal."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.shown = False
        self.next = monotonic() + 0.5
        self.write: Callable[[str], object] | None = sys.stderr.write if sys.stderr.isatty() else None

    def __call__(self, done: int) -> None:
        if self.write is None or monotonic() < self.next:
            return
        self.next = monotonic() + 0.1
        self.shown = True
        full = BAR * done // self.games
        self.write(f"\r[{'#' * full}{'.' * (BAR - full)}] {done} of {self.games} games ")
        sys.stderr.flush()

    def clear(self) -> None:
        if self.shown and self.write is not None:
            self.write("\r" + " " * 79 + "\r")
