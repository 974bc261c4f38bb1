"""Whether cards are a meld, and how a hand is best parted into melds (docs/rankings.md).

The melds of a hand (native/melds.py) are listed in a *work*: their masks, what each spares, and what those from each on
spare at most. In a playout the work is kept in the record with the cards that it is about, so that what is asked of one
hand without each of its cards, as when a player may knock, lists the melds once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_MELDS
from trionfi.interpreter.hands.patterns import Patterns
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.native.access import card_at
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I64,
    POINTER,
    TRUE,
    VOID,
    Code,
    Mutable,
    Value,
    function,
    number,
)
from trionfi.interpreter.native.layout import SETS_MASKS, Layout
from trionfi.interpreter.native.melds import Masks, MeldHand, list_melds, too_many_ways
from trionfi.interpreter.native.module import Build
from trionfi.interpreter.native.partings import Listing, part, surely_few
from trionfi.interpreter.native.values import ArrangementAt, CardList


@dataclass(frozen=True, slots=True)
class WorkPlan:
    """Where things lie in a work, in bytes. It begins with how many melds there are, what all cards cost, how many
    cards it is about, plus 1, whether there are more melds than it has room for (or too many ways to make them), and
    whether those listed are known to differ. `savings`: what is saved at most
    from a card on, where costs are below 0."""

    cards: int
    mask: int  # bytes of one

    @property
    def costs(self) -> int:
        return 40

    @property
    def savings(self) -> int:
        return self.costs + 8 * self.cards

    @property
    def masks(self) -> int:
        return self.savings + 8 * (self.cards + 1)

    @property
    def weights(self) -> int:
        return self.masks + self.mask * MOST_MELDS

    @property
    def rests(self) -> int:
        return self.weights + 8 * MOST_MELDS

    @property
    def numbers(self) -> int:
        return self.rests + 8 * (MOST_MELDS + 1)

    @property
    def words(self) -> int:
        return (self.numbers + 2 * self.cards + 7) // 8


COUNT, TOTAL, KNOWN, FULL, DISTINCT = range(5)  # words of a work


def work_plan(layout: Layout) -> WorkPlan:
    return WorkPlan(layout.cards.count, int(layout.mask_kind.width) // 8)


COST, SIZE, MELDS = range(3)  # words of an arrangement (layout.py)


def once(build: Build, name: str, spec: tree.MeldSpec | None, write: Callable[[], ir.Function]) -> ir.Function:
    """A function of the module, written when it is first asked for."""
    key = (name, spec.name if spec is not None else "")
    if key not in build.kernels:
        build.kernels[key] = write()
    return build.kernels[key]


# ---- the work


def lister(build: Build, spec: tree.MeldSpec) -> ir.Function:
    """melds(state, cards, count, work): lists the melds among the cards."""

    def write() -> ir.Function:
        with function(build.module, f"melds.{spec.name}", VOID, [POINTER, POINTER, I64, POINTER]) as code:
            f = Body(build, code)
            _, cards, count, work = code.arguments
            hand = MeldHand(f, spec, CardList(cards, count))
            for word in (COUNT, DISTINCT):
                code.store(I64, 0, work, word)
            many = too_many_ways(hand)
            code.store(I64, code.number_of(many), work, FULL)
            with code.when(code.invert(many)):
                list_melds(hand, lambda mask: add_meld(hand, work, mask))
            code.give()
        return code.function

    return once(build, "melds", spec, write)


def add_meld(hand: MeldHand, work: Value, mask: Value) -> None:
    """Some melds are found twice, which does no harm; but they are counted once, if there are many."""
    code, listed = hand.code, code_at_masks(hand, work)
    known = Mutable(code, I1)
    known.set(code.compare("!=", code.load(I64, work, FULL), 0))
    full = code.compare(">=", code.load(I64, work, COUNT), MOST_MELDS)
    with code.when(code.both(full, code.invert(known.get())), likely=False):
        with code.when(code.compare("==", code.load(I64, work, DISTINCT), 0)):
            code.call(distinct(hand.f.build), [work])
            still = code.compare(">=", code.load(I64, work, COUNT), MOST_MELDS)
            code.store(I64, code.number_of(still), work, DISTINCT)
        with code.counting(code.load(I64, work, COUNT)) as (index, loop):
            with code.when(hand.masks.same(hand.masks.load(listed, index), mask)):
                known.set(1)
                loop.leave()
        more = code.both(code.invert(known.get()), code.compare(">=", code.load(I64, work, COUNT), MOST_MELDS))
        code.store(I64, code.number_of(more), work, FULL)
        known.set(code.either(known.get(), more))
    with code.when(code.invert(known.get())):
        place = code.load(I64, work, COUNT)
        hand.masks.store(mask, listed, place)
        code.store(I64, code.add(place, 1), work, COUNT)


def code_at_masks(hand: MeldHand, work: Value) -> Value:
    return hand.code.at(work, work_plan(hand.f.layout).masks)


def distinct(build: Build) -> ir.Function:
    """distinct(work): of equal melds one stays."""

    def write() -> ir.Function:
        with function(build.module, "distinct_melds", VOID, [POINTER]) as code:
            (work,), masks = code.arguments, Masks(code, build.layout.mask_kind)
            listed, kept, new = code.at(work, work_plan(build.layout).masks), Mutable(code, I64, 0), Mutable(code, I1)
            with code.count(code.load(I64, work, COUNT)) as index:
                mask = masks.load(listed, index)
                new.set(1)
                with code.counting(kept.get()) as (place, loop):
                    with code.when(masks.same(masks.load(listed, place), mask)):
                        new.set(0)
                        loop.leave()
                masks.store(mask, listed, kept.get())
                kept.add(code.number_of(new.get()))
            code.store(I64, kept.get(), work, COUNT)
            code.give()
        return code.function

    return once(build, "distinct melds", None, write)


def weigher(build: Build, spec: tree.MeldSpec) -> ir.Function:
    """weigh(state, cards, count, work): what the cards cost, and what the melds listed spare."""

    def write() -> ir.Function:
        with function(build.module, f"weigh.{spec.name}", VOID, [POINTER, POINTER, I64, POINTER]) as code:
            f, plan = Body(build, code), work_plan(build.layout)
            _, pointer, count, work = code.arguments
            total, costs = Mutable(code, I64, 0), code.at(work, plan.costs)
            with code.count(count) as place:
                card = card_at(f, CardList(pointer, count), place)
                cost = f.build.value_of(f, spec.cost, card) if spec.cost is not None else number(1)
                code.store(I64, cost, costs, place)
                total.add(cost)
            code.store(I64, total.get(), work, TOTAL)
            savings = code.at(work, plan.savings)
            sum_backwards(code, count, savings, lambda place: code.smaller(code.load(I64, costs, place), 0))
            weigh_melds(code, build.layout, work)
            code.give()
        return code.function

    return once(build, "weigh", spec, write)


def sum_backwards(code: Code, count: Value, out: Value, value: Callable[[Value], Value]) -> None:
    """out[i] becomes the sum of the values from i on; out[count] is 0."""
    code.store(I64, 0, out, count)
    with code.count(count) as index:
        place = code.subtract(code.subtract(count, 1), index)
        code.store(I64, code.add(code.load(I64, out, code.add(place, 1)), value(place)), out, place)


def weigh_melds(code: Code, layout: Layout, work: Value) -> None:
    masks, plan = Masks(code, layout.mask_kind), work_plan(layout)
    costs, weights, weight = code.at(work, plan.costs), code.at(work, plan.weights), Mutable(code, I64)
    count = code.load(I64, work, COUNT)
    with code.count(count) as index:
        weight.set(0)
        with masks.each(masks.load(code.at(work, plan.masks), index)) as place:
            weight.add(code.load(I64, costs, place))
        code.store(I64, weight.get(), weights, index)
    sum_backwards(code, count, code.at(work, plan.rests), lambda place: code.larger(code.load(I64, weights, place), 0))


def listed_work(f: Body, spec: tree.MeldSpec, cards: CardList) -> Value:
    """The work about these cards: made now, or the last one if it was about the same."""
    plan = work_plan(f.layout)
    if not keeps(f.build, spec):
        work = f.code.room(I64, plan.words)
        make_work(f, spec, cards, work)
        return work
    work = f.code.at(f.state, kept_work(f.build, spec))
    with f.code.when(f.code.invert(is_about(f, cards, work))):
        make_work(f, spec, cards, work)
        size = int(f.layout.card_kind.width) // 8
        f.code.copy(f.code.at(work, plan.numbers), cards.pointer, f.code.multiply(cards.count, size))
        f.code.store(I64, f.code.add(cards.count, 1), work, KNOWN)
    return work


def make_work(f: Body, spec: tree.MeldSpec, cards: CardList, work: Value) -> None:
    for made in (lister(f.build, spec), weigher(f.build, spec)):
        f.code.call(made, [f.state, cards.pointer, cards.count, work])


def keeps(build: Build, spec: tree.MeldSpec) -> bool:
    """Whether what was listed holds as long as the cards are the same."""
    patterns: Patterns = build.melds(spec)
    properties = [*patterns.alike, *(of for group in (*patterns.same, *patterns.truths) for of in group)]
    properties += [patterns.run] if patterns.run is not None else []
    read = reads([spec.cost, *(of.expr for of in properties)])
    return not build.watched and not build.rules.effects and not read & {"table", "reversed", "marks"}


def kept_work(build: Build, spec: tree.MeldSpec) -> int:
    """Where the record keeps a work from one call to the next, and from one game to the next."""
    name = f"melds {spec.name}"
    if name not in build.layout.fields:
        build.layout.reserve(name, I64, work_plan(build.layout).words)
    return build.layout[name].offset


def is_about(f: Body, cards: CardList, work: Value) -> Value:
    """Whether the work is about just these cards, in this order."""
    code, kind = f.code, f.layout.card_kind
    result = Mutable(code, I1)
    result.set(code.compare("==", code.load(I64, work, KNOWN), code.add(cards.count, 1)))
    with code.when(result.get()):
        numbers = code.at(work, work_plan(f.layout).numbers)
        with code.counting(cards.count) as (place, loop):
            known = code.load(kind, numbers, place, signed=False)
            with code.when(code.compare("!=", known, card_at(f, cards, place))):
                result.set(0)
                loop.leave()
    return result.get()


# ---- the least cost


def packer(build: Build) -> ir.Function:
    """pack(work, first, taken, sum, best): the most that melds from `first` on spare, if it is more than `best`, where
    those chosen before spare `sum`."""

    def write() -> ir.Function:
        kind, plan = build.layout.mask_kind, work_plan(build.layout)
        with function(build.module, "pack_melds", I64, [POINTER, I64, kind, I64, I64]) as code:
            work, first, taken, before, least = code.arguments
            masks, best = Masks(code, kind), Mutable(code, I64)
            best.set(least)
            with code.counting(code.load(I64, work, COUNT), first) as (index, loop):
                most = code.add(before, code.load(I64, code.at(work, plan.rests), index))
                with code.when(code.compare("<=", most, best.get())):
                    loop.leave()
                mask = masks.load(code.at(work, plan.masks), index)
                with code.when(code.invert(masks.overlap(mask, taken))):
                    here = code.add(before, code.load(I64, code.at(work, plan.weights), index))
                    best.set(code.larger(best.get(), here))
                    further = [work, code.add(index, 1), masks.either(taken, mask), here, best.get()]
                    best.set(code.builder.call(code.function, further))
            code.give(best.get())
        return code.function

    return once(build, "pack melds", None, write)


def costing(build: Build, spec: tree.MeldSpec) -> ir.Function:
    """cost(state, cards, count, without): what the best arrangement of the cards, but for one, leaves."""

    def write() -> ir.Function:
        with function(build.module, f"melds_cost.{spec.name}", I64, [POINTER, POINTER, I64, I64]) as code:
            f, plan = Body(build, code), work_plan(build.layout)
            _, pointer, count, without = code.arguments
            cards, masks = CardList(pointer, count), Masks(code, build.layout.mask_kind)
            work = listed_work(f, spec, cards)
            full = code.compare("!=", code.load(I64, work, FULL), 0)
            easy = surely_few(code, count, code.load(I64, work, COUNT))
            hard = code.either(full, code.invert(easy))
            with code.when(code.both(hard, code.compare(">=", without, 0)), likely=False):
                # without the card there may be room
                fewer = cards_but(f, cards, without)
                code.give(code.builder.call(code.function, [f.state, fewer.pointer, fewer.count, number(-1)]))
            with code.when(hard, likely=False):
                out = code.room(I64, build.layout.sets_size // 8)
                code.give(code.builder.call(parter(build, spec), [f.state, count, work, out]))
            taken, total = masks.variable(masks.constant(0)), Mutable(code, I64)
            total.set(code.load(I64, work, TOTAL))
            with code.counting(count) as (place, loop):
                with code.when(code.compare("==", card_at(f, cards, place), without)):
                    taken.set(masks.bit(place))
                    total.set(code.subtract(total.get(), code.load(I64, code.at(work, plan.costs), place)))
                    loop.leave()
            with code.when(code.compare("==", code.load(I64, work, COUNT), 0)):
                code.give(total.get())
            spared = code.builder.call(packer(build), [work, number(0), taken.get(), number(0), number(0)])
            code.give(code.subtract(total.get(), spared))
        return code.function

    return once(build, "melds cost", spec, write)


def cards_but(f: Body, cards: CardList, without: Value) -> CardList:
    room, count = f.room_for_cards(), Mutable(f.code, I64, 0)
    with f.code.count(cards.count) as place:
        card = card_at(f, cards, place)
        f.code.store(f.layout.card_kind, card, room, count.get())
        count.add(f.code.number_of(f.code.compare("!=", card, without)))
    return CardList(room, count.get())


# ---- the first of the best arrangements


def arranger(build: Build, spec: tree.MeldSpec) -> ir.Function:
    """arrange(state, cards, count, out): writes the arrangement."""

    def write() -> ir.Function:
        with function(build.module, f"arranged.{spec.name}", VOID, [POINTER, POINTER, I64, POINTER]) as code:
            f, layout = Body(build, code), build.layout
            _, pointer, count, out = code.arguments
            work = code.room(I64, work_plan(layout).words)
            make_work(f, spec, CardList(pointer, count), work)
            size = int(layout.card_kind.width) // 8
            code.copy(code.at(out, layout.sets_cards), pointer, code.multiply(count, size))
            code.builder.call(parter(build, spec), [f.state, count, work, out])
            code.give()
        return code.function

    return once(build, "arranged", spec, write)


def parter(build: Build, spec: tree.MeldSpec) -> ir.Function:
    """part(state, count, work, out): writes the melds of the first of the best arrangements of the cards that a work is
    about; what it leaves costs. What the melds of the work spare is forgotten."""

    def write() -> ir.Function:
        with function(build.module, f"parted.{spec.name}", I64, [POINTER, I64, POINTER, POINTER]) as code:
            f, layout, plan = Body(build, code), build.layout, work_plan(build.layout)
            _, count, work, out = code.arguments
            for word, value in ((COST, 0), (SIZE, count), (MELDS, 0)):
                code.store(I64, value, out, word)
            with code.when(code.compare("!=", code.load(I64, work, FULL), 0), likely=False):
                f.fail_when(TRUE, "too-many-melds", spec.span)
                code.give(number(0))
            code.call(sorter(build), [work])
            masks, costs, savings = (code.at(work, offset) for offset in (plan.masks, plan.costs, plan.savings))
            listing = Listing(count, code.load(I64, work, COUNT), masks, costs, savings, layout.cards.count)
            found = part(Masks(code, layout.mask_kind), listing, code.at(out, SETS_MASKS))
            f.fail_when(code.invert(found.within), "too-many-partings", spec.span)
            code.store(I64, found.cost, out, COST)
            code.store(I64, found.melds, out, MELDS)
            code.give(found.cost)
        return code.function

    return once(build, "parted", spec, write)


def sorter(build: Build) -> ir.Function:
    """sort(work): the melds in the order in which they are tried; what they spare is forgotten."""

    def write() -> ir.Function:
        with function(build.module, "sort_melds", VOID, [POINTER]) as code:
            masks, place = Masks(code, build.layout.mask_kind), Mutable(code, I64)
            listed = code.at(code.arguments[0], work_plan(build.layout).masks)
            with code.count(code.load(I64, code.arguments[0], COUNT), 1) as index:
                mask = masks.load(listed, index)
                place.set(index)
                with code.loop() as loop:
                    with code.when(code.compare("==", place.get(), 0)):
                        loop.leave()
                    before = masks.load(listed, code.subtract(place.get(), 1))
                    with code.when(code.invert(comes_before(masks, mask, before))):
                        loop.leave()
                    masks.store(before, listed, place.get())
                    place.add(-1)
                masks.store(mask, listed, place.get())
            code.give()
        return code.function

    return once(build, "sort melds", None, write)


def comes_before(masks: Masks, one: Value, other: Value) -> Value:
    """Compared place by place; a shorter one before a longer that goes on from it. Equal ones: no."""
    b = masks.code.builder
    lowest = masks.lowest(b.xor(one, other))
    behind = b.not_(masks.either(lowest, b.sub(lowest, masks.constant(1))))
    mine = masks.overlap(one, lowest)
    first = b.select(mine, masks.overlap(other, behind), masks.is_empty(masks.both(one, behind)))
    return b.and_(first, b.not_(masks.same(one, other)))


# ---- is it a meld?


def teller(build: Build, spec: tree.MeldSpec) -> ir.Function:
    """is_meld(state, cards, count)"""

    def write() -> ir.Function:
        with function(build.module, f"is_meld.{spec.name}", I1, [POINTER, POINTER, I64]) as code:
            f = Body(build, code)
            _, pointer, count = code.arguments
            with code.when(code.compare("==", count, 0)):
                code.give(FALSE)
            hand = MeldHand(f, spec, CardList(pointer, count))
            with code.when(too_many_ways(hand, all_of_them=True), likely=False):
                f.fail_when(TRUE, "too-many-melds", spec.span)
                code.give(FALSE)

            def give_if_all(mask: Value) -> None:
                with code.when(hand.masks.same(mask, hand.full)):
                    code.give(TRUE)

            list_melds(hand, give_if_all, all_of_them=True)
            code.give(FALSE)
        return code.function

    return once(build, "is meld", spec, write)


# ---- reading arrangements


def arrangement_cost(f: Body, sets: ArrangementAt) -> Value:
    return f.code.load(I64, sets.pointer, COST)


def arrangement_left(f: Body, sets: ArrangementAt) -> CardList:
    masks, cards = Masks(f.code, f.layout.mask_kind), sets_cards(f, sets)
    left = masks.variable(masks.full(cards.count))
    with f.code.count(f.code.load(I64, sets.pointer, MELDS)) as index:
        left.set(masks.without(left.get(), masks.load(f.code.at(sets.pointer, SETS_MASKS), index)))
    return cards_of_mask(f, cards, left.get())


def sets_cards(f: Body, sets: ArrangementAt) -> CardList:
    """All cards of an arrangement."""
    pointer = f.code.at(sets.pointer, f.layout.sets_cards)
    return CardList(pointer, f.small(f.code.load(I64, sets.pointer, SIZE), f.layout.cards.count))


def cards_of_mask(f: Body, cards: CardList, mask: Value) -> CardList:
    masks, room, count = Masks(f.code, f.layout.mask_kind), f.room_for_cards(), Mutable(f.code, I64)
    count.set(0)
    with masks.each(mask) as place:
        f.code.store(f.layout.card_kind, card_at(f, cards, place), room, count.get())
        count.add(1)
    return CardList(room, f.small(count.get(), f.layout.cards.count))


def melds_of(f: Body, sets: ArrangementAt) -> tuple[Value, Callable[[Value], CardList]]:
    """How many melds an arrangement has, and what gives one of them."""
    masks = Masks(f.code, f.layout.mask_kind)

    def meld(index: Value) -> CardList:
        return cards_of_mask(f, sets_cards(f, sets), masks.load(f.code.at(sets.pointer, SETS_MASKS), index))

    return f.code.load(I64, sets.pointer, MELDS), meld
