"""Decks: faces, names, orders, what is kept; and what is said of a deck that is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.check.decks import merged
from trionfi.dsl.tree import Ruleset

Text = Callable[..., str]
Said = Callable[[str], list[str]]


@pytest.fixture
def checked(small_game: Text) -> Callable[..., Ruleset]:
    def check(**sections: str) -> Ruleset:
        rules, diagnostics = read_ruleset("small", small_game(**sections))
        assert [str(one) for one in diagnostics] == []
        assert rules is not None
        return rules

    return check


def names(rules: Ruleset) -> list[str]:
    return [face.name for face in rules.faces]


def test_a_deck_without_suits(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="{ranks: [jack, queen, king, ace, 2]}")
    assert names(rules) == ["Jack", "Queen", "King", "Ace", "2"]
    assert [face.short for face in rules.faces] == ["J", "Q", "K", "A", "2"]
    assert [(face.suit, face.rank) for face in rules.faces] == [(None, i) for i in range(5)]


def test_the_standard_deck(checked: Callable[..., Ruleset]) -> None:
    rules = checked(
        deck="standard", play="|\n  if any card in stock where card is king of hearts: deal 1 from stock to pile"
    )
    assert len(rules.faces) == 52
    assert names(rules)[0] == "Ace of Clubs"
    assert "10 of Hearts" in names(rules)
    assert {face.short for face in rules.faces} >= {"As", "Td", "9h", "2c", "Kh", "Qs", "Jd"}
    assert rules.decks[0].aliases["10h"] == "10 of hearts"
    suits, colours = rules.enumerations["suit"].members, rules.enumerations["colour"].members
    assert {suits[suit]: colours[colour] for suit, colour in rules.colours.items()} == {
        "clubs": "black",
        "spades": "black",
        "diamonds": "red",
        "hearts": "red",
    }


def test_the_ace_goes_where_the_game_wants_it(checked: Callable[..., Ruleset]) -> None:
    ranks = {
        where: checked(deck=f"{{from: standard, ace: {where}}}").enumerations["rank"].members
        for where in ("high", "low")
    }
    assert (ranks["high"][0], ranks["high"][-1]) == ("2", "ace")
    assert (ranks["low"][0], ranks["low"][-1]) == ("ace", "king")


def test_ranks_and_suits_may_be_put_in_another_order(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="{from: standard, ranks: [3, 4, 2], suits: [spades, clubs]}")
    assert rules.enumerations["suit"].members == ["spades", "clubs"]
    assert names(rules) == [f"{rank} of {suit}" for suit in ("Spades", "Clubs") for rank in (3, 4, 2)]


def test_named_cards_have_a_number_and_a_suit_of_their_own(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="tarot", play='|\n  if "Judgment" in stock: move stock to pile')
    assert len(rules.faces) == 78
    world = rules.faces[-1]
    assert (world.name, world.number, world.rank, world.short) == ("The World", 21, None, "")
    assert rules.enumerations["suit"].members[world.suit or 0] == "trump"
    assert rules.decks[0].oriented
    assert rules.defines["major"].attribute
    # four court cards begin with four letters, though king and knight begin alike
    assert [face.short for face in rules.faces[10:14]] == ["Pw", "Nw", "Qw", "Kw"]


def test_orientation_that_does_not_count(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="{from: tarot, orientations: [upright]}")
    assert len(rules.faces) == 78
    assert not rules.decks[0].oriented


def test_what_is_kept_whatever_the_options_is_known_at_once(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="{from: standard, keep: card.rank is 9 or 10 or jack or queen or king or ace}")
    assert len(rules.faces) == 24
    assert rules.decks[0].keep is None
    assert len(rules.enumerations["rank"].members) == 13


def test_what_hangs_on_the_number_of_players_is_left_to_the_game(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="{from: standard, keep: 'card is not 2 of clubs if players.count is 2, else true'}")
    assert len(rules.faces) == 52
    assert rules.decks[0].keep is not None
    assert rules.decks[0].keep_card is not None


def test_several_decks(checked: Callable[..., Ruleset]) -> None:
    """Ranks and suits of cards that nobody keeps are none of the game."""
    rules = checked(
        decks="{main: {from: standard, ace: high}, arcana: {from: tarot, keep: card.major}}",
        deck=None,
        table="{stock: {start: main, face: down}, hand: {per: player, seen_by: owner}, pile: {start: arcana, face: up}}",
        result="{score(player): count of cards in player.hand where card.deck is main}",
    )
    assert [len(deck.faces) for deck in rules.decks] == [52, 22]
    assert rules.enumerations["deck"].members == ["main", "arcana"]
    assert rules.enumerations["suit"].members == ["clubs", "diamonds", "hearts", "spades", "trump"]
    assert rules.enumerations["rank"].members[-1] == "ace"
    assert "page" not in rules.enumerations["rank"].members


def test_two_decks_may_come_from_one_library(checked: Callable[..., Ruleset]) -> None:
    rules = checked(
        decks="{one: tarot, other: tarot}",
        deck=None,
        table="{stock: {start: one, face: down}, hand: {per: player, seen_by: owner}, pile: {start: other, face: up}}",
        result="{score(player): count of cards in player.hand where card.major and card.deck is one}",
    )
    assert len(rules.faces) == 156
    assert len(rules.enumerations["rank"].members) == 14


def test_jokers(checked: Callable[..., Ruleset]) -> None:
    rules = checked(
        deck="{from: standard, jokers: 2, keep: card.rank is king}",
        result='{score(player): 1 if "Joker 2" in player.hand else 0}',
    )
    assert names(rules)[-3:] == ["King of Spades", "Joker 1", "Joker 2"]
    assert (rules.faces[-1].suit, rules.faces[-1].rank, rules.faces[-1].number) == (None, None, 2)
    assert rules.decks[0].aliases["joker"] == "joker 1"
    assert names(checked(deck="{from: standard, jokers: 1}"))[-1] == "Joker"


def test_jokers_by_an_option(checked: Callable[..., Ruleset]) -> None:
    rules = checked(deck="{from: standard, jokers: wild_cards}", options="{wild_cards: {default: 1, range: 0..3}}")
    assert names(rules)[-3:] == ["Joker 1", "Joker 2", "Joker 3"]
    assert rules.decks[0].keep is not None


@pytest.mark.parametrize(
    ("deck", "messages"),
    [
        (
            "{ranks: [2, 3], suits: [cups], ace: high}",
            ["high > error this deck has no ace [wrong-value] (its ranks are 2, 3)"],
        ),
        ("{ranks: [2, 2]}", ["2 > error `2` stands twice in the ranks [wrong-value]"]),
        (
            "{ranks: [2, 3], suits: [cups], colours: {red: [cup]}}",
            ["cup > error this deck has no suit `cup` [unknown-suit] (did you mean `cups`?)"],
        ),
        (
            "{ranks: [2, 3], aliases: {Deuce: 22}}",
            ["22 > error the deck `deck` has no card `22` [unknown-alias] (did you mean `2`?)"],
        ),
        (
            "{ranks: [2, 3], orientations: [reversed, upright]}",
            [
                "reversed > error the orientations of cards are `[upright, reversed]`, or `[upright]` alone [wrong-value]"
            ],
        ),
        ("{ranks: [2, 3], jokers: 9}", ["9 > error the number of jokers is a number of 0 to 8, not 9 [wrong-value]"]),
        (
            "{ranks: [2, 3], keep: card.rank is 4}",
            ["4 > error no rank is called 4 [no-such-rank] (the ranks are 2, 3)"],
        ),
    ],
)
def test_a_deck_that_is_wrong(small_game: Text, said: Said, deck: str, messages: list[str]) -> None:
    assert said(small_game(deck=deck)) == messages


def test_a_deck_of_which_nothing_is_kept(small_game: Text, said: Said) -> None:
    found = said(small_game(deck="{ranks: [2, 3], keep: card.rank is 2 and card.rank is 3}"))
    assert found[0] == (
        "{ranks: [2, 3], keep: card.rank is 2 and card.rank is 3} > error the deck `deck` holds no card [no-cards]"
    )


def test_ranks_of_several_decks_keep_the_order_of_each() -> None:
    assert merged([["2", "3", "4"], ["1", "2", "3"]]) == ["1", "2", "3", "4"]
    assert merged([["2", "3"], ["a", "b"], ["3", "a"]]) == ["2", "3", "a", "b"]
    assert merged([["2", "4"], ["3", "5"]]) == ["2", "4", "3", "5"], "what no deck orders stands as it appears"
    assert merged([["a", "2"], ["2", "a"]]) is None
    assert merged([["a", "b"], ["b", "c"], ["c", "a"]]) is None
