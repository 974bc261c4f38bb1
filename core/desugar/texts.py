"""Effects that are known only in the game: what is written for each of them stands in a switch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trionfi.core.desugar.function import Desugar
from trionfi.core.ir import Operand
from trionfi.core.types import TARGET, list_of
from trionfi.dsl import tree

__all__ = ["TARGETS", "by_effect"]

TARGETS = list_of(TARGET)


def by_effect(
    d: Desugar, effect: Operand, effects: Sequence[tree.Effect], write: Callable[[tree.Effect], object]
) -> None:
    """What `write` writes for the effect, which is one of these; where there are none, nothing comes here."""
    if not effects:
        d.fail("no-such-play", d.rules.effects[0].span)
        return
    last = len(effects) - 1
    with d.switch(effect) as cases:
        for place, one in enumerate(effects):
            with cases.case(one.index) if place < last else cases.otherwise():
                write(one)
