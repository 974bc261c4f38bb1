"""Makes the rankings made by hand importable beside the tests that use them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trionfi.interpreter.native.hands import rows

sys.path.insert(0, str(Path(__file__).parent))

LEVEL = rows.LEVEL  # as it is shipped
# Of whole rankings over many hands, of each kind some; of all others most time goes into compiling them.
OPTIMISED = {
    "test_all_hands_of_five",
    "test_all_hands_of_seven",
    "test_best_of_seven",
    "test_a_part_for_each_parameter",
}


@pytest.fixture(autouse=True)
def some_rankings_are_optimised(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """By day, when most are compiled plainly (tests/conftest.py)."""
    if request.function.__name__ in OPTIMISED:
        monkeypatch.setattr(rows, "LEVEL", LEVEL)
