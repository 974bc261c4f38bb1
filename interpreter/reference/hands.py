"""Rankings, totals and melds: asks the evaluators of interpreter/hands."""

from __future__ import annotations

from trionfi.dsl import tree
from trionfi.interpreter.hands import ConditionEvaluator, MeldEvaluator, PatternEvaluator, TotalEvaluator
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.reference.expressions import pile
from trionfi.interpreter.state import State


@meaning(tree.BestHand)
def eval_best_hand(node: tree.BestHand, c: Compiler) -> Value:
    best_hand = c.evaluator(node.ranking, PatternEvaluator).best_hand
    parts = [
        (pile(part.cards, c), c.constant(None) if part.exactly is None else c.value(part.exactly))
        for part in node.parts
    ]
    return lambda s, f: best_hand(s, [(list(cards(s, f)), exactly(s, f)) for cards, exactly in parts])


@meaning(tree.RateHand)
def eval_rate_hand(node: tree.RateHand, c: Compiler) -> Value:
    rate = c.evaluator(node.ranking, ConditionEvaluator).rate
    arguments = c.values(node.arguments)
    return lambda s, f: rate(s, [argument(s, f) for argument in arguments])


@meaning(tree.CategoryColumn)
def eval_category_column(node: tree.CategoryColumn, c: Compiler) -> Value:
    category = c.value(node.category)
    figures = [entry.columns.get(node.column, 0) for entry in node.ranking.categories]

    def column(s: State, f: Frame) -> int:
        number = category(s, f)
        return 0 if number is None else figures[number]

    return column


@meaning(tree.TotalOf)
def eval_total_of(node: tree.TotalOf, c: Compiler) -> Value:
    total = c.evaluator(node.total, TotalEvaluator).total
    cards = pile(node.cards, c)
    return lambda s, f: total(s, cards(s, f))


@meaning(tree.Arranged)
def eval_arranged(node: tree.Arranged, c: Compiler) -> Value:
    arranged = c.evaluator(node.meld, MeldEvaluator).arranged
    cards = c.value(node.cards)
    return lambda s, f: arranged(s, cards(s, f))


@meaning(tree.IsMeld)
def eval_is_meld(node: tree.IsMeld, c: Compiler) -> Value:
    is_meld = c.evaluator(node.meld, MeldEvaluator).is_meld
    cards = c.value(node.cards)
    return lambda s, f: is_meld(s, cards(s, f))
