"""What stands in the record: options, variables, zones and the cards in them; and what stands on cards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import FALSE, I1, I8, I16, I64, TRUE, Number, Value, number, table
from trionfi.interpreter.native.values import CardList, Compound, parts_of

# ---- options and variables


def option_value(f: Body, option: tree.Option) -> Any:
    if option.name in f.build.fixed:
        return fixed_value(f.build.fixed[option.name], option.type)
    index = 2 * list(f.rules.options.values()).index(option)
    value = f.field("options", index)
    if option.type.kind == "fraction":
        return Compound((value, f.field("options", index + 1)))
    if option.type.kind == "truth":
        return f.code.compare("!=", value, 0)
    ends = [end for end in (option.low, option.high) if end is not None]
    return f.small(value, max(map(abs, ends))) if len(ends) == 2 else value


def fixed_value(value: object, kind: Type) -> Any:
    """An option that is a constant of the module."""
    assert isinstance(value, int | Fraction)
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if kind.kind == "fraction":
        return Compound((number(value.numerator), number(value.denominator)))
    return number(int(value))


def load_variable(f: Body, variable: tree.Variable, owner: Number) -> Any:
    name = f"variable {variable.name}"
    if variable.type.kind == "cards":
        at = list_at(f, variable, owner)
        return CardList(f.code.at(at, 8), f.code.load(I64, at))
    words = f.build.words(variable.type)
    if variable.type.kind in ("fraction", "hand", "total"):
        first = f.code.multiply(owner, words)
        return Compound(tuple(f.field(name, f.code.add(first, i)) for i in range(words)))
    if f.layout.is_mask(variable):
        return f.code.has_bit(f.field(name), owner)
    return f.field(name, owner)


def store_variable(f: Body, variable: tree.Variable, owner: Number, value: Any, span: Span) -> None:
    name = f"variable {variable.name}"
    if variable.type.kind == "cards":
        most = f.layout.most_of(variable)
        f.fail_when(f.code.compare(">", value.count, most), "too-many-cards", span, value.count, about=variable)
        count, at = f.code.smaller(value.count, most), list_at(f, variable, owner)
        f.code.store(I64, count, at)
        size = int(f.layout.card_kind.width) // 8
        f.code.slide(f.code.at(at, 8), value.pointer, f.code.multiply(count, size))
        return
    if f.layout.is_mask(variable):
        others = f.code.builder.and_(f.field(name), f.code.builder.not_(f.code.bit(owner)))
        f.set_field(name, f.code.builder.or_(others, f.code.builder.shl(f.code.number_of(value), number(owner))))
        return
    words = parts_of(value)
    first = f.code.multiply(owner, len(words))
    for index, word in enumerate(words):
        f.set_field(name, word, f.code.add(first, index))


def list_at(f: Body, variable: tree.Variable, owner: Number) -> Value:
    """Where a list is kept: how many cards, then their numbers."""
    words = f.layout.list_size(f.layout.most_of(variable)) // 8
    return f.code.at(f.address(f"variable {variable.name}"), f.code.multiply(owner, words), 8)


# ---- zones


def zone_count(f: Body, zone: Number) -> Value:
    return f.small(f.field("counts", zone), f.layout.cards.count)


def zone_pointer(f: Body, zone: Number, family: tree.ZoneFamily | None) -> Value:
    """Where the cards of a zone lie."""
    if family is None:
        offsets = table(f.build.module, "zone_offsets", ir.IntType(32), f.layout.zone_offsets)
        return f.code.at(f.state, f.code.load(ir.IntType(32), offsets, zone))
    plan = f.layout.plans[family]
    base = f.code.at(f.state, plan.offset)
    return f.code.at(base, f.code.multiply(f.code.subtract(zone, plan.first), plan.stride))


def cards_in(f: Body, zone: Value, family: tree.ZoneFamily | None) -> CardList:
    return CardList(zone_pointer(f, zone, family), zone_count(f, zone), zone)


def card_at(f: Body, cards: CardList, index: Number) -> Value:
    return f.small(f.code.load(f.layout.card_kind, cards.pointer, index, signed=False), f.layout.cards.count)


# ---- what stands on cards


def card_table(f: Body, name: str, values: list[int], card: Value) -> Value:
    kind = I16 if max(values, default=0) > 127 else I8
    column = table(f.build.module, f"card {name}", kind, values)
    return f.small(f.code.load(kind, column, card), max(map(abs, values), default=0))


def suit_now(f: Body, card: Value) -> Value:
    """Of a card of several suits the first; -1 for none."""
    suits = f.field("suits now", card)
    first = f.code.builder.cttz(suits, ir.Constant(I1, 0))
    return f.small(f.code.choose(f.code.compare("==", suits, 0), -1, first), len(f.rules.enumerations["suit"].members))


def rank_now(f: Body, card: Value) -> Value:
    """-1 for none, and for every rank."""
    rank = f.code.larger(f.field("rank now", card), -1)
    return f.small(rank, len(f.rules.enumerations["rank"].members))


def card_column(f: Body, name: str, card: Value) -> Value:
    if f.rules.effects and name in ("suit", "rank"):
        return suit_now(f, card) if name == "suit" else rank_now(f, card)
    return card_table(f, name, f.layout.cards.column(name), card)


def face_of(f: Body, card: Value) -> Value:
    return card_table(f, "face", f.layout.cards.face_of, card)
