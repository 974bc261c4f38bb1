"""Files written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

__all__ = ["write_new", "write_whole"]


def write_whole(path: Path, text: str, watch: Callable[[Path], object] = lambda _: None) -> None:
    """The file holds this text afterwards; if that fails (OSError), or if the process ends, what it held before.

    `watch` is shown the file with the new text before it takes the other's place.
    """
    path = path.resolve()  # a link stays one
    with aside_of(path) as aside:
        write_aside(aside, text)
        with suppress(FileNotFoundError):
            shutil.copymode(path, aside)
        watch(aside)
        aside.replace(path)


def write_new(path: Path, text: str) -> None:
    """The same of a file that is not there yet. Raises FileExistsError if it is."""
    with aside_of(path) as aside:
        write_aside(aside, text)
        path.touch(exist_ok=False)
        aside.replace(path)


@contextmanager
def aside_of(path: Path) -> Iterator[Path]:
    """A name of its own in the same folder, where nothing is left behind; an error names the file itself."""
    aside = path.parent / f".trionfi-{token_hex(8)}"
    try:
        yield aside
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        aside.unlink(missing_ok=True)


def write_aside(aside: Path, text: str) -> None:
    # JSON has the same escapes for what is no UTF-8 in the name of a folder
    with aside.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
