"""What went wrong, said to a person; which exit code it has."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from pathlib import Path

from trionfi.shell.printing import give_up, note
from trionfi.shell.stopping import signal_behind

__all__ = ["exit_code_of", "exit_code_of_stop", "flushed"]

# The call is right, and still nothing can be written.
FULL = {errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
OF_THE_MACHINE = FULL | {errno.EBADF, errno.EIO, errno.EPIPE}


def exit_code_of(error: Exception) -> int:
    """Says it on stderr. 1: the ruleset, the game or the machine says no; 2: the call is wrong. A fault of ours is 1,
    too."""
    from trionfi.dsl.diagnostics import RulesError
    from trionfi.interpreter.errors import EngineError, GameError, IllegalMove, StackError
    from trionfi.interpreter.output import FileKindError
    from trionfi.interpreter.records import RecordError
    from trionfi.interpreter.simulate import CutShort
    from trionfi.interpreter.workers import WorkerLost

    if isinstance(error, RulesError | GameError | IllegalMove | StackError | RecordError):
        note(str(error))
        return 1
    if isinstance(error, FileKindError | EngineError):
        note(f"trionfi: {error}")
        return 2
    if isinstance(error, CutShort) and isinstance(error.__cause__, Exception):
        return exit_code_of(error.__cause__)
    if isinstance(error, WorkerLost):
        note(f"trionfi: {error}")
        return 1
    if isinstance(error, OSError):
        return of_the_system(error)
    return fault(error)


def exit_code_of_stop(stop: KeyboardInterrupt) -> int:
    """128 and the signal's number, as shells have it. Who pressed Ctrl-C knows it."""
    from trionfi.interpreter.simulate import Interrupted

    number = signal_behind(stop)
    if number is not signal.SIGINT and not isinstance(stop, Interrupted):  # of which its command has told
        note(f"trionfi: ended by {number.name}")
    return 128 + number


def flushed(code: int) -> int:
    """The exit code once all of stdout is written: 1 if it cannot be."""
    try:
        sys.stdout.flush()
    except OSError as error:
        give_up(sys.stdout)
        return max(code, of_the_system(error))
    return code


def of_the_system(error: OSError) -> int:
    """A file, a disk or a pipe."""
    place = f"{error.filename}: " if error.filename is not None else ""
    note(f"trionfi: {place}{reason_of(error)}")
    return 1 if error.filename is None or error.errno in OF_THE_MACHINE else 2


def reason_of(error: OSError) -> str:
    if error.errno == errno.EPIPE:
        return "nobody reads any more (the pipe is closed)"
    return error.strerror or str(error) or type(error).__name__


def fault(error: Exception) -> int:
    """A fault in Trionfi: a short word, and the whole story for who sets TRIONFI_TRACEBACK."""
    if os.environ.get("TRIONFI_TRACEBACK"):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(last[0].filename).name}, line {last[0].lineno})" if last else ""
    note(f"trionfi: a fault in trionfi itself{where}, please report it: {type(error).__name__}: {error}")
    note("  set TRIONFI_TRACEBACK=1 and call again to see where; add that and the ruleset to the report")
    return 1
