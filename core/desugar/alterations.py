"""What the model of effects asks while it works out what cards are: functions that it calls, and nothing else."""

from __future__ import annotations

from trionfi.core.desugar.function import Desugar, Desugaring
from trionfi.core.ir import Function
from trionfi.core.types import BOOL, CARD, core_type
from trionfi.dsl import tree

__all__ = ["alteration_value", "condition_of", "write_alterations"]


def alteration_value(effect: tree.Effect, alteration: tree.Alteration) -> str:
    """The function of what an alteration sets on a card; called by the model of effects, and by nothing else."""
    return f"alters.{effect.name}: {effect.alterations.index(alteration)}"


def condition_of(effect: tree.Effect, alteration: tree.Alteration | None) -> str:
    """The function that says whether an alteration, or that the effect negates (None), holds under the options."""
    return f"holds.{effect.name}: {'negates' if alteration is None else effect.alterations.index(alteration)}"


def write_alterations(whole: Desugaring) -> None:
    """The functions of all effects."""
    for effect in whole.rules.effects:
        if effect.negates_if is not None:
            write_condition(whole, condition_of(effect, None), effect.negates_if)
        for alteration in effect.alterations:
            if alteration.condition is not None:
                write_condition(whole, condition_of(effect, alteration), alteration.condition)
            if alteration.value is not None:
                write_value(whole, alteration_value(effect, alteration), alteration)


def write_condition(whole: Desugaring, name: str, condition: tree.Expr) -> None:
    inner = Desugar(whole)
    inner.give(inner.expr(condition))
    whole.program.functions[name] = Function(name, (), BOOL, inner.body, pure=True)


def write_value(whole: Desugaring, name: str, alteration: tree.Alteration) -> None:
    assert alteration.value is not None, "it sets something"
    inner = Desugar(whole)
    card = inner.fresh("card", CARD)
    if alteration.card is not None:
        inner.env[alteration.card.index] = card
    kind = core_type(alteration.value.type)
    inner.give(inner.expr(alteration.value))
    whole.program.functions[name] = Function(name, (card,), kind, inner.body, pure=True)
