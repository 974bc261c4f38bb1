"""What goes where: data to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

__all__ = ["note", "print_json", "print_table"]


def print_json(data: object) -> None:
    """One JSON document on stdout."""
    print(json.dumps(data, indent=2, ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))


def note(text: str) -> None:
    """A line for the person at the keyboard, on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their widest cell, the last as it comes."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        print("  ".join([*cells, row[-1]]).rstrip())
