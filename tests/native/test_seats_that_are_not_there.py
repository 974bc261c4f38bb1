"""A seat that not every table of a game has: at a table without it the game stops, in both engines at the same place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules, load

SECTIONS = {
    "players": "2..4",
    "variables": "{points: {per: player, start: 0}, live: {per: player, start: true}, friend: {kind: player}, n: 0}",
}
READ = [
    "add 1 to p3.points",
    "n = p3.points",
    "n = p3.hand.count",
    "friend = p3",
    "friend = left of p3",
    "friend = next live player after p3",
    "friend = p3.opposite",
    "deal 1 from stock to p3.hand",
    "for each player starting p3: add 1 to n",
    "n = count of players where player is p3",
    "n = count of live players where player.points < p3.points",
    "show stock.top to p3",
    "if p1 is p3: n = 1",
    'say "{p3}"',
    "p3 chooses number from 0 to 3 as asked",
]


def rules_with(small_game: Callable[..., str], line: str) -> Rules:
    play = f"|\n  shuffle stock\n  p1.live = friend is none\n  {line}\n  deal 1 from stock to each hand"
    return load("small", text=small_game(**SECTIONS, play=play))


def started(rules: Rules, players: int, engine: str) -> Any:
    try:
        return rules.start(players=players, seed=1, engine=engine).state
    except GameError as error:
        return str(error)


@pytest.mark.parametrize("line", READ)
def test_the_game_stops(small_game: Callable[..., str], line: str) -> None:
    rules = rules_with(small_game, line)
    told = [started(rules, 2, engine) for engine in ("reference", "native")]
    assert told[0] == told[1]
    assert "`p3` is no player here: 2 are seated [wrong-table]" in told[0]
    assert started(rules, 3, "native") == started(rules, 3, "reference")


def test_asked_first_it_goes_on(small_game: Callable[..., str]) -> None:
    rules = rules_with(small_game, "if players.count > 2 and p3.points is 0: n = 5")
    for engine in ("reference", "native"):
        assert [started(rules, players, engine)["variables"]["n"] for players in (2, 3)] == [0, 5]
