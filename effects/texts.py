"""Which card has which effect, and whose texts can be in force."""

from __future__ import annotations

from trionfi.dsl.tree import Effect, Ruleset

__all__ = ["lasting_texts", "owners", "texts"]


def owners(rules: Ruleset) -> dict[int, Effect]:
    """By face its effect: of the cards that have one."""
    return {face: effect for effect in rules.effects for face in effect.faces}


def texts(rules: Ruleset) -> list[Effect]:
    """The effects that may be in force: those that do not take another's text."""
    return [effect for effect in rules.effects if effect.becomes is None]


def lasting_texts(rules: Ruleset) -> list[Effect]:
    """Those whose plays may have targets that count: only they are ever given new ones."""
    return [effect for effect in texts(rules) if effect.lasting]
