"""Choices made at the same time: asked one after another, sealed, and set when all have chosen."""

from __future__ import annotations

from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.types import CARDS, Type
from trionfi.interpreter.native.builder import (
    I16,
    I64,
    Value,
    number,
)
from trionfi.interpreter.native.lower_decisions import choose, choose_number, choose_orientations
from trionfi.interpreter.native.lower_queries import most_things
from trionfi.interpreter.native.lower_statements import assign, each_kept, keep_things
from trionfi.interpreter.native.lower_truths import upright
from trionfi.interpreter.native.lowering import Lower, Lowering
from trionfi.interpreter.native.values import Cards, ListSlot, Zones


def lower_secret(f: Lowering, node: tree.Secret) -> None:
    """All choose one after another; nothing is set before all have chosen."""
    seats = keep_things(f, node.players, asks=True)
    kept = [Sealed(f, choice, node.players.local) for choice in node.choices]
    with each_kept(f, seats) as (seat, _):
        f.slot(node.players.local).store(seat)
        for sealed in kept:
            sealed.ask(seat_of(f, node))
    with each_kept(f, seats) as (seat, _):
        f.slot(node.players.local).store(seat)
        for sealed in kept:
            sealed.reveal(seat_of(f, node))


def seat_of(f: Lowering, node: tree.Secret) -> Value:
    return f.local(node.players.local)


class Sealed:
    """What each seat has chosen in one line of a secret choice, until all is set."""

    def __init__(self, f: Lowering, node: Any, seat: tree.Local) -> None:
        self.f, self.node, self.seat_local = f, node, seat
        self.most = 2 if isinstance(node, tree.ChooseNumber) else most_things(f, node.domain) + 1
        # a pick keeps things, a number itself, orientations card * 2 + orientation
        self.element = I64 if isinstance(node, tree.ChooseNumber) else I16
        self.size = f.layout.list_size(self.most, self.element)
        self.base = f.new_list(Type("zones"), I64, self.size // 8 * f.layout.seats)

    def list_of(self, seat: Value) -> ListSlot:
        f = self.f
        place = f.code.at(f.code.at(self.base.room(), 8), f.code.multiply(seat, self.size // 8), 8)
        return ListSlot(f.code, Type("zones"), self.element, lambda: place, self.most)

    def ask(self, seat: Value) -> None:
        f, node = self.f, self.node
        player = f.wanted(f.expression(node.player), node.player.span)
        if isinstance(node, tree.ChooseOrientation):
            f.code.store(I64, 0, self.list_of(seat).room())
            choose_orientations(f, node, player, self._keep_orientation)
        elif isinstance(node, tree.ChooseNumber):
            self._keep_word(choose_number(f, node, player))
        else:
            choose(f, node, player, self._keep)

    def _here(self) -> ListSlot:
        return self.list_of(self.f.local(self.seat_local))

    def _keep_orientation(self, card: Value, orientation: Value) -> None:
        f, here = self.f, self._here()
        count = f.code.load(I64, here.room())
        word = f.code.add(f.code.multiply(card, 2), orientation)
        f.code.store(I16, word, f.code.at(here.room(), 8), count)
        f.code.store(I64, f.code.add(count, 1), here.room())

    def _keep_word(self, value: Value) -> None:
        here = self._here()
        self.f.code.store(self.element, value, self.f.code.at(here.room(), 8))

    def _keep(self, value: Any) -> None:
        f, here = self.f, self._here()
        if not isinstance(value, Cards | Zones):
            self._keep_word(value)
            return
        kind = f.layout.card_kind if isinstance(value, Cards) else I16
        f.code.store(I64, value.count, here.room())
        with f.code.count(value.count) as index:
            thing = f.code.load(kind, value.pointer, index, signed=kind is I16)
            f.code.store(I16, thing, f.code.at(here.room(), 8), index)

    def reveal(self, seat: Value) -> None:
        f, node, here = self.f, self.node, self.list_of(seat)
        numbers = f.code.at(here.room(), 8)
        if isinstance(node, tree.ChooseOrientation):
            self._turn(numbers, f.code.load(I64, here.room()))
        elif isinstance(node, tree.ChooseNumber) or node.single:
            assign(f, node.target, f.code.load(self.element, numbers), node.span)
        else:
            assign(f, node.target, self._opened(numbers, f.code.load(I64, here.room())), node.span)

    def _turn(self, numbers: Value, count: Value) -> None:
        f, b = self.f, self.f.code.builder
        with f.code.count(count) as index:
            word = f.code.load(I16, numbers, index, signed=False)
            orientation = b.and_(word, number(1))
            turned = orientation if upright(f) == 0 else f.code.subtract(1, orientation)
            f.set_field("reversed", turned, b.lshr(word, number(1)))

    def _opened(self, numbers: Value, count: Value) -> Any:
        f, kind = self.f, self.node.target.type
        if kind.kind == "zones":
            return Zones(count, pointer=numbers)
        room = f.list_room(CARDS)
        with f.code.count(count) as index:
            f.code.store(f.layout.card_kind, f.code.load(I16, numbers, index), room, index)
        return Cards(room, count)


TABLE: dict[type, Lower] = {tree.Secret: lower_secret}
