"""A smaller text with the same fault: lines, then words are left out as long as it stays (delta debugging)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

PIECES = re.compile(r"\s+|\w+|[^\w\s]")


class Enough(Exception):
    """As many trials as are allowed have been made."""


def shrunk(text: str, is_bad: Callable[[str], bool], most: int = 300) -> str:
    """`is_bad(text)` holds; so it does of what is given back. `most`: how many texts are tried."""
    shrinking = Shrinking(is_bad, text, most)
    try:
        before = ""
        while before != shrinking.best:
            before = shrinking.best
            shrinking.leave_out(before.splitlines(keepends=True))
            shrinking.leave_out(PIECES.findall(shrinking.best))
    except Enough:
        pass
    return shrinking.best


class Shrinking:
    def __init__(self, is_bad: Callable[[str], bool], text: str, most: int) -> None:
        self.is_bad, self.best, self.left = is_bad, text, most

    def holds(self, pieces: Sequence[str]) -> bool:
        if not self.left:
            raise Enough
        self.left -= 1
        text = "".join(pieces)
        if self.is_bad(text):
            self.best = text
            return True
        return False

    def leave_out(self, pieces: Sequence[str]) -> None:
        """Runs of pieces, the longest first, down to single ones."""
        size = max(1, len(pieces) // 2)
        while True:
            at = 0
            while at < len(pieces):
                fewer = [*pieces[:at], *pieces[at + size :]]
                if self.holds(fewer):
                    pieces = fewer
                else:
                    at += size
            if size == 1:
                return
            size = max(1, size // 2)
