"""Decisions that leave a player without an option.

What is certain is an error; a menu of which nothing shows that a line is always there is a warning. Whether a `where`
leaves something the random games of `validate` find out.
"""

from __future__ import annotations

from trionfi.dsl.analysis.logic import none_ever_holds, one_always_holds
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.known import Known, StepBudget, ends
from trionfi.dsl.limits import MOST_TRIED
from trionfi.dsl.tree import CardsOf, Choose, ChooseNumber, Expr, Menu, MenuItem, Ruleset, ZonesValue, ZoneValue
from trionfi.dsl.tree.walk import scripts, walk

declare_codes(
    {
        "no-option": "A decision has an option, always.",
        "maybe-no-option": "Some line of a menu is always offered.",
        "too-many-chosen": "A player chooses as many cards as a zone can hold, at most.",
    }
)


def check_options_exist(rules: Ruleset, diagnostics: Diagnostics) -> None:
    known = Known(options={option: option.default for option in rules.options.values()})
    steps = StepBudget(MOST_TRIED)
    for script in scripts(rules):
        for one in walk(script.body):
            if isinstance(one, Menu):
                _check_menu(rules, one, steps, diagnostics)
            elif isinstance(one, ChooseNumber):
                _check_number(known, one, diagnostics)
            elif isinstance(one, Choose):
                _check_pick(known, one, diagnostics)


def _check_menu(rules: Ruleset, menu: Menu, steps: StepBudget, diagnostics: Diagnostics) -> None:
    conditions = [condition for item in menu.items if (condition := _condition(item)) is not None]
    if len(conditions) < len(menu.items):
        return
    if none_ever_holds(conditions, rules.enumerations, steps):
        message = f"`{menu.decision}` offers nothing: none of its lines can ever stand there"
        diagnostics.error("no-option", message, menu.span, "let one of its lines have no condition")
    elif any(item.domains for item in menu.items):
        return
    elif not one_always_holds(conditions, rules.enumerations, steps):
        message = f"`{menu.decision}` may offer nothing: no line is there whatever the others ask"
        hint = 'add a line for all other cases, such as `"pass": ...`, or one with `if not` the same'
        diagnostics.warning("maybe-no-option", message, menu.span, hint)


def _condition(item: MenuItem) -> Expr | None:
    """Under what a line is offered; None: without condition."""
    if not item.domains:
        return item.condition
    asked = [domain.where for domain in item.domains if domain.where is not None]
    # a line for each thing of a kind may have no thing; if it asks nothing, that is not looked into
    return item.condition or (asked[0] if asked else None)


def _check_number(known: Known, one: ChooseNumber, diagnostics: Diagnostics) -> None:
    least, most = ends(known.value(one.low))[0], ends(known.value(one.high))[1]
    if least is not None and most is not None and least > most:
        message = f"`{one.decision}` offers nothing: it goes from {least} to {most}"
        diagnostics.error("no-option", message, one.low.span, f"write `from {most} to {least}`")


def _check_pick(known: Known, one: Choose, diagnostics: Diagnostics) -> None:
    least = ends(known.value(one.low))[0]
    room = room_in(one.domain.source)
    if least is not None and room is not None and least > room:
        message = f"`{one.decision}` wants {least} cards, and there is room for {room} at most"
        diagnostics.error("too-many-chosen", message, one.low.span, "choose fewer, or give the zone more capacity")


def room_in(source: Expr | None) -> int | None:
    """How many cards what is chosen from can hold; None: as many as there are."""
    if isinstance(source, CardsOf):
        source = source.source
    if not isinstance(source, ZoneValue | ZonesValue) or source.family.capacity is None:
        return None
    return source.family.capacity * (source.family.places if isinstance(source, ZonesValue) else 1)
