"""Plays, and which of them are in force with which targets (rulings A13..A16, A19)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trionfi.dsl.tree import Alteration, Effect, Expr, Targets

__all__ = ["CardThing", "Play", "Settled", "Thing", "Timed", "has_targets", "settle"]


class CardThing(NamedTuple):
    """A card in the place where it was aimed at: its life grows when it is moved or shuffled (A17)."""

    card: int
    life: int


# What is aimed at: a card in its place, or a play by its number.
Thing = CardThing | int
# The things chosen for each of an effect's targets.
Chosen = tuple[tuple[Thing, ...], ...]
# Whether a condition on options alone holds.
Holds = Callable[[Expr], bool]


class Timed(NamedTuple):
    """A target and since when it is one: the number of the play that made it so (A19)."""

    thing: Thing
    time: int


@dataclass(slots=True, eq=False)
class Play:
    """One played card (A13). `number` counts from 1; `text` is the effect in force, never one that takes another's.

    `moved`: of a play that gives new targets, for each play that it names what it gives. `settled_life`: the life of
    its card once it has been played, None until then.
    """

    number: int
    player: int
    card: int
    text: Effect
    chosen: Chosen
    moved: dict[int, Chosen] = field(default_factory=dict)
    ended: bool = False
    settled_life: int | None = None

    @property
    def named(self) -> int:
        """How many things it is aimed at, and gives to plays, of which each counts itself."""
        given = sum(1 + sum(map(len, each)) for each in self.moved.values())
        return sum(map(len, self.chosen)) + given


@dataclass(slots=True)
class Settled:
    """What a play comes to: whether it is in force, and for each of its targets what they are now."""

    in_force: bool
    targets: tuple[tuple[Timed, ...], ...]

    def things(self, targets: Targets) -> list[Thing]:
        return [thing for thing, _ in self.targets[targets.index]]


def settle(plays: Sequence[Play], holds: Holds) -> list[Settled]:
    """Each play in its place. One pass from the youngest to the oldest, since a play names older ones only (A15)."""
    settled: list[Settled] = []
    silenced: set[int] = set()
    given: dict[int, list[tuple[int, Chosen]]] = {}  # by play: who gives it new targets, youngest first
    for play in reversed(plays):
        in_force = not play.ended and play.number not in silenced
        now = Settled(in_force, _targets_now(play, given.get(play.number, ())))
        settled.append(now)
        if not in_force:
            continue
        silenced.update(_silenced_by(play.text, now, holds))
        for number, chosen in play.moved.items():
            given.setdefault(number, []).append((play.number, chosen))
    settled.reverse()
    return settled


def _targets_now(play: Play, given: Iterable[tuple[int, Chosen]]) -> tuple[tuple[Timed, ...], ...]:
    """The youngest change sets them all; what would be a target without it keeps its time (A19)."""
    now = [dict.fromkeys(things, play.number) for things in play.chosen]
    for number, chosen in sorted(given):
        now = [{thing: old.get(thing, number) for thing in new} for old, new in zip(now, chosen, strict=True)]
    return tuple(tuple(Timed(thing, time) for thing, time in times.items()) for times in now)


def _silenced_by(text: Effect, now: Settled, holds: Holds) -> Iterable[int]:
    if text.negates is None or not _negates(text, holds):
        return ()
    return [thing for thing in now.things(text.negates) if isinstance(thing, int)]


def _negates(text: Effect, holds: Holds) -> bool:
    return text.negates_if is None or holds(text.negates_if)


def has_targets(text: Effect, now: Settled, holds: Holds) -> bool:
    """Whether the play is in force and a lasting part of it names a target, also one that has gone."""
    if not now.in_force:
        return False
    if text.negates is not None and _negates(text, holds) and now.targets[text.negates.index]:
        return True
    return any(_names_targets(one, now) for one in text.alterations if one.condition is None or holds(one.condition))


def _names_targets(alteration: Alteration, now: Settled) -> bool:
    named = [one for one in (alteration.of, alteration.model) if one is not None]
    return bool(named) and all(now.targets[one.index] for one in named)
