"""A card that its deck does not keep at this table cannot be moved, in either engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules, load

DECK = "{ranks: [ace, 2, 3], suits: [cups, swords], keep: card is not (2 of cups) or players.count is 3}"


def played(rules: Rules, players: int, engine: str) -> Any:
    try:
        game = rules.start(players=players, seed=1, engine=engine)
    except GameError as error:
        return error.code
    return game.scores  # not the state: of a native game that is told by the reference


@pytest.mark.parametrize(
    "line",
    [
        "move 2 of cups to pile",
        "move stock + 2 of cups to pile",
        "move stock + 2 of cups to bottom of pile",
        "let lost = 2 of cups\n  move lost to bottom of stock",
        "for each card in stock + 2 of cups: move card to pile",
    ],
)
def test_it_cannot_be_moved(small_game: Callable[..., str], line: str) -> None:
    result = "{score(player): pile.count}"
    rules = load("small", text=small_game(players="2..3", deck=DECK, play=f"|\n  {line}", result=result))
    assert [played(rules, 2, engine) for engine in ("reference", "native")] == ["card-nowhere", "card-nowhere"]
    assert played(rules, 3, "native") == played(rules, 3, "reference") != "card-nowhere"
