"""What plays are aimed at: things as words, and the slots in which those of a play stand (native/play_record.py).

Plays count from 0 here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from trionfi.core.desugar.alterations import condition_of
from trionfi.dsl import tree
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I16, I64, TRUE, Mutable, Number, Value, number, table
from trionfi.interpreter.native.emission.function import emitted
from trionfi.interpreter.native.play_record import UNSETTLED, most_targets

__all__ = [
    "aimed",
    "by_text",
    "card_of_thing",
    "card_thing",
    "column",
    "first_slot",
    "holds",
    "is_there",
    "known_when_gone",
    "number_of_play",
    "own_card_lies",
    "value_of_thing",
]


def card_thing(f: Body, card: Value) -> Value:
    """The card in the place where it lies."""
    return f.code.builder.or_(number(card), f.code.builder.shl(f.field("life", card), number(16)))


def card_of_thing(f: Body, thing: Value) -> Value:
    return f.small(f.code.builder.and_(thing, number(0xFFFF)), f.layout.cards.count)


def number_of_play(f: Body, thing: Value) -> Value:
    """The play that a thing is, from 0."""
    return f.code.subtract(-1, thing)


def value_of_thing(f: Body, thing: Value) -> Value:
    """The card, or the play's number from 1."""
    is_play = f.code.compare("<", thing, 0)
    return f.small(f.code.choose(is_play, f.code.subtract(0, thing), card_of_thing(f, thing)), 1 << 15)


def is_there(f: Body, thing: Value) -> Value:
    """A play, or a card that lies where it was aimed at."""
    is_play = f.code.compare("<", thing, 0)
    card = card_of_thing(f, f.code.choose(is_play, 0, thing))
    same = f.code.compare("==", f.field("life", card), f.code.builder.ashr(thing, number(16)))
    return f.code.either(is_play, same)


def aimed(f: Body, play: Value, place: Number) -> Value:
    """How many things one of the `targets` of a play has."""
    return f.field("play aimed", f.code.add(f.code.multiply(play, most_targets(f.rules)), place))


def first_slot(f: Body, play: Value, place: Number) -> Value:
    """Where the things of one of the `targets` of a play begin."""
    code, slot = f.code, f.field("play start", play)
    for before in range(most_targets(f.rules) - 1):
        if not isinstance(place, int):
            skipped = code.choose(code.compare("<", before, place), aimed(f, play, before), 0)
        elif before < place:
            skipped = aimed(f, play, before)
        else:
            break
        slot = code.add(slot, skipped)
    return slot


def own_card_lies(f: Body, play: Value) -> Value:
    """Whether a play's card is being played, or lies where the play put it."""
    life = f.field("play life", play)
    here = f.code.compare("==", life, f.field("life", f.field("play card", play)))
    return f.code.either(f.code.compare("==", life, UNSETTLED), here)


def known_when_gone(f: Body, thing: Value, slots: Value) -> Value:
    """Who knew a thing when it was last there, as the slots before say."""
    code, known = f.code, Mutable(f.code, I64, 0)
    with code.counting(slots) as (slot, loop):
        with code.when(code.compare("==", f.field("thing", slot), thing)):
            known.set(f.field("gone known", slot))
            loop.leave()
    return known.get()


def column(f: Body, name: str, values: Sequence[int], index: Value) -> Value:
    """A small number of each effect, or of each alteration of all effects."""
    return f.code.load(I16, table(f.build.module, f"effects: {name}", I16, values), index)


@contextmanager
def by_text(f: Body, text: Value, effects: Sequence[tree.Effect]) -> Iterator[Iterator[tree.Effect]]:
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


def holds(f: Body, effect: tree.Effect, alteration: tree.Alteration | None) -> Value:
    """Whether an alteration counts under the options, or (None) that the effect negates."""
    condition = effect.negates_if if alteration is None else alteration.condition
    if condition is None:
        return TRUE
    made = emitted(f.build, f.build.program, condition_of(effect, alteration))
    return f.code.call(made.function, [f.state])
