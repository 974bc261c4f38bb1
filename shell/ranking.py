"""`trionfi rank`: evaluates a hand, or compares two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError, open_rules
from trionfi.shell.printing import print_json

if TYPE_CHECKING:
    from trionfi.dsl.tree import ConditionRanking, PatternRanking
    from trionfi.interpreter.hands import HandValue
    from trionfi.interpreter.rules import Rules

__all__ = ["HAND_NAMES", "VERDICTS", "begun_parts", "hands_apart", "hands_of", "rank_hands"]

VERSUS = "--vs"
HAND_NAMES = ("the first hand", "the second hand")
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


# ---- reading hands


def hands_of(words: Sequence[str], spec: PatternRanking | ConditionRanking) -> list[list[Any]]:
    """The parts of one hand or of two, as `rules.rank` takes them."""
    return [parts_of(part, spec) for part in hands_apart(words)]


def hands_apart(words: Sequence[str]) -> list[Sequence[str]]:
    """The words of one hand, or of two that --vs parts."""
    stranger = next((word for word in words if word.startswith("-") and word != VERSUS), None)
    if stranger:
        raise CallError(f"there is no option `{stranger}`")
    if VERSUS not in words:
        return [words]
    at = words.index(VERSUS)
    if VERSUS in words[at + 1 :]:
        raise CallError("--vs compares two hands, not more")
    return [words[:at], words[at + 1 :]]


def parts_of(words: Sequence[str], spec: PatternRanking | ConditionRanking) -> list[Any]:
    """Cards as one part, or parts begun by `NAME=` (a parameter) or `2=` (exactly two of these)."""
    parts = list(begun_parts(words))
    if not parts:
        raise CallError("a hand has cards: a card was left out before or after --vs")
    parameters = [local.name for local in getattr(spec, "parameters", [])]
    if parameters:
        return [by_parameter(parts, parameters)[name] for name in parameters]
    return [(cards, int(title)) if title else cards for title, cards in map(numbered, parts)]


def begun_parts(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """What each part is called (empty: not at all) and its cards; a word may hold several with commas."""
    title = ""
    cards: list[str] = []
    for word in words:
        start, equals, listed = word.rpartition("=")
        if equals:
            if title or cards:
                yield title, cards
            title, cards = start.strip(), []
        cards += [card.strip() for card in listed.split(",") if card.strip()]
    if title or cards:
        yield title, cards


def numbered(part: tuple[str, list[str]]) -> tuple[str, list[str]]:
    if part[0] and not part[0].isdecimal():
        raise CallError(f'`{part[0]}=` is no part of a hand here; 2="..." means exactly two of these cards')
    return part


def by_parameter(parts: Sequence[tuple[str, list[str]]], names: Sequence[str]) -> dict[str, list[str]]:
    found = dict(parts)
    if set(found) != set(names) or len(found) != len(parts):
        example = " ".join(f'{name}="..."' for name in names)
        raise CallError(f"this ranking wants its cards as {example}")
    return found


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
