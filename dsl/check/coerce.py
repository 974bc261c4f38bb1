"""Coercions, all that there are: card, zone, row to cards; a row's place to its card; number to fraction; a number to
the rank so called; `none` to what may be none, and to no cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from trionfi.dsl.check.context import UNKNOWN, Frame
from trionfi.dsl.check.spoken import advice, spoken
from trionfi.dsl.diagnostics import declare_absences, declare_codes
from trionfi.dsl.source import Span
from trionfi.dsl.tree import CardAt, CardsOf, Const, Expr, RankOf, ToFraction, ZoneValue
from trionfi.dsl.types import CARD, CARDS, FRACTION, NONE, NUMBER, OPTIONAL, RANK, ZONE, ZONES, Type

declare_absences("no-such-rank")
declare_codes(
    {
        "wrong-type": "What stands at a place is of the kind that the place wants.",
        "none-here": "`none` stands only where a card, player, zone or other thing may be missing.",
        "no-such-rank": "A number stands for a rank only if a rank is called so.",
    }
)

_HOLDS_CARDS = frozenset({"card", "cards", "zone", "zones"})


def fit(frame: Frame, expr: Expr | None, wanted: Type) -> Expr | None:
    """The expression as one of type `wanted`; reports it if it cannot be."""
    if expr is None or UNKNOWN in (expr.type, wanted):
        return None
    fitted = coerce(frame, expr, wanted)
    if fitted is None:
        report_type(frame, expr, wanted)
    return fitted


def coerce(frame: Frame, expr: Expr, wanted: Type) -> Expr | None:
    """The expression as one of type `wanted`, or None without a message."""
    if expr.type == wanted:
        return expr
    if expr.type == NONE:
        return _none_as(expr, wanted)
    if wanted == RANK and expr.type == NUMBER:
        return _as_rank(frame, expr)
    if wanted == CARD and is_row_place(expr):
        return CardAt(CARD, expr.span, expr)
    if wanted == CARDS and expr.type.kind in _HOLDS_CARDS:
        return CardsOf(CARDS, expr.span, expr)
    if wanted == FRACTION and expr.type == NUMBER:
        return ToFraction(FRACTION, expr.span, expr)
    return None


def is_row_place(expr: Expr) -> bool:
    """Whether it is a place of a row, which stands for its card, too."""
    return isinstance(expr, ZoneValue) and expr.family.shape == "row"


def holds_cards(expr: Expr) -> bool:
    return expr.type.kind in _HOLDS_CARDS


def _none_as(expr: Expr, wanted: Type) -> Expr | None:
    if not isinstance(expr, Const):
        return None
    if wanted == CARDS:
        return CardsOf(CARDS, expr.span, Const(CARD, expr.span, None))
    return Const(wanted, expr.span, None) if wanted.kind in OPTIONAL else None


def _as_rank(frame: Frame, number: Expr) -> Expr | None:
    if not isinstance(number, Const):
        return RankOf(RANK, number.span, number)
    ranks = frame.context.members(RANK)
    called = str(number.value)
    return Const(RANK, number.span, ranks.index(called)) if called in ranks else None


def report_type(frame: Frame, expr: Expr, wanted: Type) -> None:
    """Says what was wanted, and what is there."""
    error = frame.context.diagnostics.error
    if expr.type == NONE:
        error("none-here", f"{spoken(wanted)} was wanted here, not `none`", expr.span)
    elif wanted == RANK and expr.type == NUMBER:
        ranks = ", ".join(frame.context.members(RANK))
        error("no-such-rank", f"no rank is called {expr.span.text}", expr.span, f"the ranks are {ranks}")
    else:
        were = "were" if wanted.kind in ("cards", "players", "zones", "plays", "card_sets") else "was"
        message = f"{spoken(wanted)} {were} wanted here, this is {spoken(expr.type)}"
        hint = "" if isinstance(expr, Const) else advice(expr.type, wanted, expr.span.text)
        error("wrong-type", message, expr.span, hint)


def join(types: Iterable[Type]) -> Type | None:
    """The one type that values of these types can all be given, or None."""
    every = set(types)
    found = every - {NONE}
    if not found:
        return NONE
    if NONE in every and ZONES in found:
        found = (found - {ZONES}) | {CARDS}
    if len(found) == 1:
        return found.pop()
    rule = next((joined for parts, joined in _JOINS if found <= parts), None)
    if rule is None and all(type.kind in _HOLDS_CARDS for type in found):
        return CARDS
    return rule


_JOINS: Sequence[tuple[set[Type], Type]] = [
    ({NUMBER, RANK}, RANK),
    ({NUMBER, FRACTION}, FRACTION),
    ({CARD, ZONE}, CARD),  # if the zones are places of rows
]


def fit_all(frame: Frame, exprs: Sequence[Expr | None], wanted: Type | None = None) -> list[Expr] | None:
    """Values that must be of one type (arms, results): all as that type, or None after a report.

    `wanted` is taken if all can be given it; otherwise they settle it among themselves.
    """
    there = [expr for expr in exprs if expr is not None]
    if len(there) < len(exprs) or any(expr.type == UNKNOWN for expr in there):
        return None
    if wanted is not None and all(coerce(frame, expr, wanted) for expr in there):
        return _fitted(frame, there, wanted)
    target = _common(frame, there)
    return _fitted(frame, there, target) if target is not None else None


def _common(frame: Frame, exprs: Sequence[Expr]) -> Type | None:
    target = join(expr.type for expr in exprs)
    if target == CARD and not all(coerce(frame, expr, CARD) for expr in exprs if expr.type == ZONE):
        target = CARDS
    if target is None:
        first = next(expr for expr in exprs if expr.type != NONE)
        other = next(expr for expr in exprs if join((first.type, expr.type)) is None)
        message = f"the values must be of one kind: {spoken(first.type)} stands before, this is {spoken(other.type)}"
        frame.context.diagnostics.error("wrong-type", message, other.span)
    return target


def _fitted(frame: Frame, exprs: Sequence[Expr], target: Type) -> list[Expr] | None:
    if target == NONE:
        return list(exprs)
    fitted = [fit(frame, expr, target) for expr in exprs]
    return [expr for expr in fitted if expr is not None] if all(fitted) else None


def pair(frame: Frame, left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
    """Two sides of a comparison as values of one type; None without a message if they cannot be."""
    if left.type == right.type:
        return left, right
    if (fitted := coerce(frame, right, left.type)) is not None:
        return left, fitted
    if (fitted := coerce(frame, left, right.type)) is not None:
        return fitted, right
    return None


def moved_to(expr: Expr, span: Span) -> Expr:
    """The same expression as if written elsewhere: a library's parameter at its use."""
    return replace(expr, span=span)
