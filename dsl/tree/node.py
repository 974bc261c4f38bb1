"""What all nodes of the checked tree share, and how a field says that it only names what stands elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeVar

from trionfi.dsl.source import Span
from trionfi.dsl.types import Type

T = TypeVar("T")

REFERENCE = "reference"

# A field `zone: Reference[ZoneFamily]` names a thing that another node holds. A field of nodes without it holds them.
Reference = Annotated[T, REFERENCE]


class Node:
    """A part of a checked tree. Each is held by one field of one node, the ruleset by none."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Expr(Node):
    """What has a value, of a type that is known."""

    type: Type
    span: Span


@dataclass(slots=True, eq=False)
class Statement(Node):
    """What happens."""

    span: Span


Block = list[Statement]
