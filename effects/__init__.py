"""Card effects: the model of plays.

Functions of the list of plays and of the cards as they are without them say what is in force, with which targets, which
new targets are legal and what cards become; `Field` keeps a game's plays.

`docs/meaning.md`, Plays and effects, says what is computed here. No effect has code of its own.
"""

from __future__ import annotations

from trionfi.effects.altered import Application, altered, applications
from trionfi.effects.field import Field, Gone, Meaning
from trionfi.effects.look import Look
from trionfi.effects.plays import CardThing, Chosen, Play, Settled, Thing, Timed, has_targets, settle
from trionfi.effects.targets import Aims, NewTargets, can_meet, candidates

__all__ = [
    "Aims",
    "Application",
    "CardThing",
    "Chosen",
    "Field",
    "Gone",
    "Look",
    "Meaning",
    "NewTargets",
    "Play",
    "Settled",
    "Thing",
    "Timed",
    "altered",
    "applications",
    "can_meet",
    "candidates",
    "has_targets",
    "settle",
]
