"""Strategies: functions that say which option is picked (docs/meaning.md, Decisions)."""

from __future__ import annotations

from trionfi.core.desugar.function import Desugar, Desugaring, desugars
from trionfi.core.ir import Const, Function, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARD, INT, SEAT, SEATS, core_type, list_of
from trionfi.core.verify import jumps
from trionfi.dsl import tree

__all__ = ["strategy_function", "write_strategies"]


def strategy_function(strategy: str, decision: str) -> str:
    """The name of the function that a strategy has for a decision, if it has one."""
    return f"strategy.{strategy}.{decision}"


def write_strategies(whole: Desugaring) -> None:
    """A function of the player who is asked, and of the card whose orientation is; it gives the option, none if the
    strategy does not say."""
    for strategy in whole.rules.strategies.values():
        for decision, script in strategy.scripts.items():
            name = strategy_function(strategy.name, decision)
            whole.program.functions[name] = picking(whole, name, script)


def picking(whole: Desugaring, name: str, script: tree.Procedure) -> Function:
    d = Desugar(whole)
    player, card = d.fresh("player", SEAT), d.fresh("card", CARD.maybe)
    d.env.update({script.parameters[0].index: player, script.parameters[1].index: card})
    d.outcome = d.none_of(INT)  # a script that returns does not say
    d.declare(script.body)
    d.block_of(script.body)
    if not (d.body and jumps(d.body[-1])):
        d.give(d.outcome)
    return Function(name, (player, card), INT.maybe, d.body)


@desugars(tree.Pick)
def desugar_pick(d: Desugar, node: tree.Pick) -> None:
    """What is not offered falls through to the next statement."""
    option = option_meant(d, node)
    with d.when(d.is_some(option)):
        d.give(option)


def option_meant(d: Desugar, node: tree.Pick) -> Operand:
    value = d.expr(node.value)
    if node.thing is not None:
        return d.let(Op.FIND_LINE_ABOUT, value, d.expr(node.thing), hint="option")
    return d.let(Op.FIND_LINE if node.value.type.kind == "label" else Op.FIND_THING, value, hint="option")


@desugars(tree.ItemName)
def desugar_item_name(d: Desugar, node: tree.ItemName) -> Operand:
    return d.let(Op.LINE_NAMED, about=(node.template,), hint="line")


@desugars(tree.Offered)
def desugar_offered(d: Desugar, node: tree.Offered) -> Operand:
    things = d.let(Op.OFFERED, type=list_of(core_type(node.element).some), about=(node.noun,))
    if node.noun != "player":
        return things
    seats = d.var("seats", SEATS, Const(0, SEATS))
    with d.each(things, "seat") as (seat, _):
        d.set(seats, d.let(Op.WITH_SEAT, seats, seat))
    return seats


@desugars(tree.NumberOffered)
def desugar_number_offered(d: Desugar, node: tree.NumberOffered) -> Operand:
    return d.let(Op.LOWEST_OFFERED if node.end == "lowest" else Op.HIGHEST_OFFERED)
