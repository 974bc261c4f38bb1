"""What gives way where there is little room, and what does not: keys, hands, names of options, reasons."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from trionfi.interpreter.rules import load
from trionfi.shell.ink import Ink
from trionfi.shell.session import Session
from trionfi.shell.terminal.choosing import Choosing
from trionfi.shell.terminal.faces import FaceCards
from trionfi.shell.terminal.hand import Hand, HandCard
from trionfi.shell.terminal.options import Options
from trionfi.shell.terminal.words import help_lines, keys_line
from trionfi.table.course import Course
from trionfi.table.model import Card


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(("by_letter", "several"), [(True, False), (False, False), (False, True)])
def test_the_keys_to_ask_take_back_and_leave_are_always_named(width: int, by_letter: bool, several: bool) -> None:
    choosing: Any = SimpleNamespace(menu=SimpleNamespace(by_letter=by_letter, is_of_several=several))
    line = keys_line(choosing, "", width).plain
    assert len(line) < width
    for key in ("? why", "^U undo", "F1 help", "^Q leave"):
        assert key in line
    assert by_letter or "Enter" in line


def test_help_stands_below_its_key() -> None:
    lines = help_lines(50)
    assert max(map(len, lines)) <= 50
    place = next(i for i, line in enumerate(lines) if line.startswith("Ctrl-U   takes your last choice back"))
    assert lines[place + 1] == " " * 9 + "has learnt from it"
    assert next(line for line in lines if line.startswith("< >")).startswith("< >      slower and faster; any key")


def test_a_letter_that_is_none_of_the_label_stands_with_what_is_asked() -> None:
    game: Any = load("euchre").start(seed=4, engine="reference")
    while game.decision.player != 0:
        game.apply(0)
    menu = Course(game, [0]).table(0).menu
    assert menu is not None
    row = Options(Choosing(menu), set(), Ink(width=60)).lines(3)[0].plain
    assert row.split() == ["p", "pass", "o", "order", "up", menu.offered[1].label]


def test_a_large_hand_takes_no_more_rows_than_there_are() -> None:
    game: Any = load("tarot-tennessee").start(seed=8, engine="reference")
    faces = Course(game, [0]).pictures.faces
    held = [HandCard(faces.card(number), "") for number in range(0, 78, 3)]
    hand = Hand(FaceCards(faces, Ink(width=60)), 60)
    assert len(hand.small(held).plain.split("\n")) == 5
    rows = hand.small(held, 4).plain.split("\n")
    assert len(rows) <= 4
    text = f" {' '.join(rows)} "
    assert [short(card) for card, *_ in held if f" {short(card)} " not in text] == []


def short(card: Card) -> str:
    top, of, low = card.name.partition(" of ")
    return f"{top[:2]} {low[0]}" if of and card.code else card.rank


def test_of_many_long_labels_with_one_reason_only_some_are_named() -> None:
    session = Session(load("klondike").start(seed=3, engine="reference"), [0])
    lines = session.why_not()
    assert all(len(line) < 300 for line in lines)
    assert any(" more: a card goes on one of the other colour" in line for line in lines)
    assert len(session.why_not("5 of spades")[-1]) > 300


def test_only_teams_have_rows_where_only_they_have_points() -> None:
    game: Any = load("euchre", {"target": 1}).start(seed=4, engine="reference")
    while not game.over:
        game.apply(game.decision.count - 1)
    end = Course(game, [0], ["Ann", "Bo", "Cy", "Di"]).table(0).end
    assert end is not None
    assert [row[0] for row in end.summary.rows] == ["team1 (you, Cy)", "team2 (Bo, Di)"]
    assert sorted(row[1] for row in end.summary.rows)[0] == ""
