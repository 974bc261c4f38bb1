"""A game at a terminal is kept whatever ends it: a killed process, signals, a closed terminal, closed pipes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import termios
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pty", reason="a pseudo-terminal is a thing of Unix")

from terminal import CALL, CTRL_C, CTRL_D, ENTER, Terminal

from ..by_day import LARGE

RIGHT, CTRL_Q = "\x1b[C", "\x11"

POCKET = Path(__file__).parents[1] / "data" / "records" / "pocket.yaml"
PLAY = ("play", "pocket.yaml", "--seed", "4", "--engine", "reference", "--record", "kept/game.json")
RESUME = ("play", "--resume", "kept/game.json", "--engine", "reference")
BID = "bid: a number from 1 to 9"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(POCKET, tmp_path)
    (tmp_path / "kept").mkdir()
    return tmp_path


def kept(folder: Path) -> Any:
    return json.loads((folder / "kept" / "game.json").read_text(encoding="utf-8"))


def two_cards(table: Terminal) -> None:
    """Picks them, both at once."""
    table.until("away: 2")
    table.send(RIGHT + " " + RIGHT + " " + ENTER)
    table.until(BID)


def is_cooked(table: Terminal) -> bool:
    flags = termios.tcgetattr(table.end)[3]
    return bool(flags & termios.ICANON and flags & termios.ECHO and flags & termios.ISIG)


def test_a_killed_process_has_kept_the_game_up_to_its_last_move(folder: Path) -> None:
    with Terminal(*PLAY, folder=folder) as table:
        table.until("away: 2")
        assert kept(folder)["moves"] == []
        two_cards(table)
        assert not is_cooked(table)
        table.process.kill()
        table.process.wait()
    assert len(kept(folder)["moves"]) == 2
    assert [path.name for path in (folder / "kept").iterdir()] == ["game.json"]
    with Terminal(*RESUME, folder=folder) as table:
        table.until(BID)
        table.send("9" + ENTER)
        table.until("score: ")
        table.send(ENTER)
        assert table.code() == 0
    record = kept(folder)
    assert [label for _, name, label in record["moves"] if name == "bid"] == ["9"]
    assert record["scores"] is not None


def test_what_is_taken_back_is_taken_back_in_the_record(folder: Path) -> None:
    with Terminal(*PLAY, folder=folder) as table:
        two_cards(table)
        assert len(kept(folder)["moves"]) == 2
        table.send("undo" + ENTER)
        table.until("away: 2")
        assert kept(folder)["moves"] == []
        table.send("quit" + ENTER)
        table.until("leave the table?")
        table.send("y")
        assert table.code() == 1


ENDS = {
    "Ctrl-C": (CTRL_C, 130, ""),
    "SIGINT": (signal.SIGINT, 130, ""),
    "SIGTERM": (signal.SIGTERM, 143, "trionfi: ended by SIGTERM"),
    "SIGHUP": (signal.SIGHUP, 129, "trionfi: ended by SIGHUP"),
    "the end of the input": (CTRL_D, 1, "trionfi: the input has ended before the game was over"),
    "leaving": (CTRL_Q, 1, "trionfi: you have left the table"),
}


@pytest.mark.parametrize("end", ENDS if LARGE else ["Ctrl-C", "SIGTERM", "the end of the input", "leaving"])
def test_a_game_that_is_ended_is_kept_and_the_terminal_is_as_it_was(folder: Path, end: str) -> None:
    how, code, said = ENDS[end]
    with Terminal(*PLAY, folder=folder) as table:
        two_cards(table)
        if isinstance(how, signal.Signals):
            table.raw = ""
            table.process.send_signal(how)
        else:
            table.send(how)
        if how == CTRL_Q:
            table.until("leave the table?")
            table.send("y")
        assert table.code() == code
        lines = [line.strip() for line in table.shown.splitlines() if line]
        told = ["kept in kept/game.json", "go on with: trionfi play --resume kept/game.json"]
        assert sorted(lines) == sorted([*told, *([said] if said else [])])
        assert is_cooked(table)
        assert table.all.rindex("\x1b[?25l") < table.all.rindex("\x1b[?25h")  # the cursor can be seen
    assert len(kept(folder)["moves"]) == 2


@pytest.mark.parametrize("hears", [True, False], ids=["SIGHUP", "nohup"])
def test_a_terminal_that_is_closed(folder: Path, monkeypatch: pytest.MonkeyPatch, hears: bool) -> None:
    begin = "" if hears else "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    monkeypatch.setattr("terminal.CALL", [*CALL[:2], begin + CALL[2]])
    with Terminal(*PLAY, folder=folder) as table:
        two_cards(table)
        os.close(table.end)
        assert table.process.wait(timeout=60) in ((1, 129) if hears else (1,))
        table.end = os.open(os.devnull, os.O_RDONLY)
    assert len(kept(folder)["moves"]) == 2
    assert [path.name for path in (folder / "kept").iterdir()] == ["game.json"]


@pytest.mark.parametrize("hears", [True, False], ids=["SIGHUP", "nohup"])
def test_a_terminal_that_is_closed_under_lines(folder: Path, monkeypatch: pytest.MonkeyPatch, hears: bool) -> None:
    """Nobody reads the lines that say so, but for those who let them go to a file."""
    begin = "" if hears else "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    here = f"import os; os.dup2(os.open('said', os.O_WRONLY | os.O_CREAT), 2); {begin}{CALL[2]}"
    monkeypatch.setattr("terminal.CALL", [*CALL[:2], here])
    with Terminal(*PLAY, folder=folder) as table:
        table.until("p1>")
        table.send("1 2" + ENTER)
        table.until(BID)
        os.close(table.end)
        assert table.process.wait(timeout=60) in ((1, 129) if hears else (1,))
        table.end = os.open(os.devnull, os.O_RDONLY)
    assert len(kept(folder)["moves"]) == 2
    assert [path.name for path in (folder / "kept").iterdir()] == ["game.json"]
    said = (folder / "said").read_text(encoding="utf-8")
    assert said.startswith("kept in kept/game.json\ngo on with: ")
    assert said.count("\n") == 3
    assert "fault" not in said


def test_trouble_with_the_record_is_told_at_the_table_and_the_game_goes_on(folder: Path) -> None:
    with Terminal(*PLAY, folder=folder) as table:
        table.until("away: 2")
        shutil.rmtree(folder / "kept")
        table.send(RIGHT + " " + RIGHT + " " + ENTER)
        table.until(BID)
        told = "the game cannot be kept now (kept/game.json: No such file or directory), but goes on"
        assert told in table.in_one_line
        (folder / "kept").mkdir()
        table.send("undo" + ENTER)
        table.until("the game is kept in kept/game.json again")
        assert kept(folder)["moves"] == []
        table.send(RIGHT + " " + RIGHT + " " + ENTER)
        table.until(BID)
        table.send("9" + ENTER)
        table.until("score: ")
        table.send(ENTER)
        assert table.code() == 0
    assert kept(folder)["scores"] is not None


# ---- without a terminal


def shell(folder: Path, command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The call in a shell: `$play` stands for it."""
    play = " ".join(f"'{part}'" for part in (*CALL, *PLAY))
    return subprocess.run(
        ["bash", "-c", command.replace("$play", play)],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "typed", "code", "moves"),
    [
        ("$play <&-", "", 1, 0),
        ("$play >&-", "1\n1\n", 1, 0),
        ("{ $play; echo $? >code; } | head -1; exit $(cat code)", "1\n1\n", 1, 0),
        ("$play >/dev/full", "1\n1\n", 1, 0),
        ("$play 2>&- >/dev/null", "1\n1\n", 1, 2),
    ],
)
def test_closed_and_full_streams_end_a_game_that_is_kept(
    folder: Path, command: str, typed: str, code: int, moves: int
) -> None:
    done = shell(folder, command, typed)
    assert done.returncode == code, done.stderr
    for bad in ("fault", "Traceback", "Exception", "Errno"):
        assert bad not in done.stderr
    assert len(kept(folder)["moves"]) >= moves


REPLAYS = ["", "--step", "--json"]
NOWHERE = ["| head -c 1 >/dev/null; exit ${PIPESTATUS[0]}", ">/dev/full", ">&-"]


@pytest.mark.parametrize(
    ("options", "out"), [*product(REPLAYS, NOWHERE)] if LARGE else [*zip(REPLAYS, NOWHERE, strict=True)]
)
def test_a_replay_that_nobody_can_read_ends_with_one_line(folder: Path, options: str, out: str) -> None:
    shutil.copy(POCKET.parent / "pocket.json", folder)
    replay = " ".join(f"'{part}'" for part in (*CALL, "replay", "pocket.json", "--engine", "reference"))
    done = subprocess.run(
        ["bash", "-c", f"{replay} {options} {out}"], cwd=folder, capture_output=True, text=True, check=False
    )
    if "head" not in out or done.returncode:  # all may have been written before the pipe was closed
        assert done.returncode == 1
        assert done.stderr.startswith("trionfi: stdout: ")
        assert done.stderr.count("\n") == 1
