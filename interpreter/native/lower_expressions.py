"""Values: names, zones, arithmetic, comparisons, attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I64,
    TRUE,
    Number,
    Value,
    Variable,
    constant_of,
    number,
    table,
)
from trionfi.interpreter.native.layout import ZonePlan
from trionfi.interpreter.native.lowering import NO_NUMBER, CannotLower, Lower, Lowering
from trionfi.interpreter.native.values import Cards, Joined, ListSlot, Zones, joined, part_kinds, parts_of

BIGGEST = (1 << 63) - 1

# ---- constants and names


def lower_const(f: Lowering, node: tree.Const) -> Any:
    return f.constant(node.value, node.type)


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


def outside(f: Lowering, value: Value, low: Number, high: Number) -> Value:
    """Whether a number lies outside low .. high."""
    constant, top = constant_of(value), constant_of(high)
    if constant is not None and top is not None and isinstance(low, int):
        return FALSE if low <= constant <= top else TRUE
    return f.code.either(f.code.compare("<", value, low), f.code.compare(">", value, high))


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


# ---- numbers


def checked(f: Lowering, operator: str, left: Value, right: Value, span: Span) -> Value:
    """A sum, difference or product; one beyond 64 bits stops the game."""
    most = fits(operator, f.most(left), f.most(right))
    plain = {"+": f.code.add, "-": f.code.subtract, "*": f.code.multiply}[operator]
    if most is not None:
        return f.small(plain(left, right), most)
    b = f.code.builder
    with_flag = {"+": b.sadd_with_overflow, "-": b.ssub_with_overflow, "*": b.smul_with_overflow}[operator]
    pair = with_flag(number(left), number(right))
    f.fail_when(b.extract_value(pair, 1), "number-too-large", span)
    return b.extract_value(pair, 0)


def fits(operator: str, left: int | None, right: int | None) -> int | None:
    """How large the result may be; None if it may not fit in 64 bits."""
    if left is None or right is None:
        return None
    most = left * right if operator == "*" else left + right
    return most if most <= BIGGEST else None


def may_lack(node: tree.Expr) -> bool:
    """Whether a number may be none: one that some cards lack, or a bare none."""
    if isinstance(node, tree.Const):
        return node.value is None
    if isinstance(node, tree.Attribute):
        return optional(node)
    if isinstance(node, tree.Conditional):
        return any(may_lack(value) for value in (node.otherwise, *(value for _, value in node.arms)))
    if isinstance(node, tree.CallDefine):
        return node.type.kind == "number" and may_lack(node.define.body)
    return False


def given(f: Lowering, node: tree.Expr) -> Any:
    """The value of a number or fraction, which must not be none."""
    value = f.expression(node)
    if node.type.kind != "number" or not may_lack(node):
        return value
    return f.sound(value, f.code.compare("==", value, NO_NUMBER), "none-used", node.span)


def lower_arithmetic(f: Lowering, node: tree.Arithmetic) -> Any:
    left, right = given(f, node.left), given(f, node.right)
    if node.type.kind == "fraction":
        return fraction_arithmetic(f, node, as_fraction(left), as_fraction(right))
    if node.operator == "mod":
        return modulo(f, left, right, node.span)
    return checked(f, node.operator, left, right, node.span)


def modulo(f: Lowering, left: Value, right: Value, span: Span) -> Value:
    """The sign of the right side; by 0 stops."""
    right = divisor(f, right, span)
    rest = f.code.builder.srem(left, right)
    apart = f.code.compare("<", f.code.builder.xor(rest, right), 0)
    wrong = f.code.both(f.code.compare("!=", rest, 0), apart)
    result = f.code.choose(wrong, f.code.add(rest, right), rest)
    most = f.most(right)
    return result if most is None else f.small(result, most)


def divisor(f: Lowering, value: Value, span: Span) -> Value:
    if constant_of(value) not in (None, 0, -1):
        return number(value)
    return f.sound(number(value), f.code.compare("==", value, 0), "division-by-zero", span, instead=1)


def as_fraction(value: Any) -> Joined:
    return value if isinstance(value, Joined) else Joined((value, number(1)))


def fraction_arithmetic(f: Lowering, node: tree.Arithmetic, left: Joined, right: Joined) -> Joined:
    (a, b), (c, d) = left.words, right.words
    if node.operator == "/":
        c = divisor(f, c, node.span)
        return signed(f, multiplied(f, a, d, node.span), multiplied(f, b, c, node.span), node.span)
    if node.operator == "*":
        return Joined((multiplied(f, a, c, node.span), multiplied(f, b, d, node.span)))
    over = checked(f, node.operator, multiplied(f, a, d, node.span), multiplied(f, c, b, node.span), node.span)
    return Joined((over, multiplied(f, b, d, node.span)))


def multiplied(f: Lowering, left: Value, right: Value, span: Span) -> Value:
    for one, other in ((left, right), (right, left)):
        if constant_of(one) == 1:
            return other
    return checked(f, "*", left, right, span)


def signed(f: Lowering, over: Value, under: Value, span: Span) -> Joined:
    """With the denominator above zero."""
    if (constant_of(under) or 0) > 0:
        return Joined((over, under))
    negative = f.code.compare("<", under, 0)
    turned = [f.code.choose(negative, f.code.subtract(0, part), part) for part in (over, under)]
    return Joined(tuple(turned))


def lower_to_fraction(f: Lowering, node: tree.ToFraction) -> Joined:
    return as_fraction(f.expression(node.number))


def lower_negative(f: Lowering, node: tree.Negative) -> Any:
    value = given(f, node.operand)
    if isinstance(value, Joined):
        return Joined((checked(f, "-", number(0), value.words[0], node.span), value.words[1]))
    return checked(f, "-", number(0), value, node.span)


def lower_rounded(f: Lowering, node: tree.Rounded) -> Value:
    value = f.expression(node.operand)
    if not isinstance(value, Joined):
        return value
    over, under = value.words
    if constant_of(under) == 1:
        return over
    quotient, rest = f.code.builder.sdiv(over, under), f.code.builder.srem(over, under)
    if node.up:
        result = f.code.add(quotient, f.code.number_of(f.code.compare(">", rest, 0)))
    else:
        result = f.code.subtract(quotient, f.code.number_of(f.code.compare("<", rest, 0)))
    most = f.most(over)
    return result if most is None else f.small(result, most + 1)


def lower_builtin(f: Lowering, node: tree.Builtin) -> Any:
    if node.name == "chance":
        from trionfi.interpreter.native.policy import lower_chance

        return lower_chance(f, node)
    left, right = (given(f, argument) for argument in node.arguments)
    if isinstance(left, Joined) or isinstance(right, Joined):
        pair = [as_fraction(left), as_fraction(right)]
        less = fractions_compared(f, "<" if node.name == "smaller" else ">", pair[0], pair[1], node.span)
        return Joined(tuple(f.code.choose(less, a, b) for a, b in zip(*(p.words for p in pair), strict=True)))
    result = (f.code.smaller if node.name == "smaller" else f.code.larger)(left, right)
    bounds = [f.most(left), f.most(right)]
    return f.small(result, max(bounds)) if None not in bounds else result  # type: ignore[type-var,arg-type]


def lower_rank_of(f: Lowering, node: tree.RankOf) -> Value:
    """The rank called by a number."""
    value = f.expression(node.number)
    members = f.rules.enumerations["rank"].members
    names = {int(name): index for index, name in enumerate(members) if name.isdigit()}
    constant = constant_of(value)
    if constant is not None and constant in names:
        return number(names[constant])
    high = max(names, default=0)
    ranks = table(f.build.module, "ranks_called", I8, [names.get(called, -1) for called in range(high + 1)])
    value = f.sound(value, outside(f, value, 0, high), "no-such-rank", node.span, instead=0)
    rank = f.small(f.code.load(I8, ranks, value), len(members))
    return f.sound(rank, f.code.compare("<", rank, 0), "no-such-rank", node.span)


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


def coerced(f: Lowering, value: Any, kind: Type) -> Any:
    return as_fraction(value) if kind.kind == "fraction" else value


# ---- comparisons


def lower_same(f: Lowering, node: tree.Same) -> Value:
    left_kind, right_kind = node.left.type, node.right.type
    left = f.expression(node.left, right_kind)
    right = f.expression(node.right, left_kind)
    if isinstance(left, Cards) and isinstance(right, Cards):
        return same_set(f, left, right)
    if "fraction" in (left_kind.kind, right_kind.kind):
        return fractions_compared(f, "==", as_fraction(left), as_fraction(right), node.span)
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


def fractions_compared(f: Lowering, operator: str, left: Joined, right: Joined, span: Span) -> Value:
    (a, b), (c, d) = left.words, right.words
    return f.code.compare(operator, multiplied(f, a, d, span), multiplied(f, c, b, span))


def lower_ordered(f: Lowering, node: tree.Ordered) -> Value:
    left, right = compared_sides(f, node)
    kind = node.left.type if node.left.type.kind != "none" else node.right.type
    if "fraction" in (node.left.type.kind, node.right.type.kind):
        return fractions_compared(f, node.operator, as_fraction(left), as_fraction(right), node.span)
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


def words_compared(f: Lowering, operator: str, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    """Word by word; the first that differ decide."""
    result = f.code.compare(operator, left[-1], right[-1])
    strict = operator.rstrip("=")
    for one, other in reversed(list(zip(left[:-1], right[:-1], strict=True))):
        equal = f.code.compare("==", one, other)
        result = f.code.builder.select(equal, result, f.code.compare(strict, one, other))
    return result


def lower_within(f: Lowering, node: tree.Within) -> Value:
    value = f.expression(node.operand)
    result = Variable(f.code, I1, 0)
    if node.operand.type.kind == "number":
        present = f.code.compare("!=", value, NO_NUMBER) if may_lack(node.operand) else TRUE
    else:
        present = f.code.compare(">=", value, 0)
    with f.code.when(present):
        low, high = f.expression(node.low), f.expression(node.high)
        result.set(f.code.invert(outside(f, value, low, high)))
    return result.get()


def optional(node: tree.Expr) -> bool:
    """A number that some cards lack."""
    return isinstance(node, tree.Attribute) and node.name == "number" and node.operand.type.kind == "card"


def lower_member(f: Lowering, node: tree.Member) -> Value:
    kind = node.collection.type.kind
    item = f.expression(node.item)
    if kind == "players":
        there = f.code.has_bit(f.expression(node.collection), f.code.larger(item, 0))
        return f.code.both(f.code.compare(">=", item, 0), there)
    if kind == "zones":
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
    if kind == "cards":
        return f.expression(source).count
    raise CannotLower(f"{node.span}: size of {kind}")


def cards_in_zones(f: Lowering, zones: Zones) -> Value:
    total = Variable(f.code, I64, 0)
    with f.code.count(zones.count) as index:
        total.add(zone_count(f, each_zone(f, zones, index)))
    return f.small(total.get(), f.layout.cards.count)


def lower_has(f: Lowering, node: tree.Has) -> Value:
    card = f.wanted(f.expression(node.card), node.card.span)
    printed = card_column(f, node.what, card)
    if node.amount == "some":
        assert node.value is not None
        wanted = f.expression(node.value)
        return f.code.both(f.code.compare("==", printed, wanted), f.code.compare(">=", printed, 0))
    return FALSE if node.amount == "every" else f.code.compare("<", printed, 0)


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
    room, count = f.list_room(Type("cards")), Variable(f.code, I64, 0)
    by_face = named_face(f, node.right.source if isinstance(node.right, tree.CardsOf) else node.right)
    with f.code.count(left.count) as index:
        card = card_at(f, left, index)
        gone = contains_face(f, right, face_of(f, card)) if by_face else contains(f, right, card)
        f.code.store(f.layout.card_kind, card, room, count.get())
        count.add(f.code.number_of(f.code.invert(gone)))
    return Cards(room, f.small(count.get(), f.layout.cards.count))


def lower_call_define(f: Lowering, node: tree.CallDefine) -> Any:
    parameters = node.define.parameters
    values = [
        coerced(f, f.expression(argument, parameter.type), parameter.type)
        for argument, parameter in zip(node.arguments, parameters, strict=True)
    ]
    return f.call_define(node.define, values)


# ---- attributes


def card_table(f: Lowering, name: str, values: list[int], card: Value) -> Value:
    kind = I16 if max(values, default=0) > 127 else I8
    column = table(f.build.module, f"card {name}", kind, values)
    return f.small(f.code.load(kind, column, card), max(map(abs, values), default=0))


def card_column(f: Lowering, name: str, card: Value) -> Value:
    return card_table(f, name, f.layout.cards.column(name), card)


def number_on_card(f: Lowering, card: Value) -> Value:
    values = [NO_NUMBER if value < 0 else value for value in f.layout.cards.column("number")]
    value = f.code.load(I64, table(f.build.module, "card number", I64, values), card)
    return value if NO_NUMBER in values else f.small(value, max(values, default=0))


def orientation_of(f: Lowering, card: Value) -> Value:
    turned = f.small(f.field("reversed", card), 1)
    return turned if upright(f) == 0 else f.code.subtract(1, turned)


def face_now(f: Lowering, card: Value) -> Value:
    up = f.field("face_up", card)
    return up if f.rules.enumerations["face"].members[0] == "down" else f.code.subtract(1, up)


def owner_of(f: Lowering, card: Value) -> Value:
    return owner_of_zone(f, place_of(f, card))


def owner_of_zone(f: Lowering, zone: Value) -> Value:
    owners = table(f.build.module, "zone_owners", I8, f.layout.zone_owners)
    there = f.code.compare(">=", zone, 0)
    return f.small(f.code.choose(there, f.code.load(I8, owners, f.code.larger(zone, 0)), -1), f.layout.seats)


def place_number(f: Lowering, zone: Value) -> Value:
    return f.small(
        f.code.load(I16, table(f.build.module, "zone_places", I16, f.layout.zone_places), zone), f.layout.zones
    )


def depth_of(f: Lowering, card: Value) -> Value:
    """How deep a card lies: 1 on top."""
    zone = f.code.larger(place_of(f, card), 0)
    pile = cards_in(f, zone, None)
    result = Variable(f.code, I64, 0)
    with f.code.counting(pile.count) as (index, loop):
        with f.code.when(f.code.compare("==", card_at(f, pile, index), card)):
            result.set(f.code.subtract(pile.count, index))
            loop.leave()
    return f.small(result.get(), f.layout.cards.count)


def colour_of(f: Lowering, suit: Value) -> Value:
    members = f.rules.enumerations["suit"].members
    colours = table(f.build.module, "colours", I8, [f.rules.colours.get(suit, -1) for suit in range(len(members))])
    there = f.code.compare(">=", suit, 0)
    return f.code.choose(there, f.code.load(I8, colours, f.code.larger(suit, 0)), -1)


def place_in_order(f: Lowering, value: Value) -> Value:
    """From 1; of what is missing 0."""
    return f.small(f.code.add(value, 1), 1 + (f.most(value) or 1 << 16))


def rank_number(f: Lowering, rank: Value) -> Value:
    names = f.rules.enumerations["rank"].members
    values = [int(name) if name.isdigit() else 0 for name in names]
    column = table(f.build.module, "rank_numbers", I16, [*values, 0])
    there = f.code.compare(">=", rank, 0)
    return f.small(f.code.load(I16, column, f.code.choose(there, rank, len(names))), max(values, default=0))


def next_rank(f: Lowering, rank: Value) -> Value:
    last = len(f.rules.enumerations["rank"].members) - 1
    there = f.code.both(f.code.compare(">=", rank, 0), f.code.compare("<", rank, last))
    return f.code.choose(there, f.code.add(rank, 1), -1)


def seat_left(f: Lowering, seat: Value) -> Value:
    following = f.code.add(seat, 1)
    return f.small(f.code.choose(f.code.compare("==", following, f.seats), 0, following), f.layout.seats)


def seat_right(f: Lowering, seat: Value) -> Value:
    last = f.code.subtract(f.seats, 1)
    return f.small(f.code.choose(f.code.compare("==", seat, 0), last, f.code.subtract(seat, 1)), f.layout.seats)


def seat_opponent(f: Lowering, seat: Value) -> Value:
    return f.small(f.code.subtract(1, seat), 1)


def seat_opposite(f: Lowering, seat: Value) -> Value:
    half = f.code.builder.lshr(f.seats, number(1))
    far = f.code.add(seat, half)
    past = f.code.compare(">=", far, f.seats)
    return f.small(f.code.choose(past, f.code.subtract(far, f.seats), far), f.layout.seats)


def seat_team(f: Lowering, seat: Value) -> Value:
    teams = {member: number_ for number_, seats in enumerate(f.rules.teams) for member in seats}
    column = table(f.build.module, "teams", I8, [teams.get(member, -1) for member in range(f.layout.seats)])
    return f.small(f.code.load(I8, column, seat), len(f.rules.teams))


def seat_partner(f: Lowering, seat: Value) -> Value:
    partners = {a: b for seats in f.rules.teams for a in seats for b in seats if a != b}
    column = table(f.build.module, "partners", I8, [partners.get(member, -1) for member in range(f.layout.seats)])
    return f.small(f.code.load(I8, column, seat), f.layout.seats)


# (kind of the operand, attribute) -> its lowering over a value that is not none.
SIMPLE: dict[tuple[str, str], Callable[[Lowering, Value], Value]] = {
    ("card", "suit"): lambda f, card: card_column(f, "suit", card),
    ("card", "rank"): lambda f, card: card_column(f, "rank", card),
    ("card", "number"): number_on_card,
    ("card", "deck"): lambda f, card: card_column(f, "deck", card),
    ("card", "orientation"): orientation_of,
    ("card", "face"): face_now,
    ("card", "owner"): owner_of,
    ("card", "zone"): place_of,
    ("card", "depth"): depth_of,
    ("card", "colour"): lambda f, card: colour_of(f, card_column(f, "suit", card)),
    ("zone", "owner"): owner_of_zone,
    ("zone", "place"): place_number,
    ("player", "left"): seat_left,
    ("player", "right"): seat_right,
    ("player", "opponent"): seat_opponent,
    ("player", "opposite"): seat_opposite,
    ("player", "partner"): seat_partner,
    ("player", "team"): seat_team,
    ("team", "opponents"): lambda f, team: f.code.subtract(1, team),
    ("suit", "colour"): colour_of,
    ("rank", "next"): next_rank,
}

# Those that not every table, or not every card, has: the error, and when it is one.
MISSING: dict[tuple[str, str], tuple[str, Callable[[Lowering, Value], Value]]] = {
    ("card", "depth"): ("card-nowhere", lambda f, depth: f.code.compare("==", depth, 0)),
    ("player", "opponent"): ("wrong-table", lambda f, _: f.code.compare("!=", f.seats, 2)),
    ("player", "partner"): ("wrong-table", lambda f, seat: f.code.compare("<", seat, 0)),
    ("player", "team"): ("wrong-table", lambda f, team: f.code.compare("<", team, 0)),
}

# Those that are asked of none, too.
OF_NONE: dict[tuple[str, str], Callable[[Lowering, Value], Value]] = {
    ("suit", "place"): place_in_order,
    ("rank", "place"): place_in_order,
    ("rank", "number"): rank_number,
}


def lower_attribute(f: Lowering, node: tree.Attribute) -> Any:
    kind = node.operand.type.name if node.operand.type.kind == "enum" else node.operand.type.kind
    key = (kind, node.name)
    if node.name == "count" and kind in ("cards", "zone", "zones", "players"):
        return size_of(f, node.operand)
    if key == ("cards", "top"):
        return last_card(f, f.expression(node.operand))
    if key == ("zone", "top"):
        zone = f.wanted(f.expression(node.operand), node.operand.span)
        return last_card(f, cards_in(f, zone, family_of(node.operand)))
    if kind in ("hand", "total"):
        return word_attribute(f, node)
    if kind == "arrangement":
        from trionfi.interpreter.native.lower_melds import arrangement_attribute

        return arrangement_attribute(f, node)
    if key in OF_NONE:
        return OF_NONE[key](f, f.expression(node.operand))
    if key not in SIMPLE:
        raise CannotLower(f"{node.span}: attribute {node.name} of {kind}")
    value = SIMPLE[key](f, f.wanted(f.expression(node.operand), node.operand.span))
    if key not in MISSING:
        return value
    code, is_missing = MISSING[key]
    return f.sound(value, is_missing(f, value), code, node.span)


def word_attribute(f: Lowering, node: tree.Attribute) -> Value:
    words = f.expression(node.operand).words
    index = {"category": 0, "value": 0, "soft": 1, "bust": 2}[node.name]
    if node.name == "category":
        return f.wanted(words[index], node.operand.span)
    return f.code.compare("!=", words[index], 0) if node.name in ("soft", "bust") else words[index]


def lower_mark_value(f: Lowering, node: tree.MarkValue) -> Value:
    return f.field(f"mark {node.mark.name}", f.wanted(f.expression(node.card), node.card.span))


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
    tree.RankOf: lower_rank_of,
    tree.ToFraction: lower_to_fraction,
    tree.Not: lower_not,
    tree.And: lower_and,
    tree.Or: lower_or,
    tree.Same: lower_same,
    tree.Ordered: lower_ordered,
    tree.Within: lower_within,
    tree.Member: lower_member,
    tree.Empty: lower_empty,
    tree.Has: lower_has,
    tree.Arithmetic: lower_arithmetic,
    tree.Negative: lower_negative,
    tree.Rounded: lower_rounded,
    tree.Joined: lower_joined,
    tree.Without: lower_without,
    tree.Conditional: lower_conditional,
    tree.CallDefine: lower_call_define,
    tree.Builtin: lower_builtin,
    tree.Attribute: lower_attribute,
    tree.MarkValue: lower_mark_value,
}
