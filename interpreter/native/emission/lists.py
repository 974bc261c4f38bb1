"""Short lists of cards, 32 bytes at once: copied, searched, and put together without branches.

Most lists are short, and where a card stands in them cannot be foretold. What lies behind a list is read and written,
too: there is room for 32 bytes wherever a deck has so many cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.ops import Op
from trionfi.core.types import Kind
from trionfi.interpreter.native.builder import FALSE, I1, I8, I32, I64, Code, Value, Variable, number
from trionfi.interpreter.native.emission.values import Items, ListVariable

if TYPE_CHECKING:
    from trionfi.interpreter.native.emission.function import Emitter

__all__ = ["are_short", "card_bits", "copy_short", "gather_row", "has_card", "place_of_byte", "push_if", "returned"]

CHUNK = 32
VECTOR = llvm.VectorType(I8, CHUNK)


def are_short(e: Emitter, element: llvm.IntType) -> bool:
    """Whether lists of such things may be worked on so many at once."""
    return element is I8 and e.layout.cards.count >= CHUNK


def copy_short(code: Code, to: Value, source: Value, count: Value) -> None:
    """So many bytes; both places have room for 32."""
    with code.otherwise(code.compare("<=", count, CHUNK)) as other:
        code.builder.store(code.builder.load(source, typ=VECTOR, align=1), to, align=1)
        other()
        code.slide(to, source, count)


def splat(code: Code, byte: Value) -> Value:
    b, nothing = code.builder, llvm.Constant(VECTOR, llvm.Undefined)
    one = b.insert_element(nothing, b.trunc(number(byte), I8), llvm.Constant(I32, 0))
    return b.shuffle_vector(one, nothing, llvm.Constant(llvm.VectorType(I32, CHUNK), [0] * CHUNK))


def place_of_byte(code: Code, pointer: Value, count: Value, byte: Value) -> Value:
    """Where a byte stands first among so many; -1 if it does not."""
    b, found = code.builder, Variable(code, I64, -1)
    same = b.bitcast(b.icmp_unsigned("==", b.load(pointer, typ=VECTOR, align=1), splat(code, byte)), I32)
    first = b.cttz(b.zext(same, I64), FALSE)  # 64 if there is none
    found.set(code.choose(code.compare("<", first, code.smaller(count, CHUNK)), first, -1))
    longer = code.both(code.compare("<", found.get(), 0), code.compare(">", count, CHUNK))
    with code.when(longer, likely=False), code.counting(count, CHUNK) as (index, loop):
        with code.when(code.compare("==", code.load(I8, pointer, index, signed=False), byte)):
            found.set(index)
            loop.leave()
    return found.get()


# ---- sets of cards


def bit_of(e: Emitter, card: Value) -> Value:
    kind = e.layout.mask_kind
    wide = card if kind.width == 64 else e.code.builder.zext(card, kind)
    return e.code.builder.shl(llvm.Constant(kind, 1), wide)


def card_bits(e: Emitter, items: Items) -> Value:
    """The cards of a list as a set, a bit each."""
    from trionfi.interpreter.native.emission.values import item_at

    bits = Variable(e.code, e.layout.mask_kind, 0)
    with e.code.count(items.count) as index:
        bits.set(e.code.builder.or_(bits.get(), bit_of(e, item_at(e, items, index))))
    return bits.get()


def has_card(e: Emitter, bits: Value, card: Value) -> Value:
    wide = card if bits.type.width == 64 else e.code.builder.zext(card, bits.type)
    return e.code.builder.trunc(e.code.builder.lshr(bits, wide), I1)


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
        variable.push(card, e.f.field("counts", code.add(zones.first, place)))
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


def returned(function: ir.Function) -> str:
    """The list that alone a function gives, which it declares once: it may be gathered where it is wanted."""
    if not function.pure or function.result is None or not function.result.is_list:
        return ""
    values: set[Any] = {one.value for one in ir.walk(function.body) if isinstance(one, ir.Return)}
    if len(values) != 1:
        return ""
    (value,) = values
    declared = [one.name for one in function.body if isinstance(one, ir.Var)]
    return value.text if value in declared else ""
