"""Plays come and go: which are in force, aimed at what, and what ends the life of a card (docs/meaning.md).

What plays come to follows from the list of plays alone. A play that names no others changes nothing about them, so only
where one silences others, gives them new targets or ends, all is settled anew.
"""

from __future__ import annotations

from llvmlite import ir as llvm

from trionfi.dsl import tree
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I8, I16, I64, POINTER, VOID, Mutable, Value, function, number
from trionfi.interpreter.native.emission import aims
from trionfi.interpreter.native.emission.deriving import alters_own_card, derive, reset_all, reset_card, write_own_card
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.module import Build
from trionfi.interpreter.native.play_record import MOST_SLOTS, UNSETTLED, most_plays, most_targets

__all__ = ["aim", "begin_play", "clear_plays", "end_life", "names_plays", "renew", "settle"]


def names_plays(effect: tree.Effect) -> bool:
    """Whether a play of it says something about others."""
    return effect.negates is not None or effect.retargets is not None


# ---- a card's life


@kernel
def end_life(build: Build) -> llvm.Function:
    """end_life(state, card): what is aimed at the card is gone."""
    with function(build.module, "end_life", VOID, [POINTER, I64], attributes=["alwaysinline"]) as code:
        f = Body(build, code)
        card = code.arguments[1]
        with code.when(code.compare("!=", f.field("named", card), 0), likely=False):
            code.call(leave_plays(build), [f.state, card])
        f.set_field("life", code.add(f.field("life", card), 1), card)
    return code.function


@kernel
def leave_plays(build: Build) -> llvm.Function:
    """leave_plays(state, card): a card that plays are about begins anew as it is without them."""
    with function(build.module, "leave_plays", VOID, [POINTER, I64], attributes=["noinline"]) as code:
        f = Body(build, code)
        card = f.small(code.arguments[1], build.layout.cards.count)
        if build.watched:
            note_gone(f, card)
        f.set_field("named", 0, card)
        reset_card(f, card)
        if alters_own_card(build.rules):
            follow_own_card(f, card)
        code.give()
    return code.function


def note_gone(f: Body, card: Value) -> None:
    """Who knew a card that leaves the place where it was aimed at."""
    thing, known = aims.card_thing(f, card), f.field("known", card)
    with f.code.count(f.field("slots")) as slot:
        with f.code.when(f.code.compare("==", f.field("thing", slot), thing)):
            f.set_field("gone known", known, slot)


def follow_own_card(f: Body, card: Value) -> None:
    """The youngest play may be under way: it is about its card wherever that goes."""
    code, plays = f.code, f.field("plays")
    play = code.subtract(plays, 1)
    with code.when(code.compare(">", plays, 0)):
        own = code.compare("==", f.field("play card", play), card)
        unsettled = code.compare("==", f.field("play life", play), UNSETTLED)
        in_force = code.compare("!=", f.field("play in force", play), 0)
        with code.when(code.both(code.both(own, unsettled), in_force)):
            f.set_field("named", 1, card)
            write_own_card(f, play)


# ---- a play is entered


@kernel
def begin_play(build: Build) -> llvm.Function:
    """begin_play(state, player, card, text): gives the play, from 0, which is aimed at nothing yet."""
    with function(build.module, "begin_play", I64, [POINTER, I64, I64, I64], attributes=["noinline"]) as code:
        f = Body(build, code)
        _, player, card, text = code.arguments
        play = f.field("plays")
        values = {"player": player, "card": card, "text": text, "ended": 0, "in force": 1, "lasting": 0}
        values |= {"life": UNSETTLED, "start": f.field("slots"), "total": 0, "blocks": 0}
        for name, value in values.items():
            f.set_field(f"play {name}", value, play)
        for place in range(most_targets(build.rules)):
            f.set_field("play aimed", 0, code.add(code.multiply(play, most_targets(build.rules)), place))
        f.set_field("plays", code.add(play, 1))
        code.give(play)
    return code.function


@kernel
def aim(build: Build) -> llvm.Function:
    """aim(state, things, count): writes things behind those of all plays, as far as there is room."""
    with function(build.module, "aim", VOID, [POINTER, POINTER, I64], attributes=["noinline"]) as code:
        f = Body(build, code)
        _, things, count = code.arguments
        since, first = f.field("plays"), f.field("slots")
        count = code.smaller(count, code.subtract(MOST_SLOTS, first))
        with code.count(count) as index:
            thing, slot = code.load(I64, things, index), code.add(first, index)
            if build.watched:
                f.set_field("gone known", aims.known_when_gone(f, thing, first), slot)
            f.set_field("thing", thing, slot)
            f.set_field("now", thing, slot)
            f.set_field("since", since, slot)
            with code.when(code.both(code.compare(">=", thing, 0), aims.is_there(f, thing))):
                f.set_field("named", 1, aims.card_of_thing(f, thing))
        f.set_field("slots", code.add(first, count))
        code.give()
    return code.function


# ---- plays end


@kernel
def clear_plays(build: Build) -> llvm.Function:
    """clear_plays(state): there are none any more, and cards are as they are without them."""
    with function(build.module, "clear_plays", VOID, [POINTER], attributes=["noinline"]) as code:
        f = Body(build, code)
        reset_all(f)
        with code.count(f.field("slots")) as slot:
            thing = f.field("thing", slot)
            with code.when(code.compare(">=", thing, 0)):
                f.set_field("named", 0, aims.card_of_thing(f, thing))
        with code.count(f.field("plays")) as play:
            f.set_field("named", 0, f.field("play card", play))
        for name in ("plays", "slots"):
            f.set_field(name, 0)
        code.give()
    return code.function


# ---- settlement


@kernel
def renew(build: Build) -> llvm.Function:
    """renew(state): settles the plays and derives what cards are."""
    with function(build.module, "renew", VOID, [POINTER], attributes=["noinline"]) as code:
        code.call(settle(build), [code.arguments[0]])
        code.call(derive(build), [code.arguments[0]])
        code.give()
    return code.function


@kernel
def settle(build: Build) -> llvm.Function:
    """settle(state): from the youngest play to the oldest, since plays name older ones only (A15)."""
    with function(build.module, "settle", VOID, [POINTER], attributes=["noinline"]) as code:
        f = Body(build, code)
        plays, most = f.field("plays"), max(2, most_plays(build.rules) + 1)
        silenced = code.room(I8, most)
        code.fill(silenced, 0, most)
        with code.count(plays) as index:
            play = code.subtract(code.subtract(plays, 1), index)
            quiet = code.builder.or_(f.field("play ended", play), code.load(I8, silenced, play))
            in_force = code.compare("==", quiet, 0)
            f.set_field("play in force", code.number_of(in_force), play)
            begin_targets(f, play)
            if any(effect.retargets is not None for effect in build.rules.effects):
                take_all_new_targets(f, play)
            with code.when(in_force):
                silence(f, play, silenced)
        code.give()
    return code.function


def begin_targets(f: Body, play: Value) -> None:
    start, since = f.field("play start", play), f.code.add(play, 1)
    with f.code.count(f.field("play total", play)) as index:
        slot = f.code.add(start, index)
        f.set_field("now", f.field("thing", slot), slot)
        f.set_field("since", since, slot)


def take_all_new_targets(f: Body, play: Value) -> None:
    """What younger plays in force give, from the oldest of these to the youngest."""
    code = f.code
    with code.count(f.field("plays"), code.add(play, 1)) as younger:
        in_force = code.compare("!=", f.field("play in force", younger), 0)
        gives = code.both(in_force, code.compare(">", f.field("play blocks", younger), 0))
        with code.when(gives, likely=False):
            take_new_targets(f, play, younger)


def take_new_targets(f: Body, play: Value, younger: Value) -> None:
    """The new things that a younger play gives, if it does; what was a target before keeps its time (A19)."""
    code, slot = f.code, Mutable(f.code, I64)
    slot.set(code.add(f.field("play start", younger), f.field("play total", younger)))
    with code.counting(f.field("play blocks", younger)) as (_, loop):
        named = aims.number_of_play(f, f.field("thing", slot.get()))
        with code.when(code.compare("==", named, play)):
            replace_targets(f, play, code.add(slot.get(), 1), code.add(younger, 1))
            loop.leave()
        slot.set(code.add(code.add(slot.get(), 1), f.field("play total", named)))


def replace_targets(f: Body, play: Value, block: Value, time: Value) -> None:
    """The things from the slot `block` on become the targets of a play."""
    code, times = f.code, f.code.room(I16, MOST_SLOTS)
    for place in range(most_targets(f.rules)):
        first = aims.first_slot(f, play, place)
        read_times(
            f, first, aims.aimed(f, play, place), code.subtract(first, f.field("play start", play)), block, time, times
        )
    with code.count(f.field("play total", play)) as index:
        to = code.add(f.field("play start", play), index)
        f.set_field("now", f.field("thing", code.add(block, index)), to)
        f.set_field("since", code.load(I16, times, index), to)


def read_times(f: Body, first: Value, count: Value, offset: Value, block: Value, time: Value, times: Value) -> None:
    """The times of the new things of one of the `targets`, which stands in `count` slots from `first` on."""
    code = f.code
    with code.count(count) as index:
        place, since = code.add(offset, index), Mutable(code, I64)
        new = f.field("thing", code.add(block, place))
        since.set(time)
        with code.count(count) as old:
            here = code.add(first, old)
            with code.when(code.compare("==", f.field("now", here), new)):
                since.set(f.field("since", here))
        code.store(I16, since.get(), times, place)


def silence(f: Body, play: Value, silenced: Value) -> None:
    """What a play in force negates."""
    effects = [effect for effect in f.rules.effects if effect.negates is not None]
    with aims.by_text(f, f.field("play text", play), effects) as each:
        for effect in each:
            assert effect.negates is not None
            with f.code.when(aims.holds(f, effect, None)):
                first = aims.first_slot(f, play, effect.negates.index)
                with f.code.count(aims.aimed(f, play, effect.negates.index)) as index:
                    named = aims.number_of_play(f, f.field("now", f.code.add(first, index)))
                    f.code.store(I8, number(1), silenced, named)
