"""What stops a game: a fault of its ruleset that shows in play, with the place, the seed and the game."""

from __future__ import annotations

from typing import NoReturn

from trionfi.dsl.diagnostics import Diagnostic, declare_codes, render
from trionfi.dsl.limits import (
    MOST_HANDS,
    MOST_IN_RANGE,
    MOST_LETTERS_OF_MENU,
    MOST_MELD_WAYS,
    MOST_MELDS,
    MOST_PARTINGS,
    MOST_SETS,
    MOST_WILD_HANDS,
)
from trionfi.dsl.source import Span

__all__ = ["EngineError", "GameError", "IllegalMove", "InternalError", "StackError", "fail"]

declare_codes(
    {
        "none-used": "`none` stands where a thing is needed.",
        "number-too-large": "A number stays within 64 bits.",
        "division-by-zero": "Nothing is divided by zero.",
        "no-such-rank": "A number stands for a rank only if a rank is called so.",
        "no-such-place": "An index counts from 1 and stays within what it counts.",
        "nothing-to-choose": "Highest, lowest and random need something to choose from.",
        "zone-overfull": "A zone never holds more than its capacity.",
        "below-zero": "An amount is at least 0.",
        "too-few-cards": "A deal needs as many cards as it deals.",
        "card-nowhere": "A card is moved from where it lies.",
        "too-many-copies": "A game has at most 4096 cards.",
        "too-many-hands": f"A ranking chooses among {MOST_HANDS:,} hands at most, with wild cards {MOST_WILD_HANDS:,}.",
        "too-many-melds": f"Cards make at most {MOST_MELDS:,} different melds, in at most {MOST_MELD_WAYS:,} ways.",
        "too-many-partings": f"To part cards into melds takes at most {MOST_PARTINGS:,} steps.",
        "too-many-cards": "A variable holds at most as many cards as it says.",
        "too-many-sums": "A total tells at most 4096 different sums of some cards.",
        "chips-missing": "Nobody pays more chips than lie there, nor fewer than none.",
        "no-option": "A decision has an option, always.",
        "too-many-options": "A menu has at most 65,536 options.",
        "too-many-numbers": f"Of numbers at most {MOST_IN_RANGE:,} are gone over at once.",
        "too-many-sets-of-cards": f"Of sets of cards at most {MOST_SETS:,} are gone over at once.",
        "label-too-long": "A label holds at most 4,096 values, each card or zone of a list being one.",
        "menu-too-long": f"The options of a menu have at most {MOST_LETTERS_OF_MENU:,} letters in all.",
        "bad-step": "A step is at least 1, and large enough that there are not more than 4294967295.",
        "bad-chance": "`chance(n, m)` is true n times in m.",
        "game-without-end": "A game comes to a decision, and in the end to its end.",
        "wrong-table": "Seats, teams, partners and opponents need a table that has them.",
        "stacked-chance": "A forced outcome fits the random event it is for.",
    }
)


class InternalError(Exception):
    """A fault of Trionfi itself, not of a ruleset or a caller. Please report it."""


class EngineError(ValueError):
    """An engine that there is not, or that cannot play these rules."""


class IllegalMove(ValueError):
    """A move that is not offered, or a move in a game that is over."""


class StackError(ValueError):
    """A stacked game that cannot be set up: an unknown zone, card or variable, or a value that does not fit."""


class GameError(Exception):
    """A ruleset's fault that play has met. `diagnostic` holds message and place; `seed`, `game` and `moves`
    (numbers of options) lead there again."""

    def __init__(self, diagnostic: Diagnostic, seed: int | None = None, game: int | None = None) -> None:
        super().__init__(diagnostic, seed, game)
        self.diagnostic = diagnostic
        self.seed = seed
        self.game = game
        self.moves: list[int] = []

    @property
    def message(self) -> str:
        return self.diagnostic.message

    @property
    def span(self) -> Span:
        return self.diagnostic.span

    @property
    def code(self) -> str:
        return self.diagnostic.code

    def __str__(self) -> str:
        """As a diagnostic, and the game in which it was."""
        if self.seed is None:
            return render(self.diagnostic)
        where = f"in game {self.game} of seed {self.seed}, after {len(self.moves)} moves"
        return f"{render(self.diagnostic)}\n      = {where}"


def fail(code: str, message: str, span: Span, hint: str = "") -> NoReturn:
    """Stops the game."""
    raise GameError(Diagnostic(code, message, span, "error", hint))
