"""Taking back: one's own last choice, while nobody has learnt anything from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.take_back import CannotTakeBack, taken_back
from trionfi.shell.lines import OutOfInput

Sit = Callable[..., Any]


def start(rules: Rules, engine: str = "reference", seed: int = 1) -> Any:
    return rules.start(players=2, seed=seed, engine=engine)


def sit_and_type(sit_down: Sit, game: Any, answers: str) -> Any:
    sit = sit_down(game, [0, 1], answers)
    with pytest.raises(OutOfInput):
        sit.table.play([None, None])
    return sit


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_pick_is_taken_back(thrown: Rules, engine: str) -> None:
    game = start(thrown, engine)
    before = game.decision.labels()
    game.apply(1)
    again = taken_back(game, 0, [0, 1])
    assert type(again) is type(game)
    assert (again.moves, again.decision.labels()) == ([], before)
    assert len(game.moves) == 1


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_pick_of_a_stacked_game_is_taken_back_to_the_same_cards(thrown: Rules, engine: str) -> None:
    cards = ["3 of Clubs", "2 of Hearts", "4 of Spades", "2 of Clubs", "3 of Hearts", "4 of Clubs"]
    game = thrown.deal(players=2, seed=1, engine=engine, cards={"p1.hand": cards})
    before = game.state
    game.apply(0)
    assert taken_back(game, 0, [0, 1]).state == before


def test_undo_at_the_table(sit_down: Sit, thrown: Rules) -> None:
    sit = sit_and_type(sit_down, start(thrown), "1\nundo\n2\n")
    assert len(sit.session.game.moves) == 1
    assert sit.session.game.moves == [1]


def test_several_picks_are_taken_back_together(sit_down: Sit, thrown: Rules) -> None:
    sit = sit_down(start(thrown), [0], "1 2\nundo\n")
    with pytest.raises(OutOfInput):
        sit.table.play([None, None])
    assert sit.session.game.moves == []
    assert sit.session.game.decision.name == "away"


def test_what_another_has_answered_stands(sit_down: Sit, thrown: Rules) -> None:
    game = start(thrown)
    for move in (0, 0, 1, 0):
        game.apply(move)
    assert game.decision.player == 0
    with pytest.raises(CannotTakeBack, match="p2 has chosen since"):
        taken_back(game, 0, [0, 1])


def test_what_another_person_at_the_table_has_seen_stands(
    sit_down: Sit, thrown: Rules, capsys: pytest.CaptureFixture[str]
) -> None:
    sit = sit_and_type(sit_down, start(thrown), "1 2\nundo\n")
    assert len(sit.session.game.moves) == 2
    assert capsys.readouterr().err == "your choice stands: a card has been seen since\n"


def test_nobody_takes_back_what_another_has_chosen(
    sit_down: Sit, thrown: Rules, capsys: pytest.CaptureFixture[str]
) -> None:
    sit = sit_and_type(sit_down, start(thrown), "1 2\n4\nundo\n")
    assert sit.session.game.decision.player == 1
    assert len(sit.session.game.moves) == 3
    assert capsys.readouterr().err == "the last choice was p1's, it stands\n"


def test_who_has_seen_a_card_does_not_choose_again(sit_down: Sit, capsys: pytest.CaptureFixture[str]) -> None:
    game = load("klondike").start(seed=3, engine="reference")
    sit = sit_down(game, [0], "turn 3 cards\nundo\n")
    with pytest.raises(OutOfInput):
        sit.table.play([None])
    assert len(sit.session.game.moves) == 1
    assert capsys.readouterr().err == "your choice stands: a card has been seen since\n"


LOT = """trionfi: 1
name: By Lot
players: 1
deck: {from: standard, keep: "card.rank is 2..4"}
table:
  stock: {start: deck, face: down}
play: |
  for i from 1 to 4:
    p1 chooses as turn_choice:
      "mix them": shuffle stock
      "wait": say "{p1} waits"
result:
  score(player): 0
"""


def test_what_was_drawn_by_lot_stands() -> None:
    game = load("lot.yaml", text=LOT).start(seed=1, engine="reference")
    game.apply(1)
    assert taken_back(game, 0, [0]).moves == []
    game.apply(0)
    with pytest.raises(CannotTakeBack, match="chance has had its say"):
        taken_back(game, 1, [0])


def test_there_may_be_nothing_to_take_back(sit_down: Sit, thrown: Rules, capsys: pytest.CaptureFixture[str]) -> None:
    sit_and_type(sit_down, start(thrown), "undo\n")
    assert capsys.readouterr().err == "there is nothing to take back\n"
