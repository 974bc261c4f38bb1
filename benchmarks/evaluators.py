"""Hands a second: our evaluators, plain loops in C, and other libraries, side by side in one run.

    python benchmarks/evaluators.py [HANDS]

Every line is measured on one core in CPU time, the best of several rounds in which all take turns. The loops in C
(evaluators.c) are compiled here, if there is a C compiler; other libraries are measured if they are installed (pip
install "trionfi[bench]"). Whoever ranks hands otherwise than we do is an error.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy
from rows import Row, show

import trionfi

FEW = 20_000  # hands for libraries that take one hand a call

POKER = """\
trionfi: 1
name: {name}
players: 2
deck: {deck}
table:
  stock: {{start: deck}}
rankings:
  hand:
    of: 5 cards
    alike: [rank]
    run: {{by: rank, ace: low or high}}
    categories:
{categories}
    order:
      - category
      - groups by card.rank
play: |
  shuffle stock
result:
  score(player): 0
"""
CATEGORIES = {
    "Straight Flush": "run of 5, same suit",
    "Four of a Kind": "4 alike",
    "Full House": "3 alike, 2 alike",
    "Flush": "5 cards, same suit",
    "Straight": "run of 5",
    "Three of a Kind": "3 alike",
    "Two Pair": "2 alike, 2 alike",
    "One Pair": "2 alike",
    "High Card": "anything",
}
RANKS = "2, 3, 4, 5, 6, 7, 8, 9, 10, jack, queen, king, ace"
SUITS = "clubs, diamonds, hearts, spades"


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    library = compiled_loops()
    show("Best five of seven cards", "hands", poker_rows(hands, library))
    show("Two-Win: two of four with three of five", "hands", two_win_rows(hands // 10, library))


# ---- poker


def poker_rows(hands: int, library: Any) -> list[Row]:
    swapped = {"Flush": "Full House", "Full House": "Flush"}
    swapped |= {"Three of a Kind": "Two Pair", "Two Pair": "Three of a Kind"}
    variants = {
        "the standard ranking": ruleset("standard", CATEGORIES),
        "two pairs of categories exchanged": ruleset(
            "exchanged", {swapped.get(name, name): CATEGORIES[swapped.get(name, name)] for name in CATEGORIES}
        ),
        "five suits": ruleset("five-suits", CATEGORIES, suits=f"{SUITS}, stars"),
        "fifteen ranks": ruleset("fifteen-ranks", CATEGORIES, ranks=f"0, 1, {RANKS}"),
    }
    rows = []
    for name, rules in variants.items():
        cards = dealt(hands, len(rules.cards), 7)
        rows.append(Row(f"trionfi, {name}", hands, lambda rules=rules, cards=cards: rules.rank_many("hand", cards)))
    cards = dealt(hands, 52, 7)
    if library:
        rows.append(Row("plain loop in C", hands, lambda: c_poker(library, cards)))
        assert same_order(rows[0].result, rows[-1].result), "the loop in C disagrees"
    rows += [row for make in PEERS if (row := make(cards[:FEW])) is not None]
    for row in rows[4 + bool(library) :]:
        assert same_order(rows[0].result[:FEW], -numpy.array(row.result)), f"{row.name} disagrees"
    return rows


def ruleset(name: str, categories: dict[str, str], ranks: str = RANKS, suits: str = SUITS) -> Any:
    """The standard ranking, or one like it, as its text says it."""
    lines = "\n".join(f"      {category}: {text}" for category, text in categories.items())
    text = POKER.format(name=name, deck=f"{{ranks: [{ranks}], suits: [{suits}], ace: high}}", categories=lines)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        path.write_text(text)
        return trionfi.load(str(path))


def dealt(hands: int, cards: int, size: int, turned: bool = False) -> Any:
    """Rows of different cards, uint8."""
    random = numpy.random.default_rng(1)
    some = min(hands, 100_000)
    rows = numpy.argsort(random.random((some, cards)), axis=1)[:, :size].astype(numpy.uint8)
    if turned:
        rows += (random.random(rows.shape) < 0.5).astype(numpy.uint8) * numpy.uint8(cards)
    return numpy.ascontiguousarray(numpy.tile(rows, (-(-hands // some), 1))[:hands])


def same_order(ours: Any, theirs: Any) -> bool:
    """Do both rank all hands alike, ties too?"""
    one, other = (numpy.unique(values, return_inverse=True)[1] for values in (ours, theirs))
    return bool((one == other).all())


# ---- Two-Win


class Card(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("rank", "suit", "major", "upright")]


def two_win_rows(hands: int, library: Any) -> list[Row]:
    rules = trionfi.load("two-win")
    cards = dealt(hands, 78, 9, turned=True)
    own, internal = numpy.ascontiguousarray(cards[:, :4]), numpy.ascontiguousarray(cards[:, 4:])
    rows = [Row("trionfi", hands, lambda: rules.rank_many("poker", (own, 2), (internal, 3)))]
    if library:
        known = (Card * 156)(*(Card(*tarot_card(rules.cards[code % 78]), int(code < 78)) for code in range(156)))
        rows.append(Row("plain loop in C", hands, lambda: c_two_win(library, known, own, internal)))
        assert same_order(rows[0].result, rows[1].result), "the loop in C disagrees"
    return rows


MAJORS = [
    *("The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers"),
    *("The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance"),
    *("The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World"),
]
MINOR_RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "page", "knight", "queen", "king", "ace"]


def tarot_card(name: str) -> tuple[int, int, int]:
    """Rank, suit, and whether it is a major."""
    if name in MAJORS:
        number = MAJORS.index(name)
        suit = 4 if 1 <= number <= 10 else 5 if 11 <= number <= 20 else 6
        return {0: 8, 1: 13}.get(number % 10, number % 10 - 2), suit, 1
    rank, _, suit_name = name.casefold().partition(" of ")
    return MINOR_RANKS.index(rank), ["wands", "cups", "swords", "pentacles"].index(suit_name), 0


# ---- loops in C


def compiled_loops() -> Any:
    """The functions of evaluators.c, None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("no C compiler: without the plain loops\n")
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "evaluators.so"
        source = Path(__file__).with_name("evaluators.c")
        subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", target, source], check=True)
        return ctypes.CDLL(str(target))


def c_poker(library: Any, cards: Any) -> Any:
    out = numpy.empty(len(cards), dtype=numpy.int64)
    library.poker_rows(pointer(cards), ctypes.c_int64(len(cards)), pointer(out))
    return out


def c_two_win(library: Any, known: Any, own: Any, internal: Any) -> Any:
    out = numpy.empty(len(own), dtype=numpy.int64)
    library.two_win_rows(known, pointer(own), pointer(internal), ctypes.c_int64(len(own)), pointer(out))
    return out


def pointer(array: Any) -> Any:
    return ctypes.c_void_p(array.ctypes.data)


# ---- other libraries: one call a hand, cards made beforehand; lower is better but with eval7


def phevaluator_row(cards: Any) -> Row | None:
    try:
        from phevaluator import evaluate_cards
    except ImportError:
        return None
    # their card is 4 * rank + suit
    hands = [[4 * (card % 13) + card // 13 for card in row] for row in cards.tolist()]
    return Row("phevaluator, a call a hand", len(hands), lambda: [evaluate_cards(*hand) for hand in hands])


def eval7_row(cards: Any) -> Row | None:
    try:
        import eval7
    except ImportError:
        return None
    hands = [
        [eval7.Card(f"{'23456789TJQKA'[card % 13]}{'cdhs'[card // 13]}") for card in row] for row in cards.tolist()
    ]
    return Row("eval7, a call a hand", len(hands), lambda: [-eval7.evaluate(hand) for hand in hands])


def treys_row(cards: Any) -> Row | None:
    try:
        from treys import Card as TreysCard
        from treys import Evaluator
    except ImportError:
        return None
    evaluator = Evaluator()
    hands = [
        [TreysCard.new(f"{'23456789TJQKA'[card % 13]}{'cdhs'[card // 13]}") for card in row] for row in cards.tolist()
    ]
    return Row("treys, a call a hand", len(hands), lambda: [evaluator.evaluate(hand[:5], hand[5:]) for hand in hands])


PEERS = [phevaluator_row, eval7_row, treys_row]

if __name__ == "__main__":
    main()
