"""Operations on variables, cards, zones and lists."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm

from trionfi.core.ir import Each, Let, Name, Operand, Set, operands_of, walk
from trionfi.core.ops import Memory, Op
from trionfi.core.types import CoreType, Kind, core_type
from trionfi.dsl import tree
from trionfi.interpreter.native import access
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I32,
    I64,
    POINTER,
    Mutable,
    Number,
    Value,
    number,
    table,
)
from trionfi.interpreter.native.emission.aims import card_of_thing, is_there
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.lists import card_bits, has_card, same_set, size_of
from trionfi.interpreter.native.emission.numbers import arguments, same_lists
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.short import are_short, place_of_byte
from trionfi.interpreter.native.emission.shuffling import settle
from trionfi.interpreter.native.emission.values import Items, copy_items, element_of, item_at, most_items, row_size
from trionfi.interpreter.native.offers import alike as alike_cards
from trionfi.interpreter.native.offers import group_copies
from trionfi.interpreter.native.play_record import EVERY_RANK, all_suits
from trionfi.interpreter.native.values import CardList

__all__ = ["family_of", "items_of", "zone_number"]


# ---- variables


def variable_of(e: Emitter, node: Let) -> tree.Variable:
    return next(one for one in e.rules.variables if one.name == node.about[0])


def owner_of(e: Emitter, variable: tree.Variable, owner: tuple[Operand, ...]) -> Number:
    """The number of an owner among those that have one each."""
    if not owner:
        return number(0)
    value = e.value(owner[0])
    if variable.per != "spot":
        return value
    assert variable.per_zone is not None
    return e.code.subtract(value, e.layout.plans[variable.per_zone].first)


@emits(Op.LOAD)
def load(e: Emitter, node: Let) -> Any:
    variable = variable_of(e, node)
    value = access.load_variable(e, variable, owner_of(e, variable, node.args))
    return items_of(e, value) if isinstance(value, CardList) else value


@emits(Op.STORE)
def store(e: Emitter, node: Let) -> None:
    variable = variable_of(e, node)
    value = e.value(node.args[0], core_type(variable.type))
    owner = owner_of(e, variable, node.args[1:])
    access.store_variable(e, variable, owner, value.cards() if isinstance(value, Items) else value, variable.span)


@emits(Op.HAS_SPOT)
def has_spot(e: Emitter, node: Let) -> Value:
    variable = variable_of(e, node)
    assert variable.per_zone is not None
    plan = e.layout.plans[variable.per_zone]
    place = e.code.subtract(e.value(node.args[0]), plan.first)
    return e.code.builder.icmp_unsigned("<", place, number(plan.zones))


def items_of(e: Emitter, cards: CardList) -> Items:
    return Items(cards.pointer, cards.count, e.layout.card_kind, False, cards.zone)


# ---- zones


def family_of(e: Emitter, zone: Operand) -> tree.ZoneFamily | None:
    return e.facts.family_of(zone)


def zone_number(e: Emitter, node: Let) -> Value:
    plan = e.layout.plans[next(one for one in e.rules.zones if one.name == node.about[0])]
    args = arguments(e, node)
    place = args.pop() if "place" in node.about else 0
    owner = args[0] if args else 0
    return e.code.add(e.code.add(plan.first, e.code.multiply(owner, plan.places)), place)


@emits(Op.ZONE_AT)
def zone_at(e: Emitter, node: Let) -> Value:
    return zone_number(e, node)


@emits(Op.ZONES_OF)
def zones_of(e: Emitter, node: Let) -> Items:
    plan = e.layout.plans[next(one for one in e.rules.zones if one.name == node.about[0])]
    nothing = llvm.Constant(POINTER, None)
    return Items(nothing, number(plan.places), I16, True, first=zone_number(e, node))


@emits(Op.ZONE_FAMILY)
def zone_family(e: Emitter, node: Let) -> Value:
    families = e.layout.by_zone((plan, plan.family.index) for plan in e.layout.plans.values())
    return e.code.load(I8, table(e.build.module, "zone_families", I8, families), e.value(node.args[0]))


@emits(Op.ZONE_OWNER)
def zone_owner(e: Emitter, node: Let) -> Value:
    return e.code.load(I8, table(e.build.module, "zone_owners", I8, e.layout.zone_owners), e.value(node.args[0]))


@emits(Op.ZONE_PLACE)
def zone_place(e: Emitter, node: Let) -> Value:
    places = [
        i % plan.places + 1 if plan.family.shape in ("row", "piles") else 0
        for plan in e.layout.plans.values()
        for i in range(plan.zones)
    ]
    found = e.code.load(I16, table(e.build.module, "zone_place_numbers", I16, places), e.value(node.args[0]))
    return e.small(found, max(places, default=0))


@emits(Op.ZONE_CAPACITY)
def zone_capacity(e: Emitter, node: Let) -> Value:
    family = family_of(e, node.args[0])
    if family is not None:
        # of a zone that holds the whole deck nobody need ask
        capacity = e.layout.plans[family].capacity
        return number(capacity if capacity < e.layout.cards.count else 1 << 30)
    capacities = table(e.build.module, "zone_capacities", I32, e.layout.zone_capacities)
    return e.code.load(I32, capacities, e.value(node.args[0]))


def zone_face(e: Emitter, zone: Value) -> Value:
    return e.code.load(I8, table(e.build.module, "zone_faces", I8, e.layout.zone_faces), zone)


@emits(Op.ZONE_TURNS)
def zone_turns(e: Emitter, node: Let) -> Value:
    return e.code.compare("!=", zone_face(e, e.value(node.args[0])), 2)


@emits(Op.ZONE_IS_UP)
def zone_is_up(e: Emitter, node: Let) -> Value:
    return e.code.compare("==", zone_face(e, e.value(node.args[0])), 1)


@emits(Op.ZONE_SEERS)
def zone_seers(e: Emitter, node: Let) -> Value:
    lookers = table(e.build.module, "zone_lookers", I8, e.layout.zone_lookers)
    looker = e.code.load(I8, lookers, e.value(node.args[0]))
    return e.code.choose(e.code.compare("<", looker, 0), 0, e.code.bit(looker))


@emits(Op.SIZE)
def size(e: Emitter, node: Let) -> Value:
    (operand,) = node.args
    value = e.value(operand)
    match operand.type.kind:
        case Kind.ZONE:
            return access.zone_count(e, value)
        case Kind.PLACES:
            return e.small(size_of(e, value), e.layout.cards.count)
        case Kind.SEATS:
            return e.small(e.code.bits(value), e.layout.seats)
        case _:
            return e.small(value.count, 1 << 16) if not isinstance(value.count, llvm.Constant) else value.count


@emits(Op.CARD_AT)
def card_at(e: Emitter, node: Let) -> Value:
    settle(e, node.args[0])
    zone, place = arguments(e, node)
    pointer = access.zone_pointer(e, zone, family_of(e, node.args[0]))
    return e.code.load(e.layout.card_kind, pointer, place, signed=False)


@emits(Op.PLACE_IN)
def place_in(e: Emitter, node: Let) -> Value:
    settle(e, node.args[0])
    zone, card = arguments(e, node)
    cards = items_of(e, access.cards_in(e, zone, family_of(e, node.args[0])))
    return e.small(place_of_item(e, cards, card), e.layout.cards.count)


def place_of_item(e: Emitter, items: Items, thing: Value) -> Value:
    """Where a thing stands in a list; -1 if it does not."""
    if are_short(e.layout, items.element):
        return place_of_byte(e.code, items.pointer, items.count, thing)
    found = Mutable(e.code, I64, -1)
    with e.code.counting(items.count) as (index, loop):
        with e.code.when(e.code.compare("==", item_at(e, items, index), thing)):
            found.set(index)
            loop.leave()
    return found.get()


@emits(Op.CARDS_IN)
def cards_in_zone(e: Emitter, node: Let) -> Items:
    """The cards where they lie, if nothing moves while the list is used; else a copy."""
    settle(e, node.args[0])
    zone = e.value(node.args[0])
    found = items_of(e, access.cards_in(e, zone, family_of(e, node.args[0])))
    assert node.target is not None
    if stays(e, node.target):
        return found
    room = e.code.room(found.element, most_items(e.layout, node.target.type))
    copy_items(e, room, found)
    return Items(room, found.count, found.element, False)


def stays(e: Emitter, name: Name) -> bool:
    """Whether cards stay where they are as long as a list in this block is used."""
    last = -1
    for place, statement in enumerate(e.rest):
        if any(name in operands_of(inner) for inner in walk((statement,))):
            last = place
    if last < 0:
        return True
    before, at = e.rest[:last], e.rest[last]
    if e.writes(before, Memory.ZONES):
        return False
    # a loop over the list itself copies it where it has to
    only_source = isinstance(at, Each) and at.source == name and not any(name in operands_of(s) for s in walk(at.body))
    return only_source or not e.writes((at,), Memory.ZONES)


@emits(Op.TOP_CARDS)
def top_cards(e: Emitter, node: Let) -> Items:
    code = e.code
    settle(e, node.args[0])
    zone, amount = arguments(e, node)
    pile = access.cards_in(e, zone, family_of(e, node.args[0]))
    count = code.smaller(amount, pile.count)
    assert node.target is not None
    room = code.room(e.layout.card_kind, most_items(e.layout, node.target.type))
    with code.count(count) as index:
        from_top = code.subtract(code.subtract(pile.count, 1), index)
        card = code.load(e.layout.card_kind, pile.pointer, from_top, signed=False)
        code.store(e.layout.card_kind, card, room, index)
    return Items(room, e.small(count, e.layout.cards.count), e.layout.card_kind, False)


# ---- lists


@emits(Op.EMPTY)
def empty(e: Emitter, node: Let) -> Items:
    assert node.target is not None
    kind = node.target.type
    return Items(llvm.Constant(POINTER, None), number(0), *element_of(e.layout, kind), row=row_size(e.layout, kind))


@emits(Op.ITEM)
def item(e: Emitter, node: Let) -> Value:
    items, index = arguments(e, node)
    assert node.target is not None
    value = item_at(e, items, index)
    return e.code.builder.trunc(value, I1) if node.target.type.kind is Kind.BOOL else value


@emits(Op.CONTAINS)
def contains(e: Emitter, node: Let) -> Value:
    items, thing = arguments(e, node)
    if items.zone is not None:
        return e.code.compare("==", e.field("place", thing), items.zone)
    if items.first is not None:
        behind = e.code.subtract(thing, items.first)
        return e.code.builder.icmp_unsigned("<", behind, number(items.count))
    return e.code.compare(">=", place_of_item(e, items, thing), 0)


@emits(Op.SAME_CARDS)
def same_cards(e: Emitter, node: Let) -> Value:
    one, other = arguments(e, node)
    return same_set(e, one.cards(), other.cards())


@emits(Op.JOINED)
def joined(e: Emitter, node: Let) -> Items:
    one, other = arguments(e, node)
    assert node.target is not None
    code, kind = e.code, e.layout.card_kind
    room, count = code.room(kind, most_items(e.layout, node.target.type)), Mutable(code, I64, one.count)
    copy_items(e, room, one)
    apart = are_apart(e, *node.args)
    bits = None if apart else card_bits(e, one)
    with code.count(other.count) as index:
        card = item_at(e, other, index)
        code.store(kind, card, room, count.get())
        count.add(1 if bits is None else code.number_of(code.invert(has_card(e, bits, card))))
    return Items(room, e.small(count.get(), e.layout.cards.count), kind, False)


def are_apart(e: Emitter, one: Operand, other: Operand) -> bool:
    """Whether no card is in both: they lie in zones of different names."""
    families = e.facts.origin(one).family, e.facts.origin(other).family
    return None not in families and families[0] is not families[1]


@emits(Op.FIRST_ITEMS)
def first_items(e: Emitter, node: Let) -> Items:
    items, count = arguments(e, node)
    assert node.target is not None
    part = Items(items.pointer, count, items.element, items.signed, first=items.first)
    readers = e.facts.readers.get(node.target.text, [])
    if len(readers) == 1 and isinstance(readers[0], Set) and e.rest and e.rest[0] is readers[0]:
        return part  # it is copied at once
    room = e.code.room(items.element, most_items(e.layout, node.target.type))
    copy_items(e, room, part)
    return Items(room, count, items.element, items.signed)


# ---- cards


@emits(Op.NAMED_CARD)
def named_card(e: Emitter, node: Let) -> Value:
    return number(e.layout.cards.first_of[int(node.about[0])])


@emits(Op.ALL_CARDS)
def all_cards(e: Emitter, _node: Let) -> Items:
    count = e.small(e.field("in_play"), e.layout.cards.count)
    return Items(e.address("deck"), count, e.layout.card_kind, False)


@emits(Op.FACE)
def face(e: Emitter, node: Let) -> Value:
    return access.face_of(e, e.value(node.args[0]))


@emits(Op.SUIT)
def suit(e: Emitter, node: Let) -> Value:
    card = e.value(node.args[0])
    return access.suit_now(e, card) if e.rules.effects else access.card_column(e, "suit", card)


@emits(Op.RANK)
def rank(e: Emitter, node: Let) -> Value:
    card = e.value(node.args[0])
    return access.rank_now(e, card) if e.rules.effects else access.card_column(e, "rank", card)


def printed(op: Op, what: str, amount: str) -> None:
    @emits(op)
    def has(e: Emitter, node: Let) -> Value:
        card = e.value(node.args[0])
        if e.rules.effects:
            return has_now(e, what, amount, card, node)
        own = access.card_column(e, what, card)
        if amount == "some":
            return e.code.both(e.code.compare("==", own, e.value(node.args[1])), e.code.compare(">=", own, 0))
        if amount == "every" and what == "suit" and len(e.rules.enumerations["suit"].members) == 1:
            return e.code.compare("==", own, 0)
        return FALSE if amount == "every" else e.code.compare("<", own, 0)


def has_now(e: Emitter, what: str, amount: str, card: Value, node: Let) -> Value:
    code, now = e.code, e.field("suits now" if what == "suit" else "rank now", card)
    if amount == "no":
        return code.compare("==", now, 0 if what == "suit" else -1)
    if amount == "every":
        return code.compare("==", now, all_suits(e.rules) if what == "suit" else EVERY_RANK)
    wanted = e.value(node.args[1])
    if what == "suit":
        return code.has_bit(now, wanted)
    return code.either(code.compare("==", now, EVERY_RANK), code.compare("==", now, wanted))


printed(Op.HAS_SUIT, "suit", "some")
printed(Op.HAS_EVERY_SUIT, "suit", "every")
printed(Op.HAS_NO_SUIT, "suit", "no")
printed(Op.HAS_RANK, "rank", "some")
printed(Op.HAS_EVERY_RANK, "rank", "every")
printed(Op.HAS_NO_RANK, "rank", "no")


@emits(Op.IS_REVERSED)
def is_reversed(e: Emitter, node: Let) -> Value:
    return e.code.compare("!=", e.field("reversed", e.value(node.args[0])), 0)


@emits(Op.IS_UP)
def is_up(e: Emitter, node: Let) -> Value:
    return e.code.compare("!=", e.field("face_up", e.value(node.args[0])), 0)


@emits(Op.MARK)
def mark(e: Emitter, node: Let) -> Value:
    return e.field(f"mark {node.about[0]}", e.value(node.args[0]))


@emits(Op.KNOWS)
def knows(e: Emitter, node: Let) -> Value:
    seat, card = arguments(e, node)
    return e.code.has_bit(e.field("known", card), seat)


@emits(Op.ZONE_OF)
def zone_of(e: Emitter, node: Let) -> Value:
    return e.field("place", e.value(node.args[0]))


@emits(Op.ALIKE)
def alike(e: Emitter, node: Let) -> Value:
    one, other, seat = arguments(e, node)
    return alike_things(e, node.args[0].type, one, other, seat)


def alike_things(e: Emitter, kind: CoreType, one: Any, other: Any, seat: Value) -> Value:
    if isinstance(one, Items):
        return same_lists(e, one, other)
    same = e.code.compare("==", one, other)
    if kind.kind not in (Kind.CARD, Kind.TARGET) or not e.layout.cards.copied:
        return same
    copies = alike_targets if kind.kind is Kind.TARGET else alike_cards
    return e.code.either(same, copies(e, one, other, seat))


def alike_targets(f: Body, one: Value, other: Value, seat: Value) -> Value:
    """Copies that lie where they are aimed at."""
    code = f.code
    both = code.compare(">=", code.builder.or_(one, other), 0)
    there = code.both(both, code.both(is_there(f, one), is_there(f, other)))
    mine, theirs = (card_of_thing(f, code.choose(both, thing, 0)) for thing in (one, other))
    return code.both(there, alike_cards(f, mine, theirs, seat))


@emits(Op.GROUPED)
def grouped(e: Emitter, node: Let) -> Items:
    things, seat = arguments(e, node)
    kind = node.args[0].type.element
    if kind.kind not in (Kind.CARD, Kind.TARGET) or not e.layout.cards.copied:
        return things  # type: ignore[no-any-return]
    assert node.target is not None
    room = e.code.room(things.element, most_items(e.layout, node.target.type))
    copy_items(e, room, things)
    group_copies(e, things.element, room, things.count, lambda one, other: alike_things(e, kind, one, other, seat))
    return Items(room, things.count, things.element, things.signed)


@emits(Op.SORTED)
def in_order(e: Emitter, node: Let) -> Items:
    """By their numbers: each is put in among those before it."""
    assert node.target is not None
    code, things = e.code, e.value(node.args[0])
    width = things.size
    room = code.room(things.element, most_items(e.layout, node.target.type))
    with code.count(things.count) as index:
        thing, place = item_at(e, things, index), Mutable(code, I64)
        place.set(index)
        with code.loop() as loop:
            before = code.subtract(place.get(), 1)
            with code.when(code.compare("<", before, 0)):
                loop.leave()
            larger = code.compare(">", code.load(things.element, room, before, things.signed), thing)
            with code.when(code.invert(larger)):
                loop.leave()
            place.set(before)
        at = code.at(room, place.get(), width)
        code.slide(code.at(at, width), at, code.multiply(code.subtract(index, place.get()), width))
        code.store(things.element, thing, at)
    return Items(room, things.count, things.element, things.signed)
