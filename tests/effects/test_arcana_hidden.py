"""What a player of Arcana Poker is shown (view, options, labels, and in the reference engine log and reasons) does not change when only
cards are exchanged that the player does not know: before, while and after each of the 22 is played, by either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from arcana_hidden import TWINS, side_by_side, some_pair
from arcana_native import Reader
from arcana_rulings import ARCANA

from trionfi.interpreter.rules import Rules

Library = Callable[..., Rules]
GAMES = {"native": 200, "reference": 5}  # times the size of the run
TWINS_OF_A_GAME = {"native": 1, "reference": 20}
STEPS = {"native": 7, "reference": 12}  # for which two games are compared
SEED = 62


@pytest.mark.parametrize("engine", GAMES)
def test_hidden_cards_change_nothing_that_is_shown(rules: Library, test_size: float, engine: str) -> None:
    arcana_poker = rules("arcana-poker")
    reader = Reader(arcana_poker) if engine == "native" else None
    met: Counter[tuple[str, bool]] = Counter()
    for number in range(round(GAMES[engine] * test_size)):
        for twin in range(TWINS_OF_A_GAME[engine]):
            game: Any = arcana_poker.start(seed=SEED, game=number, engine=engine)
            game.reader = reader
            compare(game, engine, Random(f"{number} {twin}"), met)
    assert met[ARCANA[0], True]
    missing = [(name, other) for name in ARCANA for other in (True, False) if not met[name, other]]
    assert not missing, met


def compare(game: Any, engine: str, random: Random, met: Counter[tuple[str, bool]]) -> None:
    """Two games that part somewhere in the first rounds, some steps on. `met` counts plays by their card, and whether it was
    the other player's."""
    kind = TWINS[engine]
    for _ in range(int(random.random() ** 2 * 60)):
        if game.decision is not None:
            game.apply(eager_move(game, random))
    viewer = None if game.decision is None else game.decision.player
    pair = None if viewer is None else some_pair(kind, game, viewer, random)
    if viewer is None or pair is None:
        return
    twin, plays = kind(game, viewer, pair), len(plays_of(game))
    for _ in side_by_side(twin, moves(game, random, STEPS[engine])):
        for play in plays_of(game)[plays:]:
            met[ARCANA[play[0] - 52], play[1] != viewer] += 1
        plays = len(plays_of(game))


def moves(game: Any, random: Random, steps: int) -> Iterator[int]:
    for _ in range(steps):
        if game.decision is None:
            return
        yield eager_move(game, random)


def eager_move(game: Any, random: Random) -> int:
    below: int = game.decision.count
    if game.decision.name == "action" and below > 1 and random.random() < 0.8:
        return random.randrange(1, below)
    return random.randrange(below)


def plays_of(game: Any) -> list[tuple[int, int]]:
    """Card and player of each play."""
    if game.reader is None:
        return [(play.card, play.player) for play in game.table_state.field.plays]
    count = game.reader.word(game._content, "plays")
    cards, players = (game.reader.column(game._content, f"play {name}", count) for name in ("card", "player"))
    return list(zip(cards, players, strict=True))
