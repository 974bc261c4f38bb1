"""Truths, comparisons, and cards taken together."""

from __future__ import annotations

from trionfi.dsl.types import Type
from trionfi.interpreter.native.access import card_at, card_table
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I1, I64, Mutable, Value
from trionfi.interpreter.native.values import CardList

# ---- truths


# ---- comparisons


def face_of(f: Body, card: Value) -> Value:
    return card_table(f, "face", f.layout.cards.face_of, card)


def same_set(f: Body, left: CardList, right: CardList) -> Value:
    result = Mutable(f.code, I1)
    result.set(f.code.compare("==", left.count, right.count))
    with f.code.counting(left.count) as (index, loop):
        with f.code.when(f.code.invert(contains(f, right, card_at(f, left, index)))):
            result.set(0)
            loop.leave()
    return result.get()


def ranked(f: Body, value: Value, kind: Type) -> Value:
    """A number that is greater for what is better: a category declared earlier, a card upright."""
    turned = kind.kind == "category" or (kind == Type("enum", "orientation") and upright(f) == 0)
    return f.code.subtract(0, value) if turned else value


def upright(f: Body) -> int:
    """The number of the orientation upright; reversed is the other."""
    return f.rules.enumerations["orientation"].members.index("upright")


def place_of(f: Body, card: Value) -> Value:
    """The zone where a card lies; -1 for none."""
    there = f.code.compare(">=", card, 0)
    return f.small(f.code.choose(there, f.field("place", f.code.larger(card, 0)), -1), f.layout.zones)


def contains(f: Body, cards: CardList, card: Value) -> Value:
    """Whether a card is among cards; of a whole zone one look tells."""
    if cards.zone is not None:
        return f.code.compare("==", place_of(f, card), cards.zone)
    result = Mutable(f.code, I1, 0)
    with f.code.counting(cards.count) as (index, loop):
        with f.code.when(f.code.compare("==", card_at(f, cards, index), card)):
            result.set(1)
            loop.leave()
    return result.get()


def contains_face(f: Body, cards: CardList, face: Value) -> Value:
    result = Mutable(f.code, I1, 0)
    with f.code.counting(cards.count) as (index, loop):
        with f.code.when(f.code.compare("==", face_of(f, card_at(f, cards, index)), face)):
            result.set(1)
            loop.leave()
    return result.get()


# ---- joined cards


def without(f: Body, left: CardList, right: CardList, by_face: bool = False) -> CardList:
    room, count = f.room_for_cards(), Mutable(f.code, I64, 0)
    with f.code.count(left.count) as index:
        card = card_at(f, left, index)
        gone = contains_face(f, right, face_of(f, card)) if by_face else contains(f, right, card)
        f.code.store(f.layout.card_kind, card, room, count.get())
        count.add(f.code.number_of(f.code.invert(gone)))
    return CardList(room, f.small(count.get(), f.layout.cards.count))
