"""Statements that set, count, pay, say, call and repeat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.numbers import as_fraction, checked_add, checked_subtract, fitting
from trionfi.core.desugar.plays import trigger_plays
from trionfi.core.desugar.queries import check_step, each_of
from trionfi.core.desugar.values import owner_of
from trionfi.core.desugar.writer import number
from trionfi.core.ir import Const, Function, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARDS, FRACTION, INT, SEAT, core_type
from trionfi.dsl import tree

__all__ = ["assign", "checked_size", "measure_function", "read_measures"]

HIGHEST = (1 << 63) - 1


# ---- set, count, pay, say


@desugars(tree.Assign)
def desugar_assign(d: Desugar, node: tree.Assign) -> None:
    target = node.target
    if not node.by_lot or not isinstance(target, tree.VariableValue):
        assign_value(d, target, node.value)
        return
    owner, name = owner_of(d, target), target.variable.name
    with d.when(d.let(Op.IS_SET_BY_STACK, *owner, about=(name,))):
        given = d.let(Op.STACKED_VALUE, *owner, type=core_type(target.type), about=(name,))
        d.do(Op.STORE, given, *owner, about=(name,))
    with d.otherwise():
        assign_value(d, target, node.value)


def assign_value(d: Desugar, target: tree.Place, value: tree.Expr) -> None:
    """The owner of a variable is read before its value."""
    if isinstance(target, tree.LocalValue):
        set_local(d, target, d.expr(value))
        return
    owner = owner_of(d, target)
    found = checked_size(d, target, d.expr(value))
    d.do(Op.STORE, found, *owner, about=(target.variable.name,))


def assign(d: Desugar, target: tree.Place, value: Operand) -> None:
    """Sets a value that is known already."""
    if isinstance(target, tree.LocalValue):
        set_local(d, target, value)
        return
    owner = owner_of(d, target)
    d.do(Op.STORE, checked_size(d, target, value), *owner, about=(target.variable.name,))


def set_local(d: Desugar, target: tree.LocalValue, value: Operand) -> None:
    d.set(d.variables[target.local.index], value)


def checked_size(d: Desugar, target: tree.Place, value: Operand) -> Operand:
    """The same value; a variable for cards takes no more than it says."""
    if isinstance(target, tree.VariableValue) and target.type.kind == "cards":
        if value.type != CARDS:
            value = d.let(Op.EMPTY, type=CARDS)
        if target.variable.most:
            size = d.let(Op.SIZE, value)
            d.check(d.let(Op.AT_MOST, size, number(target.variable.most)), "too-many-cards", target.span)
    return value


@desugars(tree.Change)
def desugar_change(d: Desugar, node: tree.Change) -> None:
    amount = d.needed(node.amount)
    owner = () if isinstance(node.target, tree.LocalValue) else owner_of(d, node.target)
    before = read_place(d, node.target, owner)
    d.check(d.is_some(before), "none-used", node.span)
    after = changed(d, d.unwrap(before), amount, node)
    if isinstance(node.target, tree.LocalValue):
        set_local(d, node.target, after)
    else:
        d.do(Op.STORE, after, *owner, about=(node.target.variable.name,))


def changed(d: Desugar, before: Operand, amount: Operand, node: tree.Change) -> Operand:
    if before.type == FRACTION:
        op = Op.FRACTION_SUBTRACT if node.subtract else Op.FRACTION_ADD
        return fitting(d, d.let(op, before, as_fraction(d, amount)), node.span)
    return (checked_subtract if node.subtract else checked_add)(d, before, amount, node.span)


def read_place(d: Desugar, target: tree.Place, owner: tuple[Operand, ...]) -> Operand:
    if isinstance(target, tree.LocalValue):
        return d.local(target.local)
    return d.let(Op.LOAD, *owner, type=core_type(target.type), about=(target.variable.name,), hint=target.variable.name)


@desugars(tree.Pay)
def desugar_pay(d: Desugar, node: tree.Pay) -> None:
    chips = d.needed(node.amount)
    payer, payee = owner_of(d, node.source), owner_of(d, node.to)
    purse = d.some(read_place(d, node.source, payer), node.source)
    d.check(d.let(Op.AT_MOST, number(0), chips), "chips-missing", node.span)
    if not node.source.variable.may_owe:
        d.check(d.let(Op.AT_MOST, chips, purse), "chips-missing", node.span)
    left = checked_subtract(d, purse, chips, node.span)
    d.do(Op.STORE, left, *payer, about=(node.source.variable.name,))
    pot = d.some(read_place(d, node.to, payee), node.to)
    d.do(Op.STORE, checked_add(d, pot, chips, node.span), *payee, about=(node.to.variable.name,))


@desugars(tree.Say)
def desugar_say(d: Desugar, node: tree.Say) -> None:
    values = [d.expr(part) for part in node.label.parts if isinstance(part, tree.Expr)]
    d.do(Op.SAY, *values, about=(d.place(node.label.span, node.label),))


# ---- procedures


@desugars(tree.Call)
def desugar_call(d: Desugar, node: tree.Call) -> None:
    given = call(d, node)
    if node.target is not None:
        assert given is not None, "a call that sets something gives something"
        assign(d, node.target, given)


def call(d: Desugar, node: tree.Call) -> Name | None:
    arguments = [d.expr(argument) for argument in node.arguments]
    procedure = node.procedure
    kind = None if procedure.type.kind == "nothing" else core_type(procedure.type)
    return d.call(d.whole.procedure(procedure), *arguments, type=kind, hint=procedure.name)


@desugars(tree.Return)
def desugar_return(d: Desugar, node: tree.Return) -> None:
    if node.call is not None:
        d.give(call(d, node.call))
        return
    value = None if node.value is None else d.expr(node.value)
    d.give(value if d.outcome is None else d.outcome)


@desugars(tree.Stop)
def desugar_stop(d: Desugar, _node: tree.Stop) -> None:
    d.leave(d.loops[-1])


@desugars(tree.EndGame)
def desugar_end_game(d: Desugar, _node: tree.EndGame) -> None:
    d.end_game()


# ---- if


@desugars(tree.If)
def desugar_if(d: Desugar, node: tree.If) -> None:
    write_if(d, node.arms, node.otherwise)


def write_if(d: Desugar, arms: list[tuple[tree.Expr, tree.Block]], otherwise: tree.Block) -> None:
    if not arms:
        d.block_of(otherwise)
        return
    (condition, block), *rest = arms
    with d.when(d.expr(condition)):
        d.block_of(block)
    if rest or otherwise:
        with d.otherwise():
            write_if(d, rest, otherwise)


# ---- loops


@contextmanager
def stopped_by(d: Desugar, label: str) -> Iterator[None]:
    """While this is written, `stop` leaves the loop with this label."""
    d.loops.append(label)
    yield
    d.loops.pop()


def count_pass(d: Desugar, loop: tree.Loop) -> None:
    """A loop that could go on for ever counts its passes, and stops a game that goes on too long."""
    if loop.body:
        d.check(d.let(Op.PASS, about=(loop.weight,)), "game-without-end", loop.body[0].span)
    d.count_hands(d.whole.trials.of_pass(loop))


@desugars(tree.While)
def desugar_while(d: Desugar, node: tree.While) -> None:
    with d.loop("while") as label, stopped_by(d, label):
        with d.when(d.negation(d.expr(node.condition))):
            d.leave(label)
        count_pass(d, node)
        d.block_of(node.body)


@desugars(tree.RepeatUntil)
def desugar_repeat_until(d: Desugar, node: tree.RepeatUntil) -> None:
    with d.loop("repeat") as label, stopped_by(d, label):
        count_pass(d, node)
        d.block_of(node.body)
        with d.when(d.expr(node.condition)):
            d.leave(label)


@desugars(tree.RepeatTimes)
def desugar_repeat_times(d: Desugar, node: tree.RepeatTimes) -> None:
    with d.count(number(0), d.needed(node.amount)) as (_, label), stopped_by(d, label):
        count_pass(d, node)
        d.block_of(node.body)


@desugars(tree.ForEach)
def desugar_for_each(d: Desugar, node: tree.ForEach) -> None:
    with each_of(d, node.domain) as (_, label), stopped_by(d, label):
        d.block_of(node.body)


@desugars(tree.ForCount)
def desugar_for_count(d: Desugar, node: tree.ForCount) -> None:
    low, high = d.needed(node.low), d.needed(node.high)
    if node.step is not None:
        write_steps(d, node, low, high, d.needed(node.step))
        return
    if isinstance(high, Const) and high.value != HIGHEST:
        with d.count(low, number(int(high.value or 0) + 1), node.local.name) as (i, label):
            write_turn(d, node, i, label)
        return
    # the number behind the last may be beyond 64 bits
    following = d.var("following", INT, low)
    with d.when(d.let(Op.AT_MOST, low, high)), d.loop() as label:
        i = d.let(Op.ADD, following, number(0), hint=node.local.name)
        write_turn(d, node, i, label)
        with d.when(d.same(i, high)):
            d.leave(label)
        d.set(following, d.let(Op.ADD, i, number(1)))


def write_steps(d: Desugar, node: tree.ForCount, low: Operand, high: Operand, step: Operand) -> None:
    """Whether there is a number after the next step is asked before it is made, since that may be beyond 64 bits."""
    check_step(d, step, node.span)
    following = d.var("following", INT, low)
    with d.when(d.let(Op.AT_MOST, low, high)), d.loop() as label:
        i = d.let(Op.ADD, following, number(0), hint=node.local.name)
        write_turn(d, node, i, label)
        over = d.let(Op.ADD_OVERFLOWS, i, step)
        with d.when(over):
            d.leave(label)
        d.set(following, d.let(Op.ADD, i, step))
        with d.when(d.let(Op.LESS, high, following)):
            d.leave(label)


def write_turn(d: Desugar, node: tree.ForCount, i: Name, label: str) -> None:
    with d.named(node.local, i), stopped_by(d, label):
        count_pass(d, node)
        d.block_of(node.body)


# ---- events


@desugars(tree.Trigger)
def desugar_trigger(d: Desugar, node: tree.Trigger) -> None:
    """Effects first, then the measures."""
    trigger_plays(d, node.event)
    read_measures(d, node.event)


def read_measures(d: Desugar, event: str) -> None:
    """Reads all measures of an event (empty: those of the end), in their order."""
    for index, measure in enumerate(d.rules.measures):
        if measure.event == event:
            d.call(measure_function(d, index, measure))


def measure_function(d: Desugar, index: int, measure: tree.Measure) -> str:
    def write(inner: Desugar, name: str) -> Function:
        if measure.player is None:
            inner.do(Op.SEE, inner.expr(measure.body), about=(index,))
        else:
            with inner.count(number(0), inner.let(Op.SEAT_COUNT), "seat") as (i, _):
                seat = inner.let(Op.THING, i, type=SEAT, hint=measure.player.name)
                with inner.named(measure.player, seat):
                    inner.do(Op.SEE, inner.expr(measure.body), seat, about=(index,))
        return Function(name, (), None, inner.body)

    return d.whole.function(measure, "measure", measure.name, write)
