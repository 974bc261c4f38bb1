"""Decisions in the reference engine: picks one by one, menus, numbers, orientations, secrets, what others are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trionfi.interpreter.decision import Decision, Option
from trionfi.interpreter.errors import GameError, IllegalMove
from trionfi.interpreter.reference.decisions import Limits, Series, candidate_sets
from trionfi.interpreter.rules import Rules

Small = Callable[..., Rules]

COPIES = "deck: {ranks: [ace, 2, jack], suits: [cups], copies: 3}\n"
HAND = {"p1.hand": ["ace of cups", "2 of cups", "ace of cups", "jack of cups", "ace of cups"]}


def begun(rules: Rules, *moves: int | str, players: int = 2, **stack: Any) -> Any:
    """A game with these moves made, by number or label."""
    game = rules.deal(players=players, seed=1, engine="reference", **stack)
    for move in moves:
        game.apply(move if isinstance(move, int) else game.decision.labels().index(move))
    return game


def labels(game: Any) -> list[str]:
    return [label.casefold() for label in game.decision.labels()]


def picks(small: Small, amount: str, *moves: int | str, sections: str = COPIES) -> Any:
    """p1 picks from ace, 2, ace, jack, ace."""
    rules = small(
        f"""
        deal 5 from stock to p1.hand
        p1 chooses {amount} from p1.hand as chosen_cards
        move chosen_cards to pile
        p1 chooses as next_thing:
          "on": end game
        """,
        sections,
    )
    return begun(rules, *moves, cards=HAND)


# ---- picks


def test_copies_are_one_option(small: Small) -> None:
    assert labels(picks(small, "1 card")) == ["ace of cups", "2 of cups", "jack of cups"]


def test_copies_stand_at_the_first_of_them_and_later_picks_come_from_behind(small: Small) -> None:
    assert labels(picks(small, "3 cards", 0)) == ["ace of cups", "2 of cups"]
    assert labels(picks(small, "3 cards", 0, 0)) == ["ace of cups", "2 of cups", "jack of cups"]
    # behind the 2 there is the jack alone
    assert labels(picks(small, "1..5 cards", 1)) == ["jack of cups", "done"]


def test_a_card_is_offered_if_enough_stay_behind_it(small: Small) -> None:
    assert labels(picks(small, "4 cards")) == ["ace of cups"]
    assert labels(picks(small, "3 cards")) == ["ace of cups"]
    assert labels(picks(small, "2 cards")) == ["ace of cups", "2 of cups"]


def test_done_is_offered_once_the_least_is_reached(small: Small) -> None:
    assert labels(picks(small, "2..3 cards", 0)) == ["ace of cups", "2 of cups", "jack of cups"]
    assert labels(picks(small, "2..3 cards", 0, 1))[-1] == "done"
    assert picks(small, "0..3 cards", 3).state["zones"]["pile"] == []


def test_a_choice_ends_at_the_most(small: Small) -> None:
    game = picks(small, "0..2 cards", 0, 0)
    assert game.decision.name == "next_thing"
    assert game.state["zones"]["pile"] == [0, 0]


def test_any_number_ends_with_the_last(small: Small) -> None:
    assert picks(small, "any cards", 0, 0, 0, 0, 0).decision.name == "next_thing"
    assert picks(small, "any cards", 0, "done").state["zones"]["pile"] == [0]
    assert "done" not in labels(picks(small, "1 or more cards"))


def test_a_choice_of_none_at_most_asks_nothing(small: Small) -> None:
    assert picks(small, "0 cards").decision.name == "next_thing"


def test_a_choice_from_too_few_is_an_error(small: Small) -> None:
    with pytest.raises(GameError, match="p1 has nothing to choose in `chosen_cards`") as caught:
        picks(small, "6 cards")
    assert caught.value.seed == 1


def test_the_chooser_is_told_what_is_picked(small: Small) -> None:
    game = picks(small, "3 cards", 0)
    assert [label.casefold() for label in game.decision.picked] == ["ace of cups"]
    assert game.decision.left == 2
    assert game.view(1)["decision"] == {"player": 0, "name": "chosen_cards"}
    assert len(game.view(0)["decision"]["options"]) == 2


def test_cards_that_the_chooser_does_not_know_are_told_apart_by_place_alone(small: Small) -> None:
    rules = small(
        """
        deal 2 from stock to each hand
        p1 looks at p2.hand
        p1 chooses 1 card from p2.hand as draw
        move draw to pile
        """,
        COPIES,
    )
    game = begun(rules, cards={"p2.hand": ["ace of cups", "ace of cups"]})
    assert labels(game) == ["ace of cups"]
    # the checker sees to it that this does not happen
    for card in game.table_state.zones[2]:
        game.table_state.known[card] = 0
    game.reconsider()
    assert labels(game) == ["card 1 of p2.hand", "card 2 of p2.hand"]


def test_the_result_is_in_the_order_of_the_things(small: Small) -> None:
    rules = small(
        "turn up stock\np1 looks at stock\np1 chooses 2 cards from stock where card.suit is swords as chosen_cards\nmove chosen_cards to pile"
    )
    assert begun(rules, 1, 1).state["zones"]["pile"] == [6, 8]


def test_players_suits_and_zones_are_picked(small: Small) -> None:
    rules = small(
        """
        p1 chooses 1 player where player is not p1 as rival
        chosen = rival
        p1 chooses 1 suit as trump
        p1 chooses 1 zone from spot where zone is empty as place
        move stock.top to place
        p1 chooses 1..2 players as friends
        count_of_friends = friends.count
        """,
        "variables: {chosen: {kind: player}, count_of_friends: 0}",
    )
    game = begun(rules, players=3)
    offered = []
    for move in (1, 1, 2, 0, 1):
        offered.append(labels(game))
        game.apply(move)
    assert offered == [
        ["p2", "p3"],
        ["cups", "swords"],
        ["spot[1]", "spot[2]", "spot[3]"],
        ["p1", "p2", "p3"],
        ["p2", "p3", "done"],
    ]
    assert game.state["variables"] == {"chosen": "p3", "count_of_friends": 2}


# ---- such that


def test_such_that_offers_what_a_legal_set_holds_next(small: Small) -> None:
    pair = "(chosen_cards.count is 2 and chosen_cards[1].rank is chosen_cards[2].rank)"
    condition = f"0..2 cards from stock as chosen_cards such that chosen_cards is empty or {pair}"
    rules = small(f"p1 looks at stock\np1 chooses {condition}\nmove chosen_cards to pile")
    game = begun(rules)
    assert labels(game) == ["ace of cups", "2 of cups", "3 of cups", "4 of cups", "jack of cups", "done"]
    game.apply(1)
    assert labels(game) == ["2 of swords"]
    game.apply(0)
    assert game.state["zones"]["pile"] == [1, 6]


def all_sets(count: int, limits: Limits) -> set[tuple[int, ...]]:
    return set(candidate_sets(list(range(count)), limits))


@given(st.integers(0, 7), st.integers(0, 4), st.integers(0, 4))
def test_candidate_sets_are_all_of_their_sizes(count: int, low: int, more: int) -> None:
    from itertools import combinations

    wanted = {c for size in range(low, low + more + 1) for c in combinations(range(count), size)}
    assert all_sets(count, Limits(low, low + more)) == wanted


def results(series: Series) -> list[tuple[Any, ...]]:
    """All that a series of picks can come to."""
    if len(series.picked) == series.limits.high:
        return [tuple(series.keys[i] for i in series.picked)]
    found = [tuple(series.keys[i] for i in series.picked)] if series.may_stop() else []
    for place in series.offered():
        deeper = Series(series.player, series.things, series.keys, series.limits, [*series.picked, place], series.legal)
        found += results(deeper)
    return found


@given(st.lists(st.integers(0, 3), max_size=7).map(sorted), st.integers(0, 3), st.integers(0, 2), st.booleans())
def test_each_set_of_faces_is_offered_once_and_no_way_is_blind(
    keys: list[int], low: int, more: int, as_a_whole: bool
) -> None:
    from itertools import combinations

    limits = Limits(low, low + more)
    if limits.high == 0:
        return
    wanted = {c for size in range(low, limits.high + 1) for c in combinations(keys, size)}
    series = Series(0, list(range(len(keys))), keys, limits, [])
    if as_a_whole:
        series.legal = set(candidate_sets(keys, limits))
    found = results(series)
    assert len(found) == len(set(found))
    assert set(found) == wanted


# ---- menus


def test_a_menu_stands_line_by_line_and_thing_by_thing(small: Small) -> None:
    rules = small(
        """
        deal 2 from stock to each hand
        p1 chooses as thing:
          "none of these" if p1.hand is not empty: stop_here = 1
          "never" if p1.hand is empty: stop_here = 2
          "{card} on {zone}" for each card in p1.hand and each zone in spot where fits(zone): move card to zone
          "{player}" for each player where player is not p1: stop_here = 3
        p1 chooses as thing_after:
          "on": end game
        """,
        """
        variables: {stop_here: 0}
        table:
          stock: {start: deck}
          hand: {per: player, seen_by: owner}
          spot: {row: 3, face: up}
        define:
          fits(zone): zone.place < 3
        """,
    )
    game = begun(rules, cards={"p1.hand": ["ace of cups", "2 of cups"]})
    assert labels(game) == [
        "none of these",
        "ace of cups on spot[1]",
        "ace of cups on spot[2]",
        "2 of cups on spot[1]",
        "2 of cups on spot[2]",
        "p2",
    ]
    assert begun(rules, 3, cards={"p1.hand": ["ace of cups", "2 of cups"]}).state["zones"]["spot"] == [1]


def test_a_line_about_copies_is_one_option(small: Small) -> None:
    rules = small(
        """
        deal 3 from stock to p1.hand
        p1 chooses as thing:
          "play {card}" for each card in p1.hand: move card to pile
          "keep {card}" for each card in p1.hand: move card to hidden
        """,
        COPIES,
    )
    game = begun(rules, cards={"p1.hand": ["ace of cups", "ace of cups", "jack of cups"]})
    assert labels(game) == ["play ace of cups", "play jack of cups", "keep ace of cups", "keep jack of cups"]


def test_a_menu_without_a_line_is_an_error(small: Small) -> None:
    with pytest.raises(GameError, match="p1 has nothing to choose in `thing`"):
        begun(small('p1 chooses as thing:\n  "go" if pile is not empty: shuffle stock'))


def test_equal_labels_are_told_apart() -> None:
    decision = Decision(0, "thing", 3, lambda: [Option("go"), Option("stay"), Option("go")])
    assert decision.labels() == ["go", "stay", "go #2"]
    assert [decision.move_called(text) for text in ("go", "GO #2", "stay", "run")] == [0, 2, 1, None]


# ---- numbers


@pytest.mark.parametrize(
    ("low", "high", "step", "numbers"),
    [
        (2, 9, 1, list(range(2, 10))),
        (2, 9, 3, [2, 5, 8, 9]),
        (2, 8, 3, [2, 5, 8]),
        (4, 4, 5, [4]),
        (-3, 0, 2, [-3, -1, 0]),
    ],
)
def test_the_highest_number_is_always_offered(low: int, high: int, step: int, numbers: list[int]) -> None:
    decision = Decision.of_number(0, "bet", low, high, step)
    assert [decision.number(move) for move in range(decision.count)] == numbers
    assert [decision.move_to_number(number) for number in numbers] == list(range(len(numbers)))
    assert decision.move_to_number(high + 1) is None
    assert decision.options == []


def test_a_number_between_the_steps_is_not_offered() -> None:
    decision = Decision.of_number(0, "bet", 2, 9, 3)
    assert [decision.move_called(text) for text in ("5", "6", "9", "ten")] == [1, None, 3, None]


def test_a_number_is_chosen(small: Small) -> None:
    rules = small("p1 chooses number from 2 to 9 step 3 as bet\nresult = bet", "variables: {result: 0}")
    assert begun(rules, 3).state["variables"] == {"result": 9}


@pytest.mark.parametrize(
    ("range_", "message"),
    [("3 to zero", "p1 has no number to choose in `bet`: 3 to 0"), ("0 to 3 step zero", "the step of `bet` is 0")],
)
def test_a_range_without_numbers_is_an_error(small: Small, range_: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        begun(small(f"p1 chooses number from {range_} as bet\nzero = bet", "variables: {zero: 0}"))


# ---- orientation


def test_orientations_are_asked_card_by_card(small: Small) -> None:
    rules = small("deal 2 from stock to each hand\np1 chooses orientation of each card in p1.hand")
    game = begun(rules)
    assert (game.decision.name, labels(game)) == ("orientation", ["upright", "reversed"])
    assert game.view(0)["decision"]["card"] == game.view(0)["zones"]["p1.hand"][0]
    game.apply(1)
    assert game.state["zones"]["p1.hand"] == [19, 7]
    game.apply(0)
    assert game.over


# ---- in secret


SECRET = """
    deal 2 from stock to each hand
    each player secretly chooses:
      1 card from player.hand as player.pick
      orientation of each card in player.hand
      number from 0 to 3 as player.bid
    for each player: turn up player.pick
    p1 chooses as next_thing:
      "on": end game
"""


def test_nothing_is_set_or_told_before_all_have_chosen(small: Small) -> None:
    rules = small(SECRET, "variables: {pick: {per: player, kind: card}, bid: {per: player, start: 7}}")
    game = begun(rules, 0, 1, 1, 2)
    assert game.decision.player == 1
    assert game.state["variables"]["p1.bid"] == 7
    assert game.state["zones"]["p1.hand"] == [9, 7]
    assert game.log == game.view(0)["log"] == []
    for move in (1, 0, 1, 3):
        game.apply(move)
    assert game.state["variables"] == {"p1.pick": 19, "p2.pick": 16, "p1.bid": 2, "p2.bid": 3}
    assert game.state["zones"] == {**game.state["zones"], "p1.hand": [19, 17], "p2.hand": [8, 16]}
    assert [line["decision"] for line in game.log] == ["pick", "orientation", "orientation", "bid"] * 2
    # p2 sees the card that was turned up, its orientation, and not the other's
    shown = [line["label"] for line in game.view(1)["log"][:4]]
    assert [shown[0].casefold(), *shown[1:]] == ["jack of swords", "reversed", "upright or reversed", "2"]


def test_a_choice_into_a_secret_variable_is_not_told(small: Small) -> None:
    rules = small(
        'each player secretly chooses:\n  number from 0 to 3 as player.bid\np1 chooses as next_thing:\n  "on": end game',
        "variables: {bid: {per: player, start: 0, secret: owner}}",
    )
    game = begun(rules, 2, 3)
    assert [line["label"] for line in game.view(0)["log"]] == ["2", None]
    assert game.view(0)["variables"] == {"p1.bid": 2}
    assert game.view(1)["variables"] == {"p2.bid": 3}
    assert game.state["variables"] == {"p1.bid": 2, "p2.bid": 3}


def test_others_are_told_the_card_if_they_see_it_at_the_next_decision(small: Small) -> None:
    rules = small(
        """
        deal 2 from stock to each hand
        p1 chooses 1 card from p1.hand as lead
        move lead to pile
        p1 chooses 1 card from p1.hand as discard
        move discard to hidden
        p1 chooses as next_thing:
          "on": end game
        """
    )
    game = begun(rules, 0, 0)
    assert [line["label"].casefold() for line in game.view(1)["log"]] == ["jack of swords", "a card"]
    assert [line["label"].casefold() for line in game.view(0)["log"]] == ["jack of swords", "3 of swords"]


# ---- moves


def test_only_what_is_offered_can_be_chosen(small: Small) -> None:
    game = begun(small("p1 chooses 1 suit as trump"))
    for move in (2, -1, "cups", None):
        with pytest.raises(IllegalMove):
            game.apply(move)
    game.apply(1)
    assert game.over
    with pytest.raises(IllegalMove, match="the game is over"):
        game.apply(0)


def test_a_game_that_failed_says_so_again(small: Small) -> None:
    rules = small("p1 chooses number from 0 to 20 as size\ndeal size from stock to pile")
    game = begun(rules)
    for _ in range(2):
        with pytest.raises(GameError, match="20 cards are to be dealt") as caught:
            game.apply(20)
        assert caught.value.moves == [20]


def test_a_decision_keeps_its_labels_when_the_game_has_gone_on(small: Small) -> None:
    rules = small(
        """
        p1 chooses as thing:
          "{stock.count} cards": deal 3 from stock to pile
        p1 chooses as next_thing:
          "on": end game
        """
    )
    game = begun(rules)
    decision = game.decision
    game.apply(0)
    assert decision.labels() == ["10 cards"]
