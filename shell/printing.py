"""What goes where: data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

__all__ = ["bar_signs", "note", "print_json", "print_table", "terminal_width", "text_width"]

PAGE = 80  # columns of running text where stdout is no terminal, and the most where it is


def print_json(data: object) -> None:
    """One JSON document on stdout; in plain ASCII where that knows no other signs."""
    is_narrow = (sys.stdout.encoding or "utf-8").lower() not in ("utf-8", "utf8")
    print(json.dumps(data, indent=2, ensure_ascii=is_narrow))


def note(text: str) -> None:
    """A line for the person at the keyboard, on stderr."""
    print(text, file=sys.stderr, flush=True)


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
