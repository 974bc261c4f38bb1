"""Melds against every way to part a hand, tried by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from given import given

RANKS = ["ace", "2", "3", "4", "5", "6", "7"]
Card = tuple[int, str]  # rank from 1, suit
Meld = tuple[int, ...]
DECK: list[Card] = [(rank, suit) for suit in ("clubs", "hearts") for rank in range(1, 8)] * 2


def name(card: Card) -> str:
    return f"{RANKS[card[0] - 1]} of {card[1]}"


def is_meld(cards: Sequence[Card]) -> bool:
    ranks = sorted(rank for rank, _ in cards)
    if len(set(ranks)) == 1:
        return 3 <= len(cards) <= 4
    one_suit = len({suit for _, suit in cards}) == 1
    return one_suit and len(cards) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(cards)))


def arrangements(hand: Sequence[Card], melds: Sequence[Meld], free: frozenset[int]) -> Iterator[tuple[Meld, ...]]:
    """All sets of melds that share no card, each in order."""
    yield ()
    for number, meld in enumerate(melds):
        if free.issuperset(meld):
            for others in arrangements(hand, melds[number + 1 :], free.difference(meld)):
                yield (meld, *others)


def best_by_hand(hand: Sequence[Card]) -> tuple[int, tuple[Meld, ...]]:
    """The least cost; of equal ones the first in the order of the cards."""
    places = range(len(hand))
    sets = (chosen for size in range(3, len(hand) + 1) for chosen in combinations(places, size))
    melds = [chosen for chosen in sets if is_meld([hand[place] for place in chosen])]
    every = [tuple(sorted(found)) for found in arrangements(hand, melds, frozenset(places))]
    return min(((left_cost(hand, found), found) for found in every), key=lambda one: (one[0], tried(hand, one[1])))


def left_cost(hand: Sequence[Card], melds: Sequence[Meld]) -> int:
    melded = {place for meld in melds for place in meld}
    return sum(card[0] for place, card in enumerate(hand) if place not in melded)


def tried(hand: Sequence[Card], melds: Sequence[Meld]) -> list[tuple[int, Meld]]:
    """In which order an arrangement is tried: card by card, in a meld before alone."""
    begins = {meld[0]: meld for meld in melds}
    inside = {place for meld in melds for place in meld[1:]}
    return [(0, begins[p]) if p in begins else (1, ()) for p in range(len(hand)) if p not in inside]


def test_hands_are_arranged_in_the_best_way(test_size: float) -> None:
    random = Random(1)
    game = given("melds")
    found_melds = 0
    for _ in range(int(200 * test_size)):
        hand = random.sample(DECK, random.randrange(0, 10))
        arranged = game.arranged("meld", [name(card) for card in hand])
        cost, melds = best_by_hand(hand)
        assert (arranged.cost, arranged.melds) == (cost, melds), hand
        melded = {place for meld in melds for place in meld}
        assert arranged.left == tuple(place for place in range(len(hand)) if place not in melded)
        found_melds += len(melds)
    assert found_melds > 50 * test_size


def test_cards_are_a_meld_when_none_is_left_out(test_size: float) -> None:
    random = Random(2)
    game = given("melds")
    counts = {True: 0, False: 0}
    for _ in range(int(2000 * test_size)):
        rank, suit = random.choice(DECK)
        near = [card for card in DECK if card[0] == rank or (card[1] == suit and abs(card[0] - rank) < 4)]
        cards = random.sample(near, random.randrange(1, 6))
        found = game.is_meld("meld", [name(card) for card in cards])
        assert found == is_meld(cards), cards
        counts[found] += 1
    assert min(counts.values()) > 50 * test_size


def test_no_cards_are_no_meld() -> None:
    assert not given("melds").is_meld("meld", [])
    assert given("melds").arranged("meld", []).cost == 0


def test_a_card_of_two_suits_serves_either() -> None:
    game = given("melds")
    two_suits = {"card": "5 of clubs", "suits": ["clubs", "hearts"]}
    assert game.is_meld("meld", ["4 of hearts", two_suits, "6 of hearts"])
    assert game.is_meld("meld", ["4 of clubs", two_suits, "6 of clubs"])
    assert not game.is_meld("meld", ["4 of clubs", two_suits, "6 of hearts"])
    # it lies in one meld, though it would fit two
    hand: list[object] = ["3 of hearts", "4 of hearts", two_suits, "6 of clubs", "7 of clubs"]
    arranged = game.arranged("meld", hand)
    assert arranged.cost == 7
    assert arranged.melds == ((2, 3, 4),)
