"""How messages speak of types, and what they advise when one is found where another is wanted."""

from __future__ import annotations

from trionfi.dsl.types import Type

_SPOKEN = {
    "number": "a number",
    "fraction": "a fraction",
    "truth": "a truth (yes or no)",
    "player": "a player",
    "players": "players",
    "team": "a team",
    "card": "a card",
    "cards": "cards",
    "zone": "a zone",
    "zones": "several zones (a row or piles)",
    "play": "a play",
    "plays": "plays",
    "effect": "an effect",
    "arrangement": "an arrangement of melds",
    "card_sets": "sets of cards",
    "label": "a label",
    "none": "none",
    "nothing": "nothing",
}
_WITH_NAME = {
    "hand": "a hand value of `{}`",
    "category": "a category of `{}`",
    "total": "a total of `{}`",
    "members": "members of `{}`",
}
_OWN_ENUMERATIONS = {
    "suit": "a suit",
    "rank": "a rank",
    "orientation": "an orientation",
    "face": "a face (up or down)",
    "deck": "a deck",
    "colour": "a colour",
}


def spoken(type: Type) -> str:
    """A type as a message says it, with its article: `a card`, `a hand value of poker`."""
    if type.kind == "enum":
        return _OWN_ENUMERATIONS.get(type.name, f"a member of `{type.name}`")
    if type.kind == "hand" and not type.name:
        return "a hand value"
    if type.kind in _WITH_NAME:
        return _WITH_NAME[type.kind].format(type.name)
    return _SPOKEN[type.kind]


def kind_of(type: Type) -> str:
    """The kind by which belongings are looked up: of suits and ranks their own name."""
    return type.name if type.name in ("suit", "rank") and type.kind == "enum" else type.kind


def owner_of(type: Type) -> str:
    """What a game's own belongings are kept under: of a kind of the game, its name behind a blank."""
    return f"kind {type.name}" if kind_of(type) == "enum" else kind_of(type)


# (kind found, kind wanted) -> advice; `{}` is the text as written.
_ADVICE = {
    ("zone", "card"): "say which card: `{}.top`",
    ("zones", "card"): "say which place: `{}[1]`",
    ("cards", "card"): "say which one: `the card in ...` or `{}.top`",
    ("cards", "zone"): "name the zone itself",
    ("zones", "zone"): "say which place: `{}[1]`",
    ("card", "zone"): "where a card lies is `{}.zone`",
    ("players", "player"): "say which one: `the player in {}`",
    ("player", "players"): "several players are wanted: `all players where ...`",
    ("player", "team"): "a player's team is `{}.team`",
    ("player", "cards"): "name a zone: `{}.hand`",
    ("player", "zone"): "name a zone of the player: `{}.hand`",
    ("fraction", "number"): "say `rounded down` or `rounded up` behind it",
    ("total", "number"): "its number is `{}.value`",
    ("arrangement", "number"): "what is left counts `{}.cost`",
    ("hand", "category"): "its category is `{}.category`",
    ("card", "rank"): "its rank is `{}.rank`",
    ("card", "suit"): "its suit is `{}.suit`",
    ("card", "number"): "its rank counted from 1 is `{}.rank.place`",
    ("rank", "number"): "its place among the ranks is `{0}.place`, the number it is called by `{0}.number`",
    ("suit", "number"): "its place among the suits is `{}.place`",
    ("zone", "number"): "how many cards lie there is `{}.count`",
    ("zones", "number"): "how many cards lie there is `{}.count`",
    ("cards", "number"): "how many they are is `{}.count`",
    ("players", "number"): "how many they are is `{}.count`",
    ("truth", "number"): "to count it, write `1 if {} else 0`",
    ("number", "truth"): "compare it: `{} > 0`",
    ("zone", "truth"): "ask whether it `is empty` or `is not empty`",
    ("cards", "truth"): "ask whether they are there: `{} is not empty`",
    ("card", "truth"): "ask whether it is there: `{} is not none`",
    ("player", "truth"): "ask whether there is one: `{} is not none`",
}


def advice(found: Type, wanted: Type, text: str) -> str:
    """What to write instead, or an empty text."""
    written = text if len(text) <= 30 and "\n" not in text else "..."
    if " " in written:
        written = f"({written})"
    return _ADVICE.get((kind_of(found), kind_of(wanted)), "").format(written)
