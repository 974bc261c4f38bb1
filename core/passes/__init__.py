"""Passes: each a function from core to core, small and by itself, with the verifier after it."""

from __future__ import annotations

from collections.abc import Callable

from trionfi.core.ir import Program
from trionfi.dsl.tree import Ruleset

__all__ = ["PASSES", "Pass"]

Pass = Callable[[Program, Ruleset], Program]

# By their names, in the order in which they run.
PASSES: dict[str, Pass] = {}
