"""Operations that move and turn cards, draw by lot, and count."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.interpreter.native import kernels, stacked
from trionfi.interpreter.native.access import cards_in, zone_count, zone_pointer
from trionfi.interpreter.native.builder import FALSE, I1, I8, I32, TRUE, Code, Mutable, Value, number
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import OPERATIONS, emits
from trionfi.interpreter.native.emission.plays import derive_marks
from trionfi.interpreter.native.emission.shuffling import delayed, draw_top, settle, settle_card
from trionfi.interpreter.native.emission.things import family_of, owner_of, variable_of
from trionfi.interpreter.native.emission.values import Items
from trionfi.interpreter.native.measures import count_reading
from trionfi.interpreter.native.module import NO_NUMBER

__all__: list[str] = []

CLOSED = 32  # cards that move down together


@emits(Op.NEXT_CARD)
def next_card(e: Emitter, node: Let) -> Value:
    """The top card; a watched game may be stacked, which brings up the card that it wants."""
    zone, to = arguments(e, node)
    if e.build.watched:
        with e.code.when(stacked.is_stacked(e.build, e.code, e.state), likely=False):
            pile = cards_in(e, zone, family_of(e, node.args[0]))
            e.code.call(stacked.bring_up(e.build), [e.state, pile.pointer, pile.count, zone, to])
    draw_top(e, node)
    top = e.code.subtract(zone_count(e, zone), 1)
    pointer = zone_pointer(e, zone, family_of(e, node.args[0]))
    return e.code.load(e.layout.card_kind, pointer, top, signed=False)


@emits(Op.LIFT)
def lift(e: Emitter, node: Let) -> None:
    made = e.facts.let_of(node.args[0])
    if made is not None and made.op is Op.NEXT_CARD:
        # the top card of the source: the zone is one shorter
        zone = e.value(made.args[0])
        e.set_field("counts", e.code.subtract(zone_count(e, zone), 1), zone)
        return
    settle_card(e, e.value(node.args[0]))
    e.code.call(kernels.take(e.build), [e.state, e.value(node.args[0])])


@emits(Op.LIFT_AT)
def lift_at(e: Emitter, node: Let) -> None:
    """The cards above move down: by one store, unless there are many."""
    code = e.code
    settle(e, node.args[0])
    zone, place = arguments(e, node)
    pointer = zone_pointer(e, zone, family_of(e, node.args[0]))
    width = int(e.layout.card_kind.width) // 8
    top = code.subtract(zone_count(e, zone), 1)
    above, gap = code.subtract(top, place), code.at(pointer, place, width)
    if width == 1 and e.layout.cards.count >= CLOSED:
        with code.otherwise(code.compare("<=", above, CLOSED)) as other:
            close_gap(code, gap, above)
            other()
            code.slide(gap, code.at(gap, 1), above)
    else:
        code.slide(gap, code.at(gap, 1, width), code.multiply(above, width))
    e.set_field("counts", top, zone)


def close_gap(code: Code, gap: Value, above: Value) -> None:
    """So many bytes move down by one; what is behind them is written as it was."""
    b, kind = code.builder, llvm.VectorType(I8, CLOSED)
    here, next_ = (b.load(pointer, typ=kind, align=1) for pointer in (gap, code.at(gap, 1)))
    one = llvm.Constant(llvm.VectorType(I8, CLOSED), llvm.Undefined)
    first = b.insert_element(one, b.trunc(above, I8), llvm.Constant(I32, 0))
    limit = b.shuffle_vector(first, one, llvm.Constant(llvm.VectorType(I32, CLOSED), [0] * CLOSED))
    moves = b.icmp_signed("<", llvm.Constant(kind, list(range(CLOSED))), limit)
    b.store(b.select(moves, next_, here), gap, align=1)


@emits(Op.LIFT_ALL)
def lift_all(e: Emitter, node: Let) -> Items:
    """The cards stay where they lay, of which the zone knows nothing any more; none is laid there meanwhile."""
    settle(e, node.args[0])
    cards = cards_in(e, e.value(node.args[0]), family_of(e, node.args[0]))
    e.set_field("counts", number(0), cards.zone)
    return Items(cards.pointer, cards.count, e.layout.card_kind, False)


@emits(Op.LIFT_EVERY)
def lift_every(e: Emitter, _node: Let) -> None:
    settle(e)
    counts = e.layout["counts"]
    e.code.fill(e.address("counts"), 0, counts.count * counts.size)


@emits(Op.LAY)
def lay(e: Emitter, node: Let) -> None:
    code = e.code
    settle(e, node.args[0])
    zone, card, at = arguments(e, node)
    made = e.facts.let_of(node.args[2])
    pointer, count = zone_pointer(e, zone, family_of(e, node.args[0])), zone_count(e, zone)
    if made is None or made.op is not Op.SIZE:
        width = int(e.layout.card_kind.width) // 8
        place = code.at(pointer, at, width)
        code.slide(code.at(place, 1, width), place, code.multiply(code.subtract(count, at), width))
    code.store(e.layout.card_kind, card, pointer, at)
    e.set_field("counts", code.add(count, 1), zone)
    e.set_field("place", zone, card)


@emits(Op.TURN)
def turn(e: Emitter, node: Let) -> None:
    card, up = arguments(e, node)
    e.set_field("face_up", e.code.number_of(up), card)


@emits(Op.LEARN)
def learn(e: Emitter, node: Let) -> None:
    card, seats = arguments(e, node)
    e.set_field("known", e.code.builder.or_(e.field("known", card), seats), card)


@emits(Op.KNOWN_BY)
def known_by(e: Emitter, node: Let) -> None:
    card, seats = arguments(e, node)
    e.set_field("known", seats, card)


@emits(Op.ORIENT)
def orient(e: Emitter, node: Let) -> None:
    card, turned = arguments(e, node)
    e.set_field("reversed", e.code.number_of(turned), card)


@emits(Op.SET_MARK)
def set_mark(e: Emitter, node: Let) -> None:
    card, value = arguments(e, node)
    e.set_field(f"mark {node.about[0]}", value, card)
    if e.rules.effects:
        e.set_field(f"own mark {node.about[0]}", value, card)
        derive_marks(e)


@emits(Op.SHUFFLE)
def shuffle(e: Emitter, node: Let) -> None:
    if delayed(e, node.args[0]):
        return
    zone = e.value(node.args[0])
    cards = cards_in(e, zone, family_of(e, node.args[0]))
    e.code.call(kernels.shuffle(e.build), [e.state, zone, cards.pointer, cards.count])
    if e.build.watched:
        with e.code.when(stacked.is_stacked(e.build, e.code, e.state), likely=False):
            e.code.call(stacked.arrange(e.build), [e.state, zone, cards.pointer, cards.count, stacked_site(e, node)])
        e.stop_if_failed()


def stacked_site(e: Emitter, node: Let) -> Value:
    return number(e.build.error_site("stacked-chance", e.program.places[int(node.about[0])].span))


@emits(Op.ROTATE_HALF, Op.ROTATE_EACH)
def rotate(e: Emitter, node: Let) -> None:
    settle(e)
    cards = cards_in(e, e.value(node.args[0]), family_of(e, node.args[0]))
    every = TRUE if node.op is Op.ROTATE_EACH else FALSE
    e.code.call(kernels.rotate(e.build), [e.state, cards.pointer, cards.count, every])


@emits(Op.DRAW)
def draw(e: Emitter, node: Let) -> Value:
    if e.build.watched:
        drawn = e.code.call(stacked.lot(e.build), [e.state, e.value(node.args[0]), stacked_site(e, node)])
        e.stop_if_failed()
        return drawn
    settle(e)
    return e.code.call(kernels.below(e.build), [e.address("streams"), e.value(node.args[0])])


@emits(Op.LISTED_NUMBER)
def listed_number(e: Emitter, _node: Let) -> Value:
    return e.code.call(stacked.listed(e.build), [e.state]) if e.build.watched else number(NO_NUMBER)


@emits(Op.IS_SET_BY_STACK)
def is_set_by_stack(e: Emitter, node: Let) -> Value:
    """Whether it is; the variable then has that value already."""
    if not e.build.watched:
        return FALSE
    variable, is_set = variable_of(e, node), Mutable(e.code, I1, 1)
    with stacked.unless_set(e, variable, number(owner_of(e, variable, node.args))):
        is_set.set(FALSE)
    return is_set.get()


@emits(Op.STACKED_VALUE)
def stacked_value(e: Emitter, node: Let) -> Any:
    return OPERATIONS[Op.LOAD](e, node)


@emits(Op.SEE)
def count_measure(e: Emitter, node: Let) -> None:
    value, *seat = arguments(e, node)
    count_reading(e, int(node.about[0]), value, seat[0] if seat else None)
