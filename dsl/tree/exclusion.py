"""Lines of a menu that can never be offered together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trionfi.dsl.tree import And, Expr, MenuItem

__all__ = ["exclude_each_other"]


def exclude_each_other(one: MenuItem, other: MenuItem) -> bool:
    """Whether one is offered only if the other is not: a condition of one is the contrary of one of the other's."""
    mine, theirs = conditions(one), conditions(other)
    return any(f"not {text}" in theirs for text in mine) or any(f"not {text}" in mine for text in theirs)


def conditions(item: MenuItem) -> set[str]:
    return {" ".join(part.span.text.split()) for part in conjuncts([item.condition])} if item.condition else set()


def conjuncts(conditions: Sequence[Expr]) -> Iterator[Expr]:
    for condition in conditions:
        if isinstance(condition, And):
            yield from conjuncts(condition.operands)
        else:
            yield condition
