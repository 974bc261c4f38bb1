"""Decisions. What is offered stands as a list of 64-bit *entries*: of a pick the thing (and, 16 bits up, its place in
the list of things), of a menu the line and, 16 bits each, the things that the line is about (of more than three as many
bits as each needs).

Watched, a decision notes itself in the header and returns; else it asks a policy in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_DECISIONS, MOST_NUMBERS, MOST_OPTIONS
from trionfi.dsl.source import Span
from trionfi.dsl.types import CARDS, COLLECTION_OF, NUMBER, PLAYS, Type
from trionfi.interpreter.native.builder import (
    I1,
    I16,
    I64,
    I128,
    TRUE,
    Number,
    Value,
    Variable,
    number,
)
from trionfi.interpreter.native.layout import ASKING
from trionfi.interpreter.native.lower_queries import most_things
from trionfi.interpreter.native.lower_sets import each_number_of, thing_of_number, with_kept_sets, write_set_labels
from trionfi.interpreter.native.lower_statements import assign, each_kept, keep_things
from trionfi.interpreter.native.lower_truths import face_of, upright
from trionfi.interpreter.native.lowering import DecisionSite, Lower, Lowering
from trionfi.interpreter.native.values import Cards, ListSlot, Slot, Zones

DONE = -2  # the entry that ends a choice of several
MOST_IN_CALL = 4096  # entries that lie in a call's own memory
MOST_LINES = 30  # of a menu that is told by which of them are offered

# ---- asking


class Offer:
    """The entries of one decision while they are listed."""

    def __init__(self, f: Lowering, most: int, span: Span) -> None:
        self.f, self.span, self.limited = f, span, most > MOST_OPTIONS
        # one more is written than counts, where a line is not offered
        most = min(most, MOST_OPTIONS) + 1
        f.build.most_entries = max(f.build.most_entries, most)
        in_record = f.build.watched or most > MOST_IN_CALL
        self.room = None if in_record else f.code.room(I64, max(2, most))
        self.count = Variable(f.code, I64, 0)
        self.lines = Variable(f.code, I64, 0)

    def add_line(self, index: int, condition: Value | None) -> None:
        """Offers a line of a menu without things."""
        bit = number(1 << index) if index < MOST_LINES else number(0)
        code = self.f.code
        shown = bit if condition is None else code.choose(condition, bit, 0)
        self.lines.set(code.builder.or_(self.lines.get(), shown))
        self.add(index, condition)

    @property
    def pointer(self) -> Value:
        if self.room is not None:
            return self.room
        offset = self.f.code.builder.load(self.f.build.entries_offset(), typ=I64)
        return self.f.code.at(self.f.state, offset)

    def add(self, entry: Number, condition: Value | None = None) -> None:
        """Offers an entry, if the condition holds."""
        code = self.f.code
        if self.limited:
            self._check_room(condition)
        code.store(I64, entry, self.pointer, self.count.get())
        more = number(1) if condition is None else code.number_of(condition)
        self.count.set(code.builder.add(self.count.get(), more))

    def _check_room(self, condition: Value | None) -> None:
        code = self.f.code
        full = code.compare(">=", self.count.get(), MOST_OPTIONS)
        with code.when(full if condition is None else code.both(full, condition), likely=False):
            self.f.fail_when(TRUE, "too-many-options", self.span)
            code.give(self.f.leaving)
        # where the condition does not hold, what is written there counts for nothing
        self.count.set(code.smaller(self.count.get(), MOST_OPTIONS))

    def entry(self, index: Value) -> Value:
        return self.f.code.load(I64, self.pointer, index)


def ask(f: Lowering, site: DecisionSite, player: Value, count: Value, offer: Offer | None = None) -> Value:
    """The option that is chosen. The function may return and go on here."""
    nothing = f.code.compare("<=", count, 0)
    f.fail_when(nothing, "no-option", site.node.span, player, about=site)
    asked = f.code.add(f.field("asked"), 1)
    f.set_field("asked", asked)
    f.fail_when(f.code.compare(">", asked, MOST_DECISIONS), "game-without-end", site.node.span)
    f.set_field("passes", 0)
    f.leave_when_failed()
    if not f.build.watched:
        from trionfi.interpreter.native.policy import ask_policy

        return ask_policy(f, site, player, count, offer)
    return stop_to_ask(f, site, player, count, offer)


def stop_to_ask(f: Lowering, site: DecisionSite, player: Value, count: Value, offer: Offer | None) -> Value:
    f.set_field("status", ASKING)
    f.set_field("site", site.number)
    f.set_field("player", player)
    f.set_field("offered", count)
    f.set_field("entries", offer.count.get() if offer is not None else 0)
    f.set_field("lines", offer.lines.get() if offer is not None and is_plain(site.node) else 0)
    point, block = f.point()
    f.note_point(point)
    f.code.give(TRUE)
    f.code.go_on(block)
    return f.field("choice")


def is_plain(node: tree.Statement) -> bool:
    """A menu whose labels are as written: which lines are offered says all."""
    if not isinstance(node, tree.Menu) or len(node.items) > MOST_LINES:
        return False
    return all(not item.domains and all(isinstance(p, str) for p in item.label.parts) for item in node.items)


def deciding(f: Lowering, node: Any) -> Value:
    return f.wanted(f.expression(node.player), node.player.span)


# ---- picks

Sink = Callable[[Any], None]


def lower_choose(f: Lowering, node: tree.Choose) -> None:
    choose(f, node, deciding(f, node), lambda value: assign(f, node.target, value, node.span))


def choose(f: Lowering, node: tree.Choose, player: Value, sink: Sink) -> None:
    if node.single:
        sink(pick_one(f, node, player))
    else:
        sink(pick_several(f, node, player))


def new_site(f: Lowering, kind: str, name: str, node: Any) -> DecisionSite:
    return f.build.decision_site(kind, name, node, f.made.procedure if f.made else None)


def pick_one(f: Lowering, node: tree.Choose, player: Value, site: DecisionSite | None = None) -> Any:
    site = site or new_site(f, "pick", node.decision, node)
    offer = Offer(f, most_things(f, node.domain), node.span)
    domain = with_kept_sets(f, node.domain)
    with each_number_of(f, domain) as thing:
        offer.add(thing, is_new(f, domain, offer, thing, player))
    note_picks(f, 0, 1)
    if domain.noun == "cards" and f.build.watched:
        write_set_labels(f, site, domain)
    return thing_of_number(f, domain, offer.entry(ask(f, site, player, offer.count.get(), offer)))


def note_picks(f: Lowering, picked: Number, left: Number) -> None:
    if f.build.watched:
        f.set_field("picked", picked)
        f.set_field("left", left)


def list_picks(f: Lowering, picks: Picks, offer: Offer) -> None:
    """What is picked already stands behind what is offered."""
    if not f.build.watched:
        return
    kind = picks.picked.element
    with f.code.count(picks.count()) as index:
        thing = f.code.load(kind, f.code.at(picks.picked.room(), 8), index, signed=kind is I16)
        f.code.store(I64, thing, offer.pointer, f.code.add(offer.count.get(), index))


def is_new(f: Lowering, domain: tree.Domain, offer: Offer, thing: Value, player: Value) -> Value | None:
    """Whether no copy of a card in the same orientation is offered yet, as far as the player knows."""
    if domain.noun != "card" or not f.layout.cards.copied:
        return None
    new = Variable(f.code, I1, 1)
    with f.code.counting(offer.count.get()) as (index, loop):
        with f.code.when(alike(f, offer.entry(index), thing, player)):
            new.set(0)
            loop.leave()
    return new.get()


def alike(f: Lowering, one: Value, other: Value, player: Value) -> Value:
    """Copies of one face in one orientation, both known to the player."""
    faces = f.code.compare("==", face_of(f, one), face_of(f, other))
    sides = f.code.compare("==", f.field("reversed", one), f.field("reversed", other))
    known = f.code.builder.and_(f.field("known", one), f.field("known", other))
    return f.code.both(f.code.both(faces, sides), f.code.has_bit(known, player))


class Picks:
    """A choice of several things while it goes on: what there is, what is picked, how far one has come."""

    def __init__(self, f: Lowering, node: tree.Choose, seat: Slot) -> None:
        self.f, self.node, self.seat = f, node, seat
        self.low, self.high, self.place = (f.new_slot(NUMBER) for _ in range(3))
        self.low.store(f.expression(node.low))
        bound = f.expression(node.high) if node.high is not None else None
        self.things = keep_things(f, node.domain, asks=True)
        self.high.store(bound if bound is not None else self.size())
        if node.domain.noun == "card" and f.layout.cards.copied:
            group_listed(f, self.things, lambda one, other: alike(f, one, other, seat.load()))
        self.place.store(number(0))
        kind = {"cards": CARDS, "plays": PLAYS}.get(COLLECTION_OF[node.domain.noun].kind, Type("zones"))
        element = f.layout.card_kind if kind.kind == "cards" else I16
        self.picked = f.new_list(kind, element, most_things(f, node.domain) + 1)
        f.code.store(I64, 0, self.picked.room())

    def size(self) -> Value:
        return self.f.code.load(I64, self.things.room())

    def thing(self, index: Value) -> Value:
        return self.f.code.load(I16, self.f.code.at(self.things.room(), 8), index)

    def count(self) -> Value:
        return self.f.code.load(I64, self.picked.room())

    def take(self, entry: Value) -> None:
        f = self.f
        f.code.store(self.picked.element, low_bits(f, entry), f.code.at(self.picked.room(), 8), self.count())
        f.code.store(I64, f.code.add(self.count(), 1), self.picked.room())
        self.place.store(f.code.add(f.code.builder.ashr(entry, number(16)), 1))


def low_bits(f: Lowering, entry: Value) -> Value:
    return f.code.builder.and_(entry, number(0xFFFF))


def pick_several(f: Lowering, node: tree.Choose, player: Value, site: DecisionSite | None = None) -> Any:
    site = site or new_site(f, "pick", node.decision, node)
    seat = f.new_slot(NUMBER)
    seat.store(player)
    picks = Picks(f, node, seat)
    with f.code.loop() as loop:
        with f.code.when(f.code.compare(">=", picks.count(), picks.high.load())):
            loop.leave()
        offer = Offer(f, 2 * most_things(f, node.domain) + 2, node.span)
        (offer_sets if node.such_that is not None else offer_things)(f, picks, offer)
        note_picks(f, picks.count(), f.code.subtract(picks.high.load(), picks.count()))
        list_picks(f, picks, offer)
        entry = offer.entry(ask(f, site, seat.load(), offer.count.get(), offer))
        with f.code.when(f.code.compare("==", entry, DONE)):
            loop.leave()
        picks.take(entry)
    picked = picks.picked.load()
    return players_of(f, picked) if node.domain.noun == "player" else picked


def players_of(f: Lowering, listed: Zones) -> Value:
    """Listed seats as a mask."""
    mask = Variable(f.code, I64, 0)
    with f.code.count(listed.count) as index:
        mask.set(f.code.builder.or_(mask.get(), f.code.bit(f.code.load(I16, listed.pointer, index))))
    return mask.get()


def offer_things(f: Lowering, picks: Picks, offer: Offer) -> None:
    """Things behind the last pick, if enough stay behind them; done, if there are enough."""
    count, low = picks.count(), picks.low.load()
    with f.code.count(picks.size(), picks.place.load()) as index:
        behind = f.code.subtract(picks.size(), index)
        enough = f.code.compare(">=", f.code.add(count, behind), low)
        fresh = is_first_copy(f, picks, index)
        offer.add(numbered(f, picks.thing(index), index), f.code.both(enough, fresh))
    offer.add(DONE, f.code.compare(">=", count, low))


def numbered(f: Lowering, thing: Value, index: Value) -> Value:
    return f.code.builder.or_(low_bits(f, thing), f.code.builder.shl(index, number(16)))


def is_first_copy(f: Lowering, picks: Picks, index: Value) -> Value:
    """Of copies, which lie side by side, one is offered."""
    if picks.node.domain.noun != "card" or not f.layout.cards.copied:
        return TRUE
    first = f.code.compare("==", index, picks.place.load())
    before = picks.thing(f.code.larger(f.code.subtract(index, 1), 0))
    return f.code.either(first, f.code.invert(alike(f, before, picks.thing(index), picks.seat.load())))


def group_listed(f: Lowering, things: ListSlot, same: Callable[[Value, Value], Value]) -> None:
    group_copies(f, things.element, f.code.at(things.room(), 8), f.code.load(I64, things.room()), same)


def group_copies(
    f: Lowering, kind: ir.IntType, numbers: Value, size: Value, same: Callable[[Value, Value], Value]
) -> None:
    """Copies are put side by side, where the first of them stands."""
    width, end = int(kind.width) // 8, Variable(f.code, I64, 0)
    with f.code.loop() as loop:
        with f.code.when(f.code.compare(">=", end.get(), size)):
            loop.leave()
        first = f.code.load(kind, numbers, end.get(), signed=kind is I16)
        end.add(1)
        with f.code.count(size, end.get()) as index:
            other = f.code.load(kind, numbers, index, signed=kind is I16)
            with f.code.when(same(first, other)):
                place = f.code.at(numbers, end.get(), width)
                gap = f.code.multiply(f.code.subtract(index, end.get()), width)
                f.code.slide(f.code.at(place, width), place, gap)
                f.code.store(kind, other, place)
                end.add(1)


def offer_sets(f: Lowering, picks: Picks, offer: Offer) -> None:
    """What some legal set holds next after the picks so far; done, if they are legal as they are."""
    room, indices = f.list_room(CARDS), f.code.room(I64, f.layout.cards.count + 2)
    size = int(f.layout.card_kind.width) // 8
    f.code.copy(room, f.code.at(picks.picked.room(), 8), f.code.multiply(picks.count(), size))
    with f.code.count(picks.size(), picks.place.load()) as index:
        fresh = is_first_copy(f, picks, index)
        with f.code.when(fresh):
            offer.add(numbered(f, picks.thing(index), index), some_set(f, picks, room, indices, index))
    enough = f.code.compare(">=", picks.count(), picks.low.load())
    legal = Variable(f.code, I1, 0)
    with f.code.when(enough):
        legal.set(set_is_legal(f, picks, room, picks.count()))
    offer.add(DONE, legal.get())


def set_is_legal(f: Lowering, picks: Picks, room: Value, count: Value) -> Value:
    node = picks.node
    assert node.such_that is not None
    assert node.chosen is not None
    with f.named(node.chosen, Cards(room, count)):
        return f.truth(node.such_that)


def some_set(f: Lowering, picks: Picks, room: Value, indices: Value, first: Value) -> Value:
    """Whether a legal set begins with the picks so far and the thing `first`, goes on behind it, and has no
    thing between. Sets are gone over in lexical order."""
    code, kind = f.code, f.layout.card_kind
    base, found = picks.count(), Variable(f.code, I1, 0)
    depth = Variable(code, I64, code.add(base, 1))

    def place(level: Value, index: Value) -> None:
        code.store(I64, index, indices, level)
        code.store(kind, picks.thing(index), room, level)

    place(base, first)
    with code.loop() as loop:
        legal = code.block("asked")
        tried = code.block("tried")
        code.branch(code.compare(">=", depth.get(), picks.low.load()), legal, tried)
        code.go_on(legal)
        holds = set_is_legal(f, picks, room, depth.get())
        yes = code.block("holds")
        code.branch(holds, yes, tried)
        code.go_on(yes)
        found.set(1)
        loop.leave()
        code.go_on(tried)
        last = code.load(I64, indices, code.subtract(depth.get(), 1))
        more = code.compare("<", code.add(last, 1), picks.size())
        deeper = code.both(more, code.compare("<", depth.get(), picks.high.load()))
        with code.when(deeper):
            place(depth.get(), code.add(last, 1))
            depth.add(1)
            loop.skip()
        next_set(f, picks, place, indices, depth, base, loop)
    return found.get()


def next_set(
    f: Lowering,
    picks: Picks,
    place: Callable[[Value, Value], None],
    indices: Value,
    depth: Variable,
    base: Value,
    outer: Any,
) -> None:
    """Takes the last thing that has a follower to its follower; leaves the search if only the first is left."""
    code = f.code
    with code.loop() as back:
        with code.when(code.compare("<=", depth.get(), code.add(base, 1))):
            outer.leave()
        level = code.subtract(depth.get(), 1)
        following = code.add(code.load(I64, indices, level), 1)
        with code.when(code.compare("<", following, picks.size())):
            place(level, following)
            back.leave()
        depth.set(level)


# ---- numbers, orientations


def lower_choose_number(f: Lowering, node: tree.ChooseNumber) -> None:
    assign(f, node.target, choose_number(f, node, deciding(f, node)), node.span)


def choose_number(f: Lowering, node: tree.ChooseNumber, player: Value) -> Value:
    site = new_site(f, "number", node.decision, node)
    low, high = f.expression(node.low), f.expression(node.high)
    step = f.expression(node.step) if node.step is not None else number(1)
    step = f.sound(step, f.code.compare("<", step, 1), "bad-step", node.span, instead=1)
    for name, value in (("low", low), ("high", high), ("step", step)):
        f.set_field(name, value)
    b, width = f.code.builder, number(f.code.subtract(high, low))  # without a sign
    steps = b.add(
        b.udiv(width, number(step)), f.code.number_of(b.icmp_unsigned("!=", b.urem(width, number(step)), number(0)))
    )
    there = f.code.compare(">=", high, low)
    many = b.icmp_unsigned(">=", steps, number(MOST_NUMBERS))
    f.fail_when(f.code.both(there, many), "bad-step", node.span)
    count = f.code.choose(there, f.code.add(steps, 1), 0)
    chosen = ask(f, site, player, count)
    return stepped(f, chosen)


def stepped(f: Lowering, chosen: Value) -> Value:
    """The number after so many steps from the lowest; the last step may be a short one."""
    b, (low, high, step) = f.code.builder, (f.field(name) for name in ("low", "high", "step"))
    above = b.mul(b.zext(chosen, I128), b.zext(step, I128))
    short = b.icmp_unsigned(">", above, b.zext(f.code.subtract(high, low), I128))
    return f.code.choose(short, high, f.code.add(low, b.trunc(above, I64)))


def lower_choose_orientation(f: Lowering, node: tree.ChooseOrientation) -> None:
    def turn(card: Value, orientation: Value) -> None:
        f.set_field("reversed", orientation if upright(f) == 0 else f.code.subtract(1, orientation), card)

    choose_orientations(f, node, deciding(f, node), turn)


def choose_orientations(
    f: Lowering, node: tree.ChooseOrientation, player: Value, turn: Callable[[Value, Value], None]
) -> None:
    """One decision a card; the options are the orientations in their order."""
    site = new_site(f, "orientation", "orientation", node)
    seat = f.new_slot(NUMBER)
    seat.store(player)
    cards = keep_things(f, node.domain, asks=True)
    with each_kept(f, cards) as (card, _):
        kept = f.new_slot(NUMBER)
        kept.store(card)
        f.set_field("card", card)
        chosen = ask(f, site, seat.load(), number(2))
        turn(kept.load(), chosen)


TABLE: dict[type, Lower] = {
    tree.Choose: lower_choose,
    tree.ChooseNumber: lower_choose_number,
    tree.ChooseOrientation: lower_choose_orientation,
}
