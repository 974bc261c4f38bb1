"""The screen shows nothing that its player may not know: with hidden cards exchanged it is the same, to the letter."""

from __future__ import annotations

import os
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules, load
from trionfi.shell.board import Board
from trionfi.shell.ink import Ink
from trionfi.shell.notes import altered_lines, option_notes
from trionfi.shell.question import Question

GAMES = ["two-win", "klondike", "euchre", "arcana-poker", "hearts", "gin-rummy", "tarot-tennessee", "casino-twenty-one"]


@cache
def rules_of(name: str) -> Rules:
    return load(name)


def screen(game: Any, board: Board, player: int) -> list[str]:
    """All that is shown to that player: the table, the news, and to who is asked the options and why not others."""
    view = game.view(player)
    lines = [*board.lines(view, player), *map(str, view["log"])]
    decision = game.decision
    if decision is not None and decision.player == player:
        question = Question(decision, [] if decision.is_number else decision.labels())
        question.notes = option_notes(board.ruleset, view, board.cards, question.labels)
        lines += [question.title, question.picked, *map(question.noted, question.labels)]
        lines += [f"{label}: {reason}" for label, reason in game.missing()]
        lines += altered_lines(view, board.cards)
    return lines


def hidden_pairs(game: Any, player: int) -> list[tuple[int, int]]:
    """Cards of one deck that a player does not know, two by two."""
    s, faces = game.table_state, game.rules.ruleset.faces
    hidden = [card for card in s.table.in_game if not s.known[card] >> player & 1]
    return [(a, b) for a, b in combinations(hidden, 2) if faces[s.looks[a].face].deck == faces[s.looks[b].face].deck]


def exchange(game: Any, one: int, other: int, player: int) -> None:
    """Exchanges two cards; what that player is asked is worked out anew (another may now have nothing to choose)."""
    game.table_state.swap_cards(one, other)
    if game.decision.player == player:
        game.reconsider()


@pytest.mark.parametrize("seed", [1, 2, 3] if os.environ.get("TRIONFI_TEST_SIZE", "1") != "1" else [1])
@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_change_nothing_on_the_screen(name: str, seed: int) -> None:
    random = Random(seed)
    game: Any = rules_of(name).start(seed=seed, engine="reference")
    board = Board(game, Ink())
    for _ in range(25):
        if game.decision is None:
            break
        for player in range(game.players):
            pairs = hidden_pairs(game, player)
            before = screen(game, board, player)
            for one, other in random.sample(pairs, min(3, len(pairs))):
                exchange(game, one, other, player)
                assert screen(game, board, player) == before
                exchange(game, one, other, player)
        game.apply(random.randrange(game.decision.count))


def test_the_whole_state_does_change() -> None:
    """So the test above could fail."""
    game: Any = rules_of("two-win").start(seed=1, engine="reference")
    board = Board(game, Ink())
    one, other = hidden_pairs(game, 0)[0]
    before = list(board.lines(game.state, None))
    hand = game.table_state.zones[game.table_state.table.zones_by_name["p2.hand"]]
    stock = game.table_state.zones[game.table_state.table.zones_by_name["stock"]]
    game.table_state.swap_cards(hand[0], stock[0])
    assert list(board.lines(game.state, None)) != before
    assert one != other
