"""The entry points for script slots: what the sections call with a scalar of a ruleset file.

Each parses its slot, checks it and gives a node of the checked tree, or None after reporting what is wrong.
A `Frame` is made by the caller (`Frame(context, owner, kind)`); parameters are added to it first, in order, so that
their indices come first. Afterwards `frame.locals` is what the owner's `locals` want.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from lark import Token

from trionfi.dsl.check import calls, decisions, expressions, moves, names, queries, strategies
from trionfi.dsl.check.coerce import fit
from trionfi.dsl.check.context import UNKNOWN, Context, Frame
from trionfi.dsl.check.dispatch import Part, infer, take, truth
from trionfi.dsl.check.labels import label_of_scalar
from trionfi.dsl.check.places import can_store
from trionfi.dsl.check.statements import check_block, finish_script
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.script import Slot, parse_slot
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Block, Define, Expr, Label, LetIn, Local, Procedure
from trionfi.dsl.types import (
    CARD,
    CARDS,
    NOTHING,
    NUMBER,
    ORIENTATION,
    PLAYER,
    PLAYERS,
    PLAYS,
    TRUTH,
    ZONES,
    Type,
    hand,
)

declare_codes({"unknown-type": "A parameter is of a type of the language or a kind of the game."})

# The rooms whose rules a slot may need.
ROOMS = (calls, decisions, expressions, moves, names, queries, strategies)

_PARAMETER_TYPES = {
    "number": NUMBER,
    "truth": TRUTH,
    "cards": CARDS,
    "players": PLAYERS,
    "plays": PLAYS,
    "zones": ZONES,
    "orientation": ORIENTATION,
}


@dataclass(slots=True)
class SlotParameter:
    name: str
    type: Type
    span: Span


@dataclass(slots=True)
class SlotSignature:
    """`worth(card)`, `may_play(player p, card, suit led)`; `called` is false for a bare name without brackets."""

    name: str
    span: Span
    parameters: list[SlotParameter] = field(default_factory=list)
    called: bool = False

    def add_to(self, frame: Frame) -> list[Local]:
        """Adds the parameters to a frame, as its first locals."""
        return [frame.add(one.name, one.type, one.span) for one in self.parameters]


def signature(context: Context, slot: Scalar) -> SlotSignature | None:
    """Reads a key such as `deal_to(player, number n)`. A parameter of an unknown type is reported and kept as
    UNKNOWN, so that the rest can be checked."""
    parsed = parse_slot("signature", slot, context.diagnostics)
    if parsed is None:
        return None
    frame = Frame(context)
    with frame.reading(parsed):
        name, *params = parsed.tree.children
        read = [_parameter(frame, cast(Part, one)) for one in params if one is not None]
        called = parsed.source.text[: parsed.span(parsed.tree).end].endswith(")")
        return SlotSignature(str(name), frame.span(cast(Token, name)), read, called)


def _parameter(frame: Frame, tree: Part) -> SlotParameter:
    words = cast("list[Token]", [child for child in tree.children if child is not None])
    return SlotParameter(str(words[-1]), type_named(frame, words[0]), frame.span(words[-1]))


def type_named(frame: Frame, word: Token) -> Type:
    """The type that a word of a signature names; UNKNOWN after a report."""
    return _type_called(frame, str(word), frame.span(word))


def _type_called(frame: Frame, word: str, span: Span) -> Type:
    if word in _PARAMETER_TYPES:
        return _PARAMETER_TYPES[word]
    known = queries.noun_type(frame, word)
    if known is not None and known[0] == word:
        return known[1]
    if frame.names.ranking(word) is not None:
        return hand(word)
    nouns = [*_PARAMETER_TYPES, "card", "player", "zone", "suit", "rank", "team", *frame.context.kinds]
    hint = did_you_mean(word, [*nouns, *frame.names.rankings()])
    hint = hint or "types are number, truth, card, cards, player, zone, suit, rank and the kinds"
    frame.error("unknown-type", f"`{word}` is no type", span, hint)
    return UNKNOWN


def given_type(context: Context, node: Scalar) -> Type:
    """What a library says that something gives: `number`, `nothing`, `hand value` (of whatever ranking), or a type as
    parameters have it; UNKNOWN after a report."""
    word = " ".join(node.text.split())
    given = {"nothing": NOTHING, "hand value": hand("")}.get(word)
    return given or _type_called(Frame(context), word, node.span)


def is_any_hand(type: Type) -> bool:
    """Whether it is the value of a ranking that a library does not know."""
    return type == hand("")


def expression(context: Context, slot: Scalar, frame: Frame, expected: Type | None = None) -> Expr | None:
    """An expression; with `expected`, coerced to that type (members and numbers-as-ranks are found by it)."""
    parsed = parse_slot("expr", slot, context.diagnostics)
    return expression_of(parsed, parsed.tree, frame, expected) if parsed is not None else None


def expression_of(parsed: Slot, tree: Part, frame: Frame, expected: Type | None = None) -> Expr | None:
    """Like `expression`, for a part of a slot that is parsed already: a key of an order, a pattern's condition."""
    with frame.reading(parsed):
        value = infer(frame, tree, expected)
        return fit(frame, value, expected) if expected is not None else value


def condition(context: Context, slot: Scalar, frame: Frame) -> Expr | None:
    """An expression of type truth."""
    return expression(context, slot, frame, TRUTH)


def label(context: Context, slot: Scalar, frame: Frame) -> Label | None:
    """A text with `{values}` in it."""
    return label_of_scalar(frame, slot)


def define_body(
    context: Context,
    slot: Scalar,
    frame: Frame,
    define: Define,
    expected: Type | None = None,
    steps: Sequence[tuple[Scalar, Scalar]] = (),
) -> None:
    """Sets `define.body`, `.type` and `.locals`; for use with `Context.later`. `steps`: names with what they are."""
    values = [_step(context, name, value, frame) for name, value in steps]
    body = expression(context, slot, frame, expected)
    define.locals = frame.locals
    context.calls[define] = frame.calls
    if body is None or None in values:
        return
    define.type = body.type
    for local, value in reversed([one for one in values if one is not None]):
        body = LetIn(body.type, body.span, local, value, body)
    define.body = body


def _step(context: Context, name: Scalar, slot: Scalar, frame: Frame) -> tuple[Local, Expr] | None:
    """A step of a define: its name is known from then on, whatever is wrong with its value."""
    value = expression(context, slot, frame)
    type = UNKNOWN
    if value is not None and can_store(frame, value.type, slot.span):
        type = value.type
    local = frame.add(name.text.strip(), type, name.span, settable=True)
    frame.lets.append(local)
    return None if value is None or local.type == UNKNOWN else (local, value)


def script(context: Context, slot: Scalar, frame: Frame, procedure: Procedure) -> Block | None:
    """The statements of a script. Sets `procedure.body`, `.locals`, `.type` and `.asks`; for `Context.later`."""
    parsed = parse_slot("script", slot, context.diagnostics)
    if parsed is None:
        procedure.locals = frame.locals
        return None
    with frame.reading(parsed):
        block = check_block(frame, cast("list[Part]", parsed.tree.children))
        return finish_script(frame, procedure, block)


def strategy_script(context: Context, slot: Scalar, decision: str, decision_span: Span) -> Procedure | None:
    """The script of a strategy for one decision; locals 0 and 1 are `player` and `card`. To be called when all
    procedures are settled, since they say which decisions there are and what they offer."""
    known = context.names.decisions.get(decision)
    if known is None:
        context.unknown_name(decision, decision_span, list(context.names.decisions), "decision")
        return None
    procedure = Procedure(decision, [], [], NOTHING, decision_span)
    frame = Frame(context, procedure, "strategy")
    frame.decision = known
    procedure.parameters = [frame.add(name, type, decision_span, soft=True) for name, type in _STRATEGY_LOCALS]
    if "orientation" not in known.kinds:
        del frame.scopes[0]["card"]  # there is none to speak of
    return procedure if script(context, slot, frame, procedure) is not None else None


_STRATEGY_LOCALS = (("player", PLAYER), ("card", CARD))


def alternatives(
    context: Context, slot: Scalar, frame: Frame, expected: Type
) -> list[tuple[Expr | None, list[Expr]]] | None:
    """The values of a total, `1 or 11 if card.rank is ace, else 10`: arms with their values, the last without a
    condition."""
    parsed = parse_slot("expr", slot, context.diagnostics)
    if parsed is None:
        return None
    tree = parsed.tree
    parts = cast("list[Part]", tree.children) if tree.data == "cond" else [tree]
    with frame.reading(parsed):
        conditions = [truth(frame, part) for part in parts[1:-1:2]]
        values = [_values(frame, part, expected) for part in [*parts[0:-1:2], parts[-1]]]
    if None in conditions or None in values:
        return None
    return [(asked, value or []) for asked, value in zip([*conditions, None], values, strict=True)]


def _values(frame: Frame, tree: Part, expected: Type) -> list[Expr] | None:
    parts = cast("list[Part]", tree.children) if tree.data == "or_l" else [tree]
    read = [take(frame, part, expected) for part in parts]
    return [value for value in read if value is not None] if None not in read else None
