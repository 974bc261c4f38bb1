"""At a terminal of its own: a whole game of Two-Win with arrows, another size, Ctrl-C and going on; several people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pty", reason="a pseudo-terminal is a thing of Unix")

from terminal import CTRL_C, CTRL_D, DOWN, ENTER, UP, Terminal

TWO_WIN = ("two-win", "--seed", "7", "--engine", "reference", "--bot", "2=as_dealt")
ASKED = "p1> "
OVER = "score: "


def bar(shown: str) -> str:
    """The option that the bar is on."""
    return next(line for line in shown.splitlines() if line.startswith("▶") and "(you)" not in line)


def test_a_whole_game_with_another_size_ctrl_c_and_going_on(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    with Terminal("play", *TWO_WIN, "--record", "game.json", folder=tmp_path) as table:
        table.until(ASKED)
        assert "root         past         future" in table.shown
        assert "\x1b[" in table.raw
        assert bar(table.shown) == "▶ 1  check"
        table.send(DOWN)
        table.until(ASKED)
        assert bar(table.shown) == "▶ 2  raise"
        table.send(UP)
        table.until(ASKED)

        table.raw = ""
        table.resize(60, 40)
        table.until(ASKED)
        assert "root      past      future" in table.shown
        assert max(map(len, table.shown.splitlines())) <= 60

        table.send("?")
        table.until_drawn_anew(ASKED)
        assert "bet: there is a bet already" in table.shown
        table.send(ENTER)
        table.until_drawn_anew(ASKED)
        assert "p1 betting: check" in table.shown
        table.send(CTRL_C)
        assert table.code() == 130
        assert "kept in game.json" in table.raw
        assert "go on with: trionfi play --resume game.json" in table.raw
        assert "Traceback" not in table.raw
    kept = json.loads(record.read_text(encoding="utf-8"))
    assert kept["scores"] is None
    assert [label for _, _, label in kept["moves"]][1] == "check"

    options = ("--resume", "game.json", "--engine", "reference")  # the bot is in the record
    with Terminal("play", *options, folder=tmp_path) as table:
        choices = play_on(table)
        assert table.code() == 0
        assert "poker cards" in choices
        assert "orientation" in choices
        assert re.search(r"score: p1 -?\d+, p2 -?\d+", table.raw)
    again = json.loads(record.read_text(encoding="utf-8"))
    assert again["moves"][: len(kept["moves"])] == kept["moves"]
    assert again["scores"] is not None


def play_on(table: Terminal) -> str:
    """Takes what the bar is on until the game is over; all that was shown."""
    told = ""
    for _ in range(60):
        if table.until(ASKED, OVER) == OVER:
            return told
        told += table.shown
        table.send(ENTER)
    raise AssertionError("the game does not end")


def test_typing_ticks_and_several_at_once() -> None:
    with Terminal("play", "hearts", "--seed", "7", "--engine", "reference", rows=50) as table:
        table.until(ASKED)
        first = [line.split("  ")[-1] for line in table.shown.splitlines() if re.match(r"[ ▶] +\d+  ", line)][:3]
        for _ in range(3):
            table.send(" ")
            table.until(ASKED)
            table.send(DOWN)
            table.until(ASKED)
        assert table.shown.count("■") == 3
        table.send(ENTER)
        table.until(f"passing: {', '.join(first)}")
        table.until(ASKED)
        table.send("xyz\x7fw")
        table.until("p1> xyw")
        table.send(ENTER)
        table.until("`xyw` is not offered")
        table.until(ASKED)
        table.send(CTRL_D)
        assert table.code() == 1
        assert "the input has ended before the game was over" in table.raw


def test_undo_at_the_keyboard() -> None:
    with Terminal("play", "two-win-solitaire", "--seed", "2", "--engine", "reference") as table:
        table.until(ASKED)
        table.send("1" + ENTER)
        table.until("picked: ")
        table.until(ASKED)
        table.send("undo" + ENTER)
        table.until_drawn_anew(ASKED)
        assert "picked: " not in table.shown
        table.send("quit" + ENTER)
        assert table.code() == 1
        assert "left before the game was over" in table.raw


def test_several_people_do_not_see_each_others_cards() -> None:
    with Terminal("play", "kuhn", "--seed", "3", "--seat", "1", "--seat", "2") as table:
        table.until("p1 is asked. Press Enter")
        assert "hand" not in table.raw
        table.send(ENTER)
        table.until(ASKED)
        assert "King" in table.shown
        table.send(ENTER)
        table.until("p2 is asked. Press Enter")
        assert "King" not in table.shown.rpartition("p2 is asked")[2]
        assert "\x1b[2J\x1b[3J" in table.raw  # nor by scrolling back
        table.send(ENTER)
        table.until("p2> ")
        assert "Queen" in table.shown
        assert "King" not in table.shown


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_they_are_not_wanted(env: dict[str, str]) -> None:
    with Terminal("play", "kuhn", "--seed", "3", **env) as table:
        table.until(ASKED)
        table.send("quit" + ENTER)
        assert table.code() == 1
        assert "\x1b[3" not in table.raw.replace("\x1b[3J", "")
        assert "\x1b[7m" not in table.raw
        if "TERM" in env:
            assert "\x1b" not in table.raw


def test_a_low_terminal_shows_a_part_of_a_long_list() -> None:
    with Terminal("play", "hearts", "--players", "3", "--seed", "7", "--engine", "reference", rows=12) as table:
        table.until(ASKED)
        assert "1 of 17" in table.shown
        table.send("\x1b[F")
        table.until("17 of 17")


def test_letters_where_the_encoding_has_no_suit_signs(tmp_path: Path) -> None:
    with Terminal("play", "klondike", "--seed", "3", "--engine", "reference", PYTHONIOENCODING="cp1252") as table:
        table.until(ASKED)
        assert "[ 5s]" in table.shown
        assert "tableau 1" in table.shown


# ---- going on, without a terminal


Call = Callable[..., Any]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    import io

    from trionfi.cli import run

    monkeypatch.chdir(tmp_path)

    def call_it(*arguments: object, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = run([str(argument) for argument in arguments])
        shown = capfd.readouterr()
        return code, shown.out, shown.err

    return call_it


def test_a_game_goes_on_as_if_it_had_never_stopped(call: Call) -> None:
    options = ("--engine", "reference", "--bot", "2=random")
    whole = call("play", "two-win", "--seed", 5, "--record", "whole.json", *options, typed="2\n" * 40)
    assert whole[0] == 0
    code, _, err = call("play", "two-win", "--seed", 5, "--record", "part.json", *options, typed="2\n" * 2)
    assert code == 1
    assert "go on with: trionfi play --resume part.json\n" in err
    # the game may be named, too; its options are true and false in the record
    assert call("play", "two-win", "--resume", "part.json", *options[:2], typed="2\n" * 40)[0] == 0
    parts = [json.loads(Path(name).read_text(encoding="utf-8")) for name in ("whole.json", "part.json")]
    assert parts[0] == parts[1]


def test_going_on_with_what_does_not_fit(call: Call, tmp_path: Path) -> None:
    call("play", "kuhn", "--seed", 5, "--record", "game.json", typed="")
    assert call("play", "--resume", "game.json", "--seed", 4)[0] == 2
    assert call("play", "--resume", "none.json")[0] == 2
    assert call("play")[0] == 2
    code, _, err = call("play", "leduc", "--resume", "game.json")
    assert code == 1
    assert "this was a game of another text of kuhn, not of these rules" in err
    record = json.loads(Path("game.json").read_text(encoding="utf-8"))
    record["moves"] = [[0, "open", "sing"]]
    Path("game.json").write_text(json.dumps(record), encoding="utf-8")
    code, _, err = call("play", "--resume", "game.json")
    assert code == 1
    assert "`sing` is not offered" in err
