"""A call in a pseudo-terminal: what its screen shows, keys sent to it, its size."""

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
ASKED = "▸"  # where an answer is typed

_CODES = re.compile(
    r"\x1b\[([0-9;?<=>]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP.*?\x1b\\|\x1b[=>78]", re.DOTALL
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;?<=>]*[ -/]*|\][^\x07\x1b]*)?$")


class Screen:
    """What a terminal shows after what was written to it: text at places; colours and the like are left out."""

    def __init__(self, columns: int, rows: int) -> None:
        self.rest = ""
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0

    def feed(self, text: str) -> None:
        text, self.rest = self.rest + text, ""
        cut = _UNFINISHED.search(text)
        if cut:
            text, self.rest = text[: cut.start()], text[cut.start() :]
        place = 0
        for code in _CODES.finditer(text):
            self.write(text[place : code.start()])
            self.obey(code[1] or "", code[2] or "")
            place = code.end()
        self.write(text[place:])

    def obey(self, numbers: str, letter: str) -> None:
        if letter == "H":
            row, _, column = numbers.partition(";")
            self.row, self.column = int(row or 1) - 1, int(column or 1) - 1
        elif letter == "J" or (letter in "hl" and numbers == "?1049"):
            self.resize(self.columns, self.rows)
        elif letter == "K" and 0 <= self.row < self.rows:
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)

    def write(self, text: str) -> None:
        for sign in text:
            if sign == "\r":
                self.column = 0
            elif sign == "\n":
                self.row += 1
                if self.row >= self.rows:
                    self.cells = [*self.cells[1:], [" "] * self.columns]
                    self.row = self.rows - 1
            elif sign.isprintable() and 0 <= self.row < self.rows:
                if self.column < self.columns:
                    self.cells[self.row][self.column] = sign
                self.column += 1

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Terminal:
    """`shown` is the screen as it is now; `raw` all that has come since keys were last sent; `all` all of it."""

    def __init__(
        self, *arguments: str, columns: int = 80, rows: int = 40, folder: Path | None = None, **env: str
    ) -> None:
        self.screen = Screen(columns, rows)
        self.end, inside = pty.openpty()
        self.resize(columns, rows)
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES", "TERM")}
        self.process = subprocess.Popen(
            [*CALL, *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=folder,
            env={**environment, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **env},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # one thread, a terminal to own
        )
        os.close(inside)
        self.raw = self.all = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.end)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys: str) -> None:
        self.raw = ""
        os.write(self.end, keys.encode())

    @property
    def shown(self) -> str:
        return self.screen.text

    @property
    def in_one_line(self) -> str:
        return re.sub(r"\s+", " ", self.shown)

    def read_some(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return False
        try:
            more = os.read(self.end, 65536)
        except OSError:  # the other end is closed
            return False
        text = more.decode(errors="replace")
        self.raw += text
        self.all += text
        self.screen.feed(text)
        return bool(more)

    def until(self, *texts: str) -> str:
        """Reads until one of these is shown; gives which. After keys, on a screen that has been drawn since."""
        limit = time.monotonic() + SECONDS
        while True:
            for text in texts:
                if self.raw and text in self.shown and not self.read_some(0.05):  # a whole picture, not half of one
                    return text
            if not self.read_some(0.2) and self.process.poll() is not None and not self.read_some(0.2):
                raise AssertionError(f"ended with {self.process.returncode} before {texts} came:\n{self.shown}")
            assert time.monotonic() < limit, f"{texts} did not come:\n{self.shown}"

    def code(self) -> int:
        """The exit code, when all has been read; asked for another game we leave."""
        limit = time.monotonic() + SECONDS
        is_asked = False
        while self.read_some(0.3) or self.process.poll() is None:
            if "q leave >" in self.shown and not is_asked:
                self.send("q" + ENTER)
                is_asked = True
            assert time.monotonic() < limit, f"the call does not end:\n{self.shown}"
        return self.process.wait(timeout=SECONDS)
