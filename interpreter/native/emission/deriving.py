"""What cards are through plays (docs/meaning.md, Plays and effects).

The record says of each card what it is now. A play that has been entered changes its targets last of all, so it is
added to what is there; only where a play silences others, gives them new targets or ends, all is worked out anew.
"""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir as llvm

from trionfi.core.desugar.alterations import alteration_value
from trionfi.dsl import tree
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I16,
    I32,
    I64,
    POINTER,
    TRUE,
    VOID,
    Mutable,
    Value,
    function,
    number,
    table,
)
from trionfi.interpreter.native.emission import aims
from trionfi.interpreter.native.emission.function import emitted
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.module import Build
from trionfi.interpreter.native.play_record import EVERY_RANK, MOST_SLOTS, all_suits, most_plays

__all__ = ["add_play", "alters_own_card", "derive", "may_fail", "reset_all", "reset_card", "write_own_card"]


class SuitsAndRank(NamedTuple):
    """Where the suits and the rank of a card stand while they are changed; `marks`: whether it has marks to set."""

    suits: Value
    rank: Value
    marks: Value = TRUE


def look_now(f: Body, card: Value) -> SuitsAndRank:
    """What the record says that a card is."""
    return SuitsAndRank(f.code.at(f.address("suits now"), card, 4), f.code.at(f.address("rank now"), card, 2))


def alters_own_card(rules: tree.Ruleset) -> bool:
    """Whether a play of some effect alters its own card."""
    return any(one.of is None for effect in rules.effects for one in effect.alterations)


def may_fail(build: Build) -> bool:
    """Whether the game may stop while it is worked out what cards are."""
    values = [
        alteration_value(effect, one)
        for effect in build.rules.effects
        for one in effect.alterations
        if one.value is not None
    ]
    return any(emitted(build, build.program, name).may_fail for name in values)


# ---- as it is without plays


def reset_card(f: Body, card: Value) -> None:
    """The card is as it is without plays."""
    f.set_field("suits now", printed_suits(f, card), card)
    f.set_field("rank now", printed_rank(f, card), card)
    for mark in f.rules.marks:
        f.set_field(f"mark {mark.name}", f.field(f"own mark {mark.name}", card), card)


def reset_all(f: Body) -> None:
    with f.code.count(f.field("altered count")) as index:
        reset_card(f, f.field("altered", index))
    f.set_field("altered count", 0)


def printed_suits(f: Body, card: Value) -> Value:
    suits = [0 if suit < 0 else 1 << suit for suit in f.layout.cards.column("suit")]
    return f.code.load(I32, table(f.build.module, "printed suits", I32, suits), card)


def printed_rank(f: Body, card: Value) -> Value:
    return f.code.load(I16, table(f.build.module, "printed ranks", I16, f.layout.cards.column("rank")), card)


def note_altered(f: Body, card: Value) -> None:
    """So that it can be reset; each once."""
    code, new, count = f.code, Mutable(f.code, I1, 1), f.field("altered count")
    with code.counting(count) as (index, loop):
        with code.when(code.compare("==", f.field("altered", index), card)):
            new.set(FALSE)
            loop.leave()
    with code.when(new.get()):
        f.set_field("altered", card, count)
        f.set_field("altered count", code.add(count, 1))


# ---- one change of one card


def change(
    f: Body, effect: tree.Effect, one: tree.Alteration, card: Value, look: SuitsAndRank, model: SuitsAndRank | None
) -> None:
    """What an alteration makes of a card; a card that has gone has no marks."""
    code, value = f.code, one.value
    match one.kind:
        case "copy":
            assert model is not None, "a copy has a model"
            code.store(I32, code.load(I32, model.suits), look.suits)
            code.store(I16, code.load(I16, model.rank), look.rank)
        case "every":
            set_look(f, one, look, all_suits(f.rules), EVERY_RANK)
        case "no":
            set_look(f, one, look, 0, -1)
        case "mark" | "some":
            assert value is not None, "a value is set"
            with code.when(has_one(f, one, look) if one.reads_own else TRUE):
                found = value_of(f, effect, one, card, look)
                with code.when(code.compare(">=", found, 0)):
                    set_value(f, one, card, look, found)


def set_look(f: Body, one: tree.Alteration, look: SuitsAndRank, suits: Value | int, rank: Value | int) -> None:
    if one.what == "suit":
        f.code.store(I32, suits, look.suits)
    else:
        f.code.store(I16, rank, look.rank)


def set_value(f: Body, one: tree.Alteration, card: Value, look: SuitsAndRank, value: Value) -> None:
    if one.kind == "some":
        set_look(f, one, look, f.code.bit(value) if one.what == "suit" else 0, value)
        return
    assert one.mark is not None, "a mark is set"
    with f.code.when(look.marks):
        f.set_field(f"mark {one.mark.name}", value, card)


def has_one(f: Body, one: tree.Alteration, look: SuitsAndRank) -> Value:
    """Whether the card has exactly one of what is set: of what holds every value there is no next one."""
    if one.what == "suit":
        return f.code.compare("==", f.code.bits(f.code.load(I32, look.suits, signed=False)), 1)
    return f.code.compare(">=", f.code.load(I16, look.rank), 0)


def value_of(f: Body, effect: tree.Effect, one: tree.Alteration, card: Value, look: SuitsAndRank) -> Value:
    """What is set, read off the card as it is at this point: while it is read the record says so."""
    code = f.code
    if isinstance(one.value, tree.Const):
        return number(-1 if one.value.value is None else int(one.value.value))  # type: ignore[call-overload]
    made = emitted(f.build, f.build.program, alteration_value(effect, one)).function
    now = look_now(f, card)
    before = code.load(I32, now.suits), code.load(I16, now.rank)
    code.store(I32, code.load(I32, look.suits), now.suits)
    code.store(I16, code.load(I16, look.rank), now.rank)
    found = code.call(made, [f.state, card])
    code.store(I32, before[0], now.suits)
    code.store(I16, before[1], now.rank)
    return found


# ---- a play that has been entered


def add_play(f: Body, effect: tree.Effect, play: Value) -> None:
    """The changes by the youngest play, which come behind all others. Its targets are all there."""
    for one in effect.alterations:
        with f.code.when(aims.holds(f, effect, one)):
            if one.of is None:
                change_own_card(f, effect, one, play)
            else:
                change_targets(f, effect, one, play)


def change_own_card(f: Body, effect: tree.Effect, one: tree.Alteration, play: Value) -> None:
    card = f.small(f.field("play card", play), f.layout.cards.count)
    change(f, effect, one, card, look_now(f, card), None)
    note_altered(f, card)


def change_targets(f: Body, effect: tree.Effect, one: tree.Alteration, play: Value) -> None:
    assert one.of is not None, "targets are changed"
    code, (first, count) = f.code, targets_of(f, play, one.of)
    model_first = first
    if one.model is not None:
        model_first, models = targets_of(f, play, one.model)
        count = code.smaller(count, models)
    with code.count(count) as index:
        card = aims.card_of_thing(f, f.field("now", code.add(first, index)))
        model = None
        if one.model is not None:
            model = look_now(f, aims.card_of_thing(f, f.field("now", code.add(model_first, index))))
        change(f, effect, one, card, look_now(f, card), model)
        note_altered(f, card)


def targets_of(f: Body, play: Value, targets: tree.Targets) -> tuple[Value, Value]:
    """The first slot, and how many."""
    return aims.first_slot(f, play, targets.index), aims.aimed(f, play, targets.index)


def write_own_card(f: Body, play: Value) -> None:
    """What a play that is being played makes of its own card, which has begun a new life."""
    effects = [effect for effect in f.rules.effects if any(one.of is None for one in effect.alterations)]
    with aims.by_text(f, f.field("play text", play), effects) as each:
        for effect in each:
            for one in effect.alterations:
                if one.of is None:
                    with f.code.when(aims.holds(f, effect, one)):
                        change_own_card(f, effect, one, play)


# ---- all anew


# An application is one word: time, play, number of the alteration, place among the targets. Words go in order.
TIME, PLAY_AT, ALTERATION = 40, 28, 16


@kernel
def derive(build: Build) -> llvm.Function:
    """derive(state): all changes by plays in force, one after another in the order of their times."""
    with function(build.module, "derive", VOID, [POINTER], attributes=["noinline"]) as code:
        f = Body(build, code)
        reset_all(f)
        changes = Applications(f)
        with code.count(f.field("plays")) as play:
            with code.when(code.compare("!=", f.field("play in force", play), 0)):
                changes.list(play)
        gone = GoneCards(f)
        with code.count(changes.count.get()) as index:
            make_change(f, gone, code.load(I64, changes.room, index))
        code.give()
    return code.function


class AlterationTables:
    """Those of all effects, numbered one behind the other."""

    def __init__(self, f: Body) -> None:
        self.f, effects = f, f.rules.effects
        self.all = [(effect, one) for effect in effects for one in effect.alterations]
        self._first = [sum(len(before.alterations) for before in effects[:place]) for place in range(len(effects))]

    def of_text(self, text: Value) -> tuple[Value, Value]:
        """The first one of an effect, and how many it has."""
        counts = [len(effect.alterations) for effect in self.f.rules.effects]
        return aims.column(self.f, "first alteration", self._first, text), aims.column(
            self.f, "alterations", counts, text
        )

    def of(self, alteration: Value) -> Value:
        """Which targets it alters; -1: the play's own card."""
        values = [-1 if one.of is None else one.of.index for _, one in self.all]
        return aims.column(self.f, "altered targets", values, alteration)

    def model(self, alteration: Value) -> Value:
        """Which targets it copies; those that it alters if it is no copy."""
        named = [one.of if one.model is None else one.model for _, one in self.all]
        return aims.column(self.f, "copied targets", [-1 if one is None else one.index for one in named], alteration)


class Applications:
    """The applications while they are put in order."""

    def __init__(self, f: Body) -> None:
        # each alteration is made once a target, or once of the play's own card
        most = max(1, *(len(effect.alterations) for effect in f.rules.effects))
        self.f, self.alterations = f, AlterationTables(f)
        self.room = f.code.room(I64, (MOST_SLOTS + most_plays(f.rules)) * most)
        self.count = Mutable(f.code, I64, 0)

    def list(self, play: Value) -> None:
        f, code = self.f, self.f.code
        first, count = self.alterations.of_text(f.field("play text", play))
        with code.count(count) as place:
            alteration = code.add(first, place)
            of = self.alterations.of(alteration)
            with code.otherwise(code.compare("<", of, 0)) as other:
                with code.when(aims.own_card_lies(f, play)):
                    self._add(code.add(play, 1), play, alteration, number(0))
                other()
                self._list_targets(play, alteration, of)

    def _list_targets(self, play: Value, alteration: Value, of: Value) -> None:
        """A copy is made once, at the later of the times of its two roles."""
        f, code = self.f, self.f.code
        model = self.alterations.model(alteration)
        slots, models = aims.first_slot(f, play, of), aims.first_slot(f, play, model)
        with code.count(code.smaller(aims.aimed(f, play, of), aims.aimed(f, play, model))) as index:
            since = (f.field("since", code.add(first, index)) for first in (slots, models))
            self._add(code.larger(*since), play, alteration, index)

    def _add(self, time: Value, play: Value, alteration: Value, index: Value) -> None:
        code, b = self.f.code, self.f.code.builder
        word = b.or_(b.shl(time, number(TIME)), b.shl(play, number(PLAY_AT)))
        word = b.or_(b.or_(word, b.shl(alteration, number(ALTERATION))), index)
        at = Mutable(code, I64)
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


class GoneCards:
    """What things are while changes are made: cards in their places as the record has them, others in a list."""

    def __init__(self, f: Body) -> None:
        self.f, code = f, f.code
        self.things, self.suits, self.ranks = (code.room(kind, MOST_SLOTS) for kind in (I64, I32, I16))
        self.count = Mutable(code, I64, 0)

    def find(self, thing: Value) -> SuitsAndRank:
        f, code = self.f, self.f.code
        card, there = aims.card_of_thing(f, thing), aims.is_there(f, thing)
        suits, rank = Mutable(code, POINTER), Mutable(code, POINTER)
        with code.otherwise(there) as other:
            now = look_now(f, card)
            suits.set(now.suits)
            rank.set(now.rank)
            other()
            index = self._place(thing, card)
            suits.set(code.at(self.suits, index, 4))
            rank.set(code.at(self.ranks, index, 2))
        return SuitsAndRank(suits.get(), rank.get(), there)

    def _place(self, thing: Value, card: Value) -> Value:
        f, code, found = self.f, self.f.code, Mutable(self.f.code, I64, -1)
        with code.counting(self.count.get()) as (index, loop):
            with code.when(code.compare("==", code.load(I64, self.things, index), thing)):
                found.set(index)
                loop.leave()
        with code.when(code.compare("<", found.get(), 0)):
            found.set(self.count.get())
            code.store(I64, thing, self.things, found.get())
            code.store(I32, printed_suits(f, card), self.suits, found.get())
            code.store(I16, printed_rank(f, card), self.ranks, found.get())
            self.count.add(1)
        return found.get()


def make_change(f: Body, gone: GoneCards, word: Value) -> None:
    code, b = f.code, f.code.builder
    alterations = AlterationTables(f)
    play = b.and_(b.lshr(word, number(PLAY_AT)), number(0xFFF))
    alteration, index = b.and_(b.lshr(word, number(ALTERATION)), number(0xFFF)), b.and_(word, number(0xFFFF))
    thing, model = changed_thing(f, alterations, play, alteration, index)
    card = aims.card_of_thing(f, thing)
    look, copied = gone.find(thing), gone.find(model)
    after = code.block("changed")
    switch = b.switch(alteration, after)
    for place, (effect, one) in enumerate(alterations.all):
        block = code.block("alteration")
        switch.add_case(number(place), block)
        code.go_on(block)
        with code.when(aims.holds(f, effect, one)):
            change(f, effect, one, card, look, copied)
        code.jump(after)
    code.go_on(after)
    with code.when(look.marks):
        note_altered(f, card)


def changed_thing(
    f: Body, alterations: AlterationTables, play: Value, alteration: Value, index: Value
) -> tuple[Value, Value]:
    """The thing that is changed, and the one that it copies."""
    code, of = f.code, alterations.of(alteration)
    thing, model = Mutable(code, I64), Mutable(code, I64)
    with code.otherwise(code.compare("<", of, 0)) as other:
        for variable in (thing, model):
            variable.set(aims.card_thing(f, f.field("play card", play)))
        other()
        thing.set(f.field("now", code.add(aims.first_slot(f, play, of), index)))
        model.set(f.field("now", code.add(aims.first_slot(f, play, alterations.model(alteration)), index)))
    return thing.get(), model.get()
