"""Lines of a benchmark's table, measured side by side: all take turns, the best of several rounds counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

ROUNDS = 7


class Row:
    """A line of the table: its name, how much one run does, and the run. CPU time of the process."""

    def __init__(self, name: str, amount: float, run: Callable[[], Any]) -> None:
        self.name, self.amount, self.run = name, amount, run
        self.best = float("inf")
        self.result = run()

    def measure(self) -> None:
        start = time.process_time()
        self.run()
        self.best = min(self.best, time.process_time() - start)

    @property
    def speed(self) -> float:
        return self.amount / self.best


def show(title: str, unit: str, rows: list[Row], rounds: int = ROUNDS) -> None:
    """Measures the rows in turn and prints their speed in millions a second, and as a share of the first."""
    for _ in range(rounds):
        for row in rows:
            row.measure()
    print(f"{title}\n{'':44}{unit + '/s':>14}{'of ours':>12}")
    for row in rows:
        print(f"  {row.name:42}{row.speed:14,.0f}{row.speed / rows[0].speed:12.6f}")
    print(flush=True)
