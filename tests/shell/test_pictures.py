"""Tables as they are drawn, at 80 and 60 columns. `TRIONFI_WRITE_PICTURES=1 ./dev test tests/shell` draws them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from trionfi.interpreter.rules import load
from trionfi.shell.board import Board
from trionfi.shell.ink import Ink, width_of
from trionfi.table.pictures import Pictures

FOLDER = Path(__file__).parent / "pictures"
WRITES = bool(os.environ.get("TRIONFI_WRITE_PICTURES"))

# A game and its seed, players, and how many moves are made: the second option of three or more, else the first.
SHOWN = {
    "two-win": (3, 3, 9),
    "klondike": (5, 1, 14),
    "euchre": (2, 4, 9),
    "arcana-poker": (11, 2, 14),
    "no-limit-holdem": (6, 4, 6),
}
WIDTHS = (80, 60)


@cache
def game_of(name: str) -> Any:
    seed, players, moves = SHOWN[name]
    game = load(name).start(players=players, seed=seed, engine="reference")
    for _ in range(moves):
        decision = game.decision
        assert decision is not None
        game.apply(1 if decision.count > 2 else 0)
    return game


@pytest.fixture(autouse=True, scope="module")
def _drop_games() -> Iterator[None]:
    """Games in the midst of a choice end before Python does."""
    yield
    game_of.cache_clear()


def drawn(name: str, ink: Ink) -> list[str]:
    game = game_of(name)
    return lines_of(game, game.decision.player, ink)


def lines_of(game: Any, player: int, ink: Ink) -> list[str]:
    pictures = Pictures(game)
    return list(Board.of(pictures.faces, ink).lines(pictures.table(game.view(player), player)))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SHOWN)
def test_the_table_is_drawn_so(name: str, width: int) -> None:
    path = FOLDER / f"{name}-{width}.txt"
    picture = "\n".join(drawn(name, Ink(width=width))) + "\n"
    if WRITES:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [120, 80, 60, 40, 24])
@pytest.mark.parametrize("name", SHOWN)
def test_no_line_is_wider_than_the_screen(name: str, width: int) -> None:
    lines = drawn(name, Ink(width=width))
    assert [line for line in lines if width_of(line) > width] == []


@pytest.mark.parametrize("name", SHOWN)
def test_colours_change_nothing_else(name: str) -> None:
    plain, coloured = drawn(name, Ink(width=80)), drawn(name, Ink(colours=True, width=80))
    assert not any("\x1b" in line for line in plain)
    assert any("\x1b[31m" in line for line in coloured)
    assert [width_of(line.rstrip()) for line in coloured] == [len(line.rstrip()) for line in plain]


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252", "latin-1"])
@pytest.mark.parametrize("name", SHOWN)
def test_what_an_encoding_lacks_is_written_otherwise(name: str, encoding: str) -> None:
    for line in drawn(name, Ink(encoding=encoding, width=80)):
        line.encode(encoding)


@pytest.mark.parametrize("width", [60, 30])
def test_cards_in_a_variable_are_broken_between_cards(width: int) -> None:
    game: Any = load("two-win-solitaire").start(seed=4, engine="reference")
    while game.decision is not None and game.decision.name == "poker_cards":
        game.apply(0)
    for colours in (False, True):
        lines = lines_of(game, 0, Ink(colours=colours, width=width))
        assert any("poker cards" in line for line in lines)
        assert [line for line in lines if width_of(line) > width] == []
