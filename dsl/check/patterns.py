"""Patterns: the facts of a category, and properties of cards by their names."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from trionfi.dsl.check.context import UNKNOWN, Context, Frame
from trionfi.dsl.check.dispatch import truth
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.nodes import Mapping, Node, Scalar, Sequence
from trionfi.dsl.numbers import TOO_LARGE, read_whole, shortened
from trionfi.dsl.script import Slot, parse_slot
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    AllPlays,
    Attribute,
    CallDefine,
    CardProperty,
    Define,
    Expr,
    Fact,
    Local,
    LocalValue,
    Mark,
    MarkValue,
    VariableValue,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import walk
from trionfi.dsl.types import CARD, DECK, NUMBER, ORIENTATION, RANK, SUIT, TRUTH, Type, enum

declare_codes(
    {
        "unknown-property": "Patterns speak of attributes of cards, or of defines of one card.",
        "property-type": "What all or some cards of a hand are is a truth.",
        "pattern-needs": "`alike` and `run` in a pattern need a line of their own in the ranking.",
        "pattern-amount": "A number of cards goes from the lower to the higher.",
        "pattern-condition": "Whether a fact counts hangs on options alone.",
        "pattern-plural": "What is different among cards is named in the plural.",
        "pattern-impossible": "Some hand can have what a fact asks for.",
        "pattern-of-hand": "What is asked of whole hands is not asked of melds.",
    }
)

_PRINTED: dict[str, Type] = {
    "suit": SUIT,
    "rank": RANK,
    "orientation": ORIENTATION,
    "number": NUMBER,
    "deck": DECK,
    "colour": enum("colour"),
}

Part = Tree[Token]
_OF_PLAY = (VariableValue, ZoneValue, ZonesValue, AllPlays)


def read_property(context: Context, name: str, span: Span) -> CardProperty | None:
    """A value read off a card, by its name: `rank`, `poker_rank`, `major`."""
    card = Local("card", CARD, 0, span)
    expr = _property(context, name, span, LocalValue(CARD, span, card))
    if expr is None:
        known = [*_PRINTED, *context.names.belongings.get("card", {})]
        context.diagnostics.error(
            "unknown-property", f"cards have no attribute `{name}`", span, did_you_mean(name, known)
        )
        return None
    return CardProperty(name, card, expr, [card]) if expr.type != UNKNOWN else None


def _property(context: Context, name: str, span: Span, card: Expr) -> Expr | None:
    if name in _PRINTED:
        return Attribute(_PRINTED[name], span, name, card)
    thing = context.names.belonging("card", name)
    if thing is None:
        entry = context.names.globals.get(name)
        thing = entry.thing if entry else None
    if isinstance(thing, Mark):
        return MarkValue(thing.type, span, thing, card)
    if isinstance(thing, Define) and [parameter.type for parameter in thing.parameters] == [CARD]:
        return CallDefine(context.settle(thing, span), span, thing, [card])
    return None


def read_pattern(context: Context, slot: Scalar, ranking: Mapping, most: int | None = None) -> list[Fact]:
    """The facts of a category of a ranking (or meld), all about the same cards. `most`: the cards of a hand; none of a
    meld."""
    parsed = parse_slot("pattern", slot, context.diagnostics)
    if parsed is None:
        return []
    facts = []
    for part in parsed.tree.children:
        fact = _fact(context, parsed, cast(Part, part))
        if fact is not None:
            facts.append(fact)
            _check_needs(context, fact, ranking)
            _check_possible(context, fact, most)
    _check_rest(context, facts)
    return facts


def _fact(context: Context, slot: Slot, part: Part) -> Fact | None:
    said, condition = part.children
    tree = cast(Part, said)
    fact = Fact("anything", slot.span(tree if tree.children else part))
    for child in tree.children:
        if isinstance(child, Token):
            name, at = str(child), slot.span(child)
        elif child is tree.children[0]:
            fact.low, fact.high = _amount(context, slot, child) or (1, 1)
        else:
            _read_each(context, slot, child, fact)
    if not _READERS[tree.data](context, fact, *((name, at) if tree.data in _WITH_NAME else ("", fact.span))):
        return None
    if condition is not None:
        fact.condition = _condition(context, slot, cast(Part, condition))
    return fact


def _read_each(context: Context, slot: Slot, tree: Part, fact: Fact) -> None:
    """How many cards each group of a run has."""
    amount = _amount(context, slot, tree)
    if amount is None:
        return
    fact.each, most = amount
    if fact.each < most:
        hint = f"write `{fact.each}`"
        context.diagnostics.error("pattern-amount", "all groups of a run have one size", slot.span(tree), hint)
    elif fact.each < 2:
        hint = f"write `run of {_counted(fact)}`"
        context.diagnostics.error("pattern-impossible", "a group is two cards alike or more", fact.span, hint)


def _amount(context: Context, slot: Slot, tree: Part) -> tuple[int, int] | None:
    """From how many to how many; none if that is no number."""
    written = [str(child) for child in tree.children if child is not None]
    numbers = [number for one in written if (number := read_whole(one)) is not None]
    if len(numbers) < len(written):
        message = f"{shortened(max(written, key=len))} has more than 64 bits"
        context.diagnostics.error("large-number", message, slot.span(tree), TOO_LARGE)
        return None
    if numbers[0] > numbers[-1]:
        message = f"{numbers[0]} is more than {numbers[-1]}"
        context.diagnostics.error("pattern-amount", message, slot.span(tree))
    return numbers[0], numbers[-1]


def _read_alike(context: Context, fact: Fact, name: str, at: Span) -> bool:
    fact.kind = "alike"
    return True


def _read_run(context: Context, fact: Fact, name: str, at: Span) -> bool:
    fact.kind = "run"
    return True


def _read_anything(context: Context, fact: Fact, name: str, at: Span) -> bool:
    return True


def _read_rest(context: Context, fact: Fact, name: str, at: Span) -> bool:
    fact.kind = "nothing else"
    return True


def _read_same(context: Context, fact: Fact, name: str, at: Span) -> bool:
    fact.kind, fact.property = "same", read_property(context, name, at)
    return fact.property is not None


def _read_exactly(context: Context, fact: Fact, name: str, at: Span) -> bool:
    """`5 cards`, or `2 trumps`: so many of them are."""
    if name in ("card", "cards"):
        fact.kind = "cards"
        return True
    fact.kind = "are"
    return _read_truth(context, fact, name, at)


def _read_all(context: Context, fact: Fact, name: str, at: Span) -> bool:
    fact.kind = "all"
    return _read_truth(context, fact, name, at)


def _read_truth(context: Context, fact: Fact, name: str, at: Span) -> bool:
    """A truth of cards, named in the plural (`majors`) or as it is."""
    singular = name.removesuffix("s")
    card = LocalValue(CARD, at, Local("card", CARD, 0, at))
    known = _property(context, name, at, card) is not None
    fact.property = read_property(context, name if known else singular, at)
    if fact.property is not None and fact.property.expr.type != TRUTH:
        message = f"`{fact.property.name}` is {spoken(fact.property.expr.type)}, not a truth"
        hint = "write a define that asks: `red(card): card.colour is red`"
        context.diagnostics.error("property-type", message, at, hint)
        return False
    return fact.property is not None


def _read_different(context: Context, fact: Fact, name: str, at: Span) -> bool:
    """`5 different ranks`: of a property, named in the plural."""
    fact.kind = "different"
    singulars = [name.removesuffix(end) + put for end, put in _PLURALS if name.endswith(end)]
    known = [one for one in singulars if _is_known(context, one, at)]
    if not known and fact.high != 1 and _is_known(context, name, at):
        hint = f"write `{name}{'es' if name.endswith('s') else 's'}`"
        context.diagnostics.error("pattern-plural", f"what is different is named in the plural, not `{name}`", at, hint)
        return False
    fact.property = read_property(context, known[0] if known else name, at)
    return fact.property is not None


def _is_known(context: Context, name: str, at: Span) -> bool:
    return _property(context, name, at, LocalValue(CARD, at, Local("card", CARD, 0, at))) is not None


def _counted(fact: Fact) -> str:
    return f"{fact.low}" if fact.low == fact.high else f"{fact.low}..{fact.high}"


_PLURALS = (("ies", "y"), ("es", ""), ("s", ""))
_READERS = {
    "alike": _read_alike,
    "run": _read_run,
    "run_of_groups": _read_run,
    "different": _read_different,
    "nothing_else": _read_rest,
    "same": _read_same,
    "exactly": _read_exactly,
    "all_are": _read_all,
    "anything": _read_anything,
}
_WITH_NAME = frozenset({"same", "exactly", "all_are", "different"})


def _condition(context: Context, slot: Slot, tree: Part) -> Expr | None:
    frame = Frame(context)
    with frame.reading(slot):
        condition = truth(frame, tree)
    if condition is not None and (frame.locals or any(isinstance(one, _OF_PLAY) for one in walk(condition))):
        message = "a fact of a pattern hangs on options, not on cards or players"
        context.diagnostics.error("pattern-condition", message, condition.span)
        return None
    return condition


def _check_needs(context: Context, fact: Fact, ranking: Mapping) -> None:
    if (fact.kind == "alike" or fact.each > 1) and not _says_something(ranking.get("alike")):
        hint = "write `alike: [rank]` beside the categories"
        context.diagnostics.error("pattern-needs", "nothing says in what cards are alike", fact.span, hint)
    if fact.kind == "run" and "run" not in ranking:
        hint = "write `run: {by: rank}` beside the categories"
        context.diagnostics.error("pattern-needs", "nothing says how runs go", fact.span, hint)


def _check_possible(context: Context, fact: Fact, most: int | None) -> None:
    """What newer facts ask for can be in some hand; older ones have always been taken as they are."""
    if fact.kind not in ("different", "nothing else") and fact.each == 1:
        return
    if most is None:
        message = f"`{fact.span.text}` is asked of the hands of rankings, not of melds"
        context.diagnostics.error("pattern-of-hand", message, fact.span)
        return
    wrong = _impossible(context, fact, most) if fact.kind != "nothing else" else ""
    if wrong:
        context.diagnostics.error("pattern-impossible", wrong, fact.span)


def _impossible(context: Context, fact: Fact, most: int) -> str:
    """What stands against it; empty if nothing does."""
    along = RANK if fact.property is None else fact.property.expr.type
    there = 2 if along == TRUTH else len(context.members(along)) if along.kind == "enum" else fact.low
    cards = fact.low * fact.each
    if fact.high < 1:
        return "every hand has some" if fact.kind == "different" else "a run has one group or more"
    if fact.low > fact.high:  # told already
        return ""
    if fact.low > there:
        return f"there are {there} of them in this game"
    return f"this takes {cards} cards, and a hand has up to {most}" if cards > most > 0 else ""


def _check_rest(context: Context, facts: list[Fact]) -> None:
    rest = [fact for fact in facts if fact.kind == "nothing else"]
    if rest and not any(fact.kind in ("alike", "run") for fact in facts):
        message = "`nothing else` stands beside parts that the hand has, and none is named"
        hint = "write `3 alike, nothing else`"
        context.diagnostics.error("pattern-impossible", message, rest[0].span, hint)


def _says_something(node: Node | None) -> bool:
    """An empty list names no property, and by no property all cards would be alike."""
    return node is not None and not (isinstance(node, Sequence) and not node.items)
