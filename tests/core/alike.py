"""Plays games of the core beside games of the reference engine, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any, NoReturn
from unittest.mock import patch

from trionfi.core.desugar import desugar
from trionfi.core.ir import Program
from trionfi.dsl.tree import Ruleset
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.core_engine.program import CoreProgram, core_game
from trionfi.interpreter.decision import Decision
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.game import Game
from trionfi.interpreter.opening import ENGINES
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.seating import seating_of

__all__ = ["core_of", "core_program", "playing_the_core", "same_games"]

Failure = tuple[str, str] | None

# By the ids of what they are made from, which is kept so that its id stays its own.
_CORES: dict[int, tuple[Ruleset, Program]] = {}
_PROGRAMS: dict[tuple[int, int], tuple[Rules, CoreProgram]] = {}


def core_of(ruleset: Ruleset) -> Program:
    """The core of a ruleset before any pass; made once."""
    if id(ruleset) not in _CORES:
        _CORES[id(ruleset)] = ruleset, desugar(ruleset)
    return _CORES[id(ruleset)][1]


def core_program(rules: Rules, players: int) -> CoreProgram:
    """The same for a seat count, under the options that are set; made once."""
    key = id(rules), players
    if key not in _PROGRAMS:
        _PROGRAMS[key] = rules, CoreProgram(rules, players, core_of(rules.ruleset))
    return _PROGRAMS[key][1]


class CoreGame(ReferenceGame):
    """A game of the core that says in the words of the reference engine why it stops."""

    def _fail(self, error: GameError) -> NoReturn:
        program = seating_of(self.rules, self.players).program
        _, said = caught(lambda: self.played_by(program))
        if said is not None:
            assert failure_of(said)[:2] == failure_of(error)[:2], (said, error)
            error = said
        super()._fail(error)

    def played_by(self, program: Any) -> None:
        game = ReferenceGame(self.rules, program, self.seed, self.number, self.deal)
        for move in self.moves:
            game.apply(move)


class OfTheCore:
    """The engine that plays the core in Python."""

    def why_not(self, rules: RulesData) -> list[str]:
        return []

    def starter(self, rules: RulesData, players: int, quiet: bool = False) -> Callable[..., Game]:
        assert isinstance(rules, Rules)
        return partial(CoreGame, rules, core_program(rules, players), quiet=quiet)


@contextmanager
def playing_the_core() -> Iterator[None]:
    """Inside, whatever game is begun is one of the core."""

    with patch.dict(ENGINES, dict.fromkeys(ENGINES, OfTheCore())):
        yield


# ---- one game


def caught(step: Callable[[], Any]) -> tuple[Any, GameError | None]:
    try:
        return step(), None
    except GameError as error:
        return None, error


def failure_of(error: GameError) -> tuple[str, str]:
    """What must be the same; the reference engine alone says in words what it was about."""
    return error.code, str(error.span)


def outcome(step: Callable[[], Any]) -> tuple[Any, Failure]:
    """What a step gives, or how it fails."""
    value, error = caught(step)
    return value, None if error is None else failure_of(error)


def same_games(
    rules: Rules,
    players: int,
    number: int,
    most: int,
    core: Program | None = None,
    begin: Callable[[str], Game] | None = None,
) -> int:
    """Plays game `number` in both ways, by moves at random, up to so many decisions; asserts that they are alike in all
    that can be seen. Gives the number of decisions. `begin`: another beginning, of an engine's name."""
    program = core_program(rules, players) if core is None else CoreProgram(rules, players, core)

    def started(engine: str) -> Game:
        return rules.start(players=players, seed=7, game=number, engine=engine)

    def cored() -> Game:
        if begin is None:
            return core_game(rules, program, 7, number)
        with playing_the_core():
            return begin("reference")

    (one, failure), (other, failed) = outcome(lambda: (begin or started)("reference")), outcome(cored)
    assert failure == failed
    return side_by_side(rules, one, other, Random(f"{players} {number}"), most) if failure is None else 0


def side_by_side(rules: Rules, one: Game, other: Game, dice: Random, most: int) -> int:
    for count in range(most):
        where = f"{rules.key}, moves {one.moves}"  # type: ignore[attr-defined]
        assert_same_decisions(one.decision, other.decision, where)
        if one.decision is None:
            assert_same_ends(one, other, where)
            return count
        if dice.random() < 0.1:
            assert_same_tables(one, other, where)
        assert_same_advice(rules, one, other, count, where)
        move = dice.randrange(one.decision.count)
        failure, failed = (outcome(lambda game=game, move=move: game.apply(move))[1] for game in (one, other))
        assert failure == failed, where
        if failure is not None:
            return count
    assert_same_tables(one, other, f"{rules.key}, after {most} decisions")
    return most


# ---- what is alike

SEEN = ("player", "name", "count", "low", "high", "step", "card", "left", "private")


def assert_same_decisions(one: Decision | None, other: Decision | None, where: str) -> None:
    assert (one is None) == (other is None), where
    if one is None or other is None:
        return
    for name in SEEN:
        assert getattr(one, name) == getattr(other, name), f"{where}: {name}"
    assert list(one.picked) == list(other.picked), where
    assert outcome(lambda: options_of(one)) == outcome(lambda: options_of(other)), where


def options_of(decision: Decision) -> list[Any]:
    if decision.is_number:
        return []
    return [(option.label, option.things, option.texts, option.template) for option in decision.options]


def assert_same_tables(one: Game, other: Game, where: str) -> None:
    assert one.state == other.state, where
    assert one.log == other.log, where
    for seat in range(one.players):
        assert one.view(seat) == other.view(seat), f"{where}: view {seat}"


def assert_same_ends(one: Game, other: Game, where: str) -> None:
    assert_same_tables(one, other, where)
    for name in ("scores", "winners", "measures", "labels"):
        assert getattr(one, name) == getattr(other, name), f"{where}: {name}"


def assert_same_advice(rules: Rules, one: Game, other: Game, count: int, where: str) -> None:
    """What each strategy would pick, and that it has drawn as much."""
    for name in rules.ruleset.strategies:
        streams = Stream(count, 1), Stream(count, 1)
        advice = [
            outcome(lambda game=game, stream=stream: game.ask_strategy(name, stream))  # noqa: B023  # called at once
            for game, stream in zip((one, other), streams, strict=True)
        ]
        assert advice[0] == advice[1], f"{where}: {name}"
        assert streams[0].below(1000) == streams[1].below(1000), f"{where}: {name}"
