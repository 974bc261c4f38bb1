"""The native engine: rulesets compiled to machine code. It needs llvmlite; without it the reference engine serves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from trionfi.interpreter.once import made_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trionfi.dsl.tree import Ruleset
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["category_of", "compare_hands", "not_compiled", "rank_many", "starter", "why_not"]


def why_not(rules: RulesData) -> list[str]:
    """Why these rules cannot be played natively here."""
    if find_spec("llvmlite") is None:
        return ["llvmlite is not installed"]
    return list(made_once(rules.__dict__, "_why_not", lambda: _reasons(rules)))


def _reasons(rules: RulesData) -> list[str]:
    from trionfi.interpreter.native.sizes import too_large
    from trionfi.interpreter.native.unranked import unranked

    return [*not_compiled(rules.ruleset), *too_large(rules)] or unranked(rules)


def not_compiled(ruleset: Ruleset) -> list[str]:
    """What a ruleset uses that is not compiled; tests hold this against the library."""
    several = any(one.kind == "every" for effect in ruleset.effects for one in effect.alterations)
    return ["melds of cards with several suits or ranks"] if ruleset.melds and several else []


def starter(rules: RulesData, players: int, quiet: bool = False) -> Callable[..., Game]:
    """What starts games of so many seats: a function of the seed, the game's number and the deal of a stacked game.
    The log is made up when somebody asks for it, in any case."""
    from trionfi.interpreter.native.game import NativeGame
    from trionfi.interpreter.native.table import table_of

    return partial(NativeGame, table_of(rules, players))


def rank_many(rules: RulesData, ranking: str, hands: Sequence[Any]) -> Any:
    """A strength for each row, as `rules.rank_many` says: an int64 array of numpy if it is there. None where the
    reference has to do it."""
    if find_spec("llvmlite") is None:
        return None
    from trionfi.interpreter.native.ranks import rank_rows

    return rank_rows(rules, ranking, hands)


def compare_hands(rules: RulesData, ranking: str, one: Sequence[Any], other: Sequence[Any]) -> int | None:
    """1 if the first hand is better, -1 if the second: names of cards, a list a part. None where only the reference
    can compare them."""
    from trionfi.interpreter.native.ranks import order_of

    return order_of(rules, ranking, one, other)


def category_of(rules: RulesData, ranking: str, hand: Sequence[Any]) -> str | None:
    """The name of a hand's category, empty if it is no hand; None where only the reference can tell."""
    from trionfi.interpreter.native.ranks import name_of_category

    return name_of_category(rules, ranking, hand)
