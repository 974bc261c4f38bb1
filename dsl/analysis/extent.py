"""How deep script is nested and how many parts it has, with all that it calls written out.

All that walks over the tree after this (the other passes, both engines) may recur, and may look into what is
called again at each call: this pass has seen that neither goes too far. It does not recur itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trionfi.dsl.analysis.walk import body_of, children, named, nodes_of, scripts
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.limits import MOST_NESTED, MOST_PARTS, MOST_PARTS_IN_ALL, MOST_PARTS_OF_SCRIPT
from trionfi.dsl.script import NESTED_HINT
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Effect, Procedure, Ruleset

declare_codes(
    {
        "too-many-parts": f"With all that is called written out, an expression has at most {MOST_PARTS:,} parts, "
        f"a script {MOST_PARTS_OF_SCRIPT:,}, and all together {MOST_PARTS_IN_ALL:,}.",
    }
)


class Extent(NamedTuple):
    depth: int
    parts: int


def check_extent(rules: Ruleset, diagnostics: Diagnostics) -> bool:
    """Whether no script goes too deep or too far; reports the first place where one does."""
    known: dict[object, Extent] = {}
    in_all = 0
    for thing in _things(rules):
        for one in _after_what_they_call(thing, known):
            known[one] = extent = _extent(one, known)
            if extent.depth > MOST_NESTED or extent.parts > _most_parts(one):
                _report(one, extent, known, diagnostics)
                return False
        in_all += known[thing].parts
        if in_all > MOST_PARTS_IN_ALL:
            message = f"all script, with what it calls written out, has more than {MOST_PARTS_IN_ALL:,} parts"
            diagnostics.error("too-many-parts", message, _span_of(thing, rules))
            return False
    return True


def _things(rules: Ruleset) -> Iterator[object]:
    """Everything that has script of its own."""
    yield from rules.defines.values()
    yield from scripts(rules)
    for table in (rules.rankings, rules.totals, rules.melds, rules.options):
        yield from table.values()
    for things in (rules.variables, rules.zones, rules.decks, rules.effects):
        yield from things
    yield from (procedure for strategy in rules.strategies.values() for procedure in strategy.scripts.values())
    yield from (one for one in (rules.score, rules.won) if one is not None)
    yield from rules.measures


def _after_what_they_call(thing: object, known: dict[object, Extent]) -> Iterator[object]:
    """What a thing calls and has not been measured, then the thing: each after all that it calls itself."""
    waiting: list[object] = [thing]
    opened: set[object] = set()
    while waiting:
        one = waiting[-1]
        if one in known:
            waiting.pop()
        elif one in opened:
            yield waiting.pop()
        else:
            opened.add(one)
            waiting += [called for called in _called(one) if called not in known and called not in opened]


def _called(thing: object) -> Iterator[object]:
    for node, _ in _walk(thing):
        yield from (called for called in named(node) if body_of(called))


def _walk(thing: object) -> Iterator[tuple[object, int]]:
    """The nodes of a thing, with how deep they lie."""
    waiting = [(node, 1) for node in nodes_of(body_of(thing))]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in children(node)]


def _extent(thing: object, known: dict[object, Extent]) -> Extent:
    deepest = parts = 0
    for node, depth in _walk(thing):
        inner = _inner(node, known)
        deepest, parts = max(deepest, depth + inner.depth), parts + 1 + inner.parts
    return Extent(deepest, parts)


def _inner(node: object, known: dict[object, Extent]) -> Extent:
    """Of what a node calls. A ranking that is mentioned in its own order calls nothing there."""
    found = [known[called] for called in named(node) if called in known]
    return Extent(max((one.depth for one in found), default=0), sum(one.parts for one in found))


def _most_parts(thing: object) -> int:
    return MOST_PARTS_OF_SCRIPT if isinstance(thing, Procedure | Effect) else MOST_PARTS


def _report(thing: object, extent: Extent, known: dict[object, Extent], diagnostics: Diagnostics) -> None:
    """At the part of the thing that goes too far."""
    if extent.depth > MOST_NESTED:
        node, depth = max(_walk(thing), key=lambda one: one[1] + _inner(one[0], known).depth)
        what = f"script is nested at most {MOST_NESTED} deep, and this {depth + _inner(node, known).depth}"
        diagnostics.error("nested-script", f"{what}, with what it calls", _place(node, thing), NESTED_HINT)
        return
    node, _ = max(_walk(thing), key=lambda one: _inner(one[0], known).parts)
    message = f"with all that it calls written out this has {extent.parts:,} parts, more than {_most_parts(thing):,}"
    hint = "what is worked out in one place and kept (`let`, a variable) is not worked out again"
    diagnostics.error("too-many-parts", message, _place(node, thing), hint)


def _place(node: object, thing: object) -> Span:
    span = getattr(node, "span", None) or getattr(thing, "span", None)
    assert isinstance(span, Span)
    return span


def _span_of(thing: object, rules: Ruleset) -> Span:
    span = getattr(thing, "span", None)
    return span if isinstance(span, Span) else rules.play.span

