"""Whether two ways to rate hands order them alike."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any


def assert_same_order(rows: Iterable[tuple[Any, Any, object]]) -> None:
    """Rows of (key by hand, value of the evaluator, the hand): equal where equal, less where less; None is no hand."""
    by_hand = list(rows)
    for key, value, hand in by_hand:
        assert (key is None) == (value is None), f"{hand}: {key} by hand, {value} evaluated"
    rated = sorted((row for row in by_hand if row[0] is not None), key=lambda row: row[0])
    for lower, higher in pairwise(rated):
        expected = "=" if lower[0] == higher[0] else "<"
        found = "=" if lower[1] == higher[1] else "<" if lower[1] < higher[1] else ">"
        assert found == expected, f"{lower[2]} {expected} {higher[2]}, evaluated {found}: {lower[1]}, {higher[1]}"
