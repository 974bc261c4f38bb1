"""What an evaluator knows of the cards: how each code looks.

A *code* is what an evaluator is given for a card. Code i is face i upright, code `faces + i` face i reversed
(docs/meaning.md). A game whose effects change suits or ranks has further codes behind those, one for each look that
can occur: evaluators only see the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trionfi.effects import Look
from trionfi.interpreter.hands.cards import Host, printed_look


@dataclass(frozen=True, eq=False)
class CardTable:
    """The cards of a game under given options.

    `looks[code]` is what the card of that code is. `distinct`: every face is in play once at most (one pack). Hands
    that name such a face twice are outside the rules, and what they are worth is not defined. `altered`: how the codes
    behind the printed ones are numbered, None if there are none.
    """

    host: Host
    looks: Sequence[Look]
    distinct: bool = False
    altered: AlteredCodes | None = None


@dataclass(frozen=True)
class AlteredCodes:
    """Codes of cards that effects may have changed: one for each deck, orientation, rank and set of suits.

    Such a code says what suits and rank a card has now, no more: a ranking that reads more of its cards (which card it
    is, its marks) has no evaluator over altered cards.
    """

    first: int
    turns: int
    ranks: int
    suits: int

    def code(self, deck: int, suits: int, rank: int | None, any_rank: bool = False, is_reversed: bool = False) -> int:
        """The code: `suits` is a mask; no rank counts as rank `ranks`, every rank as `ranks + 1`."""
        place = self.ranks + 1 if any_rank else self.ranks if rank is None else rank
        row = (deck * self.turns + is_reversed) * (self.ranks + 2) + place
        return self.first + (row << self.suits) + suits

    @property
    def count(self) -> int:
        """Codes of one deck."""
        return self.turns * (self.ranks + 2) << self.suits


def printed_table(
    host: Host, distinct: bool = False, faces: Sequence[int] | None = None, all_turn: bool = False
) -> CardTable:
    """The cards as printed: upright, then reversed if the game has decks with orientations.

    `faces`: those that have codes, in order; all if not given. What cannot lie reversed has no face there. `all_turn`:
    scripts turn cards, whatever their decks say.
    """
    numbers = range(len(host.ruleset.faces)) if faces is None else faces
    marks = tuple(mark.default for mark in host.ruleset.marks)
    looks = [_printed(host, number, marks, turned, all_turn) for turned in _turns(host, all_turn) for number in numbers]
    return CardTable(host, looks, distinct)


def _printed(host: Host, number: int, marks: tuple[int, ...], turned: bool, all_turn: bool) -> Look:
    face = host.ruleset.faces[number]
    if turned and not all_turn and not host.ruleset.decks[face.deck].oriented:
        return Look(-1, 0, None)
    return printed_look(number, face, marks, turned)


def altered_table(host: Host, all_turn: bool = False) -> CardTable:
    """The cards as printed, and behind them as they may have been altered; `table.altered` numbers those."""
    printed = printed_table(host, all_turn=all_turn)
    enumerations, turns = host.ruleset.enumerations, _turns(host, all_turn)
    ranks, suits = (len(enumerations[name].members) for name in ("rank", "suit"))
    codes = AlteredCodes(len(printed.looks), len(turns), ranks, suits)
    looks = [
        Look(_a_face(host, deck), mask, place if place < ranks else None, place > ranks, turned)
        for deck in range(len(host.ruleset.decks))
        for turned in turns
        for place in range(ranks + 2)
        for mask in range(1 << suits)
    ]
    return CardTable(host, [*printed.looks, *looks], altered=codes)


def _turns(host: Host, all_turn: bool) -> tuple[bool, ...]:
    return (False, True) if all_turn or any(deck.oriented for deck in host.ruleset.decks) else (False,)


def _a_face(host: Host, deck: int) -> int:
    """A face of the deck that the game keeps, if it keeps one."""
    return next((face for face in host.kept if host.ruleset.faces[face].deck == deck), -1)
