"""Values: constants, names, coercions, conditions, calls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Expr
from trionfi.dsl.types import PLAYER, Type
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.state import State

LOWEST = -(1 << 63)
HIGHEST = (1 << 63) - 1


def none_used(expr: Expr) -> NoReturn:
    message = f"`{expr.span.text}` is none here, and {article(expr.type)} is needed"
    fail("none-used", message, expr.span, f"ask first: `if {expr.span.text} is not none:`")


def article(kind: Type) -> str:
    word = kind.name if kind.kind == "enum" else kind.kind
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"


def too_large(span: Span) -> NoReturn:
    fail("number-too-large", "this number is too large: a number has up to eighteen digits", span)


def check_size(number: int | Fraction, span: Span) -> None:
    """Stops the game if a number, or one of the two of a fraction in lowest terms, is beyond 64 bits."""
    if not LOWEST <= number.numerator <= HIGHEST or number.denominator > HIGHEST:
        too_large(span)


def needed(expr: Expr, c: Compiler) -> Value:
    """The value of an expression, which must not be none."""
    value = c.value(expr)

    def need(s: State, f: Frame) -> Any:
        found = value(s, f)
        if found is None:
            none_used(expr)
        return found

    return value if c.is_known(value) and c.known(value) is not None else need


def needed_number(expr: Expr, c: Compiler) -> Value:
    """The value of a number, which must not be none; not asked of what never is."""
    if isinstance(expr, tree.VariableValue) and not expr.variable.unset:
        return c.value(expr)
    return needed(expr, c) if isinstance(expr, MAYBE_NO_NUMBER) else c.value(expr)


# Numbers that may be none: those of cards that have none, of variables that are not set yet, and what holds such a one.
MAYBE_NO_NUMBER = (
    tree.Attribute,
    tree.CallDefine,
    tree.Conditional,
    tree.LetIn,
    tree.LocalValue,
    tree.VariableValue,
)


# ---- constants and names


@meaning(tree.Const, foldable=True)
def eval_const(node: tree.Const, c: Compiler) -> Value:
    if node.type == PLAYER and isinstance(node.value, int) and node.value >= c.table.players:
        return seat_without_chair(node, c)
    return c.constant(node.value)


def seat_without_chair(node: tree.Const, c: Compiler) -> Value:
    """`p3` where two are seated."""

    def stop(_s: State, _f: Frame) -> NoReturn:
        fail("wrong-table", f"`p{int(str(node.value)) + 1}` is no player here: {c.table.players} are seated", node.span)

    return stop


@meaning(tree.OptionValue, foldable=True)
def eval_option_value(node: tree.OptionValue, c: Compiler) -> Value:
    return c.constant(c.options[node.option.name])


@meaning(tree.AllPlayers)
def eval_all_players(_node: tree.AllPlayers, c: Compiler) -> Value:
    return c.constant(c.table.everyone)


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
    index, places = needed_number(node.index, c), node.family.places

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


@meaning(tree.LetIn)
def eval_let_in(node: tree.LetIn, c: Compiler) -> Value:
    place, value, body = node.local.index, c.value(node.value), c.value(node.body)

    def let_in(s: State, f: Frame) -> Any:
        f[place] = value(s, f)
        return body(s, f)

    return let_in


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
