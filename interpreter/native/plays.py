"""Plays in the record: which are in force with which targets, and what cards are through them (docs/meaning.md).

A *thing* that is aimed at is a word: a card with its life 16 bits up, or a play's number below 0. The things of all
plays stand in slots one behind the other; beside each stands what it is *now*, and since when. Behind the chosen things
of a play that gives new targets there is a block for each play that it names: its number, then its new things, as many
as it has.

Everything here follows from plays, lives and what scripts have turned and marked; it is worked out anew after a
statement that has changed what a play is about (`renew`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I32,
    I64,
    POINTER,
    TRUE,
    VOID,
    Number,
    Value,
    Variable,
    function,
    number,
    table,
)
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.lowering import Lowering
from trionfi.interpreter.native.play_record import (
    EVERY_RANK,
    MOST_SLOTS,
    UNSETTLED,
    all_suits,
    most_plays,
    most_targets,
)

if TYPE_CHECKING:
    from trionfi.interpreter.native.lowering import Build

# ---- things


def card_thing(f: Lowering, card: Value) -> Value:
    return f.code.builder.or_(number(card), f.code.builder.shl(f.field("life", card), number(16)))


def card_of_thing(f: Lowering, thing: Value) -> Value:
    return f.small(f.code.builder.and_(thing, number(0xFFFF)), f.layout.cards.count)


def is_there(f: Lowering, thing: Value) -> Value:
    """A play, or a card that lies where it was aimed at."""
    is_play = f.code.compare("<", thing, 0)
    card = card_of_thing(f, f.code.choose(is_play, 0, thing))
    same = f.code.compare("==", f.field("life", card), f.code.builder.ashr(thing, number(16)))
    return f.code.either(is_play, same)


def value_of_thing(f: Lowering, thing: Value) -> Value:
    """The card or the play's number."""
    play = f.code.subtract(0, thing)
    return f.small(f.code.choose(f.code.compare("<", thing, 0), play, card_of_thing(f, thing)), 1 << 15)


def aimed(f: Lowering, play: Value, place: Number) -> Value:
    """How many things one of the `targets` of a play has; plays count from 0 here."""
    return f.field("play aimed", f.code.add(f.code.multiply(play, most_targets(f.rules)), place))


def first_slot(f: Lowering, play: Value, place: int) -> Value:
    """Where the things of one of the `targets` of a play begin."""
    slot = f.field("play start", play)
    for before in range(place):
        slot = f.code.add(slot, aimed(f, play, before))
    return slot


@contextmanager
def by_text(f: Lowering, text: Value, effects: Sequence[tree.Effect]) -> Iterator[Iterator[tree.Effect]]:
    """`with by_text(...) as each: for effect in each:` writes what happens for each text."""
    after = f.code.block("after")
    blocks = [f.code.block("text") for _ in effects]
    switch = f.code.builder.switch(text, after)
    for effect, block in zip(effects, blocks, strict=True):
        switch.add_case(number(effect.index), block)

    def each() -> Iterator[tree.Effect]:
        for effect, block in zip(effects, blocks, strict=True):
            f.code.go_on(block)
            yield effect
            f.code.jump(after)

    yield each()
    f.code.go_on(after)


def holds(f: Lowering, condition: tree.Expr | None) -> Value:
    return TRUE if condition is None else f.truth(condition)


# ---- lives


@kernel
def lift(build: Build) -> ir.Function:
    """lift(state, card): a new life begins for a card that is moved or shuffled."""
    with function(build.module, "lift", VOID, [POINTER, I64], attributes=["inlinehint"]) as code:
        f = Lowering(build, code)
        card = code.arguments[1]
        with code.when(code.compare("!=", f.field("named", card), 0), likely=False):
            if build.watched:
                note_gone(f, card)
            f.set_field("named", 0, card)
            f.set_field("dirty", 1)
        f.set_field("life", code.add(f.field("life", card), 1), card)
    return code.function


def note_gone(f: Lowering, card: Value) -> None:
    """Who knew a card that leaves the place where it was aimed at."""
    thing, known = card_thing(f, card), f.field("known", card)
    with f.code.count(f.field("slots")) as slot:
        with f.code.when(f.code.compare("==", f.field("thing", slot), thing)):
            f.set_field("gone known", known, slot)


def renew_if_dirty(f: Lowering) -> None:
    with f.code.when(f.code.compare("!=", f.field("dirty"), 0), likely=False):
        f.code.call(renew(f.build), [f.state])


# ---- settlement and derivation


@kernel
def renew(build: Build) -> ir.Function:
    """renew(state): settles the plays and derives what cards are."""
    with function(build.module, "renew", VOID, [POINTER], attributes=["noinline"]) as code:
        f = Lowering(build, code)
        f.set_field("dirty", 0)
        reset_cards(f)
        code.call(settle(build), [f.state])
        code.call(derive(build), [f.state])
        with code.count(f.field("plays")) as play:
            with code.when(code.compare("==", f.field("play life", play), UNSETTLED)):
                f.set_field("named", 1, f.field("play card", play))
        code.give()
    return code.function


def reset_cards(f: Lowering) -> None:
    """Cards that plays have altered are as they are without plays."""
    with f.code.count(f.field("altered count")) as index:
        card = f.field("altered", index)
        f.set_field("suits now", printed_suits(f, card), card)
        f.set_field("rank now", printed_rank(f, card), card)
        for mark in f.rules.marks:
            f.set_field(f"mark {mark.name}", f.field(f"own mark {mark.name}", card), card)
    f.set_field("altered count", 0)


def printed_suits(f: Lowering, card: Value) -> Value:
    suits = [0 if suit < 0 else 1 << suit for suit in f.layout.cards.column("suit")]
    return f.code.load(I32, table(f.build.module, "printed suits", I32, suits), card)


def printed_rank(f: Lowering, card: Value) -> Value:
    return f.code.load(I16, table(f.build.module, "printed ranks", I16, f.layout.cards.column("rank")), card)


@kernel
def settle(build: Build) -> ir.Function:
    """settle(state): from the youngest play to the oldest, since plays name older ones only (A15)."""
    with function(build.module, "settle", VOID, [POINTER]) as code:
        f = Lowering(build, code)
        plays = f.field("plays")
        silenced = code.room(I8, max(2, most_plays(build.rules) + 1))
        code.fill(silenced, 0, most_plays(build.rules) + 1)
        with code.count(plays) as index:
            play = code.subtract(code.subtract(plays, 1), index)
            quiet = code.either(
                code.compare("!=", f.field("play ended", play), 0),
                code.compare("!=", code.load(I8, silenced, play), 0),
            )
            f.set_field("play in force", code.number_of(code.invert(quiet)), play)
            begin_targets(f, play)
            with code.count(plays, code.add(play, 1)) as younger:
                gives = code.both(
                    code.compare("!=", f.field("play in force", younger), 0),
                    code.compare(">", f.field("play blocks", younger), 0),
                )
                with code.when(gives, likely=False):
                    take_new_targets(f, play, younger)
            with code.when(code.invert(quiet)):
                silence(f, play, silenced)
        code.give()
    return code.function


def begin_targets(f: Lowering, play: Value) -> None:
    start, since = f.field("play start", play), f.code.add(play, 1)
    with f.code.count(f.field("play total", play)) as index:
        slot = f.code.add(start, index)
        f.set_field("now", f.field("thing", slot), slot)
        f.set_field("since", since, slot)


def take_new_targets(f: Lowering, play: Value, younger: Value) -> None:
    """The new things that a younger play gives, if it does; what was a target before keeps its time (A19)."""
    code = f.code
    slot = Variable(code, I64)
    slot.set(code.add(f.field("play start", younger), f.field("play total", younger)))
    with code.counting(f.field("play blocks", younger)) as (_, loop):
        number_ = code.subtract(0, f.field("thing", slot.get()))
        other = code.subtract(number_, 1)
        with code.when(code.compare("==", other, play)):
            times = code.room(I16, MOST_SLOTS)
            with code.count(most_targets(f.rules)) as place:
                read_times(f, play, place, slot.get(), code.add(younger, 1), times)
            with code.count(f.field("play total", play)) as index:
                to = code.add(f.field("play start", play), index)
                f.set_field("now", f.field("thing", code.add(code.add(slot.get(), 1), index)), to)
                f.set_field("since", code.load(I16, times, index), to)
            loop.leave()
        slot.set(code.add(code.add(slot.get(), 1), f.field("play total", other)))


def read_times(f: Lowering, play: Value, place: Value, block: Value, time: Value, times: Value) -> None:
    """The times of the new things of one of the `targets`."""
    code, offset = f.code, Variable(f.code, I64)
    offset.set(0)
    with code.count(place) as before:
        offset.add(aimed(f, play, before))
    count, start = aimed(f, play, place), code.add(f.field("play start", play), offset.get())
    with code.count(count) as index:
        new = f.field("thing", code.add(code.add(code.add(block, 1), offset.get()), index))
        since = Variable(code, I64)
        since.set(time)
        with code.count(count) as old:
            here = code.add(start, old)
            with code.when(code.compare("==", f.field("now", here), new)):
                since.set(f.field("since", here))
        code.store(I16, since.get(), times, code.add(offset.get(), index))


def silence(f: Lowering, play: Value, silenced: Value) -> None:
    effects = [effect for effect in f.rules.effects if effect.negates is not None]
    with by_text(f, f.field("play text", play), effects) as each:
        for effect in each:
            assert effect.negates is not None
            with f.code.when(holds(f, effect.negates_if)):
                first = first_slot(f, play, effect.negates.index)
                with f.code.count(aimed(f, play, effect.negates.index)) as index:
                    thing = f.field("now", f.code.add(first, index))
                    named = f.code.subtract(f.code.subtract(0, thing), 1)
                    f.code.store(I8, 1, silenced, named)


# An application is one word: time, play, place of the alteration, place among the targets. Words go in order.
TIME, PLAY_AT, PLACE = 40, 28, 16


@kernel
def derive(build: Build) -> ir.Function:
    """derive(state): all changes by plays in force, one after another in the order of their times."""
    with function(build.module, "derive", VOID, [POINTER]) as code:
        f = Lowering(build, code)
        # each alteration is made once a target, or once of the play's own card
        alterations = max(1, *(len(effect.alterations) for effect in build.rules.effects))
        changes = Changes(f, code.room(I64, (MOST_SLOTS + most_plays(build.rules)) * alterations))
        effects = [effect for effect in build.rules.effects if effect.alterations]
        with code.count(f.field("plays")) as play:
            with code.when(code.compare("!=", f.field("play in force", play), 0)):
                with by_text(f, f.field("play text", play), effects) as each:
                    for effect in each:
                        for place, alteration in enumerate(effect.alterations):
                            with code.when(holds(f, alteration.condition)):
                                changes.list(play, place, alteration)
        looks = Looks(f)
        with code.count(changes.count.get()) as index:
            apply_change(f, looks, code.load(I64, changes.room, index), effects)
        code.give()
    return code.function


class Changes:
    """The applications while they are put in order."""

    def __init__(self, f: Lowering, room: Value) -> None:
        self.f, self.room = f, room
        self.count = Variable(f.code, I64, 0)

    def list(self, play: Value, place: int, alteration: tree.Alteration) -> None:
        f, code = self.f, self.f.code
        if alteration.of is None:
            with code.when(own_card_lies(f, play)):
                self._add(code.add(play, 1), play, place, number(0))
            return
        first, count = first_slot(f, play, alteration.of.index), aimed(f, play, alteration.of.index)
        if alteration.model is not None:
            count = code.smaller(count, aimed(f, play, alteration.model.index))
        with code.count(count) as index:
            slot = code.add(first, index)
            time, thing = f.field("since", slot), f.field("now", slot)
            is_card = code.compare(">=", thing, 0)
            if alteration.model is not None:
                # a copy is made once, at the later of the times of its two roles
                model = code.add(first_slot(f, play, alteration.model.index), index)
                time = code.larger(time, f.field("since", model))
                is_card = code.both(is_card, code.compare(">=", f.field("now", model), 0))
            with code.when(is_card):
                self._add(time, play, place, index)

    def _add(self, time: Value, play: Value, place: int, index: Value) -> None:
        code, b = self.f.code, self.f.code.builder
        word = b.or_(b.shl(time, number(TIME)), b.shl(play, number(PLAY_AT)))
        word = b.or_(b.or_(word, number(place << PLACE)), index)
        at = Variable(code, I64)
        at.set(self.count.get())
        with code.loop() as loop:
            with code.when(code.compare("==", at.get(), 0)):
                loop.leave()
            before = code.load(I64, self.room, code.subtract(at.get(), 1))
            with code.when(code.compare("<", before, word)):
                loop.leave()
            code.store(I64, before, self.room, at.get())
            at.add(-1)
        code.store(I64, word, self.room, at.get())
        self.count.add(1)


def own_card_lies(f: Lowering, play: Value) -> Value:
    """Whether a play's card is being played, or lies where the play put it."""
    life = f.field("play life", play)
    here = f.code.compare("==", life, f.field("life", f.field("play card", play)))
    return f.code.either(f.code.compare("==", life, UNSETTLED), here)


class Looks:
    """What things are while changes are made: cards in their places as the record has them, others in a list."""

    def __init__(self, f: Lowering) -> None:
        self.f, code = f, f.code
        self.things, self.suits, self.ranks = (code.room(kind, MOST_SLOTS) for kind in (I64, I32, I16))
        self.count = Variable(code, I64, 0)

    def find(self, thing: Value) -> tuple[Value, Value]:
        """The addresses of the suits and the rank of a card."""
        f, code = self.f, self.f.code
        card = card_of_thing(f, thing)
        suits, rank = Variable(code, POINTER), Variable(code, POINTER)
        with code.otherwise(is_there(f, thing)) as other:
            suits.set(code.at(f.address("suits now"), card, 4))
            rank.set(code.at(f.address("rank now"), card, 2))
            other()
            index = self._gone(thing, card)
            suits.set(code.at(self.suits, index, 4))
            rank.set(code.at(self.ranks, index, 2))
        return suits.get(), rank.get()

    def _gone(self, thing: Value, card: Value) -> Value:
        f, code, found = self.f, self.f.code, Variable(self.f.code, I64)
        found.set(-1)
        with code.count(self.count.get()) as index:
            with code.when(code.compare("==", code.load(I64, self.things, index), thing)):
                found.set(index)
        with code.when(code.compare("<", found.get(), 0)):
            found.set(self.count.get())
            code.store(I64, thing, self.things, found.get())
            code.store(I32, printed_suits(f, card), self.suits, found.get())
            code.store(I16, printed_rank(f, card), self.ranks, found.get())
            self.count.add(1)
        return found.get()


def apply_change(f: Lowering, looks: Looks, word: Value, effects: Sequence[tree.Effect]) -> None:
    code, b = f.code, f.code.builder
    play = b.and_(b.lshr(word, number(PLAY_AT)), number(0xFFF))
    place, index = b.and_(b.lshr(word, number(PLACE)), number(0xFFF)), b.and_(word, number(0xFFFF))
    with by_text(f, f.field("play text", play), effects) as each:
        for effect in each:
            for at, alteration in enumerate(effect.alterations):
                with code.when(code.compare("==", place, at)):
                    alter(f, looks, play, alteration, index)


def alter(f: Lowering, looks: Looks, play: Value, alteration: tree.Alteration, index: Value) -> None:
    code = f.code
    if alteration.of is None:
        thing = card_thing(f, f.field("play card", play))
    else:
        thing = f.field("now", code.add(first_slot(f, play, alteration.of.index), index))
    suits, rank = looks.find(thing)
    if alteration.model is not None:
        model = f.field("now", code.add(first_slot(f, play, alteration.model.index), index))
        their_suits, their_rank = looks.find(model)
        code.store(I32, code.load(I32, their_suits), suits)
        code.store(I16, code.load(I16, their_rank), rank)
    else:
        CHANGES[alteration.kind](f, alteration, thing, suits, rank)
    note_altered(f, thing)


def note_altered(f: Lowering, thing: Value) -> None:
    code, card = f.code, card_of_thing(f, thing)
    new, count = Variable(code, I1), f.field("altered count")
    new.set(is_there(f, thing))
    with code.count(count) as index:
        with code.when(code.compare("==", f.field("altered", index), card)):
            new.set(0)
    with code.when(new.get()):
        f.set_field("altered", card, count)
        f.set_field("altered count", code.add(count, 1))


def change_some(f: Lowering, alteration: tree.Alteration, thing: Value, suits: Value, rank: Value) -> None:
    """Just this suit or rank. Of what holds every value, or none, there is no next one."""
    code, own = f.code, TRUE
    if alteration.reads_own:
        one_suit, one_rank = code.compare("==", code.bits(code.load(I32, suits)), 1), code.load(I16, rank)
        own = one_suit if alteration.what == "suit" else code.compare(">=", one_rank, 0)
    with code.when(own):
        value = alteration_value(f, alteration, thing, suits, rank)
        with code.when(code.compare(">=", value, 0)):
            if alteration.what == "suit":
                code.store(I32, code.bit(value), suits)
            else:
                code.store(I16, value, rank)


def alteration_value(f: Lowering, alteration: tree.Alteration, thing: Value, suits: Value, rank: Value) -> Value:
    """What is set, read off the card as it is at this point."""
    assert alteration.value is not None
    if isinstance(alteration.value, tree.Const):
        return f.expression(alteration.value)
    card = card_of_thing(f, thing)
    before = f.field("suits now", card), f.field("rank now", card)
    f.set_field("suits now", f.code.load(I32, suits), card)
    f.set_field("rank now", f.code.load(I16, rank), card)
    local = alteration.card.index if alteration.card is not None else 0
    names, f.names = f.names, {local: card}
    value = f.expression(alteration.value)
    f.names = names
    f.set_field("suits now", before[0], card)
    f.set_field("rank now", before[1], card)
    return value


def change_every(f: Lowering, alteration: tree.Alteration, thing: Value, suits: Value, rank: Value) -> None:
    if alteration.what == "suit":
        f.code.store(I32, all_suits(f.rules), suits)
    else:
        f.code.store(I16, EVERY_RANK, rank)


def change_no(f: Lowering, alteration: tree.Alteration, thing: Value, suits: Value, rank: Value) -> None:
    if alteration.what == "suit":
        f.code.store(I32, 0, suits)
    else:
        f.code.store(I16, -1, rank)


def change_mark(f: Lowering, alteration: tree.Alteration, thing: Value, suits: Value, rank: Value) -> None:
    assert alteration.mark is not None
    value = alteration_value(f, alteration, thing, suits, rank)
    with f.code.when(f.code.both(is_there(f, thing), f.code.compare(">=", value, 0))):
        f.set_field(f"mark {alteration.mark.name}", value, card_of_thing(f, thing))


CHANGES: dict[str, Callable[[Lowering, tree.Alteration, Value, Value, Value], None]] = {
    "some": change_some,
    "every": change_every,
    "no": change_no,
    "mark": change_mark,
}


@kernel
def has_targets(build: Build) -> ir.Function:
    """has_targets(state, play): whether it is in force and a lasting part of it names a thing, gone or not."""
    with function(build.module, "has_targets", I1, [POINTER, I64]) as code:
        f = Lowering(build, code)
        play = code.arguments[1]
        with code.when(code.compare("==", f.field("play in force", play), 0)):
            code.give(FALSE)
        with by_text(f, f.field("play text", play), build.rules.effects) as each:
            for effect in each:
                code.give(names_targets(f, effect, play))
                code.go_on(code.block("never"))
        code.give(FALSE)
    return code.function


def names_targets(f: Lowering, effect: tree.Effect, play: Value) -> Value:
    code, result = f.code, FALSE
    if effect.negates is not None:
        some = code.compare(">", aimed(f, play, effect.negates.index), 0)
        result = code.both(holds(f, effect.negates_if), some)
    for alteration in effect.alterations:
        named = [one for one in (alteration.of, alteration.model) if one is not None]
        if not named:
            continue
        every = holds(f, alteration.condition)
        for one in named:
            every = code.both(every, code.compare(">", aimed(f, play, one.index), 0))
        result = code.either(result, every)
    return result
