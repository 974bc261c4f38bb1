"""What a view shows and leaves out; what `state` says of everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.interpreter.rules import Rules

Small = Callable[..., Rules]


def game_of(rules: Rules, players: int = 2, **options: Any) -> Any:
    return rules.with_options(options).start(players=players, seed=1, engine="reference")


WAIT = '\np1 chooses as ready:\n  "yes": end game'


def test_zones_are_called_as_in_scripts_and_a_row_is_one_list(small: Small) -> None:
    table = """
        table:
          stock: {start: deck}
          heap: {piles: 2}
          spot: {per: player, piles: 2, face: up}
          side: {per: player, row: 2, face: up}
          line: {row: [one_place, two_place]}
          home: {per: suit}
    """
    game = game_of(small("move stock.top to p2.side\nmove stock.top to two_place", table))
    assert list(game.state["zones"]) == [
        *("stock", "heap[1]", "heap[2]", "p1.spot[1]", "p1.spot[2]", "p2.spot[1]", "p2.spot[2]"),
        *("p1.side", "p2.side", "line", "cups.home", "swords.home"),
    ]
    assert game.state["zones"]["p2.side"] == [9]
    assert game.view(0)["zones"]["line"] == [None]


def test_a_zone_that_is_not_counted_is_seen_by_its_owner_alone(small: Small) -> None:
    table = "table: {stock: {start: deck}, hand: {per: player, seen_by: owner}, taken: {per: player, counted: false}}"
    game = game_of(
        small("deal 2 from stock to each hand\nmove p1.hand to p1.taken\ndeal 1 from stock to p1.taken" + WAIT, table)
    )
    assert "p1.taken" not in game.view(1)["zones"]
    assert game.view(0)["zones"]["p1.taken"] == game.state["zones"]["p1.taken"][:2]
    assert len(game.state["zones"]["p1.taken"]) == 3


def test_what_may_not_be_reviewed_is_left_out_of_views(small: Small) -> None:
    sections = """
        options: {review: {default: true}}
        table: {stock: {start: deck}, won: {per: player, face: up, may_review: review}}
        variables: {points: {per: player, start: 1, may_review: review}, total: 0}
    """
    rules = small("deal 1 from stock to each won", sections)
    open_, closed = game_of(rules), game_of(rules, review=False)
    assert len(open_.view(1)["zones"]["p1.won"]) == 1
    assert open_.view(1)["variables"] == {"p1.points": 1, "p2.points": 1, "total": 0}
    assert list(closed.view(1)["zones"]) == ["stock"]
    assert closed.view(1)["variables"] == {"total": 0}
    assert closed.state == open_.state


def test_what_may_be_reviewed_may_hang_on_queries(small: Small) -> None:
    sections = """
        table:
          stock: {start: deck}
          won: {per: player, face: up, may_review: any player where player.points > 3}
        variables:
          points: {per: player, start: 0}
          total: {start: 7, may_review: no player p where p.points > 3}
    """
    asked = 'repeat 2 times:\n  p1 chooses as ready:\n    "4": p2.points = 4'
    rules = small(f"deal 1 from stock to each won\n{asked}", sections)
    game = game_of(rules)
    assert list(game.view(0)["zones"]) == ["stock"]
    assert game.view(0)["variables"]["total"] == 7
    game.apply(0)
    assert len(game.view(0)["zones"]["p1.won"]) == 1
    assert "total" not in game.view(0)["variables"]


def test_values_of_every_kind_are_ready_for_json(small: Small) -> None:
    rules = small(
        """
        deal 1 from stock to each hand
        one = p1.hand.top
        many = p1.hand + p2.hand
        who = p2
        side = p2.team
        where_to = left_spot
        what_size = big
        trump = p1.hand.top.suit
        p1 chooses as ready:
          "yes": end game
        """,
        """
        teams: [[1], [2]]
        kinds: {size: [small, big]}
        variables:
          one: {kind: card}
          many: {kind: cards, most: 4}
          who: {kind: player}
          side: {kind: team}
          where_to: {kind: zone}
          what_size: {kind: size}
          trump: {kind: suit}
          nothing: {kind: card}
        """,
        head="trionfi: 1\nname: Small\nabout: Two.\nplayers: 2\n",
    )
    game = game_of(rules)
    assert game.state["variables"] == {
        "one": 9,
        "many": [9, 8],
        "who": "p2",
        "side": "team2",
        "where_to": "spot[1]",
        "what_size": "big",
        "trump": "swords",
        "nothing": None,
    }
    assert game.view(1)["variables"] == {**game.state["variables"], "one": None, "many": [None, 8]}


def test_marks_are_shown_with_the_cards_that_are_known(small: Small) -> None:
    rules = small(
        """
        deal 1 from stock to each hand
        let mine = p1.hand.top
        mine.role = tower
        p1 chooses as ready:
          "yes": end game
        """,
        "attributes: {role: [plain, chariot, tower]}",
    )
    game = game_of(rules)
    assert game.state["marks"]["p1.hand"] == [{"role": "tower"}]
    assert game.view(0)["marks"]["p1.hand"] == [{"role": "tower"}]
    assert game.view(1)["marks"]["p1.hand"] == [None]
    assert game.view(1)["marks"]["p2.hand"] == [{"role": "plain"}]
