"""Defines, procedures and the play: signatures first, so that order in the text does not matter, then their bodies."""

from __future__ import annotations

from functools import partial

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import UNKNOWN, Context, Frame
from trionfi.dsl.check.fields import entries, scalar, wrong
from trionfi.dsl.check.statements import warn_of_unused
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Define, Procedure
from trionfi.dsl.types import NOTHING, Type

declare_codes({"no-brackets": "A define or procedure is declared as it is called, with brackets."})


def declare_defines(context: Context, section: Node | None) -> dict[str, Define]:
    """The defines of a game by name; a body is read when its type is first wanted."""
    defines: dict[str, Define] = {}
    for entry in entries(section):
        define = declare_define(context, entry)
        if define is not None and context.names.declare(define.name, define, define.span):
            defines[define.name] = define
    return defines


def declare_define(context: Context, entry: Entry, expected: Type | None = None, parameters: str = "") -> Define | None:
    """One define, not yet named: `worth(card): EXPR`, or `{is: EXPR, else: "a reason"}`; `parameters` is what stands
    in its brackets, where that is known."""
    signature = slots.signature(context, entry.key)
    body = _body_of(context, entry)
    if signature is None or not _is_called(context, signature, parameters):
        return None
    define = Define(signature.name, [], [], UNKNOWN, signature.span)
    frame = Frame(context, define)
    define.parameters = signature.add_to(frame)
    define.locals = frame.locals
    if body is None:
        return define
    mapping = entry.value if isinstance(entry.value, Mapping) else Mapping([], entry.value.span)
    steps = [(one.key, step) for one in entries(mapping.get("let")) if (step := _step(context, one)) is not None]
    read = partial(_read_define, context, body, steps, mapping.get("else"), frame, define, expected)
    context.later(define, read, "\n".join([*(step.text for _, step in steps), body.text]))
    return define


def _step(context: Context, entry: Entry) -> Scalar | None:
    name = entry.key.text.strip()
    return scalar(context, entry.value, f"`{name}`") if context.names.is_name(name, entry.key.span) else None


def _is_called(context: Context, signature: slots.SlotSignature, parameters: str = "") -> bool:
    if signature.called:
        return True
    message = f"`{signature.name}` is called with brackets, so it is declared with them"
    context.diagnostics.error("no-brackets", message, signature.span, f"write `{signature.name}({parameters}): ...`")
    context.diagnostics.lose(signature.name)
    return False


def _body_of(context: Context, entry: Entry) -> Scalar | None:
    node: Node | None = entry.value.get("is") if isinstance(entry.value, Mapping) else entry.value
    if node is None:
        wrong(context, entry.value, f"`{entry.key.text}` says what it is under `is`")
        return None
    return scalar(context, node, f"`{entry.key.text}`")


def _read_define(
    context: Context,
    body: Scalar,
    steps: list[tuple[Scalar, Scalar]],
    reason: Node | None,
    frame: Frame,
    define: Define,
    expected: Type | None,
) -> None:
    """The steps one after another, each of which may name those before it; then what the define is, and its reason."""
    slots.define_body(context, body, frame, define, expected or context.wanted.get(define), steps)
    if isinstance(reason, Scalar):
        define.reason = slots.label(context, reason, frame)
        define.locals = frame.locals
    warn_of_unused(frame)


def declare_procedures(context: Context, section: Node | None) -> dict[str, Procedure]:
    """The procedures of a game by name; a body is read when somebody calls it, or at the end."""
    procedures: dict[str, Procedure] = {}
    for entry in entries(section):
        procedure = declare_procedure(context, entry)
        if procedure is not None and context.names.declare(procedure.name, procedure, procedure.span):
            procedures[procedure.name] = procedure
    return procedures


def declare_procedure(context: Context, entry: Entry) -> Procedure | None:
    """One procedure, not yet named."""
    signature = slots.signature(context, entry.key)
    body = scalar(context, entry.value, f"the procedure `{entry.key.text}`")
    if signature is None or not _is_called(context, signature):
        return None
    procedure = Procedure(signature.name, [], [], UNKNOWN, signature.span, body=[])
    frame = Frame(context, procedure, "script")
    procedure.parameters = signature.add_to(frame)
    procedure.locals = frame.locals
    if body is not None:
        context.later(procedure, lambda: _read_procedure(context, body, frame, procedure), body.text)
    return procedure


def _read_procedure(context: Context, body: Scalar, frame: Frame, procedure: Procedure) -> None:
    slots.script(context, body, frame, procedure)


def read_play(context: Context, node: Node | None, fallback: Span) -> Procedure:
    """The script of the game itself; an empty one after a message."""
    slot = scalar(context, node, "the play") if node is not None else None
    play = Procedure("play", [], [], NOTHING, slot.span if slot else fallback, body=[])
    if slot is not None:
        frame = Frame(context, play, "script")
        context.later(play, lambda: _read_procedure(context, slot, frame, play), slot.text)
        context.settle(play, play.span)
    return play
