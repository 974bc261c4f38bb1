"""Statements that shuffle, deal, move, turn and show cards."""

from __future__ import annotations

from trionfi.core.desugar.belongings import orientation_number
from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.queries import found
from trionfi.core.desugar.writer import FALSE, TRUE, number
from trionfi.core.ir import Const, Operand
from trionfi.core.ops import Op
from trionfi.core.types import SEATS, ZONE, ZONES
from trionfi.dsl import tree
from trionfi.dsl.source import Span

__all__ = ["lay", "lift"]

UP = {"up": True, "down": False, "": None}


def family_of(node: tree.Expr) -> tree.ZoneFamily | None:
    """The family that the zone of an expression is of, where the text says it."""
    return node.family if isinstance(node, tree.ZoneValue | tree.ZonesValue) else None


def amount(d: Desugar, node: tree.Expr) -> Operand:
    """A number of cards, which is not below 0."""
    count = d.needed(node)
    if not (isinstance(count, Const) and int(count.value or 0) >= 0):
        d.check(d.let(Op.AT_MOST, number(0), count), "below-zero", node.span)
    return count


# ---- one card is lifted and laid


def lift(d: Desugar, card: Operand, span: Span) -> None:
    """Lifts a card from where it lies."""
    d.check(d.is_some(d.let(Op.ZONE_OF, card)), "card-nowhere", span)
    if d.rules.effects:
        d.do(Op.LEAVE, card)
    d.do(Op.LIFT, card)


def lay(
    d: Desugar,
    card: Operand,
    zone: Operand,
    up: bool | None,
    span: Span,
    at: Operand | None = None,
    family: tree.ZoneFamily | None = None,
) -> None:
    """Lays a card that has been lifted on top of a zone, or `at` a place counted from the bottom."""
    size = d.let(Op.SIZE, zone)
    d.check(d.let(Op.LESS, size, d.let(Op.ZONE_CAPACITY, zone)), "zone-overfull", span)
    d.do(Op.LAY, zone, card, size if at is None else at)
    turn_for_zone(d, card, zone, up, family)
    known = d.let(Op.SELECT, d.let(Op.IS_UP, card), d.let(Op.EVERYONE), d.let(Op.ZONE_SEERS, zone), type=SEATS)
    d.do(Op.LEARN, card, known)


def turn_for_zone(d: Desugar, card: Operand, zone: Operand, up: bool | None, family: tree.ZoneFamily | None) -> None:
    """The face of the statement, else of the zone; else the card keeps its own."""
    if up is None and family is not None:
        up = UP[family.face]
        if up is None:
            return
    if up is not None:
        d.do(Op.TURN, card, TRUE if up else FALSE)
        return
    with d.when(d.let(Op.ZONE_TURNS, zone)):
        d.do(Op.TURN, card, d.let(Op.ZONE_IS_UP, zone))


def free_place(d: Desugar, target: Operand, span: Span) -> Operand:
    """A zone itself; of a row the first empty place."""
    if target.type != ZONES:
        return target
    empty = d.var("empty", ZONE.maybe, d.none_of(ZONE))
    with d.each(target, "zone") as (zone, label), d.when(d.same(d.let(Op.SIZE, zone), number(0))):
        d.set(empty, zone)
        d.leave(label)
    d.check(d.is_some(empty), "zone-overfull", span)
    return d.unwrap(empty)


# ---- shuffle


@desugars(tree.Shuffle)
def desugar_shuffle(d: Desugar, node: tree.Shuffle) -> None:
    zone = d.needed(node.zone)
    if node.rotation is not None:
        rotate(d, zone, node.rotation)
    d.do(Op.SHUFFLE, zone, about=(d.place(node.span),))
    with d.each(d.let(Op.CARDS_IN, zone), "card") as (card, _):
        if d.rules.effects:
            d.do(Op.LEAVE, card)
        known = d.let(Op.SELECT, d.let(Op.IS_UP, card), d.let(Op.EVERYONE), d.let(Op.ZONE_SEERS, zone), type=SEATS)
        d.do(Op.KNOWN_BY, card, known)


def rotate(d: Desugar, zone: Operand, node: tree.Expr) -> None:
    """Turns some cards end for end: `half` of them, or each by coin (rulings W4)."""
    how = d.needed(node)
    half = d.rules.enumerations[node.type.name].members.index("half")
    with d.when(d.same(how, Const(half, how.type))):
        d.do(Op.ROTATE_HALF, zone)
    with d.otherwise():
        d.do(Op.ROTATE_EACH, zone)


# ---- deal


@desugars(tree.Deal)
def desugar_deal(d: Desugar, node: tree.Deal) -> None:
    count, zone, target = amount(d, node.amount), d.needed(node.source), d.needed(node.to)
    supplied = supply(d, node, zone, count)
    with d.count(number(0), supplied):
        deal_card(d, zone, free_place(d, target, node.to.span), node, family_of(node.to))


@desugars(tree.DealAround)
def desugar_deal_around(d: Desugar, node: tree.DealAround) -> None:
    rounds, zone = amount(d, node.amount), d.needed(node.source)
    seats = found(d, node.players)
    players = d.let(Op.SIZE, seats)
    # a number of cards beyond 64 bits is more than there are
    wanted = d.let(
        Op.SELECT, d.let(Op.MULTIPLY_OVERFLOWS, rounds, players), rounds, product(d, rounds, players), type=players.type
    )
    supplied = supply(d, node, zone, wanted)
    with d.count(number(0), supplied) as (i, _):
        seat = d.let(Op.ITEM, seats, d.let(Op.MODULO, i, players), type=seats.type.element, hint="seat")
        row = d.let(Op.ZONES_OF, seat, about=(node.family.name,))
        is_row = node.family.shape == "row"
        place = free_place(d, row, node.span) if is_row else d.let(Op.ITEM, row, number(0), type=ZONE)
        deal_card(d, zone, place, node, node.family)


def product(d: Desugar, one: Operand, other: Operand) -> Operand:
    return d.let(Op.MULTIPLY, one, other)


def deal_card(
    d: Desugar, source: Operand, to: Operand, node: tree.Deal | tree.DealAround, family: tree.ZoneFamily | None
) -> None:
    card = d.let(Op.NEXT_CARD, source, to, hint="card")
    if d.rules.effects:
        d.do(Op.LEAVE, card)
    d.do(Op.LIFT, card)
    lay(d, card, to, UP[node.face], node.span, family=family)


def supply(d: Desugar, node: tree.Deal | tree.DealAround, zone: Operand, wanted: Operand) -> Operand:
    """How many cards a deal of so many gets: where they run short the zone's own rule is run, once and first."""
    there = d.var("there", wanted.type, d.let(Op.SIZE, zone))
    with d.when(d.let(Op.LESS, there, wanted)):
        refill(d, zone, family_of(node.source))
        d.set(there, d.let(Op.SIZE, zone))
        if not node.up_to:
            d.check(d.let(Op.AT_MOST, wanted, there), "too-few-cards", node.span)
    return d.let(Op.MINIMUM, there, wanted)


def refill(d: Desugar, zone: Operand, family: tree.ZoneFamily | None) -> None:
    if family is not None:
        if family.when_short is not None:
            d.call(d.whole.procedure(family.when_short))
        return
    rules = [(place, one.when_short) for place, one in enumerate(d.rules.zones) if one.when_short is not None]
    if not rules:
        return
    with d.switch(d.let(Op.ZONE_FAMILY, zone)) as cases:
        for place, procedure in rules:
            with cases.case(place):
                d.call(d.whole.procedure(procedure))


# ---- move


@desugars(tree.Move)
def desugar_move(d: Desugar, node: tree.Move) -> None:
    cards, target = d.expr(node.cards), d.needed(node.to)
    up, family = UP[node.face], family_of(node.to)
    if not node.bottom or target.type == ZONES:
        with d.each(cards, "card") as (card, _):
            lift(d, card, node.span)
            lay(d, card, free_place(d, target, node.to.span), up, node.span, family=family)
        return
    place = d.var("place", number(0).type, number(0))
    with d.each(cards, "card") as (card, _):
        lift(d, card, node.span)
        lay(d, card, target, up, node.span, at=place, family=family)
        d.set(place, d.let(Op.ADD, place, number(1)))


@desugars(tree.TurnOver)
def desugar_turn_over(d: Desugar, node: tree.TurnOver) -> None:
    zone, target = d.needed(node.source), d.needed(node.to)
    with d.each(d.let(Op.TOP_CARDS, zone, d.let(Op.SIZE, zone)), "card") as (card, _):
        lift(d, card, node.span)
        lay(d, card, target, False, node.span)


# ---- turn, mark, show


@desugars(tree.TurnFace)
def desugar_turn_face(d: Desugar, node: tree.TurnFace) -> None:
    lists = [d.expr(cards) for cards in node.cards]
    for cards in lists:
        with d.each(cards, "card") as (card, _):
            d.do(Op.TURN, card, TRUE if node.up else FALSE)
            if node.up:
                d.do(Op.LEARN, card, d.let(Op.EVERYONE))


@desugars(tree.Orient)
def desugar_orient(d: Desugar, node: tree.Orient) -> None:
    cards, orientation = d.expr(node.cards), d.needed(node.orientation)
    turned = d.same(orientation, Const(orientation_number(d, True), orientation.type))
    with d.each(cards, "card") as (card, _):
        d.do(Op.ORIENT, card, turned)


@desugars(tree.SetMark)
def desugar_set_mark(d: Desugar, node: tree.SetMark) -> None:
    card, value = d.needed(node.card), d.needed(node.value)
    d.do(Op.SET_MARK, card, value, about=(node.mark.name,))


@desugars(tree.Show)
def desugar_show(d: Desugar, node: tree.Show) -> None:
    cards = d.expr(node.cards)
    if node.to is None:
        who: Operand = d.let(Op.EVERYONE)
    else:
        who = d.let(Op.WITH_SEAT, Const(0, SEATS), d.needed(node.to))
    with d.each(cards, "card") as (card, _):
        d.do(Op.LEARN, card, who)
