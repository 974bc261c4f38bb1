"""Native code written from the core plays as the reference engine does, decision by decision and in whole games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.interpreter.native import engine
from trionfi.interpreter.native.engine import Use
from trionfi.interpreter.native.table import table_of
from trionfi.interpreter.rules import Rules, load

from .test_equality import CASES, RULESETS, SHORT, SIZE, play_side_by_side
from .test_playout import affordable, both

LONG = {"gin-rummy", "two-win-limit", "tarot-holdem", "tarot-tennessee-as-written"}  # or like another
DAILY = [(name, SHORT.get(name, {})) for name in RULESETS if name not in LONG]
EMITTED = [(name, options) for name, options in (CASES if SIZE > 1 else DAILY)]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Rules]:
    """`fresh(name, options)`: a ruleset all of whose modules are written from the core, and from nothing else."""

    def refuse(_build: object) -> object:
        raise AssertionError("a module is lowered from the tree")

    monkeypatch.setattr(engine, "FROM_CORE", set(Use))
    monkeypatch.setattr(engine, "from_tree", refuse)
    if SIZE <= 1:
        monkeypatch.setattr(engine.NativeCode, "level", lambda _code, _use: 0)
    return lambda name, options: load(name, options=options)


@pytest.mark.parametrize(("name", "options"), EMITTED, ids=str)
def test_games_are_played_alike(name: str, options: dict[str, object], fresh: Callable[..., Rules]) -> None:
    game = fresh(name, options)
    low, high = game.players
    for players in sorted({low, high} if SIZE > 1 else {min(low + 1, high)}):
        for number in range(2 if SIZE > 1 else 1):
            play_side_by_side(game, players, seed=number, game=number, deep=number == 0)
    for players in sorted({low, min(low + 2, high)}):
        games = 200 if SIZE > 1 else affordable(game, players, 150)
        native, reference = both(game, players, ("random",) * players, games)
        assert native == reference


@pytest.mark.parametrize("name", RULESETS if SIZE > 1 else ["leduc", "two-win"])
def test_strategies_play_alike(name: str, fresh: Callable[..., Rules]) -> None:
    game = fresh(name, SHORT.get(name, {}))
    players = min(game.players[0] + 1, game.players[1])
    for bot in game.ruleset.strategies:
        native, reference = both(game, players, (bot,) * players, affordable(game, players, 60))
        assert native == reference, bot


def test_the_switch_says_where_code_comes_from(rules: Callable[..., Rules], monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = table_of(rules("kuhn"), 2).code, {}
    for uses in ((), (Use.PLAYOUT,)):
        monkeypatch.setattr(engine, "FROM_CORE", set(uses))
        text[uses] = str(code.lower(Use.PLAYOUT).module)
    assert ["core.play" in one for one in text.values()] == [False, True]
