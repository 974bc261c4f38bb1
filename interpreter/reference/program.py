"""A ruleset made ready for one seat count: what the reference engine runs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from trionfi.dsl.tree import Define, Expr, Local, Ruleset, Variable
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.decision import Decision
from trionfi.interpreter.once import made_property
from trionfi.interpreter.reference import (
    attributes,
    cards,
    control,
    decisions,
    expressions,
    hands,
    movement,
    numbers,
    plays,
    queries,
    strategies,
    targets,
    truths,
)
from trionfi.interpreter.reference.compiler import PICKED, Compiler, Value, as_asking, frame_size, trial_counter
from trionfi.interpreter.reference.control import GameEnd
from trionfi.interpreter.reference.measures import measure_reader
from trionfi.interpreter.stacking import arrange_start
from trionfi.interpreter.state import State
from trionfi.interpreter.table import Table
from trionfi.interpreter.view import Review

__all__ = ["MEANING_ROOMS", "Program"]

# Importing them fills the table of meanings.
MEANING_ROOMS = (
    attributes,
    cards,
    control,
    decisions,
    expressions,
    hands,
    movement,
    numbers,
    plays,
    queries,
    strategies,
    targets,
    truths,
)

EMPTY: dict[str, Any] = {"number": 0, "truth": False, "cards": (), "players": 0}


class Program:
    """Everything is compiled when it is first needed and kept for all games of the same table."""

    def __init__(
        self,
        ruleset: Ruleset,
        options: Mapping[str, object],
        table: Table,
        kept: list[int],
        starts: Mapping[tuple[int, int], object],
    ) -> None:
        self.ruleset = ruleset
        self.table = table
        self.given = starts
        self.compiler = Compiler(ruleset, options, table, kept)

    @made_property
    def starts(self) -> list[list[Any]]:
        """The variables' values at the start."""
        starts = [[self.start_of(variable)] * self.table.size(variable) for variable in self.ruleset.variables]
        for (variable, owner), value in self.given.items():
            starts[variable][owner] = value
        return starts

    def start_of(self, variable: Variable) -> Any:
        if variable.start is None:
            return None if variable.unset else EMPTY.get(variable.type.kind)
        return self.compiler.value(variable.start)(None, [None] * frame_size(variable.start))

    def set_up(self, s: State) -> None:
        """Gives the variables their values; a stacked game its own."""
        s.values = [list(values) for values in self.starts]
        if s.field is not None:
            s.field.meaning = plays.effect_meaning(s, self.alterations)
        if s.stack is not None:
            arrange_start(s, s.stack)
            for (variable, owner), value in s.stack.setting.items():
                s.values[variable][owner] = value
        s.chips = s.count_chips()

    @made_property
    def alterations(self) -> plays.Alterations:
        return plays.Alterations(self.compiler)

    def play(self, s: State) -> Generator[Decision, int, None]:
        """The whole game, decision by decision; the measures of the end are read last."""
        script = self.compiler.script(self.ruleset.play)
        run = script.run if script.asks else as_asking(script.run)
        with suppress(GameEnd):
            yield from run(s, [None] * script.size)
        if self.count_end is not None:
            self.count_end(s, [])
        self.read_end(s)

    @made_property
    def count_end(self) -> Value | None:
        return trial_counter(self.compiler.trials.of_end(), self.compiler)

    @made_property
    def read_end(self) -> Any:
        return measure_reader("", self.compiler)

    def of_each_player(self, define: Define, s: State) -> list[Any]:
        """A define of one player, for every seat."""
        return [self.of_player(define, s, seat) for seat in range(self.table.players)]

    def of_player(self, define: Define, s: State, seat: int) -> Any:
        body, size = self.compiler.define(define)
        return body(s, [seat, *[None] * (size - 1)])

    def evaluate(self, expr: Expr, locals_: Sequence[Local], s: State) -> Any:
        """The value of an expression that stands outside the play: of a test."""
        return self.compiler.value(expr)(s, [None] * frame_size(expr, locals_))

    @made_property
    def review(self) -> Review:
        """What `may_review` turns off."""
        ruleset = self.ruleset
        return Review(
            {z.index: self.condition(z.may_review) for z in ruleset.zones if z.may_review is not None},
            {v.index: self.condition(v.may_review) for v in ruleset.variables if v.may_review is not None},
        )

    def condition(self, expr: Expr) -> Callable[[State], bool]:
        value, size = self.compiler.value(expr), frame_size(expr)
        return lambda s: bool(value(s, [None] * size))

    def ask_strategy(self, name: str, decision: Decision, s: State, stream: Stream) -> int | None:
        """What a strategy picks here; None if it does not say. It draws from `stream`."""
        procedure = self.ruleset.strategies[name].scripts.get(decision.name)
        if procedure is None:
            return None
        script = self.compiler.script(procedure)
        frame: list[Any] = [None] * max(script.size, 2)
        frame[0], frame[1] = decision.player, decision.card
        lot, steps = s.lot, s.steps
        s.lot, s.offer, s.steps = stream, decision, 0
        try:
            return s.returned if script.run(s, frame) is PICKED else None
        finally:
            s.lot, s.offer, s.steps = lot, None, steps
