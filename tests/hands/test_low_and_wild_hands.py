"""Low hands, wild cards, altered cards and whole decks against poker written by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from random import Random

import poker_by_hand as by_hand
import pytest
from given import given
from orders_agree import assert_same_order

TRIALS = 300  # random ones and as many biased ones, times the size of the run
MOST_SUBSTITUTED = 20  # what the size multiplies at most where all substitutions are tried: they take long
SHORT_DECK = [card for card in by_hand.DECK if card[0] >= 8 and card != (13, 2)]
Rate = Callable[[Sequence[by_hand.Card]], object]


def hands(seed: int, amount: float, size: int, deck: list[by_hand.Card] = by_hand.DECK) -> list[list[by_hand.Card]]:
    random = Random(seed)
    deals = (by_hand.random_hand, by_hand.biased_hand)
    return [deal(random, size, deck) for _ in range(int(amount)) for deal in deals]


def names(cards: Sequence[by_hand.Card]) -> list[str]:
    return [by_hand.name(card) for card in cards]


@pytest.mark.parametrize(
    ("ranking", "rate"), [("ace_to_five", by_hand.ace_to_five), ("eight_or_better", by_hand.eight_or_better)]
)
def test_low_hands_of_seven(test_size: float, ranking: str, rate: Rate) -> None:
    low = given("low-hands")
    deals = hands(1, TRIALS * test_size, 7)
    rows = [(by_hand.best(rate, cards), low.rank(ranking, names(cards)), names(cards)) for cards in deals]
    assert any(value is not None for _, value, _ in rows)
    assert_same_order(rows)


def test_badugi(test_size: float) -> None:
    low = given("low-hands")
    rows = []
    for cards in hands(2, TRIALS * test_size, 4):
        values = (low.rank("badugi", (names(cards), size)) for size in (4, 3, 2, 1))
        rows.append((by_hand.badugi(cards), next(value for value in values if value), names(cards)))
    assert {value.category for _, value, _ in rows} == {"One Card", "Two Cards", "Three Cards", "Badugi"}
    assert_same_order(rows)


@pytest.mark.parametrize("wild_twos", [False, True])
def test_lowball(test_size: float, wild_twos: bool) -> None:
    """2-7; with wild cards that want to share neither rank nor suit nor stand in a row."""
    low = given("lowball", wild_twos=wild_twos)
    rows = []
    for cards in hands(
        3, TRIALS * (min(test_size, MOST_SUBSTITUTED) / 6 if wild_twos else test_size), 5 if wild_twos else 7
    ):
        stands_for = [by_hand.DECK if wild_twos and card[0] == 2 else [card] for card in cards]
        if sum(len(options) > 1 for options in stands_for) <= 1:
            key = by_hand.substituted(by_hand.lowball, stands_for)
            rows.append((key, low.rank("lowball", names(cards)), names(cards)))
    assert_same_order(rows)


def high_short(cards: Sequence[by_hand.Card]) -> tuple[object, ...]:
    return by_hand.high(cards, lowest=8)


@pytest.mark.parametrize(("wild", "eights_any_suit"), [("jokers", False), ("jokers", True), ("kings", True)])
def test_wild_cards(test_size: float, wild: str, eights_any_suit: bool) -> None:
    """All substitutions of a short deck without the king of hearts; the ace stands below the eight, too."""
    short = given("wild-hands", wild=wild, eights_any_suit=eights_any_suit)
    random = Random(4)
    rows = []
    for cards in hands(5, TRIALS * min(test_size, MOST_SUBSTITUTED) / 6, 6, SHORT_DECK):
        asked = names(cards)
        stands_for: list[list[by_hand.Card]] = [[card] for card in cards]
        for place in range(random.choice([0, 1, 1, 2]) if wild == "jokers" else 0):
            asked[place], stands_for[place] = f"Joker {place + 1}", SHORT_DECK
        for place, (rank, _) in enumerate(cards):
            if wild == "kings" and rank == 13:
                stands_for[place] = SHORT_DECK
            elif eights_any_suit and rank == 8 and len(stands_for[place]) == 1:
                stands_for[place] = [(8, suit) for suit in range(4)]
        if sum(len(options) > 4 for options in stands_for) <= 2:
            rows.append((by_hand.substituted(high_short, stands_for), short.rank("hand", asked), asked))
    assert_same_order(rows)


def test_altered_cards(test_size: float) -> None:
    """Cards of several suits, another rank, or any rank, as effects make them."""
    holdem = given("no-limit-holdem")
    random = Random(6)
    rows = []
    for cards in hands(7, TRIALS * min(test_size, MOST_SUBSTITUTED) / 6, 6):
        asked: list[object] = list(names(cards))
        stands_for: list[list[by_hand.Card]] = [[card] for card in cards]
        for place in range(random.choice([1, 2, 3])):
            asked[place], stands_for[place] = altered(random, cards[place])
        if sum(len(options) > 13 for options in stands_for) <= 1:
            rows.append((by_hand.substituted(by_hand.high, stands_for), holdem.rank("hand", asked), asked))
    # hold'em has no five of a kind: it is four of a kind there
    rows = [row for row in rows if row[0][0] != 0]  # type: ignore[index]
    assert_same_order(rows)


def altered(random: Random, card: by_hand.Card) -> tuple[dict[str, object], list[by_hand.Card]]:
    """How `rank` is told, and all that the card then stands for."""
    rank, suit = card
    suits = random.choice([[suit], [0, 2], [1], [0, 1, 2, 3]])
    ranks = random.choice([[rank], [rank], [random.randrange(2, 15)], list(range(2, 15))])
    told: dict[str, object] = {"card": by_hand.name(card)}
    told["suits"] = "every" if len(suits) == 4 else [by_hand.SUITS[s] for s in suits]
    told["rank"] = "every" if len(ranks) == 13 else by_hand.COURT.get(ranks[0], ranks[0])
    return told, [(r, s) for r in ranks for s in suits]


def test_all_hands_of_a_deck(test_size: float) -> None:
    """How many hands of each category there are: of 24 cards every day, of 52 in the big size."""
    big = test_size >= 100
    holdem = given("no-limit-holdem")
    deck = [card for card in by_hand.DECK if big or card[0] >= 9]
    evaluator, (table, cards) = holdem.evaluator("hand"), holdem.laid(names(deck))
    found = Counter(evaluator.best_hand(table, [(hand, None)]).category for hand in combinations(cards, 5))
    assert dict(found) == counted(len(deck) // 4, 10 if big else 2)
    if big:
        assert (found["Straight Flush"], found["Full House"], found["High Card"]) == (40, 3744, 1302540)


def counted(ranks: int, runs: int) -> dict[str, int]:
    """Hands of a deck of four suits with so many ranks and so many different straights."""
    five = comb(ranks, 5) - runs
    return {
        "Straight Flush": 4 * runs,
        "Four of a Kind": ranks * (ranks - 1) * 4,
        "Full House": ranks * (ranks - 1) * 4 * 6,
        "Flush": 4 * five,
        "Straight": runs * (4**5 - 4),
        "Three of a Kind": ranks * 4 * comb(ranks - 1, 2) * 16,
        "Two Pair": comb(ranks, 2) * 36 * (ranks - 2) * 4,
        "One Pair": ranks * 6 * comb(ranks - 1, 3) * 64,
        "High Card": five * (4**5 - 4),
    }
