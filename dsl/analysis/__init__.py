"""Static passes over the checked tree: what can be said of a game before it is played."""

from __future__ import annotations

from trionfi.dsl.analysis.capacity import check_capacity
from trionfi.dsl.analysis.extent import check_extent
from trionfi.dsl.analysis.knowledge import check_knowledge
from trionfi.dsl.analysis.loops import check_loops
from trionfi.dsl.analysis.of_a_game import check_before_play
from trionfi.dsl.analysis.options_exist import check_options_exist
from trionfi.dsl.analysis.peeking import check_peeking
from trionfi.dsl.analysis.plays import check_plays
from trionfi.dsl.analysis.sets import check_sets
from trionfi.dsl.analysis.unused import check_unused
from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.tree import Ruleset

__all__ = ["analyse"]

_PASSES = (
    check_before_play,
    check_capacity,
    check_knowledge,
    check_loops,
    check_options_exist,
    check_peeking,
    check_plays,
    check_sets,
    check_unused,
)


def analyse(rules: Ruleset, diagnostics: Diagnostics) -> None:
    """Runs every pass; what it finds goes to the diagnostics. The others can bear what `check_extent` lets through."""
    if not check_extent(rules, diagnostics):
        return
    for check_pass in _PASSES:
        check_pass(rules, diagnostics)
