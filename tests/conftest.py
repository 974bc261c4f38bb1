"""What every test may use: rulesets by name, read once a run, and the size of the run.

`TRIONFI_TEST_SIZE` multiplies the amount of random trials (1 is for every day, 100 for acceptance).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules

_CACHE: dict[tuple[str, str], Rules] = {}


@pytest.fixture(scope="session")
def test_size() -> float:
    """By what the number of random trials is multiplied."""
    return float(os.environ.get("TRIONFI_TEST_SIZE", "1"))


@pytest.fixture(scope="session")
def rules() -> Callable[..., Rules]:
    """`rules(name, option=value ...)`: a ruleset of the library, checked once a run."""

    def get(name: str, **options: object) -> Rules:
        from trionfi.interpreter.rules import load

        key = (name, repr(sorted(options.items())))
        if key not in _CACHE:
            _CACHE[key] = load(name, options=options)
        return _CACHE[key]

    return get
