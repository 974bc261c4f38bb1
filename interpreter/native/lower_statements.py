"""Statements that steer a script, set names and pay chips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import NUMBER, PLAYERS, Type
from trionfi.interpreter.native import stacked
from trionfi.interpreter.native.builder import FALSE, I16, I64, Loop, Value, number
from trionfi.interpreter.native.frames import Made, slot_offset
from trionfi.interpreter.native.layout import OVER
from trionfi.interpreter.native.lower_expressions import coerced, load_variable, owner_index, store_variable
from trionfi.interpreter.native.lower_numbers import Plain, checked, given
from trionfi.interpreter.native.lower_queries import each_thing, most_things
from trionfi.interpreter.native.lowering import Lower, Lowering
from trionfi.interpreter.native.values import ListSlot, Slot, joined, part_kinds, parts_of

# ---- setting names


def assign(f: Lowering, target: tree.Place, value: Any, span: Span) -> None:
    if isinstance(target, tree.LocalValue):
        f.slot(target.local).store(coerced(f, f.as_list(value), target.type))
        return
    variable = target.variable
    owner = owner_index(f, variable.per, target.owner, variable.per_zone)
    store_variable(f, variable, owner, coerced(f, value, variable.type), span)


def lower_assign(f: Lowering, node: tree.Assign) -> None:
    if isinstance(node.target, tree.LocalValue):
        assign(f, node.target, f.expression(node.value, node.target.type), node.span)
        return
    # the owner is read before the value
    variable = node.target.variable
    owner = owner_index(f, variable.per, node.target.owner, variable.per_zone)
    with stacked.unless_set(f, variable, owner) if node.by_lot and f.build.watched else nullcontext():
        value = coerced(f, f.expression(node.value, node.target.type), variable.type)
        store_variable(f, variable, owner, value, node.span)


def lower_change(f: Lowering, node: tree.Change) -> None:
    amount = given(f, node.amount)
    operator: Plain = "-" if node.subtract else "+"
    if isinstance(node.target, tree.LocalValue):
        f.slot(node.target.local).store(checked(f, operator, f.local(node.target.local), amount, node.span))
        return
    variable = node.target.variable
    owner = owner_index(f, variable.per, node.target.owner, variable.per_zone)
    value = checked(f, operator, load_variable(f, variable, owner), amount, node.span)
    store_variable(f, variable, owner, value, node.span)


def lower_pay(f: Lowering, node: tree.Pay) -> None:
    amount = given(f, node.amount)
    source, to = node.source.variable, node.to.variable
    from_owner = owner_index(f, source.per, node.source.owner, source.per_zone)
    to_owner = owner_index(f, to.per, node.to.owner, to.per_zone)
    held = load_variable(f, source, from_owner)
    bad = f.code.compare("<", amount, 0)
    if not source.may_owe:
        bad = f.code.either(bad, f.code.compare(">", amount, held))
    amount = f.sound(number(amount), bad, "chips-missing", node.span, about=source)
    # paying nothing is common, and stores nothing
    with f.code.when(f.code.compare("!=", amount, 0)):
        store_variable(f, source, from_owner, checked(f, "-", held, amount, node.span), node.span)
        # read again: both may be the same variable
        filled = checked(f, "+", load_variable(f, to, to_owner), amount, node.span)
        store_variable(f, to, to_owner, filled, node.span)


# ---- calls


def lower_call(f: Lowering, node: tree.Call) -> None:
    made = call_procedure(f, node.procedure, node.arguments)
    if node.target is not None:
        assign(f, node.target, result_of(f, made), node.span)


def call_procedure(f: Lowering, procedure: tree.Procedure, arguments: Sequence[tree.Expr]) -> Made:
    """Runs a procedure; where the game does not go on, neither does this function."""
    values = [
        f.as_list(coerced(f, f.expression(argument, parameter.type), parameter.type))
        for argument, parameter in zip(arguments, procedure.parameters, strict=True)
    ]
    return call_with(f, procedure, values)


def call_with(f: Lowering, procedure: tree.Procedure, values: Sequence[Any]) -> Made:
    """The same, with values."""
    made = f.build.procedure(procedure)
    if made.resumable:
        enter_frame(f, made, values)
        return made
    parts = [part for value in values for part in parts_of(value)]
    stopped = f.code.call(made.function, [f.state, *parts])
    with f.code.when(stopped, likely=False):
        f.code.give(f.leaving)
    return made


def enter_frame(f: Lowering, made: Made, values: Sequence[Any]) -> None:
    """Calls a procedure that can stop: its frame is filled, and its call is a point to go on at."""
    assert made.resume is not None
    for slot, value in zip(made.parameters, values, strict=True):
        moved_slot(f, slot, slot_offset(slot)).store(value)
    f.code.store(I64, number(0), f.code.at(f.state, made.resume.offset))
    point, block = f.point()
    f.code.jump(block)
    f.code.go_on(block)
    stopped = f.code.call(made.function, [f.state])
    with f.code.when(stopped):
        f.note_point(point)
        f.code.give(f.leaving)


def moved_slot(f: Lowering, slot: Slot, offset: int) -> Slot:
    """Another function's slot, as this function reaches it."""
    from trionfi.interpreter.native.frames import FrameList, FrameSets
    from trionfi.interpreter.native.values import Frame

    if isinstance(slot, ListSlot):
        return FrameList(f, slot.kind, slot.element, slot.most, offset)
    if isinstance(slot, FrameSets):
        return FrameSets(f, slot.kind, offset)
    assert isinstance(slot, Frame)
    return Frame(f.code, slot.kind, f.build.words(slot.kind), f.state, offset)


def result_slot(f: Lowering, made: Made) -> Slot:
    kind = made.procedure.type
    from trionfi.interpreter.native.frames import FrameList, FrameSets
    from trionfi.interpreter.native.lowering import LISTS, SETS
    from trionfi.interpreter.native.values import Frame

    if kind.kind in SETS:
        return FrameSets(f, kind, made.result)
    if kind.kind in LISTS:
        element = f.layout.card_kind if kind.kind == "cards" else I16
        return FrameList(f, kind, element, f.layout.most_in(kind), made.result)
    return Frame(f.code, kind, f.build.words(kind), f.state, made.result)


def result_of(f: Lowering, made: Made) -> Any:
    return result_slot(f, made).load()


def lower_return(f: Lowering, node: tree.Return) -> None:
    assert f.made is not None
    if node.call is not None:
        inner = call_procedure(f, node.call.procedure, node.call.arguments)
        if f.made.result >= 0:
            result_slot(f, f.made).store(coerced(f, result_of(f, inner), f.made.procedure.type))
    elif node.value is not None:
        kind = f.made.procedure.type
        value = f.as_list(coerced(f, f.expression(node.value, kind), kind))
        result_slot(f, f.made).store(value)
    f.code.give(FALSE)
    f.code.go_on(f.code.block("never"))


def lower_end_game(f: Lowering, node: tree.EndGame) -> None:
    f.set_field("status", OVER)
    f.leave()


def lower_trigger(f: Lowering, node: tree.Trigger) -> None:
    from trionfi.interpreter.native.lower_plays import run_event
    from trionfi.interpreter.native.measures import read_measures

    run_event(f, node.event)
    read_measures(f, node.event)


# ---- branches and loops


def lower_if(f: Lowering, node: tree.If) -> None:
    after = f.code.block("after")
    for condition, block in node.arms:
        yes, no = f.code.block("yes"), f.code.block("no")
        f.code.branch(f.truth(condition), yes, no)
        f.code.go_on(yes)
        f.block(block)
        f.code.jump(after)
        f.code.go_on(no)
    f.block(node.otherwise)
    f.code.jump(after)
    f.code.go_on(after)


@contextmanager
def inside(f: Lowering, loop: Loop) -> Iterator[None]:
    f.loops.append(loop)
    yield
    f.loops.pop()


def lower_stop(f: Lowering, node: tree.Stop) -> None:
    f.loops[-1].leave()
    f.code.go_on(f.code.block("never"))


def lower_while(f: Lowering, node: tree.While) -> None:
    with f.code.loop() as loop, inside(f, loop):
        body = f.code.block("body")
        f.code.branch(f.truth(node.condition), body, loop.after)
        f.code.go_on(body)
        f.count_passes(node)
        f.block(node.body)


def lower_repeat_until(f: Lowering, node: tree.RepeatUntil) -> None:
    with f.code.loop() as loop, inside(f, loop):
        f.count_passes(node)
        f.block(node.body)
        f.code.branch(f.truth(node.condition), loop.after, loop.again)


def lower_repeat_times(f: Lowering, node: tree.RepeatTimes) -> None:
    counted(f, number(1), f.expression(node.amount), None, node)


def lower_for_count(f: Lowering, node: tree.ForCount) -> None:
    low = f.expression(node.low)
    counted(f, low, f.expression(node.high), f.slot(node.local), node)


def counted(f: Lowering, low: Value, high: Value, name: Slot | None, node: tree.RepeatTimes | tree.ForCount) -> None:
    """A loop over low..high, both read before."""
    index, end = f.new_slot(NUMBER), f.new_slot(NUMBER)
    index.store(low)
    end.store(high)
    test, inner, again, after = (f.code.block(text) for text in ("test", "body", "again", "after"))
    f.code.jump(test)
    f.code.go_on(test)
    f.code.branch(f.code.compare("<=", index.load(), end.load()), inner, after)
    f.code.go_on(inner)
    if name is not None:
        name.store(index.load())
    f.count_passes(node)
    with inside(f, Loop(f.code, after, again)):
        f.block(node.body)
    f.code.jump(again)
    f.code.go_on(again)
    index.store(f.code.add(index.load(), 1))
    f.code.jump(test)
    f.code.go_on(after)


def lower_for_each(f: Lowering, node: tree.ForEach) -> None:
    domain = node.domain
    if f.resumable or domain.noun in ("card", "cards", "play"):
        for_each_kept(f, node)
        return
    with each_thing(f, domain, asks=False) as (thing, loop):
        f.slot(domain.local).store(thing)
        with asked_where(f, domain), inside(f, Loop(f.code, loop.after, loop.again)):
            f.block(node.body)


@contextmanager
def asked_where(f: Lowering, domain: tree.Domain) -> Iterator[None]:
    if domain.where is None:
        yield
        return
    with f.code.when(f.truth(domain.where)):
        yield


def for_each_kept(f: Lowering, node: tree.ForEach) -> None:
    """The things are listed at the start: what the body does changes nothing in what the loop goes over."""
    domain = node.domain
    if domain.noun == "cards":
        for_each_set(f, node)
        return
    things = keep_things(f, domain)
    with each_kept(f, things) as (thing, loop):
        f.slot(domain.local).store(thing)
        with asked_where(f, domain), inside(f, loop):
            f.block(node.body)


def for_each_set(f: Lowering, node: tree.ForEach) -> None:
    """Over the sets of an arrangement, which is kept."""
    from trionfi.interpreter.native.lower_melds import melds_of

    assert node.domain.source is not None
    sets = f.new_slot(node.domain.source.type)
    sets.store(f.expression(node.domain.source))
    with each_number(f, lambda: melds_of(f, sets.load())[0]) as (index, loop):
        f.slot(node.domain.local).store(melds_of(f, sets.load())[1](index))
        with asked_where(f, node.domain), inside(f, loop):
            f.block(node.body)


def keep_things(f: Lowering, domain: tree.Domain, asks: bool = False) -> ListSlot:
    """The things of a domain as 16-bit numbers, kept over decisions. `asks`: `where` is read now."""
    things = f.new_list(Type("zones"), I16, most_things(f, domain))
    count = f.new_slot(NUMBER)
    count.store(number(0))
    with each_thing(f, domain, asks=asks) as (thing, _):
        f.code.store(I16, thing, f.code.at(things.room(), 8), count.load())
        count.store(f.code.add(count.load(), 1))
    f.code.store(I64, count.load(), things.room())
    return things


@contextmanager
def each_kept(f: Lowering, things: ListSlot) -> Iterator[tuple[Value, Loop]]:
    """A loop over kept things, which may hold decisions."""
    with each_number(f, lambda: f.code.load(I64, things.room())) as (index, loop):
        yield f.small(f.code.load(I16, f.code.at(things.room(), 8), index), 1 << 15), loop


@contextmanager
def each_number(f: Lowering, count: Callable[[], Value]) -> Iterator[tuple[Value, Loop]]:
    """A loop over 0 .. count - 1, which may hold decisions."""
    index = f.new_slot(NUMBER)
    index.store(number(0))
    test, inner, again, after = (f.code.block(text) for text in ("test", "body", "again", "after"))
    f.code.jump(test)
    f.code.go_on(test)
    f.code.branch(f.code.compare("<", index.load(), count()), inner, after)
    f.code.go_on(inner)
    yield index.load(), Loop(f.code, after, again)
    f.code.jump(again)
    f.code.go_on(again)
    index.store(f.code.add(index.load(), 1))
    f.code.jump(test)
    f.code.go_on(after)


TABLE: dict[type, Lower] = {
    tree.Assign: lower_assign,
    tree.Change: lower_change,
    tree.Pay: lower_pay,
    tree.Call: lower_call,
    tree.Return: lower_return,
    tree.Stop: lower_stop,
    tree.EndGame: lower_end_game,
    tree.Trigger: lower_trigger,
    tree.If: lower_if,
    tree.While: lower_while,
    tree.RepeatUntil: lower_repeat_until,
    tree.RepeatTimes: lower_repeat_times,
    tree.ForCount: lower_for_count,
    tree.ForEach: lower_for_each,
}
__all__ = ["PLAYERS", "TABLE", "joined", "part_kinds"]
