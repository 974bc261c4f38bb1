"""Belongings that the language knows: what is written after a dot and is no variable, zone or define."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.types import Type
from trionfi.interpreter.errors import InternalError, fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.reference.expressions import needed, none_used, pile
from trionfi.interpreter.state import State
from trionfi.interpreter.table import NOWHERE

Builder = Callable[[tree.Attribute, Compiler], Value]

ATTRIBUTES: dict[tuple[str, str], Builder] = {}


def attribute(kind: str, name: str) -> Callable[[Builder], Builder]:
    def register(build: Builder) -> Builder:
        ATTRIBUTES[kind, name] = build
        return build

    return register


def missing_attributes() -> list[str]:
    """Those of the language without a meaning here; tests want this to be empty."""
    return sorted(f"{kind}.{name}" for kind, name in set(tree.ATTRIBUTES) - set(ATTRIBUTES))


def noun_of(kind: Type) -> str:
    """What an attribute's owner is called in the table ATTRIBUTES."""
    return kind.name if kind.kind == "enum" and kind.name in ("suit", "rank") else kind.kind


@meaning(tree.Attribute)
def eval_attribute(node: tree.Attribute, c: Compiler) -> Value:
    build = ATTRIBUTES.get((noun_of(node.operand.type), node.name))
    if build is None:
        raise InternalError(f"the reference engine does not know .{node.name} of {node.operand.type}")
    return build(node, c)


def mapped(read: Callable[[Any], Any]) -> Builder:
    """An attribute that is a function of the value alone."""

    def build(node: tree.Attribute, c: Compiler) -> Value:
        operand = needed(node.operand, c)
        return lambda s, f: read(operand(s, f))

    return build


# ---- cards: what they are now


@attribute("card", "suit")
def card_suit(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)

    def suit(s: State, f: Frame) -> int | None:
        suits = s.looks[card(s, f)].suits
        # of a card of several suits the first
        return (suits & -suits).bit_length() - 1 if suits else None

    return suit


@attribute("card", "rank")
def card_rank(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)
    return lambda s, f: s.looks[card(s, f)].rank


@attribute("card", "number")
def card_number(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)
    numbers = [face.number for face in c.ruleset.faces]

    def number(s: State, f: Frame) -> int | None:
        return numbers[s.looks[card(s, f)].face]

    return number


@attribute("card", "deck")
def card_deck(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)
    decks = [face.deck for face in c.ruleset.faces]
    return lambda s, f: decks[s.looks[card(s, f)].face]


@attribute("card", "orientation")
def card_orientation(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)
    upright, turned = orientations(c)
    return lambda s, f: turned if s.looks[card(s, f)].reversed else upright


def orientations(c: Compiler) -> tuple[int, int]:
    """The numbers of upright and reversed."""
    members = c.ruleset.enumerations["orientation"].members
    return members.index("upright"), members.index("reversed")


@attribute("card", "face")
def card_face(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)
    members = c.ruleset.enumerations["face"].members
    up, down = members.index("up"), members.index("down")
    return lambda s, f: up if s.up[card(s, f)] else down


@attribute("card", "colour")
def card_colour(node: tree.Attribute, c: Compiler) -> Value:
    suit = card_suit(node, c)
    colours = c.ruleset.colours

    def colour(s: State, f: Frame) -> int | None:
        found = suit(s, f)
        return None if found is None else colours.get(found)

    return colour


# ---- cards: where they lie


@attribute("card", "owner")
def card_owner(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)
    owners = [zone_player(place.family, place.owner) for place in c.table.zones]

    def owner(s: State, f: Frame) -> int | None:
        zone = s.zone_of[card(s, f)]
        return None if zone == NOWHERE else owners[zone]

    return owner


def zone_player(family: tree.ZoneFamily, owner: int | None) -> int | None:
    return owner if family.per == "player" else None


@attribute("card", "zone")
def card_zone(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)

    def zone(s: State, f: Frame) -> int | None:
        found = s.zone_of[card(s, f)]
        return None if found == NOWHERE else found

    return zone


@attribute("card", "depth")
def card_depth(node: tree.Attribute, c: Compiler) -> Value:
    card = needed(node.operand, c)

    def depth(s: State, f: Frame) -> int:
        found = card(s, f)
        zone = s.zone_of[found]
        if zone == NOWHERE:
            fail("card-nowhere", f"{s.name_of(found)} lies nowhere and has no depth", node.span)
        return len(s.zones[zone]) - s.zones[zone].index(found)

    return depth


# ---- collections


@attribute("cards", "count")
def cards_count(node: tree.Attribute, c: Compiler) -> Value:
    cards = pile(node.operand, c)
    return lambda s, f: len(cards(s, f))


@attribute("cards", "top")
def cards_top(node: tree.Attribute, c: Compiler) -> Value:
    cards = pile(node.operand, c)

    def top(s: State, f: Frame) -> int | None:
        found = cards(s, f)
        return found[-1] if found else None

    return top


@attribute("zone", "count")
def zone_count(node: tree.Attribute, c: Compiler) -> Value:
    zone = needed(node.operand, c)
    return lambda s, f: len(s.zones[zone(s, f)])


@attribute("zone", "top")
def zone_top(node: tree.Attribute, c: Compiler) -> Value:
    zone = needed(node.operand, c)

    def top(s: State, f: Frame) -> int | None:
        cards = s.zones[zone(s, f)]
        return cards[-1] if cards else None

    return top


@attribute("zone", "owner")
def zone_owner(node: tree.Attribute, c: Compiler) -> Value:
    zone = needed(node.operand, c)
    owners = [zone_player(place.family, place.owner) for place in c.table.zones]
    return lambda s, f: owners[zone(s, f)]


@attribute("zone", "place")
def zone_place(node: tree.Attribute, c: Compiler) -> Value:
    zone = needed(node.operand, c)
    numbers = [place.number for place in c.table.zones]
    return lambda s, f: numbers[zone(s, f)]


@attribute("zones", "count")
def zones_count(node: tree.Attribute, c: Compiler) -> Value:
    zones = c.value(node.operand)
    return lambda s, f: sum(len(s.zones[zone]) for zone in zones(s, f))


@attribute("players", "count")
def players_count(node: tree.Attribute, c: Compiler) -> Value:
    players = c.value(node.operand)
    if c.is_known(players):
        return c.constant(c.known(players).bit_count())
    return lambda s, f: players(s, f).bit_count()


# ---- players


@attribute("player", "left")
def player_left(node: tree.Attribute, c: Compiler) -> Value:
    return seat_away(node, c, 1)


@attribute("player", "right")
def player_right(node: tree.Attribute, c: Compiler) -> Value:
    return seat_away(node, c, -1)


@attribute("player", "opposite")
def player_opposite(node: tree.Attribute, c: Compiler) -> Value:
    """Half the table on, with an odd number of seats rounded down."""
    return seat_away(node, c, c.table.players // 2)


def seat_away(node: tree.Attribute, c: Compiler, steps: int) -> Value:
    player, count = c.value(node.operand), c.table.players

    def seat(s: State, f: Frame) -> int:
        found = player(s, f)
        if found is None:
            none_used(node.operand)
        return (found + steps) % count  # type: ignore[no-any-return]

    return seat


ATTRIBUTES["player", "place"] = mapped(lambda seat: seat + 1)
ATTRIBUTES["team", "place"] = mapped(lambda team: team + 1)


@attribute("player", "opponent")
def player_opponent(node: tree.Attribute, c: Compiler) -> Value:
    if c.table.players == 2:
        return seat_away(node, c, 1)

    def opponent(_s: State, _f: Frame) -> int:
        fail("wrong-table", f"`opponent` is for two players, and {c.table.players} are seated", node.span)

    return opponent


@attribute("player", "partner")
def player_partner(node: tree.Attribute, c: Compiler) -> Value:
    player = needed(node.operand, c)
    teams = c.ruleset.teams
    partners = {seat: team[(team.index(seat) + 1) % len(team)] for team in teams for seat in team if len(team) > 1}

    def partner(s: State, f: Frame) -> int:
        seat: int = player(s, f)
        if seat not in partners:
            fail("wrong-table", f"p{seat + 1} has no partner", node.span)
        return partners[seat]

    return partner


@attribute("player", "team")
def player_team(node: tree.Attribute, c: Compiler) -> Value:
    player, team_of = needed(node.operand, c), c.table.team_of

    def team(s: State, f: Frame) -> int:
        seat: int = player(s, f)
        if seat not in team_of:
            fail("wrong-table", f"p{seat + 1} is in no team", node.span)
        return team_of[seat]

    return team


@attribute("team", "opponents")
def team_opponents(node: tree.Attribute, c: Compiler) -> Value:
    """The other of two teams; of more the next one."""
    team, count = needed(node.operand, c), len(c.ruleset.teams)
    return lambda s, f: (team(s, f) + 1) % count


# ---- words in order: suits, ranks, kinds, categories; `place` and `number` are 0 where there is none


def place_or_zero(node: tree.Attribute, c: Compiler) -> Value:
    member = c.value(node.operand)

    def place(s: State, f: Frame) -> int:
        found = member(s, f)
        return 0 if found is None else found + 1

    return place


for _kind in ("suit", "rank", "enum"):
    ATTRIBUTES[_kind, "place"] = place_or_zero


@attribute("category", "place")
def category_place(node: tree.Attribute, c: Compiler) -> Value:
    """The lowest, which is declared last, is 1."""
    category, count = c.value(node.operand), len(c.ruleset.rankings[node.operand.type.name].categories)

    def place(s: State, f: Frame) -> int:
        found = category(s, f)
        return 0 if found is None else count - found

    return place


def steps_away(steps: int) -> Builder:
    """The word so many places on; none beyond the ends."""

    def build(node: tree.Attribute, c: Compiler) -> Value:
        member, kind = needed(node.operand, c), node.operand.type
        count = word_count(c.ruleset, kind)
        onwards = -steps if kind.kind == "category" else steps

        def neighbour(s: State, f: Frame) -> int | None:
            found: int = member(s, f) + onwards
            return found if 0 <= found < count else None

        return neighbour

    return build


def word_count(ruleset: tree.Ruleset, kind: Type) -> int:
    """How many words an enumeration, or categories a ranking, has."""
    if kind.kind == "category":
        return len(ruleset.rankings[kind.name].categories)
    return len(ruleset.enumerations[kind.name].members)


for _kind in ("suit", "rank", "enum", "category"):
    ATTRIBUTES[_kind, "next"] = steps_away(1)
    ATTRIBUTES[_kind, "previous"] = steps_away(-1)


@meaning(tree.ColumnValue)
def eval_column_value(node: tree.ColumnValue, c: Compiler) -> Value:
    member, values = needed(node.member, c), node.column.values
    return lambda s, f: values[member(s, f)]


@attribute("suit", "colour")
def suit_colour(node: tree.Attribute, c: Compiler) -> Value:
    suit, colours = needed(node.operand, c), c.ruleset.colours
    return lambda s, f: colours.get(suit(s, f))


@attribute("rank", "number")
def rank_number(node: tree.Attribute, c: Compiler) -> Value:
    rank = c.value(node.operand)
    numbers = [int(word) if word.isdecimal() else 0 for word in c.ruleset.enumerations["rank"].members]

    def number(s: State, f: Frame) -> int:
        found = rank(s, f)
        return 0 if found is None else numbers[found]

    return number


# ---- hands, totals, arrangements

ATTRIBUTES["hand", "category"] = mapped(lambda hand: hand.number)
ATTRIBUTES["total", "value"] = mapped(lambda total: total.value)
ATTRIBUTES["total", "soft"] = mapped(lambda total: total.soft)
ATTRIBUTES["total", "bust"] = mapped(lambda total: total.bust)
ATTRIBUTES["arrangement", "cost"] = mapped(lambda arrangement: arrangement.cost)
ATTRIBUTES["arrangement", "melds"] = mapped(lambda arrangement: arrangement.melds)
ATTRIBUTES["arrangement", "left"] = mapped(lambda arrangement: arrangement.left)
