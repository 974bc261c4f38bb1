"""What an evaluator knows of the cards: the values of card expressions, code by code.

A *code* is what an evaluator is given for a card. Code i is face i upright, code `faces + i` face i reversed
(docs/meaning.md). A game whose effects change suits or ranks adds codes of its own behind those, one for each
combination that can occur: the evaluators only see what the table says of a code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from trionfi.dsl.tree import Expr, Local


class Any(Enum):
    """The value of a property that can be whichever serves best (`has every rank`)."""

    ANY = "any"


ANY = Any.ANY

# A member's number, a number, a truth (0 or 1), none; several members at once (the suits of an altered card); any.
Value = int | None | frozenset[int] | Any


@dataclass(frozen=True, eq=False)
class CardTable:
    """The cards of a game under given options.

    `codes`: how many codes there are (2 x faces, and those of altered cards).
    `read(expr, card)`: the value of an expression over the local `card`, for each code.
    `decide(expr)`: the truth of a condition over options alone.
    `distinct`: no two cards in play share a code (one pack, nothing altered). Rows given to `rank_many` that
    name a card twice are then outside the rules, and what they give is not defined.
    """

    codes: int
    read: Callable[[Expr, Local], Sequence[Value]]
    decide: Callable[[Expr], bool]
    distinct: bool = False
