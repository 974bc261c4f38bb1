"""How many things script may go over at most, as far as the text tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from trionfi.dsl.limits import MOST_CARDS, MOST_IN_RANGE, MOST_SETS
from trionfi.dsl.tree import (
    Arithmetic,
    Arranged,
    Attribute,
    Builtin,
    CallDefine,
    CardsOf,
    Const,
    Count,
    Deal,
    DealAround,
    Deck,
    Domain,
    Expr,
    IsMeld,
    Joined,
    Move,
    Negative,
    NumberRange,
    OptionValue,
    Orient,
    Ruleset,
    Say,
    SetsOf,
    Show,
    Shuffle,
    TopCards,
    TotalOf,
    TurnFace,
    TurnOver,
    VariableValue,
    ZonesValue,
    ZoneValue,
)

CARDS_A_PART = 8  # so many cards of a list cost what a part of script does
PARTS_A_MOVE = 32  # so many parts cost what a card costs that is moved
PARTS_A_SAYING = 500  # the same of what is said, which is kept
LETTERS_A_SAYING = 100  # a longer text costs as much as several
PARTS_A_VALUE = 200  # and of each value in it: cards one by one
_MOVING = (Deal, DealAround, Move, Orient, Show, Shuffle, TurnFace, TurnOver)


def things_of(domain: Domain, rules: Ruleset) -> int:
    """How many things a domain has at most."""
    if domain.range is not None:
        return numbers_in(domain.range, rules)
    if isinstance(domain.source, SetsOf):
        return sets_in(domain.source, rules)
    if domain.noun == "player":
        return rules.players[1]
    if domain.noun in rules.enumerations:
        return max(1, len(rules.enumerations[domain.noun].members))
    if domain.noun == "zone":
        source = domain.source
        return source.family.places if isinstance(source, ZonesValue) else max(1, sum(_zones(rules)))
    return cards_in(domain.source, rules)


def numbers_in(found: NumberRange, rules: Ruleset) -> int:
    """How many numbers a range has at most; more than there may be stop the game."""
    low, high, step = least_of(found.low, rules), most_of(found.high, rules), 1
    if found.step is not None:
        step = max(1, least_of(found.step, rules) or 1)
    if low is None or high is None:
        return MOST_IN_RANGE
    return max(1, min((high - low) // step + 1 + found.closed, MOST_IN_RANGE))


def sets_in(found: SetsOf, rules: Ruleset) -> int:
    """How many sets of cards there are at most; more than there may be stop the game."""
    cards, most = room_of(found.cards, rules), most_of(found.high, rules)
    least, sets = max(0, least_of(found.low, rules) or 0), 0
    for size in range(least, 1 + (cards if most is None else min(most, cards))):
        sets += comb(cards, size)
        if sets >= MOST_SETS:
            return MOST_SETS
    return max(1, sets)


def room_of(cards: Expr, rules: Ruleset) -> int:
    """How many cards some expression holds at most; closer than `cards_in` where a variable or several zones say so."""
    source = cards.source if isinstance(cards, CardsOf) else cards
    match source:
        case Joined(left=left, right=right):
            return min(room_of(left, rules) + room_of(right, rules), cards_of(rules))
        case TopCards(amount=Const(value=int(amount))):
            return min(max(0, amount), cards_of(rules))
        case VariableValue(variable=variable) if variable.type.kind == "cards" and variable.most:
            return min(variable.most, cards_of(rules))
        case _ if source is not None and source.type.kind == "card":
            return 1
        case _:
            return cards_in(source, rules)


def least_of(expr: Expr, rules: Ruleset) -> int | None:
    """A number that a value is never below, if the text tells one."""
    return bounds(expr, rules)[0]


def most_of(expr: Expr, rules: Ruleset) -> int | None:
    return bounds(expr, rules)[1]


Bounds = tuple[int | None, int | None]


def bounds(expr: Expr, rules: Ruleset) -> Bounds:
    """Between which numbers a value lies, as far as the text tells."""
    match expr:
        case Const(value=bool()):
            return None, None
        case Const(value=int(number)):
            return number, number
        case OptionValue(option=option):
            return option.low, option.high
        case Negative(operand=operand):
            low, high = bounds(operand, rules)
            return None if high is None else -high, None if low is None else -low
        case Arithmetic(operator="+" | "-" as operator, left=left, right=right):
            return _added(bounds(left, rules), bounds(right if operator == "+" else _negated(right), rules))
        case Builtin(name="smaller" | "larger" as name, arguments=arguments):
            return _of_two(name, [bounds(one, rules) for one in arguments])
        case CallDefine(define=define, arguments=[]):
            return bounds(define.body, rules)
        case Attribute() | Count():
            most = _most_counted(expr, rules)
            return (None, None) if most is None else (0, most)
        case _:
            return None, None


def _most_counted(expr: Attribute | Count, rules: Ruleset) -> int | None:
    if isinstance(expr, Count):
        return things_of(expr.domain, rules)
    kind = expr.operand.type
    if expr.name == "count":
        return rules.players[1] if kind.kind == "players" else cards_in(expr.operand, rules)
    if expr.name == "place" and kind.name in rules.enumerations:
        return len(rules.enumerations[kind.name].members)
    return None


def _negated(expr: Expr) -> Expr:
    return Negative(expr.type, expr.span, expr)


def _added(left: Bounds, right: Bounds) -> Bounds:
    low, high = (None if a is None or b is None else a + b for a, b in zip(left, right, strict=True))
    return low, high


def _of_two(name: str, both: Sequence[Bounds]) -> Bounds:
    """`smaller` is below whatever one of the two is below."""
    lows, highs = [low for low, _ in both if low is not None], [high for _, high in both if high is not None]
    if name == "smaller":
        return min(lows) if len(lows) == len(both) else None, min(highs, default=None)
    return max(lows, default=None), max(highs) if len(highs) == len(both) else None


def _zones(rules: Ruleset) -> Iterator[int]:
    """How many zones each family has at most; those of places of others have as many as these."""
    owners = {"player": rules.players[1], "team": len(rules.teams), "suit": len(rules.enumerations["suit"].members)}
    for family in rules.zones:
        yield family.places * owners.get(family.per, 1)


def times_named(node: object, rules: Ruleset) -> int:
    """How often a node comes to what it names: a total and a meld ask of each card."""
    return cards_in(node.cards, rules) if isinstance(node, TotalOf | Arranged | IsMeld) else 1


def cards_in(expr: Expr | None, rules: Ruleset) -> int:
    """How many cards an expression holds at most; 1 if there can be none."""
    source = expr.source if isinstance(expr, CardsOf) else expr
    room = source.family.capacity if isinstance(source, ZoneValue) else None
    return max(1, cards_of(rules) if room is None else min(room, cards_of(rules)))


def cards_of(rules: Ruleset) -> int:
    """The cards of a game at most, copies included."""
    return min(sum(len(deck.faces) * copies_of(deck) for deck in rules.decks), MOST_CARDS)


def copies_of(deck: Deck) -> int:
    """How many copies of each face a deck has at most."""
    copies = deck.copies
    if copies is None:
        return 1
    most = copies.value if isinstance(copies, Const) else None
    if isinstance(copies, OptionValue):
        most = copies.option.high
    return min(most, MOST_CARDS) if isinstance(most, int) else MOST_CARDS


def touched(node: object, rules: Ruleset) -> int:
    """What a node costs beside its parts because it goes through many cards, in parts."""
    if isinstance(node, _MOVING):
        return PARTS_A_MOVE * _moved(node, rules)
    if isinstance(node, Say):
        letters = sum(len(part) for part in node.label.parts if isinstance(part, str))
        return PARTS_A_SAYING * (1 + letters // LETTERS_A_SAYING) + PARTS_A_VALUE * sum(
            _told(part, rules) for part in node.label.parts
        )
    if isinstance(node, Expr) and node.type.kind == "cards":
        return cards_in(node, rules) // CARDS_A_PART
    return 0


def _moved(node: object, rules: Ruleset) -> int:
    """Cards that a statement moves, turns or shows at most."""
    if isinstance(node, Deal | DealAround):
        rounds = rules.players[1] if isinstance(node, DealAround) else 1
        dealt = node.amount.value if isinstance(node.amount, Const) else None
        return min(dealt * rounds, cards_of(rules)) if isinstance(dealt, int) else cards_of(rules)
    if isinstance(node, Shuffle):
        return cards_in(node.zone, rules)
    if isinstance(node, TurnOver):
        return cards_in(node.source, rules)
    held = node.cards if isinstance(node, TurnFace) else [getattr(node, "cards", None)]
    return sum(1 if _is_one(one) else cards_in(one, rules) for one in held)


def _told(part: str | Expr, rules: Ruleset) -> int:
    """Values that a part of a text holds at most."""
    if isinstance(part, str):
        return 0
    return {"cards": cards_in(part, rules), "zones": sum(_zones(rules))}.get(part.type.kind, 1)


def _is_one(cards: object) -> bool:
    source = cards.source if isinstance(cards, CardsOf) else cards
    return isinstance(source, Expr) and source.type.kind == "card"
