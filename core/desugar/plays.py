"""Plays of cards with effects."""

from __future__ import annotations

from trionfi.core.desugar.function import Desugar

__all__ = ["trigger_plays"]


def trigger_plays(d: Desugar, event: str) -> None:
    """Runs `when EVENT` of every play in force, in the order of play."""
    if any(event in effect.events for effect in d.rules.effects):
        raise NotImplementedError
