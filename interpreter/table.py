"""The table before the game begins: which cards and zones there are for given options and seats, and their numbers.

Both engines number cards and zones as this says (docs/meaning.md, Cards and numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trionfi.dsl.tree import Ruleset, Variable, ZoneFamily
from trionfi.effects import Look
from trionfi.interpreter.hands.cards import printed_look
from trionfi.interpreter.once import made_property

NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One zone. `owner` is a seat, team or suit as its family says; `number` counts places from 1 (0: there is one).

    `up` is the face that a card gets which enters (None: it keeps its own); `seers` are who then know it.
    """

    index: int
    family: ZoneFamily
    owner: int | None
    number: int
    name: str
    up: bool | None
    seers: int
    capacity: int


class Table:
    """Cards and zones of one seat count. `kept[face]`: the face is in the game at this count; `public[face]`: its
    number in `rules.cards`, or -1."""

    def __init__(
        self, ruleset: Ruleset, players: int, copies: Sequence[int], kept: Sequence[bool], public: Sequence[int]
    ) -> None:
        self.ruleset = ruleset
        self.players = players
        self.everyone = (1 << players) - 1
        self.kept = list(kept)
        self.public = list(public)
        self.public_count = max(public, default=-1) + 1
        self.cards = [i for i, face in enumerate(ruleset.faces) for _ in range(copies[face.deck])]
        self.first_card = first_places(self.cards, len(ruleset.faces))
        self.in_game = [card for card, face in enumerate(self.cards) if kept[face]]
        self.orders = [tuple((start + i) % players for i in range(players)) for start in range(players)]
        self.orders_rightwards = [tuple((start - i) % players for i in range(players)) for start in range(players)]
        self.team_of = {seat: team for team, seats in enumerate(ruleset.teams) for seat in seats}
        self.bases: list[int] = []
        self.zones: list[Place] = []
        for family in ruleset.zones:
            self.bases.append(len(self.zones))
            self.zones.extend(self._places(family))
        self.zones_by_name = {zone.name: zone.index for zone in self.zones}

    def owners(self, per: str) -> int:
        """How many have one each."""
        counts = {
            "": 1,
            "player": self.players,
            "team": len(self.ruleset.teams),
            "suit": len(self.ruleset.enumerations["suit"].members),
        }
        return counts[per]

    def owner_name(self, per: str, owner: int) -> str:
        """`p1`, `team1`, `hearts`."""
        if per == "suit":
            return self.ruleset.enumerations["suit"].members[owner]
        return f"{'p' if per == 'player' else 'team'}{owner + 1}"

    def owned_name(self, per: str, owner: int, name: str) -> str:
        """`p1.hand`, or the plain name of what belongs to nobody."""
        return f"{self.owner_name(per, owner)}.{name}" if per else name

    def zone_number(self, family: ZoneFamily, owner: int, place: int) -> int:
        """Place `place`, from 1."""
        return self.bases[family.index] + owner * family.places + place - 1

    def places_of(self, family: ZoneFamily, owner: int) -> range:
        """The zones of a row or of piles."""
        start = self.zone_number(family, owner, 1)
        return range(start, start + family.places)

    def zones_of(self, family: str) -> range:
        """The zones of all owners and places of a family, by its name."""
        found = next(one for one in self.ruleset.zones if one.name == family)
        return range(self.bases[found.index], self.bases[found.index] + self.owners(found.per) * found.places)

    def size(self, variable: Variable) -> int:
        """How many values a variable has: one for each owner."""
        if variable.per == "spot":
            family = variable.per_zone
            return self.owners(family.per) * family.places if family else 0
        if variable.per == "kind":
            return len(self.ruleset.enumerations[variable.per_kind].members)
        return self.owners(variable.per)

    def keeper(self, variable: Variable, index: int) -> int | None:
        """The player who knows a secret variable: whose it is, or whose place."""
        if variable.per_zone is None:
            return index
        return self.zones[self.bases[variable.per_zone.index] + index].owner

    def value_name(self, variable: Variable, index: int) -> str:
        """`carried`, `p1.chips`, `p1.spot[2].wager`."""
        if variable.per == "spot" and variable.per_zone is not None:
            return f"{self.zones[self.bases[variable.per_zone.index] + index].name}.{variable.name}"
        if variable.per == "kind":
            return f"{self.ruleset.enumerations[variable.per_kind].members[index]}.{variable.name}"
        return self.owned_name(variable.per, index, variable.name)

    def _places(self, family: ZoneFamily) -> list[Place]:
        up = {"up": True, "down": False, "": None}[family.face]
        capacity = 1 if family.shape == "row" else family.capacity
        places: list[Place] = []
        for owner in range(self.owners(family.per)):
            seers = 1 << owner if family.seen_by_owner and family.per == "player" else 0
            for number in range(1, family.places + 1):
                name = self.owned_name(family.per, owner, family.name)
                if family.shape in ("row", "piles"):
                    name = f"{name}[{number}]"
                places.append(
                    Place(
                        index=len(self.zones) + len(places),
                        family=family,
                        owner=owner if family.per else None,
                        number=number if family.shape in ("row", "piles") else 0,
                        name=name,
                        up=up,
                        seers=seers,
                        capacity=len(self.cards) if capacity is None else capacity,
                    )
                )
        return places

    @made_property
    def looks(self) -> list[Look]:
        """Each card at the start: upright, as printed, with the marks that all start with."""
        marks = tuple(mark.default for mark in self.ruleset.marks)
        return [printed_look(face, self.ruleset.faces[face], marks) for face in self.cards]

    @made_property
    def start(self) -> list[tuple[int, list[int]]]:
        """Zones and the cards that lie there at the start, bottom first."""
        decks = {deck.name: number for number, deck in enumerate(self.ruleset.decks)}
        return [(self.bases[f.index], self._cards_of(decks[f.start])) for f in self.ruleset.zones if f.start]

    def _cards_of(self, deck: int) -> list[int]:
        faces = self.ruleset.faces
        return [card for card in self.in_game if faces[self.cards[card]].deck == deck]


def first_places(faces: Sequence[int], count: int) -> list[int]:
    """For each face its first card."""
    first = [NOWHERE] * count
    for card in range(len(faces) - 1, -1, -1):
        first[faces[card]] = card
    return first
