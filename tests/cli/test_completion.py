"""What shells offer for what is typed so far."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trionfi.shell import completing
from trionfi.shell.completing import as_bash_counts

Call = Callable[..., Any]


@pytest.fixture
def offered(
    call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[str]]:
    """What bash is offered for the last word."""

    def words(*typed: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", "\n".join(["trionfi", *typed]))
        monkeypatch.setenv("COMP_CWORD", str(len(typed)))
        monkeypatch.setenv(completing.COMPLETE, "complete_bash")
        monkeypatch.setattr("sys.argv", ["trionfi"])
        with as_bash_counts():
            out = call().out
            print(out, end="")
        return capsys.readouterr().out.split() or out.split()

    return words


def test_commands_and_rulesets(offered: Callable[..., list[str]]) -> None:
    assert offered("simu") == ["simulate"]
    assert offered("play", "he") == ["hearts"]
    assert set(offered("validate", "kuhn", "two")) == {"two-win", "two-win-limit", "two-win-solitaire"}


def test_files(offered: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("")
    (tmp_path / "mine.txt").write_text("")
    assert offered("play", "mi") == ["mine.yaml"]
    assert offered("play", f"{tmp_path}/mi") == [f"{tmp_path}/mine.yaml"]


def test_options_with_their_values(offered: Callable[..., list[str]]) -> None:
    assert offered("play", "hearts", "--set", "mo") == ["moon=others_up", "moon=self_down"]
    assert offered("play", "--set", "queen") == []  # of which game?
    assert offered("play", "hearts", "--set", "moon", "=", "o") == ["others_up"]


def test_seats_and_strategies(offered: Callable[..., list[str]]) -> None:
    assert offered("simulate", "hearts", "-n", "10", "--bot", "2=c") == ["2=careful"]
    assert offered("simulate", "hearts", "--bot", "2", "=", "c") == ["careful"]
    assert offered("play", "hearts", "--seat", "") == ["1", "2", "3", "4", "5", "6"]
    assert offered("play", "hearts", "--players", "") == ["3", "4", "5", "6"]


def test_parts_and_rankings(offered: Callable[..., list[str]]) -> None:
    assert offered("explain", "hearts", "play_") == ["play_trick", "play_hand"]  # what a library has comes first
    assert offered("rank", "two-win", "po") == ["poker"]


def test_nothing_is_said_of_what_cannot_be_read(offered: Callable[..., list[str]]) -> None:
    assert offered("play", "nowhere", "--set", "") == []
    assert offered("explain", "/nowhere/x.yaml", "") == []
