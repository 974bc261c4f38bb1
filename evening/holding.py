"""Who plays a kept game holds its file, so that it is gone on with at one terminal only. The hold is a lock of the
system on the file itself: it needs no other file, and ends with the process, whatever ends that."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ["BeingPlayed", "Hold", "hold_of", "is_played"]

TRIES, PAUSE = 5, 0.02  # somebody may just be looking whether the file is held


class BeingPlayed(Exception):
    """Another process holds the file."""


class Hold:
    """Of an open file, by its number; ends when it is let go, or forgotten."""

    def __init__(self, file: int) -> None:
        self._file: int | None = file

    @classmethod
    def of_new(cls, file: int) -> Hold | None:
        """Of a file that nobody else knows yet, by a number that its writer may close."""
        own = os.dup(file)
        if locked(own, alone=True):
            return cls(own)
        os.close(own)
        return None

    def let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None

    __del__ = let_go


def hold_of(path: Path) -> Hold | None:
    """Of the file that lies there now; None where the system has no such locks. Raises BeingPlayed, OSError."""
    for _ in range(TRIES):
        try:
            return opened(path, alone=True)
        except BeingPlayed:
            time.sleep(PAUSE)
    return opened(path, alone=True)


def is_played(path: Path) -> bool:
    """Whether another process holds the file, or this one elsewhere."""
    try:
        hold = opened(path, alone=False)
    except BeingPlayed:
        return True
    except OSError:
        return False
    if hold is not None:
        hold.let_go()
    return False


def opened(path: Path, alone: bool) -> Hold | None:
    """Who holds the file replaces it with each move: what was opened must still be what lies there. Raises BeingPlayed,
    OSError."""
    while True:
        hold = Hold(file := os.open(path, os.O_RDONLY))
        try:
            if not locked(file, alone):
                return None
            if os.path.samestat(os.fstat(file), path.stat()):
                return hold
        except BaseException:
            hold.let_go()
            raise
        hold.let_go()


def locked(file: int, alone: bool) -> bool:
    """Locks an open file, if it can be; `alone`: so that nobody else can. Raises BeingPlayed."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BeingPlayed from None
    except OSError:  # some file systems have no locks
        return False
    return True
