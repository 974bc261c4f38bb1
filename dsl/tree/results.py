"""A result as the ruleset declares it: of a player, or of a team, whose players have it then."""

from __future__ import annotations

from trionfi.dsl.tree.declarations import Define
from trionfi.dsl.tree.expressions import CallDefine

__all__ = ["as_declared"]


def as_declared(result: Define) -> tuple[Define, str]:
    """What stands in the ruleset for `score` or `won` of a player, and whose it is there: `player` or `team`."""
    body = result.body
    if isinstance(body, CallDefine) and body.define.span == result.span:
        return body.define, "team"
    return result, "player"
