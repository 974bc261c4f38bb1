"""What there is in a game only: variables, zones, where cards lie. Not before play, and not of hands alone."""

from __future__ import annotations

from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.tree import (
    AllPlays,
    Attribute,
    CardNamed,
    ConditionRanking,
    Define,
    Domain,
    Expr,
    MeldSpec,
    Member,
    PatternRanking,
    Playable,
    Ruleset,
    Same,
    TotalSpec,
    VariableValue,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import parts, references, walk

__all__ = ["check_before_play", "of_a_game"]

declare_codes({"before-play": "What is read before play hangs on options and printed cards, not on a game."})

CALLED = Define | PatternRanking | ConditionRanking | TotalSpec | MeldSpec
OF_A_GAME = (VariableValue, ZoneValue, ZonesValue, AllPlays, Playable, CardNamed)
OF_CARDS_THAT_LIE = frozenset({"face", "owner", "zone", "depth"})


def check_before_play(rules: Ruleset, diagnostics: Diagnostics) -> None:
    """Starts of variables; copies and `keep` of decks."""
    read = {f"the start of `{variable.name}`": variable.start for variable in rules.variables}
    read |= {f"`copies` of the deck `{deck.name}`": deck.copies for deck in rules.decks}
    read |= {f"`keep` of the deck `{deck.name}`": deck.keep for deck in rules.decks}
    for what, expr in read.items():
        found = of_a_game([expr], rules)
        if expr is not None and found is not None:
            message = f"{what} is read before play, and `{found.span.text}` is of a game"
            diagnostics.error("before-play", message, expr.span, "set a variable in the play")


def of_a_game(roots: list[object], rules: Ruleset) -> Expr | Domain | None:
    """The first part of these nodes that is of a game, or of what they call."""
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        root = todo.pop()
        compared: set[int] = set()  # named cards of which only the face counts
        for node in walk(root):
            if isinstance(node, Same | Member):
                compared |= {id(one) for one in parts(node) if isinstance(one, CardNamed)}
            if id(node) not in compared and isinstance(node, Expr | Domain) and reads_a_game(node, rules):
                return node
            called = [one for one in references(node) if isinstance(one, CALLED) and id(one) not in seen]
            seen.update(map(id, called))
            todo += [part for one in called for part in parts(one)]
    return None


def reads_a_game(node: Expr | Domain, rules: Ruleset) -> bool:
    if isinstance(node, Attribute):
        return node.operand.type.kind == "card" and node.name in OF_CARDS_THAT_LIE
    if isinstance(node, Domain):
        # players come from the left of the dealer
        seats = node.noun == "player" and node.starting is None and rules.dealer is not None
        return node.source is None and (node.noun == "card" or seats)
    return isinstance(node, OF_A_GAME)
