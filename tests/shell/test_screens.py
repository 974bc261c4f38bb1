"""The whole screen of the table, as `App.export_screenshot` has it: what it says at three sizes, and that nothing on it
steers the terminal."""

from __future__ import annotations

import asyncio
import html
import re
import unicodedata
from typing import Any

import pytest
from at_table import Seat, at_table

from trionfi.interpreter.rules import load
from trionfi.shell.session import Session
from trionfi.shell.terminal.app import TableApp

SIZES = [(60, 20), (80, 24), (100, 40)]
WANTED = [
    "Euchre", "upcard", "K♦", "dealer", "Q♣", "Q♥", "9♠", "p  pass", "o  diamonds", "order up ▸", "F1 help",
]  # fmt: skip
STEERING = "\x1b[2J\x9b31m\u202e\r\x08\u200b"


def words_of(screenshot: str) -> str:
    """The text of a picture, row by row."""
    rows: dict[float, str] = {}
    for match in re.finditer(r'<text [^>]*?y="([\d.]+)"[^>]*>([^<]*)</text>', screenshot):
        rows[float(match[1])] = rows.get(float(match[1]), "") + html.unescape(match[2]).replace("\xa0", " ")
    return "\n".join(rows[y] for y in sorted(rows))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_picture_of_euchre(size: tuple[int, int]) -> None:
    game: Any = load("euchre").start(seed=3, engine="reference")

    async def look(seat: Seat) -> None:
        words = words_of(seat.app.export_screenshot(title="Euchre"))
        assert [text for text in WANTED if " ".join(text.split()) not in " ".join(words.split())] == []

    at_table(game, [0], look, size=size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_on_the_screen_steers_the_terminal(size: tuple[int, int]) -> None:
    """Names of players, what is typed, and what is told of it."""
    game: Any = load("hearts").start(players=4, seed=3, engine="reference")
    app = TableApp(Session(game, [0], names=["Ann", f"B{STEERING}b", "c", "d"]), [lambda _: 0] * 4, "Hearts", 0.0)

    async def sit() -> None:
        async with app.run_test(size=size) as pilot:
            seat = Seat(app, pilot)
            await seat.until("▸")
            assert app.choosing is not None
            for keys in (["enter"], ["question_mark", "x", "enter"]):
                app.choosing.typed = f"x{STEERING}"
                app.paint()
                await pilot.pause()
                check(seat)
                await seat.press(*keys)
                check(seat)

    asyncio.run(sit())


def check(seat: Seat) -> None:
    found = {sign for sign in seat.shown if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs")}
    assert found == set(), seat.shown
