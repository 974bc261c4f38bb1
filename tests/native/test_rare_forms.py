"""Forms of the language that no game of the library uses, or not with such numbers: both engines agree on them, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import Setup, play_block

from ..interpreter.conftest import small
from .test_effects import RULESET
from .test_equality import play_side_by_side

__all__ = ["small"]

NAMES = """
variables:
  x: 0
  y: 9223372036854775807
  f: {start: 1 / 2}
  s: {kind: suit}
  r: {kind: rank}
  w: {kind: player}
  z: {kind: zone}
  c: {kind: card}
  pts: {per: player, start: 0}
  fav: {per: player, kind: suit}
  g: {per: player, start: 1 / 3}
"""
HANDS = """
rankings:
  tops(cards own):
    categories:
      Many: own.count > 2
      Two: own.count is 2
      Few: else
    order: [category, sum of card.rank.place for each card in own]
"""
# ordered by what is no number: none of a suit, an orientation and a hand among them
ORDERS = """
rankings:
  low(cards own):
    categories:
      Many: own.count > 2
      Few: else
    order: [category, own.count]
  by_all(cards own, number m):
    categories:
      Some: own.count > 50
      Any: else
    order: [top_suit(own), top_side(own), own.count / m, low(own), low(own).category, own.count is 2]
  by_fraction(cards own, number m):
    categories:
      Some: own.count > 50
      Any: else
    order: [own.count / m]
define:
  top_side(cards own): own.top.orientation if own is not empty else none
  top_suit(cards own): own.top.suit if own is not empty else none
"""
DEAL = "shuffle stock\ndeal 2 from stock to each hand\ndeal 1 from stock to p2.hand\n"

STANDARD = "{from: standard, ace: low, ranks: [ace, 2, 3, queen, king], suits: [clubs, hearts, spades]}"

# name: (play, further sections)
FORMS: dict[str, tuple[str, str]] = {
    "fractions that stay small in lowest terms": (
        "repeat 60 times: f = (f + 1) / 3\nrepeat 60 times: f = f * 6 / 6\nrepeat 40 times: f = f / 2 + 1 / 3",
        "",
    ),
    "fractions of large numbers": ("f = ((y - 1) / 7) * (7 / 3) - y / 3", ""),
    "fractions below zero": ("f = -((0 - y - 1) / 2)\nx = f * (0 - 1) / 3 rounded up", ""),
    "large fractions compared": (
        (
            "if y / (y - 1) < (y - 1) / (y - 2): x = 1\nif f is (y - 1) / (y - 1) / 2: add 2 to x\n"
            "if f is 1 / y..1 / 2: add 4 to x\nif f is 1..2: add 8 to x"
        ),
        "",
    ),
    "whole divisions at the edge": (
        "x = (0 - y - 1) / (x - 3) rounded down\nx = x mod 1000 + ((0 - y - 1) / (0 - 3) rounded up) mod 1000",
        "",
    ),
    "whole divisions of all signs": (
        (
            "for n from -7 to 7:\n  for m from -3 to 3:\n"
            "    if m is not 0: x = x * 3 mod 100000007 + (n / m rounded down) - 2 * (n / m rounded up)"
        ),
        "",
    ),
    "sums that leave 64 bits on the way": (
        "p1.pts = y\np2.pts = y\np3.pts = -y\nx = (sum of player.pts for each player) - y",
        "",
    ),
    "sums of fractions": ("f = sum of 1 / (rank.place * 2000000000) for each rank", ""),
    "the highest of fractions": ("f = highest of player.g - 1 / (player.hand.count + 3) for each player", ""),
    "the highest of words": (
        DEAL
        + "turn p2.hand.top to reversed\nif (highest of card.orientation for each card in p2.hand) is upright: x = 1\n"
        "if (lowest of card.orientation for each card in p2.hand) is reversed: add 2 to x\n"
        "s = highest of card.suit for each card in p1.hand\nr = lowest of player.hand.top.rank for each player",
        "",
    ),
    "the highest of hands": (
        DEAL + "if (highest of tops(player.hand) for each player) is tops(p2.hand): x = 1\n"
        "if (lowest of tops(player.hand) for each player) is tops(p1.hand): add 2 to x\n"
        "if (highest of tops(player.hand).category for each player) is tops(p2.hand).category: add 4 to x",
        HANDS,
    ),
    "between words": (
        DEAL + "if p1.hand.top.orientation is reversed..upright: x = 1\n"
        "if p1.hand.top.orientation is upright..reversed: add 2 to x\nif p1.hand.top.rank is 2..jack: add 4 to x\n"
        "if 3 is 5..(1 / x rounded down): add 8 to x\nif s is cups..swords: add 16 to x",
        "",
    ),
    "orders of every kind": (
        DEAL + "w = the player with highest by_all(player.hand, 7)\nmove p2.hand to pile\n"
        "if by_all(p2.hand, 1) < by_all(p1.hand, 3): x = 1\nif by_all(p2.hand, 1) is by_all(spot, 3): add 2 to x",
        ORDERS,
    ),
    "orders by fractions": (
        (
            "deal 1 from stock to p1.hand\nif by_fraction(p1.hand, y) < by_fraction(p1.hand, y - 1): x = 1\n"
            "if by_fraction(p1.hand, -y) < by_fraction(p1.hand, 1 - y): add 2 to x\n"
            "if by_fraction(stock, 9) is by_fraction(p1.hand, 1): add 4 to x\n"
            "if by_fraction(p1.hand, -3) < by_fraction(p1.hand, -2): add 8 to x"
        ),
        ORDERS,
    ),
    "random among the best": (
        DEAL
        + "p2.pts = 1\nw = random player with highest player.pts\nc = random card in p1.hand with lowest card.rank\n"
        "z = random zone in spot with highest zone.count",
        "",
    ),
    "several players": (
        (
            "p1 chooses 0..2 players as ww\nx = ww.count\np2 chooses 1 or more players where player not in ww as vv\n"
            "for each player in vv: add 10 to player.pts\nif p3 in vv: add 100 to x"
        ),
        "",
    ),
}


def named(sections: str) -> str:
    """The sections, with all names; further variables stand first."""
    own = sections.startswith("  ")
    return NAMES.rstrip("\n") + "\n" + sections if own else NAMES + sections


def compare(rules: Rules, games: int = 3) -> Any:
    """Plays games side by side, and some whole ones; gives what these add up to."""
    for number in range(games):
        play_side_by_side(rules, 3, seed=1, game=number, deep=True)
    bots = ("random",) * 3
    sums = BlockPlayer(rules, 3, bots, seed=2).play(0, games)
    assert sums == play_block(rules, Setup(3, bots, 2, "reference"), 0, games).sums
    return sums


@pytest.mark.parametrize("form", FORMS)
def test_rare_forms_mean_the_same(form: str, small: Callable[..., Rules]) -> None:
    play, sections = FORMS[form]
    rules = small(play, named(sections))
    compare(rules)
    assert_states_alike(rules)


def assert_states_alike(rules: Rules) -> None:
    """Of games of few decisions, at the end."""
    states = []
    for engine in ("reference", "native"):
        game = rules.start(players=3, seed=5, engine=engine)
        while game.decision is not None:
            game.apply(game.decision.count - 1)
        states.append(game.state)
    assert states[0] == states[1]


# ---- totals of any size

TOTAL = """
attributes:
  kind_of_card: [plain, heavy]
options:
  limit: {{default: 21, range: 1..500}}
totals:
  tally:
    values(card): {values}
    {limit}
"""
COUNTED = (
    DEAL
    + """\
turn p1.hand.top to reversed
p1.hand.top.kind_of_card = heavy
for each player:
  add tally(player.hand).value * 3 to x
  if tally(player.hand).soft: add 1000 to x
  if tally(player.hand).bust: add 50000 to x
add tally(stock).value to x
if tally(stock).soft: add 7 to x
if tally(stock).bust: add 11 to x
add tally(pile).value to x
"""
)
ACES = "1 or 11 if card.rank is ace, else card.rank.place"
# (values of a card, limit)
TOTALS = {
    "as ever": (ACES, "at most: 21"),
    "the largest that is a bit": (ACES, "at most: 62"),
    "the smallest that is none": (ACES, "at most: 63"),
    "no limit": (ACES, ""),
    "a limit of options": (ACES, "at most: limit * 2"),
    "a limit that changes": (ACES, "at most: x + 12"),
    "a limit below 0": ("-1 or -7 if card.rank is ace, else 0 - card.rank.place", "at most: -20"),
    "large values": ("1 or 63 or 1000 if card.rank is ace, else 0 or 37 or 100", "at most: 2000"),
    "large values of reversed cards": ("3 or 63 if card.orientation is reversed, else 2", "at most: 60"),
    "values that change": ("x mod 50 or 3 if card.rank is ace, else card.rank.place + p1.hand.count", "at most: 40"),
    "values of marks": ("3 or 70 if card.kind_of_card is heavy, else 2", "at most: 75"),
}


@pytest.mark.parametrize("total", TOTALS)
def test_totals_of_any_size(total: str, small: Callable[..., Rules]) -> None:
    values, limit = TOTALS[total]
    rules = small(COUNTED, NAMES + TOTAL.format(values=values, limit=limit))
    compare(rules)
    assert_states_alike(rules)


def test_totals_of_altered_cards() -> None:
    """A card of several suits or ranks counts as any of them."""
    head, _, rest = RULESET.format(deck=STANDARD, plays=30).partition("define:\n")
    counted = "    add tally(common + p1.hand).value to p1.points\n    if tally(common).soft: add 3 to p2.points\n"
    rest = rest.replace("    trigger counting\n", f"{counted}    trigger counting\n")
    values = "card.suit.place + 60 or 2 if card.rank is ace or 2, 1 or 7 if card.suit is clubs, else card.rank.place"
    for limit in ("21", "100", "(sum of player.points for each player)"):
        total = f"totals:\n  tally:\n    values(card): {values}\n    at most: {limit}\n"
        rules = load("altered", text=f"{head}{total}define:\n{rest}")
        for game in range(3):
            play_side_by_side(rules, 2, seed=1, game=game, deep=False)
        native = BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 5)
        assert native == play_block(rules, Setup(2, ("random",) * 2, 3, "reference"), 0, 5).sums
