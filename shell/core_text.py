"""`trionfi core`: what a ruleset, or one part of it, has become in the core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trionfi.shell.calls import CallError, open_rules

if TYPE_CHECKING:
    from trionfi.core.ir import Function, Program

__all__ = ["show_core"]


def show_core(name: str, settings: list[str], part: str, last_pass: str) -> None:
    """Prints the functions of a ruleset, or those of one name; `last_pass`: as they are after the passes up to it."""
    from trionfi.core.desugar import desugar
    from trionfi.core.passes import run_passes
    from trionfi.core.text import print_function

    check_pass(last_pass)
    ruleset = open_rules(name, settings).ruleset
    program = desugar(ruleset, unused=True)
    if last_pass:
        program = run_passes(program, ruleset, last_pass)
    functions = functions_called(ruleset.name, program, part) if part else program.functions.values()
    print("\n".join(print_function(function, program.places) for function in functions), end="")


def check_pass(name: str) -> None:
    from trionfi.core.passes import PASSES
    from trionfi.dsl.diagnostics import did_you_mean

    if name and name not in PASSES:
        there_is = f"there is {', '.join(PASSES)}" if PASSES else "there is none so far"
        raise CallError(f"there is no pass `{name}`; {did_you_mean(name, PASSES) or there_is}")


def functions_called(rules: str, program: Program, part: str) -> list[Function]:
    """The functions of a name: as the ruleset calls them (`score`), else as the core does (`define.score`, `end`)."""
    from trionfi.dsl.diagnostics import did_you_mean

    functions = program.functions
    found = [function for name, function in functions.items() if own_name(name) == part]
    if not found and part in functions:
        found = [functions[part]]
    if not found:
        known = sorted({*functions, *map(own_name, functions)} - {""})
        raise CallError(f"{rules} has no function `{part}`; {did_you_mean(part, known) or listed(functions)}")
    return found


def own_name(function: str) -> str:
    """The name of what a function comes from; none of one that the core has made."""
    return function.partition(".")[2]


def listed(names: Iterable[str]) -> str:
    return f"there is {', '.join(names)}"
