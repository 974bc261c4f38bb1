"""Rankings, totals and melds: first their names and categories, later, with all names known, what they say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame
from trionfi.dsl.check.dispatch import Part, infer
from trionfi.dsl.check.fields import entries, mapping_of, missing, one_of, whole_number, words, wrong
from trionfi.dsl.check.patterns import read_pattern, read_property
from trionfi.dsl.check.slots import SlotSignature
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.limits import MOST_CARDS_OF_HAND
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.nodes import Sequence as ListNode
from trionfi.dsl.script import parse_slot
from trionfi.dsl.tree import (
    CallDefine,
    CardProperty,
    Category,
    ConditionRanking,
    Define,
    Expr,
    Local,
    LocalValue,
    MeldSpec,
    OrderKey,
    PatternRanking,
    Run,
    TotalSpec,
)
from trionfi.dsl.types import CARD, CARDS, NUMBER, RANK

declare_codes(
    {
        "hand-size": "A pattern ranking says of how many cards a hand is.",
        "last-category": "The last category of a ranking by conditions is `else`, and no other is.",
        "ranking-column": "A category has its pattern or condition under `hand`; further columns are numbers.",
        "order-key": "Hands are ordered by `category`, by `groups by ...`, or by something that can be compared.",
        "run-by-rank": "Runs go along ranks.",
        "total-signature": "The values of a total are those of one card: `values(card)`.",
    }
)

_HAND_SIZE = re.compile(r"(?:([0-9]+)\s*\.\.\s*)?([0-9]+)\s+cards?")
_COMPARABLE = frozenset({"number", "truth", "enum", "hand", "category", "fraction"})

Later = Callable[[], None]


@dataclass(slots=True)
class Declared:
    """What a section of rankings, totals or melds gives, and what is to be read once all names are known."""

    rankings: dict[str, PatternRanking | ConditionRanking]
    totals: dict[str, TotalSpec]
    melds: dict[str, MeldSpec]
    defines: list[Define]
    later: list[Later]


def declare_hands(context: Context, sections: dict[str, Node]) -> Declared:
    """The rankings, totals and melds of a game, by name."""
    declared = Declared({}, {}, {}, [], [])
    for entry in entries(sections.get("rankings")):
        _declare_ranking(context, entry, declared)
    for entry in entries(sections.get("totals")):
        _declare_total(context, entry, declared)
    for entry in entries(sections.get("melds")):
        _declare_meld(context, entry, declared)
    return declared


# ---- rankings


def _declare_ranking(context: Context, entry: Entry, declared: Declared) -> None:
    signature = slots.signature(context, entry.key)
    node = mapping_of(context, entry.value, f"the ranking `{entry.key.text}`")
    if signature is None or node is None:
        return
    categories = _categories(context, signature.name, node)
    if signature.called:
        _declare_conditions(context, signature, node, categories, declared)
    else:
        _declare_patterns(context, signature, node, categories, declared)


def _categories(context: Context, name: str, node: Mapping) -> list[Category]:
    """The categories with their further columns; what they ask is read later."""
    section = node.get("categories")
    if section is None:
        missing(context, node, name, "categories")
    _check_moves(context, node)
    return [
        Category(entry.key.text.strip(), [], _columns(context, entry.value), entry.key.span)
        for entry in _in_order(node)
    ]


def _in_order(node: Mapping) -> list[Entry]:
    """The categories of a ranking, best first: as they are listed, then as `above` moves them, one after another."""
    listed = list(entries(node.get("categories")))
    for moved, target in _moves(node):
        named = {entry.key.text.strip(): entry for entry in listed}
        if moved.text.strip() in named and target.text.strip() in named and moved.text.strip() != target.text.strip():
            listed.remove(named[moved.text.strip()])
            listed.insert(listed.index(named[target.text.strip()]), named[moved.text.strip()])
    return listed


def _moves(node: Mapping) -> list[tuple[Scalar, Scalar]]:
    """`above: {Flush: Full House}`: what is moved, and what then comes next."""
    return [(one.key, one.value) for one in entries(node.get("above")) if isinstance(one.value, Scalar)]


def _check_moves(context: Context, node: Mapping) -> None:
    known = [entry.key.text.strip() for entry in entries(node.get("categories"))]
    for name in (name for move in _moves(node) for name in move):
        if name.text.strip() not in known:
            context.unknown_name(name.text.strip(), name.span, known, "category")
    for moved, target in _moves(node):
        if moved.text.strip() == target.text.strip():
            wrong(context, target, f"`{moved.text.strip()}` cannot stand above itself")


def _columns(context: Context, node: Node) -> dict[str, int]:
    columns = {}
    for entry in entries(node):
        if entry.key.text != "hand":
            value = whole_number(context, entry.value, f"the column `{entry.key.text}`")
            columns[entry.key.text.strip()] = value or 0
    return columns


def _hand_of(context: Context, entry: Entry) -> Scalar | None:
    """The pattern or condition of a category: its text, or what stands under `hand`."""
    node = entry.value
    if isinstance(node, Mapping):
        node = node.get("hand") or node
    if isinstance(node, Scalar) and node.text.strip():
        return node
    message = f"the category `{entry.key.text}` has no pattern or condition"
    context.diagnostics.error("ranking-column", message, entry.key.span, "write `{hand: ..., points: 1}`")
    return None


# ---- by patterns


def _declare_patterns(
    context: Context, signature: SlotSignature, node: Mapping, categories: list[Category], declared: Declared
) -> None:
    low, high = _hand_size(context, signature, node)
    frame = Frame(context)
    for name, type in (("card", CARD), ("group", CARDS), ("hand", CARDS)):
        frame.add(name, type, signature.span, soft=True)
    ranking = PatternRanking(signature.name, low, high, [], None, categories, [], frame.locals, signature.span)
    if context.names.declare(signature.name, ranking, signature.span):
        declared.rankings[signature.name] = ranking
        declared.later.append(lambda: _finish_patterns(context, ranking, node, frame))


def _hand_size(context: Context, signature: SlotSignature, node: Mapping) -> tuple[int, int]:
    of = node.get("of")
    if of is None:
        missing(context, node, signature.name, "of", "write `of: 5 cards`")
        return 0, 0
    match = _HAND_SIZE.fullmatch(of.text.strip()) if isinstance(of, Scalar) else None
    if match is None:
        wrong(context, of, "`of` says how many cards a hand has, such as `5 cards` or `0..5 cards`")
        return 0, 0
    high = int(match[2])
    low = int(match[1]) if match[1] else high
    if low > high or high > MOST_CARDS_OF_HAND:
        message = f"a hand has up to {MOST_CARDS_OF_HAND} cards, from the lower to the higher number"
        context.diagnostics.error("hand-size", message, of.span)
    return low, high


def _finish_patterns(context: Context, ranking: PatternRanking, node: Mapping, frame: Frame) -> None:
    ranking.alike = _alike(context, node)
    ranking.run = _run(context, node.get("run"))
    for category, entry in zip(ranking.categories, _in_order(node), strict=True):
        slot = _hand_of(context, entry)
        if slot is not None:
            category.facts = read_pattern(context, slot, node, ranking.high)
    ranking.order = _order(context, node.get("order"), frame)
    ranking.wild = _asked(context, node.get("wild"), frame)
    ranking.wild_suit = _asked(context, node.get("wild suit"), frame)
    ranking.qualifier = _asked(context, node.get("qualifier"), frame)
    ranking.best_low = one_of(context, node.get("best"), "`best`", ["high", "low"]) == "low"
    ranking.locals = frame.locals


def _asked(context: Context, slot: Node | None, frame: Frame) -> Expr | None:
    return slots.condition(context, slot, frame) if isinstance(slot, Scalar) else None


def _alike(context: Context, node: Mapping) -> list[CardProperty]:
    names = words(context, node.get("alike"), "`alike`")
    found = (read_property(context, name.text.strip(), name.content) for name in names)
    return [one for one in found if one is not None]


def _run(context: Context, node: Node | None) -> Run | None:
    """`{by: poker_rank, ace: low or high}`, or `last: 2 or ace`."""
    mapping = mapping_of(context, node, "`run`") if node is not None else None
    by = mapping.get("by") if mapping else None
    if mapping is None or not isinstance(by, Scalar):
        return None
    found = read_property(context, by.text.strip(), by.content)
    if found is None:
        return None
    if found.expr.type != RANK:
        message = f"runs go along ranks; `{found.name}` is {spoken(found.expr.type)}"
        context.diagnostics.error("run-by-rank", message, by.span)
        return None
    aces = _alternatives_of(context, mapping.get("ace"), "the ace in runs", ["low", "high"])
    ranks = context.enumerations["rank"].members
    last = _alternatives_of(context, mapping.get("last"), "what may end a run", ranks)
    return Run(found, "low" in aces, "high" in aces or not aces, [ranks.index(rank) for rank in last])


def _alternatives_of(context: Context, node: Node | None, what: str, allowed: list[str]) -> list[str]:
    """`low or high`: one or several words of a list."""
    if not isinstance(node, Scalar):
        return []
    written = [word.strip() for word in re.split(r"\s+or\s+", node.text.strip())]
    for word in written:
        if word not in allowed:
            wrong(context, node, f"{what} is {' or '.join(allowed)}; `{word}` is none of these")
    return [word for word in written if word in allowed]


# ---- by conditions


def _declare_conditions(
    context: Context, signature: SlotSignature, node: Mapping, categories: list[Category], declared: Declared
) -> None:
    frame = Frame(context)
    parameters = signature.add_to(frame)
    ranking = ConditionRanking(signature.name, parameters, frame.locals, categories, [], signature.span)
    if context.names.declare(signature.name, ranking, signature.span):
        declared.rankings[signature.name] = ranking
        declared.later.append(lambda: _finish_conditions(context, ranking, node, frame))


def _finish_conditions(context: Context, ranking: ConditionRanking, node: Mapping, frame: Frame) -> None:
    pairs = list(zip(ranking.categories, _in_order(node), strict=True))
    for category, entry in pairs:
        slot = _hand_of(context, entry)
        is_last = category is ranking.categories[-1]
        if slot is None or _check_else(context, slot, is_last):
            continue
        category.condition = slots.condition(context, slot, frame)
    ranking.order = _order(context, node.get("order"), frame)
    ranking.locals = frame.locals


def _check_else(context: Context, slot: Scalar, is_last: bool) -> bool:
    """Whether a category is `else`; reports one that should be, or should not."""
    is_else = slot.text.strip() == "else"
    if is_else != is_last:
        message = "the last category takes what is left" if is_last else "only the last category is `else`"
        context.diagnostics.error("last-category", message, slot.span, "write `else`" if is_last else "")
    return is_else


# ---- order


def _order(context: Context, node: Node | None, frame: Frame) -> list[OrderKey]:
    """What decides between hands, one after the other; the category alone if nothing is said."""
    if not isinstance(node, ListNode):
        return [OrderKey("category", [], frame.locals[0].span)] if node is None and frame.locals else []
    keys = (_order_key(context, item, frame) for item in node if isinstance(item, Scalar))
    return [key for key in keys if key is not None]


def _order_key(context: Context, slot: Scalar, frame: Frame) -> OrderKey | None:
    parsed = parse_slot("order", slot, context.diagnostics)
    if parsed is None:
        return None
    tree = parsed.tree
    key = cast(Part, tree.children[0]) if tree.data == "order" and tree.children else tree
    kind: Literal["category", "groups", "value"] = "value"
    if key.data == "groups":
        kind = "groups"
    elif key.data == "order":
        return OrderKey("category", [], slot.content)
    with frame.reading(parsed):
        expressions = [infer(frame, cast(Part, part)) for part in key.children]
    found = [one for one in expressions if one is not None]
    for one in found:
        if one.type.kind not in _COMPARABLE:
            message = f"hands cannot be ordered by {spoken(one.type)}"
            context.diagnostics.error("order-key", message, one.span, "a number, a rank or a truth can be compared")
    return OrderKey(kind, found, slot.content) if len(found) == len(expressions) else None


# ---- totals


def _declare_total(context: Context, entry: Entry, declared: Declared) -> None:
    name = entry.key.text.strip()
    node = mapping_of(context, entry.value, f"the total `{name}`")
    if node is None:
        return
    total = TotalSpec(name, [], [], [], None, entry.key.span)
    if context.names.declare(name, total, entry.key.span):
        declared.totals[name] = total
        declared.later.append(lambda: _finish_total(context, total, node))


def _finish_total(context: Context, total: TotalSpec, node: Mapping) -> None:
    entry = next((entry for entry in node if entry.key.text.startswith("values")), None)
    if entry is None or not isinstance(entry.value, Scalar):
        missing(context, node, total.name, "values(card)")
        return
    signature = slots.signature(context, entry.key)
    if signature is None:
        return
    if [parameter.type for parameter in signature.parameters] != [CARD]:
        message = "the values of a total are those of one card"
        context.diagnostics.error("total-signature", message, signature.span, "write `values(card)`")
        return
    frame = Frame(context)
    signature.add_to(frame)
    arms = slots.alternatives(context, entry.value, frame, NUMBER)
    for condition, values in arms or []:
        if condition is None:
            total.otherwise = values
        else:
            total.arms.append((condition, values))
    limit = node.get("at most")
    if isinstance(limit, Scalar):
        total.limit = slots.expression(context, limit, Frame(context), NUMBER)
    total.locals = frame.locals


# ---- melds


def _declare_meld(context: Context, entry: Entry, declared: Declared) -> None:
    name = entry.key.text.strip()
    node = mapping_of(context, entry.value, f"the meld `{name}`")
    if node is None:
        return
    meld = MeldSpec(name, {}, [], None, None, [], entry.key.span)
    if context.names.declare(name, meld, entry.key.span):
        declared.melds[name] = meld
        cost = _declare_cost(context, node, declared)
        declared.later.append(lambda: _finish_meld(context, meld, node, cost))


def _declare_cost(context: Context, node: Mapping, declared: Declared) -> Define | None:
    """`cost(card): ...` is a define of its own name, too, so that play may add up what is left."""
    entry = next((entry for entry in node if entry.key.text.startswith("cost")), None)
    slot = entry.value if entry else None
    signature = slots.signature(context, entry.key) if entry else None
    if signature is None or not isinstance(slot, Scalar):
        return None
    define = Define(signature.name, [], [], NUMBER, signature.span)
    frame = Frame(context, define)
    define.parameters = signature.add_to(frame)
    if not context.names.declare(define.name, define, signature.span):
        return None
    context.later(define, lambda: slots.define_body(context, slot, frame, define, NUMBER))
    declared.defines.append(define)
    return define


def _finish_meld(context: Context, meld: MeldSpec, node: Mapping, cost: Define | None) -> None:
    meld.alike = _alike(context, node)
    meld.run = _run(context, node.get("run"))
    for entry in entries(node.get("kinds")):
        if isinstance(entry.value, Scalar):
            meld.kinds[entry.key.text.strip()] = read_pattern(context, entry.value, node)
    if not meld.kinds:
        missing(context, node, meld.name, "kinds")
    card = Local("card", CARD, 0, meld.span)
    meld.locals = [card]
    if cost is not None:
        context.settle(cost, meld.span)
        meld.cost = CallDefine(NUMBER, cost.span, cost, [LocalValue(CARD, cost.span, card)])
