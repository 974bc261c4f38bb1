"""The variables that matter to a person at the table: chips that lie anywhere, and what has changed since the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trionfi.shell.cards import Cards, Seen
from trionfi.shell.zones import spoken

if TYPE_CHECKING:
    from trionfi.dsl.tree import Variable
    from trionfi.interpreter.game import Game

__all__ = ["Figures"]


class Figures:
    """Which variables are shown. `first`: the variables of a view at the first decision of the game."""

    def __init__(self, game: Game, first: Mapping[str, Any]) -> None:
        self.variables = game.rules.ruleset.variables
        self.first = first
        self.starts = {v.name: start_value(game, v) for v in self.variables}

    def of_owner(self, owner: str, values: Mapping[str, Any], cards: Cards) -> list[str]:
        """`chips 198`, `folded`: what one player, team or suit has; of an empty owner, what is the game's own."""
        shown = []
        for variable in self.variables:
            if variable.type.kind == "player" and not owner:
                continue  # stands with that player
            name = f"{owner}.{variable.name}" if owner else variable.name
            if bool(variable.per) == bool(owner) and variable.per != "spot" and name in values:
                shown += self.piece(variable, name, values[name], cards)
        return shown

    def of_spot(self, spot: str, values: Mapping[str, Any], cards: Cards) -> list[str]:
        """What lies at one place of the table: a wager."""
        pieces = []
        for variable in self.variables:
            name = f"{spot}.{variable.name}"
            if variable.per == "spot" and name in values:
                pieces += self.piece(variable, name, values[name], cards)
        return pieces

    def tags(self, player: str, values: Mapping[str, Any]) -> list[str]:
        """`dealer`: the game's variables that name this player."""
        return [
            spoken(v.name)
            for v in self.variables
            if v.type.kind == "player" and not v.per and values.get(v.name) == player
        ]

    def piece(self, variable: Variable, name: str, value: Any, cards: Cards) -> list[str]:
        if not self.matters(variable, name, value):
            return []
        word = spoken(variable.name)
        if variable.type.kind == "truth":
            return [word if value else f"not {word}"]
        return [f"{word} {shown(variable, value, cards)}"]

    def matters(self, variable: Variable, name: str, value: Any) -> bool:
        if value is None or value == []:
            return False
        if variable.chips:
            return bool(value) or (variable.per == "player" and bool(self.starts[variable.name]))
        if value == self.starts[variable.name]:
            return False
        return variable.type.kind not in ("number", "truth") or value != self.first.get(name)


def start_value(game: Game, variable: Variable) -> Any:
    """What a variable begins with, as in views."""
    if variable.start is None:
        return {"number": 0, "truth": False}.get(variable.type.kind)
    value = game.evaluate(variable.start)
    if variable.type.kind == "enum" and value is not None:
        return game.rules.ruleset.enumerations[variable.type.name].members[value]
    return value


def shown(variable: Variable, value: Any, cards: Cards) -> str:
    """A value as the table shows it; cards as they are drawn in a line."""
    if variable.type.kind == "card":
        return cards.inline(Seen(value))
    if variable.type.kind == "cards":
        return " ".join(cards.inline(Seen(number)) for number in value)
    return ", ".join(map(str, value)) if isinstance(value, list) else spoken(str(value))
