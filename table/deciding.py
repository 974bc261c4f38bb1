"""What decides between two hands: the first comparison of their ranking in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from trionfi.dsl.tree import PatternRanking

if TYPE_CHECKING:
    from trionfi.dsl.tree import ConditionRanking, Expr, OrderKey, Ruleset
    from trionfi.interpreter.hands import HandValue

__all__ = ["HandComparison", "decided_in_words", "first_difference", "key_word", "own_numbers"]


class HandComparison(NamedTuple):
    """One comparison: what was compared (None: the category, or of a group whether there is one), for which group of
    cards, and both values."""

    expression: Expr | None
    group: int | None
    values: tuple[Any, Any]


def first_difference(better: HandValue, worse: HandValue) -> HandComparison | None:
    return next((step for step in steps(better, worse) if step.values[0] != step.values[1]), None)


def decided_in_words(ruleset: Ruleset, better: HandValue, worse: HandValue) -> str:
    """`pair above high card`, `king against 9`; empty if the hands are equal, or what decided is no word."""
    step = first_difference(better, worse)
    if step is None:
        return ""
    if step.expression is None:
        return "" if step.group is not None else f"{better.category} above {worse.category}".casefold()
    if step.expression.type.kind == "truth":
        return ""
    one, other = (key_word(ruleset, step.expression, value) for value in step.values)
    return f"{one} against {other}"


def own_numbers(hand: HandValue) -> Iterator[int]:
    """The numbers by which a hand of a ranking by conditions is compared, in their order; none of a hand that meets no
    condition."""
    if isinstance(hand.ranking, PatternRanking) or hand.category == hand.ranking.categories[-1].name:
        return
    key = getattr(hand.key, "key", hand.key)
    for (order, number), value in zip(parts_of_key(hand.ranking), key, strict=True):
        if order.kind == "value" and order.expressions[number].type.kind == "number":
            yield value


def steps(better: HandValue, worse: HandValue) -> Iterator[HandComparison]:
    """All comparisons in their order."""
    keys = [getattr(value.key, "key", value.key) for value in (better, worse)]  # the lowest may be best
    for order, values in zip(parts_of_key(better.ranking), zip(*keys, strict=True), strict=True):
        key, number = order
        match key.kind:
            case "groups":
                yield from group_steps(key, *values)
            case "value":
                yield HandComparison(key.expressions[number], None, values)
            case "category":
                yield HandComparison(None, None, values)
            case _:
                assert_never(key.kind)


def parts_of_key(ranking: PatternRanking | ConditionRanking) -> list[tuple[OrderKey, int]]:
    """The key of the order that each part of a hand's key belongs to, and which of its expressions."""
    whole = isinstance(ranking, PatternRanking)
    return [
        (key, number)
        for key in ranking.order
        for number in range(1 if whole or not key.expressions else len(key.expressions))
    ]


def group_steps(key: OrderKey, one: Sequence[Any], other: Sequence[Any]) -> Iterator[HandComparison]:
    for group in range(max(len(one), len(other))):
        if group >= min(len(one), len(other)):
            yield HandComparison(None, group, (len(one), len(other)))
            return
        for expression, *values in zip(key.expressions, one[group], other[group], strict=True):
            yield HandComparison(expression, group, (values[0], values[1]))


def key_word(ruleset: Ruleset, expression: Expr, value: Any) -> str:
    """A part of a key as a word; an enumeration that is declared best first counts downwards."""
    kind = expression.type
    if kind.kind == "truth":
        return "yes" if value else "no"
    if kind.kind == "enum" and isinstance(value, int):
        members = ruleset.enumerations[kind.name].members
        place = -value if kind.name == "orientation" else value
        return members[place] if 0 <= place < len(members) else "none"
    return str(value)
