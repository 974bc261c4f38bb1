"""What a ruleset measures: how each figure is kept, added up and shown."""

from __future__ import annotations

from typing import Any

from trionfi.interpreter.statistics import MeasureShape, Tally

__all__ = ["empty_tallies", "see", "shown"]


def empty_tallies(shapes: list[MeasureShape], players: int) -> list[list[Tally]]:
    """Measure by measure, one Tally or one a seat."""
    return [
        [Tally(counts=[0] * len(shape.words)) for _ in range(players if shape.per_player else 1)] for shape in shapes
    ]


def see(shape: MeasureShape, tally: Tally, value: Any) -> None:
    """Counts one reading; none is not counted."""
    if value is None:
        return
    if shape.kind == "words":
        tally.see_word(value)
    else:
        tally.see(int(value) if shape.kind == "truth" else value)


def shown(shape: MeasureShape, tally: Tally) -> object:
    """A figure as `game.measures` gives it: of one that is read at the end its value."""
    if not shape.repeated:
        return value_seen(shape, tally)
    if shape.kind == "words":
        return dict(zip(shape.words, tally.counts, strict=True))
    return {"count": tally.count, ("true" if shape.kind == "truth" else "sum"): tally.total}


def value_seen(shape: MeasureShape, tally: Tally) -> object:
    if not tally.count:
        return None
    if shape.kind == "words":
        return shape.words[tally.counts.index(1)]
    return bool(tally.total) if shape.kind == "truth" else tally.total
