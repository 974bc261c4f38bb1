"""The cards of a ruleset, as they are shown and called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trionfi.table.model import Card

if TYPE_CHECKING:
    from trionfi.dsl.tree import CardFace
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["Faces", "changed_words", "order_in_hand"]

NUMERALS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
PALETTE = ("green", "red", "blue", "yellow", "magenta", "cyan")  # suits of a deck without colours, in order
COLOUR_WORDS = ("red", "green", "yellow", "blue", "black")


class Faces:
    """`names` as in `rules.cards`; a number that is larger than there are names is that of a reversed card."""

    def __init__(self, rules: RulesData) -> None:
        from trionfi.interpreter.seating import cards_of

        ruleset = rules.ruleset
        self.names = cards_of(rules)
        self.suits = ruleset.enumerations["suit"].members
        self.ranks = ruleset.enumerations["rank"].members
        self.faces: dict[str, CardFace] = {face.name: face for face in ruleset.faces}
        self.effects = {effect.name: effect.text for effect in ruleset.effects if effect.text}
        colours = ruleset.enumerations["colour"].members if "colour" in ruleset.enumerations else []
        self.colours = {suit: colours[colour] for suit, colour in ruleset.colours.items()}

    def face(self, number: int) -> CardFace:
        return self.faces[self.names[number % len(self.names)]]

    def name(self, number: int) -> str:
        """As it stands in `rules.cards`; with `reversed` behind it if it lies so."""
        count = len(self.names)
        return self.names[number] if number < count else f"{self.names[number - count]} reversed"

    def suit_colour(self, suit: int | None) -> str:
        """The colour that the deck gives to a suit; a suit called by a colour has that; else one of ours."""
        if suit is None:
            return ""
        word = self.suits[suit]
        if suit in self.colours or word in COLOUR_WORDS:
            return self.colours.get(suit, word)
        return "" if self.colours else PALETTE[suit % len(PALETTE)]

    @cached_property
    def rank_signs(self) -> dict[str, str]:
        """`10`, `K`: what stands in the corner, by the rank's word."""
        return {
            self.ranks[face.rank]: rank_sign(face.short[:-1])
            for face in self.faces.values()
            if face.rank is not None and face.short
        }

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds the names of cards in a text; in a game without cards nothing."""
        if not self.names:
            return re.compile(r"(?!)")
        names = sorted(self.names, key=len, reverse=True)
        return re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")( reversed)?\b")

    def named_in(self, text: str) -> list[str]:
        return [match[1] for match in self.pattern.finditer(text)]

    def card(
        self,
        number: int | None,
        altered: Mapping[str, Any] | None = None,
        marks: Mapping[str, str] | None = None,
        played: Mapping[int, str] | None = None,
    ) -> Card:
        """A card of a view. `played`: the names of the plays by their numbers."""
        if number is None:
            return Card()
        face = self.face(number)
        made = Card(
            key=self.name(number),
            code=rank_sign(face.short[:-1]) + face.short[-1:] if face.short else "",
            rank=self.corner(face),
            suit="" if face.suit is None else self.suits[face.suit],
            colour=self.suit_colour(face.suit),
            name=face.name,
            is_reversed=number >= len(self.names),
            marks=tuple((marks or {}).items()),
            effect=self.effects.get(face.name, ""),
            number=number,
        )
        return made if altered is None else self.altered(made, altered, played or {})

    def altered(self, card: Card, change: Mapping[str, Any], played: Mapping[int, str]) -> Card:
        from dataclasses import replace

        suits = tuple(change["suits"])
        colour = self.suit_colour(self.suits.index(suits[0])) if len(suits) == 1 else "magenta"
        rank = {"any": "?", None: "-"}.get(change["rank"]) or self.rank_signs.get(change["rank"], change["rank"])
        by = tuple(f"{number} {played[number]}" for number in change["plays"] if number in played)
        return replace(card, altered=changed_words(change, self.suits), by=by, colour=colour, now=(rank, suits))

    def corner(self, face: CardFace) -> str:
        if face.short:
            return rank_sign(face.short[:-1])
        if face.rank is not None:
            return self.ranks[face.rank]
        return numeral(face.number) if face.number is not None else ""

    def order_of_name(self, name: str) -> tuple[int, int, int, int]:
        return self.order(self.names.index(name.removesuffix(" reversed")))

    def order(self, number: int) -> tuple[int, int, int, int]:
        """By suit, then rank or number; cards of no suit last."""
        face = self.face(number)
        suit = len(self.suits) if face.suit is None else face.suit
        rank = face.number if face.rank is None else face.rank
        return suit, -1 if rank is None else rank, number % len(self.names), number


def order_in_hand(cards: Sequence[Card], faces: Faces) -> tuple[Card, ...]:
    """Sorted for the eye; what is not known comes last."""
    known = [card for card in cards if card.number is not None]
    backs = [card for card in cards if card.number is None]
    return (*sorted(known, key=lambda card: faces.order(card.number or 0)), *backs)


def rank_sign(code: str) -> str:
    return "10" if code == "T" else code


def numeral(number: int) -> str:
    """`XIII`; 0 as it is."""
    if number <= 0:
        return str(number)
    signs = ""
    for value, sign in NUMERALS:
        signs += sign * (number // value)
        number %= value
    return signs


def changed_words(change: Mapping[str, Any], suits: Sequence[str]) -> str:
    """`6 of clubs`, `any rank of every suit`."""
    rank = {"any": "any rank", None: "no rank"}.get(change["rank"], change["rank"])
    every = len(change["suits"]) == len(suits) > 1
    return f"{rank} of {'every suit' if every else ' and '.join(change['suits']) or 'no suit'}"
