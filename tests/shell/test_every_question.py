"""Every kind of question at a terminal of its own: what is asked, keys in, what came of them on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("pty", reason="a pseudo-terminal is a thing of Unix")

from terminal import CTRL_C, DOWN, ENTER, UP, Terminal

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
    """One kind of question: the statement that asks it, what stands on the screen then, keys (the player that is
    asked by then before each), and what is told at the end."""

    statement: str
    asked: list[str]
    keys: list[tuple[str, str]]
    told: list[str]


BACK = "\x7f"
HAND = ["▶ 1  9 of Swords", "  2  7 of Swords", "  4  3 of Swords"]
KINDS = {
    "yes or no": Kind(
        'p1 chooses as opening:\n    "yes": say "it is yes"\n    "no": say "it is no"',
        ["p1, opening:", "▶ 1  yes", "  2  no"],
        [("p1", DOWN), ("p1", ENTER)],
        ["p1 opening: no", "it is no"],
    ),
    "words of a menu": Kind(
        'p1 chooses as opening:\n    "take {card}" for each card in p1.hand: say "taken"\n    "pass": say "passed"',
        ["▶ 1  take 9 of Swords", "  5  pass"],
        [("p1", "p"), ("p1", "ass" + ENTER)],
        ["passed"],
    ),
    "one card": Kind(
        'p1 chooses 1 card from p1.hand as lead\n  say "{lead}"',
        ["p1, lead:", *HAND],
        [("p1", DOWN), ("p1", DOWN), ("p1", UP), ("p1", ENTER)],
        ["p1 lead: 7 of Swords"],
    ),
    "several cards": Kind(
        'p1 chooses 2 cards from p1.hand as pair\n  say "{pair}"',
        ["p1, pair: 2"],
        [("p1", " "), ("p1", DOWN), ("p1", DOWN), ("p1", " "), ("p1", ENTER)],
        ["p1 pair: 9 of Swords, 5 of Swords"],
    ),
    "no card": Kind(
        'p1 chooses 0..2 cards from p1.hand as rest\n  say "{rest.count} cards"',
        ["p1, rest: up to 2", "done"],
        [("p1", "\x1b[F"), ("p1", ENTER)],
        ["0 cards"],
    ),
    "a number": Kind(
        'p1 chooses number from 3 to 120 as bid\n  say "bid {bid}"',
        ["p1, bid: a number from 3 to 120"],
        [("p1", UP), ("p1", "19"), ("p1", BACK + "7"), ("p1", ENTER)],
        ["p1 bid: 17", "bid 17"],
    ),
    "a number in steps": Kind(
        'p1 chooses number from -2 to 8 step 3 as bid\n  say "bid {bid}"',
        ["p1, bid: a number from -2 to 8 in steps of 3"],
        [("p1", "-2"), ("p1", ENTER)],
        ["bid -2"],
    ),
    "the highest beside the steps": Kind(
        'p1 chooses number from -2 to 8 step 3 as bid\n  say "bid {bid}"',
        ["p1, bid: a number from -2 to 8 in steps of 3"],
        [("p1", "8" + ENTER)],
        ["bid 8"],
    ),
    "an orientation": Kind(
        'p1 chooses 1 card from p1.hand as lead\n  p1 chooses orientation of each card in lead\n  say "{lead}"',
        ["p1, lead:"],
        [("p1, lead", ENTER), ("p1, orientation of 9 of Swords", DOWN), ("▶ 2  reversed", ENTER)],
        ["p1 orientation: reversed"],
    ),
    "a suit": Kind(
        'p1 chooses 1 suit as colour\n  say "{colour} it is"',
        ["▶ 1  cups", "  2  swords"],
        [("p1", "2"), ("p1", ENTER)],
        ["swords it is"],
    ),
    "a kind": Kind(
        'p1 chooses 1 mood as tune\n  say "{tune} it is"',
        ["▶ 1  calm", "  3  wild"],
        [("p1", DOWN), ("p1", DOWN), ("p1", ENTER)],
        ["wild it is"],
    ),
    "a player": Kind(
        'p1 chooses 1 player as target\n  say "{target} it is"',
        ["▶ 1  p1", "  2  p2"],
        [("p1", DOWN), ("p1", ENTER)],
        ["p2 it is"],
    ),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_question_is_asked_and_answered_with_keys(kind: Kind, tmp_path: Path) -> None:
    with sat_down(kind.statement, tmp_path, "--bot", "2=first") as table:
        table.until("p1> ")
        for text in kind.asked:
            assert text in table.shown
        for text, keys in kind.keys:
            table.until(text)
            table.until("p1> ")
            table.send(keys)
        table.until("score: ")
        for text in kind.told:
            assert text in table.shown
        assert table.code() == 0
        assert "fault" not in table.raw


def test_the_ends_of_a_list_by_the_keys_of_all_terminals(tmp_path: Path) -> None:
    with sat_down('p1 chooses 1 card from p1.hand as lead\n  say "{lead}"', tmp_path) as table:
        table.until("p1> ")
        for home, end in (("\x1b[H", "\x1b[F"), ("\x1bOH", "\x1bOF"), ("\x1b[1~", "\x1b[4~"), ("\x1b[7~", "\x1b[8~")):
            table.send(end)
            table.until("▶ 4  3 of Swords")
            table.send(home)
            table.until("▶ 1  9 of Swords")
        table.send(CTRL_C)
        assert table.code() == 130


def test_a_wrong_number_is_asked_for_again(tmp_path: Path) -> None:
    with sat_down('p1 chooses number from 3 to 9 step 2 as bid\n  say "bid {bid}"', tmp_path) as table:
        table.until("p1> ")
        for wrong in ("4", "11", "2", "seven", "9999999999999999999999"):
            table.send(wrong + ENTER)
            table.until_drawn_anew("p1> ")
            assert f"`{wrong}` is not offered; a number from 3 to 9 in steps of 2 is wanted" in " ".join(
                table.shown.split()
            )
        table.send(ENTER)
        table.until_drawn_anew("an empty line is no answer")
        table.send("?")
        table.until_drawn_anew("a number from 3 to 9 in steps of 2 is wanted")
        table.send("5" + ENTER)
        table.until("bid 5")
        assert table.code() == 0


def test_secret_numbers_of_two_people_at_one_screen(tmp_path: Path) -> None:
    statement = (
        'each player secretly chooses:\n    number from 0 to 40 step 5 as player.stake\n  say "both have chosen"'
    )
    with sat_down(statement, tmp_path, "--seat", "1", "--seat", "2") as table:
        for player, number in (("p1", "35"), ("p2", "20")):
            table.until(f"{player} is asked. Press Enter")
            table.send(ENTER)
            table.until(f"{player}, stake: a number from 0 to 40 in steps of 5")
            table.until(f"{player}> ")
            assert "35" not in table.shown
            table.send(number)
            table.until(f"{player}> {number}")
            table.send(ENTER)
        table.until("both have chosen")
        table.until("score: p1 35, p2 20")
        assert table.code() == 0


def test_the_label_under_the_bar_is_shown_whole(tmp_path: Path) -> None:
    long = "put down all that you have in your hand and draw as many again"
    with sat_down(
        f'p1 chooses as turn_choice:\n    "{long}": say "well"\n    "pass": say "ah"', tmp_path, columns=40
    ) as table:
        table.until("p1> ")
        assert long in " ".join(table.shown.split())
        assert max(map(len, table.shown.splitlines())) <= 40
        table.send(CTRL_C)
        assert table.code() == 130


def sat_down(statement: str, folder: Path, *options: str, columns: int = 80) -> Terminal:
    (folder / "asked.yaml").write_text(RULES.replace("STATEMENT", statement), encoding="utf-8")
    call = ("play", "asked.yaml", "--seed", "1", "--engine", "reference", *options)
    return Terminal(*call, folder=folder, columns=columns, rows=24)
