"""Static passes over the checked tree: what can be said of a game before it is played."""

from __future__ import annotations

from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.tree import Ruleset

__all__ = ["analyse"]


def analyse(rules: Ruleset, diagnostics: Diagnostics) -> None:
    """Runs every pass; what it finds goes to the diagnostics."""
