"""Rulesets made at random play alike in both engines, and stop alike where they stop."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from trionfi.core.desugar import desugar
from trionfi.core.text import parse_program, print_program
from trionfi.core.verify import verify
from trionfi.dsl.diagnostics import RulesError
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import Setup, play_block

from ..by_day import SIZE
from .made_rulesets import make
from .made_stacks import stacks
from .test_equality import assert_alike, assert_decisions_alike
from .test_stacked import play_alike as play_stacked_alike

MOST_MOVES = 60


def made(seed: int) -> Rules | None:
    """The rules of a text made at random; None if the checker refuses it."""
    try:
        return load("made", text=make(Random(seed)))
    except RulesError:
        return None


def outcome(step: Any) -> tuple[str, Any]:
    try:
        return "", step()
    except GameError as error:
        return str(error), None


def play_alike(rules: Rules, players: int, game: int) -> None:
    one, other = (
        outcome(lambda engine=engine: rules.start(players=players, seed=1, game=game, engine=engine))
        for engine in ("reference", "native")
    )
    assert one[0] == other[0]
    if one[0]:
        return
    dice = Random(game)
    for _ in range(MOST_MOVES):
        assert_decisions_alike(one[1].decision, other[1].decision, True, str(one[1].moves))
        if dice.random() < 0.2:
            assert_alike(one[1], other[1], str(one[1].moves))
        if one[1].decision is None:
            assert (one[1].scores, one[1].winners, one[1].measures) == (
                other[1].scores,
                other[1].winners,
                other[1].measures,
            )
            return
        move = dice.randrange(one[1].decision.count)
        faults = [outcome(lambda table=table, move=move: table.apply(move))[0] for table in (one[1], other[1])]
        assert faults[0] == faults[1], one[1].moves
        if faults[0]:
            return


def add_up_alike(rules: Rules, players: int) -> None:
    bots = ("random",) * players
    reference = outcome(lambda: play_block(rules, Setup(players, bots, 3, "reference"), 0, 6).sums)
    native = outcome(lambda: BlockPlayer(rules, players, bots, 3).play(0, 6))
    assert native == reference


@settings(
    max_examples=int(4 * max(1, SIZE)),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a smaller seed is no smaller ruleset
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 2**32), st.data())
def test_made_rulesets_play_alike(seed: int, data: st.DataObject) -> None:
    rules = made(seed)
    assume(rules is not None)
    assert rules is not None
    players = 2 + seed % 3
    for game in range(3):
        play_alike(rules, players, game)
        play_stacked_alike(rules, players, game, data.draw(stacks(rules, players)))
    add_up_alike(rules, players)


def test_the_core_of_made_rulesets_is_well_formed() -> None:
    """And is read again as it was printed."""
    for seed in range(int(12 * max(1, SIZE))):
        rules = made(seed)
        if rules is None:
            continue
        program = desugar(rules.ruleset, unused=True)
        verify(program, rules.ruleset)
        assert parse_program(print_program(program)).functions == program.functions


def test_most_made_rulesets_are_good() -> None:
    assert sum(made(seed) is not None for seed in range(10)) >= 7
