"""Sums and the figures read off them, against plain Python."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trionfi.interpreter.report import Report
from trionfi.interpreter.statistics import MeasureShape, Sums, Tally, wilson

NUMBERS = st.lists(st.integers(-(10**12), 10**12), min_size=2, max_size=40)

SHAPES = [
    MeasureShape("carried", "truth"),
    MeasureShape("money", "number", repeated=True),
    MeasureShape("hand", "words", ("Straight", "One Pair"), per_player=True, repeated=True),
]


def tally_of(values: list[int]) -> Tally:
    tally = Tally()
    for value in values:
        tally.see(value)
    return tally


@given(NUMBERS)
def test_mean_and_sd_are_those_of_the_sample(values: list[int]) -> None:
    tally = tally_of(values)
    assert tally.mean == pytest.approx(statistics.mean(values))
    assert tally.sd == pytest.approx(statistics.stdev(values))
    assert (tally.low, tally.high) == (min(values), max(values))


@given(NUMBERS, st.integers(0, 40))
def test_two_halves_add_up_to_the_whole(values: list[int], cut: int) -> None:
    half = tally_of(values[:cut])
    half.add(tally_of(values[cut:]))
    assert half == tally_of(values)


def test_fractions_are_added_exactly() -> None:
    tally = Tally()
    for _ in range(3):
        tally.see(Fraction(1, 3))
    assert tally.total == 1
    assert tally.sd == 0


def test_nothing_seen_gives_nothing() -> None:
    assert (Tally().mean, Tally().sd) == (0.0, 0.0)


def test_wilson_is_the_textbooks() -> None:
    low, high = wilson(0.1, 100)  # 0.0552 to 0.1744 by Newcombe's formula
    assert low == pytest.approx(0.05523, abs=1e-4)
    assert high == pytest.approx(0.17437, abs=1e-4)
    assert wilson(0.0, 10)[0] == 0.0
    assert wilson(1.0, 10)[1] == pytest.approx(1.0)
    assert wilson(0.5, 0) == (0.0, 1.0)


def finished(scores: list[int], winners: list[int], moves: int, tallies: list[list[Tally]]) -> SimpleNamespace:
    return SimpleNamespace(scores=scores, winners=winners, moves=[0] * moves, tallies=tallies)


def some_tallies(carried: int, money: list[int], hands: list[list[int]]) -> list[list[Tally]]:
    return [[tally_of([carried])], [tally_of(money)], [Tally(count=sum(h), counts=h) for h in hands]]


FIRST = finished([3, -3], [0], 4, some_tallies(1, [5, 7], [[1, 1], [0, 2]]))
SECOND = finished([0, 0], [0, 1], 6, some_tallies(0, [], [[0, 1], [0, 0]]))


def sums_of(*games: SimpleNamespace) -> Sums:
    whole = Sums.empty(2, SHAPES)
    for game in games:
        whole.see(game)
    return whole


@pytest.fixture
def sums() -> Sums:
    return sums_of(FIRST, SECOND)


def test_blocks_add_up_to_the_whole(sums: Sums) -> None:
    added = Sums.empty(2, SHAPES)
    for block in (sums_of(SECOND), sums_of(), sums_of(FIRST)):
        added.add(block)
    assert added == sums


def test_a_tie_is_shared(sums: Sums) -> None:
    assert sums.win_share(0) == 0.75
    assert sums.win_share(1) == 0.25
    assert sums.ties == 1


def report_of(sums: Sums) -> Report:
    options = {"chips": 200, "free": True, "odds": "3:2"}
    return Report("x", "The Game", options, 2, 9, ["random"] * 2, SHAPES, sums)


def test_the_report_as_a_mapping(sums: Sums) -> None:
    data = report_of(sums).to_dict()
    assert data["options"] == {"chips": 200, "free": True, "odds": "3:2"}
    assert (data["games"], data["players"], data["seed"], data["ties"]) == (2, 2, 9, 1)
    assert data["decisions"] == {"mean": 5.0, "min": 4, "max": 6}
    seat = data["seats"][0]
    assert set(seat) == {"win_share", "low", "high", "mean", "sd"}
    assert seat["mean"] == 1.5
    assert seat["sd"] == pytest.approx(statistics.stdev([3, 0]))
    assert (seat["low"], seat["high"]) == pytest.approx(wilson(0.75, 2))
    measures = data["measures"]
    assert measures["carried"]["share"] == 0.5
    assert (measures["money"]["mean"], measures["money"]["count"]) == (6.0, 2)
    assert measures["money"]["sd"] == pytest.approx(math.sqrt(2))
    assert [entry["counts"] for entry in measures["hand"]] == [
        {"Straight": 1, "One Pair": 2},
        {"Straight": 0, "One Pair": 2},
    ]


def test_the_report_as_text_fits_80_columns(sums: Sums) -> None:
    text = str(report_of(sums))
    assert max(map(len, text.splitlines())) <= 80
    assert "The Game: 2 games, 2 players, seed 9" in text
    row = next(line for line in text.splitlines() if line.startswith("  Straight"))
    assert row.split()[1:-1] == ["20.0%", "3.6%", "..", "62.4%", "33.3%", "0.0%"]


def test_a_table_of_words_for_many_seats_shows_the_whole() -> None:
    shapes = [MeasureShape("hand", "words", ("Straight Flush", "High Card"), per_player=True)]
    sums = Sums.empty(17, shapes)
    options = {f"an_option_{i}": i for i in range(9)}
    report = Report("x", "X", options, 17, 1, ["random"] * 17, shapes, sums)
    assert "an_option_8=8" in str(report)
    assert max(map(len, str(report).splitlines())) <= 80


def test_a_report_of_no_games_divides_by_nothing() -> None:
    report = report_of(Sums.empty(2, SHAPES))
    assert str(report)
    assert report.to_dict()["decisions"] == {"mean": 0.0, "min": 0, "max": 0}
