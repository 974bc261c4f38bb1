"""The zones of a table as a viewer sees them, by the names that a layout uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trionfi.table.faces import order_in_hand
from trionfi.table.model import Card, Form, Mark, Zone
from trionfi.table.words import spoken

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset, ZoneFamily
    from trionfi.table.faces import Faces
    from trionfi.table.figures import Figures

__all__ = ["Zones", "default_layout"]

FEW = 12  # a pile that holds no more is shown card by card


class Zones:
    """All that a view shows to lie on the table. `view`: what `game.view` or `game.state` gives. `marks`: of zones,
    by their keys."""

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        view: Mapping[str, Any],
        faces: Faces,
        figures: Figures,
        marks: Mapping[str, Mark] | None = None,
        viewer: int | None = None,
    ) -> None:
        self.ruleset, self.players, self.view = ruleset, players, view
        self.faces, self.figures, self.marks, self.viewer = faces, figures, marks or {}, viewer
        self.families = {family.name: family for family in ruleset.zones}
        self.played = {play["number"]: play["name"] for play in view.get("plays", [])}

    def owners(self, family: ZoneFamily) -> int:
        counts = {"player": self.players, "team": len(self.ruleset.teams), "suit": len(self.suits)}
        return counts.get(family.per, 1)

    @cached_property
    def suits(self) -> list[str]:
        return self.ruleset.enumerations["suit"].members

    def owner_name(self, family: ZoneFamily, owner: int) -> str:
        if family.per == "suit":
            return self.suits[owner]
        return f"{'p' if family.per == 'player' else 'team'}{owner + 1}"

    # ---- what lies where

    def cards(self, name: str) -> list[Card]:
        """The cards of a zone of the view, bottom first."""
        numbers = self.view["zones"].get(name, [])
        altered = self.view.get("altered", {}).get(name) or [None] * len(numbers)
        marks = self.view.get("marks", {}).get(name) or [None] * len(numbers)
        return [self.faces.card(*one, self.played) for one in zip(numbers, altered, marks, strict=True)]

    def key(self, family: ZoneFamily, owner: int | None, place: int = 0) -> str:
        """The name in views."""
        name = family.name if owner is None else f"{self.owner_name(family, owner)}.{family.name}"
        return f"{name}[{place}]" if family.shape == "piles" else name

    def zone(self, family: ZoneFamily, owner: int | None, place: int = 0) -> Zone:
        key = self.key(family, owner, place)
        cards, room = self.cards(key), family.capacity
        if family.shape == "row":
            lying = self.view.get("places", {}).get(key, range(1, len(cards) + 1))
            cards = [card for card, number in zip(cards, lying, strict=True) if number == place]
            room = 1
        label = spoken(family.name)
        short = label if owner is None else self.owner_name(family, owner)
        if self.is_turned_down(family, key):
            label, short = f"{label}, turned down", f"{short}, turned down"
        if family.shape in ("row", "piles"):
            short = spoken(family.place_names[place - 1]) if family.place_names else str(place)
            label = short if family.place_names else f"{label} {place}"
        return self.made(family, owner, cards, room, key, label, short)

    def is_turned_down(self, family: ZoneFamily, key: str) -> bool:
        """Of a place where cards lie open: the one that lies there has been turned down, and is known to who saw it."""
        face_up = self.view.get("face_up", {}).get(key, [])
        return family.face == "up" and family.capacity == 1 and bool(face_up) and not any(face_up)

    def made(
        self,
        family: ZoneFamily,
        owner: int | None,
        cards: Sequence[Card],
        room: int | None,
        key: str,
        label: str,
        short: str,
    ) -> Zone:
        known = [card for card in cards if not card.is_back]
        if family.seen_by_owner and family.shape == "pile":
            cards = order_in_hand(cards, self.faces)  # a hand, as far as it lies open
        return Zone(
            key=key,
            family=family.name,
            label=label,
            short=short,
            owner="" if owner is None else self.owner_name(family, owner),
            form=form_of(family, cards, known, room),
            cards=tuple(cards),
            count=len(cards),
            capacity=room,
            mark=self.marks.get(key, ""),
            figures=tuple(self.figures.of_spot(key, self.view["variables"])),
            is_hand=owner == self.viewer is not None and self.is_held(family),
            is_open=family.face == "up",
        )

    def is_held(self, family: ZoneFamily) -> bool:
        """Whether a player holds these cards: only the owner sees them, or nobody else is there."""
        if family.per != "player" or family.shape not in ("pile", "row"):
            return False
        return family.seen_by_owner or (self.players == 1 and family.name not in self.laid_out)

    @cached_property
    def laid_out(self) -> set[str]:
        return self.families_in(self.ruleset.layout)

    def whole_row(self, family: ZoneFamily, owner: int | None) -> Zone:
        """A row as one zone."""
        key, name = self.key(family, owner), spoken(family.name)
        return self.made(family, owner, self.cards(key), family.places, key, name, name)

    def zones(self, family: ZoneFamily, owner: int | None) -> Iterator[Zone]:
        """All piles or places of a family that one owner has."""
        if family.shape not in ("row", "piles"):
            yield self.zone(family, owner)
            return
        for place in range(1, family.places + 1):
            yield self.zone(family, owner, place)

    # ---- the names of a layout

    def named(self, name: str) -> list[Zone]:
        """What a name of the layout stands for; nothing for a player who does not sit there."""
        family_name, dot, number = name.partition(".")
        family = self.families.get(family_name)
        if family is None:
            return self.place_called(name)
        if not dot:
            return [zone for owner in self.all_owners(family) for zone in self.zones(family, owner)]
        which = int(number)
        if family.shape in ("row", "piles"):
            return [self.zone(family, owner, which) for owner in self.all_owners(family)]
        return [self.zone(family, which - 1)] if which <= self.owners(family) else []

    def place_called(self, name: str) -> list[Zone]:
        for family in self.ruleset.zones:
            if name in family.place_names:
                place = family.place_names.index(name) + 1
                return [self.zone(family, owner, place) for owner in self.all_owners(family)]
        return []

    def all_owners(self, family: ZoneFamily) -> list[int | None]:
        return list(range(self.owners(family))) if family.per else [None]

    def families_in(self, layout: Sequence[Sequence[str]]) -> set[str]:
        """Those that the layout draws."""
        named = {name.partition(".")[0] for row in layout for name in row}
        return {f.name for f in self.ruleset.zones if f.name in named or named.intersection(f.place_names)}


def form_of(family: ZoneFamily, cards: Sequence[Card], known: Sequence[Card], room: int | None) -> Form:
    """How it is drawn: `place` (one card), `fan` (one below another), `row` (side by side), `pile` (its top),
    `plays` (its top, and what the plays say)."""
    if room == 1:
        return "place"
    if family.shape == "plays":
        return "plays"
    if family.shape == "piles":
        return "fan" if known else "pile"
    if family.seen_by_owner:
        return "row" if known else "pile"
    holds_few = room is not None and room <= FEW
    if family.per == "player" and family.face == "up":
        holds_few = len(cards) <= FEW
    return "row" if holds_few and known and len(known) == len(cards) else "pile"


def default_layout(zones: Zones) -> list[list[str]]:
    """For a ruleset without one: what belongs to nobody, side by side."""
    names = [family.name for family in zones.ruleset.zones if not family.per]
    return [names[i : i + 4] for i in range(0, len(names), 4)]
