"""Columns that fit, bars in whatever signs there are, and the bar of who waits."""

from __future__ import annotations

import io
import sys

import pytest

from trionfi.interpreter.columns import BLOCKS, HASHES, Column, bar, table_lines
from trionfi.shell import progress
from trionfi.shell.printing import bar_signs
from trionfi.shell.progress import Progress, spoken_time

COLUMNS = [
    Column("seat", ["p1", "p2"], right=False),
    Column("wins", ["50.0%", "7.0%"]),
    Column("interval", ["40% .. 60%", "2% .. 12%"], weight=2),
    Column("sd", ["1.5", "2"], weight=1),
]


def test_a_table_loses_its_lightest_columns_first() -> None:
    def titles(width: int) -> list[str]:
        return next(iter(table_lines(COLUMNS, width))).split()

    assert titles(80) == ["seat", "wins", "interval", "sd"]
    assert titles(25) == ["seat", "wins", "interval"]
    assert titles(12) == ["seat", "wins"]
    assert titles(3) == ["seat", "wins"]  # what must stay stays


def test_columns_of_one_weight_go_together() -> None:
    seats = [Column(f"p{seat}", ["100%"], weight=1) for seat in range(1, 4)]
    assert list(table_lines([Column("win", ["x"]), *seats], 17)) == ["win", "  x"]


def test_numbers_stand_below_one_another_and_bars_behind() -> None:
    assert list(table_lines(COLUMNS[:2], 30, [0.5, 0.07], HASHES)) == [
        "seat   wins",
        f"p1    50.0%  {'#' * 8}",
        "p2     7.0%  #",
    ]


def test_bars() -> None:
    assert bar(0.5, 4) == "██"
    assert bar(0.53125, 4) == "██▏"
    assert bar(0, 4) == ""
    assert bar(1e-9, 4) == "▏"  # what was seen is never nothing
    assert bar(1e-9, 4, HASHES) == "#"
    assert bar(2, 4) == "████"


@pytest.mark.parametrize(("encoding", "signs"), [("utf-8", BLOCKS), ("cp1252", HASHES), ("ascii", HASHES)])
def test_bars_are_drawn_with_what_the_encoding_has(monkeypatch: pytest.MonkeyPatch, encoding: str, signs: str) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert bar_signs() == signs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_says_what_is_done_and_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress, "columns_here", lambda: 80)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    shown = Progress(1000)
    shown(1)
    assert terminal.getvalue() == ""  # who waits for less than half a second sees nothing
    now[0] = 110.0
    shown(250)
    assert terminal.getvalue().strip() == "[######..................] 250 of 1000 games, 30 s left"
    shown.clear()
    assert terminal.getvalue().endswith("\r" + " " * 78 + "\r")


def test_the_bar_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "columns_here", lambda: 30)
    assert len(Progress(1000).picture(250, 9999.0)) <= 29


def test_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    shown = Progress(10)
    shown.next = 0
    shown(5)
    shown.clear()
    assert pipe.getvalue() == ""


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (185, "3 min 5 s"), (7800, "2 h 10 min")])
def test_times(seconds: float, text: str) -> None:
    assert spoken_time(seconds) == text
