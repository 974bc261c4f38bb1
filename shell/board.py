"""The whole picture: the table, what lies beside it, the plays in force, each player with what is theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trionfi.shell.cards import Cards
from trionfi.shell.grid import draw_grid, list_line, list_pieces
from trionfi.shell.ink import Ink, wrapped
from trionfi.table.faces import Faces
from trionfi.table.model import Card, Figure, Played, Seat, Table, Zone
from trionfi.table.words import spoken

__all__ = ["Board"]

INDENT = "  "
FEW_SEEN = 6


class Board:
    """Draws tables on one screen."""

    def __init__(self, cards: Cards, ink: Ink) -> None:
        self.ink = ink
        self.cards = cards

    @classmethod
    def of(cls, faces: Faces, ink: Ink) -> Board:
        return cls(Cards(faces, ink), ink)

    def lines(self, table: Table) -> Iterator[str]:
        """The picture, no line wider than the screen."""
        yield from self.middle(table)
        people = [line for seat in table.seats for line in self.seat(seat, table)]
        people += [line for team in table.teams for line in self.team(team)]
        yield from ["", *people] if people else []

    def middle(self, table: Table) -> Iterator[str]:
        """What lies between the players."""
        yield from draw_grid(table.grid, self.cards, self.ink.width)
        yield from self.beside(table)
        yield from self.plays(table.plays)

    # ---- parts

    def beside(self, table: Table) -> Iterator[str]:
        """What the layout leaves out and no player has: zones that hold something, then the game's own variables."""
        for zone in (zone for row in table.grid for cell in row for zone in cell):
            yield from self.below_the_top(zone)
        pieces = [f"{pile_label(zone)} {' '.join(list_pieces(zone, self.cards))}" for zone in table.beside]
        for line in (pieces, [self.in_pieces(figure) for figure in table.figures]):
            if line:
                yield from wrapped(self.dotted(line), self.ink.width)

    def below_the_top(self, zone: Zone) -> Iterator[str]:
        """Of a pile that the layout draws by its top card: a few that all can see, as the cards of the house."""
        if zone.form == "pile" and not zone.owner and 1 < len(zone.known) == zone.count <= FEW_SEEN:
            pieces = [self.cards.inline(card) for card in zone.cards]
            yield from wrapped(pieces, self.ink.width, f"{pile_label(zone)}  ", INDENT * 2)

    def dotted(self, pieces: Sequence[str | Sequence[str]]) -> list[str]:
        """Pieces, some of them in parts, with a dot behind each but the last, so that lines may break between."""
        dot = self.ink.signs["dot"].rstrip()
        parts = [[piece] if isinstance(piece, str) else list(piece) for piece in pieces]
        for part in parts[:-1]:
            part[-1] += dot
        return [one for part in parts for one in part]

    def figure(self, figure: Figure) -> str:
        if figure.cards:
            return f"{figure.word} {' '.join(self.cards.inline(card) for card in figure.cards)}"
        return figure.text

    def in_pieces(self, figure: Figure) -> list[str]:
        """So that a line may break between the cards of a figure."""
        if not figure.cards:
            return [figure.text]
        first, *others = map(self.cards.inline, figure.cards)
        return [f"{figure.word} {first}", *others]

    def seat(self, seat: Seat, table: Table) -> Iterator[str]:
        """A line for a player, and one for each zone of which the viewer knows cards."""
        pieces: list[str | Sequence[str]] = [*seat.tags, *map(self.in_pieces, seat.figures)]
        below = []
        for zone in seat.zones:
            if zone.known or zone.figures:
                below.append(zone)
            else:
                pieces.append(f"{pile_label(zone)} {' '.join(list_pieces(zone, self.cards))}")
        if len(table.seats) == 1 and not pieces and not below:
            return
        turn = self.ink.signs["turn"] if seat.is_asked else " "
        name = seat.name + (" (you)" if seat.is_you else "")
        head = f"{self.ink.paint(turn, 'bold')} {self.ink.paint(name, 'bold')}  "
        yield from wrapped(self.dotted(pieces), self.ink.width, head, INDENT * 2)
        for zone in below:
            label = INDENT + INDENT + " ".join([pile_label(zone), *map(self.figure, zone.figures)])
            yield from list_line(zone, self.cards, self.ink.width, label)

    def team(self, team: Seat) -> Iterator[str]:
        pieces: list[str | Sequence[str]] = [self.in_pieces(figure) for figure in team.figures]
        pieces += [f"{pile_label(zone)} {' '.join(list_pieces(zone, self.cards))}" for zone in team.zones if zone.cards]
        head = f"  {team.name} ({', '.join(team.members)})  "
        yield from wrapped(self.dotted(pieces), self.ink.width, head, INDENT * 2)

    # ---- plays

    def plays(self, plays: Sequence[Played]) -> Iterator[str]:
        """The cards that have been played: whose, what they do, at what, whether they are in force."""
        for play in plays:
            told = f" ({', '.join(play.state)})" if play.state else ""
            head = f"  {play.number} {play.seat} {play.name}{told}: "
            pieces = play.text.split()
            if play.targets:
                pieces += [self.ink.signs["arrow"], *map(self.target, play.targets)]
            yield from wrapped(pieces, self.ink.width, head, INDENT * 2)

    def target(self, target: str | Card) -> str:
        return target if isinstance(target, str) else self.cards.inline(target)


def pile_label(zone: Zone) -> str:
    """A zone's name where its owner is clear: `hand`, `spot 2`, `clubs foundation`."""
    has_suit = zone.owner and zone.key.startswith(f"{zone.owner}.") and not is_seat(zone.owner)
    return f"{zone.owner} {spoken(zone.label)}" if has_suit else zone.label


def is_seat(owner: str) -> bool:
    return owner.removeprefix("team").removeprefix("p").isdecimal()
