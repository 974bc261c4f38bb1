"""What a click on the table is about: the options of the card, or of the pile, that is drawn there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trionfi.shell.cards import Cards
from trionfi.table.faces import Faces
from trionfi.table.model import Card, Option, Table, Zone

__all__ = ["options_about", "options_at"]

AROUND = 9  # columns in which the words of one card stand
ABOVE = 5  # rows in which a pile's name stands above it
_WORDS = re.compile(r"[^\s\[\]│┌┐└┘─◂★↓*]+")


def options_at(
    table: Table, options: Sequence[Option], lines: Sequence[str], column: int, row: int, cards: Cards
) -> list[str]:
    """The labels of the options about what stands in this column and row of the drawn table."""
    zones = list(zones_of(table))
    card = card_at(zones, lines, column, row, cards)
    if card is not None:
        named = options_about(card, options, cards.faces)
        where = [zone for zone in zones if zone.cards and zone.cards[-1] == card]
        return list(dict.fromkeys([*named, *about_zones(where, options, cards.faces)]))
    zone = zone_at(zones, lines, column, row)
    return [] if zone is None else list(about_zones([zone], options, cards.faces))


def options_about(card: Card, options: Sequence[Option], faces: Faces) -> list[str]:
    """The labels that name a card."""
    return [option.label for option in options if card.name in faces.named_in(option.label)]


def zones_of(table: Table) -> Iterator[Zone]:
    yield from (zone for row in table.grid for cell in row for zone in cell)
    yield from table.beside
    yield from (zone for seat in table.seats for zone in seat.zones)


def about_zones(zones: Sequence[Zone], options: Sequence[Option], faces: Faces) -> Iterator[str]:
    """Options in which a pile is named, as the one from which something is taken or (without a card) at all."""
    for zone in zones:
        pattern = re.compile(rf"(?<![\w.]){re.escape(zone.key)}(?!\w|\[)|\b{re.escape(zone.label)}\b")
        for option in options:
            first = option.label.split(" to ")[0]
            if pattern.search(first) and not faces.named_in(first):
                yield option.label


def card_at(zones: Sequence[Zone], lines: Sequence[str], column: int, row: int, cards: Cards) -> Card | None:
    word = word_at(lines, column, row)
    if not word:
        return None
    around = " ".join(line[max(0, column - AROUND) : column + AROUND] for line in lines[max(0, row - 1) : row + 2])
    for card in (card for zone in zones for card in zone.known):
        if cards.is_small(card) and cards.small(card) == word:
            return card
        names = [one for one in card.name.split() if one not in ("of", "The")]
        if not cards.is_small(card) and word in names and all(one[:4] in around for one in names):
            return card
    return None


def zone_at(zones: Sequence[Zone], lines: Sequence[str], column: int, row: int) -> Zone | None:
    """The pile whose name stands there, or above."""
    for line in reversed(lines[max(0, row - ABOVE) : row + 1]):
        for zone in zones:
            for name in (zone.label, zone.short):
                start = line.find(name) if name else -1
                if start >= 0 and start - 1 <= column <= start + max(len(name), 5):
                    return zone
    return None


def word_at(lines: Sequence[str], column: int, row: int) -> str:
    line = lines[row] if 0 <= row < len(lines) else ""
    return next((match[0] for match in _WORDS.finditer(line) if match.start() <= column < match.end()), "")
