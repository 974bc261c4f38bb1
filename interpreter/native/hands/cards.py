"""What an evaluator knows of the cards: how each code looks.

A *code* is what an evaluator is given for a card. Code i is face i upright, code `faces + i` face i reversed
(docs/meaning.md). A game whose effects change suits or ranks adds codes of its own behind those, one for each
look that can occur: evaluators only see the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trionfi.interpreter.hands.cards import Host, Look, printed_look


@dataclass(frozen=True, eq=False)
class CardTable:
    """The cards of a game under given options.

    `looks[code]` is what the card of that code is. `distinct`: every face is in play once at most (one pack). Hands
    that name such a face twice are outside the rules, and what they are worth is not defined.
    """

    host: Host
    looks: Sequence[Look]
    distinct: bool = False


def printed_table(host: Host, distinct: bool = False) -> CardTable:
    """The cards as printed: upright, then reversed if the game has decks with orientations."""
    faces = host.ruleset.faces
    marks = tuple(mark.default for mark in host.ruleset.marks)
    oriented = any(deck.oriented for deck in host.ruleset.decks)
    turns = (False, True) if oriented else (False,)
    looks = [printed_look(number, face, marks, turned) for turned in turns for number, face in enumerate(faces)]
    return CardTable(host, looks, distinct)
