"""The checked tree tells what its fields hold, and one walk goes over it."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest

from trionfi.dsl import tree
from trionfi.dsl.library import library_games
from trionfi.dsl.source import Source, Span
from trionfi.dsl.tree.node import Node
from trionfi.dsl.tree.walk import field_names, nearest, parts, references, walk
from trionfi.dsl.types import NUMBER, TRUTH, Type
from trionfi.interpreter.rules import Rules

SPAN = Span(Source("game", "x"), 0, 1)
PLAIN = {str, int, bool, object, type(None), Span, Type}
CLASSES = [one for _, one in inspect.getmembers(tree, inspect.isclass) if one.__module__.startswith("trionfi.dsl.tree")]
NODES = [one for one in CLASSES if one is not Node]


def leaves(hint: Any) -> Iterator[Any]:
    """The types of which a type is made; what is named stays as it is."""
    if get_origin(hint) is None or get_origin(hint) in (Annotated, Literal):
        yield hint
    else:
        for argument in get_args(hint):
            yield from leaves(argument)


def role(leaf: Any) -> str:
    """What a field holds that has a thing of this type."""
    if get_origin(leaf) is Annotated:
        return "references"
    if isinstance(leaf, type) and issubclass(leaf, Node):
        return "parts"
    return "values" if leaf in PLAIN or get_origin(leaf) is Literal else f"{leaf} is neither a node nor a plain value"


def roles(hint: Any) -> set[str]:
    """What a field of this type holds; None and texts may stand beside nodes."""
    found = {role(leaf) for leaf in leaves(hint)}
    return found - {"values"} or found


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_every_field_is_told_to_be_a_part_a_reference_or_a_value(kind: Any) -> None:
    assert issubclass(kind, Node)
    assert is_dataclass(kind)
    hints = get_type_hints(kind, None, vars(tree), include_extras=True)
    wanted = {one.name: roles(hints[one.name]) for one in fields(kind)}
    told = {name: {what} for what, names in field_names(kind)._asdict().items() for name in names}
    assert told == wanted


@pytest.mark.parametrize("name", sorted(library_games()))
def test_what_is_declared_and_done_is_held_once_and_named_where_it_is_held(
    name: str, rules: Callable[..., Rules]
) -> None:
    """Expressions alone may stand in several places: both sides of `x is a or b` ask the same x."""
    nodes = list(walk(rules(name).ruleset))
    held = [part for node in nodes for part in parts(node) if not isinstance(part, tree.Expr)]
    assert [type(one).__name__ for one, times in Counter(held).items() if times > 1] == []
    named = {thing: type(node).__name__ for node in nodes for thing in references(node)}
    assert {(one.__class__.__name__, by) for one, by in named.items() if one not in set(held)} == set()


def number(value: int) -> tree.Const:
    return tree.Const(NUMBER, SPAN, value)


def negative(operand: tree.Expr) -> tree.Expr:
    return tree.Negative(NUMBER, SPAN, operand)


def test_a_walk_goes_from_the_outside_in_and_meets_each_node_once() -> None:
    one, two = number(1), number(2)
    twice = tree.Arithmetic(NUMBER, SPAN, "+", one, one)
    whole = tree.Same(TRUTH, SPAN, twice, two)
    assert list(walk(whole)) == [whole, twice, one, two]
    assert list(walk({"a": [two], "b": (None, "text", one)})) == [two, one]
    assert list(walk(whole, below=lambda node: node is not twice)) == [whole, twice, two]


def test_what_is_named_is_gone_into_if_that_is_wanted_and_once() -> None:
    local = tree.Local("a", NUMBER, 0, SPAN)
    define = tree.Define("again", [local], [local], NUMBER, SPAN)
    call = tree.CallDefine(NUMBER, SPAN, define, [number(1)])
    define.body = negative(call)
    assert list(walk(call)) == [call, *call.arguments]
    assert list(walk(call, into=tree.Define)) == [call, *call.arguments, define, local, define.body]
    assert list(references(call)) == [define]


def test_the_nearest_nodes_of_a_kind() -> None:
    inner = negative(number(1))
    label = tree.Label("x {1}", ["x ", inner, negative(inner)], SPAN)
    assert list(nearest(tree.Say(SPAN, label), tree.Expr)) == label.parts[1:]


def test_a_walk_is_as_deep_as_the_tree() -> None:
    deep: tree.Expr = number(1)
    for _ in range(20_000):
        deep = negative(deep)
    assert sum(1 for _ in walk(deep)) == 20_001
