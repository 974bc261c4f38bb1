"""A ruleset's own tests: what counts as a move, what is compared, and what a failure says."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from trionfi.interpreter.examples import Outcome, run_examples
from trionfi.interpreter.rules import load

GAME = """trionfi: 1
name: Small Draw
about: Each throws away some cards and says how many chips they bring.
players: 2
deck:
  from: standard
  keep: card.rank is 7 or 8 or 9
options:
  most: {default: 2, range: 1..3, about: cards that may be thrown away}
table:
  stock: {start: deck}
  hand: {per: player, seen_by: owner}
  pile: {face: up}
variables:
  brought: {per: player, start: 0}
  kept: {per: player, kind: cards, most: 3}
rankings:
  high_card:
    of: 1..3 cards
    alike: [card_rank]
    categories:
      Trips: 3 alike
      Pair: 2 alike
      Nothing: anything
    order: [category]
define:
  card_rank(card): card.rank
play: |
  shuffle stock
  deal 3 from stock to each hand
  for each player starting p1:
    player chooses 0..most cards from player.hand as thrown
    move thrown to pile
    player chooses number from 2 to 9 step 3 as bring
    player.brought = bring
    player chooses as word:
      "show {card}" for each card in player.hand: move card to pile
      "Keep quiet":
        if false: end game
result:
  score(player): player.brought
strategies:
  bold:
    thrown: pick "done"
    bring: pick highest_offered
    word: pick "Keep quiet"
"""

DEALT = "cards: {p1.hand: [7s, 8s, 9h], p2.hand: [7h, 8h, 9s]}"


def outcomes(tmp_path: Path, tests: str, engine: str = "reference") -> list[Outcome]:
    path = tmp_path / "small-draw.yaml"
    path.write_text(f"{GAME}tests:\n{tests}", encoding="utf-8")
    return list(run_examples(load(str(path)), engine))


def outcome(tmp_path: Path, body: str) -> Outcome:
    lines = "".join(f"      {line}\n" for line in body.splitlines())
    (one,) = outcomes(tmp_path, f'  - "one":\n{lines}')
    return one


PASSES = {
    "names in any case, codes, done": "moves: [p1: [7S, DONE], p1: 5]\nexpect: [pile.count is 1, p1.brought is 5]",
    "a set in another order": "moves: [p1: [9h, 7 of spades]]\nexpect: [pile.count is 2, p1.hand.top is 8 of spades]",
    "the highest number": "moves: [p1: done, p1: 9]\nexpect: p1.brought is 9",
    "a label with a card": "moves: [p1: done, p1: 2, p1: show 8s]\nexpect: pile.top is 8 of spades",
    "a label in another case": "moves: [p1: done, p1: 2, p1: keep quiet]\noffered: {p2: [7h, 8 of hearts, 9S, done]}",
    "a number that is asked for": "moves: [p1: done]\noffered: {p1: 2..9}",
    "to the end with a strategy": "then: bold\nexpect: [p1.score is 9, p2.score is 9]",
    "to the end at random": "then: random\nexpect: p1.score is 2..9",
    "options": "options: {most: 1}\nmoves: [p1: 7s]\noffered: {p1: 2..9}",
    "several cards in a variable": "set: {p1.kept: [7s, 9 of hearts]}\nexpect: [p1.kept.count is 2, 9 of hearts in p1.kept]",
    "nothing moved yet": "moves: []\nexpect: [p1.hand.count is 3, pile is empty]",
}


@pytest.mark.parametrize("title", PASSES)
def test_a_situation_that_holds(tmp_path: Path, title: str) -> None:
    assert outcome(tmp_path, f"{DEALT}\n{PASSES[title]}").failure == ""


FAILS = {
    "expect: p1.brought is 5": "expected p1.brought is 5, but p1.brought is 0",
    "moves: [p1: done, p1: 5]\nexpect: p1.brought < 4": "expected p1.brought < 4, but p1.brought is 5",
    "expect: p1.brought is 0 and p2.brought is 1": (
        "expected p1.brought is 0 and p2.brought is 1, but p2.brought is 0"
    ),
    "expect: not p1.brought is 0": "expected not p1.brought is 0, but p1.brought is 0",
    "expect: p1.hand.count > p2.hand.count": (
        "expected p1.hand.count > p2.hand.count, but p1.hand.count is 3, p2.hand.count is 3"
    ),
    "expect: any card in p1.hand where card.rank is 6": "expected any card in p1.hand where card.rank is 6",
    "moves: [p1: king of spades]\nexpect: pile is empty": (
        "`king of spades` is not offered; thrown offers 7 of Spades, 8 of Spades, 9 of Hearts, done"
    ),
    "moves: [p2: done]\nexpect: pile is empty": (
        "expected p2 to choose done, but p1 is asked (thrown: 7 of Spades, 8 of Spades, 9 of Hearts, done)"
    ),
    "moves: [p1: done, p1: 4]\nexpect: pile is empty": "`4` is not offered; bring offers 2..9",
    "then: bold\noffered: {p1: [done]}": "expected p1 to be asked for done, but the game is over",
    "offered: {p1: [7s, 9h, 8s, done]}": (
        "expected p1 to be asked for 7s, 9h, 8s, done, "
        "but p1 is asked for thrown: 7 of Spades, 8 of Spades, 9 of Hearts, done"
    ),
    "offered: {p1: [7s, 8s, 9h]}": (
        "expected p1 to be asked for 7s, 8s, 9h, but p1 is asked for thrown: 7 of Spades, 8 of Spades, 9 of Hearts, done"
    ),
    "moves: [p1: done]\noffered: {p1: 2..8}": "expected p1 to be asked for 2..8, but p1 is asked for bring: 2..9",
}


@pytest.mark.parametrize("body", FAILS)
def test_a_failure_says_what_was_expected_and_what_came(tmp_path: Path, body: str) -> None:
    assert outcome(tmp_path, f"{DEALT}\n{body}").failure == FAILS[body]


def test_a_failure_points_at_its_line(tmp_path: Path) -> None:
    failed = outcome(tmp_path, f"{DEALT}\nmoves: [p1: done]\nexpect:\n  - p1.brought is 0\n  - p2.brought is 2")
    text = (tmp_path / "small-draw.yaml").read_text(encoding="utf-8").splitlines()
    assert failed.place.line == next(i for i, line in enumerate(text, 1) if "p2.brought is 2" in line)


HANDS = {
    "better: [7s, 7h]\nworse: [8s, 9s]": "",
    "better: [8s, 9s]\nworse: [7s, 7h]": (
        "expected the better hand to win, but Nothing (8 of Spades, 9 of Spades) "
        "does not beat Pair (7 of Spades, 7 of Hearts)"
    ),
    "better: [7s, 7h]\nworse: [8s, 8h]": (
        "expected the better hand to win, but Pair (7 of Spades, 7 of Hearts) "
        "does not beat Pair (8 of Spades, 8 of Hearts)"
    ),
    "equal: [[7s, 8h], [9s, 8s]]": "",
    "equal: [[7s, 7h], [9s, 8s]]": (
        "expected equal hands, but Pair (7 of Spades, 7 of Hearts) beats Nothing (9 of Spades, 8 of Spades)"
    ),
    "hand: [7s, 7h, 7d]\ncategory: Trips": "",
    "hand: [7s, 7h, 8d]\ncategory: Trips": "expected Trips, but it is Pair (7 of Spades, 7 of Hearts, 8 of Diamonds)",
}


@pytest.mark.parametrize("body", HANDS)
def test_hands(tmp_path: Path, body: str) -> None:
    assert outcome(tmp_path, f"ranking: high_card\n{body}").failure == HANDS[body]


def test_one_failure_does_not_hide_the_next(tmp_path: Path) -> None:
    tests = "".join(f'  - "{n}":\n      moves: []\n      expect: p1.brought is {n}\n' for n in (0, 1, 2))
    assert [bool(one.failure) for one in outcomes(tmp_path, tests)] == [False, True, True]


# ---- the native engine

OTHERS = [
    "chance: [[7s, 7s]]\nmoves: []\nexpect: pile is empty",  # it stops the game
    "set: {p1.brought: 7}\nexpect: [p1.brought is 7, stock.count is 12]",  # it has not begun
]


def test_both_engines_say_the_same(tmp_path: Path) -> None:
    situations = [f"{DEALT}\n{body}" for body in (*(PASSES[title] for title in PASSES), *FAILS)] + OTHERS
    bodies = [*situations, *(f"ranking: high_card\n{body}" for body in HANDS)]
    written = [textwrap.indent(body, "      ") for body in bodies]
    tests = "".join(f'  - "{number}":\n{body}\n' for number, body in enumerate(written))
    reference, native = (outcomes(tmp_path, tests, engine) for engine in ("reference", "native"))
    told = [[(one.title, one.place.line, one.failure) for one in found] for found in (reference, native)]
    assert told[0] == told[1]
    assert len(told[0]) == len(bodies)
