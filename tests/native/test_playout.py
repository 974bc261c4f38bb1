"""Whole games in native code add up to what the reference engine adds up, whoever plays them.

By day each ruleset is played once through: every second one by its strategies beside a random player, the others by
random players alone, since each is a module of its own, of the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest

from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.simulate import Setup, play_block, simulate
from trionfi.interpreter.workers import in_threads

from ..by_day import LARGE
from .test_equality import CASES, RULESETS, SHORT, SIZE

BY_STRATEGIES = RULESETS if LARGE else RULESETS[::2]
AT_RANDOM = CASES if LARGE else [(name, SHORT.get(name, {})) for name in RULESETS[1::2]]


def both(rules: Rules, players: int, bots: tuple[str, ...], games: int) -> tuple[object, object]:
    """The sums of some games; of a single one, where only one is affordable."""
    first = 5 if games > 1 else shortest(rules, players, bots)
    native = BlockPlayer(rules, players, bots, seed=11).play(first, games)
    reference = play_block(rules, Setup(players, bots, 11, "reference"), first, games).sums
    return native, reference


def affordable(rules: Rules, players: int, decisions: int) -> int:
    """How many games the reference engine plays in about so many decisions."""
    mean = BlockPlayer(rules, players, ("random",) * players, seed=1).play(0, 20).decisions.mean
    return max(1, min(30, int(decisions * max(1, SIZE) / max(1, mean))))


def shortest(rules: Rules, players: int, bots: tuple[str, ...]) -> int:
    """The number of the shortest of the first forty games: a long one takes the reference engine half a minute."""
    player = BlockPlayer(rules, players, bots, seed=11)
    return min(range(40), key=lambda game: player.play(game, 1).decisions.mean)


@pytest.mark.parametrize(("name", "options"), AT_RANDOM, ids=str)
def test_random_games_add_up_alike(name: str, options: dict[str, object], rules: Callable[..., Rules]) -> None:
    game = rules(name, **options)
    for players in sorted({game.players[0], min(game.players[0] + 2, game.players[1])}):
        native, reference = both(game, players, ("random",) * players, affordable(game, players, 150))
        assert native == reference


@pytest.mark.parametrize("name", BY_STRATEGIES)
def test_bots_play_alike(name: str, rules: Callable[..., Rules]) -> None:
    game = rules(name, **SHORT.get(name, {}))
    players = min(game.players[0] + 1, game.players[1])
    for bot in ["first", *game.ruleset.strategies]:
        bots = ("random", *(bot,) * (players - 1)) if players > 1 else (bot,)
        native, reference = both(game, players, bots, min(4, affordable(game, players, 100)))
        assert native == reference, bot


def test_any_number_of_workers_adds_up_alike(rules: Callable[..., Rules]) -> None:
    reports = [simulate(rules("two-win"), 2000, players=3, seed=4, workers=workers).to_dict() for workers in (1, 2, 3)]
    assert reports[0] == reports[1] == reports[2]


def test_blocks_add_up_to_the_whole(rules: Callable[..., Rules]) -> None:
    player = BlockPlayer(rules("leduc"), 2, ("random", "random"), seed=9)
    whole, parts = player.play(0, 1000), player.play(0, 400)
    parts.add(player.play(400, 600))
    assert whole == parts


def test_a_block_that_is_no_longer_wanted_ends_soon(rules: Callable[..., Rules]) -> None:
    player = BlockPlayer(rules("gin-rummy"), 2, ("random", "random"), seed=1)
    answers = in_threads(player.play, iter([(0, 3), (3, 10_000_000)]), 1)
    assert next(answers).games == 3
    start = perf_counter()
    answers.close()
    assert perf_counter() - start < 20
