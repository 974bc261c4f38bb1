"""Cards and knowledge in the reference engine: numbers, dealing, moving, turning, who knows what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.game import Game
from trionfi.interpreter.rules import Rules

Small = Callable[..., Rules]

# ten cards: ace, 2, 3, 4, jack of cups (0 to 4), then of swords (5 to 9); reversed 10 more


def played(rules: Rules, *moves: int, **stack: Any) -> Any:
    """A game of two, with these moves made."""
    game = rules.deal(players=2, seed=1, engine="reference", **stack)
    for move in moves:
        game.apply(move)
    return game


def zones(game: Game) -> Any:
    return game.state["zones"]


def known(game: Game, zone: str) -> Any:
    return game.state["known"][zone]  # type: ignore[index]


def test_cards_have_their_faces_numbers(small: Small) -> None:
    rules = small("shuffle stock")
    assert [name.casefold() for name in rules.cards[:2]] == ["ace of cups", "2 of cups"]
    assert len(rules.cards) == 10


@pytest.mark.parametrize(
    ("copies", "cards"),
    [("count of players where player is not p1", 5), ("2 if any suit where suit is cups, else 1", 10)],
)
def test_how_many_copies_there_are_may_hang_on_queries(small: Small, copies: str, cards: int) -> None:
    deck = f'deck: {{ranks: [ace, 2, 3, 4, jack], suits: [cups], copies: "{copies}"}}'
    assert len(zones(played(small("shuffle stock", deck)))["stock"]) == cards


def test_the_deck_lies_in_order_face_down_and_unknown_at_the_start(small: Small) -> None:
    game = small("move stock.top to pile").deal(players=2, engine="reference", begin=False)
    assert zones(game)["stock"] == list(range(10))
    assert game.state["face_up"]["stock"] == [False] * 10  # type: ignore[index]
    assert known(game, "stock") == [[]] * 10


def test_a_deal_goes_card_by_card_from_the_top(small: Small) -> None:
    game = played(small("deal 3 from stock to hidden"))
    assert zones(game)["hidden"] == [9, 8, 7]


def test_a_deal_around_goes_round_by_round(small: Small) -> None:
    game = played(small("deal 2 from stock to each hand"))
    assert (zones(game)["p1.hand"], zones(game)["p2.hand"]) == ([9, 7], [8, 6])


def test_a_deal_around_starts_left_of_the_dealer(small: Small) -> None:
    rules = small(
        """
        dealer = p1
        deal 1 from stock to each hand
        """,
        "variables: {dealer: {kind: player}}",
    )
    assert zones(played(rules))["p2.hand"] == [9]


def test_a_deal_to_a_row_fills_empty_places_in_order(small: Small) -> None:
    game = played(small("deal 2 from stock to spot\nmove left_spot to hidden\ndeal 2 from stock to spot"))
    assert zones(game)["spot"] == [7, 8, 6]


def test_a_row_without_an_empty_place_is_an_error(small: Small) -> None:
    with pytest.raises(GameError, match="no place of `spot` is empty"):
        played(small("p1 chooses number from 0 to 9 as size\ndeal size from stock to spot"), 4)


def test_a_deal_of_too_many_is_an_error_with_its_place(small: Small) -> None:
    with pytest.raises(GameError, match="11 cards are to be dealt from `stock`, which holds 10") as caught:
        played(small("p1 chooses number from 0 to 11 as size\ndeal size from stock to hidden"), 11)
    assert caught.value.span.text == "deal size from stock to hidden"
    assert "in game 0 of seed 1, after 1 moves" in str(caught.value)


def test_a_deal_up_to_takes_what_there_is(small: Small) -> None:
    game = played(small("let size = stock.count + 1\ndeal up to size from stock to hidden"))
    assert len(zones(game)["hidden"]) == 10


def test_when_short_runs_once_and_first(small: Small) -> None:
    rules = small(
        """
        deal 8 from stock to pile
        deal 3 from stock to hidden
        """,
        """
        table:
          stock: {start: deck, when short: restock()}
          pile: {face: up}
          hidden: {face: down}
        procedures:
          restock(): move pile to stock face down
        """,
    )
    game = played(rules)
    # the eight came back on top of the two that were left
    assert zones(game)["hidden"] == [2, 3, 4]
    assert zones(game)["stock"] == [0, 1, 9, 8, 7, 6, 5]


def test_moved_cards_keep_their_order_and_the_first_ends_lowest(small: Small) -> None:
    game = played(small("deal 3 from stock to hidden\nmove hidden to pile"))
    assert zones(game)["pile"] == [9, 8, 7]


def test_to_the_bottom_the_first_ends_lowest_too(small: Small) -> None:
    game = played(small("deal 3 from stock to hidden\nmove hidden to bottom of stock"))
    assert zones(game)["stock"][:4] == [9, 8, 7, 0]


def test_top_cards_come_topmost_first(small: Small) -> None:
    game = played(small("move (top 3 cards in stock) to pile"))
    assert zones(game)["pile"] == [9, 8, 7]


def test_turning_over_puts_the_top_card_lowest_and_face_down(small: Small) -> None:
    game = played(small("deal 3 from stock to pile\ndeal 7 from stock to hidden\nturn over pile onto stock"))
    assert zones(game)["stock"] == [7, 8, 9]
    assert game.state["face_up"]["stock"] == [False] * 3  # type: ignore[index]


def test_a_capacity_is_kept(small: Small) -> None:
    table = "table: {stock: {start: deck}, few: {capacity: 2}}"
    with pytest.raises(GameError, match="`few` holds 2 cards, another does not fit"):
        played(small("for each card in stock: move card to few", table))


def test_a_face_is_the_statements_else_the_zones_else_the_cards_own(small: Small) -> None:
    rules = small(
        """
        deal 1 from stock to pile
        deal 1 from stock to pile face down
        move pile to p1.hand
        """
    )
    assert played(rules).state["face_up"]["p1.hand"] == [True, False]


def test_who_knows_a_card_follows_it_and_a_shuffle_forgets(small: Small) -> None:
    rules = small(
        """
        deal 1 from stock to each hand
        deal 1 from stock to pile
        show p2.hand to p1
        move pile.top to stock face down
        p1 chooses as ready:
          "yes": shuffle stock
        p1 chooses as ready:
          "yes": move p1.hand to stock
        """
    )
    game = played(rules)
    assert known(game, "p1.hand") == [[0]]
    assert known(game, "p2.hand") == [[0, 1]]
    assert known(game, "stock")[-1] == [0, 1]
    assert game.view(1)["zones"]["stock"][-1] == zones(game)["stock"][-1]
    game.apply(0)
    assert known(game, "stock") == [[]] * 8
    game.apply(0)
    assert known(game, "stock")[-1] == [0]
    assert game.view(1)["zones"]["stock"] == [None] * 9
    assert game.view(0)["zones"]["stock"][-1] == zones(game)["stock"][-1]


def test_a_shuffle_of_a_hand_leaves_it_known_to_its_owner(small: Small) -> None:
    rules = small("deal 2 from stock to each hand\nshow p1.hand\nshuffle p1.hand")
    assert known(played(rules), "p1.hand") == [[0], [0]]


def test_what_lies_face_up_is_known_through_a_shuffle(small: Small) -> None:
    assert known(played(small("deal 2 from stock to pile\nshuffle pile")), "pile") == [[0, 1]] * 2


def test_a_player_looks_alone(small: Small) -> None:
    assert known(played(small("p2 looks at (top 2 cards in stock)")), "stock")[-3:] == [[], [1], [1]]


def test_half_of_the_cards_are_turned(small: Small) -> None:
    game = played(small("shuffle stock rotating half"))
    assert sum(card >= 10 for card in zones(game)["stock"]) == 5


def test_a_turn_is_set_and_read(small: Small) -> None:
    rules = small(
        """
        turn stock.top to reversed
        if stock.top.orientation is reversed and stock[1].orientation > stock.top.orientation: done = true
        """,
        "variables: {done: false}",
    )
    game = played(rules)
    assert game.state["variables"] == {"done": True}
    assert zones(game)["stock"][-1] == 19


def test_turning_up_makes_known_and_down_does_not_forget(small: Small) -> None:
    game = played(small("turn up stock.top\nturn down stock.top"))
    assert known(game, "stock")[-1] == [0, 1]
    assert game.state["face_up"]["stock"][-1] is False  # type: ignore[index]


def test_owner_zone_and_depth(small: Small) -> None:
    rules = small(
        """
        deal 2 from stock to each hand
        owner = p2.hand.top.owner
        nobody = stock.top.owner
        depth = p1.hand[1].depth
        """,
        "variables: {owner: {kind: player}, nobody: {kind: player, start: p1}, depth: 0}",
    )
    assert played(rules).state["variables"] == {"owner": "p2", "nobody": None, "depth": 2}


def test_a_card_that_is_not_kept_lies_nowhere(small: Small) -> None:
    rules = small(
        "gone = (jack of cups).zone is none\nmove jack of swords to pile",
        """
        deck:
          ranks: [ace, jack]
          suits: [cups, swords]
          keep: card is not jack of cups or players.count is 3
        variables: {gone: false}
        """,
    )
    game = played(rules)
    assert game.state["variables"] == {"gone": True}
    assert zones(game) == {**zones(game), "stock": [0, 2], "pile": [3]}


def test_cards_kept_at_some_seat_counts_keep_their_number(small: Small) -> None:
    rules = small(
        "shuffle pile",
        """
        deck:
          ranks: [ace, jack]
          suits: [cups, swords]
          keep: card.rank is jack or players.count is not 3
        """,
    )
    assert len(rules.cards) == 4
    three = rules.start(players=3, seed=1, engine="reference")
    assert zones(three)["stock"] == [1, 3]


def test_copies_share_a_face(small: Small) -> None:
    rules = small("shuffle pile", "deck: {ranks: [ace, jack], suits: [cups], copies: 3}")
    game = played(rules)
    assert zones(game)["stock"] == [0, 0, 0, 1, 1, 1]


def test_moving_all_cards_gathers_every_one(small: Small) -> None:
    game = played(small("deal 2 from stock to each hand\ndeal 2 from stock to spot\nmove all cards to stock face down"))
    assert zones(game)["stock"] == list(range(10))


def test_exchanging_cards_that_nobody_knows_changes_no_view(small: Small) -> None:
    game = played(small("deal 2 from stock to each hand\np1 chooses 1 card from p1.hand as lead"))
    before = game.view(0)
    game.table_state.swap_cards(game.table_state.zones[0][0], game.table_state.zones[2][0])
    game.reconsider()
    assert game.view(0) == before
    game.table_state.swap_cards(game.table_state.zones[0][0], game.table_state.zones[1][0])
    game.reconsider()
    assert game.view(0) != before
