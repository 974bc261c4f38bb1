"""`trionfi simulate`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from trionfi.shell.printing import bar_signs, print_json, text_width
from trionfi.shell.progress import Progress, tell_stop

if TYPE_CHECKING:
    from trionfi.interpreter.report import Report
    from trionfi.shell.calls import Sitting

__all__ = ["simulate_games"]


def simulate_games(sitting: Sitting, games: int, workers: int | None, out: Path | None, as_json: bool) -> None:
    """Plays the games and shows the report; stopped by hand, the report so far."""
    from trionfi.interpreter.output import check_file
    from trionfi.interpreter.simulate import CutShort, Interrupted, simulate

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
    except (Interrupted, CutShort) as stopped:
        progress.clear()
        tell_stop(stopped, games)
        if stopped.report.games:
            with suppress(OSError):  # a terminal that is gone
                show(stopped.report, as_json)
        raise
    progress.clear()
    show(report, as_json)


def show(report: Report, as_json: bool) -> None:
    if as_json:
        print_json(report.to_dict())
    else:
        print(report.text(text_width(), bar_signs()))
