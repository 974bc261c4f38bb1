"""Puts small functions in where they are called, and simplifies what that makes of their callers."""

from __future__ import annotations

from trionfi.core.ir import Call, Function, Program, walk
from trionfi.core.passes.dead import without_dead
from trionfi.core.passes.facts import Facts
from trionfi.core.passes.simplify import simplified
from trionfi.dsl.tree import Ruleset

__all__ = ["inline", "weight_of"]

LIGHT = 24  # statements


def inline(program: Program, rules: Ruleset | None) -> Program:
    """Pure functions of few statements, those that they call included, become part of their callers."""
    facts = Facts(rules)

    def put_in(called: Function) -> bool:
        return weight_of(program, called) <= LIGHT

    functions = {
        name: without_dead(simplified(program, function, facts, put_in)) for name, function in program.functions.items()
    }
    return Program(functions, program.places)


def weight_of(program: Program, function: Function) -> int:
    """How many statements a function has, those that it calls included each time."""
    total = 0
    for statement in walk(function.body):
        total += 1
        if isinstance(statement, Call):
            total += weight_of(program, program.functions[statement.function])
    return total
