"""The intervals of a comparison: as wide as they must be, and no wider for what both deals share."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from fractions import Fraction

import pytest

from trionfi.interpreter.compare import Difference, GameFigure, compare, difference, even_blocks, half_width, mean_of
from trionfi.interpreter.intervals import student
from trionfi.interpreter.rules import load
from trionfi.interpreter.simulate import Interrupted
from trionfi.shell.comparing import compare_games
from trionfi.shell.progress import Progress


def once(values: Iterable[int | Fraction]) -> list[GameFigure]:
    """Blocks of one game that is asked once."""
    return [GameFigure(value, 1, 1) for value in values]


def test_blocks_cover_all_games_whatever_their_number() -> None:
    for games in (1, 2, 199, 200, 201, 12345):
        blocks = list(even_blocks(games))
        assert len(blocks) == min(games, 200)
        assert [first for first, _ in blocks] == [sum(count for _, count in blocks[:k]) for k in range(len(blocks))]
        assert sum(count for _, count in blocks) == games


def test_the_jackknife_is_the_paired_interval_where_blocks_are_games() -> None:
    """Of plain means it is the textbook's paired difference."""
    chance = random.Random(1)
    first = [chance.gauss(0, 1) for _ in range(100)]
    second = [one + chance.gauss(0.1, 0.2) for one in first]
    gaps = [b - a for a, b in zip(first, second, strict=True)]
    mean = sum(gaps) / 100
    deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 99)
    half = half_width("mean", once(map(Fraction, first)), once(map(Fraction, second)), 0.05)
    assert half == pytest.approx(student(0.975, 99) * deviation / 10)


def test_an_interval_holds_as_often_as_it_says() -> None:
    """Of 400 comparisons of equals, about one in twenty is off at 95 per cent; seen with independent draws."""
    chance = random.Random(7)
    off = 0
    for _ in range(400):
        one, other = (once(chance.random() < 0.3 for _ in range(60)) for _ in range(2))
        off += difference("x", "mean", one, other, 1).detected
    assert 5 <= off <= 40


def test_many_figures_have_wider_intervals() -> None:
    chance = random.Random(3)
    one, other = (once(chance.randrange(10) for _ in range(50)) for _ in range(2))
    alone, of_many = difference("x", "mean", one, other, 1), difference("x", "mean", one, other, 40)
    assert of_many.high - of_many.low > 1.3 * (alone.high - alone.low)


def test_what_was_never_seen_in_few_games_may_still_happen() -> None:
    same = once([1] * 5)
    found = difference("x", "share", same, same, 1)
    assert (found.difference, found.detected) == (0, False)
    assert found.high > 0.5
    none = once([0] * 5)
    assert not difference("x", "share", none, [*once([1]), *none[1:]], 1).detected


def test_where_nothing_varies_twenty_readings_of_a_game_are_one() -> None:
    never = [GameFigure(0, 20, 1)] * 50
    found = difference("x", "share", never, never, 1)
    assert found.high == pytest.approx(-math.log(0.025) / 50)


def test_blocks_in_which_nothing_was_read_do_not_make_an_interval_narrower() -> None:
    chance = random.Random(5)
    some = [once(chance.randrange(10) for _ in range(4)) for _ in range(2)]
    with_gaps = [[*side, *[GameFigure(0, 0, 0)] * 96] for side in some]
    alone, among = (difference("x", "mean", *sides, 1) for sides in (some, with_gaps))
    assert (among.low, among.high) == pytest.approx((alone.low, alone.high))


def test_a_figure_that_one_never_read_is_not_compared() -> None:
    found = difference("x", "mean", once([3] * 4), [GameFigure(0, 0, 0)] * 4, 1)
    assert not found.seen
    assert not found.detected
    assert found.to_dict()["low"] is None


def test_one_game_tells_nothing() -> None:
    found = difference("x", "mean", once([3]), once([9]), 1)
    assert found.difference == 6
    assert not found.detected


def test_means_weigh_by_what_was_read() -> None:
    assert mean_of([GameFigure(10, 1, 1), GameFigure(2, 3, 1)]) == 3
    assert mean_of([]) is None


def test_detected_is_on_either_side() -> None:
    assert Difference("x", "mean", 1, 2, 0.5, 1.5).detected
    assert Difference("x", "mean", 2, 1, -1.5, -0.5).detected
    assert not Difference("x", "mean", 1, 2, -0.1, 2.1).detected


# ---- stopped by hand


def test_stopped_by_hand_it_gives_what_there_is() -> None:
    def stop(done: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        compare(load("kuhn"), load("leduc"), 40, seed=1, engine="reference", workers=1, progress=stop)
    assert stopped.value.report.games == 20
    assert len(stopped.value.report.differences) > 4


def test_the_words_say_how_far_it_came(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(progress: Progress, done: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "__call__", stop)
    with pytest.raises(KeyboardInterrupt):
        compare_games("kuhn", "leduc", [], None, [], 1, "reference", 40, 1, False)
    shown = capsys.readouterr()
    assert shown.err == "stopped after 20 of 40 games\n"
    assert "20 games of each on the same deals" in shown.out


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="different numbers of players"):
        compare(load("kuhn"), load("klondike"), 5)
    with pytest.raises(ValueError, match="at least 1"):
        compare(load("kuhn"), load("kuhn"), 0)
