"""Small forms, in the reference engine, the core and the native engine."""

from __future__ import annotations

from textwrap import dedent

import pytest

from trionfi.dsl.diagnostics import RulesError

from .said import rules_of, said, values

SECTIONS = """
variables:
  points: {per: player, start: 0}
  ready: {per: player, start: false}
  kept: {per: player, kind: cards, most: 2}
define:
  low(player): player.points < 2
"""
POINTS = """
deal 4 from stock to p1.hand
p2.points = 3
p3.points = 3
p4.points = 1
p3.ready = true
"""
HAND = {"p1.hand": ["2c", "Kc", "9d", "9c"]}


def test_what_is_not_in_a_range() -> None:
    values(
        {
            "4 is not 1..3": True,
            "3 is not 1..3": False,
            "4 is not 1..3 or 5": True,
            "5 is not 1..3 or 5": False,
            "2 is not 1..3 or 5": False,
            "p1.hand.count is not 1..4 and true": False,
            "(any card in p1.hand where card.rank is not 2..10)": True,
        },
        SECTIONS,
        POINTS,
    )


def test_an_adjective_alone_is_what_is_asked() -> None:
    values(
        {
            "any low player": True,
            "every low player": False,
            "no low player": False,
            "(any ready player) and no ready player in (all low players)": True,
            "every low player p in (all players where player.points < 3)": True,
        },
        SECTIONS,
        POINTS,
    )


def test_what_is_asked_is_said() -> None:
    with pytest.raises(RulesError, match="what is asked of each is not said"):
        rules_of("if any player: stop_it()", SECTIONS)


def test_the_last_of_several() -> None:
    script = POINTS + dedent("""
    say "{the last player where player.points is 3}"
    say "{the last player with highest player.points}"
    say "{the player with highest player.points}"
    say "{the last low player}"
    say "{the last low player p starting p2}"
    say "{the last card in p1.hand where card.suit is clubs}"
    say "{the last card in p1.hand with highest card.rank.place}"
    say "{the last suit where suit is not spades}"
    say "{the last player where player.points > 7}"
    say "{the last card}"
    """)
    told = "p3 p3 p2 p4 p1".split()
    assert said(script, SECTIONS, cards=HAND) == [
        *told,
        "9 of Clubs",
        "King of Clubs",
        "hearts",
        "none",
        "Ace of Spades",
    ]


def test_an_adjective_of_that_name_is_an_error() -> None:
    for own in ("variables: {last: {per: player, start: false}}", "define: {last(player): player is p1}"):
        with pytest.raises(RulesError, match="`last` is an adjective of this game"):
            rules_of('say "{the last player}"', own)
        assert rules_of('for each last player: say "{player}"', own)


def test_something_may_be_called_last() -> None:
    assert said('last = 3\nadd last to last\nsay "{last}"', "variables: {last: 0}") == ["6"]


def test_the_top_of_any_cards() -> None:
    script = """
    deal 4 from stock to p1.hand
    say "{top 2 cards in p1.hand}"
    say "{top 2 cards in (p1.hand - (all cards in p1.hand where card.rank is 9))}"
    say "{top 9 cards in (all cards in p1.hand where card.suit is clubs)}"
    say "{(top (-1) cards in (p1.hand + p2.hand)).count}"
    """
    assert said(script, SECTIONS, cards=HAND) == [
        "9 of Clubs, 9 of Diamonds",
        "King of Clubs, 2 of Clubs",
        "9 of Clubs, King of Clubs, 2 of Clubs",
        "0",
    ]


def test_a_secret_choice_on_one_line() -> None:
    script = """
    deal 4 from stock to p1.hand
    each player where player is p1 secretly chooses: 2 cards from player.hand as player.kept
    say "{p1.kept}"
    """
    assert said(script, SECTIONS, ["2 of Clubs", "9 of Clubs"], HAND) == ["2 of Clubs, 9 of Clubs"]


ROUNDS = """
for each player: say "{player}"
for each player p rightwards where p is not p2: say "{p}"
for each low player leftwards starting p3: say "{player}"
deal 1 from stock to each hand rightwards
say "{p1.hand.top}, {p2.hand.top}, {p3.hand.top}, {p4.hand.top}"
say "{next player after p1} {next player rightwards after p1} {next player p leftwards after p4 where p is not p1}"
say "{the player starting p3 where player is not p3}"
say "{next player p after p1 where p is p1}"
"""


@pytest.mark.parametrize(
    ("direction", "dealer", "told"),
    [
        ("left", False, "p1 p2 p3 p4|p1 p4 p3|p3 p4 p1 p2|p2 p4 p2 p4 p1"),
        ("right", False, "p1 p4 p3 p2|p1 p4 p3|p3 p4 p1 p2|p4 p4 p2 p2 p1"),
        ("left", True, "p3 p4 p1 p2|p1 p4 p3|p3 p4 p1 p2|p2 p4 p2 p4 p1"),
        ("right", True, "p1 p4 p3 p2|p1 p4 p3|p3 p4 p1 p2|p4 p4 p2 p2 p1"),
    ],
)
def test_play_goes_to_the_left_or_to_the_right(direction: str, dealer: bool, told: str) -> None:
    """From the left or the right of the dealer, if there is one; each round may say otherwise."""
    variables = SECTIONS.replace(
        "variables:", "variables:\n  dealer: {kind: player, start: p2}" if dealer else "variables:"
    )
    lines = said(
        ROUNDS, variables + f"direction: {direction}\ndeck: {{ranks: [1, 2, 3, 4]}}\n", cards={"stock": list("1234")}
    )
    assert " ".join(lines[:-4]).replace(",", "") == told.rpartition("|")[0].replace("|", " ")
    assert lines[-4] in ("1, 4, 3, 2",)
    assert " ".join(lines[-3:]) == told.rpartition("|")[2]
