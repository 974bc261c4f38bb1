"""Rankings that ask about one card within a question about another: the same hands, compiled or not."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from trionfi.interpreter.rules import load

GAME = """\
trionfi: 1
name: Four of four
players: 2
deck: {{ranks: [1, 2, 3, 4], suits: [cups, coins], copies: {copies}}}
table:
  stock: {{start: deck, face: down}}
  hand: {{per: player, face: up, capacity: 4}}
rankings:
  four:
    of: 4 cards
    alike: [rank]
    categories: {{{further}Any: anything}}
    {asks}
define:
  different(cards some): no card c in some where (any card d in some where d is not c and d.rank is c.rank)
  alone(cards some): count of cards c in some where (no card d in some where d is not c and d.rank is c.rank)
  named(cards some): count of cards c in some where (any suit s where c.suit is s and (any suit t where t is s and t is cups and (any rank r where r is c.rank and r is 1)))
play: |
  shuffle stock
  deal 4 from stock to each hand
result:
  score(player): 1 if four(player.hand) is not none else 0
"""
# the order of suits is that of the deck: cards 0 to 3 are cups, 4 to 7 coins
HANDS = [list(hand) for hand in combinations(range(8), 4)]


def ranks(hand: list[int]) -> list[int]:
    return sorted((card % 4 for card in hand), reverse=True)


def lone(hand: list[int]) -> int:
    return sum(ranks(hand).count(rank) == 1 for rank in ranks(hand))


ASKS = {
    "a qualifier": (
        "order: [groups by card.rank]\n    qualifier: different(hand)",
        lambda hand: ranks(hand) if lone(hand) == 4 else None,
    ),
    "a qualifier beside the category": (
        "order: [category, groups by card.rank]\n    qualifier: different(hand)",
        lambda hand: ranks(hand) if lone(hand) == 4 else None,
    ),
    "a value": ("order: [category, alone(hand)]", lone),
    "three questions deep": ("order: [category, named(hand)]", lambda hand: int(0 in hand)),
}


def by_place(keys: list[Any]) -> list[int]:
    """Each key as its place among all: what compares alike is told alike, no hand is -1."""
    order = sorted({tuple(key) if isinstance(key, list) else (key,) for key in keys if key is not None})
    return [-1 if key is None else order.index(tuple(key) if isinstance(key, list) else (key,)) for key in keys]


def four(tmp_path: Path, asks: str, further: str = "", copies: int = 1) -> Any:
    (tmp_path / "four.yaml").write_text(GAME.format(asks=asks, further=further, copies=copies))
    return load(str(tmp_path / "four.yaml"))


@pytest.mark.parametrize("kind", ASKS)
def test_hands_are_rated_by_it(tmp_path: Path, kind: str) -> None:
    asks, key = ASKS[kind]
    game = four(tmp_path, asks)
    wanted = by_place([key(hand) for hand in HANDS])
    assert len(set(wanted)) > 1
    assert by_place([one if one >= 0 else None for one in game.rank_many("four", HANDS)]) == wanted
    assert by_place([value and list(value.key) for value in (game.rank("four", hand) for hand in HANDS)]) == wanted
    assert game.engine() == "native"
    native, reference = (game.simulate(30, seed=1, engine=engine).to_dict() for engine in ("native", "reference"))
    assert native["seats"] == reference["seats"]


def test_two_copies_of_a_card_are_two_cards(tmp_path: Path) -> None:
    game = four(tmp_path, ASKS["a qualifier"][0], copies=2)
    assert game.engine() == "native"
    assert [one >= 0 for one in game.rank_many("four", [[0, 1, 2, 3], [0, 0, 1, 2], [0, 1, 6, 7]])] == [
        True,
        False,
        True,
    ]
    native, reference = (game.simulate(200, seed=1, engine=engine).to_dict() for engine in ("native", "reference"))
    assert native["seats"] == reference["seats"]


def test_a_key_of_groups_that_names_the_card(tmp_path: Path) -> None:
    """It is left to the reference engine."""
    game = four(tmp_path, "order: ['groups by count of cards c in group where c.rank is card.rank']", "Pair: 2 alike, ")
    assert game.engine() == "reference"
    wanted = [[1, 1, 1, 1] if lone(hand) == 4 else [2, 1, 1] for hand in HANDS]
    assert by_place(game.rank_many("four", HANDS)) == by_place(wanted)


LOW = """\
trionfi: 1
name: Low card
players: 2
deck: {from: standard, ace: low}
table:
  stock: {start: deck, face: down}
  hand: {per: player, face: up, capacity: 1}
rankings:
  two: {of: 1 cards, alike: [rank], categories: {Warm: all warm, Any: anything}, order: [groups by card.rank], best: low}
  one: {of: 1 cards, alike: [rank], categories: {Any: anything}, order: [groups by card.rank], best: low}
  high(cards own): {categories: {Any: else}, order: [category, one(own)]}
define: {warm(card): card.suit is hearts}
play: |
  shuffle stock
  deal 1 from stock to each hand
result:
  score(player): 1 if two(player.hand) > two(player.opponent.hand) else 0
"""


@pytest.mark.parametrize("ranking", ["one", "two", "high"])
def test_the_lowest_of_many_hands_is_best(tmp_path: Path, ranking: str) -> None:
    (tmp_path / "low.yaml").write_text(LOW)
    game = load(str(tmp_path / "low.yaml"))
    strengths = list(game.rank_many(ranking, [[card] for card in range(13)]))
    assert by_place(strengths) == list(range(12, -1, -1))
    native = game.simulate(30, seed=1).to_dict()
    assert native["seats"] == game.simulate(30, seed=1, engine="reference").to_dict()["seats"]
