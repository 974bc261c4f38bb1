"""The played cards of a game: the list of plays, the lives of cards, and what cards have become (docs/meaning.md, Plays
and effects)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from trionfi.dsl.tree import Alteration, Effect, Expr, Ruleset
from trionfi.effects.altered import Application, altered, applications
from trionfi.effects.look import Look
from trionfi.effects.plays import CardThing, Play, Settled, Thing, has_targets, settle
from trionfi.effects.texts import owners

__all__ = ["Field", "Gone", "Meaning"]


class Gone(NamedTuple):
    """A card as it was without plays when it left the place where it was aimed at, and who knew it then."""

    look: Look
    known: int


class Meaning(NamedTuple):
    """What an engine knows of effects: whether a condition on options holds, and what an alteration sets on the card
    of a play's player that looks so (None: nothing)."""

    holds: Callable[[Expr], bool]
    value_of: Callable[[Alteration, int, Look], int | None]


class Field:
    """`printed[card]`: the card as it is without plays; `lives[card]` grows when it is moved or shuffled. `looks` are
    the state's own, which hold what cards are now: they are worked out anew whenever something here changes."""

    __slots__ = (
        "_all_suits",
        "_altered",
        "changes",
        "effect_of",
        "gone",
        "lives",
        "looks",
        "meaning",
        "plays",
        "printed",
        "settled",
    )

    def __init__(self, ruleset: Ruleset, looks: list[Look]) -> None:
        self.effect_of: dict[int, Effect] = owners(ruleset)
        self.looks = looks
        self.printed = list(looks)
        self.lives = [0] * len(looks)
        self.plays: list[Play] = []
        self.settled: list[Settled] = []
        self.changes: list[Application] = []
        self.gone: dict[CardThing, Gone] = {}
        self.meaning: Meaning | None = None
        self._all_suits = (1 << len(ruleset.enumerations["suit"].members)) - 1
        self._altered: set[int] = set()

    # ---- things

    def thing(self, card: int) -> CardThing:
        """The card in the place where it lies."""
        return CardThing(card, self.lives[card])

    def is_there(self, thing: Thing) -> bool:
        """A play, or a card that lies where it was aimed at."""
        return not isinstance(thing, CardThing) or self.lives[thing.card] == thing.life

    def cards(self, things: Iterable[Thing]) -> list[int]:
        """The cards among things that are still there, each once."""
        return list(dict.fromkeys(t.card for t in things if isinstance(t, CardThing) and self.is_there(t)))

    def card_of(self, play: Play) -> CardThing | None:
        """The play's card: wherever it is while it is being played, then while it lies where the play put it (A23)."""
        life = self.lives[play.card]
        return CardThing(play.card, life) if play.settled_life in (None, life) else None

    @property
    def aimed(self) -> int:
        """How many things plays have been aimed at, and given to others with their numbers."""
        return sum(one.named for one in self.plays)

    def now(self, play: Play) -> Settled:
        return self.settled[play.number - 1]

    def has_targets(self, play: Play) -> bool:
        return has_targets(play.text, self.now(play), self.holds)

    def holds(self, condition: Expr) -> bool:
        return self.meaning is not None and self.meaning.holds(condition)

    # ---- changes

    def enter(self, play: Play) -> None:
        self.plays.append(play)
        self.renew()

    def end_all(self) -> None:
        self.plays.clear()
        self.gone.clear()
        self.renew()

    def end(self, plays: Iterable[Play]) -> None:
        for play in plays:
            play.ended = True
        self.renew()

    def leave(self, cards: Sequence[int], known: Sequence[int]) -> None:
        """Cards are lifted or shuffled; what they were is kept where a play has named them."""
        watched = self._watched() if self.plays else frozenset()
        for card in cards:
            thing = self.thing(card)
            if thing in watched:
                self.gone[thing] = Gone(self.printed[card], known[card])
            self.lives[card] += 1
        if watched:
            self.renew()

    def _watched(self) -> set[Thing]:
        """All things that plays have named, and their own cards."""
        named = [thing for play in self.plays for things in play.chosen for thing in things]
        given = [t for play in self.plays for chosen in play.moved.values() for things in chosen for t in things]
        own = [card for play in self.plays if (card := self.card_of(play)) is not None]
        return {*named, *given, *own}

    def reprint(self, card: int, look: Look) -> None:
        """A script has turned or marked a card."""
        self.printed[card] = look
        self.renew()

    def exchange(self, one: int, other: int) -> None:
        self.printed[one], self.printed[other] = self.printed[other], self.printed[one]
        self.renew(everything=True)

    # ---- what follows from it

    def renew(self, everything: bool = False) -> None:
        """Settles the plays and derives what cards are."""
        if everything:
            self._altered = set(range(len(self.looks)))
        for card in self._altered:
            self.looks[card] = self.printed[card]
        self._altered.clear()
        self.settled = settle(self.plays, self.holds)
        self.changes = applications(self.plays, self.settled, self.holds, self.card_of)
        for thing, look in altered(self.changes, self.start, self._value, self._all_suits).items():
            if self.is_there(thing):
                self.looks[thing.card] = look
                self._altered.add(thing.card)

    def changed_by(self, card: int) -> list[int]:
        """The plays that have made the card what it is, in the order in which they count; each once."""
        thing = self.thing(card)
        return list(dict.fromkeys(change.play for change in self.changes if change.thing == thing))

    def start(self, thing: CardThing) -> Look:
        """The card as it is without plays; one that has gone as it was then."""
        return self.printed[thing.card] if self.is_there(thing) else self.gone[thing].look

    def _value(self, alteration: Alteration, thing: CardThing, look: Look) -> int | None:
        return None if self.meaning is None else self.meaning.value_of(alteration, thing.card, look)
