"""The melds among some cards (docs/rankings.md), and sets of cards as masks.

Cards are bits of a mask, by their places in the hand; masks are as wide as the game has cards. Which melds there
are follows from the facts of the kinds, whatever they are: for each part that a kind names a loop over the ways to make
it from the cards that are free, one inside the other. Cards count as they are now; each counts as one card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_MELD_WAYS
from trionfi.dsl.types import Type
from trionfi.interpreter.hands.patterns import Named, Pattern, Patterns, chosen_from
from trionfi.interpreter.native.access import card_at
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import FALSE, I1, I8, I64, TRUE, Code, Mutable, Number, Value, number, table
from trionfi.interpreter.native.values import CardList

if TYPE_CHECKING:
    pass

BUCKETS = 1024  # so many values are told apart by a table

Found = Callable[[Value], None]  # what is done with a mask that has been found

# ---- masks


class Masks:
    """Arithmetic of masks in one function."""

    def __init__(self, code: Code, kind: ir.IntType) -> None:
        self.code, self.kind = code, kind
        self.size = int(kind.width) // 8

    def constant(self, value: int) -> Value:
        return ir.Constant(self.kind, value)

    def variable(self, start: Value) -> Mutable:
        """A mask that changes; it is set anew wherever this stands, also in a loop."""
        made = Mutable(self.code, self.kind)
        made.set(start)
        return made

    def _wide(self, value: Value) -> Value:
        return value if self.kind.width == 64 else self.code.builder.zext(value, self.kind)

    def _narrow(self, value: Value) -> Value:
        return value if self.kind.width == 64 else self.code.builder.trunc(value, I64)

    def bit(self, place: Value) -> Value:
        return self.code.builder.shl(self.constant(1), self._wide(number(place)))

    def full(self, count: Value) -> Value:
        """The mask of so many cards."""
        spare = self._wide(self.code.subtract(int(self.kind.width), count))
        shifted = self.code.builder.lshr(self.constant(-1), spare)
        return self.code.builder.select(self.code.compare("==", count, 0), self.constant(0), shifted)

    def is_empty(self, mask: Value) -> Value:
        return self.same(mask, self.constant(0))

    def same(self, one: Value, other: Value) -> Value:
        return self.code.builder.icmp_unsigned("==", one, other)

    def overlap(self, one: Value, other: Value) -> Value:
        return self.code.invert(self.is_empty(self.both(one, other)))

    def both(self, one: Value, other: Value) -> Value:
        return self.code.builder.and_(one, other)

    def either(self, one: Value, other: Value) -> Value:
        return self.code.builder.or_(one, other)

    def without(self, one: Value, other: Value) -> Value:
        return self.both(one, self.code.builder.not_(other))

    def count(self, mask: Value) -> Value:
        return self._narrow(self.code.builder.ctpop(mask))

    def first(self, mask: Value) -> Value:
        """The place of the lowest bit."""
        return self._narrow(self.code.builder.cttz(mask, ir.Constant(I1, 0)))

    def lowest(self, mask: Value) -> Value:
        """The lowest bit alone."""
        return self.both(mask, self.code.builder.neg(mask))

    def load(self, pointer: Value, index: Number = 0) -> Value:
        return self.code.builder.load(self.code.at(pointer, index, self.size), typ=self.kind, align=8)

    def store(self, mask: Value, pointer: Value, index: Number = 0) -> None:
        self.code.builder.store(mask, self.code.at(pointer, index, self.size), align=8)

    def room(self, count: int) -> Value:
        return self.code.room(I64, max(2, count * self.size // 8))

    @contextmanager
    def each(self, mask: Value) -> Iterator[Value]:
        """The places of a mask, lowest first."""
        left = self.variable(mask)
        with self.code.loop() as loop:
            rest = left.get()
            with self.code.when(self.is_empty(rest)):
                loop.leave()
            left.set(self.without(rest, self.lowest(rest)))
            yield self.first(rest)

    @contextmanager
    def subsets(self, mask: Value, low: int, high: Number, most: int) -> Iterator[Value]:
        """The subsets of low to high cards, and of one at least, of a mask of `most` cards at most."""
        code, low = self.code, max(1, low)
        choices, paths, size = self.room(most + 1), self.room(most + 1), Mutable(code, I64)
        self.store(mask, choices)
        self.store(self.constant(0), paths)
        size.set(0)
        with code.loop() as loop:
            here = self.load(choices, size.get())
            with code.when(self.is_empty(here)):
                with code.when(code.compare("==", size.get(), 0)):
                    loop.leave()
                size.add(-1)
                loop.skip()
            card = self.lowest(here)
            others = self.without(here, card)
            self.store(others, choices, size.get())
            subset, grown = self.either(self.load(paths, size.get()), card), code.add(size.get(), 1)
            # what has too few cards behind it does not grow to `low`
            enough = code.compare(">=", code.add(grown, self.count(others)), low)
            with code.when(code.both(enough, code.compare("<", grown, high))):
                self.store(subset, paths, grown)
                self.store(others, choices, grown)
                size.set(grown)
            with code.when(code.compare(">=", grown, low)):
                yield subset


# ---- reading a hand


class MeldHand:
    """Some cards, and what the facts of the kinds ask of them."""

    def __init__(self, f: Body, spec: tree.MeldSpec, cards: CardList) -> None:
        self.f, self.code, self.spec, self.cards = f, f.code, spec, cards
        self.most = f.layout.cards.count
        self.masks = Masks(f.code, f.layout.mask_kind)
        self.patterns: Patterns = f.build.melds(spec)
        self.full = self.masks.full(cards.count)
        self.alike = self._grouped(self.patterns.alike) if self.patterns.alike else None
        self.same = [self._grouped(properties) for properties in self.patterns.same]
        self.truths = [self._true_of(properties[0]) for properties in self.patterns.truths]
        self.ranks = self._read(self.patterns.run) if self.patterns.run is not None else None

    def _value(self, of: tree.CardProperty, place: Value) -> Any:
        return self.f.build.value_of(self.f, of.expr, card_at(self.f, self.cards, place))

    def _read(self, of: tree.CardProperty) -> Value:
        """The property of each card, place by place."""
        room = self.code.room(I64, max(2, self.most))
        with self.code.count(self.cards.count) as place:
            value = self._value(of, place)
            self.code.store(I64, self.code.number_of(value) if value.type is I1 else value, room, place)
        return room

    def _true_of(self, of: tree.CardProperty) -> Value:
        mask = self.masks.variable(self.masks.constant(0))
        with self.code.count(self.cards.count) as place:
            with self.code.when(self._value(of, place)):
                mask.set(self.masks.either(mask.get(), self.masks.bit(place)))
        return mask.get()

    def _grouped(self, properties: Sequence[tree.CardProperty]) -> Value:
        """For each card the mask of those with the same values; nothing for one that lacks a value."""
        columns = [self._read(of) for of in properties]
        groups = self.masks.room(self.most)
        sizes = [self._domain(of.expr.type) for of in properties]
        every = 1
        for size in sizes:
            every *= size or BUCKETS + 1
        if every <= BUCKETS:
            self._by_table(self._keys(columns, sizes), every, groups)
        else:
            self._by_pairs(properties, columns, groups)
        return groups

    def _domain(self, kind: Type) -> int | None:
        """How many values a type has; None for numbers."""
        if kind.kind == "truth":
            return 2
        return len(self.f.rules.enumerations[kind.name].members) if kind.kind == "enum" else None

    def _keys(self, columns: Sequence[Value], sizes: Sequence[int | None]) -> Value:
        """One small number for the values of each card; -1 if a value is missing."""
        code, keys = self.code, self.code.room(I64, max(2, self.most))
        with code.count(self.cards.count) as place:
            key, missing = number(0), FALSE
            for column, size in zip(columns, sizes, strict=True):
                value = code.load(I64, column, place)
                key = code.add(code.multiply(key, size or 1), value)
                missing = code.either(missing, code.compare("<", value, 0))
            code.store(I64, code.choose(missing, -1, key), keys, place)
        return keys

    def _by_table(self, keys: Value, size: int, groups: Value) -> None:
        code, masks = self.code, self.masks
        buckets = masks.room(size + 1)
        code.fill(buckets, 0, (size + 1) * masks.size)
        with code.count(self.cards.count) as place:
            bucket = code.add(code.load(I64, keys, place), 1)  # the first is for what lacks a value
            masks.store(masks.either(masks.load(buckets, bucket), masks.bit(place)), buckets, bucket)
        masks.store(masks.constant(0), buckets)
        with code.count(self.cards.count) as place:
            masks.store(masks.load(buckets, code.add(code.load(I64, keys, place), 1)), groups, place)

    def _by_pairs(self, properties: Sequence[tree.CardProperty], columns: Sequence[Value], groups: Value) -> None:
        code, masks = self.code, self.masks
        with code.count(self.cards.count) as place:
            mask = masks.variable(masks.constant(0))
            with code.count(self.cards.count) as other:
                alike = TRUE
                for column, of in zip(columns, properties, strict=True):
                    mine, theirs = (code.load(I64, column, one) for one in (place, other))
                    alike = code.both(alike, code.compare("==", mine, theirs))
                    if may_lack(of.expr):
                        alike = code.both(alike, code.compare(">=", mine, 0))
                with code.when(alike):
                    mask.set(masks.either(mask.get(), masks.bit(other)))
            masks.store(mask.get(), groups, place)


def may_lack(value: tree.Expr) -> bool:
    """Whether a property may be none: of numbers only that of a card."""
    if value.type.kind != "number":
        return value.type.kind != "truth"
    return isinstance(value, tree.Attribute) and value.name == "number" and value.operand.type.kind == "card"


# ---- listing melds


def list_melds(hand: MeldHand, found: Found, all_of_them: bool = False) -> None:
    """All melds among the cards, in no order; some may come twice. `all_of_them`: only one of all cards is sought, and
    of the other melds some are left out."""
    for pattern in hand.patterns.patterns:
        if all_of_them and not pattern.parts:
            in_scopes(hand, pattern, partial(whole, hand, pattern, found))
        else:
            in_scopes(hand, pattern, partial(list_pattern, hand, pattern, found))


def whole(hand: MeldHand, pattern: Pattern, found: Found, scope: Value) -> None:
    """A scope of which every card is in the meld."""
    with hand.code.when(facts_hold(hand, pattern, scope)):
        found(scope)


def in_scopes(hand: MeldHand, pattern: Pattern, do: Found) -> None:
    """The sets of cards among which those of a meld all lie: each group of those that share what should be the same."""
    if pattern.same is None:
        do(hand.full)
        return
    with hand.masks.each(hand.full) as place:
        group = hand.masks.load(hand.same[pattern.same], place)
        with hand.code.when(is_first(hand, group, place)):
            do(group)


def list_pattern(hand: MeldHand, pattern: Pattern, found: Found, scope: Value) -> None:
    """All melds of one kind in a scope."""
    low, high = pattern.size
    least = max(1, low, sum(max(1, part.low) for part in pattern.parts))

    def checked(mask: Value) -> None:
        with hand.code.when(facts_hold(hand, pattern, mask)):
            found(mask)

    with hand.code.when(hand.code.compare(">=", hand.masks.count(scope), least)):
        if pattern.parts:
            list_parts(hand, pattern.parts, scope, hand.masks.constant(0), checked)
            return
        with hand.masks.subsets(scope, least, high, hand.most) as mask:
            checked(mask)


def is_first(hand: MeldHand, group: Value, place: Value) -> Value:
    """Whether a place is the first of a group: so that each group comes once."""
    return hand.code.compare("==", hand.masks.first(group), place)


def facts_hold(hand: MeldHand, pattern: Pattern, mask: Value) -> Value:
    """Whether the cards are as many as they should be, and as many of them have the truths asked for."""
    code, (low, high) = hand.code, pattern.size
    size = hand.masks.count(mask)
    result = code.both(code.compare(">=", size, max(1, low)), code.compare("<=", size, high))
    for which, least, most in pattern.truths:
        true = hand.masks.count(hand.masks.both(mask, hand.truths[which]))
        if most is None:
            result = code.both(result, code.compare("==", true, size))
        else:
            result = code.both(result, code.both(code.compare(">=", true, least), code.compare("<=", true, most)))
    return result


def list_parts(hand: MeldHand, parts: Sequence[Named], free: Value, taken: Value, found: Found) -> None:
    """Each way to make the parts from free cards, one part after another."""
    if not parts:
        found(taken)
        return

    def go_on(group: Value) -> None:
        masks = hand.masks
        list_parts(hand, parts[1:], masks.without(free, group), masks.either(taken, group), found)

    (list_alike if parts[0].kind == "alike" else list_runs)(hand, parts[0], free, go_on)


def list_alike(hand: MeldHand, part: Named, free: Value, found: Found) -> None:
    masks, code = hand.masks, hand.code
    with masks.each(free) as place:
        group = masks.both(masks.load(hand.alike, place), free)
        enough = code.compare(">=", masks.count(group), max(1, part.low))
        with code.when(code.both(enough, is_first(hand, group, place))):
            with masks.subsets(group, part.low, part.high, hand.most) as subset:
                found(subset)


def list_runs(hand: MeldHand, part: Named, free: Value, found: Found) -> None:
    for order in hand.patterns.orders:
        if order:
            list_runs_in(hand, part, order, free, found)


def list_runs_in(hand: MeldHand, part: Named, order: Sequence[int], free: Value, found: Found) -> None:
    """Runs along one order of the ranks, from each place where the next ranks are there, too."""
    code, masks, along = hand.code, hand.masks, Masks(hand.code, ir.IntType(64 * -(-len(order) // 64)))
    of_rank, present = cards_by_rank(hand, order, free, along)
    starts = present
    for step in range(1, max(1, part.low)):
        starts = along.both(starts, code.builder.lshr(present, along.constant(step)))
    with along.each(starts) as start:
        walk_run(hand, part, code.subtract(len(order), start), code.at(of_rank, start, masks.size), found, len(order))


def cards_by_rank(hand: MeldHand, order: Sequence[int], free: Value, ranks: Masks) -> tuple[Value, Value]:
    """The masks of the free cards of each rank of the order, and which of these are not empty."""
    code, masks, f = hand.code, hand.masks, hand.f
    members = len(f.rules.enumerations["rank"].members)
    places = [order.index(rank) if rank in order else -1 for rank in range(members)]
    along = table(f.build.module, f"order {' '.join(map(str, order))}", I8, places)
    of_rank, present = masks.room(len(order)), ranks.variable(ranks.constant(0))
    code.fill(of_rank, 0, len(order) * masks.size)
    with masks.each(free) as place:
        rank = code.load(I64, hand.ranks, place)
        step = code.load(I8, along, code.larger(rank, 0))
        with code.when(code.both(code.compare(">=", rank, 0), code.compare(">=", step, 0))):
            masks.store(masks.either(masks.load(of_rank, step), masks.bit(place)), of_rank, step)
            present.set(ranks.either(present.get(), ranks.bit(step)))
    return of_rank, present.get()


def walk_run(hand: MeldHand, part: Named, left: Value, of_rank: Value, found: Found, most_ranks: int) -> None:
    """The runs that begin with the first of the `left` ranks at `of_rank`, card by card."""
    code, masks = hand.code, hand.masks
    choices, paths = masks.room(most_ranks + 1), masks.room(most_ranks + 1)
    level, most = Mutable(code, I64), code.smaller(left, part.high)
    level.set(0)
    masks.store(masks.load(of_rank), choices)
    masks.store(masks.constant(0), paths)
    with code.loop() as loop:
        here = masks.load(choices, level.get())
        with code.when(masks.is_empty(here)):
            with code.when(code.compare("==", level.get(), 0)):
                loop.leave()
            level.add(-1)
            loop.skip()
        card = masks.lowest(here)
        masks.store(masks.without(here, card), choices, level.get())
        run = masks.either(masks.load(paths, level.get()), card)
        size = code.add(level.get(), 1)
        with code.when(code.compare(">=", size, part.low)):
            found(run)
        with code.when(code.compare("<", size, most)):
            level.set(size)
            masks.store(run, paths, size)
            masks.store(masks.load(of_rank, size), choices, size)


# ---- how many there may be


def too_many_ways(hand: MeldHand, all_of_them: bool = False) -> Value:
    """Whether there are too many ways to make melds (hands/melds.py), or one of all cards."""
    code, ways = hand.code, Mutable(hand.code, I64, 0)
    patterns = [pattern for pattern in hand.patterns.patterns if pattern.parts or not all_of_them]

    def add(pattern: Pattern, scope: Value) -> None:
        ways.add(ways_in(hand, pattern, scope))

    with code.when(code.compare(">", hand.cards.count, cards_of_few(hand.patterns)), likely=False):
        for pattern in patterns:
            in_scopes(hand, pattern, partial(add, pattern))
    return code.compare(">", ways.get(), MOST_MELD_WAYS)


def cards_of_few(patterns: Patterns) -> int:
    """Of so many cards there surely are not too many melds: for each part and order of ranks as many as subsets."""
    cards = 0
    while cards < 64 and sum(_most_ways(patterns, one, cards + 1) for one in patterns.patterns) <= MOST_MELD_WAYS:
        cards += 1
    return cards


def _most_ways(patterns: Patterns, pattern: Pattern, cards: int) -> int:
    if not pattern.parts:
        return 1 << cards
    return prod((len(patterns.orders) if part.kind == "run" else 1) << cards for part in pattern.parts)


def ways_in(hand: MeldHand, pattern: Pattern, scope: Value) -> Value:
    if not pattern.parts:
        return chosen(hand, *pattern.size, hand.masks.count(scope))
    ways = number(1)
    for part in pattern.parts:
        of_part = (ways_alike if part.kind == "alike" else ways_of_runs)(hand, part, scope)
        ways = hand.code.smaller(hand.code.multiply(ways, of_part), MOST_MELD_WAYS + 1)
    return ways


def chosen(hand: MeldHand, low: int, high: int, cards: Value) -> Value:
    """In how many ways low to high of so many cards are chosen; beyond the most, one more."""
    ways = [min(chosen_from(some, low, high, MOST_MELD_WAYS), MOST_MELD_WAYS + 1) for some in range(hand.most + 1)]
    return hand.code.load(I64, table(hand.f.build.module, f"chosen_{low}_to_{high}", I64, ways), cards)


def ways_alike(hand: MeldHand, part: Named, scope: Value) -> Value:
    ways = Mutable(hand.code, I64)
    ways.set(0)
    with hand.masks.each(scope) as place:
        group = hand.masks.both(hand.masks.load(hand.alike, place), scope)
        with hand.code.when(is_first(hand, group, place)):
            ways.add(chosen(hand, part.low, part.high, hand.masks.count(group)))
    return hand.code.smaller(ways.get(), MOST_MELD_WAYS + 1)


def ways_of_runs(hand: MeldHand, part: Named, scope: Value) -> Value:
    code, ways, runs = hand.code, Mutable(hand.code, I64), Mutable(hand.code, I64)
    ways.set(0)
    for order in hand.patterns.orders:
        along = Masks(code, ir.IntType(64 * max(1, -(-len(order) // 64))))
        of_rank, _ = cards_by_rank(hand, order, scope, along)
        with code.count(len(order)) as start:
            runs.set(1)
            most = code.smaller(code.subtract(len(order), start), part.high)
            with code.counting(most) as (step, loop):
                cards = hand.masks.count(hand.masks.load(of_rank, code.add(start, step)))
                runs.set(code.smaller(code.multiply(runs.get(), cards), MOST_MELD_WAYS + 1))
                with code.when(code.compare(">=", code.add(step, 1), part.low)):
                    ways.add(runs.get())
                with code.when(code.compare("==", runs.get(), 0)):
                    loop.leave()
    return code.smaller(ways.get(), MOST_MELD_WAYS + 1)
