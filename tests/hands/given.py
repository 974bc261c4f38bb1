"""Rulesets as their hands are asked: hands, totals and melds by name, without a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.hands import (
    Arrangement,
    ConditionEvaluator,
    HandTable,
    HandValue,
    MeldEvaluator,
    PatternEvaluator,
    Total,
    TotalEvaluator,
)
from trionfi.interpreter.hands.reading import HandReader
from trionfi.interpreter.rules import load

DATA = Path(__file__).parent.parent / "data"


class Given:
    """The rankings, totals and melds of a ruleset under given options."""

    def __init__(self, rules: str, options: dict[str, object]) -> None:
        self.rules = load(rules, options)
        self.ruleset = self.rules.ruleset
        self.compiler = self.rules.seating(self.rules.players[1]).program.compiler
        self.reader = HandReader(self.ruleset, self.rules.faces)

    def evaluator(self, name: str) -> Any:
        """Of the ranking, total or meld so called."""
        rankings, totals = self.ruleset.rankings, self.ruleset.totals
        if name in rankings:
            made = PatternEvaluator if isinstance(rankings[name], PatternRanking) else ConditionEvaluator
            return self.compiler.evaluator(rankings[name], made)
        if name in totals:
            return self.compiler.evaluator(totals[name], TotalEvaluator)
        return self.compiler.evaluator(self.ruleset.melds[name], MeldEvaluator)

    def rank(self, ranking: str, *hand: object) -> HandValue | None:
        return self.rules.rank(ranking, *hand)

    def laid(self, cards: Sequence[object]) -> tuple[HandTable, list[int]]:
        """The cards on a table of their own, and their numbers."""
        return HandTable([self.reader.card(card) for card in cards]), list(range(len(cards)))

    def total(self, name: str, cards: Sequence[object]) -> Total:
        total: Total = self.evaluator(name).total(*self.laid(cards))
        return total

    def arranged(self, meld: str, cards: Sequence[object]) -> Arrangement:
        arranged: Arrangement = self.evaluator(meld).arranged(*self.laid(cards))
        return arranged

    def is_meld(self, meld: str, cards: Sequence[object]) -> bool:
        return bool(self.evaluator(meld).is_meld(*self.laid(cards)))


@cache
def given(rules: str, **options: Any) -> Given:
    """A ruleset of the library, or `tests/data/NAME.yaml`."""
    path = DATA / f"{rules}.yaml"
    return Given(str(path) if path.exists() else rules, options)
