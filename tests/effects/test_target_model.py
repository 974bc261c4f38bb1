"""Which targets may be chosen, against all ways of choosing listed and looked through.

What is legal hangs on what has been chosen before, by a table drawn at random; cards and plays, targets that have gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trionfi.effects import CardThing, NewTargets, Settled, Timed, can_meet, candidates
from trionfi.interpreter.reference.targets import option_key

quietly = settings(deadline=None, max_examples=150)
THINGS: list[Any] = [CardThing(card, life) for card in range(4) for life in (0, 1)]
PLAYS = [1, 2, 3, 4, 5]
OWN = 4  # the number of the play that gets new targets


def drawn(seed: int, chosen: Any, among: Sequence[Any]) -> list[Any]:
    """What is legal behind what has been chosen: always the same, in the order of `among`."""
    dice = Random(f"{seed} {[tuple(things) for things in chosen]}")
    return [thing for thing in among if dice.random() < 0.5]


# ---- targets of an effect


class Drawn:
    """An effect's targets as the model asks for them."""

    def __init__(self, seed: int, lows: list[int]) -> None:
        self.seed, self.lows, self.count = seed, lows, len(lows)

    def low(self, chosen: Any) -> int:
        return self.lows[len(chosen)]

    def legal(self, chosen: Any) -> list[Any]:
        return drawn(self.seed, chosen, THINGS)

    def fits(self, place: int, thing: Any) -> bool:
        return (thing.card + place) % 3 != 1


def ways(aims: Drawn, chosen: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Every way in which all targets are chosen: of each one thing, of the last as many as must be."""
    place = len(chosen)
    if place == aims.count:
        yield chosen
        return
    legal = [thing for thing in aims.legal(chosen) if aims.fits(place, thing)]
    size = aims.lows[place] if place + 1 == aims.count else 1
    if len(legal) >= aims.lows[place]:
        for things in combinations(legal, size):
            yield from ways(aims, (*chosen, things))


@quietly
@given(st.integers(0, 10**6), st.lists(st.integers(1, 2), max_size=2), st.integers(0, 4))
def test_targets_are_offered_with_which_all_can_be_chosen(seed: int, first: list[int], last: int) -> None:
    aims = Drawn(seed, [*(1 for _ in first), last])
    assert can_meet(aims) == any(True for _ in ways(aims, ()))
    if len(first) == 0:
        return
    begun = {way[0][0] for way in ways(aims, ())}
    assert set(candidates(aims, ())) == begun


# ---- new targets of a play


def new_targets(seed: int, now: list[list[Any]], among: Sequence[Any]) -> NewTargets:
    settled = Settled(True, tuple(tuple(Timed(thing, 1) for thing in things) for things in now))
    return NewTargets(OWN, settled, lambda chosen: drawn(seed, chosen, among))


def offered_by_rule(seed: int, now: list[list[Any]], among: Sequence[Any], chosen: tuple[Any, ...]) -> list[Any]:
    """Legal things, of plays older ones, and those that may be left alone."""
    legal = [one for one in drawn(seed, chosen, among) if isinstance(one, tuple) or one < OWN]
    used = [thing for things in chosen for thing in things]
    return legal + [old for old in now[len(chosen)] if old not in legal and old not in used]


def new_ways(
    seed: int, now: list[list[Any]], among: Sequence[Any], chosen: tuple[Any, ...]
) -> Iterator[tuple[Any, ...]]:
    """Every way of choosing as many things as there are, changed or not."""
    if len(chosen) == len(now):
        yield chosen
        return
    for things in combinations(offered_by_rule(seed, now, among, chosen), len(now[len(chosen)])):
        yield from new_ways(seed, now, among, (*chosen, things))


def is_change(way: tuple[Any, ...], now: list[list[Any]]) -> bool:
    return any(set(things) != set(old) for things, old in zip(way, now, strict=True))


@st.composite
def retargetings(draw: Any) -> tuple[int, list[list[Any]], list[Any]]:
    among = draw(st.sampled_from([THINGS, PLAYS]))
    several = draw(st.booleans())
    sizes = [1, 1] if several else [draw(st.integers(0, 3))]
    older = [one for one in among if isinstance(one, tuple) or one < OWN]
    now = [draw(st.lists(st.sampled_from(older), min_size=size, max_size=size, unique=True)) for size in sizes]
    return draw(st.integers(0, 10**6)), now, among


@quietly
@given(retargetings())
def test_new_targets_are_possible_if_some_way_of_choosing_changes_something(given: Any) -> None:
    seed, now, among = given
    changes = any(is_change(way, now) for way in new_ways(seed, now, among, ()))
    assert new_targets(seed, now, among).is_possible() == changes


@quietly
@given(retargetings(), st.integers(0, 10**6))
def test_each_pick_that_is_offered_leads_to_a_change_and_no_other(given: Any, moves: int) -> None:
    """All picks on one way through, drawn by `moves`: each is offered if and only if some change goes on with it."""
    seed, now, among = given
    new, dice, chosen = new_targets(seed, now, among), Random(moves), ()
    if not new.is_possible():
        return
    for place in range(len(now)):
        things, picked, first = new.things(chosen), [], 0
        assert things == offered_by_rule(seed, now, among, chosen)
        while len(picked) < len(now[place]):
            good = sorted({where(things, way[place])[len(picked)] for way in changing(given, chosen, things, picked)})
            offered = [at for at in range(first, len(things)) if new.allows(chosen, things, picked, at)]
            assert offered == good
            at = dice.choice(offered)
            picked, first = [*picked, things[at]], at + 1
        chosen = (*chosen, tuple(picked))


def where(things: list[Any], picked: Sequence[Any]) -> list[int]:
    return [things.index(thing) for thing in picked]


def changing(given: Any, chosen: tuple[Any, ...], things: list[Any], picked: list[Any]) -> list[tuple[Any, ...]]:
    """The ways that begin so and change something."""
    seed, now, among = given
    begun = new_ways(seed, now, among, chosen)
    return [way for way in begun if list(way[len(chosen)][: len(picked)]) == picked and is_change(way, now)]


# ---- what counts as one option


@pytest.mark.parametrize("life", [0, 1])
def test_a_hidden_card_is_no_copy_of_a_known_one(life: int) -> None:
    """Card 1 in its place since `life` moves, and a card of face 1 that the player knows, upright or reversed."""
    look = SimpleNamespace(face=1, reversed=bool(life))
    state: Any = SimpleNamespace(field=SimpleNamespace(is_there=lambda _: True), known=[1, 0], looks=[look, look])
    assert option_key(state, 0, CardThing(0, 0)) != option_key(state, 0, CardThing(1, life))
