"""Menus: what is offered, and what is read from the option that is taken."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from trionfi.core.ir import Let, Name
from trionfi.core.ops import Op
from trionfi.core.types import CARDS, TARGET, CoreType, Kind
from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_OPTIONS
from trionfi.interpreter.native.builder import FALSE, I1, I16, I64, TRUE, Mutable, Value, number
from trionfi.interpreter.native.emission.aims import is_there, known_when_gone, value_of_thing
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.numbers import arguments, same_lists
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.things import alike_things
from trionfi.interpreter.native.emission.values import Items, copy_items, element_of, most_items
from trionfi.interpreter.native.module import CannotLower
from trionfi.interpreter.native.offers import DONE, MOST_LINES, Offer, low_bits
from trionfi.interpreter.native.play_record import GONE, KNOWN

__all__ = ["OfferedMenu"]


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
        aims = any(operand.type == TARGET for one in e.facts.offers(name) for operand in one.args[1:])
        self.targets = TargetList(e, most) if aims else None

    def seen_from(self, e: Emitter, entries: Value | None = None, sets: Value | None = None) -> OfferedMenu:
        """The same options as another function reads them; where they and their sets lie, unless in the record."""
        other = copy(self)
        other.e, other.f, other.room = e, e, entries
        if self.sets is not None:
            other.sets = copy(self.sets)
            other.sets.e, other.sets.own = e, sets
        return other

    def aimed_at(self, target: Value) -> Value:
        """The number of a target as entries have it; what it is aimed at is listed by itself."""
        assert self.targets is not None
        self.targets.put(self.count.get(), target)
        return entry_of_target(self.e, target)

    def number_of(self, thing: Value | Items) -> Value:
        """The number of a thing as entries have it."""
        if not isinstance(thing, Items):
            return low_bits(self.f, thing)
        assert self.sets is not None
        return self.sets.push(thing)

    def add_pick(self, thing: Value | Items, place: Value, is_aimed: bool = False) -> None:
        """Offers a thing to pick, which stands at this place among the things; a target if it is aimed at."""
        b = self.e.code.builder
        found = self.aimed_at(thing) if is_aimed else self.number_of(thing)
        self.add(b.or_(found, b.shl(place, number(16))))

    def bits_of(self, line: int, count: int) -> list[tuple[int, int]]:
        """Where the things of a line stand in an entry: from which bit on, and how many bits."""
        bits = self.e.layout.things_at(self.node.items[line].domains) if self.node is not None else []
        bits = bits or [(16 * place, 16) for place in range(1, count + 1)]
        if count and sum(bits[-1]) > 64:
            assert self.node is not None
            raise CannotLower(f"{self.node.items[line].span}: a line over too many things")
        return bits[:count]

    def thing(self, entry: Value, shift: int, bits: int, kind: CoreType) -> Any:
        """What stands in an entry from a bit on."""
        b = self.e.code.builder
        part = b.lshr(entry, number(shift)) if shift else entry
        if bits == 16:
            found = b.sext(b.trunc(part, I16), I64)
        else:
            found = b.and_(part, number((1 << bits) - 1))
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
    for (shift, _), thing in zip(menu.bits_of(line, len(things)), things, strict=True):
        part = e.code.builder.shl(menu.number_of(thing), number(shift))
        entry = e.code.builder.or_(entry, part)
    menu.add(entry)


@emits(Op.OFFER_PICK)
def offer_pick(e: Emitter, node: Let) -> None:
    menu, thing, place = arguments(e, node)
    menu.add_pick(thing, place, is_aimed=node.args[1].type == TARGET)


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
    for (shift, bits), operand in zip(menu.bits_of(int(node.about[0]), len(operands)), operands, strict=True):
        yield menu.thing(entry, shift, bits, operand.type)


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
    shift, bits = menu.bits_of(e.facts.line_of(node), place + 1)[place]
    return menu.thing(entry, shift, bits, node.target.type)


@emits(Op.PICKED_THING)
def picked_thing(e: Emitter, node: Let) -> Any:
    assert node.target is not None
    menu, choice = arguments(e, node)
    if node.target.type == TARGET:
        return menu.targets.target(choice)
    return menu.thing(menu.entry(choice), 0, 16, node.target.type)


@emits(Op.PICKED_PLACE)
def picked_place(e: Emitter, node: Let) -> Value:
    b, entry = e.code.builder, entry_of(e, node)[1]
    return e.small(b.and_(b.ashr(entry, number(16)), number(0xFFFF)), 1 << 16)
