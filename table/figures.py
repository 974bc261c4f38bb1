"""The variables that matter to a person at the table: chips that lie anywhere, and what has changed since the start."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trionfi.dsl.tree import Negative, VariableValue
from trionfi.dsl.tree.results import as_declared
from trionfi.dsl.tree.walk import walk
from trionfi.table.faces import Faces
from trionfi.table.model import Figure
from trionfi.table.words import spoken

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset, Variable
    from trionfi.dsl.tree.node import Node
    from trionfi.interpreter.game import Game

__all__ = ["Figures", "main_variables"]


class Figures:
    """Which variables are shown. `first`: the variables of a view at the first decision of the game."""

    def __init__(self, game: Game, first: Mapping[str, Any], faces: Faces) -> None:
        self.variables = game.rules.ruleset.variables
        self.first = first
        self.faces = faces
        self.kinds = game.rules.ruleset.enumerations
        self.starts = {v.name: start_value(game, v) for v in self.variables}
        self.main = main_variables(game.rules.ruleset)
        self.always_shown = self.main | paid_variables(game.rules.ruleset)
        self.has_cards = any(v.per and v.type.kind in ("card", "cards") for v in self.variables)

    def of_owner(self, owner: str, values: Mapping[str, Any], gone: Container[int] = ()) -> list[Figure]:
        """`chips 198`, `folded`: what one player, team or suit has; of an empty owner, what is the game's own.
        `gone`: cards that lie with others now, and are no more this owner's."""
        shown = []
        for variable in self.variables:
            if variable.type.kind == "player" and not owner:
                continue  # stands with that player
            name = f"{owner}.{variable.name}" if owner else variable.name
            if owner and variable.type.kind in ("card", "cards") and are_gone(values.get(name), gone):
                continue
            if bool(variable.per) == bool(owner) and variable.per != "spot" and name in values:
                shown += self.piece(variable, name, values[name])
        return shown

    def pot(self, values: Mapping[str, Any]) -> int:
        """All chips that are nobody's any more: what lies in the middle, and what players have put in."""
        laid = [v for v in self.variables if v.chips and not v.may_owe and v.per != "spot"]
        chips = [v.name for v in laid if v.name not in self.main]
        in_pot = [value for key, value in values.items() if key.rpartition(".")[2] in chips and isinstance(value, int)]
        return sum(value for value in in_pot if value > 0)

    def of_spot(self, spot: str, values: Mapping[str, Any]) -> list[Figure]:
        """What lies at one place of the table: a wager."""
        pieces = []
        for variable in self.variables:
            name = f"{spot}.{variable.name}"
            if variable.per == "spot" and name in values:
                pieces += self.piece(variable, name, values[name])
        return pieces

    def tags(self, player: str, values: Mapping[str, Any]) -> list[str]:
        """`dealer`: the game's variables that name this player."""
        return [
            spoken(v.name)
            for v in self.variables
            if v.type.kind == "player" and not v.per and values.get(v.name) == player
        ]

    def piece(self, variable: Variable, name: str, value: Any) -> list[Figure]:
        if not self.matters(variable, name, value):
            return []
        word, is_main = spoken(variable.name), variable.name in self.main
        if variable.type.kind == "truth":
            return [Figure(word if value else f"not {word}")]
        if variable.type.kind in ("card", "cards"):
            numbers = value if isinstance(value, list) else [value]
            return [Figure(word, cards=tuple(map(self.faces.card, numbers)))]
        text = ", ".join(map(str, value)) if isinstance(value, list) else self.worded(variable, str(value))
        return [Figure(word, text, is_main=is_main)]

    def worded(self, variable: Variable, value: str) -> str:
        """A word of a kind as it is shown."""
        kind = self.kinds.get(variable.type.name) if variable.type.kind == "enum" else None
        if kind is None or value not in kind.members:
            return spoken(value)
        return kind.labels.get(kind.members.index(value)) or spoken(value)

    def matters(self, variable: Variable, name: str, value: Any) -> bool:
        if value is None or value == []:
            return False
        if variable.chips:
            return bool(value) or (variable.per == "player" and bool(self.starts[variable.name]))
        if variable.name in self.always_shown and variable.type.kind == "number":
            return True
        if value == self.starts[variable.name]:
            return False
        if variable.secret:
            return True  # nobody else can tell a player what it is
        return variable.type.kind not in ("number", "truth") or value != self.first.get(name)


def are_gone(value: Any, gone: Container[int]) -> bool:
    numbers = value if isinstance(value, list) else [value]
    return any(number in gone for number in numbers)


def scored_variables(ruleset: Ruleset) -> set[str]:
    """What the score is made of, of each player's or team's own."""
    found = [node.variable for node in score_nodes(ruleset) if isinstance(node, VariableValue)]
    return {variable.name for variable in found if variable.per in ("player", "team")}


def main_variables(ruleset: Ruleset) -> set[str]:
    """Those that tell how a player stands: points, and chips that all start with, but not what is paid to who wins."""
    found = scored_variables(ruleset) - paid_variables(ruleset)
    chips = {v.name for v in ruleset.variables if v.name in found and v.chips}
    return chips or found


def paid_variables(ruleset: Ruleset) -> set[str]:
    """What counts against who has it and, somebody else's, for a player."""
    nodes = list(score_nodes(ruleset))
    lost = [one.operand for one in nodes if isinstance(one, Negative) and isinstance(one.operand, VariableValue)]
    values = [node for node in nodes if isinstance(node, VariableValue) and node not in lost]
    return {
        value.variable.name
        for value in values
        if any(one.variable is value.variable and type(one.owner) is not type(value.owner) for one in lost)
    }


def score_nodes(ruleset: Ruleset) -> Iterator[Node]:
    for define in (ruleset.score, ruleset.won):
        if define is not None:
            yield from walk(as_declared(define)[0].body)


def start_value(game: Game, variable: Variable) -> Any:
    """What a variable begins with, as in views."""
    if variable.start is None:
        return None if variable.unset else {"number": 0, "truth": False}.get(variable.type.kind)
    value = game.evaluate(variable.start)
    if variable.type.kind == "enum" and value is not None:
        return game.rules.ruleset.enumerations[variable.type.name].members[value]
    return value
