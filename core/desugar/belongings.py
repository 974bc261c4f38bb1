"""Belongings that the language knows: what is written after a dot and is no variable, zone or define."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.truths import size_of
from trionfi.core.desugar.values import top_of_zone
from trionfi.core.desugar.writer import number
from trionfi.core.ir import Const, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARD, FRACTION, INT, SEAT, TEAM, CoreType, core_type
from trionfi.dsl import tree

__all__ = ["belonging", "missing_belongings", "orientation_number"]

Belonging = Callable[[Desugar, tree.Attribute], Operand]

BELONGINGS: dict[tuple[str, str], Belonging] = {}


def belonging(*keys: tuple[str, str]) -> Callable[[Belonging], Belonging]:
    def register(rule: Belonging) -> Belonging:
        for key in keys:
            BELONGINGS[key] = rule
        return rule

    return register


def missing_belongings() -> list[str]:
    """Those of the language that the core does not know; tests want this to be empty."""
    return sorted(f"{kind}.{name}" for kind, name in set(tree.ATTRIBUTES) - set(BELONGINGS))


@desugars(tree.Attribute)
def desugar_attribute(d: Desugar, node: tree.Attribute) -> Operand:
    kind = node.operand.type
    owner = kind.name if kind.kind == "enum" and kind.name in ("suit", "rank") else kind.kind
    return BELONGINGS[owner, node.name](d, node)


def simple(kind: str, name: str, op: Op, type: CoreType | None = None) -> None:
    """One that is an operation on the thing."""

    @belonging((kind, name))
    def rule(d: Desugar, node: tree.Attribute) -> Operand:
        return d.let(op, d.needed(node.operand), type=type)


def looked_up(d: Desugar, thing: Operand, table: Sequence[int], type: CoreType) -> Operand:
    """What a table has for a thing, of which -1 is none."""
    kind = type.maybe if -1 in table else type.some
    return d.let(Op.LOOKUP, thing, type=kind, about=tuple(table))


def member(d: Desugar, enumeration: str, word: str) -> int:
    return d.rules.enumerations[enumeration].members.index(word)


def orientation_number(d: Desugar, is_reversed: bool) -> int:
    return member(d, "orientation", "reversed" if is_reversed else "upright")


# ---- cards: what they are now


@belonging(("card", "suit"))
def card_suit(d: Desugar, node: tree.Attribute) -> Operand:
    return d.let(Op.SUIT, d.needed(node.operand), type=core_type(node.type).maybe)


@belonging(("card", "rank"))
def card_rank(d: Desugar, node: tree.Attribute) -> Operand:
    return d.let(Op.RANK, d.needed(node.operand), type=core_type(node.type).maybe)


@belonging(("card", "number"))
def card_number(d: Desugar, node: tree.Attribute) -> Operand:
    face = d.let(Op.FACE, d.needed(node.operand))
    numbers = [-1 if found.number is None else found.number for found in d.rules.faces]
    return looked_up(d, face, numbers, INT)


@belonging(("card", "deck"))
def card_deck(d: Desugar, node: tree.Attribute) -> Operand:
    face = d.let(Op.FACE, d.needed(node.operand))
    return looked_up(d, face, [found.deck for found in d.rules.faces], core_type(node.type))


@belonging(("card", "orientation"))
def card_orientation(d: Desugar, node: tree.Attribute) -> Operand:
    turned = d.let(Op.IS_REVERSED, d.needed(node.operand))
    return either_word(d, node, turned, orientation_number(d, True), orientation_number(d, False))


@belonging(("card", "face"))
def card_face(d: Desugar, node: tree.Attribute) -> Operand:
    up = d.let(Op.IS_UP, d.needed(node.operand))
    return either_word(d, node, up, member(d, "face", "up"), member(d, "face", "down"))


def either_word(d: Desugar, node: tree.Attribute, truth: Operand, one: int, other: int) -> Operand:
    kind = core_type(node.type).some
    chosen = d.let(Op.SELECT, truth, number(one), number(other), type=INT)
    return d.let(Op.THING, chosen, type=kind)


@belonging(("card", "colour"))
def card_colour(d: Desugar, node: tree.Attribute) -> Operand:
    suit = d.let(Op.SUIT, d.needed(node.operand), type=CoreType(core_type(node.type).kind, "suit", True))
    result = d.var("colour", core_type(node.type).maybe, d.none_of(core_type(node.type)))
    with d.when(d.is_some(suit)):
        d.set(result, colour_of(d, d.unwrap(suit), node))
    return result


def colour_of(d: Desugar, suit: Operand, node: tree.Attribute) -> Operand:
    suits = range(len(d.rules.enumerations["suit"].members))
    return looked_up(d, suit, [d.rules.colours.get(one, -1) for one in suits], core_type(node.type))


# ---- cards: where they lie


@belonging(("card", "owner"))
def card_owner(d: Desugar, node: tree.Attribute) -> Operand:
    zone = d.let(Op.ZONE_OF, d.needed(node.operand))
    owner = d.var("owner", SEAT.maybe, d.none_of(SEAT))
    with d.when(d.is_some(zone)):
        d.set(owner, d.let(Op.ZONE_OWNER, d.unwrap(zone)))
    return owner


simple("card", "zone", Op.ZONE_OF)


@belonging(("card", "depth"))
def card_depth(d: Desugar, node: tree.Attribute) -> Operand:
    card = d.needed(node.operand)
    found = d.let(Op.ZONE_OF, card)
    d.check(d.is_some(found), "card-nowhere", node.span)
    zone = d.unwrap(found)
    return d.let(Op.SUBTRACT, d.let(Op.SIZE, zone), d.let(Op.PLACE_IN, zone, card))


# ---- collections


@belonging(("cards", "count"), ("zones", "count"), ("players", "count"), ("plays", "count"))
def count(d: Desugar, node: tree.Attribute) -> Operand:
    return size_of(d, d.expr(node.operand))


@belonging(("cards", "top"))
def cards_top(d: Desugar, node: tree.Attribute) -> Operand:
    cards = d.expr(node.operand)
    top = d.var("top", CARD.maybe, d.none_of(CARD))
    size = d.let(Op.SIZE, cards)
    with d.when(d.let(Op.LESS, number(0), size)):
        d.set(top, d.let(Op.ITEM, cards, d.let(Op.SUBTRACT, size, number(1)), type=CARD))
    return top


@belonging(("zone", "count"))
def zone_count(d: Desugar, node: tree.Attribute) -> Operand:
    return size_of(d, d.needed(node.operand))


@belonging(("zone", "top"))
def zone_top(d: Desugar, node: tree.Attribute) -> Operand:
    return top_of_zone(d, d.needed(node.operand))


simple("zone", "owner", Op.ZONE_OWNER)
simple("zone", "place", Op.ZONE_PLACE)


# ---- players


@belonging(("player", "left"))
def player_left(d: Desugar, node: tree.Attribute) -> Operand:
    return d.let(Op.SEAT_ON, d.needed(node.operand), number(1))


@belonging(("player", "right"))
def player_right(d: Desugar, node: tree.Attribute) -> Operand:
    return d.let(Op.SEAT_ON, d.needed(node.operand), number(-1))


@belonging(("player", "opposite"))
def player_opposite(d: Desugar, node: tree.Attribute) -> Operand:
    """Half the table on, with an odd number of seats rounded down."""
    seat = d.needed(node.operand)
    return d.let(Op.SEAT_ON, seat, d.let(Op.FLOOR_DIVIDE, d.let(Op.SEAT_COUNT), number(2)))


@belonging(("player", "place"), ("team", "place"))
def own_place(d: Desugar, node: tree.Attribute) -> Operand:
    return d.let(Op.ADD, d.let(Op.INDEX, d.needed(node.operand)), number(1))


@belonging(("player", "opponent"))
def player_opponent(d: Desugar, node: tree.Attribute) -> Operand:
    d.check(d.same(d.let(Op.SEAT_COUNT), number(2)), "wrong-table", node.span)
    return d.let(Op.SEAT_ON, d.needed(node.operand), number(1))


@belonging(("player", "partner"))
def player_partner(d: Desugar, node: tree.Attribute) -> Operand:
    teams = [team for team in d.rules.teams if len(team) > 1]
    partners = {seat: team[(team.index(seat) + 1) % len(team)] for team in teams for seat in team}
    return by_seat(d, node, partners, SEAT)


@belonging(("player", "team"))
def player_team(d: Desugar, node: tree.Attribute) -> Operand:
    return by_seat(d, node, {seat: i for i, team in enumerate(d.rules.teams) for seat in team}, TEAM)


def by_seat(d: Desugar, node: tree.Attribute, found: dict[int, int], kind: CoreType) -> Operand:
    """What the table of teams says of a seat; a seat that it does not know stops the game."""
    table = [found.get(seat, -1) for seat in range(d.rules.players[1])]
    value = looked_up(d, d.needed(node.operand), table, kind)
    d.check(d.is_some(value), "wrong-table", node.span)
    return d.unwrap(value)


@belonging(("team", "opponents"))
def team_opponents(d: Desugar, node: tree.Attribute) -> Operand:
    """The other of two teams; of more the next one."""
    count = len(d.rules.teams)
    return looked_up(d, d.needed(node.operand), [(team + 1) % count for team in range(count)], TEAM)


# ---- words in order: suits, ranks, kinds, categories; `place` and `number` are 0 where there is none


@belonging(("suit", "place"), ("rank", "place"), ("enum", "place"))
def place(d: Desugar, node: tree.Attribute) -> Operand:
    return or_zero(d, node, lambda value: d.let(Op.ADD, d.let(Op.INDEX, value), number(1)))


@belonging(("category", "place"))
def category_place(d: Desugar, node: tree.Attribute) -> Operand:
    """The lowest, which is declared last, is 1."""
    count = len(d.rules.rankings[node.operand.type.name].categories)
    return or_zero(d, node, lambda value: d.let(Op.SUBTRACT, number(count), d.let(Op.INDEX, value)))


@belonging(*((kind, name) for kind in ("suit", "rank", "enum", "category") for name in ("next", "previous")))
def neighbour(d: Desugar, node: tree.Attribute) -> Operand:
    """The word before or behind; none beyond the ends. Of categories the better one is declared before."""
    kind = node.operand.type
    is_category = kind.kind == "category"
    words = d.rules.rankings[kind.name].categories if is_category else d.rules.enumerations[kind.name].members
    upwards = (node.name == "next") != is_category
    table = [*range(1, len(words)), -1] if upwards else range(-1, len(words) - 1)
    return looked_up(d, d.needed(node.operand), table, core_type(node.type))


@desugars(tree.ColumnValue)
def desugar_column_value(d: Desugar, node: tree.ColumnValue) -> Operand:
    """What a word has in a column: a table of numbers, of truths as 0 and 1, of members; fractions one by one."""
    member, column = d.needed(node.member), node.column
    if column.type.kind == "fraction":
        return fraction_of(d, member, column)
    table = [int(value) if isinstance(value, int) else -1 for value in column.values]  # of words -1 is none
    if column.type.kind == "enum":
        return looked_up(d, member, table, core_type(column.type))
    found = d.let(Op.LOOKUP, member, type=INT, about=tuple(table))
    return d.same(found, number(1)) if column.type.kind == "truth" else found


def fraction_of(d: Desugar, member: Operand, column: tree.KindColumn) -> Operand:
    first, *rest = (Const(value, FRACTION) for value in column.values if isinstance(value, Fraction))
    result = d.var(column.name, FRACTION, first)
    with d.switch(d.let(Op.INDEX, member)) as cases:
        for place, value in enumerate(rest, 1):
            with cases.case(place):
                d.set(result, value)
    return result


@belonging(("rank", "number"))
def rank_number(d: Desugar, node: tree.Attribute) -> Operand:
    words = d.rules.enumerations["rank"].members
    numbers = [int(word) if word.isdecimal() else 0 for word in words]
    return or_zero(d, node, lambda value: looked_up(d, value, numbers, INT))


def or_zero(d: Desugar, node: tree.Attribute, read: Callable[[Operand], Operand]) -> Operand:
    value = d.expr(node.operand)
    result = d.var(node.name, INT, number(0))
    with d.when(d.is_some(value)):
        d.set(result, read(d.unwrap(value)))
    return result


@belonging(("suit", "colour"))
def suit_colour(d: Desugar, node: tree.Attribute) -> Operand:
    return colour_of(d, d.needed(node.operand), node)


# ---- hands, totals, arrangements


@belonging(("hand", "category"))
def hand_category(d: Desugar, node: tree.Attribute) -> Operand:
    return d.let(Op.HAND_CATEGORY, d.needed(node.operand), type=core_type(node.type).some)


simple("total", "value", Op.TOTAL_VALUE)
simple("total", "soft", Op.TOTAL_SOFT)
simple("total", "bust", Op.TOTAL_BUST)
simple("arrangement", "cost", Op.ARRANGEMENT_COST)
simple("arrangement", "melds", Op.ARRANGEMENT_MELDS)
simple("arrangement", "left", Op.ARRANGEMENT_LEFT)
