"""Operations on sets of places of a list, and menus of places."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from llvmlite import ir as llvm

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I32,
    I64,
    POINTER,
    TRUE,
    Mutable,
    Value,
    declared,
    function,
    number,
)
from trionfi.interpreter.native.emission.emitter import Emitter, Unfit
from trionfi.interpreter.native.emission.lists import size_of
from trionfi.interpreter.native.emission.menus import OfferedMenu
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.sets import Answer, answer_of
from trionfi.interpreter.native.emission.values import Items, item_at
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.module import Build
from trionfi.interpreter.native.offers import low_bits

__all__ = ["PlacesMenu", "nth_place"]

CHUNK = 32  # cards that are looked at together


@cache
def host_has(feature: str) -> bool:
    from llvmlite import binding

    return bool(binding.get_host_cpu_features().get(feature))


def answer(e: Emitter, node: Let) -> Answer:
    condition = e.program.functions[str(node.about[0])]
    return answer_of(
        e, condition, [e.value(arg, p.type) for arg, p in zip(node.args, condition.parameters, strict=True)][1:]
    )


@emits(Op.MATCHING)
def matching(e: Emitter, node: Let) -> Value:
    items = e.value(node.args[0])
    try:
        return places_of(e, answer(e, node).yes, items)
    except Unfit:
        return one_by_one(e, node, items)


@emits(Op.STOPS)
def stops(e: Emitter, node: Let) -> Value:
    try:
        stopping = answer(e, node).stopping
    except Unfit:
        return TRUE
    # mostly it would stop for no card at all
    nothing, result = llvm.Constant(stopping.type, 0), Mutable(e.code, I1)
    result.set(FALSE)
    with e.code.when(e.code.builder.icmp_unsigned("!=", stopping, nothing), likely=False):
        places = places_of(e, stopping, e.value(node.args[0]))
        result.set(e.code.builder.icmp_unsigned("!=", places, nothing))
    return result.get()


def one_by_one(e: Emitter, node: Let, items: Items) -> Value:
    """The places of what a function says yes to, called for each."""
    made = e.callee(str(node.about[0]))
    kind = e.layout.mask_kind
    mask = Mutable(e.code, kind, 0)
    if made.may_fail:
        return mask.get()
    more = [e.value(arg, p.type) for arg, p in zip(node.args, made.core.parameters, strict=True)][1:]
    with e.code.count(items.count) as index:
        says = e.code.call(made.function, [e.state, item_at(e, items, index), *more])
        mask.set(with_bit(e, mask.get(), says, index))
    return mask.get()


def with_bit(e: Emitter, mask: Value, truth: Value, index: Value) -> Value:
    b = e.code.builder
    wide = mask.type
    place = index if wide == I64 else b.zext(index, wide)
    return b.or_(mask, b.shl(b.zext(truth, wide), place))


def first_places(e: Emitter, count: Value) -> Value:
    """So many places from the first on; fewer than the list can have."""
    b, kind = e.code.builder, e.layout.mask_kind
    one = llvm.Constant(kind, 1)
    wide = number(count) if kind.width == 64 else b.zext(number(count), kind)
    if e.layout.cards.count < kind.width:
        return b.sub(b.shl(one, wide), one)
    whole = b.icmp_unsigned(">=", wide, llvm.Constant(kind, kind.width))
    return b.select(whole, llvm.Constant(kind, -1), b.sub(b.shl(one, wide), one))


def places_of(e: Emitter, cards: Value, items: Items) -> Value:
    """Where the cards of a set stand in a list."""
    if isinstance(cards, llvm.Constant):
        if cards.constant == 0:
            return cards
        if cards.constant == (1 << e.layout.cards.count) - 1:
            return first_places(e, items.count)
    in_record = items.zone is not None and e.layout.card_kind is I8
    if in_record and e.layout.mask_kind.width <= 128 and host_has("avx2"):
        return places_in_zone(e, cards, items)
    return e.code.call(slowly(e.build, e.layout.mask_kind.width), [cards, items.pointer, items.count])


@kernel
def slowly(build: Build, width: int) -> llvm.Function:
    """places(set, cards, count), card by card."""
    kind = llvm.IntType(width)
    with function(build.module, "places", kind, [kind, POINTER, I64]) as code:
        cards, pointer, count = code.arguments
        b, mask = code.builder, Mutable(code, kind, 0)
        with code.count(count) as index:
            b = code.builder
            card = code.load(build.layout.card_kind, pointer, index, signed=False)
            wide = (card, index) if width == 64 else (b.zext(card, kind), b.zext(index, kind))
            bit = b.and_(b.lshr(cards, wide[0]), llvm.Constant(kind, 1))
            mask.set(b.or_(mask.get(), b.shl(bit, wide[1])))
        code.give(mask.get())
    return code.function


def places_in_zone(e: Emitter, cards: Value, items: Items) -> Value:
    """The same, so many cards at once; what is read behind the zone is still in the record."""
    code, kind = e.code, e.layout.mask_kind
    table = set_bytes(e, cards)
    first = code.builder.zext(chunk(e, table, items.pointer), kind)
    mask = Mutable(code, kind, first)
    with code.when(code.compare(">", items.count, CHUNK), likely=False), code.count(items.count, CHUNK) as index:
        # one chunk a turn would do; longer zones are rare
        b = code.builder
        card = code.load(I8, items.pointer, index, signed=False)
        wide = (card, index) if kind.width == 64 else (b.zext(card, kind), b.zext(index, kind))
        bit = b.and_(b.lshr(cards, wide[0]), llvm.Constant(kind, 1))
        mask.set(b.or_(mask.get(), b.shl(bit, wide[1])))
    return code.builder.and_(mask.get(), first_places(e, items.count))


def set_bytes(e: Emitter, cards: Value) -> Value:
    """The bytes of a set, twice: a table for each half of a chunk."""
    b, size = e.code.builder, int(cards.type.width) // 8
    narrow = llvm.VectorType(I8, size)
    order = [place % size for place in range(CHUNK)]
    shuffle = llvm.Constant(llvm.VectorType(I32, CHUNK), order)
    return b.shuffle_vector(b.bitcast(cards, narrow), llvm.Constant(narrow, llvm.Undefined), shuffle)


def chunk(e: Emitter, table: Value, pointer: Value) -> Value:
    """A bit for each of the next cards: whether it is in the set."""
    b, wide = e.code.builder, llvm.VectorType(I8, CHUNK)
    shuffle = declared(e.build.module, "llvm.x86.avx2.pshuf.b", llvm.FunctionType(wide, [wide, wide]))
    cards = b.load(pointer, typ=wide, align=1)
    bits = b.call(shuffle, [llvm.Constant(wide, [1 << (place & 7) for place in range(16)] * 2), cards])
    bytes_ = b.call(shuffle, [table, b.lshr(cards, llvm.Constant(wide, [3] * CHUNK))])
    found = b.icmp_unsigned("==", b.and_(bytes_, bits), bits)
    return b.bitcast(found, I32)


# ---- places


@emits(Op.WITH_PLACE)
def with_place(e: Emitter, node: Let) -> Value:
    places, place = arguments(e, node)
    return with_bit(e, places, TRUE, place)


@emits(Op.NTH_PLACE)
def nth(e: Emitter, node: Let) -> Value:
    places, choice = arguments(e, node)
    return e.small(nth_place(e, places, choice), e.layout.cards.count)


def nth_place(e: Emitter, places: Value, choice: Value) -> Value:
    """The place of the n-th bit."""
    if places.type == I64:
        return nth_bit(e, places, choice)
    code, b = e.code, e.code.builder
    low, high = b.trunc(places, I64), b.trunc(b.lshr(places, llvm.Constant(places.type, 64)), I64)
    before = code.bits(low)
    inside = code.compare("<", choice, before)
    found = nth_bit(e, code.choose(inside, low, high), code.choose(inside, choice, code.subtract(choice, before)))
    return code.add(found, code.choose(inside, 0, 64))


def nth_bit(e: Emitter, word: Value, choice: Value) -> Value:
    code = e.code
    if host_has("bmi2"):
        deposit = declared(e.build.module, "llvm.x86.bmi.pdep.64", llvm.FunctionType(I64, [I64, I64]))
        return code.builder.cttz(code.call(deposit, [code.bit(choice), word]), FALSE)
    left = Mutable(code, I64, word)
    with code.count(choice):
        left.set(code.builder.and_(left.get(), code.subtract(left.get(), 1)))
    return code.builder.cttz(left.get(), FALSE)


# ---- menus


class FixedCount(Mutable):
    """How many options a menu of places has."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def get(self) -> Value:
        return self.value


class PlacesMenu(OfferedMenu):
    """A menu to pick one of the things at these places; nothing is stored."""

    def __init__(self, e: Emitter, items: Items, places: Value) -> None:
        self.e = self.f = e
        self.items, self.places = items, places
        self.most, self.node, self.sets, self.targets = e.layout.cards.count, None, None, None
        self.numbers = None
        self.count = FixedCount(size_of(e, places))

    def entry(self, choice: Value) -> Value:
        b = self.e.code.builder
        thing = item_at(self.e, self.items, nth_place(self.e, self.places, choice))
        return b.or_(low_bits(self.e, thing), b.shl(choice, number(16)))


@emits(Op.PICK_MENU)
def pick_menu(e: Emitter, node: Let) -> OfferedMenu:
    """Who asks what is offered reads it entry by entry."""
    items, places = arguments(e, node)
    if not e.is_told:
        return PlacesMenu(e, items, places)
    assert node.target is not None
    menu = OfferedMenu(e, node.target)
    with each_place(e, places) as place:
        menu.add_pick(item_at(e, items, place), place, node.args[0].type.element)
    return menu


@contextmanager
def each_place(e: Emitter, places: Value) -> Iterator[Value]:
    code, kind = e.code, places.type
    left = Mutable(code, kind, places)
    with code.loop() as loop:
        here, inside = left.get(), code.block("place")
        nothing = code.builder.icmp_unsigned("==", here, llvm.Constant(kind, 0))
        code.branch(nothing, loop.after, inside)
        code.go_on(inside)
        b = code.builder
        left.set(b.and_(here, b.sub(here, llvm.Constant(kind, 1))))
        place = b.cttz(here, FALSE)
        yield place if kind == I64 else b.trunc(place, I64)
