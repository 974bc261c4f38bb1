"""What goes where: data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import IO, TextIO

from trionfi.dsl.signs import CONTROL

__all__ = [
    "Output",
    "bar_signs",
    "give_up",
    "note",
    "open_missing_streams",
    "print_json",
    "print_table",
    "terminal_width",
    "text_width",
]

PAGE = 80  # columns of running text where stdout is no terminal, and the most where it is


def print_json(data: object) -> None:
    """One JSON document on stdout; in plain ASCII where that knows no other signs."""
    is_narrow = (sys.stdout.encoding or "utf-8").lower() not in ("utf-8", "utf8")
    text = json.dumps(data, indent=2, ensure_ascii=is_narrow)
    print(CONTROL.sub(lambda match: json.dumps(match.group())[1:-1], text))


def note(text: str) -> None:
    """A line for the person at the keyboard, on stderr; nothing if nobody can read it any more."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def give_up(stream: IO[str]) -> None:
    """What is still to be written there is dropped, or Python would complain of it when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Output(TextIOWrapper):
    """Stdout, whose errors say that they are its own. A sign that its encoding has not becomes a question mark."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream.buffer, stream.encoding, errors="replace", line_buffering=stream.isatty())
        self.stream = stream  # which closes the buffer when it is dropped

    def write(self, text: str) -> int:
        with named():
            return super().write(text)

    def flush(self) -> None:
        with named():
            super().flush()


@contextmanager
def named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, "stdout") from error


def open_missing_streams() -> None:
    """Where a call closed stdin, stdout or stderr (`trionfi list >&-`), what is opened next would take its place.

    Writing to a stdout that was closed is an error as it is elsewhere; of stderr it is not.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # open as long as the process
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def terminal_width() -> int | None:
    """The columns of the terminal that stdout is; None if it is a file or a pipe."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def text_width() -> int:
    """The columns that running text and tables have: those of the terminal, or as COLUMNS says, 80 at most."""
    return max(30, min(PAGE, get_terminal_size((PAGE, 24)).columns))


def bar_signs() -> str:
    """What bars are drawn with: block characters where stdout's encoding has them."""
    from trionfi.interpreter.columns import BLOCKS, HASHES

    try:
        BLOCKS.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return HASHES
    return BLOCKS


def print_table(rows: Sequence[Sequence[str]], width: int | None = None) -> None:
    """Columns as wide as their widest cell, the last as it comes; lines cut at `width`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        print(cut("  ".join([*cells, row[-1]]).rstrip(), width))


def cut(line: str, width: int | None) -> str:
    return line if width is None or len(line) <= width else f"{line[: width - 3]}..."
