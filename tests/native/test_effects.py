"""Effects that the arcana do not have: both engines play them alike, to the errors."""

from __future__ import annotations

import random
from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import Setup, play_block

from .test_equality import assert_alike, assert_decisions_alike

RULESET = """\
trionfi: 1
name: Small effects
about: A game for tests.
players: 2
deck: {deck}
attributes:
  role: {{choices: [plain, guard, wild_one], default: plain}}
options:
  strict: {{default: false}}
table:
  stock: {{start: deck}}
  common: {{row: 4, face: up}}
  hand: {{per: player, seen_by: owner, face: down}}
  pile: {{face: up}}
  field: {{plays: {plays}, face: up}}
variables:
  points: {{per: player, start: 0}}
define:
  open_to(player): common + player.hand
rankings:
  worth:
    of: 0..3 cards
    alike: [rank]
    run: {{by: rank, ace: low or high}}
    categories:
      Three: 3 alike
      Run: run of 3
      Flush: 3 cards, same suit
      Pair: 2 alike
      High: 0..3 cards
    order: [category, groups by card.rank]
play: |
  shuffle stock
  deal 5 from stock to each hand
  deal 4 from stock to common
  let turns = 0
  repeat until turns is 14:
    for each player:
      player chooses as action:
        "pass": add 1 to player.points
        "all over" if plays.count > 3: end plays
        "mark {{card}}" for each card in common: card.role = guard if card.role is plain else plain
        "take {{card}}" for each card in common:
          move card to bottom of stock
          deal 1 from stock to common
        "mix":
          move common to stock face down
          shuffle stock
          deal 4 from stock to common
        "play {{card}}" for each card in player.hand where playable(player, card):
          player plays card
    if plays is not empty:
      let last_play = the play with highest play.number
      add last_play.targets.count to p1.points
      if any play where play.in_force and play.has_targets: add 1 to p2.points
      if last_play.card is none: add 3 to p2.points
    trigger counting
    add (count of cards in common where card.suit is hearts) to p1.points
    add (count of cards in common where card has every suit or card has no rank or card.role is guard) to p2.points
    add 1 to turns
effects:
  each effect:
    when chosen: turn up all cards in targets where card.owner is player
  queen of hearts:
    targets: 0..3 cards from open_to(player)
    while in force: each target has suit hearts; each target has role guard if strict
  2 of clubs:
    targets: 0..3 cards from common
    while in force: each target has suit clubs
  king of hearts:
    targets: 1..2 cards from common
    while in force: each target has rank target.rank.next; each target has every suit if not strict
  ace of hearts:
    targets: any cards from common
    while in force: each target has every rank
  2 of hearts:
    targets:
      one: 1 card from open_to(player)
      other: 1 card from common where card.suit is one.suit and card is not one
    while in force: one copies other
    when counting: |
      if one is not none and other is not none: add 2 to player.points
  3 of hearts:
    targets: 1 or more plays from plays where play.has_targets
    retargets: targets
  queen of spades:
    targets: 1 play from plays
    becomes: target
  king of spades:
    targets: 1 play from plays where play.in_force
    negates: target if not strict else none
    when played: |
      if strict: end target
  ace of spades:
    targets: 1..2 plays from plays where play.player is not player
    negates: targets
  2 of spades:
    when played: |
      player chooses 0..1 cards from player.hand where card is not this.card as given
      move given to pile
    while in force: this.card has role wild_one
    when counting: |
      if this.card is not none: add 1 to player.points
  3 of spades:
    targets: 1 card from player.hand where card is not queen of spades
    while in force: target has no suit; target has no rank
    when played: move target to bottom of stock
result:
  score(player): player.points
measures:
  when counting:
    best(player): worth(common, player.hand).category
    in_force: count of plays where play.in_force
  played: plays.count
"""
SMALL = "{from: standard, ace: high, ranks: [2, 3, queen, king, ace], suits: [hearts, spades, clubs]}"

# Every card recolours or gives new targets, so that what was a target before and stays one shows.
COLOURS = ["hearts", "clubs", "diamonds"]
RANKS = ["2", "3", "4", "queen", "king"]
RECOLOURING = [
    f"  {rank} of {suit}:\n    targets: 1..2 cards from common\n    while in force: each target has suit {suit}\n"
    for rank in RANKS
    for suit in COLOURS
]
MOVING = [
    f"  {rank} of spades:\n    targets: 1 or more plays from plays where play.has_targets\n    retargets: targets\n"
    for rank in RANKS
]


def effects(deck: str = SMALL, plays: int = 20, without: str = "", **options: object) -> Rules:
    text = RULESET.format(deck=deck, plays=plays)
    if without:
        start = text.index(f"  {without}:\n", text.index("effects:"))
        end = text.index("\n  queen of spades:", start) + 1
        text = text[:start] + text[end:]
    return load("effects", text=text, options=options)


def recolouring() -> Rules:
    deck = "{from: standard, ace: high, ranks: [2, 3, 4, queen, king, ace]}"
    head, _, rest = RULESET.format(deck=deck, plays=30).partition("effects:\n")
    text = f"{head}effects:\n{''.join(RECOLOURING + MOVING)}result:{rest.partition('result:')[2]}"
    return load("recolouring", text=text)


def stopped(game: Any, move: int) -> str:
    """What the move is answered with: nothing, or the error."""
    try:
        game.apply(move)
    except GameError as error:
        return str(error)
    return ""


def play_alike(rules: Rules, seed: int, deep: bool) -> set[str]:
    """Plays a game side by side; the names of the decisions that were made."""
    one, other = (rules.start(players=2, seed=seed, engine=engine) for engine in ("reference", "native"))
    dice, met = random.Random(seed), set()
    while one.decision is not None:
        where = f"seed {seed}, moves {one.moves}"
        assert_decisions_alike(one.decision, other.decision, True, where)
        if deep and dice.random() < 0.3:
            assert_alike(one, other, where)
        met.add(one.decision.name)
        labels = one.decision.labels()
        plays = [n for n, label in enumerate(labels) if label.startswith("play ")]
        move = dice.choice(plays) if plays and dice.random() < 0.7 else dice.randrange(len(labels))
        errors = [stopped(game, move) for game in (one, other)]
        assert errors[0] == errors[1], where
        if errors[0]:
            return {*met, errors[0].splitlines()[0]}
        if dice.random() < 0.2:
            other = other.clone()
    assert (one.scores, one.measures) == (other.scores, other.measures)
    return met


@pytest.mark.parametrize("strict", [False, True])
def test_effects_play_alike(strict: bool, test_size: float) -> None:
    rules, met = effects(strict=strict), set()
    for seed in range(int(12 * test_size)):
        met |= play_alike(rules, seed, deep=seed < 3)
    assert {"2 of hearts: other", "3 of hearts: targets", "queen of spades: targets"} <= met
    assert {"ace of spades: targets", "king of spades: targets"} <= met


def test_targets_that_stay_keep_their_time(test_size: float) -> None:
    rules = recolouring()
    for seed in range(int(5 * test_size)):
        play_alike(rules, seed, deep=True)
    native = BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 5)
    assert native == play_block(rules, Setup(2, ("random",) * 2, 3, "reference"), 0, 5).sums


def test_effects_of_copies_play_alike(test_size: float) -> None:
    rules = effects(deck=SMALL.replace("}", ", copies: 2}"), without="3 of hearts")
    for seed in range(int(6 * test_size)):
        play_alike(rules, seed, deep=seed < 2)


def test_too_many_plays_stop_both_alike() -> None:
    rules, found = effects(plays=2), set()
    for seed in range(8):
        found |= play_alike(rules, seed, deep=False)
    assert any("plays" in message and "fit" in message for message in found)


def test_whole_games_add_up_alike(test_size: float) -> None:
    rules, games = effects(), int(20 * test_size)
    native = BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, games)
    assert native == play_block(rules, Setup(2, ("random",) * 2, 3, "reference"), 0, games).sums
