"""The tests that a ruleset holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.tree import HandTest, SituationTest, Written

Text = Callable[..., str]
Said = Callable[[str], list[str]]

RANKINGS = """
  pairs: {of: 2 cards, alike: [rank], categories: {Pair: 2 alike, Rest: anything}}
  side(cards own, cards shared): {categories: {Big: own.count > shared.count, Small: else}}
"""
PLAY = """|
  shuffle stock
  deal 2 from stock to each hand
  deal 1 from stock to root
  p1 chooses 1 card from p1.hand as lead
  move lead to pile
  add bonus to p1.points"""
PARTS = {
    "deck": "{ranks: [ace, 2, 3, 4, 5, 6], suits: [cups, swords], orientations: [upright, reversed]}",
    "table": "{stock: {start: deck}, hand: {per: player, seen_by: owner}, pile: {face: up}, inner: {row: [root, past]}}",
    "rankings": RANKINGS,
    "options": "{bonus: {default: 1, range: 0..5}}",
    "variables": "{points: {per: player, start: 0}, dealer: {kind: player}}",
    "play": PLAY,
    "strategies": "{plain: {lead: pick the card in options}}",
    "players": "2..4",
    "result": "{score(player): player.points}",
}


@pytest.fixture
def with_test(small_game: Text) -> Callable[[str], str]:
    def text(test: str) -> str:
        lines = "".join(f"\n      {line}" for line in test.strip().splitlines())
        return small_game(**PARTS, tests=f'\n  - "a title":{lines}')

    return text


def first_test(text: str) -> HandTest | SituationTest:
    rules, diagnostics = read_ruleset("small", text)
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    assert rules.tests[0].title == "a title"
    return rules.tests[0]


def texts(written: list[Written]) -> list[str]:
    return [one.text for one in written]


def test_hands_of_a_pattern_ranking(with_test: Callable[[str], str]) -> None:
    test = first_test(with_test("ranking: pairs\nbetter: [2c, 2 of swords reversed]\nworse: [ace of cups, 3s]"))
    assert isinstance(test, HandTest)
    assert (test.better, test.worse) == ([["2c", "2 of swords reversed"]], [["ace of cups", "3s"]])


def test_hands_of_a_ranking_with_a_signature(with_test: Callable[[str], str]) -> None:
    test = first_test(with_test("ranking: side\noptions: {bonus: 2}\nhand: {shared: [2c, 3c]}\ncategory: Small"))
    assert isinstance(test, HandTest)
    assert (test.hand, test.category, test.options) == ([[], ["2c", "3c"]], "Small", {"bonus": "2"})


def test_equal_hands(with_test: Callable[[str], str]) -> None:
    test = first_test(with_test("ranking: pairs\nequal: [[2c, 2s], [2s, 2c]]"))
    assert isinstance(test, HandTest)
    assert test.equal == [[["2c", "2s"]], [["2s", "2c"]]]


def test_a_situation(with_test: Callable[[str], str]) -> None:
    test = first_test(
        with_test("""
players: 3
options: {bonus: 3}
cards: {p1.hand: [2c, 3c reversed], root: [4c], "inner[2]": [5c], stock: [6c]}
set: {p3.points: 4, dealer: p3}
chance: [[2c, 3c], 1]
moves: [p1: 2c, p3: [2c, done]]
then: plain
offered: {p2: 4..10}
expect: [p3.points is 4, p1.hand.count is 2]
""")
    )
    assert isinstance(test, SituationTest)
    assert (test.players, test.options, test.then) == (3, {"bonus": "3"}, "plain")
    assert {zone: texts(cards) for zone, cards in test.cards.items()} == {
        "p1.hand": ["2c", "3c reversed"],
        "root": ["4c"],
        "inner[2]": ["5c"],
        "stock": ["6c"],
    }
    assert {name: value.text for name, value in test.set.items()} == {"p3.points": "4", "dealer": "p3"}
    assert [one.text for one in test.chance] == ["2c, 3c", "1"]
    assert test.moves is not None
    assert [(seat, move.text) for seat, move in test.moves] == [(0, "2c"), (2, "2c"), (2, "done")]
    assert test.offered is not None
    assert (test.offered[0], texts(test.offered[1])) == (1, ["4..10"])
    assert len(test.expect) == 2


def test_no_moves_are_not_the_same_as_none(with_test: Callable[[str], str]) -> None:
    assert getattr(first_test(with_test("moves: []\nexpect: true")), "moves", None) == []
    assert getattr(first_test(with_test("expect: true")), "moves", None) is None


@pytest.mark.parametrize(
    ("test", "messages"),
    [
        ("ranking: pair\nhand: [2c, 2s]", ["pair > error there is no ranking `pair` [test-name] (did you mean `pairs`?)"]),
        ("ranking: pairs\nhand: [2c, 7s]\ncategory: Pair", ["7s > error there is no card `7s` [test-card]"]),
        ("ranking: pairs\nhand: [2c, 2 of sword]\ncategory: Pair", ["2 of sword > error there is no card `2 of sword` [test-card] (did you mean `2 of Swords`?)"]),
        ("ranking: pairs\nhand: [2c, 2s]\ncategory: Pear", ["Pear > error `pairs` has no category `Pear` [test-name] (did you mean `Pair`?)"]),
        ("ranking: pairs\nbetter: [2c, 2s]", ["ranking: pairs > error this test says nothing of its hands [test-keys] (write `better` and `worse`, or `equal`, or `hand` and `category`)"]),
        ("ranking: side\nhand: [2c]\ncategory: Big", ["[2c] > error a hand of `side` is a mapping, not a list [wrong-value]"]),
        ("ranking: side\nhand: {owned: [2c]}\ncategory: Big", ["owned > error `side` has no cards called `owned` [test-name] (did you mean `own`?)"]),
        ("ranking: pairs\nhand: [2c, 2s]\ncategory: Pair\nmoves: []", ["moves > error this test compares hands, so it has no `moves` [test-keys]"]),
        ("moves: []", ['"a title" > error this test expects nothing [test-keys] (write `expect:` with a condition, or `offered:` with what is asked next)']),
        ("options: {bonus: 9}\nexpect: true", ["9 > error `bonus` is from 0 to 5, not 9 [test-value]"]),
        ("options: {bonos: 1}\nexpect: true", ["bonos > error there is no option `bonos` [test-name] (did you mean `bonus`?)"]),
        ("players: 5\nexpect: true", ["5 > error the number of players is a number of 2 to 4, not 5 [wrong-value]"]),
        ("cards: {hand: [2c]}\nexpect: true", ["hand > error there is no zone `hand` [test-name] (did you mean `hand`?)"]),
        ("cards: {p3.hand: [2c]}\nexpect: true", ["p3.hand > error there is no zone `p3.hand` [test-name] (did you mean `hand`?)"]),
        ('cards: {"inner[3]": [2c]}\nexpect: true', ['"inner[3]" > error `inner` has the places 1 to 2 [test-name]']),
        ("set: {point: 1}\nexpect: true", ["point > error there is no variable `point` [test-name] (did you mean `points`?)"]),
        ("set: {p1.points: many}\nexpect: true", ["many > error `many` is no value of `points` [test-value] (it is a whole number)"]),
        ("set: {dealer: p3}\nexpect: true", ["p3 > error `p3` is no value of `dealer` [test-value] (it is a seat such as `p1`)"]),
        ("moves: [p3: 2c]\nexpect: true", ["p3 > error the seats of this test are p1 to p2, not `p3` [test-seat]"]),
        ("then: plane\nexpect: true", ["plane > error there is no strategy `plane` [test-name] (did you mean `plain`?)"]),
        ("expect: p3.points is 0", ["p3 > error there is no seat `p3`: the game has at most 2 players [seats]"]),
        ("expect: [p1.points is 0, p1.point is 0]", ["point > error a player has no `point` [unknown-attribute] (did you mean `points`?)"]),
    ],
)  # fmt: skip
def test_tests_that_are_wrong(with_test: Callable[[str], str], said: Said, test: str, messages: list[str]) -> None:
    assert said(with_test(test)) == messages
