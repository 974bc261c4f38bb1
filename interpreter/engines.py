"""What an engine is to who opens games. A module with these two functions is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from trionfi.interpreter.game import Game
from trionfi.interpreter.rules_data import RulesData

__all__ = ["Engine"]


class Engine(Protocol):
    """Opens games of rules."""

    def why_not(self, rules: RulesData) -> list[str]:
        """Why these rules cannot be played in it, one reason each; none if they can."""

    def starter(self, rules: RulesData, players: int, quiet: bool = False) -> Callable[..., Game]:
        """What opens games of so many seats: a function of the seed, the game's number and the deal of a stacked game.

        `quiet`: the log may be made up when somebody asks for it.
        """
