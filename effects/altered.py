"""What cards are through the plays in force: always derived, never undone (rulings A14, A17..A19)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, assert_never

from trionfi.dsl.tree import Alteration
from trionfi.effects.look import Look
from trionfi.effects.plays import CardThing, Holds, Play, Settled, Timed

__all__ = ["Application", "altered", "applications"]


class Application(NamedTuple):
    """One change of one card. They go in the order of `key`: time, play, alteration, target."""

    key: tuple[int, int, int, int]
    alteration: Alteration
    thing: CardThing
    model: CardThing | None = None

    @property
    def play(self) -> int:
        """The number of the play."""
        return self.key[1]


def applications(
    plays: Sequence[Play], settled: Sequence[Settled], holds: Holds, card_of: Callable[[Play], CardThing | None]
) -> list[Application]:
    """All changes by plays in force, in order. `card_of`: the play's card while it lies where the play put it."""
    found: list[Application] = []
    for play, now in zip(plays, settled, strict=True):
        if not now.in_force:
            continue
        for place, alteration in enumerate(play.text.alterations):
            if alteration.condition is None or holds(alteration.condition):
                found.extend(_applied(play, now, place, alteration, card_of))
    found.sort(key=lambda one: one.key)
    return found


def _applied(
    play: Play, now: Settled, place: int, alteration: Alteration, card_of: Callable[[Play], CardThing | None]
) -> Iterable[Application]:
    if alteration.of is None:
        card = card_of(play)
        own = [] if card is None else [Timed(card, play.number)]
        return _each(play, place, alteration, own)
    targets = now.targets[alteration.of.index]
    if alteration.model is None:
        return _each(play, place, alteration, targets)
    # a copy is made once, at the later of the times of its two roles
    pairs = zip(targets, now.targets[alteration.model.index], strict=False)
    return [
        Application((max(one.time, model.time), play.number, place, 0), alteration, one.thing, model.thing)
        for one, model in pairs
        if isinstance(one.thing, CardThing) and isinstance(model.thing, CardThing)
    ]


def _each(play: Play, place: int, alteration: Alteration, targets: Iterable[Timed]) -> Iterable[Application]:
    return [
        Application((time, play.number, place, i), alteration, thing)
        for i, (thing, time) in enumerate(targets)
        if isinstance(thing, CardThing)
    ]


def altered(
    changes: Iterable[Application],
    start: Callable[[CardThing], Look],
    value_of: Callable[[Alteration, CardThing, Look], int | None],
    all_suits: int,
) -> dict[CardThing, Look]:
    """What each card that is changed comes to. `start`: as it is without plays; `value_of`: what an alteration sets
    on a card that is so; none sets nothing."""
    looks: dict[CardThing, Look] = {}
    for _, alteration, thing, model in changes:
        look = looks[thing] if thing in looks else start(thing)
        match alteration.kind:
            case "some":
                if not alteration.reads_own or _has_one(alteration, look):
                    look = _some(alteration, look, value_of(alteration, thing, look))
            case "every":
                look = _every(alteration, look, all_suits)
            case "no":
                look = _no(alteration, look)
            case "mark":
                look = _mark(alteration, look, value_of(alteration, thing, look))
            case "copy":
                assert model is not None, "a copy is of a card"
                look = _copy(look, looks[model] if model in looks else start(model))
            case _:
                assert_never(alteration.kind)
        looks[thing] = look
    return looks


def _has_one(alteration: Alteration, look: Look) -> bool:
    """Whether the card has exactly one of what is set: of what holds every value there is no next one."""
    if alteration.what == "suit":
        return look.suits.bit_count() == 1
    return look.rank is not None and not look.any_rank


def _some(alteration: Alteration, look: Look, value: int | None) -> Look:
    if value is None:
        return look
    return look._replace(suits=1 << value) if alteration.what == "suit" else look._replace(rank=value, any_rank=False)


def _every(alteration: Alteration, look: Look, all_suits: int) -> Look:
    return look._replace(suits=all_suits) if alteration.what == "suit" else look._replace(rank=None, any_rank=True)


def _no(alteration: Alteration, look: Look) -> Look:
    return look._replace(suits=0) if alteration.what == "suit" else look._replace(rank=None, any_rank=False)


def _mark(alteration: Alteration, look: Look, value: int | None) -> Look:
    if value is None or alteration.mark is None:
        return look
    marks = list(look.marks)
    marks[alteration.mark.index] = value
    return look._replace(marks=tuple(marks))


def _copy(look: Look, other: Look) -> Look:
    return look._replace(suits=other.suits, rank=other.rank, any_rank=other.any_rank)
