"""A whole ruleset as a program of the core."""

from __future__ import annotations

# Each of these says what some nodes mean; the table of them is whole when all are loaded.
import trionfi.core.desugar.belongings
import trionfi.core.desugar.cards
import trionfi.core.desugar.control
import trionfi.core.desugar.decisions
import trionfi.core.desugar.movement
import trionfi.core.desugar.numbers
import trionfi.core.desugar.plays
import trionfi.core.desugar.queries
import trionfi.core.desugar.truths
import trionfi.core.desugar.values  # noqa: F401
from trionfi.core.desugar.control import measure_function
from trionfi.core.desugar.function import Desugar, Desugaring
from trionfi.core.ir import Program
from trionfi.dsl import tree

__all__ = ["desugar"]


def desugar(rules: tree.Ruleset) -> Program:
    """All that a ruleset declares, spoken of or not: the play first, and behind each function those that it calls."""
    whole = Desugaring(rules)
    for procedure in (rules.play, *rules.procedures.values()):
        whole.procedure(procedure)
    for define in (rules.score, rules.won, *rules.defines.values()):
        if define is not None:
            whole.define(define)
    for index, measure in enumerate(rules.measures):
        measure_function(Desugar(whole), index, measure)
    return whole.program
