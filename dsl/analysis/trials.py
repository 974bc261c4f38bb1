"""How many hands, totals and melds a statement may have to try: what is asked of them costs far more than its parts.

This is told by the statement and by how many cards lie where it looks when it begins, never by what an engine remembers
or leaves out, so that all engines count alike. It may be more than what is really tried, never less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import NamedTuple

from trionfi.dsl.analysis.amounts import cards_of, things_of
from trionfi.dsl.analysis.sets import most_chosen, sets_of
from trionfi.dsl.analysis.tried import Tried
from trionfi.dsl.limits import MOST_CARDS, MOST_STATEMENTS
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Arranged,
    BestHand,
    CallDefine,
    CardsOf,
    Choose,
    Conditional,
    ConditionRanking,
    Define,
    Domain,
    Effect,
    Expr,
    IsMeld,
    Joined,
    LetIn,
    Local,
    LocalValue,
    Loop,
    Measure,
    MenuItem,
    Node,
    Playable,
    PlayCard,
    RateHand,
    RepeatUntil,
    Return,
    Ruleset,
    Secret,
    Select,
    Statement,
    Targets,
    TopCards,
    TotalOf,
    Trigger,
    VariableValue,
    While,
    Without,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import parts, references, scripts, walk

__all__ = ["Trial", "Trials"]


class Room(NamedTuple):
    """How many cards an expression holds at most: `fixed`, and as many as lie in the fullest zone of each family and
    as each local holds, so many times each."""

    fixed: int = 0
    zones: tuple[tuple[str, int], ...] = ()
    lists: tuple[tuple[Local, int], ...] = ()

    @property
    def is_fixed(self) -> bool:
        return not self.zones and not self.lists

    def plus(self, other: Room) -> Room:
        return Room(self.fixed + other.fixed, self.zones + other.zones, self.lists + other.lists)


ONE = Room(1)


@dataclass(frozen=True)
class Trial:
    """The best hand of a ranking, a total or melds, worked out `times` times at most, from the cards of a room.
    `kind` says which (dsl/analysis/tried.py)."""

    what: Tried
    kind: str
    times: int
    room: Room
    span: Span


@dataclass
class Trials:
    """The trials of a ruleset's statements."""

    rules: Ruleset
    _asking: dict[object, bool] = field(default_factory=dict)
    _looped: dict[Local, Room] | None = None

    @property
    def _tries(self) -> bool:
        return bool(self.rules.rankings or self.rules.totals or self.rules.melds)

    def of_statement(self, node: Statement) -> list[Trial]:
        """What is tried when a statement is come to; of a loop that asks a condition at each pass, nothing."""
        if not self._tries or isinstance(node, While | RepeatUntil):
            return []
        return _together([*self._below(node, _bound_in(node), 1)])

    def of_pass(self, loop: Loop) -> list[Trial]:
        """What a pass of a loop tries in its own condition."""
        if not self._tries or not isinstance(loop, While | RepeatUntil):
            return []
        return _together([*self._below(loop.condition, _bound_in(loop.condition), 1)])

    def of_end(self) -> list[Trial]:
        """What is tried where scores, winners and the measures of the end are read."""
        if not self._tries:
            return []
        found = [one for measure in self._measures("") for one in self._below(measure, _bound_in(measure), 1)]
        for define in (one for one in (self.rules.score, self.rules.won) if one is not None):
            found += self._below(define.body, _bound_in(define.body), self.rules.players[1])
        return _together(found)

    def _measures(self, event: str) -> list[Node]:
        return [one for one in self.rules.measures if one.event == event]

    def _below(self, node: Node, bound: Mapping[Local, Room], times: int) -> Iterator[Trial]:
        """The trials of a node and all that it holds; `bound` says what locals hold that are bound inside."""
        yield from self._own(node, bound, times)
        bound = {**bound, **self._binding(node, bound)}
        if (source := _source_of(node)) is not None:  # it is worked out once
            yield from self._below(source, bound, times)
        times = min(times * self._turns(node), MOST_STATEMENTS)
        for held in _own_parts(node):
            for part in _own_parts(held) if isinstance(held, Domain) else [held]:
                if part is not source:
                    yield from self._below(part, bound, times)
        yield from self._called(node, bound, times)

    def _called(self, node: Node, bound: Mapping[Local, Room], times: int) -> Iterator[Trial]:
        """The trials of what a node calls."""
        match node:
            case CallDefine() if self._asks(node.define):
                yield from self._below(node.define.body, self._inside(node.define, node.arguments, bound), times)
            case RateHand():
                inner = self._inside(node.ranking, node.arguments, bound)
                for read in parts(node.ranking):
                    yield from self._below(read, inner, times)
            case BestHand() | TotalOf() | Arranged() | IsMeld():
                yield from self._read_of_cards(node, times)
            case Trigger():
                for measure in self._measures(node.event):
                    yield from self._below(measure, _bound_in(measure), times)
            case Playable() | PlayCard():
                yield from self._aimed(times)

    def _aimed(self, times: int) -> Iterator[Trial]:
        """What is tried to see which targets any effect may have: its own, and those of plays whose text it takes or
        which it gives new ones."""
        effects = self.rules.effects
        taken = sum(times * self._reach(one, one.becomes) for one in effects if one.becomes is not None)
        others = times + min(taken, MOST_STATEMENTS)
        changed = sum(others * self._reach(one, one.retargets) for one in effects if one.retargets is not None)
        for effect in effects:
            yield from self._targets(effect, others + min(changed, MOST_STATEMENTS))

    def _targets(self, effect: Effect, times: int) -> Iterator[Trial]:
        """Of an effect: which things the first targets may be is seen with which the next may, and again when they have
        been chosen."""
        for targets in effect.targets:
            if self._asks(targets):
                yield from self._below(targets, _bound_in(targets), times * self._reach(effect, targets, before=True))

    def _reach(self, effect: Effect, last: Targets, before: bool = False) -> int:
        """How often targets are come to by all choices of those before them, or each of their things."""
        known = effect.targets[: last.index + (not before)]
        turns = prod(things_of(one.domain, self.rules) for one in known)
        return min((1 + len(effect.targets)) * turns, MOST_STATEMENTS)

    def _own(self, node: Node, bound: Mapping[Local, Room], times: int) -> Iterator[Trial]:
        match node:
            case BestHand():
                yield Trial(node.ranking, "hand", times, self._hand(node, bound), node.span)
            case TotalOf():
                yield Trial(node.total, "total", times, _shorter(self._room(node.cards, bound)), node.span)
            case Arranged() | IsMeld():
                kind = "parting" if isinstance(node, Arranged) else "meld"
                yield Trial(node.meld, kind, times, _shorter(self._room(node.cards, bound)), node.span)

    def _read_of_cards(self, node: BestHand | TotalOf | Arranged | IsMeld, times: int) -> Iterator[Trial]:
        """What is tried where the values and properties of cards are read, each card of the game once."""
        what = node.ranking if isinstance(node, BestHand) else node.total if isinstance(node, TotalOf) else node.meld
        if self._asks(what):
            times = min(times * cards_of(self.rules), MOST_STATEMENTS)
            for read in parts(what):
                yield from self._below(read, _bound_in(what), times)

    def _binding(self, node: Node, bound: Mapping[Local, Room]) -> dict[Local, Room]:
        """What locals hold that a node binds for what it holds, where more is known than that they are cards."""
        found = {}
        if isinstance(node, Choose) and node.chosen is not None:
            found[node.chosen] = self._chosen(node, bound)
        if isinstance(node, LetIn):
            found[node.local] = self._room(node.value, bound)
        return {**found, **self._zones_among(_domains(node))}

    def _zones_among(self, domains: Iterable[Domain]) -> dict[Local, Room]:
        """What locals hold that go over the zones of one family."""
        return {
            one.local: self._one_zone(one.source)
            for one in domains
            if one.noun == "zone" and isinstance(one.source, ZonesValue)
        }

    @property
    def _zones_of_loops(self) -> dict[Local, Room]:
        if self._looped is None:
            nodes = walk([one.body for one in scripts(self.rules)])
            self._looped = self._zones_among(domain for node in nodes for domain in _domains(node))
        return self._looped

    def _chosen(self, node: Choose, bound: Mapping[Local, Room]) -> Room:
        most, room = most_chosen(self.rules, node), self._room(node.domain.source, bound)
        return room if most is None else Room(min(most, room.fixed) if room.is_fixed else most)

    def _inside(
        self, called: Define | ConditionRanking, arguments: Sequence[Expr], bound: Mapping[Local, Room]
    ) -> dict[Local, Room]:
        """What locals hold in what is called."""
        rooms = [self._room(argument, bound) for argument in arguments]
        return {**_bound_in(called), **dict(zip(called.parameters, rooms, strict=True))}

    def _turns(self, node: Node) -> int:
        """How often what a node holds may be come to."""
        turns = prod(things_of(domain, self.rules) for domain in _domains(node))
        if isinstance(node, Choose) and node.such_that is not None:
            turns = max(turns, sets_of(self.rules, node))
        if isinstance(node, Measure) and node.player is not None:
            turns = self.rules.players[1]
        return turns

    def _asks(self, what: Define | Tried | ConditionRanking | Targets) -> bool:
        """Whether something is tried in what is declared."""
        if what not in self._asking:
            self._asking[what] = False  # an order that mentions its own ranking calls nothing there
            held = [*walk([*parts(what)])]
            tries = any(isinstance(one, BestHand | RateHand | TotalOf | Arranged | IsMeld) for one in held)
            self._asking[what] = tries or any(self._asks(one.define) for one in held if isinstance(one, CallDefine))
        return self._asking[what]

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
            case Conditional() | LetIn():
                return self._way(expr, bound)
            case CallDefine():
                return self._room(expr.define.body, self._inside(expr.define, expr.arguments, bound))
            case _:
                return self._all

    def _local(self, expr: LocalValue, bound: Mapping[Local, Room]) -> Room:
        if expr.local in bound:
            return bound[expr.local]
        if expr.type.kind == "card":
            return ONE
        if expr.type.kind == "zone" and expr.local in self._zones_of_loops:
            return self._zones_of_loops[expr.local]
        return Room(lists=((expr.local, 1),)) if expr.type.kind == "cards" else self._all

    def _way(self, expr: Conditional | LetIn, bound: Mapping[Local, Room]) -> Room:
        if isinstance(expr, LetIn):
            return self._room(expr.body, {**bound, expr.local: self._room(expr.value, bound)})
        room = self._room(expr.otherwise, bound)
        for _, value in expr.arms:
            room = room.plus(self._room(value, bound))
        return room

    def _one_zone(self, zones: ZonesValue) -> Room:
        """Any one of some zones."""
        room = self._zone(zones)
        places = max(1, zones.family.places)
        return Room(room.fixed // places, tuple((name, 1) for name, _ in room.zones))

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


def _domains(node: Node) -> list[Domain]:
    """What a query, a loop, a choice or a line of a menu goes over."""
    domain = getattr(node, "domain", None)
    return [domain] if isinstance(domain, Domain) else list(node.domains) if isinstance(node, MenuItem) else []


def _source_of(node: Node) -> Expr | None:
    """What a node goes over, if it does not do so again for each of other things."""
    domains = _domains(node)
    return domains[0].source if domains else None


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
    times: dict[tuple[str, int, Room], Trial] = {}
    for one in found:
        key = one.kind, id(one.what), one.room
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
