"""A recorded game, move by move."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from trionfi.interpreter.rules import load
from trionfi.shell.replaying import replay_record
from trionfi.shell.saving import record_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A game of Kuhn Poker: pass, bet, call."""
    game = load("kuhn").start(seed=1, engine="reference")
    for label in ("pass", "bet", "call"):
        move = game.decision.move_called(label) if game.decision else None
        assert move is not None
        game.apply(move)
    path = tmp_path / "game.json"
    path.write_text(record_text(game.record()), encoding="utf-8")
    return path


def stepped(record: Path, monkeypatch: pytest.MonkeyPatch, typed: str, out: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stdin", Terminal(typed) if out.isatty() else io.StringIO(typed))
    assert replay_record(record, [], True, "reference", False)
    return out.getvalue()


def test_a_pipe_gets_all_steps(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = stepped(record, monkeypatch, "", io.StringIO())
    assert [line for line in shown.splitlines() if line[:1].isdigit()] == [
        "1. p1 open: pass",
        "2. p2 after_pass: bet",
        "3. p1 reply: call",
    ]
    assert "Enter" not in shown
    assert shown.count("stock") == 3  # the table after each


def test_at_a_terminal_enter_goes_on(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = stepped(record, monkeypatch, "\n\n", Terminal())
    assert shown.count("-- Enter: the next move, q: to the end") == 2  # none after the last
    assert "3. p1 reply: call" in shown


@pytest.mark.parametrize("typed", ["q\n", ""])
def test_q_and_the_end_of_the_input_run_to_the_end(record: Path, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    shown = stepped(record, monkeypatch, typed, Terminal())
    assert "2. p2" not in shown
    assert "3 moves of Kuhn Poker, all as recorded" in shown


def test_with_json_the_steps_are_no_data(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay_record(record, [], True, "reference", True)
    shown = capsys.readouterr()
    assert shown.out.startswith("{")
    assert "1. p1 open: pass" in shown.err
