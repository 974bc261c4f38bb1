"""Puts small functions in where they are called, and simplifies what that makes of their callers."""

from __future__ import annotations

from trionfi.core.ir import Call, Function, Program, walk
from trionfi.core.passes.dead import without_dead
from trionfi.core.passes.facts import Facts
from trionfi.core.passes.simplify import is_straight, simplified
from trionfi.dsl.tree import Ruleset

__all__ = ["inline", "weight_of"]

LIGHT = 24  # statements


def inline(program: Program, rules: Ruleset | None) -> Program:
    """Pure functions of few statements, those that they call included, become part of their callers."""
    facts = Facts(rules)
    wanted: dict[str, bool] = {}  # asked at each call

    def put_in(called: Function) -> bool:
        if called.name not in wanted:
            wanted[called.name] = is_straight(called) and weight_of(program, called) <= LIGHT
        return wanted[called.name]

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
