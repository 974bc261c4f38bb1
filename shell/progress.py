"""A bar for who waits at a terminal, nothing anywhere else; and a word to who stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING

from trionfi.shell.door import inked
from trionfi.shell.printing import note

if TYPE_CHECKING:
    from trionfi.interpreter.simulate import CutShort, Interrupted

__all__ = ["Progress", "tell_stop"]

BAR = 24
PAUSE = 0.5  # seconds before the bar is shown at all
BETWEEN = 0.1  # seconds between two pictures of it


class Progress:
    """A bar on stderr, if that is a terminal: how much is done, and the time left as it went so far."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.shown = False
        self.start = monotonic()
        self.next = self.start + PAUSE
        self.write: Callable[[str], object] | None = inked(sys.stderr).write if sys.stderr.isatty() else None

    def __call__(self, done: int) -> None:
        now = monotonic()
        if self.write is None or now < self.next:
            return
        self.next = now + BETWEEN
        self.shown = True
        self.show(f"\r{self.picture(done, now - self.start)}")

    def picture(self, done: int, seconds: float) -> str:
        """One line that fits the terminal and covers what stood there."""
        full = BAR * done // self.games
        text = f"[{'#' * full}{'.' * (BAR - full)}] {done} of {self.games} games"
        text += f", {spoken_time(seconds * (self.games - done) / done)} left" if done else ""
        columns = columns_here() - 1
        return text[:columns].ljust(min(columns, 78))

    def clear(self) -> None:
        if self.shown:
            self.show("\r" + " " * min(78, columns_here() - 1) + "\r")

    def show(self, text: str) -> None:
        if self.write is not None:
            with suppress(OSError):  # a terminal that is gone
                self.write(text)
                sys.stderr.flush()


def tell_stop(stopped: Interrupted | CutShort, games: int) -> None:
    """How far it came. A fault of the machine is told later, where all errors are."""
    if isinstance(stopped, KeyboardInterrupt):
        note(f"stopped after {stopped.report.games} of {games} games")


def columns_here() -> int:
    return max(20, get_terminal_size().columns)


def spoken_time(seconds: float) -> str:
    """`40 s`, `3 min 5 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
