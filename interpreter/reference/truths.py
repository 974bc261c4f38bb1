"""Conditions: and, or, comparisons, membership, what a card has."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt, neg
from typing import Any, NoReturn, assert_never

from trionfi.dsl import tree
from trionfi.dsl.tree import Expr
from trionfi.dsl.tree.words import Comparison, Trait
from trionfi.dsl.types import Type
from trionfi.interpreter.errors import InternalError
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.reference.expressions import needed, needed_number, none_used, pile
from trionfi.interpreter.state import State

__all__ = ["none_among", "sort_key"]


@meaning(tree.Not, foldable=True)
def eval_not(node: tree.Not, c: Compiler) -> Value:
    operand = c.value(node.operand)
    return lambda s, f: not operand(s, f)


@meaning(tree.And, foldable=True)
def eval_and(node: tree.And, c: Compiler) -> Value:
    operands = [o for o in c.values(node.operands) if not (c.is_known(o) and c.known(o))]
    if not operands:
        return c.constant(True)
    if len(operands) == 1:
        return operands[0]
    if len(operands) == 2:
        first, second = operands
        return lambda s, f: first(s, f) and second(s, f)

    def every(s: State, f: Frame) -> bool:
        for operand in operands:  # noqa: SIM110  # twice as fast as all()
            if not operand(s, f):
                return False
        return True

    return every


@meaning(tree.Or, foldable=True)
def eval_or(node: tree.Or, c: Compiler) -> Value:
    operands = [o for o in c.values(node.operands) if not (c.is_known(o) and not c.known(o))]
    if not operands:
        return c.constant(False)
    if len(operands) == 1:
        return operands[0]
    if len(operands) == 2:
        first, second = operands
        return lambda s, f: first(s, f) or second(s, f)

    def some(s: State, f: Frame) -> bool:
        for operand in operands:  # noqa: SIM110
            if operand(s, f):
                return True
        return False

    return some


@meaning(tree.Same, foldable=True)
def eval_same(node: tree.Same, c: Compiler) -> Value:
    left, right = c.value(node.left), c.value(node.right)
    if "cards" in (node.left.type.kind, node.right.type.kind):
        return lambda s, f: set(left(s, f) or ()) == set(right(s, f) or ())
    if isinstance(node.left, tree.CardNamed):
        return same_face(right, node.left.face)
    if isinstance(node.right, tree.CardNamed):
        return same_face(left, node.right.face)
    if c.is_known(right):
        wanted = c.known(right)
        return lambda s, f: left(s, f) == wanted
    return lambda s, f: left(s, f) == right(s, f)


def same_face(card: Value, face: int) -> Value:
    """A named card is any of its copies."""

    def same(s: State, f: Frame) -> bool:
        found = card(s, f)
        return found is not None and s.looks[found].face == face

    return same


def none_among(node: tree.Ordered | tree.Arithmetic, one: Any, other: Any) -> NoReturn:
    """An operator was given none: an attribute that some cards lack."""
    if one is not None and other is not None:
        raise InternalError(f"{node.span}: {node.operator} of {one!r} and {other!r}")
    none_used(node.left if one is None else node.right)


@meaning(tree.Ordered, foldable=True)
def eval_ordered(node: tree.Ordered, c: Compiler) -> Value:
    compare = comparison(node.operator)
    left, right = sort_key(node.left, c), sort_key(node.right, c)

    def ordered(s: State, f: Frame) -> Any:
        one, other = left(s, f), right(s, f)
        try:
            return compare(one, other)
        except TypeError:
            none_among(node, one, other)

    return ordered


def comparison(operator: Comparison) -> Callable[[Any, Any], Any]:
    match operator:
        case "<":
            return lt
        case "<=":
            return le
        case ">":
            return gt
        case ">=":
            return ge
        case _:
            assert_never(operator)


def sort_key(expr: Expr, c: Compiler) -> Value:
    """The value of an expression as something that Python compares."""
    kind = expr.type.kind
    if kind in ("number", "fraction", "truth"):
        return needed_number(expr, c)
    value = c.value(expr) if kind == "hand" else needed(expr, c)
    turn = key_of(expr.type)
    return value if turn is None else lambda s, f: turn(value(s, f))


def key_of(kind: Type) -> Callable[[Any], Any] | None:
    """What makes a value comparable; None if it is."""
    if kind.kind == "hand":
        return hand_key
    # of orientations and categories the first is the greatest
    return neg if kind.kind == "category" or kind.name == "orientation" else None


def hand_key(hand: Any) -> tuple[Any, ...]:
    """None, which is no hand, is below every hand."""
    return () if hand is None else (hand,)


@meaning(tree.Within, foldable=True)
def eval_within(node: tree.Within, c: Compiler) -> Value:
    value, turn = c.value(node.operand), key_of(node.operand.type)
    low, high = sort_key(node.low, c), sort_key(node.high, c)

    def within(s: State, f: Frame) -> bool:
        found = value(s, f)
        if found is None:
            return False
        key = found if turn is None else turn(found)
        return low(s, f) <= key <= high(s, f)  # type: ignore[no-any-return]

    return within


@meaning(tree.Member)
def eval_member(node: tree.Member, c: Compiler) -> Value:
    if node.item.type.kind == "card":
        return card_member(node, c)
    item, collection = c.value(node.item), c.value(node.collection)
    if node.collection.type.kind != "players":
        return lambda s, f: item(s, f) in collection(s, f)

    def seated(s: State, f: Frame) -> bool:
        seat = item(s, f)
        players = collection(s, f)
        return seat is not None and bool(players >> seat & 1)

    return seated


def card_member(node: tree.Member, c: Compiler) -> Value:
    item, cards = c.value(node.item), pile(node.collection, c)
    if isinstance(node.item, tree.CardNamed):
        face = node.item.face
        return lambda s, f: any(s.looks[card].face == face for card in cards(s, f))
    return lambda s, f: item(s, f) in cards(s, f)


@meaning(tree.Empty)
def eval_empty(node: tree.Empty, c: Compiler) -> Value:
    kind = node.operand.type.kind
    if kind == "zone":
        zone = needed(node.operand, c)
        return lambda s, f: not s.zones[zone(s, f)]
    if kind == "zones":
        zones = c.value(node.operand)
        return lambda s, f: not any(s.zones[zone] for zone in zones(s, f))
    things = pile(node.operand, c)
    return lambda s, f: not things(s, f)


@meaning(tree.Has)
def eval_has(node: tree.Has, c: Compiler) -> Value:
    card = needed(node.card, c)
    match node.amount:
        case "some":
            return has_some(node.what, card, needed_value(node, c))
        case "every":
            return has_every(node.what, card, c)
        case "no":
            return has_no(node.what, card)
        case _:
            assert_never(node.amount)


def needed_value(node: tree.Has, c: Compiler) -> Value:
    if node.value is None:
        raise InternalError(f"{node.span}: has what?")
    return needed(node.value, c)


def has_some(what: Trait, card: Value, wanted: Value) -> Value:
    match what:
        case "suit":
            return has_suit(card, wanted)
        case "rank":
            return has_rank(card, wanted)
        case _:
            assert_never(what)


def has_every(what: Trait, card: Value, c: Compiler) -> Value:
    match what:
        case "suit":
            return has_every_suit(card, c)
        case "rank":
            return has_every_rank(card)
        case _:
            assert_never(what)


def has_no(what: Trait, card: Value) -> Value:
    match what:
        case "suit":
            return has_no_suit(card)
        case "rank":
            return has_no_rank(card)
        case _:
            assert_never(what)


def has_suit(card: Value, wanted: Value) -> Value:
    return lambda s, f: bool(s.looks[card(s, f)].suits >> wanted(s, f) & 1)


def has_every_suit(card: Value, c: Compiler) -> Value:
    all_suits = (1 << len(c.ruleset.enumerations["suit"].members)) - 1
    return lambda s, f: s.looks[card(s, f)].suits & all_suits == all_suits


def has_no_suit(card: Value) -> Value:
    return lambda s, f: not s.looks[card(s, f)].suits


def has_rank(card: Value, wanted: Value) -> Value:
    def has(s: State, f: Frame) -> bool:
        look = s.looks[card(s, f)]
        rank = wanted(s, f)
        return look.any_rank or look.rank == rank

    return has


def has_every_rank(card: Value) -> Value:
    return lambda s, f: s.looks[card(s, f)].any_rank


def has_no_rank(card: Value) -> Value:
    def has(s: State, f: Frame) -> bool:
        look = s.looks[card(s, f)]
        return look.rank is None and not look.any_rank

    return has
