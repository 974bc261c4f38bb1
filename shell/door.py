"""The one door to the terminal: what a ruleset, a record or an argument holds can steer nothing there.

While a command runs, stdout and stderr are doors: whatever is written through them, by whomever, shows control
signs as Python writes them (`\\x1b`). Who paints asks for `inked(stream)`, which lets our own codes pass, and no
others.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TextIO, cast

from trionfi.dsl.signs import escaped

__all__ = ["Door", "doors", "inked"]

# Colours, the cursor to the top, some lines up or to the start of its own, and what is cleared.
_OWN_CODES = re.compile(r"(\x1b\[(?:(?:0|[1-7]|3[1-6])(?:;(?:[1-7]|3[1-6]))*m|H|J|[23]J|[0-9]{1,3}A)|\r)")


class Door(io.TextIOBase):
    """A text stream that control signs do not pass. `inks`: our own codes do."""

    def __init__(self, stream: IO[str], inks: bool = False) -> None:
        self.stream = stream
        self.inks = inks

    def write(self, text: str) -> int:
        parts = _OWN_CODES.split(text) if self.inks else [text]
        self.stream.write("".join(part if i % 2 else escaped(part) for i, part in enumerate(parts)))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def close(self) -> None:
        """The stream behind it is others' to close: a door that is forgotten must not swallow what a full disk says."""

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return str(getattr(self.stream, "encoding", None) or "utf-8")

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return getattr(self.stream, "errors", None)


def inked(stream: IO[str]) -> IO[str]:
    """The stream for who paints."""
    return cast("IO[str]", Door(stream.stream, inks=True)) if isinstance(stream, Door) else stream


@contextmanager
def doors() -> Iterator[None]:
    """Puts a door before stdout and stderr."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", Door(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
