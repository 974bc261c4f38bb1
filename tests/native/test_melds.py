"""Melds of every shape: hands are parted, and cards called a meld, as the reference evaluator says."""

from __future__ import annotations

from textwrap import indent

import pytest

from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import Setup, play_block

from .test_equality import play_side_by_side

RULESET = """\
trionfi: 1
name: Melds
about: Hands are parted into melds, and cards are tried.
players: 2
deck: {deck}
attributes: {{kind_of_card: [plain, chosen]}}
options: {{gaps: {{default: false}}}}
table:
  stock: {{start: deck}}
  hand: {{per: player, face: up, capacity: 13}}
  laid: {{per: player, piles: 13, face: up}}
  tried: {{face: up}}
variables:
  costs: {{per: player, start: 0}}
  without: {{per: player, start: 0}}
  are_melds: 0
  joined: 0
melds:
  meld:
{meld}
define:
  best(player): arranged(player.hand, meld)
  near(card, card other): card.rank is other.rank or (card.suit is other.suit and card.rank.place - other.rank.place is 0..2)
play: |
  shuffle stock
  deal {cards} from stock to each hand
  for each player:
    player chooses as start:
      "go": player.costs = best(player).cost
    for each card in player.hand where card.rank.place < 3: card.kind_of_card = chosen
    for each card in player.hand:
      add arranged(player.hand - card, meld).cost to player.without
      add best(player).left.count to player.without
  lay(p1)
  lay(p2)
  repeat 12 times:
    move all cards in tried to stock
    shuffle stock
    let first = stock.top
    for each card in stock where near(card, first):
      if tried.count < 5: move card to tried
      if tried is meld: add 1 to are_melds
    for each card in tried where arranged(tried - card, meld).cost is 0: add 1 to joined
procedures:
  lay(player): |
    let found = best(player)
    for each cards set in found.melds:
      player chooses as lay_down:
        "lay {{set}}": move set to (the zone in player.laid where zone is empty)
    move found.left to tried
result:
  score(player): player.costs
measures:
  left(player): player.costs
  left_each(player): player.without
  laid_down(player): player.laid.count
  melds_found: are_melds
  all_melded: joined
"""

STANDARD = "{from: standard, ace: low}"
TWO_PACKS = "{from: standard, ace: low, copies: 2, ranks: [ace, 2, 3, 4, 5, 6, 7], suits: [clubs, hearts]}"
THREE_PACKS = "{from: standard, ace: high, copies: 3, ranks: [5, 6, 7, queen, king, ace], suits: [clubs, hearts, spades, diamonds]}"
GIN = """\
kinds: {set: "3..4 cards, 3..4 alike", run: "run of 3..10, same suit"}
alike: [rank]
run: {by: rank, ace: low}
cost(card): smaller(card.rank.place, 10)"""

# (deck, cards a hand, melds): narrow and wide masks, runs both ways round, several parts, none, costs below 0
SHAPES = {
    "gin": (STANDARD, 10, GIN),
    "two packs": (TWO_PACKS, 9, GIN),
    "a mask of two words": (THREE_PACKS, 9, GIN.replace("ace: low", "ace: low or high")),
    "no costs": (TWO_PACKS, 7, 'kinds: {pair: "2 alike"}\nalike: [rank, in_hearts]'),
    "any run": (
        STANDARD,
        8,
        'kinds: {run: "run of 2..3"}\nrun: {by: rank, last: 3 or king}\ncost(card): card.rank.place',
    ),
    "costs below 0": (STANDARD, 9, GIN.replace("smaller(card.rank.place, 10)", "card.rank.place - 5")),
    "two parts": (TWO_PACKS, 8, 'kinds: {house: "3 alike, 2 alike"}\nalike: [rank]'),
    "a run and a pair": (
        TWO_PACKS,
        8,
        'kinds: {both: "2 alike, run of 3, 5 cards"}\nalike: [rank]\nrun: {by: rank, ace: low}',
    ),
    "no parts": (STANDARD, 7, 'kinds: {low: "2..3 cards, all low_card, same suit", mixed: "4 cards, 2 low_card"}'),
    "by numbers": (TWO_PACKS, 8, 'kinds: {set: "2..3 alike"}\nalike: [height]\ncost(card): height(card)'),
    "by marks": (STANDARD, 9, 'kinds: {chosen: "2..3 cards, all is_chosen", set: "3 alike"}\nalike: [rank]'),
    "by options": (STANDARD, 9, 'kinds: {run: "run of 2..4, same suit if not gaps"}\nrun: {by: rank, ace: low}'),
}
RARE = {"gin", "two parts", "a run and a pair"}
ATTRIBUTES = """\
  in_hearts(card): card.suit is hearts
  low_card(card): card.rank.place < 5
  height(card): 2 * card.rank.place
  is_chosen(card): card.kind_of_card is chosen
"""


def melds(shape: str, **options: object) -> Rules:
    deck, cards, meld = SHAPES[shape]
    text = RULESET.format(deck=deck, cards=cards, meld=indent(meld, "    "))
    text = text.replace("define:\n", f"define:\n{ATTRIBUTES}")
    return load("melds", text=text, options=options)


@pytest.mark.parametrize("shape", SHAPES)
def test_hands_are_parted_alike(shape: str, test_size: float) -> None:
    rules = melds(shape)
    for game in range(int(2 * test_size)):
        play_side_by_side(rules, 2, seed=1, game=game, deep=game == 0)


@pytest.mark.parametrize("shape", SHAPES)
def test_whole_games_add_up_alike(shape: str, test_size: float) -> None:
    rules = melds(shape)
    games = int(3 * test_size)
    native = BlockPlayer(rules, 2, ["random"] * 2, seed=2).play(0, games)
    assert native == play_block(rules, Setup(2, ("random",) * 2, 2, "reference"), 0, games).sums
    laid, found = native.measures[2], native.measures[3]
    assert sum(seat.total for seat in laid) > 0
    assert found[0].total > 0 or shape in RARE


def test_facts_under_an_option() -> None:
    laid = []
    for gaps in (False, True):
        rules = melds("by options", gaps=gaps)
        play_side_by_side(rules, 2, seed=3, game=0, deep=True)
        laid.append(BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 20).measures[2][0].total)
    assert laid[0] < laid[1]
