"""`rules.rank_many`: the compiled evaluators of one setting of a ruleset's options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.native.hands import Evaluator, RankMany, printed_table

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules

__all__ = ["rank_rows"]


def rank_rows(rules: Rules, ranking: str, hands: Sequence[Any]) -> Any:
    """A strength for each row of `hands`, one array for each part; None for a ranking by conditions."""
    known: dict[str, RankMany] = rules.__dict__.setdefault("_rank_many", {})
    if ranking not in known:
        made = rules.ruleset.rankings[ranking]
        if not isinstance(made, PatternRanking):
            return None
        seating = rules.seating(rules.players[1])
        copies = [seating.table.cards.count(face) for face in rules.faces]
        cards = printed_table(seating.program.compiler, distinct=max(copies, default=0) <= 1)
        known[ranking] = RankMany(Evaluator(made, cards))
    return known[ranking](hands)
