"""Stacked games (docs/meaning.md, Chance): one door between chance and a game that is played decision by decision.

What a stacked game gives out lies behind the record, in its *stack*, so that a clone goes its own way with it; the
field `stack` says where, and is 0 in all other games. Four kernels ask it: at the draw of a lot, after a shuffle,
before a card is dealt, and where a variable gets its first value by lot. Modules that play whole games know nothing of
it.

A stack is made of 64-bit words. A *queue* in it begins with two of them, which word comes next and which is behind the
last. A card to come is twice its face, plus 1 if it lies reversed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I8,
    I16,
    I64,
    POINTER,
    TRUE,
    VOID,
    Code,
    Mutable,
    Number,
    Value,
    function,
)
from trionfi.interpreter.native.builder import number as word
from trionfi.interpreter.native.builder import table as constants
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.layout import Layout
from trionfi.interpreter.native.module import NO_NUMBER, Build

__all__ = ["arrange", "bring_up", "is_stacked", "lot", "unless_set"]

NUMBERS, ORDERS = 0, 2  # the queues of `chance`
LISTS = 4  # of each zone the word at which its queue begins, 0 if it has none


class StackPlan:
    """The words of a stack before its queues: how often lists still name each face, which variables have a value that
    no draw has met yet, and an image of all variables at the start."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        fields = [layout[f"variable {variable.name}"] for variable in layout.rules.variables]
        self.first_byte = min((field.offset for field in fields), default=0)
        self.image_size = max((field.end for field in fields), default=0) - self.first_byte
        self.named = LISTS + layout.zones
        self.unmet = self.named + len(layout.cards.faces)
        self.image = self.unmet + self.slot_of(len(fields))
        self.queues = self.image + (self.image_size + 7) // 8

    def slot_of(self, variable: int) -> int:
        """The number of a variable's first value among those of all."""
        return sum(self.layout.owners_of(one) for one in self.layout.rules.variables[:variable])

    def size_of(self, variable: tree.Variable) -> int:
        """The bytes of one value of a variable that is drawn by lot."""
        field = self.layout[f"variable {variable.name}"]
        return field.size * field.count // self.layout.owners_of(variable)


# ---- asking


def is_stacked(build: Build, code: Code, state: Value) -> Value:
    return code.compare("!=", code.load(I64, code.at(state, build.layout["stack"].offset)), 0)


def stack_at(build: Build, code: Code, state: Value) -> Value:
    return code.at(state, code.load(I64, code.at(state, build.layout["stack"].offset)))


def holds_more(code: Code, stack: Value, queue: Number) -> Value:
    return code.compare("<", code.load(I64, stack, queue), code.load(I64, stack, code.add(queue, 1)))


def next_of(code: Code, stack: Value, queue: Number) -> Value:
    """The next word of a queue, which stays there."""
    return code.load(I64, stack, code.load(I64, stack, queue))


def take_next(code: Code, stack: Value, queue: Number) -> Value:
    taken = next_of(code, stack, queue)
    code.store(I64, code.add(code.load(I64, stack, queue), 1), stack, queue)
    return taken


@kernel
def lot(build: Build) -> ir.Function:
    """lot(state, n, site): a number under n, the next outcome that is given, else drawn from the game's stream."""
    with function(build.module, "lot", I64, [POINTER, I64, I64]) as code:
        state, count, site = code.arguments
        with code.when(is_stacked(build, code, state), likely=False):
            stack = stack_at(build, code, state)
            with code.when(holds_more(code, stack, NUMBERS)):
                outcome = take_next(code, stack, NUMBERS)
                with code.when(code.builder.icmp_unsigned(">=", outcome, count)):
                    code.call(kernels.fail(build), [state, site, outcome])
                    code.give(word(0))
                code.give(outcome)
        stream = code.at(state, build.layout["streams"].offset)
        code.give(code.call(kernels.below(build), [stream, count]))
    return code.function


@kernel
def listed(build: Build) -> ir.Function:
    """listed(state): the next outcome that is given, or that none is."""
    with function(build.module, "listed", I64, [POINTER], attributes=["cold"]) as code:
        (state,) = code.arguments
        with code.when(is_stacked(build, code, state), likely=False):
            stack = stack_at(build, code, state)
            with code.when(holds_more(code, stack, NUMBERS)):
                code.give(take_next(code, stack, NUMBERS))
        code.give(word(NO_NUMBER))
    return code.function


@kernel
def arrange(build: Build) -> ir.Function:
    """arrange(state, zone, cards, count, site): after a shuffle the cards of the zone's list that lie in it come to the
    top, then those of the next order, which must lie there."""
    with function(build.module, "arrange", VOID, [POINTER, I64, POINTER, I64, I64], attributes=["cold"]) as code:
        state, zone, cards, count, site = code.arguments
        stack = stack_at(build, code, state)
        lay_listed(build, code, stack, code.load(I64, stack, code.add(LISTS, zone)), cards, count)
        with code.when(code.invert(holds_more(code, stack, ORDERS))):
            code.give()
        with code.count(take_next(code, stack, ORDERS)) as done:
            left = code.subtract(count, done)
            wanted = take_next(code, stack, ORDERS)
            place = code.call(place_of(build), [cards, left, face_in(code, wanted)])
            with code.when(code.compare("<", place, 0)):
                code.call(kernels.fail(build), [state, site, wanted])
                code.give()
            lift(build, code, cards, place, left, wanted)
    return code.function


def lay_listed(build: Build, code: Code, stack: Value, queue: Value, cards: Value, count: Value) -> None:
    """The cards of a list stay in it, and come to the top where they lie in its zone."""
    with code.when(code.compare("!=", queue, 0)):
        left = Mutable(code, I64, count)
        end = code.load(I64, stack, code.add(queue, 1))
        with code.count(end, code.load(I64, stack, queue)) as at:
            wanted = code.load(I64, stack, at)
            place = code.call(place_of(build), [cards, left.get(), face_in(code, wanted)])
            with code.when(code.compare(">=", place, 0)):
                lift(build, code, cards, place, left.get(), wanted)
                left.set(code.subtract(left.get(), 1))


@kernel
def bring_up(build: Build) -> ir.Function:
    """bring_up(state, cards, count, source, to): the card that a deal takes comes to the top of its source.

    It is the next of a list of the zone that gets it, else of one of the source, if it lies there; else the topmost
    that no list still names.
    """
    kinds = [POINTER, POINTER, I64, I64, I64]
    with function(build.module, "bring_up", VOID, kinds, attributes=["cold"]) as code:
        state, cards, count, source, to = code.arguments
        stack, named = stack_at(build, code, state), StackPlan(build.layout).named
        for zone in (to, source):
            bring_listed(build, code, stack, code.load(I64, stack, code.add(LISTS, zone)))
        with code.count(count) as above:
            place = code.subtract(code.subtract(count, above), 1)
            face = face_at(build, code, cards, place)
            with code.when(code.compare("==", code.load(I64, stack, code.add(named, face)), 0)):
                raise_card(build, code, cards, place, count)
                code.give()
    return code.function


def bring_listed(build: Build, code: Code, stack: Value, queue: Value) -> None:
    """The same, of one list; nothing where there is none, or where its next card lies elsewhere."""
    _, cards, count, _, _ = code.arguments
    named = StackPlan(build.layout).named
    with code.when(code.compare("!=", queue, 0)), code.when(holds_more(code, stack, queue)):
        wanted = next_of(code, stack, queue)
        face = face_in(code, wanted)
        place = code.call(place_of(build), [cards, count, face])
        with code.when(code.compare(">=", place, 0)):
            take_next(code, stack, queue)
            still = code.load(I64, stack, code.add(named, face))
            code.store(I64, code.subtract(still, 1), stack, code.add(named, face))
            lift(build, code, cards, place, count, wanted)
            code.give()


@kernel
def spare(build: Build) -> ir.Function:
    """spare(state, slot, offset, size): whether a draw is left out because the variable has been set, true once.

    It then gets that value; its bytes lie at `offset` in the record.
    """
    with function(build.module, "spare", I1, [POINTER, I64, I64, I64], attributes=["cold"]) as code:
        state, slot, offset, size = code.arguments
        stack, plan = stack_at(build, code, state), StackPlan(build.layout)
        unmet = code.add(plan.unmet, slot)
        with code.when(code.compare("==", code.load(I64, stack, unmet), 0)):
            code.give(FALSE)
        code.store(I64, 0, stack, unmet)
        image = code.at(stack, plan.image, 8)
        code.copy(code.at(state, offset), code.at(image, code.subtract(offset, plan.first_byte)), size)
        code.give(TRUE)
    return code.function


@contextmanager
def unless_set(f: Body, variable: tree.Variable, owner: Value) -> Iterator[None]:
    """What is written inside draws a variable's value; it is left out where a stacked game has set that."""
    code, plan = f.code, StackPlan(f.layout)
    size, slot = plan.size_of(variable), plan.slot_of(variable.index)
    stacked, draws, after = code.block("stacked"), code.block("draws"), code.block("after")
    code.branch(is_stacked(f.build, code, f.state), stacked, draws, likely=False)
    code.go_on(stacked)
    offset = code.add(f.layout[f"variable {variable.name}"].offset, code.multiply(owner, size))
    spared = code.call(spare(f.build), [f.state, code.add(slot, owner), offset, word(size)])
    code.branch(spared, after, draws)
    code.go_on(draws)
    yield
    code.jump(after)
    code.go_on(after)


# ---- cards of a zone


def face_in(code: Code, wanted: Value) -> Value:
    return code.builder.lshr(wanted, word(1))


def face_at(build: Build, code: Code, cards: Value, place: Value) -> Value:
    card = code.load(build.layout.card_kind, cards, place, signed=False)
    return code.load(I16, constants(build.module, "card_faces", I16, build.layout.cards.face_of), card)


@kernel
def place_of(build: Build) -> ir.Function:
    """place_of(cards, count, face): where the topmost copy of a face lies among the lowest `count` cards, or -1."""
    with function(build.module, "place_of", I64, [POINTER, I64, I64], attributes=["cold"]) as code:
        cards, count, face = code.arguments
        with code.count(count) as above:
            place = code.subtract(code.subtract(count, above), 1)
            with code.when(code.compare("==", face_at(build, code, cards, place), face)):
                code.give(place)
        code.give(word(-1))
    return code.function


def lift(build: Build, code: Code, cards: Value, place: Value, count: Value, wanted: Value) -> None:
    """A card comes to the top of `count` and lies as listed."""
    card = code.load(build.layout.card_kind, cards, place, signed=False)
    turned = code.at(code.arguments[0], build.layout["reversed"].offset)
    code.store(I8, code.builder.and_(wanted, word(1)), turned, card)
    raise_card(build, code, cards, place, count)


def raise_card(build: Build, code: Code, cards: Value, place: Value, count: Value) -> None:
    """A card comes to the top of `count`; those above it move down."""
    kind = build.layout.card_kind
    size = int(kind.width) // 8
    last = code.subtract(count, 1)
    card = code.load(kind, cards, place, signed=False)
    at = code.at(cards, place, size)
    code.slide(at, code.at(at, 1, size), code.multiply(code.subtract(last, place), size))
    code.store(kind, card, cards, last)
