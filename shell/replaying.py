"""`trionfi replay`: plays a recorded game again and checks it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError, check_there, with_settings
from trionfi.shell.printing import note, print_json
from trionfi.shell.stepping import Steps

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.rules import Rules

__all__ = ["replay_record"]

# What a record holds, and what that is.
KINDS: dict[str, tuple[type, str]] = {
    "rules": (str, "a name"),
    "options": (dict, "a mapping"),
    "players": (int, "a whole number"),
    "seed": (int, "a whole number"),
    "game": (int, "a whole number"),
    "moves": (list, "a list of moves"),
}


def replay_record(path: Path, settings: list[str], step: bool, engine: str | None, as_json: bool) -> bool:
    """Plays the record's moves again, each as it was labelled; True if everything is as recorded."""
    from trionfi.interpreter.records import replay

    record = read_record(path)
    show = Steps(len(record["moves"]), sys.stderr if as_json else sys.stdout) if step else None
    try:
        game = replay(rules_of(record, path, settings), record, engine, show)
    except ValueError as error:  # a RecordError, or what does not fit the rules
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
    missing = sorted(set(KINDS) - set(record)) if isinstance(record, dict) else sorted(KINDS)
    if missing:
        raise CallError(f"{path} is no record of a game: it does not say {', '.join(missing)}")
    for key, (kind, spoken) in KINDS.items():
        if not isinstance(record[key], kind) or isinstance(record[key], bool):
            raise CallError(f"{path} is no record of a game: `{key}` is not {spoken}")
    if not all(map(is_move, record["moves"])):
        raise CallError(
            f"{path} is no record of a game: a move is [seat, decision, label], in `moves` is another thing"
        )
    return record  # type: ignore[no-any-return]


def is_move(move: object) -> bool:
    return isinstance(move, list) and list(map(type, move)) == [int, str, str]


def rules_of(record: dict[str, Any], path: Path, settings: list[str]) -> Rules:
    """The rules that the record names: a file beside it or here, else of the library."""
    from trionfi.dsl.library import find
    from trionfi.interpreter.rules import load

    name = str(record["rules"])
    found = find(name, beside=path.absolute().parent) or find(name, beside=Path.cwd())
    if found is None:
        check_there(name)
    return with_its_options(load(str(found)), record, settings)


def with_its_options(rules: Rules, record: dict[str, Any], settings: list[str]) -> Rules:
    """The rules as they were set when the game was played. Raises RecordError where they know no such options."""
    from trionfi.dsl.diagnostics import RulesError
    from trionfi.interpreter.records import RecordError

    try:
        rules = rules.with_options(record["options"])
    except RulesError as error:
        wrong = "; ".join(diagnostic.message for diagnostic in error.diagnostics)
        raise RecordError(f"this was a game of other rules than {rules.name}: {wrong}") from None
    return with_settings(rules, settings)


def show_result(game: Game, path: Path) -> None:
    from trionfi.shell.story import result_lines

    print(f"{path}: {len(game.moves)} moves of {game.rules.name}, all as recorded")
    for line in result_lines(game):
        print(line)
