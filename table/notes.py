"""What a card does when it is played, and what it has become: behind an option, or when a player asks."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.table.faces import Faces
from trionfi.table.model import Card

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset

__all__ = ["altered_lines", "effect_lines", "option_notes"]


def option_notes(ruleset: Ruleset, view: Mapping[str, Any], faces: Faces, labels: Sequence[str]) -> dict[str, str]:
    """The note of each label that has one. A label ends with the name of what it is about: `play The Star`,
    `The Fool as The Star`, `6 of Hearts`."""
    notes = {effect.name: effect.text for effect in ruleset.effects if effect.text}
    notes |= {card.key: f"now {card.altered}" for card in altered_cards(view, faces)}
    longest_first = sorted(notes, key=len, reverse=True)
    found = {}
    for label in labels:
        name = next((name for name in longest_first if f" {label}".endswith(f" {name}")), None)
        if name is not None:
            found[label] = notes[name]
    return found


def effect_lines(ruleset: Ruleset, names: Container[str]) -> Iterator[str]:
    """What the cards so called do."""
    for effect in ruleset.effects:
        if effect.text and effect.name in names:
            yield f"{effect.name}: {effect.text}"


def altered_lines(view: Mapping[str, Any], faces: Faces, names: Container[str]) -> Iterator[str]:
    """What the cards so called have become, and the plays that made them so."""
    for card in altered_cards(view, faces):
        if card.name in names:
            by = ", ".join(card.by)
            yield f"{card.key} is now {card.altered}{f': {by}' if by else ''}"


def altered_cards(view: Mapping[str, Any], faces: Faces) -> Iterator[Card]:
    """The cards that the viewer knows and that have become something else."""
    played = {play["number"]: play["name"] for play in view.get("plays", [])}
    for zone, changes in view.get("altered", {}).items():
        for number, change in zip(view["zones"][zone], changes, strict=True):
            if change is not None and number is not None:
                yield faces.card(number, change, None, played)
