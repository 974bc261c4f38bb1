"""A ruleset as core, made ready for one seat count."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trionfi.core import ir
from trionfi.core.desugar import desugar
from trionfi.core.desugar.strategies import strategy_function
from trionfi.dsl.tree import Define
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.core_engine.machine import Ended, Machine
from trionfi.interpreter.core_engine.meanings import CoreHost
from trionfi.interpreter.core_engine.playing import CoreAlterations
from trionfi.interpreter.decision import Decision
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.reference.program import Program
from trionfi.interpreter.seating import faces_of, seating_of
from trionfi.interpreter.state import State
from trionfi.interpreter.statistics import shapes_of

if TYPE_CHECKING:
    from trionfi.interpreter.rules_data import RulesData
    from trionfi.interpreter.stacked import Deal

__all__ = ["CoreProgram", "core_game"]


class CoreProgram(Program):
    """Plays what the core says; what stands outside the play (starts of variables, tests) is the reference engine's."""

    def __init__(self, rules: RulesData, players: int, core: ir.Program | None = None) -> None:
        table = seating_of(rules, players).table
        super().__init__(rules.ruleset, rules.values, table, faces_of(rules), rules.starts)
        self.core = desugar(rules.ruleset) if core is None else core

    @cached_property
    def machine(self) -> Machine:
        host = CoreHost(
            self.core, self.ruleset, dict(self.compiler.options), self.table, self.compiler, shapes_of(self.ruleset)
        )
        return Machine(self.core, host)

    def play(self, s: State) -> Generator[Decision, int, None]:
        with suppress(Ended):
            yield from self.machine.asking("play", s)
        self.machine.call("end", s)

    @cached_property
    def alterations(self) -> CoreAlterations:  # type: ignore[override]  # the same questions, answered by the core
        return CoreAlterations(self.ruleset, self.machine.call)

    def ask_strategy(self, name: str, decision: Decision, s: State, stream: Stream) -> int | None:
        function = strategy_function(name, decision.name)
        if function not in self.core.functions:
            return None
        lot, steps = s.lot, s.steps
        s.lot, s.offer, s.steps = stream, decision, 0
        try:
            option: int | None = self.machine.call(function, s, decision.player, decision.card)
        finally:
            s.lot, s.offer, s.steps = lot, None, steps
        return option

    def of_each_player(self, define: Define, s: State) -> list[Any]:
        name = "score" if define is self.ruleset.score else "won"
        return [self.machine.call(name, s, seat) for seat in range(self.table.players)]


def core_game(
    rules: RulesData,
    program: CoreProgram,
    seed: int,
    game: int = 0,
    deal: Deal | None = None,
    quiet: bool = False,
) -> ReferenceGame:
    """A game of the core, in the clothes of the reference engine."""
    return ReferenceGame(rules, program, seed, game, deal, quiet)
