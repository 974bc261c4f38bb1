"""Constants, names, coercions, conditionals and calls."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.writer import number
from trionfi.core.ir import Const, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARD, CARDS, INT, SEAT, ZONE, ZONES, core_type
from trionfi.dsl import tree

__all__ = ["between", "call_define", "owner_of", "top_of_zone"]


@desugars(tree.Const)
def desugar_const(d: Desugar, node: tree.Const) -> Operand:
    kind = core_type(node.type)
    if kind.some == SEAT and isinstance(node.value, int) and node.value >= d.rules.players[0]:
        # whether this seat is there shows when they sit down
        d.check(d.let(Op.LESS, number(node.value), d.let(Op.SEAT_COUNT)), "wrong-table", node.span)
    value = cast("int | bool | Fraction | None", node.value)
    return Const(value, kind.maybe if value is None else kind.some)


@desugars(tree.CardNamed)
def desugar_card_named(d: Desugar, node: tree.CardNamed) -> Operand:
    return d.let(Op.NAMED_CARD, about=(node.face,))


@desugars(tree.LocalValue)
def desugar_local_value(d: Desugar, node: tree.LocalValue) -> Operand:
    return d.local(node.local)


@desugars(tree.OptionValue)
def desugar_option_value(d: Desugar, node: tree.OptionValue) -> Operand:
    return d.let(Op.OPTION, type=core_type(node.type).some, about=(node.option.name,), hint=node.option.name)


@desugars(tree.VariableValue)
def desugar_variable_value(d: Desugar, node: tree.VariableValue) -> Operand:
    owner = owner_of(d, node)
    return d.let(Op.LOAD, *owner, type=core_type(node.type), about=(node.variable.name,), hint=node.variable.name)


def owner_of(d: Desugar, node: tree.VariableValue) -> tuple[Operand, ...]:
    """Which of the values of a variable is meant: nothing, or the one who has it."""
    if node.owner is None:
        return ()
    owner = d.needed(node.owner)
    if node.variable.per == "spot":
        d.check(d.let(Op.HAS_SPOT, owner, about=(node.variable.name,)), "no-such-place", node.span)
    return (owner,)


@desugars(tree.ZoneValue)
def desugar_zone_value(d: Desugar, node: tree.ZoneValue) -> Operand:
    owner = () if node.owner is None else (d.needed(node.owner),)
    if node.index is None:
        return d.let(Op.ZONE_AT, *owner, about=(node.family.name,), hint=node.family.name)
    place = d.needed(node.index)
    d.check(between(d, place, 1, node.family.places), "no-such-place", node.span)
    from_none = d.let(Op.SUBTRACT, place, number(1))
    return d.let(Op.ZONE_AT, *owner, from_none, about=(node.family.name, "place"), hint=node.family.name)


def between(d: Desugar, value: Operand, low: int, high: int) -> Operand:
    return d.both(d.let(Op.AT_MOST, number(low), value), d.let(Op.AT_MOST, value, number(high)))


@desugars(tree.ZonesValue)
def desugar_zones_value(d: Desugar, node: tree.ZonesValue) -> Operand:
    owner = () if node.owner is None else (d.needed(node.owner),)
    return d.let(Op.ZONES_OF, *owner, about=(node.family.name,), hint=node.family.name)


@desugars(tree.AllPlayers)
def desugar_all_players(d: Desugar, _node: tree.AllPlayers) -> Operand:
    return d.let(Op.EVERYONE)


# ---- coercions


@desugars(tree.CardsOf)
def desugar_cards_of(d: Desugar, node: tree.CardsOf) -> Operand:
    source = d.expr(node.source)
    kind = source.type.some
    if kind == CARDS:
        return source
    if kind == ZONE and not source.type.optional:
        return d.let(Op.CARDS_IN, source)
    cards = d.var("cards", CARDS, d.let(Op.EMPTY, type=CARDS))
    if kind == ZONES:
        with d.each(source, "zone") as (zone, _), d.each(d.let(Op.CARDS_IN, zone), "card") as (card, _):
            d.push(cards, card)
    elif kind in (CARD, ZONE):
        with d.when(d.is_some(source)):
            found = d.unwrap(source)
            if kind == CARD:
                d.push(cards, found)
            else:
                d.set(cards, d.let(Op.CARDS_IN, found))
    return cards


@desugars(tree.CardAt)
def desugar_card_at(d: Desugar, node: tree.CardAt) -> Operand:
    return top_of_zone(d, d.needed(node.zone))


def top_of_zone(d: Desugar, zone: Operand) -> Name:
    """The top card of a zone, none if it is empty."""
    top = d.var("top", CARD.maybe, d.none_of(CARD))
    size = d.let(Op.SIZE, zone)
    with d.when(d.let(Op.LESS, number(0), size)):
        d.set(top, d.let(Op.CARD_AT, zone, d.let(Op.SUBTRACT, size, number(1))))
    return top


@desugars(tree.RankOf)
def desugar_rank_of(d: Desugar, node: tree.RankOf) -> Operand:
    called = d.needed(node.number)
    ranks = {int(word): i for i, word in enumerate(d.rules.enumerations["rank"].members) if word.isdecimal()}
    kind = core_type(node.type)
    if isinstance(called, Const) and called.value in ranks:
        return Const(ranks[cast("int", called.value)], kind.some)
    rank = d.var("rank", kind.maybe, d.none_of(kind))
    with d.switch(called) as cases:
        for word, place in ranks.items():
            with cases.case(word):
                d.set(rank, Const(place, kind.some))
    d.check(d.is_some(rank), "no-such-rank", node.span)
    return d.unwrap(rank)


@desugars(tree.ToFraction)
def desugar_to_fraction(d: Desugar, node: tree.ToFraction) -> Operand:
    found = d.needed(node.number)
    return d.let(Op.TO_FRACTION, found) if found.type == INT else found


# ---- conditionals and calls


@desugars(tree.Conditional)
def desugar_conditional(d: Desugar, node: tree.Conditional) -> Operand:
    kind = core_type(node.type)
    result = d.var("value", kind)
    write_arms(d, result, node.arms, node.otherwise)
    return result


def write_arms(d: Desugar, result: Name, arms: list[tuple[tree.Expr, tree.Expr]], otherwise: tree.Expr) -> None:
    if not arms:
        d.set(result, d.expr(otherwise))
        return
    (condition, value), *rest = arms
    with d.when(d.expr(condition)):
        d.set(result, d.expr(value))
    with d.otherwise():
        write_arms(d, result, rest, otherwise)


@desugars(tree.LetIn)
def desugar_let_in(d: Desugar, node: tree.LetIn) -> Operand:
    with d.named(node.local, d.expr(node.value)):
        return d.expr(node.body)


@desugars(tree.CallDefine)
def desugar_call_define(d: Desugar, node: tree.CallDefine) -> Operand:
    arguments = [d.expr(argument) for argument in node.arguments]
    return call_define(d, node.define, *arguments)


def call_define(d: Desugar, define: tree.Define, *arguments: Operand) -> Name:
    found = d.call(d.whole.define(define), *arguments, type=core_type(define.type), hint=define.name)
    assert found is not None, "a define has a value"
    return found
