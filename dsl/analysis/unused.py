"""What a ruleset declares and never needs. What a library declares and a game leaves is nobody's fault."""

from __future__ import annotations

from collections.abc import Iterator

from trionfi.dsl.diagnostics import Diagnostics, declare_codes, did_you_mean
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Assign,
    Call,
    Change,
    Choose,
    ChooseNumber,
    Define,
    Option,
    Pay,
    Place,
    Procedure,
    Ruleset,
    Statement,
    Trigger,
    Variable,
    VariableValue,
    ZoneFamily,
)
from trionfi.dsl.tree.walk import references, scripts, walk

declare_codes(
    {
        "unused": "What is declared is used.",
        "never-read": "A variable that is set is read.",
        "never-set": "A variable changes; what never changes is an option or a define.",
        "unknown-event": "Measures and effects wait for events that the play triggers.",
    }
)

_SPOKEN: dict[type, str] = {
    Option: "option",
    Variable: "variable",
    ZoneFamily: "zone",
    Define: "define",
    Procedure: "procedure",
}


def check_unused(rules: Ruleset, diagnostics: Diagnostics) -> None:
    own = rules.sources[0].source
    used = _used(rules)
    for thing in _declared(rules):
        if thing.span.source is own and thing not in used:
            kind = _SPOKEN[type(thing)]
            diagnostics.warning("unused", f"the {kind} `{thing.name}` is never used", thing.span, "use it or drop it")
    _check_variables(rules, used, diagnostics)
    _check_events(rules, diagnostics)


def _declared(rules: Ruleset) -> Iterator[Option | Variable | ZoneFamily | Define | Procedure]:
    yield from rules.options.values()
    yield from (one for one in rules.variables if one is not rules.dealer)
    yield from rules.zones
    yield from (define for define in rules.defines.values() if not define.attribute)
    yield from rules.procedures.values()


def _roots(rules: Ruleset) -> Iterator[object]:
    """From where everything that is used is reached. Rankings may be asked from outside."""
    yield from (rules.play, *rules.decks, *rules.rankings.values())
    yield from (one for one in (rules.score, rules.won) if one is not None)
    yield from (measure.body for measure in rules.measures)
    yield from (script for strategy in rules.strategies.values() for script in strategy.scripts.values())
    yield from (one.expr for test in rules.tests for one in getattr(test, "expect", []))
    yield from (option.multiple_of for option in rules.options.values())
    yield from (family for family in rules.zones if family.start or (family.plays and rules.effects))
    yield from rules.effects
    yield from (one for one in (rules.when_chosen,) if one is not None)


def _used(rules: Ruleset) -> set[object]:
    """All declared things that are reached, and the roots."""
    used: set[object] = set()
    waiting = list(_roots(rules))
    while waiting:
        thing = waiting.pop()
        if thing not in used:
            used.add(thing)
            waiting += [named for node in walk(thing) for named in references(node)]
    return used


# ---- variables


def _check_variables(rules: Ruleset, used: set[object], diagnostics: Diagnostics) -> None:
    own = rules.sources[0].source
    read, written = _read_and_written(used)
    for variable in rules.variables:
        if variable.span.source is not own or variable not in used or variable is rules.dealer:
            continue
        if variable not in read and not variable.chips:
            hint = "read it somewhere, or drop it"
            diagnostics.warning("never-read", f"`{variable.name}` is set and never read", variable.span, hint)
        elif variable not in written and not _is_set_by_tests(rules, variable):
            hint = "set it in the play, or make it an option or a define"
            diagnostics.warning("never-set", f"`{variable.name}` never changes", variable.span, hint)


def _read_and_written(used: set[object]) -> tuple[set[Variable], set[Variable]]:
    nodes = list(walk(list(used)))
    targets = {place for node in nodes if isinstance(node, Statement) for place in _targets(node)}
    values = [node for node in nodes if isinstance(node, VariableValue)]
    read = {value.variable for value in values if value not in targets}
    return read, {value.variable for value in values if value in targets}


def _targets(statement: Statement) -> Iterator[Place | None]:
    """The places that a statement sets."""
    if isinstance(statement, Assign | Change | Choose | ChooseNumber | Call):
        yield statement.target
    elif isinstance(statement, Pay):
        yield from (statement.source, statement.to)


def _is_set_by_tests(rules: Ruleset, variable: Variable) -> bool:
    return any(name.rpartition(".")[2] == variable.name for test in rules.tests for name in getattr(test, "set", ()))


# ---- events


def _check_events(rules: Ruleset, diagnostics: Diagnostics) -> None:
    triggered = _triggered(rules)
    for event, at in _awaited(rules).items():
        if event not in triggered and at.source is rules.sources[0].source:
            _report_event(event, at, triggered, diagnostics)


def _awaited(rules: Ruleset) -> dict[str, Span]:
    """The events that measures and effects wait for, each with the first place that does."""
    measures = [(measure.event, measure.span) for measure in rules.measures if measure.event]
    effects = [(event, effect.span) for effect in rules.effects for event in effect.events]
    return dict(reversed([*measures, *effects]))


def _triggered(rules: Ruleset) -> set[str]:
    return {node.event for one in scripts(rules) for node in walk(one.body) if isinstance(node, Trigger)}


def _report_event(event: str, at: Span, triggered: set[str], diagnostics: Diagnostics) -> None:
    hint = did_you_mean(event, triggered) or f"write `trigger {event}` in the play"
    diagnostics.warning("unknown-event", f"the event `{event}` is never triggered", at, hint)
