"""`trionfi rank`: evaluates a hand, or compares two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trionfi.shell.calls import CallError, open_rules
from trionfi.shell.hand_words import HAND_NAMES, hands_of
from trionfi.shell.printing import print_json

if TYPE_CHECKING:
    from trionfi.dsl.tree import ConditionRanking, PatternRanking
    from trionfi.interpreter.hands import HandValue
    from trionfi.interpreter.rules import Rules

__all__ = ["VERDICTS", "rank_hands"]

VERDICTS = {1: "the first hand is better", -1: "the second hand is better", 0: "the hands are equal"}


def rank_hands(name: str, settings: list[str], ranking: str, words: list[str], as_json: bool) -> None:
    """Prints what the ranking makes of one hand, or of two and which is better."""
    rules = open_rules(name, settings)
    if ranking in rules.ruleset.totals or ranking in rules.ruleset.melds:
        from trionfi.shell.counting import count_hands

        count_hands(rules, ranking, words, as_json)
        return
    spec = ranking_called(rules, ranking)
    try:
        values = [rules.rank(ranking, *parts) for parts in hands_of(words, spec)]
    except ValueError as wrong:  # a card that is not there, too many parts
        raise CallError(str(wrong)) from None
    verdict = compared(*values) if len(values) == 2 else None
    if as_json:
        hands = [value_dict(value) for value in values]
        print_json(
            hands[0] if verdict is None else {"hands": hands, "compared": verdict, "decided": why(rules, values)}
        )
        return
    for title, value in zip(HAND_NAMES, values, strict=False):
        text = value_text(value, spec)
        print(f"{title}: {text}" if verdict is not None else text)
    if verdict is not None:
        reason = why(rules, values)
        print(VERDICTS[verdict])
        if reason:
            print(f"decided {reason}")


def why(rules: Rules, values: Sequence[HandValue | None]) -> str:
    """The rule that decided between two hands."""
    from trionfi.shell.deciding import decided_by

    better, worse = values if compared(*values) >= 0 else values[::-1]
    return decided_by(rules.ruleset, better, worse)


def ranking_called(rules: Rules, name: str) -> PatternRanking | ConditionRanking:
    from trionfi.dsl.diagnostics import did_you_mean

    rankings = rules.ruleset.rankings
    if name in rankings:
        return rankings[name]
    known = [*rankings, *rules.ruleset.totals, *rules.ruleset.melds]
    hint = did_you_mean(name, known) or (f"there is {', '.join(known)}" if known else "it has none at all")
    raise CallError(f"{rules.name} has no ranking `{name}`; {hint}")


# ---- showing values


def compared(one: HandValue | None, other: HandValue | None) -> int:
    """1: the first is better, -1: the second; no hand is below every hand."""
    if one is None or other is None:
        return (one is not None) - (other is not None)
    return (one > other) - (one < other)


def value_dict(value: HandValue | None) -> dict[str, object]:
    if value is None:
        return {"category": None, "cards": []}
    return {"category": value.category, "cards": list(value.cards), **value.columns}


def value_text(value: HandValue | None, spec: PatternRanking | ConditionRanking) -> str:
    if value is None:
        return f"no hand{size_text(spec)}"
    columns = "".join(f", {name} {number}" for name, number in value.columns.items())
    return f"{value.category}: {', '.join(map(str, value.cards))}{columns}"


def size_text(spec: PatternRanking | ConditionRanking) -> str:
    """How many cards a hand of patterns has, for who gave another number."""
    from trionfi.dsl.tree import PatternRanking

    if not isinstance(spec, PatternRanking):
        return ""
    size = str(spec.high) if spec.low == spec.high else f"{spec.low} to {spec.high}"
    return f": {spec.name} is of {size} cards"
