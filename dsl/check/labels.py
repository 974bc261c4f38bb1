"""Labels and other texts with values in them: `"call {to_call(player)}"`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from lark import Token

from trionfi.dsl.check.context import Frame
from trionfi.dsl.check.dispatch import infer
from trionfi.dsl.check.spoken import advice, spoken
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.script import parse_slot
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Expr, Label
from trionfi.dsl.types import NUMBER

declare_codes({"label": "A label is a text with values in braces: players, cards, zones, numbers and members."})

Value = TypeVar("Value")

_SAID = frozenset({"player", "card", "cards", "number", "enum", "zone", "category", "team", "play", "effect"})
_BRACES = re.compile(r"\{([^{}]*)\}")


def label_of(frame: Frame, token: Token) -> Label | None:
    """The label that a quoted text of a script is."""
    span = frame.span(token)
    inside = Span(span.source, span.start + 1, span.end - 1)
    return read_label(frame, str(token)[1:-1], inside, span)


def label_of_scalar(frame: Frame, scalar: Scalar) -> Label | None:
    """The label that a whole scalar is: a reason."""
    return read_label(frame, scalar.text, scalar.content, scalar.span)


def read_label(frame: Frame, template: str, written: Span, span: Span) -> Label | None:
    """`template` is the text; `written` is where it stands in the file."""
    parts = in_braces(frame, template, written, span, lambda place: _value(frame, place))
    return None if parts is None else Label(template, parts, span)


def in_braces(
    frame: Frame, template: str, written: Span, span: Span, read: Callable[[Span], Value | None]
) -> list[str | Value] | None:
    """The pieces of a text: what stands between braces as `read` has it. None after a report."""
    texts = _BRACES.split(template)
    spans = [match.span(1) for match in _BRACES.finditer(written.text)]
    if any("{" in text or "}" in text for text in texts[::2]) or len(spans) != len(texts) // 2:
        frame.error("label", "a brace in a label stands for a value: `{card}`", span)
        return None
    places = [Span(written.source, written.start + a, written.start + b) for a, b in spans]
    values = [read(place) if _is_filled(frame, place) else None for place in places]
    parts: list[str | Value] = [text for text in texts[:1] if text]
    for value, text in zip(values, texts[2::2], strict=True):
        if value is None:
            return None
        parts += [part for part in (value, text) if part]
    return parts


def _is_filled(frame: Frame, span: Span) -> bool:
    if span.text.strip():
        return True
    frame.error("label", "a value was wanted in the braces", Span(span.source, span.start - 1, span.end + 1))
    return False


def _value(frame: Frame, span: Span) -> Expr | None:
    slot = parse_slot("expr", Scalar(span.text, "", span, span), frame.context.diagnostics)
    if slot is None:
        return None
    with frame.reading(slot), frame.query():
        value = infer(frame, slot.tree)
    if value is None or value.type.kind in _SAID:
        return value
    hint = advice(value.type, NUMBER, span.text)
    frame.error("label", f"{spoken(value.type)} cannot be said in a label", value.span, hint)
    return None
