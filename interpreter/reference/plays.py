"""Playing cards with effects, and what is asked of plays (docs/meaning.md, Plays and effects)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.limits import MOST_AIMED
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Alteration, Procedure
from trionfi.effects import Look, Play, Thing
from trionfi.effects.field import Meaning
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.attributes import attribute
from trionfi.interpreter.reference.compiler import (
    Asking,
    Compiler,
    Frame,
    Script,
    Step,
    Value,
    as_asking,
    frame_size,
    meaning,
    statement,
)
from trionfi.interpreter.reference.expressions import needed
from trionfi.interpreter.reference.queries import noun
from trionfi.interpreter.reference.targets import EffectText, as_value, field_of, text_of
from trionfi.interpreter.state import State

__all__ = ["Alterations", "effect_meaning", "event_runner"]

declare_codes(
    {
        "no-effect-card": "A card that is played has an effect.",
        "too-many-targets": f"All plays together are aimed at no more than {MOST_AIMED:,} things.",
        "too-many-plays": "There are at most as many plays at a time as their zone has places.",
        "no-such-play": "A play is one of those that have not ended.",
    }
)


class Alterations:
    """What alterations set and whether their conditions hold, compiled once for all games."""

    def __init__(self, c: Compiler) -> None:
        self.c = c
        self._values: dict[int, Callable[[int, State], int | None]] = {}
        self._conditions: dict[int, bool] = {}

    def holds(self, condition: tree.Expr) -> bool:
        if id(condition) not in self._conditions:
            self._conditions[id(condition)] = bool(self.c.value(condition)(None, []))
        return self._conditions[id(condition)]

    def value_of(self, s: State, alteration: Alteration, card: int, look: Look) -> int | None:
        if id(alteration) not in self._values:
            self._values[id(alteration)] = alteration_value(alteration, self.c)
        own, s.looks[card] = s.looks[card], look
        try:
            return self._values[id(alteration)](card, s)
        finally:
            s.looks[card] = own


def effect_meaning(s: State, alterations: Alterations) -> Meaning:
    """What a game's field of plays asks of the engine."""
    return Meaning(alterations.holds, lambda one, card, look: alterations.value_of(s, one, card, look))


def alteration_value(alteration: Alteration, c: Compiler) -> Callable[[int, State], int | None]:
    """What an alteration sets on a card, which looks as it does at that point."""
    expr = alteration.value
    if expr is None:
        return lambda _card, _s: None
    value, size = c.value(expr), frame_size(expr)
    slot = alteration.card.index if alteration.card is not None else 0

    def read(card: int, s: State) -> int | None:
        f: Frame = [None] * max(size, slot + 1)
        f[slot] = card
        found: int | None = value(s, f)
        return found

    return read


# ---- statements


@statement(tree.PlayCard)
def run_play_card(node: tree.PlayCard, c: Compiler) -> Step:
    player, card = needed(node.player, c), needed(node.card, c)
    enter = play_entry(node.span, c)

    def run(s: State, f: Frame) -> Asking:
        who, played = player(s, f), card(s, f)
        hold_log(s, True)
        try:
            play = yield from enter(s, who, played)
        finally:
            hold_log(s, False)
        yield from asking_script(play.text.when_played, c)(s, arguments(s, play))
        field = field_of(s)
        play.settled_life = field.lives[play.card]
        field.renew()

    return Step(run, asks=True)


def play_entry(span: Span, c: Compiler) -> Callable[[State, int, int], Asking]:
    """Everything up to `when played`: the choices, the entry on the field, what each effect does with its targets."""
    to = next(family for family in c.ruleset.zones if family.shape == "plays")
    zone = c.table.zone_number(to, 0, 1)
    when_chosen = asking_script(c.ruleset.when_chosen, c)

    def enter(s: State, player: int, card: int) -> Asking:
        field = field_of(s)
        effect = field.effect_of.get(s.looks[card].face)
        if effect is None:
            fail("no-effect-card", f"{s.name_of(card)} has no effect", span)
        if len(field.plays) >= to.plays:
            fail("too-many-plays", f"`{to.name}` holds {to.plays} plays, another does not fit", span)
        text = yield from chosen_text(s, player, text_of(effect, c), c)
        chosen = yield from text.choose(s, player)
        moved = yield from text.choose_new(s, player, chosen)
        play = Play(len(field.plays) + 1, player, card, text.effect, chosen, moved)
        if play.named + field.aimed > MOST_AIMED:
            fail("too-many-targets", f"plays are aimed at more than {MOST_AIMED:,} things", text.effect.span)
        field.enter(play)
        s.take(card, span)
        s.put(card, zone, None, span)
        things = [thing for each in (chosen, *moved.values()) for things in each for thing in things]
        yield from when_chosen(s, [player, play.number, tuple(field.cards(things))])
        return play

    return enter


def hold_log(s: State, held: bool) -> None:
    """What is chosen for a play is told when its targets lie open, before what is played does anything."""
    if s.log is not None:
        s.log.hold(held)
        s.log.close(s)


def chosen_text(s: State, player: int, text: EffectText, c: Compiler) -> Asking:
    """The text in force: the card's own, or that of the play which it takes it from."""
    if text.effect.becomes is None:
        return text
    chosen = yield from text.choose(s, player)
    number: int = chosen[text.effect.becomes.index][0]
    return text_of(field_of(s).plays[number - 1].text, c)


def asking_script(procedure: Procedure | None, c: Compiler) -> Callable[[State, list[Any]], Asking]:
    """A script of an effect, called with its parameters."""
    if procedure is None:
        return as_asking(lambda _s, _arguments: None)

    def run(s: State, arguments: list[Any]) -> Asking:
        script: Script = c.script(procedure)
        frame = [*arguments, *[None] * (script.size - len(arguments))]
        if script.asks:
            yield from script.run(s, frame)
        else:
            script.run(s, frame)

    return run


def arguments(s: State, play: Play) -> list[Any]:
    """What a script of a play is given: player, the play, and its targets that are still there."""
    field = field_of(s)
    given: list[Any] = [play.player, play.number]
    for targets in play.text.targets:
        things = [thing for thing in field.now(play).things(targets) if field.is_there(thing)]
        values = [as_value(thing) for thing in things]
        given.append((values[0] if values else None) if targets.single else tuple(values))
    return given


@statement(tree.EndPlays)
def run_end_plays(_node: tree.EndPlays, _c: Compiler) -> Step:
    return Step(lambda s, _f: field_of(s).end_all())


@statement(tree.EndTarget)
def run_end_target(node: tree.EndTarget, c: Compiler) -> Step:
    target, single = c.value(node.target), node.target.type.kind == "play"

    def run(s: State, f: Frame) -> None:
        found = target(s, f)
        numbers = ([] if found is None else [found]) if single else found
        field_of(s).end([play_called(s, number, node.span) for number in numbers])

    return Step(run)


def event_runner(event: str, c: Compiler) -> Step | None:
    """Runs `when EVENT` of every play in force; None if no effect has such a part."""
    scripts = {effect: effect.events[event] for effect in c.ruleset.effects if event in effect.events}
    if not scripts:
        return None
    runs = {effect: asking_script(procedure, c) for effect, procedure in scripts.items()}

    def ask(s: State, _f: Frame) -> Asking:
        for play in list(field_of(s).plays):
            if play.text in runs and field_of(s).now(play).in_force:
                yield from runs[play.text](s, arguments(s, play))

    if any(c.procedure_asks(procedure) for procedure in scripts.values()):
        return Step(ask, asks=True)

    def run(s: State, f: Frame) -> None:
        for _ in ask(s, f):
            pass

    return Step(run)


# ---- values


@meaning(tree.AllPlays)
def eval_all_plays(_node: tree.AllPlays, _c: Compiler) -> Value:
    return lambda s, _f: tuple(play.number for play in s.field.plays) if s.field is not None else ()


@noun("play")
def domain_play(node: tree.Domain, c: Compiler) -> Value:
    return eval_all_plays(tree.AllPlays(node.local.type, node.span), c) if node.source is None else c.value(node.source)


@meaning(tree.Playable)
def eval_playable(node: tree.Playable, c: Compiler) -> Value:
    player, what = needed(node.player, c), needed(node.what, c)
    effects = c.ruleset.effects
    if node.what.type.kind == "effect":
        return lambda s, f: text_of(effects[what(s, f)], c).is_playable(s, player(s, f))

    def playable(s: State, f: Frame) -> bool:
        effect = field_of(s).effect_of.get(s.looks[what(s, f)].face)
        return effect is not None and text_of(effect, c).is_playable(s, player(s, f))

    return playable


def play_called(s: State, number: int, span: Span) -> Play:
    plays = field_of(s).plays
    if not 1 <= number <= len(plays):
        fail("no-such-play", f"play {number} has ended", span)
    return plays[number - 1]


def of_play(name: str, read: Callable[[State, Play], Any]) -> None:
    """A belonging of a play."""

    @attribute("play", name)
    def build(node: tree.Attribute, c: Compiler) -> Value:
        play = needed(node.operand, c)
        return lambda s, f: read(s, play_called(s, play(s, f), node.span))


def own_card(s: State, play: Play) -> int | None:
    thing = field_of(s).card_of(play)
    return None if thing is None else thing.card


def target_cards(s: State, play: Play) -> tuple[int, ...]:
    things: list[Thing] = [timed.thing for each in field_of(s).now(play).targets for timed in each]
    return tuple(field_of(s).cards(things))


of_play("number", lambda _s, play: play.number)
of_play("player", lambda _s, play: play.player)
of_play("effect", lambda _s, play: play.text.index)
of_play("in_force", lambda s, play: field_of(s).now(play).in_force)
of_play("has_targets", lambda s, play: field_of(s).has_targets(play))
of_play("card", own_card)
of_play("targets", target_cards)


@attribute("plays", "count")
def plays_count(node: tree.Attribute, c: Compiler) -> Value:
    plays = c.value(node.operand)
    return lambda s, f: len(plays(s, f))
