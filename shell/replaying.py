"""`trionfi replay`: plays a recorded game again and checks it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError, check_there, option_settings
from trionfi.shell.printing import note, print_json

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.rules import Rules

__all__ = ["replay_record"]

KEYS = {"rules", "options", "players", "seed", "game", "moves"}


def replay_record(path: Path, settings: list[str], step: bool, engine: str | None, as_json: bool) -> bool:
    """Plays the record's moves again, each as it was labelled; True if everything is as recorded."""
    from trionfi.interpreter.records import RecordError, replay

    record = read_record(path)
    rules = rules_of(record, path, settings)
    show = step_shower() if step else None
    try:
        game = replay(rules, record, engine, show)
    except RecordError as error:
        note(f"{path}: {error}")
        return False
    if as_json:
        print_json(game.record())
    else:
        show_result(game, path)
    return True


def read_record(path: Path) -> dict[str, Any]:
    """The record in a file. Raises CallError if it holds none."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise CallError(f"{path} is no record of a game: it is no text") from None
    except json.JSONDecodeError as error:
        raise CallError(f"{path} is no record of a game: line {error.lineno} is no JSON") from None
    missing = sorted(KEYS - set(record)) if isinstance(record, dict) else sorted(KEYS)
    if missing:
        raise CallError(f"{path} is no record of a game: it does not say {', '.join(missing)}")
    return record  # type: ignore[no-any-return]


def rules_of(record: dict[str, Any], path: Path, settings: list[str]) -> Rules:
    """The rules that the record names: a file beside it or here, else of the library."""
    from trionfi.dsl.library import find
    from trionfi.interpreter.rules import load

    name = str(record["rules"])
    found = find(name, beside=path.absolute().parent) or find(name, beside=Path.cwd())
    if found is None:
        check_there(name)
    return load(str(found), options={**record["options"], **option_settings(settings)})


def step_shower() -> Callable[[Game], None]:
    """Shows the last move, and how the table lies then."""
    from trionfi.shell.board import Board
    from trionfi.shell.ink import Ink

    ink = Ink.of(sys.stdout)
    boards: list[Board] = []

    def show(game: Game) -> None:
        if not boards:
            boards.append(Board(game, ink))
        seat, decision, label = game.labels[-1]
        print(f"{len(game.moves)}. p{seat + 1} {decision}: {label}")
        for line in boards[0].lines(game.state, None):
            print(line)

    return show


def show_result(game: Game, path: Path) -> None:
    from trionfi.shell.story import result_lines

    print(f"{path}: {len(game.moves)} moves of {game.rules.name}, all as recorded")
    for line in result_lines(game):
        print(line)
