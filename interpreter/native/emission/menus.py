"""Menus: what is offered, and what is read from the option that is taken."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from trionfi.core.ir import Let, Name
from trionfi.core.ops import Op
from trionfi.core.types import CARDS, INT, TARGET, CoreType, Kind
from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_OPTIONS
from trionfi.interpreter.native.builder import FALSE, I1, I16, I64, TRUE, Mutable, Value, number
from trionfi.interpreter.native.emission.aims import is_there, known_when_gone, value_of_thing
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.numbers import arguments, same_lists
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.things import alike_things
from trionfi.interpreter.native.emission.values import Items, copy_items, element_of, most_items
from trionfi.interpreter.native.layout import ThingPlace
from trionfi.interpreter.native.module import CannotLower
from trionfi.interpreter.native.offers import DONE, MOST_LINES, Offer, low_bits
from trionfi.interpreter.native.play_record import GONE, KNOWN

__all__ = ["PICKED", "OfferedMenu"]

PICKED = ThingPlace(0, 16)  # of what is picked


class OfferedMenu(Offer):
    """The options of one decision while they are listed. Of a set of cards its number in `sets` stands in the entry."""

    def __init__(self, e: Emitter, name: Name) -> None:
        most = max(2, min(e.facts.most_options(name), MOST_OPTIONS))
        super().__init__(e, most, e.rules.play.span)
        self.e, self.most = e, most
        about = e.program.places[int(e.facts.ask_of(name).about[0])].about
        self.node = about if isinstance(about, tree.Menu) else None
        of_sets = any(operand.type.is_list for one in e.facts.offers(name) for operand in one.args[1:])
        self.sets = SetList(e, most) if of_sets else None
        self.numbers = self._numbers(name)
        aims = any(operand.type == TARGET for one in e.facts.offers(name) for operand in one.args[1:])
        self.targets = TargetList(e, most) if aims else None

    def _numbers(self, name: Name) -> NumberTable | None:
        """A row for each option, if any is about numbers."""
        offers = self.e.facts.offers(name)
        about = [one.args[1:2] if one.op is Op.OFFER_PICK else one.args[1:] for one in offers]
        columns = max(sum(operand.type == INT for operand in args) for args in about) if about else 0
        return NumberTable(self.e, self.most + 1, columns) if columns else None

    def seen_from(self, e: Emitter, entries: Value | None = None, sets: Value | None = None) -> OfferedMenu:
        """The same options as another function reads them; where they and their sets lie, unless in the record."""
        other = copy(self)
        other.e, other.f, other.room = e, e, entries
        if self.sets is not None:
            other.sets = copy(self.sets)
            other.sets.e, other.sets.own = e, sets
        if self.numbers is not None:
            other.numbers = copy(self.numbers)
            other.numbers.e = e
        return other

    def aimed_at(self, target: Value) -> Value:
        """The number of a target as entries have it; what it is aimed at is listed by itself."""
        assert self.targets is not None
        self.targets.put(self.count.get(), target)
        return entry_of_target(self.e, target)

    def number_of(self, thing: Value | Items, kind: CoreType, column: int = 0) -> Value:
        """The number of a thing as entries have it."""
        if kind == INT:
            assert self.numbers is not None
            self.numbers.put(self.count.get(), column, thing)
            return self.count.get()
        if not isinstance(thing, Items):
            return low_bits(self.f, thing)
        assert self.sets is not None
        return self.sets.push(thing)

    def add_pick(self, thing: Value | Items, place: Value, kind: CoreType) -> None:
        """Offers a thing to pick, which stands at this place among the things."""
        b = self.e.code.builder
        found = self.aimed_at(thing) if kind == TARGET else self.number_of(thing, kind)
        self.add(b.or_(found, b.shl(place, number(16))))

    def places_of(self, line: int, count: int) -> list[ThingPlace]:
        """Where the things of a line stand in an entry."""
        places = self.e.layout.things_at(self.node.items[line].domains) if self.node is not None else []
        places = places or [ThingPlace(16 * place, 16) for place in range(1, count + 1)]
        if count and max(place.shift + place.bits for place in places) > 64:
            assert self.node is not None
            raise CannotLower(f"{self.node.items[line].span}: a line over too many things")
        return places[:count]

    def thing(self, entry: Value, place: ThingPlace, kind: CoreType) -> Any:
        """What stands at a place of an entry."""
        b = self.e.code.builder
        part = b.lshr(entry, number(place.shift)) if place.shift else entry
        if kind == INT:
            assert self.numbers is not None
            return self.numbers.item(b.and_(part, number(0xFFFF)), place.column)
        if place.bits == 16:
            found = b.sext(b.trunc(part, I16), I64)
        else:
            found = b.and_(part, number((1 << place.bits) - 1))
        if not kind.is_list:
            return found
        assert self.sets is not None
        return self.sets.item(found)


class SetList:
    """The sets of cards that options are about."""

    def __init__(self, e: Emitter, most: int) -> None:
        self.e = e
        self.element, self.signed = element_of(e.layout, CARDS)
        self.row = e.layout.list_size(most_items(e.layout, CARDS), self.element)
        words = most * self.row // 8
        self.own = None if e.build.watched else e.code.room(I64, words)
        self.offset = e.layout.reserve("", I64, words).offset if e.build.watched else 0
        self.count = Mutable(e.code, I64, 0)

    @property
    def room(self) -> Value:
        return self.e.code.at(self.e.state, self.offset) if self.own is None else self.own

    def push(self, items: Items) -> Value:
        place = self.count.get()
        at = self.e.code.at(self.room, place, self.row)
        self.e.code.store(I64, items.count, at)
        copy_items(self.e, self.e.code.at(at, 8), items)
        self.count.add(1)
        return place

    def item(self, index: Value) -> Items:
        at = self.e.code.at(self.room, index, self.row)
        count = self.e.small(self.e.code.load(I64, at), self.e.layout.cards.count)
        return Items(self.e.code.at(at, 8), count, self.element, self.signed)


class NumberTable:
    """The numbers that options are about, a row for each option. Only one decision is open at a time, so that menus of
    one size share their room in the record."""

    def __init__(self, e: Emitter, rows: int, columns: int) -> None:
        self.e, self.columns = e, columns
        rooms = e.build.number_rooms
        if rows * columns not in rooms:
            rooms[rows * columns] = e.layout.reserve("", I64, rows * columns).offset
        self.offset = rooms[rows * columns]

    def _at(self, row: Value, column: int) -> tuple[Value, Value]:
        code = self.e.code
        return code.at(self.e.state, self.offset), code.add(code.multiply(row, self.columns), column)

    def put(self, row: Value, column: int, value: Value) -> None:
        self.e.code.store(I64, value, *self._at(row, column))

    def item(self, row: Value, column: int) -> Value:
        return self.e.code.load(I64, *self._at(row, column))


class TargetList:
    """The targets that options are about, option by option."""

    def __init__(self, e: Emitter, most: int) -> None:
        self.e = e
        self.own = None if e.build.watched else e.code.room(I64, most)
        self.offset = e.layout.reserve("", I64, most).offset if e.build.watched else 0

    @property
    def room(self) -> Value:
        return self.e.code.at(self.e.state, self.offset) if self.own is None else self.own

    def put(self, choice: Value, target: Value) -> None:
        self.e.code.store(I64, target, self.room, choice)

    def target(self, choice: Value) -> Value:
        return self.e.code.load(I64, self.room, choice)


def entry_of_target(e: Emitter, target: Value) -> Value:
    """The card or play; of a card that has gone also who knew it then, where somebody may look."""
    b, thing = e.code.builder, low_bits(e, value_of_thing(e, target))
    if not e.build.watched:
        return thing
    known = b.shl(known_when_gone(e, target, e.field("slots")), number(KNOWN))
    gone = b.or_(known, number(1 << GONE))
    return b.or_(thing, e.code.choose(is_there(e, target), 0, gone))


@emits(Op.NEW_MENU)
def new_menu(e: Emitter, node: Let) -> OfferedMenu:
    """Room for as many options as may be offered."""
    assert node.target is not None
    return OfferedMenu(e, node.target)


@emits(Op.OFFER)
def offer(e: Emitter, node: Let) -> None:
    menu, *things = arguments(e, node)
    line, entry = int(node.about[0]), number(int(node.about[0]))
    if not things and line < MOST_LINES:
        menu.lines.set(e.code.builder.or_(menu.lines.get(), number(1 << line)))
    for place, thing, operand in zip(menu.places_of(line, len(things)), things, node.args[1:], strict=True):
        part = e.code.builder.shl(menu.number_of(thing, operand.type, place.column), number(place.shift))
        entry = e.code.builder.or_(entry, part)
    menu.add(entry)


@emits(Op.OFFER_PICK)
def offer_pick(e: Emitter, node: Let) -> None:
    menu, thing, place = arguments(e, node)
    menu.add_pick(thing, place, node.args[1].type)


@emits(Op.OFFER_DONE)
def offer_done(e: Emitter, node: Let) -> None:
    e.value(node.args[0]).add(DONE)


@emits(Op.IS_OFFERED)
def is_offered(e: Emitter, node: Let) -> Value:
    """Only copies are asked about: nothing else comes twice."""
    if not e.layout.cards.copied or not any(arg.type.kind is Kind.CARD for arg in node.args[2:]):
        return FALSE
    menu, seat, *things = arguments(e, node)
    there = Mutable(e.code, I1, 0)
    there.set(FALSE)
    with e.code.counting(menu.count.get()) as (index, loop):
        entry = menu.entry(index)
        with e.code.when(e.code.compare("==", low_bits(e, entry), int(node.about[0]))):
            with e.code.when(same_things(e, node, entry, things, seat)):
                there.set(TRUE)
                loop.leave()
    return there.get()


def same_things(e: Emitter, node: Let, entry: Value, things: list[Any], seat: Value) -> Value:
    result = TRUE
    for found, thing, operand in zip(things_of(e, node, entry), things, node.args[2:], strict=True):
        if operand.type.is_list:
            same = same_lists(e, found, thing)
        else:
            same = alike_things(e, operand.type, found, thing, seat)
        result = e.code.both(result, same)
    return result


def things_of(e: Emitter, node: Let, entry: Value) -> Iterator[Any]:
    menu, operands = e.value(node.args[0]), node.args[2:]
    for place, operand in zip(menu.places_of(int(node.about[0]), len(operands)), operands, strict=True):
        yield menu.thing(entry, place, operand.type)


@emits(Op.OPTIONS)
def options(e: Emitter, node: Let) -> Value:
    menu = e.value(node.args[0])
    return e.small(menu.count.get(), menu.most)


def entry_of(e: Emitter, node: Let) -> tuple[OfferedMenu, Value]:
    menu, choice = arguments(e, node)
    return menu, menu.entry(choice)


@emits(Op.LINE)
def line(e: Emitter, node: Let) -> Value:
    return low_bits(e, entry_of(e, node)[1])


@emits(Op.IS_DONE)
def is_done(e: Emitter, node: Let) -> Value:
    return e.code.compare("==", entry_of(e, node)[1], DONE)


@emits(Op.ABOUT)
def about(e: Emitter, node: Let) -> Any:
    assert node.target is not None
    menu, entry = entry_of(e, node)
    place = int(node.about[0])
    return menu.thing(entry, menu.places_of(e.facts.line_of(node), place + 1)[place], node.target.type)


@emits(Op.PICKED_THING)
def picked_thing(e: Emitter, node: Let) -> Any:
    assert node.target is not None
    menu, choice = arguments(e, node)
    if node.target.type == TARGET:
        return menu.targets.target(choice)
    return menu.thing(menu.entry(choice), PICKED, node.target.type)


@emits(Op.PICKED_PLACE)
def picked_place(e: Emitter, node: Let) -> Value:
    b, entry = e.code.builder, entry_of(e, node)[1]
    return e.small(b.and_(b.ashr(entry, number(16)), number(0xFFFF)), 1 << 16)
