"""What a card is."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Look"]


class Look(NamedTuple):
    """What a card is now, alterations of effects included.

    `face` is its number in `Ruleset.faces`; `suits` has a bit for each suit that it has (none: 0); `rank` is a
    rank's number or None; with `any_rank` it has every rank. `marks` are members by `Mark.index`.
    """

    face: int
    suits: int
    rank: int | None
    any_rank: bool = False
    reversed: bool = False
    marks: tuple[int, ...] = ()
