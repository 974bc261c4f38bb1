"""Cards of several decks that are called alike, in the reference engine, the core and the native engine."""

from __future__ import annotations

import pytest

from trionfi.dsl.diagnostics import RulesError

from .said import rules_of, said

DECKS = """
decks:
  red: {ranks: [ace, 2], suits: [clubs, hearts], named: {number: 1, cards: [The Fool]}}
  blue: {ranks: [2, 3], suits: [clubs], named: {number: 1, cards: [The Fool]}}
table:
  reds: {start: red, face: up}
  blues: {start: blue, face: up}
  hand: {per: player, face: up}
"""


def test_a_card_is_called_with_its_deck() -> None:
    script = """
    say "{1 if 2 of clubs of red in reds else 0}{1 if 2 of clubs of blue in reds else 0}"
    move 2 of clubs of blue to p1.hand
    move "The Fool of blue" to p1.hand
    move ace of hearts of red to p1.hand
    move 3 of clubs to p1.hand
    for each card in p1.hand: say "{card} {card.deck}"
    say "{1 if p1.hand[1] is 2 of clubs of blue else 0}{1 if p1.hand[1] is 2 of clubs of red else 0}"
    """
    told = ["2 of Clubs blue", "The Fool blue", "Ace of Hearts red", "3 of Clubs blue"]
    assert said(script, DECKS) == ["10", *told, "10"]


def test_lists_of_cards_take_it() -> None:
    script = 'deal 2 from blues to p1.hand\nfor each card in p1.hand: say "{card} {card.deck}"'
    assert said(script, DECKS, cards={"p1.hand": ["2c of blue", "the fool of blue"]}) == [
        "2 of Clubs blue",
        "The Fool blue",
    ]


@pytest.mark.parametrize(
    ("card", "hint"), [("2 of clubs", "write `2 of clubs of red`"), ('"The Fool"', 'write `"The Fool of red"`')]
)
def test_without_its_deck_it_is_an_error(card: str, hint: str) -> None:
    with pytest.raises(RulesError) as error:
        rules_of(f"move {card} to p1.hand", DECKS)
    assert "is in the decks `red` and `blue`" in str(error.value)
    assert hint in str(error.value)
