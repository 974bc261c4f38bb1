"""Starts of variables, copies and `keep`: they are read before there is a game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Text = Callable[..., str]
Said = Callable[[str], list[str]]


def errors(said: Said, text: str) -> list[str]:
    return [message for message in said(text) if " > error " in message]


@pytest.mark.parametrize(
    ("start", "part"),
    [
        ("bonus + 1", "bonus"),
        ("{kind: number, start: twice()}", "bonus"),
        ("stock.count", "stock"),
        ("{kind: card, start: stock.top}", "stock"),
        ("(2 of cups).rank.place", "2 of cups"),
        ("{kind: number, start: count of cards where card.rank is ace}", "cards where card.rank is ace"),
    ],
)
def test_a_start_that_is_of_a_game(small_game: Text, said: Said, start: str, part: str) -> None:
    text = small_game(variables=f"{{bonus: 1, first: {start}}}", define="{twice(): bonus * 2}")
    (message,) = errors(said, text)
    if "count of" in start:
        assert "is something simple, not a query" in message
    else:
        assert f"error the start of `first` is read before play, and `{part}` is of a game [before-play]" in message


@pytest.mark.parametrize("variables", ["{turns: (turns + 1)}", "{one: other + 1, other: 2 + 3}"])
def test_a_start_that_hangs_on_what_is_not_known_yet(small_game: Text, said: Said, variables: str) -> None:
    (message,) = errors(said, small_game(variables=variables))
    assert "does not hang on other variables [wrong-value] (set it in the play)" in message


@pytest.mark.parametrize("key", ["keep: card.rank is not 3 or bonus is 2", "copies: bonus"])
def test_a_deck_that_hangs_on_a_game(small_game: Text, said: Said, key: str) -> None:
    deck = f"{{ranks: [ace, 2, 3], suits: [cups, swords], {key}}}"
    (message,) = errors(said, small_game(deck=deck, variables="{bonus: 1}", play="shuffle stock"))
    assert "of the deck `deck` is read before play, and `bonus` is of a game [before-play]" in message


def test_what_is_known_before_play(small_game: Text, said: Said) -> None:
    sections = {"variables": "{first: aim + players.count, second: -(2 * 3), third: {kind: player, start: p2}}"}
    assert not errors(said, small_game(options="{aim: {default: 3}}", **sections))
