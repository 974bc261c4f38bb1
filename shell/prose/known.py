"""Conditions whose answer stands in the ruleset itself: a library's parameter that a game has settled."""

from __future__ import annotations

from typing import TypeVar

from trionfi.dsl.tree import And, Const, Expr, Not, Or, Same

Value = TypeVar("Value")

__all__ = ["arms_that_may_hold", "known"]


def known(node: Expr) -> bool | None:
    """True or false if it is always so; None if that depends on the game."""
    if isinstance(node, Const) and node.type.kind == "truth":
        return bool(node.value)
    if isinstance(node, Same) and isinstance(node.left, Const) and isinstance(node.right, Const):
        return bool(node.left.value == node.right.value)
    if isinstance(node, Not):
        inner = known(node.operand)
        return None if inner is None else not inner
    if isinstance(node, And | Or):
        return known_chain([known(one) for one in node.operands], deciding=isinstance(node, Or))
    return None


def known_chain(answers: list[bool | None], deciding: bool) -> bool | None:
    """Of `or` one true decides, of `and` one false; else all must be known."""
    if deciding in answers:
        return deciding
    return None if None in answers else not deciding


def arms_that_may_hold(arms: list[tuple[Expr, Value]], otherwise: Value) -> tuple[list[tuple[Expr, Value]], Value]:
    """The arms without those that never hold; one that always holds is what otherwise comes."""
    kept: list[tuple[Expr, Value]] = []
    for condition, value in arms:
        answer = known(condition)
        if answer:
            return kept, value
        if answer is None:
            kept.append((condition, value))
    return kept, otherwise
