"""What an expression reads: so that values read off cards can be kept as long as they hold, and no longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type

# Of a card's look: "suit", "rank", "face" (which card it is), "reversed", "marks". "table": what is not its own.
_OF_CARD = {
    "suit": "suit",
    "colour": "suit",
    "rank": "rank",
    "number": "face",
    "deck": "face",
    "orientation": "reversed",
}
_TABLE_NODES = (
    tree.VariableValue,
    tree.ZoneValue,
    tree.ZonesValue,
    tree.AllPlayers,
    tree.AllPlays,
    tree.Offered,
    tree.NumberOffered,
    tree.CardAt,
    tree.TopCards,
    tree.NextPlayer,
)
_LEAVES = (tree.Local, tree.Option, tree.Mark, Span, Type, str, int, float, bool, type(None))


def reads(nodes: Iterable[object]) -> frozenset[str]:
    """What the expressions read, through the defines, rankings and totals that they call."""
    found: set[str] = set()
    seen: set[int] = set()
    for node in nodes:
        _walk(node, found, seen)
    return frozenset(found)


def nodes_below(nodes: Iterable[object]) -> Iterator[object]:
    """All nodes of the expressions, those of the defines, rankings and totals that they call among them."""
    seen: set[int] = set()
    left = list(nodes)
    while left:
        node = left.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            left.extend(_children(node))


def reads_local(nodes: Iterable[object], local: tree.Local) -> bool:
    """Does one of the expressions name this local?"""
    return any(_names(node, local) for node in nodes)


def _names(node: object, local: tree.Local) -> bool:
    if isinstance(node, tree.LocalValue):
        return node.local is local
    if isinstance(node, tree.CallDefine):
        return any(_names(argument, local) for argument in node.arguments)
    return any(_names(child, local) for child in _children(node))


def free_locals(node: object) -> set[tree.Local]:
    """The locals that an expression names and that no query in it binds."""
    if isinstance(node, tree.LocalValue):
        return {node.local}
    if isinstance(node, tree.CallDefine):
        return free_locals(node.arguments)
    found = set().union(*map(free_locals, _children(node)))
    return found - {child.local for child in _children(node) if isinstance(child, tree.Domain)}


def _walk(node: object, found: set[str], seen: set[int]) -> None:
    if id(node) in seen:
        return
    seen.add(id(node))
    found.update(_own(node))
    if "table" in _own(node):
        return
    for child in _children(node):
        _walk(child, found, seen)


def _own(node: object) -> tuple[str, ...]:
    if isinstance(node, _TABLE_NODES):
        return ("table",)
    if isinstance(node, tree.Attribute) and node.operand.type.kind == "card":
        return (_OF_CARD.get(node.name, "table"),)
    if isinstance(node, tree.Has):
        return (node.what,)
    if isinstance(node, tree.MarkValue):
        return ("marks",)
    if isinstance(node, (tree.CardNamed, tree.Same, tree.Member)):
        return ("face",) if _about_cards(node) else ()
    if isinstance(node, tree.Domain) and (node.noun == "player" or (node.noun == "card" and node.source is None)):
        return ("table",)
    if isinstance(node, (tree.Select, tree.Builtin)) and node.draws:
        return ("table",)
    return ()


def _about_cards(node: tree.CardNamed | tree.Same | tree.Member) -> bool:
    if isinstance(node, tree.CardNamed):
        return True
    side = node.left if isinstance(node, tree.Same) else node.item
    return side.type.kind in ("card", "cards")


def _children(node: object) -> Iterable[object]:
    if isinstance(node, _LEAVES):
        return ()
    if isinstance(node, (list, tuple)):
        return node
    if isinstance(node, dict):
        return node.values()
    if is_dataclass(node):
        return [getattr(node, field.name) for field in fields(node)]
    return ()
