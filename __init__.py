"""Trionfi: a rules language for card games, and engines that play, check and simulate what it says.

`load` reads a ruleset; what it gives starts games, ranks hands and simulates. Everything here is loaded when
it is first asked for, so that `import trionfi` and the command line start at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trionfi.dsl.diagnostics import Diagnostic, RulesError
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.errors import GameError, IllegalMove
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.report import Report
    from trionfi.interpreter.rules import Rules, load

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "Diagnostic",
    "Game",
    "GameError",
    "IllegalMove",
    "Report",
    "Rules",
    "RulesError",
    "__version__",
    "load",
]

_HOMES = {
    "Decision": "trionfi.interpreter.decision",
    "Diagnostic": "trionfi.dsl.diagnostics",
    "Game": "trionfi.interpreter.game",
    "GameError": "trionfi.interpreter.errors",
    "IllegalMove": "trionfi.interpreter.errors",
    "Report": "trionfi.interpreter.report",
    "Rules": "trionfi.interpreter.rules",
    "RulesError": "trionfi.dsl.diagnostics",
    "load": "trionfi.interpreter.rules",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'trionfi' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
