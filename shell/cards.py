"""A card as it is drawn: by a sign where its suit has one (`10♥`), else in words; its back; an empty place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from trionfi.shell.ink import SUIT_SIGNS, Ink, padded

if TYPE_CHECKING:
    from trionfi.dsl.tree import CardFace
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["Cards", "Seen"]

SMALL = 3  # columns of a card drawn by signs
WORDS = 10  # of a card in words, when there is room
PALETTE = ("green", "red", "blue", "yellow", "magenta", "cyan")  # suits of a deck without colours, in order


class Seen(NamedTuple):
    """A card as a viewer sees it: its number as in views (None: its back), and what it has become, if that is
    something else than is printed on it."""

    number: int | None
    altered: Mapping[str, Any] | None = None
    marks: Mapping[str, str] | None = None


class Cards:
    """Draws the cards of a ruleset on a screen."""

    def __init__(self, rules: RulesData, ink: Ink) -> None:
        from trionfi.interpreter.seating import cards_of

        self.rules = rules
        self.ink = ink
        self.names = cards_of(rules)
        ruleset = rules.ruleset
        self.suits = ruleset.enumerations["suit"].members
        self.faces = {face.name: face for face in ruleset.faces}
        colours = ruleset.enumerations["colour"].members if "colour" in ruleset.enumerations else []
        self.colours = {suit: colours[colour] for suit, colour in ruleset.colours.items()}

    # ---- what a card is called

    def name(self, number: int) -> str:
        """As it stands in `rules.cards`; with `reversed` behind it if it lies so."""
        count = len(self.names)
        return self.names[number] if number < count else f"{self.names[number - count]} reversed"

    def face(self, number: int) -> CardFace:
        return self.faces[self.names[number % len(self.names)]]

    def is_reversed(self, number: int) -> bool:
        return number >= len(self.names)

    def suit_colour(self, suit: int | None) -> str:
        """The colour that the deck gives to a suit; a suit called by a colour has that; else one of ours."""
        if suit is None:
            return ""
        word = self.suits[suit]
        if suit in self.colours or word in ("red", "green", "yellow", "blue", "black"):
            return self.colours.get(suit, word)
        return "" if self.colours else PALETTE[suit % len(PALETTE)]

    def is_small(self, face: CardFace) -> bool:
        """Whether signs are enough for it."""
        if face.suit is None:
            return False
        return face.rank is not None and self.suits[face.suit] in SUIT_SIGNS

    @cached_property
    def has_small(self) -> bool:
        return any(self.is_small(face) for face in self.faces.values())

    @cached_property
    def longest_word(self) -> int:
        """Of all names, as drawn in words."""
        return min(WORDS, max(len(word) for name in self.names for word in [*name.split(), "back"]))

    def marks(self, seen: Seen) -> str:
        turned = self.ink.signs["reversed"] if seen.number is not None and self.is_reversed(seen.number) else ""
        return turned + (self.ink.signs["altered"] if seen.altered else "")

    def colour(self, seen: Seen) -> str:
        if seen.number is None:
            return "faint"
        suits = seen.altered["suits"] if seen.altered else None
        if suits is not None:
            return self.suit_colour(self.suits.index(suits[0])) if len(suits) == 1 else "magenta"
        return self.suit_colour(self.face(seen.number).suit)

    # ---- texts

    def small(self, seen: Seen) -> str:
        """`10♥`; an altered card as what it is now: `?` any rank, `-` none."""
        if seen.number is None:
            return self.ink.signs["back"] * SMALL
        face = self.face(seen.number)
        rank = rank_sign(face.short[:-1] if face.short else "")
        suits = [self.suits[face.suit]] if face.suit is not None else []
        if seen.altered is not None:
            word = seen.altered["rank"]
            rank = {"any": "?", None: "-"}.get(word, rank_sign(self.rank_code(word)) if word else "-")
            suits = list(seen.altered["suits"])
        if len(suits) > 1:
            return f"{rank}+"
        sign = self.ink.signs.get(suits[0], suits[0][:1]) if suits else "-"
        return f"{rank}{sign}"

    def rank_code(self, word: str) -> str:
        for face in self.faces.values():
            if (
                face.rank is not None
                and face.short
                and self.rules.ruleset.enumerations["rank"].members[face.rank] == word
            ):
                return face.short[:-1]
        return word

    def inline(self, seen: Seen) -> str:
        """In a line of cards: `[10♥]`, `[7 of Cups↓]`."""
        return f"[{self.ink.paint(self.plain(seen), self.colour(seen))}]"

    def plain(self, seen: Seen) -> str:
        """The text in it, without colour."""
        if seen.number is None:
            return self.ink.signs["back"] * 2
        if self.is_small(self.face(seen.number)):
            return self.small(seen) + self.marks(seen)
        name = self.names[seen.number % len(self.names)]
        return f"{name}{' ' if self.marks(seen) else ''}{self.marks(seen)}{became(seen)}"

    def drawn(self, seen: Seen | None, width: int) -> list[str]:
        """A card as a block of equal lines: one line by signs, two in words. None: an empty place in words."""
        if seen is not None and seen.number is not None and self.is_small(self.face(seen.number)):
            return self.drawn_small(seen)
        side = self.ink.signs["side"]
        if seen is None:
            lines = ["", ""]
        elif seen.number is None:
            lines = [self.ink.signs["back"] * width] * 2
        else:
            lines = self.in_two_lines(seen, width)
        colour = self.colour(seen) if seen is not None else ""
        return [side + self.ink.paint(padded(line, width), colour) + side for line in lines]

    def drawn_small(self, seen: Seen | None) -> list[str]:
        if seen is None:
            return ["[" + " " * SMALL + "]"]
        text = self.small(seen)
        return ["[" + " " * (SMALL - len(text)) + self.ink.paint(text, self.colour(seen)) + self.marks(seen) + "]"]

    def in_two_lines(self, seen: Seen, width: int) -> list[str]:
        """A name in two lines, broken where it fits; the marks stand where there is more room."""
        name = (
            self.names[(seen.number or 0) % len(self.names)].replace(" of ", "\n", 1) if seen.number is not None else ""
        )
        top, _, low = name.partition("\n") if "\n" in name else halved(name, width)
        marks = self.marks(seen)
        lines = [cut(top, width), cut(low, width)]
        place = 1 if len(low) + len(marks) <= width else 0
        lines[place] = lines[place][: width - len(marks)].ljust(width - len(marks)) + marks
        return lines

    # ---- names in texts

    @cached_property
    def _named(self) -> re.Pattern[str]:
        names = sorted(self.names, key=len, reverse=True)
        return re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")( reversed)?\b")

    def coloured(self, text: str) -> str:
        """A text with the names of cards in their colours."""
        if not self.ink.colours:
            return text
        return self._named.sub(lambda m: self.ink.paint(m[0], self.suit_colour(self.faces[m[1]].suit)), text)


def rank_sign(code: str) -> str:
    return "10" if code == "T" else code


def became(seen: Seen) -> str:
    """What a card in words has become."""
    if seen.altered is None:
        return ""
    suits = "/".join(seen.altered["suits"]) or "no suit"
    return f" is {seen.altered['rank'] or 'no rank'} of {suits}"


def halved(name: str, width: int) -> tuple[str, str, str]:
    """A name broken between words so that both lines fit, the first as long as can be."""
    words = name.split()
    for count in range(len(words), 0, -1):
        first = " ".join(words[:count])
        if len(first) <= width and len(" ".join(words[count:])) <= width:
            return first, "\n", " ".join(words[count:])
    first = next((" ".join(words[:i]) for i in range(len(words), 0, -1) if len(" ".join(words[:i])) <= width), "")
    rest = name[len(first) :].strip()
    return (first, "\n", cut(rest, width)) if first else (cut(name, width), "\n", "")


def cut(word: str, width: int) -> str:
    return word if len(word) <= width else f"{word[: width - 1]}."
