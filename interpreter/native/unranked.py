"""Rankings by patterns that no compiled evaluator can do.

Whether an evaluator can be made shows for certain when it is made, which takes a while. Of most rankings it is plain to
see before; of the others the answer is kept beside the machine code, so that nobody plans an evaluator only to learn
whether there can be one.
"""

from __future__ import annotations

from typing import assert_never

from trionfi.dsl import tree
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands.reads import free_locals, nodes_below, reads, reads_local
from trionfi.interpreter.native.kept import load_object, module_key, save_object
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.seating import seating_of

__all__ = ["unranked"]

BITS = 63  # of a hand's strength


def unranked(rules: RulesData) -> list[str]:
    """What is not compiled of the rankings, one reason for each."""
    rankings = [one for one in rules.ruleset.rankings.values() if isinstance(one, tree.PatternRanking)]
    unsure = [one for one in rankings if not is_sure(rules.ruleset, one)]
    if not unsure:
        return []
    key = module_key(rules.ruleset, rules.values, {}, "unranked")
    notes, _ = load_object(key) or ({}, b"")
    if "unranked" not in notes:
        tried = ((one.name, why_not_made(rules, one)) for one in unsure)
        notes = {"unranked": [f"the ranking `{name}` ({why})" for name, why in tried if why]}
        save_object(key, notes, b"")
    return list(notes["unranked"])


def is_sure(ruleset: tree.Ruleset, ranking: tree.PatternRanking) -> bool:
    """Whether an evaluator can be made, beyond doubt."""
    read = reads([ranking])
    if ranking.qualifier is not None or read & {"table", "marks"} or (ruleset.effects and not read <= {"suit", "rank"}):
        return False
    if any(may_stop(node) or asks_of_others(node) for node in nodes_below([ranking])):
        return False
    widths = [width(ruleset, ranking, key) for key in ranking.order]
    known = [one for one in widths if one is not None]
    return "category" in {key.kind for key in ranking.order} and len(known) == len(widths) and sum(known) <= BITS


def may_stop(node: object) -> bool:
    """Whether there may be cards of which this has no value: evaluators read all cards of the game beforehand."""
    if isinstance(node, tree.Ordered | tree.Within):
        return (node.left if isinstance(node, tree.Ordered) else node.operand).type.kind != "number"
    if isinstance(node, tree.Arithmetic) and node.operator in ("/", "mod"):
        return not (isinstance(node.right, tree.Const) and node.right.value)
    return isinstance(node, tree.RankOf)


def asks_of_others(node: object) -> bool:
    """Whether a query asks of its things what hangs on other things, too."""
    if not isinstance(node, tree.Count | tree.Quantified | tree.Fold | tree.Select):
        return False
    asked = [getattr(node, name, None) for name in ("condition", "value", "key")]
    return bool(free_locals([node.domain.where, *asked]) - {node.domain.local})


def width(ruleset: tree.Ruleset, ranking: tree.PatternRanking, key: tree.OrderKey) -> int | None:
    """How many bits a key of the order takes; None where that is not plain to see."""
    widths = [width_of(ruleset, ranking, expression) for expression in key.expressions]
    known = [one for one in widths if one is not None]
    if len(known) < len(widths):
        return None
    match key.kind:
        case "category":
            return len(ranking.categories).bit_length()
        case "groups":  # of each how large it is, too
            return (sum(known) + ranking.high.bit_length()) * ranking.high
        case "value":
            return sum(known)
        case _:
            assert_never(key.kind)


def width_of(ruleset: tree.Ruleset, ranking: tree.PatternRanking, expression: tree.Expr) -> int | None:
    card, group, hand = ranking.locals[:3]
    if isinstance(expression, tree.Count | tree.Quantified):
        source = expression.domain.source
        source = source.source if isinstance(source, tree.CardsOf) else source
        over = isinstance(source, tree.LocalValue) and source.local in (group, hand)
        return ranking.high.bit_length() if over else None
    of_card_alone = reads_local([expression], card) and not any(reads_local([expression], one) for one in (group, hand))
    if of_card_alone and expression.type.kind == "truth":
        return 1
    if of_card_alone and expression.type.kind == "enum":
        return len(ruleset.enumerations[expression.type.name].members).bit_length()
    return None


def why_not_made(rules: RulesData, ranking: tree.PatternRanking) -> str:
    """Makes the evaluator; what stands against it, if that fails."""
    from trionfi.interpreter.native.hands.evaluator import Evaluator
    from trionfi.interpreter.native.module import CannotLower
    from trionfi.interpreter.native.table import cards_of

    if "marks" in reads([ranking]):
        return "it reads what is marked on cards in play"
    seating = seating_of(rules, rules.players[1])
    compiler, cards = seating.program.compiler, seating.table.cards
    distinct = all(cards.count(face) <= 1 for face in range(len(rules.ruleset.faces)))
    try:
        Evaluator(ranking, cards_of(compiler, distinct))
    except CannotLower as error:
        return str(error.__cause__ or error)
    except GameError as error:  # of a card that may never come to a hand
        return f"of a card {error.message}"
    return ""
