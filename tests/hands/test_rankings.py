"""What docs/rankings.md says, one thing after the other, on hands of a few cards."""

from __future__ import annotations

from typing import Any

import pytest
from given import given

from trionfi.interpreter.hands import HandTable, HandValue


def value(ranking: str, *hand: object, **options: Any) -> HandValue:
    found = given("odd-hands", **options).rank(ranking, list(hand))
    assert found is not None, f"{hand} is no hand"
    return found


# ---- which cards


def test_a_hand_has_as_many_cards_as_there_are_and_at_most_those_of_the_ranking() -> None:
    assert value("combination", "3c").category == "Single"
    # of two cards that are no pair neither counts alone
    assert given("odd-hands").rank("combination", ["3c", "4c"]) is None
    assert given("odd-hands").rank("combination", []) is None
    assert value("combination", "3c", "4d", "5h", "6s", "7c", "8d", "Kd").category == "Straight"


def test_exact_parts() -> None:
    odd = given("odd-hands")
    best = odd.rank("combination", (["9c", "9d", "4h"], 2), (["9h", "Ks", "Kd", "Kh"], 3))
    assert best is not None
    assert best.category == "Full House"
    assert best.cards == ("9 of Clubs", "9 of Diamonds", "King of Spades", "King of Diamonds", "King of Hearts")
    # a part without a number fills the hand up
    filled = odd.rank("combination", ["9c", "9d", "4h"], (["9h", "Ks", "Kd", "Kh"], 3))
    assert filled == best
    assert odd.rank("combination", (["9c"], 2), ["9h", "Ks", "Kd"]) is None
    assert odd.rank("combination", (["9c", "9d", "9s"], 3), (["9h", "Ks", "Kd"], 3)) is None


def test_a_card_in_two_parts_counts_in_the_first() -> None:
    odd = given("odd-hands")
    table, cards = odd.laid(["9c", "9d", "Ks"])
    evaluator = odd.evaluator("combination")
    assert evaluator.best_hand(table, [(cards[:2], None), (cards[:2], None)]).category == "Pair"
    assert evaluator.best_hand(table, [(cards[:2], 2), (cards[:2], 1)]) is None


def test_of_equal_hands_the_first_stands() -> None:
    best = given("odd-hands").rank("groups_first", ["3c", "9c", "9d", "9h", "Ac"])
    assert best is not None
    assert best.cards == ("9 of Clubs", "9 of Diamonds", "Ace of Clubs") or best.category == "Other"
    assert value("combination", "8c", "8d", "8h", "Ks", "Kd", "Kh").cards[:2] == ("8 of Clubs", "8 of Diamonds")


# ---- facts


def test_runs_end_where_the_ranking_says() -> None:
    low = value("combination", "2c", "3d", "4h", "5s", "6c")
    assert low.category == "Straight"
    high = value("combination", "Jc", "Qd", "Kh", "As", "2c")
    assert high.category == "Straight"
    assert high > value("combination", "10c", "Jd", "Qh", "Ks", "Ac") > low
    assert value("combination", "3c", "4d", "5h", "6s", "7c") > low
    for corner in (["Qc", "Kd", "Ah", "2s", "3c"], ["Ac", "2d", "3h", "4s", "5c"]):
        assert given("odd-hands").rank("combination", corner) is None


def test_parts_of_a_category_share_no_card() -> None:
    assert value("facts", "3c", "4d", "7h", "7s").category == "Run and Pair"
    assert value("facts", "8c", "9d", "7h", "7s").category == "Run and Pair"
    assert value("facts", "7c", "7d", "8h", "Ks").category == "Warm"
    assert value("facts", "7c", "7s", "8h", "Ks").category == "Long Run"


def test_facts_about_all_some_and_how_many_cards() -> None:
    assert value("facts", "Jc", "Qd", "Kh", "Ks").category == "Court"
    assert value("facts", "Jc", "Qd", "9h").category == "Warm"
    assert value("facts", "3d", "5h", "7d", "9h", strict=True).category == "Several"
    assert value("facts").category == "Empty"


def test_a_fact_under_an_option() -> None:
    assert value("facts", "3c", "5c", "7c", strict=True).category == "Suited"
    assert value("facts", "3c", "5d", "7c", strict=True).category == "Several"
    assert value("facts", "3c", "5d", "7c", strict=False).category == "Suited"


def test_none_is_alike_to_nothing() -> None:
    """Jokers have no suit and no rank."""
    assert value("facts", "Joker 1", "Joker 2", strict=True).category == "Several"
    assert value("groups_first", "Joker 1", "Joker 2", "4c").category == "Other"
    unranked: list[object] = [{"card": "7c", "rank": "none"}, {"card": "7d", "rank": None}, "4c"]
    assert value("groups_first", *unranked).category == "Other"
    unsuited: list[object] = [{"card": "3c", "suits": []}, {"card": "5c", "suits": "none"}]
    assert value("facts", *unsuited, strict=True).category == "Several"


def test_four_alike_are_two_pair_where_nothing_better_takes_them() -> None:
    assert value("facts", "7c", "7d", "7s", "7h", strict=True).category == "Warm"
    assert value("facts", "7c", "7s", {"card": "7d", "suits": "clubs"}, "7h").category == "Two Pair"


# ---- order


def test_groups_before_the_category() -> None:
    assert value("groups_first", "Ac", "3d", "4h") > value("groups_first", "Kc", "7d", "7h")
    assert value("groups_first", "7c", "6s", "5h") > value("groups_first", "7c", "7s", "4h")


def test_a_hand_that_runs_out_of_groups_first_is_lower() -> None:
    assert value("facts", "Kc", "9d", "7s", strict=True) > value("facts", "Kd", "9s", strict=True)


def test_categories_and_columns() -> None:
    court = value("facts", "Jc", "Qd", "Kh", "Ks")
    assert (court.number, court.category, court.columns, court.points) == (0, "Court", {"points": 9}, 9)
    with pytest.raises(AttributeError, match="no column price"):
        _ = court.price


def test_values_compare_within_a_ranking() -> None:
    pair, single = value("combination", "9c", "9d"), value("combination", "9c")
    assert pair > single
    assert single < pair
    assert pair >= value("combination", "9h", "9s")
    assert single <= value("combination", "9s")
    assert pair == value("combination", "9h", "9s")
    assert hash(pair) == hash(value("combination", "9h", "9s"))
    assert pair != value("facts", "9c", "9d")
    with pytest.raises(TypeError, match="compares with hands of combination only"):
        _ = pair < value("facts", "9c", "9d")


@pytest.mark.parametrize(
    ("ranking", "better", "worse"),
    [
        ("turned", ["2w"], ["kw reversed"]),
        ("by_category", ["2w", "2c"], ["kw", "qw"]),
        ("by_value", ["3w", "3c"], ["2w", "2c"]),
        ("by_value", ["2w", "3c"], ["kw"]),
    ],
)
def test_orders_by_orientation_category_and_value(ranking: str, better: list[str], worse: list[str]) -> None:
    odd = given("odd-orders")
    high, low = odd.rank(ranking, better), odd.rank(ranking, worse)
    assert high is not None
    assert low is not None
    assert high > low


# ---- readings


def test_an_altered_card_is_what_it_is_now() -> None:
    kings = value("combination", {"card": "7s", "rank": "king"}, "Kc")
    assert kings == value("combination", "Ks", "Kc")
    assert kings.cards == ("7 of Spades", "King of Clubs")
    flush: list[object] = [
        "3c",
        "5c",
        "9c",
        {"card": "Jd", "suits": ["clubs", "spades"]},
        {"card": "Kh", "suits": "every"},
    ]
    assert value("combination", *flush).category == "Flush"
    flush[0] = {"card": "3c", "suit": "hearts"}
    assert given("odd-hands").rank("combination", flush) is None


def test_each_card_of_any_rank_takes_its_own() -> None:
    any_rank: list[object] = [{"card": "3c", "rank": "every"}, {"card": "4d", "rank": "every"}]
    run = value("combination", "9c", "10d", "Qs", *any_rank)
    assert run == value("combination", "9c", "10d", "Js", "Qc", "Kh")
    assert value("combination", "9c", "9d", "Qs", *any_rank).category == "Four and One"


def test_a_card_makes_no_pair_with_itself() -> None:
    odd = given("odd-orders")
    two_suits = {"card": "7w", "suits": ["wands", "cups"]}
    alone, pair = odd.rank("suited_pair", [two_suits, "9w"]), odd.rank("suited_pair", [two_suits, "7s"])
    assert alone is not None
    assert pair is not None
    assert (alone.category, pair.category) == ("Other", "Pair")
    # each card takes the better of its suits
    assert odd.rank("suited_pair", ["7c", "9w"]) == alone


def test_what_a_card_is_read_as_is_put_back() -> None:
    odd = given("odd-hands")
    table, cards = odd.laid([{"card": "3c", "rank": "every", "suits": "every"}, "9c"])
    before = list(table.looks)
    assert odd.evaluator("combination").best_hand(table, [(cards, None)]).category == "Pair"
    assert table.looks == before


def test_a_ranking_that_reads_the_game_is_not_remembered() -> None:
    odd = given("odd-hands")
    table = PlayedTable([odd.reader.card(name) for name in ("3c", "9c")])
    evaluator = odd.evaluator("shifting")
    ranks = odd.ruleset.enumerations["rank"].members
    found = []
    for wild in ("9", "4", "3"):
        table.values = [[ranks.index(wild)]]
        found.append(evaluator.best_hand(table, [([0, 1], None)]))
    assert [hand.category for hand in found] == ["Pair", "Other", "Pair"]
    assert found[2] > found[0]


class PlayedTable(HandTable):
    """Cards, and a game's variables."""

    values: list[list[Any]]


# ---- totals


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ([], (0, False, False)),
        (["Ac"], (10, True, False)),
        (["Ac", "As"], (11, True, False)),
        (["Ac", "3s", "2c"], (10, True, False)),
        (["Ac", "10s"], (11, False, False)),
        (["Ac", "10s", "3c"], (14, False, True)),
        ([{"card": "Kc", "suits": "every"}, "9c"], (12, True, False)),
        ([{"card": "Kc", "suits": "every"}, "10c"], (12, True, False)),
        ([{"card": "Ac", "rank": "king"}, "10c"], (11, False, False)),
    ],
)
def test_totals(cards: list[object], total: tuple[int, bool, bool]) -> None:
    """An ace counts 1, 5 or 10, a king as its suit stands; 12 is the limit."""
    assert tuple(given("odd-hands").total("many_values", cards)) == total


def test_a_total_without_a_limit() -> None:
    assert tuple(given("odd-hands").total("no_limit", ["3c", "4c"])) == (6, True, False)
