"""Conditions: and, or, comparisons, membership, what a card has."""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.numbers import as_fraction
from trionfi.core.desugar.writer import FALSE, TRUE, number
from trionfi.core.ir import Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, CARDS, FRACTION, INT, NONE, SEATS, ZONE, ZONES, CoreType, Kind
from trionfi.dsl import tree

__all__ = ["at_most", "less", "size_of", "sort_key"]

ROW = 50  # so many operands of `and` and `or` stand in one another


@desugars(tree.Not)
def desugar_not(d: Desugar, node: tree.Not) -> Operand:
    return d.negation(d.expr(node.operand))


@desugars(tree.And)
def desugar_and(d: Desugar, node: tree.And) -> Operand:
    result, (first, *others) = d.var("all", BOOL, FALSE), rows_of(node.operands)
    while_true(d, result, first)
    for row in others:
        with d.when(result):
            d.set(result, FALSE)
            while_true(d, result, row)
    return result


def rows_of(operands: Sequence[tree.Expr]) -> list[Sequence[tree.Expr]]:
    """Of many operands each stands inside the one before it only within a row, so that none lies too deep."""
    return [operands[start : start + ROW] for start in range(0, len(operands), ROW)]


def while_true(d: Desugar, result: Name, operands: Sequence[tree.Expr]) -> None:
    """Reads operands as long as they are true; the result is that of the last."""
    first, *rest = operands
    value = d.expr(first)
    if not rest:
        d.set(result, value)
        return
    with d.when(value):
        while_true(d, result, rest)


@desugars(tree.Or)
def desugar_or(d: Desugar, node: tree.Or) -> Operand:
    result, (first, *others) = d.var("any", BOOL, TRUE), rows_of(node.operands)
    while_false(d, result, first)
    for row in others:
        with d.when(d.negation(result)):
            d.set(result, TRUE)
            while_false(d, result, row)
    return result


def while_false(d: Desugar, result: Name, operands: Sequence[tree.Expr]) -> None:
    first, *rest = operands
    value = d.expr(first)
    if not rest:
        d.set(result, value)
        return
    with d.when(d.negation(value)):
        while_false(d, result, rest)


@desugars(tree.Same)
def desugar_same(d: Desugar, node: tree.Same) -> Operand:
    left, right = d.expr(node.left), d.expr(node.right)
    if CARDS in (left.type, right.type):
        return d.let(Op.SAME_CARDS, or_no_cards(d, left), or_no_cards(d, right))
    if isinstance(node.left, tree.CardNamed):
        return is_face(d, right, node.left.face)
    if isinstance(node.right, tree.CardNamed):
        return is_face(d, left, node.right.face)
    if FRACTION in (left.type, right.type) and INT in (left.type, right.type):
        left, right = as_fraction(d, left), as_fraction(d, right)
    return d.same(left, right)


def or_no_cards(d: Desugar, value: Operand) -> Operand:
    return d.let(Op.EMPTY, type=CARDS) if value.type == NONE else value


def is_face(d: Desugar, card: Operand, face: int) -> Operand:
    """A named card is any of its copies."""
    if not card.type.optional:
        return d.same(d.let(Op.FACE, card), number(face))
    result = d.var("is_face", BOOL, FALSE)
    with d.when(d.is_some(card)):
        d.set(result, d.same(d.let(Op.FACE, d.unwrap(card)), number(face)))
    return result


# ---- order


@desugars(tree.Ordered)
def desugar_ordered(d: Desugar, node: tree.Ordered) -> Operand:
    left, right = sort_key(d, node.left), sort_key(d, node.right)
    if left.type.some.kind in (Kind.INT, Kind.FRACTION):
        left, right = d.some(left, node.left), d.some(right, node.right)
    match node.operator:
        case "<":
            return less(d, left, right)
        case "<=":
            return at_most(d, left, right)
        case ">":
            return less(d, right, left)
        case ">=":
            return at_most(d, right, left)


def sort_key(d: Desugar, expr: tree.Expr) -> Operand:
    """The value of an expression as `less` and `at_most` compare it. Of orientations and categories the first is the
    greatest, which they know from the type."""
    value = d.expr(expr)
    if value.type.kind in (Kind.INT, Kind.FRACTION, Kind.BOOL, Kind.HAND):
        return value
    return d.some(value, expr)


def less(d: Desugar, one: Operand, other: Operand) -> Operand:
    """Whether one comes before the other."""
    return ordered(d, one, other, Op.LESS, Op.FRACTION_LESS, Op.HAND_LESS)


def at_most(d: Desugar, one: Operand, other: Operand) -> Operand:
    return ordered(d, one, other, Op.AT_MOST, Op.FRACTION_AT_MOST, Op.HAND_AT_MOST)


def ordered(d: Desugar, one: Operand, other: Operand, whole: Op, exact: Op, hands: Op) -> Operand:
    kind = one.type.kind
    if kind is Kind.HAND:
        return d.let(hands, one, other)
    if FRACTION in (one.type, other.type):
        return d.let(exact, as_fraction(d, one), as_fraction(d, other))
    if falls(one.type):
        one, other = other, one
    return d.let(whole, as_number(d, one), as_number(d, other))


def falls(kind: CoreType) -> bool:
    """Whether the first of a type is its greatest."""
    return kind.kind is Kind.CATEGORY or (kind.kind is Kind.MEMBER and kind.name == "orientation")


def as_number(d: Desugar, value: Operand) -> Operand:
    if value.type.kind is Kind.BOOL:
        return d.let(Op.SELECT, value, number(1), number(0), type=INT)
    return value if value.type == INT else d.let(Op.INDEX, value)


@desugars(tree.Within)
def desugar_within(d: Desugar, node: tree.Within) -> Operand:
    result = d.var("within", BOOL, FALSE)
    operand = d.expr(node.operand)
    with d.when(d.is_some(operand)):
        value = d.unwrap(operand) if operand.type.kind is not Kind.HAND else operand
        with d.when(at_most(d, bound(d, node.low), value)):
            d.set(result, at_most(d, value, bound(d, node.high)))
    return result


def bound(d: Desugar, node: tree.Expr) -> Operand:
    value = sort_key(d, node)
    return value if value.type.kind is Kind.HAND else d.some(value, node)


# ---- membership


@desugars(tree.Member)
def desugar_member(d: Desugar, node: tree.Member) -> Operand:
    item, collection = d.expr(node.item), d.expr(node.collection)
    if isinstance(node.item, tree.CardNamed):
        return has_face(d, collection, node.item.face)
    if not item.type.optional:
        return contains(d, collection, item)
    result = d.var("member", BOOL, FALSE)
    with d.when(d.is_some(item)):
        d.set(result, contains(d, collection, d.unwrap(item)))
    return result


def contains(d: Desugar, collection: Operand, item: Operand) -> Operand:
    return d.let(Op.HAS_SEAT if collection.type == SEATS else Op.CONTAINS, collection, item)


def has_face(d: Desugar, cards: Operand, face: int) -> Operand:
    result = d.var("has_face", BOOL, FALSE)
    with d.each(cards, "card") as (card, label), d.when(d.same(d.let(Op.FACE, card), number(face))):
        d.set(result, TRUE)
        d.leave(label)
    return result


@desugars(tree.Empty)
def desugar_empty(d: Desugar, node: tree.Empty) -> Operand:
    value = d.needed(node.operand) if node.operand.type.kind == "zone" else d.expr(node.operand)
    return d.same(size_of(d, value), number(0))


def size_of(d: Desugar, value: Operand) -> Operand:
    """How many cards lie in a zone or in zones, how many things are in a list or a set."""
    if value.type != ZONES:
        return d.let(Op.SIZE, value)
    count = d.var("count", INT, number(0))
    with d.each(value, "zone", element=ZONE) as (zone, _):
        d.set(count, d.let(Op.ADD, count, d.let(Op.SIZE, zone)))
    return count


HAS = {
    ("suit", "some"): Op.HAS_SUIT,
    ("suit", "every"): Op.HAS_EVERY_SUIT,
    ("suit", "no"): Op.HAS_NO_SUIT,
    ("rank", "some"): Op.HAS_RANK,
    ("rank", "every"): Op.HAS_EVERY_RANK,
    ("rank", "no"): Op.HAS_NO_RANK,
}


@desugars(tree.Has)
def desugar_has(d: Desugar, node: tree.Has) -> Operand:
    card = d.needed(node.card)
    value = () if node.value is None else (d.needed(node.value),)
    return d.let(HAS[node.what, node.amount], card, *value)
