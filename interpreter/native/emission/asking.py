"""Decisions: what is offered, and who decides."""

from __future__ import annotations

from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.dsl import tree
from trionfi.interpreter.game import MOST_DECISIONS
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import FALSE, I16, I64, I128, Value, number
from trionfi.interpreter.native.emission.function import Emitter
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.values import Unsupported
from trionfi.interpreter.native.lower_decisions import DONE, Offer, low_bits
from trionfi.interpreter.native.policy import FIRST

__all__: list[str] = []


@emits(Op.NEW_MENU)
def new_menu(e: Emitter, node: Let) -> Offer:
    """Room for as many options as the place that asks may offer."""
    return Offer(e.f, most_options(e), e.rules.play.span)


def most_options(e: Emitter) -> int:
    return max(64, 2 * e.layout.cards.count + 2)


@emits(Op.OFFER)
def offer(e: Emitter, node: Let) -> None:
    menu, *things = arguments(e, node)
    entry: Any = number(int(node.about[0]))
    if len(things) > 3:
        raise Unsupported("a line over more than three things")
    for place, thing in enumerate(things, start=1):
        entry = e.code.builder.or_(entry, e.code.builder.shl(low_bits(e.f, thing), number(16 * place)))
    menu.add(entry)


@emits(Op.OFFER_PICK)
def offer_pick(e: Emitter, node: Let) -> None:
    menu, thing, place = arguments(e, node)
    b = e.code.builder
    menu.add(b.or_(low_bits(e.f, thing), b.shl(place, number(16))))


@emits(Op.OFFER_DONE)
def offer_done(e: Emitter, node: Let) -> None:
    e.value(node.args[0]).add(DONE)


@emits(Op.IS_OFFERED)
def is_offered(e: Emitter, _node: Let) -> Value:
    if e.layout.cards.copied:
        raise Unsupported("copies")
    return FALSE


@emits(Op.OPTIONS)
def options(e: Emitter, node: Let) -> Value:
    return e.value(node.args[0]).count.get()


@emits(Op.LINE)
def line(e: Emitter, node: Let) -> Value:
    menu, choice = arguments(e, node)
    return low_bits(e.f, menu.entry(choice))


@emits(Op.IS_DONE)
def is_done(e: Emitter, node: Let) -> Value:
    menu, choice = arguments(e, node)
    return e.code.compare("==", menu.entry(choice), DONE)


def thing_at(e: Emitter, entry: Value, place: int) -> Value:
    part = e.code.builder.lshr(entry, number(16 * place)) if place else entry
    return e.code.builder.sext(e.code.builder.trunc(part, I16), I64)


@emits(Op.ABOUT)
def about(e: Emitter, node: Let) -> Value:
    menu, choice = arguments(e, node)
    assert node.target is not None
    if node.target.type.is_list:
        raise Unsupported("sets in menus")
    return thing_at(e, menu.entry(choice), int(node.about[0]) + 1)


@emits(Op.PICKED_THING)
def picked_thing(e: Emitter, node: Let) -> Value:
    menu, choice = arguments(e, node)
    return thing_at(e, menu.entry(choice), 0)


@emits(Op.PICKED_PLACE)
def picked_place(e: Emitter, node: Let) -> Value:
    menu, choice = arguments(e, node)
    return e.f.small(e.code.builder.ashr(menu.entry(choice), number(16)), 1 << 16)


# ---- asking


def asked(e: Emitter, node: Let, player: Value, count: Value) -> Value:
    """The option that the policy of the seat takes."""
    code, place = e.code, e.program.places[int(node.about[0])]
    so_far = code.add(e.f.field("asked"), 1)
    e.f.set_field("asked", so_far)
    e.f.fail_when(code.compare(">", so_far, MOST_DECISIONS), "game-without-end", place.span)
    e.f.set_field("passes", 0)
    if isinstance(place.about, tree.Statement) and e.build.strategies:
        raise Unsupported("strategies")
    policy = e.f.field("policies", player)
    stream = code.at(e.f.address("streams"), code.add(player, 1), 8)
    with code.otherwise(code.compare("==", policy, FIRST)) as other:
        first = code.builder.block
        other()
        drawn = code.call(kernels.below(e.build), [stream, count])
        random = code.builder.block
    chosen = code.builder.phi(I64)
    chosen.add_incoming(number(0), first)
    chosen.add_incoming(drawn, random)
    return chosen


@emits(Op.ASK, Op.ASK_PICK)
def ask(e: Emitter, node: Let) -> Value:
    player, menu = arguments(e, node)[:2]
    return asked(e, node, player, e.f.small(menu.count.get(), 1 << 20))


@emits(Op.STEPS)
def steps(e: Emitter, node: Let) -> Value:
    """How many numbers there are, more than 2^32 counted as so many."""
    code, b = e.code, e.code.builder
    low, high, step = arguments(e, node)
    width = code.subtract(high, low)  # without a sign
    whole, rest = b.udiv(width, number(step)), b.urem(width, number(step))
    count = code.add(whole, code.number_of(b.icmp_unsigned("!=", rest, number(0))))
    many = b.icmp_unsigned(">", count, number(1 << 32))
    return code.add(code.choose(many, 1 << 32, count), 1)


@emits(Op.ASK_NUMBER)
def ask_number(e: Emitter, node: Let) -> Value:
    code, b = e.code, e.code.builder
    player, low, high, step = arguments(e, node)
    count = steps(e, Let(None, Op.STEPS, node.args[1:]))
    chosen = asked(e, node, player, count)
    above = b.mul(b.zext(chosen, I128), b.zext(number(step), I128))
    short = b.icmp_unsigned(">", above, b.zext(code.subtract(high, low), I128))
    return code.choose(short, high, code.add(low, b.trunc(above, I64)))


@emits(Op.ASK_SIDE)
def ask_side(e: Emitter, node: Let) -> Value:
    return asked(e, node, e.value(node.args[0]), number(2))
