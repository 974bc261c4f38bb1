"""What went wrong, said to a person; which exit code it has."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

from trionfi.shell.printing import note

__all__ = ["exit_code_of"]


def exit_code_of(error: Exception) -> int:
    """Says it on stderr. 1: the ruleset or the game says no; 2: the call is wrong. A fault of ours is 1, too."""
    from trionfi.dsl.diagnostics import RulesError
    from trionfi.interpreter.errors import EngineError, GameError, IllegalMove, StackError
    from trionfi.interpreter.output import FileKindError
    from trionfi.interpreter.records import RecordError

    if isinstance(error, BrokenPipeError):
        return closed_pipe()
    if isinstance(error, RulesError | GameError | IllegalMove | StackError | RecordError):
        note(str(error))
        return 1
    if isinstance(error, FileKindError | EngineError):
        note(f"trionfi: {error}")
        return 2
    if isinstance(error, OSError) and error.filename is not None:
        note(f"trionfi: {error.filename}: {error.strerror}")
        return 2
    return fault(error)


def closed_pipe() -> int:
    """Whoever read our output has enough (`trionfi list | head -1`): nothing is left to say, nor to flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def fault(error: Exception) -> int:
    """A fault in Trionfi: a short word, and the whole story for who sets TRIONFI_TRACEBACK."""
    if os.environ.get("TRIONFI_TRACEBACK"):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(last[0].filename).name}, line {last[0].lineno})" if last else ""
    note(f"trionfi: a fault in trionfi itself{where}, please report it: {type(error).__name__}: {error}")
    note("  set TRIONFI_TRACEBACK=1 and call again to see where; add that and the ruleset to the report")
    return 1
