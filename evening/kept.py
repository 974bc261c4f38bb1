"""Games kept as they go, each in a file with the texts of its rules; if there are too many, the oldest go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from trionfi.evening.folder import made_folder, make_file, state_folder
from trionfi.evening.holding import is_played
from trionfi.interpreter.names import player_name
from trionfi.interpreter.record_form import MOST_BYTES, RecordFormError, parsed_record

__all__ = [
    "LATEST",
    "KeptGame",
    "counted",
    "forget",
    "is_kept",
    "kept_games",
    "kept_path",
    "make_room",
    "new_place",
    "unfinished",
]

FOLDER = "games"
LATEST = "latest"  # in the place of an id: the game that was left last
GAMES_KEPT = 200
BYTES_KEPT = 64 << 20
TRIES = 1000
_LEFT = re.compile(rb'"scores":\s*null')
_PLACE = re.compile(r"(?P<rules>.+)-(?P<number>[0-9]+)\.json")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game in the folder. `id` is what `--resume` takes; `at`: when it was kept last, in seconds since 1970."""

    id: str
    path: Path
    at: float
    record: Mapping[str, Any]

    @property
    def rules(self) -> str:
        return str(self.record["rules"])

    @property
    def is_over(self) -> bool:
        return self.record.get("scores") is not None

    @property
    def text(self) -> str:
        """`hearts-12: Ann, Zoe and 2 bots, 31 moves, left on 1 December at 21:05`."""
        moves = len(self.record["moves"])
        when = datetime.fromtimestamp(self.at).astimezone()
        left = f"left on {when.day} {when:%B} at {when:%H:%M}"
        return f"{self.id}: {self.who}, {counted(moves, 'move')}, {left}"

    @property
    def who(self) -> str:
        """`Ann, Zoe and 2 bots`; where nobody has a name, how many players."""
        players = self.record["players"]
        sat, called = self.record.get("bots", []), self.record.get("names", [])
        if len(sat) != players or len(called) != players:
            return counted(players, "player")
        people = [str(name) for seat, name in enumerate(called) if sat[seat] is None]
        bots = players - len(people)
        if all(name == player_name(seat) for seat, name in enumerate(called) if sat[seat] is None):
            return counted(players, "player")
        *first, last = [*people, *([counted(bots, "bot")] if bots else [])]
        return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


# ---- places


def new_place(rules: str) -> Path:
    """An empty file for a game of these rules: `hearts-12.json`. Raises OSError."""
    folder = made_folder(FOLDER)
    stem = re.sub(r"[^\w-]+", "-", rules)[:40].strip("-") or "game"
    found = [match for name in names_in(folder) if (match := _PLACE.fullmatch(name)) and match["rules"] == stem]
    first = max((int(match["number"]) for match in found), default=0) + 1
    for number in range(first, first + TRIES):
        path = folder / f"{stem}-{number}.json"
        if make_file(path):
            return path
    raise OSError(17, "there is no name left for a game", str(folder))


def names_in(folder: Path) -> list[str]:
    with suppress(OSError):
        return [path.name for path in folder.iterdir()]
    return []


def paths() -> list[Path]:
    """Of all games in the folder, the one that was kept last first."""
    state = state_folder()
    if state is None:
        return []
    found: list[tuple[float, Path]] = []
    for name in names_in(state / FOLDER):
        if _PLACE.fullmatch(name):
            with suppress(OSError):
                found.append(((state / FOLDER / name).stat().st_mtime, state / FOLDER / name))
    return [path for _, path in sorted(found, reverse=True)]


# ---- what is kept


def kept_games(only_left: bool = False) -> Iterator[KeptGame]:
    """The game that was kept last first; what cannot be read is passed over. `only_left`: what may be unfinished, of
    which alone the whole file is read as JSON."""
    for path in paths():
        with suppress(OSError, RecordFormError):
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            if not only_left or _LEFT.search(data):
                yield KeptGame(path.stem, path, path.stat().st_mtime, parsed_record(data))


def unfinished(rules: str | None = None) -> list[KeptGame]:
    """What was left before its end, the last first: all, or those of a ruleset by its name. What is being played is not
    left."""
    return [
        game
        for game in kept_games(only_left=True)
        if not game.is_over and rules in (None, game.rules) and not is_played(game.path)
    ]


def is_kept(path: Path) -> bool:
    """Whether a file lies in the folder of all games."""
    state = state_folder()
    return state is not None and path.parent == state / FOLDER and _PLACE.fullmatch(path.name) is not None


def kept_path(name: str) -> Path | None:
    """Where the game lies that an id means; none if there is none."""
    if name == LATEST:
        return next((game.path for game in unfinished()), None)
    return next((path for path in paths() if path.stem == name), None)


# ---- what goes


def make_room(games: int = GAMES_KEPT, size: int = BYTES_KEPT, keep: Path | None = None) -> None:
    """Where there is more than that, the oldest go: finished games first. `keep`: the one that is played here; what is
    played elsewhere stays, too."""
    if not is_too_much(games, size):
        return
    known = [(game, game.path.stat().st_size) for game in kept_games() if game.path != keep]
    number, total = len(known), sum(bytes_ for _, bytes_ in known)
    for game, bytes_ in sorted(known, key=lambda one: (not one[0].is_over, one[0].at)):
        if number <= games and total <= size:
            return
        if is_played(game.path):
            continue
        with suppress(OSError):
            game.path.unlink(missing_ok=True)
        number, total = number - 1, total - bytes_


def is_too_much(games: int, size: int) -> bool:
    """By the files alone, which need not be read for that."""
    known = []
    for path in paths():
        with suppress(OSError):
            known.append(path.stat().st_size)
    return len(known) > games or sum(known) > size


def forget(rules: str | None = None) -> int:
    """Deletes all games, or those of a ruleset, but for those that are being played; gives how many. Raises OSError."""
    found = [game.path for game in kept_games() if game.rules == rules] if rules is not None else paths()
    gone = [path for path in found if not is_played(path)]
    for path in [*gone, *(remains() if rules is None else ())]:
        path.unlink(missing_ok=True)
    return len(gone)


def remains() -> list[Path]:
    """Of games that were being written when the machine stopped."""
    state = state_folder()
    names = [] if state is None else names_in(state / FOLDER)
    return [state / FOLDER / name for name in names if state is not None and name.startswith(".")]
