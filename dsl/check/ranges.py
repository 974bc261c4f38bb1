"""Ranges of numbers that are gone over: `from 1 to 13 step 2`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from trionfi.dsl.check.context import Frame
from trionfi.dsl.check.dispatch import Part, take
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Const, Expr, NumberRange
from trionfi.dsl.types import NUMBER


def read_range(frame: Frame, parts: Sequence[Part | None], *, closed: bool = False) -> NumberRange | None:
    """Of the parts for both ends and, maybe, the step."""
    read = [take(frame, part, NUMBER) if part is not None else None for part in parts]
    if any(part is not None and one is None for part, one in zip(parts, read, strict=True)):
        return None
    low, high, step = read
    return NumberRange(cast(Expr, low), cast(Expr, high), step, closed)


def read_sizes(frame: Frame, tree: Part) -> tuple[Expr, Expr] | None:
    """`2..5`, or `3` for both: of how many cards sets are."""
    ends = [take(frame, part, NUMBER) for part in cast("list[Part | None]", tree.children) if part is not None]
    if None in ends:
        return None
    low, high = cast(Expr, ends[0]), cast(Expr, ends[-1])
    return (low, high) if goes_up(frame, NumberRange(low, high), "..") else None


def goes_up(frame: Frame, found: NumberRange, between: str = " to ") -> bool:
    """Where the ends are written as numbers: whether there is anything from one to the other."""
    low, high, step = (value_of(one) for one in (found.low, found.high, found.step))
    if low is not None and high is not None and low > high:
        span = Span(found.low.span.source, found.low.span.start, found.high.span.end)
        frame.error("empty-range", f"no number goes from {low} up to {high}", span, f"write `{high}{between}{low}`")
        return False
    if found.step is not None and step is not None and step < 1:
        frame.error("empty-range", f"a step of {step} leads nowhere", found.step.span, "write `1`")
        return False
    return True


def value_of(expr: Expr | None) -> int | None:
    """The number that is written there, if one is."""
    return cast(int, expr.value) if isinstance(expr, Const) and expr.type == NUMBER else None
