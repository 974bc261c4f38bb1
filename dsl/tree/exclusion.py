"""Lines of a menu that can never be offered together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trionfi.dsl.tree import And, CallDefine, Expr, MenuItem

__all__ = ["conjuncts", "exclude_each_other"]


def exclude_each_other(one: MenuItem, other: MenuItem) -> bool:
    """Whether one is offered only if the other is not: a condition of one is the contrary of one of the other's."""
    mine, theirs = conditions(one), conditions(other)
    return any(f"not {text}" in theirs for text in mine) or any(f"not {text}" in mine for text in theirs)


def conditions(item: MenuItem) -> set[str]:
    return {text_of(part) for part in conjuncts([item.condition])} if item.condition else set()


def conjuncts(conditions: Sequence[Expr]) -> Iterator[Expr]:
    """What all must hold; behind a define that is asked about what its parameters are called, its parts, too."""
    for condition in conditions:
        if isinstance(condition, And):
            yield from conjuncts(condition.operands)
            continue
        yield condition
        if isinstance(condition, CallDefine) and is_spelt_out(condition):
            yield from conjuncts([condition.define.body])


def is_spelt_out(call: CallDefine) -> bool:
    """Whether the text of the define says here what it says there."""
    names = [local.name for local in call.define.parameters]
    has_body = call.define.body is not None  # not before it is checked
    return has_body and bool(names) and [text_of(argument) for argument in call.arguments] == names


def text_of(expr: Expr) -> str:
    return " ".join(expr.span.text.split())
