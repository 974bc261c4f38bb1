"""Games made at random with what `made_rulesets` leaves out: effects of cards, melds, teams, strategies, loops that ask."""

from __future__ import annotations

from random import Random
from textwrap import indent

HEAD = """\
trionfi: 1
name: Made
about: A game made at random.
"""

BODY = """\
options:
  strict: {{default: false}}
  length: {{default: 3, range: 1..6}}
  share: {{kind: ratio, default: 3:2}}
  mood: {{choices: [calm, wild], default: calm}}
attributes:
  role: {{choices: [plain, guard], default: plain}}
table:
  stock: {{start: deck, when short: again()}}
  common: {{row: 4, face: up}}
  hand: {{per: player, seen_by: owner, face: down, capacity: 12}}
  pile: {{face: up}}
  heap: {{piles: 2, face: up}}
  field: {{plays: {plays}, face: up}}
variables:
  points: {{per: player, start: 0}}
  bid: {{per: player, start: 0}}
  dealer: {{kind: player}}
  wanted: {{kind: suit}}
  passes: 0
define:
  open_to(player): common + player.hand
  worth(card): card.rank.place + (2 if card.suit is wanted else 0)
  idle(player): player.points < 3
rankings:
  height:
    of: 0..3 cards
    alike: [{alike}]
    run: {{by: rank, ace: {ace}}}
    categories:
      Three: 3 alike
      Run: run of 3
      Flush: 3 cards, same suit if mood is wild
      Pair: 2 alike
      High: 0..3 cards
    order: [category, groups by card.rank]
melds:
  laid:
    kinds:
      set: 2..4 cards, 2..4 alike
      run: run of 3..5, same suit
    alike: [rank]
    run: {{by: rank, ace: low}}
    cost(card): {cost}
totals:
  tally:
    values(card): 1 or 11 if card.rank is ace, else card.rank.place
    at most: {most}
procedures:
  again(): |
    move pile to stock face down
    shuffle stock
  turn_of(player): |
    player chooses as action:
      "pass": add 1 to passes
      "mix" if pile is not empty: again()
      "play {{card}}" for each card in player.hand where playable(player, card):
        player plays card
      "bid {{n}}" for each number n from 1 to length where n > player.bid: player.bid = n
      "pair {{two}}" for each set of 2 cards two in player.hand where two[1].rank is two[2].rank: player.points = 2
      "lay {{card}}" for each card in player.hand:
        move card to {target}
{inside}
  price(player): |
    for each card in player.hand where card.rank is ace:
      {return_} worth(card)
    return 0
play: |
  shuffle stock
  dealer = {dealer}
  deal 3 from stock to each hand
  deal 4 from stock to common
  {loop}:
    for each player{order}:
      turn_of(player)
      {stop}
    trigger counting
  end plays
  trigger counting
result:
  score(player): player.points + arranged(player.hand, laid).cost
  {result}
measures:
  when counting:
    in_force: count of plays where play.in_force
    best_hand(player): height(open_to(player)).category
  total_of(player): tally(player.hand).value
  laid_well(player): player.hand is laid
"""

STRATEGY = """\
strategies:
  careful:
    about: passes, and takes low cards
    action: |
      if chance(1, 2): pick "pass"
      pick {picked}
"""
ADVICE = {
    "given": "pick the card in options with lowest worth(card)",
    "asked": "pick smaller(lowest_offered + 1, highest_offered)",
}


TARGETS = [
    "1 card from common",
    "0..2 cards from open_to(player)",
    "any cards from common where worth(card) > 2",
    "1..2 cards from player.hand",
]
LASTING = [
    "each target has suit cups",
    "each target has every suit if strict",
    "each target has no rank",
    "each target has every rank; each target has suit swords",
    "each target has role guard",
]
LASTING_OF_ONE = [
    "target has rank target.rank.next",
    "target has no suit",
    *(text.replace("each ", "") for text in LASTING),
]
SCRIPTS = [
    "add 1 to player.points",
    "if this.card is not none: add 1 to player.points",
    "player chooses 0..1 cards from player.hand where card is not this.card as given\nmove given to pile",
    "player chooses number from 0 to length as asked\nadd asked to player.points",
    "wanted = random suit",
]
SCRIPTS_OF_SEVERAL = ["move all cards in targets where card.owner is player to pile", "turn down targets"]
OF_PLAYS = [
    "targets: 1 play from plays where play.in_force\nnegates: target if not strict else none",
    "targets: 1..2 plays from plays where play.player is not player\nnegates: targets",
    "targets: 1 play from plays\nbecomes: target",
    "targets: 1 or more plays from plays where play.has_targets\nretargets: targets",
    "targets: 1 play from plays where play.in_force\nnegates: target\nwhen played: end target",
    "targets:\n  one: 1 card from open_to(player)\n  other: 1 card from common where card is not one\nwhile in force: one copies other",
]
# What a turn does besides, each by itself.
INSIDE = """\
player chooses number from 0 to length step 2 as player.bid

for each card in common where worth(card) > 3: add 1 to player.points

let left_over = 2
while left_over > 0 and player.hand is not empty:
  player chooses 1 card from player.hand as given
  move given to heap[1]
  subtract 1 from left_over
  if given.rank is ace: stop

repeat until player.hand.count < 3:
  player chooses 1..3 cards from player.hand as given such that arranged(given, laid).left.count < 3
  move given to pile

for i from 1 to 2:
  (left of player) chooses as answer:
    "yes": stop
    "no {i}": add i to player.points

each idle player secretly chooses:
  number from 0 to 3 as player.bid

if any cards set in arranged(open_to(player), laid).melds where set.count > 2: add 1 to player.points

player chooses 1 zone from heap as place
turn over pile onto place

player chooses 0..2 players other where idle(other) as friends
for each player p in friends: add 1 to p.points

let due = price(player)
if due > 3: end game

deal up to 1 from stock to player.hand

player chooses 1 suit as wanted
""".strip().split("\n\n")


def an_effect(dice: Random) -> str:
    """The keys of an effect."""
    if dice.random() < 0.35:
        return dice.choice(OF_PLAYS)
    targets = dice.choice(TARGETS)
    lines = [f"targets: {targets}"]
    if dice.random() < 0.8:
        lasting = LASTING_OF_ONE if targets.startswith("1 card") else LASTING
        lines.append(f"while in force: {dice.choice(lasting)}")
    for when in ("when played", "when counting"):
        if dice.random() < 0.4:
            scripts = SCRIPTS if targets.startswith("1 card") else [*SCRIPTS, *SCRIPTS_OF_SEVERAL]
            lines.append(f"{when}: |\n{indent(dice.choice(scripts), '  ')}")
    return "\n".join(lines)


def some_effects(dice: Random, cards: list[str]) -> str:
    chosen = dice.sample(cards, dice.randrange(3, len(cards)))
    each = ["each effect:\n  when chosen: turn up targets"] if dice.random() < 0.3 else []
    return "\n".join([*each, *(f"{card}:\n{indent(an_effect(dice), '  ')}" for card in chosen)])


def make_game(dice: Random) -> str:
    """The text of a ruleset; nearly all are right."""
    ranks = ["ace", "2", "3", "4", "jack"]
    copies = dice.choice(["", "", ", copies: 2"])
    deck = f"deck: {{ranks: [{', '.join(ranks)}], suits: [cups, swords, coins]{copies}}}\n"
    teams = dice.choice(["players: 2..3\n", "players: 2\n", "players: 4\nteams: [[1, 3], [2, 4]]\n"])
    inside = "\n".join(dice.sample(INSIDE, dice.randrange(1, 4)))
    body = BODY.format(
        plays=dice.choice([2, 6, 12]),
        alike=dice.choice(["rank", "suit", "rank, suit"]),
        ace=dice.choice(["low", "high", "low or high"]),
        cost=dice.choice(["card.rank.place", "worth(card)", "1", "0 - card.rank.place"]),
        most=dice.choice(["21", "10 + length", "0"]),
        target=dice.choice(["pile", "heap[2]", "bottom of stock", "common"]),
        inside=indent(inside, "    "),
        return_=dice.choice(["return", "add 1 to player.points\n      return"]),
        dealer=dice.choice(["random player", "p1", "none"]),
        loop=dice.choice(["repeat length times", "repeat until passes > 4 or plays.count is 2", "while passes < 3"]),
        order=dice.choice(["", " starting p2", " where idle(player)"]),
        stop=dice.choice(["if passes > 5: stop", "if player.hand is empty: end game", "trigger counting"]),
        result=dice.choice(["", "won(player): player.points > 2", "won(player): player.hand is empty"]),
    )
    whole = f"{HEAD}{teams}{deck}{body}"
    cards = [f"{rank} of {suit}" for rank in ranks for suit in ("cups", "swords", "coins")]
    whole += f"effects:\n{indent(some_effects(dice, cards), '  ')}\n"
    picked = dice.choice(['"play {card}" for the card in options with highest worth(card)', '"mix"', '"lay {card}"'])
    whole += STRATEGY.format(picked=picked)
    return whole + "".join(f"    {name}: {pick}\n" for name, pick in ADVICE.items() if f" as {name}" in whole)
