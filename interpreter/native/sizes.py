"""Games that are too large for the native engine's words, its record, or the memory of a call.

What is counted here lies far above what is played at tables; whatever is beyond is the reference engine's. Nothing of
this needs LLVM, and little of it is worked out for a game of a usual size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trionfi.dsl.limits import MOST_CARDS
from trionfi.interpreter.errors import GameError

if TYPE_CHECKING:
    from trionfi.dsl import tree
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["too_large"]

MOST_SEATS = 22  # an entry has so many bits for those who knew a card (targets.py)
MOST_MEMBERS = 127  # a member is kept in a byte with its sign
MOST_ZONES = 32_767  # a zone's number in two bytes with their sign
MOST_CODES = 32_767  # of cards that effects may have altered (native/hands/cards.py)
MOST_CALLED = 32_767  # a rank's number in two bytes
MOST_TABLE = 16 << 20  # bytes of all zones
MOST_LISTS = 2 << 20  # bytes of all lists that scripts make, which lie in the memory of calls
MOST_IN_MELDS = 512  # cards: a meld is a mask of all
MOST_IN_HANDS = 1024  # cards that a ranking may choose from
LETTERS = 8  # of a text, at least, for each list that it makes


def too_large(rules: RulesData) -> list[str]:
    """Why a game is too large to be compiled, one reason for each."""
    ruleset = rules.ruleset
    owners = {"player": ruleset.players[1], "team": len(ruleset.teams), "suit": len(members_of(ruleset, "suit"))}
    zones = [owners.get(family.per, 1) * max(1, family.places) for family in ruleset.zones]
    called = [int(name) for name in members_of(ruleset, "rank") if name.isdecimal()]
    found = {
        f"more than {MOST_SEATS} players": ruleset.players[1] > MOST_SEATS,
        f"a kind of more than {MOST_MEMBERS} members": most_members(ruleset) > MOST_MEMBERS,
        f"ranks called by numbers above {MOST_CALLED}": max(called, default=0) > MOST_CALLED,
        f"effects on cards of more than {MOST_CODES} kinds": bool(ruleset.effects) and codes(ruleset) > MOST_CODES,
        f"more than {MOST_ZONES} zones": sum(zones) > MOST_ZONES,
    }
    reasons = [reason for reason, holds in found.items() if holds]
    # what follows reads how many cards there are
    return reasons or [*of_many_cards(rules, sum(zones))]


def members_of(ruleset: tree.Ruleset, name: str) -> list[str]:
    return list(ruleset.enumerations[name].members) if name in ruleset.enumerations else []


def most_members(ruleset: tree.Ruleset) -> int:
    kinds = [len(enumeration.members) for enumeration in ruleset.enumerations.values()]
    return max([*kinds, *(len(ranking.categories) for ranking in ruleset.rankings.values())], default=0)


def codes(ruleset: tree.Ruleset) -> int:
    """At most: for each deck, way up, rank and set of suits one, behind those of the cards as printed."""
    ranks, suits = (len(members_of(ruleset, name)) for name in ("rank", "suit"))
    return 2 * len(ruleset.faces) + (2 * len(ruleset.decks) * (ranks + 2) << min(suits, 32))


def of_many_cards(rules: RulesData, zones: int) -> list[str]:
    ruleset, usual = rules.ruleset, 2 * MOST_CARDS
    text = sum(len(span.source.text) for span in ruleset.sources)
    if zones * usual <= MOST_TABLE and text // LETTERS * usual <= MOST_LISTS and not ruleset.melds | ruleset.rankings:
        return []  # with however many cards
    cards = most_cards(rules)
    size = cards * (1 if cards < 256 else 2)
    found = {
        f"a table of more than {MOST_TABLE} bytes": zones * size > MOST_TABLE,
        f"melds of more than {MOST_IN_MELDS} cards": bool(ruleset.melds) and cards > MOST_IN_MELDS,
        f"hands of more than {MOST_IN_HANDS} cards": bool(ruleset.rankings) and cards > MOST_IN_HANDS,
        "scripts with too many lists of cards": text // LETTERS * size > MOST_LISTS
        and lists(ruleset) * size > MOST_LISTS,
    }
    return [reason for reason, holds in found.items() if holds]


def most_cards(rules: RulesData) -> int:
    """How many cards a game has, at the fewest or the most players."""
    from trionfi.interpreter.reference.before_play import deck_copies

    try:
        copies = [deck_copies(rules.ruleset, rules.values, players) for players in {*rules.players}]
    except GameError:
        return 0  # it is told where a game is started
    return max(sum(of_deck[face.deck] for face in rules.ruleset.faces) for of_deck in copies)


def lists(ruleset: tree.Ruleset) -> int:
    """How many expressions are lists of cards or zones."""
    from trionfi.dsl.tree import Expr, Node
    from trionfi.dsl.tree.walk import walk
    from trionfi.interpreter.native.engine import scripted

    roots = [*scripted(ruleset), ruleset.strategies, ruleset.measures, ruleset.score, ruleset.won]
    kinds = ("cards", "zones", "zone", "plays", "card")
    return sum(isinstance(node, Expr) and node.type.kind in kinds for node in walk(roots, into=Node))
