"""Stacked games are the same in both engines: at every decision, in their states and views, and where they stop."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trionfi.interpreter.errors import GameError, StackError
from trionfi.interpreter.native.game import NativeGame
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules import Rules, load

from ..by_day import SIZE
from .made_stacks import stacks
from .test_equality import assert_alike, assert_decisions_alike

GAMES = ["kuhn", "euchre", "two-win", "arcana-poker", "klondike", "tarot-tennessee"]
MOST_MOVES = 12

Library = Callable[..., Rules]


def outcome(step: Callable[[], Any]) -> tuple[str, Any]:
    """What a step says if it stops, and what it gives."""
    try:
        return "", step()
    except (GameError, StackError) as error:
        return str(error), None


def play_alike(rules: Rules, players: int, number: int, stack: dict[str, Any], most: int = MOST_MOVES) -> None:
    """Plays a stacked game side by side; the native one is copied and restored on the way."""
    dealt = [
        outcome(lambda engine=engine: rules.deal(players=players, seed=1, game=number, engine=engine, **stack))
        for engine in ("reference", "native")
    ]
    assert dealt[0][0] == dealt[1][0]
    if dealt[0][0]:
        return
    one, other = dealt[0][1], dealt[1][1]
    assert (type(one), type(other)) == (ReferenceGame, NativeGame)
    dice = Random(number)
    for _ in range(most):
        assert_decisions_alike(one.decision, other.decision, True, str(one.moves))
        assert_alike(one, other, str(one.moves))
        assert one.log == other.log
        if one.decision is None:
            break
        other = dice.choice([other, other.clone(), rules.restore(other.snapshot(), engine="native")])
        move = dice.randrange(one.decision.count)
        stopped = [outcome(lambda table=table: table.apply(move))[0] for table in (one, other)]  # noqa: B023
        assert stopped[0] == stopped[1]
        if stopped[0]:
            return
    assert (one.scores, one.winners, one.measures) == (other.scores, other.winners, other.measures)
    other.check_conserved()


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=int(8 * max(1, SIZE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_stacked_games_are_alike(name: str, rules: Library, data: st.DataObject) -> None:
    game = rules(name)
    low, high = game.players
    players = data.draw(st.integers(low, min(high, low + 2)))
    play_alike(game, players, data.draw(st.integers(0, 50)), data.draw(stacks(game, players)))


# ---- all there is to stack, in one small game

TEXT = """
trionfi: 1
name: Drawn
about: All that falls by chance.
players: 2..3
deck: {ranks: [ace, 2, 3, jack], suits: [cups, swords], copies: 2, orientations: [upright, reversed]}
kinds: {weather: [fair, grey, foul]}
table:
  stock: {start: deck, when short: refill()}
  pile: {face: up}
  heap: {per: player, piles: 2, face: up}
  spot: {row: [left_spot, middle_spot, right_spot], face: up}
  hand: {per: player, seen_by: owner}
variables:
  dealer: {kind: player}
  other: {kind: player}
  sky: {kind: weather}
  trump: {kind: suit}
  found: {kind: card}
  friend: {per: player, kind: player}
  load: {per: heap, start: 0}
procedures:
  refill(): |
    move all cards in pile to stock
    shuffle stock
play: |
  shuffle stock rotating half
  dealer = random player
  other = random player
  sky = random weather
  trump = random suit
  for each player: player.friend = random player
  deal 2 from stock to each hand
  deal 1 from stock to spot
  deal 2 from stock to spot
  found = random card in p1.hand
  dealer = random player
  repeat 3 times:
    deal 1 from stock to p1.heap[2]
    p1 chooses 1 card from p1.hand as lead
    move lead to pile
    deal 1 from stock to p1.hand
    shuffle pile
    deal 3 from stock to pile
result:
  score(player): player.hand.count
"""


@pytest.fixture(scope="module")
def drawn() -> Rules:
    return load("drawn", text=TEXT)


@settings(max_examples=int(60 * max(1, SIZE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_all_that_falls_by_chance_is_alike(drawn: Rules, data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 3))
    play_alike(drawn, players, data.draw(st.integers(0, 50)), data.draw(stacks(drawn, players)))


STACK = {
    "cards": {
        "p1.hand": ["jack of cups reversed", "jack of cups"],
        "spot": ["ace of swords"],
        "p1.heap[2]": ["2 of swords", "2 of swords reversed"],
        "stock": ["3 of cups", "3 of swords"],
    },
    "set": {"dealer": "p2", "p1.friend": "p2", "sky": "foul"},
    "chance": [["ace of cups"], 1, 0, 0, 1, 0],
}


def test_what_is_stacked_comes(drawn: Rules) -> None:
    game = drawn.deal(players=2, seed=4, engine="native", **STACK)
    assert isinstance(game, NativeGame)
    zones: Any = game.state["zones"]
    names = {zone: [drawn.cards[card % 8] for card in zones[zone] if card is not None] for zone in ("p1.hand", "spot")}
    assert names["p1.hand"] == ["Jack of Cups", "Jack of Cups"]
    assert [card >= 8 for card in zones["p1.hand"]] == [True, False]
    assert names["spot"][0] == "Ace of Swords"
    variables: Any = game.state["variables"]
    assert [variables[name] for name in ("other", "sky", "p1.friend", "p2.friend")] == ["p2", "foul", "p2", "p1"]
    assert variables["dealer"] == "p1"  # it is drawn twice, and only the first draw is spared


@pytest.mark.parametrize("number", range(4))
def test_one_deal_side_by_side(drawn: Rules, number: int) -> None:
    play_alike(drawn, 2, number, STACK)
    play_alike(drawn, 2, number, {**STACK, "begin": False})


TOP = """
trionfi: 1
name: Top
about: What lies on top of a listed stock.
players: 2
deck: standard
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down}
variables:
  first: {kind: card}
  seen: {kind: card}
play: |
  first = stock.top
  shuffle stock
  seen = stock.top
  deal 1 from stock to p1.hand
  move stock.top to p2.hand
result:
  score(player): 1 if p1.hand.top is seen else 0
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    "stack", [{"cards": {"stock": ["7h", "2c"]}}, {"cards": {"stock": ["7h", "Ks"]}, "chance": [["7h", "2c"]]}]
)
def test_listed_cards_lie_where_they_are_listed_to_lie(engine: str, stack: dict[str, Any]) -> None:
    rules = load("top", text=TOP)
    game = rules.deal(players=2, seed=1, engine=engine, **stack)
    variables, zones = (game.state[key] for key in ("variables", "zones"))
    assert [rules.cards[variables[name]] for name in ("first", "seen")] == ["7 of Hearts"] * 2  # type: ignore[index]
    assert [rules.cards[zones[f"p{seat}.hand"][0]] for seat in (1, 2)] == ["7 of Hearts", "2 of Clubs"]  # type: ignore[index]


def test_copies_of_a_stacked_game_share_nothing(drawn: Rules) -> None:
    games: list[Any] = [drawn.deal(players=2, seed=4, engine="native", **STACK)]
    games += [games[0].clone(), drawn.restore(games[0].snapshot(), engine="native")]
    before = games[0].state
    ends = []
    for game in games:
        assert game.state == before
        while game.decision is not None:
            game.apply(0)
        ends.append(game.state)
    assert ends[0] == ends[1] == ends[2]


WRONG = {
    "outcome 7 is given to a draw among 2, counted from 0": {"chance": [7]},
    "outcome -1 is given to a draw among 2, counted from 0": {"chance": [-1]},
    f"outcome {10**18} is given to a draw among 2, counted from 0": {"chance": [10**18]},
    "Ace of Cups is to come in a shuffle of cards among which it does not lie": {"chance": [["ace of cups"] * 3]},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_stops_both_at_the_same_place(drawn: Rules, message: str) -> None:
    errors = []
    for engine in ("reference", "native"):
        with pytest.raises(GameError) as stopped:
            drawn.deal(players=2, seed=4, engine=engine, **WRONG[message])
        errors.append((stopped.value.message, stopped.value.span.line, str(stopped.value)))
    assert errors[0] == errors[1]
    assert errors[0][0] == message


def test_a_game_that_has_not_begun(drawn: Rules) -> None:
    for engine in ("reference", "native"):
        game = drawn.deal(players=2, engine=engine, begin=False, set={"p1.heap[2].load": 5})
        assert (game.decision, game.over, game.moves, game.log) == (None, False, [], [])
        state: Any = game.state
        assert len(state["zones"]["stock"]) == 16
        assert state["variables"]["p1.heap[2].load"] == 5
        assert game.clone().state == drawn.restore(game.snapshot(), engine=engine).state == state
        with pytest.raises(ValueError, match="the game has not begun"):
            game.apply(0)
