"""Sets of cards as things, in the reference engine, the core and the native engine."""

from __future__ import annotations

from itertools import combinations

import pytest

from trionfi.dsl.diagnostics import RulesError
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.reference.queries import places_of_sets

from .said import everywhere, rules_of, said, values

SECTIONS = """
variables:
  five: {kind: cards, most: 5}
  zero: 0
define:
  value(card): smaller(card.rank.place + 1, 10) if card.rank is not ace else 1
  worth(cards some): sum of value(card) for each card in some
"""
HAND = ["5 of hearts", "5 of clubs", "5 of spades", "jack of diamonds", "5 of diamonds"]


def test_fifteens() -> None:
    """The best hand of cribbage: four fives and the jack make eight fifteens and six pairs."""
    script = """
    deal 5 from stock to p1.hand
    five = p1.hand
    say "{count of sets of 2..5 cards some in five where worth(some) is 15}"
    say "{count of sets of 2 cards two in five where two[1].rank is two[2].rank}"
    say "{count of sets of 3 cards in p1.hand}"
    say "{count of sets of 0..1 cards in p1.hand}"
    say "{count of sets of 6..9 cards in p1.hand}"
    say "{highest of worth(some) for each set of zero + 2 .. 3 cards some in five}"
    say "{the set of 2..3 cards some in five where worth(some) is 20}"
    say "{the set of 4 cards some in five with lowest worth(some)}"
    say "{1 if any set of 3 cards some in five where worth(some) > 20 else 0}"
    say "{1 if every set of 3 cards in five where worth(cards) is 15 or worth(cards) is 20 else 0}"
    """
    assert said(script, SECTIONS, cards={"p1.hand": HAND}) == [
        "8",
        "6",
        "10",
        "6",
        "0",
        "20",
        "5 of Hearts, 5 of Clubs, Jack of Diamonds",
        "5 of Hearts, 5 of Clubs, 5 of Spades, 5 of Diamonds",
        "0",
        "1",
    ]


def test_loops_menus_and_lots() -> None:
    script = """
    deal 4 from stock to p1.hand
    for each set of 2 cards pair in p1.hand where pair[1].rank is pair[2].rank:
      say "{pair}"
      move pair to pile
      if pile.count > 5: stop
    move all cards in pile to p1.hand
    p1 chooses as laying:
      "lay {some}" for each set of 2..3 cards some in p1.hand where worth(some) is 15:
        move some to pile
        say "{some}"
      "pass": say "passes"
    let drawn = random set of 2 cards some in p1.hand where worth(some) is 10
    say "{drawn}"
    """
    told = said(script, SECTIONS, ["pass"], {"p1.hand": HAND[:4]})
    assert told[:4] == [
        "5 of Hearts, 5 of Clubs",
        "5 of Hearts, 5 of Spades",
        "5 of Clubs, 5 of Spades",
        "passes",
    ]
    assert told[4] in told[:3] or set(told[4].split(", ")) < {f"5 of {suit}" for suit in ("Hearts", "Clubs", "Spades")}
    laid = said(script, SECTIONS, ["lay Jack of Diamonds, 5 of Hearts"], {"p1.hand": HAND[:4]})
    assert laid[3] == "Jack of Diamonds, 5 of Hearts"


@pytest.mark.parametrize("size", range(6))
def test_each_set_comes_once_and_in_order(size: int) -> None:
    for least in range(-1, 4):
        for most in range(-1, 6):
            made = list(places_of_sets(size, least, most))
            wanted = [one for k in range(max(0, least), most + 1) for one in combinations(range(size), k)]
            assert made == sorted(wanted)


def test_sets_of_most_of_many_cards_are_found_at_once() -> None:
    """Sets for which too few cards are left are not begun: of 51 of 52 cards there are 52."""
    values({"count of sets of 51..60 cards in stock": 53}, SECTIONS)


def test_too_many_sets_stop_the_game_in_both_engines() -> None:
    rules = rules_of("zero = count of sets of 5 cards in stock", SECTIONS)
    for engine in ("reference", "native"):
        with pytest.raises(GameError, match="there are more than 131,072 sets of these cards"):
            rules.start(seed=1, engine=engine)


def test_who_leaves_early_makes_no_more_sets() -> None:
    rules = rules_of('if any set of 5 cards some in stock where worth(some) > 0: zero = 7\nsay "{zero}"', SECTIONS)
    assert everywhere(rules, lambda engine: rules.start(seed=1, engine=engine).log[-1]["say"]) == "7"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("zero = count of sets of 2 players in p1.hand", "sets are of cards, not of players"),
        ("zero = count of sets of 2 cards", "of which cards is not said"),
        ("zero = count of sets of 3..2 cards in p1.hand", "no number goes from 3 up to 2"),
        ("five = all sets of 2 cards in p1.hand", "`all` gives cards, players, zones or plays"),
        ("zero = count of sets of 2 red cards in p1.hand", "the cards of a set have no adjective"),
        ("for each set of 2 cards in p1.hand starting p1: zero = 1", "`starting` is for players only"),
        (
            "zero = count of sets of 5 cards a in stock where any set of 5 cards b in stock where worth(b) is worth(a)",
            "queries in queries may come here",
        ),
        (
            'p1 chooses as guess:\n  "{some}" for each set of 2 cards some in p2.hand: zero = 1',
            "`guess` hangs on `p2.hand`, which `p1` cannot see",
        ),
    ],
)
def test_what_is_wrong(script: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        rules_of(
            script,
            SECTIONS + "table: {stock: {start: deck, face: down}, hand: {per: player, seen_by: owner, face: down}}\n",
        )


def test_the_word_is_a_name_elsewhere() -> None:
    values({"set + sets": 5}, "variables: {set: 2, sets: 3}")
