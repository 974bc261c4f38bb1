"""The report of a simulation as tables of text, with intervals and small bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Protocol

from trionfi.interpreter.columns import BLOCKS, Column, table_lines
from trionfi.interpreter.intervals import FEW_GAMES, mean_interval, share_interval
from trionfi.interpreter.statistics import MeasureShape, Ratio, Sums, Tally

__all__ = ["figure", "interval", "option_text", "report_lines"]

EXACT = 1e-9  # what shares may be off by rounding
MOST_SEATS = 6  # seats with a column of their own in a table of words


class Reported(Protocol):
    """What is told of a simulation, as a `Report` has it."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, object]: ...
    @property
    def players(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def bots(self) -> Sequence[str]: ...
    @property
    def shapes(self) -> Sequence[MeasureShape]: ...
    @property
    def sums(self) -> Sums: ...
    @property
    def wanted(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def sides(self) -> Sequence[tuple[str, Sequence[int]]]: ...

    def seat(self, seat: int) -> dict[str, float]: ...


def report_lines(report: Reported, width: int = 80, signs: str = BLOCKS) -> Iterator[str]:
    yield from heading_lines(report, width)
    yield ""
    yield from seat_lines(report, width, signs)
    yield ""
    for line in game_lines(report):
        yield from wrap(line, width, subsequent_indent="  ")
    sums = report.sums
    for shape, tallies, ratios in zip(report.shapes, sums.measures, sums.ratios, strict=True):
        yield ""
        yield from MEASURE_LINES[shape.kind](shape, tallies, ratios, width, signs)
        fewest = min((row[0].games for row in ratios if row[0].games), default=FEW_GAMES)
        if fewest < FEW_GAMES <= report.games:
            line = f"  read in as few as {one_or(fewest, 'game')}: the intervals are rough"
            yield from wrap(line, width, subsequent_indent="  ")


def one_or(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


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


def share_text(ratio: Ratio) -> str:
    low, high = share_interval(ratio)
    return interval(percent(low), percent(high))


def mean_text(ratio: Ratio) -> str:
    """Empty below two games."""
    low, high = mean_interval(ratio)
    return interval(figure(low), figure(high)) if ratio.games > 1 else ""


def option_text(value: object) -> str:
    """As `--set` takes it."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


# ---- the whole


def heading_lines(report: Reported, width: int) -> Iterator[str]:
    counts = f"{one_or(report.games, 'game')}, {one_or(report.players, 'player')}"
    yield from wrap(f"{report.name}: {counts}, seed {report.seed}", width)
    if report.stopped:
        yield f"stopped: {report.wanted} games were asked for"
    if report.options:
        options = ", ".join(f"{name}={option_text(value)}" for name, value in report.options.items())
        yield from wrap(f"options: {options}", width, subsequent_indent="  ", break_long_words=False)


def seat_lines(report: Reported, width: int, signs: str) -> Iterator[str]:
    sides = report.sides
    first = [members[0] for _, members in sides]
    seats = [report.seat(seat) for seat in first]
    shares = [seat["win_share"] for seat in seats]
    bots = [", ".join(dict.fromkeys(report.bots[seat] for seat in members)) for _, members in sides]
    columns = [
        Column("seat" if len(sides) == report.players else "team", [name for name, _ in sides], right=False),
        Column("bot", bots, right=False, weight=3),
        Column("wins", [percent(share) for share in shares]),
        Column("95% interval", [share_text(report.sums.won(seat)) for seat in first], weight=5),
        Column("mean score", [figure(seat["mean"]) for seat in seats]),
        Column("95% interval", [mean_text(report.sums.scores[seat].once) for seat in first], weight=2),
        Column("sd", [figure(seat["sd"]) for seat in seats], weight=1),
    ]
    yield from table_lines(columns, width, shares, signs)


def game_lines(report: Reported) -> Iterator[str]:
    decisions = report.sums.decisions
    yield f"ties {percent(share_of(report.sums.ties, report.games))}"
    whole = sum(report.sums.won(members[0]).mean for _, members in report.sides)
    if report.games and report.players > 1 and abs(whole - 1) > EXACT:
        yield f"the shares of wins add up to {percent(whole)}, not to 100%: several may win together, or nobody"
    yield f"decisions a game: mean {decisions.mean:.1f}, from {decisions.low or 0} to {decisions.high or 0}"
    if report.games < FEW_GAMES:
        yield f"the intervals are rough: they are of fewer than {FEW_GAMES} games"


# ---- measures


def seat_titles(tallies: Sequence[Tally]) -> list[str]:
    return [f"  p{seat + 1}" for seat in range(len(tallies))] if len(tallies) > 1 else ["  all"]


def truth_lines(
    shape: MeasureShape, tallies: Sequence[Tally], ratios: Sequence[Sequence[Ratio]], width: int, signs: str
) -> Iterator[str]:
    figures = [row[0] for row in ratios]
    columns = [
        Column(shape.name, seat_titles(tallies), right=False),
        Column("share", [percent(ratio.mean) for ratio in figures]),
        Column("95% interval", [share_text(ratio) for ratio in figures], weight=2),
        Column("of", [str(ratio.count) for ratio in figures], weight=1),
    ]
    yield from table_lines(columns, width, [ratio.mean for ratio in figures], signs)


def number_lines(
    shape: MeasureShape, tallies: Sequence[Tally], ratios: Sequence[Sequence[Ratio]], width: int, signs: str
) -> Iterator[str]:
    columns = [
        Column(shape.name, seat_titles(tallies), right=False),
        Column("mean", [figure(tally.mean) for tally in tallies]),
        Column("95% interval", [mean_text(row[0]) for row in ratios], weight=4),
        Column("sd", [figure(tally.sd) for tally in tallies], weight=3),
        Column("least", [end(tally.low) for tally in tallies], weight=2),
        Column("most", [end(tally.high) for tally in tallies], weight=2),
        Column("of", [str(tally.count) for tally in tallies], weight=1),
    ]
    yield from table_lines(columns, width, signs=signs)


def end(value: object) -> str:
    return "" if value is None else figure(float(value))  # type: ignore[arg-type]  # an int or a Fraction


def word_lines(
    shape: MeasureShape, tallies: Sequence[Tally], ratios: Sequence[Sequence[Ratio]], width: int, signs: str
) -> Iterator[str]:
    """A row a word: the share over all seats with its interval and a bar, then seat by seat as far as they fit."""
    whole = ratios[-1]  # all seats together
    columns = [
        Column(shape.name, [f"  {word}" for word in shape.words], right=False),
        Column("all" if len(tallies) > 1 else "share", [percent(ratio.mean) for ratio in whole]),
        Column("95% interval", [share_text(ratio) for ratio in whole], weight=2),
    ]
    if 1 < len(tallies) <= MOST_SEATS:
        for seat, row in enumerate(ratios[: len(tallies)], start=1):
            columns.append(Column(f"p{seat}", [percent(ratio.mean) for ratio in row], weight=1))
    yield from table_lines(columns, width, [ratio.mean for ratio in whole], signs)


MEASURE_LINES = {"truth": truth_lines, "number": number_lines, "words": word_lines}
