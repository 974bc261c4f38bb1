"""Whatever is wrong with a call is said in a line on stderr, with the right exit code and never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import trionfi.shell.listing

Call = Callable[..., Any]

WRONG = {
    "simulate two-wine -n 5": "there is no ruleset `two-wine`; did you mean `two-win`?",
    "simulate nothing-like-it -n 5": "there is no ruleset `nothing-like-it`; `trionfi list` shows the library",
    "validate none.yaml": "there is no file `none.yaml`; `trionfi list` shows the library",
    "validate --static kuhn --set x=3": "there is no option `x`",
    "simulate two-win -n 4 --set chps=3": "there is no option `chps`; did you mean `chips`?",
    "simulate two-win -n 4 --set chips=x": "`chips` is a whole number, not `x`",
    "simulate two-win -n 4 --set chips": "--set wants NAME=VALUE, as in --set chips=100; this is `chips`",
    "simulate kuhn -n 4 --players 7": "Kuhn Poker is for 2 players, not 7",
    "simulate two-win -n 4 --players 18": "Two-Win is for 2 to 17 players, not 18",
    "simulate kuhn -n 4 --bot 2": "--bot wants SEAT=BOT, as in --bot 2=first; this is `2`",
    "simulate kuhn -n 4 --bot 1=first --bot p1=random": "--bot tells `p1` twice",
    "simulate kuhn -n 4 --bot all=first --bot all=random": "--bot tells `all` twice",
    "simulate kuhn -n 4 --bot 3=first": "there is no seat `3`: the seats are 1 to 2",
    "play kuhn --bot 2=rndom": "Kuhn Poker knows no bot `rndom`; did you mean `random`?",
    "play kuhn --seat 5": "there is no seat `5`: the seats are 1 to 2",
    "play kuhn --record missing/x.json": "there is no folder `missing` for the record",
    "simulate kuhn -n 4 --out x.xls": "a table of games is written to a file .csv, .jsonl or .parquet, not to `x.xls`",
    "rank two-win pokr Zz": "Two-Win has no ranking `pokr`; did you mean `poker`?",
    "rank two-win poker Zz": "there is no card `Zz`",
    "rank two-win poker --vs": "a hand has cards: a card was left out before or after --vs",
    "rank two-win poker --jso": "there is no option `--jso`",
    "rank two-win twenty_one King": 'this ranking wants its cards as own="..." shared="..."',
    "replay none.json": "none.json: No such file or directory",
}

USAGE = {
    "simulte kuhn": "No such command 'simulte'",
    "simulate kuhn": "Missing option '-n'",
    "simulate kuhn -n 0": "Invalid value for '-n'",
    "simulate kuhn -n many": "Invalid value for '-n'",
    "simulate kuhn -n 5 --engine fast": "Invalid value for '--engine'",
    "simulate kuhn -n 5 --workers 0": "Invalid value for '--workers'",
    "play kuhn --seed -1": "Invalid value for '--seed'",
    "simulate kuhn -n 2 --seed 9223372036854775808": "Invalid value for '--seed'",
    "compare kuhn kuhn -n 2 --seed 9223372036854775808": "Invalid value for '--seed'",
    "play kuhn --game 9223372036854775808": "Invalid value for '--game'",
    "list --jso": "No such option: --jso",
    "validate": "Missing argument",
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said_in_a_line(call: Call, words: str) -> None:
    shown = call(*words.split())
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == f"trionfi: {WRONG[words]}\n"


def test_a_library_is_no_game(call: Call) -> None:
    shown = call("simulate", "betting", "-n", 4)
    assert (shown.code, shown.out) == (1, "")
    assert "`betting` is a library" in shown.err


@pytest.mark.parametrize("words", USAGE)
def test_wrong_usage(call: Call, words: str) -> None:
    shown = call(*words.split())
    assert (shown.code, shown.out) == (2, "")
    assert USAGE[words] in shown.err


@pytest.mark.parametrize(("name", "content"), [("a.txt", "x"), ("folder", None)])
def test_what_is_no_ruleset_file(call: Call, tmp_path: Path, name: str, content: str | None) -> None:
    path = tmp_path / name
    path.mkdir() if content is None else path.write_text(content, encoding="utf-8")
    assert call("validate", name).code == 2


@pytest.mark.parametrize(
    "content", [b"", b"just words", b"- 1\n- 2", b"\xff\xfe\x00a", b"\x00\x01\x02", b"a: [", b"name: 3\n\tx: 2", b"{}"]
)
@pytest.mark.parametrize("command", ["validate", "test", "play", "simulate -n 3"])
def test_a_file_that_holds_no_ruleset(call: Call, tmp_path: Path, content: bytes, command: str) -> None:
    (tmp_path / "a.yaml").write_bytes(content)
    shown = call(*command.split(), "a.yaml")
    assert shown.code == 1
    said = shown.out if command == "validate" else shown.err
    assert "a.yaml:" in said
    assert "error" in said
    assert "fault" not in said + shown.err


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"3", b"\xff\xfe", b'{"rules": "kuhn"}'])
def test_a_file_that_holds_no_record(call: Call, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    shown = call("replay", "a.json")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("trionfi: a.json is no record of a game: ")


def test_a_fault_of_our_own_asks_for_a_report(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(as_json: bool) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(trionfi.shell.listing, "show_list", fails)
    monkeypatch.delenv("TRIONFI_TRACEBACK", raising=False)
    shown = call("list")
    assert (shown.code, shown.out) == (1, "")
    assert "a fault in trionfi itself" in shown.err
    assert "please report it: ZeroDivisionError: by nothing" in shown.err
    assert "Traceback" not in shown.err
    monkeypatch.setenv("TRIONFI_TRACEBACK", "1")
    assert "Traceback" in call("list").err


def test_ctrl_c_is_quiet(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(as_json: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(trionfi.shell.listing, "show_list", stopped)
    shown = call("list")
    assert shown.code == 130
    assert "Traceback" not in shown.err


UNRANKED = """\
trionfi: 1
name: Odd
about: For tests.
players: 2
deck: standard
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down}
rankings:
  hand:
    of: 3 cards
    alike: [rank]
    categories:
      Pair: 2 alike
      High: anything
    order: [groups by card.rank]
play: |
  shuffle stock
  deal 3 from stock to each hand
result:
  score(player): 1 if hand(player.hand) > hand(player.opponent.hand) else 0
"""


@pytest.mark.parametrize(
    "words", ["simulate odd.yaml -n 5", "play odd.yaml", "compare odd.yaml odd.yaml -n 5", "test odd.yaml"]
)
def test_a_ruleset_that_the_native_engine_cannot_play(call: Call, words: str) -> None:
    Path("odd.yaml").write_text(UNRANKED, encoding="utf-8")
    shown = call(*words.split(), "--engine", "native")
    assert (shown.code, shown.out) == (2, "")
    reason = "the ranking `hand` (an order without the category)"
    assert shown.err == f"trionfi: odd cannot be played in the native engine: {reason}\n"
