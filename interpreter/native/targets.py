"""What plays are aimed at: whether targets can be chosen, and the choice (docs/meaning.md, Plays and effects)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import NOTHING, NUMBER, TRUTH, Type
from trionfi.interpreter.native.builder import FALSE, I1, I64, POINTER, TRUE, Number, Value, Variable, function, number
from trionfi.interpreter.native.frames import Apart
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.lower_decisions import (
    Offer,
    alike,
    ask,
    group_listed,
    low_bits,
    new_site,
    note_picks,
    pick_one,
    pick_several,
)
from trionfi.interpreter.native.lower_queries import each_thing, most_things
from trionfi.interpreter.native.lower_statements import call_with
from trionfi.interpreter.native.lowering import Lower, Lowering
from trionfi.interpreter.native.play_record import GONE, KNOWN, MOST_SLOTS, most_targets
from trionfi.interpreter.native.plays import (
    aimed,
    by_text,
    card_thing,
    first_slot,
    has_targets,
    is_there,
    value_of_thing,
)
from trionfi.interpreter.native.values import Cards, Slot, Zones

if TYPE_CHECKING:
    from trionfi.interpreter.native.lowering import Build


@contextmanager
def scope(f: Lowering, names: dict[int, Any]) -> Iterator[None]:
    """The names of an effect's own frame."""
    before, f.names = f.names, names
    yield
    f.names = before


# ---- whether targets can be chosen


@dataclass(slots=True, eq=False)
class Counts(tree.Expr):
    """Of a thing of an effect's targets: whether with it all that follows can be chosen."""

    effect: tree.Effect
    place: int


def counting_domain(effect: tree.Effect, place: int) -> tree.Domain:
    """The things of some targets that count (docs/meaning.md, `playable`)."""
    targets = effect.targets[place]
    plain = targets.domain
    whole = place + 1 == len(effect.targets)
    if whole and effect.becomes is not targets and effect.retargets is not targets:
        return plain
    counts = Counts(TRUTH, targets.span, effect, place)
    where = counts if plain.where is None else tree.And(TRUTH, targets.span, [plain.where, counts])
    return replace(plain, where=where)


def lower_counts(f: Lowering, node: Counts) -> Value:
    effect, place = node.effect, node.place
    targets = effect.targets[place]
    thing, player = f.local(targets.domain.local), f.local(effect.locals[0])
    if effect.becomes is targets:
        text = f.field("play text", f.code.subtract(thing, 1))
        return f.code.call(playable_text(f.build), [f.state, text, player])
    result = TRUE
    if effect.retargets is targets:
        result = f.code.call(can_change(f.build), [f.state, f.code.subtract(thing, 1), player])
    if place + 1 < len(effect.targets):
        with f.named(targets.local, thing):
            result = f.code.both(result, can_meet(f, effect, place + 1))
    return result


def can_meet(f: Lowering, effect: tree.Effect, place: int) -> Value:
    """Whether the targets from this place on can be chosen, the earlier ones being named."""
    if place == len(effect.targets):
        return TRUE
    low = effect.targets[place].low
    if isinstance(low, tree.Const) and low.value == 0:
        return TRUE
    wanted, found, enough = f.expression(low), Variable(f.code, I64), Variable(f.code, I1)
    found.set(0)
    enough.set(f.code.compare("<=", wanted, 0))
    with f.code.when(f.code.invert(enough.get())):
        with each_thing(f, counting_domain(effect, place), ordered=False) as (_, loop):
            found.add(1)
            with f.code.when(f.code.compare(">=", found.get(), wanted)):
                enough.set(1)
                loop.leave()
    return enough.get()


@kernel
def playable(build: Build, index: int) -> ir.Function:
    """playable(state, player): whether the player could choose all targets of an effect now."""
    effect = build.rules.effects[index]
    with function(build.module, f"playable.{effect.name}", I1, [POINTER, I64]) as code:
        f = Lowering(build, code)
        f.names = {0: f.small(code.arguments[1], build.layout.seats)}
        code.give(can_meet(f, effect, 0))
    return code.function


@kernel
def playable_text(build: Build) -> ir.Function:
    """playable(state, effect, player)"""
    with function(build.module, "playable_text", I1, [POINTER, I64, I64]) as code:
        build.kernels[("playable_text",)] = code.function  # those that take another's text ask it themselves
        f = Lowering(build, code)
        with by_text(f, code.arguments[1], build.rules.effects) as each:
            for effect in each:
                code.give(code.call(playable(build, effect.index), [f.state, code.arguments[2]]))
                code.go_on(code.block("never"))
        code.give(FALSE)
    return code.function


# ---- new targets


class NewThings:
    """The things that may become targets of a play, for one of its `targets`: those that are legal now, then those that
    may be left alone. Plays count from 0."""

    def __init__(self, f: Lowering, effect: tree.Effect, place: int, play: Value, room: Value) -> None:
        self.f, self.effect, self.place, self.play, self.room = f, effect, place, play, room
        self.first, self.wanted = first_slot(f, play, place), aimed(f, play, place)

    @staticmethod
    def most(f: Lowering, targets: tree.Targets) -> int:
        return 2 * most_things(f, targets.domain) + 1

    def list(self, taken: Sequence[Value]) -> Value:
        """Writes them; gives how many they are. `taken`: those chosen under other names."""
        f, code = self.f, self.f.code
        domain, count = self.effect.targets[self.place].domain, Variable(code, I64)
        count.set(0)
        with each_thing(f, domain) as (thing, _):
            older = code.compare("<=", thing, self.play) if domain.noun == "play" else TRUE
            with code.when(older):
                word = code.subtract(0, thing) if domain.noun == "play" else card_thing(f, thing)
                code.store(I64, word, self.room, count.get())
                count.add(1)
        legal = count.get()
        with code.count(self.wanted) as index:
            old = f.field("now", code.add(self.first, index))
            new = Variable(code, I1)
            new.set(code.invert(among(f, self.room, legal, old)))
            for other in taken:
                new.set(code.both(new.get(), code.compare("!=", other, old)))
            with code.when(new.get()):
                code.store(I64, old, self.room, count.get())
                count.add(1)
        return count.get()

    def is_old(self, thing: Value) -> Value:
        """Whether the play has it as a target now."""
        f, code, found = self.f, self.f.code, Variable(self.f.code, I1)
        found.set(0)
        with code.count(self.wanted) as index:
            same = code.compare("==", f.field("now", code.add(self.first, index)), thing)
            found.set(code.either(found.get(), same))
        return found.get()

    def fresh(self, count: Value, low: Number = 0) -> Value:
        """How many of them, from `low` on, the play has not now."""
        code, total = self.f.code, Variable(self.f.code, I64)
        total.set(0)
        with code.count(count, low) as index:
            old = self.is_old(code.load(I64, self.room, index))
            total.add(code.number_of(code.invert(old)))
        return total.get()


def among(f: Lowering, room: Value, count: Value, thing: Value) -> Value:
    found = Variable(f.code, I1)
    found.set(0)
    with f.code.count(count) as index:
        found.set(f.code.either(found.get(), f.code.compare("==", f.code.load(I64, room, index), thing)))
    return found.get()


def can_go_on(
    f: Lowering, effect: tree.Effect, place: int, play: Value, taken: Sequence[Value], changed: Value
) -> Value:
    """Whether the rest can be chosen so that something changes."""
    if place == len(effect.targets):
        return changed
    code, targets = f.code, effect.targets[place]
    things = NewThings(f, effect, place, play, code.room(I64, max(2, NewThings.most(f, targets))))
    count, result = things.list(taken), Variable(code, I1)
    if place + 1 == len(effect.targets):
        new = code.either(changed, code.compare(">", things.fresh(count), 0))
        some = code.both(code.compare(">=", count, things.wanted), code.compare(">", things.wanted, 0))
        return code.choose(code.compare("==", things.wanted, 0), changed, code.both(some, new))
    result.set(0)
    with code.count(count) as index:
        thing = code.load(I64, things.room, index)
        with f.named(targets.local, value_of_thing(f, thing)):
            now = code.either(changed, code.invert(things.is_old(thing)))
            further = can_go_on(f, effect, place + 1, play, [*taken, thing], now)
        result.set(code.either(result.get(), further))
    return result.get()


@kernel
def can_change(build: Build) -> ir.Function:
    """can_change(state, play, player): whether the player could give the play really new targets."""
    with function(build.module, "can_change", I1, [POINTER, I64, I64]) as code:
        f = Lowering(build, code)
        _, play, player = code.arguments
        with code.when(code.invert(code.call(has_targets(build), [f.state, play]))):
            code.give(FALSE)
        effects = [effect for effect in build.rules.effects if effect.lasting]
        with by_text(f, f.field("play text", play), effects) as each:
            for effect in each:
                with scope(f, {0: f.small(player, build.layout.seats)}):
                    code.give(can_go_on(f, effect, 0, play, [], FALSE))
                code.go_on(code.block("never"))
        code.give(FALSE)
    return code.function


# ---- choosing


# The things chosen for a play while it is being played are written behind those of all plays, `written` of them; how
# many each of its `targets` has stands in `chosen`. Each effect's choices are a procedure of their own.


def chosen_slot(f: Lowering, place: Number) -> Value:
    return f.code.add(f.field("slots"), place)


def begin_choosing(f: Lowering) -> None:
    f.set_field("written", 0)
    for place in range(most_targets(f.rules)):
        f.set_field("chosen", 0, place)


def write_thing(f: Lowering, word: Value, span: Span) -> None:
    written = f.field("written")
    slot = chosen_slot(f, written)
    f.fail_when(f.code.compare(">=", slot, MOST_SLOTS), "too-many-targets", span)
    place = f.code.smaller(slot, MOST_SLOTS - 1)
    if f.build.watched:
        f.set_field("gone known", known_gone(f, word, place), place)  # of a target that is left alone and has gone
    f.set_field("thing", word, place)
    f.set_field("written", f.code.add(written, 1))


def write_value(f: Lowering, value: Value, targets: tree.Targets) -> None:
    is_card = targets.domain.noun == "card"
    write_thing(f, card_thing(f, value) if is_card else f.code.subtract(0, value), targets.span)


@dataclass(slots=True, eq=False)
class ChooseTargets(tree.Statement):
    """All targets of an effect; local 0 is who chooses."""

    effect: tree.Effect


@dataclass(slots=True, eq=False)
class ChooseNewTargets(tree.Statement):
    """New targets for a play of this text; local 0 is who chooses, local 1 the play, from 0."""

    effect: tree.Effect


def choosing(f: Lowering, node: ChooseTargets | ChooseNewTargets, *parameters: str) -> tree.Procedure:
    """The procedure that makes a choice; made once a module."""
    key = (type(node).__name__, node.effect.name)
    if key not in f.build.kernels:
        named = [tree.Local(name, NUMBER, index, node.span) for index, name in enumerate(parameters)]
        made = Apart(f"{key[0]} {key[1]}", named, named, NOTHING, node.span, seldom=True)
        made.body, made.asks = [node], True
        f.build.kernels[key] = made
    found: tree.Procedure = f.build.kernels[key]
    return found


def choose_targets(f: Lowering, effect: tree.Effect, seat: Value) -> None:
    if effect.targets:
        call_with(f, choosing(f, ChooseTargets(effect.span, effect), "player"), [seat])


def choose_new_targets(f: Lowering, effect: tree.Effect, seat: Value, play: Value) -> None:
    call_with(f, choosing(f, ChooseNewTargets(effect.span, effect), "player", "play"), [seat, play])


def lower_choose_targets(f: Lowering, node: ChooseTargets) -> None:
    effect, seat = node.effect, f.names[0]
    with scope(f, {0: seat}):
        for place, targets in enumerate(effect.targets):
            value = pick_targets(f, effect, place, seat)
            if targets.single:
                f.slot(targets.local).store(value)
                write_value(f, value, targets)
                f.set_field("chosen", 1, place)
                continue
            f.slot(targets.local).store(value)
            listed = f.slot(targets.local).load()
            with f.code.count(listed.count) as index:
                write_value(f, item(f, listed, index), targets)
            f.set_field("chosen", listed.count, place)


def item(f: Lowering, listed: Cards | Zones, index: Value) -> Value:
    from trionfi.interpreter.native.lower_expressions import card_at, each_zone

    return card_at(f, listed, index) if isinstance(listed, Cards) else each_zone(f, listed, index)


def pick_targets(f: Lowering, effect: tree.Effect, place: int, seat: Slot) -> Any:
    targets = effect.targets[place]
    name = f"{effect.name}: {targets.name}"
    target = tree.LocalValue(targets.local.type, targets.span, targets.local)
    domain = counting_domain(effect, place)
    player = tree.Const(NUMBER, targets.span, None)
    node = tree.Choose(targets.span, player, name, targets.low, targets.high, domain, target, targets.single)
    site = new_site(f, "pick", name, targets)
    return (pick_one if targets.single else pick_several)(f, node, seat.load(), site)


def lower_choose_new_targets(f: Lowering, node: ChooseNewTargets) -> None:
    """As many things as the play has."""
    effect, seat, play = node.effect, f.names[0], f.names[1]
    changed = f.new_slot(TRUTH)
    changed.store(FALSE)
    taken: list[Slot] = []
    with scope(f, {0: seat}):
        for place in range(len(effect.targets)):
            NewPicks(f, effect, place, play, changed, taken).choose(seat)


class NewPicks:
    """The choice of new things for one of the targets of a play, pick by pick."""

    def __init__(
        self, f: Lowering, effect: tree.Effect, place: int, play: Slot, changed: Slot, taken: list[Slot]
    ) -> None:
        self.f, self.effect, self.place, self.play = f, effect, place, play
        self.changed, self.taken = changed, taken
        self.targets = effect.targets[place]
        self.last = place + 1 == len(effect.targets)
        self.listed = f.new_list(Type("zones"), I64, NewThings.most(f, self.targets))
        self.picked, self.begin = f.new_slot(NUMBER), f.new_slot(NUMBER)
        self.new, self.thing = f.new_slot(TRUTH), f.new_slot(NUMBER)

    def things(self) -> NewThings:
        room = self.f.code.at(self.listed.room(), 8)
        return NewThings(self.f, self.effect, self.place, self.play.load(), room)

    def choose(self, seat: Slot) -> None:
        f, code = self.f, self.f.code
        count = self.things().list([one.load() for one in self.taken])
        code.store(I64, count, self.listed.room())
        if self.copied:
            group_listed(f, self.listed, lambda one, other: self._same(one, other, seat.load()))
        for slot in (self.picked, self.begin):
            slot.store(number(0))
        self.new.store(FALSE)
        site = new_site(f, "pick", f"{self.effect.name}: {self.targets.name}", self.targets)
        with code.loop() as loop:
            wanted = aimed(f, self.play.load(), self.place)
            with code.when(code.compare(">=", self.picked.load(), wanted)):
                loop.leave()
            offer = Offer(f, 2 * NewThings.most(f, self.targets), self.targets.span)
            self._offer(offer, seat)
            note_picks(f, self.picked.load(), code.subtract(wanted, self.picked.load()))
            self._list_picked(offer)
            entry = offer.entry(ask(f, site, seat.load(), offer.count.get(), offer))
            self._take(entry)
        self.changed.store(code.either(self.changed.load(), self.new.load()))
        if not self.last:
            f.slot(self.targets.local).store(value_of_thing(f, self.thing.load()))
            self.taken.append(self.thing)

    @property
    def copied(self) -> bool:
        """Whether two things may be one option."""
        return self.f.layout.cards.copied and self.targets.domain.noun == "card"

    def _same(self, one: Value, other: Value, player: Value) -> Value:
        """Copies that the player knows, which are both there."""
        there = self.f.code.both(is_there(self.f, one), is_there(self.f, other))
        cards = [value_of_thing(self.f, thing) for thing in (one, other)]
        return self.f.code.both(there, alike(self.f, cards[0], cards[1], player))

    def _offer(self, offer: Offer, seat: Slot) -> None:
        code, things = self.f.code, self.things()
        count, before, fresh = code.load(I64, self.listed.room()), Variable(code, I64, 0), Variable(code, I1, 1)
        with code.count(count, self.begin.load()) as index:
            thing = code.load(I64, things.room, index)
            if self.copied:
                known = code.both(code.compare(">", offer.count.get(), 0), self._same(before.get(), thing, seat.load()))
                fresh.set(code.invert(known))
            with code.when(fresh.get()):
                with code.when(self._allows(things, count, index, thing)):
                    offer.add(self._entry(thing, index))
                    before.set(thing)

    def _allows(self, things: NewThings, count: Value, index: Value, thing: Value) -> Value:
        """Whether it may be picked next: enough stay behind it, and a change can still come."""
        f, code = self.f, self.f.code
        behind = code.subtract(code.subtract(count, index), 1)
        rest = code.subtract(code.subtract(things.wanted, self.picked.load()), 1)
        old = things.is_old(thing)
        if not self.last:
            with f.named(self.targets.local, value_of_thing(f, thing)):
                changed = code.either(self.changed.load(), code.invert(old))
                taken = [one.load() for one in self.taken]
                further = can_go_on(f, self.effect, self.place + 1, self.play.load(), [*taken, thing], changed)
            return code.both(code.compare(">=", behind, rest), further)
        more = code.compare(">", rest, 0)
        changes = code.either(code.either(self.changed.load(), self.new.load()), code.invert(old))
        choice = code.both(more, code.compare(">", behind, rest))
        later = code.both(more, code.compare(">", things.fresh(count, code.add(index, 1)), 0))
        changes = code.either(changes, code.either(choice, later))
        return code.both(code.compare(">=", behind, rest), changes)

    def _entry(self, thing: Value, index: Value) -> Value:
        """A card that has gone is told by who knew it."""
        f, b = self.f, self.f.code.builder
        entry = b.or_(low_bits(f, value_of_thing(f, thing)), b.shl(number(index), number(16)))
        if not f.build.watched:
            return entry
        return b.or_(entry, gone_bits(f, thing))

    def _list_picked(self, offer: Offer) -> None:
        """What is picked already stands behind what is offered."""
        f, code = self.f, self.f.code
        if not f.build.watched:
            return
        with code.count(self.picked.load()) as index:
            place = code.add(code.subtract(f.field("written"), self.picked.load()), index)
            entry = self._entry(f.field("thing", chosen_slot(f, place)), index)
            code.store(I64, entry, offer.pointer, code.add(offer.count.get(), index))

    def _take(self, entry: Value) -> None:
        code, b = self.f.code, self.f.code.builder
        index = b.and_(b.lshr(entry, number(16)), number(0xFFFF))
        things = self.things()
        thing = code.load(I64, things.room, index)
        self.thing.store(thing)
        write_thing(self.f, thing, self.targets.span)
        self.picked.store(code.add(self.picked.load(), 1))
        self.begin.store(code.add(index, 1))
        self.new.store(code.either(self.new.load(), code.invert(things.is_old(thing))))


def gone_bits(f: Lowering, thing: Value) -> Value:
    """What an entry says more of a card that has gone."""
    b = f.code.builder
    known = b.shl(known_gone(f, thing, f.field("slots")), number(KNOWN))
    return f.code.choose(is_there(f, thing), 0, b.or_(known, number(1 << GONE)))


def known_gone(f: Lowering, thing: Value, slots: Value) -> Value:
    """Who knew a thing when it was last there, as the slots before say."""
    code, known = f.code, Variable(f.code, I64)
    known.set(0)
    with code.counting(slots) as (slot, loop):
        with code.when(code.compare("==", f.field("thing", slot), thing)):
            known.set(f.field("gone known", slot))
            loop.leave()
    return known.get()


EXPRESSIONS: dict[type, Lower] = {Counts: lower_counts}
STATEMENTS: dict[type, Lower] = {
    ChooseTargets: lower_choose_targets,
    ChooseNewTargets: lower_choose_new_targets,
}
