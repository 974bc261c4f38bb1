"""The plain table: what is shown, how answers are read, what comes of wrong ones."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest

from trionfi.interpreter.game import Decision, Option
from trionfi.shell.calls import CallError
from trionfi.shell.playing import OutOfInput, Table, choice_lines, log_line, move_for, people_at, view_lines, wrapped


def menu(*labels: str) -> Decision:
    return Decision(0, "betting", len(labels), lambda: [Option(label) for label in labels])


CARDS = ["Queen", "King"]


class Guess:
    """A game of two decisions: p1 picks from a menu, then p2 a number."""

    def __init__(self) -> None:
        self.rules = SimpleNamespace(cards=CARDS)
        self.moves: list[int] = []
        self.log: list[dict[str, Any]] = []
        self.scores = [1, -1]
        self.winners = [0]

    @property
    def over(self) -> bool:
        return len(self.moves) == 2

    @property
    def decision(self) -> Decision | None:
        return [menu("check", "bet"), Decision.of_number(1, "amount", 2, 9, 3), None][len(self.moves)]

    def apply(self, move: int) -> None:
        decision = self.decision
        assert decision is not None
        self.log.append({"player": decision.player, "decision": decision.name, "label": decision.label(move)})
        self.moves.append(move)

    def view(self, player: int) -> dict[str, Any]:
        return {"zones": {"p1.hand": [1, None]}, "variables": {"pot": 2}, "log": self.log}


def sit_down(answers: str, people: list[int]) -> tuple[Guess, Table, io.StringIO]:
    game, out = Guess(), io.StringIO()
    return game, Table(game, people, out, io.StringIO(answers)), out  # type: ignore[arg-type]


def first(game: object) -> int:
    return 0


def test_a_game_is_asked_and_told() -> None:
    game, table, out = sit_down("2\n5\n", [0, 1])
    table.play([first, first])
    assert game.moves == [1, 1]
    text = out.getvalue()
    assert "p1, betting:\n  1  check\n  2  bet\np1> 2\n" in text
    assert "  p1.hand: King, -\n  pot 2\n" in text
    assert text.count("p1 betting: bet") == 2  # p2 is told before p2 is asked, p1 at the end
    assert "p2, amount: a number from 2 to 9 in steps of 3\np2> 5\n" in text
    assert text.endswith("score: p1 1, p2 -1\np1 wins\n")


def test_a_bot_is_not_asked_and_what_it_did_is_told() -> None:
    game, table, out = sit_down("bet\n", [0])
    table.play([first, lambda game: 2])
    assert game.moves == [1, 2]
    assert out.getvalue().count("p2 amount: 8") == 1


def test_a_wrong_answer_is_named_and_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    game, table, _ = sit_down("3\nfold\nCHECK\n4\n9\n", [0, 1])
    table.play([first, first])
    assert game.moves == [0, 3]
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "`3` is not offered; a number from 1 to 2 is wanted, or a label",
        "`fold` is not offered; a number from 1 to 2 is wanted, or a label",
        "`4` is not offered; a number from 2 to 9 is wanted",
    ]


def test_the_end_of_the_input_stops_the_game() -> None:
    _, table, _ = sit_down("1\n", [0, 1])
    with pytest.raises(OutOfInput):
        table.play([first, first])


def test_the_highest_number_is_always_offered() -> None:
    decision = Decision.of_number(0, "raise_to", 2, 9, 3)
    assert [move_for(decision, text) for text in ("2", "5", "8", "9", "3", "1", "x")] == [0, 1, 2, 3, None, None, None]


def test_a_label_that_is_a_number_is_reached_where_no_option_has_that_number() -> None:
    decision = menu("7", "2")
    assert [move_for(decision, text) for text in ("1", "2", "7", "3")] == [0, 1, 0, None]


def test_zones_that_show_nothing_are_counted() -> None:
    zones = {"stock": [None] * 3, "taken": [None], "empty": [], "row": [None, 2]}
    lines = view_lines({"zones": zones, "variables": {"done": True, "n": 0}}, SimpleNamespace(cards=CARDS))
    assert list(lines) == ["  stock: 3 cards", "  taken: 1 card", "  row: -, Queen reversed", "  done yes"]


def test_long_lines_are_broken() -> None:
    lines = list(wrapped([f"p{seat}.chips 200" for seat in range(20)]))
    assert max(map(len, lines)) <= 80
    assert len(lines) > 3


def test_what_is_said_stands_as_said() -> None:
    assert log_line({"say": "p1 passes"}) == "p1 passes"


def test_choices_are_numbered_from_one() -> None:
    assert list(choice_lines(menu("fold")))[1] == "  1  fold"


@pytest.mark.parametrize(
    ("seats", "bots", "people"),
    [([], {}, [0]), ([], {1: "first"}, [0]), ([], {0: "first"}, []), (["2", "p1"], {}, [0, 1])],
)
def test_who_sits_where(seats: list[str], bots: dict[int, str], people: list[int]) -> None:
    assert people_at(seats, bots, 2) == people


@pytest.mark.parametrize(
    ("seats", "bots", "message"),
    [
        (["3"], {}, "there is no seat `3`: the seats are 1 to 2"),
        (["0"], {}, "there is no seat `0`: the seats are 1 to 2"),
        (["1"], {0: "first"}, "seat 1 is yours and cannot be played by first"),
    ],
)
def test_seats_that_cannot_be(seats: list[str], bots: dict[int, str], message: str) -> None:
    with pytest.raises(CallError, match=message):
        people_at(seats, bots, 2)
