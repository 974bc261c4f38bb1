"""A call in a pseudo-terminal: what it shows, keys sent to it, its size."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

CALL = [sys.executable, "-c", "from trionfi.cli import main; main()"]
SECONDS = 60
UP, DOWN, ENTER, CTRL_C, CTRL_D = "\x1b[A", "\x1b[B", "\r", "\x03", "\x04"

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """`shown` is all that has come since the screen was last drawn anew, without escape codes; `raw` all of it."""

    def __init__(
        self, *arguments: str, columns: int = 80, rows: int = 40, folder: Path | None = None, **env: str
    ) -> None:
        self.end, inside = pty.openpty()
        self.resize(columns, rows)
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES", "TERM")}
        self.process = subprocess.Popen(
            [*CALL, *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=folder,
            env={**environment, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **env},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # one thread, a terminal to own
        )
        os.close(inside)
        self.raw = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.end)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys: str) -> None:
        self.raw = ""
        os.write(self.end, keys.encode())

    @property
    def shown(self) -> str:
        return _ESCAPES.sub("", self.raw.rpartition("\x1b[H\x1b[J")[2]).replace("\r\n", "\n")

    def read_some(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return False
        try:
            more = os.read(self.end, 65536)
        except OSError:  # the other end is closed
            return False
        self.raw += more.decode(errors="replace")
        return bool(more)

    def until(self, *texts: str) -> str:
        """Reads until one of these is shown; gives which."""
        limit = time.monotonic() + SECONDS
        while True:
            for text in texts:
                if text in self.shown:
                    return text
            if not self.read_some(0.2) and self.process.poll() is not None and not self.read_some(0.2):
                raise AssertionError(f"ended with {self.process.returncode} before {texts} came:\n{self.shown}")
            assert time.monotonic() < limit, f"{texts} did not come:\n{self.shown}"

    def until_drawn_anew(self, text: str) -> None:
        """The same, on a screen that has been drawn since the last keys were sent."""
        self.until_raw("\x1b[H\x1b[J")
        self.until(text)

    def until_raw(self, text: str) -> None:
        limit = time.monotonic() + SECONDS
        while text not in self.raw:
            self.read_some(0.2)
            assert time.monotonic() < limit, f"{text!r} did not come:\n{self.raw!r}"

    def code(self) -> int:
        """The exit code, when all has been read; asked for another game we leave."""
        limit = time.monotonic() + SECONDS
        is_asked = False
        while self.read_some(0.3) or self.process.poll() is None:
            if self.shown.endswith("q leave> ") and not is_asked:
                self.send("q" + ENTER)
                is_asked = True
            assert time.monotonic() < limit, f"the call does not end:\n{self.shown}"
        return self.process.wait(timeout=SECONDS)
