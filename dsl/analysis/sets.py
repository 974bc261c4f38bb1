"""Sets that are chosen as wholes (`such that`): each choice lists them all, so there may not be too many."""

from __future__ import annotations

from math import comb

from trionfi.dsl.analysis.options_exist import room_in
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.known import Known, ends
from trionfi.dsl.limits import MOST_SETS
from trionfi.dsl.tree import Choose, Ruleset
from trionfi.dsl.tree.walk import scripts, walk

declare_codes({"too-many-sets": "What is chosen `such that` is one of 131,072 sets at most."})


def check_sets(rules: Ruleset, diagnostics: Diagnostics) -> None:
    known = _known(rules)
    for script in scripts(rules):
        for one in walk(script.body):
            if isinstance(one, Choose) and one.such_that is not None:
                _check(rules, known, one, diagnostics)


def sets_of(rules: Ruleset, one: Choose) -> int:
    """Among how many sets a choice `such that` is made at most."""
    return _sets(rules, _known(rules), one)


def most_chosen(rules: Ruleset, one: Choose) -> int | None:
    """How many things are chosen at most; None: as many as there are."""
    return _most_chosen(_known(rules), one)


def _most_chosen(known: Known, one: Choose) -> int | None:
    return ends(known.value(one.high))[1] if one.high is not None else None


def _known(rules: Ruleset) -> Known:
    return Known(options={option: option.default for option in rules.options.values()})


def _sets(rules: Ruleset, known: Known, one: Choose) -> int:
    room = room_in(one.domain.source)
    cards = len(rules.faces) if room is None else room
    most = _most_chosen(known, one)
    return sum(comb(cards, size) for size in range(min(cards, cards if most is None else most) + 1))


def _check(rules: Ruleset, known: Known, one: Choose, diagnostics: Diagnostics) -> None:
    sets = _sets(rules, known, one)
    if sets > MOST_SETS:
        message = f"`{one.decision}` may choose among {sets:,} sets, more than {MOST_SETS:,}"
        bounded = room_in(one.domain.source) is not None
        hint = "let fewer cards be chosen" if bounded else "give the zone a `capacity`, or let fewer cards be chosen"
        diagnostics.error("too-many-sets", message, one.low.span, hint)
