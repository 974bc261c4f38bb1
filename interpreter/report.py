"""The report of a simulation: as a mapping ready for JSON, and as a table of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from trionfi.interpreter.statistics import MeasureShape, Sums, Tally, wilson

__all__ = ["Report"]

WIDTH = 80
COLUMN = 7  # of one seat in a table of words


@dataclass(frozen=True, slots=True)
class Report:
    """What many games came to. `options` and `bots` as they were set (bots: one name a seat)."""

    rules: str
    name: str
    options: Mapping[str, object]
    players: int
    seed: int
    bots: Sequence[str]
    shapes: Sequence[MeasureShape]
    sums: Sums

    @property
    def games(self) -> int:
        return self.sums.games

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON: shares from 0 to 1, `low` and `high` the ends of Wilson's 95 per cent interval."""
        decisions = self.sums.decisions
        return {
            "rules": self.rules,
            "options": dict(self.options),
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "bots": list(self.bots),
            "seats": [self.seat(seat) for seat in range(self.players)],
            "ties": self.sums.ties,
            "decisions": {"mean": decisions.mean, "min": decisions.low or 0, "max": decisions.high or 0},
            "measures": {
                shape.name: measure_dict(shape, tallies)
                for shape, tallies in zip(self.shapes, self.sums.measures, strict=True)
            },
        }

    def seat(self, seat: int) -> dict[str, float]:
        """One seat's line: `win_share` with its interval, `mean` and `sd` of the score."""
        won, scores = self.sums.win_share(seat), self.sums.scores[seat]
        low, high = wilson(won, self.games)
        return {"win_share": won, "low": low, "high": high, "mean": scores.mean, "sd": scores.sd}

    def __str__(self) -> str:
        return "\n".join([*self.heading_lines(), "", *self.seat_lines(), "", *self.game_lines(), *self.measure_lines()])

    def heading_lines(self) -> Iterator[str]:
        players = "1 player" if self.players == 1 else f"{self.players} players"
        yield f"{self.name}: {self.games} games, {players}, seed {self.seed}"
        if self.options:
            options = ", ".join(f"{name}={option_text(value)}" for name, value in self.options.items())
            yield from wrap(f"options: {options}", WIDTH, subsequent_indent="  ")

    def seat_lines(self) -> Iterator[str]:
        width = max(6, *(len(bot) for bot in self.bots))
        yield f"seat  {'bot':<{width}}   wins  95% interval       mean score          sd"
        for seat, bot in enumerate(self.bots):
            line = self.seat(seat)
            interval = f"{line['low']:6.1%} ..{line['high']:6.1%}"
            figures = f"{figure(line['mean']):>14}  {figure(line['sd']):>10}"
            yield f"{f'p{seat + 1}':<4}  {bot:<{width}} {line['win_share']:6.1%}  {interval}  {figures}"

    def game_lines(self) -> Iterator[str]:
        decisions = self.sums.decisions
        yield f"ties {share(self.sums.ties, self.games):.1%}"
        yield f"decisions a game: mean {decisions.mean:.1f}, from {decisions.low or 0} to {decisions.high or 0}"

    def measure_lines(self) -> Iterator[str]:
        for shape, tallies in zip(self.shapes, self.sums.measures, strict=True):
            yield ""
            yield from MEASURE_LINES[shape.kind](shape, tallies)


def share(count: int, whole: int) -> float:
    return count / whole if whole else 0.0


def figure(value: float) -> str:
    """Four digits that count, and never a power of ten."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def option_text(value: object) -> str:
    """As `--set` takes it."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


# ---- measures, as mappings


def measure_dict(shape: MeasureShape, tallies: list[Tally]) -> object:
    """A mapping; of a measure `name(player)` a list of them, one a seat. `count`: how often it was read."""
    entries = [FIGURES[shape.kind](shape, tally) for tally in tallies]
    return entries if shape.per_player else entries[0]


def truth_figures(shape: MeasureShape, tally: Tally) -> dict[str, object]:
    seen = share(int(tally.total), tally.count)
    low, high = wilson(seen, tally.count)
    return {"share": seen, "low": low, "high": high, "count": tally.count}


def number_figures(shape: MeasureShape, tally: Tally) -> dict[str, object]:
    ends = {"min": None if tally.low is None else float_if_broken(tally.low)}
    ends["max"] = None if tally.high is None else float_if_broken(tally.high)
    return {"mean": tally.mean, "sd": tally.sd, "count": tally.count, **ends}


def float_if_broken(value: object) -> object:
    return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]  # a Fraction


def word_figures(shape: MeasureShape, tally: Tally) -> dict[str, object]:
    return {"counts": dict(zip(shape.words, tally.counts, strict=True)), "count": tally.count}


FIGURES = {"truth": truth_figures, "number": number_figures, "words": word_figures}


# ---- measures, as text


def seat_titles(tallies: list[Tally]) -> list[str]:
    return [f"p{seat + 1}" for seat in range(len(tallies))] if len(tallies) > 1 else [""]


def truth_lines(shape: MeasureShape, tallies: list[Tally]) -> Iterator[str]:
    yield shape.name
    for title, tally in zip(seat_titles(tallies), tallies, strict=True):
        seen = share(int(tally.total), tally.count)
        low, high = wilson(seen, tally.count)
        yield f"  {title:<4}{seen:7.2%}  {low:7.2%} ..{high:7.2%}  of {tally.count}"


def number_lines(shape: MeasureShape, tallies: list[Tally]) -> Iterator[str]:
    yield shape.name
    for title, tally in zip(seat_titles(tallies), tallies, strict=True):
        yield f"  {title:<4}mean {figure(tally.mean)}, sd {figure(tally.sd)}, of {tally.count}"


def word_lines(shape: MeasureShape, tallies: list[Tally]) -> Iterator[str]:
    """A row a word: the share over all seats, then seat by seat as far as they fit beside it."""
    whole = [sum(column) for column in zip(*(tally.counts for tally in tallies), strict=True)]
    width = max(len(shape.name), *(len(word) + 2 for word in shape.words))
    fits = len(tallies) > 1 and width + COLUMN * (len(tallies) + 1) <= WIDTH
    columns = [whole, *(tally.counts for tally in tallies)] if fits else [whole]
    titles = ["all", *seat_titles(tallies)] if fits else ["all" if len(tallies) > 1 else ""]
    yield f"{shape.name:<{width}}{''.join(f'{title:>{COLUMN}}' for title in titles)}".rstrip()
    for index, word in enumerate(shape.words):
        shares = (share(column[index], sum(column)) for column in columns)
        yield f"{'  ' + word:<{width}}{''.join(f'{part:>{COLUMN}.1%}' for part in shares)}"


MEASURE_LINES = {"truth": truth_lines, "number": number_lines, "words": word_lines}
