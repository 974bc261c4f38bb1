"""Hands without a game: what of a ranking, total or meld asks for more than the cards of the hand."""

from __future__ import annotations

from trionfi.dsl.analysis.of_a_game import of_a_game
from trionfi.dsl.tree import ConditionRanking, MeldSpec, PatternRanking, Ruleset, TotalSpec
from trionfi.dsl.tree.walk import parts
from trionfi.interpreter.hands.reading import HandError

__all__ = ["check_alone"]


def check_alone(spec: PatternRanking | ConditionRanking | TotalSpec | MeldSpec, ruleset: Ruleset) -> None:
    """Raises HandError if hands can be asked for this in a game only."""
    found = of_a_game(list(parts(spec)), ruleset)
    if found is not None:
        raise HandError(f"`{spec.name}` reads `{found.span.text}`, which there is in a game only ({found.span})")
