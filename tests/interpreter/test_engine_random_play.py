"""Random games of every ruleset in the library, at every seat count (by day, the least and the most): nothing is lost, nothing leaks, nothing hangs on
anything but the seed. `TRIONFI_TEST_SIZE=100` plays thousands of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trionfi.dsl.library import library_games
from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.rules import Rules

Library = Callable[..., Rules]

GAMES = sorted(library_games())
EVERY_OPTION = {
    "two-win": [
        {"games": 6, "chips": 30},
        {"betting": "limit", "games": 3},
        {"betting": "pot_limit", "mixed_runs": True},
    ],
    "no-limit-holdem": [{"games": 6, "chips": 30, "ante": 1}],
}

# By day, in place of what is said above: games of many rounds end after one.
SHORT = {"gin-rummy": {"target": 1}}

quietly = settings(deadline=None, suppress_health_check=list(HealthCheck))


def seat_counts(rules: Rules) -> range:
    return range(rules.players[0], rules.players[1] + 1)


def variants(library: Library, name: str, size: float) -> Iterator[Rules]:
    yield library(name, **(SHORT.get(name, {}) if size <= 1 else {}))
    for options in EVERY_OPTION.get(name, []):
        yield library(name, **options)


@pytest.mark.parametrize("name", GAMES)
def test_cards_and_chips_are_conserved_and_every_game_comes_to_its_end(
    rules: Library, test_size: float, name: str
) -> None:
    for variant in variants(rules, name, test_size):
        counts = seat_counts(variant)
        for players in counts if test_size > 1 else {counts[0], counts[-1]}:
            for number in range(max(1, round(test_size))):
                play_checked(variant, players, number)


def play_checked(rules: Rules, players: int, number: int) -> None:
    game: Any = rules.start(players=players, seed=11, game=number, engine="reference", quiet=True)
    bots = seat_bots(rules, ["random"] * players, 11, number)
    while not game.over:
        assert game.decision.count >= 1
        assert 0 <= game.decision.player < players
        game.check_conserved()
        game.apply(bots[game.decision.player](game))
    game.check_conserved()
    assert len(game.scores) == players
    assert set(game.winners) <= set(range(players))
    assert game.winners or rules.ruleset.won is not None


def some_game(rules: Rules, seed: int, moves: int, players: int) -> Any:
    """A game of so many seats (round the counts that there are), this many random moves on."""
    counts = seat_counts(rules)
    game = rules.start(players=counts[players % len(counts)], seed=seed, engine="reference")
    stream = Stream(seed, 1)
    while game.decision is not None and len(game.moves) < moves:
        game.apply(stream.below(game.decision.count))
    return game


games = st.tuples(st.sampled_from(GAMES), st.integers(0, 2**63 - 1), st.integers(0, 40), st.integers(0, 16))


# One choice is made in several, of which a later one may have no option with other cards than the first was made with.
CHOSEN_IN_PARTS = ("dou-dizhu",)


def unknown_pairs(game: Any, player: int) -> list[tuple[int, int]]:
    """Cards of one deck that a player does not know, two by two."""
    s, faces = game.table_state, game.rules.ruleset.faces
    hidden = [card for card in s.table.in_game if not s.known[card] >> player & 1]
    if game.rules.ruleset.key in CHOSEN_IN_PARTS and not game.over and game.decision.player != player:
        hidden = [card for card in hidden if not s.known[card] >> game.decision.player & 1]
    return [(a, b) for a, b in combinations(hidden, 2) if faces[s.looks[a].face].deck == faces[s.looks[b].face].deck]


@quietly
@given(games, st.randoms(use_true_random=False))
def test_cards_that_a_player_does_not_know_change_nothing_for_that_player(
    rules: Library, drawn: tuple[str, int, int, int], random: Random
) -> None:
    name, seed, moves, players = drawn
    game = some_game(rules(name), seed, moves, players)
    for player in range(game.players):
        pairs = unknown_pairs(game, player)
        for one, other in random.sample(pairs, min(4, len(pairs))):
            before = game.view(player)
            game.table_state.swap_cards(one, other)
            if not game.over:
                game.reconsider()
            assert game.view(player) == before
            game.table_state.swap_cards(one, other)
            if not game.over:
                game.reconsider()
            assert game.view(player) == before


@quietly
@given(games)
def test_a_clone_and_a_restored_snapshot_go_on_alike(rules: Library, drawn: tuple[str, int, int, int]) -> None:
    name, seed, moves, players = drawn
    game = some_game(rules(name), seed, moves, players)
    copies = [game.clone(), rules(name).restore(game.snapshot(), engine="reference")]
    stream = Stream(seed, 2)
    for _ in range(5):
        assert all(copy.state == game.state for copy in copies)
        if game.decision is None:
            break
        move = stream.below(game.decision.count)
        for each in (game, *copies):
            each.apply(move)


@quietly
@given(games)
def test_views_and_records_are_json_and_views_hold_no_card_that_is_not_known(
    rules: Library, drawn: tuple[str, int, int, int]
) -> None:
    name, seed, moves, players = drawn
    game = some_game(rules(name), seed, moves, players)
    state = json.loads(json.dumps(game.state))
    assert set(state) >= {"zones", "variables", "decision", "plays", "log"}
    for player in range(game.players):
        view = json.loads(json.dumps(game.view(player)))
        assert set(view) >= {"zones", "variables", "decision", "plays", "log"}
        for zone, cards in view["zones"].items():
            who, real = state["known"][zone], state["zones"][zone]
            if len(cards) == len(real):
                assert cards == [card if player in seats else None for card, seats in zip(real, who, strict=True)]
    record = json.loads(json.dumps(game.record()))
    assert rules(name).replay(record, engine="reference").state == game.state


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_is_the_same_game_and_another_is_another(rules: Library, name: str) -> None:
    one, same, other = (some_game(rules(name), seed, 30, 0) for seed in (1, 1, 2))
    assert one.state == same.state
    assert one.log == same.log
    assert (one.state["zones"], one.state["variables"]) != (other.state["zones"], other.state["variables"])
