"""Calls of functions of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trionfi.core import ir
from trionfi.core.types import CoreType
from trionfi.dsl.types import PLAYS
from trionfi.interpreter.native.builder import I64, Value, number
from trionfi.interpreter.native.emission.values import (
    Items,
    copy_items,
    in_room,
    parts_of,
    room_size,
    type_kinds,
    value_of,
    variable,
)

if TYPE_CHECKING:
    from trionfi.interpreter.native.emission.emitter import Emitted, Emitter

__all__ = ["call", "listed", "parts_to_call"]


def call(e: Emitter, node: ir.Call) -> None:
    made = e.callee(node.function)
    pairs = zip(node.args, made.core.parameters, strict=True)
    arguments = [e.value(operand, parameter.type) for operand, parameter in pairs]
    if made.core.pure:
        assert node.target is not None
        assert made.core.result is not None
        e.bind(node.target, call_pure(e, made, made.core.result, parts_to_call(e, arguments)))
        if made.may_fail:
            e.stop_if_failed()
        return
    if made.frame is None:
        stopped = e.code.call(made.function, [e.state, *parts_to_call(e, arguments)])
    else:
        stopped = call_asking(e, made, arguments)
    with e.code.when(stopped, likely=False):
        e.stop()
    if node.target is not None:
        assert made.core.result is not None
        e.bind(node.target, result_of(e, made, made.core.result))


def parts_to_call(e: Emitter, arguments: list[Any]) -> list[Value]:
    return [part for value in arguments for part in parts_of(listed(e, value))]


def listed(e: Emitter, value: Any) -> Any:
    """Numbers that lie nowhere as a list; anything else as it is."""
    if not isinstance(value, Items) or value.first is None:
        return value
    room = e.code.room(value.element, max(e.layout.zones, e.layout.most_in(PLAYS)) + 2)
    copy_items(e, room, value)
    return Items(room, value.count, value.element, value.signed)


def call_pure(e: Emitter, made: Emitted, kind: CoreType, parts: list[Value]) -> Any:
    if in_room(kind):
        room = e.code.room(I64, room_size(e.layout, kind) // 8)
        count = e.code.call(made.function, [e.state, *parts, room])
        return value_of(e.layout, kind, [room, e.small(count, 1 << 16)] if kind.is_list else [room])
    result = e.code.call(made.function, [e.state, *parts])
    kinds = type_kinds(e.layout, kind)
    if len(kinds) == 1:
        return result
    extract = e.code.builder.extract_value
    return value_of(e.layout, kind, [extract(result, index) for index in range(len(kinds))])


def call_asking(e: Emitter, made: Emitted, arguments: list[Any]) -> Value:
    """Calls a function that can stop for a decision: its parameters lie in its frame, and it begins at its start. When
    the game goes on, it is called again from here, and goes on where it stopped."""
    assert made.frame is not None
    assert made.frame.resume is not None
    for parameter, offset, value in zip(made.core.parameters, made.parameters, arguments, strict=True):
        variable(e, parameter.type, offset).store(value)
    e.code.store(I64, number(0), e.code.at(e.state, made.frame.resume.offset))
    point, block = e.point()
    e.note_point(point)
    e.code.jump(block)
    e.code.go_on(block)
    return e.code.call(made.function, [e.state])


def result_of(e: Emitter, made: Emitted, kind: CoreType) -> Any:
    """What a procedure has left in the record; copied, since it may be called again."""
    found = variable(e, kind, made.result).load()
    if not in_room(kind):
        return found
    own: Any = variable(e, kind)
    own.store(found)
    return own.load()
