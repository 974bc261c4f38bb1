"""The work that every card game does: random numbers, shuffles, cards that move. docs/meaning.md says what each does.

Each kernel is one function of the module, written when it is first asked for: `kernels.shuffle(build)`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from llvmlite import ir

from trionfi.interpreter.native.builder import (
    I1,
    I8,
    I32,
    I64,
    POINTER,
    VOID,
    Code,
    Mutable,
    Value,
    function,
    number,
    table,
)
from trionfi.interpreter.native.layout import FAILED
from trionfi.interpreter.native.module import Build

STEP = 0x9E3779B97F4A7C15
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB

Kernel = Callable[..., ir.Function]


def kernel(write: Kernel) -> Kernel:
    """Keeps the function that `write` makes, one a module for each set of arguments."""

    @wraps(write)
    def found(build: Build, *arguments: Any) -> ir.Function:
        key = (write.__name__, *arguments)
        if key not in build.kernels:
            build.kernels[key] = write(build, *arguments)
        return build.kernels[key]

    return found


# ---- chance


def scramble(code: Code, state: Value) -> Value:
    """What a generator in that state gives."""
    b = code.builder
    z = b.mul(b.xor(state, b.lshr(state, number(30))), number(FIRST_FACTOR))
    z = b.mul(b.xor(z, b.lshr(z, number(27))), number(SECOND_FACTOR))
    return b.xor(z, b.lshr(z, number(31)))


def mix(code: Code, value: Value) -> Value:
    """One draw of a generator whose state is `value`."""
    return scramble(code, code.builder.add(value, number(STEP)))


def draw(code: Code, stream: Value) -> Value:
    state = code.builder.add(code.load(I64, stream), number(STEP))
    code.store(I64, state, stream)
    return scramble(code, state)


@kernel
def below(build: Build) -> ir.Function:
    """below(stream, n): a number under n, each as likely."""
    with function(build.module, "below", I64, [POINTER, I64], attributes=["alwaysinline"]) as code:
        stream, count = code.arguments
        b = code.builder
        mask = number(0xFFFFFFFF)
        product = b.mul(b.lshr(draw(code, stream), number(32)), count)
        low, again, done = b.and_(product, mask), code.block("again"), code.block("done")
        first = b.block
        code.branch(b.icmp_unsigned("<", low, count), again, done, likely=False)
        code.go_on(again)
        code.give(code.call(below_again(build), [stream, count, product]))
        code.go_on(done)
        assert first is not done
        code.give(b.lshr(product, number(32)))
    return code.function


@kernel
def below_again(build: Build) -> ir.Function:
    """The rare rest of `below`: draws again while the product falls into the uneven part."""
    parameters = [POINTER, I64, I64]
    with function(build.module, "below_again", I64, parameters, attributes=["noinline", "cold"]) as code:
        stream, count, product = code.arguments
        b = code.builder
        mask = number(0xFFFFFFFF)
        uneven = b.urem(b.sub(number(1 << 32), count), count)
        with code.loop() as loop:
            latest = b.phi(I64)
            latest.add_incoming(product, code.start)
            good, more = code.block("good"), code.block("more")
            code.branch(b.icmp_unsigned(">=", b.and_(latest, mask), uneven), good, more)
            code.go_on(good)
            code.give(b.lshr(latest, number(32)))
            code.go_on(more)
            following = b.mul(b.lshr(draw(code, stream), number(32)), count)
            latest.add_incoming(following, more)
            loop.skip()
    return code.function


@kernel
def open_streams(build: Build) -> ir.Function:
    """open_streams(state, mixed seed, game, seats): the game's stream and the bots' begin."""
    with function(build.module, "open_streams", VOID, [POINTER, I64, I64, I64]) as code:
        state, seed, game, seats = code.arguments
        base = mix(code, code.builder.add(seed, game))
        streams = build.layout["streams"].offset
        with code.count(code.add(seats, 1)) as stream:
            code.store(I64, mix(code, code.builder.add(base, stream)), code.at(state, streams), stream)
    return code.function


@kernel
def descending(build: Build) -> ir.Function:
    """descending(stream, out, n, count): below(n), below(n - 1) ... as 32-bit numbers, `count` of them.

    A generator's state is a counter, so all draws are made side by side (LLVM turns the loop into vectors). Only if
    one of them falls into the uneven part, once in some ten million, they are made again one after another.
    """
    with function(build.module, "descending", VOID, [POINTER, POINTER, I64, I64]) as code:
        stream, out, n, count = code.arguments
        b = code.builder
        start, uneven = code.load(I64, stream), Mutable(code, I64, 0)
        with code.count(count) as index:
            state = b.add(start, b.mul(b.add(index, number(1)), number(STEP)))
            limit = code.subtract(n, index)
            product = b.mul(b.lshr(scramble(code, state), number(32)), limit)
            low = b.and_(product, number(0xFFFFFFFF))
            uneven.set(b.or_(uneven.get(), b.zext(b.icmp_unsigned("<", low, limit), I64)))
            code.store(I32, b.lshr(product, number(32)), out, index)
        code.store(I64, b.add(start, b.mul(count, number(STEP))), stream)
        with code.when(code.compare("!=", uneven.get(), 0), likely=False):
            code.store(I64, start, stream)
            draw_below = below(build)
            with code.count(count) as index:
                code.store(I32, code.call(draw_below, [stream, code.subtract(n, index)]), out, index)
        code.give()
    return code.function


@kernel
def shuffle(build: Build) -> ir.Function:
    """shuffle(state, zone, cards, count): the cards of a zone in any order; what was known of them is forgotten."""
    with function(build.module, "shuffle", VOID, [POINTER, I64, POINTER, I64]) as code:
        state, zone, cards, count = code.arguments
        kind = build.layout.card_kind
        draws = code.room(I32, max(2, build.layout.cards.count))
        swaps = code.larger(code.subtract(count, 1), 0)
        code.call(descending(build), [code.at(state, build.layout["streams"].offset), draws, count, swaps])
        with code.count(swaps) as done:
            last = code.subtract(swaps, done)
            other = code.load(I32, draws, done)
            mine, theirs = (code.load(kind, cards, i, signed=False) for i in (last, other))
            code.store(kind, theirs, cards, last)
            code.store(kind, mine, cards, other)
        if build.knows:
            forget(build, code, state, zone, cards, count)
        code.give()
    return code.function


def forget(build: Build, code: Code, state: Value, zone: Value, cards: Value, count: Value) -> None:
    """After a shuffle: known to all if face up, to the owner if he sees the zone, else to nobody."""
    layout = build.layout
    looker = code.load(I8, table(build.module, "zone_lookers", I8, layout.zone_lookers), zone)
    owner = code.choose(code.compare("<", looker, 0), 0, code.bit(looker))
    everybody = number((1 << layout.seats) - 1)
    with code.count(count) as index:
        card = code.load(layout.card_kind, cards, index, signed=False)
        up = code.load(I1, code.at(state, layout["face_up"].offset), card)
        code.store(I32, code.choose(up, everybody, owner), code.at(state, layout["known"].offset), card)


@kernel
def rotate(build: Build) -> ir.Function:
    """rotate(state, cards, count, every): turns a random half end for end, or each card by coin."""
    with function(build.module, "rotate", VOID, [POINTER, POINTER, I64, I1]) as code:
        state, cards, count, every = code.arguments
        draws = code.room(I32, max(2, build.layout.cards.count))
        stream = code.at(state, build.layout["streams"].offset)
        with code.otherwise(every) as other:
            draw_below = below(build)
            with code.count(count) as index:
                code.store(I32, code.call(draw_below, [stream, number(2)]), draws, index)
            other()
            code.call(descending(build), [stream, draws, count, count])
        turn_drawn(build, code, cards, draws)
        code.give()
    return code.function


def turn_drawn(build: Build, code: Code, cards: Value, draws: Value) -> None:
    """Of a coin 1 turns a card; of the half a number below those still to turn."""
    state, _, count, every = code.arguments
    kind, turned = build.layout.card_kind, code.at(state, build.layout["reversed"].offset)
    to_turn = Mutable(code, I64, code.builder.lshr(count, number(1)))
    with code.count(count) as index:
        card = code.load(kind, cards, index, signed=False)
        drawn = code.load(I32, draws, index)
        turn = code.choose(every, drawn, code.number_of(code.compare("<", drawn, to_turn.get())))
        to_turn.set(code.subtract(to_turn.get(), turn))
        code.store(I8, code.builder.xor(code.load(I8, turned, card), turn), turned, card)


# ---- moves


@kernel
def fail(build: Build) -> ir.Function:
    """fail(state, site, detail): the game stops; the first error counts."""
    attributes = ["noinline", "cold"]
    with function(build.module, "fail", VOID, [POINTER, I64, I64], attributes=attributes) as code:
        state, site, detail = code.arguments
        field = build.layout["error"].offset
        with code.when(code.compare("==", code.load(I64, code.at(state, field)), 0)):
            code.store(I64, code.add(site, 1), code.at(state, field))
            code.store(I64, detail, code.at(state, build.layout["detail"].offset))
            code.store(I64, number(FAILED), code.at(state, build.layout["status"].offset))
    return code.function


def zone_cards(build: Build, code: Code, state: Value, zone: Value) -> Value:
    """The address of the cards of a zone whose family is not known."""
    offsets = table(build.module, "zone_offsets", I32, build.layout.zone_offsets)
    return code.at(state, code.load(I32, offsets, zone))


@kernel
def take(build: Build) -> ir.Function:
    """take(state, card): the card leaves the zone where it lies; those above it move down."""
    with function(build.module, "take", VOID, [POINTER, I64]) as code:
        state, card = code.arguments
        layout, kind = build.layout, build.layout.card_kind
        size = 1 if kind is I8 else 2
        zone = code.load(layout["place"].kind, code.at(state, layout["place"].offset), card)
        lies = code.block("lies")
        gone = code.block("gone")
        code.branch(code.compare("<", zone, 0), gone, lies, likely=False)
        code.go_on(gone)
        code.give()
        code.go_on(lies)
        counts, cards = code.at(state, layout["counts"].offset), zone_cards(build, code, state, zone)
        top = code.subtract(code.load(layout["counts"].kind, counts, zone, signed=False), 1)
        # from the top down: cards are mostly taken from there
        with code.loop() as loop:
            index = code.builder.phi(I64)
            index.add_incoming(top, lies)
            # after an error a card may be said to lie where it is not
            with code.when(code.compare("<", index, 0), likely=False):
                code.give()
            with code.when(code.compare("==", code.load(kind, cards, index, signed=False), card)):
                loop.leave()
            following = code.subtract(index, 1)
            index.add_incoming(following, code.builder.block)
        code.store(layout["counts"].kind, top, counts, zone)
        place = code.at(cards, index, size)
        code.slide(place, code.at(place, 1, size), code.multiply(code.subtract(top, index), size))
    return code.function
