"""The report of a simulation: as a mapping ready for JSON, and as a table of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trionfi.interpreter.columns import BLOCKS
from trionfi.interpreter.intervals import FEW_GAMES, mean_interval, share_interval
from trionfi.interpreter.report_text import report_lines
from trionfi.interpreter.statistics import MeasureShape, Ratio, Sums, Tally

__all__ = ["Report"]

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Report:
    """What many games came to. `options` and `bots` as they were set (bots: one name a seat).

    `wanted`: how many games were asked for; 0: as many as were played. `teams`: the seats of each, from 0.
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
    teams: Sequence[Sequence[int]] = ()

    @property
    def games(self) -> int:
        return self.sums.games

    @property
    def stopped(self) -> bool:
        """Whether fewer games were played than were asked for."""
        return self.games < self.wanted

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON: shares from 0 to 1, `low` and `high` the ends of a share's or a mean's 95 per cent interval.

        `rough`: whether there are too few games for these to be more than rough.
        """
        decisions = self.sums.decisions
        return {
            "rules": self.rules,
            "options": dict(self.options),
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "bots": list(self.bots),
            "seats": [self.seat(seat) for seat in range(self.players)],
            **self._teams(),
            "ties": self.sums.ties,
            "decisions": {"mean": decisions.mean, "min": decisions.low or 0, "max": decisions.high or 0},
            "measures": {
                shape.name: measure_dict(shape, tallies, ratios)
                for shape, tallies, ratios in zip(self.shapes, self.sums.measures, self.sums.ratios, strict=True)
            },
            "rough": self.games < FEW_GAMES,
        }

    @property
    def sides(self) -> list[tuple[str, list[int]]]:
        """A line each of the report, with its seats: each player, or each team if its players score and win alike."""
        if not self.teams or not all(self._are_alike(team) for team in self.teams):
            return [(f"p{seat + 1}", [seat]) for seat in range(self.players)]
        named = [", ".join(f"p{seat + 1}" for seat in team) for team in self.teams]
        return [(f"team{i} ({name})", [*team]) for i, (name, team) in enumerate(zip(named, self.teams, strict=True), 1)]

    def _are_alike(self, team: Sequence[int]) -> bool:
        wins, scores = self.sums.wins, self.sums.scores
        return all(wins[seat] == wins[team[0]] and scores[seat] == scores[team[0]] for seat in team)

    def _teams(self) -> dict[str, object]:
        if len(self.sides) == self.players:
            return {}
        return {"teams": [{"seats": [s + 1 for s in seats], **self.seat(seats[0])} for _, seats in self.sides]}

    def seat(self, seat: int) -> dict[str, float]:
        """One seat's line: `win_share` with its interval, `mean` and `sd` of the score."""
        won, scores = self.sums.won(seat), self.sums.scores[seat]
        low, high = share_interval(won)
        return {"win_share": won.mean, "low": low, "high": high, "mean": scores.mean, "sd": scores.sd}

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = WIDTH, signs: str = BLOCKS) -> str:
        """As tables that fit `width` columns; `signs` are what bars are drawn with."""
        return "\n".join(report_lines(self, width, signs))


# ---- measures, as mappings


def measure_dict(shape: MeasureShape, tallies: list[Tally], ratios: list[list[Ratio]]) -> object:
    """A mapping; of a measure `name(player)` a list of them, one a seat. `count`: how often it was read."""
    rows = zip(tallies, ratios[: len(tallies)], strict=True)
    entries = [FIGURES[shape.kind](shape, tally, figures) for tally, figures in rows]
    return entries if shape.per_player else entries[0]


def truth_figures(shape: MeasureShape, tally: Tally, figures: list[Ratio]) -> dict[str, object]:
    low, high = share_interval(figures[0])
    return {"share": figures[0].mean, "low": low, "high": high, "count": tally.count}


def number_figures(shape: MeasureShape, tally: Tally, figures: list[Ratio]) -> dict[str, object]:
    """`low` and `high` of the mean are null where it was read in fewer than two games."""
    low, high = mean_interval(figures[0]) if figures[0].games > 1 else (None, None)
    ends = {"min": None if tally.low is None else float_if_broken(tally.low)}
    ends["max"] = None if tally.high is None else float_if_broken(tally.high)
    return {"mean": tally.mean, "low": low, "high": high, "sd": tally.sd, "count": tally.count, **ends}


def float_if_broken(value: object) -> object:
    return value if isinstance(value, int) else float(value)  # type: ignore[arg-type]  # a Fraction


def word_figures(shape: MeasureShape, tally: Tally, figures: list[Ratio]) -> dict[str, object]:
    intervals = {word: list(share_interval(ratio)) for word, ratio in zip(shape.words, figures, strict=True)}
    return {"counts": dict(zip(shape.words, tally.counts, strict=True)), "count": tally.count, "intervals": intervals}


FIGURES = {"truth": truth_figures, "number": number_figures, "words": word_figures}
