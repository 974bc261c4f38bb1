"""Compiled evaluators of rankings.

A `PatternRanking` of the checked tree and a `CardTable` (how each card looks) become an `Evaluator`, which emits LLVM
functions. The way of evaluating follows from the patterns and the deck, never from what game it is.

For the engine, which lowers `BestHand` in its own module:

    evaluator = Evaluator(ranking, table)
    function = evaluator.emit(module, [Part(4, take=2), Part(5, take=3)])
    # i64 function(ptr codes_0, i32 count_0, ptr codes_1, i32 count_1)
    category = evaluator.emit_category(builder, strength)

For `rules.rank_many`:

    rank_many = RankMany(evaluator)
    strengths = rank_many([(rows_of_hand, 2), (rows_of_board, 3)])  # or [rows] for a plain hand

A *strength* is an int64: greater is better, equal is a tie, -1 is no hand. Strengths of one evaluator compare with
each other, whichever of its functions gave them, and with nothing else.

Where effects change suits and ranks: `altered_table(host)`, whose `altered.code(...)` numbers what a card has become.
"""

from trionfi.interpreter.native.hands.cards import AlteredCodes, CardTable, altered_table, printed_table
from trionfi.interpreter.native.hands.evaluator import Evaluator, UsablePart
from trionfi.interpreter.native.hands.rows import RankMany

__all__ = ["AlteredCodes", "CardTable", "Evaluator", "RankMany", "UsablePart", "altered_table", "printed_table"]
