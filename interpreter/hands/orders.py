"""Keys of order: what makes one hand better than another of its ranking, as tuples that compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trionfi.dsl.tree import Expr, OrderKey
from trionfi.dsl.types import Type
from trionfi.interpreter.hands.cards import Closure, Host, Table

_NONE = -1  # none of a rank, a suit, a player: below all of them
_NO_NUMBER = -(1 << 63)


class Ordering:
    """An expression of an order as something that compares: greater is better."""

    def __init__(self, host: Host, expr: Expr) -> None:
        self.closure: Closure = host.compile(expr)
        self.rank: Callable[[Any], Any] = _ranker(expr.type)

    def read(self, table: Table, values: Sequence[Any]) -> Any:
        return self.rank(self.closure(table, list(values)))


def _ranker(kind: Type) -> Callable[[Any], Any]:
    if kind.kind == "category" or kind == Type("enum", "orientation"):
        # declared best first: the first category, upright
        return lambda value: -(1 << 30) if value is None else -value
    if kind.kind == "hand":
        return lambda value: () if value is None else (value.key,)
    if kind.kind in ("number", "fraction"):
        return lambda value: _NO_NUMBER if value is None else value
    return lambda value: _NONE if value is None else int(value)


class Turned:
    """A key where the lowest hand is best: everything the other way round."""

    __slots__ = ("key",)

    def __init__(self, key: Sequence[Any]) -> None:
        self.key = tuple(key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turned) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: Turned) -> bool:
        return bool(other.key < self.key)

    def __le__(self, other: Turned) -> bool:
        return bool(other.key <= self.key)

    def __gt__(self, other: Turned) -> bool:
        return bool(other.key > self.key)

    def __ge__(self, other: Turned) -> bool:
        return bool(other.key >= self.key)

    def __repr__(self) -> str:
        return f"Turned({self.key})"


def expressions(order: Sequence[OrderKey], kind: str) -> list[Expr]:
    return [expr for key in order if key.kind == kind for expr in key.expressions]
