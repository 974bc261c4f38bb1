"""Makes the rankings made by hand importable beside the tests that use them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trionfi.interpreter.native.hands import rows

sys.path.insert(0, str(Path(__file__).parent))

# Tests of whole rankings over many hands; of those of odd rankings most time goes into compiling them.
OPTIMISED = {"test_poker_evaluator", "test_rank_many", "test_two_win_evaluator"}


@pytest.fixture(autouse=True)
def odd_rankings_are_compiled_plainly(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, test_size: float
) -> None:
    if test_size <= 1 and request.path.stem not in OPTIMISED:
        monkeypatch.setattr(rows, "LEVEL", 0)
