"""Games without cards, and dice that their player alone sees."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl.diagnostics import RulesError
from trionfi.interpreter.rules import Rules, load

ENGINES = ("reference", "native")
BARE = """\
trionfi: 1
name: High Roll
about: Who rolls higher, without any table.
players: 2
variables:
  die: {per: player, start: 0, secret: owner}
play: |
  for each player: player.die = random number from 1 to 6
  p1 chooses as answer:
    "stay": say "{p1} stays"
    "again": p1.die = random number from 1 to 6
result:
  score(player): player.die
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_dice_under_a_cup_are_seen_by_their_player_alone(rules: Callable[..., Rules], engine: str) -> None:
    game = rules("liars-dice", dice=2).start(players=3, seed=4, engine=engine)
    dice = {seat: {f"p{seat + 1}.cup[{place}].die" for place in range(1, 7)} for seat in range(3)}
    for seat in range(3):
        seen = game.view(seat)["variables"]
        assert {name for name in seen if name.endswith(".die")} == dice[seat]
        assert [seen[f"p{seat + 1}.cup[{place}].die"] > 0 for place in range(1, 7)] == [True] * 2 + [False] * 4


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_needs_neither_cards_nor_a_table(engine: str) -> None:
    game = load("bare", text=BARE).start(seed=1, engine=engine)
    assert game.decision is not None
    assert game.decision.labels() == ["stay", "again"]
    game.apply(1)
    assert game.scores is not None
    assert all(1 <= score <= 6 for score in game.scores)


@pytest.mark.parametrize(
    ("added", "missing"),
    [("table: {stock: {start: deck}}", "deck"), ("deck: standard", "table")],
    ids=["a zone that starts with cards", "cards"],
)
def test_cards_want_a_deck_and_a_table(added: str, missing: str) -> None:
    with pytest.raises(RulesError, match=f"a game needs the section `{missing}`"):
        load("bare", text=f"{BARE}{added}\n")
