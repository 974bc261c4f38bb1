"""The types of the script language: few, closed, and known before play."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type: its kind, and for enumerations, rankings, totals and melds which one."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        """As messages say it."""
        return self.name if self.kind == "enum" else _SPOKEN.get(self.kind, self.kind)


NUMBER = Type("number")
FRACTION = Type("fraction")
TRUTH = Type("truth")
PLAYER = Type("player")
PLAYERS = Type("players")
TEAM = Type("team")
CARD = Type("card")
CARDS = Type("cards")
ZONE = Type("zone")
ZONES = Type("zones")
PLAY = Type("play")
PLAYS = Type("plays")
EFFECT = Type("effect")
ARRANGEMENT = Type("arrangement")
CARD_SETS = Type("card_sets")
LABEL = Type("label")
NONE = Type("none")  # the type of a bare `none`, before a place gives it one
NOTHING = Type("nothing")  # what a procedure without a result gives

# Four enumerations every game has; their members come from the decks and the language.
SUIT = Type("enum", "suit")
RANK = Type("enum", "rank")
ORIENTATION = Type("enum", "orientation")
FACE = Type("enum", "face")
DECK = Type("enum", "deck")

_SPOKEN = {
    "truth": "truth (yes or no)",
    "card_sets": "sets of cards",
    "hand": "hand value",
}


def enum(name: str) -> Type:
    """An enumeration declared by the game: a kind, an option's choices, a mark of cards."""
    return Type("enum", name)


def hand(ranking: str) -> Type:
    """What a ranking gives for some cards: comparable, with a category."""
    return Type("hand", ranking)


def category(ranking: str) -> Type:
    """A category of a ranking; the first declared is the best."""
    return Type("category", ranking)


def total(name: str) -> Type:
    """What a total gives: `.value`, `.soft`, `.bust`."""
    return Type("total", name)


# Kinds that have `none` among their values.
OPTIONAL = frozenset({"player", "team", "card", "zone", "play", "effect", "enum", "hand", "category"})

# Things that a query, a loop or a choice can go over, by the noun that names one.
COLLECTION_OF = {"player": PLAYERS, "card": CARDS, "zone": ZONES, "play": PLAYS}
ELEMENT_OF = {"players": PLAYER, "cards": CARD, "zones": ZONE, "plays": PLAY, "card_sets": CARDS}
