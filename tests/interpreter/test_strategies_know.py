"""Strategies pick alike whatever lies where their player cannot see it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random
from textwrap import indent
from typing import Any

import pytest

from trionfi.interpreter.chance import Stream
from trionfi.interpreter.rules import Rules, load

from ..analysis.test_peeking import HONEST, PLAY, RESULT, TABLE, VARIABLES
from ..table.test_hidden import exchange, hidden_pairs

GAMES = [
    "arcana-poker",
    "crazy-eights",
    "euchre",
    "gin-rummy",
    "hearts",
    "kuhn",
    "klondike",
    "tennessee-for-two",
    "two-win",
]
MOST_MOVES = 40
Bot = Callable[[Any, str], int | None]


def asked(game: Any, name: str) -> int | None:
    move: int | None = game.ask_strategy(name, Stream(7, 0, 1 + game.decision.player))
    return move


def differences(game: Any, bot: Bot, random: Random) -> list[str]:
    """Plays on with the ruleset's strategies; where one picks otherwise when two hidden cards are exchanged."""
    found = []
    for _ in range(MOST_MOVES):
        if game.decision is None:
            break
        player, picked = game.decision.player, None
        pairs = hidden_pairs(game, player)
        for name in game.rules.ruleset.strategies:
            picked = bot(game, name)
            for one, other in random.sample(pairs, min(2, len(pairs))):
                twin = game.clone()
                exchange(twin, one, other, player)
                if bot(twin, name) != picked:
                    found.append(f"{name}: {game.decision.name}")
        game.apply(random.randrange(game.decision.count) if picked is None else picked)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_the_library_s_strategies_know_what_their_player_knows(
    name: str, rules: Callable[..., Rules], test_size: float
) -> None:
    for seed in range(1, 2 + int(test_size)):
        assert differences(rules(name).start(seed=seed, engine="reference"), asked, Random(seed)) == []


def test_a_bot_that_peeks_is_found_out(rules: Callable[..., Rules]) -> None:
    def sly(game: Any, _name: str) -> int:
        s = game.table_state
        hidden = [card for card in s.table.in_game if not s.known[card] >> game.decision.player & 1]
        return sum(s.looks[card].face for card in hidden[:3]) % int(game.decision.count)

    assert differences(rules("hearts").start(seed=1, engine="reference"), sly, Random(1))


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", HONEST)
def test_what_may_be_asked_gives_nothing_away(small_game: Callable[..., str], name: str, engine: str) -> None:
    """The same game with other cards where the player cannot see them."""
    decision, script = HONEST[name]
    strategies = f"\n  bot:\n    {decision}: |\n{indent(script, ' ' * 6)}"
    text = small_game(table=TABLE, variables=VARIABLES, play=PLAY, result=RESULT, strategies=strategies)
    game = load("small", text=text)
    mover, others = (0, "p2.hand") if decision == "lead" else (1, "p1.hand")
    own = {"p1.hand": ["ace of cups", "3 of swords"], "p2.hand": ["4 of cups", "2 of swords"]}
    picked = set()
    for hidden in permutations(["6 of cups", "5 of swords", "3 of cups", "2 of cups"], 3):
        cards = {**own, others: list(hidden[:2]), "pile": ["5 of cups"], "kitty": [hidden[2]]}
        play = game.deal(cards=cards, engine=engine, seed=1)
        while play.decision is not None and play.decision.player != mover:
            play.apply(0)
        assert play.decision is not None
        move = asked(play, "bot")
        picked.add(None if move is None else play.decision.label(move))
    assert len(picked) == 1
