"""Sums and the figures read off them, against plain Python."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trionfi.interpreter.intervals import share_interval
from trionfi.interpreter.report import Report
from trionfi.interpreter.statistics import MeasureShape, Ratio, Sums, Tally

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


def finished(scores: list[int], winners: list[int], moves: int, tallies: list[list[Tally]]) -> SimpleNamespace:
    sides = len(winners)
    return SimpleNamespace(scores=scores, winners=winners, winning_sides=sides, moves=[0] * moves, tallies=tallies)


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


def test_what_a_game_is_asked_several_times_is_added_up_by_game(sums: Sums) -> None:
    assert sums.ratios[1] == [[Ratio(1, 2, 12, 4, 24, 144)]]
    straights = [row[0] for row in sums.ratios[2]]
    assert straights[0] == Ratio(2, 3, 1, 2 * 2 + 1, 2, 1)
    assert straights[2] == Ratio(2, 5, 1, 4 * 4 + 1, 4, 1)  # all seats together


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-(10**12), 10**12)), max_size=20), st.integers(0, 20))
def test_ratios_of_two_halves_add_up_to_the_whole(games: list[tuple[int, int]], cut: int) -> None:
    def added(some: list[tuple[int, int]]) -> Ratio:
        ratio = Ratio()
        for count, total in some:
            ratio.see(count, total if count else 0)
        return ratio

    half = added(games[:cut])
    half.add(added(games[cut:]))
    assert half == added(games)


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
    assert (seat["low"], seat["high"]) == share_interval(sums.won(0))
    measures = data["measures"]
    assert measures["carried"]["share"] == 0.5
    assert (measures["money"]["mean"], measures["money"]["count"]) == (6.0, 2)
    assert (measures["money"]["low"], measures["money"]["high"]) == (None, None)  # read in one game
    assert measures["hand"][0]["intervals"]["Straight"] == list(share_interval(sums.ratios[2][0][0]))
    assert data["rough"]
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
    low, high = share_interval(sums.ratios[2][2][0])
    assert row.split()[1:-1] == ["20.0%", f"{low:.1%}", "..", f"{high:.1%}", "33.3%", "0.0%"]
    assert "the intervals are rough: they are of fewer than 30 games" in text


def test_a_report_says_what_was_read_in_few_games() -> None:
    sums = Sums.empty(2, SHAPES)
    for game in [FIRST] * 12 + [SECOND] * 30:
        sums.see(game)  # type: ignore[arg-type]
    lines = str(report_of(sums)).splitlines()
    assert [line for line in lines if "rough" in line] == ["  read in as few as 12 games: the intervals are rough"] * 2
    assert not report_of(sums).to_dict()["rough"]


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
