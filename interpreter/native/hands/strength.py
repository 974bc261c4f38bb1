"""Strengths: which bits of the int64 say what.

From the highest bit: values before the category, the category (the best is the greatest), the groups, values behind
them. Groups stand in the order in which hands are compared. A group is the class of its cards plus one (0: no such
group), then, if the ranking counts, how many of its cards have the counted truth. -1 is no hand.
"""

from __future__ import annotations

from trionfi.interpreter.native.hands.handvalues import Unsuited
from trionfi.interpreter.native.hands.plan import Plan, PlannedShape


class Strength:
    """The fields of one ranking's strengths."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.categories = len(plan.ranking.categories)
        self.category_width = (self.categories - 1).bit_length()
        self.class_width = plan.width.bit_length() if plan.order.has_groups else 0
        self.tail_width = sum(value.width for value in plan.order.tail)
        self.groups_width = max((self.shape_width(shape) for shape in plan.shapes), default=0)
        self.category_shift = self.groups_width + self.tail_width
        self.head_shift = self.category_shift + self.category_width
        self.width = self.head_shift + sum(value.width for value in plan.order.head)
        if self.width > 63:
            raise Unsuited("a hand value of more than 63 bits")

    def sizes(self, shape: PlannedShape) -> tuple[int, ...]:
        """How many cards each group of such a hand has, as far as it has so many groups."""
        if shape.run:
            return (shape.run,)
        return shape.alike + (1,) * (shape.size[1] - sum(shape.alike))

    def count_width(self, size: int) -> int:
        return size.bit_length() if self.plan.order.counted is not None else 0

    def shape_width(self, shape: PlannedShape) -> int:
        if not self.plan.order.has_groups:
            return 0
        return sum(self.class_width + self.count_width(size) for size in self.sizes(shape))

    def category_bits(self, number: int) -> int:
        return self.categories - 1 - number

    def category(self, strength: int) -> int | None:
        """The number of a strength's category."""
        if strength < 0:
            return None
        if self.plan.best_low:
            strength = (1 << self.width) - 1 - strength
        return self.categories - 1 - (strength >> self.category_shift & ((1 << self.category_width) - 1))
