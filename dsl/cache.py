"""A folder of this user for what can be made again: the grammar, and machine code, which is run as it is read.

So nothing is taken from it but what this user has put there: folders and plain files of the user's own that nobody else
may write, and of each file only what its checksum and its name vouch for. Where there is no such place nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["STARTED", "cache_folder", "read_cached", "write_cached"]

# of each folder; beyond, the oldest files go
MOST_FILES = 2_000
MOST_BYTES = 256 << 20

STARTED = time.time_ns()  # about when this process has loaded the package: a text that is younger is not what runs here
_FLAGS = ("O_RDONLY", "O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK")  # a pipe must not keep us waiting
_READING = sum(getattr(os, flag, 0) for flag in _FLAGS)
_DIGEST_SIZE = 64


def cache_folder() -> Path | None:
    """Where this user's caches lie, whether or not it exists; none if that cannot be told."""
    from platformdirs import user_cache_path

    folder = user_cache_path("trionfi", appauthor=False)
    # a relative one would lie wherever the user happens to be, in a folder that came with a stranger's game
    return folder if folder.is_absolute() else None


def read_cached(name: str) -> bytes | None:
    """What `write_cached` has put under this name; none if there is nothing, or if it is damaged or someone else's."""
    with suppress(OSError, RuntimeError):
        folders = list(_folders_of(name))
        if not folders or not all(_is_safe(folder.lstat(), stat.S_ISDIR) for folder in folders):
            return None
        with os.fdopen(os.open(folders[-1] / Path(name).name, _READING), "rb") as file:
            info = os.fstat(file.fileno())
            if not _is_safe(info, stat.S_ISREG) or info.st_size > MOST_BYTES:
                return None
            digest, data = file.read(_DIGEST_SIZE), file.read(info.st_size)
        if digest == _digest(name, data):
            return data
    return None


def write_cached(name: str, data: bytes) -> None:
    """Keeps data under a name: `NAME`, or `FOLDER/NAME`. Where that cannot be done nothing happens: the next run makes
    it again."""
    if len(data) > MOST_BYTES // 2:
        return
    with suppress(OSError, RuntimeError):
        folders = list(_folders_of(name))
        for folder in folders:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _made_private(folder):
                return
        if folders:
            _put(folders[-1], Path(name).name, _digest(name, data) + data)
            _forget_oldest(folders[-1])


def _folders_of(name: str) -> Iterator[Path]:
    """The folders that a name lies in, the outermost first."""
    folder = cache_folder()
    if folder is None:
        return
    yield folder
    for part in Path(name).parts[:-1]:
        folder /= part
        yield folder


def _is_safe(info: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether it is of the kind that is wanted, the user's own, and nobody else's to write."""
    closed = os.name == "nt" or not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return closed and is_kind(info.st_mode) and _is_own(info)


def _is_own(info: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or info.st_uid == os.getuid()


def _made_private(folder: Path) -> bool:
    """Whether a folder is the user's own, now that nobody else may look into it."""
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode) or not _is_own(info):
        return False
    if os.name != "nt" and stat.S_IMODE(info.st_mode) != stat.S_IRWXU:
        folder.chmod(stat.S_IRWXU)
    return True


def _put(folder: Path, name: str, content: bytes) -> None:
    """Writes a file aside and renames it, so that a run at the same time never reads half of it."""
    import tempfile

    handle, aside = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(aside).replace(folder / name)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def _forget_oldest(folder: Path) -> None:
    """Where there is more than may be kept, the oldest files go until half of that is left."""
    with os.scandir(folder) as entries:
        files = [(entry.stat(follow_symlinks=False), entry.path) for entry in entries if not entry.is_dir()]
    number, size = len(files), sum(info.st_size for info, _ in files)
    if number <= MOST_FILES and size <= MOST_BYTES:
        return
    for info, path in sorted(files, key=lambda file: file[0].st_mtime_ns):
        if number <= MOST_FILES // 2 and size <= MOST_BYTES // 2:
            return
        Path(path).unlink(missing_ok=True)
        number, size = number - 1, size - info.st_size


def _digest(name: str, data: bytes) -> bytes:
    """Of both: a file that is kept under another name is none."""
    return hashlib.sha256(b"%d %s\0%s" % (len(name), name.encode(), data)).hexdigest().encode()
