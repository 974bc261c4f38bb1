"""The author's prose: chapters, paragraphs and the values in them, which hang on the options alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast, get_args

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame
from trionfi.dsl.check.dispatch import Part, infer, truth
from trionfi.dsl.check.fields import missing, scalar
from trionfi.dsl.check.labels import in_braces
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.known import Known, can_be_known
from trionfi.dsl.nodes import Mapping, Node, Scalar
from trionfi.dsl.nodes import Sequence as ListNode
from trionfi.dsl.script import parse_slot
from trionfi.dsl.source import Span
from trionfi.dsl.tree import CallDefine, Chapter, Expr, Option, Paragraph, Wording
from trionfi.dsl.tree import Node as TreeNode
from trionfi.dsl.tree.rulebook import Said
from trionfi.dsl.tree.walk import walk
from trionfi.dsl.tree.words import ChapterName

declare_codes(
    {
        "rulebook-value": "What a rulebook asks and says in braces is known before play: numbers and words of options.",
    }
)

_SAID = frozenset({"number", "enum", "fraction", "truth"})


def read_rulebook(context: Context, section: Node | None) -> list[Chapter]:
    """The chapters in the order in which they are told, whatever their order in the text."""
    if not isinstance(section, Mapping):
        return []
    told = [section.entry(name) for name in get_args(ChapterName)]
    return [
        Chapter(cast(ChapterName, entry.key.text), list(_paragraphs(context, entry.value)), entry.key.span)
        for entry in told
        if entry is not None
    ]


def _paragraphs(context: Context, node: Node) -> Iterator[Paragraph]:
    """Of a chapter, or the points of a paragraph; those with an error are left out."""
    for item in node.items if isinstance(node, ListNode) else [node]:
        paragraph = _paragraph(context, item)
        if paragraph is not None:
            yield paragraph


def _paragraph(context: Context, node: Node) -> Paragraph | None:
    if isinstance(node, ListNode):
        return Paragraph(None, [], [], list(_paragraphs(context, node)), "", node.span)
    if not isinstance(node, Mapping):
        pieces = _text(context, node)
        return None if pieces is None else Paragraph(None, pieces, [], [], "", node.span)
    return _long_form(context, node)


def _long_form(context: Context, node: Mapping) -> Paragraph | None:
    """`{if: ..., text: ..., else: ..., decision: ...}`; all but the text may be left out."""
    if "text" not in node:
        missing(context, node, "a paragraph", "text")
        return None
    asked, said, otherwise = node.get("if"), node.get("text"), node.get("else")
    if asked is None and otherwise is not None:
        missing(context, node, "a paragraph with `else`", "if")
        return None
    condition = _condition(context, asked) if asked is not None else None
    points = list(_paragraphs(context, said)) if isinstance(said, ListNode) else []
    pieces = _text(context, said) if said is not None and not points else []
    other = _text(context, otherwise) if otherwise is not None else []
    if pieces is None or other is None or (asked is not None and condition is None):
        return None
    return Paragraph(condition, pieces, other, points, _decision(context, node.get("decision")), node.span)


def _condition(context: Context, node: Node) -> Expr | None:
    slot = scalar(context, node, "`if`")
    condition = slots.condition(context, slot, Frame(context)) if slot is not None else None
    return condition if condition is not None and _is_known(context, condition) else None


def _decision(context: Context, node: Node | None) -> str:
    """The name of a decision that the game asks; empty if nothing is said, or after a message."""
    slot = scalar(context, node, "`decision`") if node is not None else None
    if slot is None:
        return ""
    name = slot.text.strip()
    known = context.names.decisions
    if name in known:
        return name
    context.unknown_name(name, slot.span, list(known), "decision")
    return ""


# ---- texts


def _text(context: Context, node: Node) -> list[Said] | None:
    slot = scalar(context, node, "a paragraph")
    if slot is None:
        return None
    frame = Frame(context)
    pieces = in_braces(frame, slot.text.strip(), slot.content, slot.span, lambda span: _value(frame, span))
    return None if pieces is None else cast("list[Said]", pieces)


def _value(frame: Frame, span: Span) -> Expr | Wording | None:
    slot = parse_slot("expr", Scalar(span.text, "", span, span), frame.context.diagnostics)
    if slot is None:
        return None
    with frame.reading(slot), frame.query():
        if _is_wording(slot.tree):
            return _wording(frame, slot.tree)
        value = infer(frame, slot.tree)
    if value is None:
        return None
    if value.type.kind not in _SAID:
        frame.error("rulebook-value", f"{spoken(value.type)} cannot be said in a rulebook", value.span)
        return None
    return value if _is_known(frame.context, value) else None


def _is_wording(tree: Part) -> bool:
    """`"one" if n is 1 else "{n}"` chooses between texts, not values."""
    return tree.data == "cond" and cast(Part, tree.children[0]).data == "quoted"


def _wording(frame: Frame, tree: Part) -> Wording | None:
    parts = cast("list[Part]", tree.children)
    conditions = [truth(frame, part) for part in parts[1:-1:2]]
    texts = [_quoted(frame, part) for part in [*parts[0:-1:2], parts[-1]]]
    if None in conditions or None in texts:
        return None
    asked = cast("list[Expr]", conditions)
    if not all(_is_known(frame.context, one) for one in asked):
        return None
    said = cast("list[str]", texts)
    return Wording(list(zip(asked, said[:-1], strict=True)), said[-1], frame.span(tree))


def _quoted(frame: Frame, tree: Part) -> str | None:
    if tree.data == "quoted":
        return str(tree.children[0])[1:-1]
    frame.error("rulebook-value", "a text stands before, so a text in quotes is wanted here", frame.span(tree))
    return None


def _is_known(context: Context, expr: Expr) -> bool:
    """Whether it hangs on options and fixed values alone; reports it if not."""
    for node in walk(expr):
        wrong = _unknown_part(node)
        if wrong is not None:
            message = "this is known in play only; a rulebook asks and says what options decide"
            context.diagnostics.error("rulebook-value", message, wrong)
            return False
    if Known.is_exact(_by_default(context).value(expr)):
        return True
    context.diagnostics.error("rulebook-value", "this cannot be worked out before play", expr.span)
    return False


def _by_default(context: Context) -> Known:
    options = [one.thing for one in context.names.options.values()]
    values = {one: one.default for one in options if isinstance(one, Option)}
    return Known(options=values, ranks=context.enumerations.get("rank"))


def _unknown_part(node: TreeNode) -> Span | None:
    """Where something is asked that play alone knows; within a define it is told at its call."""
    if isinstance(node, CallDefine):
        inside = walk(node.define.body, into=type(node.define))
        return None if all(can_be_known(one) for one in inside if isinstance(one, Expr)) else node.span
    return node.span if isinstance(node, Expr) and not can_be_known(node) else None
