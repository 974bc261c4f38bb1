"""The model of plays against the rulings read another way: play by play, each asking all that may concern it.

Random lists of plays: suits, ranks, copies, negations of negations, new targets of new targets, cards that have gone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trionfi.dsl.source import Source, Span
from trionfi.dsl.tree import Alteration, Const, Domain, Effect, Local, Targets
from trionfi.dsl.types import CARD, NUMBER, PLAY
from trionfi.effects import CardThing, Play, Settled, altered, applications, has_targets, settle

HERE = Span(Source("effects", ""), 0, 0)
CARDS = 6
ALL_SUITS = 15

quietly = settings(deadline=None, max_examples=100)


class Look(NamedTuple):
    suits: int
    rank: int | None
    any_rank: bool = False
    marks: tuple[int, ...] = (0,)


def targets(noun: Any, place: int = 0, single: bool = False) -> Targets:
    kind = CARD if noun == "card" else PLAY
    local = Local("target", kind, place, HERE)
    number = Const(NUMBER, HERE, 1)
    return Targets(f"target{place}", place, number, number, Domain(noun, local, HERE), local, single, HERE)


def effect(name: str, aimed: list[Targets], **parts: Any) -> Effect:
    return Effect(name, HERE, 0, targets=aimed, **parts)


def on_cards(name: str, kind: Any, **parts: Any) -> Effect:
    aimed = targets("card")
    return effect(name, [aimed], alterations=[Alteration(kind, HERE, aimed, **parts)])


SUITED = [on_cards(f"suit {suit}", "some", what="suit", value=Const(NUMBER, HERE, suit)) for suit in range(3)]
EVERY_SUIT = on_cards("every suit", "every", what="suit")
EVERY_RANK = on_cards("every rank", "every", what="rank")
NO_RANK = on_cards("no rank", "no", what="rank")
RAISED = on_cards("raised", "some", what="rank", reads_own=True)
AIMED_AT_PLAYS = targets("play")
NEGATING = effect("negating", [AIMED_AT_PLAYS], negates=AIMED_AT_PLAYS)
MOVING = effect("moving", [AIMED_AT_PLAYS], retargets=AIMED_AT_PLAYS)
TWO = [targets("card", 0, True), targets("card", 1, True)]
COPYING = effect("copying", TWO, alterations=[Alteration("copy", HERE, TWO[0], model=TWO[1])])
OWN = effect("own", [], alterations=[Alteration("some", HERE, what="suit", value=Const(NUMBER, HERE, 3))])
PLAIN = effect("plain", [])
ALTERING = [*SUITED, EVERY_SUIT, EVERY_RANK, NO_RANK, RAISED]
TEXTS = [*ALTERING, RAISED, COPYING, COPYING, NEGATING, NEGATING, *[MOVING] * 5, OWN, PLAIN]


@st.composite
def a_thing(draw: Any, text: Effect, before: list[Play]) -> tuple[Any, ...]:
    """Targets for a text: cards, some of which have gone, or older plays."""
    if text is COPYING:
        return tuple((thing,) for thing in draw(st.permutations(THINGS))[:2])
    if not text.targets:
        return ()
    among: list[Any] = THINGS
    if text.targets[0].domain.noun == "play":
        # a play that gives new targets is given none itself
        among = [play.number for play in before if text is not MOVING or play.text is not MOVING]
    least = min(len(among), 2 if text is MOVING else 0)
    return (tuple(draw(st.lists(st.sampled_from(among), min_size=least, max_size=3, unique=True))) if among else (),)


THINGS = [CardThing(card, life) for card in range(CARDS) for life in ((0, 1) if card < 2 else (0,))]


@st.composite
def lists_of_plays(draw: Any) -> list[Play]:
    plays: list[Play] = []
    for number in range(1, draw(st.integers(0, 12)) + 1):
        text = draw(st.sampled_from(TEXTS))
        chosen = draw(a_thing(text, plays))
        play = Play(number, 0, draw(st.integers(0, CARDS - 1)), text, chosen, settled_life=0)
        play.ended = draw(st.sampled_from([False] * 9 + [True]))
        if text is MOVING:
            for other in chosen[0]:
                old = plays[other - 1]
                new = draw(a_thing(old.text, plays[: other - 1]))
                play.moved[other] = new if len(new) == len(old.chosen) else old.chosen
        plays.append(play)
    return plays


def holds(_condition: Any) -> bool:
    return True


def printed(thing: CardThing) -> Look:
    return Look(1 << thing.card % 4, 2 * thing.card + thing.life)


def value_of(alteration: Alteration, _thing: CardThing, look: Look) -> int | None:
    if isinstance(alteration.value, Const):
        return alteration.value.value  # type: ignore[return-value]
    assert look.rank is not None
    return look.rank + 1 if look.rank < 12 else None


def card_of(play: Play) -> CardThing | None:
    return CardThing(play.card, 0) if play.card < 4 else None


def looks(plays: list[Play]) -> dict[CardThing, Look]:
    """What all cards are, changed or not."""
    changes = applications(plays, settle(plays, holds), holds, card_of)
    found = altered(changes, printed, value_of, ALL_SUITS)
    return {thing: found.get(thing, printed(thing)) for thing in THINGS}


# ---- the same, another way


class Slowly:
    """Each question asks others, however often."""

    def __init__(self, plays: list[Play]) -> None:
        self.plays = plays

    def in_force(self, play: Play) -> bool:
        younger = self.plays[play.number :]
        judges = [one for one in younger if one.text is NEGATING and self.in_force(one)]
        return not play.ended and not any(play.number in self.targets(one, 0) for one in judges)

    def targets(self, play: Play, place: int, before: int = 99) -> dict[Any, int]:
        """Things with times, by the changes of plays before a number."""
        movers = [one for one in self.plays if play.number < one.number < before and play.number in one.moved]
        movers = [one for one in movers if self.in_force(one)]
        if not movers:
            return dict.fromkeys(play.chosen[place], play.number)
        youngest = movers[-1]
        otherwise = self.targets(play, place, youngest.number)
        return {t: otherwise.get(t, youngest.number) for t in youngest.moved[play.number][place]}

    def changes(self) -> list[tuple[tuple[int, int, int], Play, CardThing, CardThing | None]]:
        found: list[tuple[tuple[int, int, int], Play, CardThing, CardThing | None]] = []
        for play in (one for one in self.plays if one.text.alterations and self.in_force(one)):
            card = card_of(play)
            if play.text is COPYING:
                ((becoming, first),), ((model, second),) = (self.targets(play, i).items() for i in (0, 1))
                found.append(((max(first, second), play.number, 0), play, becoming, model))
            elif play.text is not OWN:
                each = enumerate(self.targets(play, 0).items())
                found += [((time, play.number, i), play, thing, None) for i, (thing, time) in each]
            elif card is not None:
                found.append(((play.number, play.number, 0), play, card, None))
        return sorted(found, key=lambda one: one[0])

    def look(self, thing: CardThing, count: int | None = None) -> Look:
        """What a card is after the first changes."""
        all_changes = self.changes()
        changes = all_changes if count is None else all_changes[:count]
        for place in range(len(changes) - 1, -1, -1):
            _, play, changed, model = changes[place]
            if changed == thing:
                before = self.look(thing, place)
                if model is None:
                    return CHANGED[play.text.name.split()[0]](before, play.text)
                other = self.look(model, place)
                return before._replace(suits=other.suits, rank=other.rank, any_rank=other.any_rank)
        return printed(thing)


def raised(look: Look, _text: Effect) -> Look:
    return look if look.any_rank or look.rank is None or look.rank >= 12 else look._replace(rank=look.rank + 1)


CHANGED: dict[str, Callable[[Look, Effect], Look]] = {
    "suit": lambda look, text: look._replace(suits=1 << int(text.name[-1])),
    "every": lambda look, text: (
        look._replace(suits=ALL_SUITS) if text is EVERY_SUIT else look._replace(rank=None, any_rank=True)
    ),
    "no": lambda look, _text: look._replace(rank=None, any_rank=False),
    "raised": raised,
    "own": lambda look, _text: look._replace(suits=8),
}


@quietly
@given(lists_of_plays())
def test_plays_in_force_and_their_targets(plays: list[Play]) -> None:
    slowly = Slowly(plays)
    for play, now in zip(plays, settle(plays, holds), strict=True):
        assert now.in_force == slowly.in_force(play)
        for place, timed in enumerate(now.targets):
            assert dict(timed) == slowly.targets(play, place)


@quietly
@given(lists_of_plays())
def test_what_cards_are(plays: list[Play]) -> None:
    slowly = Slowly(plays)
    assert looks(plays) == {thing: slowly.look(thing) for thing in THINGS}
    assert looks(plays) == looks(plays)


def test_the_youngest_change_in_force_sets_all_targets_and_what_stays_keeps_its_time() -> None:
    """Rulings A19, with two changes of one play, then one, then none."""
    a, b, c, d = THINGS[3:7]
    plays = [play_of(1, SUITED[0], (a, b)), play_of(2, MOVING, (1,)), play_of(3, MOVING, (1,))]
    plays[1].moved[1] = ((a, c),)
    plays[2].moved[1] = ((c, d),)
    assert dict(settle(plays, holds)[0].targets[0]) == {c: 2, d: 3}
    plays.append(play_of(4, NEGATING, (3,)))
    assert dict(settle(plays, holds)[0].targets[0]) == {a: 1, c: 2}
    plays.append(play_of(5, NEGATING, (2,)))
    assert dict(settle(plays, holds)[0].targets[0]) == {a: 1, b: 1}
    plays.append(play_of(6, NEGATING, (4,)))
    assert dict(settle(plays, holds)[0].targets[0]) == {c: 3, d: 3}


def play_of(number: int, text: Effect, *chosen: Any) -> Play:
    return Play(number, 0, 5, text, chosen, settled_life=0)


@quietly
@given(lists_of_plays())
def test_negating_the_newest_play_is_as_if_it_had_never_been_and_negating_that_restores_it(plays: list[Play]) -> None:
    """Rulings A16."""
    if not plays or plays[-1].ended:
        return
    number = plays[-1].number
    negated = [*plays, play_of(number + 1, NEGATING, (number,))]
    assert looks(negated) == looks(plays[:-1])
    assert looks([*negated, play_of(number + 2, NEGATING, (number + 1,))]) == looks(plays)


@quietly
@given(lists_of_plays())
def test_with_everything_negated_all_is_as_printed(plays: list[Play]) -> None:
    judges = [play_of(len(plays) + 1 + i, NEGATING, (play.number,)) for i, play in enumerate(plays)]
    assert looks([*plays, *judges]) == {thing: printed(thing) for thing in THINGS}


@pytest.mark.parametrize(
    ("text", "chosen", "has"),
    [
        (SUITED[0], ((THINGS[0],),), True),
        (SUITED[0], ((),), False),
        (COPYING, ((THINGS[0],), (THINGS[3],)), True),
        (NEGATING, ((1,),), True),
        (MOVING, ((1,),), False),
        (OWN, (), False),
        (PLAIN, (), False),
    ],
)
def test_has_targets(text: Effect, chosen: Any, has: bool) -> None:
    plays = [play_of(1, PLAIN), play_of(2, text, *chosen)]
    assert has_targets(text, settle(plays, holds)[1], holds) == has
    silent = [*plays, play_of(3, NEGATING, (2,))]
    assert not has_targets(text, settle(silent, holds)[1], holds)


def test_a_negation_under_an_option_that_does_not_hold_silences_nothing() -> None:
    aimed = targets("play")
    text = effect("final", [aimed], negates=aimed, negates_if=Const(NUMBER, HERE, 0))
    plays = [play_of(1, SUITED[0], (THINGS[0],)), play_of(2, text, (1,))]
    assert [one.in_force for one in settle(plays, lambda _condition: False)] == [True, True]
    assert [one.in_force for one in settle(plays, holds)] == [False, True]
    assert not has_targets(text, settle(plays, lambda _condition: False)[1], lambda _condition: False)


def test_a_settled_play_names_its_things() -> None:
    plays = [play_of(1, COPYING, (THINGS[0],), (THINGS[3],))]
    now: Settled = settle(plays, holds)[0]
    assert [now.things(one) for one in COPYING.targets] == [[THINGS[0]], [THINGS[3]]]
