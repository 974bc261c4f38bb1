"""Shuffles that are drawn when a card is wanted.

A shuffle draws the top card first. So in whole games a pile that is shuffled is only marked, and who takes its top
card draws that one: the same draws in the same order, but for cards that nobody asks for none at all. Whatever else
speaks of the order of the pile, or draws itself, first draws the rest (`settle`).
"""

from __future__ import annotations

from trionfi.core.ir import Let, Name, Operand, walk
from trionfi.core.ops import Op
from trionfi.dsl import tree
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.access import cards_in, zone_count
from trionfi.interpreter.native.builder import I64, Value, number
from trionfi.interpreter.native.emission.emitter import Emitter

__all__ = ["delayed", "draw_top", "settle", "settle_card"]

MARK = "unshuffled"  # the field of the record


def pile_of(e: Emitter) -> tree.ZoneFamily | None:
    """The zone whose shuffles are delayed: the first single one that is shuffled. None where games are watched, or
    where it is told card by card what is shuffled."""
    if e.build.watched or e.build.knows or e.rules.effects:
        return None
    key = ("pile", "unshuffled")
    if key not in e.build.kernels:
        e.build.kernels[key] = first_shuffled(e)
    return e.build.kernels[key]  # type: ignore[no-any-return]


def first_shuffled(e: Emitter) -> tree.ZoneFamily | None:
    from trionfi.interpreter.native.emission.facts import FunctionFacts

    for function in e.program.functions.values():
        shuffles = [one for one in walk(function.body) if isinstance(one, Let) and one.op is Op.SHUFFLE]
        families = (FunctionFacts(function, e.layout).family_of(one.args[0]) for one in shuffles)
        for family in families:
            if family is not None and e.layout.plans[family].zones == 1:
                e.layout.reserve(MARK, I64)
                return family
    return None


def is_pile(e: Emitter, zone: Operand) -> bool:
    return pile_of(e) is not None and e.facts.family_of(zone) is pile_of(e)


def begin(e: Emitter) -> None:
    """A game begins with nothing to draw."""
    if pile_of(e) is not None:
        e.set_field(MARK, 0)


def delayed(e: Emitter, zone: Operand) -> bool:
    """Marks a zone as shuffled, if its shuffles are delayed."""
    settle(e)
    if is_pile(e, zone):
        e.set_field(MARK, 1)
    return is_pile(e, zone)


def settle(e: Emitter, zone: Operand | None = None) -> None:
    """Draws what is still to draw; with a zone, before its order is read or changed."""
    pile = pile_of(e)
    if pile is None or (zone is not None and e.facts.family_of(zone) not in (None, pile)):
        return
    wanted = is_marked(e)
    if zone is not None and e.facts.family_of(zone) is None:
        wanted = e.code.both(wanted, e.code.compare("==", e.value(zone), e.layout.plans[pile].first))
    settle_when(e, wanted)


def settle_card(e: Emitter, card: Value) -> None:
    """The same before a card is lifted from the midst of a zone."""
    pile = pile_of(e)
    if pile is not None:
        lies = e.code.compare("==", e.field("place", card), e.layout.plans[pile].first)
        settle_when(e, e.code.both(is_marked(e), lies))


def is_marked(e: Emitter) -> Value:
    return e.code.compare("!=", e.field(MARK), 0)


def settle_when(e: Emitter, wanted: Value) -> None:
    pile = pile_of(e)
    assert pile is not None
    with e.code.when(wanted, likely=False):
        zone = number(e.layout.plans[pile].first)
        cards = cards_in(e, zone, pile)
        e.code.call(kernels.shuffle(e.build), [e.state, zone, cards.pointer, cards.count])
        e.set_field(MARK, 0)


def draw_top(e: Emitter, node: Let) -> None:
    """The top card of a zone is wanted, and lifted at once; else all is drawn."""
    (zone, _), lift = node.args, e.rest[0] if e.rest else None
    if not is_pile(e, zone) or not isinstance(node.target, Name) or lift != Let(None, Op.LIFT, (node.target,)):
        settle(e, zone)
        return
    code, kind = e.code, e.layout.card_kind
    count = zone_count(e, e.value(zone))
    with code.when(code.both(is_marked(e), code.compare(">", count, 1))):
        drawn = code.call(kernels.below(e.build), [e.address("streams"), count])
        cards, top = cards_in(e, e.value(zone), pile_of(e)).pointer, code.subtract(count, 1)
        mine, theirs = (code.load(kind, cards, place, signed=False) for place in (top, drawn))
        code.store(kind, theirs, cards, top)
        code.store(kind, mine, cards, drawn)
