"""Every construct's lowering: node of the checked tree -> function. What is missing here cannot be compiled."""

from __future__ import annotations

from trionfi.interpreter.native import (
    lower_attributes,
    lower_decisions,
    lower_expressions,
    lower_hands,
    lower_melds,
    lower_menus,
    lower_moves,
    lower_numbers,
    lower_plays,
    lower_queries,
    lower_secret,
    lower_statements,
    lower_totals,
    lower_truths,
    policy,
)
from trionfi.interpreter.native.lowering import Lower

EXPRESSIONS: dict[type, Lower] = {
    **lower_expressions.TABLE,
    **lower_truths.TABLE,
    **lower_numbers.TABLE,
    **lower_attributes.TABLE,
    **lower_queries.TABLE,
    **lower_hands.TABLE,
    **lower_totals.TABLE,
    **lower_melds.TABLE,
    **lower_plays.TABLE,
    **policy.EXPRESSIONS,
}
STATEMENTS: dict[type, Lower] = {
    **lower_statements.TABLE,
    **lower_moves.TABLE,
    **lower_decisions.TABLE,
    **lower_menus.TABLE,
    **lower_secret.TABLE,
    **lower_plays.STATEMENTS,
    **policy.STATEMENTS,
}
