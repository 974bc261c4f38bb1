"""One expression in the place of another of the same type, from the same ruleset or from another.

What was checked tells the type of each piece of script, so that most of these texts are right and are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from trionfi.dsl import read_ruleset, tree
from trionfi.dsl.tree.walk import walk

from .mutations import NAME
from .sources import Text, a_source, place_of

LONGEST = 160  # characters of a piece


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of script: an expression of a type, or a statement (type empty)."""

    start: int
    end: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Parts:
    """The pieces of a ruleset's own text, and its declared names by what they are."""

    pieces: tuple[Piece, ...]
    names: dict[str, str]


@lru_cache(maxsize=400)
def parts_of(source: Text) -> Parts | None:
    """None for a text that is not right by itself."""
    ruleset, _ = read_ruleset(place_of(source), source.text)
    if ruleset is None:
        return None
    pieces = {(one.start, one.end): one for one in pieces_of(ruleset, source.text)}
    return Parts(tuple(pieces[key] for key in sorted(pieces)), names_of(ruleset))


def pieces_of(ruleset: tree.Ruleset, text: str) -> Iterator[Piece]:
    for node in walk(ruleset):
        if not isinstance(node, tree.Expr | tree.Statement):
            continue
        span = node.span
        if span.source.text == text and 0 < span.end - span.start <= LONGEST and "\n" not in span.text:
            kind = str(node.type) if isinstance(node, tree.Expr) else ""
            yield Piece(span.start, span.end, kind, span.text)


def names_of(ruleset: tree.Ruleset) -> dict[str, str]:
    """Each declared name and what it is; names that are the same can stand for each other."""
    names = {zone.name: f"zone {zone.per} {zone.shape}" for zone in ruleset.zones}
    names |= {one.name: f"value {one.per} {one.type}" for one in ruleset.variables}
    names |= {name: f"value None {option.type}" for name, option in ruleset.options.items()}
    names |= dict.fromkeys(ruleset.procedures, "procedure")
    for name, kind in ruleset.enumerations.items():
        names |= dict.fromkeys(kind.members, f"word of {name}")
    return names


def grafted(source: Text, dice: Random) -> str:
    """The text with one to three pieces replaced by others of their types."""
    mine, text = parts_of(source), source.text
    if mine is None or not mine.pieces:
        return text
    other = mine
    if dice.random() < 0.4:
        other = parts_of(a_source(dice)) or mine
    for piece in apart(dice.choices(mine.pieces, k=dice.choice([1, 1, 2, 3]))):
        fitting = [one for one in other.pieces if one.kind == piece.kind and one.text != piece.text]
        if fitting:
            new = renamed(dice.choice(fitting).text, other, mine, dice)
            new = f"({new})" if piece.kind and " " in new and dice.random() < 0.8 else new
            text = text[: piece.start] + new + text[piece.end :]
    return text


def apart(pieces: list[Piece]) -> Iterator[Piece]:
    """Those that do not overlap, the last of the text first, so that places stay what they are."""
    end = 1 << 62
    for piece in sorted(pieces, key=lambda one: -one.start):
        if piece.end <= end:
            yield piece
            end = piece.start


def renamed(text: str, theirs: Parts, mine: Parts, dice: Random) -> str:
    """A foreign piece in names of this ruleset."""
    if theirs is mine:
        return text

    def name(match: Any) -> str:
        kind = theirs.names.get(match.group())
        fitting = sorted(one for one, its in mine.names.items() if its == kind)
        return dice.choice(fitting) if kind and fitting and match.group() not in mine.names else match.group()

    return NAME.sub(name, text)
