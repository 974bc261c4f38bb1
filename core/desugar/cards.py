"""Cards taken together and taken out, the top ones, the marks that they carry; hands, totals and melds of them."""

from __future__ import annotations

from trionfi.core.desugar.belongings import looked_up
from trionfi.core.desugar.function import Desugar, Desugaring, desugars
from trionfi.core.desugar.writer import number
from trionfi.core.ir import Const, Function, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARD, CARDS, INT, CoreType, Kind, core_type
from trionfi.dsl import tree

__all__: list[str] = []


@desugars(tree.Joined)
def desugar_joined(d: Desugar, node: tree.Joined) -> Operand:
    left, right = d.expr(node.left), d.expr(node.right)
    return d.let(Op.JOINED, left, right)


@desugars(tree.Without)
def desugar_without(d: Desugar, node: tree.Without) -> Operand:
    left, right = d.expr(node.left), d.expr(node.right)
    return d.let(Op.WITHOUT, left, right)


@desugars(tree.CardAtIndex)
def desugar_card_at_index(d: Desugar, node: tree.CardAtIndex) -> Operand:
    cards = d.expr(node.cards)
    index = d.needed(node.index)
    size = d.let(Op.SIZE, cards)
    d.check(d.both(d.let(Op.AT_MOST, number(1), index), d.let(Op.AT_MOST, index, size)), "no-such-place", node.span)
    return d.let(Op.ITEM, cards, d.let(Op.SUBTRACT, index, number(1)), type=CARD)


@desugars(tree.TopCards)
def desugar_top_cards(d: Desugar, node: tree.TopCards) -> Operand:
    amount = d.needed(node.amount)
    source = d.needed(node.zone)
    wanted = d.let(Op.MAXIMUM, number(0), amount)
    if source.type != CARDS:
        return d.let(Op.TOP_CARDS, source, wanted)
    top = d.var("top", CARDS, d.let(Op.EMPTY, type=CARDS))
    size = d.let(Op.SIZE, source)
    with d.count(number(0), d.let(Op.MINIMUM, wanted, size)) as (i, _):
        behind = d.let(Op.SUBTRACT, d.let(Op.SUBTRACT, size, number(1)), i)
        d.push(top, d.let(Op.ITEM, source, behind, type=CARD))
    return top


@desugars(tree.MarkValue)
def desugar_mark_value(d: Desugar, node: tree.MarkValue) -> Operand:
    return d.let(Op.MARK, d.needed(node.card), type=core_type(node.type), about=(node.mark.name,), hint=node.mark.name)


# ---- hands


@desugars(tree.BestHand)
def desugar_best_hand(d: Desugar, node: tree.BestHand) -> Operand:
    """The parts, one behind the other; of each the ranking's name is followed by whether its number is told."""
    args: list[Operand] = []
    shapes: list[str] = []
    for part in node.parts:
        args.append(d.expr(part.cards))
        shapes.append("any" if part.exactly is None else "exactly")
        if part.exactly is not None:
            args.append(d.needed(part.exactly))
    return d.let(Op.BEST_HAND, *args, type=core_type(node.type).maybe, about=(node.ranking.name, *shapes))


@desugars(tree.RateHand)
def desugar_rate_hand(d: Desugar, node: tree.RateHand) -> Operand:
    """A call of the function that asks the ranking's conditions, one after another."""
    ranking = node.ranking
    arguments = [d.expr(argument) for argument in node.arguments]
    kind = core_type(node.type)
    name = rating_function(d.whole, ranking)
    found = d.call(name, *arguments, type=kind)
    assert found is not None, "a ranking has a value"
    return found


def rating_function(whole: Desugaring, ranking: tree.ConditionRanking) -> str:
    """The function that gives the hand that some cards are."""
    kind = CoreType(Kind.HAND, ranking.name, True)
    return whole.function(ranking, "ranking", ranking.name, lambda inner, full: rating(inner, full, ranking, kind))


def rating(d: Desugar, name: str, ranking: tree.ConditionRanking, kind: CoreType) -> Function:
    parameters = d.bind(ranking.parameters)
    for place, category in enumerate(ranking.categories):
        if category.condition is None:
            give_hand(d, ranking, place, kind)
            break
        with d.when(d.expr(category.condition)):
            give_hand(d, ranking, place, kind)
    else:
        d.give(d.none_of(kind))
    return Function(name, parameters, kind, d.body, pure=True)


def give_hand(d: Desugar, ranking: tree.ConditionRanking, place: int, kind: CoreType) -> None:
    """The hand of a category, with what decides between hands of it."""
    keys = [d.expr(expression) for key in ranking.order for expression in key.expressions]
    category = Const(place, CoreType(Kind.CATEGORY, ranking.name))
    d.give(d.let(Op.MAKE_HAND, category, *keys, type=kind.some, about=(ranking.name,)))


@desugars(tree.CategoryColumn)
def desugar_category_column(d: Desugar, node: tree.CategoryColumn) -> Operand:
    category = d.expr(node.category)
    figures = [entry.columns.get(node.column, 0) for entry in node.ranking.categories]
    result = d.var(node.column, INT, number(0))
    with d.when(d.is_some(category)):
        d.set(result, figure(d, d.unwrap(category), figures))
    return result


def figure(d: Desugar, category: Operand, figures: list[int]) -> Operand:
    """What a table of numbers has, below 0 or not."""
    least = min(0, *figures)
    found = looked_up(d, category, [value - least for value in figures], INT)
    return d.let(Op.ADD, found, number(least)) if least else found


@desugars(tree.TotalOf)
def desugar_total_of(d: Desugar, node: tree.TotalOf) -> Operand:
    cards = d.expr(node.cards)
    return d.let(Op.TOTAL, cards, type=core_type(node.type), about=(node.total.name,), hint=node.total.name)


@desugars(tree.Arranged)
def desugar_arranged(d: Desugar, node: tree.Arranged) -> Operand:
    return d.let(Op.ARRANGED, d.expr(node.cards), type=core_type(node.type), about=(node.meld.name,))


@desugars(tree.IsMeld)
def desugar_is_meld(d: Desugar, node: tree.IsMeld) -> Operand:
    return d.let(Op.IS_MELD, d.expr(node.cards), about=(node.meld.name,))
