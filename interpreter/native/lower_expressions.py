"""Values: names, zones, cards in them, and what stands on cards."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.interpreter.native.builder import (
    I1,
    I8,
    I16,
    I64,
    Number,
    Value,
    Variable,
    number,
    table,
)
from trionfi.interpreter.native.layout import ZonePlan
from trionfi.interpreter.native.lower_numbers import (
    as_fraction,
    outside,
)
from trionfi.interpreter.native.lowering import Lower, Lowering, is_seat_of_some_tables
from trionfi.interpreter.native.values import Cards, Joined, ListSlot, Zones, parts_of

# ---- constants and names


def lower_const(f: Lowering, node: tree.Const) -> Any:
    value = f.constant(node.value, node.type)
    if is_seat_of_some_tables(f.rules, node):
        return f.sound(value, f.code.compare(">=", value, f.seats), "wrong-table", node.span)
    return value


def lower_card_named(f: Lowering, node: tree.CardNamed) -> Value:
    return number(f.layout.cards.first_of[node.face])


def lower_local_value(f: Lowering, node: tree.LocalValue) -> Any:
    return f.local(node.local)


def lower_option_value(f: Lowering, node: tree.OptionValue) -> Any:
    option = node.option
    if option.name in f.build.fixed:
        return f.constant(f.build.fixed[option.name], option.type)
    index = 2 * list(f.rules.options.values()).index(option)
    value = f.field("options", index)
    if option.type.kind == "fraction":
        return Joined((value, f.field("options", index + 1)))
    if option.type.kind == "truth":
        return f.code.compare("!=", value, 0)
    ends = [end for end in (option.low, option.high) if end is not None]
    return f.small(value, max(map(abs, ends))) if len(ends) == 2 else value


def lower_variable_value(f: Lowering, node: tree.VariableValue) -> Any:
    owner = owner_index(f, node.variable.per, node.owner, node.variable.per_zone)
    return load_variable(f, node.variable, owner)


def owner_index(f: Lowering, per: str, owner: tree.Expr | None, spot: tree.ZoneFamily | None = None) -> Value:
    """The number of an owner among those that have one each; it must not be none."""
    if owner is None:
        return number(0)
    value = f.wanted(f.expression(owner), owner.span)
    if per == "spot":
        assert spot is not None
        plan = f.layout.plans[spot]
        place = f.code.subtract(value, plan.first)
        return f.sound(place, outside(f, place, 0, plan.zones - 1), "no-such-place", owner.span)
    return value


def load_variable(f: Lowering, variable: tree.Variable, owner: Number) -> Any:
    name = f"variable {variable.name}"
    if variable.type.kind == "cards":
        return variable_list(f, variable, owner).load()
    words = f.build.words(variable.type)
    if variable.type.kind in ("fraction", "hand", "total"):
        first = f.code.multiply(owner, words)
        return Joined(tuple(f.field(name, f.code.add(first, i)) for i in range(words)))
    if f.layout.is_mask(variable):
        return f.code.has_bit(f.field(name), owner)
    return f.field(name, owner)


def store_variable(f: Lowering, variable: tree.Variable, owner: Number, value: Any, span: Span) -> None:
    name = f"variable {variable.name}"
    if variable.type.kind == "cards":
        most = f.layout.most_of(variable)
        f.fail_when(f.code.compare(">", value.count, most), "too-many-cards", span, value.count, about=variable)
        fits = f.code.smaller(value.count, most)
        variable_list(f, variable, owner).store(Cards(value.pointer, fits))
        return
    if f.layout.is_mask(variable):
        others = f.code.builder.and_(f.field(name), f.code.builder.not_(f.code.bit(owner)))
        f.set_field(name, f.code.builder.or_(others, f.code.builder.shl(f.code.number_of(value), number(owner))))
        return
    words = parts_of(value)
    first = f.code.multiply(owner, len(words))
    for index, word in enumerate(words):
        f.set_field(name, word, f.code.add(first, index))


def variable_list(f: Lowering, variable: tree.Variable, owner: Number) -> ListSlot:
    most = f.layout.most_of(variable)
    words = f.layout.list_size(most) // 8
    place = f.code.at(f.address(f"variable {variable.name}"), f.code.multiply(owner, words), 8)
    return ListSlot(f.code, variable.type, f.layout.card_kind, lambda: place, most)


def lower_all_players(f: Lowering, node: tree.AllPlayers) -> Value:
    return f.code.subtract(f.code.bit(f.seats), 1)


# ---- zones


def lower_zone_value(f: Lowering, node: tree.ZoneValue) -> Value:
    plan = f.layout.plans[node.family]
    first = first_place(f, plan, node.owner)
    if node.index is None:
        return first
    index = f.expression(node.index)
    bad = outside(f, index, 1, plan.places)
    index = f.sound(index, bad, "no-such-place", node.index.span, instead=1, about=plan.places)
    return f.code.add(first, f.code.subtract(index, 1))


def first_place(f: Lowering, plan: ZonePlan, owner: tree.Expr | None) -> Value:
    index = owner_index(f, plan.family.per, owner)
    return f.small(f.code.add(plan.first, f.code.multiply(index, plan.places)), f.layout.zones)


def lower_zones_value(f: Lowering, node: tree.ZonesValue) -> Zones:
    plan = f.layout.plans[node.family]
    return Zones(number(plan.places), first=first_place(f, plan, node.owner), family=node.family)


def family_of(node: tree.Expr) -> tree.ZoneFamily | None:
    """The family of the zone that an expression gives, where it shows."""
    return node.family if isinstance(node, tree.ZoneValue) else None


def zone_count(f: Lowering, zone: Number) -> Value:
    return f.small(f.field("counts", zone), f.layout.cards.count)


def zone_pointer(f: Lowering, zone: Number, family: tree.ZoneFamily | None) -> Value:
    """Where the cards of a zone lie."""
    if family is None:
        offsets = table(f.build.module, "zone_offsets", ir.IntType(32), f.layout.zone_offsets)
        return f.code.at(f.state, f.code.load(ir.IntType(32), offsets, zone))
    plan = f.layout.plans[family]
    base = f.code.at(f.state, plan.offset)
    return f.code.at(base, f.code.multiply(f.code.subtract(zone, plan.first), plan.stride))


def cards_in(f: Lowering, zone: Value, family: tree.ZoneFamily | None) -> Cards:
    return Cards(zone_pointer(f, zone, family), zone_count(f, zone), zone)


def card_at(f: Lowering, cards: Cards, index: Number) -> Value:
    return f.small(f.code.load(f.layout.card_kind, cards.pointer, index, signed=False), f.layout.cards.count)


def each_zone(f: Lowering, zones: Zones, index: Value) -> Value:
    if zones.first is not None:
        return f.small(f.code.add(zones.first, index), f.layout.zones)
    return f.small(f.code.load(I16, zones.pointer, index), f.layout.zones)


def lower_cards_of(f: Lowering, node: tree.CardsOf) -> Cards:
    source, kind = node.source, node.source.type.kind
    if kind == "none" or (isinstance(source, tree.Const) and source.value is None):
        return f.none_of(Type("cards"))  # type: ignore[no-any-return]
    if kind == "zone":
        return cards_in(f, f.wanted(f.expression(source), source.span), family_of(source))
    if kind == "zones":
        return cards_of_zones(f, f.expression(source))
    if kind == "card":
        return card_alone(f, f.expression(source))
    return f.expression(source)  # type: ignore[no-any-return]


def card_alone(f: Lowering, card: Value) -> Cards:
    room = f.code.room(f.layout.card_kind, 2)
    f.code.store(f.layout.card_kind, card, room)
    return Cards(room, f.small(f.code.number_of(f.code.compare(">=", card, 0)), 1))


def cards_of_zones(f: Lowering, zones: Zones) -> Cards:
    """The cards of a row or of piles, place by place."""
    room, count = f.list_room(Type("cards")), Variable(f.code, I64, 0)
    one_each = zones.family is not None and f.layout.plans[zones.family].capacity == 1
    with f.code.count(zones.count) as index:
        zone = each_zone(f, zones, index)
        pile = cards_in(f, zone, zones.family)
        if one_each:
            # an empty place writes what the next one overwrites
            f.code.store(f.layout.card_kind, card_at(f, pile, 0), room, count.get())
        else:
            size = int(f.layout.card_kind.width) // 8
            f.code.copy(f.code.at(room, count.get(), size), pile.pointer, f.code.multiply(pile.count, size))
        count.add(pile.count)
    return Cards(room, f.small(count.get(), f.layout.cards.count))


def lower_card_at(f: Lowering, node: tree.CardAt) -> Value:
    """The top card of a zone, none if it is empty."""
    zone = f.wanted(f.expression(node.zone), node.zone.span)
    return last_card(f, cards_in(f, zone, family_of(node.zone)))


def last_card(f: Lowering, cards: Cards) -> Value:
    empty = f.code.compare("==", cards.count, 0)
    index = f.code.choose(empty, 0, f.code.subtract(cards.count, 1))
    if cards.pointer.type == ir.PointerType() and isinstance(cards.pointer, ir.Constant):
        return number(-1)
    return f.small(f.code.choose(empty, -1, card_at(f, cards, index)), f.layout.cards.count)


def lower_card_at_index(f: Lowering, node: tree.CardAtIndex) -> Value:
    cards = f.expression(node.cards)
    index = f.expression(node.index)
    bad = outside(f, index, 1, cards.count)
    index = f.sound(index, bad, "no-such-place", node.index.span, instead=0, about="cards")
    # 0 stands for a place that is not there
    place = f.code.larger(f.code.subtract(index, 1), 0)
    absent = f.code.compare("==", cards.count, 0)
    found = Variable(f.code, I64, -1)
    with f.code.when(f.code.invert(absent)):
        found.set(card_at(f, cards, place))
    return f.small(found.get(), f.layout.cards.count)


def lower_top_cards(f: Lowering, node: tree.TopCards) -> Cards:
    amount = f.expression(node.amount)
    zone = f.wanted(f.expression(node.zone), node.zone.span)
    pile = cards_in(f, zone, family_of(node.zone))
    count = f.code.larger(f.code.smaller(amount, pile.count), 0)
    room = f.list_room(Type("cards"))
    with f.code.count(count) as index:
        from_top = f.code.subtract(f.code.subtract(pile.count, 1), index)
        f.code.store(f.layout.card_kind, card_at(f, pile, from_top), room, index)
    return Cards(room, count)


def coerced(f: Lowering, value: Any, kind: Type) -> Any:
    return as_fraction(value) if kind.kind == "fraction" else value


def lower_call_define(f: Lowering, node: tree.CallDefine) -> Any:
    parameters = node.define.parameters
    values = [
        coerced(f, f.expression(argument, parameter.type), parameter.type)
        for argument, parameter in zip(node.arguments, parameters, strict=True)
    ]
    return f.call_define(node.define, values)


# ---- what stands on cards


def card_table(f: Lowering, name: str, values: list[int], card: Value) -> Value:
    kind = I16 if max(values, default=0) > 127 else I8
    column = table(f.build.module, f"card {name}", kind, values)
    return f.small(f.code.load(kind, column, card), max(map(abs, values), default=0))


def suit_now(f: Lowering, card: Value) -> Value:
    """Of a card of several suits the first; -1 for none."""
    suits = f.field("suits now", card)
    first = f.code.builder.cttz(suits, ir.Constant(I1, 0))
    return f.small(f.code.choose(f.code.compare("==", suits, 0), -1, first), len(f.rules.enumerations["suit"].members))


def rank_now(f: Lowering, card: Value) -> Value:
    """-1 for none, and for every rank."""
    rank = f.code.larger(f.field("rank now", card), -1)
    return f.small(rank, len(f.rules.enumerations["rank"].members))


def card_column(f: Lowering, name: str, card: Value) -> Value:
    if f.rules.effects and name in ("suit", "rank"):
        return suit_now(f, card) if name == "suit" else rank_now(f, card)
    return card_table(f, name, f.layout.cards.column(name), card)


TABLE: dict[type, Lower] = {
    tree.Const: lower_const,
    tree.CardNamed: lower_card_named,
    tree.LocalValue: lower_local_value,
    tree.OptionValue: lower_option_value,
    tree.VariableValue: lower_variable_value,
    tree.ZoneValue: lower_zone_value,
    tree.ZonesValue: lower_zones_value,
    tree.AllPlayers: lower_all_players,
    tree.CardsOf: lower_cards_of,
    tree.CardAt: lower_card_at,
    tree.CardAtIndex: lower_card_at_index,
    tree.TopCards: lower_top_cards,
    tree.CallDefine: lower_call_define,
}
