"""How deep script is nested and how many parts it has, with all that it calls written out.

All that walks over the tree after this (the other passes, both engines) may recur, and may look into what is
called again at each call: this pass has seen that neither goes too far. It does not recur itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.limits import (
    MOST_NESTED,
    MOST_PARTS,
    MOST_PARTS_IN_ALL,
    MOST_PARTS_OF_SCRIPT,
    MOST_WORK,
    MOST_WORK_OF_SCRIPT,
)
from trionfi.dsl.script import NESTED_HINT
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    CardsOf,
    ConditionRanking,
    Deck,
    Define,
    Domain,
    Effect,
    Local,
    MeldSpec,
    Node,
    Option,
    PatternRanking,
    Procedure,
    Ruleset,
    TotalSpec,
    Variable,
    ZoneFamily,
    ZoneValue,
)
from trionfi.dsl.tree.walk import parts, references, scripts

declare_codes(
    {
        "too-many-parts": f"With all that is called written out, an expression has at most {MOST_PARTS:,} parts, "
        f"a script {MOST_PARTS_OF_SCRIPT:,}, and all together {MOST_PARTS_IN_ALL:,}.",
        "too-much-work": f"Queries in queries come to a part of theirs at most {MOST_WORK:,} times.",
    }
)


# Declared things that hold script, which is written out where they are named.
WITH_SCRIPT = (
    Define,
    Procedure,
    PatternRanking,
    ConditionRanking,
    TotalSpec,
    MeldSpec,
    Variable,
    ZoneFamily,
    Option,
    Deck,
    Effect,
)


class Extent(NamedTuple):
    """`work`: each part counted as often as queries, and loops over things, may come to it."""

    depth: int
    parts: int
    work: int


def check_extent(rules: Ruleset, diagnostics: Diagnostics) -> bool:
    """Whether no script goes too deep or too far; reports the first place where one does."""
    known: dict[object, Extent] = {}
    in_all = 0
    for thing in _things(rules):
        for one in _after_what_they_call(thing, known):
            known[one] = extent = _extent(one, known, rules)
            if extent.depth > MOST_NESTED or extent.parts > _most_parts(one) or extent.work > _most_work(one):
                _report(one, extent, known, rules, diagnostics)
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
    for node, _, _ in _walk(thing):
        yield from (called for called in references(node) if isinstance(called, WITH_SCRIPT))


def _walk(thing: object, rules: Ruleset | None = None) -> Iterator[tuple[Node, int, int]]:
    """The nodes of a thing, with how deep they lie and, by the things of the game, how often they may be come to."""
    waiting = [(node, 1, 1) for node in _inside(thing)]
    while waiting:
        node, depth, times = waiting.pop()
        yield node, depth, times
        domain = getattr(node, "domain", None)
        if rules is not None and isinstance(domain, Domain):
            times = min(times * _things_of(domain, rules), MOST_WORK_OF_SCRIPT)
        waiting += [(child, depth + 1, times) for child in _inside(node)]


def _inside(node: object) -> list[Node]:
    """What a node holds itself; a local is a name."""
    return [part for part in parts(node) if not isinstance(part, Local)] if isinstance(node, Node) else []


def _things_of(domain: Domain, rules: Ruleset) -> int:
    """How many things a domain has at most."""
    source = domain.source.source if isinstance(domain.source, CardsOf) else domain.source
    if domain.noun == "player":
        return rules.players[1]
    if domain.noun in rules.enumerations:
        return max(1, len(rules.enumerations[domain.noun].members))
    room = source.family.capacity if isinstance(source, ZoneValue) else None
    return max(1, len(rules.faces)) if room is None else min(room, max(1, len(rules.faces)))


def _extent(thing: object, known: dict[object, Extent], rules: Ruleset) -> Extent:
    deepest = parts = work = 0
    for node, depth, times in _walk(thing, rules):
        inner = _inner(node, known)
        deepest, parts = max(deepest, depth + inner.depth), parts + 1 + inner.parts
        work += times * (1 + inner.work)
    return Extent(deepest, parts, work)


def _inner(node: object, known: dict[object, Extent]) -> Extent:
    """Of what a node calls. A ranking that is mentioned in its own order calls nothing there."""
    found = [known[called] for called in references(node) if called in known] if isinstance(node, Node) else []
    depth = max((one.depth for one in found), default=0)
    return Extent(depth, sum(one.parts for one in found), sum(one.work for one in found))


def _most_parts(thing: object) -> int:
    return MOST_PARTS_OF_SCRIPT if isinstance(thing, Procedure | Effect) else MOST_PARTS


def _most_work(thing: object) -> int:
    return MOST_WORK_OF_SCRIPT if isinstance(thing, Procedure | Effect) else MOST_WORK


def _report(
    thing: object, extent: Extent, known: dict[object, Extent], rules: Ruleset, diagnostics: Diagnostics
) -> None:
    """At the part of the thing that goes too far."""
    if extent.depth > MOST_NESTED:
        node, depth, _ = max(_walk(thing), key=lambda one: one[1] + _inner(one[0], known).depth)
        what = f"script is nested at most {MOST_NESTED} deep, and this {depth + _inner(node, known).depth}"
        diagnostics.error("nested-script", f"{what}, with what it calls", _place(node, thing), NESTED_HINT)
        return
    if extent.parts <= _most_parts(thing):
        _report_work(thing, extent, known, rules, diagnostics)
        return
    node, _, _ = max(_walk(thing), key=lambda one: _inner(one[0], known).parts)
    message = f"with all that it calls written out this has {extent.parts:,} parts, more than {_most_parts(thing):,}"
    hint = "what is worked out in one place and kept (`let`, a variable) is not worked out again"
    diagnostics.error("too-many-parts", message, _place(node, thing), hint)


def _report_work(
    thing: object, extent: Extent, known: dict[object, Extent], rules: Ruleset, diagnostics: Diagnostics
) -> None:
    node, _, _ = max(_walk(thing, rules), key=lambda one: one[2] * (1 + _inner(one[0], known).work))
    message = f"queries in queries may come here {extent.work:,} times, more than {_most_work(thing):,}"
    hint = "ask fewer things of fewer cards: of a zone with a `capacity`, or of those that `where` leaves"
    diagnostics.error("too-much-work", message, _place(node, thing), hint)


def _place(node: object, thing: object) -> Span:
    span = getattr(node, "span", None) or getattr(thing, "span", None)
    assert isinstance(span, Span)
    return span


def _span_of(thing: object, rules: Ruleset) -> Span:
    span = getattr(thing, "span", None)
    return span if isinstance(span, Span) else rules.play.span

