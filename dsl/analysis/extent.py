"""How deep script is nested and how many parts it has, with all that it calls written out.

All that walks over the tree after this (the other passes, both engines) may recur, and may look into what is
called again at each call: this pass has seen that neither goes too far. It does not recur itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import NamedTuple

from trionfi.dsl.analysis.amounts import things_of, times_named, touched
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.limits import (
    ARMS_OF_A_LEVEL,
    MOST_NESTED,
    MOST_PARTS,
    MOST_PARTS_IN_ALL,
    MOST_PARTS_OF_SCRIPT,
    MOST_WORK,
    MOST_WORK_OF_SCRIPT,
    PARTS_OF_A_STEP,
)
from trionfi.dsl.script import NESTED_HINT
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Conditional,
    ConditionRanking,
    Deck,
    Define,
    Domain,
    Effect,
    If,
    Local,
    Loop,
    Measure,
    MeldSpec,
    MenuItem,
    Node,
    Option,
    PatternRanking,
    PlayCard,
    Procedure,
    Ruleset,
    SituationTest,
    Statement,
    Targets,
    TotalSpec,
    Trigger,
    Variable,
    ZoneFamily,
)
from trionfi.dsl.tree.walk import parts, references, scripts

declare_codes(
    {
        "too-many-parts": f"With all that is called written out, an expression has at most {MOST_PARTS:,} parts, "
        f"a script {MOST_PARTS_OF_SCRIPT:,}, and all together {MOST_PARTS_IN_ALL:,}.",
        "too-much-work": f"Queries in queries come to a part of theirs at most {MOST_WORK:,} times.",
    }
)

_LESS = (
    "ask fewer things of fewer cards: of a zone with a `capacity`, or of those that `where` leaves; "
    "of numbers, say how many there may be: `from 1 to smaller(bid, 20)`"
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
    """`work`: each part counted as often as queries, and loops over things, may come to it; `once`: the same without
    the passes of loops that count them."""

    depth: int
    parts: int
    work: int
    once: int


NOTHING = Extent(0, 0, 0, 0)


def _inside(node: object) -> list[Node]:
    """What a node holds itself; a local is a name."""
    return [part for part in parts(node) if not isinstance(part, Local)] if isinstance(node, Node) else []


def check_extent(rules: Ruleset, diagnostics: Diagnostics) -> bool:
    """Whether no script goes too deep or too far; reports the first place where one does."""
    known: dict[object, Extent] = {}
    in_all = 0
    for thing in _things(rules):
        for one in _after_what_they_call(thing, known, rules):
            known[one] = extent = _extent(one, known, rules)
            if extent.depth > MOST_NESTED or extent.parts > _most_parts(one) or extent.work > _most_work(one):
                _report(one, extent, known, rules, diagnostics)
                return False
        in_all += known[thing].parts
        if in_all > MOST_PARTS_IN_ALL:
            message = f"all script, with what it calls written out, has more than {MOST_PARTS_IN_ALL:,} parts"
            diagnostics.error("too-many-parts", message, _span_of(thing, rules))
            return False
    if not _check_end(known, rules, diagnostics):
        return False
    _weigh_loops(known, rules)
    return True


def _check_end(known: dict[object, Extent], rules: Ruleset, diagnostics: Diagnostics) -> bool:
    """Whether the end of a game, where scores and measures are read, comes to no more than a script may."""
    asked: list[Define | Measure] = [one for one in (rules.score, rules.won) if one is not None]
    asked += [one for one in rules.measures if not one.event]
    work = rules.players[1] * sum(known[one].work for one in asked)
    if work <= MOST_WORK_OF_SCRIPT:
        return True
    message = f"at the end queries may come to their parts {work:,} times, more than {MOST_WORK_OF_SCRIPT:,}"
    diagnostics.error("too-much-work", message, max(asked, key=lambda one: known[one].work).span, _LESS)
    return False


def _weigh_loops(known: dict[object, Extent], rules: Ruleset) -> None:
    """Says of each loop that has no bound of its own what a pass of it counts for, in both engines."""
    for thing in known:
        for loop, _, _ in _walk(thing):
            if isinstance(loop, Loop):
                once = _once(_inside(loop), known, rules)
                loop.weight = 1 + len(loop.body) + once // PARTS_OF_A_STEP


def _once(nodes: Iterable[object], known: dict[object, Extent], rules: Ruleset) -> int:
    """The work of nodes without the passes of the loops in them, which count for themselves."""
    work = 0
    for node, _, times in _walk_in(nodes, rules, _not_in_loops):
        work += times * (1 + _inner(node, known, rules).once * times_named(node, rules) + touched(node, rules))
    return work


def _not_in_loops(node: object) -> list[Node]:
    if not isinstance(node, Loop):
        return _inside(node)
    passed = {id(one) for one in node.body}
    return [child for child in _inside(node) if id(child) not in passed]


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
    yield from (test for test in rules.tests if isinstance(test, SituationTest))


def _body(thing: object) -> list[Node]:
    """The nodes of a thing."""
    if isinstance(thing, Measure):
        return [thing.body]
    if isinstance(thing, SituationTest):
        return [one.expr for one in thing.expect]
    return _inside(thing) if isinstance(thing, WITH_SCRIPT) else []


def _after_what_they_call(thing: object, known: dict[object, Extent], rules: Ruleset) -> Iterator[object]:
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
            waiting += [called for called in _called(one, rules) if called not in known and called not in opened]


def _called(thing: object, rules: Ruleset) -> Iterator[object]:
    for node, _, _ in _walk(thing):
        yield from (called for called in _run_by(node, rules) if _body(called))


def _run_by(node: object, rules: Ruleset) -> Iterator[object]:
    """What a node names, and what it runs without a name."""
    if isinstance(node, Node):
        yield from references(node)
    if isinstance(node, Trigger):
        yield from (one for one in rules.measures if one.event == node.event)
        yield from (one.events[node.event] for one in rules.effects if node.event in one.events)
    if isinstance(node, PlayCard):
        yield from (one.when_played for one in rules.effects if one.when_played)


def _walk(thing: object, rules: Ruleset | None = None) -> Iterator[tuple[object, int, int]]:
    """The nodes of a thing, with how deep they lie and, by the things of the game, how often they may be come to."""
    before = 1
    for node in _body(thing):
        yield from _walk_in([node], rules, times=before)
        if rules is not None and isinstance(node, Targets):  # the next are tried with each choice of these
            before = min(before * things_of(node.domain, rules), MOST_WORK_OF_SCRIPT)


def _walk_in(
    nodes: Iterable[object],
    rules: Ruleset | None,
    below: Callable[[object], list[Node]] = _inside,
    times: int = 1,
) -> Iterator[tuple[object, int, int]]:
    waiting = [(node, 1, times) for node in nodes]
    while waiting:
        node, depth, times = waiting.pop()
        yield node, depth, times
        inner = below(node)
        if not inner:
            continue
        domain = getattr(node, "domain", None)
        if rules is not None and isinstance(domain, Domain):
            times = min(times * things_of(domain, rules), MOST_WORK_OF_SCRIPT)
        if rules is not None and isinstance(node, MenuItem):
            times = min(times * _numbers_of(node, rules), MOST_WORK_OF_SCRIPT)
        deeper = depth + 1 + _arms(node) // ARMS_OF_A_LEVEL
        waiting += [(child, deeper, times) for child in inner]


def _arms(node: object) -> int:
    """Behind the first: each stands in what is done where the one before it does not hold."""
    return len(node.arms) - 1 if isinstance(node, If | Conditional) else 0


def _numbers_of(line: MenuItem, rules: Ruleset) -> int:
    """How often a line of a menu is come to because of the numbers that it is about."""
    return prod(things_of(one, rules) for one in line.domains if one.range is not None)


def _extent(thing: object, known: dict[object, Extent], rules: Ruleset) -> Extent:
    deepest = parts = work = 0
    for node, depth, times in _walk(thing, rules):
        inner = _inner(node, known, rules)
        deepest, parts = max(deepest, depth + inner.depth), parts + 1 + inner.parts
        work += times * (1 + inner.work + (touched(node, rules) if isinstance(node, Statement) else 0))
    return Extent(deepest, parts, work, _once(_body(thing), known, rules))


def _inner(node: object, known: dict[object, Extent], rules: Ruleset) -> Extent:
    """Of what a node calls. A ranking that is mentioned in its own order calls nothing there."""
    found = [known[called] for called in _run_by(node, rules) if called in known]
    if not found:
        return NOTHING
    sums = (sum(numbers) for numbers in zip(*(one[1:] for one in found), strict=True))
    return Extent(max(one.depth for one in found), *sums)


def _most_parts(thing: object) -> int:
    return MOST_PARTS_OF_SCRIPT if isinstance(thing, Procedure | Effect) else MOST_PARTS


def _most_work(thing: object) -> int:
    return MOST_WORK_OF_SCRIPT if isinstance(thing, Procedure | Effect) else MOST_WORK


def _report(
    thing: object, extent: Extent, known: dict[object, Extent], rules: Ruleset, diagnostics: Diagnostics
) -> None:
    """At the part of the thing that goes too far."""
    if extent.depth > MOST_NESTED:
        node, depth, _ = max(_walk(thing), key=lambda one: one[1] + _inner(one[0], known, rules).depth)
        what = f"script is nested at most {MOST_NESTED} deep, and this {depth + _inner(node, known, rules).depth}"
        diagnostics.error("nested-script", f"{what}, with what it calls", _place(node, thing), NESTED_HINT)
        return
    if extent.parts <= _most_parts(thing):
        _report_work(thing, extent, known, rules, diagnostics)
        return
    node, _, _ = max(_walk(thing), key=lambda one: _inner(one[0], known, rules).parts)
    message = f"with all that it calls written out this has {extent.parts:,} parts, more than {_most_parts(thing):,}"
    hint = "what is worked out in one place and kept (`let`, a variable) is not worked out again"
    diagnostics.error("too-many-parts", message, _place(node, thing), hint)


def _report_work(
    thing: object, extent: Extent, known: dict[object, Extent], rules: Ruleset, diagnostics: Diagnostics
) -> None:
    node, _, _ = max(_walk(thing, rules), key=lambda one: one[2] * (1 + _inner(one[0], known, rules).work))
    message = f"queries in queries may come here {extent.work:,} times, more than {_most_work(thing):,}"
    diagnostics.error("too-much-work", message, _place(node, thing), _LESS)


def _place(node: object, thing: object) -> Span:
    span = getattr(node, "span", None) or getattr(thing, "span", None)
    assert isinstance(span, Span)
    return span


def _span_of(thing: object, rules: Ruleset) -> Span:
    span = getattr(thing, "span", None)
    return span if isinstance(span, Span) else rules.play.span
