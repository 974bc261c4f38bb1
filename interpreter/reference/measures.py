"""Reads measures into the game's tallies."""

from __future__ import annotations

from collections.abc import Callable

from trionfi.dsl.tree import Measure
from trionfi.interpreter.measures import see
from trionfi.interpreter.reference.compiler import Compiler, frame_size
from trionfi.interpreter.state import State
from trionfi.interpreter.statistics import MeasureShape, shapes_of

__all__ = ["measure_reader"]


def measure_reader(event: str, c: Compiler) -> Callable[[State], None]:
    """Reads all measures of an event (empty: those of the end), in their order."""
    shapes = shapes_of(c.ruleset)
    readers = [
        reader(number, measure, shapes[number], c)
        for number, measure in enumerate(c.ruleset.measures)
        if measure.event == event
    ]

    def read(s: State) -> None:
        for read_one in readers:
            read_one(s)

    return read


def reader(number: int, measure: Measure, shape: MeasureShape, c: Compiler) -> Callable[[State], None]:
    value = c.value(measure.body)
    size = frame_size(measure.body, [*measure.locals, *([measure.player] if measure.player is not None else [])])
    slot = measure.player.index if measure.player is not None else None

    def read(s: State) -> None:
        frame = [None] * size
        see(shape, s.tallies[number][0], value(s, frame))

    def read_each(s: State) -> None:
        for seat, tally in enumerate(s.tallies[number]):
            frame: list[int | None] = [None] * size
            frame[slot or 0] = seat
            see(shape, tally, value(s, frame))

    return read if slot is None else read_each
