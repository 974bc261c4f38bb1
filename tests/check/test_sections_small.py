"""The small game of these tests is right, and so is every ruleset of the library."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.library import library_files

Text = Callable[..., str]
Said = Callable[[str], list[str]]


def test_the_small_game_is_right(small_game: Text, said: Said) -> None:
    assert said(small_game()) == []


@pytest.mark.parametrize("name", sorted(library_files()))
def test_nothing_is_said_of_the_rulesets_of_the_library(name: str) -> None:
    _, diagnostics = read_ruleset(name)
    assert [str(one) for one in diagnostics] == []
