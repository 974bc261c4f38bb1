"""Games kept in files: written when they end or are left, gone on with later."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError, Sitting
from trionfi.shell.printing import note, print_json

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game

__all__ = ["Bots", "check_folder", "keep", "resumed", "sitting_of"]

Bots = Sequence[Callable[["Game"], int]]


def check_folder(record: Path | None) -> None:
    if record is None:
        return
    if not record.absolute().parent.is_dir():
        raise CallError(f"there is no folder `{record.parent}` for the record")
    if record.is_dir():
        raise CallError(f"`{record}` is a folder, not a file for the record")


def keep(game: Game, record: Path | None, as_json: bool, seats: Mapping[str, Sequence[str]]) -> None:
    """Writes the record, and says how to go on with a game that is not over. `seats`: options of the call."""
    if record is not None:
        record.write_text(record_text(game.record()), encoding="utf-8")
        note(f"kept in {record}")
        if not game.over:
            note(f"go on with: trionfi play --resume {shlex.quote(str(record))}{call_text(seats)}")
    if as_json:
        print_json(game.record())


def call_text(seats: Mapping[str, Sequence[str]]) -> str:
    return "".join(f" {name} {shlex.quote(value)}" for name, values in seats.items() for value in values)


def record_text(record: Mapping[str, Any]) -> str:
    """JSON with a line for each key and each move."""
    lines = {key: json.dumps(value, ensure_ascii=False) for key, value in record.items()}
    moves = (json.dumps(move, ensure_ascii=False) for move in record["moves"])
    lines["moves"] = "[\n  " + ",\n  ".join(moves) + "\n ]" if record["moves"] else "[]"
    return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in lines.items()) + "\n}\n"


# ---- going on


def sitting_of(path: Path, name: str | None, bots: Sequence[str], engine: str | None) -> tuple[Sitting, dict[str, Any]]:
    """Who sat there and under which rules, from a record; `name`: where the rules are, if not where it says."""
    from trionfi.shell.calls import bots_by_seat, open_rules, seat_count
    from trionfi.shell.replaying import read_record, rules_of

    record = read_record(path)
    if name is None:
        rules = rules_of(record, path, [])
    else:
        rules = open_rules(name, [f"{option}={spoken_value(value)}" for option, value in record["options"].items()])
    count = seat_count(rules, record["players"])
    return Sitting(rules, count, bots_by_seat(rules, bots, count), record["seed"], engine), record


def spoken_value(value: object) -> str:
    """An option's value of a record as `--set` takes it."""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def resumed(game: Game, record: Mapping[str, Any], bots: Bots, people: Sequence[int]) -> None:
    """Plays the moves of the record; the bots choose along, so that their chance is where it was.

    Raises RecordError.
    """
    from trionfi.interpreter.records import check_rules, next_move

    check_rules(game.rules, record)
    moves = [(seat, name, label) for seat, name, label in record["moves"]]
    while moves:
        move = next_move(game, moves)
        decision = game.decision
        if decision is not None and decision.player not in people:
            bots[decision.player](game)
        game.apply(move)
