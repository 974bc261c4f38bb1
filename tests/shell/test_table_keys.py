"""Keys and clicks of the table that are no choice by themselves: asking, pace, colours, pages, putting aside."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from at_table import NAMES, Seat, at_table

from trionfi.evening.in_play import InPlay
from trionfi.evening.seated import Seated
from trionfi.interpreter.rules import load


def start(name: str, players: int | None = None, seed: int = 5) -> Any:
    return load(name).start(players=players, seed=seed, engine="reference")


def place_of(seat: Seat, part: str, text: str) -> tuple[int, int]:
    """The column and row of a text within a part of the screen."""
    region = seat.app.screen.query_one(part).region
    for row, line in enumerate(seat.shown.split("\n")[region.y : region.bottom]):
        if text in line:
            return line.index(text) + 1 - region.x, row
    raise AssertionError(f"{text!r} is not in {part}:\n{seat.shown}")


async def click(seat: Seat, part: str, text: str) -> None:
    await seat.pilot.click(part, offset=place_of(seat, part, text))
    await seat.pilot.pause()


async def ask(seat: Seat, text: str) -> str:
    await seat.press(*(NAMES.get(sign, sign) for sign in f"?{text}"), "enter")
    await seat.until("any key")
    shown = seat.in_one_line
    await seat.press("enter")
    return shown


def test_cards_of_the_hand_are_clicked() -> None:
    """The first click moves there, the second chooses."""
    game = start("gin-rummy", 2)
    while game.decision.player != 0 or game.decision.count < 11:
        game.apply(0)
    moves = len(game.moves)

    async def do(seat: Seat) -> None:
        hand = seat.app.hand
        label = f"discard {seat.app.held[2].card.key}"
        row = len(hand.where) - 1
        column = next(column for column, place in hand.where[row].items() if place == 2)
        for made in (0, 1):
            assert len(seat.app.session.game.moves) == moves
            await seat.pilot.click("#hand", offset=(column + 1, row))
            await seat.pilot.pause()
            assert made or seat.app.choosing.at == label
        assert label in seat.app.session.game.labels[moves][2]

    at_table(game, [0], do)


def test_cards_on_the_table_are_clicked_where_they_are_options() -> None:
    """Of several options of one card each click moves to the next, and Enter takes it."""

    async def do(seat: Seat) -> None:
        seen = []
        for _ in range(2):
            await click(seat, "#table", "A♥")
            seen.append(seat.app.choosing.at)
            assert "Enter takes it" in seat.shown
        assert {"tableau[3] top to its suit", "Ace of Hearts and those on it from tableau[3] to tableau[2]"} == {*seen}
        await seat.press("enter")
        assert seat.app.session.game.labels[0][2] == seen[-1]

    at_table(start("klondike", 1), [0], do)


def test_a_pile_is_clicked_where_it_is_an_option() -> None:
    game = start("gin-rummy", 2)
    while game.decision.player != 0 or "from the stock" not in game.decision.labels():
        game.apply(game.decision.count - 1)
    moves = len(game.moves)

    async def do(seat: Seat) -> None:
        await click(seat, "#table", "stock")
        await seat.until("turn choice ▸")
        assert seat.app.session.game.labels[moves][2] == "from the stock"

    at_table(game, [0], do)


def test_a_card_is_asked_about_by_its_code() -> None:
    async def do(seat: Seat) -> None:
        left_out = [one for one in seat.app.session.course.missing() if " of " in one.label]
        code = seat.app.session.course.pictures.faces.card(
            seat.app.session.course.pictures.faces.names.index(left_out[0].label)
        ).code
        assert f"{left_out[0].label}: " in await ask(seat, code)
        assert "nothing called `zz`" in await ask(seat, "zz")

    game = start("hearts", 4)
    while game.decision.name == "passing" or game.decision.player != 0 or game.decision.count > 4:
        game.apply(0)
    at_table(game, [0], do)


def test_a_usual_amount_is_typed_by_its_words() -> None:
    async def do(seat: Seat) -> None:
        await seat.press("b")
        await seat.until("a number from")
        amounts = {one.word: one.value for one in seat.app.choosing.menu.number.amounts}
        await seat.type("pot")
        assert seat.app.choosing.typed == str(amounts["the pot"])
        await seat.press("escape")
        await seat.type("all")
        await seat.press("enter")
        assert seat.app.session.game.labels[2 + moves - 1][2] == str(amounts["most"])
        told = [said for said in seat.app.history if said.startswith(("you bet", "you raise"))]
        assert len(told) == 1
        assert told[0].endswith(f" {amounts['most']}")

    game = start("no-limit-holdem", 2)
    while "bet" not in game.decision.labels() or game.decision.player != 0:
        labels = game.decision.labels()
        game.apply(next(i for i, label in enumerate(labels) if label.startswith(("call", "check"))))
    moves = len(game.moves)
    at_table(game, [0], do)


def test_giving_up_is_typed_twice() -> None:
    async def do(seat: Seat) -> None:
        await seat.type("g")
        assert "the same once more does it" in seat.shown
        await seat.press("g", "escape")
        await seat.type("g")
        assert not seat.app.session.game.over
        await seat.type("g")
        await seat.until("score: ")

    assert at_table(start("klondike", 1), [0], do).session.game.over


def test_the_pace_is_set_and_stays_within_its_bounds() -> None:
    async def do(seat: Seat) -> None:
        for key, word in [
            ("<", "fast"),
            ("<", "as people do"),
            ("<", "slowly"),
            ("<", "slowly"),
            (">", "as people do"),
        ]:
            await seat.press("less_than_sign" if key == "<" else "greater_than_sign")
            assert f"bots move {word}" in seat.shown

    at_table(start("kuhn"), [0], do)


def test_four_colours_tell_clubs_and_diamonds_apart() -> None:
    async def do(seat: Seat) -> None:
        before = colours(seat)
        await seat.press("f4")
        assert len(colours(seat)) > len(before)
        await seat.press("f4")
        assert colours(seat) == before

    at_table(start("gin-rummy", 2), [0], do)


def colours(seat: Seat) -> set[str]:
    """Of the signs of suits on the screen."""
    return {
        str(segment.style.color)
        for strip in seat.app.screen._compositor.render_strips()
        for segment in strip
        if segment.style is not None and any(sign in segment.text for sign in "♣♦♥♠")
    }


def test_a_hint_is_what_the_strategy_would_do() -> None:
    async def do(seat: Seat) -> None:
        await seat.press("ctrl+t")
        said = seat.app.told
        assert "would choose: " in said
        assert said.partition(": ")[2] in seat.app.session.decision.labels()
        assert not seat.app.session.game.moves

    at_table(start("euchre"), [0], do)


def test_the_table_is_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def do(seat: Seat) -> None:
        monkeypatch.setattr(seat.app, "action_suspend_process", lambda: asked.append("aside"))
        await seat.press("ctrl+z")
        assert asked == ["aside"]

    at_table(start("kuhn"), [0], do)


def test_a_page_scrolls_if_it_is_longer_than_the_screen_and_else_closes() -> None:
    async def do(seat: Seat) -> None:
        await seat.press("f1")
        await seat.until("any key")
        first = seat.shown
        await seat.press("pagedown")
        assert len(seat.app.screen_stack) == 2
        assert seat.shown != first
        await seat.press("enter")
        await seat.press("question_mark", "enter")
        assert len(seat.app.screen_stack) == 2
        await seat.press("pagedown")
        assert len(seat.app.screen_stack) == 1

    at_table(start("kuhn"), [0], do, size=(60, 20))


def test_a_game_that_goes_on_is_shown_as_it_was_left() -> None:
    game = start("hearts", 4)
    for _ in range(40):
        game.apply(0)
    while game.decision.player != 0:
        game.apply(0)

    async def do(seat: Seat) -> None:
        assert seat.app.choosing is not None
        assert any("trick" in said for said in seat.app.history)

    at_table(game, [0], do)


def test_the_news_tells_nothing_that_was_taken_back() -> None:
    """Of a game that goes on, choice by choice, also of choices that were made before it was left."""
    seated = Seated.of(load("no-limit-holdem"), 2, [0], 5, engine="reference")
    game, _ = seated.start()
    while not game.over and len(game.moves) < 6:
        decision = game.decision
        assert decision is not None
        game.apply(next(move for move, label in enumerate(decision.labels()) if label[:4] in ("call", "chec")))
    in_play = InPlay.gone_on(seated, seated.record(game))
    told: list[list[str]] = []

    async def do(seat: Seat) -> None:
        while in_play.choices:
            before = len(in_play.game.moves)
            await seat.press("ctrl+u")
            await seat.until("taken back")
            assert len(in_play.game.moves) < before
            told.append(list(seat.app.history))

    at_table(in_play.game, [0], do, in_play.bots, in_play=in_play)
    assert len(told) > 1
    assert not [said for said in told[-1] if said.startswith("you ") or "turned up" in said]
    for later, sooner in pairwise(told):
        assert len(sooner) < len(later)
        assert later[: len(sooner)] == sooner
