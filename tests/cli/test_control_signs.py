"""No control sign of a ruleset, a record, an argument or what is typed reaches the terminal, by any command."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer.main

from trionfi.cli import app, run
from trionfi.shell.door import Door, doors, inked

# A title, a cleared screen, a colour in C1, an overriding direction of writing, CR, backspace, a letter without width.
EVIL = "a\x1b]0;T\x07\x1b[2J\x1b[31m\x9b31m\u202eb\u2066\r\x08\u200bc"
STEERS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
GAME = """trionfi: 1
name: Plain
players: 2
deck: {from: standard, ace: high}
options:
  goal: {default: 1, range: 0..3}
table:
  stock: {start: deck, face: down}
  hand: {per: player, face: up}
rankings:
  r: {of: 5 cards, alike: [rank], categories: {A: "2 alike", Z: anything}, order: [category]}
play: |
  shuffle stock
  deal goal from stock to each hand
  p1 chooses as answer:
    "yes": say "{p1} says yes"
    "no": say "{p1} says no"
result:
  score(player): player.hand.count
"""
ESCAPED = '"A\\e]0;T\\a\\e[2J\\x9b31mX\\u202eR\\u2066\\r\\bB\\u200b"'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Holds a sound game in a file of a hostile name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{EVIL}.yaml").write_text(GAME)
    (tmp_path / "plain.yaml").write_text(GAME)
    return tmp_path


# Each command with what it may be told, hostile; {} is a file, there or not.
CALLS: dict[str, list[list[str]]] = {
    "list": [[EVIL]],
    "new": [["plain.yaml", "--from", EVIL], [f"{EVIL}.txt"], [f"{EVIL}/x.yaml"], ["x.yaml", "--from", f"{EVIL}.yaml"]],
    "validate": [
        [f"{EVIL}.yaml"],
        [EVIL],
        ["plain.yaml", "--set", f"{EVIL}=1"],
        ["plain.yaml", "--set", f"goal={EVIL}"],
    ],
    "test": [[f"{EVIL}.yaml"], [EVIL], [f"{EVIL}.yaml", "--json"]],
    "simulate": [
        [f"{EVIL}.yaml", "-n", "2"],
        ["plain.yaml", "-n", EVIL],
        ["plain.yaml", "-n", "2", "--bot", f"1={EVIL}"],
        ["plain.yaml", "-n", "2", "--out", EVIL],
        ["plain.yaml", "-n", "2", "--out", f"{EVIL}/x.csv"],
    ],
    "core": [[f"{EVIL}.yaml"], [EVIL], ["plain.yaml", EVIL], ["plain.yaml", "--after", EVIL]],
    "compare": [
        [f"{EVIL}.yaml", "plain.yaml:goal=2", "-n", "2"],
        ["plain.yaml", f"plain.yaml:{EVIL}=2", "-n", "2"],
        [f"{EVIL}.yaml", "plain.yaml:goal=2", "-n", "2", "--json"],
    ],
    "play": [
        [f"{EVIL}.yaml", "--seed", "1"],
        ["plain.yaml", "--seed", "1", "--record", f"{EVIL}.json"],
        ["plain.yaml", "--seat", EVIL],
        ["plain.yaml", "--bot", EVIL],
        ["--resume", EVIL],
        ["--resume", "hostile.json"],
    ],
    "rank": [
        [f"{EVIL}.yaml", "r", "2h"],
        ["plain.yaml", EVIL, "2h"],
        ["plain.yaml", "r", EVIL],
        ["plain.yaml", "r", f"{EVIL}=2h"],
    ],
    "replay": [[EVIL], ["hostile.json"], ["hostile.json", "--step"], ["hostile.json", "--json"]],
    "explain": [[f"{EVIL}.yaml"], ["plain.yaml", EVIL]],
    "stats": [[EVIL], [EVIL, "--json"], [EVIL, "--forget", "--yes"]],
}


def hostile_record() -> str:
    """A record in which every text is hostile."""
    folder_game = {"rules": EVIL, "trionfi": EVIL, "players": 2, "seed": 1, "game": 0, "options": {EVIL: EVIL}}
    return json.dumps({**folder_game, "moves": [EVIL, EVIL], "labels": [[0, EVIL, EVIL]], "bots": {EVIL: EVIL}})


def test_every_command_is_called_with_hostile_words() -> None:
    assert set(CALLS) == set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("command", "words"), [(name, words) for name, calls in CALLS.items() for words in calls])
def test_no_command_shows_a_control_sign_of_its_arguments(
    command: str, words: list[str], folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "hostile.json").write_text(hostile_record())
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO(f"{EVIL}\n?{EVIL}\n1\n"))
    run([command, *words])
    out, err = capsys.readouterr()
    assert out + err
    assert not STEERS.search(out + err)
    if "--json" in words and out:
        json.loads(out)


PLACES = {
    "name": GAME.replace("name: Plain", f"name: {ESCAPED}"),
    "about": GAME.replace("players", f"about: {ESCAPED}\nplayers", 1),
    "key": GAME.replace("options:", f"variables:\n  {ESCAPED}: 0\noptions:"),
    "section": GAME + f"{ESCAPED}: 3\n",
    "option": GAME.replace("default: 1,", f"about: {ESCAPED}, default: 1,"),
    "label, raw": GAME.replace('"yes"', '"y\x1b[31mes"'),
    "said, raw": GAME.replace("says no", "says \x9b31m no"),
    "category": GAME.replace("{A:", f"{{{ESCAPED}:"),
    "test": GAME + f"tests:\n  - {ESCAPED}: {{expect: p1.hand is not empty}}\n",
    "without width": GAME.replace("name: Plain", "name: Pl\u200bain"),
    "direction": GAME.replace("name: Plain", "name: Pl\u202eain"),
}
READERS = [
    ["explain"],
    ["validate"],
    ["validate", "--json"],
    ["test"],
    ["simulate", "-n", "1"],
    ["play", "--seed", "1"],
    ["rank"],
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_a_ruleset_with_control_signs_is_refused_and_shows_none(
    command: list[str], place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(PLACES[place], encoding="utf-8")
    code = run([command[0], str(path), *command[1:], *(["r", "2h"] if command == ["rank"] else [])])
    out, err = capsys.readouterr()
    assert code == 1
    assert "[strange-character]" in out + err or '"code": "strange-character"' in out
    assert not STEERS.search(out + err)
    if "--json" in command:
        assert json.loads(out)


def test_whatever_is_printed_goes_through_the_door(capsys: pytest.CaptureFixture[str]) -> None:
    with doors():
        print(EVIL)
        print(EVIL, file=sys.stderr)
        print("\x1b[31mred\x1b[0m\r\x07", file=inked(sys.stdout))
    out, err = capsys.readouterr()
    assert out == (
        "a\\x1b]0;T\\x07\\x1b[2J\\x1b[31m\\x9b31m\\u202eb\\u2066\\r\\x08\\u200bc\n\x1b[31mred\x1b[0m\r\\x07\n"
    )
    assert not STEERS.search(err)
    assert not isinstance(sys.stdout, Door)


@pytest.mark.parametrize("good", ["tab\tand\nline", "\U0001f0a1", "é ü ł", "क्‍ष", "שלום"])
def test_letters_of_all_kinds_pass(good: str, capsys: pytest.CaptureFixture[str], call: Callable[..., object]) -> None:
    with doors():
        print(good)
    assert capsys.readouterr().out == f"{good}\n"
