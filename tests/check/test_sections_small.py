"""The small game of these tests is right, and so is every ruleset of the library."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_game, read_ruleset
from trionfi.dsl.library import library_files

Text = Callable[..., str]
Said = Callable[[str], list[str]]


def test_the_small_game_is_right(small_game: Text, said: Said) -> None:
    assert said(small_game()) == []


@pytest.mark.parametrize("name", sorted(library_files()))
def test_nothing_is_said_of_the_rulesets_of_the_library(name: str) -> None:
    _, diagnostics = read_ruleset(name)
    assert [str(one) for one in diagnostics] == []


def test_a_library_is_checked_but_cannot_be_played() -> None:
    assert len(read_ruleset("betting")[1]) == 0
    rules, diagnostics = read_game("betting")
    assert rules is None
    assert [(one.code, one.message) for one in diagnostics] == [
        ("no-game", "`betting` is a library, which games use; it cannot be played")
    ]
