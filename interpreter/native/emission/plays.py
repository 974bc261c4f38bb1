"""Operations on plays of cards with effects, and on what they are aimed at. In the record plays count from 0."""

from __future__ import annotations

from llvmlite import ir as llvm

from trionfi.core.ir import Let, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARD, TARGET, list_of
from trionfi.dsl import tree
from trionfi.interpreter.native.builder import FALSE, I16, I64, POINTER, Mutable, Value, number
from trionfi.interpreter.native.emission import aims
from trionfi.interpreter.native.emission.deriving import add_play, derive, may_fail
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.settling import aim, begin_play, clear_plays, end_life, names_plays, renew
from trionfi.interpreter.native.emission.values import Items, copy_items, most_items
from trionfi.interpreter.native.play_record import MOST_SLOTS, most_plays, most_targets

__all__ = ["derive_marks"]

THINGS = list_of(TARGET)


def things_at(pointer: Value, count: Value) -> Items:
    return Items(pointer, count, I64, True)


def index_of(e: Emitter, play: Operand) -> Value:
    """A play as the record numbers it."""
    return e.code.subtract(e.value(play), 1)


# ---- what is asked of a play


@emits(Op.PLAYS)
def plays(e: Emitter, _node: Let) -> Items:
    """They are numbered one behind the other."""
    if not e.rules.effects:
        return Items(llvm.Constant(POINTER, None), number(0), I16, True)
    count = e.small(e.field("plays"), most_plays(e.rules))
    return Items(llvm.Constant(POINTER, None), count, I16, True, first=number(1))


@emits(Op.IS_PLAY)
def is_play(e: Emitter, node: Let) -> Value:
    if not e.rules.effects:
        return FALSE
    return e.code.builder.icmp_unsigned("<", index_of(e, node.args[0]), e.field("plays"))


@emits(Op.PLAYER_OF)
def player_of(e: Emitter, node: Let) -> Value:
    return e.field("play player", index_of(e, node.args[0]))


@emits(Op.TEXT_OF)
def text_of(e: Emitter, node: Let) -> Value:
    return e.field("play text", index_of(e, node.args[0]))


@emits(Op.CARD_OF)
def card_of(e: Emitter, node: Let) -> Value:
    play = index_of(e, node.args[0])
    return e.code.choose(aims.own_card_lies(e, play), e.field("play card", play), -1)


@emits(Op.IN_FORCE)
def in_force(e: Emitter, node: Let) -> Value:
    return e.code.compare("!=", e.field("play in force", index_of(e, node.args[0])), 0)


@emits(Op.HAS_TARGETS)
def has_targets(e: Emitter, node: Let) -> Value:
    play = index_of(e, node.args[0])
    both = e.code.builder.and_(e.field("play in force", play), e.field("play lasting", play))
    return e.code.compare("!=", both, 0)


# ---- what it is aimed at


@emits(Op.TARGET)
def target(e: Emitter, node: Let) -> Value:
    thing = e.value(node.args[0])
    return aims.card_thing(e, thing) if node.args[0].type == CARD else e.code.subtract(0, thing)


@emits(Op.TARGET_CARD)
def target_card(e: Emitter, node: Let) -> Value:
    thing = e.value(node.args[0])
    return e.code.choose(e.code.compare("<", thing, 0), -1, aims.card_of_thing(e, thing))


@emits(Op.TARGET_PLAY)
def target_play(e: Emitter, node: Let) -> Value:
    thing = e.value(node.args[0])
    return e.code.choose(e.code.compare("<", thing, 0), e.code.subtract(0, thing), -1)


@emits(Op.IS_THERE)
def thing_is_there(e: Emitter, node: Let) -> Value:
    return aims.is_there(e, e.value(node.args[0]))


@emits(Op.TARGETS_NOW)
def targets_now(e: Emitter, node: Let) -> Items:
    """They stand in the record; where plays may come and go while they are used they are copied."""
    play, place = index_of(e, node.args[0]), e.value(node.args[1])
    at = place.constant if isinstance(place, llvm.Constant) else place
    count, first = aims.aimed(e, play, at), aims.first_slot(e, play, at)
    found = things_at(e.code.at(e.address("now"), first, 8), e.small(count, MOST_SLOTS))
    return found if e.core.pure else own_items(e, found)


def own_items(e: Emitter, items: Items) -> Items:
    room = e.code.room(items.element, most_items(e.layout, THINGS))
    copy_items(e, room, items)
    return Items(room, items.count, items.element, items.signed)


@emits(Op.AIMED)
def aimed(e: Emitter, _node: Let) -> Value:
    return e.field("slots")


@emits(Op.NAMED_BY)
def named_by(e: Emitter, node: Let) -> Items:
    """The things chosen, then those that it gives to other plays."""
    code, play = e.code, index_of(e, node.args[0])
    room, count = code.room(I64, most_items(e.layout, THINGS)), Mutable(code, I64)
    slot, total = Mutable(code, I64, e.field("play start", play)), e.field("play total", play)
    copy_items(e, room, things_at(slot_address(e, slot.get()), total))
    count.set(total)
    slot.add(total)
    with code.count(e.field("play blocks", play)):
        given = e.field("play total", aims.number_of_play(e, e.field("thing", slot.get())))
        slot.add(1)
        copy_items(e, code.at(room, count.get(), 8), things_at(slot_address(e, slot.get()), given))
        count.add(given)
        slot.add(given)
    return things_at(room, e.small(count.get(), MOST_SLOTS))


def slot_address(e: Emitter, slot: Value) -> Value:
    return e.code.at(e.address("thing"), slot, 8)


# ---- plays come and go


@emits(Op.LEAVE)
def leave(e: Emitter, node: Let) -> None:
    e.code.call(end_life(e.build), [e.state, e.value(node.args[0])])
    stop_if_altering_failed(e)


def stop_if_altering_failed(e: Emitter) -> None:
    if may_fail(e.build):
        e.stop_if_failed()


@emits(Op.ENTER_PLAY)
def enter_play(e: Emitter, node: Let) -> Value:
    """Its targets in their order; for each play that it gives new ones its number, then these."""
    effect = next(one for one in e.rules.effects if one.name == node.about[0])
    player, card, *lists = arguments(e, node)
    play = e.code.call(begin_play(e.build), [e.state, player, card, number(effect.index)])
    write_targets(e, effect, play, lists[: len(effect.targets)])
    if effect.retargets is not None:
        write_given(e, play, lists[effect.retargets.index], lists[-1])
    e.set_field("play lasting", e.code.number_of(names_targets(e, effect, play)), play)
    if any(one.of is None for one in effect.alterations):
        e.set_field("named", 1, card)
    if names_plays(effect):
        e.code.call(renew(e.build), [e.state])
    else:
        add_play(e, effect, play)
    stop_if_altering_failed(e)
    return e.code.add(play, 1)


def write_targets(e: Emitter, effect: tree.Effect, play: Value, lists: list[Items]) -> None:
    total = number(0)
    for place, things in enumerate(lists):
        e.code.call(aim(e.build), [e.state, things.pointer, things.count])
        at = e.code.add(e.code.multiply(play, most_targets(e.rules)), place)
        e.set_field("play aimed", things.count, at)
        total = e.code.add(total, things.count)
    if effect.targets:
        e.set_field("play total", total, play)


def write_given(e: Emitter, play: Value, named: Items, given: Items) -> None:
    code, done = e.code, Mutable(e.code, I64, 0)
    e.set_field("play blocks", named.count, play)
    with code.count(named.count) as index:
        one = code.at(named.pointer, index, 8)
        code.call(aim(e.build), [e.state, one, number(1)])
        count = e.field("play total", aims.number_of_play(e, code.load(I64, one)))
        code.call(aim(e.build), [e.state, code.at(given.pointer, done.get(), 8), count])
        done.add(count)


def names_targets(e: Emitter, effect: tree.Effect, play: Value) -> Value:
    """Whether a lasting part of an effect names a target, gone or not."""
    code, result = e.code, FALSE
    if effect.negates is not None:
        some = code.compare(">", aims.aimed(e, play, effect.negates.index), 0)
        result = code.both(aims.holds(e, effect, None), some)
    for alteration in effect.alterations:
        named = [one for one in (alteration.of, alteration.model) if one is not None]
        every = aims.holds(e, effect, alteration) if named else FALSE
        for one in named:
            every = code.both(every, code.compare(">", aims.aimed(e, play, one.index), 0))
        result = code.either(result, every)
    return result


@emits(Op.FINISH_PLAY)
def finish_play(e: Emitter, node: Let) -> None:
    """Its card has been followed till now: what cards are stays as it is."""
    play = index_of(e, node.args[0])
    e.set_field("play life", e.field("life", e.field("play card", play)), play)


@emits(Op.END_PLAYS)
def end_plays(e: Emitter, node: Let) -> None:
    ended = e.value(node.args[0])
    with e.code.count(ended.count) as index:
        play = e.code.subtract(e.code.load(I16, ended.pointer, index), 1)
        e.set_field("play ended", 1, play)
    e.code.call(renew(e.build), [e.state])
    stop_if_altering_failed(e)


@emits(Op.CLEAR_PLAYS)
def clear(e: Emitter, _node: Let) -> None:
    if e.rules.effects:
        e.code.call(clear_plays(e.build), [e.state])


def derive_marks(e: Emitter) -> None:
    """A card has been marked: what plays have made of it goes over that."""
    with e.code.when(e.code.compare(">", e.field("plays"), 0), likely=False):
        e.code.call(derive(e.build), [e.state])
        stop_if_altering_failed(e)
