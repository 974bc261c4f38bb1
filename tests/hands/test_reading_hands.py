"""Hands as callers give them, and what they are told when they give something else."""

from __future__ import annotations

from typing import Any

import pytest
from given import given

from trionfi.interpreter.hands import Look
from trionfi.interpreter.hands.reading import HandError, HandReader, rank_rows

TWO_WIN_CARDS = 78


def look(card: object, rules: str = "two-win") -> Look:
    return given(rules).reader.card(card)


@pytest.mark.parametrize(
    "card",
    ["7 of Wands", "  7  OF wands ", "7w", {"card": "7w"}, {"card": "7w", "reversed": False}, "7 of wands upright", 6],
)
def test_one_card_by_many_names(card: object) -> None:
    faces = given("two-win").ruleset.faces
    found = look(card)
    assert faces[found.face].name == ("7 of Wands" if card != 6 else faces[6].name)
    assert not found.reversed


@pytest.mark.parametrize(
    "card",
    [
        "Death reversed",
        {"card": "Death", "reversed": True},
        {"card": "Death", "orientation": "reversed"},
        {"card": "Death reversed"},
    ],
)
def test_reversed_cards(card: object) -> None:
    assert look(card) == look("Death")._replace(reversed=True)


def test_numbers_of_cards() -> None:
    numbered = [look(number) for number in range(2 * TWO_WIN_CARDS)]
    assert [card.face for card in numbered] == [*range(TWO_WIN_CARDS)] * 2
    assert [card.reversed for card in numbered] == [False] * TWO_WIN_CARDS + [True] * TWO_WIN_CARDS


def test_numbers_count_the_cards_that_the_game_keeps() -> None:
    reader = HandReader(given("two-win").ruleset, kept=[5, 9, 77])
    assert [reader.card(number).face for number in range(6)] == [5, 9, 77, 5, 9, 77]
    with pytest.raises(HandError, match="not in this game"):
        reader.card(given("two-win").ruleset.faces[6].name)


def test_altered_cards() -> None:
    suits = given("two-win").ruleset.enumerations["suit"].members
    plain = look("7w")
    assert look({"card": "7w", "suits": "every"}) == plain._replace(suits=(1 << len(suits)) - 1)
    assert look({"card": "7w", "suit": "cups"}).suits == 1 << suits.index("cups")
    assert look({"card": "7w", "suits": ["cups", "wands"]}).suits == 1 << suits.index("cups") | plain.suits
    assert look({"card": "7w", "suits": "none"}).suits == 0
    assert look({"card": "7w", "rank": "every"}) == plain._replace(rank=None, any_rank=True)
    assert look({"card": "7w", "rank": "none"}) == plain._replace(rank=None)
    assert look({"card": "7w", "rank": 8}).rank == look("8w").rank
    assert look({"card": "7w", "rank": "King"}).rank == look("king of cups").rank


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        (["7 of Wnads"], r"there is no card `7 of Wnads`: did you mean `7 of Wands`\?"),
        ([["7w"]], r"a card is a name, a number or a mapping, not \['7w'\]"),
        ([156], r"cards are numbered from 0 to 77 \(reversed from 78\), not 156"),
        ([-1], "not -1"),
        ([True], "not True"),
        ([None], "a card is a name, a number or a mapping, not None"),
        ([{"card": "7w", "ranks": "every"}], r"a card has no `ranks`: did you mean `rank`\?"),
        ([{"rank": "king"}], "an altered card says which"),
        ([{"card": "7w", "rank": "jack"}], "there is no rank `jack`"),
        ([{"card": "7w", "rank": True}], "there is no rank `True`"),
        ([{"card": "7w", "suits": ["cups", "coins"]}], "there is no suit `coins`"),
        ([{"card": "7w", "reversed": "yes"}], "`reversed` is true or false, not 'yes'"),
        ("7w", "a hand is a list of cards, not '7w'"),
        (7, "a hand is a list of cards, not 7"),
        ({"card": "7w"}, "a hand is a list of cards"),
        ((["7w"], -1), r"a part is \(cards, number of cards to use\), not \(cards, -1\)"),
        ((["7w"], True), "a part is"),
        ((["7w"], "2"), "a part is"),
    ],
)
def test_what_cannot_be_read_says_why(hand: object, message: str) -> None:
    with pytest.raises(HandError, match=message):
        given("two-win").rank("poker", hand)


def test_a_deck_of_one_way_cards_has_none_reversed() -> None:
    holdem = given("no-limit-holdem")
    for card in ("7s reversed", 52 + 5):
        with pytest.raises(HandError, match="do not lie reversed"):
            holdem.rank("hand", [card])


def test_no_card_is_there_more_often_than_in_the_deck() -> None:
    ruleset = given("two-win").ruleset
    reader = HandReader(ruleset, range(TWO_WIN_CARDS), copies=[1] * TWO_WIN_CARDS)
    ranking = ruleset.rankings["poker"]
    reader.read(ranking, [["7w", "8w"]])
    with pytest.raises(HandError, match="7 of Wands is given 2 times, the game has 1"):
        reader.read(ranking, [["7w", "8w"], (["7 of wands reversed"], 1)])


def test_a_ranking_by_conditions_takes_its_parameters_in_order_or_by_name() -> None:
    two_win = given("two-win")
    own, shared = ["ace of cups", "king of cups"], ["2w", "3w", "4w"]
    natural = two_win.rank("twenty_one", own, shared)
    assert natural is not None
    assert natural.category == "Natural"
    assert natural.cards == ("Ace of Cups", "King of Cups", "2 of Wands", "3 of Wands", "4 of Wands")
    assert two_win.rank("twenty_one", {"shared": shared, "own": own}) == natural
    with pytest.raises(HandError, match="`twenty_one` takes own, shared: 2 parts, not 1"):
        two_win.rank("twenty_one", own)


def test_rows_of_numbers() -> None:
    two_win = given("two-win")
    names = [face.name for face in two_win.ruleset.faces]
    hands: list[list[Any]] = [
        ["2 of Cups", "3 of Cups", "4 of Cups", "5 of Cups", "7 of Swords"],
        ["2 of Wands", "3 of Cups", "4 of Cups", "5 of Cups", "7 of Swords"],
        ["2 of Wands", "2 of Cups", "4 of Cups", "5 of Cups", "7 of Swords"],
    ]
    rows = [[names.index(card) for card in hand] for hand in hands]
    rows.append([*rows[2][:4]])
    strengths = rank_rows(two_win.evaluator("poker"), two_win.reader, [rows])
    assert strengths.typecode == "q"
    assert strengths[0] == strengths[1] < strengths[2]
    assert strengths[3] == -1
    parts = [[row[:2] for row in rows[:3]], ([row[2:] for row in rows[:3]], 3)]
    assert list(rank_rows(two_win.evaluator("poker"), two_win.reader, parts)) == list(strengths[:3])
    with pytest.raises(HandError, match="as many rows"):
        rank_rows(two_win.evaluator("poker"), two_win.reader, [rows, (rows[:2], 2)])


def test_arrays_are_taken_as_they_are() -> None:
    numpy = pytest.importorskip("numpy", reason="arrays are taken, not required")
    two_win = given("two-win")
    rows = numpy.array([[0, 1, 2, 3, 20], [0, 14, 28, 42, 20]], dtype=numpy.uint8)
    strengths = rank_rows(two_win.evaluator("poker"), two_win.reader, [rows])
    assert strengths[0] < strengths[1]
