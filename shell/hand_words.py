"""Hands as they are typed: cards in words, parts of a hand, two hands beside one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError

if TYPE_CHECKING:
    from trionfi.dsl.tree import ConditionRanking, PatternRanking

__all__ = ["HAND_NAMES", "begun_parts", "hands_apart", "hands_of"]

VERSUS = "--vs"
HAND_NAMES = ("the first hand", "the second hand")


def hands_of(words: Sequence[str], spec: PatternRanking | ConditionRanking) -> list[list[Any]]:
    """The parts of one hand or of two, as `rules.rank` takes them."""
    return [parts_of(part, spec) for part in hands_apart(words)]


def hands_apart(words: Sequence[str]) -> list[Sequence[str]]:
    """The words of one hand, or of two that --vs parts."""
    stranger = next((word for word in words if word.startswith("-") and word != VERSUS), None)
    if stranger:
        raise CallError(f"there is no option `{stranger}`")
    if VERSUS not in words:
        return [words]
    at = words.index(VERSUS)
    if VERSUS in words[at + 1 :]:
        raise CallError("--vs compares two hands, not more")
    return [words[:at], words[at + 1 :]]


def parts_of(words: Sequence[str], spec: PatternRanking | ConditionRanking) -> list[Any]:
    """Cards as one part, or parts begun by `NAME=` (a parameter) or `2=` (exactly two of these)."""
    parts = list(begun_parts(words))
    if not parts:
        raise CallError("a hand has cards: a card was left out before or after --vs")
    parameters = [local.name for local in getattr(spec, "parameters", [])]
    if parameters:
        return [by_parameter(parts, parameters)[name] for name in parameters]
    return [(cards, int(title)) if title else cards for title, cards in map(numbered, parts)]


def begun_parts(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """What each part is called (empty: not at all) and its cards; a word may hold several with commas."""
    title = ""
    cards: list[str] = []
    for word in words:
        start, equals, listed = word.rpartition("=")
        if equals:
            if title or cards:
                yield title, cards
            title, cards = start.strip(), []
        cards += [card.strip() for card in listed.split(",") if card.strip()]
    if title or cards:
        yield title, cards


def numbered(part: tuple[str, list[str]]) -> tuple[str, list[str]]:
    if part[0] and not part[0].isdecimal():
        raise CallError(f'`{part[0]}=` is no part of a hand here; 2="..." means exactly two of these cards')
    return part


def by_parameter(parts: Sequence[tuple[str, list[str]]], names: Sequence[str]) -> dict[str, list[str]]:
    found = dict(parts)
    if set(found) != set(names) or len(found) != len(parts):
        example = " ".join(f'{name}="..."' for name in names)
        raise CallError(f"this ranking wants its cards as {example}")
    return found
