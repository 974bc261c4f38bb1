"""Machine code kept on disk: used again, and never trusted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import trionfi
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.native import engine, kept, unranked
from trionfi.interpreter.rules import load
from trionfi.interpreter.rules_data import RulesData


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
        lambda content: b"0" * 64 + b"{}\n" + b"\x90" * 100,
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


def test_whether_a_ranking_can_be_compiled_is_asked_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[str] = []
    plan = unranked.why_not_made

    def planning(rules: RulesData, ranking: Any) -> str:
        planned.append(ranking.name)
        return plan(rules, ranking)

    monkeypatch.setattr(unranked, "why_not_made", planning)
    assert [load("two-win").engine() for _ in range(2)] == ["native", "native"]
    assert planned == ["poker"]
    assert len(list(folder.iterdir())) == 1
    assert load("two-win", {"mixed_runs": True}).engine() == "native"
    assert planned == ["poker", "poker"]


def test_the_key_tells_texts_options_and_uses_apart() -> None:
    kuhn, leduc = load("kuhn").ruleset, load("leduc").ruleset
    keys = [
        kept.module_key(kuhn, {}, {"deck": 1}, "step"),
        kept.module_key(kuhn, {}, {"deck": 1}, "playout"),
        kept.module_key(kuhn, {}, {"deck": 2}, "step"),
        kept.module_key(kuhn, {"a": 1}, {"deck": 1}, "step"),
        kept.module_key(leduc, {}, {"deck": 1}, "step"),
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0] == kept.module_key(load("kuhn").ruleset, {}, {"deck": 1}, "step")


# ---- what the key covers

TEXT = """\
trionfi: 1
name: Larger
players: 1
deck: {from: standard, ace: high}
table: {stock: {start: deck, face: down}}
play: shuffle stock
result: {score(player): "larger(1, 2)"}
"""
SCORE = f"""
import os, pathlib, sys, trionfi
rules = trionfi.load("larger", text={TEXT!r})
if len(sys.argv) > 1:
    touched = pathlib.Path(trionfi.__file__).parent / sys.argv[1]
    touched.write_text(touched.read_text() + "# changed\\n")
print(rules.start(seed=1, engine="native").scores)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, which may be changed. Compiled files come with it: of what is changed they are out of date."""
    copy = tmp_path / "copied" / "trionfi"
    root = Path(trionfi.__file__).parent
    for room in ("dsl", "effects", "core", "interpreter", "rulesets/decks"):
        shutil.copytree(root / room, copy / room)
    shutil.copy(root / "__init__.py", copy)
    return copy


def score_of(package: Path, *touched: str) -> str:
    """What the copied package makes of the game, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", SCORE, *touched],
        env=environment,
        cwd=package,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_a_changed_rule_of_the_checker_is_obeyed_at_once(folder: Path, package: Path) -> None:
    assert [score_of(package), score_of(package)] == ["[2]"] * 2
    assert len(list(folder.iterdir())) == 1
    checker = package / "dsl" / "check" / "calls.py"
    text = checker.read_text()
    changed = text.replace('cast(Literal["smaller", "larger"], name)', '"smaller"')
    assert changed != text
    checker.write_text(changed)
    assert score_of(package) == "[1]"
    assert len(list(folder.iterdir())) == 2
    checker.write_text(text)
    assert score_of(package) == "[2]"
    assert len(list(folder.iterdir())) == 2, "the first module is good again"


@pytest.mark.parametrize(
    "part",
    ["dsl/script.lark", "dsl/schema.json", "dsl/tree/statements.py", "effects/plays.py", "interpreter/chance.py"],
)
def test_the_key_covers_every_room_that_decides_meaning(
    package: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(kept, "PACKAGE", package)
    monkeypatch.setattr(kept, "STARTED", time.time_ns())
    before = kept.own_text()
    assert before == kept.own_text()
    status = (package / part).stat()
    (package / part).write_bytes((package / part).read_bytes()[:-1] + b" ")
    os.utime(package / part, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert kept.own_text() != before


def test_a_process_whose_text_was_changed_keeps_nothing_for_others(folder: Path, package: Path) -> None:
    assert [score_of(package, "dsl/check/calls.py"), score_of(package)] == ["[2]"] * 2
    assert len(list(folder.iterdir())) == 2


def test_without_the_text_of_the_package_nothing_is_kept_for_others(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in package.rglob("*.*"):
        path.unlink()
    monkeypatch.setattr(kept, "PACKAGE", package)
    assert kept.own_text() != kept.own_text()
