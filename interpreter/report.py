"""The report of a simulation: as a mapping ready for JSON, and as a table of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trionfi.interpreter.columns import BLOCKS
from trionfi.interpreter.statistics import MeasureShape, Sums, Tally, wilson

__all__ = ["Report", "share"]

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Report:
    """What many games came to. `options` and `bots` as they were set (bots: one name a seat).

    `wanted`: how many games were asked for; 0: as many as were played.
    """

    rules: str
    name: str
    options: Mapping[str, object]
    players: int
    seed: int
    bots: Sequence[str]
    shapes: Sequence[MeasureShape]
    sums: Sums
    wanted: int = 0

    @property
    def games(self) -> int:
        return self.sums.games

    @property
    def stopped(self) -> bool:
        """Whether fewer games were played than were asked for."""
        return self.games < self.wanted

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
        return self.text()

    def text(self, width: int = WIDTH, signs: str = BLOCKS) -> str:
        """As tables that fit `width` columns; `signs` are what bars are drawn with."""
        from trionfi.interpreter.report_text import report_lines

        return "\n".join(report_lines(self, width, signs))


def share(count: int, whole: int) -> float:
    return count / whole if whole else 0.0


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
