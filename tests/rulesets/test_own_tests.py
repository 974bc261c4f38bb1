"""Every ruleset's own tests hold in both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import trionfi
from trionfi.interpreter import examples
from trionfi.interpreter.examples import run_examples
from trionfi.interpreter.game import Game
from trionfi.interpreter.native.game import NativeGame
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules import Rules

GAMES = sorted(path.stem for path in (Path(trionfi.__file__).parent / "rulesets").glob("*.yaml"))
ENGINES = {"reference": ReferenceGame, "native": NativeGame}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", GAMES)
def test_own_tests_hold(name: str, engine: str, rules: Callable[..., Rules], monkeypatch: pytest.MonkeyPatch) -> None:
    check, played = examples.check_expectation, set()

    def checked(game: Game, expectation: object) -> None:
        played.add(type(game))
        check(game, expectation)  # type: ignore[arg-type]

    monkeypatch.setattr(examples, "check_expectation", checked)
    outcomes = list(run_examples(rules(name), engine))
    assert outcomes
    assert [f"{one.place}: {one.title}: {one.failure}" for one in outcomes if one.failure] == []
    assert played <= {ENGINES[engine]}
