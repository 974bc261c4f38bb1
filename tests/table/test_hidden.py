"""The table holds nothing that its player may not know: with hidden cards exchanged it is the same, to the letter."""

from __future__ import annotations

import os
from dataclasses import asdict
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules, load
from trionfi.table.menus import Menus
from trionfi.table.notes import altered_lines
from trionfi.table.pictures import Pictures

GAMES = ["two-win", "klondike", "euchre", "arcana-poker", "hearts", "gin-rummy", "tarot-tennessee", "casino-twenty-one"]


@cache
def rules_of(name: str) -> Rules:
    return load(name)


def shown(game: Any, pictures: Pictures, menus: Menus, player: int) -> Any:
    """All that is shown to that player: the table, and to who is asked the options, and why not others."""
    view = game.view(player)
    table: Any = asdict(pictures.table(view, player))
    decision = game.decision
    if decision is not None and decision.player == player:
        table["menu"] = asdict(menus.menu(game, view, game.missing()))
        table["altered"] = list(altered_lines(view, pictures.faces, pictures.faces.names))
    return table


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
    pictures = Pictures(game)
    menus = Menus(pictures)
    for _ in range(25):
        if game.decision is None:
            break
        for player in range(game.players):
            pairs = hidden_pairs(game, player)
            before = shown(game, pictures, menus, player)
            for one, other in random.sample(pairs, min(3, len(pairs))):
                exchange(game, one, other, player)
                assert shown(game, pictures, menus, player) == before
                exchange(game, one, other, player)
        game.apply(random.randrange(game.decision.count))


def test_the_whole_state_does_change() -> None:
    """So the test above could fail."""
    game: Any = rules_of("two-win").start(seed=1, engine="reference")
    pictures = Pictures(game)
    one, other = hidden_pairs(game, 0)[0]
    before = pictures.table(game.state, None)
    hand = game.table_state.zones[game.table_state.table.zones_by_name["p2.hand"]]
    stock = game.table_state.zones[game.table_state.table.zones_by_name["stock"]]
    game.table_state.swap_cards(hand[0], stock[0])
    assert pictures.table(game.state, None) != before
    assert one != other
