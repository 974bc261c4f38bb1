"""Which targets an effect may be given, and which new ones a play (rulings A15, A16).

What is legal by an effect's own words the engine says: it is asked with the things that have been chosen before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from trionfi.effects.plays import CardThing, Chosen, Settled, Thing

__all__ = ["Aims", "NewTargets", "can_meet", "candidates"]

# The things that are legal now for the next of an effect's targets, in order; asked with those of the targets before.
Legal = Callable[[Chosen], Sequence[Thing]]


class Aims(Protocol):
    """The targets of an effect as its player may choose them now, one after another. `chosen`: the things chosen for
    those before the next, one each where others come behind."""

    @property
    def count(self) -> int:
        """How many targets the effect has."""

    def low(self, chosen: Chosen) -> int:
        """As how many things, at least, the next are chosen."""

    def legal(self, chosen: Chosen) -> Sequence[Thing]:
        """What is legal for them by the effect's own words, in order."""

    def fits(self, place: int, thing: Thing) -> bool:
        """Whether the effect can do with the thing what it does: take the text of a play, give it new targets."""


def can_meet(aims: Aims, chosen: Chosen = ()) -> bool:
    """Whether the targets that are left can be chosen, too."""
    if len(chosen) == aims.count:
        return True
    low = aims.low(chosen)
    return len(candidates(aims, chosen)) >= low


def candidates(aims: Aims, chosen: Chosen) -> list[Thing]:
    """The things that may be chosen next, in order: those with which all that follows can be chosen."""
    things = [thing for thing in aims.legal(chosen) if aims.fits(len(chosen), thing)]
    if len(chosen) + 1 == aims.count:
        return things
    return [thing for thing in things if can_meet(aims, (*chosen, (thing,)))]


class NewTargets:
    """The choice of new targets for play `number`, which is `settled` so now, by one who plays its text as if now.

    As many things as before, a target may be left alone, but as a whole they must change. A play is aimed at older ones
    only. Things are picked one behind the other, as `things` lists them.
    """

    def __init__(self, number: int, settled: Settled, legal: Legal) -> None:
        self.number = number
        self.now = [[thing for thing, _ in targets] for targets in settled.targets]
        self._legal = legal

    def is_possible(self) -> bool:
        return self._can_go_on((), changed=False)

    def things(self, chosen: Chosen) -> list[Thing]:
        """Those that are legal now for the next targets, then those that may be left alone."""
        legal = [thing for thing in self._legal(chosen) if isinstance(thing, CardThing) or thing < self.number]
        taken = {thing for things in chosen for thing in things}
        return [*legal, *(old for old in self.now[len(chosen)] if old not in legal and old not in taken)]

    def has_changed(self, chosen: Chosen) -> bool:
        """Whether what has been chosen so far is something else than it was."""
        return any(set(things) != set(now) for things, now in zip(chosen, self.now, strict=False))

    def allows(self, chosen: Chosen, things: Sequence[Thing], picked: Sequence[Thing], place: int) -> bool:
        """Whether the thing at a place may be picked next: enough stay behind it, and a change can still come."""
        return self._allows(chosen, self.has_changed(chosen), things, picked, place)

    def _allows(
        self, chosen: Chosen, changed: bool, things: Sequence[Thing], picked: Sequence[Thing], place: int
    ) -> bool:
        now = self.now[len(chosen)]
        partial, behind = [*picked, things[place]], things[place + 1 :]
        rest = len(now) - len(partial)
        if len(behind) < rest:
            return False
        if len(chosen) + 1 < len(self.now):
            # of several targets each is one thing
            return self._can_go_on((*chosen, tuple(partial)), changed or partial != now)
        if changed or any(thing not in now for thing in partial) or (rest and len(behind) > rest):
            return True
        return any(thing not in now for thing in behind) if rest else False

    def _can_go_on(self, chosen: Chosen, changed: bool) -> bool:
        """Whether the rest can be chosen so that something changes."""
        if len(chosen) == len(self.now):
            return changed
        if not self.now[len(chosen)]:
            return self._can_go_on((*chosen, ()), changed)
        things = self.things(chosen)
        return any(self._allows(chosen, changed, things, (), place) for place in range(len(things)))
