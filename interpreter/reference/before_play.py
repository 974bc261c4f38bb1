"""What is settled before anybody sits down: how many copies a deck has and which of its cards are kept."""

from __future__ import annotations

from collections.abc import Mapping

from trionfi.dsl.limits import MOST_CARDS
from trionfi.dsl.tree import Deck, Ruleset
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference import program  # noqa: F401  # fills the table of meanings
from trionfi.interpreter.reference.compiler import Compiler, frame_size
from trionfi.interpreter.state import State
from trionfi.interpreter.table import Table

__all__ = ["deck_copies", "kept_faces"]


def first_table(ruleset: Ruleset, players: int) -> Table:
    """A table with one card of each face; card and face have the same number."""
    faces = range(len(ruleset.faces))
    return Table(ruleset, players, [1] * len(ruleset.decks), [True] * len(faces), list(faces))


def deck_copies(ruleset: Ruleset, options: Mapping[str, object], players: int) -> list[int]:
    compiler = Compiler(ruleset, options, first_table(ruleset, players))
    copies = [deck_copy_count(deck, compiler) for deck in ruleset.decks]
    cards = sum(copies[face.deck] for face in ruleset.faces)
    if cards > MOST_CARDS:
        most = max(range(len(copies)), key=lambda deck: copies[deck])
        span = (ruleset.decks[most].copies or ruleset.play).span
        fail("too-many-copies", f"these are {cards} cards in all; a game has at most {MOST_CARDS}", span)
    return copies


def deck_copy_count(deck: Deck, compiler: Compiler) -> int:
    if deck.copies is None:
        return 1
    copies: int = compiler.value(deck.copies)(None, [None] * frame_size(deck.copies))
    return max(0, copies)


def kept_faces(ruleset: Ruleset, options: Mapping[str, object], players: int) -> list[bool]:
    table = first_table(ruleset, players)
    compiler, s = Compiler(ruleset, options, table), State(table)
    kept = [True] * len(ruleset.faces)
    for number, deck in enumerate(ruleset.decks):
        if deck.keep is None or deck.keep_card is None:
            continue
        keep = compiler.value(deck.keep)
        size = frame_size(deck.keep, [deck.keep_card, *deck.keep_locals])
        for face, printed in enumerate(ruleset.faces):
            if printed.deck == number:
                frame: list[int | None] = [None] * size
                frame[deck.keep_card.index] = face
                kept[face] = bool(keep(s, frame))
    return kept
