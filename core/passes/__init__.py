"""Passes: each a function from core to core, small and by itself, with the verifier after it."""

from __future__ import annotations

from collections.abc import Callable

from trionfi.core.ir import Program
from trionfi.core.passes.choices import choices
from trionfi.core.passes.dead import with_called
from trionfi.core.passes.inline import inline
from trionfi.core.passes.moves import moves
from trionfi.core.passes.nones import nones
from trionfi.core.passes.searches import searches
from trionfi.core.verify import verify
from trionfi.dsl.tree import Ruleset

__all__ = ["PASSES", "Pass", "called_from", "prepared", "run_passes"]

Pass = Callable[[Program, Ruleset], Program]

# By their names, in the order in which they run.
PASSES: dict[str, Pass] = {
    "inline": inline,
    "nones": nones,
    "simplify": inline,
    "searches": searches,
    "moves": moves,
    "choices": choices,
    "tidy": inline,
}


def called_from(program: Program, strategies: bool) -> Program:
    """The functions that an engine calls, those of strategies if they play, and all that these call."""
    return with_called(program, [name for name in program.functions if is_entry(name, strategies)])


def is_entry(name: str, strategies: bool) -> bool:
    if name.startswith("strategy."):
        return strategies
    return name in ("play", "end", "score", "won") or name.startswith(("alters.", "holds."))


def run_passes(program: Program, rules: Ruleset, last: str) -> Program:
    """The program after all passes up to this one; each leaves a program that is well formed, else CoreFault."""
    for name, run in PASSES.items():
        program = run(program, rules)
        verify(program, rules)
        if name == last:
            break
    return program


def prepared(program: Program, rules: Ruleset) -> Program:
    """The program after all passes, as it is emitted."""
    for run in PASSES.values():
        program = run(program, rules)
    return program
