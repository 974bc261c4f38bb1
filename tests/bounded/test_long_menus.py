"""Menus and choices of too many letters stop the game, in every engine at the same place."""

from __future__ import annotations

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.game import Game
from trionfi.interpreter.rules import load

from .nasty import game
from .test_trials import Start, core, native, reference

# `2 of cups` has nine letters, and `done` four; five cards are chosen from.
CHOICES = {
    "a card": ("p1 chooses 1 card from stock as x", 45),
    "some cards, or none": ("p1 chooses any cards from stock as x", 49),
    "sets of cards": ("p1 chooses 2 cards from stock as x such that x.count > 0", 9 * 4),
    "a menu": ('p1 chooses as x:\n  "{card}" for each card in stock: say "x"', 45),
}
DECK = "{ranks: [2, 3, 4, 5, 6], suits: [cups]}"


@pytest.mark.parametrize("start", [reference, core, native])
@pytest.mark.parametrize("name", CHOICES)
def test_too_many_letters(name: str, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    script, letters = CHOICES[name]
    for most, code in ((letters, None), (letters - 1, "menu-too-long")):
        monkeypatch.setattr("trionfi.interpreter.decision.MOST_LETTERS_OF_MENU", most)
        stopped = stop_of_menu(script, start)
        assert (stopped.code if stopped else None) == code
        assert stopped is None or stopped.span.text.startswith("p1 chooses")


@pytest.mark.parametrize("start", [reference, core, native])
def test_too_many_values_in_a_label(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("decision", "native.game"):
        monkeypatch.setattr(f"trionfi.interpreter.{module}.MOST_IN_LABEL", 5)
    for label, code in (("{top 5 cards in stock}", None), ("{top 5 cards in stock} {stock.top}", "label-too-long")):
        stopped = stop_of_menu(f'p1 chooses as x:\n  "{label}": say "x"', start)
        assert (stopped.code if stopped else None) == code
        assert stopped is None or stopped.span.text.strip('"') == label


def stop_of_menu(script: str, start: Start) -> GameError | None:
    table = "{stock: {start: deck, face: up}}"
    text = game(
        play=f"|\n  {script.replace(chr(10), chr(10) + '  ')}\n", table=table, deck=DECK, result="{score(player): 0}"
    )
    begun = start(load("long.yaml", text=text))
    assert isinstance(begun, Game)
    assert begun.decision is not None
    try:
        begun.decision.labels()
    except GameError as error:
        return error
    return None
