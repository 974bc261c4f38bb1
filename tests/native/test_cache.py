"""Machine code kept on disk: used again, and never trusted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from trionfi.interpreter.chance import Stream
from trionfi.interpreter.native import cache, engine
from trionfi.interpreter.rules import load


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "trionfi" / "native"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[engine.Use]:
    """Grows whenever something is compiled."""
    made: list[engine.Use] = []
    compile_ = engine.NativeCode._compile

    def noted(self: Any, use: engine.Use) -> Any:
        made.append(use)
        return compile_(self, use)

    monkeypatch.setattr(engine.NativeCode, "_compile", noted)
    return made


def play_first_options() -> list[int | object]:
    game = load("kuhn").start(players=2, seed=1, engine="native")
    while game.decision is not None:
        game.apply(0)
    return list(game.scores or ())


def test_code_is_compiled_once(folder: Path, compiled: list[engine.Use]) -> None:
    assert play_first_options() == play_first_options()
    assert compiled == [engine.Use.STEP]
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize(
    "harm",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: b"something else altogether",
        lambda content: cache.MAGIC + b"0" * 64 + b"{}\n" + b"\x90" * 100,
    ],
    ids=["empty", "torn", "one bit", "foreign", "forged"],
)
def test_a_harmed_file_is_ignored(folder: Path, compiled: list[engine.Use], harm: Any) -> None:
    scores = play_first_options()
    (file,) = folder.iterdir()
    file.write_bytes(harm(file.read_bytes()))
    assert play_first_options() == scores
    assert compiled == [engine.Use.STEP] * 2
    # and put right
    assert play_first_options() == scores
    assert compiled == [engine.Use.STEP] * 2


def test_what_is_not_wanted_is_not_compiled(folder: Path, compiled: list[engine.Use]) -> None:
    kuhn = load("kuhn")
    kuhn.simulate(10, seed=1)
    game = kuhn.start(players=2, seed=1, engine="native")
    assert compiled == [engine.Use.PLAYOUT, engine.Use.STEP]
    game.ask_strategy("cautious", Stream(1, 0))
    kuhn.simulate(10, seed=1, bots=["cautious", "random"])
    assert compiled[2:] == [engine.Use.ADVICE, engine.Use.PLAYOUT_OF_STRATEGIES]
    assert len(list(folder.iterdir())) == 4


def test_without_a_place_to_write_it_plays_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: list[engine.Use]
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert play_first_options() == play_first_options()
    assert compiled == [engine.Use.STEP] * 2


def test_the_key_tells_texts_options_and_uses_apart() -> None:
    kuhn, leduc = load("kuhn").ruleset, load("leduc").ruleset
    keys = [
        cache.module_key(kuhn, {}, {"deck": 1}, "step"),
        cache.module_key(kuhn, {}, {"deck": 1}, "playout"),
        cache.module_key(kuhn, {}, {"deck": 2}, "step"),
        cache.module_key(kuhn, {"a": 1}, {"deck": 1}, "step"),
        cache.module_key(leduc, {}, {"deck": 1}, "step"),
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0] == cache.module_key(load("kuhn").ruleset, {}, {"deck": 1}, "step")


def test_the_oldest_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_KEPT", 4)
    for number in range(5):
        cache.save_object(f"code{number}", {}, b"")
        os.utime(folder / f"code{number}", (number, number))
    cache.save_object("last", {}, b"")
    assert {path.name for path in folder.iterdir()} == {"code2", "code3", "code4", "last"}
