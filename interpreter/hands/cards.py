"""Cards as a ranking sees them: what each is now, and what it may be read as.

An engine's cards are numbers. What the evaluators ask of an engine is small and stands here: a `Table` knows
what each card is now, and a `Host` compiles expressions and knows which faces the game holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from trionfi.dsl.tree import CardFace, Expr, Ruleset
from trionfi.effects import Look


class Table(Protocol):
    """Where cards lie: a game's state, or a `HandTable`."""

    def look(self, card: int) -> Look:
        """What expressions see the card as (suits, rank, number, deck, orientation, marks)."""
        ...

    def read_as(self, card: int, look: Look) -> None:
        """From now on expressions see the card as `look`. An evaluator always puts back what it found."""
        ...


# A compiled expression: (table, values of its locals by index) -> value. The list is the callee's to write in.
Closure = Callable[[Any, list[Any]], Any]


class Host(Protocol):
    """What an evaluator needs when it is made, once for given rules and options."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def kept(self) -> Sequence[int]:
        """The faces that the game holds under these options at some seat count."""
        ...

    def compile(self, expr: Expr) -> Closure: ...


class HandTable:
    """Cards without a game, for `rules.rank`: card i is `looks[i]`. Nothing else lies on it."""

    def __init__(self, looks: Sequence[Look]) -> None:
        self.looks = list(looks)

    def look(self, card: int) -> Look:
        return self.looks[card]

    def read_as(self, card: int, look: Look) -> None:
        self.looks[card] = look


def printed_look(face: int, printed: CardFace, marks: tuple[int, ...] = (), is_reversed: bool = False) -> Look:
    """The card as printed; `marks` are those that it starts with."""
    suits = 0 if printed.suit is None else 1 << printed.suit
    return Look(face, suits, printed.rank, False, is_reversed, marks)
