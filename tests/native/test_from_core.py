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

# What is not written from the core yet, by ruleset.
NOT_YET = {"arcana-poker": "what effects do"}
EMITTED = [(name, options) for name, options in CASES if name not in NOT_YET]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Rules]:
    """`fresh(name, options)`: a ruleset all of whose modules are written from the core."""
    monkeypatch.setattr(engine, "FROM_CORE", {Use.STEP, Use.PLAYOUT})
    return lambda name, options: load(name, options=options)


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_not_written_from_the_core_is_known(name: str, rules: Callable[..., Rules]) -> None:
    game = rules(name)
    code = table_of(game, game.players[0]).code
    assert all(bool(code.why_not_from_core(use)) == (name in NOT_YET) for use in (Use.STEP, Use.PLAYOUT))


@pytest.mark.parametrize(("name", "options"), EMITTED, ids=str)
def test_games_are_played_alike(name: str, options: dict[str, object], fresh: Callable[..., Rules]) -> None:
    game = fresh(name, options)
    for players in {game.players[0], game.players[1]} if SIZE > 1 else {game.players[0]}:
        for number in range(2):
            play_side_by_side(game, players, seed=number, game=number, deep=number == 0)


@pytest.mark.parametrize(("name", "options"), EMITTED, ids=str)
def test_whole_games_add_up_alike(name: str, options: dict[str, object], fresh: Callable[..., Rules]) -> None:
    game = fresh(name, options)
    for players in sorted({game.players[0], min(game.players[0] + 2, game.players[1])}):
        games = 200 if SIZE > 1 else affordable(game, players, 150)
        native, reference = both(game, players, ("random",) * players, games)
        assert native == reference


def test_the_switch_says_where_code_comes_from(fresh: Callable[..., Rules], monkeypatch: pytest.MonkeyPatch) -> None:
    text = {}
    for switched in (True, False):
        if not switched:
            monkeypatch.setattr(engine, "FROM_CORE", set())
        game = fresh("kuhn", SHORT.get("kuhn", {}))
        text[switched] = str(table_of(game, 2).code.lower(Use.PLAYOUT).module)
    assert "core.play" in text[True]
    assert "core.play" not in text[False]
