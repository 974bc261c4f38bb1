"""What `=`, `add`, `as` set: a local, or a variable of its owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value
from trionfi.interpreter.reference.expressions import owner_index
from trionfi.interpreter.state import State

__all__ = ["Locate", "checked_size", "locate", "store"]

# Where a value is to go: a list and the index in it.
Locate = Callable[[State, Frame], tuple[list[Any], int]]


def locate(target: tree.Place, c: Compiler) -> Locate:
    if isinstance(target, tree.LocalValue):
        local = target.local.index
        return lambda _s, f: (f, local)
    variable, owner = target.variable.index, owner_index(target, c)
    return lambda s, f: (s.values[variable], owner(s, f))


def store(target: tree.Place, value: Value, c: Compiler) -> Callable[[State, Frame], None]:
    """A step that reads the value and sets the target to it."""
    value = checked_size(target, value, target.span)
    if isinstance(target, tree.LocalValue):
        return store_local(target.local.index, value)
    return store_variable(target.variable.index, owner_index(target, c), value)


def store_local(local: int, value: Value) -> Callable[[State, Frame], None]:
    def run(s: State, f: Frame) -> None:
        f[local] = value(s, f)

    return run


def store_variable(variable: int, owner: Value, value: Value) -> Callable[[State, Frame], None]:
    def run(s: State, f: Frame) -> None:
        of = owner(s, f)
        s.values[variable][of] = value(s, f)

    return run


def checked_size(target: tree.Place, value: Value, span: Span) -> Value:
    """The same value; a variable for cards takes no more than it says."""
    if not isinstance(target, tree.VariableValue) or target.type.kind != "cards" or not target.variable.most:
        return value
    variable = target.variable

    def read(s: State, f: Frame) -> Any:
        cards = value(s, f)
        if len(cards) > variable.most:
            what = f"`{variable.name}` holds at most {variable.most} cards, not {len(cards)}"
            fail("too-many-cards", what, span)
        return cards

    return read
