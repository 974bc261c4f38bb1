"""Opens the table at a terminal and closes it, whatever ends the game."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from trionfi.shell.lines import Left, OutOfInput
from trionfi.shell.session import Bots, Session
from trionfi.shell.stopping import ENDING, Stopped
from trionfi.shell.terminal.app import TableApp

__all__ = ["sit_at_terminal"]


def sit_at_terminal(session: Session, bots: Bots, title: str) -> None:
    """Plays to the end. Raises OutOfInput, Left, KeyboardInterrupt, and what the ruleset fails with."""
    app = TableApp(session, bots, title)
    with asyncio.Runner() as runner, stopping(app, runner.get_loop()):
        how = runner.run(app.run_async())
    if app.fault is not None:
        raise app.fault
    if how == "left":
        raise Left
    if how == "ended":
        raise OutOfInput
    if app.stopped is not None and app.stopped != signal.SIGINT:
        raise Stopped(app.stopped)
    if how == "interrupted":
        raise KeyboardInterrupt


@contextmanager
def stopping(app: TableApp, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Signals end the table in order, so that the terminal is afterwards as it was."""
    numbers = [number for number in (signal.SIGINT, *ENDING) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        signal.signal(number, lambda got, _frame: loop.call_soon_threadsafe(app.stop, got))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
