"""A game of Arcana Poker as the reference engine has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arcana_games import Slot
from arcana_knowledge import Lying
from arcana_rulings import ANY, ARCANA, CARDS, MAIN, SUITS, Card, Derived, Played, Thing, printed

from trionfi.effects import CardThing, Look, Play

GONE_LIFE = 1 << 20  # no card has this life
ZONES = ["stock", "discard", "common", "hand", "arcana_stock", "arcana_discard", "arcana_hand", "field"]


class ReferenceEye:
    """What is seen of one game. `met` counts what has been tried."""

    def __init__(self, game: Any, met: Counter[str]) -> None:
        self.game, self.met = game, met
        self.state, self.field = game.table_state, game.table_state.field
        self.table, self.options = self.state.table, game.rules.options
        families = {family.name: family for family in game.rules.ruleset.zones}
        owners = {name: self.table.owners(families[name].per) for name in ZONES}
        self.zones = {n: [self.table.places_of(families[n], owner) for owner in range(owners[n])] for n in ZONES}
        self.variables = {variable.name: variable.index for variable in game.rules.ruleset.variables}
        self.judgement = next(effect for effect in game.rules.ruleset.effects if effect.name == "Judgement")
        self.source: Any = None
        self.derived = self.derive()

    # ---- what there is

    def cards(self, name: str, owner: int = 0) -> list[int]:
        return [card for zone in self.zones[name][owner] for card in self.state.zones[zone]]

    def hands(self) -> list[list[Slot]]:
        return [[Slot(card, self.state.up[card]) for card in self.cards("hand", p)] for p in (0, 1)]

    def common(self) -> list[int]:
        return self.cards("common")

    def lying(self) -> Lying:
        lie_open = [card for name in ("discard", "arcana_discard", "field") for card in self.cards(name)]
        hands, arcana = ([self.cards(name, owner) for owner in (0, 1)] for name in ("hand", "arcana_hand"))
        known, up = list(self.state.known), list(self.state.up)
        return Lying(self.cards("stock"), self.cards("arcana_stock"), self.common(), lie_open, hands, arcana, up, known)

    def number(self, variable: str, owner: int = 0) -> int:
        found: int = self.state.values[self.variables[variable]][owner]
        return found

    def derive(self) -> Derived:
        """By the rulings."""
        plays = [
            Played(
                play.number,
                play.player,
                play.card,
                play.text.name,
                things_of(play.chosen),
                {number: things_of(chosen) for number, chosen in play.moved.items()},
                play.ended,
                play.settled_life,
            )
            for play in self.field.plays
        ]
        return Derived(plays, list(self.field.lives), self.options)

    # ---- what holds

    def check(self) -> None:
        self.check_conserved()
        plays = [(play.number, play.ended, play.settled_life) for play in self.field.plays]
        source = (plays, list(self.field.lives))
        if source != self.source:
            self.source, self.derived = source, self.derive()
            self.check_derived()
            follows = self.follows()
            self.field.renew()
            assert self.follows() == follows, "derived twice"
            if plays and self.derived.judges:
                self.check_negated(len(plays))

    def check_conserved(self) -> None:
        """52 + 22 cards, each once, where a card of its deck may lie."""
        self.game.check_conserved()
        lying = {
            name: [card for owner in range(len(self.zones[name])) for card in self.cards(name, owner)] for name in ZONES
        }
        assert sorted(card for cards in lying.values() for card in cards) == list(range(CARDS))
        assert all(card < MAIN for name in ("stock", "discard", "common") for card in lying[name])
        assert all(card >= MAIN for name in ZONES[4:] for card in lying[name])

    def check_derived(self) -> None:
        """What the engine says of plays and cards is what the rulings say."""
        for play, now in zip(self.derived.plays, self.field.settled, strict=True):
            assert now.in_force == self.derived.in_force(play.number)
            for role, timed in enumerate(now.targets):
                found = [(thing_of(thing), time) for thing, time in timed]
                assert found == list(self.derived.targets(play.number, role).items()), play
        for card in range(CARDS):
            look = self.state.looks[card]
            assert as_card(look) == self.derived.card(card), card
            assert ["", "The Chariot", "The Tower"][look.marks[0]] == self.derived.role(card), card

    def follows(self, plays: int | None = None) -> tuple[Any, ...]:
        """What follows from plays: what cards are, and of the first plays which are in force, with what targets."""
        settled = [(one.in_force, one.targets) for one in self.field.settled]
        return list(self.state.looks), settled[:plays]

    def check_negated(self, plays: int) -> None:
        """Rulings A16, by Judgements that nobody has played."""
        before = self.follows()
        newest = self.field.plays.pop()
        self.field.renew()
        without = self.follows()
        self.field.plays.append(newest)
        with self.judged(plays):
            assert self.follows(plays - 1) == without, "negated as if never played"
            with self.judged(plays + 1):
                assert self.follows(plays) == before, "negating the negation restores"
        with self.judged(*range(1, plays + 1)):
            assert all(as_card(look) == printed(card) for card, look in enumerate(self.state.looks))
            assert not any(look.marks[0] for look in self.state.looks)
        assert self.follows() == before
        self.met["newest mattered"] += without[0] != before[0]
        self.met["something altered"] += any(
            as_card(look) != printed(card) for card, look in enumerate(self.state.looks)
        )

    @contextmanager
    def judged(self, *numbers: int) -> Iterator[None]:
        """One more Judgement names these plays; its card lies elsewhere."""
        number, card = len(self.field.plays) + 1, MAIN + ARCANA.index("Judgement")
        self.field.plays.append(Play(number, 0, card, self.judgement, (numbers,), settled_life=GONE_LIFE))
        self.field.renew()
        yield
        self.field.plays.pop()
        self.field.renew()


def things_of(chosen: Any) -> tuple[tuple[Thing, ...], ...]:
    return tuple(tuple(thing_of(thing) for thing in things) for things in chosen)


def thing_of(thing: Any) -> Thing:
    return (thing.card, thing.life) if isinstance(thing, CardThing) else int(thing)


def as_card(look: Look) -> Card:
    """Of all suits of the game the standard cards' four are looked at."""
    suits = frozenset(suit for place, suit in enumerate(SUITS) if look.suits >> place & 1)
    return Card(suits, ANY if look.any_rank else None if look.rank is None else look.rank + 2)
