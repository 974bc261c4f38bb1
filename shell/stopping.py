"""Signals that ask the process to end: each stops the work as Ctrl-C does, so that nothing is left half done."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import NoReturn

__all__ = ["Stopped", "signal_behind", "stop_on_signals", "undisturbed"]

# Windows knows fewer of them.
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Stopped(KeyboardInterrupt):
    """Asked to end by a signal other than Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)


def stop_on_signals() -> None:
    """The first of these signals raises Stopped in the main thread. One that is ignored stays so, as nohup wants it."""
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)


def stop(number: int, frame: FrameType | None) -> NoReturn:
    for other in ENDING:  # what is cleared away now is not to be disturbed
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


@contextmanager
def undisturbed() -> Iterator[None]:
    """What is done here is done to its end, whatever comes meanwhile."""
    if current_thread() is not main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, *ENDING)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def signal_behind(stopped: BaseException | None) -> signal.Signals:
    """Which signal it was: SIGINT unless another is the cause."""
    while stopped is not None and not isinstance(stopped, Stopped):
        stopped = stopped.__cause__
    return signal.SIGINT if stopped is None else stopped.signal
