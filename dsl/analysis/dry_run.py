"""A dry run of a play: how many cards lie where, as far as that is known before play.

It follows start values, options and amounts, goes both ways where a condition is not known, and repeats loops until
what is known of them stands still. What it says of a state holds for every game that gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from trionfi.dsl.analysis.change import ANYTHING, PLACES, Changes
from trionfi.dsl.known import UNKNOWN, Known, Number, Range, StepBudget, either, ends, exact
from trionfi.dsl.tree import (
    Assign,
    Attribute,
    Block,
    Call,
    CardAt,
    CardsOf,
    Change,
    Choose,
    ChooseNumber,
    Deal,
    DealAround,
    Deck,
    Domain,
    EndGame,
    Expr,
    ForCount,
    ForEach,
    If,
    Local,
    LocalValue,
    Menu,
    Move,
    Procedure,
    RepeatTimes,
    RepeatUntil,
    Return,
    Ruleset,
    Select,
    Statement,
    Stop,
    TurnOver,
    Variable,
    VariableValue,
    While,
    ZoneFamily,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import walk
from trionfi.dsl.types import NUMBER, TRUTH

_MOST_PASSES = 20  # of a loop whose number of passes is known
_DEALS = (Deal, DealAround)
_MOVES = (Deal, DealAround, Move, TurnOver)
_OPEN_ENDED = (While, RepeatUntil, RepeatTimes, Menu, Choose, ChooseNumber)

# What fails: a deal; at its source or its target; how many cards it wants, and how many there are (or have room).
Report = Callable[[Deal | DealAround, str, int, int], None]


@dataclass(slots=True)
class AbstractTable:
    """What is known at one moment. `counts`: of a family, the cards in each one of its zones (of a row, in all its
    places)."""

    counts: dict[ZoneFamily, Number]
    variables: dict[Variable, Any]
    locals: dict[Local, Any]

    @property
    def size(self) -> int:
        """How much work it is to copy or to join it, in steps."""
        return 1 + (len(self.counts) + len(self.variables) + len(self.locals)) // 16

    def fork(self) -> AbstractTable:
        return AbstractTable(dict(self.counts), dict(self.variables), dict(self.locals))

    def join(self, other: AbstractTable) -> None:
        """What is known if the game is in one of two states."""
        for mine, others in self._pairs(other):
            for key in mine.keys() | others.keys():
                mine[key] = either(mine.get(key, UNKNOWN), others.get(key, UNKNOWN))

    def forget_what_differs(self, other: AbstractTable, cards: int) -> bool:
        """Forgets what is not so in the other state, too; false if that was something."""
        nothing = True
        for mine, others in self._pairs(other):
            for key, value in others.items():
                if not _covers(mine.setdefault(key, value), value):
                    nothing = False
                    mine[key] = Range(0, cards) if isinstance(key, ZoneFamily) else UNKNOWN
        return nothing

    def _pairs(self, other: AbstractTable) -> Iterable[tuple[dict[Any, Any], dict[Any, Any]]]:
        return (self.counts, other.counts), (self.variables, other.variables), (self.locals, other.locals)


def _covers(known: Any, value: Any) -> bool:
    """Whether what is known holds for a value, or for a range of them."""
    if known is UNKNOWN or known == value:
        return True
    if not isinstance(known, Range):
        return False
    (low, high), (least, most) = ends(known), ends(value)
    inside = (low is None or (least is not None and low <= least), high is None or (most is not None and most <= high))
    return value is not UNKNOWN and all(inside)


@dataclass(slots=True)
class DryRun:
    """Runs the play of a game for a number of players. `report` is called for each deal that fails."""

    rules: Ruleset
    players: int
    changes: Changes
    report: Report
    kinds: dict[Procedure, set[type]]
    steps: StepBudget
    known: Known = field(init=False)
    table: AbstractTable | None = field(init=False)  # None: this way does not go on
    cards: int = 0
    returned: list[AbstractTable] = field(default_factory=list)
    stopped: list[AbstractTable] = field(default_factory=list)

    def start(self) -> None:
        options = {option: option.default for option in self.rules.options.values()}
        ranks = self.rules.enumerations.get("rank")
        self.known = Known(self.rules.faces, options, self.players, ranks, steps=self.steps)
        sizes = {deck.name: deck_size(self.known, deck) for deck in self.rules.decks}
        self.cards = sum(ends(size)[1] or 0 for size in sizes.values())
        self.known.counts = self.count
        self.table = AbstractTable({one: sizes.get(one.start, 0) for one in self.rules.zones}, {}, {})
        for variable in self.rules.variables:
            self.table.variables[variable] = self.start_value(variable)
        self.block(self.rules.play.body)

    def start_value(self, variable: Variable) -> Any:
        if variable.start is not None:
            return self.value(variable.start)
        return {NUMBER: 0, TRUTH: False}.get(variable.type, UNKNOWN if variable.type.kind == "cards" else None)

    # ---- values

    def value(self, expr: Expr) -> Any:
        assert self.table is not None
        self.known.variables, self.known.locals = self.table.variables, self.table.locals
        return self.known.value(expr)

    def amount(self, expr: Expr) -> tuple[int, int]:
        """The least and the greatest number of cards."""
        low, high = ends(self.value(expr))
        return max(0, low or 0), self.cards if high is None else max(0, high)

    def family(self, expr: Expr) -> ZoneFamily | None:
        """The family of what an expression names, if it says so."""
        if isinstance(expr, ZoneValue | ZonesValue):
            return expr.family
        if isinstance(expr, CardsOf):
            return self.family(expr.source)
        found = self.value(expr) if isinstance(expr, LocalValue) else None
        return found if isinstance(found, ZoneFamily) else None

    def count(self, expr: Expr) -> Number:
        """How many cards lie in what an expression names."""
        family = self.family(expr)
        one_of_several = isinstance(expr, ZonesValue) and expr.family.shape != "row"
        if family is None or self.table is None or one_of_several or _is_place(expr):
            return Range(0, self.cards)
        return self.table.counts[family]

    # ---- statements

    def block(self, block: Block) -> None:
        for statement in block:
            if self.table is None:
                return
            self.known.steps.spend(self.table.size)
            if self.known.steps.left < 0:
                self.table = None  # nothing is said of what comes after this
                return
            rule = _RULES.get(type(statement))
            if rule is not None:
                rule(self, statement)
            else:
                self.forget(self.changes.writes(statement))

    def forget(self, written: set[object]) -> None:
        """What the statements of a part may have changed is no longer known."""
        assert self.table is not None
        everything = ANYTHING in written
        for family in self.table.counts:
            if everything or PLACES in written or family in written:
                self.table.counts[family] = Range(0, self.cards)
        for things in (self.table.variables, self.table.locals):
            for thing in things:
                if everything or thing in written:
                    things[thing] = UNKNOWN  # type: ignore[index]

    def run_deal(self, one: Deal) -> None:
        least, most = self.amount(one.amount)
        source, to = self.family(one.source), self.family(one.to)
        least, most = self.take(one, source, least, most)
        if self.table is not None:
            self.put(one, to, least, most, only_one=_is_place(one.to))

    def run_deal_around(self, one: DealAround) -> None:
        each = self.amount(one.amount)
        least, most = self.seats(one.players)
        self.take(one, self.family(one.source), each[0] * least, each[1] * most)
        if self.table is not None:
            self.put(one, one.family, each[0] if least == self.players else 0, each[1])

    def seats(self, domain: Domain) -> tuple[int, int]:
        """The least and the greatest number of players that a domain may have."""
        holds = True if domain.where is None else self.value(domain.where)
        if holds is False:
            return 0, 0
        return (self.players if holds is True and domain.source is None else 0), self.players

    def take(self, one: Deal | DealAround, source: ZoneFamily | None, least: int, most: int) -> tuple[int, int]:
        """Takes cards from a zone; gives how many that may be."""
        assert self.table is not None
        if source is None:
            self.forget({PLACES})
            return (0, most) if one.up_to else (least, most)
        if source.when_short is not None:
            self.forget({source, *self.changes.of_procedure(source.when_short)})
        low, high = ends(self.table.counts[source])
        low, high = low or 0, self.cards if high is None else high
        if one.up_to:
            least, most = min(least, low), min(most, high)
        elif least > high:
            self.report(one, "source", least, high)
            self.table = None  # the game stops here
            return 0, 0
        self.table.counts[source] = exact(max(0, low - most), max(0, high - least))
        return least, most

    def put(self, one: Deal | DealAround, to: ZoneFamily | None, least: int, most: int, only_one: bool = False) -> None:
        """Puts cards into a zone. `only_one`: into one place of a row."""
        assert self.table is not None
        if to is None:
            self.forget({PLACES})
            return
        low, high = ends(self.table.counts[to])
        low, high = low or 0, self.cards if high is None else high
        room = 1 if only_one else room_of(to)
        if room is not None and (0 if only_one else low) + least > room:
            self.report(one, "target", least, room)
        # a deal to one of several zones says nothing of the others
        all_get = isinstance(one, DealAround) or _is_alone(to)
        self.table.counts[to] = exact(low + least if all_get else low, min(self.cards, high + most))

    def run_move(self, one: Move) -> None:
        assert self.table is not None
        if _is_everything(one.cards):
            for family in self.table.counts:
                self.table.counts[family] = 0
            amount = self.cards, self.cards
        elif (source := self.family(one.cards)) is not None and isinstance(one.cards, CardsOf):
            low, high = ends(self.table.counts[source])
            amount = low or 0, self.cards if high is None else high
            self.table.counts[source] = 0 if _is_alone(source) and not _is_place(one.cards.source) else Range(0, high)
        else:
            amount = 0, 1 if one.cards.type.kind == "card" or _is_one_card(one.cards) else self.cards
            for family, count in self.table.counts.items():
                self.table.counts[family] = Range(max(0, (ends(count)[0] or 0) - amount[1]), ends(count)[1])
        self._arrive(one.to, *amount)

    def _arrive(self, to: Expr, least: int, most: int) -> None:
        assert self.table is not None
        family = self.family(to)
        if family is None:
            self.forget({PLACES})
            return
        low, high = ends(self.table.counts[family])
        more = least if _is_alone(family) else 0
        most_there = self.cards if high is None else min(self.cards, high + most)
        self.table.counts[family] = exact(min((low or 0) + more, self.cards), most_there)

    def run_turn_over(self, one: TurnOver) -> None:
        self.run_move(Move(one.span, CardsOf(one.source.type, one.source.span, one.source), one.to))

    def run_assign(self, one: Assign) -> None:
        self._set(one.target, self.value(one.value))

    def run_change(self, one: Change) -> None:
        low, high = ends(self.value(one.target))
        least, most = ends(self.value(one.amount))
        if None in (low, high, least, most) or one.subtract:
            self._set(one.target, UNKNOWN)
        else:
            self._set(one.target, exact(low + least, high + most))

    def _set(self, target: VariableValue | LocalValue, value: Any) -> None:
        assert self.table is not None
        if isinstance(target, LocalValue):
            self.table.locals[target.local] = value
        elif target.owner is None:
            self.table.variables[target.variable] = value
        else:  # of one owner: the others keep theirs
            self.table.variables[target.variable] = either(self.table.variables[target.variable], value)

    def run_call(self, one: Call) -> None:
        procedure = one.procedure
        if not self.is_worth_running(procedure):
            self.forget(self.changes.of_procedure(procedure))
        else:
            self.run_procedure(procedure, [self.argument(expr) for expr in one.arguments])
        if one.target is not None and self.table is not None:
            self._set(one.target, UNKNOWN)

    def argument(self, expr: Expr) -> Any:
        return self.family(expr) or self.value(expr)

    def run_procedure(self, procedure: Procedure, arguments: list[Any]) -> None:
        assert self.table is not None
        before, self.returned = self.returned, []
        self.table.locals.update(zip(procedure.parameters, arguments, strict=True))
        self.block(procedure.body)
        self.table = joined([*self.returned, self.table])
        self.returned = before

    def is_worth_running(self, procedure: Procedure) -> bool:
        """Procedures that move cards, and those that are short and simple; of the rest it is known what they change."""
        kinds = self.kinds_in(procedure)
        return not kinds.isdisjoint(_MOVES) or kinds.isdisjoint(_OPEN_ENDED)

    def kinds_in(self, part: Procedure | Block) -> set[type]:
        """The kinds of statements in a part, through calls, too."""
        if isinstance(part, Procedure):
            if part not in self.kinds:
                self.kinds[part] = self.kinds_in(part.body)
            return self.kinds[part]
        kinds: set[type] = set()
        for node in walk(part):
            kinds.add(type(node))
            if isinstance(node, Call):
                kinds |= self.kinds_in(node.procedure)
        return kinds

    def run_return(self, one: Return) -> None:
        if one.call is not None:
            self.run_call(one.call)
        if self.table is not None:
            self.returned.append(self.table)
        self.table = None

    def run_stop(self, one: Stop) -> None:
        if self.table is not None:
            self.stopped.append(self.table)
        self.table = None

    def run_end_game(self, one: EndGame) -> None:
        self.table = None

    # ---- ways that part

    def run_if(self, one: If) -> None:
        ways: list[AbstractTable | None] = []
        for condition, body in one.arms:
            assert self.table is not None
            holds = self.value(condition)
            if holds is False:
                continue
            before = self.table.fork()
            self.block(body)
            ways.append(self.table)
            if holds is True:
                self.table = joined(ways)
                return
            self.table = before
        self.block(one.otherwise)
        self.table = joined([*ways, self.table])

    def run_menu(self, one: Menu) -> None:
        assert self.table is not None
        ways: list[AbstractTable | None] = []
        before = self.table
        for item in one.items:
            self.table = before.fork()
            self.block(item.body)
            ways.append(self.table)
        self.table = joined(ways)

    # ---- loops

    def run_while(self, one: While) -> None:
        if self.value(one.condition) is not False:
            self.loop(one.body, at_least_once=self.value(one.condition) is True)

    def run_repeat_until(self, one: RepeatUntil) -> None:
        self.loop(one.body, at_least_once=True)

    def run_repeat_times(self, one: RepeatTimes) -> None:
        times = self.value(one.amount)
        self.passes(one.body, range(max(0, times)) if isinstance(times, int) else None)

    def run_for_count(self, one: ForCount) -> None:
        low, high = self.value(one.low), self.value(one.high)
        step = self.value(one.step) if one.step is not None else 1
        known = isinstance(low, int) and isinstance(high, int) and isinstance(step, int) and step > 0
        self.passes(one.body, range(low, max(low, high + 1), step) if known else None, one.local)

    def run_for_each(self, one: ForEach) -> None:
        domain = one.domain
        assert self.table is not None
        if domain.noun == "player":
            least, most = self.seats(domain)
            self.passes(one.body, [UNKNOWN] * most if least == most else None, domain.local)
        elif domain.noun == "zone" and isinstance(domain.source, ZonesValue) and domain.where is None:
            family = domain.source.family
            self.passes(one.body, [family] * family.places, domain.local)
        else:
            self.passes(one.body, None)

    def passes(self, body: Block, turns: Sequence[Any] | None, local: Local | None = None) -> None:
        """A loop whose local is known pass by pass, or one of which nothing is known. No work grows with the number of
        the passes beyond a few."""
        if turns is None or turns[_MOST_PASSES:] or self.kinds_in(body).isdisjoint(_DEALS):
            self.loop(body, at_least_once=bool(turns))
            return
        before, self.stopped = self.stopped, []
        for turn in turns:
            if self.table is not None:
                if local is not None:
                    self.table.locals[local] = turn
                self.block(body)
        self.table = joined([*self.stopped, self.table])
        self.stopped = before

    def loop(self, body: Block, at_least_once: bool) -> None:
        """Runs a body until what is known at its start does not change any more."""
        assert self.table is not None
        outer, self.stopped = self.stopped, []
        start = self.table
        entry = None if at_least_once else start.fork()
        while True:
            self.table = start.fork()
            self.block(body)
            if self.table is None or start.forget_what_differs(self.table, self.cards):
                break
        self.table = joined([*self.stopped, self.table, entry])
        self.stopped = outer


_RULES: dict[type[Statement], Callable[[DryRun, Any], None]] = {
    Deal: DryRun.run_deal,
    DealAround: DryRun.run_deal_around,
    Move: DryRun.run_move,
    TurnOver: DryRun.run_turn_over,
    Assign: DryRun.run_assign,
    Change: DryRun.run_change,
    Call: DryRun.run_call,
    Return: DryRun.run_return,
    Stop: DryRun.run_stop,
    EndGame: DryRun.run_end_game,
    If: DryRun.run_if,
    Menu: DryRun.run_menu,
    While: DryRun.run_while,
    RepeatUntil: DryRun.run_repeat_until,
    RepeatTimes: DryRun.run_repeat_times,
    ForCount: DryRun.run_for_count,
    ForEach: DryRun.run_for_each,
}


def joined(ways: list[AbstractTable | None]) -> AbstractTable | None:
    """What is known where several ways meet; none if no way leads there."""
    there = [way for way in ways if way is not None]
    if not there:
        return None
    result = there[0].fork()
    for way in there[1:]:
        result.join(way)
    return result


def deck_size(known: Known, deck: Deck) -> Number:
    """How many cards a deck has at this number of players."""
    least = most = len(deck.faces)
    if deck.keep is not None and deck.keep_card is not None:
        kept = []
        for face in deck.faces:
            known.locals = {deck.keep_card: face}
            kept.append(known.is_true(deck.keep))
        least, most = kept.count(True), len(kept) - kept.count(False)
    copies = known.value(deck.copies) if deck.copies is not None else 1
    low, high = ends(copies)
    return exact(least * (low or 0), most * (high if high is not None else 1000))


def room_of(family: ZoneFamily) -> int | None:
    """How many cards one zone of a family holds (a row: in all places); None: as many as there are."""
    return family.places if family.shape == "row" else family.capacity


def _is_alone(family: ZoneFamily) -> bool:
    return not family.per and family.shape != "piles"


def _is_place(expr: Expr) -> bool:
    """One place of a row."""
    return isinstance(expr, ZoneValue) and expr.family.shape == "row"


def _is_everything(expr: Expr) -> bool:
    """`all cards`, of the game."""
    return isinstance(expr, Select) and expr.which == "all" and expr.domain.source is None and expr.domain.where is None


def _is_one_card(expr: Expr) -> bool:
    inner = expr.source if isinstance(expr, CardsOf) else expr
    return isinstance(inner, CardAt) or (isinstance(inner, Attribute) and inner.name == "top")
