"""Walking over the checked tree: the parts of a node, and the things that they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from trionfi.dsl.tree import (
    Alteration,
    Call,
    CallDefine,
    CardProperty,
    Category,
    ConditionRanking,
    Deck,
    Define,
    Domain,
    Effect,
    Enumeration,
    Expr,
    Fact,
    Label,
    Local,
    Mark,
    MeldSpec,
    MenuItem,
    Option,
    OrderKey,
    Part,
    PatternRanking,
    Procedure,
    Ruleset,
    Run,
    Statement,
    Targets,
    TotalSpec,
    Variable,
    ZoneFamily,
)

Node = Expr | Statement | Domain | Part | Label | MenuItem

# Where a walk stops: things that a node names, which are walked for themselves.
NAMED = (
    Local,
    Option,
    Variable,
    ZoneFamily,
    Deck,
    Mark,
    Define,
    Procedure,
    PatternRanking,
    ConditionRanking,
    TotalSpec,
    MeldSpec,
    Enumeration,
    Effect,
)
Named = Local | Option | Variable | ZoneFamily | Mark | Define | Procedure | PatternRanking | ConditionRanking
_OF_SCRIPTS = (Expr, Statement, Domain, Part, Label, MenuItem)
_NODES = (*_OF_SCRIPTS, CardProperty, Category, Fact, OrderKey, Run, Targets, Alteration)


_FIELDS: dict[type, tuple[str, ...]] = {}  # of each class of nodes, those that say something


def _fields(node: object) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _FIELDS:
        names = (f.name for f in fields(kind)) if is_dataclass(kind) else ()
        _FIELDS[kind] = tuple(name for name in names if name not in ("type", "span"))
    return _FIELDS[kind]


def children(node: object) -> Iterator[Node]:
    """The nodes that a node holds itself, in the order of the text. Not the bodies of what it calls."""
    for name in _fields(node):
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, _NODES):
        yield value  # type: ignore[misc]
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _nodes_in(one)


def nodes_of(value: object) -> list[Node]:
    """The nodes that are, or are listed in, a value: those of a body."""
    return list(_nodes_in(value))


def walk(node: object) -> Iterator[Node]:
    """A node (or a list of them) and all that it holds, from the outside in."""
    for child in _nodes_in(node):
        yield child
        for inner in children(child):
            yield from walk(inner)


def named(node: object) -> Iterator[object]:
    """The declared things that a node itself names: the variable of a `VariableValue`, what a `Call` calls."""
    for name in _fields(node):
        value = getattr(node, name)
        if isinstance(value, NAMED):
            yield value


def calls(node: object) -> Iterator[Define | Procedure]:
    """The defines and procedures that are called in a node."""
    for one in walk(node):
        if isinstance(one, CallDefine):
            yield one.define
        elif isinstance(one, Call):
            yield one.procedure


# What each declared thing holds of nodes.
_BODIES: dict[type, tuple[str, ...]] = {
    Define: ("body", "reason"),
    Procedure: ("body",),
    PatternRanking: ("alike", "run", "categories", "order", "wild", "wild_suit", "qualifier"),
    ConditionRanking: ("categories", "order"),
    TotalSpec: ("arms", "otherwise", "limit"),
    MeldSpec: ("kinds", "alike", "run", "cost"),
    Variable: ("start", "may_review"),
    ZoneFamily: ("when_short", "may_review"),
    Option: ("multiple_of",),
    Deck: ("copies", "keep"),
    Effect: ("targets", "when_played", "alterations", "events", "negates_if"),
}


def body_of(thing: object) -> list[object]:
    """The nodes of a declared thing: the body of a define or procedure, the expressions of a ranking."""
    names = _BODIES.get(type(thing), ())
    return [_held(getattr(thing, name)) for name in names]


def _held(part: object) -> object:
    """The nodes in a part of a declared thing; scripts of its own are part of it."""
    if isinstance(part, Procedure):
        return part.body
    return [_held(one) for one in part.values()] if isinstance(part, dict) else part


def scripts(rules: Ruleset) -> Iterator[Procedure]:
    """Every script that the play may run: the play itself, the procedures, what runs when a zone is short, and those
    of effects."""
    yield rules.play
    yield from rules.procedures.values()
    yield from (family.when_short for family in rules.zones if family.when_short)
    for effect in rules.effects:
        yield from (script for script in (effect.when_played, *effect.events.values()) if script)
    if rules.when_chosen:
        yield rules.when_chosen


Likeness = tuple[object, ...]


def likeness(node: object, bound: dict[Local, Likeness] | None = None) -> Likeness:
    """A value that is equal for expressions which say the same; `bound`: what parameters stand for."""
    if isinstance(node, _NODES):
        local = getattr(node, "local", None)
        if bound and isinstance(local, Local) and local in bound:
            return bound[local]
        return (type(node).__name__, *(likeness(getattr(node, name), bound) for name in _fields(node)))
    if isinstance(node, list | tuple):
        return tuple(likeness(one, bound) for one in node)
    return (id(node),) if isinstance(node, NAMED) else (node,)
