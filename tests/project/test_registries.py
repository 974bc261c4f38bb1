"""What is found by a table has its place in it: each test names what is missing, or stands there for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_args, get_type_hints

import pytest

from trionfi.core.ops import Op
from trionfi.dsl import check, tree
from trionfi.dsl.analysis import change
from trionfi.dsl.check import alterations, decisions, dispatch, patterns, statements
from trionfi.dsl.grammar import build_parser, words_of
from trionfi.dsl.tree import words as closed
from trionfi.interpreter import reference
from trionfi.interpreter.native import emission
from trionfi.interpreter.native.emission.operations import OPERATIONS
from trionfi.interpreter.reference import queries

for room in (check, emission, reference):
    for module in iter_modules(room.__path__):
        import_module(f"{room.__name__}.{module.name}")  # what stands in it enters itself


def nodes(base: type) -> set[str]:
    classes = [one for one in vars(tree).values() if isinstance(one, type)]
    return {one.__name__ for one in classes if issubclass(one, base) and one is not base}


def names(classes: Iterable[type]) -> set[str]:
    """Of the tree's own classes; the native engine has some more of its own."""
    return {one.__name__ for one in classes if one.__module__.startswith("trionfi.dsl")}


def words(node: type, field: str) -> set[str]:
    """The words that a field of a node may hold."""
    return set(get_args(get_type_hints(node, None, vars(tree))[field])) - {""}


@cache
def grammar() -> list[Any]:
    return build_parser().rules


def forms(start: str) -> set[str]:
    """The names of the syntax nodes that a rule of the grammar may come to."""
    return set(_forms(start, set()))


def _forms(name: str, seen: set[str]) -> Iterator[str]:
    seen.add(name)
    for rule in grammar():
        if rule.origin.name == name:
            kept = [one for one in rule.expansion if not one.is_term or not one.filter_out]
            if rule.alias:
                yield str(rule.alias)
            elif not (name.startswith("_") or (rule.options.expand1 and len(kept) == 1)):
                yield name
            else:
                yield from (form for one in kept if one.name not in seen for form in _forms(one.name, seen))


# Made where they are asked for: the grammar takes its time.
TABLES: dict[str, Callable[[], tuple[Iterable[Any], Iterable[Any]]]] = {
    "checking expressions": lambda: (forms("arg"), dispatch.RULES),
    "checking statements": lambda: (forms("stmt") - {"_NEWLINE"}, statements.STATEMENTS),
    "checking decisions": lambda: (forms("_choice"), decisions._CHOICES),
    "checking alterations": lambda: (forms("alter"), alterations._RULES),
    "checking facts of patterns": lambda: (forms("fact"), patterns._READERS),
    "what statements change": lambda: (
        nodes(tree.Statement),
        names([*change._WRITES, *change._CHANGE_NOTHING, tree.Call]),
    ),
    "words that gather": lambda: (get_args(closed.Gathering), [*words_of("FOLD"), *words_of("SOFT_FOLD")]),
    "words for the best": lambda: (get_args(closed.Extreme), words_of("BEST")),
    "words that ask": lambda: (get_args(closed.Quantifier), words_of("QUANT")),
    "words that select": lambda: (get_args(closed.Selection), words_of("WHICH")),
    "reference: nouns": lambda: (words(tree.Domain, "noun"), queries.DOMAINS),
    "emitting operations": lambda: ({op.value for op in Op}, {op.value for op in OPERATIONS}),
}


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_missing_and_nothing_is_there_for_nothing(table: str) -> None:
    wanted, there = map(set, TABLES[table]())
    assert len(wanted) > 1
    assert {"missing": wanted - there, "for nothing": there - wanted} == {"missing": set(), "for nothing": set()}
