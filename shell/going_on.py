"""What `trionfi play` goes on with: a file, a game by its id, or one of those that were left and are offered."""

from __future__ import annotations

import sys
from pathlib import Path

from trionfi.evening.kept import LATEST, KeptGame, kept_path, unfinished
from trionfi.shell.calls import CallError, check_there
from trionfi.shell.command import command
from trionfi.shell.printing import note

__all__ = ["chosen", "resumed_path"]

TOLD = 5  # games that a message lists


def resumed_path(name: str) -> Path:
    """The file of a game that `--resume` names. Raises CallError."""
    if name != LATEST and Path(name).exists():
        return Path(name)
    found = kept_path(name)
    if found is not None:
        return found
    if name == LATEST:
        raise CallError("no game was left unfinished")
    left = ", ".join(game.id for game in unfinished()[:TOLD])
    known = f"left are {left}" if left else "none was left"
    raise CallError(f"there is no file `{name}`, and no kept game of that name; {known}")


def chosen(name: str | None, wants_new: bool) -> Path | None:
    """The game that somebody at a terminal chooses of those that were left: of these rules, or of any where none are
    named. None for a new game. `wants_new`: the call says things that only a new game can have.

    Raises CallError where nothing is named and nothing chosen."""
    left = [] if name is not None and wants_new else left_of(name)
    if left and sys.stdin.isatty() and sys.stdout.isatty():
        from trionfi.shell.afterwards import ask_which

        game = ask_which(left, sys.stdin, sys.stdout, can_begin=name is not None)
        if game is not None:
            return game.path
    elif name is None:
        for game in left[:TOLD]:
            note(f"{game.text}; go on with: {command()} play --resume {game.id}")
    if name is None:
        raise CallError(f"play wants RULES: a name from the library (`{command()} list`), or a YAML file")
    return None


def left_of(name: str | None) -> list[KeptGame]:
    """Games that were left: all, or those of a ruleset as the call names it."""
    if name is None:
        return unfinished()
    from trionfi.dsl.library import find

    path = find(name)
    if path is None:
        check_there(name)
        return []
    return [game for game in unfinished(path.stem) if is_of(game, path)]


def is_of(game: KeptGame, path: Path) -> bool:
    """Whether a game is of the ruleset in a file: another file may have the same name."""
    from trionfi.dsl.shelf import LIBRARY

    lay = game.record.get("path")
    return Path(lay) == path.absolute() if lay is not None else LIBRARY in path.absolute().parents
