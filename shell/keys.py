"""Keys of a terminal, one at a time: arrows and the like by name, everything else as it is."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from types import TracebackType
from typing import IO, Any

__all__ = ["Keys", "can_read_keys"]

NAMES = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x04": "end of input",
    "\x1a": "end of input" if sys.platform == "win32" else "",
    "\x0c": "redraw",
    "\t": "",
    "\x1b": "",
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    # terminals do not agree on these two
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"), "end"),
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
}
WINDOWS = {"H": "up", "P": "down", "G": "home", "O": "end", "I": "page up", "Q": "page down"}
REST_OF_A_KEY = 0.05  # seconds in which the rest of an arrow's code comes


def can_read_keys(answers: IO[str], out: IO[str]) -> bool:
    """Whether both ends are a terminal that knows more than lines."""
    if not (answers.isatty() and out.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    return sys.platform == "win32" or _has_termios(answers)


def _has_termios(answers: IO[str]) -> bool:
    try:
        import termios

        termios.tcgetattr(answers.fileno())
    except (ImportError, OSError, ValueError, Exception):  # noqa: BLE001  # then lines will do
        return False
    return True


class Keys:
    """Reads keys while it is entered; the terminal is afterwards as it was. Ctrl-C stays Ctrl-C."""

    def __init__(self, answers: IO[str]) -> None:
        self._file = answers.fileno()
        self._before: Any = None
        self._waiting = ""

    def __enter__(self) -> Keys:
        if sys.platform == "win32":
            os.system("")  # lets the console understand escape codes
            return self
        import termios
        import tty

        self._before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file, termios.TCSADRAIN)  # what has been typed ahead stays
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            import termios

            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def read(self, seconds: float) -> str:
        """The next key; empty if none comes in time, or if it means nothing."""
        if sys.platform == "win32":
            return _read_windows(seconds)
        key = self._character(seconds)
        if key == "\x1b":
            key += self._sequence()
        return NAMES.get(key, key if key.isprintable() else "")

    def _sequence(self) -> str:
        rest = self._character(REST_OF_A_KEY)
        if rest not in ("[", "O"):
            return rest
        while True:
            sign = self._character(REST_OF_A_KEY)
            rest += sign
            if not sign or sign.isalpha() or sign == "~":
                return rest

    def _character(self, seconds: float) -> str:
        """One character; what comes with it waits. A closed terminal is the end of the input."""
        import select

        if not self._waiting:
            ready, _, _ = select.select([self._file], [], [], seconds)
            if not ready:
                return ""
            data = b""
            while True:
                try:
                    more = os.read(self._file, 1024)
                except OSError:
                    more = b""
                if not more:
                    return "\x04"
                data += more
                try:
                    self._waiting = data.decode()
                    break
                except UnicodeDecodeError:
                    if len(data) > 1024:
                        return ""
        key, self._waiting = self._waiting[0], self._waiting[1:]
        return key


def _read_windows(seconds: float) -> str:
    import msvcrt
    import time

    end = time.monotonic() + seconds
    while not msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
        if time.monotonic() > end:
            return ""
        time.sleep(0.02)
    key: str = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
    if key == "\x03":
        raise KeyboardInterrupt
    if key in ("\x00", "\xe0"):
        return WINDOWS.get(msvcrt.getwch(), "")  # type: ignore[attr-defined,unused-ignore]
    return NAMES.get(key, key if key.isprintable() else "")
