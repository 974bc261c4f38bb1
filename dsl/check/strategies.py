"""Strategies: scripts that pick for a decision."""

from __future__ import annotations

from typing import cast

from trionfi.dsl.check.coerce import fit
from trionfi.dsl.check.context import DecisionName, Frame
from trionfi.dsl.check.dispatch import Part, infer
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.check.statements import statement
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.tree import Conditional, Expr, ItemName, NumberOffered, Pick, Statement
from trionfi.dsl.types import LABEL, NUMBER, ORIENTATION, Type

declare_codes(
    {
        "pick-outside": "`pick` is for strategies; in a game a player `chooses`.",
        "unknown-option": "A strategy picks what its decision offers.",
    }
)


@statement("pick")
def check_pick(frame: Frame, tree: Part) -> Statement | None:
    value_tree, thing_tree = cast("list[Part | None]", tree.children)
    decision = frame.decision
    if decision is None:
        hint = "write `player chooses 1 card from player.hand as ...`"
        frame.error("pick-outside", "`pick` is for strategies", frame.span(tree), hint)
        return None
    hint_type = LABEL if _is_label(cast(Part, value_tree)) else _picked(decision)
    value = infer(frame, cast(Part, value_tree), hint_type)
    thing = infer(frame, thing_tree) if thing_tree is not None else None
    if value is None or (thing_tree is not None and thing is None):
        return None
    value = _offered(frame, value, decision)
    return Pick(frame.span(tree), value, thing) if value is not None else None


def _is_label(tree: Part) -> bool:
    """A quoted label, or a conditional of such."""
    return tree.data == "quoted" or (tree.data == "cond" and cast(Part, tree.children[0]).data == "quoted")


def _picked(decision: DecisionName) -> Type | None:
    """What is picked for a decision, if it is one kind of thing."""
    kinds = {"menu": LABEL, "number": NUMBER, "orientation": ORIENTATION, **decision.thing_types}
    types = {kinds[kind] for kind in decision.kinds}
    return types.pop() if len(types) == 1 else None


def _offered(frame: Frame, value: Expr, decision: DecisionName) -> Expr | None:
    """The value, if the decision may offer such a thing."""
    if isinstance(value, NumberOffered) and "number" not in decision.kinds:
        frame.error("unknown-option", f"`{decision.name}` asks for no number", value.span)
        return None
    if value.type == LABEL:
        known = [_is_line(frame, name, decision) for name in _item_names(value)]
        return value if all(known) else None
    wanted = _picked(decision)
    if wanted == LABEL:
        hint = "write a label in quotes, as in the menu: " + ", ".join(f'`"{one}"`' for one in decision.templates)
        message = f"`{decision.name}` offers labels, this is {spoken(value.type)}"
        frame.error("unknown-option", message, value.span, hint)
        return None
    return fit(frame, value, wanted) if wanted is not None else value


def _item_names(value: Expr) -> list[ItemName]:
    if isinstance(value, Conditional):
        return [name for one in [*(arm for _, arm in value.arms), value.otherwise] for name in _item_names(one)]
    return [value] if isinstance(value, ItemName) else []


def _is_line(frame: Frame, name: ItemName, decision: DecisionName) -> bool:
    known = [*decision.templates, *(["done"] if decision.thing_types else [])]
    if name.template in known:
        return True
    lines = ", ".join(f'`"{one}"`' for one in known)
    hint = did_you_mean(name.template, known) or f"labels are written as in the menu, braces included: {lines}"
    frame.error("unknown-option", f'`{decision.name}` has no line `"{name.template}"`', name.span, hint)
    return False
