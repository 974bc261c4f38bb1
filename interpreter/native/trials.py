"""Counts the hands that statements may have to try (dsl/analysis/trials.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trionfi.dsl import tree
from trionfi.dsl.analysis.trials import Trial, steps_for
from trionfi.dsl.limits import MOST_STATEMENTS
from trionfi.interpreter.native.builder import I64, Value, Variable, number, table

if TYPE_CHECKING:
    from trionfi.interpreter.native.layout import ZonePlan
    from trionfi.interpreter.native.lowering import Lowering

__all__ = ["count_hands", "count_trials"]


def count_trials(f: Lowering, trials: Sequence[Trial]) -> None:
    """Before a statement, at a pass of a loop, at the end; too many stop the game."""
    for trial in trials:
        more = number(trial.room.fixed)
        for local, factor in trial.room.lists:
            more = f.code.add(more, f.code.multiply(f.local(local).count, factor))
        within = count_hands(f, trial.ranking, trial.times, trial.room.zones, more)
        f.fail_when(f.code.invert(within), "game-without-end", trial.span)
        f.leave_when_failed()


def count_hands(
    f: Lowering, ranking: tree.PatternRanking, times: int, room: Sequence[tuple[str, int]], more: Value
) -> Value:
    """Counts the hands that may have to be tried; whether there were not too many since the last decision. `room`:
    families and how often the fullest zone of each counts; `more`: cards beside these."""
    code, cards = f.code, more
    f.build.counting.add(code.function.name)
    plans = {family.name: plan for family, plan in f.layout.plans.items()}
    for family, factor in room:
        cards = code.add(cards, code.multiply(fullest(f, plans[family]), factor))
    steps = steps_for(ranking, times)
    column = table(f.build.module, f"steps_of_{times}_{ranking.name}", I64, steps)
    passes = code.add(f.field("passes"), code.load(I64, column, code.smaller(cards, len(steps) - 1)))
    f.set_field("passes", passes)
    return code.compare("<=", passes, MOST_STATEMENTS)


def fullest(f: Lowering, plan: ZonePlan) -> Value:
    """How many cards lie in the fullest zone of a family."""
    if plan.zones == 1:
        return f.field("counts", plan.first)
    most = Variable(f.code, I64, 0)
    with f.code.count(plan.zones) as index:
        most.set(f.code.larger(most.get(), f.field("counts", f.code.add(plan.first, index))))
    return most.get()
