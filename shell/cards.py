"""A card as it is drawn: by a sign where its suit has one (`10♥`), else in words; its back; an empty place."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from trionfi.shell.ink import SUIT_SIGNS, Ink, padded
from trionfi.table.model import Card

if TYPE_CHECKING:
    from trionfi.table.faces import Faces

__all__ = ["Cards"]

SMALL = 3  # columns of a card drawn by signs
MOST_IN_FAN = 14  # cards of a fan that are drawn one by one
WORDS = 10  # of a card in words, when there is room


class Cards:
    """Draws the cards of a ruleset on a screen."""

    def __init__(self, faces: Faces, ink: Ink) -> None:
        self.faces = faces
        self.ink = ink
        self.names = faces.names
        self.suits = faces.suits
        self.most_in_fan = MOST_IN_FAN

    def is_small(self, card: Card) -> bool:
        """Whether signs are enough for it."""
        return card.suit in SUIT_SIGNS and bool(card.code)

    @cached_property
    def has_small(self) -> bool:
        return any(self.is_small(self.faces.card(number)) for number in range(len(self.names)))

    @cached_property
    def longest_word(self) -> int:
        """Of all names, as drawn in words."""
        return min(WORDS, max(len(word) for word in ["back", *(word for name in self.names for word in name.split())]))

    def marks(self, card: Card) -> str:
        return (self.ink.signs["reversed"] if card.is_reversed else "") + (
            self.ink.signs["altered"] if card.altered else ""
        )

    def colour(self, card: Card) -> str:
        return "faint" if card.is_back else card.colour

    # ---- texts

    def small(self, card: Card) -> str:
        """`10♥`; an altered card as what it is now: `?` any rank, `-` none."""
        if card.is_back:
            return self.ink.signs["back"] * SMALL
        rank, suits = card.now or (card.rank, (card.suit,) if card.suit else ())
        if len(suits) > 1:
            return f"{rank}+"
        sign = self.ink.signs.get(suits[0], suits[0][:1]) if suits else "-"
        return f"{rank}{sign}"

    def inline(self, card: Card) -> str:
        """In a line of cards: `[10♥]`, `[7 of Cups↓]`."""
        return f"[{self.ink.paint(self.plain(card), self.colour(card))}]"

    def plain(self, card: Card) -> str:
        """The text in it, without colour."""
        if card.is_back:
            return self.ink.signs["back"] * 2
        if self.is_small(card):
            return self.small(card) + self.marks(card)
        became = f" is {card.altered}" if card.altered else ""
        return f"{card.name}{' ' if self.marks(card) else ''}{self.marks(card)}{became}"

    def drawn(self, card: Card | None, width: int) -> list[str]:
        """A card as a block of equal lines: one line by signs, two in words. None: an empty place in words."""
        if card is not None and self.is_small(card):
            return self.drawn_small(card)
        side = self.ink.signs["side"]
        if card is None:
            lines = ["", ""]
        elif card.is_back:
            lines = [self.ink.signs["back"] * width] * 2
        else:
            lines = self.in_two_lines(card, width)
        colour = self.colour(card) if card is not None else ""
        return [side + self.ink.paint(padded(line, width), colour) + side for line in lines]

    def drawn_small(self, card: Card | None) -> list[str]:
        if card is None:
            return ["[" + " " * SMALL + "]"]
        text = self.small(card)
        return ["[" + " " * (SMALL - len(text)) + self.ink.paint(text, self.colour(card)) + self.marks(card) + "]"]

    def in_two_lines(self, card: Card, width: int) -> list[str]:
        """A name in two lines, broken where it fits; the marks stand where there is more room."""
        name = card.name.replace(" of ", "\n", 1)
        top, _, low = name.partition("\n") if "\n" in name else halved(name, width)
        marks = self.marks(card)
        lines = [self.cut(top, width), self.cut(low, width)]
        place = 1 if len(low) + len(marks) <= width else 0
        lines[place] = lines[place][: width - len(marks)].ljust(width - len(marks)) + marks
        return lines

    def cut(self, word: str, width: int) -> str:
        """No longer than that; what is left out is said by a sign."""
        more = self.ink.signs["more"] if len(self.ink.signs["more"]) == 1 else "."
        return word if len(word) <= width else f"{word[: width - 1]}{more}"

    # ---- names in texts

    def coloured(self, text: str) -> str:
        """A text with the names of cards in their colours."""
        if not self.ink.colours:
            return text
        faces = self.faces
        return faces.pattern.sub(lambda m: self.ink.paint(m[0], faces.suit_colour(faces.faces[m[1]].suit)), text)


def halved(name: str, width: int) -> tuple[str, str, str]:
    """A name broken between words so that both lines fit, the first as long as can be."""
    words = name.split()
    for count in range(len(words), 0, -1):
        first = " ".join(words[:count])
        if len(first) <= width and len(" ".join(words[count:])) <= width:
            return first, "\n", " ".join(words[count:])
    first = next((" ".join(words[:i]) for i in range(len(words), 0, -1) if len(" ".join(words[:i])) <= width), "")
    rest = name[len(first) :].strip()
    return (first, "\n", rest) if first else (name, "\n", "")
