"""The ways to make the parts of a pattern: cards alike, runs, and runs of groups, part within part.

Sets of cards are masks of the places in the hand. Of a run each rank has a mask of the cards that are free; it takes a
card of each, or a group of cards alike, and all choices are turned through as the wheels of a counter are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from trionfi.interpreter.hands.patterns import Named
from trionfi.interpreter.native.builder import I1, I64, POINTER, Code, Mutable, Value, function, number
from trionfi.interpreter.native.hands.plain_plan import PlainPlan

Found = Callable[[Value, Value], None]  # what is done with the cards of a part, and those that may name it
Keep = Callable[[int, Value, Value], None]  # the same, with the number of the part


class Parts:
    """Parts of one hand in the function being written; `alike` points to a mask for each card: those alike to it, with
    itself. `read` gives a table of what is said of each reading, `atom` the reading of a card."""

    def __init__(
        self,
        plan: PlainPlan,
        code: Code,
        count: Value,
        alike: Value,
        read: Callable[[Callable[[Any], int]], Value],
        atom: Callable[[Value], Value],
    ) -> None:
        self.plan, self.code, self.count, self.alike = plan, code, count, alike
        self.read, self.atom = read, atom

    def each_way(self, parts: Sequence[Named], free: Value, keep: Keep, do: Callable[[Value], None]) -> None:
        """Writes `do` for what is left over by each way to make the parts, and `keep` for each part before."""
        self._each(parts, 0, free, number(0), keep, do)

    def _each(
        self, parts: Sequence[Named], made: int, free: Value, start: Value, keep: Keep, do: Callable[[Value], None]
    ) -> None:
        if made == len(parts):
            do(free)
            return
        code, part = self.code, parts[made]

        def found(cards: Value, tops: Value) -> None:
            first = self._first(cards)
            with code.when(code.compare(">=", first, start)):
                keep(made, cards, tops)
                # parts that ask for the same stand in the order of their first cards
                behind = first if part in parts[made + 1 : made + 2] else number(0)
                self._each(parts, made + 1, self._without(free, cards), behind, keep, do)

        if part.kind == "alike":
            self._each_alike(part, free, start, found)
            return
        for order in self.plan.patterns.orders:
            self._each_run(part, order, free, found)

    def _each_alike(self, part: Named, free: Value, start: Value, found: Found) -> None:
        """Each free card with free cards alike behind it."""
        code = self.code
        with code.count(self.count, start) as place:
            kind, first = code.builder.and_(free, code.load(I64, self.alike, place)), code.bit(place)
            with code.when(code.has_bit(kind, place)):
                behind = code.builder.and_(kind, self._above(first))
                chosen = Mutable(code, I64, behind)
                with code.loop() as loop:
                    cards = code.builder.or_(chosen.get(), first)
                    size = code.bits(cards)
                    with code.when(code.both(code.compare(">=", size, part.low), code.compare("<=", size, part.high))):
                        found(cards, cards)
                    with code.when(code.compare("==", chosen.get(), 0)):
                        loop.leave()
                    chosen.set(code.builder.and_(code.subtract(chosen.get(), 1), behind))

    # ---- runs

    def _each_run(self, part: Named, order: Sequence[int], free: Value, found: Found) -> None:
        """From each rank of the order upwards, as long as there is what the run takes of each."""
        code = self.code
        lines, chosen = self._line_up(order, free), code.room(I64, max(2, len(order)))
        with code.count(len(order)) as start:
            length = Mutable(code, I64, 0)
            with code.loop() as loop:
                at = code.add(start, length.get())
                long = code.compare(">=", length.get(), part.high)
                with code.when(code.either(long, code.compare(">=", at, len(order)))):
                    loop.leave()
                first = self._next(part, lines, at, number(0))
                with code.when(code.compare("==", first, 0)):
                    loop.leave()
                code.store(I64, first, chosen, at)
                length.add(1)
                with code.when(code.compare(">=", length.get(), part.low)):
                    self._turn(part, lines, chosen, start, code.add(at, 1), found)

    def _line_up(self, order: Sequence[int], free: Value) -> Value:
        """The free cards of each rank of the order."""
        code = self.code
        lines = code.room(I64, max(2, len(order)))
        places = self.read(lambda reading: order.index(reading.run) if reading.run in order else -1)
        with code.count(len(order)) as line:
            code.store(I64, 0, lines, line)
        with code.count(self.count) as place, code.when(code.has_bit(free, place)):
            line = code.load(I64, places, self.atom(place))
            with code.when(code.compare(">=", line, 0)):
                code.store(I64, code.builder.or_(code.load(I64, lines, line), code.bit(place)), lines, line)
        return lines

    def _turn(self, part: Named, lines: Value, chosen: Value, start: Value, end: Value, found: Found) -> None:
        """Every choice from the ranks between two places; at the end each rank has its first one again."""
        code = self.code
        with code.loop() as loop:
            cards = Mutable(code, I64, 0)
            with code.count(end, start) as place:
                cards.set(code.builder.or_(cards.get(), code.load(I64, chosen, place)))
            found(cards.get(), code.load(I64, chosen, code.subtract(end, 1)))
            turned = Mutable(code, I64, start)
            with code.loop() as wheels:
                here = turned.get()
                with code.when(code.compare("==", here, end)):
                    wheels.leave()
                further = self._next(part, lines, here, code.load(I64, chosen, here))
                with code.when(code.compare("!=", further, 0)):
                    code.store(I64, further, chosen, here)
                    wheels.leave()
                code.store(I64, self._next(part, lines, here, number(0)), chosen, here)
                turned.add(1)
            with code.when(code.compare("==", turned.get(), end)):
                loop.leave()

    def _next(self, part: Named, lines: Value, line: Value, before: Value) -> Value:
        """The choice from a rank behind another one, or the first (0); 0 if there is none."""
        code, there = self.code, self.code.load(I64, lines, line)
        if part.each > 1:
            return code.call(next_function(self.plan, part.each, code.function.module), [self.alike, there, before])
        above = code.choose(code.compare("==", before, 0), there, code.builder.and_(there, self._above(before)))
        return code.builder.and_(above, code.subtract(0, above))

    # ---- masks

    def _first(self, cards: Value) -> Value:
        return self.code.builder.cttz(cards, ir.Constant(I1, 0))

    def _above(self, bit: Value) -> Value:
        """All places above that of one bit."""
        return self.code.subtract(0, self.code.builder.shl(bit, number(1)))

    def _without(self, cards: Value, others: Value) -> Value:
        return self.code.builder.and_(cards, self.code.builder.not_(others))


def next_function(plan: PlainPlan, size: int, module: ir.Module) -> ir.Function:
    """i64 next(ptr alike, i64 cards, i64 before): among some cards the next set of `size` that are alike; 0 after the
    last one, and before the first."""
    name = f"{plan.name}_next_{size}"
    if name in module.globals:
        return module.globals[name]
    with function(module, name, I64, [POINTER, I64, I64], attributes=["noinline"]) as code:
        alike, cards, before = code.arguments
        chosen = Mutable(code, I64, before)
        with code.loop():
            # the next larger subset
            some = code.builder.and_(code.subtract(chosen.get(), cards), cards)
            chosen.set(some)
            with code.when(code.compare("==", some, 0)):
                code.give(0)
            kind = code.load(I64, alike, code.builder.cttz(some, ir.Constant(I1, 0)))
            same = code.compare("==", code.builder.and_(some, code.builder.not_(kind)), 0)
            with code.when(code.both(same, code.compare("==", code.bits(some), size))):
                code.give(some)
    return module.globals[name]
