"""How cards are parted so that least is left (docs/rankings.md): all ways are tried, as many as hands/melds.py tries.

Cards that no melds connect are parted for themselves. What waits to be tried lies on a stack: the cards that are free,
what is left so far, how many melds have been chosen, and the last of these (-1: a card was left alone).
"""

from __future__ import annotations

from typing import NamedTuple

from trionfi.dsl.limits import MOST_MELDS, MOST_PARTINGS
from trionfi.interpreter.native.builder import I1, I64, Code, Mutable, Value, number
from trionfi.interpreter.native.melds import Masks

__all__ = ["Listing", "Result", "part", "surely_few"]


class Listing(NamedTuple):
    """Cards and their melds: pointers to the melds as masks, in the order in which they are tried, to the costs of the
    cards, and to what is saved at most from each card on; `most` cards there may be."""

    cards: Value
    melds: Value
    listed: Value
    costs: Value
    savings: Value
    most: int


class Result(NamedTuple):
    """What is left costs `cost`, unless there were too many ways; so many melds are written."""

    within: Value
    cost: Value
    melds: Value


def surely_few(code: Code, cards: Value, melds: Value) -> Value:
    """Whether there are so few melds that there cannot be too many ways: each set of melds comes to each card and to
    each meld once at most."""
    sets = code.builder.shl(code.add(cards, melds), code.smaller(melds, 32))
    return code.both(code.compare("<=", melds, 32), code.compare("<=", sets, MOST_PARTINGS))


def part(masks: Masks, of: Listing, out: Value) -> Result:
    """Writes the melds of the first of the best partings at `out`, in the order of their first cards."""
    code, free, search = masks.code, masks.variable(masks.full(of.cards)), PartingSearch(masks, of)
    cost, melds = (Mutable(code, I64, 0) for _ in range(2))
    with code.loop() as loop:
        rest = free.get()
        with code.when(code.either(masks.is_empty(rest), code.invert(search.within.get()))):
            loop.leave()
        cards = connected(masks, of, masks.lowest(rest))
        free.set(masks.without(rest, cards))
        search.run(cards, masks_behind(masks, out, melds.get()))
        cost.add(search.best.get())
        melds.add(search.chosen.get())
    in_order(masks, out, melds.get())
    return Result(search.within.get(), cost.get(), melds.get())


def masks_behind(masks: Masks, out: Value, count: Value) -> Value:
    return masks.code.at(out, masks.code.multiply(count, masks.size))


class PartingSearch:
    """Tries all partings of some cards: `best` is what the best leaves, `chosen` how many melds it has; `within`: there
    have not been too many so far, of all cards."""

    def __init__(self, masks: Masks, of: Listing) -> None:
        self.masks, self.code, self.of = masks, masks.code, of
        entries = of.most + MOST_MELDS + 2
        self.free = masks.room(entries)
        self.columns = [self.code.room(I64, entries) for _ in range(3)]
        self.path, self.starts = self.code.room(I64, of.most + 2), first_melds(masks, of)
        self.height, self.tried, self.best, self.chosen = (Mutable(self.code, I64, 0) for _ in range(4))
        self.within, self.known = Mutable(self.code, I1, 1), Mutable(self.code, I1, 0)

    def run(self, cards: Value, out: Value) -> None:
        code, masks = self.code, self.masks
        for variable in (self.height, self.best, self.chosen, self.known):
            variable.set(0)
        self.push(cards, number(0), number(0), number(-1))
        with code.loop() as loop:
            with code.when(code.compare("==", self.height.get(), 0)):
                loop.leave()
            free, cost, depth, meld = self.pop()
            with code.when(code.compare(">=", meld, 0)):
                code.store(I64, meld, self.path, code.subtract(depth, 1))
            place = code.choose(masks.is_empty(free), self.of.cards, masks.first(free))
            least = code.add(cost, code.load(I64, self.of.savings, place))
            with code.when(code.both(self.known.get(), code.compare(">=", least, self.best.get()))):
                loop.skip()
            with code.when(masks.is_empty(free)):
                self.keep(cost, depth, out)
                loop.skip()
            self.go_on(place, free, cost, depth)
            with code.when(code.invert(self.within.get()), likely=False):
                loop.leave()

    def keep(self, cost: Value, depth: Value, out: Value) -> None:
        """The best so far."""
        self.known.set(1)
        self.best.set(cost)
        self.chosen.set(depth)
        with self.code.count(depth) as index:
            mask = self.masks.load(self.of.listed, self.code.load(I64, self.path, index))
            self.masks.store(mask, out, index)

    def go_on(self, place: Value, free: Value, cost: Value, depth: Value) -> None:
        """A card waits to be left, and before that to lie in each meld that begins with it."""
        code, masks = self.code, self.masks
        first, behind = (code.load(I64, self.starts, code.add(place, step)) for step in (0, 1))
        melds = code.subtract(behind, first)
        self.tried.set(code.add(code.add(self.tried.get(), 1), melds))
        self.within.set(code.compare("<=", self.tried.get(), MOST_PARTINGS))
        alone = code.add(cost, code.load(I64, self.of.costs, place))
        self.push(masks.without(free, masks.lowest(free)), alone, depth, number(-1))
        with code.count(melds) as step:
            index = code.subtract(code.subtract(behind, 1), step)
            mask = masks.load(self.of.listed, index)
            with code.when(masks.same(masks.both(mask, free), mask)):
                self.push(masks.without(free, mask), cost, code.add(depth, 1), index)

    def push(self, free: Value, cost: Value, depth: Value, meld: Value) -> None:
        top = self.height.get()
        self.masks.store(free, self.free, top)
        for column, value in zip(self.columns, (cost, depth, meld), strict=True):
            self.code.store(I64, value, column, top)
        self.height.add(1)

    def pop(self) -> tuple[Value, Value, Value, Value]:
        self.height.add(-1)
        top = self.height.get()
        cost, depth, meld = (self.code.load(I64, column, top) for column in self.columns)
        return self.masks.load(self.free, top), cost, depth, meld


def first_melds(masks: Masks, of: Listing) -> Value:
    """Which is the first of the melds that begin with each card, and where those of the last one end."""
    code, starts = masks.code, masks.code.room(I64, of.most + 2)
    code.fill(starts, 0, 8 * (of.most + 2))
    with code.count(of.melds) as index:
        behind = code.add(masks.first(masks.load(of.listed, index)), 1)
        code.store(I64, code.add(code.load(I64, starts, behind), 1), starts, behind)
    with code.count(of.cards) as place:
        behind = code.add(place, 1)
        code.store(I64, code.add(code.load(I64, starts, place), code.load(I64, starts, behind)), starts, behind)
    return starts


def connected(masks: Masks, of: Listing, card: Value) -> Value:
    """The cards that melds connect with a card."""
    code, found, before = masks.code, masks.variable(card), masks.variable(masks.constant(0))
    with code.loop() as loop:
        now = found.get()
        with code.when(masks.same(now, before.get())):
            loop.leave()
        before.set(now)
        with code.count(of.melds) as index:
            mask = masks.load(of.listed, index)
            with code.when(masks.overlap(mask, found.get())):
                found.set(masks.either(found.get(), mask))
    return found.get()


def in_order(masks: Masks, out: Value, melds: Value) -> None:
    """Melds that share no card, by their first cards."""
    code, place = masks.code, Mutable(masks.code, I64)
    with code.count(melds, 1) as index:
        mask = masks.load(out, index)
        place.set(index)
        with code.loop() as loop:
            with code.when(code.compare("==", place.get(), 0)):
                loop.leave()
            before = masks.load(out, code.subtract(place.get(), 1))
            with code.when(code.compare("<", masks.first(before), masks.first(mask))):
                loop.leave()
            masks.store(before, out, place.get())
            place.add(-1)
        masks.store(mask, out, place.get())
