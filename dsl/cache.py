"""A folder of this user for what can be made again: read with a check, written if it can be."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path


def cache_folder() -> Path:
    """Where this user's caches lie; it may not exist, and may not be writable."""
    if chosen := os.environ.get("XDG_CACHE_HOME", ""):
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path.home() / ".cache"
    return base / "trionfi"


def read_cached(name: str) -> bytes | None:
    """What `write_cached` has put under this name; none if there is nothing, or if it is damaged or someone else's."""
    with suppress(OSError, RuntimeError):
        with (cache_folder() / name).open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            digest, data = file.read(64), file.read()
        if digest == _digest(data):
            return data
    return None


def write_cached(name: str, data: bytes) -> None:
    """Keeps data under a name. Where that cannot be done nothing happens: the next run makes it again."""
    with suppress(OSError, RuntimeError):
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # written aside and renamed, so that a run at the same time never reads half of it
        handle, path = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(data) + data)
            Path(path).replace(folder / name)
        except OSError:
            Path(path).unlink()


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
