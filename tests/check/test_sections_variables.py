"""Variables, kinds and marks of cards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.types import CARDS, NUMBER, PLAYER, SUIT, TRUTH, enum

Text = Callable[..., str]
Said = Callable[[str], list[str]]


def test_what_variables_are(small_game: Text) -> None:
    variables = """
  dealer: {kind: player}
  rounds: 0
  open_now: false
  goal: {start: target}
  ending: {start: how}
  trump: {kind: suit}
  mood: {kind: mood, start: calm}
  held: {per: player, kind: cards, most: 3, secret: owner}
  chips: {per: player, counts: chips, start: 2 * target}
  bank: {counts: chips, may_owe: true}
  wager: {per: tableau, start: 0}"""
    play = """|
  dealer = random player
  add 1 to rounds
  open_now = rounds > goal and ending is early and trump is cups and mood is calm
  for each player: pay 1 from player.chips to bank
  for each player: player.held = player.hand
  tableau[1].wager = 2
  ending = late
  trump = none
  mood = angry
  goal = tableau[2].wager + p1.held.count + (1 if open_now else 0)"""
    table = (
        "{stock: {start: deck, face: down}, hand: {per: player, seen_by: owner}, tableau: {piles: 2}, pile: {face: up}}"
    )
    options = "{target: {default: 5}, how: {choices: [early, late], default: late}}"
    kinds = "{mood: [calm, angry]}"
    text = small_game(variables=variables, play=play, table=table, options=options, kinds=kinds)
    rules, diagnostics = read_ruleset("small", text)
    assert [one.message for one in diagnostics] == ["the zone `pile` is never used"]
    assert rules is not None
    assert [(one.name, one.type, one.per) for one in rules.variables] == [
        ("dealer", PLAYER, ""),
        ("rounds", NUMBER, ""),
        ("open_now", TRUTH, ""),
        ("goal", NUMBER, ""),
        ("ending", enum("how"), ""),
        ("trump", SUIT, ""),
        ("mood", enum("mood"), ""),
        ("held", CARDS, "player"),
        ("chips", NUMBER, "player"),
        ("bank", NUMBER, ""),
        ("wager", NUMBER, "spot"),
    ]
    by_name = {one.name: one for one in rules.variables}
    assert rules.dealer is by_name["dealer"]
    assert (by_name["held"].most, by_name["held"].secret) == (3, True)
    assert by_name["chips"].chips
    assert by_name["chips"].start is not None
    assert not by_name["chips"].may_owe
    assert by_name["bank"].chips
    assert by_name["bank"].may_owe
    zone = by_name["wager"].per_zone
    assert zone is not None
    assert zone.name == "tableau"


@pytest.mark.parametrize(
    ("variable", "messages"),
    [
        ("note: {kind: playr}", ["playr > error there is no kind `playr` [unknown-kind] (did you mean `player`?)"]),
        ("note: {per: player}", ["{per: player} > error `note` needs the key `start` [missing-key] (or say what it is: `kind: player`)"]),
        ("note: {per: place, start: 0}", ["place > error `per` of `note` is `player`, `team`, `suit` or `rank`, not `place` [wrong-value] (did you mean `player`?)"]),
        ("note: {kind: cards}", ["{kind: cards} > error `note` needs the key `most` [missing-key] (say how many cards it holds at most: `most: 3`)"]),
        ("note: {start: 0, secret: owner}", ["owner > error `note` has no owner to keep it secret [wrong-value] (write `per: player`, too)"]),
        ("note: {kind: player, counts: chips}", ["player > error `note` counts chips, so it is a number [chips-are-numbers]"]),
        ("note: 1 + false", ["false > error a number was wanted here, this is a truth (yes or no) [wrong-type]"]),
        ("note: players", ["players > error `note` cannot hold players [variable-type] (say what it is: `kind: player`)"]),
        ("note: (count of cards in stock)", ["(count of cards in stock) > error the start of `note` is something simple, not a query [wrong-value] (set it in the play)"]),
        ("p1: 0", ["p1 > error `p1` is a word of the language [reserved-word] (try `p1_of` or another name)"]),
        ("stock: 0", ["stock > error `stock` is already a zone, declared at small:6:9 [duplicate-name]"]),
    ],
)  # fmt: skip
def test_a_variable_that_is_wrong(small_game: Text, said: Said, variable: str, messages: list[str]) -> None:
    found = said(small_game(variables=f"{{{variable}}}"))
    assert [one for one in found if " > error " in one] == messages


def test_kinds(small_game: Text, said: Said) -> None:
    assert said(small_game(kinds="{card: [a, b]}"))[0] == "card > error `card` is already a kind [duplicate-name]"
    assert (
        said(small_game(kinds="{mood: [a, a]}"))[0]
        == "a > error `a` stands twice in the members of `mood` [wrong-value]"
    )


def test_equal_lists_of_words_are_one_kind(small_game: Text, said: Said) -> None:
    """So an option can be handed to a variable, or stand for a suit."""
    text = small_game(
        options="{first: {choices: [cups, swords], default: cups}}",
        variables="{led: {kind: suit}}",
        play="|\n  led = first\n  if led is cups: deal 1 from stock to pile\n  for each player: move player.hand to pile",
    )
    assert said(text) == []


def test_marks(small_game: Text) -> None:
    attributes = "{role: [plain, tower], state: {choices: [fresh, used], default: used}}"
    play = "|\n  for each card in stock where card.role is plain and card.state is used: card.role = tower\n  move stock to pile"
    rules, diagnostics = read_ruleset("small", small_game(attributes=attributes, play=play))
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    assert [(mark.name, mark.type, mark.default) for mark in rules.marks] == [
        ("role", enum("role"), 0),
        ("state", enum("state"), 1),
    ]
