"""Where plays lie in the record: what is noted of each, of things that they are aimed at, and of cards through them.

A *thing* that is aimed at is a word: a card with its life 16 bits up, or a play's number below 0. The things of all
plays stand in slots one behind the other; beside each stands what it is *now*, and since when. Behind the chosen things
of a play that gives new targets there is a block for each play that it names: its number, then its new things, as many
as it has.
"""

from __future__ import annotations

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import I8, I16, I32, I64

__all__ = [
    "EVERY_RANK",
    "GONE",
    "KNOWN",
    "MOST_SLOTS",
    "PLAY",
    "SLOTS",
    "UNSETTLED",
    "all_suits",
    "most_plays",
    "most_targets",
    "most_things",
    "play_fields",
    "plays_family",
]

Planned = tuple[str, ir.IntType, int]  # a field of the record: its name, of what kind and how many things

MOST_SLOTS = 1024
EVERY_RANK = -2  # of a card's rank now; -1: none
UNSETTLED = -1  # the life of a play's card while it is being played
GONE, KNOWN = 40, 41  # bits of an option about a card that has gone, and who knew it then

PLAY = {
    "player": I8,
    "card": I16,
    "text": I16,
    "ended": I8,
    "in force": I8,
    "lasting": I8,  # whether a lasting part of it names a target
    "life": I32,
    "start": I32,  # the first slot of its things
    "total": I16,  # how many things
    "blocks": I16,  # how many plays it gives new things
}


def plays_family(rules: tree.Ruleset) -> tree.ZoneFamily:
    return next(family for family in rules.zones if family.shape == "plays")


def most_plays(rules: tree.Ruleset) -> int:
    return plays_family(rules).plays


def most_targets(rules: tree.Ruleset) -> int:
    """How many `targets` an effect has at most."""
    return max(1, *(len(effect.targets) for effect in rules.effects))


def most_things(rules: tree.Ruleset, cards: int) -> int:
    """How many things a play can be aimed at and give to others, as far as there is room for them."""
    plays, of_effect = most_plays(rules), [most_chosen(effect, cards, most_plays(rules)) for effect in rules.effects]
    lasting = [most for effect, most in zip(rules.effects, of_effect, strict=True) if effect.lasting]
    listed = max(of_effect) + plays * max(lasting, default=0)
    return max(64, 2 * cards, 2 * plays, min(listed, MOST_SLOTS))


def most_chosen(effect: tree.Effect, cards: int, plays: int) -> int:
    """How many things an effect can be aimed at."""
    return sum(most_of(targets, cards if targets.domain.noun == "card" else plays) for targets in effect.targets)


def most_of(targets: tree.Targets, there_are: int) -> int:
    high = targets.high.value if isinstance(targets.high, tree.Const) else None
    return min(high, there_are) if isinstance(high, int) else there_are


def all_suits(rules: tree.Ruleset) -> int:
    return (1 << len(rules.enumerations["suit"].members)) - 1


def play_fields(rules: tree.Ruleset, cards: int) -> list[Planned]:
    """What a game with effects notes of cards and plays."""
    plays = most_plays(rules)
    of_cards = (("life", I32), ("named", I8), ("suits now", I32), ("rank now", I16), ("altered", I16))
    return [
        *((name, kind, cards) for name, kind in of_cards),
        *((f"own mark {mark.name}", I8, cards) for mark in rules.marks),
        *((name, I64, 1) for name in ("plays", "slots", "altered count")),
        *((f"play {name}", kind, plays) for name, kind in PLAY.items()),
        ("play aimed", I16, plays * most_targets(rules)),
    ]


# They need not be set when a game begins.
SLOTS: list[Planned] = [
    ("thing", I64, MOST_SLOTS),
    ("now", I64, MOST_SLOTS),
    ("since", I16, MOST_SLOTS),
    ("gone known", I32, MOST_SLOTS),
]
