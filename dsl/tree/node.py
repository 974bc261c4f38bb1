"""What all nodes of the checked tree share, and how a field says that it only names what stands elsewhere."""

from __future__ import annotations

from typing import Annotated, TypeVar

T = TypeVar("T")

REFERENCE = "reference"

# A field `zone: Reference[ZoneFamily]` names a thing that another node holds. A field of nodes without it holds them.
Reference = Annotated[T, REFERENCE]


class Node:
    """A part of a checked tree. Each is held by one field of one node, the ruleset by none."""

    __slots__ = ()
