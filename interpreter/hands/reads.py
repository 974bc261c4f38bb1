"""What an expression reads: so that values read off cards can be kept as long as they hold, and no longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trionfi.dsl import tree
from trionfi.dsl.tree.walk import walk

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
_SPECS = (tree.PatternRanking, tree.ConditionRanking, tree.TotalSpec, tree.MeldSpec)


def reads(nodes: Iterable[object]) -> frozenset[str]:
    """What the expressions read, through the defines, rankings and totals that they call."""
    nearer = walk(list(nodes), into=tree.Node, below=lambda node: "table" not in _own(node))
    return frozenset(what for node in nearer for what in _own(node))


def nodes_below(nodes: Iterable[object]) -> Iterator[tree.Node]:
    """All nodes of the expressions, those of the defines, rankings and totals that they call among them."""
    return walk(list(nodes), into=tree.Node)


def reads_local(nodes: Iterable[object], local: tree.Local) -> bool:
    """Does one of the expressions name this local?"""
    return local in _locals_named(list(nodes))


def free_locals(nodes: object) -> set[tree.Local]:
    """The locals that expressions name and that no query in them binds."""
    return _locals_named(nodes) - {node.local for node in walk(nodes, into=_SPECS) if isinstance(node, tree.Domain)}


def _locals_named(nodes: object) -> set[tree.Local]:
    """What stands in a define belongs to its own frame."""
    return {node.local for node in walk(nodes, into=_SPECS) if isinstance(node, tree.LocalValue)}


def _own(node: tree.Node) -> tuple[str, ...]:
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
