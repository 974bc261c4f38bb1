"""What effects are aimed at: which targets there are, and the choice of them (docs/meaning.md, Plays and effects)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from trionfi.core.desugar.function import Desugar
from trionfi.core.desugar.picks import pick_one, pick_things
from trionfi.core.desugar.queries import found
from trionfi.core.desugar.retargets import can_change
from trionfi.core.desugar.texts import TARGETS, by_effect
from trionfi.core.desugar.writer import FALSE, TRUE
from trionfi.core.ir import Function, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, EFFECT, PLAY, SEAT, CoreType, core_type, list_of
from trionfi.dsl import tree
from trionfi.effects.texts import texts

__all__ = ["choose_targets", "is_playable"]


def frame_of(d: Desugar, effect: tree.Effect, count: int) -> tuple[Name, ...]:
    """Parameters for who plays an effect and for the first of its targets, of which the next ones may speak. Where one
    target speaks of another, each is one thing."""
    known = [effect.locals[0], *(targets.local for targets in effect.targets[:count])]
    names = tuple(d.fresh(local.name, core_type(local.type).some) for local in known)
    d.env.update((local.index, name) for local, name in zip(known, names, strict=True))
    return names


# ---- which there are


def candidates(d: Desugar, effect: tree.Effect, targets: tree.Targets) -> str:
    """The function of what may be chosen, in order: of who plays and the targets before these."""

    def write(inner: Desugar, name: str) -> Function:
        frame = frame_of(inner, effect, targets.index)
        things = found(inner, targets.domain)
        kept = inner.var("kept", things.type, inner.let(Op.EMPTY, type=things.type))
        with inner.each(things, targets.local.name) as (thing, _), ExitStack() as conditions:
            for condition in (fits_effect, leads_on):
                conditions.enter_context(inner.when(condition(inner, effect, targets, (*frame, thing))))
            inner.push(kept, thing)
        inner.give(kept)
        return Function(name, frame, things.type, inner.body, pure=True)

    return d.whole.function(targets, "targets", f"{effect.name}: {targets.name}", write)


def fits_effect(d: Desugar, effect: tree.Effect, targets: tree.Targets, frame: Sequence[Operand]) -> Operand:
    """Whether a play whose text is taken could be played now; whether one that is to be changed can."""
    player, play = frame[0], frame[-1]
    if effect.becomes is not None:
        return is_playable(d, d.let(Op.TEXT_OF, play), player, texts(d.rules))
    return can_change(d, play, player) if effect.retargets is targets else TRUE


def leads_on(d: Desugar, effect: tree.Effect, targets: tree.Targets, frame: Sequence[Operand]) -> Operand:
    """Whether with these things the next targets can be chosen."""
    if targets is effect.targets[-1]:
        return TRUE
    d.env[targets.local.index] = frame[-1]
    return can_meet(d, effect, effect.targets[targets.index + 1], frame)


def can_meet(d: Desugar, effect: tree.Effect, targets: tree.Targets, frame: Sequence[Operand]) -> Operand:
    low = d.needed(targets.low)
    things = d.call_for(candidates(d, effect, targets), things_type(targets), *frame)
    return d.let(Op.AT_MOST, low, d.let(Op.SIZE, things))


def things_type(targets: tree.Targets) -> CoreType:
    return list_of(core_type(targets.domain.local.type).some)


# ---- whether they can be met


def playable(d: Desugar, effect: tree.Effect) -> str:
    """The function that says whether a player could choose all targets of an effect now."""

    def write(inner: Desugar, name: str) -> Function:
        frame = frame_of(inner, effect, 0)
        inner.give(can_meet(inner, effect, effect.targets[0], frame) if effect.targets else TRUE)
        return Function(name, frame, BOOL, inner.body, pure=True)

    return d.whole.function(effect, "playable", effect.name, write)


def is_playable(d: Desugar, effect: Operand, player: Operand, among: Sequence[tree.Effect]) -> Operand:
    """The same of an effect that is known only in the game, one of these."""

    def write(inner: Desugar, name: str) -> Function:
        effect, player = inner.fresh("effect", EFFECT), inner.fresh("player", SEAT)
        by_effect(inner, effect, among, lambda one: inner.give(inner.call_for(playable(inner, one), BOOL, player)))
        return Function(name, (effect, player), BOOL, inner.body, pure=True)

    if not among:
        return FALSE
    name = "is_playable" if len(among) == len(d.rules.effects) else "is_text_playable"
    return d.call_for(d.whole.function(d.rules, "effects", name, write), BOOL, effect, player)


# ---- choosing


def choose_targets(d: Desugar, effect: tree.Effect, player: Operand) -> list[Operand]:
    """Asks for all targets in the frame of the effect; gives for each those chosen, as a list."""
    chosen: list[Operand] = []
    frame = [player]
    for targets in effect.targets:
        things = d.call_for(candidates(d, effect, targets), things_type(targets), *frame)
        picked = pick_targets(d, targets, player, things)
        d.env[targets.local.index] = picked
        frame.append(picked)
        chosen.append(aimed_at(d, picked))
    return chosen


def pick_targets(d: Desugar, targets: tree.Targets, player: Operand, things: Operand) -> Operand:
    high = None if targets.high is None else d.needed(targets.high)
    low = d.needed(targets.low)
    if targets.single:
        return pick_one(d, targets, targets.span, player, things)
    return pick_things(d, targets, targets.span, player, (low, high), things)


def aimed_at(d: Desugar, picked: Operand) -> Operand:
    """Cards, each where it lies, or plays, as targets."""
    aimed = d.var("aimed", TARGETS, d.let(Op.EMPTY, type=TARGETS))
    if not picked.type.is_list:
        d.push(aimed, d.let(Op.TARGET, picked))
        return aimed
    with d.each(picked, "play" if picked.type.element == PLAY else "card") as (thing, _):
        d.push(aimed, d.let(Op.TARGET, thing))
    return aimed
