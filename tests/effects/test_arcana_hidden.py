"""What a player of Arcana Poker is shown does not change when only cards are exchanged that the player does not know.

That is the view, options and labels, in the reference engine the log and the reasons, too; before, while and after each
of the 22 is played, by either player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from arcana_hidden import TWINS, ReferenceTwin, side_by_side, some_pair
from arcana_native import Reader
from arcana_rulings import ARCANA, MAIN

from trionfi.interpreter.rules import Rules

Library = Callable[..., Rules]
GAMES = {"native": 200, "reference": 5}  # times the size of the run
TWINS_OF_A_GAME = {"native": 1, "reference": 20}
STEPS = {"native": 7, "reference": 12}  # for which two games are compared
CHOICES = 100  # times the size of the run
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
    missing = [(name, other) for name in ARCANA for other in (True, False) if not met[name, other]]
    assert not missing, met


def compare(game: Any, engine: str, random: Random, met: Counter[tuple[str, bool]]) -> None:
    """Two games that part at some decision of the viewer's, some steps on. `met` counts plays by their card, and
    whether it was the other player's."""
    for _ in range(int(random.random() ** 2 * 60)):
        if game.decision is not None:
            game.apply(eager_move(game, random))
    viewer = None if game.decision is None else game.decision.player
    pair = None if viewer is None else some_pair(TWINS[engine], game, viewer, random)
    if viewer is None or pair is None:
        return
    twin, plays = TWINS[engine](game, viewer, pair), len(plays_of(game))
    for _ in side_by_side(twin, moves(game, random, STEPS[engine])):
        for play in plays_of(game)[plays:]:
            met[ARCANA[play[0] - MAIN], play[1] != viewer] += 1
        plays = len(plays_of(game))


def test_what_is_chosen_among_hidden_cards_is_not_told(rules: Library, test_size: float) -> None:
    """The two games part where a player chooses one of the two, which the viewer does not know."""
    met: Counter[str] = Counter()
    for number in range(round(CHOICES * test_size)):
        game: Any = rules("arcana-poker").start(seed=SEED, game=number, engine="reference")
        random = Random(number)
        while game.decision is not None and not (chosen := chosen_unseen(game, random)):
            game.apply(eager_move(game, random))
        if game.decision is not None:
            move, card, other = chosen
            twin, name = ReferenceTwin(game, 1 - game.decision.player, (card, other)), game.decision.name
            later = (move if step == 0 else eager_move(game, random) for step in range(5))
            met[name] += sum(1 for _ in side_by_side(twin, later))
    assert min(met["swapped"], met["taken"], met["The Star: targets"]) > 0, met


def chosen_unseen(game: Any, random: Random) -> tuple[int, int, int] | tuple[()]:
    """Now and then a move that chooses a card which the other player does not know, that card, and another such."""
    decision = game.decision
    if decision.name == "action" or decision.is_number or random.random() < 0.7:
        return ()
    unknown = ReferenceTwin.unknown(game, 1 - decision.player)
    options = [(move, option.things[0]) for move, option in enumerate(decision.options) if option.things]
    found = [(move, thing.value) for move, thing in options if thing.noun == "card" and thing.value in unknown]
    if not found:
        return ()
    move, card = random.choice(found)
    others = [other for other in unknown if other != card and (other >= MAIN) == (card >= MAIN)]
    return (move, card, random.choice(others)) if others else ()


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
