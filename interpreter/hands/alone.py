"""Hands without a game: what of a ranking, total or meld asks for more than the cards of the hand."""

from __future__ import annotations

from trionfi.dsl.analysis.walk import body_of, children, named, walk
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
from trionfi.interpreter.hands.reading import HandError

__all__ = ["check_alone"]

Spec = PatternRanking | ConditionRanking | TotalSpec | MeldSpec
OF_A_GAME = (VariableValue, ZoneValue, ZonesValue, AllPlays, Playable, CardNamed)
OF_CARDS_THAT_LIE = frozenset({"face", "owner", "zone", "depth"})


def check_alone(spec: Spec, ruleset: Ruleset) -> None:
    """Raises HandError if hands can be asked for this in a game only."""
    found = of_a_game(spec, ruleset)
    if found is not None:
        raise HandError(f"`{spec.name}` reads `{found.span.text}`, which there is in a game only ({found.span})")


def of_a_game(spec: Spec, ruleset: Ruleset) -> Expr | Domain | None:
    """What it reads of a game, itself or through what it calls."""
    seen: set[int] = set()
    todo: list[object] = [spec]
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        compared: set[int] = set()  # named cards of which only the face counts
        for node in walk(body_of(thing)):
            if isinstance(node, Same | Member):
                compared |= {id(one) for one in children(node) if isinstance(one, CardNamed)}
            if id(node) not in compared and isinstance(node, Expr | Domain) and reads_a_game(node, ruleset):
                return node
            todo += [one for one in named(node) if isinstance(one, Define | Spec)]
    return None


def reads_a_game(node: Expr | Domain, ruleset: Ruleset) -> bool:
    if isinstance(node, Attribute):
        return node.operand.type.kind == "card" and node.name in OF_CARDS_THAT_LIE
    if isinstance(node, Domain):
        # players come from the left of the dealer
        seats = node.noun == "player" and node.starting is None and ruleset.dealer is not None
        return node.source is None and (node.noun == "card" or seats)
    return isinstance(node, OF_A_GAME)
