"""Operations on values of all seats at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.core import ir
from trionfi.core.ops import SIGNATURES, Memory, Op
from trionfi.core.types import Kind
from trionfi.interpreter.native.builder import FALSE, number
from trionfi.interpreter.native.emission.emitter import Unfit
from trionfi.interpreter.native.emission.seat_values import (
    LANE,
    OUTER,
    Grown,
    Mask,
    Outer,
    SeatNumbers,
    SeatValues,
    is_number,
    is_truth,
)
from trionfi.interpreter.native.module import NO_NUMBER

__all__ = ["HARMLESS", "WIDE"]

Wider = Callable[[SeatValues, ir.Let, list[Any]], Any]
WIDE: dict[Op, Wider] = {}
# They have no effect and do not stop the game, whatever they are asked.
HARMLESS = frozenset(
    {Op.LOAD, Op.OPTION, Op.SEAT_COUNT, Op.EVERYONE, Op.NOT, Op.AND, Op.OR, Op.SAME, Op.IS_NONE, Op.UNWRAP, Op.INDEX}
    | {Op.LESS, Op.AT_MOST, Op.ADD, Op.SUBTRACT, Op.ADD_OVERFLOWS, Op.SUBTRACT_OVERFLOWS, Op.MINIMUM, Op.MAXIMUM}
    | {Op.SELECT, Op.SEAT_ON, Op.THING}
)
assert all(not SIGNATURES[op].writes and not SIGNATURES[op].reads & Memory.CHANCE for op in HARMLESS)


def wide(*ops: Op) -> Callable[[Wider], Wider]:
    def register(emit: Wider) -> Wider:
        WIDE.update(dict.fromkeys(ops, emit))
        return emit

    return register


@wide(Op.UNWRAP, Op.INDEX)
def as_it_is(_lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Any:
    return args[0]


@wide(Op.IS_NONE)
def is_none(lanes: SeatValues, node: ir.Let, args: list[Any]) -> Any:
    if args[0] is LANE or args[0] is OUTER or isinstance(args[0], Grown):
        return Mask(number(0)) if args[0] is not OUTER else FALSE
    numbers = lanes.lanes(args[0])
    if node.args[0].type.kind is Kind.INT:
        return Mask(lanes.bits(lanes.b.icmp_signed("==", numbers, lanes.spread(number(NO_NUMBER)))))
    return Mask(lanes.bits(lanes.b.icmp_signed("<", numbers, lanes.spread(number(0)))))


@wide(Op.NOT)
def negated(lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Mask:
    return lanes.others(lanes.mask(args[0]))


@wide(Op.AND, Op.OR)
def connected(lanes: SeatValues, node: ir.Let, args: list[Any]) -> Mask:
    one, other = lanes.mask(args[0]), lanes.mask(args[1])
    if node.op is Op.AND:
        return lanes.both(one, other)
    return lanes.others(lanes.both(lanes.others(one), lanes.others(other)))


@wide(Op.SELECT)
def selected(lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Any:
    return lanes.chosen(*args)


@wide(Op.SAME)
def same(lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Mask:
    if OUTER in args:
        if LANE not in args:
            raise Unfit
        return Mask(number(0), number(-1))
    if LANE in args:
        other = args[1 - args.index(LANE)]
        if is_number(other):
            seat = lanes.code.bit(lanes.b.and_(other, number(63)))
            return Mask(lanes.code.choose(lanes.code.compare("<", other, 0), 0, seat))
    if any(map(is_truth, args)):
        xor = lanes.joined(lanes.b.xor, lanes.mask(args[0]), lanes.mask(args[1]))
        return lanes.others(xor)
    one, other = map(lanes.lanes, args)
    return Mask(lanes.bits(lanes.b.icmp_signed("==", one, other)))


@wide(Op.LESS, Op.AT_MOST)
def compared(lanes: SeatValues, node: ir.Let, args: list[Any]) -> Mask:
    one, other = map(lanes.lanes, args)
    return Mask(lanes.bits(lanes.b.icmp_signed("<" if node.op is Op.LESS else "<=", one, other)))


@wide(Op.MINIMUM, Op.MAXIMUM)
def extreme(lanes: SeatValues, node: ir.Let, args: list[Any]) -> SeatNumbers:
    one, other = map(lanes.lanes, args)
    first = lanes.b.icmp_signed("<" if node.op is Op.MINIMUM else ">", one, other)
    return SeatNumbers(lanes.b.select(first, one, other))


@wide(Op.ADD)
def added(lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Any:
    for place, arg in enumerate(args):
        if isinstance(arg, Grown):
            other = args[1 - place]
            if arg.by is not None or isinstance(other, Grown | Mask | Outer):
                raise Unfit
            return Grown(arg.name, other)
    return SeatNumbers(lanes.b.add(*map(lanes.lanes, args)))


@wide(Op.SUBTRACT)
def subtracted(lanes: SeatValues, _node: ir.Let, args: list[Any]) -> SeatNumbers:
    return SeatNumbers(lanes.b.sub(*map(lanes.lanes, args)))


@wide(Op.ADD_OVERFLOWS, Op.SUBTRACT_OVERFLOWS)
def overflows(lanes: SeatValues, node: ir.Let, args: list[Any]) -> Mask:
    """A sum does if both sides differ in sign from it; a difference, if the sides differ, too. Of what is added to a
    variable outside it is looked at the end whether all is small."""
    if any(isinstance(arg, Grown) for arg in args):
        grown = next(arg for arg in args if isinstance(arg, Grown))
        if node.op is not Op.ADD_OVERFLOWS or grown.by is not None:
            raise Unfit
        return Mask(number(0))
    b, (one, other) = lanes.b, map(lanes.lanes, args)
    total = b.add(one, other) if node.op is Op.ADD_OVERFLOWS else b.sub(one, other)
    against = b.xor(one, total)
    signs = b.and_(against, b.xor(other, total) if node.op is Op.ADD_OVERFLOWS else b.xor(one, other))
    return Mask(lanes.bits(b.icmp_signed("<", signs, lanes.spread(number(0)))))


@wide(Op.WITH_SEAT)
def with_seat(_lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Grown:
    seats, seat = args
    if not isinstance(seats, Grown) or seats.by is not None or seat is not LANE:
        raise Unfit
    return Grown(seats.name, LANE)


@wide(Op.HAS_SEAT)
def has_seat(lanes: SeatValues, _node: ir.Let, args: list[Any]) -> Mask:
    seats, seat = args
    if seat is not LANE or lanes.is_wide(seats):
        raise Unfit
    return Mask(seats)
