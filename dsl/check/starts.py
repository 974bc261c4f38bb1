"""What variables hold at the start where a call says so, beside its options: `p1.chips=50`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from trionfi.dsl.check.options import as_written, read_value
from trionfi.dsl.diagnostics import Diagnostic, did_you_mean
from trionfi.dsl.tree import Enumeration, Option, Ruleset, Variable
from trionfi.dsl.types import PLAYER

__all__ = ["Starts", "is_start", "set_starts"]

# By the number of a variable and of its owner.
Starts = dict[tuple[int, int], object]

_SETTABLE = frozenset({"number", "truth", "fraction", "enum", "player"})
_SEAT = re.compile(r"p([1-9][0-9]?)")
_TEAM = re.compile(r"team([1-9][0-9]?)")


def is_start(rules: Ruleset, name: str) -> bool:
    """Whether a name that is set is that of a variable and none of an option."""
    return name not in rules.options and ("." in name or any(one.name == name for one in rules.variables))


def set_starts(rules: Ruleset, given: Mapping[str, object]) -> tuple[Starts, list[Diagnostic]]:
    """The values of variables that are set by name, and what is wrong with others."""
    starts: Starts = {}
    problems: list[Diagnostic] = []
    for name, value in given.items():
        found = _start_of(rules, name, as_written(value))
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            starts[found[0]] = found[1]
    return starts, problems


def _start_of(rules: Ruleset, name: str, written: str) -> tuple[tuple[int, int], object] | Diagnostic:
    owner, _, last = name.rpartition(".")
    of_that_name = [one for one in rules.variables if one.name == last]
    for variable in of_that_name:
        place = _place_of(rules, variable, owner)
        if place is not None:
            value = _value_of(rules, variable, name, written)
            return value if isinstance(value, Diagnostic) else ((variable.index, place), value)
    if of_that_name:
        known = [f"{owners}.{last}" for one in of_that_name for owners in list(owners_of(rules, one))[:4]]
        hint = f"it is called {', '.join(known)}" if known else f"it is called {last}"
    else:
        hint = did_you_mean(last, [one.name for one in rules.variables])
    return _wrong(rules, "no-such-option", f"there is no variable `{name}`", hint)


def _place_of(rules: Ruleset, variable: Variable, owner: str) -> int | None:
    """The number of the owner that a text names; None for one who has no such variable."""
    if not variable.per:
        return None if owner else 0
    names = list(owners_of(rules, variable))
    return names.index(owner) if owner in names else None


def owners_of(rules: Ruleset, variable: Variable) -> Iterator[str]:
    """What has one each, in order; places of zones are not called by name here."""
    match variable.per:
        case "player":
            yield from (f"p{seat + 1}" for seat in range(rules.players[1]))
        case "team":
            yield from (f"team{team + 1}" for team in range(len(rules.teams)))
        case "suit":
            yield from rules.enumerations["suit"].members
        case "kind":
            yield from rules.enumerations[variable.per_kind].members


def _value_of(rules: Ruleset, variable: Variable, name: str, written: str) -> object:
    if variable.type.kind not in _SETTABLE:
        return _wrong(rules, "option-value", f"`{name}` holds {variable.type}, which cannot be set from outside")
    kind = rules.enumerations.get(variable.type.name) if variable.type.kind == "enum" else None
    if variable.type == PLAYER:
        seats = [f"p{seat + 1}" for seat in range(rules.players[1])]
        if written in seats:
            return seats.index(written)
        return _wrong(rules, "option-value", f"`{name}` is one of {', '.join(seats)}, not `{written}`")
    as_option = Option(name, variable.type, None, variable.span)
    found = read_value(as_option, _word(kind, written), kind.members if kind else [])
    is_sentence = isinstance(found, str)
    if is_sentence or (variable.chips and isinstance(found, int) and found < 0 and not variable.may_owe):
        return _wrong(
            rules, "option-value", str(found) if is_sentence else f"`{name}` cannot be below 0: chips are paid"
        )
    return found


def _word(kind: Enumeration | None, written: str) -> str:
    """A word by its label, too."""
    labels = {} if kind is None else {label: kind.members[place] for place, label in kind.labels.items()}
    return labels.get(written, written)


def _wrong(rules: Ruleset, code: str, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, message, rules.sources[0], "error", hint)


def seats_wanted(rules: Ruleset, starts: Starts) -> int:
    """How many must be seated for all that is set."""
    owners = [owner + 1 for (place, owner) in starts if rules.variables[place].per == "player"]
    named = [value + 1 for (place, _), value in starts.items() if _is_seat(rules, place) and isinstance(value, int)]
    return max([1, *owners, *named])


def _is_seat(rules: Ruleset, place: int) -> bool:
    return rules.variables[place].type == PLAYER
