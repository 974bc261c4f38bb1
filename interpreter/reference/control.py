"""Statements that set, count, pay, say, call and repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from trionfi.dsl import tree
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.compiler import (
    RETURN,
    STOP,
    Asking,
    Compiler,
    Frame,
    Step,
    Value,
    pass_counter,
    statement,
)
from trionfi.interpreter.reference.expressions import HIGHEST, LOWEST, needed, owner_index, texts_of_label, too_large
from trionfi.interpreter.reference.measures import measure_reader
from trionfi.interpreter.reference.places import locate, store
from trionfi.interpreter.reference.plays import event_runner
from trionfi.interpreter.reference.queries import check_step, domain
from trionfi.interpreter.state import Entry, State
from trionfi.interpreter.texts import texts_of

__all__ = ["GameEnd"]


class GameEnd(Exception):
    """`end game` has been reached."""


# ---- set, count, pay, say


@statement(tree.Assign)
def run_assign(node: tree.Assign, c: Compiler) -> Step:
    plain = store(node.target, c.value(node.value), c)
    target = node.target
    if not node.by_lot or not isinstance(target, tree.VariableValue):
        return Step(plain)
    index, owner = target.variable.index, owner_index(target, c)

    def run(s: State, f: Frame) -> None:
        if s.stack is not None and s.stack.spares_draw(index, owner(s, f)):
            s.values[index][owner(s, f)] = s.stack.setting[index, owner(s, f)]
        else:
            plain(s, f)

    return Step(run)


@statement(tree.Change)
def run_change(node: tree.Change, c: Compiler) -> Step:
    amount, at = needed(node.amount, c), locate(node.target, c)
    sign = -1 if node.subtract else 1

    def run(s: State, f: Frame) -> None:
        number = amount(s, f)
        values, index = at(s, f)
        if values[index] is None:
            fail("none-used", f"`{node.target.span.text}` is none here, and a number is needed", node.span)
        values[index] += sign * number
        if not LOWEST <= values[index] <= HIGHEST:
            too_large(node.span)

    return Step(run)


@statement(tree.Pay)
def run_pay(node: tree.Pay, c: Compiler) -> Step:
    amount, source, to = needed(node.amount, c), locate(node.source, c), locate(node.to, c)
    may_owe = node.source.variable.may_owe

    def run(s: State, f: Frame) -> None:
        chips = amount(s, f)
        purse, payer = source(s, f)
        pot, payee = to(s, f)
        if chips < 0:
            fail("chips-missing", f"{chips} chips are to be paid", node.span)
        if chips > purse[payer] and not may_owe:
            what = f"{chips} chips are to be paid from `{node.source.span.text}`, which holds {purse[payer]}"
            fail("chips-missing", what, node.span)
        purse[payer] -= chips
        pot[payee] += chips
        if purse[payer] < LOWEST or pot[payee] > HIGHEST:
            too_large(node.span)

    return Step(run)


@statement(tree.Say)
def run_say(node: tree.Say, c: Compiler) -> Step:
    parts = texts_of_label(node.label, c)

    def run(s: State, f: Frame) -> None:
        said = parts(s, f)
        if s.log is not None:
            entry = Entry(None, "", texts_of(s, said))
            entry.close(s)
            s.log.add(entry)
            if s.watch is not None:
                s.watch.has_said(s, entry)

    return Step(run)


# ---- procedures


@statement(tree.Call)
def run_call(node: tree.Call, c: Compiler) -> Step:
    script = c.script(node.procedure)
    arguments = c.values(node.arguments)
    rest = [None] * (script.size - len(arguments))
    keep = store(node.target, lambda s, _f: s.returned, c) if node.target is not None else None
    procedure = script.run

    def run(s: State, f: Frame) -> None:
        frame = [*[argument(s, f) for argument in arguments], *rest]
        s.returned = None
        procedure(s, frame)
        if keep is not None:
            keep(s, f)

    def ask(s: State, f: Frame) -> Asking:
        frame = [*[argument(s, f) for argument in arguments], *rest]
        s.returned = None
        yield from procedure(s, frame)
        if keep is not None:
            keep(s, f)

    return Step(ask, asks=True) if script.asks else Step(run)


@statement(tree.Return)
def run_return(node: tree.Return, c: Compiler) -> Step:
    if node.call is not None:
        return return_call(node.call, c)
    value = c.value(node.value) if node.value is not None else c.constant(None)

    def run(s: State, f: Frame) -> str:
        s.returned = value(s, f)
        return RETURN

    return Step(run)


def return_call(node: tree.Call, c: Compiler) -> Step:
    """What the procedure gives stays in `s.returned`."""
    call, asks = run_call(node, c)

    def run(s: State, f: Frame) -> str:
        call(s, f)
        return RETURN

    def ask(s: State, f: Frame) -> Asking:
        yield from call(s, f)
        return RETURN

    return Step(ask, asks=True) if asks else Step(run)


@statement(tree.Stop)
def run_stop(_node: tree.Stop, _c: Compiler) -> Step:
    return Step(lambda _s, _f: STOP)


@statement(tree.EndGame)
def run_end_game(_node: tree.EndGame, _c: Compiler) -> Step:
    def run(_s: State, _f: Frame) -> None:
        raise GameEnd

    return Step(run)


# ---- if


@statement(tree.If)
def run_if(node: tree.If, c: Compiler) -> Step:
    conditions = [c.value(condition) for condition, _ in node.arms]
    blocks = [block for _, block in node.arms]
    if c.asks(node):
        return ask_if(list(zip(conditions, map(c.asking, blocks), strict=True)), c.asking(node.otherwise))
    otherwise = c.block(node.otherwise).run
    arms = list(zip(conditions, [c.block(block).run for block in blocks], strict=True))
    if len(arms) == 1:
        return Step(plain_if(*arms[0], otherwise if node.otherwise else None))

    def run(s: State, f: Frame) -> Any:
        for condition, block in arms:
            if condition(s, f):
                return block(s, f)
        return otherwise(s, f)

    return Step(run)


def plain_if(condition: Value, block: Value, otherwise: Value | None) -> Value:
    if otherwise is None:
        return lambda s, f: block(s, f) if condition(s, f) else None
    return lambda s, f: block(s, f) if condition(s, f) else otherwise(s, f)


def ask_if(arms: list[tuple[Value, Callable[..., Asking]]], otherwise: Callable[..., Asking]) -> Step:
    def ask(s: State, f: Frame) -> Asking:
        for condition, block in arms:
            if condition(s, f):
                return (yield from block(s, f))
        return (yield from otherwise(s, f))

    return Step(ask, asks=True)


# ---- loops: a body's STOP ends the loop, any other signal goes on outwards


@statement(tree.While)
def run_while(node: tree.While, c: Compiler) -> Step:
    condition, (body, asks) = c.value(node.condition), c.block(node.body)
    count = pass_counter(node, c)

    def run(s: State, f: Frame) -> Any:
        while condition(s, f):
            count(s, f)
            signal = body(s, f)
            if signal is not None:
                return None if signal is STOP else signal
        return None

    def ask(s: State, f: Frame) -> Asking:
        while condition(s, f):
            count(s, f)
            signal = yield from body(s, f)
            if signal is not None:
                return None if signal is STOP else signal
        return None

    return Step(ask, asks=True) if asks else Step(run)


@statement(tree.RepeatUntil)
def run_repeat_until(node: tree.RepeatUntil, c: Compiler) -> Step:
    condition, (body, asks) = c.value(node.condition), c.block(node.body)
    count = pass_counter(node, c)

    def run(s: State, f: Frame) -> Any:
        while True:
            count(s, f)
            signal = body(s, f)
            if signal is not None:
                return None if signal is STOP else signal
            if condition(s, f):
                return None

    def ask(s: State, f: Frame) -> Asking:
        while True:
            count(s, f)
            signal = yield from body(s, f)
            if signal is not None:
                return None if signal is STOP else signal
            if condition(s, f):
                return None

    return Step(ask, asks=True) if asks else Step(run)


def over(turns: Callable[[State, Frame], Iterable[object]], body: Step) -> Step:
    """A loop that does its body once for each turn; `turns` puts things into the frame as it goes."""
    block = body.run

    def run(s: State, f: Frame) -> Any:
        for _ in turns(s, f):
            signal = block(s, f)
            if signal is not None:
                return None if signal is STOP else signal
        return None

    def ask(s: State, f: Frame) -> Asking:
        for _ in turns(s, f):
            signal = yield from block(s, f)
            if signal is not None:
                return None if signal is STOP else signal
        return None

    return Step(ask, asks=True) if body.asks else Step(run)


@statement(tree.ForEach)
def run_for_each(node: tree.ForEach, c: Compiler) -> Step:
    slot, source, where = domain(node.domain, c)
    is_made = isinstance(node.domain.source, tree.SetsOf)  # of cards as they lay when it began

    def turns(s: State, f: Frame) -> Iterator[None]:
        things = source(s, f)
        for thing in things if is_made else tuple(things):
            f[slot] = thing
            if where is None or where(s, f):
                yield

    return over(turns, c.block(node.body))


@statement(tree.RepeatTimes)
def run_repeat_times(node: tree.RepeatTimes, c: Compiler) -> Step:
    amount, count = needed(node.amount, c), pass_counter(node, c)

    def turns(s: State, f: Frame) -> Iterator[None]:
        for _ in range(amount(s, f)):
            count(s, f)
            yield

    return over(turns, c.block(node.body))


@statement(tree.ForCount)
def run_for_count(node: tree.ForCount, c: Compiler) -> Step:
    low, high, slot = needed(node.low, c), needed(node.high, c), node.local.index
    step = needed(node.step, c) if node.step is not None else c.constant(1)
    count = pass_counter(node, c)

    def turns(s: State, f: Frame) -> Iterator[None]:
        least, most, by = low(s, f), high(s, f), step(s, f)
        check_step(by, node.span)
        for number in range(least, most + 1, by):
            f[slot] = number
            count(s, f)
            yield

    return over(turns, c.block(node.body))


# ---- events


@statement(tree.Trigger)
def run_trigger(node: tree.Trigger, c: Compiler) -> Step:
    """Effects first, then the measures."""
    read, effects = measure_reader(node.event, c), event_runner(node.event, c)

    def run(s: State, f: Frame) -> None:
        if effects is not None:
            effects.run(s, f)
        read(s)
        if s.watch is not None:
            s.watch.has_triggered(s, node.event)

    def ask(s: State, f: Frame) -> Asking:
        if effects is not None:
            yield from effects.run(s, f)
        read(s)
        if s.watch is not None:
            s.watch.has_triggered(s, node.event)

    return Step(ask, asks=True) if effects is not None and effects.asks else Step(run)
