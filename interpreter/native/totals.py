"""Totals: the sums that cards of several values can come to.

Mostly the values and the limit are small numbers that are known before play. Then the sums that can be reached are bits
of a word (*quick*). Whatever else a total may say is worked out from a list of the different sums (*slow*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_SUMS
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.native.access import card_at, card_table
from trionfi.interpreter.native.arithmetic import BIGGEST, LOWEST, with_flag
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I1, I64, POINTER, Code, Mutable, Value, constant_of, function, number
from trionfi.interpreter.native.values import CardList

MOST_BITS = 62  # of a limit and of values that are bits of a word
RESULT = ir.LiteralStructType([I64, I64, I64])  # value, soft, bust


def quick_limit(f: Body, spec: tree.TotalSpec) -> int | None:
    """The limit, if it is such that sums may be bits."""
    if spec.limit is None or is_bound(f.rules, spec):
        return None
    limit = constant_of(f.build.value_of(f, spec.limit)) if "table" not in reads([spec.limit]) else None
    return limit if limit is not None and 0 <= limit <= MOST_BITS else None


def is_bound(rules: tree.Ruleset, spec: tree.TotalSpec) -> bool:
    """Whether what a card counts depends on more than which card it is and how it lies."""
    changing = {"table", "marks", *(("suit", "rank") if rules.effects else ())}
    return bool(changing & reads([spec.arms, spec.otherwise]))


# ---- quick


def quick_total(f: Body, spec: tree.TotalSpec, limit: int) -> ir.Function:
    """total(state, cards, count): value, soft, bust."""
    key = ("total", spec.name)
    if key in f.build.kernels:
        return f.build.kernels[key]
    slowly = slow_total(f, spec)
    with function(f.build.module, f"total.{spec.name}", RESULT, [POINTER, POINTER, I64]) as code:
        f.build.kernels[key] = code.function
        g = Body(f.build, code)
        with code.when(code.compare("!=", g.field(f"total {spec.name} is slow"), 0), likely=False):
            code.give(code.call(slowly, code.arguments))
        cards = CardList(code.arguments[1], code.arguments[2])
        sums, least = Mutable(code, I64, 1), Mutable(code, I64, 0)
        with code.count(cards.count) as index:
            card = card_at(g, cards, index)
            values = g.field(f"total {spec.name}", code.add(code.multiply(card, 2), g.field("reversed", card)))
            sums.set(code.builder.and_(spread(code, sums.get(), values), number((2 << limit) - 1)))
            least.set(code.add(least.get(), lowest_bit(code, values)))
        bust = code.compare("==", sums.get(), 0)
        highest = code.subtract(63, code.builder.ctlz(sums.get(), ir.Constant(I1, 0)))
        give_total(code, code.choose(bust, least.get(), highest), least.get(), bust)
    return f.build.kernels[key]


def spread(code: Code, sums: Value, values: Value) -> Value:
    """The sums that are reached by one value more, whichever of them."""
    result, left = Mutable(code, I64, 0), Mutable(code, I64, values)
    with code.loop() as loop:
        value = lowest_bit(code, left.get())
        result.set(code.builder.or_(result.get(), code.builder.shl(sums, value)))
        left.set(code.builder.and_(left.get(), code.subtract(left.get(), 1)))
        with code.when(code.compare("==", left.get(), 0)):
            loop.leave()
    return result.get()


def lowest_bit(code: Code, word: Value) -> Value:
    return code.builder.cttz(word, ir.Constant(I1, 0))


def give_total(code: Code, value: Value, least: Value, bust: Value) -> None:
    struct = ir.Constant(RESULT, ir.Undefined)
    soft = code.number_of(code.compare(">", value, least))
    for index, part in enumerate((value, soft, code.number_of(bust))):
        struct = code.builder.insert_value(struct, part, index)
    code.give(struct)


# ---- slow


def slow_total(f: Body, spec: tree.TotalSpec) -> ir.Function:
    """The same function for values and limits of any size, which are read now."""
    key = ("slow total", spec.name)
    if key in f.build.kernels:
        return f.build.kernels[key]
    with function(f.build.module, f"slow_total.{spec.name}", RESULT, [POINTER, POINTER, I64]) as code:
        f.build.kernels[key] = code.function
        g = Body(f.build, code)
        sums = TotalSums(g, spec)
        cards = CardList(code.arguments[1], code.arguments[2])
        with code.count(cards.count) as index:
            card = card_at(g, cards, index)
            with sums.further(), each_reading(g, card):
                each_value(g, spec, card, sums.add)
        limit = g.build.value_of(g, spec.limit, is_needed=True) if spec.limit is not None else number(BIGGEST)
        best, bust = sums.highest(limit)
        give_total(code, best, sums.least.get(), bust)
    return f.build.kernels[key]


class TotalSums:
    """The different sums so far, and the least."""

    def __init__(self, g: Body, spec: tree.TotalSpec) -> None:
        self.g, self.code, self.spec = g, g.code, spec
        self.before, self.now = (g.code.room(I64, MOST_SUMS) for _ in range(2))
        self.count, self.grown = Mutable(g.code, I64, 0), Mutable(g.code, I64, 1)
        self.least, self.smallest = Mutable(g.code, I64, 0), Mutable(g.code, I64)
        g.code.store(I64, 0, self.now)

    @contextmanager
    def further(self) -> Iterator[None]:
        """One card more, whose values are added meanwhile."""
        self.code.copy(self.before, self.now, self.code.multiply(self.grown.get(), 8))
        self.count.set(self.grown.get())
        self.grown.set(0)
        self.smallest.set(number(BIGGEST))
        yield
        self.least.set(self._sum(self.least.get(), self.smallest.get()))

    def _sum(self, one: Value, other: Value) -> Value:
        total, beyond = with_flag(self.g, "+", one, other)
        if beyond is not None:
            self.g.fail_when(beyond, "number-too-large", self.spec.span)
        return total

    def add(self, value: Value) -> None:
        code = self.code
        self.smallest.set(code.smaller(value, self.smallest.get()))
        with code.count(self.count.get()) as index:
            total = self._sum(code.load(I64, self.before, index), value)
            is_new = Mutable(code, I1)
            is_new.set(1)
            with code.counting(self.grown.get()) as (place, loop):
                with code.when(code.compare("==", code.load(I64, self.now, place), total)):
                    is_new.set(0)
                    loop.leave()
            full = code.both(is_new.get(), code.compare(">=", self.grown.get(), MOST_SUMS))
            self.g.fail_when(full, "too-many-sums", self.spec.span)
            with code.when(code.both(is_new.get(), code.invert(full))):
                code.store(I64, total, self.now, self.grown.get())
                self.grown.add(1)

    def highest(self, limit: Value) -> tuple[Value, Value]:
        """The highest sum within the limit, the least of all if there is none; whether there is none."""
        code, best, bust = self.code, Mutable(self.code, I64, LOWEST), Mutable(self.code, I1, 1)
        with code.count(self.grown.get()) as index:
            total = code.load(I64, self.now, index)
            with code.when(code.compare("<=", total, limit)):
                bust.set(0)
                best.set(code.larger(total, best.get()))
        return code.choose(bust.get(), self.least.get(), best.get()), bust.get()


def each_value(g: Body, spec: tree.TotalSpec, card: Value, take: Callable[[Value], None]) -> None:
    """The values that the card may count, as it is now."""
    after = g.code.block("valued")

    def take_all(values: Sequence[tree.Expr]) -> None:
        for expression in values:
            take(g.build.value_of(g, expression, card, is_needed=True))
        g.code.jump(after)

    for condition, values in spec.arms:
        yes, no = g.code.block("yes"), g.code.block("no")
        g.code.branch(g.build.value_of(g, condition, card), yes, no)
        g.code.go_on(yes)
        take_all(values)
        g.code.go_on(no)
    take_all(spec.otherwise)
    g.code.go_on(after)


@contextmanager
def each_reading(g: Body, card: Value) -> Iterator[None]:
    """A card that effects gave several suits or ranks is read as each of them in turn."""
    if not g.rules.effects:
        yield
        return
    from trionfi.interpreter.native.play_record import EVERY_RANK

    code, b = g.code, g.code.builder
    suits, rank = g.field("suits now", card), g.field("rank now", card)
    every = code.compare("==", rank, EVERY_RANK)
    left = Mutable(code, I64)
    left.set(suits)
    ranks = len(g.rules.enumerations["rank"].members)
    deck = card_table(g, "deck", g.layout.cards.column("deck"), card)
    with code.loop() as loop:
        g.set_field("suits now", b.and_(left.get(), b.neg(left.get())), card)
        # -1 is the only rank of a card without one, and what a deck without ranks has for every rank
        with code.count(code.choose(every, ranks, 0), -1) as index:
            there = g.field("deck ranks", code.add(code.multiply(deck, ranks + 1), code.add(index, 1)))
            with code.when(code.either(code.invert(every), code.compare("!=", there, 0))):
                g.set_field("rank now", code.choose(every, index, rank), card)
                yield
        left.set(b.and_(left.get(), code.subtract(left.get(), 1)))
        with code.when(code.compare("==", left.get(), 0)):
            loop.leave()
    g.set_field("suits now", suits, card)
    g.set_field("rank now", rank, card)
