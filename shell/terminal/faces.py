"""Cards as they lie on the felt: light faces, blue backs, with their signs; without colours in brackets."""

from __future__ import annotations

from trionfi.dsl.signs import escaped
from trionfi.shell.cards import SMALL, Cards
from trionfi.shell.ink import Ink, padded
from trionfi.table.faces import Faces
from trionfi.table.model import Card

__all__ = ["FaceCards", "face_style"]

# Red and black differ in lightness, too, for who does not see the colours; each suit has its sign.
INKS = {
    "red": "#c4122f",
    "black": "#16181d",
    "": "#16181d",
    "green": "#006b3c",
    "blue": "#0b4f9e",
    "yellow": "#7a5200",
    "magenta": "#7a1fa2",
    "cyan": "#00606b",
}
LEAST_NAME = 4  # columns behind a numeral that say something
LONGEST = 10  # letters of the name of a card without a suit's code
FOUR = {"clubs": "green", "diamonds": "blue", "hearts": "red", "spades": "black"}
FACE, DIM, RAISED, CHANGED = "#f6f2e7", "#a9a79f", "#ffe08a", "#fff4b8"
BACK, PATTERN = "#2b4c7e", "#7f9cc4"


def ansi(foreground: str, background: str, bold: bool = False) -> str:
    """The escape code of two colours `#rrggbb`."""
    parts = [
        f"{kind};2;{';'.join(str(int(c[i : i + 2], 16)) for i in (1, 3, 5))}"
        for kind, c in ((38, foreground), (48, background))
    ]
    return f"\x1b[{'1;' if bold else ''}{';'.join(parts)}m"


def face_style(card: Card, colour: str, at: bool = False, dim: bool = False) -> tuple[str, str]:
    """Foreground and background."""
    if card.is_back:
        return PATTERN, BACK
    ground = RAISED if at else DIM if dim else CHANGED if card.altered else FACE
    return INKS.get(colour, INKS[""]), ground


class FaceCards(Cards):
    """Draws with light faces where the ink has colours."""

    def __init__(self, faces: Faces, ink: Ink, four_colours: bool = False) -> None:
        super().__init__(faces, ink)
        self.four_colours = four_colours
        self.is_tall = False  # cards by signs take three lines
        self.is_flat = False  # cards in words take one line

    def colour(self, card: Card) -> str:
        if self.four_colours and card.suit in FOUR and not card.altered:
            return FOUR[card.suit]
        return super().colour(card)

    def face(self, text: str, card: Card) -> str:
        foreground, background = face_style(card, self.colour(card))
        return f"{ansi(foreground, background, bold=not card.is_back)}{text}\x1b[0m"

    def inline(self, card: Card) -> str:
        if not self.ink.colours:
            return super().inline(card)
        return self.face(f" {self.plain(card)} ", card)

    def drawn_small(self, card: Card | None) -> list[str]:
        if self.is_tall:
            return self.tall(card)
        if card is None or not self.ink.colours:
            return super().drawn_small(card)
        text = self.small(card)
        return [self.face(f" {text.rjust(SMALL)}{self.marks(card) or ' '}", card)]

    def tall(self, card: Card | None) -> list[str]:
        """In three lines, where there is room."""
        side = self.ink.signs["side"]
        if card is None or not self.ink.colours:
            text = "" if card is None else self.small(card) + self.marks(card)
            rule = self.ink.signs["rule"] * SMALL
            return [
                self.ink.paint(f"{a}{b:<{SMALL}}{c}", "faint" if card is None else "")
                for a, b, c in (("┌", rule, "┐"), (side, text, side), ("└", rule, "┘"))
            ]
        if card.is_back:
            return [self.face(self.ink.signs["back"] * (SMALL + 2), card)] * 3
        text, marks = self.small(card), self.marks(card)
        lines = (f" {text}", f" {marks}", f"{text:>{SMALL + 1}}")
        return [self.face(padded(line, SMALL + 2), card) for line in lines]

    def drawn(self, card: Card | None, width: int) -> list[str]:
        if self.is_flat and (card is None or not self.is_small(card)):
            return [self.flat(card, width)]
        if card is None or not self.ink.colours or self.is_small(card):
            return super().drawn(card, width)
        lines = [self.ink.signs["back"] * width] * 2 if card.is_back else self.in_two_lines(card, width)
        return [self.face(f" {padded(line, width)} ", card) for line in lines]

    def flat(self, card: Card | None, width: int) -> str:
        """In one line."""
        if card is None:
            return super().drawn(None, width)[0]
        marks = self.marks(card)
        name, room = self.short(card).removesuffix(marks), width - len(self.marks(card))
        text = self.ink.signs["back"] * width if card.is_back else self.cut(self.told(card, name, room), room) + marks
        return self.face(f" {padded(text, width)} ", card) if self.ink.colours else f"[{padded(text, width)}]"

    def told(self, card: Card, name: str, room: int) -> str:
        """A name in little room, which still says which card it is: a numeral, a number, `Ki C` of a king of cups."""
        top, of, low = escaped(card.name).partition(" of ")
        if not card.code and card.rank and room < len(card.rank) + LEAST_NAME:
            return card.rank if len(card.rank) <= room else str(self.faces.faces[card.name].number)
        if card.code and of and room < len(top) + LEAST_NAME and len(name) > room:
            return f"{top[: room - 2]} {low[: max(1, room - 1 - len(top))]}"
        return name

    def short(self, card: Card, suit: int = 99) -> str:
        """All that it is in few signs: `7 Cups`, `XIII Death`; of the suit's name so many letters."""
        if card.is_back or self.is_small(card):
            return self.plain(card)
        named = escaped(card.name)
        top, of, low = named.partition(" of ") if card.code else (named, "", "")
        if suit == 1:
            return f"{f'{top[:2]} {low[:1]}' if of else card.rank or top}{self.marks(card)}"
        name = f"{top} {low[:suit]}" if of else f"{card.rank} {self.cut(named.removeprefix('The '), LONGEST)}"
        return f"{name}{self.marks(card)}".strip()
