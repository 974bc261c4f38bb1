"""What a card counts as: one reading for a plain card, several for one that is wild or has several suits or ranks.

A hand is worth the best that its cards make over all their readings. Readings that no fact and no order of the
ranking can tell apart are one. Where it never hurts to share a suit, readings that differ only in what `same` asks
are one with several bits, so that cards of all suits cost nothing extra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trionfi.dsl.tree import CardProperty, Expr
from trionfi.effects import Look
from trionfi.interpreter.hands.cards import Closure, Host, Table
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.once import made_once


class Reading:
    """A card read as one plain card, as far as a ranking can tell.

    `look`: what expressions see it as (`plain`: as the card is); `alike`: a number for the values of the `alike`
    properties (None: one of them is none, so it is like no other card); `run`: its rank in runs; `same`: for each
    set of `same` properties a mask of the values it can have (0: none); `truths`: its `are` and `all`
    properties, 0 or 1; `different`: its values of what is counted by them.
    """

    __slots__ = ("alike", "different", "look", "plain", "run", "same", "truths")

    def __init__(
        self,
        look: Look,
        plain: bool,
        alike: int | None,
        run: int | None,
        same: tuple[int, ...],
        truths: tuple[int, ...],
        different: tuple[Any, ...] = (),
    ) -> None:
        self.look = look
        self.plain = plain
        self.alike = alike
        self.run = run
        self.same = same
        self.truths = truths
        self.different = different


class Looks:
    """What each card may be read as: suits and ranks that effects gave it, or all cards of its deck for a wild one."""

    def __init__(self, host: Host, wild: Expr | None, wild_suit: Expr | None) -> None:
        self.reads = reads(expr for expr in (wild, wild_suit) if expr is not None)
        self.wild = None if wild is None else host.compile(wild)
        self.wild_suit = None if wild_suit is None else host.compile(wild_suit)
        faces = host.ruleset.faces
        self.deck_of = [face.deck for face in faces]
        kept = [(number, faces[number]) for number in host.kept]
        # a joker itself, without suit and rank, is nothing to stand for
        whole = [(number, face) for number, face in kept if face.suit is not None or face.rank is not None]
        self.cards = _by_deck((face.deck, (number, face.suit, face.rank)) for number, face in whole)
        self.suits = _by_deck((f.deck, f.suit) for _, f in kept if f.suit is not None)
        self.ranks = _by_deck((f.deck, f.rank) for _, f in kept if f.rank is not None)

    def of(self, table: Table, card: int, values: list[Any]) -> list[Look]:
        """All that the card may be read as, each with one suit and one rank at most."""
        look = table.look(card)
        deck = self.deck_of[look.face]
        if self.wild is not None and self.wild(table, [card, *values]):
            return [
                look._replace(face=face, suits=_bit(suit), rank=rank, any_rank=False)
                for face, suit, rank in self.cards.get(deck, [(look.face, None, None)])
            ]
        suits = [_bit(suit) for suit in self._suits(table, card, look, values)] or [0]
        ranks: Sequence[int | None] = self.ranks.get(deck, [None]) if look.any_rank else [look.rank]
        return [look._replace(suits=suit, rank=rank, any_rank=False) for suit in suits for rank in ranks]

    def _suits(self, table: Table, card: int, look: Look, values: list[Any]) -> list[int]:
        if self.wild_suit is not None and self.wild_suit(table, [card, *values]):
            return self.suits.get(self.deck_of[look.face], [])
        return [suit for suit in range(look.suits.bit_length()) if look.suits >> suit & 1]


class Property:
    """A card's property, compiled: `read(table, card)` as it is read now."""

    def __init__(self, host: Host, spec: CardProperty) -> None:
        self.closure: Closure = host.compile(spec.expr)
        self.spare = [None] * max(0, len(spec.locals) - 1)

    def read(self, table: Table, card: int) -> Any:
        return self.closure(table, [card, *self.spare])


class CardReader:
    """Reads cards for one ranking: its properties, and what tells two readings apart for its orders (`telling`; "same":
    what `same` facts ask for tells, too)."""

    def __init__(
        self,
        host: Host,
        looks: Looks,
        alike: Sequence[CardProperty],
        run: CardProperty | None,
        same: Sequence[Sequence[CardProperty]],
        truths: Sequence[CardProperty],
        different: Sequence[CardProperty],
        telling: frozenset[str],
        spare: int,
    ) -> None:
        self.looks = looks
        self.alike = [Property(host, spec) for spec in alike]
        self.run = None if run is None else Property(host, run)
        self.same = [[Property(host, spec) for spec in specs] for specs in same]
        self.truths = [Property(host, spec) for spec in truths]
        self.different = [Property(host, spec) for spec in different]
        self.telling = telling
        self.spare = [None] * spare
        specs = [*alike, *([run] if run else []), *(p for ps in same for p in ps), *truths, *different]
        self.bound = "table" in telling | looks.reads | reads(spec.expr for spec in specs)
        self._alike_numbers: dict[Any, int] = {}
        self._same_bits: list[dict[Any, int]] = [{} for _ in same]
        self._known: dict[Look, tuple[Reading, ...]] = {}

    def readings(self, table: Table, card: int) -> tuple[Reading, ...]:
        """The card's readings; cards that look alike share them."""
        if self.bound:
            return self._read(table, card)
        return made_once(self._known, table.look(card), lambda: self._read(table, card))

    def _read(self, table: Table, card: int) -> tuple[Reading, ...]:
        own = table.look(card)
        found: dict[Any, Reading] = {}
        try:
            for look in self.looks.of(table, card, self.spare):
                table.read_as(card, look)
                self._add(found, table, card, look, look == own)
        finally:
            table.read_as(card, own)
        return tuple(found.values())

    def _add(self, found: dict[Any, Reading], table: Table, card: int, look: Look, plain: bool) -> None:
        alike = self._number(tuple(p.read(table, card) for p in self.alike))
        run = None if self.run is None else self.run.read(table, card)
        truths = tuple(int(p.read(table, card)) for p in self.truths)
        same = tuple(self._bit(i, tuple(p.read(table, card) for p in ps)) for i, ps in enumerate(self.same))
        different = tuple(p.read(table, card) for p in self.different)
        facts = alike, run, truths, different
        told: tuple[Any, ...] = (*facts, *(_TOLD_BY[w](look) for w in _TOLD_BY if w in self.telling))
        if "same" in self.telling:
            told = (*told, same)
        known = found.get(told)
        if known is None:
            found[told] = Reading(look, plain, alike, run, same, truths, different)
        else:
            known.same = tuple(a | b for a, b in zip(known.same, same, strict=True))
            known.plain = known.plain or plain

    def _number(self, values: tuple[Any, ...]) -> int | None:
        if None in values:
            return None
        return made_once(self._alike_numbers, values, lambda: len(self._alike_numbers))

    def _bit(self, which: int, values: tuple[Any, ...]) -> int:
        """The bit of these values of a set of `same` properties; a card that lacks one of them shares nothing."""
        if None in values:
            return 0
        bits = self._same_bits[which]
        return 1 << made_once(bits, values, lambda: len(bits))


_TOLD_BY: dict[str, Callable[[Look], Any]] = {
    "suit": lambda look: look.suits,
    "rank": lambda look: look.rank,
    "face": lambda look: look.face,
}


# what differs between the readings of a card
READ_AS = frozenset(_TOLD_BY)


def _bit(suit: int | None) -> int:
    return 0 if suit is None else 1 << suit


def _by_deck(pairs: Any) -> dict[int, list[Any]]:
    """The different things of each deck, in order."""
    found: dict[int, list[Any]] = {}
    for deck, thing in pairs:
        things = found.setdefault(deck, [])
        if thing not in things:
            things.append(thing)
    return found
