"""Games of Arcana Poker, checked at every step: at full size 20,000 in the native engine and 500 in the reference.

Cards are conserved; plays and cards are what the rulings make of them (A13..A19, A23); deriving again changes nothing;
negating the newest play is as if its lasting parts had never been, negating that restores them, and with everything
negated all cards are as printed (A16); every decision has an option, every round ends, and gives the points of the
rulings (A4, A7..A10); Temperance takes each card equally often; and nobody knows more cards than the rulings say (A2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from arcana_games import Eye, Temperance, Watched
from arcana_native import NativeEye, Reader
from arcana_reference import ReferenceEye
from arcana_rulings import ARCANA

from trionfi.interpreter.rules import Rules

Library = Callable[..., Rules]
GAMES = {"native": 200, "reference": 5}  # times the size of the run
DAILY = {"native": 60, "reference": 20}
SEED = 61
# `share` of so many games are played with other options besides
CASES: list[tuple[float, dict[str, object]]] = [
    (1, {}),
    (
        0.1,
        {"lovers": "any_card", "strength_ace": "stays", "justice": "with_round", "hermit": "owner", "magician": "two"},
    ),
    (0.1, {"negation": "final", "first": "alternate", "goal": 15}),
]


@pytest.mark.parametrize(("share", "options"), CASES, ids=str)
@pytest.mark.parametrize("engine", GAMES)
def test_games_keep_the_rulings_at_every_step(
    rules: Library, test_size: float, engine: str, share: float, options: dict[str, object]
) -> None:
    arcana_poker, temperance = rules("arcana-poker", **options), Temperance()
    met: Counter[str] = Counter()
    eye = eyes(engine, arcana_poker, met)
    games = round(max(DAILY[engine], GAMES[engine] * test_size if test_size > 1 else 0) * share)
    for number in range(games):
        game = arcana_poker.start(seed=SEED, game=number, engine=engine, quiet=True)
        watched = Watched(game, eye(game), number, temperance)
        try:
            watched.play()
        except AssertionError as error:
            error.add_note(f"game {number} of seed {SEED}, moves {game.moves}")
            raise
        met.update(watched.played)
    temperance.check()
    if games >= 5:
        assert met.keys() >= set(ARCANA), "each card was played"
        assert temperance.times >= games / 2
        assert options.get("negation") == "final" or (met["newest mattered"] and met["something altered"])


def eyes(engine: str, rules: Rules, met: Counter[str]) -> Callable[[Any], Eye]:
    if engine == "reference":
        return lambda game: ReferenceEye(game, met)
    reader = Reader(rules)
    return lambda game: NativeEye(reader, game, met)
