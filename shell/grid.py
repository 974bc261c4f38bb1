"""The table as its layout draws it: blocks of lines in a grid; where that does not fit, a line for each zone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from trionfi.shell.cards import Cards
from trionfi.shell.ink import padded, width_of, wrapped
from trionfi.table.model import Card, Zone
from trionfi.table.words import spoken

__all__ = ["draw_grid", "is_plain_place", "list_line", "list_pieces"]

Block = list[str]

LEAST = 5  # columns of a card in words
BETWEEN = 1
MOST_INDENT = 12  # before the further lines of a list


def draw_grid(cells: Sequence[Sequence[Sequence[Zone]]], cards: Cards, width: int) -> list[str]:
    """The grid in the widest way that fits; else a list."""
    cells = [[[named_only(zone, cells) for zone in zones] for zones in row] for row in cells]
    for room in range(cards.longest_word, LEAST - 1, -1):
        for tight in (False, True):
            drawn = [[draw_cell(zones, cards, room, tight) for zones in row] for row in cells]
            lines = joined(drawn)
            if max(map(width_of, lines), default=0) <= width:
                return lines
    return [line for row in cells for zones in row for line in listed(zones, cards, width)]


def named_only(zone: Zone, cells: Sequence[Sequence[Sequence[Zone]]]) -> Zone:
    """Where players lay a card each, and nobody has, no places are drawn, only whose they are."""
    others = (other for row in cells for zones in row for other in zones if other.family == zone.family)
    if zone.form != "place" or not zone.owner or not is_of_players(zone) or any(other.cards for other in others):
        return zone
    return replace(zone, form="row")


def is_of_players(zone: Zone) -> bool:
    return zone.key.startswith(f"{zone.owner}.") and zone.owner.removeprefix("p").isdecimal()


def draw_cell(zones: Sequence[Zone], cards: Cards, room: int, tight: bool) -> Block:
    """What one name of the layout stands for. A whole row whose places have no names has its own name once."""
    if len(zones) > 1 and all(is_plain_place(zone) for zone in zones):
        name = cards.ink.paint(spoken(zones[0].family), "faint")
        return [name, *side_by_side([draw_top(zone, cards, room) for zone in zones])]
    return side_by_side([draw_pile(zone, cards, room, tight) for zone in zones])


def is_plain_place(zone: Zone) -> bool:
    return zone.form == "place" and not zone.owner and zone.short.isdecimal()


# ---- one pile


def draw_pile(zone: Zone, cards: Cards, room: int, tight: bool) -> Block:
    label = zone.short if tight or zone.owner else zone.label
    if zone.form in ("pile", "plays") and zone.count > 1:
        label = f"{label} {zone.count}"
    mark = cards.ink.paint(f" {cards.ink.signs[zone.mark]}", "bold") if zone.mark else ""
    return [cards.ink.paint(label, "faint") + suit_sign(zone, cards) + mark, *FORMS[zone.form](zone, cards, room)]


def suit_sign(zone: Zone, cards: Cards) -> str:
    """Behind a suit's name its sign."""
    if zone.owner not in cards.suits:
        return ""
    sign, colour = cards.ink.signs.get(zone.owner, ""), cards.faces.suit_colour(cards.suits.index(zone.owner))
    return " " + cards.ink.paint(sign, colour) if len(sign) == 1 and not sign.isalpha() else ""


def in_words(zone: Zone, cards: Cards) -> bool:
    """Whether the cards of this pile need two lines."""
    known = zone.known
    return any(not cards.is_small(card) for card in known) if known else not cards.has_small


def draw_card(card: Card | None, words: bool, cards: Cards, room: int) -> Block:
    if words or (card is not None and not card.is_back):
        return cards.drawn(card, room)
    return cards.drawn_small(card)


def draw_top(zone: Zone, cards: Cards, room: int) -> Block:
    return draw_card(zone.cards[-1] if zone.cards else None, in_words(zone, cards), cards, room)


def draw_row(zone: Zone, cards: Cards, room: int) -> Block:
    return side_by_side([draw_card(card, in_words(zone, cards), cards, room) for card in zone.cards])


def draw_fan(zone: Zone, cards: Cards, room: int) -> Block:
    """The unknown ones below as one line, then each card a line, the top card last."""
    hidden = next((i for i, card in enumerate(zone.cards) if not card.is_back), zone.count)
    shown = list(zone.cards[hidden:])
    lines = [cards.ink.paint(f"{cards.ink.signs['back'] * 2}{hidden:>2}", "faint")] if hidden else []
    if len(shown) > cards.most_in_fan:
        lines.append(cards.ink.signs["more"])
        shown = shown[-cards.most_in_fan :]
    return lines + [fan_line(card, cards, room) for card in shown]


def fan_line(card: Card, cards: Cards, room: int) -> str:
    drawn = draw_card(card, False, cards, room)
    if len(drawn) == 1:
        return drawn[0]
    return f"[{cards.ink.paint(cards.plain(card)[: room + 2], cards.colour(card))}]"


FORMS = {
    "place": draw_top,
    "pile": draw_top,
    "row": draw_row,
    "fan": draw_fan,
    "plays": draw_top,
}


# ---- blocks


def side_by_side(blocks: Sequence[Block]) -> Block:
    """Blocks as one, their first lines level."""
    if not blocks:
        return []
    if len(blocks) == 1:
        return blocks[0]
    widths = [max(map(width_of, block), default=0) for block in blocks]
    height = max(map(len, blocks))
    return [
        (" " * BETWEEN).join(
            padded(block[i] if i < len(block) else "", width) for block, width in zip(blocks, widths, strict=True)
        )
        for i in range(height)
    ]


def joined(grid: Sequence[Sequence[Block]]) -> list[str]:
    """The rows of the grid, columns as wide as their widest block, an empty line between rows."""
    columns = max(map(len, grid), default=0)
    rows = [[*row, *([[]] * (columns - len(row)))] for row in grid]
    widths = [max((width_of(line) for row in rows for line in row[i]), default=0) for i in range(columns)]
    lines: list[str] = []
    for row in rows:
        height = max(map(len, row), default=0)
        if not height:
            continue
        lines += [""] if lines else []
        for i in range(height):
            cells = [padded(block[i] if i < len(block) else "", w) for block, w in zip(row, widths, strict=True)]
            lines.append((" " * BETWEEN).join(cell for cell, w in zip(cells, widths, strict=True) if w).rstrip())
    return lines


# ---- in little room


def listed(zones: Sequence[Zone], cards: Cards, width: int) -> Iterator[str]:
    for zone in zones:
        yield from list_line(zone, cards, width, zone.short if zone.owner else zone.label)


def list_line(zone: Zone, cards: Cards, width: int, label: str) -> Iterator[str]:
    """`hand  [10♥] [7♣]`, broken where it has to be."""
    rest = " " * min(len(label) + 2, MOST_INDENT)
    yield from wrapped(list_pieces(zone, cards), width, f"{label}  ", rest)


def list_pieces(zone: Zone, cards: Cards) -> list[str]:
    if not zone.cards:
        return [] if zone.figures else ["-"]  # a die at a place is not nothing
    if zone.form in ("pile", "plays") and zone.count > 1:
        top = cards.inline(zone.cards[-1])
        return [top, f"and {zone.count - 1} below"] if zone.known else [backs(zone.count, cards)]
    return in_runs(zone.cards, cards)


def in_runs(shown: Sequence[Card], cards: Cards) -> list[str]:
    """Cards one by one, backs by their number."""
    pieces: list[str] = []
    hidden = 0
    for card in [*shown, None]:
        if card is not None and card.is_back:
            hidden += 1
            continue
        if hidden:
            pieces.append(backs(hidden, cards))
            hidden = 0
        if card is not None:
            pieces.append(cards.inline(card))
    return pieces


def backs(count: int, cards: Cards) -> str:
    back = cards.ink.paint(cards.ink.signs["back"] * 2, "faint")
    return back if count == 1 else f"{back} {count}"
