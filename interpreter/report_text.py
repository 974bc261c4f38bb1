"""The report of a simulation as tables of text, with intervals and small bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from textwrap import wrap
from typing import TYPE_CHECKING

from trionfi.interpreter.columns import BLOCKS, Column, table_lines
from trionfi.interpreter.statistics import MeasureShape, Tally, Z, wilson

if TYPE_CHECKING:
    from trionfi.interpreter.report import Report

__all__ = ["figure", "interval", "option_text", "report_lines"]

MOST_SEATS = 6  # seats with a column of their own in a table of words


def report_lines(report: Report, width: int = 80, signs: str = BLOCKS) -> Iterator[str]:
    yield from heading_lines(report, width)
    yield ""
    yield from seat_lines(report, width, signs)
    yield ""
    for line in game_lines(report):
        yield from wrap(line, width, subsequent_indent="  ")
    for shape, tallies in zip(report.shapes, report.sums.measures, strict=True):
        yield ""
        yield from MEASURE_LINES[shape.kind](shape, tallies, width, signs)


# ---- figures as texts


def share_of(count: int, whole: int) -> float:
    return count / whole if whole else 0.0


def figure(value: float) -> str:
    """Four digits that count, and never a power of ten."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(value: float) -> str:
    return f"{value:.1%}"


def interval(low: str, high: str) -> str:
    return f"{low} .. {high}"


def share_interval(share: float, count: int) -> str:
    low, high = wilson(share, count)
    return interval(percent(low), percent(high))


def mean_interval(tally: Tally) -> str:
    """Of the mean, as a normal distribution has it; empty below two readings."""
    if tally.count < 2:
        return ""
    half = Z * tally.sd / sqrt(tally.count)
    return interval(figure(tally.mean - half), figure(tally.mean + half))


def option_text(value: object) -> str:
    """As `--set` takes it."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


# ---- the whole


def heading_lines(report: Report, width: int) -> Iterator[str]:
    players = "1 player" if report.players == 1 else f"{report.players} players"
    games = "1 game" if report.games == 1 else f"{report.games} games"
    yield from wrap(f"{report.name}: {games}, {players}, seed {report.seed}", width)
    if report.stopped:
        yield f"stopped: {report.wanted} games were asked for"
    if report.options:
        options = ", ".join(f"{name}={option_text(value)}" for name, value in report.options.items())
        yield from wrap(f"options: {options}", width, subsequent_indent="  ", break_long_words=False)


def seat_lines(report: Report, width: int, signs: str) -> Iterator[str]:
    seats = [report.seat(seat) for seat in range(report.players)]
    shares = [seat["win_share"] for seat in seats]
    columns = [
        Column("seat", [f"p{seat + 1}" for seat in range(report.players)], right=False),
        Column("bot", list(report.bots), right=False, weight=3),
        Column("wins", [percent(share) for share in shares]),
        Column("95% interval", [share_interval(share, report.games) for share in shares], weight=5),
        Column("mean score", [figure(seat["mean"]) for seat in seats]),
        Column("95% interval", [mean_interval(tally) for tally in report.sums.scores], weight=2),
        Column("sd", [figure(seat["sd"]) for seat in seats], weight=1),
    ]
    yield from table_lines(columns, width, shares, signs)


def game_lines(report: Report) -> Iterator[str]:
    decisions = report.sums.decisions
    yield f"ties {percent(share_of(report.sums.ties, report.games))}"
    yield f"decisions a game: mean {decisions.mean:.1f}, from {decisions.low or 0} to {decisions.high or 0}"


# ---- measures


def seat_titles(tallies: Sequence[Tally]) -> list[str]:
    return [f"  p{seat + 1}" for seat in range(len(tallies))] if len(tallies) > 1 else ["  all"]


def truth_lines(shape: MeasureShape, tallies: Sequence[Tally], width: int, signs: str) -> Iterator[str]:
    shares = [share_of(int(tally.total), tally.count) for tally in tallies]
    columns = [
        Column(shape.name, seat_titles(tallies), right=False),
        Column("share", [percent(share) for share in shares]),
        Column(
            "95% interval", [share_interval(share, t.count) for share, t in zip(shares, tallies, strict=True)], weight=2
        ),
        Column("of", [str(tally.count) for tally in tallies], weight=1),
    ]
    yield from table_lines(columns, width, shares, signs)


def number_lines(shape: MeasureShape, tallies: Sequence[Tally], width: int, signs: str) -> Iterator[str]:
    columns = [
        Column(shape.name, seat_titles(tallies), right=False),
        Column("mean", [figure(tally.mean) for tally in tallies]),
        Column("95% interval", [mean_interval(tally) for tally in tallies], weight=4),
        Column("sd", [figure(tally.sd) for tally in tallies], weight=3),
        Column("least", [end(tally.low) for tally in tallies], weight=2),
        Column("most", [end(tally.high) for tally in tallies], weight=2),
        Column("of", [str(tally.count) for tally in tallies], weight=1),
    ]
    yield from table_lines(columns, width, signs=signs)


def end(value: object) -> str:
    return "" if value is None else figure(float(value))  # type: ignore[arg-type]  # an int or a Fraction


def word_lines(shape: MeasureShape, tallies: Sequence[Tally], width: int, signs: str) -> Iterator[str]:
    """A row a word: the share over all seats with its interval and a bar, then seat by seat as far as they fit."""
    whole = [sum(column) for column in zip(*(tally.counts for tally in tallies), strict=True)]
    shares = word_shares(whole)
    count = sum(whole)
    columns = [
        Column(shape.name, [f"  {word}" for word in shape.words], right=False),
        Column("all" if len(tallies) > 1 else "share", [percent(share) for share in shares]),
        Column("95% interval", [share_interval(share, count) for share in shares], weight=2),
    ]
    if 1 < len(tallies) <= MOST_SEATS:
        for seat, tally in enumerate(tallies, start=1):
            columns.append(Column(f"p{seat}", [percent(share) for share in word_shares(tally.counts)], weight=1))
    yield from table_lines(columns, width, shares, signs)


def word_shares(counts: Sequence[int]) -> list[float]:
    whole = sum(counts)
    return [share_of(count, whole) for count in counts]


MEASURE_LINES = {"truth": truth_lines, "number": number_lines, "words": word_lines}
