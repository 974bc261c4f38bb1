"""Two-Win's hands written from the rulings alone, slowly: W1..W3 and W6..W14. Nothing here knows the evaluators.

A card is (suit, number, is_reversed): suit 0..3 with number 1..14 (ace, 2..10, page, knight, queen, king), or
suit None with number 0..21, a major.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random

Card = tuple[int | None, int, bool]
CATEGORIES = [
    "Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
    "Two Pair",
    "One Pair",
    "High Card",
]
SUITS = ["wands", "cups", "swords", "pentacles"]
COURT = {1: "ace", 11: "page", 12: "knight", 13: "queen", 14: "king"}
MAJORS = [
    "The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers",
    "The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance",
    "The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World",
]  # fmt: skip
DECK = [(suit, number) for suit in range(4) for number in range(1, 15)] + [(None, number) for number in range(22)]
ACE = 15


def name(card: Card) -> str:
    suit, number, is_reversed = card
    called = MAJORS[number] if suit is None else f"{COURT.get(number, number)} of {SUITS[suit]}"
    return f"{called} reversed" if is_reversed else called


def is_major(card: Card) -> bool:
    return card[0] is None


def rank(card: Card) -> int:
    """2..10, page 11, knight 12, queen 13, king 14, ace 15 (W2, W9)."""
    number = card[1]
    if is_major(card):
        number = {0: 10, 1: 1}.get(number % 10, number % 10)
    return ACE if number == 1 else number


def suit(card: Card) -> str:
    """W1: the majors are three suits."""
    if not is_major(card):
        return SUITS[card[0] or 0]
    return "first" if 1 <= card[1] <= 10 else "second" if 11 <= card[1] <= 20 else "third"


def alike(cards: list[Card]) -> bool:
    """W7: rank and orientation."""
    return len({(rank(card), card[2]) for card in cards}) == 1


def straight_top(cards: list[Card]) -> Card | None:
    """The top card of five in a row, None if they are none (W9)."""
    ranks = sorted(rank(card) for card in cards)
    if ranks == [2, 3, 4, 5, ACE]:
        return next(card for card in cards if rank(card) == 5)
    if all(ranks[i] + 1 == ranks[i + 1] for i in range(4)):
        return max(cards, key=rank)
    return None


def ways(cards: list[Card], mixed_runs: bool) -> list[tuple[int, list[list[Card]], Card | None]]:
    """Every (category, groups, top of a straight) that the five cards can be."""
    one_way_up = len({card[2] for card in cards}) == 1
    one_suit = len({suit(card) for card in cards}) == 1
    top = straight_top(cards)
    singles = [[card] for card in cards]
    found: list[tuple[int, list[list[Card]], Card | None]] = [(8, singles, None)]
    if top and one_suit and one_way_up:
        found.append((0, [cards], top))
    if one_suit and (one_way_up or mixed_runs):
        found.append((3, singles, None))
    if top and (one_way_up or mixed_runs):
        found.append((4, [cards], top))
    for category, sizes in ((1, [4]), (2, [3, 2]), (5, [3]), (6, [2, 2]), (7, [2])):
        found += [(category, groups, None) for groups in partitions(cards, sizes)]
    return found


def partitions(cards: list[Card], sizes: list[int]) -> list[list[list[Card]]]:
    """Groups alike of the wanted sizes, from different cards, then each other card alone."""
    if not sizes:
        return [[[card] for card in cards]]
    found = []
    for chosen in combinations(range(len(cards)), sizes[0]):
        group = [cards[i] for i in chosen]
        if alike(group):
            rest = [card for i, card in enumerate(cards) if i not in chosen]
            found += [[group, *others] for others in partitions(rest, sizes[1:])]
    return found


def poker(cards: list[Card], mixed_runs: bool = False) -> tuple[object, ...]:
    """What orders two hands of five, W10; the second value is minus the category."""
    options = ways(cards, mixed_runs)
    best = min(category for category, _, _ in options)
    with_major = any(is_major(card) for card in cards)
    return with_major, -best, max(group_keys(groups, top) for category, groups, top in options if category == best)


def group_keys(groups: list[list[Card]], top: Card | None) -> list[tuple[int, bool, int]]:
    keyed = []
    for group in groups:
        named_by = top if top and len(group) == 5 else group[0]
        keyed.append((len(group), rank(named_by), not named_by[2], sum(is_major(card) for card in group)))
    return [key[1:] for key in sorted(keyed, reverse=True)]


def best_poker(own: list[Card], internal: list[Card], mixed_runs: bool = False) -> tuple[object, ...]:
    """W6: two of the own cards, three of the five."""
    hands = product(combinations(own, 2), combinations(internal, 3))
    return max(poker([*two, *three], mixed_runs) for two, three in hands)


# ---- twenty-one


def counts(card: Card, by_digit: bool) -> set[int]:
    """W3."""
    number = card[1]
    if card[2]:
        return {0}
    if not is_major(card):
        return {1, 11} if number == 1 else {min(number, 10)}
    if not by_digit:
        return {number}
    return {number} | {0: {10}, 1: {1, 11}}.get(number % 10, {number % 10})


def totals(cards: list[Card], by_digit: bool) -> set[int]:
    return {sum(chosen) for chosen in product(*(counts(card, by_digit) for card in cards))}


def best_total(cards: list[Card], by_digit: bool) -> tuple[int, bool, bool]:
    """The total, whether it could be less, whether it is over."""
    all_totals = totals(cards, by_digit)
    within = [total for total in all_totals if total <= 21]
    return (max(within), max(within) > min(all_totals), False) if within else (min(all_totals), False, True)


def twenty_one(own: list[Card], external: list[Card], by_digit: bool) -> tuple[object, ...]:
    """What orders two hands: W11, W13, W14. The first value: 2 natural, 1 a total, 0 bust, which wins nothing."""
    majors = sum(is_major(card) for card in own)
    if best_total(own, by_digit)[0] == 21:
        return 2, 21, majors
    shared = [] if best_total(external, by_digit)[2] else external
    total, _, over = best_total(own + shared, by_digit)
    return (0, 0, 0) if over else (1, total, majors)


# ---- hands that are not only high cards


def random_hand(random: Random, size: int) -> list[Card]:
    return [(*card, random.random() < 0.5) for card in random.sample(DECK, size)]


def biased_hand(random: Random, size: int) -> list[Card]:
    """Cards of few ranks, of one suit or in a row, mostly lying one way, some of them exchanged."""
    wished = random.choice([few_ranks, one_suit, in_a_row, in_a_row_of_a_suit])(random)
    wished = random.sample(wished, min(len(wished), size - random.choice([0, 0, 0, 1, 2])))
    cards = wished + random.sample([card for card in DECK if card not in wished], size - len(wished))
    random.shuffle(cards)
    turned = random.choice([0, 0, 1, 1, 0.2, 0.8, 0.5])
    return [(*card, random.random() < turned) for card in cards]


def few_ranks(random: Random) -> list[tuple[int | None, int]]:
    ranks = random.sample(range(2, ACE + 1), random.choice([1, 2, 2, 3]))
    return [card for card in DECK if rank((*card, False)) in ranks]


def one_suit(random: Random) -> list[tuple[int | None, int]]:
    wanted = random.choice([*SUITS, "first", "second"])
    return [card for card in DECK if suit((*card, False)) == wanted]


def in_a_row(random: Random) -> list[tuple[int | None, int]]:
    """One card of each of five ranks in a row, the ace at either end."""
    low = random.randrange(1, ACE - 3)
    ranks = [ACE if number == 1 else number for number in range(low, low + 5)]
    return [random.choice([card for card in DECK if rank((*card, False)) == wanted]) for wanted in ranks]


def in_a_row_of_a_suit(random: Random) -> list[tuple[int | None, int]]:
    suit_wanted = random.choice([*SUITS, "first", "second"])
    low = random.randrange(1, ACE - 3)
    ranks = {ACE if number == 1 else number for number in range(low, low + 5)}
    return [card for card in DECK if suit((*card, False)) == suit_wanted and rank((*card, False)) in ranks]
