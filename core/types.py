"""The types of the core: few, closed, and all that an engine has to keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from trionfi.dsl import types as script

__all__ = [
    "BOOL",
    "CARD",
    "CARDS",
    "EFFECT",
    "INT",
    "MENU",
    "PLACES",
    "PLAY",
    "SEAT",
    "SEATS",
    "TARGET",
    "WIDE",
    "ZONE",
    "ZONES",
    "CoreType",
    "Kind",
    "core_type",
    "list_of",
    "read_type",
]


class Kind(StrEnum):
    """What a value is. A *reference* is the number of a thing: of a seat, a card, a member of an enumeration."""

    INT = "int"  # 64 bits with a sign
    WIDE = "wide"  # 128 bits: sums on their way
    BOOL = "bool"
    FRACTION = "fraction"
    SEAT = "seat"
    TEAM = "team"
    CARD = "card"
    ZONE = "zone"
    PLAY = "play"
    EFFECT = "effect"
    TARGET = "target"  # a card in the place where it was aimed at, or a play
    MEMBER = "member"  # of the enumeration `name`
    CATEGORY = "category"  # of the ranking `name`
    SEATS = "seats"  # a set, a bit a seat
    CARDS = "cards"  # bounded lists
    ZONES = "zones"
    PLAYS = "plays"
    SETS = "sets"  # of cards
    PLACES = "places"  # a set of places of a list, a bit a place
    LIST = "list"  # of the references that `name` says
    HAND = "hand"  # of the ranking `name`
    TOTAL = "total"
    ARRANGEMENT = "arrangement"
    MENU = "menu"  # options that are being offered
    LABEL = "label"  # which line of a menu a strategy means


@dataclass(frozen=True, slots=True)
class CoreType:
    """A type; `optional`: the value may be none."""

    kind: Kind
    name: str = ""
    optional: bool = False

    def __str__(self) -> str:
        name = f"[{self.name}]" if self.name else ""
        return f"{self.kind}{name}{'?' if self.optional else ''}"

    @property
    def some(self) -> CoreType:
        """The type of what is not none."""
        return replace(self, optional=False)

    @property
    def maybe(self) -> CoreType:
        return replace(self, optional=True)

    @property
    def is_list(self) -> bool:
        return self.kind in LISTS

    @property
    def is_reference(self) -> bool:
        return self.kind in REFERENCES

    @property
    def element(self) -> CoreType:
        """What a list, or a set of seats, holds."""
        return read_type(self.name) if self.kind is Kind.LIST else ELEMENTS[self.kind]

    def takes(self, other: CoreType) -> bool:
        """Whether a value of the other type may stand where one of this type is wanted."""
        if other == NONE:
            return self.optional
        return self == other or (self.optional and self.some == other)


INT, WIDE, BOOL, FRACTION = (CoreType(kind) for kind in (Kind.INT, Kind.WIDE, Kind.BOOL, Kind.FRACTION))
SEAT, TEAM, CARD, ZONE, PLAY, EFFECT = (
    CoreType(kind) for kind in (Kind.SEAT, Kind.TEAM, Kind.CARD, Kind.ZONE, Kind.PLAY, Kind.EFFECT)
)
SEATS, CARDS, ZONES, PLAYS, SETS = (
    CoreType(kind) for kind in (Kind.SEATS, Kind.CARDS, Kind.ZONES, Kind.PLAYS, Kind.SETS)
)
MENU, LABEL, TARGET = CoreType(Kind.MENU), CoreType(Kind.LABEL), CoreType(Kind.TARGET)
PLACES = CoreType(Kind.PLACES)
# Of a bare `none`: it fits wherever something may be none.
NONE = CoreType(Kind.INT, "none", True)

LISTS = frozenset({Kind.CARDS, Kind.ZONES, Kind.PLAYS, Kind.SETS, Kind.LIST})
REFERENCES = frozenset({Kind.SEAT, Kind.TEAM, Kind.CARD, Kind.ZONE, Kind.PLAY, Kind.EFFECT, Kind.MEMBER, Kind.CATEGORY})
ELEMENTS = {Kind.SEATS: SEAT, Kind.CARDS: CARD, Kind.ZONES: ZONE, Kind.PLAYS: PLAY, Kind.SETS: CARDS}

SCRIPT_KINDS = {
    "number": Kind.INT,
    "fraction": Kind.FRACTION,
    "truth": Kind.BOOL,
    "player": Kind.SEAT,
    "players": Kind.SEATS,
    "team": Kind.TEAM,
    "card": Kind.CARD,
    "cards": Kind.CARDS,
    "zone": Kind.ZONE,
    "zones": Kind.ZONES,
    "play": Kind.PLAY,
    "plays": Kind.PLAYS,
    "effect": Kind.EFFECT,
    "arrangement": Kind.ARRANGEMENT,
    "card_sets": Kind.SETS,
    "label": Kind.LABEL,
    "enum": Kind.MEMBER,
    "hand": Kind.HAND,
    "category": Kind.CATEGORY,
    "total": Kind.TOTAL,
}


def core_type(kind: script.Type) -> CoreType:
    """A type of scripts as the core has it; it may be none if its kind can (a number, where a card has none)."""
    if kind == script.NONE:
        return NONE
    found = SCRIPT_KINDS[kind.kind]
    return CoreType(found, kind.name, may_be_none(found))


def list_of(element: CoreType) -> CoreType:
    """A list of things of a kind; the kinds that scripts have lists of have types of their own."""
    found = {CARD: CARDS, ZONE: ZONES, PLAY: PLAYS}.get(element.some)
    return found or CoreType(Kind.LIST, str(element.some))


def may_be_none(kind: Kind) -> bool:
    match kind:
        case Kind.INT | Kind.LABEL | Kind.HAND | Kind.TARGET:
            return True
        case Kind.SEAT | Kind.TEAM | Kind.CARD | Kind.ZONE | Kind.PLAY | Kind.EFFECT | Kind.MEMBER | Kind.CATEGORY:
            return True
        case Kind.WIDE | Kind.BOOL | Kind.FRACTION | Kind.TOTAL | Kind.ARRANGEMENT | Kind.MENU:
            return False
        case Kind.SEATS | Kind.CARDS | Kind.ZONES | Kind.PLAYS | Kind.SETS | Kind.LIST | Kind.PLACES:
            return False
        case _:
            assert_never(kind)


def read_type(text: str) -> CoreType:
    """A type as it is printed: `card`, `int?`, `member[suit]?`."""
    optional = text.endswith("?")
    kind, _, name = text.removesuffix("?").partition("[")
    return CoreType(Kind(kind), name.removesuffix("]"), optional)
