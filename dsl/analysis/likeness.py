"""When expressions say the same."""

from __future__ import annotations

from collections.abc import Mapping

from trionfi.dsl.tree import Local, LocalValue, Node
from trionfi.dsl.tree.walk import field_names, references

Likeness = tuple[object, ...]

_NO_MATTER = ("type", "span")


def likeness(node: object, bound: Mapping[Local, Likeness] | None = None) -> Likeness:
    """A value that is equal for expressions which say the same; `bound`: what parameters stand for."""
    if isinstance(node, list | tuple):
        return tuple(likeness(one, bound) for one in node)
    if not isinstance(node, Node):
        return (node,)
    if bound and isinstance(node, LocalValue) and node.local in bound:
        return bound[node.local]
    told = field_names(type(node))
    held = (likeness(getattr(node, name), bound) for name in told.parts)
    values = (likeness(getattr(node, name)) for name in told.values if name not in _NO_MATTER)
    return (type(node).__name__, *held, *values, *map(id, references(node)))
