"""Walking over the checked tree. What a field holds is told by its type: nodes are parts, a `Reference` names a thing
that stands elsewhere, all else is a plain value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from typing import NamedTuple, TypeVar

from trionfi.dsl import tree
from trionfi.dsl.tree.node import Node

__all__ = ["FieldNames", "field_names", "nearest", "parts", "references", "scripts", "walk"]

N = TypeVar("N", bound=Node)
Kinds = type[Node] | tuple[type[Node], ...]


class FieldNames(NamedTuple):
    """The fields of a class of nodes, each kind in the order in which they are declared."""

    parts: list[str]
    references: list[str]
    values: list[str]


_NAMES: dict[type, FieldNames] = {}  # of each class of nodes that has been met


def field_names(kind: type[Node]) -> FieldNames:
    """Which fields hold parts, which name other things, which hold values."""
    if kind not in _NAMES:
        told = [(field.name, holding(str(field.type))) for field in fields(kind)]  # type: ignore[arg-type]
        _NAMES[kind] = FieldNames(*([name for name, what in told if what == role] for role in FieldNames._fields))
    return _NAMES[kind]


def holding(annotation: str) -> str:
    """What a field of a node holds, by its annotation as written: `parts`, `references` or `values`."""
    # to evaluate the annotations takes thirty milliseconds at each start; tests compare this with what they evaluate to
    if "Reference[" in annotation:
        return "references"
    return "values" if _node_words().isdisjoint(re.findall(r"\w+", annotation)) else "parts"


@cache
def _node_words() -> frozenset[str]:
    """The words of annotations that stand for nodes."""
    classes = (name for name, thing in vars(tree).items() if isinstance(thing, type) and issubclass(thing, Node))
    return frozenset({*classes, "Block", "Place"})


def parts(node: Node) -> Iterator[Node]:
    """The nodes that a node itself holds, in the order of its fields."""
    return _held(node, field_names(type(node)).parts)


def references(node: Node) -> Iterator[Node]:
    """The things that a node itself names: the variable of a `VariableValue`, what a `Call` calls."""
    return _held(node, field_names(type(node)).references)


def _held(node: Node, names: list[str]) -> Iterator[Node]:
    for name in names:
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif value:  # most fields hold one node or none
            yield from _nodes_in(value)


def walk(root: object, into: Kinds = (), below: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """A node (or several, in lists, tuples and dictionaries) and all that it holds, from the outside in, each once.

    Things of the kinds `into` are gone into where they are named, too. `below` says of which nodes the parts are
    wanted; without it, of all.
    """
    seen: set[int] = set()
    waiting = list(_nodes_in(root))[::-1]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if below is None or below(node):
            inner = list(parts(node))
            if into:
                inner += (thing for thing in references(node) if isinstance(thing, into))
            waiting += reversed(inner)


def nearest(node: Node, kind: type[N]) -> Iterator[N]:
    """The nodes of a kind below a node, without those that lie in another of them."""
    found = walk(list(parts(node)), below=lambda one: not isinstance(one, kind))
    return (one for one in found if isinstance(one, kind))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _nodes_in(one)
    elif isinstance(value, dict):
        yield from _nodes_in(list(value.values()))


def scripts(rules: tree.Ruleset) -> Iterator[tree.Procedure]:
    """Every script that the play may run: the play itself, the procedures, what runs when a zone is short, and those
    of effects."""
    yield rules.play
    yield from rules.procedures.values()
    yield from (family.when_short for family in rules.zones if family.when_short)
    for effect in rules.effects:
        yield from (script for script in (effect.when_played, *effect.events.values()) if script)
    if rules.when_chosen:
        yield rules.when_chosen
