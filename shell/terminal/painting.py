"""A table in so many columns and rows: what gives way first when there is little room."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.text import Text

from trionfi.dsl.signs import escaped
from trionfi.shell.board import Board
from trionfi.shell.cards import Cards
from trionfi.shell.grid import is_plain_place, list_pieces
from trionfi.shell.ink import Ink, width_of, wrapped
from trionfi.shell.terminal.faces import FaceCards
from trionfi.table.faces import Faces
from trionfi.table.model import Seat, Table, Zone
from trionfi.table.words import spoken

__all__ = ["Painter", "ScreenRows", "plan"]

SIZES = ((True, False), (False, False), (False, True))
LEAST_NEWS = 4  # rows, where there is room
FANS = (14, 10, 8, 6, 5, 4, 3)  # cards of a fan that are drawn one by one


class Painter:
    """Paints tables of one ruleset. `has_colours`: else frames and signs alone."""

    def __init__(self, faces: Faces, has_colours: bool, encoding: str = "utf-8") -> None:
        self.faces, self.has_colours, self.encoding = faces, has_colours, encoding
        self.four_colours = False

    def cards(self, width: int) -> FaceCards:
        return FaceCards(self.faces, Ink(self.has_colours, self.encoding, width), self.four_colours)

    def table(self, table: Table, width: int, height: int) -> Text:
        """No wider than `width` and, if it can be, no higher than `height`: fans first lose their upper cards, then
        zones stand in lines."""
        lines = self.fitting(table, width, height)
        text = Text("\n", no_wrap=True, overflow="crop").join(Text.from_ansi(line) for line in lines[:height])
        text.no_wrap = True
        return text

    def option(self, label: str) -> str:
        """A label with its cards by their signs, where these are enough: `10♣ from tableau 1 to tableau 3`."""
        cards, faces = self.cards(80), self.faces

        def drawn(match: re.Match[str]) -> str:
            card = faces.card(faces.names.index(match[1]))
            return cards.small(card) if cards.is_small(card) and not match[2] else match[0]

        return faces.pattern.sub(drawn, re.sub(r"\b(\w+)\[(\d+)\]", placed, label))

    def places(self, text: str) -> str:
        """A text with its piles as the table calls them."""
        return re.sub(r"\b(\w+)\[(\d+)\]", placed, text)

    def sentence(self, text: str) -> str:
        """With the cards in it as they are drawn, where signs are enough for them."""
        cards, faces = self.cards(80), self.faces

        def drawn(name: str) -> str:
            number = faces.names.index(name)
            card = faces.card(number)
            return cards.inline(card) if cards.is_small(card) else cards.ink.paint(name, card.colour)

        def side_by_side(match: re.Match[str]) -> str:
            return " " if cards.is_small(faces.card(faces.names.index(match[1]))) else ", "

        text = re.sub(r"\b(\w+)\[(\d+)\]", placed, escaped(text))
        text = re.sub(rf"(?<=\w), (?={faces.pattern.pattern})", side_by_side, text)
        return faces.pattern.sub(lambda match: drawn(match[1]) + (match[2] or ""), text)

    def need(self, table: Table, width: int) -> int:
        """ScreenRows that it takes where there is room."""
        cards = self.cards(width)
        return len(list(self.lines(Board(cards, cards.ink), table)))

    def fitting(self, table: Table, width: int, height: int) -> list[str]:
        cards = self.cards(width)
        board = Board(cards, cards.ink)
        fans = FANS if has_fans(table) else FANS[:1]
        for cards.is_tall, cards.is_flat in SIZES:
            for cards.most_in_fan in fans:
                lines = list(self.lines(board, table))
                if len(lines) <= height:
                    return lines
        lines = self.tight(board, table, height)
        if lines:
            return lines
        return [line for line in self.in_lines(board, table) if line.strip()]

    def tight(self, board: Board, table: Table, height: int) -> list[str]:
        """The grid without blank lines; if it has to be, without what lies beside face down, then with the players in
        few lines. Nothing if that does not fit either."""
        bare = replace(table, beside=tuple(zone for zone in table.beside if zone.known))
        for one, few in ((table, False), (bare, False), (table, True), (bare, True)):
            lines = [line for line in self.lines(board, one, few) if line.strip()]
            if len(lines) <= height:
                return lines
        return []

    def lines(self, board: Board, table: Table, few: bool = False) -> Iterator[str]:
        """`few`: the players stand one behind another."""
        middle = centred(list(board.middle(table)), board.ink.width)
        if few:
            people = wrapped(self.players(board, table), board.ink.width, between="   ")
        else:
            people = [line for seat in table.seats for line in board.seat(without_hand(seat), table)]
        people += [line for team in table.teams for line in board.team(team)]
        yield from middle
        yield from ["", *people] if people and middle else people

    def players(self, board: Board, table: Table) -> list[str]:
        """`▶ Ann (you) dealer`, `p2 hand ▒▒ 5`: a piece each."""
        turn = board.ink.signs["turn"]
        return [
            " ".join(
                [
                    f"{turn if seat.is_asked else ' '} {seat.name}{' (you)' if seat.is_you else ''}",
                    *seat.tags,
                    *map(board.figure, seat.figures),
                    *(named_pieces(zone, board.cards, seat.key) for zone in without_hand(seat).zones),
                ]
            )
            for seat in table.seats
        ]

    def in_lines(self, board: Board, table: Table) -> Iterator[str]:
        """What is open first, with the game's figures, then the players; backs last."""
        zones = [zone for row in table.grid for cell in row for zone in rows_as_one(cell) if zone.cards]
        zones += table.beside
        pieces = [named_pieces(zone, board.cards) for zone in zones if zone.known]
        yield from wrapped(board.dotted(pieces), board.ink.width)
        yield from wrapped(board.dotted([board.in_pieces(figure) for figure in table.figures]), board.ink.width)
        for seat in table.seats:
            yield from board.seat(without_hand(seat), table)
        for team in table.teams:
            yield from board.team(team)
        yield from board.plays(table.plays)
        backs = [named_pieces(zone, board.cards) for zone in zones if not zone.known]
        yield from wrapped(board.dotted(backs), board.ink.width)


def has_fans(table: Table) -> bool:
    zones = [zone for row in table.grid for cell in row for zone in cell]
    return any(zone.form == "fan" for zone in (*zones, *table.beside))


def placed(match: re.Match[str]) -> str:
    """`tableau[1]`, as the table calls it."""
    return f"{spoken(match[1])} {match[2]}"


def rows_as_one(cell: Sequence[Zone]) -> Sequence[Zone]:
    """Places that have no names of their own, side by side."""
    if len(cell) < 2 or not all(is_plain_place(zone) for zone in cell):
        return cell
    cards = tuple(card for zone in cell for card in zone.cards)
    return [replace(cell[0], label=spoken(cell[0].family), form="row", cards=cards, count=len(cards))]


def named_pieces(zone: Zone, cards: Cards, at: str = "") -> str:
    """`at`: whose it is, where that is clear."""
    label = f"{zone.owner} {zone.label}" if zone.owner and zone.owner != at else zone.label
    return f"{label} {' '.join(list_pieces(zone, cards))}"


def without_hand(seat: Seat) -> Seat:
    """One's own hand lies below, large."""
    return replace(seat, zones=tuple(zone for zone in seat.zones if not zone.is_hand))


def centred(lines: list[str], width: int) -> list[str]:
    """The middle of the table in the middle of the screen."""
    widest = max(map(width_of, lines), default=0)
    indent = " " * max(0, (width - widest) // 2)
    return [indent + line if line else line for line in lines]


class ScreenRows(NamedTuple):
    """ScreenRows of each part of the screen. `beside`: columns of the news, if they stand beside the table."""

    table: int
    news: int
    hand: int
    menu: int
    beside: int
    has_frames: bool
    is_large: bool  # the hand is drawn large


def plan(width: int, height: int, hand: tuple[int, int], menu: int, need: int) -> ScreenRows:
    """`hand`: rows of the hand drawn large and small; `menu`: rows that all options take; `need`: those that the table
    takes where there is room."""
    has_frames = height >= 30 and width >= 70
    beside = min(44, width // 3) if width >= 96 else 0
    rest = height - 3 - (2 if has_frames else 0)  # a header, where one types, keys
    is_large = height >= 22 and hand[0] <= rest // 4
    hand_rows = min(hand[0] if is_large else hand[1], max(1, rest // 3))
    rest -= hand_rows
    told = 0 if beside else LEAST_NEWS
    menu_rows = min(menu, max(2, rest // 3, rest - need - told))
    rest -= menu_rows
    news = 0 if beside else max(2, min(8, max(rest // 4, rest - need)))
    return ScreenRows(max(3, rest - news), news, hand_rows, menu_rows, beside, has_frames, is_large)
