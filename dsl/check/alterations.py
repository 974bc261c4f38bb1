"""What cards are while a play is in force: `each target has suit diamonds`, `becoming copies model`.

Both engines work these out anew whenever plays change, so a value may hang on nothing but the card itself and what is
settled before play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from lark import Token

from trionfi.dsl.check.context import Frame
from trionfi.dsl.check.dispatch import Part, take, truth
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.script import parse_slot
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Alteration,
    And,
    Arithmetic,
    Attribute,
    Builtin,
    CallDefine,
    Conditional,
    Const,
    Effect,
    Expr,
    Has,
    Local,
    LocalValue,
    Mark,
    Negative,
    Not,
    OptionValue,
    Or,
    Ordered,
    RankOf,
    Rounded,
    Same,
    Targets,
    ToFraction,
    Within,
)
from trionfi.dsl.tree.walk import walk
from trionfi.dsl.types import CARD, RANK, SUIT, Type

declare_codes(
    {
        "alteration": "While a play is in force cards have a suit, a rank or a mark, or copy a card.",
        "alteration-reads": "What an effect makes of a card hangs on that card and on options alone.",
    }
)

What = Literal["suit", "rank"]

_OPTIONS_ALONE = (Const, OptionValue, Same, Ordered, Within, And, Or, Not, Conditional, Arithmetic, Negative)
_OF_CARD = (*_OPTIONS_ALONE, RankOf, Rounded, ToFraction, Builtin, Has, LocalValue, Attribute, CallDefine)
_ATTRIBUTES = frozenset({"suit", "rank", "number", "deck", "place", "next", "previous", "colour"})
_KINDS: dict[What, Type] = {"suit": SUIT, "rank": RANK}
_TELLING: dict[What, tuple[str, ...]] = {"suit": ("suit", "colour"), "rank": ("rank",)}


def reads_options_alone(expr: Expr) -> bool:
    return all(isinstance(one, _OPTIONS_ALONE) for one in walk(expr))


def read_alterations(frame: Frame, slot: Scalar, effect: Effect) -> list[Alteration]:
    """All that stands under `while in force`."""
    parsed = parse_slot("alteration", slot, frame.context.diagnostics)
    if parsed is None:
        return []
    with frame.reading(parsed):
        read = [_altered(frame, cast(Part, tree), effect) for tree in parsed.tree.children]
    return [one for one in read if one is not None]


def _altered(frame: Frame, tree: Part, effect: Effect) -> Alteration | None:
    alteration_tree, asked = cast("list[Part | None]", tree.children)
    alteration = _RULES[cast(Part, alteration_tree).data](frame, cast(Part, alteration_tree), effect)
    condition = truth(frame, asked) if asked is not None else None
    if condition is not None and not reads_options_alone(condition):
        message = "whether an alteration counts hangs on options alone"
        frame.error("alteration-reads", message, condition.span)
        return None
    if alteration is None or (asked is not None and condition is None):
        return None
    alteration.condition = condition
    return alteration


# ---- what is altered


def _subject(frame: Frame, tree: Part, effect: Effect, span: Span) -> tuple[Targets | None] | None:
    """The targets that are altered, or (None,) for the play's own card; None after a message."""
    each = span.text.startswith("each ")
    text = frame.span(tree).text
    if text == "this.card" and not each:
        return (None,)
    several = next((one for one in effect.targets if not one.single), None)
    if each and text == "target" and several is not None and several.domain.noun == "card":
        return (several,)
    found = next((one for one in effect.targets if one.local.name == text and one.domain.noun == "card"), None)
    if found is not None and found.single and not each:
        return (found,)
    known = [one.local.name if one.single else "each target" for one in effect.targets if one.domain.noun == "card"]
    said = f"each {text}" if each else text
    hint = did_you_mean(said, known) or f"`{'`, `'.join([*known, 'this.card'])}` can be altered"
    frame.error("alteration", f"`{said}` is no card that this effect is aimed at", frame.span(tree), hint)
    return None


def _set(frame: Frame, tree: Part, effect: Effect) -> Alteration | None:
    subject_tree, what_token, value_tree = tree.children
    span, what = frame.span(tree), str(what_token)
    subject = _subject(frame, cast(Part, subject_tree), effect, span)
    mark = frame.names.belonging("card", what)
    if what not in _KINDS and not isinstance(mark, Mark):
        _report_what(frame, what, frame.span(cast(Token, what_token)))
        return None
    if subject is None:
        return None
    wanted = mark.type if isinstance(mark, Mark) else _KINDS[cast(What, what)]
    with frame.scope():
        card = _altered_card(frame, subject[0], span)
        value = take(frame, cast(Part, value_tree), wanted)
    if value is None or not _check_reads(frame, value, card):
        return None
    if isinstance(mark, Mark):
        return Alteration("mark", span, subject[0], value=value, card=card, mark=mark)
    kind = cast(What, what)
    return Alteration("some", span, subject[0], kind, value, card, reads_own=_reads(value, kind))


def _altered_card(frame: Frame, targets: Targets | None, span: Span) -> Local | None:
    """The name of the card that is altered: `target` of several, its own name if it is single."""
    if targets is None:
        return None
    return targets.local if targets.single else frame.add("target", CARD, span)


def _report_what(frame: Frame, what: str, span: Span) -> None:
    marks = [name for name, entry in frame.names.belongings.get("card", {}).items() if isinstance(entry.thing, Mark)]
    known = [*_KINDS, *marks]
    hint = did_you_mean(what, known) or f"effects alter {', '.join(f'`{one}`' for one in known)}"
    frame.error("alteration", f"`{what}` of a card cannot be altered", span, hint)


def _whole(kind: Literal["every", "no"]) -> Callable[[Frame, Part, Effect], Alteration | None]:
    def read(frame: Frame, tree: Part, effect: Effect) -> Alteration | None:
        subject_tree, what_token = tree.children
        subject = _subject(frame, cast(Part, subject_tree), effect, frame.span(tree))
        what = str(what_token)
        if what not in _KINDS:
            message = f"a card has {kind} suit or rank, not {kind} `{what}`"
            frame.error("alteration", message, frame.span(cast(Token, what_token)))
            return None
        return Alteration(kind, frame.span(tree), subject[0], what) if subject is not None else None

    return read


def _copy(frame: Frame, tree: Part, effect: Effect) -> Alteration | None:
    subjects = [_single(frame, cast(Part, child), effect) for child in tree.children]
    becoming, model = subjects
    return Alteration("copy", frame.span(tree), becoming, model=model) if becoming and model else None


def _single(frame: Frame, tree: Part, effect: Effect) -> Targets | None:
    """A target that is one card."""
    name = frame.span(tree).text
    singles = [one for one in effect.targets if one.single and one.domain.noun == "card"]
    found = next((one for one in singles if one.local.name == name), None)
    if found is None:
        hint = did_you_mean(name, [one.local.name for one in singles])
        hint = hint or "aim at single cards with names: `targets: {becoming: 1 card from ..., model: 1 card from ...}`"
        frame.error("alteration", f"`{name}` is no single card that this effect is aimed at", frame.span(tree), hint)
    return found


_RULES: dict[str, Callable[[Frame, Part, Effect], Alteration | None]] = {
    "alter_set": _set,
    "alter_every": _whole("every"),
    "alter_none": _whole("no"),
    "alter_copy": _copy,
}


# ---- what a value reads


def _check_reads(frame: Frame, value: Expr, card: Local | None) -> bool:
    wrong = _foreign(value, {card} if card is not None else set())
    if wrong is None:
        return True
    hint = "it may read options and the card's own suit, rank and number"
    frame.error("alteration-reads", f"`{wrong.span.text}` may change while the play is in force", value.span, hint)
    return False


def _foreign(expr: Expr, cards: set[Local]) -> Expr | None:
    """The first part of an expression that is neither settled before play nor the card's own."""
    for one in walk(expr):
        if not isinstance(one, Expr):
            continue
        if not isinstance(one, _OF_CARD) or (isinstance(one, LocalValue) and one.local not in cards):
            return one
        if isinstance(one, Attribute) and one.name not in _ATTRIBUTES:
            return one
        if isinstance(one, CallDefine) and _foreign(one.define.body, set(one.define.parameters)) is not None:
            return one
    return None


def _reads(expr: Expr, what: What) -> bool:
    """Whether an expression reads the suit (rank) of the card."""
    for one in walk(expr):
        if isinstance(one, Has) and one.what == what:
            return True
        if isinstance(one, Attribute) and one.operand.type == CARD and one.name in _TELLING[what]:
            return True
        if isinstance(one, CallDefine) and _reads(one.define.body, what):
            return True
    return False
