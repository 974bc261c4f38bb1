"""Several cards that are typed: what is clear already is marked while one types."""

from __future__ import annotations

from typing import Any

from at_table import Seat, at_table

from trionfi.interpreter.rules import Rules


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
