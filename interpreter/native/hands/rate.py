"""What a hand is worth, in straight-line code: each category is tried, the best that fits gives the strength.

The emitters of this file serve hands whose cards are given one by one by classes and hands of which the best is to be
found among more cards: a `RatedHand` says what there is. See `direct.py` and `exact.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from trionfi.interpreter.native.hands.plan import Failed, Plan, PlannedShape
from trionfi.interpreter.native.hands.strength import Strength
from trionfi.interpreter.native.hands.words import Lanes, Truth, Word, ones


@dataclass
class Multiset:
    """Cards by class: `levels[j]` has the classes of more than j cards, `counted[j]` those of more than j cards with
    the counted truth. `lone` classes are those whose cards are alike no other."""

    lanes: Lanes
    levels: Sequence[Word]
    counted: Sequence[Word]
    lone: int

    def at_least(self, size: int) -> Word:
        """Classes of at least so many cards."""
        return self.levels[size - 1] if size <= len(self.levels) else self.lanes.zero

    def alike(self, size: int) -> Word:
        """Classes of at least so many cards that are alike."""
        found = self.at_least(size)
        return found & ~self.lanes.constant(self.lone) if self.lone else found

    def without(self, bit: Word, size: int) -> Multiset:
        """Less `size` cards of a class, those with the counted truth first."""
        return Multiset(self.lanes, _less(self.levels, bit, size), _less(self.counted, bit, size), self.lone)

    def of_counted(self, bit: Word, size: int) -> Word:
        """How many of `size` cards of a class have the counted truth, if as many as can be have it."""
        result = self.lanes.zero
        for level in self.counted[:size]:
            result = (level & bit).is_set().number() + result
        return result

    def capped(self, most: int) -> Multiset:
        """The same, knowing that no class of cards alike has more than `most`."""
        levels = [level & self.lone for level in self.levels[most:]] if self.lone else []
        return Multiset(self.lanes, [*self.levels[:most], *levels], self.counted, self.lone)


def _less(levels: Sequence[Word], bit: Word, size: int) -> list[Word]:
    return [
        level.without(bit) | (levels[place + size] & bit) if place + size < len(levels) else level.without(bit)
        for place, level in enumerate(levels)
    ]


@dataclass
class View:
    """The cards that a pattern may take its hand from, if it `holds` at all. `blocks`: those present, for
    runs; of several any may have the run."""

    holds: Truth
    cards: Multiset
    blocks: Sequence[Word]


class RatedHand(Protocol):
    """Cards to make a hand of."""

    lanes: Lanes
    count: int  # of cards that the hand is to have

    def view(self, shape: PlannedShape) -> View:
        """The cards for this pattern; `holds`: its `same`, truths and sizes can be met."""
        ...

    def run_counted(self) -> Word:
        """How many cards of a run that takes all cards have the counted truth."""
        ...


class Rater:
    """Emits the categories of a ranking over a hand."""

    def __init__(self, plan: Plan, strength: Strength, hand: RatedHand) -> None:
        self.plan, self.strength, self.hand = plan, strength, hand
        self.lanes = hand.lanes

    def rate(self) -> Word:
        """Category and groups of the best category that fits; -1 if none does."""
        result = self.lanes.constant(-1)
        for shape, fits, groups in reversed(self._rated()):
            key = groups | self.strength.category_bits(shape.number) << self.strength.groups_width
            result = fits.choose(key, result)
        return result

    def category(self) -> Word:
        """The best category that fits, as it stands in strengths; -1 if none does."""
        result = self.lanes.constant(-1)
        for shape, fits, _ in reversed(self._rated()):
            result = fits.choose(self.strength.category_bits(shape.number), result)
        return result

    def groups(self, wanted: PlannedShape) -> Word:
        """The groups of a hand whose category is known."""
        failed = Failed()
        for shape in self.plan.shapes:
            if shape is wanted:
                break
            failed.add(shape, self.hand.count, self.hand.count)
        return self._shape(wanted, failed)[1]

    def _rated(self) -> list[tuple[PlannedShape, Truth, Word]]:
        """Each category with whether it fits and its groups, down to one that always fits."""
        rated = []
        failed = Failed()
        for shape in self.plan.shapes:
            fits, groups = self._shape(shape, failed)
            if not fits.never:
                rated.append((shape, fits, groups))
            if fits.always:
                break
            failed.add(shape, self.hand.count, self.hand.count)
        return rated

    def _shape(self, shape: PlannedShape, failed: Failed) -> tuple[Truth, Word]:
        view = self.hand.view(shape)
        if shape.run:
            tops = self.lanes.zero
            for blocks in view.blocks:
                tops = tops | run_tops(self.plan, blocks, shape.run)
            return view.holds & tops.is_set(), self._run_group(view, tops, shape.run)
        return self._parts(shape, view, failed)

    def _run_group(self, view: View, tops: Word, length: int) -> Word:
        """A run is one group, its card the top one."""
        if not self.plan.order.has_groups:
            return self.lanes.zero
        if self.plan.depth == 1:
            height = tops.height()
        else:
            block = tops.height() - 1
            there = (self.lanes.constant(ones(self.plan.depth)) << (block * self.plan.depth)) & view.cards.at_least(1)
            height = there.height()
        width = self.strength.count_width(length)
        return height << width | self.hand.run_counted() if width else height

    def _parts(self, shape: PlannedShape, view: View, failed: Failed) -> tuple[Truth, Word]:
        """The largest part from the highest class that has enough cards, then the next, then the highest of the rest.

        That a part takes the highest class never spoils the second part: a class that was enough for the first is
        enough for the second, too. Three parts could spoil each other.
        """
        rest, fits, key = view.cards, view.holds, self.lanes.zero
        taken: tuple[int, ...] = ()
        free = shape.same is None
        if view.holds.never or sum(shape.alike) > self.hand.count:
            return self.lanes.never, key
        for size in shape.alike:
            rest = rest.capped(failed.most(taken, len(rest.levels))) if free else rest
            there = rest.alike(size)
            fits = fits & there.is_set()
            rest, key = self._take(rest, there, size, key)
            taken = (*taken, size)
        if not self.plan.order.has_groups:
            return fits, self.lanes.zero
        for _ in range(self.hand.count - sum(shape.alike)):
            rest = rest.capped(failed.most(taken, len(rest.levels))) if free else rest
            rest, key = self._take(rest, rest.at_least(1), 1, key)
        missing = shape.size[1] - self.hand.count
        return fits, key << missing * (self.strength.class_width + self.strength.count_width(1))

    def _take(self, rest: Multiset, there: Word, size: int, key: Word) -> tuple[Multiset, Word]:
        """Takes a group of the highest class that is there; gives what is left, and the key with the group added."""
        height, bit = there.peel()
        width = self.strength.count_width(size)
        field = height << width | rest.of_counted(bit, size) if width else height
        return rest.without(bit, size), key << (self.strength.class_width + width) | field


def run_tops(plan: Plan, blocks: Word, length: int) -> Word:
    """The blocks that are the top of a run of that length."""
    tops = blocks.lanes.zero
    for order in _joined(plan.orders(), length):
        tops = tops | _tops_of(blocks, order, length)
    return tops


def _joined(orders: Sequence[Sequence[int]], length: int) -> list[list[int]]:
    """The orders, two that differ by one place joined to one: ace 2 3 .. king and 2 3 .. king ace."""
    if len(orders) == 2 and list(orders[0][1:]) == list(orders[1][:-1]) and length < len(orders[0]):
        return [[*orders[0], orders[1][-1]]]
    return [list(order) for order in orders]


def _tops_of(blocks: Word, order: Sequence[int], length: int) -> Word:
    """Puts the blocks side by side as they follow in the order, finds stretches, and puts their tops back."""
    pieces = _pieces(order)
    line = blocks.lanes.zero
    for start, first, count in pieces:
        line = line | moved(blocks & (ones(count) << first), start - first)
    have = 1
    while have < length:
        step = min(have, length - have)
        line, have = line & (line << step), have + step
    tops = blocks.lanes.zero
    for start, first, count in pieces:
        if start + count >= length:
            tops = tops | moved(line & (ones(count) << start), first - start)
    return tops


def moved(word: Word, places: int) -> Word:
    return word << places if places >= 0 else word >> -places


def _pieces(order: Sequence[int]) -> list[tuple[int, int, int]]:
    """Stretches of an order in which block follows block: (place of the first, its block, how many). -1: no block."""
    pieces: list[tuple[int, int, int]] = []
    for place, block in enumerate(order):
        if block < 0:
            continue
        if pieces and pieces[-1][0] + pieces[-1][2] == place and pieces[-1][1] + pieces[-1][2] == block:
            start, first, count = pieces[-1]
            pieces[-1] = start, first, count + 1
        else:
            pieces.append((place, block, 1))
    return pieces
