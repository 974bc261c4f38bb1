"""A game in the reference engine."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from trionfi.dsl.limits import MOST_DECISIONS
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.decision import Decision, Missing, Text, checked_move
from trionfi.interpreter.errors import GameError, IllegalMove, InternalError
from trionfi.interpreter.game import Game
from trionfi.interpreter.measures import empty_tallies, shown
from trionfi.interpreter.reference.program import Program
from trionfi.interpreter.stacked import Deal, ForcedLot, Stack
from trionfi.interpreter.state import Entry, Log, State, Watch
from trionfi.interpreter.statistics import Tally
from trionfi.interpreter.texts import value_texts
from trionfi.interpreter.view import log_lines, state_of, view_of

if TYPE_CHECKING:
    from trionfi.dsl.tree import Expr, Local
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["ReferenceGame"]


class ReferenceGame(Game):
    """Runs the compiled script as a generator from decision to decision.

    `quiet`: no log is kept and past decisions are forgotten, until somebody asks; for simulations. `watch` looks on;
    clones have none.
    """

    def __init__(
        self,
        rules: RulesData,
        program: Program,
        seed: int,
        number: int,
        deal: Deal | None = None,
        quiet: bool = False,
        watch: Watch | None = None,
    ) -> None:
        self.rules = rules
        self.program = program
        self.players = program.table.players
        self.seed = seed
        self.number = number
        self.deal = deal
        self.moves: list[int] = []
        self._labels: list[tuple[int, str, str]] = []
        self._end: tuple[list[int | Fraction], list[int]] | None = None
        self._decision: Decision | None = None
        self._failed: GameError | None = None
        self._watch = watch
        self._set_up(quiet)
        if deal is None or deal.begin:
            self._resume(None)

    def _set_up(self, quiet: bool) -> None:
        stack = Stack(self.deal) if self.deal is not None else None
        lot = ForcedLot(self.seed, self.number, stack.numbers) if stack is not None else Stream(self.seed, self.number)
        s = self.table_state = State(self.program.table, lot, stack)
        s.tallies = empty_tallies(self.rules.measure_shapes, self.players)
        s.log = None if quiet else Log()
        s.watch = self._watch
        try:
            self.program.set_up(s)
        except GameError as error:
            self._fail(error)
        self._run = self.program.play(s)

    # ---- playing

    @property
    def over(self) -> bool:
        return self._end is not None

    @property
    def decision(self) -> Decision | None:
        return self._decision

    @property
    def asked(self) -> Decision:
        """The decision of a game that is not over."""
        if self._failed is not None:
            raise self._failed
        if self._decision is None:
            raise IllegalMove("the game is over" if self.over else "the game has not begun")
        return self._decision

    def apply(self, move: int) -> None:
        decision = self.asked
        move = checked_move(decision.name, decision.count, move)
        if self.table_state.log is not None:
            self._note(decision, move, self.table_state.log)
        self.moves.append(move)
        self._resume(move)

    def _note(self, decision: Decision, move: int, log: Log) -> None:
        """Writes down what is chosen; the options are made while they still mean what they say."""
        label = decision.labels()[move] if not decision.is_number else decision.label(move)
        self._labels.append((decision.player, decision.name, label))
        texts = [Text(label)] if decision.is_number else decision.options[move].texts
        log.choose(Entry(decision.player, decision.name, texts, decision.private))

    def _resume(self, move: int | None) -> None:
        s = self.table_state
        s.steps = 0
        try:
            self._decision = self._run.send(move)  # type: ignore[arg-type]  # a generator is started with None
        except StopIteration:
            self._decision = None
            self._finish()
        except GameError as error:
            self._fail(error)
        if s.log is not None:
            s.log.close(s)
        if self._decision is not None:
            self._decision.locate = self._locate
            if len(self.moves) >= MOST_DECISIONS:
                self._fail(self.too_long())

    def _fail(self, error: GameError) -> NoReturn:
        """Says in which game the error was."""
        self._decision = None
        self._failed = error
        self._locate(error)
        raise error

    def _locate(self, error: GameError) -> None:
        error.seed, error.game, error.moves = self.seed, self.number, list(self.moves)

    def _finish(self) -> None:
        ruleset, s = self.rules.ruleset, self.table_state
        try:
            scores = self.program.of_each_player(ruleset.score, s) if ruleset.score is not None else [0] * self.players
            won = self.program.of_each_player(ruleset.won, s) if ruleset.won is not None else None
        except GameError as error:
            self._fail(error)
        best = max(scores)
        self._end = scores, [seat for seat in range(self.players) if (won[seat] if won else scores[seat] == best)]

    def ask_strategy(self, name: str, stream: Stream) -> int | None:
        try:
            return self.program.ask_strategy(name, self.asked, self.table_state, stream)
        except GameError as error:
            self._fail(error)

    def missing(self) -> list[Missing]:
        from trionfi.interpreter.reference.reasons import told

        decision = self.asked
        return [] if decision.why is None else told(self._logged(), decision.player, self.asked.why or list)

    # ---- results

    @property
    def scores(self) -> list[int | Fraction] | None:
        return list(self._end[0]) if self._end is not None else None

    @property
    def winners(self) -> list[int] | None:
        return list(self._end[1]) if self._end is not None else None

    @property
    def tallies(self) -> list[list[Tally]]:
        return self.table_state.tallies

    @property
    def measures(self) -> dict[str, object] | None:
        if self._end is None:
            return None
        figures: dict[str, object] = {}
        for shape, tallies in zip(self.rules.measure_shapes, self.tallies, strict=True):
            each = [shown(shape, tally) for tally in tallies]
            figures[shape.name] = each if shape.per_player else each[0]
        return figures

    # ---- looking

    def _logged(self) -> State:
        """The state with a log; a quiet game is played again, to make it up."""
        if self.table_state.log is None:
            self._replay(quiet=False)
        return self.table_state

    def _replay(self, quiet: bool) -> None:
        moves, self.moves = self.moves, []
        self._labels, self._end, self._decision = [], None, None
        self._set_up(quiet)
        self._resume(None)
        for move in moves:
            self.apply(move)

    def view(self, player: int) -> dict[str, object]:
        if not 0 <= player < self.players:
            raise IndexError(f"there is no player {player}; seats are 0 to {self.players - 1}")
        return view_of(self._logged(), self.program.review, self._decision, player)

    @property
    def state(self) -> dict[str, object]:
        return state_of(self._logged(), self._decision)

    @property
    def log(self) -> list[dict[str, object]]:
        return log_lines(self._logged(), None)

    @property
    def labels(self) -> list[tuple[int, str, str]]:
        self._logged()
        return list(self._labels)

    # ---- once more

    def clone(self) -> ReferenceGame:
        return self._again(self.moves)

    def _again(self, moves: Sequence[int]) -> ReferenceGame:
        quiet = self.table_state.log is None
        game = ReferenceGame(self.rules, self.program, self.seed, self.number, self.deal, quiet)
        for move in moves:
            game.apply(move)
        return game

    # ---- tests

    def evaluate(self, expr: Expr, locals_: Sequence[Local] = ()) -> Any:
        return self.program.evaluate(expr, locals_, self.table_state)

    def show(self, expr: Expr, locals_: Sequence[Local] = ()) -> str:
        value = self.evaluate(expr, locals_)
        return "".join(text.shown for text in value_texts(self.table_state, expr.type, value))

    def reconsider(self) -> None:
        """Makes the present decision anew, from the state as it is."""
        decision = self._run.send(None)  # type: ignore[arg-type]
        if decision.name != self.asked.name:
            raise InternalError("a decision made anew is another one")
        self._decision = decision

    def check_conserved(self) -> None:
        """Raises InternalError if cards or chips were made or lost."""
        self.table_state.check_conserved()
