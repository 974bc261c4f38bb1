"""Card effects: the model of plays, pure functions of the list of plays and of the cards as they are without them.

`docs/meaning.md`, Plays and effects, says what is computed here. No effect has code of its own.
"""

from __future__ import annotations

from trionfi.effects.altered import Application, Look, altered, applications
from trionfi.effects.plays import CardThing, Play, Settled, Thing, Timed, has_targets, settle

__all__ = [
    "Application",
    "CardThing",
    "Look",
    "Play",
    "Settled",
    "Thing",
    "Timed",
    "altered",
    "applications",
    "has_targets",
    "settle",
]
