"""Rulesets as their hands are asked: evaluators and hands by name, without the rest of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from trionfi.dsl import read_ruleset
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
from trionfi.interpreter.hands.reading import HandReader, rank_hand
from trionfi.interpreter.names import read_member
from trionfi.interpreter.reference.compiler import Compiler
from trionfi.interpreter.reference import program as program  # registers all meanings

DATA = Path(__file__).parent.parent / "data"


class Given:
    """The rankings, totals and melds of a ruleset under given options."""

    def __init__(self, rules: str, text: str | None = None, **options: object) -> None:
        ruleset, diagnostics = read_ruleset(rules, text)
        assert ruleset is not None, "\n".join(map(str, diagnostics))
        self.ruleset = ruleset
        values = {name: option.default for name, option in ruleset.options.items()}
        for name, value in options.items():
            kind = ruleset.options[name].type
            is_word = kind.kind == "enum"
            values[name] = read_member(ruleset.enumerations[kind.name].members, value) if is_word else value
        kept = range(len(ruleset.faces))
        self.compiler = Compiler(ruleset, values, None, kept)
        self.reader = HandReader(ruleset, kept)

    def evaluator(self, name: str) -> Any:
        """Of the ranking, total or meld so called."""
        rankings, totals, melds = self.ruleset.rankings, self.ruleset.totals, self.ruleset.melds
        if name in rankings:
            made = PatternEvaluator if type(rankings[name]).__name__ == "PatternRanking" else ConditionEvaluator
            return self.compiler.evaluator(rankings[name], made)
        if name in totals:
            return self.compiler.evaluator(totals[name], TotalEvaluator)
        return self.compiler.evaluator(melds[name], MeldEvaluator)

    def rank(self, ranking: str, *given: object) -> HandValue | None:
        return rank_hand(self.evaluator(ranking), self.reader, given)

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
    return Given(str(path) if path.exists() else rules, **options)
