"""Lowering a checked ruleset to LLVM: what is shared by one module (`Build`) and by one function (`Lowering`).

A module is written for one of two uses. *Watched*: it stops at each decision and returns (`step`), keeps who knows
which card, and can render labels. Not watched: it asks policies in place and plays to the end (`playout`).
Both come from the same lowering; what differs is where names are kept and what a decision does:

- A procedure that may ask has, when watched, a static frame in the record (procedures do not recurse). Its function
  begins with a switch over the points where it can go on; in the frame lies the number of the one to go on at.
  A call site of such a procedure is such a point, too.
- Everything else lives in registers.

A procedure's function gives true if the game does not go on (a decision, an error, the end).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.analysis.trials import Trials
from trionfi.dsl.limits import MOST_STATEMENTS
from trionfi.dsl.source import Span
from trionfi.dsl.tree.walk import walk
from trionfi.dsl.types import PLAYER, Type
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I64,
    POINTER,
    TRUE,
    VOID,
    Code,
    Loop,
    Number,
    Value,
    constant_of,
    function,
    number,
)
from trionfi.interpreter.native.frames import Apart, FrameList, FrameSets, Made, slot_offset
from trionfi.interpreter.native.layout import RUNNING, Layout
from trionfi.interpreter.native.trials import count_trials
from trionfi.interpreter.native.values import (
    Cards,
    Frame,
    Joined,
    ListSlot,
    Registers,
    Sets,
    SetsSlot,
    Slot,
    Zones,
    copy_list,
    joined,
    part_kinds,
    parts_of,
)

LISTS = ("cards", "zones", "plays")
SETS = ("arrangement", "card_sets")
NO_NUMBER = -(1 << 63)  # stands for a number that is none
LIGHT = 120  # nodes of a define that is put in wherever it is called


# After these it may be that cards have left the places where plays have aimed at them.
MOVING = (tree.Shuffle, tree.Deal, tree.DealAround, tree.Move, tree.TurnOver, tree.SetMark)


def is_seat_of_some_tables(rules: tree.Ruleset, node: tree.Const) -> bool:
    """`p3` in a game for two to four: whether it is there shows when they sit down."""
    return node.type == PLAYER and isinstance(node.value, int) and node.value >= rules.players[0]


class CannotLower(NotImplementedError):
    """A construct that the native engine does not know: a fault of the engine, never of a ruleset."""


@dataclass(frozen=True, slots=True)
class ErrorSite:
    """A place where a game may stop with an error, and the kind of the error."""

    kind: str
    span: Span
    about: Any = None


@dataclass(slots=True)
class DecisionSite:
    """A place in the ruleset where somebody is asked."""

    number: int
    kind: str  # pick, menu, number, orientation
    name: str
    node: Any
    procedure: tree.Procedure | None
    words: int = 0  # that the values in a label take at most; if any, the module has a function `labels_N`


@dataclass
class Build:
    """One module while it is written."""

    rules: tree.Ruleset
    fixed: Mapping[str, object]  # options that are constants of this module, by name
    layout: Layout
    watched: bool
    strategies: bool = False  # whether seats may have strategies
    evaluators: Any = None  # rankings made ready for the cards: name -> Evaluator (native/hands)
    altered: Any = None  # how rankings name cards that effects may have altered: AlteredCodes
    melds: Any = None  # the facts of melds: spec -> Patterns (interpreter/hands)
    module: ir.Module = field(default_factory=lambda: ir.Module("rules"))
    kernels: dict[Any, ir.Function] = field(default_factory=dict)
    defines: dict[tree.Define, ir.Function] = field(default_factory=dict)
    procedures: dict[tree.Procedure, Made] = field(default_factory=dict)
    errors: list[ErrorSite] = field(default_factory=list)
    sites: list[DecisionSite] = field(default_factory=list)
    asking: list[tuple[DecisionSite, Any]] = field(default_factory=list)  # each with the menu that it asks about
    most_entries: int = 1
    record_size: int = 0  # known when it is finished
    program: Any = None  # of the core, if the module is written from it
    seldom: set[str] = field(default_factory=set)  # functions that take little of the time
    weights: dict[tree.Define, int] = field(default_factory=dict)
    counting: set[str] = field(default_factory=set)  # functions with loops that could go on for ever

    @property
    def knows(self) -> bool:
        """Whether it is kept who knows a card. Copies are one option only to who knows them (docs/meaning.md)."""
        return self.watched or self.layout.cards.copied

    def error_site(self, kind: str, span: Span, about: Any = None) -> int:
        self.errors.append(ErrorSite(kind, span, about))
        return len(self.errors) - 1

    def decision_site(self, kind: str, name: str, node: Any, procedure: tree.Procedure | None) -> DecisionSite:
        self.sites.append(DecisionSite(len(self.sites), kind, name, node, procedure))
        return self.sites[-1]

    @cached_property
    def trials(self) -> Trials:
        return Trials(self.rules)

    @cached_property
    def effect_scripts(self) -> set[tree.Procedure]:
        """What plays do once."""
        effects = self.rules.effects
        return {script for one in effects for script in (one.when_played, *one.events.values()) if script is not None}

    def words(self, kind: Type) -> int:
        return self.layout.words_of(kind) if kind.kind in ("fraction", "total", "hand") else 1

    def entries_offset(self) -> ir.GlobalVariable:
        """Where the options lie in the record; known when all frames are planned."""
        if "entries_offset" not in self.module.globals:
            made = ir.GlobalVariable(self.module, I64, "entries_offset")
            made.global_constant, made.linkage = True, "internal"
        return self.module.globals["entries_offset"]

    def finish(self) -> int:
        """Plans the options' part, the record's last; gives the size of the record."""
        offset = self.layout.align(8)
        self.entries_offset().initializer = number(offset)
        self.layout.reserve("offered things", I64, self.most_entries)
        self.record_size = self.layout.align(8)
        return self.record_size

    # ---- functions of the ruleset

    def define(self, define: tree.Define) -> ir.Function:
        if define not in self.defines:
            self._write_define(define)
        return self.defines[define]

    def _write_define(self, define: tree.Define) -> None:
        kinds = [POINTER, *self.parameter_kinds(define.parameters)]
        if define.type.kind in (*LISTS, *SETS):
            kinds.append(POINTER)  # where the caller wants it
        name = f"define.{define.name}.{len(self.defines)}"
        # LLVM's own measure leaves out what is asked at every decision
        light = not self.watched and not self.rules.effects and self.weight(define) <= LIGHT
        wish = "alwaysinline" if light else "inlinehint"
        with function(self.module, name, self.result_kind(define.type), kinds, attributes=[wish]) as code:
            self.defines[define] = code.function
            lowering = Lowering(self, code)
            lowering.bind_parameters(define.parameters)
            lowering.give(define.type, lowering.expression(define.body, define.type))

    def weight(self, define: tree.Define) -> int:
        """How many nodes a define has, those of the defines that it calls included each time."""
        if define not in self.weights:
            inside = (node for node in walk(define.body) if isinstance(node, tree.Expr))
            self.weights[define] = sum(map(self._weight_of, inside))
        return self.weights[define]

    def _weight_of(self, node: tree.Expr) -> int:
        return 1 + (self.weight(node.define) if isinstance(node, tree.CallDefine) else 0)

    def parameter_kinds(self, parameters: Sequence[tree.Local]) -> list[ir.Type]:
        return [part for p in parameters for part in part_kinds(p.type, self.words(p.type))]

    def result_kind(self, kind: Type) -> ir.Type:
        if kind.kind in LISTS:
            return I64  # the count; the caller knows where the list is
        if kind.kind in SETS:
            return VOID
        parts = part_kinds(kind, self.words(kind))
        return parts[0] if len(parts) == 1 else ir.LiteralStructType(parts)

    def procedure(self, procedure: tree.Procedure) -> Made:
        if procedure not in self.procedures:
            self._write_procedure(procedure)
        return self.procedures[procedure]

    def _write_procedure(self, procedure: tree.Procedure) -> None:
        resumable = self.watched and procedure.asks
        kinds = [POINTER] if resumable else [POINTER, *self.parameter_kinds(procedure.parameters)]
        made = Made(procedure, resumable, self._result_room(procedure.type))
        if resumable:
            made.resume = self.layout.reserve("", I64)
        name = f"procedure.{procedure.name}.{len(self.procedures)}"
        attributes = ["noinline"] if isinstance(procedure, Apart) else []
        if procedure in self.effect_scripts or (isinstance(procedure, Apart) and procedure.seldom):
            self.seldom.add(name)
        with function(self.module, name, I1, kinds, attributes=attributes) as code:
            made.function = code.function
            self.procedures[procedure] = made
            lowering = Lowering(self, code, made)
            if resumable:
                made.parameters = [lowering.slot(p) for p in procedure.parameters]
                made.offsets = [slot_offset(slot) for slot in made.parameters]
            else:
                lowering.bind_parameters(procedure.parameters, kept=True)
            lowering.block(procedure.body)
            code.give(FALSE)
            lowering.write_switch()

    def _result_room(self, kind: Type) -> int:
        if kind.kind == "nothing":
            return -1
        if kind.kind in LISTS:
            element = self.layout.card_kind if kind.kind == "cards" else I16
            most = self.layout.most_in(kind)
            return self.layout.reserve("", I64, self.layout.list_size(most, element) // 8).offset
        if kind.kind in SETS:
            return self.layout.reserve("", I64, self.layout.sets_size // 8).offset
        return self.layout.reserve("", I64, max(2, self.words(kind))).offset


class Lowering:
    """One function while it is written: where its names are kept, and how it can be left."""

    def __init__(self, build: Build, code: Code, made: Made | None = None) -> None:
        self.build, self.code, self.made = build, code, made
        self.layout, self.rules = build.layout, build.rules
        self.state: Value = code.arguments[0]
        self.names: dict[int, Any] = {}  # a local's index -> its value or Slot
        self.bounds: dict[int, int] = {}  # id of a value -> how large it may be
        self.kept: list[Value] = []  # so that no id is used twice
        self.loops: list[Loop] = []
        self.points: list[ir.Block] = []  # where a watched function can go on
        self.strategy: Any = None  # the decision that a strategy is asked about
        self.leaving: Value | None = TRUE  # what is returned if the game does not go on

    @property
    def resumable(self) -> bool:
        return self.made is not None and self.made.resumable

    # ---- names

    def bind_parameters(self, parameters: Sequence[tree.Local], kept: bool = False) -> None:
        """Names the function's arguments; `kept`: they may be set."""
        arguments = iter(self.code.arguments[1:])
        for parameter in parameters:
            kinds = part_kinds(parameter.type, self.build.words(parameter.type))
            value = joined(parameter.type, [next(arguments) for _ in kinds])
            if kept:
                self.slot(parameter).store(value)
            else:
                self.names[parameter.index] = value

    def slot(self, local: tree.Local) -> Slot:
        """Where a local is kept; made when it is first wanted."""
        found = self.names.get(local.index)
        if not isinstance(found, Slot):
            found = self.names[local.index] = self.new_slot(local.type)
        return found

    def new_slot(self, kind: Type) -> Slot:
        if kind.kind in LISTS:
            element = self.layout.card_kind if kind.kind == "cards" else I16
            return self.new_list(kind, element, self.layout.most_in(kind))
        if kind.kind in SETS:
            return self.new_sets(kind)
        words = self.build.words(kind)
        if not self.resumable:
            return Registers(self.code, kind, words)
        return Frame(self.code, kind, words, self.state, self.layout.reserve("", I64, max(1, words)).offset)

    def new_list(self, kind: Type, element: ir.IntType, most: int) -> ListSlot:
        size = self.layout.list_size(most, element)
        if self.resumable:
            return FrameList(self, kind, element, most, self.layout.reserve("", I64, size // 8).offset)
        room = self.code.room(I64, size // 8)
        return ListSlot(self.code, kind, element, lambda: room, most)

    def new_sets(self, kind: Type) -> SetsSlot:
        words = self.layout.sets_size // 8
        if self.resumable:
            return FrameSets(self, kind, self.layout.reserve("", I64, words).offset)
        room = self.code.room(I64, words)
        return SetsSlot(self.code, kind, lambda: room, 8 * words)

    def local(self, local: tree.Local) -> Any:
        found = self.names.get(local.index)
        if found is None:
            found = self.slot(local)
            found.store(self.none_of(local.type))
        return found.load() if isinstance(found, Slot) else found

    @contextmanager
    def named(self, local: tree.Local, value: Any) -> Iterator[None]:
        """The local is that value while this is written."""
        before = self.names.get(local.index)
        self.names[local.index] = value
        yield
        if before is None:
            del self.names[local.index]
        else:
            self.names[local.index] = before

    # ---- the record

    def field(self, name: str, index: Number = 0) -> Value:
        plan = self.layout[name]
        return self.code.load(plan.kind, self.code.at(self.state, plan.offset), index, plan.signed)

    def set_field(self, name: str, value: Number, index: Number = 0) -> None:
        plan = self.layout[name]
        self.code.store(plan.kind, value, self.code.at(self.state, plan.offset), index)

    def address(self, name: str) -> Value:
        return self.code.at(self.state, self.layout[name].offset)

    @property
    def seats(self) -> Value:
        """How many play."""
        low, high = self.rules.players
        return number(low) if low == high else self.small(self.field("seats"), self.layout.seats)

    # ---- bounds, so that sums of small numbers need no check

    def small(self, value: Value, most: int) -> Value:
        """Notes that a value lies within -most .. most."""
        self.bounds[id(value)] = most
        self.kept.append(value)
        return value

    def most(self, value: Number) -> int | None:
        constant = constant_of(value)
        return abs(constant) if constant is not None else self.bounds.get(id(value))

    # ---- errors

    def fail_when(self, bad: Value, kind: str, span: Span, detail: Number = 0, about: Any = None) -> None:
        """If `bad`, the game stops with an error; what is computed meanwhile does not count."""
        if isinstance(bad, ir.Constant) and bad.constant == 0:
            return
        site = self.build.error_site(kind, span, about)
        with self.code.when(bad, likely=False):
            self.code.call(kernels.fail(self.build), [self.state, number(site), detail])

    def sound(self, value: Value, bad: Value, kind: str, span: Span, instead: int = 0, about: Any = None) -> Value:
        """The value; an error and `instead` if `bad`."""
        before, wrong, after = self.code.builder.block, self.code.block("wrong"), self.code.block("sound")
        site = self.build.error_site(kind, span, about)
        self.code.branch(bad, wrong, after, likely=False)
        self.code.go_on(wrong)
        self.code.call(kernels.fail(self.build), [self.state, number(site), value if value.type is I64 else 0])
        self.code.jump(after)
        self.code.go_on(after)
        phi = self.code.builder.phi(value.type)
        phi.add_incoming(value, before)
        phi.add_incoming(ir.Constant(value.type, instead), wrong)
        bound = self.most(value)
        return phi if bound is None else self.small(phi, max(bound, abs(instead)))

    def wanted(self, value: Value, span: Span, what: str = "none") -> Value:
        """The value, which must not be none."""
        if constant_of(value) not in (None, -1):
            return value
        return self.sound(value, self.code.compare("<", value, 0), "none-used", span, about=what)

    # ---- leaving

    def leave(self) -> None:
        """The game does not go on."""
        self.code.give(self.leaving)
        self.code.go_on(self.code.block("never"))

    def leave_when_failed(self) -> None:
        with self.code.when(self.code.compare("!=", self.field("error"), 0), likely=False):
            self.code.give(self.leaving)

    def point(self) -> tuple[int, ir.Block]:
        """A new point to go on at: its number, and its block."""
        block = self.code.block("point")
        self.points.append(block)
        return len(self.points), block

    def note_point(self, point: int) -> None:
        assert self.made is not None
        assert self.made.resume is not None
        self.code.store(I64, number(point), self.code.at(self.state, self.made.resume.offset))

    def write_switch(self) -> None:
        """Where the function begins: at its start, or where it stopped."""
        if not self.resumable:
            return
        assert self.made is not None
        assert self.made.resume is not None
        self.code.go_on(self.code.entry)
        resume = self.code.load(I64, self.code.at(self.state, self.made.resume.offset))
        switch = self.code.builder.switch(resume, self.code.start)
        for index, block in enumerate(self.points, start=1):
            switch.add_case(number(index), block)

    # ---- expressions

    def expression(self, node: tree.Expr, kind: Type | None = None) -> Any:
        """The value of an expression; a bare none becomes that of `kind`."""
        if isinstance(node, tree.Const) and node.value is None:
            return self.none_of(kind or node.type)
        from trionfi.interpreter.native.registry import EXPRESSIONS

        lower = EXPRESSIONS.get(type(node))
        if lower is None:
            raise CannotLower(f"{node.span}: no lowering of {type(node).__name__}")
        return lower(self, node)

    def truth(self, node: tree.Expr) -> Value:
        return self.expression(node)

    def none_of(self, kind: Type) -> Any:
        if kind.kind == "cards":
            return Cards(ir.Constant(POINTER, None), number(0))
        if kind.kind in ("zones", "plays"):
            return Zones(number(0), pointer=ir.Constant(POINTER, None))
        if kind.kind == "hand":
            by_pattern = isinstance(self.rules.rankings[kind.name], tree.PatternRanking)
            lowest = -1 if by_pattern else -(1 << 63)  # as native/hands has it
            return Joined((number(-1), *[number(lowest)] * (self.build.words(kind) - 1)))
        if kind.kind in ("fraction", "total"):
            return Joined(tuple(number(i == 1 and kind.kind == "fraction") for i in range(self.build.words(kind))))
        if kind.kind in SETS:
            return Sets(ir.Constant(POINTER, None))
        if kind.kind == "truth":
            return FALSE
        if kind.kind == "number":
            return number(NO_NUMBER)
        return number(0 if kind.kind == "players" else -1)

    def constant(self, value: object, kind: Type) -> Any:
        if value is None:
            return self.none_of(kind)
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if kind.kind == "fraction":
            assert isinstance(value, int | Fraction)
            exact = Fraction(value)
            return Joined((number(exact.numerator), number(exact.denominator)))
        assert isinstance(value, int)
        return number(value)

    def give(self, kind: Type, value: Any) -> None:
        """Returns a define's value."""
        if kind.kind in LISTS:
            self.give_list(kind, value)
            return
        if kind.kind in SETS:
            self.code.copy(self.code.arguments[-1], value.pointer, self.layout.sets_size)
            self.code.give()
            return
        parts = parts_of(value)
        if len(parts) == 1:
            self.code.give(parts[0])
            return
        struct = ir.Constant(self.build.result_kind(kind), ir.Undefined)
        for index, part in enumerate(parts):
            struct = self.code.builder.insert_value(struct, part, index)
        self.code.give(struct)

    def give_list(self, kind: Type, value: Any) -> None:
        element = self.layout.card_kind if kind.kind == "cards" else I16
        copy_list(self.code, element, self.code.arguments[-1], value)
        self.code.give(value.count)

    def call_define(self, define: tree.Define, arguments: Sequence[Any]) -> Any:
        made = self.build.define(define)
        parts = [part for value in arguments for part in parts_of(self.as_list(value))]
        if define.type.kind in LISTS:
            return self.call_for_list(made, define.type, parts)
        if define.type.kind in SETS:
            room = self.code.room(I64, self.layout.sets_size // 8)
            self.code.call(made, [self.state, *parts, room])
            return Sets(room)
        result = self.code.call(made, [self.state, *parts])
        kinds = part_kinds(define.type, self.build.words(define.type))
        if len(kinds) == 1:
            return joined(define.type, [result])
        extract = self.code.builder.extract_value
        return joined(define.type, [extract(result, index) for index in range(len(kinds))])

    def call_for_list(self, made: ir.Function, kind: Type, parts: list[Value]) -> Any:
        room = self.list_room(kind)
        count = self.code.call(made, [self.state, *parts, room])
        return joined(kind, [room, self.small(count, 1 << 16)])

    def list_room(self, kind: Type) -> Value:
        """A place in the call's own memory for a list of cards, zones or plays, and for one thing more: some write each
        thing and count only those that are meant."""
        if kind.kind == "cards":
            return self.code.room(self.layout.card_kind, self.layout.cards.count + 2)
        return self.code.room(I16, self.layout.most_in(kind) + 2)

    def as_list(self, value: Any) -> Any:
        """Zones that are a range as a list of numbers; anything else as it is."""
        if not isinstance(value, Zones) or value.first is None:
            return value
        room = self.list_room(Type("zones"))
        copy_list(self.code, I16, room, value)
        return Zones(value.count, pointer=room, family=value.family)

    # ---- statements

    def block(self, statements: Sequence[tree.Statement]) -> None:
        for node in statements:
            count_trials(self, self.build.trials.of_statement(node))
            self.statement(node)

    def statement(self, node: tree.Statement) -> None:
        from trionfi.interpreter.native.registry import STATEMENTS

        lower = STATEMENTS.get(type(node))
        if lower is None:
            raise CannotLower(f"{node.span}: no lowering of {type(node).__name__}")
        lower(self, node)
        if self.rules.effects and isinstance(node, MOVING):
            from trionfi.interpreter.native.plays import renew_if_dirty

            renew_if_dirty(self)

    def count_passes(self, loop: tree.Loop) -> None:
        """At each pass of a loop that has no bound of its own."""
        self.build.counting.add(self.code.function.name)
        passes = self.code.add(self.field("passes"), loop.weight)
        self.set_field("passes", passes)
        self.fail_when(self.code.compare(">", passes, MOST_STATEMENTS), "game-without-end", loop.span)
        self.leave_when_failed()
        count_trials(self, self.build.trials.of_pass(loop))


Lower = Callable[[Lowering, Any], Any]
__all__ = ["I8", "RUNNING", "Build", "CannotLower", "DecisionSite", "ErrorSite", "Lower", "Lowering"]
