"""What is shared by one module while it is written; what one function shares stands in body.py.

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
from trionfi.interpreter.native.builder import I64, number
from trionfi.interpreter.native.layout import Layout, RecordField

__all__ = ["NO_NUMBER", "Build", "CannotLower", "DecisionSite", "ErrorSite", "Made"]

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
    resume: RecordField | None = None


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
    number_rooms: dict[int, int] = field(default_factory=dict)  # where numbers of options lie, by how many
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
