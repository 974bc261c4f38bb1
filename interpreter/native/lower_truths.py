"""Truths, comparisons, and cards taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, assert_never

from trionfi.dsl import tree
from trionfi.dsl.tree.words import Comparison
from trionfi.dsl.types import Type
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I64,
    TRUE,
    Value,
    Variable,
    number,
)
from trionfi.interpreter.native.lower_expressions import (
    card_at,
    card_column,
    card_table,
    coerced,
    each_zone,
    zone_count,
)
from trionfi.interpreter.native.lower_numbers import (
    as_fraction,
    fractions_compared,
    given,
    may_lack,
)
from trionfi.interpreter.native.lowering import NO_NUMBER, CannotLower, Lower, Lowering
from trionfi.interpreter.native.values import Cards, Joined, Zones, joined, part_kinds, parts_of

# ---- truths


def lower_not(f: Lowering, node: tree.Not) -> Value:
    return f.code.invert(f.truth(node.operand))


def lower_and(f: Lowering, node: tree.And) -> Value:
    return chain(f, node.operands, stop_at=False)


def lower_or(f: Lowering, node: tree.Or) -> Value:
    return chain(f, node.operands, stop_at=True)


def chain(f: Lowering, operands: list[tree.Expr], stop_at: bool) -> Value:
    """Reads operands from the left until one is `stop_at`."""
    result = Variable(f.code, I1, int(stop_at))
    after = f.code.block("decided")
    for operand in operands[:-1]:
        following = f.code.block("next")
        value = f.truth(operand)
        f.code.branch(value, *((after, following) if stop_at else (following, after)))
        f.code.go_on(following)
    result.set(f.truth(operands[-1]))
    f.code.jump(after)
    f.code.go_on(after)
    return result.get()


def lower_conditional(f: Lowering, node: tree.Conditional) -> Any:
    words = f.build.words(node.type)
    kinds = part_kinds(node.type, words)
    results = [Variable(f.code, kind) for kind in kinds]
    bounds: list[int | None] = []

    def settle(expr: tree.Expr) -> None:
        value = f.as_list(coerced(f, f.expression(expr, node.type), node.type))
        bounds.append(f.most(value) if node.type.kind == "number" else None)
        for variable, part in zip(results, parts_of(value), strict=True):
            variable.set(part)

    after = f.code.block("chosen")
    for condition, value in node.arms:
        yes, no = f.code.block("yes"), f.code.block("no")
        f.code.branch(f.truth(condition), yes, no)
        f.code.go_on(yes)
        settle(value)
        f.code.jump(after)
        f.code.go_on(no)
    settle(node.otherwise)
    f.code.jump(after)
    f.code.go_on(after)
    result = joined(node.type, [variable.get() for variable in results])
    known = [bound for bound in bounds if bound is not None]
    return f.small(result, max(known)) if len(known) == len(bounds) else result


# ---- comparisons


def lower_same(f: Lowering, node: tree.Same) -> Value:
    left_kind, right_kind = node.left.type, node.right.type
    left = f.expression(node.left, right_kind)
    right = f.expression(node.right, left_kind)
    if isinstance(left, Cards) and isinstance(right, Cards):
        return same_set(f, left, right)
    if "fraction" in (left_kind.kind, right_kind.kind):
        return fractions_compared(f, "==", as_fraction(left), as_fraction(right))
    if isinstance(left, Joined):
        return same_words(f, left, right)
    if named_face(f, node.left, node.right):
        left, right = face_of(f, left), face_of(f, right)
    return f.code.builder.icmp_signed("==", left, right)


def same_words(f: Lowering, left: Joined, right: Joined) -> Value:
    """Hand values: all keys alike; totals: all of it."""
    result = TRUE
    for one, other in zip(left.words[1:] or left.words, right.words[1:] or right.words, strict=True):
        result = f.code.both(result, f.code.compare("==", one, other))
    return result


def named_face(f: Lowering, *nodes: tree.Expr) -> bool:
    """With copies in play a card called by name is any of them."""
    return f.layout.cards.copied and any(isinstance(node, tree.CardNamed) for node in nodes)


def face_of(f: Lowering, card: Value) -> Value:
    return card_table(f, "face", f.layout.cards.face_of, card)


def same_set(f: Lowering, left: Cards, right: Cards) -> Value:
    result = Variable(f.code, I1)
    result.set(f.code.compare("==", left.count, right.count))
    with f.code.counting(left.count) as (index, loop):
        with f.code.when(f.code.invert(contains(f, right, card_at(f, left, index)))):
            result.set(0)
            loop.leave()
    return result.get()


def lower_ordered(f: Lowering, node: tree.Ordered) -> Value:
    left, right = compared_sides(f, node)
    kind = node.left.type if node.left.type.kind != "none" else node.right.type
    if "fraction" in (node.left.type.kind, node.right.type.kind):
        return fractions_compared(f, node.operator, as_fraction(left), as_fraction(right))
    if kind.kind == "hand":
        return words_compared(f, node.operator, left.words[1:], right.words[1:])
    if kind.kind != "number":
        left, right = f.wanted(left, node.left.span), f.wanted(right, node.right.span)
    return f.code.compare(node.operator, ranked(f, left, kind), ranked(f, right, kind))


def compared_sides(f: Lowering, node: tree.Ordered) -> tuple[Any, Any]:
    if node.left.type.kind == "number":
        return given(f, node.left), given(f, node.right)
    return f.expression(node.left, node.right.type), f.expression(node.right, node.left.type)


def ranked(f: Lowering, value: Value, kind: Type) -> Value:
    """A number that is greater for what is better: a category declared earlier, a card upright."""
    turned = kind.kind == "category" or (kind == Type("enum", "orientation") and upright(f) == 0)
    return f.code.subtract(0, value) if turned else value


def upright(f: Lowering) -> int:
    """The number of the orientation upright; reversed is the other."""
    return f.rules.enumerations["orientation"].members.index("upright")


def words_compared(f: Lowering, operator: Comparison, left: Sequence[Value], right: Sequence[Value]) -> Value:
    """Word by word; the first that differ decide."""
    result = f.code.compare(operator, left[-1], right[-1])
    strict = strictly(operator)
    for one, other in reversed(list(zip(left[:-1], right[:-1], strict=True))):
        equal = f.code.compare("==", one, other)
        result = f.code.builder.select(equal, result, f.code.compare(strict, one, other))
    return result


def strictly(operator: Comparison) -> Literal["<", ">"]:
    """The comparison of two that differ."""
    match operator:
        case "<" | "<=":
            return "<"
        case ">" | ">=":
            return ">"
        case _:
            assert_never(operator)


def words_equal(f: Lowering, left: Sequence[Value], right: Sequence[Value]) -> Value:
    result = TRUE
    for one, other in zip(left, right, strict=True):
        result = f.code.both(result, f.code.compare("==", one, other))
    return result


def order_words(f: Lowering, node: tree.Expr) -> tuple[Value, ...]:
    """The value of an expression as numbers that compare one after another, the greater the better. A fraction as its
    two, which compare otherwise (`order_compared`)."""
    if node.type.kind == "hand":
        return tuple(f.expression(node).words[1:])
    value = given(f, node)
    if node.type.kind == "fraction":
        return as_fraction(value).words
    if node.type.kind == "truth":
        return (f.code.number_of(value),)
    return (value if node.type.kind == "number" else ranked(f, f.wanted(value, node.span), node.type),)


def order_compared(
    f: Lowering, operator: Comparison | Literal["=="], kind: Type, left: Sequence[Value], right: Sequence[Value]
) -> Value:
    """Compares the words of two values of a kind."""
    if kind.kind == "fraction":
        return fractions_compared(f, operator, Joined(tuple(left)), Joined(tuple(right)))
    return words_equal(f, left, right) if operator == "==" else words_compared(f, operator, left, right)


def lower_within(f: Lowering, node: tree.Within) -> Value:
    kind = node.operand.type
    value = f.expression(node.operand)
    result = Variable(f.code, I1, 0)
    if kind.kind == "fraction":
        present = TRUE
    elif kind.kind == "number":
        present = f.code.compare("!=", value, NO_NUMBER) if may_lack(node.operand) else TRUE
    else:
        present = f.code.compare(">=", value, 0)
    words = value.words if isinstance(value, Joined) else (ranked(f, value, kind),)
    with f.code.when(present):
        enough = order_compared(f, "<=", kind, order_words(f, node.low), words)
        # the higher end is read only if the lower one is reached
        with f.code.when(enough):
            result.set(order_compared(f, "<=", kind, words, order_words(f, node.high)))
    return result.get()


def lower_member(f: Lowering, node: tree.Member) -> Value:
    kind = node.collection.type.kind
    item = f.expression(node.item)
    if kind == "players":
        there = f.code.has_bit(f.expression(node.collection), f.code.larger(item, 0))
        return f.code.both(f.code.compare(">=", item, 0), there)
    if kind in ("zones", "plays"):
        return among_zones(f, f.expression(node.collection), item)
    if kind != "cards":
        raise CannotLower(f"{node.span}: membership of {kind}")
    source = node.collection.source if isinstance(node.collection, tree.CardsOf) else node.collection
    by_face = named_face(f, node.item) or named_face(f, source)
    if source.type.kind == "zones" and not by_face:
        return among_zones(f, f.expression(source), place_of(f, item))
    cards = f.expression(node.collection)
    return contains_face(f, cards, face_of(f, item)) if by_face else contains(f, cards, item)


def among_zones(f: Lowering, zones: Zones, zone: Value) -> Value:
    if zones.first is not None:
        behind = f.code.subtract(zone, zones.first)
        return f.code.builder.icmp_unsigned("<", behind, number(zones.count))
    result = Variable(f.code, I1, 0)
    with f.code.counting(zones.count) as (index, loop):
        with f.code.when(f.code.compare("==", each_zone(f, zones, index), zone)):
            result.set(1)
            loop.leave()
    return result.get()


def place_of(f: Lowering, card: Value) -> Value:
    """The zone where a card lies; -1 for none."""
    there = f.code.compare(">=", card, 0)
    return f.small(f.code.choose(there, f.field("place", f.code.larger(card, 0)), -1), f.layout.zones)


def contains(f: Lowering, cards: Cards, card: Value) -> Value:
    """Whether a card is among cards; of a whole zone one look tells."""
    if cards.zone is not None:
        return f.code.compare("==", place_of(f, card), cards.zone)
    result = Variable(f.code, I1, 0)
    with f.code.counting(cards.count) as (index, loop):
        with f.code.when(f.code.compare("==", card_at(f, cards, index), card)):
            result.set(1)
            loop.leave()
    return result.get()


def contains_face(f: Lowering, cards: Cards, face: Value) -> Value:
    result = Variable(f.code, I1, 0)
    with f.code.counting(cards.count) as (index, loop):
        with f.code.when(f.code.compare("==", face_of(f, card_at(f, cards, index)), face)):
            result.set(1)
            loop.leave()
    return result.get()


def lower_empty(f: Lowering, node: tree.Empty) -> Value:
    return f.code.compare("==", size_of(f, node.operand), 0)


def size_of(f: Lowering, node: tree.Expr) -> Value:
    """How many cards or players there are, without listing them."""
    source = node.source if isinstance(node, tree.CardsOf) else node
    kind = source.type.kind
    if kind == "zone":
        return zone_count(f, f.wanted(f.expression(source), source.span))
    if kind == "zones":
        return cards_in_zones(f, f.expression(source))
    if kind == "players":
        return f.small(f.code.bits(f.expression(source)), f.layout.seats)
    if kind == "card":
        return f.code.number_of(f.code.compare(">=", f.expression(source), 0))
    if kind in ("cards", "plays"):
        return f.expression(source).count
    raise CannotLower(f"{node.span}: size of {kind}")


def cards_in_zones(f: Lowering, zones: Zones) -> Value:
    total = Variable(f.code, I64, 0)
    with f.code.count(zones.count) as index:
        total.add(zone_count(f, each_zone(f, zones, index)))
    return f.small(total.get(), f.layout.cards.count)


def lower_has(f: Lowering, node: tree.Has) -> Value:
    card = f.wanted(f.expression(node.card), node.card.span)
    if f.rules.effects:
        return has_now(f, node, card)
    printed = card_column(f, node.what, card)
    match node.amount:
        case "some":
            assert node.value is not None
            wanted = f.expression(node.value)
            return f.code.both(f.code.compare("==", printed, wanted), f.code.compare(">=", printed, 0))
        case "every":
            return FALSE
        case "no":
            return f.code.compare("<", printed, 0)
        case _:
            assert_never(node.amount)


def has_now(f: Lowering, node: tree.Has, card: Value) -> Value:
    """What a card has that effects may have altered."""
    match node.what:
        case "suit":
            return has_suit_now(f, node, f.field("suits now", card))
        case "rank":
            return has_rank_now(f, node, f.field("rank now", card))
        case _:
            assert_never(node.what)


def has_suit_now(f: Lowering, node: tree.Has, suits: Value) -> Value:
    from trionfi.interpreter.native.play_record import all_suits

    match node.amount:
        case "no":
            return f.code.compare("==", suits, 0)
        case "every":
            return f.code.compare("==", suits, all_suits(f.rules))
        case "some":
            return f.code.has_bit(suits, wanted_of(f, node))
        case _:
            assert_never(node.amount)


def has_rank_now(f: Lowering, node: tree.Has, rank: Value) -> Value:
    from trionfi.interpreter.native.play_record import EVERY_RANK

    match node.amount:
        case "no":
            return f.code.compare("==", rank, -1)
        case "every":
            return f.code.compare("==", rank, EVERY_RANK)
        case "some":
            wanted = wanted_of(f, node)
            return f.code.either(f.code.compare("==", rank, EVERY_RANK), f.code.compare("==", rank, wanted))
        case _:
            assert_never(node.amount)


def wanted_of(f: Lowering, node: tree.Has) -> Value:
    assert node.value is not None
    return f.wanted(f.expression(node.value), node.value.span)


# ---- joined cards


def lower_joined(f: Lowering, node: tree.Joined) -> Cards:
    left, right = f.expression(node.left), f.expression(node.right)
    room, kind = f.list_room(Type("cards")), f.layout.card_kind
    size = int(kind.width) // 8
    count = Variable(f.code, I64, left.count)
    f.code.copy(room, left.pointer, f.code.multiply(left.count, size))
    with f.code.count(right.count) as index:
        card = card_at(f, right, index)
        f.code.store(kind, card, room, count.get())
        count.add(f.code.number_of(f.code.invert(contains(f, left, card))))
    return Cards(room, f.small(count.get(), f.layout.cards.count))


def lower_without(f: Lowering, node: tree.Without) -> Cards:
    left, right = f.expression(node.left), f.expression(node.right)
    by_face = named_face(f, node.right.source if isinstance(node.right, tree.CardsOf) else node.right)
    return without(f, left, right, by_face)


def without(f: Lowering, left: Cards, right: Cards, by_face: bool = False) -> Cards:
    room, count = f.list_room(Type("cards")), Variable(f.code, I64, 0)
    with f.code.count(left.count) as index:
        card = card_at(f, left, index)
        gone = contains_face(f, right, face_of(f, card)) if by_face else contains(f, right, card)
        f.code.store(f.layout.card_kind, card, room, count.get())
        count.add(f.code.number_of(f.code.invert(gone)))
    return Cards(room, f.small(count.get(), f.layout.cards.count))


TABLE: dict[type, Lower] = {
    tree.Not: lower_not,
    tree.And: lower_and,
    tree.Or: lower_or,
    tree.Same: lower_same,
    tree.Ordered: lower_ordered,
    tree.Within: lower_within,
    tree.Member: lower_member,
    tree.Empty: lower_empty,
    tree.Has: lower_has,
    tree.Joined: lower_joined,
    tree.Without: lower_without,
    tree.Conditional: lower_conditional,
}
