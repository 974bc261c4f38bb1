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
    from trionfi.core.desugar.whole import desugar
    from trionfi.core.passes import run_passes
    from trionfi.core.text import print_function

    check_pass(last_pass)
    ruleset = open_rules(name, settings).ruleset
    program = desugar(ruleset)
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
    """The functions of a name: as the core calls them (`define.score`), or the ruleset (`score`)."""
    from trionfi.dsl.diagnostics import did_you_mean

    found = [function for name, function in program.functions.items() if part in names_of(name)]
    if not found:
        known = sorted({known for name in program.functions for known in names_of(name)})
        raise CallError(f"{rules} has no function `{part}`; {did_you_mean(part, known) or listed(program.functions)}")
    return found


def names_of(function: str) -> tuple[str, str]:
    """What a function is called by: its whole name, and that without the word for what it comes from."""
    return function, function.partition(".")[2]


def listed(names: Iterable[str]) -> str:
    return f"there is {', '.join(names)}"
