"""What a screen can show: how wide it is, whether it knows colours, which signs its encoding has."""

from __future__ import annotations

import os
import re
from shutil import get_terminal_size
from typing import IO

__all__ = ["Ink", "width_of", "wrapped"]

STYLES = {
    "bold": "1",
    "faint": "2",
    "chosen": "7",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}

# A sign, and what stands for it where the encoding does not have it.
SIGNS = {
    "clubs": ("♣", "c"),
    "diamonds": ("♦", "d"),
    "hearts": ("♥", "h"),
    "spades": ("♠", "s"),
    "back": ("▒", "#"),
    "reversed": ("↓", "(r)"),
    "altered": ("*", "*"),
    "side": ("│", "|"),
    "dot": (" · ", " - "),
    "turn": ("▶", ">"),
    "led": ("◂", "<"),
    "won": ("★", "!"),
    "arrow": ("→", "->"),
    "checked": ("■", "x"),
    "rule": ("─", "-"),
    "more": ("…", "..."),
}
SUIT_SIGNS = ("clubs", "diamonds", "hearts", "spades")

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
LEAST_WIDTH = 20


def width_of(text: str) -> int:
    """How many columns a text takes on the screen."""
    return len(_ESCAPES.sub("", text)) if "\x1b" in text else len(text)


def padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


class Ink:
    """How to write on one screen. `width` None: as wide as it is now, each time anew."""

    def __init__(self, colours: bool = False, encoding: str = "utf-8", width: int | None = 80) -> None:
        self.colours = colours
        self.encoding = encoding
        self._width = width
        self.signs = {name: sign if self.knows(sign) else plain for name, (sign, plain) in SIGNS.items()}

    @classmethod
    def of(cls, stream: IO[str]) -> Ink:
        """What the stream can show; a pipe and a plain terminal get no escape codes."""
        is_terminal = stream.isatty()
        colours = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(colours, getattr(stream, "encoding", None) or "utf-8", None)

    @property
    def width(self) -> int:
        return max(LEAST_WIDTH, get_terminal_size().columns if self._width is None else self._width)

    def knows(self, text: str) -> bool:
        try:
            text.encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def paint(self, text: str, *styles: str) -> str:
        codes = ";".join(STYLES[style] for style in styles if style in STYLES)
        return f"\x1b[{codes}m{text}\x1b[0m" if self.colours and codes and text else text

    def rule(self, title: str = "") -> str:
        """A line across, with a title in it."""
        line = self.signs["rule"]
        left = f"{line * 2} {title} " if title else ""
        return self.paint(left + line * max(0, min(self.width, 80) - len(left)), "faint")


def wrapped(pieces: list[str], width: int, first: str = "", rest: str | None = None, between: str = " ") -> list[str]:
    """Pieces in lines no wider than `width`; `first` before the first line, `rest` (blanks) before the others."""
    indent = " " * width_of(first) if rest is None else rest
    lines, line, is_new = [], first, True
    if pieces and width_of(first) > width_of(indent) and width_of(first) + width_of(pieces[0]) > width:
        lines, line = [first.rstrip()], indent
    for piece in (part for whole in pieces for part in fitting(whole, width - width_of(indent))):
        if not is_new and width_of(line) + len(between) + width_of(piece) > width:
            lines.append(line.rstrip())
            line, is_new = indent, True
        line += piece if is_new else between + piece
        is_new = False
    return [*lines, line.rstrip()]


def fitting(piece: str, width: int) -> list[str]:
    """A piece that is too wide, in its words, and a word in parts; one in colours between its cards."""
    if width_of(piece) <= width:
        return [piece]
    if "\x1b" in piece:
        return re.split(r"(?<=\]) ", piece)
    words = piece.split()
    return [word[i : i + max(1, width)] for word in words for i in range(0, len(word), max(1, width))]
