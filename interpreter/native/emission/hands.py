"""Operations on hands, totals and melds."""

from __future__ import annotations

from typing import Any

from trionfi.core.ir import Let, Name, Push
from trionfi.core.ops import Op
from trionfi.core.types import CoreType, Kind, core_type
from trionfi.dsl import tree
from trionfi.interpreter.native import arrangements
from trionfi.interpreter.native.access import card_at
from trionfi.interpreter.native.best_hands import codes_of, evaluated, part_shape, words_of_key
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import FALSE, I64, TRUE, Mutable, Value, number
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.facts import CardsOrigin
from trionfi.interpreter.native.emission.lists import has_listed
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.things import items_of
from trionfi.interpreter.native.emission.values import Items, ListVariable, room_size
from trionfi.interpreter.native.totals import quick_limit, quick_total, slow_total
from trionfi.interpreter.native.trials import count_hands
from trionfi.interpreter.native.values import ArrangementAt, CardList, Compound

__all__: list[str] = []

ARRANGEMENT = CoreType(Kind.ARRANGEMENT)


# ---- rankings


@emits(Op.BEST_HAND)
def best_hand(e: Emitter, node: Let) -> Compound:
    """A card that is in several parts counts in the first."""
    ranking = e.rules.rankings[str(node.about[0])]
    assert isinstance(ranking, tree.PatternRanking)
    operands, shapes, given = iter(node.args), [], []
    earlier: list[tuple[CardsOrigin, Any]] = []
    for shape in node.about[1:]:
        operand = next(operands)
        origin, cards = e.facts.origin(operand), e.value(operand).cards()
        for before, taken in earlier:
            if before.family is None or before.family is origin.family or origin.family is None:
                cards = without(e, cards, taken)
        earlier.append((origin, cards))
        count = e.value(next(operands)) if shape == "exactly" else None
        shapes.append(part_shape(origin.most, count))
        given += [codes_of(e, cards, origin.most), cards.count]
        if shapes[-1].exactly:
            given.append(count)
    return evaluated(e, ranking, shapes, given)


@emits(Op.COUNT_HANDS)
def hands_counted(e: Emitter, node: Let) -> Value:
    name, kind, times, fixed, *zones = node.about
    more = number(int(fixed))
    for operand in node.args:
        more = e.code.add(more, e.value(operand).cards().count)
    room = [(str(family), int(factor)) for family, factor in zip(zones[::2], zones[1::2], strict=True)]
    return count_hands(e, (str(kind), str(name)), int(times), room, more)


@emits(Op.MAKE_HAND)
def make_hand(e: Emitter, node: Let) -> Compound:
    ranking = e.rules.rankings[str(node.about[0])]
    assert isinstance(ranking, tree.ConditionRanking)
    category, operands = e.value(node.args[0]), iter(node.args[1:])
    words = [category]
    for entry in ranking.order:
        if entry.kind == "category":
            words.append(e.code.subtract(0, category))
        for expression in entry.expressions:
            value = e.value(next(operands), core_type(expression.type))
            words += words_of_key(e, value, expression.type)
    return Compound(tuple(map(number, words)))


@emits(Op.HAND_CATEGORY)
def hand_category(e: Emitter, node: Let) -> Value:
    return e.value(node.args[0]).words[0]


@emits(Op.HAND_LESS, Op.HAND_AT_MOST)
def hands_compared(e: Emitter, node: Let) -> Value:
    """The first key that differs decides; none is below all."""
    one, other = e.value(node.args[0], node.args[1].type), e.value(node.args[1], node.args[0].type)
    result = FALSE if node.op is Op.HAND_LESS else TRUE
    for a, b in reversed(list(zip(one.words[1:], other.words[1:], strict=True))):
        equal = e.code.compare("==", a, b)
        result = e.code.builder.select(equal, result, e.code.compare("<", a, b))
    return result


# ---- totals


@emits(Op.TOTAL)
def total(e: Emitter, node: Let) -> Compound:
    spec, cards = e.rules.totals[str(node.about[0])], e.value(node.args[0])
    limit = quick_limit(e, spec)
    made = slow_total(e, spec) if limit is None else quick_total(e, spec, limit)
    result = e.code.call(made, [e.state, cards.pointer, cards.count])
    e.stop_if_failed()
    return Compound(tuple(e.code.builder.extract_value(result, index) for index in range(3)))


@emits(Op.TOTAL_VALUE, Op.TOTAL_SOFT, Op.TOTAL_BUST)
def of_total(e: Emitter, node: Let) -> Value:
    words = e.value(node.args[0]).words
    if node.op is Op.TOTAL_VALUE:
        return words[0]
    return e.code.compare("!=", words[1 if node.op is Op.TOTAL_SOFT else 2], 0)


# ---- melds


@emits(Op.ARRANGED)
def arranged(e: Emitter, node: Let) -> ArrangementAt | None:
    if is_for_cost(e, node):
        return None
    cards, room = e.value(node.args[0]), e.code.room(I64, room_size(e.layout, ARRANGEMENT) // 8)
    arranger = arrangements.arranger(e.build, e.rules.melds[str(node.about[0])])
    e.code.call(arranger, [e.state, cards.pointer, cards.count, room])
    e.stop_if_failed()
    return ArrangementAt(room)


def is_for_cost(e: Emitter, node: Let) -> bool:
    """Whether only the cost of an arrangement is wanted, and at once: then nobody need find the arrangement."""
    reader = e.facts.only_reader(node.target)
    return reader is not None and reader.op is Op.ARRANGEMENT_COST and bool(e.rest) and e.rest[0] is reader


@emits(Op.ARRANGEMENT_COST)
def cost(e: Emitter, node: Let) -> Value:
    found = e.value(node.args[0])
    if found is not None:
        return arrangements.arrangement_cost(e, found)
    made = e.facts.let_of(node.args[0])
    assert made is not None
    cards, but = e.value(made.args[0]), number(-1)
    if cards is None:
        whole = e.facts.let_of(made.args[0])
        assert whole is not None
        cards, one = (e.value(operand) for operand in whole.args)
        some = e.code.compare("!=", one.count, 0)
        but = e.code.choose(some, e.code.load(one.element, one.pointer, 0, signed=False), -1)
    costing = arrangements.costing(e.build, e.rules.melds[str(made.about[0])])
    found = e.code.call(costing, [e.state, cards.pointer, cards.count, but])
    e.stop_if_failed()
    return found


@emits(Op.WITHOUT)
def without_cards(e: Emitter, node: Let) -> Items | None:
    reader = e.facts.only_reader(node.target)
    if reader is not None and reader.op is Op.ARRANGED and e.rest[0] is reader and is_one_at_most(e, node.args[1]):
        cost_of = e.facts.only_reader(reader.target)
        if cost_of is not None and cost_of.op is Op.ARRANGEMENT_COST and e.rest[1] is cost_of:
            return None
    one, other = arguments(e, node)
    return items_of(e, without(e, one.cards(), other.cards()))


def is_one_at_most(e: Emitter, cards: Any) -> bool:
    """Whether a list is a variable that begins empty and gets one card at most."""
    name = cards.text if isinstance(cards, Name) else ""
    if name not in e.facts.vars or not isinstance(e.names[name], ListVariable):
        return False
    made, changes = e.facts.vars[name], e.facts.changes.get(name, [])
    value = e.facts.let_of(made.value) if made.value is not None else None
    is_empty = value is not None and value.op is Op.EMPTY
    if not is_empty or len(changes) != 1 or not isinstance(changes[0], Push):
        return False
    return not e.facts.loops_between(made, changes[0])


@emits(Op.IS_MELD)
def is_meld(e: Emitter, node: Let) -> Value:
    cards = e.value(node.args[0])
    teller = arrangements.teller(e.build, e.rules.melds[str(node.about[0])])
    found = e.code.call(teller, [e.state, cards.pointer, cards.count])
    e.stop_if_failed()
    return found


@emits(Op.ARRANGEMENT_LEFT)
def left(e: Emitter, node: Let) -> Items:
    return items_of(e, arrangements.arrangement_left(e, e.value(node.args[0])))


@emits(Op.ARRANGEMENT_MELDS)
def melds(e: Emitter, node: Let) -> Items:
    assert node.target is not None
    count, meld = arrangements.melds_of(e, e.value(node.args[0]))
    found = ListVariable(e, node.target.type)
    found.count.set(0)
    with e.code.count(count) as index:
        found.push(items_of(e, meld(index)))
    return found.load()


def without(f: Body, left: CardList, right: CardList) -> CardList:
    room, count = f.room_for_cards(), Mutable(f.code, I64, 0)
    with f.code.count(left.count) as index:
        card = card_at(f, left, index)
        gone = has_listed(f, right, card)
        f.code.store(f.layout.card_kind, card, room, count.get())
        count.add(f.code.number_of(f.code.invert(gone)))
    return CardList(room, f.small(count.get(), f.layout.cards.count))
