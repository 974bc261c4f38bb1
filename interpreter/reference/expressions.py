"""Values: constants, names, coercions, operators."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import add, ge, gt, le, lt, mul, neg, sub, truediv
from typing import Any, NoReturn

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Expr
from trionfi.dsl.types import Type
from trionfi.interpreter.errors import InternalError, fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.state import State

LOWEST = -(1 << 63)
HIGHEST = (1 << 63) - 1


def none_used(expr: Expr) -> NoReturn:
    fail("none-used", f"`{expr.span.text}` is none here, and {article(expr.type)} is needed", expr.span)


def article(kind: Type) -> str:
    word = kind.name if kind.kind == "enum" else kind.kind
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"


def too_large(span: Span) -> NoReturn:
    fail("number-too-large", "this number leaves 64 bits", span)


def needed(expr: Expr, c: Compiler) -> Value:
    """The value of an expression, which must not be none."""
    value = c.value(expr)

    def need(s: State, f: Frame) -> Any:
        found = value(s, f)
        if found is None:
            none_used(expr)
        return found

    return value if c.is_known(value) and c.known(value) is not None else need


# ---- constants and names


@meaning(tree.Const, foldable=True)
def eval_const(node: tree.Const, c: Compiler) -> Value:
    return c.constant(node.value)


@meaning(tree.OptionValue, foldable=True)
def eval_option_value(node: tree.OptionValue, c: Compiler) -> Value:
    return c.constant(c.options[node.option.name])


@meaning(tree.AllPlayers)
def eval_all_players(_node: tree.AllPlayers, c: Compiler) -> Value:
    return c.constant(c.table.everyone)


@meaning(tree.AllPlays)
def eval_all_plays(node: tree.AllPlays, _c: Compiler) -> Value:
    raise InternalError(f"{node.span}: effects are not yet played by the reference engine")


@meaning(tree.CardNamed)
def eval_card_named(node: tree.CardNamed, _c: Compiler) -> Value:
    face = node.face
    return lambda s, _f: s.named[face]


@meaning(tree.LocalValue)
def eval_local_value(node: tree.LocalValue, _c: Compiler) -> Value:
    index = node.local.index
    return lambda _s, f: f[index]


@meaning(tree.VariableValue)
def eval_variable_value(node: tree.VariableValue, c: Compiler) -> Value:
    variable = node.variable.index
    if node.owner is None:
        return lambda s, _f: s.values[variable][0]
    if isinstance(node.owner, tree.LocalValue) and node.variable.per != "spot":
        return of_local_owner(variable, node.owner)
    owner = owner_index(node, c)
    return lambda s, f: s.values[variable][owner(s, f)]


def of_local_owner(variable: int, owner: tree.LocalValue) -> Value:
    """`player.chips`: by far the most common."""
    index = owner.local.index

    def read(s: State, f: Frame) -> Any:
        seat = f[index]
        if seat is None:
            none_used(owner)
        return s.values[variable][seat]

    return read


def owner_index(node: tree.VariableValue, c: Compiler) -> Value:
    """Which of the values of a variable is meant."""
    if node.owner is None:
        return c.constant(0)
    owner = needed(node.owner, c)
    family = node.variable.per_zone
    if node.variable.per != "spot" or family is None:
        return owner
    first, count = c.table.bases[family.index], c.table.size(node.variable)

    def index(s: State, f: Frame) -> int:
        zone: int = owner(s, f)
        if not 0 <= zone - first < count:
            name = f"`{s.table.zones[zone].name}` has no {node.variable.name}"
            fail("no-such-place", f"{name}; only places of `{family.name}` have one", node.span)
        return zone - first

    return index


@meaning(tree.ZoneValue)
def eval_zone_value(node: tree.ZoneValue, c: Compiler) -> Value:
    first = first_zone(node, c)
    if node.index is None:
        return first
    index, places = c.value(node.index), node.family.places

    def place(s: State, f: Frame) -> int:
        start = first(s, f)
        number = index(s, f)
        if not 1 <= number <= places:
            fail("no-such-place", f"`{node.family.name}` has places 1 to {places}, not {number}", node.span)
        return start + number - 1  # type: ignore[no-any-return]

    if c.is_known(first) and c.is_known(index) and 1 <= c.known(index) <= places:
        return c.constant(c.known(first) + c.known(index) - 1)
    return place


def first_zone(node: tree.ZoneValue | tree.ZonesValue, c: Compiler) -> Value:
    """The number of the first zone of the family that belongs to the owner."""
    base, places = c.table.bases[node.family.index], node.family.places
    if node.owner is None:
        return c.constant(base)
    owner = needed(node.owner, c)
    return lambda s, f: base + owner(s, f) * places


@meaning(tree.ZonesValue)
def eval_zones_value(node: tree.ZonesValue, c: Compiler) -> Value:
    first, places = first_zone(node, c), node.family.places
    if c.is_known(first):
        return c.constant(range(c.known(first), c.known(first) + places))

    def zones(s: State, f: Frame) -> range:
        start = first(s, f)
        return range(start, start + places)

    return zones


# ---- coercions


def pile(expr: Expr, c: Compiler) -> Value:
    """The cards of an expression for one look at them; a zone's own list, which must not be kept or changed."""
    if not isinstance(expr, tree.CardsOf):
        return c.value(expr)
    source = c.value(expr.source)
    return PILES[expr.source.type.kind](source)


def pile_of_card(source: Value) -> Value:
    def cards(s: State, f: Frame) -> tuple[int, ...]:
        card = source(s, f)
        return () if card is None else (card,)

    return cards


def pile_of_zone(source: Value) -> Value:
    def cards(s: State, f: Frame) -> Any:
        zone = source(s, f)
        return () if zone is None else s.zones[zone]

    return cards


def pile_of_zones(source: Value) -> Value:
    return lambda s, f: [card for zone in source(s, f) for card in s.zones[zone]]


PILES: dict[str, Callable[[Value], Value]] = {
    "card": pile_of_card,
    "zone": pile_of_zone,
    "zones": pile_of_zones,
    "cards": lambda source: source,
    "none": lambda _source: lambda _s, _f: (),
}


@meaning(tree.CardsOf)
def eval_cards_of(node: tree.CardsOf, c: Compiler) -> Value:
    cards = pile(node, c)
    return lambda s, f: tuple(cards(s, f))


@meaning(tree.CardAt)
def eval_card_at(node: tree.CardAt, c: Compiler) -> Value:
    zone = needed(node.zone, c)

    def top(s: State, f: Frame) -> int | None:
        cards = s.zones[zone(s, f)]
        return cards[-1] if cards else None

    return top


@meaning(tree.RankOf, foldable=True)
def eval_rank_of(node: tree.RankOf, c: Compiler) -> Value:
    number = c.value(node.number)
    ranks = {int(word): i for i, word in enumerate(c.ruleset.enumerations["rank"].members) if word.isdecimal()}

    def rank(s: State, f: Frame) -> int:
        called = number(s, f)
        if called is None:
            none_used(node.number)
        if called not in ranks:
            fail("no-such-rank", f"no rank is called {called}", node.span)
        return ranks[called]

    return rank


@meaning(tree.ToFraction, foldable=True)
def eval_to_fraction(node: tree.ToFraction, c: Compiler) -> Value:
    number = needed(node.number, c)
    return lambda s, f: Fraction(number(s, f))


# ---- truths


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
        for operand in operands:
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
        for operand in operands:
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
    compare = COMPARISONS[node.operator]
    left, right = sort_key(node.left, c), sort_key(node.right, c)

    def ordered(s: State, f: Frame) -> Any:
        one, other = left(s, f), right(s, f)
        try:
            return compare(one, other)
        except TypeError:
            none_among(node, one, other)

    return ordered


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def sort_key(expr: Expr, c: Compiler) -> Value:
    """The value of an expression as something that Python compares."""
    kind = expr.type.kind
    if kind in ("number", "fraction", "truth"):
        return c.value(expr)
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
    wanted = needed(node.value, c) if node.value is not None else None
    return HAS[node.what, node.amount](card, wanted, c)


def has_suit(card: Value, wanted: Value, _c: Compiler) -> Value:
    return lambda s, f: bool(s.looks[card(s, f)].suits >> wanted(s, f) & 1)


def has_every_suit(card: Value, _wanted: Value | None, c: Compiler) -> Value:
    all_suits = (1 << len(c.ruleset.enumerations["suit"].members)) - 1
    return lambda s, f: s.looks[card(s, f)].suits & all_suits == all_suits


def has_no_suit(card: Value, _wanted: Value | None, _c: Compiler) -> Value:
    return lambda s, f: not s.looks[card(s, f)].suits


def has_rank(card: Value, wanted: Value, _c: Compiler) -> Value:
    def has(s: State, f: Frame) -> bool:
        look = s.looks[card(s, f)]
        rank = wanted(s, f)
        return look.any_rank or look.rank == rank

    return has


def has_every_rank(card: Value, _wanted: Value | None, _c: Compiler) -> Value:
    return lambda s, f: s.looks[card(s, f)].any_rank


def has_no_rank(card: Value, _wanted: Value | None, _c: Compiler) -> Value:
    def has(s: State, f: Frame) -> bool:
        look = s.looks[card(s, f)]
        return look.rank is None and not look.any_rank

    return has


HAS: dict[tuple[str, str], Callable[..., Value]] = {
    ("suit", "some"): has_suit,
    ("suit", "every"): has_every_suit,
    ("suit", "no"): has_no_suit,
    ("rank", "some"): has_rank,
    ("rank", "every"): has_every_rank,
    ("rank", "no"): has_no_rank,
}


# ---- numbers


def remainder(one: int, other: int) -> int:
    return one % other


ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul, "mod": remainder}


@meaning(tree.Arithmetic, foldable=True)
def eval_arithmetic(node: tree.Arithmetic, c: Compiler) -> Value:
    if node.type.kind == "fraction":
        return exact(node, c)
    operate = ARITHMETIC[node.operator]
    left, right, span = c.value(node.left), c.value(node.right), node.span

    def work_out(s: State, f: Frame) -> int:
        one, other = left(s, f), right(s, f)
        try:
            number = operate(one, other)
        except TypeError:
            none_among(node, one, other)
        except ZeroDivisionError:
            by_zero(span)
        if not LOWEST <= number <= HIGHEST:
            too_large(span)
        return number

    return work_out


def by_zero(span: Span) -> NoReturn:
    fail("division-by-zero", "this is a division by zero", span)


FRACTIONS: dict[str, Callable[[Fraction, Fraction], Any]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "mod": lambda one, other: one % other,
    "/": truediv,
}


def exact(node: tree.Arithmetic, c: Compiler) -> Value:
    """Arithmetic of fractions: exact; in lowest terms both numbers stay within 64 bits."""
    operate, span = FRACTIONS[node.operator], node.span
    left, right = c.value(node.left), c.value(node.right)

    def work_out(s: State, f: Frame) -> Fraction:
        one, other = left(s, f), right(s, f)
        if one is None or other is None:
            none_among(node, one, other)
        try:
            number = Fraction(operate(Fraction(one), Fraction(other)))
        except ZeroDivisionError:
            by_zero(span)
        if not LOWEST <= number.numerator <= HIGHEST or number.denominator > HIGHEST:
            too_large(span)
        return number

    return work_out


@meaning(tree.Negative, foldable=True)
def eval_negative(node: tree.Negative, c: Compiler) -> Value:
    operand = needed(node.operand, c)

    def negative(s: State, f: Frame) -> Any:
        number = -operand(s, f)
        if number > HIGHEST:
            too_large(node.span)
        return number

    return negative


@meaning(tree.Rounded, foldable=True)
def eval_rounded(node: tree.Rounded, c: Compiler) -> Value:
    operand = node.operand
    if isinstance(operand, tree.Arithmetic) and operand.operator == "/":
        left, right = whole(operand.left), whole(operand.right)
        if left is not None and right is not None:
            return whole_division(operand, c.value(left), c.value(right), node.up)
    value = c.value(operand)
    if node.up:
        return lambda s, f: -(-value(s, f) // 1)
    return lambda s, f: value(s, f) // 1


def whole(expr: Expr) -> Expr | None:
    """The whole number that an expression is, though it may stand for a fraction."""
    if isinstance(expr, tree.ToFraction):
        return expr.number
    return expr if expr.type.kind == "number" else None


def whole_division(node: tree.Arithmetic, left: Value, right: Value, up: bool) -> Value:
    """A division of whole numbers that is rounded at once: no fraction is made."""

    def divide_whole(s: State, f: Frame) -> int:
        number, divisor = left(s, f), right(s, f)
        if number is None or divisor is None:
            none_among(node, number, divisor)
        if divisor == 0:
            by_zero(node.span)
        result: int = -(-number // divisor) if up else number // divisor
        if result > HIGHEST:
            too_large(node.span)
        return result

    return divide_whole


@meaning(tree.Builtin)
def eval_builtin(node: tree.Builtin, c: Compiler) -> Value:
    return BUILTINS[node.name](*c.values(node.arguments), node)


def smaller(left: Value, right: Value, node: tree.Builtin) -> Value:
    def least(s: State, f: Frame) -> Any:
        one, other = left(s, f), right(s, f)
        if one is None or other is None:
            none_used(node.arguments[0 if one is None else 1])
        return other if other < one else one

    return least


def larger(left: Value, right: Value, node: tree.Builtin) -> Value:
    def most(s: State, f: Frame) -> Any:
        one, other = left(s, f), right(s, f)
        if one is None or other is None:
            none_used(node.arguments[0 if one is None else 1])
        return other if other > one else one

    return most


def chance(times_true: Value, out_of: Value, node: tree.Builtin) -> Value:
    def by_chance(s: State, f: Frame) -> bool:
        wins, tries = times_true(s, f), out_of(s, f)
        if not 1 <= tries < 1 << 32:
            fail("bad-chance", f"`chance` wants a number from 1 to 4294967295 behind the comma, not {tries}", node.span)
        return s.lot.below(tries) < wins

    return by_chance


BUILTINS: dict[str, Callable[..., Value]] = {"smaller": smaller, "larger": larger, "chance": chance}


# ---- cards


@meaning(tree.Joined)
def eval_joined(node: tree.Joined, c: Compiler) -> Value:
    left, right = pile(node.left, c), pile(node.right, c)

    def join(s: State, f: Frame) -> tuple[int, ...]:
        first = tuple(left(s, f))
        return first + tuple(card for card in right(s, f) if card not in first)

    return join


@meaning(tree.Without)
def eval_without(node: tree.Without, c: Compiler) -> Value:
    left, right = pile(node.left, c), pile(node.right, c)

    def take_away(s: State, f: Frame) -> tuple[int, ...]:
        first = tuple(left(s, f))
        away = right(s, f)
        return tuple(card for card in first if card not in away)

    return take_away


@meaning(tree.CardAtIndex)
def eval_card_at_index(node: tree.CardAtIndex, c: Compiler) -> Value:
    cards, index = pile(node.cards, c), c.value(node.index)

    def card_at(s: State, f: Frame) -> int:
        found = cards(s, f)
        number = index(s, f)
        if not 1 <= number <= len(found):
            fail("no-such-place", f"there is no card {number} among {len(found)}", node.span)
        return found[number - 1]  # type: ignore[no-any-return]

    return card_at


@meaning(tree.TopCards)
def eval_top_cards(node: tree.TopCards, c: Compiler) -> Value:
    amount, zone = c.value(node.amount), needed(node.zone, c)

    def top(s: State, f: Frame) -> tuple[int, ...]:
        number = max(0, amount(s, f))
        cards = s.zones[zone(s, f)]
        return tuple(reversed(cards[max(0, len(cards) - number) :]))

    return top


@meaning(tree.MarkValue)
def eval_mark_value(node: tree.MarkValue, c: Compiler) -> Value:
    mark, card = node.mark.index, needed(node.card, c)
    return lambda s, f: s.looks[card(s, f)].marks[mark]


# ---- conditions and calls


@meaning(tree.Conditional, foldable=True)
def eval_conditional(node: tree.Conditional, c: Compiler) -> Value:
    arms: list[tuple[Value, Value]] = []
    for test, value in node.arms:
        condition = c.value(test)
        if not c.is_known(condition):
            arms.append((condition, c.value(value)))
        elif c.known(condition):
            return by_arms(arms, c.value(value))
    return by_arms(arms, c.value(node.otherwise))


def by_arms(arms: list[tuple[Value, Value]], otherwise: Value) -> Value:
    if not arms:
        return otherwise
    if len(arms) == 1:
        condition, value = arms[0]
        return lambda s, f: value(s, f) if condition(s, f) else otherwise(s, f)

    def conditional(s: State, f: Frame) -> Any:
        for condition, value in arms:
            if condition(s, f):
                return value(s, f)
        return otherwise(s, f)

    return conditional


@meaning(tree.CallDefine)
def eval_call_define(node: tree.CallDefine, c: Compiler) -> Value:
    body, size = c.define(node.define)
    arguments = c.values(node.arguments)
    rest = [None] * (size - len(arguments))
    if not arguments:
        return body if c.is_known(body) else lambda s, _f: body(s, rest[:])
    if len(arguments) == 1:
        first = arguments[0]
        return lambda s, f: body(s, [first(s, f), *rest])
    if len(arguments) == 2:
        one, other = arguments
        return lambda s, f: body(s, [one(s, f), other(s, f), *rest])
    return lambda s, f: body(s, [*[argument(s, f) for argument in arguments], *rest])


@meaning(tree.Label)
def texts_of_label(node: tree.Label, c: Compiler) -> Value:
    """The parts of a label: texts, and values with their types."""
    parts = [part if isinstance(part, str) else (part.type, c.value(part)) for part in node.parts]

    def read(s: State, f: Frame) -> list[str | tuple[Type, Any]]:
        return [part if isinstance(part, str) else (part[0], part[1](s, f)) for part in parts]

    return read
