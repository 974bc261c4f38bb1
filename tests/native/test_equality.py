"""The two engines play move for move alike: the same decisions, options, views, states, measures and scores."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import trionfi
from trionfi.interpreter.native import not_compiled
from trionfi.interpreter.native.engine import Use
from trionfi.interpreter.native.table import table_of
from trionfi.interpreter.rules import Rules

from ..by_day import SIZE
from ..conftest import OPTIMISED

LIBRARY = Path(trionfi.__file__).parent / "rulesets"
GAMES = sorted(path.stem for path in LIBRARY.glob("*.yaml"))
NOT_COMPILED: dict[str, list[str]] = {}
RULESETS = [name for name in GAMES if name not in NOT_COMPILED]
MOST_MOVES = 150  # of one game that are compared
FEW_MOVES = 25  # of a game that is compared with all its views

# With these settings games are short.
SHORT: dict[str, dict[str, object]] = {
    "crazy-eights": {"target": 5},
    "gin-rummy": {"target": 1},
    "hearts": {"target": 3},
    "klondike": {"most_moves": 60},
    "tarot-tennessee": {"above": 0},
    "tarot-tennessee-as-written": {"above": 0},
    "tennessee-for-two": {"target": 1},
}
# Settings that lead elsewhere.
OPTIONS: dict[str, list[dict[str, object]]] = {
    "arcana-poker": [
        {
            "negation": "final",
            "lovers": "any_card",
            "magician": "two",
            "hermit": "owner",
            "first": "alternate",
            "goal": 9,
        },
        {"strength_ace": "stays", "lovers": "any_card", "justice": "with_round", "first": "loser", "goal": 9},
    ],
    "two-win": [
        {"betting": "pot_limit", "games": 3},
        {"betting": "limit", "rotate": "every_card", "minimum_bet": 10, "chip": 5, "games": 2},
        {"mixed_runs": True, "major_values": "whole_or_digit"},
    ],
}
CASES = [(name, options) for name in RULESETS for options in (SHORT.get(name, {}), *OPTIONS.get(name, []))]


def test_what_is_not_compiled_is_known(rules: Callable[..., Rules]) -> None:
    found = {name: not_compiled(rules(name).ruleset) for name in GAMES}
    assert {name: why for name, why in found.items() if why} == NOT_COMPILED


def seat_counts(rules: Rules) -> Iterator[int]:
    low, high = rules.players
    yield from range(low, high + 1) if SIZE > 1 else sorted({low, min(low + 1, high), high})


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
    for _ in range(int((FEW_MOVES if deep else MOST_MOVES) * max(1, SIZE))):
        where = f"{rules.key} with {players}, seed {seed}, game {game}, moves {one.moves}"
        assert_decisions_alike(one.decision, other.decision, deep, where)
        if deep and dice.random() < 0.2:
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
def test_engines_play_alike(name: str, options: dict[str, object], rules: Callable[..., Rules]) -> None:
    game = rules(name, **options)
    counts = list(seat_counts(game))
    for players in counts:
        # 2,000 games a case when everything is as large as for acceptance
        for number in range(max(2, int(20 * SIZE / len(counts)) if SIZE > 1 else 0)):
            play_side_by_side(game, players, seed=number // 2, game=number, deep=number % 4 == 0)


@pytest.mark.parametrize("name", RULESETS if SIZE > 1 else sorted(OPTIMISED))
def test_games_are_compiled_as_they_are_shipped(name: str, rules: Callable[..., Rules]) -> None:
    """Though by day other code is compiled plainly (tests/conftest.py)."""
    code = table_of(rules(name), rules(name).players[0]).code
    assert [code.level(use) for use in (Use.STEP, Use.PLAYOUT)] == [1, 2]
