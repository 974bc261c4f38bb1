"""Lists of cards that are longer than what is gone through at once, and parts of them."""

from __future__ import annotations

from trionfi.interpreter.rules import load

from .test_equality import play_side_by_side
from .test_playout import both

LISTS = """\
trionfi: 1
name: Lists
about: A game for a test.
players: 2
deck: standard
table:
  stock: {start: deck}
  row: {row: 5, face: up}
  hand: {per: player, seen_by: owner, face: down}
  pile: {face: up}
variables:
  x: 0
define:
  laid(player): all cards in row + player.hand + pile where card.rank is not ace
play: |
  shuffle stock
  deal 40 from stock to p1.hand
  deal 7 from stock to p2.hand
  deal 3 from stock to row
  let kept = all cards in p1.hand
  for each player:
    player chooses 1 card from player.hand as taken
    move taken to pile
    add 100 * laid(player).count to x
    add 10000 * (laid(p1) + laid(player)).count to x
  for each card in kept where card in p1.hand + pile: add card.depth * card.rank.place to x
  for each card in laid(p1) where card in laid(p2): add 1000 to x
  move row to bottom of p1.hand
  p1 chooses any cards from p1.hand where card.rank is king as kings
  move kings to row
result:
  score(player): x + laid(player).count
"""


def test_long_lists(test_size: float) -> None:
    rules = load("lists", text=LISTS)
    for seed in range(int(4 * test_size)):
        play_side_by_side(rules, 2, seed=seed, game=seed, deep=False)
    native, reference = both(rules, 2, ("random",) * 2, int(60 * test_size))
    assert native == reference
