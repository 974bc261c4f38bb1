"""What scripts read and what they change: variables, names, zones, marks, and the rest of the table's state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from trionfi.dsl.known import StepBudget
from trionfi.dsl.limits import MOST_TRIED
from trionfi.dsl.tree import (
    AllPlays,
    Assign,
    Attribute,
    Builtin,
    Call,
    CardAt,
    CardsOf,
    Change,
    Choose,
    ChooseNumber,
    ChooseOrientation,
    ConditionRanking,
    Deal,
    DealAround,
    Define,
    EndGame,
    EndPlays,
    EndTarget,
    Expr,
    ForCount,
    ForEach,
    If,
    Local,
    Mark,
    MeldSpec,
    Menu,
    Move,
    Node,
    Orient,
    PatternRanking,
    Pay,
    Pick,
    PlayCard,
    Procedure,
    RepeatTimes,
    RepeatUntil,
    Return,
    Say,
    Secret,
    Select,
    SetMark,
    Show,
    Shuffle,
    Statement,
    Stop,
    TopCards,
    TotalSpec,
    Trigger,
    TurnFace,
    TurnOver,
    Variable,
    While,
    ZoneFamily,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import parts, references, walk


class _Aspect:
    """A part of the state that has no name of its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


FACES: Final = _Aspect("which cards lie face up")
ORIENTATIONS: Final = _Aspect("how cards are turned")
PLACES: Final = _Aspect("where cards lie")
PLAYS: Final = _Aspect("the plays in force")
CHANCE: Final = _Aspect("chance")
ANYTHING: Final = _Aspect("anything")  # written by what this pass cannot look into

_STATE = (Variable, ZoneFamily, Local, Mark)
_CALLED = (Define, PatternRanking, ConditionRanking, TotalSpec, MeldSpec)
_ASPECTS: dict[str, _Aspect] = {
    "face": FACES,
    "orientation": ORIENTATIONS,
    "owner": PLACES,
    "zone": PLACES,
    "depth": PLACES,
}

State = set[object]


@dataclass
class Changes:
    """Remembers what defines read and what procedures change."""

    reads_of: dict[object, State] = field(default_factory=dict)
    writes_of: dict[Procedure, State] = field(default_factory=dict)
    steps: StepBudget = field(default_factory=lambda: StepBudget(MOST_TRIED))  # for what conditions may ask
    ends_in: dict[Procedure, bool] = field(default_factory=dict)
    always_in: dict[Procedure, bool] = field(default_factory=dict)  # whether something changes on every way through

    # ---- reading

    def reads(self, node: object) -> State:
        """All state on which the value of an expression hangs, through what it calls, too."""
        found: State = set()
        for one in walk(node):
            found.update(_read_here(one))
            for thing in references(one):
                if isinstance(thing, _CALLED):
                    found |= self._reads_of(thing)
        return found

    def _reads_of(self, thing: Node) -> State:
        if thing not in self.reads_of:
            self.reads_of[thing] = set()  # a ranking may be mentioned in its own order
            self.reads_of[thing] = self.reads(list(parts(thing)))
        return self.reads_of[thing]

    # ---- changing

    def writes(self, node: object) -> State:
        """All state that statements may change, through calls, too."""
        found: State = set()
        for one in walk(node):
            if isinstance(one, Statement):
                found |= self._written_by(one)
        return found

    def _written_by(self, statement: Statement) -> State:
        if isinstance(statement, Call):
            target: State = {_root(statement.target)} if statement.target else set()
            return target | self.of_procedure(statement.procedure)
        written: State = set() if type(statement) in _CHANGE_NOTHING else _WRITES[type(statement)](statement)
        if isinstance(statement, Deal | DealAround):
            for family in list(written):
                if isinstance(family, ZoneFamily) and family.when_short:
                    written = written | self.of_procedure(family.when_short)
        return written

    def of_procedure(self, procedure: Procedure) -> State:
        if procedure not in self.writes_of:
            self.writes_of[procedure] = self.writes(procedure.body)
        return self.writes_of[procedure]

    def may_change(self, read: State, written: State) -> bool:
        """Whether what is written is any of what is read."""
        if ANYTHING in written or CHANCE in read or read & written:
            return True
        zones_read = any(isinstance(one, ZoneFamily) for one in read)
        zones_written = any(isinstance(one, ZoneFamily) for one in written)
        return (zones_read and PLACES in written) or (zones_written and PLACES in read)

    # ---- ways out

    def ends_game(self, node: object) -> bool:
        """Whether the game may end in these statements, through calls, too."""
        return any(
            isinstance(one, EndGame) or (isinstance(one, Call) and self._ends_in(one.procedure)) for one in walk(node)
        )

    def _ends_in(self, procedure: Procedure) -> bool:
        if procedure not in self.ends_in:
            self.ends_in[procedure] = self.ends_game(procedure.body)
        return self.ends_in[procedure]


def _read_here(node: Node) -> Iterator[object]:
    """State that a node reads itself."""
    yield from (thing for thing in references(node) if isinstance(thing, _STATE))
    if isinstance(node, Attribute):
        if node.name in _ASPECTS:
            yield _ASPECTS[node.name]
        if node.name in ("suit", "rank"):
            yield PLAYS  # effects alter them
    elif isinstance(node, AllPlays):
        yield PLAYS
    elif isinstance(node, Select | Builtin) and node.draws:
        yield CHANCE
    elif isinstance(node, TopCards):
        yield PLACES


def _root(place: Any) -> object:
    """The variable or name that a place of an assignment belongs to."""
    return getattr(place, "variable", None) or getattr(place, "local", place)


def _zones_of(expr: Expr) -> State:
    """The zones that cards leave, if the expression says so; else any."""
    if isinstance(expr, ZoneValue | ZonesValue):
        return {expr.family}
    if isinstance(expr, CardsOf):
        return _zones_of(expr.source)
    if isinstance(expr, CardAt):
        return _zones_of(expr.zone)
    if isinstance(expr, Attribute) and expr.name == "top":
        return _zones_of(expr.operand)
    return {PLACES}


def _by_deal(one: Deal) -> State:
    return {FACES, *_zones_of(one.source), *_zones_of(one.to)}


def _by_deal_around(one: DealAround) -> State:
    return {FACES, one.family, *_zones_of(one.source)}


def _by_move(one: Move) -> State:
    return {FACES, *_zones_of(one.cards), *_zones_of(one.to)}


def _by_turn_over(one: TurnOver) -> State:
    return {FACES, *_zones_of(one.source), *_zones_of(one.to)}


def _by_shuffle(one: Shuffle) -> State:
    return {ORIENTATIONS, *_zones_of(one.zone)}


_WRITES: dict[type, Callable[[Any], State]] = {
    Assign: lambda one: {_root(one.target)},
    Change: lambda one: {_root(one.target)},
    Pay: lambda one: {_root(one.source), _root(one.to)},
    Choose: lambda one: {_root(one.target), one.domain.local},
    ChooseNumber: lambda one: {_root(one.target)},
    ChooseOrientation: lambda one: {ORIENTATIONS},
    Orient: lambda one: {ORIENTATIONS},
    TurnFace: lambda one: {FACES},
    SetMark: lambda one: {one.mark},
    ForEach: lambda one: {one.domain.local},
    ForCount: lambda one: {one.local},
    Menu: lambda one: {domain.local for item in one.items for domain in item.domains},
    Deal: _by_deal,
    DealAround: _by_deal_around,
    Move: _by_move,
    TurnOver: _by_turn_over,
    Shuffle: _by_shuffle,
    **dict.fromkeys((Trigger, PlayCard, EndPlays, EndTarget), lambda _: {ANYTHING}),
}
_CHANGE_NOTHING = {Say, Show, Stop, Return, EndGame, Pick, If, While, RepeatUntil, RepeatTimes, Secret}
