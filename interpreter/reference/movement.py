"""Statements that shuffle, deal, move, turn and show cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Expr
from trionfi.interpreter.errors import InternalError, fail
from trionfi.interpreter.reference.attributes import orientations
from trionfi.interpreter.reference.compiler import Compiler, Frame, Step, Value, statement
from trionfi.interpreter.reference.expressions import needed
from trionfi.interpreter.reference.queries import domain, found
from trionfi.interpreter.stacking import arrange, next_card
from trionfi.interpreter.state import State

__all__: list[str] = []

UP = {"up": True, "down": False, "": None}

# The zone that the next card goes to, of a zone or of the places of a row.
Free = Callable[[State, Any], int]


def free_place(to: Expr) -> Free:
    """A zone itself; of a row the first empty place."""
    if to.type.kind != "zones":
        return lambda _s, zone: zone
    return lambda s, zones: first_empty(s, zones, to.span)


def first_empty(s: State, zones: Sequence[int], span: Span) -> int:
    empty = next((zone for zone in zones if not s.zones[zone]), None)
    if empty is None:
        name = s.table.zones[zones[0]].family.name
        fail("zone-overfull", f"no place of `{name}` is empty", span)
    return empty


def amount(expr: Expr, c: Compiler) -> Value:
    """A number of cards, which is not below 0."""
    number = needed(expr, c)

    def read(s: State, f: Frame) -> int:
        count: int = number(s, f)
        if count < 0:
            fail("below-zero", f"there are no {count} cards: a number of cards is 0 or more", expr.span)
        return count

    return read


# ---- shuffle


@statement(tree.Shuffle)
def run_shuffle(node: tree.Shuffle, c: Compiler) -> Step:
    zone = needed(node.zone, c)
    turn = rotation(node.rotation, c) if node.rotation is not None else None

    def run(s: State, f: Frame) -> None:
        place = zone(s, f)
        cards = s.zones[place]
        if turn is not None:
            turn(s, f, cards)
        s.lot.shuffle(cards)
        if s.stack is not None:
            arrange(s, s.stack, place, node.span)
        s.forget(place)
        if s.watch is not None:
            s.watch.has_shuffled(s, place)

    return Step(run)


def rotation(expr: Expr, c: Compiler) -> Callable[[State, Frame, list[int]], None]:
    """Turns some cards end for end: `half` of them, or each by coin (rulings W4)."""
    how, members = needed(expr, c), c.ruleset.enumerations[expr.type.name].members

    def turn(s: State, f: Frame, cards: list[int]) -> None:
        by_half = members[how(s, f)] == "half"
        chosen = s.lot.chosen_half(len(cards)) if by_half else s.lot.chosen_by_coin(len(cards))
        for card, is_turned in zip(cards, chosen, strict=True):
            if is_turned:
                s.turn_end(card)

    return turn


# ---- deal


@statement(tree.Deal)
def run_deal(node: tree.Deal, c: Compiler) -> Step:
    wanted, source, to = amount(node.amount, c), needed(node.source, c), needed(node.to, c)
    free, up = free_place(node.to), UP[node.face]
    supply = supplier(node, c)

    def run(s: State, f: Frame) -> None:
        count, zone, target = wanted(s, f), source(s, f), to(s, f)
        for _ in range(supply(s, zone, count)):
            deal_card(s, zone, free(s, target), up, node.span)

    return Step(run)


@statement(tree.DealAround)
def run_deal_around(node: tree.DealAround, c: Compiler) -> Step:
    wanted, source, players = amount(node.amount, c), needed(node.source, c), found(domain(node.players, c))
    places = [c.table.places_of(node.family, seat) for seat in range(c.table.players)]
    is_row, up = node.family.shape == "row", UP[node.face]
    supply = supplier(node, c)

    def run(s: State, f: Frame) -> None:
        rounds, zone = wanted(s, f), source(s, f)
        seats = players(s, f)
        for i in range(supply(s, zone, rounds * len(seats))):
            row = places[seats[i % len(seats)]]
            deal_card(s, zone, first_empty(s, row, node.span) if is_row else row[0], up, node.span)

    return Step(run)


def deal_card(s: State, source: int, to: int, up: bool | None, span: Span) -> None:
    card = s.zones[source][-1] if s.stack is None else next_card(s, s.stack, source, to)
    s.take(card, span)
    s.put(card, to, up, span)
    if s.watch is not None:
        s.watch.has_dealt(s, card, source, to)


def supplier(node: tree.Deal | tree.DealAround, c: Compiler) -> Callable[[State, int, int], int]:
    """How many cards a deal of so many gets: where they run short the zone's own rule is run, once and first."""

    def supply(s: State, zone: int, wanted: int) -> int:
        if len(s.zones[zone]) >= wanted:
            return wanted
        refill(s, zone, c)
        there = len(s.zones[zone])
        if there < wanted and not node.up_to:
            cards = "1 card is" if wanted == 1 else f"{wanted} cards are"
            message = f"{cards} to be dealt from `{s.table.zones[zone].name}`, which holds {there}"
            hint = "write `deal up to`, or say `when short` of the zone where more come from"
            fail("too-few-cards", message, node.span, hint)
        return min(there, wanted)

    return supply


def refill(s: State, zone: int, c: Compiler) -> None:
    procedure = s.table.zones[zone].family.when_short
    if procedure is None:
        return
    script = c.script(procedure)
    if script.asks:
        raise InternalError(f"{procedure.span}: `when short` may not ask")
    script.run(s, [None] * script.size)


# ---- move


@statement(tree.Move)
def run_move(node: tree.Move, c: Compiler) -> Step:
    cards, to, free = c.value(node.cards), needed(node.to, c), free_place(node.to)
    up, span = UP[node.face], node.span

    def put_on(s: State, moved: Sequence[int], target: Any) -> None:
        for card in moved:
            s.take(card, span)
            s.put(card, free(s, target), up, span)

    def put_below(s: State, moved: Sequence[int], target: Any) -> None:
        for i, card in enumerate(moved):
            s.take(card, span)
            s.put(card, target, up, span, at=i)

    # cards that go under a row lie alone in its places
    under = node.bottom and node.to.type.kind != "zones"
    put, of = put_below if under else put_on, member(node.to, c)

    def run(s: State, f: Frame) -> None:
        moved, target = cards(s, f), to(s, f)
        with_watch(s, moved, target, put, of(s, f) if s.watch is not None and of is not None else None)

    return Step(run)


def member(to: Expr, c: Compiler) -> Value | None:
    """Of `player.team.tricks` the player."""
    owner = to.owner if isinstance(to, tree.ZoneValue) else None
    if isinstance(owner, tree.Attribute) and owner.name == "team" and owner.operand.type.kind == "player":
        return c.value(owner.operand)
    return None


def with_watch(
    s: State,
    cards: Sequence[int],
    target: Any,
    put: Callable[[State, Sequence[int], Any], None],
    member: int | None = None,
) -> None:
    """Moves cards to a zone or a row, before the eyes of who looks on. `member`: for whom a team gets them."""
    if s.watch is None:
        put(s, cards, target)
        return
    zone = target if isinstance(target, int) else target[0]
    s.watch.will_move(s, cards, zone, member)
    put(s, cards, target)
    s.watch.has_moved(s, cards, zone)


@statement(tree.TurnOver)
def run_turn_over(node: tree.TurnOver, c: Compiler) -> Step:
    source, to, span = needed(node.source, c), needed(node.to, c), node.span

    def put_back(s: State, cards: Sequence[int], target: int) -> None:
        for card in cards:
            s.take(card, span)
            s.put(card, target, False, span)

    def run(s: State, f: Frame) -> None:
        zone, target = source(s, f), to(s, f)
        with_watch(s, s.zones[zone][::-1], target, put_back)

    return Step(run)


# ---- turn, mark, show


@statement(tree.TurnFace)
def run_turn_face(node: tree.TurnFace, c: Compiler) -> Step:
    lists, up = c.values(node.cards), node.up

    def run(s: State, f: Frame) -> None:
        for cards in [read(s, f) for read in lists]:
            for card in cards:
                s.turn(card, up)
            if s.watch is not None:
                s.watch.has_turned(s, cards, up)

    return Step(run)


@statement(tree.Orient)
def run_orient(node: tree.Orient, c: Compiler) -> Step:
    cards, orientation = c.value(node.cards), needed(node.orientation, c)
    _, turned = orientations(c)

    def run(s: State, f: Frame) -> None:
        listed, is_reversed = cards(s, f), orientation(s, f) == turned
        for card in listed:
            s.orient(card, is_reversed)

    return Step(run)


@statement(tree.SetMark)
def run_set_mark(node: tree.SetMark, c: Compiler) -> Step:
    mark, card, value = node.mark.index, needed(node.card, c), needed(node.value, c)

    def run(s: State, f: Frame) -> None:
        marked = card(s, f)
        s.set_mark(marked, mark, value(s, f))

    return Step(run)


@statement(tree.Show)
def run_show(node: tree.Show, c: Compiler) -> Step:
    cards = c.value(node.cards)
    to = needed(node.to, c) if node.to is not None else None

    def run(s: State, f: Frame) -> None:
        shown = cards(s, f)
        who = s.table.everyone if to is None else 1 << to(s, f)
        for card in shown:
            s.known[card] |= who
        if s.watch is not None:
            s.watch.has_shown(s, shown)

    return Step(run)
