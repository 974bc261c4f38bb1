"""What is shared by one module (`Build`) and by one function (`Body`) while they are written.

A module is written for one of two uses. *Watched*: it stops at each decision and returns (`step`), keeps who knows
which card, and can render labels. Not watched: it asks policies in place and plays to the end (`playout`).
Both are emitted from the same core (`emission/`); what differs is where names are kept and what a decision does:

- A function that may ask has, when watched, a static frame in the record (procedures do not recurse). It begins with a
  switch over the points where it can go on; in the frame lies the number of the one to go on at. A call of such a
  function is such a point, too.
- Everything else lives in registers.

A procedure's function gives true if the game does not go on (a decision, an error, the end).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import I64, TRUE, Code, Number, Value, constant_of, number
from trionfi.interpreter.native.layout import Field, Layout
from trionfi.interpreter.native.values import Joined

__all__ = ["NO_NUMBER", "Body", "Build", "CannotLower", "DecisionSite", "ErrorSite", "Made"]

NO_NUMBER = -(1 << 63)  # stands for a number that is none


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
    words: int = 0  # that the values in a label take at most; if any, the module has a function `labels_N`


@dataclass(slots=True)
class Made:
    """A function that plays, and where it notes at which point it goes on."""

    function: ir.Function
    resume: Field | None = None


def no_value(*_arguments: Any) -> Any:
    raise AssertionError("only modules of a ruleset's game have expressions")


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
    value_of: Callable[..., Any] = no_value  # of an expression that an evaluator asks for (emission/expressions.py)
    values: Any = None  # the functions of such expressions, while they are made
    module: ir.Module = field(default_factory=lambda: ir.Module("rules"))
    kernels: dict[Any, ir.Function] = field(default_factory=dict)
    errors: list[ErrorSite] = field(default_factory=list)
    sites: list[DecisionSite] = field(default_factory=list)
    asking: list[tuple[DecisionSite, Any]] = field(default_factory=list)  # each with the menu that it asks about
    most_entries: int = 1
    record_size: int = 0  # known when it is finished
    program: Any = None  # of the core
    seldom: set[str] = field(default_factory=set)  # functions that take little of the time
    counting: set[str] = field(default_factory=set)  # functions with loops that could go on for ever

    @property
    def knows(self) -> bool:
        """Whether it is kept who knows a card. Copies are one option only to who knows them (docs/meaning.md)."""
        return self.watched or self.layout.cards.copied

    def error_site(self, kind: str, span: Span, about: Any = None) -> int:
        self.errors.append(ErrorSite(kind, span, about))
        return len(self.errors) - 1

    def decision_site(self, kind: str, name: str, node: Any) -> DecisionSite:
        self.sites.append(DecisionSite(len(self.sites), kind, name, node))
        return self.sites[-1]

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


class Body:
    """One function while it is written: the record that it works on, how large values may be, where it can go on."""

    def __init__(self, build: Build, code: Code, made: Made | None = None) -> None:
        self.build, self.code, self.made = build, code, made
        self.layout, self.rules = build.layout, build.rules
        self.state: Value = code.arguments[0]
        self.bounds: dict[int, int] = {}  # id of a value -> how large it may be
        self.kept: list[Value] = []  # so that no id is used twice
        self.points: list[ir.Block] = []  # where a watched function can go on
        self.leaving: Value | None = TRUE  # what is returned if the game does not go on

    # ---- the record

    def field(self, name: str, index: Number = 0) -> Value:
        plan = self.layout[name]
        return self.code.load(plan.kind, self.code.at(self.state, plan.offset), index, plan.signed)

    def set_field(self, name: str, value: Number, index: Number = 0) -> None:
        plan = self.layout[name]
        self.code.store(plan.kind, value, self.code.at(self.state, plan.offset), index)

    def address(self, name: str) -> Value:
        return self.code.at(self.state, self.layout[name].offset)

    def room_for_cards(self) -> Value:
        """A place in the call's own memory for a list of cards, and for one more: some write each card and count only
        those that are meant."""
        return self.code.room(self.layout.card_kind, self.layout.cards.count + 2)

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

    # ---- leaving

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
        if self.made is None:
            return
        assert self.made.resume is not None
        self.code.go_on(self.code.entry)
        resume = self.code.load(I64, self.code.at(self.state, self.made.resume.offset))
        switch = self.code.builder.switch(resume, self.code.start)
        for index, block in enumerate(self.points, start=1):
            switch.add_case(number(index), block)

    def no_hand(self, ranking: str) -> Joined:
        """A hand that is none: below all."""
        by_pattern = isinstance(self.rules.rankings[ranking], tree.PatternRanking)
        lowest = -1 if by_pattern else -(1 << 63)  # as native/hands has it
        return Joined((number(-1), *[number(lowest)] * (self.build.words(Type("hand", ranking)) - 1)))
