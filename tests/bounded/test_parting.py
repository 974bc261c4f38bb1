"""Cards are parted into melds in a bounded number of steps, alike in all engines."""

from __future__ import annotations

import pytest

from trionfi.interpreter.core_engine.program import core_game
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands.melds import least
from trionfi.interpreter.rules import Rules, load

from ..core.alike import core_program
from .nasty import game

SECTIONS = {
    "deck": "{from: standard, ace: low, copies: 9}",
    "table": "{stock: {start: deck, face: up}, pile: {face: up}}",
    "variables": "{x: 0}",
    "melds": """
  pairs: {kinds: {pair: 2 alike}, alike: [rank]}
  many: {kinds: {any: 3..36 alike}, alike: [rank]}
  loose: {kinds: {any: 3..36 cards}}
  runs: {kinds: {run: "run of 5..13, same suit"}, run: {by: rank, ace: low}}
  most: {kinds: {nearly: 34..36 cards}, cost(card): card.rank.place}""",
    "result": "{score(player): x}",
}
# What is asked of the first aces in the stock, and what comes of it.
ASKED = {
    "13 in pairs": ("aces(13)", "arranged(pile, pairs).cost", "too-many-partings"),
    "36 in pairs": ("aces(36)", "arranged(pile, pairs).cost", 0),
    "35 in nearly all": ("aces(35)", "arranged(pile, most).cost", 0),
    "36 in any number": ("aces(36)", "arranged(pile, many).cost", "too-many-melds"),
    "36 as any number": ("aces(36)", "1 if pile is many else 0", "too-many-melds"),
    "36 as cards": ("aces(36)", "1 if pile is loose else 0", 1),
    "36 in cards": ("aces(36)", "arranged(pile, loose).cost", "too-many-melds"),
    "a suit in runs": ("one_suit()", "arranged(pile, runs).cost", "too-many-melds"),
    "a suit as a run": ("one_suit()", "1 if pile is runs else 0", "too-many-melds"),
}
PROCEDURES = """
  aces(number n): |
    for each card in stock where card.rank is ace:
      if pile.count < n: move card to pile
  one_suit(): |
    for each card in stock where card.suit is hearts: move card to pile
"""


@pytest.fixture(scope="module")
def rules() -> Rules:
    lines = "".join(f'    "{name}":\n      {cards}\n      x = {asked}\n' for name, (cards, asked, _) in ASKED.items())
    play = f"|\n  p1 chooses as asked:\n{lines}"
    return load("parted.yaml", text=game(play=play, procedures=PROCEDURES, **SECTIONS))


@pytest.mark.parametrize("engine", ["reference", "core", "native"])
@pytest.mark.parametrize("name", ASKED)
def test_cards_are_parted_in_so_many_steps(name: str, engine: str, rules: Rules) -> None:
    game = core_game(rules, core_program(rules, 2), 1) if engine == "core" else rules.start(seed=1, engine=engine)
    expected = ASKED[name][2]
    if isinstance(expected, int):
        game.apply(list(ASKED).index(name))
        assert game.scores is not None
        assert game.scores[0] == expected
        return
    with pytest.raises(GameError) as stopped:
        game.apply(list(ASKED).index(name))
    assert stopped.value.code == expected
    assert stopped.value.span.text.split(":")[0] in ASKED[name][1], "it points at the meld"


def test_cards_that_no_melds_connect_are_parted_for_themselves() -> None:
    """Ten times four cards of which any three are a meld, mixed: together there are 5 ** 10 ways."""
    groups = [range(of, 40, 10) for of in range(10)]
    melds = {tuple(place for place in group if place != left) for group in groups for left in group}
    cost, found = least([1] * 40, melds)
    assert cost == 10
    assert found == tuple((of, of + 10, of + 20) for of in range(10))


def test_many_cards_are_parted_without_recursion() -> None:
    assert least([1] * 4096, {(place, place + 1) for place in range(0, 2000, 2)})[0] == 2096
