"""How many hands a statement may have to try: what rankings are asked in it costs far more than its parts.

This is told by the statement and by how many cards lie where it looks when it begins, never by what an engine remembers
or leaves out, so that all engines count alike. It may be more than what is really tried, never less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import NamedTuple

from trionfi.dsl.analysis.amounts import cards_of, things_of
from trionfi.dsl.analysis.sets import sets_of
from trionfi.dsl.limits import HANDS_OF_A_STEP, MOST_CARDS, MOST_HANDS, MOST_STATEMENTS, MOST_WILD_HANDS
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    BestHand,
    CallDefine,
    CardsOf,
    Choose,
    Conditional,
    ConditionRanking,
    Define,
    Domain,
    Expr,
    Joined,
    Local,
    LocalValue,
    Loop,
    Measure,
    Node,
    PatternRanking,
    RateHand,
    RepeatUntil,
    Return,
    Ruleset,
    Secret,
    Select,
    Statement,
    TopCards,
    Trigger,
    VariableValue,
    While,
    Without,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import parts, references, walk

__all__ = ["Trial", "Trials", "hands_of", "most_to_choose_from", "steps_for"]


class Room(NamedTuple):
    """How many cards an expression holds at most: `fixed`, and as many as lie in the fullest zone of each family and
    as each local holds, so many times each."""

    fixed: int = 0
    zones: tuple[tuple[str, int], ...] = ()
    lists: tuple[tuple[Local, int], ...] = ()

    def plus(self, other: Room) -> Room:
        return Room(self.fixed + other.fixed, self.zones + other.zones, self.lists + other.lists)


ONE = Room(1)
READINGS = 1000  # that wild cards of a hand are counted to have where each is tried


@dataclass(frozen=True)
class Trial:
    """The best hand of a ranking, worked out `times` times at most, from the cards of a room."""

    ranking: PatternRanking
    times: int
    room: Room
    span: Span


def most_to_choose_from(ranking: PatternRanking) -> int:
    """From how many cards its hands may be chosen, so that there are not too many of them."""
    most = MOST_WILD_HANDS if is_wild(ranking) else MOST_HANDS
    number = ranking.high
    while number < MOST_CARDS and comb(number + 1, ranking.high) <= most:
        number += 1
    return number


def is_wild(ranking: PatternRanking) -> bool:
    return ranking.wild is not None or ranking.wild_suit is not None


def has_no_values(ranking: PatternRanking) -> bool:
    """Whether the category decides first, and nothing asks for the hand's values: then wild cards need not be tried as
    all that they may be."""
    kinds = [key.kind for key in ranking.order]
    return not ranking.best_low and kinds[:1] == ["category"] and "value" not in kinds and ranking.qualifier is None


def hands_of(ranking: PatternRanking) -> list[int]:
    """How many hands there are to try, by the number of cards, up to the most that hands are chosen from; where cards
    are wild each counts as several."""
    each = (MOST_HANDS // MOST_WILD_HANDS if has_no_values(ranking) else READINGS) if is_wild(ranking) else 1
    return [each * comb(max(cards, ranking.high), ranking.high) for cards in range(most_to_choose_from(ranking) + 1)]


def steps_for(ranking: PatternRanking, times: int) -> list[int]:
    """The steps that so many trials count for, by the number of cards; more cards than that count as the most."""
    return [min(times * hands // HANDS_OF_A_STEP, 2 * MOST_STATEMENTS) for hands in hands_of(ranking)]


@dataclass
class Trials:
    """The trials of a ruleset's statements."""

    rules: Ruleset
    _asking: dict[Define, bool] = field(default_factory=dict)

    def of_statement(self, node: Statement) -> list[Trial]:
        """What is tried when a statement is come to; of a loop that asks a condition at each pass, nothing."""
        if not self.rules.rankings or isinstance(node, While | RepeatUntil):
            return []
        return _together([*self._below(node, _bound_in(node), 1)])

    def of_pass(self, loop: Loop) -> list[Trial]:
        """What a pass of a loop tries in its own condition."""
        if not self.rules.rankings or not isinstance(loop, While | RepeatUntil):
            return []
        return _together([*self._below(loop.condition, _bound_in(loop.condition), 1)])

    def of_end(self) -> list[Trial]:
        """What is tried where scores, winners and the measures of the end are read."""
        if not self.rules.rankings:
            return []
        found = [one for measure in self._measures("") for one in self._below(measure, _bound_in(measure), 1)]
        for define in (one for one in (self.rules.score, self.rules.won) if one is not None):
            found += self._below(define.body, _bound_in(define.body), self.rules.players[1])
        return _together(found)

    def _measures(self, event: str) -> list[Node]:
        return [one for one in self.rules.measures if one.event == event]

    def _below(self, node: Node, bound: Mapping[Local, Room], times: int) -> Iterator[Trial]:
        """The trials of a node and all that it holds; `bound` says what locals hold that are bound inside."""
        if isinstance(node, BestHand):
            yield Trial(node.ranking, times, self._hand(node, bound), node.span)
        times = min(times * self._turns(node), MOST_STATEMENTS)
        for held in _own_parts(node):
            yield from self._below(held, bound, times)
        if isinstance(node, CallDefine) and self._asks(node.define):
            yield from self._below(node.define.body, self._inside(node.define, node.arguments, bound), times)
        if isinstance(node, RateHand):
            inner = self._inside(node.ranking, node.arguments, bound)
            for read in parts(node.ranking):
                yield from self._below(read, inner, times)
        if isinstance(node, Trigger):
            for measure in self._measures(node.event):
                yield from self._below(measure, _bound_in(measure), times)

    def _inside(
        self, called: Define | ConditionRanking, arguments: Sequence[Expr], bound: Mapping[Local, Room]
    ) -> dict[Local, Room]:
        """What locals hold in what is called."""
        rooms = [self._room(argument, bound) for argument in arguments]
        return {**_bound_in(called), **dict(zip(called.parameters, rooms, strict=True))}

    def _turns(self, node: Node) -> int:
        """How often what a node holds may be come to."""
        domain = getattr(node, "domain", None)
        turns = things_of(domain, self.rules) if isinstance(domain, Domain) else 1
        if isinstance(node, Choose) and node.such_that is not None:
            turns = max(turns, sets_of(self.rules, node))
        if isinstance(node, Measure) and node.player is not None:
            turns = self.rules.players[1]
        return turns

    def _asks(self, define: Define) -> bool:
        """Whether a define comes to a best hand."""
        if define not in self._asking:
            held = [*walk(define.body)]
            hands = any(isinstance(one, BestHand | RateHand) for one in held)
            self._asking[define] = hands or any(self._asks(one.define) for one in held if isinstance(one, CallDefine))
        return self._asking[define]

    def _hand(self, node: BestHand, bound: Mapping[Local, Room]) -> Room:
        room = Room()
        for part in node.parts:
            room = room.plus(self._room(part.cards, bound))
        return _shorter(room)

    def _room(self, expr: Expr | None, bound: Mapping[Local, Room]) -> Room:
        if expr is None:
            return self._all
        if isinstance(expr, LocalValue):
            return self._local(expr, bound)
        if expr.type.kind == "card":
            return ONE
        if isinstance(expr, CardsOf | TopCards | Without | Select):
            return self._room(_whole(expr), bound)
        match expr:
            case ZoneValue() | ZonesValue():
                return self._zone(expr)
            case VariableValue() if expr.type.kind == "cards":
                return Room(expr.variable.most or self._all.fixed)
            case Joined():
                return self._room(expr.left, bound).plus(self._room(expr.right, bound))
            case Conditional():
                return self._conditional(expr, bound)
            case CallDefine():
                return self._room(expr.define.body, self._inside(expr.define, expr.arguments, bound))
            case _:
                return self._all

    def _local(self, expr: LocalValue, bound: Mapping[Local, Room]) -> Room:
        if expr.local in bound:
            return bound[expr.local]
        if expr.type.kind == "card":
            return ONE
        return Room(lists=((expr.local, 1),)) if expr.type.kind == "cards" else self._all

    def _conditional(self, expr: Conditional, bound: Mapping[Local, Room]) -> Room:
        room = self._room(expr.otherwise, bound)
        for _, value in expr.arms:
            room = room.plus(self._room(value, bound))
        return room

    def _zone(self, zone: ZoneValue | ZonesValue) -> Room:
        family = zone.family
        places = family.places if isinstance(zone, ZonesValue) else 1
        capacity = 1 if family.shape == "row" else family.capacity
        return Room(zones=((family.name, places),)) if capacity is None else Room(places * capacity)

    @property
    def _all(self) -> Room:
        return Room(max(1, cards_of(self.rules)))


def _whole(expr: CardsOf | TopCards | Without | Select) -> Expr | None:
    """Of what an expression gives all or some."""
    match expr:
        case CardsOf():
            return expr.source
        case TopCards():
            return expr.zone
        case Without():
            return expr.left
        case Select():
            return expr.domain.source


def _own_parts(node: Node) -> Iterator[Node]:
    """What a node holds, without the statements of its blocks, which are come to by themselves."""
    whole = isinstance(node, Return | Secret)
    return (one for one in parts(node) if whole or not isinstance(one, Statement))


def _bound_in(node: Node) -> dict[Local, Room]:
    """The locals that a node binds itself; they have no value yet when it begins. Cards one by one are one card."""
    named = (one for inner in walk(node) if not isinstance(inner, LocalValue) for one in references(inner))
    return {one: ONE if one.type.kind == "card" else Room(MOST_CARDS) for one in named if isinstance(one, Local)}


def _together(found: Sequence[Trial]) -> list[Trial]:
    """Trials of one ranking from one room as one, at the first place of them."""
    times: dict[tuple[int, Room], Trial] = {}
    for one in found:
        key = id(one.ranking), one.room
        before = times.get(key)
        times[key] = one if before is None else replace(before, times=before.times + one.times)
    return list(times.values())


def _shorter(room: Room) -> Room:
    """The same with each family and local named once."""
    zones: dict[str, int] = {}
    lists: dict[Local, int] = {}
    for family, factor in room.zones:
        zones[family] = zones.get(family, 0) + factor
    for local, factor in room.lists:
        lists[local] = lists.get(local, 0) + factor
    return Room(room.fixed, tuple(zones.items()), tuple(lists.items()))
