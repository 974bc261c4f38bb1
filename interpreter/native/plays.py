"""Plays in the record: which are in force with which targets, and what cards are through them (docs/meaning.md).

A *thing* that is aimed at is a word: a card with its life 16 bits up, or a play's number below 0. The things of all
plays stand in slots one behind the other; beside each stands what it is *now*, and since when. Behind the chosen things
of a play that gives new targets there is a block for each play that it names: its number, then its new things, as many
as it has.

Everything here follows from plays, lives and what scripts have turned and marked; it is worked out anew after a
statement that has changed what a play is about (`renew`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir

from trionfi.interpreter.native.builder import (
    I64,
    POINTER,
    VOID,
    Value,
    function,
    number,
)
from trionfi.interpreter.native.kernels import kernel
from trionfi.interpreter.native.module import Body

if TYPE_CHECKING:
    from trionfi.interpreter.native.module import Build

# ---- things


def card_thing(f: Body, card: Value) -> Value:
    return f.code.builder.or_(number(card), f.code.builder.shl(f.field("life", card), number(16)))


# ---- lives


@kernel
def lift(build: Build) -> ir.Function:
    """lift(state, card): a new life begins for a card that is moved or shuffled."""
    with function(build.module, "lift", VOID, [POINTER, I64], attributes=["inlinehint"]) as code:
        f = Body(build, code)
        card = code.arguments[1]
        with code.when(code.compare("!=", f.field("named", card), 0), likely=False):
            if build.watched:
                note_gone(f, card)
            f.set_field("named", 0, card)
            f.set_field("dirty", 1)
        f.set_field("life", code.add(f.field("life", card), 1), card)
    return code.function


def note_gone(f: Body, card: Value) -> None:
    """Who knew a card that leaves the place where it was aimed at."""
    thing, known = card_thing(f, card), f.field("known", card)
    with f.code.count(f.field("slots")) as slot:
        with f.code.when(f.code.compare("==", f.field("thing", slot), thing)):
            f.set_field("gone known", known, slot)


# ---- settlement and derivation
