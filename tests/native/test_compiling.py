"""How modules are made: what is left out for large ones, and what the machine is spared meanwhile."""

from __future__ import annotations

import gc

import pytest

from trionfi.interpreter.native import engine
from trionfi.interpreter.rules import load

from .test_playout import both


@pytest.mark.parametrize("name", ["euchre", "leduc"])
def test_large_modules_play_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LARGE", 0)
    monkeypatch.setattr(engine, "load_object", lambda _key: None)
    monkeypatch.setattr(engine, "save_object", lambda *_: None)
    game = load(name)
    players = game.players[0]
    native, reference = both(game, players, ("random",) * players, 20)
    assert native == reference


def test_garbage_is_collected_again_after_compiling() -> None:
    with engine.uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
