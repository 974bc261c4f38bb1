"""Melds: whether cards are one, and how a hand is best parted into them (hands/melds.py says what is computed).

What a card is worth to melds is read off it once, by the reference evaluator, into tables by code. An arrangement is
a block of memory: its cost, how many melds and single cards it has, where each meld ends, the single cards, and the
cards of the melds one behind the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.hands import HandTable, MeldEvaluator
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I64,
    POINTER,
    TRUE,
    VOID,
    Code,
    Loop,
    Value,
    Variable,
    function,
    number,
    table,
)
from trionfi.interpreter.native.lowering import CannotLower, Lower, Lowering
from trionfi.interpreter.native.values import Cards, Sets

if TYPE_CHECKING:
    from trionfi.interpreter.hands.patterns import Pattern
    from trionfi.interpreter.native.hands import CardTable
    from trionfi.interpreter.native.layout import Layout


@dataclass(frozen=True, slots=True)
class SetsRoom:
    """Where the parts of an arrangement lie in its block, in bytes; `size` of the block."""

    ends: int
    left: int
    melded: int
    size: int

    @property
    def words(self) -> int:
        return self.size // 8


def sets_room(layout: Layout) -> SetsRoom:
    most = min(62, layout.cards.count)
    cards = (most * int(layout.card_kind.width) // 8 + 8) // 8 * 8
    ends, left = 24, 24 + 8 * most
    return SetsRoom(ends, left, left + cards, left + 2 * cards)


def sets_size(layout: Layout) -> int:
    """Bytes that an arrangement takes."""
    return sets_room(layout).size


MOST_MELDS = 1 << 12  # that may be found in one hand
ALL, GROWS = 1, 2  # of some cards: they are a meld; more cards may make one of them


@dataclass(frozen=True)
class MeldTables:
    """Melds made ready for the cards: a column each, by code."""

    patterns: Sequence[Pattern]
    alike: list[int]  # -1: like no other card
    places: list[list[int]]  # a column for each order of ranks: the place in it, -1 for none
    same: list[list[int]]  # masks
    truths: list[list[int]]
    cost: list[int]


def meld_tables(spec: tree.MeldSpec, cards: CardTable) -> MeldTables:
    evaluator = MeldEvaluator(spec, cards.host)
    if evaluator.reader.bound or "table" in reads([spec.cost] if spec.cost is not None else []):
        raise CannotLower(f"{spec.span}: melds that depend on more than their cards")
    hands, codes = HandTable(cards.looks), range(len(cards.looks))
    readings = [evaluator.reader.readings(hands, code) for code in codes]
    if any(len(of_one) != 1 for of_one in readings):
        raise CannotLower(f"{spec.span}: melds of cards that may be read as several")
    read = [of_one[0] for of_one in readings]
    patterns = evaluator.patterns
    spare = [None] * max(0, len(spec.locals) - 1)
    return MeldTables(
        patterns=patterns.patterns,
        alike=[-1 if one.alike is None else one.alike for one in read],
        places=[[order.index(one.run) if one.run in order else -1 for one in read] for order in patterns.orders],
        same=[[one.same[which] for one in read] for which in range(len(patterns.same))],
        truths=[[int(one.truths[which]) for one in read] for which in range(len(patterns.truths))],
        cost=[1 if evaluator.cost is None else int(evaluator.cost(hands, [code, *spare])) for code in codes],
    )


# ---- is it a meld?


def lower_is_meld(f: Lowering, node: tree.IsMeld) -> Value:
    cards = f.expression(node.cards)
    codes = codes_in(f, cards)
    found = f.code.call(fitting(f, node.meld), [codes, cards.count])
    return f.code.both(f.code.has_bit(found, 0), f.code.compare(">", cards.count, 0))


def codes_in(f: Lowering, cards: Cards) -> Value:
    from trionfi.interpreter.native.lower_hands import codes_of

    return codes_of(f, cards, f.layout.cards.count)


def fitting(f: Lowering, spec: tree.MeldSpec) -> ir.Function:
    """fits(codes, count): ALL if the cards are a meld, GROWS if more cards may make one of them."""
    key = ("meld fits", spec.name)
    if key in f.build.kernels:
        return f.build.kernels[key]
    tables = f.build.melds(spec)
    with function(f.build.module, f"meld.{spec.name}", I64, [POINTER, I64]) as code:
        f.build.kernels[key] = code.function
        whole, grows = FALSE, FALSE
        for pattern in tables.patterns:
            is_meld, may_grow = Fit(f, code, spec.name, tables, pattern).read()
            whole, grows = code.either(whole, is_meld), code.either(grows, may_grow)
        code.give(code.builder.or_(code.number_of(whole), code.builder.shl(code.number_of(grows), number(1))))
    return f.build.kernels[key]


class Fit:
    """Whether some cards fit one pattern, and whether they may grow to."""

    def __init__(self, f: Lowering, code: Code, name: str, tables: MeldTables, pattern: Pattern) -> None:
        if len(pattern.parts) > 1:
            raise CannotLower(f"melds {name}: a meld of several parts")
        self.f, self.code, self.name, self.tables, self.pattern = f, code, name, tables, pattern
        self.part = pattern.parts[0] if pattern.parts else None
        self.good: list[Variable] = []

    def column(self, name: str, values: list[int], kind: ir.IntType, card: Value) -> Value:
        return self.code.load(kind, table(self.f.build.module, f"meld {self.name} {name}", kind, values), card)

    def read(self) -> tuple[Value, Value]:
        code, pattern = self.code, self.pattern
        codes, count = code.arguments
        shared = Variable(code, I64, -1)
        alike = Variable(code, I1, 1)
        first = self.column("alike", self.tables.alike, I16, code.load(I16, codes, 0, signed=False))
        seen = [Variable(code, I64, 0) for _ in self.tables.places]
        apart = [Variable(code, I1, 1) for _ in self.tables.places]
        truths = [Variable(code, I64, 0) for _ in pattern.truths]
        with code.count(count) as index:
            card = code.load(I16, codes, index, signed=False)
            if pattern.same is not None:
                own = self.column(f"same {pattern.same}", self.tables.same[pattern.same], I64, card)
                shared.set(code.builder.and_(shared.get(), own))
            kind = self.column("alike", self.tables.alike, I16, card)
            one_kind = code.both(code.compare("==", kind, first), code.compare(">=", kind, 0))
            alike.set(code.both(alike.get(), one_kind))
            for order, (places, distinct) in enumerate(zip(seen, apart, strict=True)):
                self._note_place(order, card, places, distinct)
            for (which, _, _), total in zip(pattern.truths, truths, strict=True):
                total.add(self.column(f"truth {which}", self.tables.truths[which], I8, card))
        stretch = [self._stretch(*pair, count) for pair in zip(seen, apart, strict=True)]
        fits = code.compare("!=", shared.get(), 0) if pattern.same is not None else TRUE
        grown, growing = self._part(alike.get(), [d.get() for d in apart], stretch)
        whole = code.both(code.both(fits, grown), self._size(count, truths))
        most = min(pattern.size[1], self.part.high if self.part else 1 << 30)
        return whole, code.both(code.both(fits, growing), code.compare("<", count, most))

    def _note_place(self, order: int, card: Value, seen: Variable, apart: Variable) -> None:
        code = self.code
        place = self.column(f"order {order}", self.tables.places[order], I8, card)
        bit = code.bit(code.larger(place, 0))
        fresh = code.compare("==", code.builder.and_(seen.get(), bit), 0)
        apart.set(code.both(apart.get(), code.both(fresh, code.compare(">=", place, 0))))
        seen.set(code.builder.or_(seen.get(), bit))

    def _stretch(self, seen: Variable, apart: Variable, count: Value) -> Value:
        """Whether the ranks stand side by side."""
        code = self.code
        mask = seen.get()
        low = code.builder.cttz(code.builder.or_(mask, number(1 << 62)), ir.Constant(I1, 0))
        stretch = code.subtract(code.bit(count), 1)
        return code.both(apart.get(), code.compare("==", code.builder.lshr(mask, low), stretch))

    def _part(self, alike: Value, apart: list[Value], stretches: list[Value]) -> tuple[Value, Value]:
        """Whether the part holds, and whether it may hold of more cards."""
        if self.part is None:
            return TRUE, TRUE
        if self.part.kind == "alike":
            return alike, alike
        return reduce(self.code.either, stretches, FALSE), reduce(self.code.either, apart, FALSE)

    def _size(self, count: Value, truths: list[Variable]) -> Value:
        code, (low, high) = self.code, self.pattern.size
        if self.part is not None:
            low, high = max(low, self.part.low), min(high, self.part.high)
        result = code.both(code.compare(">=", count, max(1, low)), code.compare("<=", count, high))
        for (_, least, most), total in zip(self.pattern.truths, truths, strict=True):
            enough = (
                code.compare(">=", total.get(), least) if most is not None else code.compare("==", total.get(), count)
            )
            result = code.both(result, enough)
            if most is not None:
                result = code.both(result, code.compare("<=", total.get(), most))
        return result


# ---- the best arrangement


def lower_arranged(f: Lowering, node: tree.Arranged) -> Sets:
    cards = f.expression(node.cards)
    most = min(62, f.layout.cards.count)
    f.fail_when(f.code.compare(">", cards.count, most), "number-too-large", node.span)
    room = f.code.room(I64, sets_room(f.layout).words)
    count = f.code.smaller(cards.count, most)
    codes = codes_in(f, Cards(cards.pointer, count))
    f.code.call(arranging(f, node), [f.state, cards.pointer, codes, count, room])
    return Sets(room)


def arranging(f: Lowering, node: tree.Arranged) -> ir.Function:
    """arrange(state, cards, codes, count, out)"""
    spec = node.meld
    key = ("arranged", spec.name)
    if key in f.build.kernels:
        return f.build.kernels[key]
    fits = fitting(f, spec)
    with function(f.build.module, f"arranged.{spec.name}", VOID, [POINTER, POINTER, POINTER, I64, POINTER]) as code:
        f.build.kernels[key] = code.function
        hand = Hand(f, code, spec, node)
        hand.find_melds(fits)
        hand.find_least()
        hand.write()
        code.give()
    return f.build.kernels[key]


class Hand:
    """One hand while it is arranged. Its cards are named by their places in it, sets of them by masks."""

    def __init__(self, f: Lowering, code: Code, spec: tree.MeldSpec, node: tree.Arranged) -> None:
        self.f, self.code = f, code
        self.state, self.cards, self.codes, self.count, self.out = code.arguments
        self.most = min(62, f.layout.cards.count) + 1
        self.melds = code.room(I64, MOST_MELDS)
        self.found = Variable(code, I64, 0)
        self.starts = code.room(I64, self.most + 1)  # the first meld whose lowest card is this one
        self.chosen = code.room(I64, self.most)  # for each card: the meld that begins with it, -1 for none
        self.best = code.room(I64, self.most)
        self.best_cost = Variable(code, I64, 0)
        self.costs = self._costs(spec)
        self.site = f.build.error_site("number-too-large", node.span)

    def _costs(self, spec: tree.MeldSpec) -> Value:
        code, room = self.code, self.code.room(I64, self.most)
        column = table(self.f.build.module, f"meld {spec.name} cost", I64, self.f.build.melds(spec).cost)
        with code.count(self.count) as index:
            code.store(I64, code.load(I64, column, code.load(I16, self.codes, index, signed=False)), room, index)
        return room

    # ---- all melds, in the order of their places

    def find_melds(self, fits: ir.Function) -> None:
        code = self.code
        places, some, masks = (code.room(kind, self.most) for kind in (I64, I16, I64))
        with code.count(self.count) as first:
            code.store(I64, self.found.get(), self.starts, first)
            depth = Variable(code, I64, 1)

            def put(level: Value, place: Value) -> None:
                code.store(I64, place, places, level)
                code.store(I16, code.load(I16, self.codes, place, signed=False), some, level)
                below = code.choose(
                    code.compare(">", level, 0), code.load(I64, masks, code.larger(code.subtract(level, 1), 0)), 0
                )
                code.store(I64, code.builder.or_(below, code.bit(place)), masks, level)

            put(number(0), first)
            with code.loop() as loop:
                fit = code.call(fits, [some, depth.get()])
                top = code.subtract(depth.get(), 1)
                with code.when(code.has_bit(fit, 0)):
                    self._note(code.load(I64, masks, top))
                following = code.add(code.load(I64, places, top), 1)
                more = code.compare("<", following, self.count)
                with code.when(code.both(code.has_bit(fit, 1), more)):
                    put(depth.get(), following)
                    depth.add(1)
                    loop.skip()
                self._advance(places, put, depth, loop)
        code.store(I64, self.found.get(), self.starts, self.count)

    def _note(self, mask: Value) -> None:
        code = self.code
        with code.when(code.compare(">=", self.found.get(), MOST_MELDS), likely=False):
            code.call(kernels.fail(self.f.build), [self.state, number(self.site), 0])
            self.found.set(MOST_MELDS - 1)
        code.store(I64, mask, self.melds, self.found.get())
        self.found.add(1)

    def _advance(self, places: Value, put: Callable[[Value, Value], None], depth: Variable, outer: Loop) -> None:
        """Goes on to the next set behind: the last card that has a follower moves to it."""
        code = self.code
        with code.loop() as back:
            with code.when(code.compare("<=", depth.get(), 1)):
                outer.leave()
            level = code.subtract(depth.get(), 1)
            following = code.add(code.load(I64, places, level), 1)
            with code.when(code.compare("<", following, self.count)):
                put(level, following)
                back.leave()
            depth.set(level)

    # ---- the least cost: card by card, each in one of its melds or alone

    def find_least(self) -> None:
        code = self.code
        saving = self._saving()
        taken, spent, tried = (code.room(I64, self.most + 1) for _ in range(3))
        place, any_best = Variable(code, I64, 0), Variable(code, I1, 0)
        code.store(I64, 0, taken)
        code.store(I64, 0, spent)
        entered = Variable(code, I1, 1)
        with code.loop() as loop:
            with code.when(entered.get()):
                entered.set(0)
                cost = code.load(I64, spent, place.get())
                hopeless = code.compare(">=", code.add(cost, code.load(I64, saving, place.get())), self.best_cost.get())
                with code.when(code.both(any_best.get(), hopeless)):
                    self._back(place, loop)
                with code.when(code.compare("==", place.get(), self.count)):
                    self.best_cost.set(cost)
                    any_best.set(1)
                    code.copy(self.best, self.chosen, code.multiply(self.count, 8))
                    self._back(place, loop)
                self._begin(place.get(), taken, tried)
            self._try_next(place, taken, spent, tried, entered, loop)

    def _saving(self) -> Value:
        """What is still saved at most from a card on, by cards that cost less than nothing."""
        code, room = self.code, self.code.room(I64, self.most + 1)
        code.store(I64, 0, room, self.count)
        with code.count(self.count) as done:
            place = code.subtract(code.subtract(self.count, done), 1)
            own = code.smaller(code.load(I64, self.costs, place), 0)
            code.store(I64, code.add(code.load(I64, room, code.add(place, 1)), own), room, place)
        return room

    def _back(self, place: Variable, loop: Loop) -> None:
        """To the card before; at the first the search is over."""
        code = self.code
        with code.when(code.compare("==", place.get(), 0)):
            loop.leave()
        place.set(code.subtract(place.get(), 1))
        loop.skip()

    def _begin(self, place: Value, taken: Value, tried: Value) -> None:
        """The first choice at a card; of one that is taken only that it is passed over."""
        code = self.code
        is_taken = code.has_bit(code.load(I64, taken, place), place)
        start, end = code.load(I64, self.starts, place), code.load(I64, self.starts, code.add(place, 1))
        code.store(I64, code.choose(is_taken, end, start), tried, place)

    def _try_next(
        self, place: Variable, taken: Value, spent: Value, tried: Value, entered: Variable, loop: Loop
    ) -> None:
        code, here = self.code, place.get()
        choice, end = code.load(I64, tried, here), code.load(I64, self.starts, code.add(here, 1))
        with code.when(code.compare(">", choice, end)):
            self._back(place, loop)
        code.store(I64, code.add(choice, 1), tried, here)
        mask, cost = code.load(I64, taken, here), code.load(I64, spent, here)
        following = code.add(here, 1)
        with code.otherwise(code.compare("==", choice, end)) as other:
            alone = code.choose(code.has_bit(mask, here), 0, code.load(I64, self.costs, here))
            code.store(I64, -1, self.chosen, here)
            code.store(I64, mask, taken, following)
            code.store(I64, code.add(cost, alone), spent, following)
            other()
            meld = code.load(I64, self.melds, choice)
            with code.when(code.compare("!=", code.builder.and_(meld, mask), 0)):
                loop.skip()
            code.store(I64, choice, self.chosen, here)
            code.store(I64, code.builder.or_(mask, meld), taken, following)
            code.store(I64, cost, spent, following)
        place.set(following)
        entered.set(1)

    # ---- the result

    def write(self) -> None:
        code, plan = self.code, sets_room(self.f.layout)
        kind = self.f.layout.card_kind
        melds, left, used = Variable(code, I64, 0), Variable(code, I64, 0), Variable(code, I64, 0)
        melded, cards = Variable(code, I64, 0), code.at(self.out, plan.melded)
        with code.count(self.count) as place:
            choice = code.load(I64, self.best, place)
            card = code.load(kind, self.cards, place, signed=False)
            alone = code.both(code.compare("<", choice, 0), code.invert(code.has_bit(melded.get(), place)))
            code.store(kind, card, code.at(self.out, plan.left), left.get())
            left.set(code.add(left.get(), code.number_of(alone)))
            with code.when(code.compare(">=", choice, 0)):
                mask = code.load(I64, self.melds, choice)
                melded.set(code.builder.or_(melded.get(), mask))
                with code.count(self.count) as other:
                    code.store(kind, code.load(kind, self.cards, other, signed=False), cards, used.get())
                    used.set(code.add(used.get(), code.number_of(code.has_bit(mask, other))))
                code.store(I64, used.get(), code.at(self.out, plan.ends), melds.get())
                melds.add(1)
        for word, value in enumerate((self.best_cost, melds, left)):
            code.store(I64, value.get(), self.out, word)


# ---- reading arrangements


def arrangement_cost(f: Lowering, value: Sets) -> Value:
    return f.code.load(I64, value.pointer, 0)


def arrangement_left(f: Lowering, value: Sets) -> Cards:
    return Cards(f.code.at(value.pointer, sets_room(f.layout).left), f.code.load(I64, value.pointer, 2))


def meld_count(f: Lowering, value: Sets) -> Value:
    return f.small(f.code.load(I64, value.pointer, 1), 62)


def meld_at(f: Lowering, value: Sets, index: Value) -> Cards:
    plan = sets_room(f.layout)
    ends = f.code.at(value.pointer, plan.ends)
    before = f.code.larger(f.code.subtract(index, 1), 0)
    start = f.code.choose(f.code.compare("==", index, 0), 0, f.code.load(I64, ends, before))
    count = f.code.subtract(f.code.load(I64, ends, index), start)
    size = int(f.layout.card_kind.width) // 8
    return Cards(f.code.at(f.code.at(value.pointer, plan.melded), start, size), f.small(count, 62))


def melds_of(f: Lowering, value: Sets) -> tuple[Value, Callable[[Value], Cards]]:
    """How many melds an arrangement has, and what gives one of them."""
    return meld_count(f, value), lambda index: meld_at(f, value, index)


def arrangement_attribute(f: Lowering, node: tree.Attribute) -> Any:
    return ATTRIBUTES[node.name](f, f.expression(node.operand))


ATTRIBUTES: dict[str, Callable[[Lowering, Sets], Any]] = {
    "cost": arrangement_cost,
    "left": arrangement_left,
    "melds": lambda _f, value: value,
}

TABLE: dict[type, Lower] = {tree.Arranged: lower_arranged, tree.IsMeld: lower_is_meld}
