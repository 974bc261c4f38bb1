"""A ruleset's strategies pick alike in both engines, decision by decision."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.rules import Rules

from .test_equality import RULESETS, SHORT


@pytest.mark.parametrize("name", RULESETS)
def test_strategies_pick_alike(name: str, rules: Callable[..., Rules]) -> None:
    game = rules(name, **SHORT.get(name, {}))
    players = min(game.players[0] + 1, game.players[1])
    for strategy in game.ruleset.strategies:
        for number in range(2):
            played = []
            for engine in ("native", "reference"):
                table = game.start(players=players, seed=3, game=number, engine=engine, quiet=True)
                table.play_on(seat_bots(game, [strategy] * players, 3, number))
                played.append((table.moves, table.scores, table.measures))
            assert played[0] == played[1], (strategy, number)
