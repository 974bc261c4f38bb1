"""One picture of the table, from a view: zones in their places, seats with what is theirs, the hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.dsl.signs import escaped
from trionfi.interpreter.opening import again
from trionfi.table.faces import Faces, order_in_hand
from trionfi.table.figures import Figures
from trionfi.table.model import Card, Figure, Mark, Menu, Played, Seat, Table, Zone
from trionfi.table.zones import Zones, default_layout

if TYPE_CHECKING:
    from trionfi.dsl.tree import ZoneFamily
    from trionfi.interpreter.game import Game

PLAYERS_ZONE = re.compile(r"p\d+\.")

__all__ = ["Pictures", "first_variables"]


class Pictures:
    """Makes pictures of one game, for any seat. `names`: what the players are called, else `p1`, `p2` ..."""

    def __init__(self, game: Game, names: Sequence[str] = (), first: Mapping[str, Any] | None = None) -> None:
        self.rules = game.rules
        self.ruleset = game.rules.ruleset
        self.players = game.players
        self.faces = Faces(game.rules)
        self.figures = Figures(game, first_variables(game) if first is None else first, self.faces)
        self.names = [*map(escaped, names)] or [f"p{seat + 1}" for seat in range(game.players)]

    def table(
        self,
        view: Mapping[str, Any],
        viewer: int | None,
        menu: Menu | None = None,
        marks: Mapping[str, Mark] | None = None,
    ) -> Table:
        """The picture of a view (or, viewer None, of the whole state)."""
        zones = Zones(self.ruleset, self.players, view, self.faces, self.figures, marks, viewer)
        layout = self.ruleset.layout or default_layout(zones)
        drawn = zones.families_in(layout)
        asked = view["decision"]["player"] if view["decision"] is not None else None
        return Table(
            title=self.ruleset.name,
            seat="" if viewer is None else f"p{viewer + 1}",
            grid=tuple(tuple(tuple(zones.named(name)) if name != "." else () for name in row) for row in layout),
            beside=tuple(self.beside(zones, drawn)),
            figures=tuple(self.of_nobody(view["variables"])),
            plays=tuple(self.plays(view)),
            seats=tuple(self.seat(seat, zones, drawn, viewer, asked) for seat in range(self.players)),
            teams=tuple(self.team(team, zones, drawn, viewer) for team in range(len(self.ruleset.teams))),
            hand=self.hand(zones, viewer),
            menu=menu,
            waits_for="" if asked is None or asked == viewer else self.names[asked],
        )

    # ---- parts

    def of_nobody(self, values: Mapping[str, Any]) -> list[Figure]:
        """The game's own values, and all that is in the pot."""
        figures, pot = self.figures.of_owner("", values), self.figures.pot(values)
        words = [figure.word for figure in figures]
        return [Figure("pot", str(pot)), *figures] if pot and "pot" not in words else figures

    def hand(self, zones: Zones, viewer: int | None) -> tuple[Card, ...]:
        """All cards that the viewer holds and nobody else sees."""
        if viewer is None:
            return ()
        held = filter(zones.is_held, self.ruleset.zones)
        cards = [card for family in held for card in zones.cards(zones.key(family, viewer))]
        return order_in_hand(cards, self.faces)

    def beside(self, zones: Zones, drawn: set[str]) -> Iterator[Zone]:
        """What the layout leaves out and no player has: zones that hold something."""
        for family in self.ruleset.zones:
            if family.name not in drawn and family.per not in ("player", "team"):
                for owner in zones.all_owners(family):
                    yield from (zone for zone in zones.zones(family, owner) if zone.cards)

    def seat(self, seat: int, zones: Zones, drawn: set[str], viewer: int | None, asked: int | None) -> Seat:
        key, values = f"p{seat + 1}", zones.view["variables"]
        return Seat(
            key=key,
            name=self.names[seat],
            is_you=seat == viewer,
            is_asked=seat == asked,
            tags=tuple(self.figures.tags(key, values)),
            figures=tuple(self.figures.of_owner(key, values, self.elsewhere(key, zones.view))),
            zones=tuple(self.owned("player", seat, zones, drawn)),
        )

    def elsewhere(self, key: str, view: Mapping[str, Any]) -> set[int]:
        """The cards that are not to be seen with a player, or on the table: others have them."""
        if not self.figures.has_cards:
            return set()
        mine = {
            number
            for zone, cards in view["zones"].items()
            if not PLAYERS_ZONE.match(zone) or zone.startswith(f"{key}.")
            for number in cards
        }
        count = len(self.faces.names)
        return {number for number in range(2 * count) if number not in mine}

    def team(self, team: int, zones: Zones, drawn: set[str], viewer: int | None) -> Seat:
        key, members = f"team{team + 1}", self.ruleset.teams[team]
        return Seat(
            key=key,
            name=key,
            is_you=viewer in members,
            members=tuple(self.names[seat] for seat in members),
            figures=tuple(self.figures.of_owner(key, zones.view["variables"])),
            zones=tuple(self.owned("team", team, zones, drawn)),
        )

    def owned(self, per: str, owner: int, zones: Zones, drawn: set[str]) -> Iterator[Zone]:
        for family in self.ruleset.zones:
            if family.per == per and family.name not in drawn:
                yield from (zone for zone in own_zones(family, owner, zones) if zone.cards or zone.figures)

    def plays(self, view: Mapping[str, Any]) -> Iterator[Played]:
        for play in view["plays"]:
            state = [*([] if play["in_force"] else ["not in force"]), *([] if play["on_table"] else ["card gone"])]
            targets = (self.thing(thing) for things in play["targets"].values() for thing in things)
            seat = self.names[play["player"]]
            yield Played(play["number"], seat, play["name"], play["text"], tuple(state), tuple(targets))

    def thing(self, thing: Mapping[str, Any]) -> str | Card:
        """A target: a play by its number, a card; one that has gone says so."""
        if "play" in thing:
            return f"play {thing['play']}"
        card = self.faces.card(thing["card"])
        return card if thing["there"] else f"{card.key or 'a card'} (gone)"


def own_zones(family: ZoneFamily, owner: int, zones: Zones) -> Iterator[Zone]:
    if family.shape == "row":
        yield zones.whole_row(family, owner)
    else:
        yield from zones.zones(family, owner)


def first_variables(game: Game) -> Mapping[str, Any]:
    """The variables at the first decision."""
    first = game
    if game.moves:
        first = again(game, "reference")
    variables: Any = first.state["variables"]
    return variables  # type: ignore[no-any-return]
