"""Which rule checks which part of a script: `infer` finds it by the name of the syntax node."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token, Tree

from trionfi.dsl.check.coerce import fit
from trionfi.dsl.check.context import Frame
from trionfi.dsl.tree import Expr
from trionfi.dsl.types import TRUTH, Type

Part = Tree[Token]
Rule = Callable[[Frame, Part, Type | None], Expr | None]

RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Makes a function the rule of syntax nodes."""

    def enter(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return enter


def infer(frame: Frame, tree: Part, wanted: Type | None = None) -> Expr | None:
    """The expression with the type it has. `wanted` only helps: members and quoted names are found by it."""
    return RULES[tree.data](frame, tree, wanted)


def take(frame: Frame, tree: Part, wanted: Type) -> Expr | None:
    """The expression as one of type `wanted`."""
    return fit(frame, infer(frame, tree, wanted), wanted)


def truth(frame: Frame, tree: Part) -> Expr | None:
    """A condition."""
    return take(frame, tree, TRUTH)
