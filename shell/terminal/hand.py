"""The hand: large cards in a row, or small ones in lines; which is where, for the mouse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from trionfi.dsl.signs import escaped
from trionfi.shell.terminal.choosing import Choosing
from trionfi.shell.terminal.faces import FaceCards, face_style
from trionfi.table.model import Card, Table

__all__ = ["Hand", "HandCard", "hand_cards", "sizes"]

MANY = 13  # cards; of more the names of suits are cut
SUIT_LETTERS = (99, 3, 1)  # of a suit's name that are written, the fewer the less room there is


class HandCard(NamedTuple):
    """A card of the hand: the label by which it is chosen (empty: it cannot be now), whether the bar is on it, whether
    it is ticked."""

    card: Card
    label: str
    is_at: bool = False
    is_ticked: bool = False
    is_dim: bool = False


class Hand:
    """Draws a hand and remembers where each card is: `where[row][column]` is its place."""

    def __init__(self, cards: FaceCards, width: int) -> None:
        self.cards, self.width = cards, width
        self.where: list[dict[int, int]] = []

    # ---- sizes

    def words(self, card: Card) -> tuple[str, str]:
        """The two lines of a large card."""
        if card.is_back:
            return self.cards.ink.signs["back"] * 3, self.cards.ink.signs["back"] * 3
        if self.cards.is_small(card):
            return self.cards.small(card), self.cards.marks(card)
        named = escaped(card.name)
        top, _, low = named.partition(" of ") if card.code else (named, "", "")
        if not low:
            top, low = f"{card.rank} {escaped(card.name).removeprefix('The ')}".strip(), ""
            if " " in top and len(top) > 8:
                top, _, low = top.partition(" ")
        return top, f"{low}{self.cards.marks(card)}"

    def cell(self, card: Card) -> int:
        return max(3, *map(len, self.words(card))) + 2

    def large_width(self, hand: Sequence[Card]) -> int:
        return sum(self.cell(card) + 1 for card in hand) - 1

    # ---- drawing

    def large(self, hand: Sequence[HandCard]) -> Text:
        """Three rows: what the bar is on and what is ticked stands higher."""
        rows = [Text(no_wrap=True) for _ in range(3)]
        self.where = [{} for _ in rows]
        column = 0
        for place, held in enumerate(hand):
            width, lines = self.cell(held.card), self.words(held.card)
            up = held.is_at or held.is_ticked
            tick = "✓" if held.is_ticked else " "
            block = [f" {lines[0]:<{width - 2}}{tick}", f" {lines[1]:<{width - 1}}"]
            for row in range(3):
                inside = row - (0 if up else 1)
                text = block[inside] if 0 <= inside < 2 else " " * width
                rows[row].append(text[:width], self.style(held) if 0 <= inside < 2 else "")
                rows[row].append(" ")
                self.where[row].update(dict.fromkeys(range(column, column + width), place))
            column += width + 1
        return Text("\n").join(rows) if hand else Text()

    def small(self, hand: Sequence[HandCard], most: int = 99) -> Text:
        """In no more rows than `most`, if that can be: of suits' names less and less is left."""
        rows: list[Text] = []
        for suit in SUIT_LETTERS if len(hand) <= MANY else SUIT_LETTERS[1:]:
            rows = self.in_rows(hand, suit)
            if len(rows) <= most:
                break
        return Text("\n").join(rows)

    def in_rows(self, hand: Sequence[HandCard], suit: int) -> list[Text]:
        rows = [Text(no_wrap=True)]
        self.where = [{}]
        column = 0
        for place, held in enumerate(hand):
            mark = "✓" if held.is_ticked else " "
            text = f"{'▸' if held.is_at else ' '}{self.cards.short(held.card, suit)}{mark}"
            if column + len(text) > self.width and column:
                rows.append(Text(no_wrap=True))
                self.where.append({})
                column = 0
            rows[-1].append(text, self.style(held))
            rows[-1].append(" ")
            self.where[-1].update(dict.fromkeys(range(column, column + len(text)), place))
            column += len(text) + 1
        return rows

    def style(self, held: HandCard) -> Style:
        if not self.cards.ink.colours:
            return Style(reverse=held.is_at, bold=not held.is_dim, dim=held.is_dim, underline=held.is_ticked)
        colour, ground = face_style(held.card, self.cards.colour(held.card), held.is_at, held.is_dim)
        return Style(color=colour, bgcolor=ground, bold=not held.is_dim)

    def place_at(self, column: int, row: int) -> int | None:
        """Which card lies there."""
        return self.where[row].get(column) if 0 <= row < len(self.where) else None


def sizes(hand: Hand, cards: Sequence[Card]) -> tuple[int, int]:
    """Rows of the large hand (very many if it does not fit) and of the small one."""
    if not cards:
        return 0, 0
    large = 3 if hand.large_width(cards) <= hand.width else 999
    hand.small([HandCard(card, "") for card in cards])
    return large, len(hand.where)


def labels_in_hand(hand: Sequence[Card], labels: Mapping[str, object]) -> list[str]:
    """The label of each card of a hand that may be chosen; of copies the second ends in ` #2`."""
    seen: dict[str, int] = {}
    found = []
    for card in hand:
        seen[card.key] = seen.get(card.key, 0) + 1
        label = card.key if seen[card.key] == 1 else f"{card.key} #{seen[card.key]}"
        found.append(label if label in labels else card.key if card.key in labels else "")
    return found


def hand_cards(picture: Table | None, choosing: Choosing | None) -> list[HandCard]:
    """The hand, with what may be chosen of it now."""
    if picture is None:
        return []
    cards = picture.hand
    if choosing is None:
        return [HandCard(card, "") for card in cards]
    offered = {option.card: option for option in choosing.visible if option.card}
    all_cards = {option.card: option for option in choosing.menu.offered if option.card}
    labels = labels_in_hand(cards, all_cards)
    asks_for_hand = any(labels)
    return [
        HandCard(
            card,
            label,
            label == choosing.at != "",
            label in choosing.marked,
            asks_for_hand and label not in offered,
        )
        for card, label in zip(cards, labels, strict=True)
    ]
