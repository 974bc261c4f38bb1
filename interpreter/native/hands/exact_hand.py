"""What a hand of just these cards is worth, for eight hands side by side."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from trionfi.interpreter.native.builder import I64, Value, function
from trionfi.interpreter.native.hands.fields import ExactHand, Fields, Partial
from trionfi.interpreter.native.hands.handvalues import HandNumber
from trionfi.interpreter.native.hands.plan import Plan, PlannedShape
from trionfi.interpreter.native.hands.rate import Rater
from trionfi.interpreter.native.hands.strength import Strength
from trionfi.interpreter.native.hands.words import Lanes, Truth, Word, ones

LANES = 8


class Exact:
    """Evaluates hands of just these cards, in two steps: the head of the strength, then what stands behind it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.fields = Fields(plan)
        self.strength = Strength(plan)

    def head(self, lanes: Lanes, cards: Partial) -> Word:
        """Values before the category, and the category; -1 if it is no hand."""
        hand = ExactHand(lanes, self.fields, cards)
        category = Rater(self.plan, self.strength, hand).category()
        valid = category.at_least(0)
        if self.plan.qualifier is not None:
            valid = valid & self.plan.qualifier.emit(hand).is_set()
        values = _valued(hand, lanes.zero, self.plan.order.head)
        whole = values << self.strength.category_width | category
        return valid.choose(self._turned(whole, self.strength.width - self.strength.category_shift), -1)

    def rest(self, lanes: Lanes, cards: Partial, shape: PlannedShape) -> Word:
        """Groups and values behind them, of a hand of this category."""
        hand = ExactHand(lanes, self.fields, cards)
        groups = Rater(self.plan, self.strength, hand).groups(shape)
        return self._turned(_valued(hand, groups, self.plan.order.tail), self.strength.category_shift)

    def _turned(self, word: Word, width: int) -> Word:
        return word ^ ones(width) if self.plan.best_low else word

    def is_of(self, lanes: Lanes, head: Word, shape: PlannedShape) -> Truth:
        """Is the head one of this category?"""
        category = self.strength.category_bits(shape.number)
        turned = category ^ ones(self.strength.category_width) if self.plan.best_low else category
        return (head & ones(self.strength.category_width)).equals(turned)

    def whole(self, lanes: Lanes, cards: Partial) -> Word:
        """The strength of a hand of just these cards, -1 if it is none."""
        head, rest = self.head(lanes, cards), lanes.zero
        for shape in self.plan.shapes:
            rest = self.is_of(lanes, head, shape).choose(self.rest(lanes, cards, shape), rest)
        return head.at_least(0).choose(head << self.strength.category_shift | rest, -1)


def _valued(hand: ExactHand, before: Word, values: Sequence[HandNumber]) -> Word:
    for value in values:
        before = before << value.width | (value.emit(hand) - value.least)
    return before


def head_function(exact: Exact, module: ir.Module, cards: Partial) -> ir.Function:
    """head(words of hands of so many cards, side by side): their heads."""
    kinds = [word.value.type for word in cards.words]
    name = f"{exact.plan.name}_head_{cards.size}"
    if name not in module.globals:
        with function(module, name, ir.VectorType(I64, LANES), kinds, attributes=_apart(exact)) as code:
            lanes = Lanes(code.builder, LANES)
            held = exact.fields.of_words(cards.size, [lanes.wrap(word) for word in code.arguments])
            code.give(exact.head(lanes, held).value)
    return module.globals[name]


def rest_function(exact: Exact, module: ir.Module, cards: Partial) -> ir.Function:
    """rest(head, words of hands of so many cards, side by side): what stands behind the head, if that is theirs."""
    kinds = [word.value.type for word in cards.words]
    name = f"{exact.plan.name}_rest_{cards.size}"
    if name not in module.globals:
        with function(module, name, ir.VectorType(I64, LANES), [I64, *kinds], attributes=_apart(exact)) as code:
            lanes, scalar = Lanes(code.builder, LANES), Lanes(code.builder)
            head = scalar.wrap(code.arguments[0])
            held = exact.fields.of_words(cards.size, [lanes.wrap(word) for word in code.arguments[1:]])
            for shape in exact.plan.shapes:
                if shape.size[0] <= cards.size <= shape.size[1]:
                    with code.when(exact.is_of(scalar, head, shape).value):
                        code.give(exact.rest(lanes, held, shape).value)
            code.give(lanes.constant(-1).value)
    return module.globals[name]


def _apart(exact: Exact) -> tuple[str, ...]:
    """Where several searches call a function it stays one: written into each it takes LLVM a second."""
    return () if exact.plan.plain else ("noinline",)


def values_of(cards: Partial) -> list[Value]:
    return [word.value for word in cards.words]
