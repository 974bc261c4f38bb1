"""Hands asked for without a game: what of a ranking, total or meld needs one is said, whichever way it is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands.reading import HandError
from trionfi.interpreter.rules import Rules, load

Text = Callable[..., str]
CONDITIONS = "height(cards own): {categories: {A: else}, order: ['KEY']}"
PATTERNS = "height: {of: 1..2 cards, alike: [rank], categories: {A: 1..2 cards}, order: ['KEY']}"
IN_A_GAME = [
    ("own.count + bonus", "bonus"),
    ("stock.count", "stock"),
    ("p1.hand.count", "p1.hand"),
    ("sum of card.depth for each card in own", "card.depth"),
    ("count of cards in own where card.zone is none", "card.zone"),
    ("count of cards in own where card.face is up", "card.face"),
    ("count of cards where card in own", "cards"),
    ("(2 of cups).rank.place", "2 of cups"),
    ("twice(own.count)", "bonus"),
]


def rules_with(small_game: Text, ranking: str, key: str) -> Rules:
    sections = {
        "variables": "{bonus: 2, dealer: {kind: player}}",
        "define": "{'twice(number n)': n * bonus}",
        "rankings": "{" + ranking.replace("KEY", key) + "}",
    }
    return load("small", text=small_game(**sections))


@pytest.mark.parametrize("ranking", [CONDITIONS, PATTERNS], ids=["conditions", "patterns"])
@pytest.mark.parametrize(("key", "part"), IN_A_GAME)
def test_what_needs_a_game_is_said(small_game: Text, ranking: str, key: str, part: str) -> None:
    key = key if "(cards own)" in ranking else key.replace("own", "hand")
    rules = rules_with(small_game, ranking, key)
    asked = [lambda: rules.rank("height", ["ace of cups"]), lambda: rules.rank_many("height", [[0]])]
    for ask in asked:
        with pytest.raises(HandError, match="which there is in a game only") as refusal:
            ask()
        assert str(refusal.value).startswith(f"`height` reads `{part}")


def test_a_named_card_is_only_compared(small_game: Text) -> None:
    rules = rules_with(small_game, CONDITIONS, "count of cards in own where card is 2 of cups")
    assert list(rules.rank_many("height", [[0], [1], [2]])) == [0, 1, 0]


def test_totals_and_melds_too(small_game: Text) -> None:
    text = small_game(variables="{bonus: 2}", totals="{sum_up: {values(card): bonus, at most: 21}}")
    with pytest.raises(HandError, match="`sum_up` reads `bonus`"):
        load("small", text=text).count("sum_up", ["ace of cups"])


def test_what_stops_a_hand_is_said_in_one_way(small_game: Text) -> None:
    """In native code a row has a number, and what is wrong with it is said in the reference's words."""
    rules = rules_with(small_game, CONDITIONS, "own.count / (own.count - 1)")
    with pytest.raises(GameError, match="division-by-zero"):
        rules.rank_many("height", [[0], [1]])
    with pytest.raises(GameError, match="division-by-zero"):
        rules.rank("height", ["ace of cups"])


def test_a_test_of_such_a_hand_fails(small_game: Text) -> None:
    from trionfi.interpreter.examples import run_examples

    tests = "[{'a pair': {ranking: height, hand: {own: [ace of cups]}, category: A}}]"
    ranking = "{" + CONDITIONS.replace("KEY", "own.count + bonus") + "}"
    rules = load("small", text=small_game(variables="{bonus: 2}", rankings=ranking, tests=tests))
    (outcome,) = run_examples(rules)
    assert outcome.failure.startswith("`height` reads `bonus`")
