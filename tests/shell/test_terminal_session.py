"""At a terminal of its own: a whole game of Two-Win, another size, Ctrl-C and going on; several people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pty", reason="a pseudo-terminal is a thing of Unix")

from terminal import ASKED, CTRL_C, ENTER, Terminal

RIGHT, CTRL_U, CTRL_Q = "\x1b[C", "\x15", "\x11"
TWO_WIN = ("two-win", "--seed", "7", "--engine", "reference", "--bot", "2=as_dealt")


def test_a_whole_game_with_another_size_ctrl_c_and_going_on(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    with Terminal("play", *TWO_WIN, "--record", "game.json", folder=tmp_path) as table:
        table.until(ASKED)
        assert "root         past         future" in table.shown
        assert "\x1b[" in table.raw
        assert " c  check" in table.shown
        assert " r  raise" in table.shown

        table.resize(60, 24)
        table.raw = ""
        table.until("outcome")
        table.until(ASKED)

        table.send("?")
        table.until("▸ ?")
        table.send(ENTER)
        table.until("bet: there is a bet already")
        table.send(ENTER)
        table.until(ASKED)
        table.send("c")
        table.until("you check")
        table.send(CTRL_C)
        assert table.code() == 130
        assert "kept in game.json" in table.all
        assert "go on with: trionfi play --resume game.json" in table.all
        assert "Traceback" not in table.all
    kept = json.loads(record.read_text(encoding="utf-8"))
    assert kept["scores"] is None
    assert [label for _, _, label in kept["moves"]][1] == "check"

    options = ("--resume", "game.json", "--engine", "reference")  # the bot is in the record
    with Terminal("play", *options, folder=tmp_path) as table:
        told = play_on(table)
        assert table.code() == 0
        assert "poker cards" in told
        assert "orientation" in told
        assert re.search(r"score: p1 -?\d+, p2 -?\d+", table.shown)
    again = json.loads(record.read_text(encoding="utf-8"))
    assert again["moves"][: len(kept["moves"])] == kept["moves"]
    assert again["scores"] is not None


LAST, OVER = "any key ends the game", "score: p1"
KEYS = {" c  ": "c", " d  done": "d", " u  upright": "u", "poker cards: 2": RIGHT + ENTER + RIGHT + ENTER + ENTER}


def play_on(table: Terminal) -> str:
    """Checks, and shows as dealt, until the game is over; all that was shown."""
    told = ""
    for _ in range(60):
        found = table.until(LAST, OVER, *KEYS)
        told += table.shown
        if found in (LAST, OVER):  # a key too many has closed the last page
            table.send(ENTER)
            return told
        table.send(KEYS[found])
    raise AssertionError("the game does not end")


def test_undo_at_the_keyboard() -> None:
    with Terminal("play", "two-win-solitaire", "--seed", "2", "--engine", "reference") as table:
        table.until(ASKED)
        table.send((RIGHT + " ") * 5 + ENTER)
        table.until("orientation of")
        assert "you, poker cards: " in table.shown
        table.send(CTRL_U)
        table.until("taken back")
        assert "poker cards: 5" in table.shown
        assert "you, poker cards: " not in table.shown
        table.send(CTRL_Q)
        table.until("leave the table?")
        table.send("n")
        table.until(ASKED)
        table.send("quit" + ENTER)
        table.until("leave the table?")
        table.send("y")
        assert table.code() == 1
        assert "you have left the table" in table.all


def test_several_people_do_not_see_each_others_cards() -> None:
    with Terminal("play", "kuhn", "--seed", "3", "--seat", "1", "--seat", "2") as table:
        table.until("p1 is asked. Press Enter")
        assert "hand" not in table.all
        table.send(ENTER)
        table.until("King")
        table.send("p")
        table.until("p2 is asked. Press Enter")
        assert "King" not in table.shown
        table.send(ENTER)
        table.until("Queen")
        assert "King" not in table.shown
        table.send(CTRL_C)
        assert table.code() == 130


def test_no_colours_where_they_are_not_wanted() -> None:
    with Terminal("play", "kuhn", "--seed", "3", NO_COLOR="1") as table:
        table.until(ASKED)
        table.send(CTRL_C)
        assert table.code() == 130
        for code in re.findall(r"\x1b\[([0-9;]*)m", table.all):
            reds = {int(part) for part in code.split(";")[3::5] if part}
            assert not set(code.split(";")) & {"31", "32", "33", "34", "35", "36", "41"}, reds


@pytest.mark.parametrize("how", [("--plain",), ()], ids=["--plain", "TERM=dumb"])
def test_lines_where_nothing_is_to_be_drawn(how: tuple[str, ...]) -> None:
    with Terminal("play", "kuhn", "--seed", "3", *how, **({} if how else {"TERM": "dumb"})) as table:
        table.until("p1>")
        assert "  1  pass" in table.shown
        assert "\x1b[?1049h" not in table.all
        table.send("quit" + ENTER)
        assert table.code() == 1
        assert how or "\x1b" not in table.all


def test_a_low_terminal_shows_a_part_of_a_long_list() -> None:
    with Terminal("play", "klondike", "--seed", "5", "--engine", "reference", columns=60, rows=14) as table:
        table.until(ASKED)
        table.send("\x1b[F")
        table.until("give up")


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
