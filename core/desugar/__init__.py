"""From the checked tree to the core."""

from __future__ import annotations

from collections.abc import Callable

from trionfi.core.desugar import (
    belongings,
    cards,
    control,
    decisions,
    movement,
    numbers,
    plays,
    queries,
    strategies,
    truths,
    values,
)
from trionfi.core.desugar.alterations import write_alterations
from trionfi.core.desugar.control import read_measures
from trionfi.core.desugar.function import Desugar, Desugaring
from trionfi.core.desugar.strategies import write_strategies
from trionfi.core.ir import Function, Program, asking_functions
from trionfi.core.types import core_type
from trionfi.dsl import tree

__all__ = ["DESUGARING_ROOMS", "desugar"]

# Importing them fills the table of desugarings.
DESUGARING_ROOMS = (
    belongings,
    cards,
    control,
    decisions,
    movement,
    numbers,
    plays,
    queries,
    strategies,
    truths,
    values,
)


def desugar(rules: tree.Ruleset, unused: bool = False) -> Program:
    """The core of a ruleset: the functions `play`, `end` (which reads the measures of the end), `score` and `won` of a
    seat where there are such, and all that they call; those of strategies and alterations, which engines call, too;
    with `unused` all else that is declared."""
    whole = Desugaring(rules)
    add_entry(whole, "play", lambda d: d.call(whole.procedure(rules.play)))
    add_entry(whole, "end", write_end)
    for name, define in (("score", rules.score), ("won", rules.won)):
        if define is not None:
            add_figure(whole, name, define)
    write_strategies(whole)
    write_alterations(whole)
    if unused:
        for procedure in rules.procedures.values():
            whole.procedure(procedure)
        for define in rules.defines.values():
            whole.define(define)
    for function in asking_functions(whole.program):
        whole.program.functions[function].asks = True
    return whole.program


def add_entry(whole: Desugaring, name: str, write: Callable[[Desugar], object]) -> None:
    d = Desugar(whole)
    write(d)
    whole.program.functions[name] = Function(name, (), None, d.body)


def write_end(d: Desugar) -> None:
    """What scores try counts here, too: they are read right behind."""
    d.count_hands(d.whole.trials.of_end())
    read_measures(d, "")


def add_figure(whole: Desugaring, name: str, define: tree.Define) -> None:
    """A define of one player, under a name that is the same in every ruleset."""
    d = Desugar(whole)
    parameters = d.bind(define.parameters)
    d.give(d.call(whole.define(define), *parameters, type=core_type(define.type)))
    whole.program.functions[name] = Function(name, parameters, core_type(define.type), d.body, pure=True)
