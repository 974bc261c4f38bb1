"""The zones of a table as a viewer sees them, by the names that a layout uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trionfi.shell.cards import Seen

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset, ZoneFamily

__all__ = ["Pile", "Zones"]

FEW = 12  # a pile that holds no more is shown card by card


@dataclass(frozen=True)
class Pile:
    """One pile, or one place of a row: `label` says which, `short` in little room. `cards` bottom first."""

    family: ZoneFamily
    owner: int | None
    label: str
    short: str
    cards: Sequence[Seen]
    room: int | None  # how many it holds

    @property
    def known(self) -> list[Seen]:
        return [seen for seen in self.cards if seen.number is not None]

    @property
    def form(self) -> str:
        """How it is drawn: `place` (one card), `fan` (one below another), `row` (side by side), `pile` (its top)."""
        if self.room == 1:
            return "place"
        if self.family.shape == "piles":
            return "fan" if self.known else "pile"
        if self.family.seen_by_owner:
            return "row" if self.known else "pile"
        holds_few = self.room is not None and self.room <= FEW
        if self.family.per == "player" and self.family.face == "up":
            holds_few = len(self.cards) <= FEW
        return "row" if holds_few and self.known and len(self.known) == len(self.cards) else "pile"


class Zones:
    """All that a view shows to lie on the table. `view`: what `game.view` or `game.state` gives."""

    def __init__(self, ruleset: Ruleset, players: int, view: Mapping[str, Any]) -> None:
        self.ruleset = ruleset
        self.players = players
        self.view = view
        self.families = {family.name: family for family in ruleset.zones}

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

    def seen(self, name: str) -> list[Seen]:
        """The cards of a zone of the view, bottom first."""
        cards = self.view["zones"].get(name, [])
        altered = self.view.get("altered", {}).get(name) or [None] * len(cards)
        marks = self.view.get("marks", {}).get(name) or [None] * len(cards)
        return [Seen(*one) for one in zip(cards, altered, marks, strict=True)]

    def key(self, family: ZoneFamily, owner: int | None, place: int = 0) -> str:
        """The name in views."""
        name = family.name if owner is None else f"{self.owner_name(family, owner)}.{family.name}"
        return f"{name}[{place}]" if family.shape == "piles" else name

    def pile(self, family: ZoneFamily, owner: int | None, place: int = 0) -> Pile:
        key = self.key(family, owner, place)
        cards, room = self.seen(key), family.capacity
        if family.shape == "row":
            lying = self.view.get("places", {}).get(key, range(1, len(cards) + 1))
            cards = [seen for seen, number in zip(cards, lying, strict=True) if number == place]
            room = 1
        label = spoken(family.name) if owner is None else self.label(family, owner)
        short = label
        if family.shape in ("row", "piles"):
            short = family.place_names[place - 1] if family.place_names else str(place)
            label = spoken(short) if family.place_names else f"{label} {place}"
        return Pile(family, owner, label, spoken(short), cards, room)

    def label(self, family: ZoneFamily, owner: int) -> str:
        """`clubs`, `p2`: the owner says enough where the family stands in the layout."""
        return self.owner_name(family, owner)

    def piles(self, family: ZoneFamily, owner: int | None) -> Iterator[Pile]:
        """All piles or places of a family that one owner has."""
        if family.shape not in ("row", "piles"):
            yield self.pile(family, owner)
            return
        for place in range(1, family.places + 1):
            yield self.pile(family, owner, place)

    # ---- the names of a layout

    def named(self, name: str) -> list[Pile]:
        """What a name of the layout stands for; nothing for a player who does not sit there."""
        family_name, dot, number = name.partition(".")
        family = self.families.get(family_name)
        if family is None:
            return self.place_called(name)
        if not dot:
            return [pile for owner in self.all_owners(family) for pile in self.piles(family, owner)]
        which = int(number)
        if family.shape in ("row", "piles"):
            return [self.pile(family, owner, which) for owner in self.all_owners(family)]
        return [self.pile(family, which - 1)] if which <= self.owners(family) else []

    def place_called(self, name: str) -> list[Pile]:
        for family in self.ruleset.zones:
            if name in family.place_names:
                place = family.place_names.index(name) + 1
                return [self.pile(family, owner, place) for owner in self.all_owners(family)]
        return []

    def all_owners(self, family: ZoneFamily) -> list[int | None]:
        return list(range(self.owners(family))) if family.per else [None]

    def families_in(self, layout: Sequence[Sequence[str]]) -> set[str]:
        """Those that the layout draws."""
        named = {name.partition(".")[0] for row in layout for name in row}
        return {f.name for f in self.ruleset.zones if f.name in named or named.intersection(f.place_names)}


def spoken(name: str) -> str:
    """A name as one says it."""
    return name.replace("_", " ")
