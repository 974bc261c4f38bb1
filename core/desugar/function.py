"""From the checked tree to the core: what is shared by a ruleset (`Desugaring`) and by one function (`Desugar`).

Each kind of node has one desugaring, found in a table. It says what the node means in terms of small operations; how it
becomes fast is the passes' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from trionfi.core.desugar.writer import Writer
from trionfi.core.ir import Function, Name, Operand, Program
from trionfi.core.ops import Op
from trionfi.core.types import core_type
from trionfi.dsl import tree
from trionfi.dsl.analysis.trials import Trial, Trials
from trionfi.dsl.tree.walk import walk

__all__ = ["Desugar", "Desugaring", "desugars", "locals_read", "missing_desugarings", "operand_of"]

Rule = Callable[["Desugar", Any], Any]
R = TypeVar("R", bound=Rule)

DESUGARINGS: dict[type, Rule] = {}


def desugars(*nodes: type) -> Callable[[R], R]:
    """Registers what nodes are made of: of an expression the operand that is its value, of a statement None."""

    def register(rule: R) -> R:
        for node in nodes:
            DESUGARINGS[node] = rule
        return rule

    return register


GONE_OVER = {tree.SetsOf}  # no value by itself: the loop of a domain makes its things


def missing_desugarings() -> list[str]:
    """Nodes of the checked tree that the core does not know; tests want this to be empty."""
    classes = [thing for thing in vars(tree).values() if isinstance(thing, type)]
    nodes = {thing for thing in classes if issubclass(thing, tree.Expr | tree.Statement)}
    return sorted(node.__name__ for node in nodes - {tree.Expr, tree.Statement} - GONE_OVER - set(DESUGARINGS))


class Desugaring:
    """A ruleset on its way to the core. Functions are written when something first speaks of them."""

    def __init__(self, rules: tree.Ruleset) -> None:
        self.rules = rules
        self.program = Program()
        self.trials = Trials(rules)
        self._names: dict[tuple[int, str, str], str] = {}
        self._taken: set[str] = set()

    def define(self, define: tree.Define) -> str:
        """The name of the function that a define has become."""
        return self._function(define, "define", define.name, self._write_define)

    def procedure(self, procedure: tree.Procedure) -> str:
        return self._function(procedure, "procedure", procedure.name, self._write_procedure)

    def function(self, node: object, role: str, name: str, write: Callable[[Desugar, str], Function]) -> str:
        """The function of a node in a role, its first word; `write` makes it under the name that it is given."""
        return self._function(node, role, name, lambda _node, full: write(Desugar(self), full))

    def _function(self, node: Any, role: str, name: str, write: Callable[[Any, str], Function]) -> str:
        key = id(node), role, name
        if key not in self._names:
            full = self._free_name(f"{role}.{name}")
            self._names[key] = full
            self.program.functions[full] = write(node, full)
        return self._names[key]

    def _free_name(self, wanted: str) -> str:
        found, count = wanted, 1
        while found in self._taken:
            count += 1
            found = f"{wanted}.{count}"
        self._taken.add(found)
        return found

    def _write_define(self, define: tree.Define, name: str) -> Function:
        d = Desugar(self)
        parameters = d.bind(define.parameters)
        d.give(d.expr(define.body))
        return Function(name, parameters, core_type(define.type), d.body, pure=True)

    def _write_procedure(self, procedure: tree.Procedure, name: str) -> Function:
        d = Desugar(self)
        parameters = d.bind(procedure.parameters, settable=True)
        d.declare(procedure.body)
        d.block_of(procedure.body)
        result = None if procedure.type.kind == "nothing" else core_type(procedure.type)
        return Function(name, parameters, result, d.body)


class Desugar(Writer):
    """One function on its way to the core. `env`: by a local's index the operand that it is; `variables`: those of them
    that are set again; `loops`: the labels of the script's own loops, which `stop` leaves; `outcome`: what the function
    gives wherever the script returns, if that is not what the script says."""

    def __init__(self, whole: Desugaring) -> None:
        super().__init__(whole.program)
        self.whole = whole
        self.rules = whole.rules
        self.env: dict[int, Operand] = {}
        self.variables: dict[int, Name] = {}
        self.loops: list[str] = []
        self.outcome: Operand | None = None

    # ---- locals

    def bind(self, parameters: Sequence[tree.Local], settable: bool = False) -> tuple[Name, ...]:
        """Names for the parameters; those that may be set are kept in variables."""
        names = tuple(self.fresh(local.name, core_type(local.type)) for local in parameters)
        for local, name in zip(parameters, names, strict=True):
            self.env[local.index] = name
            if settable:
                self.variables[local.index] = self.var(local.name, name.type, name)
        return names

    def declare(self, body: tree.Block) -> None:
        """Variables for all locals that a script sets."""
        for local in locals_set(body):
            if local.index not in self.variables:
                kind = core_type(local.type)
                self.variables[local.index] = self.var(local.name, kind, self.default_of(kind))

    def local(self, local: tree.Local) -> Operand:
        return self.env[local.index] if local.index not in self.variables else self.variables[local.index]

    @contextmanager
    def named(self, local: tree.Local, value: Operand) -> Iterator[None]:
        """The local is that value while this is written."""
        before = self.env.get(local.index), self.variables.pop(local.index, None)
        self.env[local.index] = value
        yield
        value_before, variable = before
        del self.env[local.index]
        if value_before is not None:
            self.env[local.index] = value_before
        if variable is not None:
            self.variables[local.index] = variable

    # ---- nodes

    def expr(self, node: tree.Expr) -> Operand:
        """The value of an expression. A variable's value is read at once: what is given does not change later."""
        return operand_of(DESUGARINGS[type(node)](self, node))

    def needed(self, node: tree.Expr) -> Operand:
        """The value of an expression, which must not be none."""
        return self.some(self.expr(node), node)

    def some(self, value: Operand, node: tree.Expr) -> Operand:
        """A value that must not be none, else the game stops at the expression that it is of."""
        self.check(self.is_some(value), "none-used", node.span)
        return self.unwrap(value)

    def statement(self, node: tree.Statement) -> None:
        DESUGARINGS[type(node)](self, node)

    def block_of(self, block: tree.Block) -> None:
        for node in block:
            self.count_hands(self.whole.trials.of_statement(node))
            self.statement(node)

    def count_hands(self, trials: Sequence[Trial]) -> None:
        """Counts the hands that may have to be tried, before they are."""
        for trial in trials:
            about: list[str | int] = [trial.what.name, trial.kind, trial.times, trial.room.fixed]
            for family in trial.room.zones:
                about += family
            lists = [self.local(local) for local, factor in trial.room.lists for _ in range(factor)]
            self.check(self.let(Op.COUNT_HANDS, *lists, about=tuple(about)), "game-without-end", trial.span)


def operand_of(value: Any) -> Operand:
    assert value is not None, "an expression has a value"
    return value  # type: ignore[no-any-return]


def locals_set(block: tree.Block) -> Iterator[tree.Local]:
    """The locals that the statements of a block set, those of loops and queries not among them."""
    for node in walk(block, below=lambda one: not isinstance(one, tree.Expr)):
        target = getattr(node, "target", None)
        if isinstance(target, tree.LocalValue):
            yield target.local


def locals_read(nodes: Sequence[object]) -> Iterator[tree.Local]:
    """The locals that expressions speak of, those of their own queries among them."""
    return (node.local for node in walk(nodes) if isinstance(node, tree.LocalValue))
