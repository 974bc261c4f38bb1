"""The table as its layout draws it: blocks of lines in a grid; where that does not fit, a line for each zone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trionfi.shell.cards import Cards, Seen
from trionfi.shell.ink import padded, width_of, wrapped
from trionfi.shell.zones import Pile, Zones, spoken

__all__ = ["default_layout", "draw_grid", "list_line"]

Block = list[str]

LEAST = 5  # columns of a card in words
MOST_IN_FAN = 14  # cards of a fan that are drawn one by one
BETWEEN = 1
MOST_INDENT = 12  # before the further lines of a list


def default_layout(zones: Zones) -> list[list[str]]:
    """For a ruleset without one: what belongs to nobody, side by side."""
    names = [family.name for family in zones.ruleset.zones if not family.per]
    return [names[i : i + 4] for i in range(0, len(names), 4)]


def draw_grid(zones: Zones, layout: Sequence[Sequence[str]], cards: Cards, width: int) -> list[str]:
    """The grid in the widest way that fits; else a list."""
    cells = [[zones.named(name) if name != "." else [] for name in row] for row in layout]
    for room in range(cards.longest_word, LEAST - 1, -1):
        for tight in (False, True):
            drawn = [[draw_cell(piles, cards, room, tight) for piles in row] for row in cells]
            lines = joined(drawn)
            if max(map(width_of, lines), default=0) <= width:
                return lines
    return [line for row in cells for piles in row for line in listed(piles, cards, width)]


def draw_cell(piles: Sequence[Pile], cards: Cards, room: int, tight: bool) -> Block:
    """What one name of the layout stands for. A whole row whose places have no names has its own name once."""
    if len(piles) > 1 and all(is_plain_place(pile) for pile in piles):
        name = cards.ink.paint(spoken(piles[0].family.name), "faint")
        return [name, *side_by_side([draw_top(pile, cards, room) for pile in piles])]
    return side_by_side([draw_pile(pile, cards, room, tight) for pile in piles])


def is_plain_place(pile: Pile) -> bool:
    return pile.family.shape == "row" and not pile.family.place_names and pile.owner is None


# ---- one pile


def draw_pile(pile: Pile, cards: Cards, room: int, tight: bool) -> Block:
    label = pile.short if tight else pile.label
    count = len(pile.cards)
    if pile.form == "pile" and count > 1:
        label = f"{label} {count}"
    suit = suit_sign(pile, cards)
    return [cards.ink.paint(label, "faint") + suit, *FORMS[pile.form](pile, cards, room)]


def suit_sign(pile: Pile, cards: Cards) -> str:
    """Behind a suit's name its sign."""
    if pile.family.per != "suit" or pile.owner is None:
        return ""
    sign = cards.ink.signs.get(cards.suits[pile.owner], "")
    return " " + cards.ink.paint(sign, cards.suit_colour(pile.owner)) if len(sign) == 1 and not sign.isalpha() else ""


def in_words(pile: Pile, cards: Cards) -> bool:
    """Whether the cards of this pile need two lines."""
    known = pile.known
    return any(not cards.is_small(cards.face(seen.number or 0)) for seen in known) if known else not cards.has_small


def draw_card(seen: Seen | None, words: bool, cards: Cards, room: int) -> Block:
    if words or (seen is not None and seen.number is not None):
        return cards.drawn(seen, room)
    return cards.drawn_small(seen)


def draw_top(pile: Pile, cards: Cards, room: int) -> Block:
    return draw_card(pile.cards[-1] if pile.cards else None, in_words(pile, cards), cards, room)


def draw_row(pile: Pile, cards: Cards, room: int) -> Block:
    return side_by_side([draw_card(seen, in_words(pile, cards), cards, room) for seen in pile.cards])


def draw_fan(pile: Pile, cards: Cards, room: int) -> Block:
    """The unknown ones below as one line, then each card a line, the top card last."""
    hidden = next((i for i, seen in enumerate(pile.cards) if seen.number is not None), len(pile.cards))
    shown = list(pile.cards[hidden:])
    lines = [cards.ink.paint(f"{cards.ink.signs['back'] * 2}{hidden:>2}", "faint")] if hidden else []
    if len(shown) > MOST_IN_FAN:
        lines.append(cards.ink.signs["more"])
        shown = shown[-MOST_IN_FAN:]
    return lines + [fan_line(seen, cards, room) for seen in shown]


def fan_line(seen: Seen, cards: Cards, room: int) -> str:
    drawn = draw_card(seen, False, cards, room)
    if len(drawn) == 1:
        return drawn[0]
    return f"[{cards.ink.paint(cards.plain(seen)[: room + 2], cards.colour(seen))}]"


FORMS = {"place": draw_top, "pile": draw_top, "row": draw_row, "fan": draw_fan}


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


def listed(piles: Sequence[Pile], cards: Cards, width: int) -> Iterator[str]:
    for pile in piles:
        yield from list_line(pile, cards, width, pile.label)


def list_line(pile: Pile, cards: Cards, width: int, label: str) -> Iterator[str]:
    """`hand  [10♥] [7♣]`, broken where it has to be."""
    rest = " " * min(len(label) + 2, MOST_INDENT)
    yield from wrapped(list_pieces(pile, cards), width, f"{label}  ", rest)


def list_pieces(pile: Pile, cards: Cards) -> list[str]:
    if not pile.cards:
        return ["-"]
    if pile.form == "pile" and len(pile.cards) > 1 and pile.family.shape != "piles":
        top = cards.inline(pile.cards[-1])
        return [top, f"and {len(pile.cards) - 1} below"] if pile.known else [backs(len(pile.cards), cards)]
    return in_runs(pile.cards, cards)


def in_runs(seen: Sequence[Seen], cards: Cards) -> list[str]:
    """Cards one by one, backs by their number."""
    pieces: list[str] = []
    hidden = 0
    for card in [*seen, None]:
        if card is not None and card.number is None:
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
