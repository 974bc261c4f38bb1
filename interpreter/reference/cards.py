"""Cards taken together and taken out: `+`, `-`, an index, the top ones; the marks that they carry."""

from __future__ import annotations

from trionfi.dsl import tree
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.reference.expressions import needed, needed_number, pile
from trionfi.interpreter.state import State

__all__: list[str] = []


@meaning(tree.Joined)
def eval_joined(node: tree.Joined, c: Compiler) -> Value:
    left, right = pile(node.left, c), pile(node.right, c)

    def join(s: State, f: Frame) -> tuple[int, ...]:
        first = tuple(left(s, f))
        return first + tuple(card for card in right(s, f) if card not in first)

    return join


@meaning(tree.Without)
def eval_without(node: tree.Without, c: Compiler) -> Value:
    left, right = pile(node.left, c), pile(node.right, c)

    def take_away(s: State, f: Frame) -> tuple[int, ...]:
        first = tuple(left(s, f))
        away = right(s, f)
        return tuple(card for card in first if card not in away)

    return take_away


@meaning(tree.CardAtIndex)
def eval_card_at_index(node: tree.CardAtIndex, c: Compiler) -> Value:
    cards, index = pile(node.cards, c), needed_number(node.index, c)

    def card_at(s: State, f: Frame) -> int:
        found = cards(s, f)
        number = index(s, f)
        if not 1 <= number <= len(found):
            fail("no-such-place", f"there is no card {number} among {len(found)}", node.span)
        return found[number - 1]  # type: ignore[no-any-return]

    return card_at


@meaning(tree.TopCards)
def eval_top_cards(node: tree.TopCards, c: Compiler) -> Value:
    amount, zone = needed_number(node.amount, c), needed(node.zone, c)
    is_zone = node.zone.type.kind == "zone"

    def top(s: State, f: Frame) -> tuple[int, ...]:
        number = max(0, amount(s, f))
        cards = s.zones[zone(s, f)] if is_zone else zone(s, f)
        return tuple(reversed(cards[max(0, len(cards) - number) :]))

    return top


@meaning(tree.MarkValue)
def eval_mark_value(node: tree.MarkValue, c: Compiler) -> Value:
    mark, card = node.mark.index, needed(node.card, c)
    return lambda s, f: s.looks[card(s, f)].marks[mark]
