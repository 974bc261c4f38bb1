"""Plays of cards with effects (docs/meaning.md, Plays and effects).

What is in force, aimed at what, and what cards have become is the model's business (`effects/`): it is asked and told.
"""

from __future__ import annotations

from collections.abc import Callable

from trionfi.core.desugar.belongings import belonging, looked_up
from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.movement import lay, lift
from trionfi.core.desugar.retargets import new_targets
from trionfi.core.desugar.targets import choose_targets, is_playable
from trionfi.core.desugar.texts import TARGETS, by_effect
from trionfi.core.desugar.writer import FALSE, TRUE, number
from trionfi.core.ir import Function, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, CARD, CARDS, EFFECT, PLAY, PLAYS, SEAT, CoreType, core_type, list_of
from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_AIMED
from trionfi.effects.texts import owners, texts

__all__ = ["trigger_plays"]

ScriptOf = Callable[[tree.Effect], tree.Procedure | None]


# ---- playing a card


@desugars(tree.PlayCard)
def desugar_play_card(d: Desugar, node: tree.PlayCard) -> None:
    """What is chosen is told when the targets lie open, before what is played does anything."""
    player, card = d.needed(node.player), d.needed(node.card)
    field = next(family for family in d.rules.zones if family.shape == "plays")
    d.do(Op.HOLD_LOG, TRUE)
    effect = effect_of(d, card)
    d.check(d.is_some(effect), "no-effect-card", node.span)
    fits = d.let(Op.LESS, d.let(Op.SIZE, d.let(Op.PLAYS)), number(field.plays))
    d.check(fits, "too-many-plays", node.span)
    play = enter(d, d.unwrap(effect), player, card, d.rules.effects)
    lift(d, card, node.span)
    lay(d, card, d.let(Op.ZONE_AT, about=(field.name,), hint=field.name), None, node.span, family=field)
    if d.rules.when_chosen is not None:
        chosen = cards_there(d, d.let(Op.NAMED_BY, play))
        d.call(d.whole.procedure(d.rules.when_chosen), player, play, chosen)
    d.do(Op.HOLD_LOG, FALSE)
    run_scripts(d, "when_played", play, lambda effect: effect.when_played)
    d.do(Op.FINISH_PLAY, play)


def effect_of(d: Desugar, card: Operand) -> Operand:
    """The effect of a card's name, if it has one."""
    of_face = owners(d.rules)
    indices = [of_face[face].index if face in of_face else -1 for face in range(len(d.rules.faces))]
    return looked_up(d, d.let(Op.FACE, card), indices, EFFECT)


def enter(d: Desugar, effect: Operand, player: Operand, card: Operand, among: list[tree.Effect]) -> Name:
    """Asks for all that is chosen for an effect, one of these, and enters the play."""

    def write(inner: Desugar, name: str) -> Function:
        effect, player, card = inner.fresh("effect", EFFECT), inner.fresh("player", SEAT), inner.fresh("card", CARD)
        by_effect(inner, effect, among, lambda one: inner.give(inner.call_for(entry(inner, one), PLAY, player, card)))
        return Function(name, (effect, player, card), PLAY, inner.body)

    name = "enter" if len(among) == len(d.rules.effects) else "enter_text"
    return d.call_for(d.whole.function(d.rules, "effects", name, write), PLAY, effect, player, card, hint="play")


def entry(d: Desugar, effect: tree.Effect) -> str:
    """The function that asks for all that is chosen for an effect; it gives the play, which is then among all others.
    Its card has not moved."""

    def write(inner: Desugar, name: str) -> Function:
        player, card = inner.fresh("player", SEAT), inner.fresh("card", CARD)
        inner.env[effect.locals[0].index] = player
        chosen = choose_targets(inner, effect, player)
        if effect.becomes is not None:
            play = thing_chosen(inner, effect.becomes)
            inner.give(enter(inner, inner.let(Op.TEXT_OF, play), player, card, texts(inner.rules)))
        else:
            given = () if effect.retargets is None else (given_to(inner, effect.retargets, player),)
            check_aimed(inner, effect, [*chosen, *given])
            inner.give(inner.let(Op.ENTER_PLAY, player, card, *chosen, *given, about=(effect.name,), hint="play"))
        return Function(name, (player, card), PLAY, inner.body)

    return d.whole.function(effect, "enter", effect.name, write)


def check_aimed(d: Desugar, effect: tree.Effect, lists: list[Operand]) -> None:
    """Of what is given to plays, each play counts, too."""
    if not effect.targets:
        return
    named = [] if effect.retargets is None else [lists[effect.retargets.index]]
    aimed: Operand = d.let(Op.AIMED)
    for things in [*lists, *named]:
        aimed = d.let(Op.ADD, aimed, d.let(Op.SIZE, things))
    d.check(d.let(Op.AT_MOST, aimed, number(MOST_AIMED)), "too-many-targets", effect.span)


def thing_chosen(d: Desugar, targets: tree.Targets) -> Operand:
    return d.local(targets.local)


def given_to(d: Desugar, targets: tree.Targets, player: Operand) -> Operand:
    """New targets for each play that is named, one behind the other."""
    given = d.var("given", TARGETS, d.let(Op.EMPTY, type=TARGETS))
    chosen = thing_chosen(d, targets)
    plays = chosen if chosen.type.is_list else only(d, chosen)
    with d.each(plays, "play") as (play, _), d.each(new_targets(d, play, player), "target") as (target, _):
        d.push(given, target)
    return given


def only(d: Desugar, thing: Operand) -> Name:
    """A list of one thing."""
    kind = list_of(thing.type)
    one = d.var("only", kind, d.let(Op.EMPTY, type=kind))
    d.push(one, thing)
    return one


# ---- scripts of effects


def run_scripts(d: Desugar, name: str, play: Operand, script_of: ScriptOf) -> None:
    """Runs a script of a play's text, given its targets that are still there."""
    scripts = [(effect, script) for effect in texts(d.rules) if (script := script_of(effect)) is not None]

    def write(inner: Desugar, full: str) -> Function:
        play = inner.fresh("play", PLAY)
        with inner.switch(inner.let(Op.TEXT_OF, play)) as cases:
            for effect, script in scripts:
                with cases.case(effect.index):
                    given = [target_there(inner, effect, targets, play) for targets in effect.targets]
                    inner.call(inner.whole.procedure(script), inner.let(Op.PLAYER_OF, play), play, *given)
        return Function(full, (play,), None, inner.body)

    if scripts:
        d.call(d.whole.function(d.rules, "effects", name, write), play)


def target_type(targets: tree.Targets) -> CoreType:
    """What a script is given: one thing, none if it has gone, or several."""
    return core_type(targets.local.type)


def target_there(d: Desugar, effect: tree.Effect, targets: tree.Targets, play: Operand) -> Operand:
    """A play's targets now that are still there, as its scripts know them."""
    is_card, kind = targets.domain.noun == "card", target_type(targets)

    def write(inner: Desugar, name: str) -> Function:
        play = inner.fresh("play", PLAY)
        first = inner.none_of(CARD if is_card else PLAY) if targets.single else inner.let(Op.EMPTY, type=kind)
        result = inner.var(targets.local.name, kind, first)
        now = inner.let(Op.TARGETS_NOW, play, number(targets.index), hint="now")
        with inner.each(now, "target") as (target, label), inner.when(inner.let(Op.IS_THERE, target)):
            thing = inner.unwrap(inner.let(Op.TARGET_CARD if is_card else Op.TARGET_PLAY, target))
            if targets.single:
                inner.set(result, thing)
                inner.leave(label)
            else:
                inner.push(result, thing)
        inner.give(result)
        return Function(name, (play,), kind, inner.body, pure=True)

    return d.call_for(d.whole.function(targets, "there", f"{effect.name}: {targets.name}", write), kind, play)


def trigger_plays(d: Desugar, event: str) -> None:
    """Runs `when EVENT` of every play in force, in the order of play."""
    if not any(event in effect.events for effect in d.rules.effects):
        return

    def write(inner: Desugar, name: str) -> Function:
        with inner.each(inner.let(Op.PLAYS), "play") as (play, _), inner.when(inner.let(Op.IN_FORCE, play)):
            run_scripts(inner, f"when {event}", play, lambda effect: effect.events.get(event))
        return Function(name, (), None, inner.body)

    d.call(d.whole.function(d.rules, "trigger", event, write))


# ---- ending plays


@desugars(tree.EndPlays)
def desugar_end_plays(d: Desugar, _node: tree.EndPlays) -> None:
    d.do(Op.CLEAR_PLAYS)


@desugars(tree.EndTarget)
def desugar_end_target(d: Desugar, node: tree.EndTarget) -> None:
    target = d.expr(node.target)
    plays = target if target.type == PLAYS else some_plays(d, target)
    with d.each(plays, "play") as (play, _):
        d.check(d.let(Op.IS_PLAY, play), "no-such-play", node.span)
    d.do(Op.END_PLAYS, plays)


def some_plays(d: Desugar, play: Operand) -> Operand:
    """A list of one play, of none if it is none."""
    plays = d.var("plays", PLAYS, d.let(Op.EMPTY, type=PLAYS))
    with d.when(d.is_some(play)):
        d.push(plays, d.unwrap(play))
    return plays


# ---- values


@desugars(tree.AllPlays)
def desugar_all_plays(d: Desugar, _node: tree.AllPlays) -> Operand:
    return d.let(Op.PLAYS)


@desugars(tree.Playable)
def desugar_playable(d: Desugar, node: tree.Playable) -> Operand:
    """The player is read first; a card without an effect can not be played."""
    player, what = d.needed(node.player), d.needed(node.what)
    if node.what.type.kind == "effect":
        return is_playable(d, what, player, d.rules.effects)
    effect, result = effect_of(d, what), d.var("playable", BOOL, FALSE)
    if not d.rules.effects:
        return FALSE
    with d.when(d.is_some(effect)):
        d.set(result, is_playable(d, d.unwrap(effect), player, d.rules.effects))
    return result


def of_play(name: str, read: Callable[[Desugar, Operand], Operand]) -> None:
    """A belonging of a play, which is one of those that there are."""

    @belonging(("play", name))
    def rule(d: Desugar, node: tree.Attribute) -> Operand:
        play = d.needed(node.operand)
        d.check(d.let(Op.IS_PLAY, play), "no-such-play", node.span)
        return read(d, play)


of_play("number", lambda d, play: d.let(Op.INDEX, play))
of_play("player", lambda d, play: d.let(Op.PLAYER_OF, play))
of_play("effect", lambda d, play: d.let(Op.TEXT_OF, play))
of_play("in_force", lambda d, play: d.let(Op.IN_FORCE, play))
of_play("has_targets", lambda d, play: d.let(Op.HAS_TARGETS, play))
of_play("card", lambda d, play: d.let(Op.CARD_OF, play))


def target_cards(d: Desugar, play: Operand) -> Operand:
    """The cards that a play is aimed at and that are still there, each once."""

    def write(inner: Desugar, name: str) -> Function:
        play = inner.fresh("play", PLAY)
        found = inner.var("found", TARGETS, inner.let(Op.EMPTY, type=TARGETS))
        most = max((len(effect.targets) for effect in inner.rules.effects), default=0)
        with inner.count(number(0), number(most), "place") as (place, _):
            with inner.each(inner.let(Op.TARGETS_NOW, play, place), "target") as (target, _):
                inner.push(found, target)
        inner.give(cards_there(inner, found))
        return Function(name, (play,), CARDS, inner.body, pure=True)

    return d.call_for(d.whole.function(d.rules, "effects", "target_cards", write), CARDS, play)


of_play("targets", target_cards)


def cards_there(d: Desugar, targets: Operand) -> Operand:
    """The cards among targets that lie where they were aimed at, each once."""

    def write(inner: Desugar, name: str) -> Function:
        targets = inner.fresh("targets", TARGETS)
        cards = inner.var("cards", CARDS, inner.let(Op.EMPTY, type=CARDS))
        with inner.each(targets, "target") as (target, label):
            found = inner.let(Op.TARGET_CARD, target, hint="card")
            with inner.when(inner.let(Op.IS_NONE, found)):
                inner.skip(label)
            card = inner.unwrap(found)
            is_new = inner.both(inner.let(Op.IS_THERE, target), inner.negation(inner.let(Op.CONTAINS, cards, card)))
            with inner.when(is_new):
                inner.push(cards, card)
        inner.give(cards)
        return Function(name, (targets,), CARDS, inner.body, pure=True)

    return d.call_for(d.whole.function(d.rules, "effects", "cards_there", write), CARDS, targets)
