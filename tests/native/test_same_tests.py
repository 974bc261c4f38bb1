"""The tests of the reference engine, asked of the native one."""

# ruff: noqa: F403
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trionfi.interpreter.native.game import NativeGame
from trionfi.interpreter.rules import Rules

from ..interpreter.conftest import *
from ..interpreter.test_engine_cards import *
from ..interpreter.test_engine_decisions import *
from ..interpreter.test_engine_scripts import *
from ..interpreter.test_engine_views import *


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games that ask for the reference engine are native ones, but for those that tell what native ones do not keep."""
    begin, replay = Rules._game, NativeGame._replay
    replaying: list[NativeGame] = []

    def game(self: Rules, players: Any, seed: Any, number: Any, engine: Any, *rest: Any, **more: Any) -> Any:
        return begin(self, players, seed, number, engine if replaying else "native", *rest, **more)

    def replayed(self: NativeGame) -> Any:
        replaying.append(self)
        try:
            return replay(self)
        finally:
            replaying.pop()

    monkeypatch.setattr(Rules, "_game", game)
    monkeypatch.setattr(NativeGame, "_replay", replayed)
    return


# they reach into the reference engine
del test_chips_move_and_are_conserved  # noqa: F821
del test_exchanging_cards_that_nobody_knows_changes_no_view  # noqa: F821
del test_cards_that_the_chooser_does_not_know_are_told_apart_by_place_alone  # noqa: F821
