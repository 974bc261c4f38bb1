"""Compiled evaluators of rankings and totals.

A `PatternRanking` of the checked tree and a `CardTable` (what can be read off each card) become an `Evaluator`,
which emits LLVM functions. The way of evaluating follows from the patterns and the deck, never from what game it is.

For the engine, which lowers `BestHand` in its own module:

    evaluator = Evaluator(ranking, table)
    function = evaluator.emit(module, [Part(most=4, exactly=True), Part(most=5, exactly=True)])
    # i64 function(ptr codes_0, i32 count_0, i32 exactly_0, ptr codes_1, i32 count_1, i32 exactly_1)
    category = evaluator.emit_category(builder, strength)

For `rules.rank_many`:

    rank_many = evaluator.rank_many([2, 3])  # or [None] for a plain hand; cached by shape
    strengths = rank_many([rows_of_hand, rows_of_board])

A *strength* is an int64: greater is better, equal is a tie, -1 is no hand. Strengths of one evaluator compare with
each other, whichever of its functions gave them, and with nothing else.
"""

from trionfi.interpreter.native.hands.cards import CardTable, printed_table

__all__ = ["CardTable", "printed_table"]
