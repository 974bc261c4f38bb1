"""What is written after a dot and belongs to the language: of cards, zones, seats, suits, ranks, hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import (
    I8,
    I16,
    I64,
    Value,
    Variable,
    number,
    table,
)
from trionfi.interpreter.native.lower_expressions import card_at, card_column, cards_in, family_of, last_card
from trionfi.interpreter.native.lower_truths import place_of, size_of, upright
from trionfi.interpreter.native.lowering import NO_NUMBER, CannotLower, Lower, Lowering


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
    if kind == "play":
        from trionfi.interpreter.native.lower_plays import play_attribute

        return play_attribute(f, node)
    if node.name == "count" and kind in ("cards", "zone", "zones", "players", "plays"):
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
    tree.Attribute: lower_attribute,
    tree.MarkValue: lower_mark_value,
}
