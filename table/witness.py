"""Looks on while a game is played and writes down what happens, with the table as it lay before it was cleared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from trionfi.dsl import tree
from trionfi.dsl.tree.walk import walk
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.opening import again_watched
from trionfi.interpreter.seating import seating_of
from trionfi.interpreter.view import view_of

if TYPE_CHECKING:
    from trionfi.dsl.tree import ZoneFamily
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.reference.game import ReferenceGame
    from trionfi.interpreter.state import Entry, State
    from trionfi.interpreter.table import Place

__all__ = ["Event", "HandShown", "NamedCard", "Witness"]

Views = Mapping[int | None, Mapping[str, Any]]


class NamedCard(NamedTuple):
    """A card of an event: its name and who knows it (a bit a seat), then."""

    name: str
    known: int

    def to(self, viewer: int | None) -> str:
        return self.name if viewer is None or self.known >> viewer & 1 else ""


class HandShown(NamedTuple):
    """What a player's cards were worth, by a define of the ruleset; `known`: who knows all cards that the player
    holds."""

    seat: int
    define: str
    category: str
    cards: tuple[str, ...]
    known: int
    value: Any = None


@dataclass(eq=False)
class Event:
    """`kind`: chosen, said, moved, dealt, turned, shown, shuffled, triggered; swept and gathered (open cards are about
    to leave the table, or all cards are about to be gathered: with the table as it lies); asked (the next decision, or
    the end)."""

    kind: str
    entry: Entry | None = None
    cards: tuple[NamedCard, ...] = ()
    sources: tuple[Place | None, ...] = ()
    to: Place | None = None
    up: bool = False
    views: Views = field(default_factory=dict)
    hands: tuple[HandShown, ...] = ()
    word: str = ""
    member: int | None = None  # who takes a trick for the team


class Witness:
    """`people`: the seats that are shown something (None: who sees everything). `shadow` is the game once more in the
    reference engine, as far as it has been followed."""

    def __init__(self, game: Game, people: Sequence[int | None]) -> None:
        self.people = people
        self.events: list[Event] = []
        self.program = seating_of(game.rules, game.players).program
        self._entries = 0  # of the log, that are events already
        self._sweeping: object = None
        self._sources: tuple[Place | None, ...] = ()
        self.shadow: ReferenceGame = again_watched(game, self)
        self._asked(self.shadow.table_state)
        self.follow(game)

    def follow(self, game: Game) -> None:
        """Plays the moves that have been made since."""
        for move in game.moves[len(self.shadow.moves) :]:
            self._sweeping = None
            self.shadow.apply(move)
            self._asked(self.shadow.table_state)

    def has_gone_back(self, game: Game) -> bool:
        """Whether moves have been taken back that were followed."""
        seen = self.shadow.moves
        return game.moves[: len(seen)] != seen

    def _asked(self, s: State) -> None:
        self._sync(s)
        views = {seat: self.shadow.state if seat is None else self.shadow.view(seat) for seat in self.people}
        hands = self.hands(s) if self.shadow.over else ()
        self.events.append(Event("asked", views=views, hands=hands))

    def _sync(self, s: State) -> None:
        """Choices that the log holds and that are no events yet."""
        if s.log is None:
            return
        for entry in s.log.since(self._entries):
            self.events.append(Event("said" if entry.player is None else "chosen", entry))
        self._entries = s.log.count

    def _note(self, s: State, event: Event) -> None:
        self._sync(s)
        self.events.append(event)

    # ---- what the engine tells

    def will_move(self, s: State, cards: Sequence[int], to: int, member: int | None) -> None:
        place = s.table.zones[to]
        self._sources = self._places(s, cards)
        if 2 * len(cards) > len(s.table.in_game):
            self._note(s, Event("gathered", to=place, views=self.views(s), hands=self.hands(s)))
        elif self._is_sweep(s, cards, place):
            self._note(s, Event("swept", to=place, views=self.views(s), hands=self.hands(s), member=member))

    def _is_sweep(self, s: State, cards: Sequence[int], to: Place) -> bool:
        """Whether these are the first open cards that leave the places where players lay them."""
        sources = {s.table.zones[s.zone_of[card]].family for card in cards if s.zone_of[card] >= 0}
        laid = [
            f for f in sources if f.face == "up" and (f.per == "player" or (f.capacity or 99) <= 2 * s.table.players)
        ]
        if not laid or to.family in sources or to.family.seen_by_owner or to.family.per == "suit":
            return False
        if not all(s.up[card] for card in cards):
            return False
        key = (laid[0].name, to.family.name, to.owner)
        is_first, self._sweeping = key != self._sweeping, key
        return is_first

    def has_moved(self, s: State, cards: Sequence[int], to: int) -> None:
        """Where they came from the watch has been told before; here is where they are."""
        up = all(s.up[card] for card in cards)
        event = Event("moved", cards=self._known(s, cards), sources=self._sources, to=s.table.zones[to], up=up)
        self._note(s, event)

    def has_dealt(self, s: State, card: int, source: int, to: int) -> None:
        known = (NamedCard(s.name_of(card), s.known[card]),)
        zones = s.table.zones
        self._note(s, Event("dealt", cards=known, sources=(zones[source],), to=zones[to], up=s.up[card]))

    def has_turned(self, s: State, cards: Sequence[int], up: bool) -> None:
        self._note(s, Event("turned", cards=self._known(s, cards), sources=self._places(s, cards), up=up))

    def has_shown(self, s: State, cards: Sequence[int]) -> None:
        self._note(s, Event("shown", cards=self._known(s, cards), sources=self._places(s, cards)))

    def has_shuffled(self, s: State, zone: int) -> None:
        self._note(s, Event("shuffled", to=s.table.zones[zone]))

    def has_said(self, s: State, entry: Entry) -> None:
        self._sync(s)

    def has_triggered(self, s: State, event: str) -> None:
        self._note(s, Event("triggered", word=event))

    # ---- the table as it lies

    def _known(self, s: State, cards: Sequence[int]) -> tuple[NamedCard, ...]:
        return tuple(NamedCard(s.name_of(card), s.known[card]) for card in cards)

    def _places(self, s: State, cards: Sequence[int]) -> tuple[Place | None, ...]:
        return tuple(s.table.zones[s.zone_of[card]] if s.zone_of[card] >= 0 else None for card in cards)

    def views(self, s: State) -> Views:
        from trionfi.interpreter.view import state_of

        review = self.program.review
        return {seat: state_of(s, None) if seat is None else view_of(s, review, None, seat) for seat in self.people}

    def hands(self, s: State) -> tuple[HandShown, ...]:
        """What the players hold, by each define of one player that gives a hand."""
        found: list[HandShown] = []
        for define in self.program.ruleset.defines.values():
            if define.type.kind != "hand" or len(define.parameters) != 1 or define.parameters[0].type.kind != "player":
                continue
            for seat in range(s.table.players):
                found += self._hand(s, define, seat)
        return tuple(found)

    def _hand(self, s: State, define: Any, seat: int) -> list[HandShown]:
        families = self._families(s, define)
        held = [
            card
            for zone in s.table.zones
            if zone.owner == seat and zone.family.seen_by_owner and zone.family in families
            for card in s.zones[zone.index]
        ]
        if not held:
            return []
        known = s.table.everyone
        for card in held:
            known &= s.known[card]
        value = self._value(s, define, seat)
        if value is None or value.category is None:
            return []
        hidden_from = [
            viewer for viewer in self.people if viewer is not None and not self._may_know(s, define, seat, viewer)
        ]
        for viewer in hidden_from:
            known &= ~(1 << viewer)
        numbers = [card for card in value.cards if isinstance(card, int)]
        for card in numbers:  # a hand that is lost whatever they are may be made with cards that lie face down
            known &= s.known[card]
        cards = tuple(map(s.name_of, numbers))
        return [HandShown(seat, define.name, value.category, cards, known, value)]

    def _families(self, s: State, define: Any) -> Sequence[ZoneFamily]:
        """The zones that a define looks at, as far as its text names them."""
        nodes = list(walk(define.body, into=tree.Define))
        if any(isinstance(node, tree.Domain) and node.noun == "card" and node.source is None for node in nodes):
            return self.program.ruleset.zones
        families = [node.family for node in nodes if isinstance(node, tree.ZoneValue | tree.ZonesValue)]
        if not any(family.per == "player" for family in families):  # cards of a variable lie somewhere
            return self.program.ruleset.zones
        return families

    def _value(self, s: State, define: Any, seat: int) -> Any:
        steps = s.steps
        try:
            return self.program.of_player(define, s, seat)
        except GameError:
            return None
        finally:
            s.steps = steps

    def _may_know(self, s: State, define: Any, seat: int, viewer: int) -> bool:
        """Whether it is the same with the cards that the viewer does not know in other places."""
        hidden = [card for card in range(len(s.looks)) if not s.known[card] >> viewer & 1]
        value = self._value(s, define, seat)
        looks = [s.looks[card] for card in hidden]
        try:
            for step in (1, 2, 3, 5):
                for place, card in enumerate(hidden):
                    s.looks[card] = looks[(place + step) % len(looks)]
                if self._value(s, define, seat) != value:
                    return False
        finally:
            for card, look in zip(hidden, looks, strict=True):
                s.looks[card] = look
        return True
