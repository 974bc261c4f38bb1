"""Every kind of question at the table: what is asked, keys in, what came of them on the screen."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from at_table import Seat, at_table

from trionfi.interpreter.rules import load

RULES = """trionfi: 1
name: Every Question
players: 2
deck: {ranks: [2, 3, 4, 5, 6, 7, 8, 9], suits: [cups, swords], orientations: [upright, reversed]}
kinds:
  mood: [calm, merry, wild]
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down, capacity: 4}
variables:
  tune: {kind: mood, start: calm}
  stake: {per: player, start: 0}
play: |
  deal 4 from stock to each hand
  STATEMENT
result:
  score(player): player.stake
"""


class Kind(NamedTuple):
    """One kind of question: the statement that asks it, what stands on the screen then, keys, what is told at the
    end."""

    statement: str
    asked: list[str]
    keys: list[str]
    told: list[str]


KINDS = {
    "yes or no": Kind(
        'p1 chooses as opening:\n    "yes": say "it is yes"\n    "no": say "it is no"',
        ["opening ▸", " y  yes", " n  no"],
        ["n"],
        ["you, opening: no", "it is no"],
    ),
    "yes or no, with the bar": Kind(
        'p1 chooses as opening:\n    "yes": say "it is yes"\n    "no": say "it is no"',
        ["opening ▸"],
        ["down", "down", "enter"],
        ["it is no"],
    ),
    "the key of a line": Kind(
        'p1 chooses as opening:\n    "yes": say "it is yes"\n    "no" key x if 1 > 0: say "it is no"',
        [" y  yes", " x  no"],
        ["n", "x"],
        ["you, opening: no"],
    ),
    "words of a menu": Kind(
        'p1 chooses as opening:\n    "take {card}" for each card in p1.hand: say "taken"\n    "pass": say "passed"',
        ["take 9 of Swords", "pass"],
        [*"pass", "enter"],
        ["passed"],
    ),
    "one card": Kind(
        'p1 chooses 1 card from p1.hand as lead\n  say "{lead}"',
        ["lead ▸", "9", "Swords"],
        ["right", "right", "left", "right", "enter"],
        ["you lead 5 of Swords"],
    ),
    "one card by its beginning": Kind(
        'p1 chooses 1 card from p1.hand as lead\n  say "{lead}"',
        ["lead ▸"],
        ["7", "enter"],
        ["you lead 7 of Swords"],
    ),
    "several cards": Kind(
        'p1 chooses 2 cards from p1.hand as pair\n  say "{pair}"',
        ["pair: 2"],
        ["right", "space", "right", "right", "space", "enter"],
        ["you, pair: 7 of Swords, 3 of Swords"],
    ),
    "several cards, typed": Kind(
        'p1 chooses 2 cards from p1.hand as pair\n  say "{pair}"',
        ["pair: 2"],
        [*"9", "space", *"5", "enter"],
        ["you, pair: 9 of Swords, 5 of Swords"],
    ),
    "no card": Kind(
        'p1 chooses 0..2 cards from p1.hand as rest\n  say "{rest.count} cards"',
        ["rest: up to 2", "done"],
        ["end", "enter"],
        ["0 cards"],
    ),
    "a number": Kind(
        'p1 chooses number from 3 to 120 as bid\n  say "bid {bid}"',
        ["bid: a number from 3 to 120", "least  3", "most  120"],
        ["1", "9", "backspace", "7", "enter"],
        ["you bid 17", "bid 17"],
    ),
    "a number by steps": Kind(
        'p1 chooses number from 3 to 120 step 3 as bid\n  say "bid {bid}"',
        ["bid: a number from 3 to 120 in steps of 3"],
        ["up", "up", "up", "down", "enter"],
        ["bid 6"],
    ),
    "a number in steps": Kind(
        'p1 chooses number from -2 to 8 step 3 as bid\n  say "bid {bid}"',
        ["bid: a number from -2 to 8 in steps of 3"],
        ["minus", "2", "enter"],
        ["bid -2"],
    ),
    "the highest beside the steps": Kind(
        'p1 chooses number from -2 to 8 step 3 as bid\n  say "bid {bid}"',
        ["bid: a number from -2 to 8 in steps of 3"],
        ["8", "enter"],
        ["bid 8"],
    ),
    "a usual amount": Kind(
        'p1 chooses number from 3 to 120 as bid\n  say "bid {bid}"',
        ["bid: a number from 3 to 120"],
        ["right", "right", "enter"],
        ["bid 120"],
    ),
    "an orientation": Kind(
        'p1 chooses 1 card from p1.hand as lead\n  p1 chooses orientation of each card in lead\n  say "{lead}"',
        ["lead ▸"],
        ["9", "enter", "r"],
        ["you lay 9 of Swords reversed"],
    ),
    "a suit": Kind(
        'p1 chooses 1 suit as colour\n  say "{colour} it is"',
        [" c  cups", " s  swords"],
        ["s"],
        ["swords it is"],
    ),
    "a kind": Kind(
        'p1 chooses 1 mood as tune\n  say "{tune} it is"',
        [" c  calm", " w  wild"],
        ["w"],
        ["wild it is"],
    ),
    "a player": Kind(
        'p1 chooses 1 player as target\n  say "{target} it is"',
        ["p1   ", "p2"],
        ["p", "2", "enter"],
        ["p2 it is"],
    ),
}


def asked(statement: str) -> Any:
    rules = load("asked.yaml", text=RULES.replace("STATEMENT", statement))
    return rules.start(players=2, seed=1, engine="reference")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_question_is_asked_and_answered_with_keys(kind: Kind) -> None:
    async def answer(seat: Seat) -> None:
        for text in kind.asked:
            assert text in seat.shown
        await seat.press(*kind.keys)
        await seat.until("score: ")
        for text in kind.told:
            assert text in "\n".join(seat.app.history)

    app = at_table(asked(kind.statement), [0], answer)
    assert app.session.game.over


def test_enter_takes_nothing_that_was_not_moved_to_or_typed() -> None:
    async def answer(seat: Seat) -> None:
        await seat.press("enter", "enter")
        assert "nothing is chosen yet" in seat.shown
        await seat.type("x")
        assert "`x` is not offered" in seat.shown
        await seat.press("escape")
        await seat.type("swords")
        assert "which one: 9 of Swords, 7 of Swords" in seat.shown

    app = at_table(asked('p1 chooses 1 card from p1.hand as lead\n  say "{lead}"'), [0], answer)
    assert app.session.game.moves == []


def test_a_wrong_number_is_asked_for_again() -> None:
    async def answer(seat: Seat) -> None:
        for wrong in ("4", "11", "2", "seven", "9999999999999999999999"):
            await seat.type(wrong)
            assert f"`{wrong}` is not offered; a number from 3 to 9 in steps of 2 is wanted" in seat.in_one_line
            await seat.press("escape")
        await seat.press("enter")
        assert "a number from 3 to 9 in steps of 2 is wanted" in seat.shown
        await seat.type("5")

    app = at_table(asked('p1 chooses number from 3 to 9 step 2 as bid\n  say "bid {bid}"'), [0], answer)
    assert "bid 5" in app.history


def test_secret_numbers_of_two_people_at_one_screen() -> None:
    statement = (
        'each player secretly chooses:\n    number from 0 to 40 step 5 as player.stake\n  say "both have chosen"'
    )

    async def answer(seat: Seat) -> None:
        for player, number in (("p1", "35"), ("p2", "20")):
            await seat.until(f"{player} is asked. Press Enter")
            assert "stake" not in seat.shown
            await seat.press("x", "enter")
            await seat.until("stake: a number from 0 to 40 in steps of 5")
            assert "35" not in seat.shown
            await seat.type(number)
        await seat.until("score: p1 35, p2 20")

    assert at_table(asked(statement), [0, 1], answer).session.game.over


def test_the_end_of_the_game_is_asked_about_once_more() -> None:
    statement = 'p1 chooses as turn_choice:\n    "go on": say "well"\n    "give up": end game'

    async def answer(seat: Seat) -> None:
        await seat.press("u")
        assert "give up? the same once more does it" in seat.shown
        assert not seat.app.session.game.over
        await seat.press("u")
        await seat.until("score: ")

    assert at_table(asked(statement), [0], answer).session.game.over


@pytest.mark.parametrize("columns", [60, 40])
def test_no_label_is_wider_than_the_screen(columns: int) -> None:
    long = "put down all that you have in your hand and draw as many again"
    statement = f'p1 chooses as turn_choice:\n    "{long}": say "well"\n    "pass": say "ah"'

    async def answer(seat: Seat) -> None:
        assert long in seat.in_one_line

    at_table(asked(statement), [0], answer, size=(columns, 24))
