"""The whole picture: the table, what lies beside it, the plays in force, each player with what is theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.shell.cards import Cards, Seen
from trionfi.shell.figures import Figures
from trionfi.shell.grid import default_layout, draw_grid, list_line, list_pieces
from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.zones import Pile, Zones, spoken

if TYPE_CHECKING:
    from trionfi.dsl.tree import ZoneFamily
    from trionfi.interpreter.game import Game

__all__ = ["Board"]

INDENT = "  "
FEW_SEEN = 6


class Board:
    """Draws views of one game on one screen."""

    def __init__(self, game: Game, ink: Ink) -> None:
        self.ink = ink
        self.rules = game.rules
        self.ruleset = game.rules.ruleset
        self.players = game.players
        self.cards = Cards(game.rules, ink)
        self.figures = Figures(game, first_variables(game))

    def lines(self, view: Mapping[str, Any], viewer: int | None) -> Iterator[str]:
        """The picture of a view (or of the whole state), no line wider than the screen."""
        zones = Zones(self.ruleset, self.players, view)
        layout = self.ruleset.layout or default_layout(zones)
        drawn = zones.families_in(layout)
        yield from draw_grid(zones, layout, self.cards, self.ink.width)
        yield from self.beside(zones, drawn)
        yield from self.plays(view)
        people = [line for seat in range(self.players) for line in self.player(seat, zones, drawn, viewer)]
        people += [line for team in range(len(self.ruleset.teams)) for line in self.team(team, zones, drawn)]
        yield from ["", *people] if people else []

    # ---- parts

    def beside(self, zones: Zones, drawn: set[str]) -> Iterator[str]:
        """What the layout leaves out and no player has: zones that hold something, then the game's own variables."""
        pieces = []
        for family in self.ruleset.zones:
            if family.name in drawn and not family.per and family.shape == "pile":
                yield from self.below_the_top(zones, family)
            if family.name in drawn or family.per in ("player", "team"):
                continue
            pieces += [
                f"{pile_label(pile)} {' '.join(list_pieces(pile, self.cards))}" for pile in holding(zones, family)
            ]
        values = self.figures.of_owner("", zones.view["variables"], self.cards)
        for line in (pieces, values):
            if line:
                yield from wrapped(self.dotted(line), self.ink.width)

    def below_the_top(self, zones: Zones, family: ZoneFamily) -> Iterator[str]:
        """Of a pile that the layout draws by its top card: a few that all can see, as the cards of the house."""
        for pile in zones.piles(family, None):
            if pile.form == "pile" and 1 < len(pile.known) == len(pile.cards) <= FEW_SEEN:
                pieces = [self.cards.inline(seen) for seen in pile.cards]
                yield from wrapped(pieces, self.ink.width, f"{pile_label(pile)}  ", INDENT * 2)

    def dotted(self, pieces: Sequence[str]) -> list[str]:
        """Pieces with a dot behind each but the last, so that lines may break between."""
        dot = self.ink.signs["dot"].rstrip()
        return [*(f"{piece}{dot}" for piece in pieces[:-1]), *pieces[-1:]]

    def player(self, seat: int, zones: Zones, drawn: set[str], viewer: int | None) -> Iterator[str]:
        """A line for a player, and one for each zone of which the viewer knows cards."""
        name, view = f"p{seat + 1}", zones.view
        asked = view["decision"] is not None and view["decision"]["player"] == seat
        values = self.figures.of_owner(name, view["variables"], self.cards)
        pieces = [*self.figures.tags(name, view["variables"]), *values]
        below = []
        for pile in self.own_piles("player", seat, zones, drawn):
            spot = zones.key(pile.family, seat, place_of(pile))
            wagers = self.figures.of_spot(spot, view["variables"], self.cards)
            if pile.known or wagers:
                below.append((pile, wagers))
            elif pile.cards:
                pieces.append(f"{pile_label(pile)} {' '.join(list_pieces(pile, self.cards))}")
        if self.players == 1 and not pieces and not below:
            return
        turn = self.ink.signs["turn"] if asked else " "
        head = f"{self.ink.paint(turn, 'bold')} {self.ink.paint(name + (' (you)' if seat == viewer else ''), 'bold')}  "
        yield from wrapped(self.dotted(pieces), self.ink.width, head, INDENT * 2)
        for pile, wagers in below:
            label = INDENT + INDENT + " ".join([pile_label(pile), *wagers])
            yield from list_line(pile, self.cards, self.ink.width, label)

    def team(self, team: int, zones: Zones, drawn: set[str]) -> Iterator[str]:
        name = f"team{team + 1}"
        seats = ", ".join(f"p{seat + 1}" for seat in self.ruleset.teams[team])
        pieces = self.figures.of_owner(name, zones.view["variables"], self.cards)
        for pile in self.own_piles("team", team, zones, drawn):
            if pile.cards:
                pieces.append(f"{pile_label(pile)} {' '.join(list_pieces(pile, self.cards))}")
        yield from wrapped(self.dotted(pieces), self.ink.width, f"  {name} ({seats})  ", INDENT * 2)

    def own_piles(self, per: str, owner: int, zones: Zones, drawn: set[str]) -> Iterator[Pile]:
        for family in self.ruleset.zones:
            if family.per != per or family.name in drawn:
                continue
            if family.shape == "row":
                yield whole_row(family, owner, zones)
            else:
                yield from zones.piles(family, owner)

    # ---- plays

    def plays(self, view: Mapping[str, Any]) -> Iterator[str]:
        """The cards that have been played: whose, what they do, at what, whether they are in force."""
        for play in view["plays"]:
            state = [*([] if play["in_force"] else ["not in force"]), *([] if play["on_table"] else ["card gone"])]
            told = f" ({', '.join(state)})" if state else ""
            head = f"  {play['number']} p{play['player'] + 1} {play['name']}{told}: "
            pieces = play["text"].split()
            targets = [self.thing(thing, view) for things in play["targets"].values() for thing in things]
            if targets:
                pieces += [self.ink.signs["arrow"], *targets]
            yield from wrapped(pieces, self.ink.width, head, INDENT * 2)

    def thing(self, thing: Mapping[str, Any], view: Mapping[str, Any]) -> str:
        """A target: a play by its number, a card; one that has gone says so."""
        if "play" in thing:
            return f"play {thing['play']}"
        gone = "" if thing["there"] else " (gone)"
        return self.cards.inline(Seen(thing["card"])) + gone


def first_variables(game: Game) -> Mapping[str, Any]:
    """The variables at the first decision."""
    from trionfi.interpreter.opening import again

    first = game
    if game.moves:
        first = again(game, "reference")
    variables: Any = first.state["variables"]
    return variables  # type: ignore[no-any-return]


def whole_row(family: ZoneFamily, owner: int, zones: Zones) -> Pile:
    """A player's row as one pile."""
    cards = zones.seen(zones.key(family, owner))
    return Pile(family, owner, spoken(family.name), spoken(family.name), cards, family.places)


def holding(zones: Zones, family: ZoneFamily) -> list[Pile]:
    return [pile for owner in zones.all_owners(family) for pile in zones.piles(family, owner) if pile.cards]


def pile_label(pile: Pile) -> str:
    """A zone's name where its owner is clear: `hand`, `spot 2`, `clubs foundation`."""
    name = spoken(pile.family.name)
    if pile.family.per == "suit":
        return f"{pile.label} {name}"
    if pile.family.shape == "piles":
        return f"{name} {pile.short}"
    return pile.label if pile.family.shape == "row" else name


def place_of(pile: Pile) -> int:
    return int(pile.short) if pile.family.shape == "piles" else 0
