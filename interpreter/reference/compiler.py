"""From the checked tree to closures: each node class has one meaning, found in a table.

A value is a function of the state and the frame (the locals of the script or define that it stands in). A step
is a statement's function; it gives None, or a signal that something outside it has to obey (STOP, RETURN, PICKED).
A step that may reach a decision is a generator instead, which yields each decision and is sent the move.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from trionfi.dsl import tree
from trionfi.dsl.analysis.trials import Trial, Trials
from trionfi.dsl.analysis.tried import steps_for
from trionfi.dsl.limits import MOST_STATEMENTS
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Block, Define, Expr, Local, Node, Procedure, Ruleset, Statement
from trionfi.dsl.tree.walk import nearest, references, walk
from trionfi.interpreter.errors import GameError, InternalError, fail
from trionfi.interpreter.once import made_once
from trionfi.interpreter.state import State

if TYPE_CHECKING:
    from trionfi.interpreter.table import Table

__all__ = [
    "Compiler",
    "Frame",
    "Step",
    "Value",
    "frame_size",
    "meaning",
    "missing_meanings",
    "statement",
    "trial_counter",
]

Frame = list[Any]
Value = Callable[[Any, Frame], Any]
Asking = Generator[Any, Any, Any]
Builder = Callable[[Any, "Compiler"], Any]
B = TypeVar("B", bound=Builder)

STOP = "stop"
RETURN = "return"
PICKED = "picked"

# Statements that ask, always.
ASKING = (tree.Choose, tree.ChooseNumber, tree.ChooseOrientation, tree.Menu, tree.Secret, tree.PlayCard)

MEANINGS: dict[type, Builder] = {}

# Nodes that are worked out once if all that they are made of is known before play.
FOLDABLE: set[type] = set()


class Step(NamedTuple):
    """A statement's function; `asks`: it is a generator function."""

    run: Callable[[Any, Frame], Any]
    asks: bool = False


class Script(NamedTuple):
    """A procedure ready to be called with a frame of `size` locals."""

    run: Callable[[Any, Frame], Any]
    size: int
    asks: bool


def meaning(node: type, foldable: bool = False) -> Callable[[B], B]:
    """Registers what a kind of expression means: `build(node, compiler) -> Value`."""

    def register(build: B) -> B:
        MEANINGS[node] = build
        if foldable:
            FOLDABLE.add(node)
        return build

    return register


def statement(node: type) -> Callable[[B], B]:
    """Registers what a kind of statement does: `build(node, compiler) -> Step`."""
    return meaning(node)


def missing_meanings() -> list[str]:
    """Nodes of the checked tree that the engine does not know; tests want this to be empty."""
    classes = [thing for thing in vars(tree).values() if isinstance(thing, type)]
    nodes = {thing for thing in classes if issubclass(thing, Expr | Statement)} - {Expr, Statement}
    return sorted(node.__name__ for node in nodes - set(MEANINGS))


class Compiler:
    """Compiles for one ruleset, one setting of its options and one table. Serves the evaluators of hands, too.

    `options` holds values by name. Without a table only what is settled before anybody sits down can be compiled.
    """

    def __init__(
        self, ruleset: Ruleset, options: Mapping[str, object], table: Table | None, kept: Iterable[int] = ()
    ) -> None:
        self.ruleset = ruleset
        self.options = options
        self.kept = list(kept)
        self._table = table
        self._defines: dict[int, tuple[Value, int]] = {}
        self._scripts: dict[int, Script] = {}
        self._asks: dict[int, bool] = {}
        self._evaluators: dict[int, Any] = {}
        self._known: dict[Value, object] = {}

    @property
    def table(self) -> Table:
        if self._table is None:
            raise InternalError("an option's condition reads the table")
        return self._table

    # ---- values

    def value(self, expr: Expr) -> Value:
        """The closure of an expression."""
        build = MEANINGS.get(type(expr))
        if build is None:
            raise InternalError(f"the reference engine has no meaning for {type(expr).__name__}")
        made: Value = build(expr, self)
        if type(expr) in FOLDABLE and made not in self._known and self.is_settled(expr):
            return self._fold(made)
        return made

    compile = value  # as the evaluators of hands call it

    def values(self, exprs: Iterable[Expr]) -> list[Value]:
        return [self.value(expr) for expr in exprs]

    def constant(self, value: object) -> Value:
        def constant(_s: State, _f: Frame) -> object:
            return value

        self._known[constant] = value
        return constant

    def is_known(self, made: Value) -> bool:
        return made in self._known

    def known(self, made: Value) -> Any:
        """The value of a closure that is the same all through the game."""
        return self._known[made]

    def is_settled(self, expr: Expr) -> bool:
        """Whether an expression has its value before play: options and constants all the way down."""
        return type(expr) in FOLDABLE and all(self.is_settled(child) for child in nearest(expr, Expr))

    def _fold(self, made: Value) -> Value:
        try:
            return self.constant(made(None, []))
        except GameError:
            return made  # it fails if and when it is read

    def define(self, define: Define) -> tuple[Value, int]:
        """The body of a define and how many locals it has."""
        return made_once(
            self._defines, id(define), lambda: (self.value(define.body), frame_size(define.body, define.locals))
        )

    def evaluator(self, node: Any, make: Callable[[Any, Any], Any]) -> Any:
        """What evaluates a ranking, total or meld; made once."""
        return made_once(self._evaluators, id(node), lambda: make(node, self))

    # ---- statements

    def step(self, node: Statement) -> Step:
        build = MEANINGS.get(type(node))
        if build is None:
            raise InternalError(f"the reference engine has no meaning for {type(node).__name__}")
        made: Step = build(node, self)
        return made

    def block(self, block: Block) -> Step:
        """All statements of a block, one after another, as one step."""
        steps = [self._counted(node) for node in block]
        if any(step.asks for step in steps):
            return Step(asking_block(steps), asks=True)
        return Step(plain_block([step.run for step in steps]))

    def _counted(self, node: Statement) -> Step:
        """A statement that first counts the hands that it may have to try."""
        run, asks = step = self.step(node)
        count = trial_counter(self.trials.of_statement(node), self)
        if count is None:
            return step

        def run_counted(s: State, f: Frame) -> Any:
            count(s, f)
            return run(s, f)

        return Step(run_counted, asks)

    @cached_property
    def trials(self) -> Trials:
        return Trials(self.ruleset)

    def asking(self, block: Block) -> Callable[[Any, Frame], Asking]:
        """A block as a generator, whether it asks or not."""
        step = self.block(block)
        return step.run if step.asks else as_asking(step.run)

    def asks(self, node: Statement | Block) -> bool:
        """Whether a decision may be reached from a statement or a block."""
        return any(map(self._may_ask, walk(node, below=lambda one: not isinstance(one, Expr))))

    def _may_ask(self, node: Node) -> bool:
        if isinstance(node, tree.Trigger):
            return any(self.procedure_asks(one.events[node.event]) for one in self._effects_at(node.event))
        return isinstance(node, ASKING) or (isinstance(node, tree.Call) and self.procedure_asks(node.procedure))

    def _effects_at(self, event: str) -> list[tree.Effect]:
        return [effect for effect in self.ruleset.effects if event in effect.events]

    def procedure_asks(self, procedure: Procedure) -> bool:
        return made_once(self._asks, id(procedure), lambda: self.asks(procedure.body))

    def script(self, procedure: Procedure) -> Script:
        """A procedure, compiled when it is first called for."""
        return made_once(self._scripts, id(procedure), lambda: self._script(procedure))

    def _script(self, procedure: Procedure) -> Script:
        step = self.block(procedure.body)
        return Script(step.run, frame_size(procedure.body, procedure.locals), step.asks)


# ---- blocks


def plain_block(runs: list[Callable[[Any, Frame], Any]]) -> Callable[[Any, Frame], Any]:
    if len(runs) == 1:
        return runs[0]
    steps = tuple(runs)

    def run_block(s: State, f: Frame) -> Any:
        for step in steps:
            signal = step(s, f)
            if signal is not None:
                return signal
        return None

    return run_block


def asking_block(steps: list[Step]) -> Callable[[Any, Frame], Asking]:
    parts = tuple(steps)

    def ask_block(s: State, f: Frame) -> Asking:
        for step, asks in parts:
            signal = (yield from step(s, f)) if asks else step(s, f)
            if signal is not None:
                return signal
        return None

    return ask_block


def as_asking(run: Callable[[Any, Frame], Any]) -> Callable[[Any, Frame], Asking]:
    def ask(s: State, f: Frame) -> Asking:
        yield from ()  # a generator, though it asks nothing
        return run(s, f)

    return ask


def pass_counter(loop: tree.Loop, c: Compiler) -> Value:
    """What is called at each pass of a loop that could go on for ever: it stops a game that does."""
    weight, tried = loop.weight, trial_counter(c.trials.of_pass(loop), c)

    def count(s: State, f: Frame) -> None:
        s.steps += weight
        if s.steps > MOST_STATEMENTS:
            too_many_steps("turns here", loop.body[0].span)
        if tried is not None:
            tried(s, f)

    return count


def trial_counter(trials: Sequence[Trial], c: Compiler) -> Value | None:
    """What counts the hands that may have to be tried, before they are; None if there is none."""
    if not trials:
        return None
    counters = [one_trial(trial, c) for trial in trials]

    def count(s: State, f: Frame) -> None:
        for counter in counters:
            counter(s, f)

    return count


def one_trial(trial: Trial, c: Compiler) -> Value:
    steps, room = steps_for(trial.what, trial.kind, trial.times, c.ruleset), trial.room
    families = [(c.table.zones_of(name), factor) for name, factor in room.zones]

    def count(s: State, f: Frame) -> None:
        cards = room.fixed
        for zones, factor in families:
            cards += factor * max([len(s.zones[zone]) for zone in zones])
        for local, factor in room.lists:
            cards += factor * len(f[local.index] or ())
        s.steps += steps[min(cards, len(steps) - 1)]
        if s.steps > MOST_STATEMENTS:
            too_many_steps("tries hands here", trial.span)

    return count


def too_many_steps(what: str, span: Span) -> NoReturn:
    fail("game-without-end", f"the game takes {MOST_STATEMENTS:,} steps without a decision and {what}", span)


def frame_size(node: Expr | Block, locals_: Iterable[Local] = ()) -> int:
    """How many locals a script or expression uses: the highest number among them and one more."""
    named = (thing for one in walk(node) for thing in references(one) if isinstance(thing, Local))
    return 1 + max((local.index for local in (*locals_, *named)), default=-1)
