"""What a typed text means, and the letters of menus."""

from __future__ import annotations

from typing import Any

import pytest

from trionfi.interpreter.rules import load
from trionfi.shell.lines import answer_of
from trionfi.table.answers import matching, meant, several
from trionfi.table.course import Course
from trionfi.table.letters import letters_of
from trionfi.table.model import Amount, Menu, Number

HAND = ["2 of Clubs", "10 of Clubs", "Queen of Spades", "Queen of Hearts", "Ace of Hearts", "10 of Diamonds"]


def hearts_menu(count: str = "1", hand: list[str] = HAND) -> Menu:
    text = f"""trionfi: 1
name: Asked
players: 1
deck: {{from: standard}}
table:
  stock: {{start: deck, face: down}}
  hand: {{per: player, seen_by: owner, face: down}}
play: |
  shuffle stock
  deal 6 from stock to each hand
  p1 chooses {count} cards from p1.hand as away
  move away to stock
result:
  score(player): 0
"""
    game: Any = load("asked.yaml", text=text).deal(players=1, seed=1, cards={"p1.hand": hand}, engine="reference")
    menu = Course(game, [0]).table(0).menu
    assert menu is not None
    return menu


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2c", "2 of Clubs"),
        ("2♣", "2 of Clubs"),
        ("two of clubs", "2 of Clubs"),
        ("TWO clubs", "2 of Clubs"),
        ("10c", "10 of Clubs"),
        ("tc", "10 of Clubs"),
        ("10♦", "10 of Diamonds"),
        ("ace", "Ace of Hearts"),
        ("a", "Ace of Hearts"),
        ("queen sp", "Queen of Spades"),
        ("q s", "Queen of Spades"),
        ("qh", "Queen of Hearts"),
    ],
)
def test_a_card_is_called_as_people_call_it(text: str, label: str) -> None:
    option = meant(hearts_menu(), text)
    assert option is not None
    assert option.label == label


@pytest.mark.parametrize("text", ["queen", "10", "clubs", "king", "x", "qq"])
def test_what_may_be_several_or_is_none_is_not_taken(text: str) -> None:
    assert meant(hearts_menu(), text) is None


def test_typing_narrows_what_is_offered() -> None:
    menu = hearts_menu()
    assert [option.label for option in matching(menu, "queen")] == ["Queen of Spades", "Queen of Hearts"]
    assert [option.label for option in matching(menu, "h")] == ["Queen of Hearts", "Ace of Hearts"]


def test_several_are_called_in_a_line() -> None:
    menu = hearts_menu("2")
    for text in ("2c qs", "2c, queen of spades", "2 of clubs,qs"):
        found = several(menu, text)
        assert found is not None
        assert [option.label for option in found] == ["2 of Clubs", "Queen of Spades"]
    assert several(menu, "2c queen") is None
    assert several(menu, "2c 2c") is None


def letters(name: str) -> dict[str, str]:
    return {template: letter for (_, template), letter in letters_of(load(name).ruleset).items() if letter}


def test_a_letter_belongs_to_a_line_of_the_ruleset() -> None:
    poker = letters("no-limit-holdem")
    assert poker == {"fold": "f", "check": "c", "call {to_call(player)}": "c", "bet": "b", "raise": "r"}
    assert letters("casino-twenty-one")["hit"] == "h"
    assert letters("gin-rummy")["from the stock"] == "s"  # the word that the other lines do not have


MENU = """trionfi: 1
name: Keys
players: 1
deck: {from: standard}
table:
  stock: {start: deck, face: down}
variables: {key: {start: 1}}
play: |
  p1 chooses as turn_choice:
    "take one": say "{key}"
    "throw" key t: say "thrown"
    "turn" key x if key > 0: say "turned"
    "count {key}" if not key > 0: say "counted"
  p1 chooses as again:
    "turn": return
result: {score(player): key}
"""


def test_a_key_in_the_ruleset_is_the_letter_and_the_others_make_room() -> None:
    letters = letters_of(load("keys.yaml", text=MENU).ruleset)
    assert letters == {
        ("turn_choice", "take one"): "o",
        ("turn_choice", "throw"): "t",
        ("turn_choice", "turn"): "x",
        ("turn_choice", "count {key}"): "c",
        ("again", "turn"): "x",
    }


@pytest.mark.parametrize("name", ["two-win", "euchre", "klondike", "gin-rummy", "casino-twenty-one", "crazy-eights"])
def test_a_letter_means_one_thing_at_a_time(name: str) -> None:
    """Whatever is offered: no two options of one menu have one letter."""
    game: Any = load(name).start(seed=4, engine="reference")
    course = Course(game, list(range(game.players)))
    for turn in range(60):
        decision = game.decision
        if decision is None:
            break
        course.follow(game)
        menu = course.table(decision.player).menu
        assert menu is not None
        used = [option.letter for option in menu.offered if option.letter]
        assert len(used) == len(set(used)), menu
        if menu.by_letter:
            assert all(option.letter for option in menu.offered)
        game.apply(turn * 7 % decision.count)


@pytest.mark.parametrize(
    ("text", "value"), [("half", "12"), ("pot", "24"), ("all", "188"), ("most", "188"), ("12", "12"), ("x", "")]
)
def test_a_usual_amount_is_typed_by_its_beginning_in_lines_too(text: str, value: str) -> None:
    amounts = (Amount("least", 2), Amount("half the pot", 12), Amount("the pot", 24), Amount("most", 188))
    menu = Menu("p1", "bid", "bid", number=Number(2, 188, 1, amounts))
    assert answer_of(menu, text) == ([value] if value else None)
