"""What the core's operations on plays do: they ask and tell the field, which keeps the model of effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.core.desugar.alterations import alteration_value, condition_of
from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.core.types import CARD
from trionfi.dsl import tree
from trionfi.effects import CardThing, Look, Play, Thing
from trionfi.effects.field import Field
from trionfi.interpreter.core_engine.meanings import CoreHost, Meaning, means, reads
from trionfi.interpreter.state import State

__all__ = ["CoreAlterations"]


def field_of(s: State) -> Field:
    assert s.field is not None, "a game without effects has no plays"
    return s.field


def play_of(s: State, number: int) -> Play:
    return field_of(s).plays[number - 1]


def of_play(op: Op, value: Callable[[Field, Play], Any]) -> None:
    """An operation on one of the plays."""
    reads(op, lambda s, number: value(field_of(s), play_of(s, number)))


def own_card(field: Field, play: Play) -> int | None:
    thing = field.card_of(play)
    return None if thing is None else thing.card


of_play(Op.PLAYER_OF, lambda _field, play: play.player)
of_play(Op.TEXT_OF, lambda _field, play: play.text.index)
of_play(Op.CARD_OF, own_card)
of_play(Op.IN_FORCE, lambda field, play: field.now(play).in_force)
of_play(Op.HAS_TARGETS, lambda field, play: field.has_targets(play))
reads(Op.IS_PLAY, lambda s, number: s.field is not None and 1 <= number <= len(s.field.plays))


# ---- what is aimed at


def targets_now(s: State, number: int, place: int) -> tuple[Thing, ...]:
    now = field_of(s).now(play_of(s, number)).targets
    return tuple(timed.thing for timed in now[place]) if place < len(now) else ()


def named_by(s: State, number: int) -> tuple[Thing, ...]:
    play = play_of(s, number)
    return tuple(thing for each in (play.chosen, *play.moved.values()) for things in each for thing in things)


@means(Op.TARGET)
def target(node: Let, _host: CoreHost) -> Meaning:
    if node.args[0].type == CARD:
        return lambda s, card: field_of(s).thing(card)
    return lambda _s, play: play


reads(Op.TARGETS_NOW, targets_now)
reads(Op.NAMED_BY, named_by)
reads(Op.AIMED, lambda s: field_of(s).aimed)
reads(Op.TARGET_CARD, lambda _s, thing: thing.card if isinstance(thing, CardThing) else None)
reads(Op.TARGET_PLAY, lambda _s, thing: None if isinstance(thing, CardThing) else thing)
reads(Op.IS_THERE, lambda s, thing: field_of(s).is_there(thing))


# ---- plays come and go


@means(Op.ENTER_PLAY)
def enter_play(node: Let, host: CoreHost) -> Meaning:
    effect = next(one for one in host.rules.effects if one.name == node.about[0])

    def enter(s: State, player: int, card: int, *lists: tuple[Thing, ...]) -> int:
        field = field_of(s)
        chosen = lists[: len(effect.targets)]
        moved = {}
        if effect.retargets is not None:
            moved = shared_out(field, chosen[effect.retargets.index], lists[-1])
        field.enter(Play(len(field.plays) + 1, player, card, effect, chosen, moved))
        return len(field.plays)

    return enter


def shared_out(
    field: Field, plays: tuple[Thing, ...], given: tuple[Thing, ...]
) -> dict[int, tuple[tuple[Thing, ...], ...]]:
    """By play what it is given: as many of each of its targets as it has."""
    rest = iter(given)
    moved = {}
    for number in plays:
        assert isinstance(number, int), "new targets are given to plays"
        now = field.now(field.plays[number - 1]).targets
        moved[number] = tuple(tuple(next(rest) for _ in targets) for targets in now)
    return moved


def finish_play(s: State, number: int) -> None:
    field, play = field_of(s), play_of(s, number)
    play.settled_life = field.lives[play.card]
    field.renew()


reads(Op.FINISH_PLAY, finish_play)
reads(Op.END_PLAYS, lambda s, numbers: field_of(s).end([play_of(s, number) for number in numbers]))
reads(Op.CLEAR_PLAYS, lambda s: field_of(s).end_all())


# ---- what the model asks


class CoreAlterations:
    """What alterations set and whether conditions hold, by functions of the core; `call` calls one."""

    def __init__(self, rules: tree.Ruleset, call: Callable[..., Any]) -> None:
        self._call = call
        self._conditions: dict[int, str] = {}
        self._values: dict[int, str] = {}
        for effect in rules.effects:
            if effect.negates_if is not None:
                self._conditions[id(effect.negates_if)] = condition_of(effect, None)
            for one in effect.alterations:
                self._values[id(one)] = alteration_value(effect, one)
                if one.condition is not None:
                    self._conditions[id(one.condition)] = condition_of(effect, one)

    def holds(self, condition: tree.Expr) -> bool:
        """Conditions read options alone, and no state."""
        return bool(self._call(self._conditions[id(condition)], None))

    def value_of(self, s: State, alteration: tree.Alteration, card: int, look: Look) -> int | None:
        """What is set on a card that looks so."""
        if alteration.value is None:
            return None
        own, s.looks[card] = s.looks[card], look
        try:
            value: int | None = self._call(self._values[id(alteration)], s, card)
        finally:
            s.looks[card] = own
        return value
