"""Which rule of a ranking makes one hand better than another, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trionfi.table.deciding import HandComparison, first_difference, key_word

if TYPE_CHECKING:
    from trionfi.dsl.tree import ConditionRanking, PatternRanking, Ruleset
    from trionfi.interpreter.hands import HandValue

__all__ = ["decided_by"]

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def decided_by(ruleset: Ruleset, better: HandValue | None, worse: HandValue | None) -> str:
    """The rule that decided, for the hand that is better; empty if none is."""
    if worse is None or better is None:
        return "" if better is worse else "since the other cards are no hand at all"
    step = first_difference(better, worse)
    if step is None:
        return ""
    if step.expression is None and step.group is not None:
        return "since the other one runs out of cards first"
    if step.expression is None:
        return f"by the category: {better.category} is above {worse.category}"
    return f"by {told(ruleset, better.ranking, step)}"


def told(ruleset: Ruleset, ranking: PatternRanking | ConditionRanking, step: HandComparison) -> str:
    """`the poker rank of the first group (king against 9)`."""
    from trionfi.shell.prose.voice import Called, Voice
    from trionfi.shell.prose.words import without_the

    voice = Voice(ruleset)
    voice.enter(ranking.locals)
    assert step.expression is not None
    expression = step.expression
    values = " against ".join(key_word(ruleset, expression, value) for value in step.values)
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
