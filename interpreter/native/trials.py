"""Counts the hands that statements may have to try (dsl/analysis/trials.py)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING

from trionfi.dsl import tree
from trionfi.dsl.analysis.tried import most_to_choose_from, steps_for, tried_in
from trionfi.dsl.limits import MOST_HANDS, MOST_STATEMENTS
from trionfi.interpreter.hands.rankings import joint_count
from trionfi.interpreter.native.builder import FALSE, I16, I64, Mutable, Value, table

if TYPE_CHECKING:
    from trionfi.interpreter.native.body import Body
    from trionfi.interpreter.native.layout import ZonePlan

__all__ = ["count_hands", "too_many_readings"]


def count_hands(f: Body, tried: tuple[str, str], times: int, room: Sequence[tuple[str, int]], more: Value) -> Value:
    """Counts what may have to be tried; whether it was not too much since the last decision. `tried`: a kind and a
    name; `room`: families and how often the fullest zone of each counts; `more`: cards beside these."""
    code, cards = f.code, more
    f.build.counting.add(code.function.name)
    plans = {family.name: plan for family, plan in f.layout.plans.items()}
    for family, factor in room:
        cards = code.add(cards, code.multiply(fullest(f, plans[family]), factor))
    kind, name = tried
    steps = steps_for(tried_in(f.rules, kind, name), kind, times, f.rules)
    column = table(f.build.module, f"steps_of_{times}_{kind}_{name}", I64, steps)
    passes = code.add(f.field("passes"), code.load(I64, column, code.smaller(cards, len(steps) - 1)))
    f.set_field("passes", passes)
    return code.compare("<=", passes, MOST_STATEMENTS)


def fullest(f: Body, plan: ZonePlan) -> Value:
    """How many cards lie in the fullest zone of a family."""
    if plan.zones == 1:
        return f.field("counts", plan.first)
    most = Mutable(f.code, I64, 0)
    with f.code.count(plan.zones) as index:
        most.set(f.code.larger(most.get(), f.field("counts", f.code.add(plan.first, index))))
    return most.get()


def too_many_readings(f: Body, ranking: tree.PatternRanking, parts: Sequence[Sequence[Value]]) -> Value:
    """Whether there are too many hands to try, each in all its readings (hands/rankings.py); `parts` are the codes of
    cards and their number."""
    code, plan = f.code, f.build.evaluators(ranking).plan
    counts = [len(row) for row in plan.readings.of_code]
    kinds = sorted({1, *counts})
    if kinds[-1] <= 1:
        return FALSE
    column = table(f.build.module, f"readings_of_{ranking.name}", I64, [kinds.index(max(1, one)) for one in counts])
    cards, several, most = Mutable(code, I64, 0), Mutable(code, I64, 0), Mutable(code, I64, 0)
    for codes, count in parts:
        cards.add(count)
        with code.count(count) as index:
            kind = code.load(I64, column, code.load(I16, codes, index, signed=False))
            several.add(code.choose(code.compare(">", kind, 0), 1, 0))
            most.set(code.larger(most.get(), kind))
    high = ranking.high
    joint = [clipped(joint_count(kind, some)) for kind in kinds for some in range(high + 1)]
    hands = [clipped(comb(max(some, high), high)) for some in range(most_to_choose_from(ranking) + 1)]
    row = code.add(code.multiply(most.get(), high + 1), code.smaller(several.get(), high))
    ways = code.load(I64, table(f.build.module, f"joint_readings_of_{ranking.name}", I64, joint), row)
    choices = table(f.build.module, f"hands_of_{ranking.name}", I64, hands)
    there = code.load(I64, choices, code.smaller(cards.get(), len(hands) - 1))
    return code.compare(">", code.multiply(ways, there), MOST_HANDS)


def clipped(count: int) -> int:
    return min(count, MOST_HANDS + 1)
