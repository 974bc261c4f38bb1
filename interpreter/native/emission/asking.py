"""Decisions: who decides, and how."""

from __future__ import annotations

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.dsl import tree
from trionfi.interpreter.game import MOST_DECISIONS
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import I64, I128, Value, number
from trionfi.interpreter.native.emission.function import Emitter
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.values import Unsupported
from trionfi.interpreter.native.policy import FIRST

__all__: list[str] = []


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
    return asked(e, node, player, e.f.small(menu.count.get(), menu.most))


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
