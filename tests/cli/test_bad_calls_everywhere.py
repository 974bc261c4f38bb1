"""One table over all commands: what is wrong is said clearly, with the exit code of the interface, never a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trionfi.cli import app

Call = Callable[..., Any]

# Each command that takes rules, called rightly; `{rules}` is where they stand.
WITH_RULES = {
    "validate": "validate --static {rules}",
    "test": "test {rules}",
    "simulate": "simulate {rules} -n 3",
    "play": "play {rules}",
    "rank": "rank {rules} poker As",
    "explain": "explain {rules}",
    "core": "core {rules}",
    "compare": "compare {rules} kuhn -n 3",
    "compare, second": "compare kuhn {rules} -n 3",
    "new": "new fresh.yaml --from {rules}",
}
WITHOUT_RULES = {"list", "replay", "stats"}
DATA_ON_STDOUT = {"validate"}  # its messages are what it is asked for


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")


def refused(shown: Any, code: int, *words: str, on_stdout: bool = False) -> None:
    """The exit code, words that it says, nothing on stdout, and no fault of ours."""
    said = shown.out + shown.err if on_stdout else shown.err
    assert shown.code == code, said
    assert on_stdout or shown.out == ""
    for word in words:
        assert word in said
    assert "Traceback" not in said
    assert "fault in trionfi" not in said


def test_the_table_holds_every_command() -> None:
    named = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    assert {name.split(",")[0] for name in WITH_RULES} | WITHOUT_RULES == named


@pytest.mark.parametrize("command", WITH_RULES)
class TestRules:
    def test_an_unknown_ruleset(self, call: Call, command: str) -> None:
        shown = call(*WITH_RULES[command].format(rules="two-wine").split())
        refused(shown, 2, "there is no ruleset `two-wine`; did you mean `two-win`?")

    def test_a_file_that_is_not_there(self, call: Call, command: str) -> None:
        refused(call(*WITH_RULES[command].format(rules="none.yaml").split()), 2, "there is no file `none.yaml`")

    def test_a_file_that_is_no_ruleset(self, call: Call, tmp_path: Path, command: str) -> None:
        (tmp_path / "a.yaml").write_text("just words", encoding="utf-8")
        shown = call(*WITH_RULES[command].format(rules="a.yaml").split())
        refused(shown, 1, "a.yaml:1:1: error", on_stdout=command in DATA_ON_STDOUT)

    def test_a_file_of_another_kind(self, call: Call, tmp_path: Path, command: str) -> None:
        (tmp_path / "a.txt").write_text("name: x", encoding="utf-8")
        shown = call(*WITH_RULES[command].format(rules="a.txt").split())
        refused(shown, 2, "`a.txt` is not a ruleset file: those end in .yaml")

    def test_a_folder(self, call: Call, tmp_path: Path, command: str) -> None:
        (tmp_path / "folder").mkdir()
        refused(call(*WITH_RULES[command].format(rules="folder").split()), 2, "`folder` is a folder")

    def test_a_library(self, call: Call, command: str) -> None:
        shown = call(*WITH_RULES[command].format(rules="betting").split())
        if command in DATA_ON_STDOUT:  # a library can be checked
            assert shown.code == 0
            return
        refused(shown, 1, "`betting` is a library")

    def test_an_unknown_option(self, call: Call, command: str) -> None:
        shown = call(*WITH_RULES[command].format(rules="two-win").split(), "--set", "chps=3")
        refused(shown, 2, "there is no option `chps`")

    def test_a_wrong_value(self, call: Call, command: str) -> None:
        rules = WITH_RULES[command].replace("kuhn", "two-win").format(rules="two-win").split()
        refused(call(*rules, "--set", "betting=high"), 2, "`betting`")
        refused(call(*rules, "--set", "chips=-1"), 2, "`chips`")
        refused(call(*rules, "--set", "chips"), 2, "--set wants NAME=VALUE")


SEATED = ("simulate {rules} -n 3", "play {rules}", "compare {rules} {rules} -n 3")


@pytest.mark.parametrize("words", SEATED)
class TestSeats:
    def test_too_many_players(self, call: Call, words: str) -> None:
        refused(call(*words.format(rules="kuhn").split(), "--players", 7), 2, "Kuhn Poker is for 2 players, not 7")

    def test_a_wrong_seat(self, call: Call, words: str) -> None:
        shown = call(*words.format(rules="kuhn").split(), "--bot", "3=first")
        refused(shown, 2, "there is no seat `3`: the seats are 1 to 2")

    def test_an_unknown_bot(self, call: Call, words: str) -> None:
        shown = call(*words.format(rules="kuhn").split(), "--bot", "1=cautous")
        refused(shown, 2, "knows no bot `cautous`; did you mean `cautious`?")

    def test_a_bot_without_a_seat(self, call: Call, words: str) -> None:
        refused(call(*words.format(rules="kuhn").split(), "--bot", "first"), 2, "--bot wants SEAT=BOT")


OTHERS = {
    "compare kuhn:ante=3 kuhn -n 3": "there is no option `ante`",
    "compare two-win:chips=x two-win -n 3": "`chips` is a whole number, not `x`",
    "compare kuhn hearts -n 3": "Kuhn Poker and Hearts are for different numbers of players",
    "compare kuhn leduc -n 3 --bot 1=cautious": "Leduc Poker knows no bot `cautious`",
    "explain two-win pokr": "Two-Win has no part `pokr`; did you mean `poker`?",
    "explain kuhn zzz": "Kuhn Poker has no part `zzz`; there are ",
    "new a.txt": "a ruleset is a file that ends in .yaml, not `a.txt`",
    "new no/such.yaml": "there is no folder `no`",
    "new ---.yaml": "No such option",
    "new +.yaml": "`+.yaml` has no letters to make a title of",
    "rank hearts poker As": "Hearts has no ranking `poker`; it has none at all",
    "rank blackjack tall As": "Blackjack, plain has no ranking `tall`; did you mean `tally`?",
    "rank blackjack tally Zz": "there is no card `Zz`",
    "rank blackjack tally As --vs": "cards alone are counted here",
    "rank gin-rummy meld own=As": "cards alone are counted here",
    "rank two-win poker As --vs Kd --vs Qd": "--vs compares two hands, not more",
    "simulate kuhn -n 3 --out no/such.csv": "there is no folder `no`",
    "simulate kuhn -n 3 --out x.txt": "a table of games is written to a file .csv, .jsonl or .parquet",
    "play kuhn --seat 3": "there is no seat `3`",
    "play kuhn --record no/such.json": "there is no folder `no`",
    "replay none.json": "none.json: No such file or directory",
}


@pytest.mark.parametrize("words", OTHERS)
def test_what_is_wrong_elsewhere(call: Call, words: str) -> None:
    refused(call(*words.split()), 2, OTHERS[words])


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to(call: Call, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    refused(call("simulate", "kuhn", "-n", 3, "--out", closed / "a.csv"), 2, "Permission denied")
    refused(call("new", closed / "a.yaml"), 2, "Permission denied")


def test_out_may_be_no_folder_and_leaves_nothing(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    refused(call("simulate", "kuhn", "-n", 3, "--out", "a.csv"), 2, "`a.csv` is a folder")
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


# ---- records


def record_of(call: Call, tmp_path: Path) -> dict[str, Any]:
    path = tmp_path / "game.json"
    assert call("play", "kuhn", "--seed", 3, "--bot", "all=first", "--record", path).code == 0
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


RECORDS: dict[str, tuple[Callable[[dict[str, Any]], object], int, str]] = {
    "of other rules": (lambda record: record.update(sha256="0"), 1, "another text of kuhn"),
    "of unknown rules": (
        lambda record: (record.update(rules="kuhnn"), record.pop("texts")),
        2,
        "there is no ruleset `kuhnn`",
    ),
    "of another seed": (lambda record: record.update(scores=[9, -9]), 1, "scores"),
    "with a move that is not offered": (lambda record: record["moves"][0].__setitem__(2, "jump"), 1, "jump"),
    "with too many moves": (lambda record: record["moves"].append([0, "open", "bet"]), 1, "the game is over"),
    "with an option that is unknown": (lambda record: record.update(options={"x": 1}), 1, "there is no option `x`"),
    "with too many players": (lambda record: record.update(players=9), 1, "Kuhn Poker is for 2 players, not 9"),
    "with a seed below 0": (lambda record: record.update(seed=-1), 1, "from 0"),
    "with a seed that is no number": (lambda record: record.update(seed="x"), 2, "`seed` is not a whole number"),
    "with moves that are none": (lambda record: record.update(moves=[3]), 2, "a move is [seat, decision, label]"),
    "with options that are none": (lambda record: record.update(options=[3]), 2, "`options` is not a mapping"),
}


@pytest.mark.parametrize("what", RECORDS)
def test_a_record(call: Call, tmp_path: Path, what: str) -> None:
    spoil, code, words = RECORDS[what]
    record = record_of(call, tmp_path)
    spoil(record)
    (tmp_path / "other.json").write_text(json.dumps(record), encoding="utf-8")
    refused(call("replay", "other.json"), code, words)
    refused(call("replay", "--step", "other.json"), code, words, on_stdout=True)
