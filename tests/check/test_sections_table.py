"""Zones and layouts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_ruleset

Text = Callable[..., str]
Said = Callable[[str], list[str]]

REST = "hand: {per: player, seen_by: owner, face: down}, pile: {face: up}"


def test_the_shapes_of_zones(small_game: Text) -> None:
    table = """
  stock: {start: deck, face: down, when short: move pile to stock}
  hand: {per: player, seen_by: owner, capacity: 5}
  inner: {row: [root, past], face: down}
  outer: {row: 3}
  tableau: {piles: 7, counted: false}
  foundation: {per: suit, face: up}
  pile: {face: up, may_review: false}"""
    play = """|
  deal 1 from stock to root
  deal 1 from stock to tableau[1]
  deal 3 from stock to outer
  for each suit: move pile to suit.foundation"""
    rules, diagnostics = read_ruleset("small", small_game(table=table, play=play))
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    shapes = [(zone.name, zone.per, zone.shape, zone.places, zone.place_names, zone.capacity) for zone in rules.zones]
    assert shapes == [
        ("stock", "", "pile", 1, [], None),
        ("hand", "player", "pile", 1, [], 5),
        ("inner", "", "row", 2, ["root", "past"], 1),
        ("outer", "", "row", 3, [], 1),
        ("tableau", "", "piles", 7, [], None),
        ("foundation", "suit", "pile", 1, [], None),
        ("pile", "", "pile", 1, [], None),
    ]
    stock, hand, *_, tableau, _, pile = rules.zones
    assert stock.start == "deck"
    assert stock.when_short is not None
    assert len(stock.when_short.body) == 1
    assert hand.seen_by_owner
    assert not tableau.counted
    assert pile.may_review is not None
    assert [zone.index for zone in rules.zones] == list(range(7))


@pytest.mark.parametrize(
    ("zone", "messages"),
    [
        ("spare: {per: team}", ["team > error this game has no teams [wrong-value] (write `teams: [[1, 3], [2, 4]]`)"]),
        (
            "spare: {seen_by: owner}",
            ["owner > error `spare` has no owner who could see it [wrong-value] (write `per: player`, too)"],
        ),
        (
            "spare: {row: 3, piles: 2}",
            ["piles > error `spare` cannot be `row` and `piles` at once [zone-shape]"],
        ),
        ("spare: {capacity: 0}", ["0 > error the capacity of `spare` is a number of 1 or more, not 0 [wrong-value]"]),
        ("spare: {row: [here, here]}", ["here > error `here` stands twice in the places of `spare` [wrong-value]"]),
        (
            "spare: {row: [pile, there]}",
            ["pile > error `pile` is already a zone, declared at small:6:92 [duplicate-name]"],
        ),
        (
            "spare: {start: dekc}",
            ["dekc > error there is no deck `dekc` [unknown-deck] (did you mean `deck`?)"],
        ),
        ("spare: {start: deck}", ["deck > error the deck `deck` lies in `stock` already [deck-lies-nowhere]"]),
        (
            "turn: {face: up}",
            ["turn > error `turn` is a word of the language [reserved-word] (try `turn_of` or another name)"],
        ),
    ],
)
def test_a_zone_that_is_wrong(small_game: Text, said: Said, zone: str, messages: list[str]) -> None:
    assert said(small_game(table=f"{{stock: {{start: deck, face: down}}, {REST}, {zone}}}")) == messages


def test_a_deck_that_lies_nowhere(small_game: Text, said: Said) -> None:
    deck = "{ranks: [ace, 2, 3, 4, 5, 6], suits: [cups, swords]}"
    assert said(small_game(table=f"{{stock: {{face: down}}, {REST}}}"))[0] == (
        f"{deck} > error the deck `deck` lies nowhere at the start [deck-lies-nowhere] "
        "(write `stock: {start: deck}` in the table)"
    )


def test_a_layout_names_zones_and_places(small_game: Text) -> None:
    table = f"{{stock: {{start: deck}}, {REST}, inner: {{row: [root, past]}}, outer: {{row: 2}}, home: {{per: suit}}}}"
    play = "|\n  deal 2 from stock to inner\n  deal 2 from stock to outer\n  for each suit: move root to suit.home"
    layout = "|\n  stock . root\n  home.1 home.2 outer.2"
    rules, diagnostics = read_ruleset("small", small_game(table=table, layout=layout, play=play))
    assert [one.message for one in diagnostics if one.severity == "error"] == []
    assert rules is not None
    assert rules.layout == [["stock", ".", "root"], ["home.1", "home.2", "outer.2"]]


def test_a_layout_with_names_that_are_none(small_game: Text, said: Said) -> None:
    table = f"{{stock: {{start: deck, face: down}}, {REST}, outer: {{row: 2}}}}"
    play = "|\n  deal 2 from stock to outer"
    layout = "|\n  stok outer.3\n  pile outer"
    found = said(small_game(table=table, layout=layout, play=play))
    assert found == [
        "stok > error there is no zone or place `stok` to lie here [unknown-layout-name] (did you mean `stock`?)",
        (
            "outer.3 > error there is no zone or place `outer.3` to lie here [unknown-layout-name] "
            "(`outer` has outer.1 to outer.2)"
        ),
    ]


def test_players_and_teams(small_game: Text, said: Said) -> None:
    assert said(small_game(players="0..4")) == ["0..4 > error a game is for 1 to 60 players [wrong-value]"]
    assert said(small_game(players="4", teams="[[1, 3], [2, 4]]")) == []
    message = "error each seat from 1 to 4 is in one team, at every table of the game [wrong-value]"
    assert said(small_game(players="4", teams="[[1, 3], [2, 3]]")) == [f"[[1, 3], [2, 3]] > {message}"]
    assert said(small_game(players="2..4", teams="[[1, 3], [2, 4]]")) == [f"[[1, 3], [2, 4]] > {message}"]


@pytest.mark.parametrize("section", ["players", "table", "play", "result", "deck"])
def test_a_game_without_a_section(small_game: Text, said: Said, section: str) -> None:
    assert said(small_game(**{section: None}))[0] == f" > error a game needs the section `{section}` [missing-part]"
