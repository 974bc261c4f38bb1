"""A row of figures for each game, for tables that are analysed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from trionfi.interpreter.statistics import MeasureShape

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game

__all__ = ["RowColumn", "columns_of", "row_of"]


@dataclass(frozen=True, slots=True)
class RowColumn:
    """One column: its title, and what stands in it (any of them may be None)."""

    title: str
    kind: Literal["truth", "whole", "number", "text"]


def columns_of(shapes: Sequence[MeasureShape], players: int) -> list[RowColumn]:
    """`game`, `decisions`, `p1.score` ..., `p1.won` ..., then the measures.

    A measure that is read at the end has one column (one a seat, `p1.name`). One that is read at an event has
    several: `name.count` and `name.true`, or `name.count` and `name.sum`, or a count for each of its words.
    """
    seats = [f"p{seat + 1}" for seat in range(players)]
    columns = [RowColumn("game", "whole"), RowColumn("decisions", "whole")]
    columns += [RowColumn(f"{seat}.score", "number") for seat in seats]
    columns += [RowColumn(f"{seat}.won", "truth") for seat in seats]
    for shape in shapes:
        for title in [f"{seat}.{shape.name}" for seat in seats] if shape.per_player else [shape.name]:
            columns += measure_columns(shape, title)
    return columns


def measure_columns(shape: MeasureShape, title: str) -> list[RowColumn]:
    if not shape.repeated:
        kinds: dict[str, Literal["truth", "number", "text"]] = {"truth": "truth", "number": "number", "words": "text"}
        return [RowColumn(title, kinds[shape.kind])]
    parts = {"truth": ("count", "true"), "number": ("count", "sum"), "words": shape.words}[shape.kind]
    return [RowColumn(f"{title}.{part}", "number" if part == "sum" else "whole") for part in parts]


def row_of(game: Game) -> list[object]:
    """The row of a game that is over, in the order of the columns."""
    scores, winners, measures = game.scores, game.winners, game.measures
    if scores is None or winners is None or measures is None:
        raise ValueError("a game has a row when it is over")
    row: list[object] = [game.number, len(game.moves)]
    row += [plain(score) for score in scores]
    row += [seat in winners for seat in range(game.players)]
    for value in measures.values():
        row += cells(value)
    return row


def cells(value: object) -> Iterator[object]:
    """The cells of a measure: one, or one a seat, or those of what was read at an event."""
    if isinstance(value, list):
        for part in value:
            yield from cells(part)
    elif isinstance(value, dict):
        yield from (plain(part) for part in value.values())
    else:
        yield plain(value)


def plain(value: object) -> object:
    return float(value) if isinstance(value, Fraction) else value
