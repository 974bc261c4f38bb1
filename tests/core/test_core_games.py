"""The core means what the reference engine means: every game of the library is played alike, decision by decision, also
where it is stacked; and its own tests hold. `TRIONFI_TEST_SIZE=full` plays 100 games a case, up to 2,000 decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from trionfi.core.verify import verify
from trionfi.dsl.tree import SituationTest
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.core_engine.program import core_game
from trionfi.interpreter.examples import outcome_of
from trionfi.interpreter.game import Game
from trionfi.interpreter.rules import Rules, load

from .alike import core_of, core_program, playing_the_core, same_games

FEW, MOST = 25, 2_000  # decisions of a game, by day and for acceptance

# Settings that lead elsewhere, or to an end.
OPTIONS: dict[str, list[dict[str, object]]] = {
    "arcana-poker": [
        {
            "negation": "final",
            "lovers": "any_card",
            "magician": "two",
            "hermit": "owner",
            "first": "alternate",
            "goal": 9,
        },
        {"strength_ace": "stays", "lovers": "any_card", "justice": "with_round", "first": "loser", "goal": 3},
    ],
    "crazy-eights": [{"target": 5}],
    "gin-rummy": [{"target": 1}],
    "hearts": [{"target": 3}],
    "klondike": [{"most_moves": 60}],
    "tarot-tennessee": [{"above": 0}],
    "tarot-tennessee-as-written": [{"above": 0}],
    "tennessee-for-two": [{"target": 1}],
    "two-win": [
        {"betting": "pot_limit", "games": 3},
        {"betting": "limit", "rotate": "every_card", "minimum_bet": 10, "chip": 5, "games": 2},
        {"mixed_runs": True, "major_values": "whole_or_digit"},
    ],
}


def tables(rules: Rules, count: int) -> Iterator[tuple[int, int]]:
    """So many pairs of a seat count and a game's number, all seat counts in turn, the fullest table first."""
    low, high = rules.players
    for number in range(count):
        yield high - number % (high - low + 1), number


@pytest.mark.parametrize("with_options", [False, True], ids=["as it is", "with options"])
def test_games_are_played_alike(game: str, with_options: bool, rules: Callable[..., Rules], test_size: float) -> None:
    settings = OPTIONS.get(game, []) if with_options else [{}]
    for options in settings:
        table = rules(game, **options)
        seats = table.players[1] - table.players[0] + 1
        count = 2 - with_options if test_size <= 1 else max(seats, int(test_size))
        for players, number in tables(table, count):
            same_games(table, players, number, FEW if test_size <= 1 else MOST)


def test_stacked_games_are_played_alike(game: str, rules: Callable[..., Rules], test_size: float) -> None:
    """The cards of the deck fall in another order, with the numbers of chance told; also where that does not fit."""
    table = rules(game)
    for number in range(int(max(1, test_size))):
        dice = Random(number)
        cards = list(dict.fromkeys(table.cards))
        dice.shuffle(cards)
        zones = [family.name for family in table.ruleset.zones if not family.per and family.places == 1]
        stacked = {dice.choice(zones): cards[:9]} if zones else {}
        chance = [0, 1, 0] if zones else [0, 1, 6]  # a die shows no 0

        def begin(engine: str, cards: Any = stacked, chance: Any = chance, number: int = number) -> Game:
            return table.deal(seed=3, game=number, engine=engine, cards=cards, chance=chance)

        same_games(table, table.seats(None), number, FEW if test_size <= 1 else MOST, begin=begin)


def test_the_tests_of_a_game_hold(game: str, rules: Callable[..., Rules], test_size: float) -> None:
    """Its situations are stacked, and go where few games at random come. Every fifth of them, by day."""
    table, settings = rules(game), dict[str, Rules]()
    situations = [test for test in table.ruleset.tests if isinstance(test, SituationTest)]
    with playing_the_core():
        for test in situations if test_size > 1 else situations[::5]:
            assert outcome_of(table, test, "reference", settings).failure == "", test.title


def test_a_strategy_that_returns_does_not_say(small_game: Callable[..., str]) -> None:
    text = small_game(
        play='|\n  deal 2 from stock to each hand\n  p1 chooses as opinion:\n    "keep": say "keeps"\n    "pass": say "passes"',
        strategies='\n  shy:\n    opinion: |\n      if player.hand.count < 2: return\n      pick "pass"\n  silent:\n    opinion: return\n'
        "  either:\n    opinion: |\n      if player.hand is empty: return\n      else: return",
    )
    rules = load("small", text=text)
    verify(core_of(rules.ruleset), rules.ruleset)
    game = core_game(rules, core_program(rules, 2), 1)
    assert [game.ask_strategy(name, Stream(1, 2)) for name in rules.ruleset.strategies] == [1, None, None]
