"""A line for each game that came to its end: what statistics are made of, long after the game itself has gone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trionfi.evening.folder import PRIVATE_FILE, made_folder, state_folder

if TYPE_CHECKING:
    from trionfi.evening.seated import Seated
    from trionfi.interpreter.game import Game

__all__ = ["entries", "forget", "note_end"]

FOLDER, FILE = "stats", "games.jsonl"
BYTES_KEPT = 8 << 20  # then the older half goes
LONGEST_LINE = 1 << 14


def note_end(seated: Seated, game: Game, taken_back: int = 0) -> None:
    """Adds a game that is over and that people have played. Raises OSError."""
    path = made_folder(FOLDER) / FILE
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE), "ab") as file:
        file.write(line_of(entry_of(seated, game, taken_back)))
    if path.stat().st_size > BYTES_KEPT:
        shorten(path)


def line_of(entry: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(entry, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace")


def entry_of(seated: Seated, game: Game, taken_back: int) -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "rules": game.rules.key,
        "title": game.rules.name,
        "people": seated.people,
        "names": list(seated.names),
        "bots": list(seated.bots),
        "scores": [float(score) for score in game.scores or ()],
        "results": [result_of(game, seat) for seat in range(game.players)],
        "taken_back": taken_back,
        "again": seated.again,
    }


def result_of(game: Game, seat: int) -> str | None:
    """`won` (alone, with one's team, or with others of whom the rules say so), `shared` or `lost`; None where one plays
    alone and the ruleset does not say who has won, for alone one always has the highest score."""
    ruleset, winners = game.rules.ruleset, game.winners or []
    if game.players == 1 and ruleset.won is None:
        return None
    if seat not in winners:
        return "lost"
    return "won" if game.winning_sides == 1 else "shared"


def shorten(path: Path) -> None:
    from trionfi.interpreter.whole_file import whole_file

    lines = path.read_bytes().splitlines(keepends=True)
    with whole_file(path) as file:
        file.writelines(lines[len(lines) // 2 :])


def entries() -> Iterator[Mapping[str, Any]]:
    """Of all games, the oldest first; a line that is none of ours is passed over."""
    state = state_folder()
    path = None if state is None else state / FOLDER / FILE
    if path is None or not path.is_file():
        return
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            with suppress(ValueError, RecursionError):
                entry = json.loads(line)
                if is_entry(entry):
                    yield entry


def is_entry(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    kinds = {"rules": str, "title": str, "people": list, "names": list, "scores": list, "results": list}
    seats = range(len(entry.get("names", ())))
    return all(isinstance(entry.get(key), kind) for key, kind in kinds.items()) and (
        len(entry["scores"]) == len(seats)
        and all(isinstance(score, int | float) for score in entry["scores"])
        and all(isinstance(name, str) for name in entry["names"])
        and all(isinstance(seat, int) and seat in seats for seat in entry["people"])
        and len(entry["results"]) == len(seats)
    )


def forget(rules: str | None = None) -> int:
    """Deletes the lines of all games, or of a ruleset's; gives how many. Raises OSError."""
    from trionfi.interpreter.whole_file import whole_file

    state = state_folder()
    known = list(entries())
    stay = [] if rules is None else [entry for entry in known if entry["rules"] != rules]
    if state is None or not known:
        return 0
    path = state / FOLDER / FILE
    if not stay:
        path.unlink(missing_ok=True)
    else:
        with whole_file(path) as file:
            file.writelines(line_of(entry) for entry in stay)
    return len(known) - len(stay)
