"""Runs of groups, different ranks and suits, and parts with nothing else, in both engines beside what is tried card by
card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, product
from random import Random
from typing import Any

import pytest
from groups_by_hand import Card, Category, best, having

from trionfi.interpreter.rules import Rules, load

RANKS = ["3", "4", "5", "6", "7", "ace"]
SUITS = ["cups", "coins", "swords"]
TEXT = """trionfi: 1
name: Groups
about: Hands of repeated groups.
players: 2
deck: {ranks: [3, 4, 5, 6, 7, ace], suits: [cups, coins, swords]}
table: {stock: {start: deck, face: down}, hand: {per: player, face: down}}
rankings:
  planes:
    of: 1..9 cards
    alike: [rank]
    run: {by: rank, ace: low or high}
    categories:
      Bare: run of 2..3 groups of 3 alike, nothing else
      Winged: run of 2 groups of 3 alike, 2 alike
      Pairs: run of 2..4 groups of 2 alike
      Twice: 2 alike, 2 alike, nothing else
      Rainbow: 3 different suits, 2..4 different ranks
      Run: run of 3..5, nothing else
      Flat: 1 different suit, 1..4 cards
      Rest: 2..9 cards
    order: [category, groups by card.rank]
  wild_pairs:
    of: 4 cards
    alike: [rank]
    run: {by: rank, ace: high}
    wild: card.rank is 3 and card.suit is not cups
    categories:
      Pairs: run of 2 groups of 2 alike
      Badugi: 4 different ranks, 3 different suits
      Two Suits: 2 different suits
      Rest: anything
    order: [category, groups by card.rank]
play: |
  shuffle stock
  deal 9 from stock to each hand
result: {score(player): 2 if planes(player.hand) is none else 1 if planes(player.hand) > planes(p1.hand) else 0}
"""
HIGH, BOTH = [range(6)], [[5, 0, 1, 2, 3, 4], range(6)]
PLANES: dict[str, Category] = {
    "Bare": having(("run", 2, 3, 3), orders=BOTH, whole=True),
    "Winged": having(("run", 2, 2, 3), ("alike", 2, 2, 1), orders=BOTH),
    "Pairs": having(("run", 2, 4, 2), orders=BOTH),
    "Twice": having(("alike", 2, 2, 1), ("alike", 2, 2, 1), orders=BOTH, whole=True),
    "Rainbow": having(orders=BOTH, suits=range(3, 4), ranks=range(2, 5)),
    "Run": having(("run", 3, 5, 1), orders=BOTH, whole=True),
    "Flat": having(orders=BOTH, suits=range(1, 2), cards=range(1, 5)),
    "Rest": having(orders=BOTH, cards=range(2, 10)),
}
WILD: dict[str, Category] = {
    "Pairs": having(("run", 2, 2, 2), orders=HIGH),
    "Badugi": having(orders=HIGH, ranks=range(4, 5), suits=range(3, 4)),
    "Two Suits": having(orders=HIGH, suits=range(2, 3)),
    "Rest": having(orders=HIGH),
}
DECK = [(rank, suit) for rank in range(6) for suit in range(3)]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load("groups", text=TEXT)


def named(card: Card) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def hands_of(random: Random, size: int, amount: int) -> Iterator[list[Card]]:
    """Half of them from few ranks, so that groups come often."""
    for number in range(amount):
        first = random.randrange(6)
        near = [card for card in DECK if (card[0] - first) % 6 < (size + 3) // 3]
        yield random.sample(near if number % 2 and len(near) >= size else DECK, size)


def check(
    rules: Rules, ranking: str, hands: Sequence[Sequence[Card]], wanted: Sequence[Any], names: Sequence[str]
) -> None:
    """Categories, order and ties of hands of one size, in both engines."""
    values = [rules.rank(ranking, [named(card) for card in hand]) for hand in hands]
    numbers = {name.lower(): place for place, name in enumerate(rules.cards)}
    strengths = [
        int(one) for one in rules.rank_many(ranking, [[numbers[named(card)] for card in hand] for hand in hands])
    ]
    for hand, value, strength, want in zip(hands, values, strengths, wanted, strict=True):
        assert (value and value.category) == (want and names[-want[0]]), hand
        assert (strength < 0) == (want is None), hand
    found = [one for one in zip(wanted, values, strengths, hands, strict=True) if one[0] is not None]
    for low, high in pairwise(sorted(found, key=lambda one: one[0])):
        assert (low[0] == high[0]) == (low[1] == high[1]) == (low[2] == high[2]), (low, high)
        assert low[1] <= high[1], (low, high)
        assert low[2] <= high[2], (low, high)


@pytest.mark.parametrize("size", range(1, 10))
def test_hands_beside_those_tried_card_by_card(rules: Rules, size: int, test_size: float) -> None:
    hands = list(hands_of(Random(size), size, int(40 * min(test_size, 10))))
    wanted = [best(hand, list(PLANES.values())) for hand in hands]
    check(rules, "planes", hands, wanted, list(PLANES))


def test_every_category_comes() -> None:
    random, found = Random(0), set()
    for size in (2, 3, 4, 6, 8, 9):
        for hand in hands_of(random, size, 120):
            value = best(hand, list(PLANES.values()))
            found.add(None if value is None else list(PLANES)[-value[0]])
    assert found >= set(PLANES)


def test_wild_cards_are_what_is_best(rules: Rules, test_size: float) -> None:
    random, wanted, hands = Random(3), [], []
    for _ in range(int(40 * min(test_size, 10))):
        wild = random.sample([(0, 1), (0, 2)], random.choice([0, 1, 1, 2]))
        others = [card for card in DECK if card not in [(0, 1), (0, 2)]]
        tame = random.sample(others, 4 - len(wild))
        readings = combinations_with_replacement(DECK, len(wild))
        values = [best([*tame, *read], list(WILD.values())) for read in readings]
        wanted.append(max(value for value in values if value is not None))
        hands.append([*tame, *wild])
    check(rules, "wild_pairs", hands, wanted, list(WILD))


def test_altered_cards_are_what_is_best(rules: Rules) -> None:
    """Of several suits one, of every rank any; none is no value."""
    ranked = rules.rank
    several: object = {"card": "5 of cups", "suits": ["cups", "coins"]}
    every: object = {"card": "6 of coins", "rank": "every"}
    lone: object = {"card": "7 of coins", "suits": "none"}
    for hand, choices in (
        (["3 of cups", "4 of swords", several], [[(0, 0), (1, 2), (2, suit)] for suit in (0, 1)]),
        (["5 of cups", "5 of coins", "6 of cups", every], [[(2, 0), (2, 1), (3, 0), (rank, 1)] for rank in range(6)]),
        ([several, every, "5 of swords"], [[(2, s), (r, 1), (2, 2)] for s, r in product((0, 1), range(6))]),
    ):
        value = ranked("planes", hand)
        values = [one for one in (best(cards, list(PLANES.values())) for cards in choices) if one is not None]
        number, key = max(values)
        assert value is not None
        assert (value.category, value.key[1]) == (list(PLANES)[-number], tuple((rank,) for rank in key))
    bare = ranked("planes", ["3 of cups", "4 of swords", "6 of coins", lone])
    assert bare is not None
    assert bare.category == "Rainbow"
    fewer = ranked("planes", ["3 of cups", "4 of swords", lone])
    assert fewer is not None
    assert fewer.category == "Rest"


def test_both_engines_play_the_same_games(rules: Rules) -> None:
    reports = [rules.simulate(60, seed=4, engine=engine, workers=1).to_dict() for engine in ("native", "reference")]
    assert reports[0] == reports[1]
    assert {1, 0} <= {score for seed in range(20) for score in rules.start(seed=seed).scores}


LARGE = """trionfi: 1
name: Large
about: Hands of up to twenty cards.
players: 2
deck: {from: standard, jokers: 2}
table: {stock: {start: deck, face: down}, hand: {per: player, face: down}}
rankings:
  combo:
    of: 1..20 cards
    alike: [rank]
    run: {by: rank, ace: high}
    categories:
      Winged: run of 4 groups of 3 alike, 2 alike, 2 alike, 2 alike, 2 alike, nothing else
      Plane: run of 2..6 groups of 3 alike, nothing else
      Pairs: run of 3..10 groups of 2 alike, nothing else
      Run: run of 5..12, nothing else
      Pair: 2 alike, nothing else
      Single: 1 card
      Two Ranks: 2 cards, 2 different ranks
    order: [category, groups by card.rank]
result: {score(player): 1 if combo(top 2 cards in stock) is none else 0}
play: shuffle stock
"""


def test_hands_of_twenty_cards_are_found_natively() -> None:
    """A run is one group, so that such hands find room in a strength."""
    rules = load("large", text=LARGE)
    assert "combo" not in str(rules.simulate(2, seed=1, engine="native", workers=1).to_dict())
    of = {
        rank: [place for place, name in enumerate(rules.cards) if name.startswith(f"{rank} of")]
        for rank in range(2, 11)
    }
    pairs = [card for rank in of if rank < 12 for card in of[rank][:2]]
    wings = [card for rank in (3, 4, 5, 6) for card in of[rank][:3]] + [c for rank in (7, 9) for c in of[rank]]
    others = [card for rank in (4, 5, 6, 7) for card in of[rank][:3]] + [c for rank in (2, 9) for c in of[rank]]
    spoilt = [*wings[:-1], of[2][0]]
    strengths = [int(one) for one in rules.rank_many("combo", [wings, others, spoilt])]
    assert strengths[1] > strengths[0] > strengths[2] == -1
    values = [rules.rank("combo", [rules.cards[card] for card in hand]) for hand in (wings, others, pairs, spoilt)]
    assert [value and value.category for value in values] == ["Winged", "Winged", "Pairs", None]
    assert values[1] > values[0]  # type: ignore[operator]
    assert int(rules.rank_many("combo", [pairs])[0]) >= 0


def test_a_card_without_rank_has_no_different_one() -> None:
    rules = load("large", text=LARGE)
    joker, jack, ten = (rules.cards.index(name) for name in ("Joker 1", "Jack of Clubs", "10 of Clubs"))
    assert [int(one) >= 0 for one in rules.rank_many("combo", [[joker, jack], [jack, ten]])] == [False, True]
    assert rules.rank("combo", ["Joker 1", "Jack of Clubs"]) is None
