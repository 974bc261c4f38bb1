"""The entry points for script slots: what the sections call with a scalar of a ruleset file.

Each parses its slot, checks it and gives a node of the checked tree, or None after reporting what is wrong.
A `Frame` is made by the caller (`Frame(context, owner, kind)`); parameters are added to it first, in order, so that their
indices come first. Afterwards `frame.locals` is what the owner's `locals` want.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trionfi.dsl.check.context import Context, Frame
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Block, Define, Expr, Label, Procedure
from trionfi.dsl.types import Type


@dataclass(slots=True)
class Parameter:
    name: str
    type: Type
    span: Span


@dataclass(slots=True)
class Signature:
    """`worth(card)`, `may_play(player p, card, suit led)`; `called` is false for a bare name without brackets."""

    name: str
    span: Span
    parameters: list[Parameter] = field(default_factory=list)
    called: bool = False

    def add_to(self, frame: Frame) -> list:  # type: ignore[type-arg]
        """Adds the parameters to a frame, as its first locals."""
        return [frame.add(p.name, p.type, p.span) for p in self.parameters]


def signature(context: Context, slot: Scalar) -> Signature | None:
    """Reads a key such as `deal_to(player, number n)`."""
    raise NotImplementedError


def expression(context: Context, slot: Scalar, frame: Frame, expected: Type | None = None) -> Expr | None:
    """An expression; with `expected`, coerced to that type (members and numbers-as-ranks are found by it)."""
    raise NotImplementedError


def condition(context: Context, slot: Scalar, frame: Frame) -> Expr | None:
    """An expression of type truth."""
    raise NotImplementedError


def script(context: Context, slot: Scalar, frame: Frame, procedure: Procedure) -> Block | None:
    """The statements of a script; sets `procedure.body`, `.locals` and `.type` too (as far as they are good)."""
    raise NotImplementedError


def define_body(context: Context, slot: Scalar, frame: Frame, define: Define, expected: Type | None = None) -> None:
    """Sets `define.body`, `.type` and `.locals`; for use with `Context.later`."""
    raise NotImplementedError


def strategy_script(context: Context, slot: Scalar, decision: str, decision_span: Span) -> Procedure | None:
    """The script of a strategy for one decision. To be called when all procedures are settled."""
    raise NotImplementedError


def label(context: Context, slot: Scalar, frame: Frame) -> Label | None:
    """A text with `{values}` in it."""
    raise NotImplementedError


def alternatives(context: Context, slot: Scalar, frame: Frame, expected: Type) -> list[tuple[Expr | None, list[Expr]]] | None:
    """The values of a total: arms (condition or None for the last, the values of that arm)."""
    raise NotImplementedError


def expression_of(source: object, tree: object, frame: Frame, expected: Type | None = None) -> Expr | None:
    """Like `expression`, for a part of a slot that is parsed already (`tree` a Lark tree of the file `source`):
    a key of a ranking's order, a condition in a pattern."""
    raise NotImplementedError
