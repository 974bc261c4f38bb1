"""Rulesets made at random mean in the core what they mean in the reference engine, and stop where they stop there; 240 of
them for acceptance (`TRIONFI_TEST_SIZE=full`)."""

from __future__ import annotations

import pytest

from ..native.test_made_rulesets import made
from .alike import same_games

MOST = 60


@pytest.mark.parametrize("quarter", range(4))
def test_made_rulesets_are_played_alike(quarter: int, test_size: float) -> None:
    count = 1 if test_size <= 1 else int(60 * test_size / 100)
    for seed in range(quarter * 1_000, quarter * 1_000 + count):
        rules = made(seed)
        if rules is None:
            continue
        for number in range(3):
            same_games(rules, 2 + (seed + number) % 3, number, MOST)
