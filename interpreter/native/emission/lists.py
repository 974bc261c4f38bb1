"""Lists of cards as sets, and lists that grow without branches."""

from __future__ import annotations

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.ops import Op
from trionfi.core.types import Kind
from trionfi.interpreter.native.access import card_at
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I1, I64, Mutable, Value
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.values import Items, ListVariable, item_at
from trionfi.interpreter.native.values import CardList

__all__ = ["card_bits", "gather_row", "has_card", "has_listed", "push_if", "same_set", "size_of"]

# ---- sets of cards


def bit_of(e: Emitter, card: Value) -> Value:
    kind = e.layout.mask_kind
    wide = card if kind.width == 64 else e.code.builder.zext(card, kind)
    return e.code.builder.shl(llvm.Constant(kind, 1), wide)


def card_bits(e: Emitter, items: Items) -> Value:
    """The cards of a list as a set, a bit each."""
    bits = Mutable(e.code, e.layout.mask_kind, 0)
    with e.code.count(items.count) as index:
        bits.set(e.code.builder.or_(bits.get(), bit_of(e, item_at(e, items, index))))
    return bits.get()


def has_card(e: Emitter, bits: Value, card: Value) -> Value:
    wide = card if bits.type.width == 64 else e.code.builder.zext(card, bits.type)
    return e.code.builder.trunc(e.code.builder.lshr(bits, wide), I1)


def size_of(e: Emitter, places: Value) -> Value:
    """How many things are in a set."""
    count = e.code.builder.ctpop(places)
    return count if count.type == I64 else e.code.builder.trunc(count, I64)


def same_set(f: Body, left: CardList, right: CardList) -> Value:
    result = Mutable(f.code, I1)
    result.set(f.code.compare("==", left.count, right.count))
    with f.code.counting(left.count) as (index, loop):
        with f.code.when(f.code.invert(has_listed(f, right, card_at(f, left, index)))):
            result.set(0)
            loop.leave()
    return result.get()


def place_of(f: Body, card: Value) -> Value:
    """The zone where a card lies; -1 for none."""
    there = f.code.compare(">=", card, 0)
    return f.small(f.code.choose(there, f.field("place", f.code.larger(card, 0)), -1), f.layout.zones)


def has_listed(f: Body, cards: CardList, card: Value) -> Value:
    """Whether a card is among cards; of a whole zone one look tells."""
    if cards.zone is not None:
        return f.code.compare("==", place_of(f, card), cards.zone)
    result = Mutable(f.code, I1, 0)
    with f.code.counting(cards.count) as (index, loop):
        with f.code.when(f.code.compare("==", card_at(f, cards, index), card)):
            result.set(1)
            loop.leave()
    return result.get()


# ---- lists that grow


def push_if(e: Emitter, node: ir.If, condition: Value) -> bool:
    """A thing that is pushed, or not, and nothing else: it is written in any case, and counts if it is meant."""
    push = node.then[0] if len(node.then) == 1 else None
    if node.otherwise or not isinstance(push, ir.Push):
        return False
    if push.value.type.is_list or push.value.type.kind is Kind.TARGET:
        return False
    variable = e.names[push.name.text]
    assert isinstance(variable, ListVariable), "things are pushed behind lists"
    variable.push(e.stored(push.value), condition)
    return True


def gather_row(e: Emitter, node: ir.Each) -> bool:
    """All cards of a row, place by place, pushed behind a list and nothing else."""
    zones = e.value(node.source)
    family = e.facts.family_of(node.source)
    push = pushed_card(node)
    if push is None or family is None or not isinstance(zones.count, llvm.Constant):
        return False
    plan, places = e.layout.plans[family], int(zones.count.constant)
    if plan.capacity != 1 or places > 8 or zones.first is None:
        return False
    code, variable = e.code, e.names[push.name.text]
    cards = code.at(code.at(e.state, plan.offset), code.subtract(zones.first, plan.first), plan.stride)
    for place in range(places):
        card = code.load(e.layout.card_kind, code.at(cards, place * plan.stride), 0, signed=False)
        variable.push(card, e.field("counts", code.add(zones.first, place)))
    return True


def pushed_card(node: ir.Each) -> ir.Push | None:
    """`each zone in row: each card in zone: push list, card`."""
    if len(node.body) != 2:
        return None
    match node.body:
        case (ir.Let(op=Op.CARDS_IN, target=cards, args=(zone,)), ir.Each(body=(ir.Push() as push,)) as inner):
            fits = zone == node.name and inner.source == cards and push.value == inner.name
            return push if fits else None
        case _:
            return None
