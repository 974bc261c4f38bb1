"""Programs of the library's games, made once a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from trionfi.dsl.library import library_games

if TYPE_CHECKING:
    from trionfi.core.ir import Program
    from trionfi.interpreter.rules import Rules

GAMES = sorted(library_games())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes a `game` runs for every game of the library."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", GAMES)


@pytest.fixture(scope="session")
def program(rules: Callable[..., Rules]) -> Callable[[str], Program]:
    """`program(name)`: a game of the library as core, before any pass."""
    from trionfi.core.desugar import desugar

    made: dict[str, Program] = {}

    def get(name: str) -> Program:
        if name not in made:
            made[name] = desugar(rules(name).ruleset, unused=True)
        return made[name]

    return get
