"""Stacked games, clones, snapshots, records; the ruleset's strategies as players."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.errors import GameError, StackError
from trionfi.interpreter.records import RecordError
from trionfi.interpreter.rules import Rules

Small = Callable[..., Rules]
Library = Callable[..., Rules]

KEYS = "trionfi rules sha256 options players seed game bots names moves scores texts".split()


def dealt(rules: Rules, players: int = 2, seed: int = 1, **stack: Any) -> Any:
    return rules.deal(players=players, seed=seed, engine="reference", **stack)


TWO = "trionfi: 1\nname: Small\nabout: Two.\nplayers: 2\n"

DEAL = """
shuffle stock rotating half
deal 2 from stock to each hand
deal 3 from stock to spot
"""


# ---- stacked games


def test_zones_receive_their_lists_and_all_else_is_dealt_by_the_seed(small: Small) -> None:
    rules = small(DEAL, head=TWO)
    stack = {"p2.hand": ["jack of cups reversed", "2 of swords"], "spot[2]": ["ace of cups"]}
    for seed in range(6):
        zones = dealt(rules, seed=seed, cards=stack).state["zones"]
        assert zones["p2.hand"] == [14, 6]
        assert zones["spot"][1] == 0
        assert 4 not in [card % 10 for card in zones["p1.hand"]]
    assert len({str(dealt(rules, seed=seed, cards=stack).state["zones"]) for seed in range(6)}) == 6


def test_a_row_has_one_list_and_each_place_may_have_its_own(small: Small) -> None:
    rules = small(DEAL, head=TWO)
    assert dealt(rules, cards={"spot": ["ace of cups", "2 of cups"]}).state["zones"]["spot"][:2] == [0, 1]
    assert dealt(rules, cards={"right_spot": ["ace of cups"]}).state["zones"]["spot"][2] == 0
    with pytest.raises(StackError, match=r"`spot\[1\]` is given cards twice"):
        dealt(rules, cards={"spot": ["ace of cups"], "spot[1]": ["2 of cups"]})


def test_a_list_of_the_source_says_what_comes_from_its_top(small: Small) -> None:
    zones = dealt(
        small(DEAL, head=TWO), cards={"stock": ["4 of cups", "ace of swords reversed"], "p2.hand": ["2 of cups"]}
    )
    assert zones.state["zones"]["p1.hand"] == [3, 15]
    assert zones.state["zones"]["p2.hand"][0] == 1


def test_lists_go_on_over_several_deals(small: Small) -> None:
    rules = small(
        """
        repeat 2 times:
          move all cards to stock face down
          shuffle stock
          deal 1 from stock to pile
          add pile.top.rank.place to total
        """,
        "variables: {total: 0}",
    )
    game = dealt(rules, cards={"pile": ["jack of cups", "jack of cups", "ace of cups"]})
    assert game.state["variables"] == {"total": 10}


def test_variables_are_set_over_a_draw_by_lot_the_first_time(small: Small) -> None:
    rules = small(
        """
        dealer = random player
        starter = dealer
        dealer = random player
        """,
        "variables: {dealer: {kind: player}, starter: {kind: player}, points: {per: player, start: 4}}",
    )
    for seed in range(4):
        found = dealt(rules, players=3, seed=seed, set={"dealer": "p3", "p2.points": 9}).state["variables"]
        assert (found["starter"], found["p1.points"], found["p2.points"]) == ("p3", 4, 9)
        # the draw that was spared took nothing from the stream
        assert found["dealer"] == f"p{Stream(seed, 0).below(3) + 1}"


def test_forced_chance_numbers_and_orders(small: Small) -> None:
    rules = small(
        """
        shuffle stock
        one = random player
        two = random player
        deal 3 from stock to hidden
        """,
        "variables: {one: {kind: player}, two: {kind: player}}",
    )
    game = dealt(rules, players=3, chance=[["jack of cups", "ace of swords reversed"], 2, 0])
    assert (game.state["variables"]["one"], game.state["variables"]["two"]) == ("p3", "p1")
    assert game.state["zones"]["hidden"][:2] == [4, 15]
    with pytest.raises(GameError, match="outcome 3 is given to a draw among 3"):
        dealt(rules, players=3, chance=[3])


@pytest.mark.parametrize(
    ("stack", "message"),
    [
        ({"cards": {"p1.hnad": []}}, "there is no zone `p1.hnad`: did you mean `p1.hand`?"),
        ({"cards": {"p3.hand": []}}, "there is no zone `p3.hand`"),
        ({"cards": {"pile": ["jack of cusp"]}}, "there is no card `jack of cusp`: did you mean `Jack of Cups`?"),
        ({"set": {"dealr": "p1"}}, "there is no variable `dealr`: did you mean `dealer`?"),
        ({"set": {"dealer": "p5"}}, "`dealer`: there is no player `p5`"),
        ({"set": {"count_of": "many"}}, "`count_of`: a whole number is wanted, not `many`"),
        ({"set": {"ready": "maybe"}}, "`ready`: true or false is wanted, not `maybe`"),
        ({"set": {"how": "smal"}}, "`how`: one of small, large is wanted, not `smal`: did you mean `small`?"),
        (
            {"cards": {"stock": ["ace of cups", "2 of cups", "ace of cups"]}},
            "`Ace of Cups` is listed twice in one zone, and is once in the game",
        ),
        ({"chance": ["ten"]}, "an outcome is a number or a list of cards, not `ten`"),
    ],
)
def test_what_cannot_be_stacked_is_named(small: Small, stack: dict[str, Any], message: str) -> None:
    sections = """
        kinds: {size: [small, large]}
        variables: {dealer: {kind: player}, count_of: 0, ready: false, how: {kind: size}}
    """
    rules = small("dealer = random player\nshuffle pile\nhow = small if ready, else large\nadd 1 to count_of", sections)
    with pytest.raises(StackError, match=f"^{message.replace('?', '[?]')}"):
        dealt(rules, **stack)


def test_a_variable_is_set_to_as_many_cards_as_it_holds_each_once(small: Small) -> None:
    rules = small("shuffle stock", "variables: {seen: {kind: cards, most: 3}, whole: {kind: cards, most: 9}}")
    four = ["ace of cups", "2 of cups", "3 of cups", "4 of cups"]
    with pytest.raises(StackError, match="`seen` holds at most 3 cards, and is given 4"):
        dealt(rules, set={"seen": four})
    with pytest.raises(StackError, match="`whole`: the game has 1, and no more, of the card `2 of cups`"):
        dealt(rules, set={"whole": [*four, "2 of cups"]})


def test_values_are_set_by_text(small: Small) -> None:
    sections = """
        kinds: {size: [small, large]}
        variables:
          how: {kind: size}
          seen: {kind: cards, most: 3}
          place_of: {kind: zone}
          one: {kind: card}
          ready: false
    """
    rules = small("shuffle stock", sections)
    setting = {"how": "Large", "seen": ["ace of cups", "2 of cups"], "place_of": "spot[2]"}
    game = dealt(rules, set={**setting, "one": "jack of swords", "ready": "yes"})
    found = game.state["variables"]
    assert found == {"how": "large", "seen": [0, 1], "place_of": "spot[2]", "one": 9, "ready": True}


def test_a_game_that_is_not_begun_stands_before_its_first_statement(small: Small) -> None:
    game = small(DEAL, head=TWO).deal(players=2, engine="reference", begin=False)
    assert game.decision is None
    assert not game.over
    assert game.state["zones"]["stock"] == list(range(10))  # type: ignore[index]


# ---- clones, snapshots, records


def halfway(rules: Rules, moves: int = 7) -> Any:
    game = rules.start(players=3, seed=5, game=2, engine="reference")
    play(game, moves)
    return game


def play(game: Any, moves: int, seed: int = 9) -> None:
    stream = Stream(seed, 0)
    for _ in range(moves):
        if game.decision is not None:
            game.apply(stream.below(game.decision.count))


def test_a_clone_goes_its_own_way(rules: Library) -> None:
    game = halfway(rules("two-win"))
    before = game.state
    other = game.clone()
    assert other.state == before
    play(other, 5)
    assert game.state == before != other.state
    play(game, 5)
    assert game.state == other.state


def test_a_snapshot_is_the_game_again(rules: Library) -> None:
    game = halfway(rules("two-win"))
    restored = rules("two-win").restore(game.snapshot(), engine="reference")
    assert restored.state == game.state
    play(game, 500)
    play(restored, 500)
    assert restored.state == game.state
    assert restored.scores == game.scores is not None


def test_a_snapshot_of_a_stacked_game_keeps_the_stack(rules: Library) -> None:
    game = rules("kuhn").deal(players=2, seed=3, engine="reference", cards={"p1.hand": ["king"]}, set={"p1.paid": 4})
    game.apply(1)
    assert rules("kuhn").restore(game.snapshot(), engine="reference").state == game.state


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"snapshot": 99}'])
def test_what_is_no_snapshot_is_refused(rules: Library, data: bytes) -> None:
    with pytest.raises(RecordError, match="snapshot"):
        rules("kuhn").restore(data)


def test_a_snapshot_of_other_rules_or_options_is_refused(rules: Library) -> None:
    snapshot = halfway(rules("two-win")).snapshot()
    with pytest.raises(RecordError, match="another text of two-win"):
        rules("kuhn").restore(snapshot)
    with pytest.raises(RecordError, match="with other options"):
        rules("two-win", chips=100).restore(snapshot)


def test_a_record_is_json_and_plays_again(rules: Library) -> None:
    game = halfway(rules("two-win"), 500)
    record = json.loads(json.dumps(game.record()))
    assert list(record) == KEYS
    assert record["rules"] == "two-win"
    assert all(len(move) == 3 for move in record["moves"])
    assert rules("two-win").replay(record, engine="reference").state == game.state
    record["scores"][0] += 1
    with pytest.raises(RecordError, match="the record ends with scores"):
        rules("two-win").replay(record, engine="reference")


def test_a_record_may_pick_the_cards_of_a_set_in_any_order(small: Small) -> None:
    rules = small(
        """
        deal 5 from stock to p1.hand
        p1 chooses 1..3 cards from p1.hand as chosen_cards
        move chosen_cards to pile
        p1 chooses 1 card from p1.hand as lead
        """
    )
    game = rules.start(players=2, seed=1, engine="reference")
    for move in (0, 1, 1, 0):
        game.apply(move)
    record = game.record()
    moves: Any = record["moves"]
    record["moves"] = [moves[2], moves[0], moves[1], moves[3]]
    assert rules.replay(record, engine="reference").state == game.state
    record["moves"] = [moves[2], [1, *moves[0][1:]]]
    with pytest.raises(RecordError, match=r"p2 chooses .* but p1 is asked for chosen_cards"):
        rules.replay(record, engine="reference")


def test_a_quiet_game_makes_up_its_log_when_it_is_asked(rules: Library) -> None:
    loud = halfway(rules("two-win"))
    quiet = rules("two-win").start(players=3, seed=5, game=2, engine="reference", quiet=True)
    play(quiet, 7)
    assert quiet.table_state.log is None  # type: ignore[attr-defined]
    assert quiet.log == loud.log
    assert quiet.labels == loud.labels
    play(quiet, 5, seed=1)
    play(loud, 5, seed=1)
    assert quiet.log == loud.log


# ---- strategies


STRATEGY = """
variables: {total: 0, ready: false, amount_chosen: 0}
strategies:
  planned:
    thing: |
      pick "pass"
      if ready: pick "{card} goes" for (the card in options where card.rank is 2)
      pick "stay" if total is 0 else "go {total}"
    amount: pick smaller(total + 4, highest_offered)
    few: |
      pick the card in options where card.rank is jack
      pick "done"
    orientation: pick reversed if card.rank is ace else upright
  lucky:
    amount: |
      if chance(1, 2): pick lowest_offered
      pick highest_offered
"""


PLANNED = {"p1.hand": ["2 of cups", "ace of cups", "jack of cups", "jack of swords"]}

ALL_DECISIONS = """
deal 4 from stock to p1.hand
p1 chooses as thing:
  "{card} goes" for each card in p1.hand: move card to pile
  "go {total}": add 30 to total
  "stay": add 20 to total
  "pass" if p1.hand is empty: total = 0
  "{card} stays" for each card in p1.hand: move card to hidden
p1 chooses number from 0 to 9 step 4 as amount
amount_chosen = amount
p1 chooses 0..3 cards from p1.hand as few
move few to pile
p1 chooses orientation of each card in p1.hand
shuffle stock
"""


def planned(small: Small, *bots: str, seed: int = 1, **setting: Any) -> Any:
    """The game after p1 was played by a strategy."""
    game = dealt(small(ALL_DECISIONS, STRATEGY), seed=seed, cards=PLANNED, set=setting)
    game.play_on(seat_bots(game.rules, bots or ["planned", "planned"], seed, 0))
    return game


def test_a_strategy_picks_lines_things_and_numbers(small: Small) -> None:
    labels = [label for _, _, label in planned(small).labels]
    assert labels[:2] == ["stay", "9"]
    assert [label for _, _, label in planned(small, total=1).labels][:2] == ["go 1", "9"]
    assert planned(small, ready=True).labels[0][2].casefold() == "2 of cups goes"
    assert planned(small, ready=True).labels[1][2] == "4"


def test_a_strategy_picks_a_set_card_by_card_and_orients_the_rest(small: Small) -> None:
    game = planned(small)
    assert game.state["zones"]["pile"] == [4, 9]
    assert game.state["zones"]["p1.hand"] == [1, 10]


def test_where_a_strategy_picks_nothing_that_is_offered_it_plays_at_random(small: Small) -> None:
    for seed in range(6):
        game = planned(small, seed=seed, total=-40)
        # the number 0 is below the range after `go -40`, so the seat's own stream decides
        assert game.state["variables"]["amount_chosen"] in (0, 4, 8, 9)
        assert game.moves[1] == Stream(seed, 0, 1).below(4)


def test_a_strategy_draws_from_its_seats_stream_alone(small: Small) -> None:
    for seed in range(6):
        lucky, first = (planned(small, bot, bot, seed=seed) for bot in ("lucky", "first"))
        assert lucky.state["zones"]["stock"] == first.state["zones"]["stock"]
        stream = Stream(seed, 0, 1)
        assert lucky.moves[0] == stream.below(10)
        assert lucky.moves[1] == (0 if stream.below(2) < 1 else 3)
