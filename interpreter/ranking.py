"""Hands that are ranked and counted without a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trionfi.dsl.diagnostics import did_you_mean
from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.hands import ConditionEvaluator, HandValue, PatternEvaluator
from trionfi.interpreter.hands.alone import check_alone
from trionfi.interpreter.hands.reading import HandReader, count_cards, rank_hand
from trionfi.interpreter.once import made_once
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.seating import faces_of, seating_of

__all__ = ["count", "evaluator_of", "rank", "reader_of"]


def rank(rules: RulesData, ranking: str, hand: Sequence[Any]) -> HandValue | None:
    """The value of a hand, a part for each part or parameter of the ranking, as `rules.rank` says; None if no category
    fits. Raises ValueError."""
    return rank_hand(evaluator_of(rules, ranking), reader_of(rules), hand)


def count(rules: RulesData, name: str, cards: Sequence[Any]) -> Any:
    """What a total (a Total) or a meld (an Arrangement, its cards by name) makes of cards. Raises ValueError."""
    ruleset = rules.ruleset
    spec = ruleset.totals.get(name) or ruleset.melds.get(name)
    if spec is None:
        raise ValueError(f"{rules.name} has no total or meld `{name}`")
    check_alone(spec, ruleset)
    return count_cards(seating_of(rules, rules.players[1]).program.compiler, spec, reader_of(rules), cards)


def evaluator_of(rules: RulesData, ranking: str) -> Any:
    """What ranks hands in Python. Raises ValueError if there is no such ranking, or none that does without a game."""
    known = rules.ruleset.rankings
    if ranking not in known:
        hint = did_you_mean(ranking, known) or f"there are {', '.join(known) or 'none'}"
        raise ValueError(f"{rules.name} has no ranking `{ranking}`: {hint}")
    check_alone(known[ranking], rules.ruleset)
    kind = PatternEvaluator if isinstance(known[ranking], PatternRanking) else ConditionEvaluator
    return seating_of(rules, rules.players[1]).program.compiler.evaluator(known[ranking], kind)


def reader_of(rules: RulesData) -> HandReader:
    """What reads cards by their names and numbers."""
    known: dict[str, HandReader] = rules.__dict__
    return made_once(known, "_reader", lambda: _reader(rules))


def _reader(rules: RulesData) -> HandReader:
    cards = seating_of(rules, rules.players[1]).table.cards
    copies = [cards.count(face) for face in range(len(rules.ruleset.faces))]
    return HandReader(rules.ruleset, faces_of(rules), copies)
