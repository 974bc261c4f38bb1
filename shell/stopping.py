"""Signals that ask the process to end: each stops the work as Ctrl-C does, so that nothing is left half done."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn

__all__ = ["Stopped", "signal_behind", "stop_on_signals"]

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


def signal_behind(stopped: BaseException | None) -> signal.Signals:
    """Which signal it was: SIGINT unless another is the cause."""
    while stopped is not None and not isinstance(stopped, Stopped):
        stopped = stopped.__cause__
    return signal.SIGINT if stopped is None else stopped.signal
