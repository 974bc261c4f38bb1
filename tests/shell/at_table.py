"""A game at the table of a terminal, without one: keys go in, and what the screen shows comes out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from textual.events import Key

from trionfi.shell.session import Session
from trionfi.shell.terminal.app import TableApp


class Seat:
    """What a test has to do with the table: `press` keys, look at what is `shown`."""

    def __init__(self, app: TableApp, pilot: Any) -> None:
        self.app, self.pilot = app, pilot

    @property
    def shown(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    @property
    def in_one_line(self) -> str:
        return re.sub(r"\s+", " ", self.shown)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def press_at_once(self, *keys: str) -> None:
        """Named keys, as fast as a held key sends them; `press` waits after each until nothing is left to do."""
        for key in keys:
            self.app.post_message(Key(key, None))
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Characters, then Enter."""
        await self.press(*(NAMES.get(sign, sign) for sign in text), "enter")

    async def until(self, text: str) -> None:
        """Reads until this is shown."""
        for _ in range(400):
            if text in self.shown:
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"{text!r} did not come:\n{self.shown}")


NAMES = {" ": "space", ",": "comma", "-": "minus", "?": "question_mark"}


def at_table(
    game: Any,
    people: list[int],
    do: Callable[[Seat], Awaitable[None]],
    bots: Any = None,
    size: tuple[int, int] = (80, 24),
    speed: float = 0.0,
    in_play: Any = None,
) -> TableApp:
    """Sits down, does what the test does, and gives the table as it is then."""
    app = TableApp(
        Session(game, people, in_play=in_play), bots or [lambda _game: 0] * game.players, game.rules.name, speed
    )

    async def sit() -> None:
        async with app.run_test(size=size) as pilot:
            seat = Seat(app, pilot)
            while len(people) == 1 and app.choosing is None and not app.how:
                await seat.press(*(["enter"] if app.waiting or len(app.screen_stack) > 1 else []))  # a trick, a page
            if not app.how:
                await seat.until("▸" if len(people) == 1 else "Press Enter")
                await do(seat)

    asyncio.run(sit())
    if app.fault is not None:
        raise app.fault
    return app
