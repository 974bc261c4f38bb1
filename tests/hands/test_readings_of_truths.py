"""Wild cards in rankings that count cards of a kind: against trying every card that a wild one may stand for."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

from trionfi.interpreter.rules import load

GAME = """\
trionfi: 1
name: Low and high
players: 2
deck: {ranks: [1, 2, 3, 4, 5, 6], suits: [cups, coins]}
table:
  stock: {start: deck, face: down}
define:
  low(card): card.rank <= 2
  warm(card): card.suit is cups
rankings:
  three:
    of: 3 cards
    alike: [rank]
    wild: card.rank is 6
    categories:
      Two Low and Warm: 2 low, 2..3 warm
      All Low: all low
      One Suit: 1 low, same suit
      All Warm: all warm
      Any: anything
    order: [category, groups by card.rank]
play: shuffle stock
result:
  score(player): 0
"""
DECK = [(rank, suit) for suit in range(2) for rank in range(6)]
Card = tuple[int, int]


def rate(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    """Of three plain cards: the category, and the ranks from the highest down."""
    low, warm = sum(rank <= 1 for rank, _ in cards), sum(suit == 0 for _, suit in cards)
    fits = [low == 2 and warm >= 2, low == 3, low == 1 and warm in (0, 3), warm == 3, True]
    return -fits.index(True), sorted((rank for rank, _ in cards), reverse=True)


def best(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    return max(rate(read) for read in product(*([card] if card[0] != 5 else DECK for card in cards)))


def test_each_hand_of_three(tmp_path: Path) -> None:
    (tmp_path / "three.yaml").write_text(GAME)
    game = load(str(tmp_path / "three.yaml"))
    hands = list(combinations(range(12), 3))
    wanted = [best(tuple(DECK[card] for card in hand)) for hand in hands]
    assert {number for number, _ in wanted} == {0, -1, -2, -3, -4}
    order = sorted({(number, tuple(ranks)) for number, ranks in wanted})
    places = [order.index((number, tuple(ranks))) for number, ranks in wanted]
    values = [game.rank("three", list(hand)) for hand in hands]
    assert [-value.number for value in values if value] == [number for number, _ in wanted]
    keys = sorted({value.key for value in values if value})
    assert [keys.index(value.key) for value in values if value] == places
    strengths = list(game.rank_many("three", hands))
    assert [sorted(set(strengths)).index(one) for one in strengths] == places
