"""The full state of a game: plain lists, which the reference engine changes and a view reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from trionfi.dsl.limits import MOST_LOGGED
from trionfi.dsl.source import Span
from trionfi.effects import Look
from trionfi.effects.field import Field
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.decision import Decision, Text
from trionfi.interpreter.errors import InternalError, fail
from trionfi.interpreter.stacked import Stack
from trionfi.interpreter.statistics import Tally
from trionfi.interpreter.table import NOWHERE, Table

__all__ = ["Entry", "Log", "Lot", "State", "Watch"]

Frame = list[Any]


class Lot(Protocol):
    """What random draws come from."""

    def below(self, n: int) -> int: ...

    def lot_of(self, count: int, span: Span) -> int: ...

    def listed(self) -> int | None: ...

    def shuffle(self, things: list[Any]) -> None: ...

    def chosen_half(self, count: int) -> list[bool]: ...

    def chosen_by_coin(self, count: int) -> list[bool]: ...


@dataclass(slots=True)
class Entry:
    """A line of the log: what `player` chose in `decision`, or (player None) what was said.

    `private`: a choice that others are not told.
    """

    player: int | None
    decision: str
    texts: list[Text]
    private: bool = False

    @property
    def size(self) -> int:
        """As many parts of text as it has, and one."""
        return 1 + len(self.texts)

    def close(self, s: State) -> None:
        """Settles who may read the names of its cards."""
        for text in self.texts:
            if text.card is not None:
                text.known = s.known[text.card]

    def text(self, viewer: int | None) -> str | None:
        """As a player reads it (None: as it is); None if that player is not told."""
        if viewer is None or viewer == self.player:
            return "".join(text.shown for text in self.texts)
        if self.private:
            return None
        return "".join(
            text.shown if text.card is None or text.known >> viewer & 1 else text.hidden for text in self.texts
        )


@dataclass(slots=True)
class Log:
    """What has been chosen and said. A choice is `open` until the next decision: who then knows the cards in it
    may read their names. While a card is being played (`held`) all stay open until its targets have been turned up.
    `sealed` holds the choices of a secret block until it ends. Of a very long game the oldest lines are `forgotten`."""

    entries: list[Entry] = field(default_factory=list)
    open: list[Entry] = field(default_factory=list)
    held: bool = False
    sealed: list[Entry] | None = None
    forgotten: int = 0
    size: int = 0  # of all entries

    def choose(self, entry: Entry) -> None:
        if self.sealed is not None:
            self.sealed.append(entry)
        else:
            self.add(entry)
            self.open.append(entry)

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.size += entry.size
        if self.size > MOST_LOGGED:
            self._forget()

    def _forget(self) -> None:
        """A tenth at once, so that this is rare."""
        count = 0
        while count < len(self.entries) and self.size > MOST_LOGGED - MOST_LOGGED // 10:
            self.size -= self.entries[count].size
            count += 1
        del self.entries[:count]
        self.forgotten += count

    def since(self, count: int) -> list[Entry]:
        """The entries behind so many."""
        return self.entries[max(0, count - self.forgotten) :]

    @property
    def count(self) -> int:
        """How many there have been."""
        return self.forgotten + len(self.entries)

    def hold(self, held: bool) -> None:
        """A card is being played, or has been."""
        self.held = held

    def unseal(self) -> None:
        """The secret block is over."""
        sealed, self.sealed = self.sealed or [], None
        for entry in sealed:
            self.choose(entry)

    def close(self, s: State) -> None:
        """The next decision has come, or the end."""
        if self.held:
            return
        for entry in self.open:
            entry.close(s)
        self.open.clear()


class Watch(Protocol):
    """Who looks on while a game runs from one decision to the next: what is shown of it is told from this. Zones and
    cards by the engine's numbers; what is about to happen is told before, all else when it has. A watch changes
    nothing; a game without one loses no time."""

    def will_move(self, s: State, cards: Sequence[int], to: int, member: int | None) -> None:
        """Cards, of which some may lie there already, are about to go to a zone (of a row: its first). `member`: the
        player who was named, where they go to what that player's team has."""

    def has_moved(self, s: State, cards: Sequence[int], to: int) -> None: ...

    def has_dealt(self, s: State, card: int, source: int, to: int) -> None: ...

    def has_turned(self, s: State, cards: Sequence[int], up: bool) -> None: ...

    def has_shown(self, s: State, cards: Sequence[int]) -> None: ...

    def has_shuffled(self, s: State, zone: int) -> None: ...

    def has_said(self, s: State, entry: Entry) -> None: ...

    def has_triggered(self, s: State, event: str) -> None: ...


class State:
    """Where everything is.

    `zones[z]` holds cards bottom first, `zone_of[card]` the zone (or NOWHERE); `up[card]`, `known[card]` (a bit a
    seat), `looks[card]` (what the card is now: the one place that suits, ranks, orientation and marks are read
    from). `field` holds the plays of a game with effects. `values[variable][owner]` are the variables. `steps` counts
    statements in loops since the last decision.
    """

    __slots__ = (
        "chips",
        "field",
        "known",
        "log",
        "looks",
        "lot",
        "lying",
        "named",
        "offer",
        "returned",
        "stack",
        "steps",
        "table",
        "tallies",
        "up",
        "values",
        "watch",
        "zone_of",
        "zones",
    )

    def __init__(self, table: Table, lot: Lot | None = None, stack: Stack | None = None) -> None:
        self.table = table
        self.zones: list[list[int]] = [[] for _ in table.zones]
        self.zone_of = [NOWHERE] * len(table.cards)
        self.up = [False] * len(table.cards)
        self.known = [0] * len(table.cards)
        self.looks: list[Look] = list(table.looks)
        self.field = Field(table.ruleset, self.looks) if table.ruleset.effects else None
        self.named = table.first_card  # face -> the card that its name means
        self.values: list[list[Any]] = []
        self.lot: Lot = lot if lot is not None else Stream(0, 0)
        self.stack = stack
        self.steps = 0
        self.returned: Any = None
        self.offer: Decision | None = None  # what a strategy is asked
        self.log: Log | None = None
        self.watch: Watch | None = None
        self.tallies: list[list[Tally]] = []
        for zone, cards in table.start:
            self.lay(zone, cards)
        self.lying = sum(map(len, self.zones))
        self.chips: int | None = None

    # ---- cards

    def lay(self, zone: int, cards: Sequence[int]) -> None:
        """Cards at the start: face down unless the zone says up."""
        place = self.table.zones[zone]
        for card in cards:
            self.zones[zone].append(card)
            self.zone_of[card] = zone
            self.up[card] = bool(place.up)
            self.known[card] = self.table.everyone if place.up else place.seers

    def take(self, card: int, span: Span) -> None:
        """Lifts a card from where it lies."""
        zone = self.zone_of[card]
        if zone == NOWHERE:
            fail("card-nowhere", f"{self.name_of(card)} lies nowhere and cannot be moved", span)
        if self.field is not None:
            self.field.leave((card,), self.known)
        cards = self.zones[zone]
        if cards[-1] == card:
            cards.pop()
        else:
            cards.remove(card)
        self.zone_of[card] = NOWHERE

    def put(self, card: int, zone: int, up: bool | None, span: Span, at: int | None = None) -> None:
        """Lays a card that has been taken on top of a zone, or `at` a place counted from the bottom."""
        place = self.table.zones[zone]
        cards = self.zones[zone]
        if len(cards) >= place.capacity:
            held = "1 card" if place.capacity == 1 else f"{place.capacity} cards"
            fail("zone-overfull", f"`{place.name}` holds {held}, another does not fit", span)
        cards.insert(len(cards) if at is None else at, card)
        self.zone_of[card] = zone
        if up is None:
            up = place.up
        if up is not None:
            self.up[card] = up
        self.known[card] |= self.table.everyone if self.up[card] else place.seers

    def turn(self, card: int, up: bool) -> None:
        self.up[card] = up
        if up:
            self.known[card] = self.table.everyone

    def forget(self, zone: int) -> None:
        """What a shuffle does to who knows the cards of a zone."""
        everyone, seers = self.table.everyone, self.table.zones[zone].seers
        if self.field is not None:
            self.field.leave(self.zones[zone], self.known)
        for card in self.zones[zone]:
            self.known[card] = everyone if self.up[card] else seers

    def orient(self, card: int, is_reversed: bool) -> None:
        self._reprint(card, self.printed_look(card)._replace(reversed=is_reversed))

    def turn_end(self, card: int) -> None:
        """Turns a card end for end."""
        self.orient(card, not self.looks[card].reversed)

    def set_mark(self, card: int, mark: int, value: int) -> None:
        printed = self.printed_look(card)
        marks = list(printed.marks)
        marks[mark] = value
        self._reprint(card, printed._replace(marks=tuple(marks)))

    def printed_look(self, card: int) -> Look:
        """The card as it is without plays."""
        return self.looks[card] if self.field is None else self.field.printed[card]

    def _reprint(self, card: int, look: Look) -> None:
        self.looks[card] = look
        if self.field is not None:
            self.field.reprint(card, look)

    def name_of(self, card: int) -> str:
        look = self.looks[card]
        return self.table.ruleset.faces[look.face].name + (" reversed" if look.reversed else "")

    # ---- what the evaluators of hands ask (interpreter/hands/cards.py)

    def look(self, card: int) -> Look:
        return self.looks[card]

    def read_as(self, card: int, look: Look) -> None:
        self.looks[card] = look

    # ---- tests

    def swap_cards(self, one: int, other: int) -> None:
        """Exchanges two cards of one deck as if they had always lain in each other's places. What does not know
        them shows no difference."""
        self.looks[one], self.looks[other] = self.looks[other], self.looks[one]
        if self.field is not None:
            self.field.exchange(one, other)
        exchanged = {one: other, other: one}
        self.named = [exchanged.get(card, card) for card in self.named]

    def count_chips(self) -> int:
        """All chips there are."""
        return sum(sum(self.values[v.index]) for v in self.table.ruleset.variables if v.chips)

    def check_conserved(self) -> None:
        """Raises InternalError if a card lies in two places or has got lost, or chips were made or lost."""
        seen: set[int] = set()
        for zone, cards in enumerate(self.zones):
            if any(self.zone_of[card] != zone for card in cards) or seen.intersection(cards):
                raise InternalError(f"{self.table.zones[zone].name} holds cards that lie elsewhere")
            seen.update(cards)
        if len(seen) != self.lying or sum(map(len, self.zones)) != self.lying:
            raise InternalError(f"{len(seen)} cards lie on the table, {self.lying} at the start")
        if self.chips is not None and self.count_chips() != self.chips:
            raise InternalError(f"there are {self.count_chips()} chips, {self.chips} at the start")
