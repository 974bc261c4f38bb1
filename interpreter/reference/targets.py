"""What plays are aimed at: which targets there are, and the choice of them (docs/meaning.md, Plays and effects).

In the frame of an effect cards and plays are what they are everywhere; outside it they are things, cards with their
lives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from trionfi.dsl.tree import Effect, Targets
from trionfi.effects import CardThing, Play, Thing
from trionfi.effects.field import Field
from trionfi.effects.targets import NewTargets, can_meet, candidates
from trionfi.interpreter.decision import Option, Text
from trionfi.interpreter.decision import Thing as OptionThing
from trionfi.interpreter.errors import InternalError
from trionfi.interpreter.once import made_property
from trionfi.interpreter.reference.compiler import Asking, Compiler, Frame, Value
from trionfi.interpreter.reference.decisions import Asked, Limits, Series, grouped, pick_decision, pick_option
from trionfi.interpreter.reference.queries import Things, domain, found
from trionfi.interpreter.reference.reasons import missing_things
from trionfi.interpreter.state import State
from trionfi.interpreter.texts import UNKNOWN_CARD

__all__ = ["EffectText", "field_of", "play_of", "text_of"]

Chosen = tuple[tuple[Thing, ...], ...]


def field_of(s: State) -> Field:
    if s.field is None:
        raise InternalError("a game without effects has no plays")
    return s.field


def text_of(effect: Effect, c: Compiler) -> EffectText:
    """An effect made ready to be played; made once."""
    made: EffectText = c.evaluator(effect, EffectText)
    return made


class Aim(NamedTuple):
    """One of an effect's targets, compiled."""

    targets: Targets
    found: Callable[[State, Frame], list[Any]]
    low: Value
    high: Value | None
    asked: Asked

    @property
    def noun(self) -> str:
        return self.targets.domain.noun


class EffectText:
    """An effect as both a player and the rules ask about it. `size`: how many locals its own frame has."""

    def __init__(self, effect: Effect, c: Compiler) -> None:
        self.effect = effect
        self.c = c
        self.size = max((local.index + 1 for local in effect.locals), default=1)

    @made_property
    def aims(self) -> list[Aim]:
        return [self._aim(targets) for targets in self.effect.targets]

    def _aim(self, targets: Targets) -> Aim:
        things: Things = domain(targets.domain, self.c)
        asked = Asked(
            f"{self.effect.name}: {targets.name}", targets.domain.noun, targets.domain.local.type, targets.span
        )
        high = None if targets.high is None else self.c.value(targets.high)
        return Aim(targets, found(things), self.c.value(targets.low), high, asked)

    def frame(self, player: int) -> Frame:
        return [player, *[None] * (self.size - 1)]

    # ---- whether it can be played

    def is_playable(self, s: State, player: int) -> bool:
        """Whether the player could choose all targets now."""
        return can_meet(AimsNow(self, s, player))

    def legal(self, s: State, player: int, chosen: Chosen) -> list[Any]:
        """What is legal now for the next targets, by the effect's own words."""
        f = self.frame(player)
        for aim, things in zip(self.aims, chosen, strict=False):
            bind(f, aim, things)
        return self.aims[len(chosen)].found(s, f)

    # ---- choosing

    def choose(self, s: State, player: int) -> Asking:
        """Asks for all targets; gives the things chosen for each."""
        f = self.frame(player)
        chosen: Chosen = ()
        for aim in self.aims:
            picked = yield from self._pick(s, f, chosen)
            f[aim.targets.local.index] = picked[0] if aim.targets.single else tuple(picked)
            chosen = (*chosen, tuple(as_thing(s, aim, value) for value in picked))
        return chosen

    def _pick(self, s: State, f: Frame, chosen: Chosen) -> Asking:
        aim = self.aims[len(chosen)]
        series = self._series(s, f, chosen)
        while len(series.picked) < series.limits.high:
            offered, stop = series.offered(), series.may_stop()
            decision = pick_decision(s, aim.asked, series, offered, stop)
            decision.why = partial(missing_things, aim.targets.domain, s, f, self.c, series.player)
            move = yield decision
            if move is None:
                series = series if series.picked else self._series(s, f, chosen)
            elif move == len(offered):
                break
            else:
                series.picked.append(offered[move])
        return series.values()

    def _series(self, s: State, f: Frame, chosen: Chosen) -> Series:
        aim = self.aims[len(chosen)]
        things = [as_value(thing) for thing in candidates(AimsNow(self, s, f[0]), chosen)]
        together, keys = grouped(s, f[0], aim.noun, things)
        high = len(together) if aim.high is None else aim.high(s, f)
        return Series(f[0], together, keys, Limits(aim.low(s, f), high), [])

    def choose_new(self, s: State, player: int, chosen: Chosen) -> Asking:
        """Of an effect that gives new targets: what it gives to each play that was chosen."""
        moved: dict[int, Chosen] = {}
        if self.effect.retargets is not None:
            for number in chosen[self.effect.retargets.index]:
                play = play_of(s, as_number(number))
                moved[play.number] = yield from Retargeting(text_of(play.text, self.c), play, player).choose(s)
        return moved


def play_of(s: State, number: int) -> Play:
    """The play of a number that is known to be one."""
    return field_of(s).plays[number - 1]


def as_thing(s: State, aim: Aim, value: int) -> Thing:
    return field_of(s).thing(value) if aim.noun == "card" else value


def as_value(thing: Thing) -> int:
    return thing.card if isinstance(thing, CardThing) else thing


def as_number(thing: Thing) -> int:
    if isinstance(thing, CardThing):
        raise InternalError("a card stands where a play is wanted")
    return thing


# ---- new targets


class AimsNow:
    """The targets of an effect as a player may choose them now."""

    def __init__(self, text: EffectText, s: State, player: int) -> None:
        self.text, self.s, self.player = text, s, player
        self.count = len(text.aims)

    def low(self, chosen: Chosen) -> int:
        f = self.text.frame(self.player)
        for aim, things in zip(self.text.aims, chosen, strict=False):
            bind(f, aim, things)
        least: int = self.text.aims[len(chosen)].low(self.s, f)
        return least

    def legal(self, chosen: Chosen) -> list[Thing]:
        aim = self.text.aims[len(chosen)]
        return [as_thing(self.s, aim, value) for value in self.text.legal(self.s, self.player, chosen)]

    def fits(self, place: int, thing: Thing) -> bool:
        effect = self.text.effect
        if effect.becomes is not None:
            return text_of(play_of(self.s, as_number(thing)).text, self.text.c).is_playable(self.s, self.player)
        if effect.retargets is self.text.aims[place].targets:
            play = play_of(self.s, as_number(thing))
            other = Retargeting(text_of(play.text, self.text.c), play, self.player)
            return field_of(self.s).has_targets(play) and other.of(self.s).is_possible()
        return True


def bind(f: Frame, aim: Aim, things: Sequence[Thing]) -> None:
    """Targets that have been chosen, as the next ones speak of them."""
    values = tuple(as_value(thing) for thing in things)
    f[aim.targets.local.index] = values[0] if aim.targets.single and values else values or None


class Retargeting:
    """Asks for new targets for a play by a player who plays its text as if now."""

    def __init__(self, text: EffectText, play: Play, player: int) -> None:
        self.text = text
        self.play = play
        self.player = player

    def of(self, s: State) -> NewTargets:
        """What the model says of them as things are."""

        def legal(chosen: Chosen) -> list[Thing]:
            aim = self.text.aims[len(chosen)]
            return [as_thing(s, aim, value) for value in self.text.legal(s, self.player, chosen)]

        return NewTargets(self.play.number, field_of(s).now(self.play), legal)

    def choose(self, s: State) -> Asking:
        chosen: Chosen = ()
        for _ in self.text.aims:
            picked: list[Thing] = yield from self._pick(s, chosen)
            chosen = (*chosen, tuple(picked))
        return chosen

    def _pick(self, s: State, chosen: Chosen) -> Asking:
        """As many picks as there are targets; each is made behind the one before."""
        asked, new = self.text.aims[len(chosen)].asked, self.of(s)
        count = len(new.now[len(chosen)])
        series = self._series(s, new, chosen, count)
        while len(series.picked) < count:
            offered = list(self._offered(new, chosen, series))
            move = yield pick_decision(s, asked, series, offered, False, thing_option)
            if move is not None:
                series.picked.append(offered[move])
            elif not series.picked:
                new = self.of(s)
                series = self._series(s, new, chosen, count)
        return series.values()

    def _series(self, s: State, new: NewTargets, chosen: Chosen, count: int) -> Series:
        by_key: dict[Any, list[Thing]] = {}
        for thing in new.things(chosen):
            by_key.setdefault(option_key(s, self.player, thing), []).append(thing)
        together = [thing for group in by_key.values() for thing in group]
        keys = [key for key, group in by_key.items() for _ in group]
        return Series(self.player, together, keys, Limits(count, count), [])

    def _offered(self, new: NewTargets, chosen: Chosen, series: Series) -> Iterator[int]:
        first = series.picked[-1] + 1 if series.picked else 0
        before: Any = None
        for place in range(first, len(series.things)):
            if series.keys[place] == before:
                continue
            if new.allows(chosen, series.things, series.values(), place):
                before = series.keys[place]
                yield place


def option_key(s: State, player: int, thing: Thing) -> Any:
    """Copies of a card that the player knows are one option, and so are no other things. (A thing is a tuple of two
    numbers, too, which must not equal a face and its orientation.)"""
    if not isinstance(thing, CardThing) or not field_of(s).is_there(thing):
        return "thing", thing
    if not s.known[thing.card] >> player & 1:
        return "thing", thing
    look = s.looks[thing.card]
    return "face", look.face, look.reversed


def thing_option(s: State, player: int, asked: Asked, thing: Thing) -> Option:
    """The option of a thing; of a card that has gone the name that it had, for those who knew it."""
    field = field_of(s)
    if not isinstance(thing, CardThing) or field.is_there(thing):
        return pick_option(s, player, asked, as_value(thing))
    gone = field.gone[thing]
    name = s.table.ruleset.faces[gone.look.face].name
    known = gone.known >> player & 1
    texts = [Text(name if gone.known == s.table.everyone else UNKNOWN_CARD)]
    return Option(name if known else UNKNOWN_CARD, (OptionThing(asked.noun, thing.card),), texts=texts)
