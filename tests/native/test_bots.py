"""A ruleset's strategies pick alike in both engines, decision by decision."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.rules import Rules, load

from .test_equality import RULESETS, SHORT, SIZE


@pytest.mark.parametrize("name", RULESETS)
def test_strategies_pick_alike(name: str, rules: Callable[..., Rules]) -> None:
    game = rules(name, **SHORT.get(name, {}))
    players = min(game.players[0] + 1, game.players[1])
    for strategy in game.ruleset.strategies:
        for number in range(2 if SIZE > 1 else 1):
            played = []
            for engine in ("native", "reference"):
                table = game.start(players=players, seed=3, game=number, engine=engine, quiet=True)
                table.play_on(seat_bots(game, [strategy] * players, 3, number))
                played.append((table.moves, table.scores, table.measures))
            assert played[0] == played[1], (strategy, number)


OFFERED = """\
trionfi: 1
name: Offers
about: For tests.
players: 4
teams: [[1, 3], [2, 4]]
deck: standard
kinds:
  contract: [low, middle, high, grand]
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down}
variables:
  least: {kind: contract}
  seen: {per: player, start: 0}
  named: {kind: suit}
play: |
  shuffle stock
  deal 3 from stock to each hand
  least = middle
  for each player:
    player chooses as bid:
      "bid {contract}" for each contract where contract > least: add 1 to player.seen
      "suit {suit}" for each suit where any card in player.hand where card.suit is suit: named = suit
      "rank {rank}" for each rank where any card in player.hand where card.rank is rank: named = none
      "side {team}" for each team where team is not player.team: named = none
      "stay": named = none
result:
  score(player): player.seen
strategies:
  counting:
    bid: |
      let offered = 0
      for each contract in options: add 1 to offered
      for each suit in options: add 10 to offered
      for each rank in options: add 100 to offered
      for each team in options: add 1000 to offered
      let contracts = count of contracts in options
      if offered mod 10 is 2 and contracts is 2 and offered / 1000 >= 1: pick "bid {contract}" for grand
  last_suit:
    bid: |
      pick "suit {suit}" for (the suit in options with highest suit.place)
  crossed:
    bid: |
      pick "suit {suit}" for grand
      pick "rank {rank}" for high
"""


def test_suits_ranks_teams_and_kinds_that_are_offered() -> None:
    game = load("offers", text=OFFERED)
    for strategy in ("counting", "last_suit"):
        for number in range(10):
            native, reference = (game.start(players=4, seed=3, game=number, engine=e) for e in ("native", "reference"))
            while reference.decision is not None:
                seat, labels = reference.decision.player, reference.decision.labels()
                picked = [table.ask_strategy(strategy, Stream(1, 0)) for table in (native, reference)]
                assert picked[0] == picked[1]
                suits = [label for label in labels if label.startswith("suit")]
                wanted = "bid grand" if strategy == "counting" else suits[-1]
                assert picked[0] is not None, (seat, labels)
                assert labels[picked[0]] == wanted
                for table in (native, reference):
                    table.apply(picked[0])


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_thing_of_another_kind_is_none_that_is_offered(engine: str) -> None:
    """A member of a kind is none of another that has the same number."""
    game = load("offers", text=OFFERED).start(players=4, seed=3, engine=engine)
    while game.decision is not None:
        assert game.ask_strategy("crossed", Stream(1, 0)) is None
        game.apply(0)
