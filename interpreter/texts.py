"""Values in labels and in what is said (docs/meaning.md, Decisions)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from trionfi.dsl.types import Type
from trionfi.interpreter.decision import Text
from trionfi.interpreter.names import player_name, shown_word, word_of
from trionfi.interpreter.state import State

__all__ = ["is_known", "play_text", "seats_in", "text_for", "texts_of", "value_texts", "values_in"]

UNKNOWN_CARD = "a card"


def is_known(s: State, card: int, viewer: int) -> bool:
    return bool(s.known[card] >> viewer & 1)


def seats_in(players: int) -> list[int]:
    """The seats of a set of players, in seat order."""
    return [seat for seat in range(players.bit_length()) if players >> seat & 1]


def place_of(s: State, card: int) -> str:
    """What a card is called by who does not know it but has to tell it from others: its place from the bottom."""
    zone = s.zone_of[card]
    if zone < 0:
        return UNKNOWN_CARD
    place = s.table.zones[zone]
    if place.capacity == 1:
        return f"the card of {place.name}"
    return f"card {s.zones[zone].index(card) + 1} of {place.name}"


def value_texts(s: State, kind: Type, value: Any) -> list[Text]:
    """A value as pieces of text, with what those see who do not know its cards."""
    if kind.kind == "card" and value is not None:
        return [Text(s.name_of(value), value, UNKNOWN_CARD)]
    if kind.kind == "cards":
        return joined([[Text(s.name_of(card), card, UNKNOWN_CARD)] for card in value])
    word = word_of(s.table.ruleset, kind, value) if kind.kind == "enum" and value is not None else ""
    return [Text(plain_text(s, kind, value), word=word)]


def joined(parts: list[list[Text]]) -> list[Text]:
    pieces: list[Text] = []
    for part in parts:
        pieces.extend([Text(", "), *part] if pieces else part)
    return pieces


def plain_text(s: State, kind: Type, value: Any) -> str:
    """A value without cards in it."""
    if value is None:
        return "none"
    if kind.kind in ("enum", "category"):
        return shown_word(s.table.ruleset, kind, value)
    return PLAIN[kind.kind](s, value)


def play_text(s: State, number: int) -> str:
    """A play's text in force, behind its card if that is called otherwise: `The Fool as The Star`."""
    plays = s.field.plays if s.field is not None else []
    if not 1 <= number <= len(plays):
        return "a play that has ended"
    play = plays[number - 1]
    face, faces = s.looks[play.card].face, s.table.ruleset.faces
    if face in play.text.faces:
        return faces[face].name
    text = faces[play.text.faces[0]].name if play.text.faces else play.text.name
    return f"{faces[face].name} as {text}"


def fraction_text(_s: State, value: Fraction) -> str:
    return str(value)


PLAIN: dict[str, Callable[[State, Any], str]] = {
    "number": lambda _s, value: str(value),
    "truth": lambda _s, value: "yes" if value else "no",
    "fraction": fraction_text,
    "player": lambda _s, value: player_name(value),
    "players": lambda _s, value: ", ".join(map(player_name, seats_in(value))),
    "team": lambda _s, value: f"team{value + 1}",
    "zone": lambda s, value: s.table.zones[value].name,
    "play": play_text,
    "plays": lambda s, value: ", ".join(play_text(s, number) for number in value),
    "effect": lambda s, value: s.table.ruleset.effects[value].name,
    "zones": lambda s, value: ", ".join(s.table.zones[zone].name for zone in value),
    "hand": lambda _s, value: value.category,
    "total": lambda _s, value: str(value.value),
    "none": lambda _s, _value: "none",
}


def text_for(s: State, texts: Iterable[Text], viewer: int) -> str:
    """What a chooser reads in a label now: cards that the chooser does not know are told apart by their places."""
    return "".join(
        text.shown if text.card is None or is_known(s, text.card, viewer) else place_of(s, text.card) for text in texts
    )


def values_in(parts: Iterable[str | tuple[Type, Any]]) -> int:
    """How many values a label holds."""
    values = [value for part in parts if not isinstance(part, str) for value in [part[1]]]
    return sum(len(value) if isinstance(value, tuple | list) else 1 for value in values)


def texts_of(s: State, parts: Iterable[str | tuple[Type, Any]]) -> list[Text]:
    """A label's parts, values with their types, as pieces of text."""
    pieces: list[Text] = []
    for part in parts:
        pieces.extend([Text(part)] if isinstance(part, str) else value_texts(s, *part))
    return pieces
