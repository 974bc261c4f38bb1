"""The evaluator of one pattern ranking over one deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.native.hands.cards import CardTable


@dataclass(frozen=True)
class Part:
    """Cards that a hand may use: at most `most` of them; `exactly`: so many are used, given at the call."""

    most: int
    exactly: bool = False


class Evaluator:
    """A ranking made ready for the cards of a game.

    Raises `trionfi.dsl.diagnostics.RulesError` if the hand values do not fit in 63 bits.
    """

    def __init__(self, ranking: PatternRanking, table: CardTable) -> None:
        self.ranking = ranking
        self.table = table

    def emit(self, module: ir.Module, parts: Sequence[Part], name: str = "") -> ir.Function:
        """The function that gives the strength of the best hand from the parts.

        Its parameters are, for each part in order: a pointer to the codes of its cards (uint16 each), their number
        (i32, at most `most`), and for a part with `exactly` how many of them are used (i32). Its result is an i64:
        the strength, -1 for no hand (no category fits; fewer cards than the ranking or `exactly` wants).
        It reads memory only, keeps nothing, and is private to the module.
        """
        raise NotImplementedError

    def emit_category(self, builder: ir.IRBuilder, strength: ir.Value) -> ir.Value:
        """The number of the category of a strength (i64, the first declared is 0), -1 for no hand."""
        raise NotImplementedError

    def category(self, strength: int) -> int | None:
        """The number of the category of a strength, none for no hand."""
        raise NotImplementedError

    def rank_many(self, exactly: Sequence[int | None]) -> Callable[[Sequence[Any]], Any]:
        """The function from rows of codes to strengths; one item of `exactly` for each part (none: as many as serve).

        It takes one two-dimensional array a part, all with as many rows: C-contiguous uint8 or uint16 is read in
        place, anything else (other arrays, sequences of sequences of codes) is converted first. It gives int64
        strengths, one a row: a numpy array if numpy is there, else an `array('q')`.
        Raises ValueError for codes that are not in the table, and for arrays of unequal length.
        """
        raise NotImplementedError
