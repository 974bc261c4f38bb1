"""Files that appear under their name when they are whole, else not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

__all__ = ["whole_file"]


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Gives a file of our own beside `path`, which takes its place at the end; after an error nothing has changed.

    Of a symbolic link the file is replaced to which it leads, and the link stays. Raises OSError, which names `path`.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name[:100]}.{token_hex(8)}")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        raise named(error, path, part) from error
    finally:
        part.unlink(missing_ok=True)


def named(error: OSError, path: Path, part: Path) -> OSError:
    """An error of writing says of which file; one of another file is left as it is."""
    ours = error.filename in (None, str(part), part)
    return OSError(error.errno, error.strerror or str(error), str(path)) if ours else error
