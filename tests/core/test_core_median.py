"""The median: the value in the middle, the lower one of two, in the reference engine and in the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules

from ..interpreter.conftest import small  # noqa: F401
from .alike import playing_the_core

Small = Callable[..., Rules]

CARDS = {"p1.hand": ["jack of cups", "ace of cups", "3 of cups", "ace of swords"]}


def value_of(make: Small, expression: str, kind: str, before: str = "", sections: str = "") -> Any:
    """The value of an expression, when p1 holds jack, ace, 3 and ace; alike in both."""
    declared = "variables:\n  answer: {kind: " + kind + "}\n" + sections
    rules = make(f"deal 4 from stock to p1.hand\n{before}\nanswer = {expression}", declared)

    def played() -> Any:
        game = rules.deal(players=2, seed=1, engine="reference", cards=CARDS)
        return game.state["variables"]["answer"]  # type: ignore[index]

    with playing_the_core():
        found = played()
    assert found == played()
    return found


@pytest.mark.parametrize(
    ("which", "value"),
    [
        ("", 1),  # of 1, 1, 3, 5 the lower one of the middle
        ("where card.rank is not ace", 3),
        ("where card.suit is cups", 3),
        ("where card.rank is jack", 5),
    ],
)
def test_of_numbers(which: str, value: int, small: Small) -> None:  # noqa: F811
    assert value_of(small, f"median of card.rank.place for each card in p1.hand {which}", "number") == value


def test_of_ranks_fractions_and_players(small: Small) -> None:  # noqa: F811
    assert value_of(small, "median of card.rank for each card in p1.hand where card.suit is cups", "rank") == "3"
    parts = "median of (1 / card.rank.place) for each card in p1.hand"
    assert value_of(small, f"({parts}) * 3 rounded down", "number") == 1
    assert value_of(small, "median of p.hand.count for each player p", "number") == 0


def test_of_nothing_it_stops_the_game(small: Small) -> None:  # noqa: F811
    with pytest.raises(GameError, match="the median of nothing is asked for"):
        value_of(small, "median of card.rank.place for each card in p2.hand", "number")


def test_the_word_may_be_a_name(small: Small) -> None:  # noqa: F811
    assert value_of(small, "median + 1", "number", "let median = 4") == 5
    defined = "define:\n  median(player p): p.hand.count\n"
    assert value_of(small, "median(p1) + (sum of median(p) for each player p)", "number", "", defined) == 8


def test_a_query_inside_is_put_in_parentheses(small: Small) -> None:  # noqa: F811
    from trionfi.dsl.diagnostics import RulesError

    with pytest.raises(RulesError, match="a query within an expression stands in parentheses"):
        value_of(small, "1 + median of p.hand.count for each player p", "number")
