"""Games without cards, and dice that their player alone sees."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

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
    game: Any = rules("liars-dice", dice=2).start(players=3, seed=4, engine=engine)
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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bidding", ["reset_face", "reset_quantity"])
def test_one_die_each_is_the_game_of_openspiel(rules: Callable[..., Rules], bidding: str, engine: str) -> None:
    """Its `liars_dice`: bids are numbered, each is higher than the one before, the highest face is wild, and one is won or lost."""
    asked = rules("liars-dice", dice=1, wild="wild_sixes", length="one_round", bidding=bidding)
    counts, faces = (1, 2), ("ones", "twos", "threes", "fours", "fives", "sixes")
    bids = [(count, face) for count in counts for face in range(6)]
    bids.sort(key=lambda bid: bid if bidding == "reset_face" else bid[::-1])
    random = Random(5)
    for number in range(20):
        dice = [random.randint(1, 6), random.randint(1, 6)]
        game = asked.deal(seed=1, game=number, engine=engine, chance=dice, players=2)
        last, who, label = -1, 0, ""
        while label != "liar":
            assert game.decision is not None
            labels = game.decision.labels()
            assert game.decision.player == who
            assert set(labels) == {f"{n} {faces[face]}" for n, face in bids[last + 1 :]} | (
                {"liar"} if last >= 0 else set()
            )
            label = random.choice(labels)
            game.apply(labels.index(label))
            if label != "liar":
                last, who = bids.index((int(label[0]), faces.index(label[2:]))), 1 - who
        count, face = bids[last]
        winner = 1 - who if sum(die in (face + 1, 6) for die in dice) >= count else who
        assert game.scores == [1 if seat == winner else -1 for seat in (0, 1)]
