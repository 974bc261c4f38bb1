"""What a card does when it is played, and what it has become: behind an option, or when a player asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.shell.cards import Cards, Seen

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset

__all__ = ["altered_lines", "effect_lines", "option_notes"]


def option_notes(ruleset: Ruleset, view: Mapping[str, Any], cards: Cards, labels: Sequence[str]) -> dict[str, str]:
    """The note of each label that has one. A label ends with the name of what it is about: `play The Star`,
    `The Fool as The Star`, `6 of Hearts`."""
    notes = {effect.name: effect.text for effect in ruleset.effects if effect.text}
    for seen in altered_cards(view):
        notes[cards.name(seen.number or 0)] = f"now {changed_words(seen, cards)}"
    longest_first = sorted(notes, key=len, reverse=True)
    found = {}
    for label in labels:
        name = next((name for name in longest_first if f" {label}".endswith(f" {name}")), None)
        if name is not None:
            found[label] = notes[name]
    return found


def effect_lines(ruleset: Ruleset, about: str) -> Iterator[str]:
    """What the cards do that have this in their names."""
    for effect in ruleset.effects:
        if effect.text and about and about.casefold() in effect.name.casefold():
            yield f"{effect.name}: {effect.text}"


def altered_lines(view: Mapping[str, Any], cards: Cards, about: str = "") -> Iterator[str]:
    """What the cards with this in their names have become, and the plays that made them so."""
    played = {play["number"]: f"{play['number']} {play['name']}" for play in view.get("plays", [])}
    for seen in altered_cards(view):
        name = cards.name(seen.number or 0)
        if about.casefold() in name.casefold():
            by = ", ".join(played[number] for number in (seen.altered or {})["plays"])
            yield f"{name} is now {changed_words(seen, cards)}{f': {by}' if by else ''}"


def altered_cards(view: Mapping[str, Any]) -> Iterator[Seen]:
    """The cards that the viewer knows and that have become something else."""
    for zone, changes in view.get("altered", {}).items():
        for number, change in zip(view["zones"][zone], changes, strict=True):
            if change is not None and number is not None:
                yield Seen(number, change)


def changed_words(seen: Seen, cards: Cards) -> str:
    """`6 of clubs`, `any rank of every suit`."""
    altered = seen.altered or {"rank": None, "suits": []}
    rank = {"any": "any rank", None: "no rank"}.get(altered["rank"], altered["rank"])
    every = len(altered["suits"]) == len(cards.suits) > 1
    return f"{rank} of {'every suit' if every else ' and '.join(altered['suits']) or 'no suit'}"
