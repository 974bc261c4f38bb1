"""What the table tells of hands and deals: once, in order, and no longer than it means anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from trionfi.interpreter.rules import load
from trionfi.shell.board import Board
from trionfi.shell.ink import Ink
from trionfi.shell.terminal.painting import Painter
from trionfi.table.course import Course


def start(name: str, seed: int = 8) -> Any:
    return load(name).start(seed=seed, engine="reference")


def choose(game: Any, *labels: str) -> None:
    """The first of these that is offered, or else the first option."""
    offered = [] if game.decision.is_number else game.decision.labels()
    game.apply(next((offered.index(label) for label in labels if label in offered), 0))


def told(course: Course, game: Any) -> list[str]:
    course.follow(game)
    return [said for scene in course.scenes(0) for said in scene.sentences]


def to_the_end(game: Any, *labels: str) -> list[str]:
    course = Course(game, [0])
    while not game.over:
        choose(game, *labels)
    return told(course, game)


def test_two_pots_are_told_with_who_has_won_them_and_by_how_much() -> None:
    game = start("two-win")
    said = to_the_end(game, "check", "call", "call 1", "upright")
    assert sum(bool(re.fullmatch(r"the house has \d+", one)) for one in said) == 1
    assert any(re.fullmatch(r"p\d wins the (internal|external) pot", one) for one in said)
    laid = [one for one in said if one.startswith("you lay ")]
    assert len(laid) == 1
    assert not [one for one in said if "orientation" in one]
    assert re.fullmatch(r"you lay (\w[\w ]* upright(, |$)){4}", laid[0])
    end = Course(game, [0]).table(0).end
    assert end is not None
    place = end.summary.columns.index("outer")
    assert all(": " in row[end.summary.columns.index("inner")] for row in end.summary.rows)
    for row in end.summary.rows:
        assert re.match(r"(total \d+|natural \d+|bust): ", row[place]), row


def test_a_hand_is_shown_once() -> None:
    said = to_the_end(start("arcana-poker"), "pass")
    shown = [sorted(re.findall(r"\w+ of \w+", one)) for one in said if re.search(r"\bshows? ", one)]
    assert shown
    assert len(shown) == len({tuple(cards) for cards in shown})
    assert any(re.fullmatch(r"p1 gets \d for the hand(, 2 for the round)?", one) for one in said)


def test_cards_that_were_passed_do_not_stand_with_who_passed_them() -> None:
    game = start("hearts")
    course = Course(game, [0])
    while game.decision.name == "passing":
        game.apply(0)
    course.follow(game)
    view: Any = course.last().views[0]
    assert view["variables"]["p1.passing"]
    assert [figure.word for seat in course.table(0).seats for figure in seat.figures] == ["points"] * 4


def test_a_new_deal_is_no_news() -> None:
    game = start("tennessee-for-two")
    course = Course(game, [0])
    for _ in range(2):
        choose(game, "pass")
    said = told(course, game)
    assert said
    assert [one for one in said if "stock" in one] == []


def drawn(name: str, moves: int, height: int) -> Sequence[str]:
    game = start(name)
    for _ in range(moves):
        game.apply(0)
    course = Course(game, [0])
    painter = Painter(course.pictures.faces, has_colours=False)
    return painter.table(course.table(0), 80, height).plain.split("\n")


def test_places_in_which_nobody_has_laid_a_card_are_only_named() -> None:
    game = start("euchre")
    course = Course(game, [0])
    board = Board.of(course.pictures.faces, Ink(width=80))
    lines = list(board.middle(course.table(0)))
    assert [line.split() for line in lines if "p3" in line or "p2" in line] == [["p3"], ["p2", "upcard", "p4"]]
    assert "[   ]" not in "\n".join(lines)


def test_players_stand_in_few_lines_before_the_places_do() -> None:
    high, low = drawn("euchre", 8, 24), drawn("euchre", 8, 10)
    for lines in (high, low):
        assert any("p2" in line and "p4" in line and "upcard" in line for line in lines), lines
    assert len(low) <= 10 < len(high)
    assert not any("p2" in line and "p3" in line for line in high)
    assert any("p2" in line and "p3" in line for line in low)


def test_what_a_ruleset_says_of_a_choice_is_never_lost() -> None:
    """What is said stands for the choice where it says as much, and goes with it where it says more."""
    text = """trionfi: 1
name: Salt
about: "-"
players: 2
variables: {points: {per: player, start: 0}}
play: |
  repeat 3 times:
    for each player:
      player chooses as turn_choice:
        "hold": say "{player} holds with {player.points}"
        "draw": say "{player} draws a six and is lucky"
        "pass": say "{player} passes"
        "pass the salt": say "{player} has 7 points left"
result: {score(player): player.points}
"""
    rules = load("salt", text=text)
    game = rules.start(players=2, seed=1, engine="reference")
    for option in (0, 0, 1, 2, 2, 3):
        game.apply(option)
    said = told(Course(game, [0]), game)
    assert [one for one in said if "turn" not in one] == [
        "you hold with 0",
        "p2 holds with 0",
        "p1 draws a six and is lucky",
        "p2 passes",
        "you pass",
        "p2 passes the salt",
        "p2 has 7 points left",
    ]
