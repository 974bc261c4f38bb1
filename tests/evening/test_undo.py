"""Choices taken back: without limit against bots and alone, within limits among several people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.evening.in_play import InPlay
from trionfi.evening.seated import Seated
from trionfi.evening.undo import CannotTakeBack
from trionfi.interpreter.rules import Rules

Get = Callable[..., Rules]


def play_on(session: InPlay, choices: int) -> None:
    """The first option of people, that many times; bots as they will. Stops where a person is asked."""
    game: Any = session.game
    while game.decision is not None:
        if game.decision.player in session.people:
            if choices == 0:
                return
            choices -= 1
            session.choose([0])
        else:
            game.apply(session.bots[game.decision.player](game))


def sat(rules: Rules, people: list[int], players: int, seed: int = 5) -> InPlay:
    return InPlay.begun(Seated.of(rules, players, people, seed, engine="reference"))


@pytest.mark.parametrize("opponents", ["careful", "random"])
def test_against_bots_all_choices_can_be_taken_back_and_come_again(rules: Get, opponents: str) -> None:
    """Bots answer as they did, also those who play by chance."""
    hearts = rules("hearts", target=3)
    seated = Seated.of(hearts, 4, [0], 5, bots=dict.fromkeys((1, 2, 3), opponents), engine="reference")
    session = InPlay.begun(seated)
    play_on(session, 9)
    moves, state = list(session.game.moves), session.game.state
    for left in range(8, -1, -1):
        session.take_back()
        assert len(session.choices) == left
    assert session.taken_back == 9
    with pytest.raises(CannotTakeBack, match="nothing to take back"):
        session.take_back()
    play_on(session, 9)
    assert (list(session.game.moves), session.game.state) == (moves, state)


def test_the_list_of_bots_stays_the_same(rules: Get) -> None:
    session = sat(rules("hearts"), [0], 4)
    bots = session.bots
    play_on(session, 4)
    session.take_back()
    assert session.bots is bots


def test_what_was_taken_back_against_bots_is_in_the_record(rules: Get) -> None:
    session = sat(rules("hearts"), [0], 4)
    play_on(session, 4)
    assert "taken_back" not in session.record()
    session.take_back()
    assert session.record()["taken_back"] == 1
    gone_on = InPlay.gone_on(session.seated, session.record())
    assert gone_on.game.state == session.game.state
    gone_on.take_back()
    assert gone_on.record()["taken_back"] == 2


def test_alone_nothing_is_noted(rules: Get) -> None:
    session = sat(rules("klondike"), [0], 1)
    play_on(session, 12)
    for _ in range(12):
        session.take_back()
    assert session.game.moves == []
    assert "taken_back" not in session.record()


def test_among_several_people_what_was_learnt_stands(rules: Get) -> None:
    session = sat(rules("hearts"), [0, 1, 2, 3], 4)
    play_on(session, 1)
    session.take_back()  # the first of three cards to pass: nobody has learnt anything
    play_on(session, 60)
    before = list(session.game.moves)
    with pytest.raises(CannotTakeBack):
        session.take_back()
    assert session.game.moves == before
    assert len(session.choices) == 60


def test_a_bot_goes_on_after_undo_as_a_record_of_it_does(rules: Get) -> None:
    """The chance of bots is rewound, too: a game that is kept and gone on with goes the same way."""
    hearts = rules("hearts", target=3)
    seated = Seated.of(hearts, 4, [0], 8, bots=dict.fromkeys((1, 2, 3), "random"), engine="reference")
    session = InPlay.begun(seated)
    play_on(session, 6)
    session.take_back()
    again = InPlay.gone_on(seated, session.record())
    play_on(session, 20)
    play_on(again, 20)
    assert again.game.moves == session.game.moves


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_several_picks_of_a_game_that_goes_on_are_one_choice(rules: Get, engine: str) -> None:
    seated = Seated.of(rules("hearts"), 4, [0], 4, engine=engine)
    session = InPlay.begun(seated)
    play_on(session, 0)
    begun = len(session.game.moves)
    session.choose([0, 0, 0])
    play_on(session, 2)
    again = InPlay.gone_on(seated, session.record())
    assert again.choices == session.choices
    for _ in range(3):
        again.take_back()
    assert again.choices == []
    assert len(again.game.moves) == begun
