"""Tarot Tennessee: what every round has in common (rulings T7, T8, T9), over many random games of both engines."""

from __future__ import annotations

from typing import Any

import pytest

import trionfi


@pytest.mark.parametrize(("engine", "games"), [("native", 2000), ("reference", 5)])
def test_rounds_have_122_points_39_tricks_13_draws(engine: str, games: int, test_size: float) -> None:
    measures = simulated(engine, int(games * test_size))
    for measure, figure in (("points_in_round", 122), ("tricks_in_round", 39), ("draws_in_round", 13)):
        found = measures[measure]
        assert (found["min"], found["max"]) == (figure, figure), measure
        assert found["count"] >= 3 * games


def test_games_end_after_three_to_five_rounds_unless_305_all() -> None:
    # T9: 305 : 305 after five rounds is above 300 and equal, so another is played
    game = trionfi.load("tarot-tennessee")
    for number in range(20):
        played = finished(game, number)
        rounds, points = played.state["variables"]["rounds"], played.scores
        assert 3 <= rounds <= 5 or sum(points) == 122 * rounds > 610
        assert max(points) > 300
        assert points[0] != points[1]


def finished(rules: Any, number: int) -> Any:
    game = rules.start(players=2, seed=3, game=number)
    while not game.over:
        game.apply(number % len(game.decision.options))
    return game


def simulated(engine: str, games: int) -> dict[str, Any]:
    rules = trionfi.load("tarot-tennessee")
    report = rules.simulate(games=games, players=2, seed=5, workers=1, engine=engine).to_dict()
    return report["measures"]
