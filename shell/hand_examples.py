"""A hand of each category of a ranking, taken from the ruleset's own tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trionfi.dsl.tree import HandTest, PatternRanking
from trionfi.interpreter.hands.reading import HandError
from trionfi.interpreter.ranking import rank

if TYPE_CHECKING:
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["example_hands"]


def example_hands(rules: RulesData) -> dict[str, dict[str, str]]:
    """By ranking and category: the cards of the first hand of a test that is one, under the options that are set. Only
    of rankings by patterns, which rate cards alone."""
    found: dict[str, dict[str, str]] = {}
    for test in rules.ruleset.tests:
        if isinstance(test, HandTest) and is_played(rules, test):
            hands = found.setdefault(test.ranking, {})
            for hand in hands_of(test):
                note(rules, test.ranking, hand, hands)
    return found


def is_played(rules: RulesData, test: HandTest) -> bool:
    """Whether a test is about the game as its options are set."""
    ranking = rules.ruleset.rankings.get(test.ranking)
    same = rules.with_options({**rules.given, **test.options}).values == rules.values
    return isinstance(ranking, PatternRanking) and same


def hands_of(test: HandTest) -> Iterator[Sequence[str]]:
    for hand in (test.hand, test.better, test.worse, *(test.equal or [])):
        if hand is not None and len(hand) == 1:
            yield hand[0]


def note(rules: RulesData, ranking: str, hand: Sequence[str], hands: dict[str, str]) -> None:
    """Keeps the cards that make the hand, if it is the first of its category."""
    try:
        value = rank(rules, ranking, [hand])
    except HandError:
        return
    if value is not None and value.cards and value.category not in hands:
        hands[value.category] = ", ".join(map(str, value.cards))
