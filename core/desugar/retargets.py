"""New targets for plays: as many as they have, and as a whole not the same (docs/meaning.md, Plays and effects)."""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.core.desugar.function import Desugar
from trionfi.core.desugar.queries import found
from trionfi.core.desugar.texts import TARGETS, by_effect
from trionfi.core.desugar.writer import FALSE, TRUE, number
from trionfi.core.ir import Function, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, INT, PLAY, SEAT, TARGET
from trionfi.dsl import tree
from trionfi.effects.texts import lasting_texts

__all__ = ["can_change", "new_targets"]


def no_targets(d: Desugar, hint: str) -> Name:
    return d.var(hint, TARGETS, d.let(Op.EMPTY, type=TARGETS))


def targets_now(d: Desugar, play: Operand, targets: tree.Targets) -> Operand:
    return d.let(Op.TARGETS_NOW, play, number(targets.index), hint="now")


def differs(d: Desugar, picked: Operand, now: Operand) -> Operand:
    """Whether something picked is not among the targets now, of which there are as many."""
    found = d.var("differs", BOOL, FALSE)
    with d.each(picked, "target") as (target, label), d.when(d.negation(d.let(Op.CONTAINS, now, target))):
        d.set(found, TRUE)
        d.leave(label)
    return found


# ---- which there are


def head(d: Desugar, effect: tree.Effect, count: int) -> tuple[Name, ...]:
    """Parameters: who is asked, the play, and what has been chosen for the first of its targets. These are known in
    the effect's frame as the cards or plays that they are, though a card may have gone."""
    player, play = d.fresh("player", SEAT), d.fresh("play", PLAY)
    d.env[effect.locals[0].index] = player
    chosen = []
    for targets in effect.targets[:count]:
        target = d.fresh(targets.local.name, TARGET)
        bind(d, targets, target)
        chosen.append(target)
    return player, play, *chosen


def bind(d: Desugar, targets: tree.Targets, target: Operand) -> None:
    d.env[targets.local.index] = thing_of(d, targets, target)


def thing_of(d: Desugar, targets: tree.Targets, target: Operand) -> Operand:
    op = Op.TARGET_CARD if targets.domain.noun == "card" else Op.TARGET_PLAY
    return d.unwrap(d.let(op, target, hint=targets.domain.noun))


def choices(d: Desugar, effect: tree.Effect, targets: tree.Targets) -> str:
    """The function of what may be chosen: what is legal now, of plays only older ones; then the targets now that may be
    left alone."""

    def write(inner: Desugar, name: str) -> Function:
        parameters = head(inner, effect, targets.index)
        _, play, *taken = parameters
        legal = no_targets(inner, "legal")
        with inner.each(found(inner, targets.domain), targets.domain.noun) as (thing, label):
            if targets.domain.noun == "play":
                with inner.when(inner.let(Op.AT_MOST, inner.let(Op.INDEX, play), inner.let(Op.INDEX, thing))):
                    inner.skip(label)
            inner.push(legal, inner.let(Op.TARGET, thing))
        things = inner.var("things", TARGETS, legal)
        with inner.each(targets_now(inner, play, targets), "old") as (old, label):
            for one in (inner.let(Op.CONTAINS, legal, old), *(inner.same(old, other) for other in taken)):
                with inner.when(one):
                    inner.skip(label)
            inner.push(things, old)
        inner.give(things)
        return Function(name, parameters, TARGETS, inner.body, pure=True)

    return d.whole.function(targets, "new_targets", f"{effect.name}: {targets.name}", write)


# ---- whether something can change


def can_change(d: Desugar, play: Operand, player: Operand) -> Operand:
    """Whether a play has targets, and a player could change them."""

    def write(inner: Desugar, name: str) -> Function:
        play, player = inner.fresh("play", PLAY), inner.fresh("player", SEAT)
        with inner.when(inner.negation(inner.let(Op.HAS_TARGETS, play))):
            inner.give(FALSE)

        def ask(effect: tree.Effect) -> None:
            inner.give(inner.call_for(can_go_on(inner, effect, effect.targets[0]), BOOL, player, play, FALSE))

        by_effect(inner, inner.let(Op.TEXT_OF, play), lasting_texts(inner.rules), ask)
        return Function(name, (play, player), BOOL, inner.body, pure=True)

    if not lasting_texts(d.rules):
        return FALSE
    return d.call_for(d.whole.function(d.rules, "effects", "can_change", write), BOOL, play, player)


def can_go_on(d: Desugar, effect: tree.Effect, targets: tree.Targets) -> str:
    """The function that says whether these targets and those behind them can be chosen so that something changes, or
    has changed before."""

    def write(inner: Desugar, name: str) -> Function:
        chosen = head(inner, effect, targets.index)
        changed = inner.fresh("changed", BOOL)
        things = inner.call_for(choices(inner, effect, targets), TARGETS, *chosen)
        now = targets_now(inner, chosen[1], targets)
        with inner.when(inner.same(inner.let(Op.SIZE, now), number(0))):
            inner.give(changed)
        nothing = inner.let(Op.EMPTY, type=TARGETS)
        step = PickStep(inner, effect, targets, chosen, changed, things, now, nothing)
        with inner.count(number(0), inner.let(Op.SIZE, things), "place") as (place, _):
            with inner.when(step.allows(place)):
                inner.give(TRUE)
        inner.give(FALSE)
        return Function(name, (*chosen, changed), BOOL, inner.body, pure=True)

    return d.whole.function(targets, "can_go_on", f"{effect.name}: {targets.name}", write)


class PickStep:
    """A pick on the way: of `things`, `picked` so far, `now` what is aimed at; `head` and `changed` are of the targets
    before."""

    def __init__(
        self,
        d: Desugar,
        effect: tree.Effect,
        targets: tree.Targets,
        head: Sequence[Operand],
        changed: Operand,
        things: Operand,
        now: Operand,
        picked: Operand,
    ) -> None:
        self.d, self.effect, self.targets, self.head = d, effect, targets, head
        self.changed, self.things, self.now, self.picked = changed, things, now, picked

    def thing(self, place: Operand) -> Name:
        return self.d.let(Op.ITEM, self.things, place, type=TARGET)

    def allows(self, place: Operand) -> Operand:
        """Whether the thing at a place may be picked next: enough stay behind it, and a change can still come."""
        d, effect = self.d, self.effect
        if self.targets is effect.targets[-1]:
            function = may_change(d)
            return d.call_for(function, BOOL, self.now, self.things, self.picked, place, self.changed)
        # of several targets each is one thing
        thing = self.thing(place)
        moved = d.let(Op.OR, self.changed, d.negation(d.same(thing, d.let(Op.ITEM, self.now, number(0), type=TARGET))))
        following = effect.targets[self.targets.index + 1]
        return d.call_for(can_go_on(d, effect, following), BOOL, *self.head, thing, moved)


def may_change(d: Desugar) -> str:
    """The function of the last pick: whether with the thing at a place there may be as many as now, and others."""

    def write(inner: Desugar, name: str) -> Function:
        now, things, picked = (inner.fresh(hint, TARGETS) for hint in ("now", "things", "picked"))
        place, changed = inner.fresh("place", INT), inner.fresh("changed", BOOL)
        following = inner.let(Op.ADD, place, number(1))
        rest = inner.let(Op.SUBTRACT, inner.let(Op.SIZE, now), inner.let(Op.ADD, inner.let(Op.SIZE, picked), number(1)))
        behind = inner.let(Op.SUBTRACT, inner.let(Op.SIZE, things), following)
        with inner.when(inner.let(Op.LESS, behind, rest)):
            inner.give(FALSE)
        here = inner.let(Op.ITEM, things, place, type=TARGET)
        for one in (changed, inner.negation(inner.let(Op.CONTAINS, now, here)), differs(inner, picked, now)):
            with inner.when(one):
                inner.give(TRUE)
        with inner.when(inner.let(Op.AT_MOST, rest, number(0))):
            inner.give(FALSE)
        with inner.when(inner.let(Op.LESS, rest, behind)):
            inner.give(TRUE)
        with inner.count(following, inner.let(Op.SIZE, things), "i") as (i, _):
            other = inner.let(Op.ITEM, things, i, type=TARGET)
            with inner.when(inner.negation(inner.let(Op.CONTAINS, now, other))):
                inner.give(TRUE)
        inner.give(FALSE)
        return Function(name, (now, things, picked, place, changed), BOOL, inner.body, pure=True)

    return d.whole.function(d.rules, "effects", "may_change", write)


# ---- choosing


def new_targets(d: Desugar, play: Operand, player: Operand) -> Operand:
    """Asks for new targets of a play; gives them one behind the other, as many of each as there are now."""

    def write(inner: Desugar, name: str) -> Function:
        play, player = inner.fresh("play", PLAY), inner.fresh("player", SEAT)

        def ask(effect: tree.Effect) -> None:
            inner.give(inner.call_for(choosing(inner, effect), TARGETS, player, play))

        by_effect(inner, inner.let(Op.TEXT_OF, play), lasting_texts(inner.rules), ask)
        return Function(name, (play, player), TARGETS, inner.body)

    if not lasting_texts(d.rules):
        return d.let(Op.EMPTY, type=TARGETS)
    return d.call_for(d.whole.function(d.rules, "effects", "new_targets", write), TARGETS, play, player)


def choosing(d: Desugar, effect: tree.Effect) -> str:
    """The function that asks for new targets of a play with this text."""

    def write(inner: Desugar, name: str) -> Function:
        parameters = head(inner, effect, 0)
        chosen: list[Operand] = [*parameters]
        changed: Operand = FALSE
        given = no_targets(inner, "given")
        for targets in effect.targets:
            now = targets_now(inner, parameters[1], targets)
            picked = pick_as_many(inner, effect, targets, chosen, changed, now)
            with inner.each(picked, "target") as (target, _):
                inner.push(given, target)
            if targets is not effect.targets[-1]:
                changed = inner.let(Op.OR, changed, differs(inner, picked, now))
                one = inner.let(Op.ITEM, picked, number(0), type=TARGET)
                bind(inner, targets, one)
                chosen.append(one)
        inner.give(given)
        return Function(name, parameters, TARGETS, inner.body)

    return d.whole.function(effect, "retarget", effect.name, write)


def pick_as_many(
    d: Desugar, effect: tree.Effect, targets: tree.Targets, head: Sequence[Operand], changed: Operand, now: Operand
) -> Name:
    """As many picks as there are targets; each is made behind the one before."""
    player = head[0]
    things = d.call_for(choices(d, effect, targets), TARGETS, *head)
    grouped = d.let(Op.GROUPED, things, player, type=TARGETS)
    picked, behind = no_targets(d, "picked"), d.var("behind", INT, number(0))
    step = PickStep(d, effect, targets, head, changed, grouped, now, picked)
    count, place = d.let(Op.SIZE, now), d.place(targets.span, targets)
    with d.loop("pick") as label:
        left = d.let(Op.SUBTRACT, count, d.let(Op.SIZE, picked))
        with d.when(d.let(Op.AT_MOST, left, number(0))):
            d.leave(label)
        menu = d.let(Op.NEW_MENU)
        offer_new(step, menu, behind)
        d.check(d.let(Op.LESS, number(0), d.let(Op.OPTIONS, menu)), "no-option", targets.span)
        choice = d.let(Op.ASK_PICK, player, menu, picked, left, about=(place,), hint="choice")
        d.push(picked, d.let(Op.PICKED_THING, menu, choice, type=TARGET))
        d.set(behind, d.let(Op.ADD, d.let(Op.PICKED_PLACE, menu, choice), number(1)))
    return picked


def offer_new(step: PickStep, menu: Operand, behind: Operand) -> None:
    """What may be picked next; of what is alike the first that may."""
    d = step.d
    before = d.var("before", TARGET.maybe, d.none_of(TARGET))
    with d.count(behind, d.let(Op.SIZE, step.things), "place") as (place, label):
        thing = step.thing(place)
        with d.when(d.is_some(before)), d.when(d.let(Op.ALIKE, d.unwrap(before), thing, step.head[0])):
            d.skip(label)
        with d.when(step.allows(place)):
            d.do(Op.OFFER_PICK, menu, thing, place)
            d.set(before, thing)
