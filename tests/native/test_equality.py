"""The two engines play move for move alike: the same decisions, options, views, states, measures and scores."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import trionfi
from trionfi.interpreter.rules import Rules

LIBRARY = Path(trionfi.__file__).parent / "rulesets"
RULESETS = sorted(path.stem for path in LIBRARY.glob("*.yaml"))
MOST_MOVES = 700  # of one game

# Settings that lead elsewhere, beside the defaults of every ruleset.
OPTIONS: dict[str, list[dict[str, object]]] = {
    "two-win": [
        {"betting": "pot_limit", "games": 3},
        {"betting": "limit", "rotate": "every_card", "minimum_bet": 10, "chip": 5, "games": 2},
        {"mixed_runs": True, "major_values": "whole_or_digit"},
    ],
}
CASES = [(name, options) for name in RULESETS for options in ({}, *OPTIONS.get(name, []))]


def seat_counts(rules: Rules) -> Iterator[int]:
    low, high = rules.players
    yield from sorted({low, min(low + 1, high), min(low + 2, high), (low + high) // 2, high})


def assert_decisions_alike(one: Any, other: Any, deep: bool, where: str) -> None:
    assert (one is None) == (other is None), where
    if one is None:
        return
    for name in ("player", "name", "count", "low", "high", "step", "card", "left"):
        assert getattr(one, name) == getattr(other, name), f"{where}: {name}"
    if deep and not one.is_number:
        assert one.labels() == other.labels(), where
        assert [o.things for o in one.options] == [o.things for o in other.options], where


def assert_alike(one: Any, other: Any, where: str) -> None:
    assert one.state == other.state, where
    for seat in range(one.players):
        assert one.view(seat) == other.view(seat), f"{where}: view {seat}"


def play_side_by_side(rules: Rules, players: int, seed: int, game: int, deep: bool) -> None:
    one = rules.start(players=players, seed=seed, game=game, engine="reference", quiet=not deep)
    other = rules.start(players=players, seed=seed, game=game, engine="native")
    dice = random.Random(f"{rules.key} {players} {seed} {game}")
    for _ in range(MOST_MOVES):
        where = f"{rules.key} with {players}, seed {seed}, game {game}, moves {one.moves}"
        assert_decisions_alike(one.decision, other.decision, deep, where)
        if deep and dice.random() < 0.3:
            assert_alike(one, other, where)
        if one.decision is None:
            break
        move = dice.randrange(one.decision.count)
        if dice.random() < 0.1:
            other = other.clone()
        one.apply(move)
        other.apply(move)
    assert (one.scores, one.winners, one.measures) == (other.scores, other.winners, other.measures), where
    assert one.tallies == other.tallies, where


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_engines_play_alike(
    name: str, options: dict[str, object], rules: Callable[..., Rules], test_size: float
) -> None:
    game = rules(name, **options)
    for players in seat_counts(game):
        for number in range(max(3, int(3 * test_size))):
            play_side_by_side(game, players, seed=number % 5, game=number, deep=number == 0)
