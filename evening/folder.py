"""The folder of this user for games that are kept: nobody else may look into it."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["made_folder", "make_file", "state_folder"]

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def state_folder() -> Path | None:
    """Where it lies, whether or not it exists; none if that cannot be told."""
    from platformdirs import user_state_path

    try:
        folder = user_state_path("trionfi", appauthor=False)
    except RuntimeError:  # nobody has a home
        return None
    return folder if folder.is_absolute() else None


def made_folder(name: str) -> Path:
    """A folder in it, made if need be, and private. Raises OSError."""
    state = state_folder()
    if state is None:
        raise OSError(2, "there is no folder for what is kept", None)
    state.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    folder = state / name
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if os.name != "nt":
        state.chmod(PRIVATE_FOLDER)
        folder.chmod(PRIVATE_FOLDER)
    return folder


def make_file(path: Path) -> bool:
    """Takes a name for an empty file that is private; false if it is taken. Raises OSError."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    except FileExistsError:
        return False
    return True
