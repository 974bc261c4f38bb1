"""Rules at a seat count: which cards are in the game, the table, and what the reference engine runs on it."""

from __future__ import annotations

from dataclasses import dataclass

from trionfi.interpreter.once import made_once
from trionfi.interpreter.reference.before_play import deck_copies, kept_faces
from trionfi.interpreter.reference.program import Program
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.table import Table

__all__ = ["Seating", "cards_of", "faces_of", "seating_of"]


@dataclass(frozen=True, slots=True)
class Seating:
    """The ruleset for one seat count: the table, and what the reference engine runs on it."""

    table: Table
    program: Program


def seating_of(rules: RulesData, players: int) -> Seating:
    """What games of so many players share; made once."""
    known: dict[int, Seating] = rules.__dict__.setdefault("_seatings", {})
    return made_once(known, players, lambda: _seat(rules, players))


def _seat(rules: RulesData, players: int) -> Seating:
    ruleset, values, faces = rules.ruleset, rules.values, faces_of(rules)
    numbers = {face: number for number, face in enumerate(faces)}
    public = [numbers.get(face, -1) for face in range(len(ruleset.faces))]
    copies, kept = deck_copies(ruleset, values, players), kept_faces(ruleset, values, players)
    table = Table(ruleset, players, copies, kept, public)
    return Seating(table, Program(ruleset, values, table, faces, rules.starts))


def faces_of(rules: RulesData) -> list[int]:
    """The faces in the game at some seat count; `rules.cards` numbers them."""
    known: dict[str, list[int]] = rules.__dict__
    return made_once(known, "_faces", lambda: _faces(rules))


def cards_of(rules: RulesData) -> list[str]:
    """The names of the cards; reversed, card i has the number i + len(cards)."""
    return [rules.ruleset.faces[face].name for face in faces_of(rules)]


def _faces(rules: RulesData) -> list[int]:
    low, high = rules.players
    keeps = any(deck.keep is not None for deck in rules.ruleset.decks)
    counts = range(low, high + 1) if keeps else range(low, low + 1)
    kept = [kept_faces(rules.ruleset, rules.values, players) for players in counts]
    return [face for face in range(len(rules.ruleset.faces)) if any(row[face] for row in kept)]
