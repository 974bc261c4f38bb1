"""Which rule of a ranking makes one hand better than another, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from trionfi.dsl.tree import PatternRanking

if TYPE_CHECKING:
    from trionfi.dsl.tree import ConditionRanking, Expr, OrderKey, Ruleset
    from trionfi.interpreter.hands import HandValue

__all__ = ["decided_by"]

ORDINALS = ("first", "second", "third", "fourth", "fifth")


class HandComparison(NamedTuple):
    """One comparison: what was compared (None: the category, or of a group whether there is one), for which group of
    cards, and both values."""

    expression: Expr | None
    group: int | None
    values: tuple[Any, Any]


def decided_by(ruleset: Ruleset, better: HandValue | None, worse: HandValue | None) -> str:
    """The rule that decided, for the hand that is better; empty if none is."""
    if worse is None or better is None:
        return "" if better is worse else "since the other cards are no hand at all"
    step = next((step for step in steps(better, worse) if step.values[0] != step.values[1]), None)
    if step is None:
        return ""
    if step.expression is None and step.group is not None:
        return "since the other one runs out of cards first"
    if step.expression is None:
        return f"by the category: {better.category} is above {worse.category}"
    return f"by {told(ruleset, better.ranking, step)}"


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


def told(ruleset: Ruleset, ranking: PatternRanking | ConditionRanking, step: HandComparison) -> str:
    """`the poker rank of the first group (king against 9)`."""
    from trionfi.shell.prose.voice import Called, Voice
    from trionfi.shell.prose.words import without_the

    voice = Voice(ruleset)
    voice.enter(ranking.locals)
    assert step.expression is not None
    values = (
        f"{spoken(ruleset, step.expression, step.values[0])} against {spoken(ruleset, step.expression, step.values[1])}"
    )
    if step.group is None:
        said = voice.say(step.expression)
        wanted = f"the question whether {said}" if step.expression.type.kind == "truth" else f"the {without_the(said)}"
        return f"{wanted} ({values})"
    ordinal = ORDINALS[step.group] if step.group < len(ORDINALS) else f"{step.group + 1}th"
    with voice.calling(ranking.locals[0], Called(f"the {ordinal} group or card", "its")):
        said = voice.say(step.expression)
    said = f"the {said.removeprefix('its ')} of the {ordinal} group or card" if said.startswith("its ") else said
    wanted = f"the question whether {said}" if step.expression.type.kind == "truth" else said
    return f"{wanted} ({values})"


def spoken(ruleset: Ruleset, expression: Expr, value: Any) -> str:
    """A part of a key as a word; an enumeration that is declared best first counts downwards."""
    kind = expression.type
    if kind.kind == "truth":
        return "yes" if value else "no"
    if kind.kind == "enum" and isinstance(value, int):
        members = ruleset.enumerations[kind.name].members
        place = -value if kind.name == "orientation" else value
        return members[place] if 0 <= place < len(members) else "none"
    return str(value)
