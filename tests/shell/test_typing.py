"""Several cards that are typed: what is clear already is marked while one types."""

from __future__ import annotations

from typing import Any

import pytest
from at_table import Seat, at_table
from textual.events import Paste

from trionfi.interpreter.rules import Rules, load
from trionfi.shell.ink import Ink
from trionfi.shell.terminal.choosing import Choosing, Reply
from trionfi.shell.terminal.options import Options
from trionfi.table.course import Course
from trionfi.table.model import Menu, Number, Option


def test_cards_that_are_typed_are_marked_as_those_that_are_ticked(thrown: Rules) -> None:
    game: Any = thrown.start(players=2, seed=1, engine="reference")
    first, second, third = game.decision.labels()[:3]

    async def do(seat: Seat) -> None:
        await seat.press(*code(first))
        assert "(1 ticked)" in seat.shown
        assert seat.shown.count("✓") == 1
        await seat.press("space", *code(second))
        assert "(2 ticked)" in seat.shown
        assert seat.shown.count("✓") == 2
        await seat.press("escape")
        assert "ticked" not in seat.shown
        await seat.press("9", "z", "space")
        assert "`9z` is not offered" in seat.shown
        await seat.press("escape", *code(first), "space", *code(second), "space", *code(third), "space")
        assert "only 2 may be picked" in seat.shown
        await seat.press("escape", *code(first), "space", *code(second), "enter")
        assert len(game.moves) == 2

    at_table(game, [0], do)


def code(label: str) -> str:
    rank, _, suit = label.partition(" of ")
    return f"{rank[0].lower()}{suit[0].lower()}"


def test_a_page_on_a_low_screen_shows_its_text(thrown: Rules) -> None:
    async def do(seat: Seat) -> None:
        await seat.press("f1")
        await seat.until("Cards and options")
        await seat.pilot.resize_terminal(40, 5)
        await seat.pilot.pause()
        assert "Cards and options" in seat.shown
        await seat.press("down", "down")
        assert "Cards and options" not in seat.shown

    at_table(thrown.start(players=2, seed=1, engine="reference"), [0], do)


def klondike(**cards: list[str]) -> Choosing:
    game: Any = load("klondike").deal(
        seed=3, cards={f"tableau[{k[-1]}]": v for k, v in cards.items()}, engine="reference"
    )
    menu = Course(game, [0]).table(0).menu
    assert menu is not None
    return Choosing(menu)


def typed(choosing: Choosing, text: str) -> Reply | None:
    choosing.press("escape")
    for sign in text:
        choosing.press(sign, sign)
    return choosing.press("enter")


def test_a_pile_is_called_by_its_top_card() -> None:
    choosing = klondike(pile1=["Ace of Spades"], pile2=["King of Clubs", "2 of Hearts"])
    assert typed(choosing, "as") is None
    assert choosing.said.startswith("which one: tableau[1] top to its suit, Ace of Spades and those on it")
    choosing = klondike(pile1=["Ace of Spades"], pile2=["King of Clubs", "9 of Hearts"])
    assert typed(choosing, "as") == Reply("choose", ("tableau[1] top to its suit",))


def test_what_only_stands_inside_a_label_is_taken_by_a_second_enter() -> None:
    choosing = klondike(pile1=["Ace of Spades"], pile2=["King of Clubs", "9 of Hearts"])
    assert typed(choosing, "top") is None
    assert choosing.said == "tableau[1] top to its suit? Enter takes it, Esc does not"
    assert choosing.press("enter") == Reply("choose", ("tableau[1] top to its suit",))
    assert typed(choosing, "top") is None
    choosing.press("escape")
    assert choosing.press("enter") is None
    assert typed(choosing, "tab") == Reply("choose", ("tableau[1] top to its suit",))


def test_a_pasted_text_is_typed_and_not_entered(thrown: Rules) -> None:
    game: Any = thrown.start(players=2, seed=1, engine="reference")
    first, second, _ = game.decision.labels()[:3]

    async def do(seat: Seat) -> None:
        seat.app.post_message(Paste(f"\n{first},  {second}\nquit\n"))
        await seat.pilot.pause()
        assert f"▸ {first}, {second}▏" in seat.shown
        assert game.moves == []
        await seat.press("enter")
        assert len(game.moves) == 2

    at_table(game, [0], do)


@pytest.mark.parametrize("most", [2, 3, 4, 5, 7])
def test_a_list_that_is_too_long_says_how_many_there_are(most: int) -> None:
    menu = Menu("p1", "m", "m", tuple(Option(f"{n} is a long label that needs a row of its own", n) for n in range(6)))
    lines = Options(Choosing(menu), set(), Ink(width=60)).lines(most)
    assert len(lines) == min(most, 6)
    assert lines[-1].plain.startswith("5 is" if most > 6 else f"1 to {most - 1} of 6")


def test_a_number_that_is_typed_takes_the_place_of_one_that_arrows_put_in() -> None:
    choosing = Choosing(Menu("p1", "bid", "bid", number=Number(4, 200, 1)))
    for key in ("up", "up", "up"):
        choosing.press(key)
    assert choosing.typed == "6"
    for character in "12":
        choosing.press(character, character)
    assert choosing.typed == "12"
    choosing.press("up")
    choosing.press("backspace")
    choosing.press("5", "5")
    assert choosing.typed == "15"
