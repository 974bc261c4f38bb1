"""Choices of things, one or several, as a series of decisions (docs/meaning.md, Decisions)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trionfi.core.desugar.function import Desugar
from trionfi.core.desugar.writer import FALSE, TRUE, number
from trionfi.core.ir import Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, CARD, INT, CoreType, Kind
from trionfi.dsl.source import Span

__all__ = ["Legal", "PickLoop", "pick_one", "pick_things"]

NUMBERS = CoreType(Kind.LIST, "int")

# Whether a condition on the whole holds of a list of things.
Legal = Callable[[Operand], Operand]


@dataclass(slots=True)
class PickLoop:
    """A choice of several things under way. `things` stand in their order, copies side by side; `picked` are those
    taken so far and `places` where they stand, `behind` is the place behind the last of them."""

    d: Desugar
    place: int  # of the program: who asks
    span: Span
    player: Operand
    low: Operand
    high: Operand
    things: Operand
    legal: Legal | None
    picked: Name
    places: Name
    behind: Name

    @property
    def element(self) -> CoreType:
        return self.things.type.element

    def size(self) -> Name:
        return self.d.let(Op.SIZE, self.things)

    def thing(self, place: Operand) -> Name:
        return self.d.let(Op.ITEM, self.things, place, type=self.element)


def pick_things(
    d: Desugar,
    asks: object,
    span: Span,
    player: Operand,
    limits: tuple[Operand, Operand | None],
    things: Operand,
    legal: Legal | None = None,
) -> Name:
    """Asks for things one after another; gives the list of those picked, which stand as they stood. `asks`: the node
    that asks; the most number may be left open."""
    if things.type.element == CARD:
        things = d.let(Op.GROUPED, things, player, type=things.type)
    low, most = limits
    high = d.let(Op.SIZE, things) if most is None else most
    picked = d.var("picked", things.type, d.let(Op.EMPTY, type=things.type))
    places = d.var("places", NUMBERS, d.let(Op.EMPTY, type=NUMBERS))
    behind = d.var("behind", INT, number(0))
    pick = PickLoop(d, d.place(span, asks), span, player, low, high, things, legal, picked, places, behind)
    with d.loop("pick") as label:
        count = d.let(Op.SIZE, picked)
        with d.when(d.let(Op.AT_MOST, high, count)):
            d.leave(label)
        menu = d.let(Op.NEW_MENU)
        offer_things(pick, menu, count)
        d.check(d.let(Op.LESS, number(0), d.let(Op.OPTIONS, menu)), "no-option", span)
        left = d.let(Op.SUBTRACT, high, count)
        choice = d.let(Op.ASK_PICK, player, menu, picked, left, about=(pick.place,), hint="choice")
        with d.when(d.let(Op.IS_DONE, menu, choice)):
            d.leave(label)
        take(pick, menu, choice)
    return picked


def pick_one(d: Desugar, asks: object, span: Span, player: Operand, things: Operand) -> Operand:
    """Asks for one thing, of copies the first."""
    if things.type.element == CARD:
        things = d.let(Op.GROUPED, things, player, type=things.type)
    menu = d.let(Op.NEW_MENU)
    with d.count(number(0), d.let(Op.SIZE, things), "place") as (place, label):
        thing = d.let(Op.ITEM, things, place, type=things.type.element)
        if things.type.element == CARD:
            skip_like(d, things, thing, place, player, label)
        d.do(Op.OFFER_PICK, menu, thing, place)
    d.check(d.let(Op.LESS, number(0), d.let(Op.OPTIONS, menu)), "no-option", span)
    nothing = d.let(Op.EMPTY, type=things.type)
    choice = d.let(Op.ASK_PICK, player, menu, nothing, number(1), about=(d.place(span, asks),), hint="choice")
    return d.let(Op.PICKED_THING, menu, choice, type=things.type.element)


def skip_like(d: Desugar, things: Operand, thing: Operand, place: Operand, player: Operand, label: str) -> None:
    with d.when(d.let(Op.LESS, number(0), place)):
        before = d.let(Op.ITEM, things, d.let(Op.SUBTRACT, place, number(1)), type=CARD)
        with d.when(d.let(Op.ALIKE, before, thing, player)):
            d.skip(label)


def take(pick: PickLoop, menu: Operand, choice: Operand) -> None:
    d = pick.d
    place = d.let(Op.PICKED_PLACE, menu, choice)
    d.push(pick.picked, d.let(Op.PICKED_THING, menu, choice, type=pick.element))
    d.push(pick.places, place)
    d.set(pick.behind, d.let(Op.ADD, place, number(1)))


def offer_things(pick: PickLoop, menu: Operand, count: Operand) -> None:
    """The things behind the last pick that may come next; done, if the picks so far are enough."""
    d = pick.d
    with d.count(pick.behind, pick.size(), "place") as (place, label):
        thing = pick.thing(place)
        skip_copy(pick, place, thing, pick.behind, label)
        may = enough_behind(pick, place, count) if pick.legal is None else leads_to_legal(pick, place)
        with d.when(may):
            d.do(Op.OFFER_PICK, menu, thing, place)
    with d.when(may_stop(pick, count)):
        d.do(Op.OFFER_DONE, menu)


def enough_behind(pick: PickLoop, place: Operand, count: Operand) -> Operand:
    """Whether enough stay behind a thing to reach the least number."""
    d = pick.d
    behind = d.let(Op.SUBTRACT, pick.size(), place)
    return d.let(Op.AT_MOST, pick.low, d.let(Op.ADD, count, behind))


def may_stop(pick: PickLoop, count: Operand) -> Operand:
    d = pick.d
    enough = d.let(Op.AT_MOST, pick.low, count)
    if pick.legal is None:
        return enough
    legal = d.var("legal", BOOL, FALSE)
    with d.when(enough):
        d.set(legal, pick.legal(pick.picked))
    return legal


def skip_copy(pick: PickLoop, place: Operand, thing: Operand, first: Operand, label: str) -> None:
    """Of copies, which stand side by side, the first is offered."""
    d = pick.d
    if pick.element != CARD:
        return
    with d.when(d.let(Op.LESS, first, place)):
        before = pick.thing(d.let(Op.SUBTRACT, place, number(1)))
        with d.when(d.let(Op.ALIKE, before, thing, pick.player)):
            d.skip(label)


# ---- a condition on the whole


def leads_to_legal(pick: PickLoop, first: Operand) -> Operand:
    """Whether some legal set begins with the picks so far and the thing at `first`, and goes on behind it. Sets are
    gone over in the order of their places, of copies always the first ones."""
    d = pick.d
    found = d.var("leads_on", BOOL, FALSE)
    base = d.let(Op.SIZE, pick.places)
    tried = d.var("tried", NUMBERS, pick.places)
    d.push(tried, first)
    with d.loop("try") as label:
        count = d.let(Op.SIZE, tried)
        with d.when(d.let(Op.AT_MOST, pick.low, count)), d.when(legal_at(pick, tried)):
            d.set(found, TRUE)
            d.leave(label)
        following = d.let(Op.ADD, last_of(d, tried, count), number(1))
        deeper = d.both(d.let(Op.LESS, count, pick.high), d.let(Op.LESS, following, pick.size()))
        with d.when(deeper):
            d.push(tried, following)
        with d.otherwise():
            step_back(pick, tried, base, label)
    return found


def legal_at(pick: PickLoop, tried: Operand) -> Operand:
    d = pick.d
    chosen = d.var("chosen", pick.things.type, d.let(Op.EMPTY, type=pick.things.type))
    with d.each(tried, "place") as (place, _):
        d.push(chosen, pick.thing(place))
    assert pick.legal is not None, "only a condition on the whole is tried"
    return pick.legal(chosen)


def last_of(d: Desugar, tried: Operand, count: Operand) -> Operand:
    return d.let(Op.ITEM, tried, d.let(Op.SUBTRACT, count, number(1)), type=INT)


def step_back(pick: PickLoop, tried: Name, base: Operand, outer: str) -> None:
    """Takes the last thing that has another behind it to that one; leaves the search if only the first is left."""
    d = pick.d
    with d.loop("back") as label:
        count = d.let(Op.SIZE, tried)
        with d.when(d.let(Op.AT_MOST, count, d.let(Op.ADD, base, number(1)))):
            d.leave(outer)
        following = next_kind(pick, last_of(d, tried, count))
        d.set(tried, d.let(Op.FIRST_ITEMS, tried, d.let(Op.SUBTRACT, count, number(1)), type=NUMBERS))
        with d.when(d.let(Op.LESS, following, pick.size())):
            d.push(tried, following)
            d.leave(label)


def next_kind(pick: PickLoop, place: Operand) -> Operand:
    """The next place where no copy of the thing before it stands."""
    d = pick.d
    following = d.var("following", INT, d.let(Op.ADD, place, number(1)))
    if pick.element == CARD:
        with d.loop("copies") as label:
            with d.when(d.let(Op.AT_MOST, pick.size(), following)):
                d.leave(label)
            before, here = pick.thing(d.let(Op.SUBTRACT, following, number(1))), pick.thing(following)
            with d.when(d.negation(d.let(Op.ALIKE, before, here, pick.player))):
                d.leave(label)
            d.set(following, d.let(Op.ADD, following, number(1)))
    return following
