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
from trionfi.interpreter.decision import Option, Text
from trionfi.interpreter.decision import Thing as OptionThing
from trionfi.interpreter.errors import InternalError
from trionfi.interpreter.field import Field
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
        return self._can_meet(s, self.frame(player), 0)

    def _can_meet(self, s: State, f: Frame, place: int) -> bool:
        """Whether the targets from this place on can be chosen, the earlier ones being in the frame."""
        if place == len(self.aims):
            return True
        low: int = self.aims[place].low(s, f)
        return len(self.candidates(s, f, place)) >= low

    def candidates(self, s: State, f: Frame, place: int) -> list[Any]:
        """The things that may be chosen here, in order: those with which all that follows can be chosen."""
        aim = self.aims[place]
        things, player = aim.found(s, f), f[0]
        if self.effect.becomes is not None:
            things = [number for number in things if self._text_of(s, number).is_playable(s, player)]
        elif self.effect.retargets is aim.targets:
            things = [number for number in things if self._can_change(s, number, player)]
        if place + 1 == len(self.aims):
            return things
        return [thing for thing in things if self._leads_on(s, f, place, thing)]

    def _leads_on(self, s: State, f: Frame, place: int, thing: Any) -> bool:
        f[self.aims[place].targets.local.index] = thing
        return self._can_meet(s, f, place + 1)

    def _text_of(self, s: State, number: int) -> EffectText:
        return text_of(play_of(s, number).text, self.c)

    def _can_change(self, s: State, number: int, player: int) -> bool:
        play = play_of(s, number)
        return field_of(s).has_targets(play) and NewTargets(text_of(play.text, self.c), play, player).is_possible(s)

    # ---- choosing

    def choose(self, s: State, player: int) -> Asking:
        """Asks for all targets; gives the things chosen for each."""
        f = self.frame(player)
        chosen: list[tuple[Thing, ...]] = []
        for place, aim in enumerate(self.aims):
            picked = yield from self._pick(s, f, place)
            f[aim.targets.local.index] = picked[0] if aim.targets.single else tuple(picked)
            chosen.append(tuple(as_thing(s, aim, value) for value in picked))
        return tuple(chosen)

    def _pick(self, s: State, f: Frame, place: int) -> Asking:
        aim = self.aims[place]
        series = self._series(s, f, place)
        while len(series.picked) < series.limits.high:
            offered, stop = series.offered(), series.may_stop()
            decision = pick_decision(s, aim.asked, series, offered, stop)
            decision.why = partial(missing_things, aim.targets.domain, s, f, self.c, series.player)
            move = yield decision
            if move is None:
                series = series if series.picked else self._series(s, f, place)
            elif move == len(offered):
                break
            else:
                series.picked.append(offered[move])
        return series.values()

    def _series(self, s: State, f: Frame, place: int) -> Series:
        aim = self.aims[place]
        together, keys = grouped(s, f[0], aim.noun, self.candidates(s, f, place))
        high = len(together) if aim.high is None else aim.high(s, f)
        return Series(f[0], together, keys, Limits(aim.low(s, f), high), [])

    def choose_new(self, s: State, player: int, chosen: Chosen) -> Asking:
        """Of an effect that gives new targets: what it gives to each play that was chosen."""
        moved: dict[int, Chosen] = {}
        if self.effect.retargets is not None:
            for number in chosen[self.effect.retargets.index]:
                play = play_of(s, as_number(number))
                moved[play.number] = yield from NewTargets(text_of(play.text, self.c), play, player).choose(s)
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


class NewTargets:
    """The choice of new targets for a play by a player who plays its text as if now.

    As many things as before, a target may be left alone, but as a whole they must change.
    """

    def __init__(self, text: EffectText, play: Play, player: int) -> None:
        self.text = text
        self.play = play
        self.player = player

    def now(self, s: State, place: int) -> list[Thing]:
        """What the play is aimed at."""
        return field_of(s).now(self.play).things(self.text.aims[place].targets)

    def is_possible(self, s: State) -> bool:
        return self._can_go_on(s, self.text.frame(self.player), [], False)

    def _can_go_on(self, s: State, f: Frame, chosen: list[tuple[Thing, ...]], changed: bool) -> bool:
        """Whether the rest can be chosen so that something changes."""
        if len(chosen) == len(self.text.aims):
            return changed
        things = self.things(s, f, chosen)
        if not self.now(s, len(chosen)):
            return self._can_go_on(s, f, [*chosen, ()], changed)
        return any(self._allows(s, f, chosen, changed, things, [], place) for place in range(len(things)))

    def things(self, s: State, f: Frame, chosen: Sequence[tuple[Thing, ...]]) -> list[Thing]:
        """Those that are legal now, then those that may be left alone."""
        place = len(chosen)
        aim = self.text.aims[place]
        legal = [as_thing(s, aim, value) for value in aim.found(s, f)]
        if aim.noun == "play":
            legal = [thing for thing in legal if as_number(thing) < self.play.number]
        taken = {thing for things in chosen for thing in things}
        return [*legal, *(old for old in self.now(s, place) if old not in legal and old not in taken)]

    def _allows(
        self,
        s: State,
        f: Frame,
        chosen: list[tuple[Thing, ...]],
        changed: bool,
        things: list[Thing],
        picked: list[Thing],
        place: int,
    ) -> bool:
        """Whether the thing at a place may be picked next: enough stay behind it, and a change can still come."""
        now = self.now(s, len(chosen))
        partial, behind = [*picked, things[place]], things[place + 1 :]
        rest = len(now) - len(partial)
        if len(behind) < rest:
            return False
        if len(chosen) + 1 < len(self.text.aims):
            # of several targets each is one thing
            self._bind(f, len(chosen), partial)
            return self._can_go_on(s, f, [*chosen, tuple(partial)], changed or partial != now)
        if changed or any(thing not in now for thing in partial) or (rest and len(behind) > rest):
            return True
        return any(thing not in now for thing in behind) if rest else False

    def _bind(self, f: Frame, place: int, picked: Sequence[Thing]) -> None:
        targets = self.text.aims[place].targets
        values = tuple(as_value(thing) for thing in picked)
        f[targets.local.index] = values[0] if targets.single and values else values or None

    def choose(self, s: State) -> Asking:
        f = self.text.frame(self.player)
        chosen: list[tuple[Thing, ...]] = []
        changed = False
        for place in range(len(self.text.aims)):
            picked: list[Thing] = yield from self._pick(s, f, chosen, changed)
            changed = changed or set(picked) != set(self.now(s, place))
            chosen.append(tuple(picked))
            self._bind(f, place, picked)
        return tuple(chosen)

    def _pick(self, s: State, f: Frame, chosen: list[tuple[Thing, ...]], changed: bool) -> Asking:
        """As many picks as there are targets; each is made behind the one before."""
        asked = self.text.aims[len(chosen)].asked
        count = len(self.now(s, len(chosen)))
        series = self._series(s, f, chosen, count)
        while len(series.picked) < count:
            offered = list(self._offered(s, f, chosen, changed, series))
            move = yield pick_decision(s, asked, series, offered, False, thing_option)
            if move is not None:
                series.picked.append(offered[move])
            elif not series.picked:
                series = self._series(s, f, chosen, count)
        return series.values()

    def _series(self, s: State, f: Frame, chosen: list[tuple[Thing, ...]], count: int) -> Series:
        things = self.things(s, f, chosen)
        by_key: dict[Any, list[Thing]] = {}
        for thing in things:
            by_key.setdefault(self._key(s, thing), []).append(thing)
        together = [thing for group in by_key.values() for thing in group]
        keys = [key for key, group in by_key.items() for _ in group]
        return Series(self.player, together, keys, Limits(count, count), [])

    def _key(self, s: State, thing: Thing) -> Any:
        """Copies of a card that the player knows are one option."""
        if not isinstance(thing, CardThing) or not field_of(s).is_there(thing):
            return thing
        if not s.known[thing.card] >> self.player & 1:
            return thing
        look = s.looks[thing.card]
        return look.face, look.reversed

    def _offered(
        self, s: State, f: Frame, chosen: list[tuple[Thing, ...]], changed: bool, series: Series
    ) -> Iterator[int]:
        first = series.picked[-1] + 1 if series.picked else 0
        before: Any = None
        for place in range(first, len(series.things)):
            if series.keys[place] == before:
                continue
            if self._allows(s, f, chosen, changed, series.things, series.values(), place):
                before = series.keys[place]
                yield place


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
