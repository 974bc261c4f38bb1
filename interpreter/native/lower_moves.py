"""Statements that move, deal, turn and show cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import NUMBER, Type
from trionfi.interpreter.native import kernels, stacked
from trionfi.interpreter.native.builder import I8, I16, I64, Value, number, table
from trionfi.interpreter.native.lower_expressions import card_at, cards_in, family_of, zone_count
from trionfi.interpreter.native.lower_truths import upright
from trionfi.interpreter.native.lowering import Lower, Lowering
from trionfi.interpreter.native.values import Cards, Slot, Zones

FACES = {"down": 0, "up": 1, "": None}
KEEP = 2  # a card keeps its face


def face_code(f: Lowering, face: str, zone: Value, family: tree.ZoneFamily | None) -> Value:
    """What becomes of a card's face: 0 down, 1 up, 2 as it was."""
    said = FACES[face]
    if said is not None:
        return number(said)
    if family is not None:
        own = FACES[family.face]
        return number(KEEP if own is None else own)
    return f.code.load(I8, table(f.build.module, "zone_faces", I8, f.layout.zone_faces), zone)


# ---- shuffle


def lower_shuffle(f: Lowering, node: tree.Shuffle) -> None:
    zone = f.wanted(f.expression(node.zone), node.zone.span)
    cards = cards_in(f, zone, family_of(node.zone))
    if node.rotation is not None:
        members = f.rules.enumerations["rotation"].members
        every = f.code.compare("==", f.expression(node.rotation), members.index("every_card"))
        f.code.call(kernels.rotate(f.build), [f.state, cards.pointer, cards.count, every])
    f.code.call(kernels.shuffle(f.build), [f.state, zone, cards.pointer, cards.count])
    if f.build.watched:
        site = f.build.error_site("stacked-chance", node.span)
        with f.code.when(stacked.is_stacked(f.build, f.code, f.state), likely=False):
            f.code.call(stacked.arrange(f.build), [f.state, zone, cards.pointer, cards.count, number(site)])


# ---- deal


class Source:
    """The zone that is dealt from, over a `when short` that may even ask."""

    def __init__(self, f: Lowering, node: tree.Expr) -> None:
        self.f, self.family = f, family_of(node)
        value = f.wanted(f.expression(node), node.span)
        plan = f.layout.plans[self.family] if self.family else None
        self.only = number(plan.first) if plan and plan.zones == 1 else None
        self.slot: Slot = f.new_slot(NUMBER)
        self.slot.store(value)

    @property
    def zone(self) -> Value:
        return self.only if self.only is not None else self.slot.load()

    def count(self) -> Value:
        return zone_count(self.f, self.zone)

    def deal(self, to: Value) -> Value:
        """The card that is dealt to the zone `to` leaves this one: its top card, where a stacked game says no other."""
        f = self.f
        if f.build.watched:
            with f.code.when(stacked.is_stacked(f.build, f.code, f.state), likely=False):
                pile = cards_in(f, self.zone, self.family)
                f.code.call(stacked.bring_up(f.build), [f.state, pile.pointer, pile.count, self.zone, to])
        return self.take()

    def take(self) -> Value:
        """The top card leaves the zone; there must be one."""
        f, zone = self.f, self.zone
        pile = cards_in(f, zone, self.family)
        top = f.code.subtract(pile.count, 1)
        card = card_at(f, pile, top)
        f.set_field("counts", top, zone)
        if f.rules.effects:
            from trionfi.interpreter.native.plays import lift

            f.code.call(lift(f.build), [f.state, card])
        return card


def call_when_short(f: Lowering, source: Source, wanted: Slot, node: Any) -> None:
    """Runs what the zone says for when it is short, once."""
    from trionfi.interpreter.native.lower_statements import call_procedure

    families = [source.family] if source.family else f.rules.zones
    for family in families:
        if family.when_short is None:
            continue
        short = f.code.compare(">", wanted.load(), source.count())
        if source.family is None:
            plan = f.layout.plans[family]
            place = f.code.subtract(source.zone, plan.first)
            here = f.code.builder.icmp_unsigned("<", place, number(plan.zones))
            short = f.code.both(short, here)
        with f.code.when(short):
            call_procedure(f, family.when_short, [])


def settle_amount(f: Lowering, source: Source, wanted: Slot, node: tree.Deal | tree.DealAround) -> Slot:
    """How many cards are dealt in the end."""
    call_when_short(f, source, wanted, node)
    count = source.count()
    short = f.code.compare(">", wanted.load(), count)
    if not node.up_to:
        f.fail_when(short, "too-few-cards", node.span, count, about=node)
    dealt = f.new_slot(NUMBER)
    # after an error nothing is dealt that is not there
    dealt.store(f.code.smaller(wanted.load(), count))
    return dealt


def lower_deal(f: Lowering, node: tree.Deal) -> None:
    wanted = f.new_slot(NUMBER)
    wanted.store(number_of_cards(f, node.amount))
    source = Source(f, node.source)
    to = Target(f, node.to, node.face, node.span)
    amount = settle_amount(f, source, wanted, node)
    with f.code.count(amount.load()):
        zone = to.zone()
        to.put(source.deal(zone), zone)


def number_of_cards(f: Lowering, node: tree.Expr) -> Value:
    value = f.expression(node)
    return f.sound(number(value), f.code.compare("<", value, 0), "below-zero", node.span)


class Target:
    """Where cards go: on a zone, or into a row's empty places."""

    def __init__(self, f: Lowering, node: tree.Expr, face: str, span: Span) -> None:
        self.f, self.face, self.span = f, face, span
        self.family = family_of(node)
        self.site = f.build.error_site("zone-overfull", span, node)
        value = f.expression(node)
        self.row = isinstance(value, Zones)
        if isinstance(value, Zones):
            assert value.first is not None
            self.family, self.places = value.family, value.count
        first = f.wanted(value.first, node.span) if isinstance(value, Zones) else f.wanted(value, node.span)
        self.slot: Slot = f.new_slot(NUMBER)
        self.slot.store(first)

    def zone(self) -> Value:
        """The zone that takes the next card."""
        if not self.row:
            return self.slot.load()
        empty = self.f.code.call(kernels.first_empty(self.f.build), [self.f.state, self.slot.load(), self.places])
        full = self.f.code.compare("<", empty, 0)
        with self.f.code.when(full, likely=False):
            self.f.code.call(kernels.fail(self.f.build), [self.f.state, number(self.site), self.slot.load()])
        return self.f.code.choose(full, self.slot.load(), empty)

    def put(self, card: Value, zone: Value) -> None:
        put_card(self.f, card, zone, self.family, self.face, self.site)


def put_card(f: Lowering, card: Value, zone: Value, family: tree.ZoneFamily | None, face: str, site: int) -> None:
    """On top of a zone. Where its family is known the code stands here, else it is a call."""
    code = face_code(f, face, zone, family)
    if family is None:
        f.code.call(kernels.put(f.build), [f.state, card, zone, code, number(site)])
        return
    pile = cards_in(f, zone, family)
    capacity = f.layout.plans[family].capacity
    full, fits, after = f.code.block("full"), f.code.block("fits"), f.code.block("put")
    if capacity >= f.layout.cards.count:
        f.code.jump(fits)  # the whole deck fits
    else:
        f.code.branch(f.code.compare(">=", pile.count, capacity), full, fits, likely=False)
        f.code.go_on(full)
        f.code.call(kernels.fail(f.build), [f.state, number(site), zone])
        # the card stays nowhere
        f.set_field("place", number(-1), card)
        f.code.jump(after)
    f.code.go_on(fits)
    f.code.store(f.layout.card_kind, card, pile.pointer, pile.count)
    f.set_field("counts", f.code.add(pile.count, 1), zone)
    f.code.call(kernels.enter(f.build), [f.state, card, zone, code])
    f.code.jump(after)
    f.code.go_on(after)


def lower_deal_around(f: Lowering, node: tree.DealAround) -> None:
    from trionfi.interpreter.native.lower_statements import keep_things

    rounds = f.new_slot(NUMBER)
    # more rounds than cards are as good as one more: so the product below stays small, and the loop comes to an end
    rounds.store(f.code.smaller(number_of_cards(f, node.amount), f.layout.cards.count + 1))
    source = Source(f, node.source)
    seats = keep_things(f, node.players, asks=True)
    wanted = f.new_slot(NUMBER)
    count = f.code.load(I64, seats.room())
    wanted.store(f.code.multiply(f.code.larger(rounds.load(), 0), count))
    left = settle_amount(f, source, wanted, node)
    plan = f.layout.plans[node.family]
    site = f.build.error_site("zone-overfull", node.span, node)
    with f.code.count(rounds.load()):
        with f.code.counting(f.code.load(I64, seats.room())) as (index, loop):
            with f.code.when(f.code.compare("==", left.load(), 0)):
                loop.leave()
            left.store(f.code.subtract(left.load(), 1))
            seat = f.code.load(I16, f.code.at(seats.room(), 8), index)
            zone = f.code.add(plan.first, f.code.multiply(seat, plan.places))
            if plan.family.shape == "row":
                zone = empty_place(f, zone, plan.places, site)
            put_card(f, source.deal(zone), zone, node.family, node.face, site)


def empty_place(f: Lowering, first: Value, places: int, site: int) -> Value:
    """The first empty place of a row; where none is, an error and the first of all."""
    empty = f.code.call(kernels.first_empty(f.build), [f.state, first, number(places)])
    full = f.code.compare("<", empty, 0)
    with f.code.when(full, likely=False):
        f.code.call(kernels.fail(f.build), [f.state, number(site), first])
    return f.code.choose(full, first, empty)


# ---- move


def lower_move(f: Lowering, node: tree.Move) -> None:
    if moves_all(node) and not node.bottom and isinstance(node.to, tree.ZoneValue) and not f.rules.effects:
        gather(f, node)
        return
    cards = copied(f, node.cards)
    to = Target(f, node.to, node.face, node.span)
    if node.bottom and not to.row:
        move_under(f, cards, to, node.span)
        return
    if is_single(node.cards):
        with f.code.when(f.code.compare(">", cards.count, 0)):
            move_one(f, card_at(f, cards, 0), to, node.span)
        return
    with f.code.count(cards.count) as index:
        move_one(f, card_at(f, cards, index), to, node.span)


def is_single(node: tree.Expr) -> bool:
    return isinstance(node, tree.CardsOf) and node.source.type.kind == "card"


def lift_card(f: Lowering, card: Value, span: Span) -> None:
    """Takes a card from where it lies. Only one that its deck does not keep at this table lies nowhere."""
    if any(deck.keep is not None for deck in f.rules.decks):
        with f.code.when(f.code.compare("<", f.field("place", card), 0), likely=False):
            site = f.build.error_site("card-nowhere", span)
            f.code.call(kernels.fail(f.build), [f.state, number(site), card])
    f.code.call(kernels.take(f.build), [f.state, card])


def move_one(f: Lowering, card: Value, to: Target, span: Span) -> None:
    lift_card(f, card, span)
    to.put(card, to.zone())


def move_under(f: Lowering, cards: Cards, to: Target, span: Span) -> None:
    """To the bottom; the first ends lowest."""
    with f.code.count(cards.count) as index:
        card = card_at(f, cards, index)
        lift_card(f, card, span)
        zone = to.zone()
        face = face_code(f, to.face, zone, to.family)
        f.code.call(kernels.put_under(f.build), [f.state, card, zone, face, number(to.site), index])


def copied(f: Lowering, node: tree.Expr) -> Cards:
    """Cards in this call's own memory, so that moving them does not change the list."""
    cards = f.expression(node)
    if is_single(node):
        return cards  # type: ignore[no-any-return]
    room = f.list_room(Type("cards"))
    size = int(f.layout.card_kind.width) // 8
    f.code.copy(room, cards.pointer, f.code.multiply(cards.count, size))
    return Cards(room, cards.count)


def moves_all(node: tree.Move) -> bool:
    """`move all cards to Z`: every card of the game."""
    select = node.cards.source if isinstance(node.cards, tree.CardsOf) else node.cards
    if not isinstance(select, tree.Select) or select.which != "all" or select.best:
        return False
    return select.domain.noun == "card" and select.domain.source is None and select.domain.where is None


def gather(f: Lowering, node: tree.Move) -> None:
    """All cards onto one zone, in the order of the decks: where they lay does not matter."""
    assert isinstance(node.to, tree.ZoneValue)
    zone = f.wanted(f.expression(node.to), node.to.span)
    family, layout = node.to.family, f.layout
    capacity = layout.plans[family].capacity
    count = f.small(f.field("in_play"), layout.cards.count)
    site = f.build.error_site("zone-overfull", node.span, node.to)
    if capacity < layout.cards.count:
        with f.code.when(f.code.compare(">", count, capacity), likely=False):
            f.code.call(kernels.fail(f.build), [f.state, number(site), zone])
        count = f.code.smaller(count, capacity)
    size = int(layout.card_kind.width) // 8
    pile = cards_in(f, zone, family)
    f.code.copy(pile.pointer, f.address("deck"), f.code.multiply(count, size))
    f.code.fill(f.address("counts"), 0, layout.zones * layout["counts"].size)
    f.set_field("counts", count, zone)
    gather_marks(f, node.face, zone, family)


def gather_marks(f: Lowering, face: str, zone: Value, family: tree.ZoneFamily) -> None:
    """What is noted of each card: its place, its face, who knows it."""
    code = face_code(f, face, zone, family)
    whole = all(deck.keep is None for deck in f.rules.decks)
    with f.code.count(f.layout.cards.count if whole else f.field("in_play")) as index:
        card = index if whole else f.code.load(f.layout.card_kind, f.address("deck"), index, signed=False)
        f.code.call(kernels.enter(f.build), [f.state, card, zone, code])


# ---- turn, show


def lower_turn_face(f: Lowering, node: tree.TurnFace) -> None:
    for expr in node.cards:
        with each_of(f, expr) as card:
            f.set_field("face_up", number(int(node.up)), card)
            if f.build.knows and node.up:
                f.set_field("known", everybody(f), card)


@contextmanager
def each_of(f: Lowering, node: tree.Expr) -> Iterator[Value]:
    cards = f.expression(node)
    with f.code.count(cards.count) as index:
        yield card_at(f, cards, index)


def everybody(f: Lowering) -> Value:
    return number((1 << f.layout.seats) - 1)


def lower_turn_over(f: Lowering, node: tree.TurnOver) -> None:
    source = Source(f, node.source)
    to = Target(f, node.to, "down", node.span)
    with f.code.count(source.count()):
        card = source.take()
        to.put(card, to.zone())


def lower_orient(f: Lowering, node: tree.Orient) -> None:
    orientation = f.expression(node.orientation)
    turned = orientation if upright(f) == 0 else f.code.subtract(1, orientation)
    with each_of(f, node.cards) as card:
        f.set_field("reversed", turned, card)


def lower_set_mark(f: Lowering, node: tree.SetMark) -> None:
    card = f.wanted(f.expression(node.card), node.card.span)
    value = f.expression(node.value, node.mark.type)
    f.set_field(f"mark {node.mark.name}", value, card)
    if f.rules.effects:
        f.set_field(f"own mark {node.mark.name}", value, card)
        f.set_field("dirty", 1)


def lower_show(f: Lowering, node: tree.Show) -> None:
    cards = f.expression(node.cards)
    seers = everybody(f)
    if node.to is not None:
        seers = f.code.bit(f.wanted(f.expression(node.to), node.to.span))
    if not f.build.knows:
        return
    with f.code.count(cards.count) as index:
        card = card_at(f, cards, index)
        f.set_field("known", f.code.builder.or_(f.field("known", card), seers), card)


def lower_say(f: Lowering, node: tree.Say) -> None:
    """What is said stands in the log, which is written by playing the moves again (game.py). Here it only may stop the
    game."""
    for part in node.label.parts:
        if not isinstance(part, str):
            f.expression(part)


TABLE: dict[type, Lower] = {
    tree.Shuffle: lower_shuffle,
    tree.Deal: lower_deal,
    tree.DealAround: lower_deal_around,
    tree.Move: lower_move,
    tree.TurnFace: lower_turn_face,
    tree.TurnOver: lower_turn_over,
    tree.Orient: lower_orient,
    tree.SetMark: lower_set_mark,
    tree.Show: lower_show,
    tree.Say: lower_say,
}
