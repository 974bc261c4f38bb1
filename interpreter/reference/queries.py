"""Questions that go over things: any, count, sum, the, all, random, next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, assert_never

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_IN_RANGE, MOST_NUMBERS, MOST_SETS
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Domain
from trionfi.dsl.tree.words import Extreme
from trionfi.interpreter.errors import InternalError, fail
from trionfi.interpreter.reference.compiler import Compiler, Frame, Value, meaning
from trionfi.interpreter.reference.expressions import check_size, needed, needed_number, pile
from trionfi.interpreter.reference.truths import sort_key
from trionfi.interpreter.state import State

__all__ = ["Things", "check_step", "collected", "domain", "found"]


class Things(NamedTuple):
    """A domain: `all` gives its things in order, one after another they go to the frame at `slot`; `where` says
    whether one counts (None: all do)."""

    slot: int
    all: Value
    where: Value | None


DOMAINS: dict[str, Callable[[Domain, Compiler], Value]] = {}


def noun(*names: str) -> Callable[[Callable[[Domain, Compiler], Value]], Callable[[Domain, Compiler], Value]]:
    def register(build: Callable[[Domain, Compiler], Value]) -> Callable[[Domain, Compiler], Value]:
        for name in names:
            DOMAINS[name] = build
        return build

    return register


def domain(node: Domain, c: Compiler) -> Things:
    where = c.value(node.where) if node.where is not None else None
    if where is not None and c.is_known(where) and c.known(where):
        where = None
    return Things(node.local.index, DOMAINS[node.noun](node, c), where)


def unordered(node: Domain, c: Compiler) -> Things:
    """The same where the order does not show: players from p1 on."""
    things = domain(node, c)
    if node.noun != "player" or node.source is not None or node.starting is not None:
        return things
    return things._replace(all=c.constant(c.table.orders[0]))


@noun("player")
def domain_player(node: Domain, c: Compiler) -> Value:
    order = seat_order(node, c)
    if node.source is None:
        return order
    players = c.value(node.source)

    def seats(s: State, f: Frame) -> list[int]:
        among = players(s, f)
        return [seat for seat in order(s, f) if among >> seat & 1]

    return seats


def seat_order(node: Domain, c: Compiler) -> Value:
    """All seats: from `starting`, else from the left of the dealer, else from p1; or to the right."""
    orders = c.table.orders_rightwards if node.rightwards else c.table.orders
    if node.starting is not None:
        starting = needed(node.starting, c)
        return lambda s, f: orders[starting(s, f)]
    if c.ruleset.dealer is None:
        return c.constant(orders[0])
    dealer = c.ruleset.dealer.index
    step = -1 if node.rightwards else 1
    after = [orders[(seat + step) % len(orders)] for seat in range(len(orders))]

    def from_the_dealer(s: State, _f: Frame) -> Sequence[int]:
        seat = s.values[dealer][0]
        return orders[0] if seat is None else after[seat]

    return from_the_dealer


@noun("team", "suit", "rank", "enum")
def domain_members(node: Domain, c: Compiler) -> Value:
    """All of them, or those of `options`, in their own order."""
    kind = node.local.type
    every = range(len(c.ruleset.teams if node.noun == "team" else c.ruleset.enumerations[kind.name].members))
    if node.source is None:
        return c.constant(every)
    offered = c.value(node.source)
    return lambda s, f: sorted(offered(s, f))


@noun("card")
def domain_card(node: Domain, c: Compiler) -> Value:
    return c.constant(tuple(c.table.in_game)) if node.source is None else pile(node.source, c)


@noun("zone", "cards")
def domain_listed(node: Domain, c: Compiler) -> Value:
    if node.source is None:
        raise InternalError(f"{node.span}: {node.noun} from nowhere")
    return c.value(node.source)


@meaning(tree.SetsOf)
def eval_sets_of(node: tree.SetsOf, c: Compiler) -> Value:
    """They are made one after another: who leaves early makes no more."""
    low, high, cards = needed(node.low, c), needed(node.high, c), pile(node.cards, c)

    def sets(s: State, f: Frame) -> Iterator[tuple[int, ...]]:
        least, most, among = low(s, f), high(s, f), tuple(cards(s, f))
        for count, places in enumerate(places_of_sets(len(among), least, most)):
            if count == MOST_SETS:
                fail("too-many-sets-of-cards", f"there are more than {MOST_SETS:,} sets of these cards", node.span)
            yield tuple(among[place] for place in places)

    return sets


def places_of_sets(size: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Sets of places of `least` to `most`, in their order; each behind the set that it goes on from."""
    waiting: list[tuple[int, ...]] = [()] if size >= least and most >= max(0, least) else []
    while waiting:
        places = waiting.pop()
        if len(places) >= least:
            yield places
        if len(places) < most:
            first = places[-1] + 1 if places else 0
            last = min(size, size - least + len(places) + 1)  # behind it too few are left
            waiting += ((*places, place) for place in range(last - 1, first - 1, -1))


@noun("number")
def domain_number(node: Domain, c: Compiler) -> Value:
    assert node.range is not None, "numbers have a range"
    low, high = needed(node.range.low, c), needed(node.range.high, c)
    step = needed(node.range.step, c) if node.range.step is not None else c.constant(1)
    closed, span = node.range.closed, node.span

    def numbers(s: State, f: Frame) -> Sequence[int]:
        least, most, by = low(s, f), high(s, f), step(s, f)
        check_range(least, most, by, span)
        within = range(least, most + 1, by)
        return [*within, most] if closed and within and within[-1] != most else within

    return numbers


def check_step(by: int, span: Span) -> None:
    if not 1 <= by <= MOST_NUMBERS:
        fail("bad-step", f"the step from one number to the next is {by}", span)


def check_range(least: int, most: int, by: int, span: Span) -> None:
    """Stops the game if a step leads nowhere, or too many numbers are to be gone over."""
    check_step(by, span)
    if (most - least + by - 1) // by >= MOST_IN_RANGE:
        fail("too-many-numbers", f"the numbers from {least} to {most} are too many: at most {MOST_IN_RANGE:,}", span)


def found(things: Things) -> Callable[[State, Frame], list[Any]]:
    """The things for which `where` holds, read at once."""
    slot, source, where = things
    if where is None:
        return lambda s, f: list(source(s, f))

    def read(s: State, f: Frame) -> list[Any]:
        kept = []
        for thing in source(s, f):
            f[slot] = thing
            if where(s, f):
                kept.append(thing)
        return kept

    return read


def collected(noun: str, things: Iterable[Any]) -> Any:
    """Things as one value: a set of players (a bit a seat), or a tuple."""
    return sum(1 << seat for seat in things) if noun == "player" else tuple(things)


# ---- any, no, every


@meaning(tree.Quantified)
def eval_quantified(node: tree.Quantified, c: Compiler) -> Value:
    things = unordered(node.domain, c)
    condition = c.value(node.condition)
    match node.quantifier:
        case "every":
            return every(things, condition)
        case "any":
            return some_one(things, condition)
        case "no":
            some = some_one(things, condition)
            return lambda s, f: not some(s, f)
        case _:
            assert_never(node.quantifier)


def some_one(things: Things, condition: Value) -> Value:
    slot, source, where = things

    def some(s: State, f: Frame) -> bool:
        for thing in source(s, f):
            f[slot] = thing
            if (where is None or where(s, f)) and condition(s, f):
                return True
        return False

    return some


def every(things: Things, condition: Value) -> Value:
    slot, source, where = things

    def all_of_them(s: State, f: Frame) -> bool:
        for thing in source(s, f):
            f[slot] = thing
            if (where is None or where(s, f)) and not condition(s, f):
                return False
        return True

    return all_of_them


# ---- count, sum, highest, lowest


@meaning(tree.Count)
def eval_count(node: tree.Count, c: Compiler) -> Value:
    slot, source, where = unordered(node.domain, c)
    if where is None:
        is_made = isinstance(node.domain.source, tree.SetsOf)
        return lambda s, f: sum(1 for _ in source(s, f)) if is_made else len(source(s, f))

    def count(s: State, f: Frame) -> int:
        number = 0
        for thing in source(s, f):
            f[slot] = thing
            if where(s, f):
                number += 1
        return number

    return count


@meaning(tree.Fold)
def eval_fold(node: tree.Fold, c: Compiler) -> Value:
    things = unordered(node.domain, c)
    match node.operator:
        case "sum":
            return fold_sum(node, things, c)
        case "highest" | "lowest":
            return fold_best(node, things, node.operator, c)
        case "median":
            return fold_median(node, things, c)
        case _:
            assert_never(node.operator)


def fold_sum(node: tree.Fold, things: Things, c: Compiler) -> Value:
    """Of whole numbers only the whole sum has to fit in 64 bits, of fractions each step."""
    slot, source, where = things
    value, in_steps = needed_number(node.value, c), node.type.kind == "fraction"

    def total(s: State, f: Frame) -> Any:
        number = 0
        for thing in source(s, f):
            f[slot] = thing
            if where is None or where(s, f):
                number += value(s, f)
                if in_steps:
                    check_size(number, node.span)
        check_size(number, node.span)
        return number

    return total


def fold_best(node: tree.Fold, things: Things, which: Extreme, c: Compiler) -> Value:
    slot, source, where = things
    value, key = c.value(node.value), sort_key(node.value, c)
    is_plain = node.value.type.kind in ("number", "fraction")
    better = better_than(which)

    def best(s: State, f: Frame) -> Any:
        result = best_key = None
        empty = True
        for thing in source(s, f):
            f[slot] = thing
            if where is not None and not where(s, f):
                continue
            now = key(s, f)
            if empty or better(now, best_key):
                best_key, empty = now, False
                result = now if is_plain else value(s, f)
        if empty:
            fail_of_nothing(node)
        return result

    return best


def fold_median(node: tree.Fold, things: Things, c: Compiler) -> Value:
    """The value in the middle; of an even number the lower of the two; of values that are equal the first."""
    slot, source, where = things
    key = sort_key(node.value, c)
    value = c.value(node.value) if node.value.type.kind == "hand" else needed(node.value, c)

    def median(s: State, f: Frame) -> Any:
        values: list[tuple[Any, Any]] = []
        for thing in source(s, f):
            f[slot] = thing
            if where is None or where(s, f):
                found = value(s, f)
                values.append((key(s, f), found))
        if not values:
            fail_of_nothing(node)
        middle = sorted(one for one, _ in values)[(len(values) - 1) // 2]
        return next(found for one, found in values if one == middle)

    return median


def fail_of_nothing(node: tree.Fold) -> NoReturn:
    message = f"the {node.operator} of nothing is asked for"
    fail("nothing-to-choose", message, node.span, "ask first whether there is any")


def better_than(which: Extreme) -> Callable[[Any, Any], bool]:
    match which:
        case "highest":
            return lambda one, other: one > other
        case "lowest":
            return lambda one, other: one < other
        case _:
            assert_never(which)


# ---- the, all, random


@meaning(tree.Select)
def eval_select(node: tree.Select, c: Compiler) -> Value:
    things = domain(node.domain, c)
    at_once = node.which == "the" and not node.best and not node.last
    chosen = the_first(things) if at_once else select(things, node, c)
    # of no sets of cards the one is no cards
    return chosen if node.domain.noun != "cards" else lambda s, f: chosen(s, f) or ()


def select(things: Things, node: tree.Select, c: Compiler) -> Value:
    among = best_of(things, node, node.best, c) if node.best else found(things)
    match node.which:
        case "the":
            return select_the(among, -1 if node.last else 0)
        case "all":
            return select_all(among, node)
        case "random":
            return select_random(among, node)
        case _:
            assert_never(node.which)


def the_first(things: Things) -> Value:
    slot, source, where = things

    def first(s: State, f: Frame) -> Any:
        for thing in source(s, f):
            f[slot] = thing
            if where is None or where(s, f):
                return thing
        return None

    return first


def best_of(things: Things, node: tree.Select, which: Extreme, c: Compiler) -> Callable[[State, Frame], list[Any]]:
    """Those whose key is best, in order."""
    slot, source, where = things
    if node.key is None:
        raise InternalError(f"{node.span}: {which} of what?")
    key, better = sort_key(node.key, c), better_than(which)

    def best(s: State, f: Frame) -> list[Any]:
        kept: list[Any] = []
        best_key = None
        for thing in source(s, f):
            f[slot] = thing
            if where is not None and not where(s, f):
                continue
            now = key(s, f)
            if not kept or better(now, best_key):
                kept, best_key = [thing], now
            elif now == best_key:
                kept.append(thing)
        return kept

    return best


def select_the(among: Value, place: int) -> Value:
    def one(s: State, f: Frame) -> Any:
        kept = among(s, f)
        return kept[place] if kept else None

    return one


def select_all(among: Value, node: tree.Select) -> Value:
    noun = node.domain.noun
    return lambda s, f: collected(noun, among(s, f))


def select_random(among: Value, node: tree.Select) -> Value:
    def by_lot(s: State, f: Frame) -> Any:
        kept = among(s, f)
        if not kept:
            fail("nothing-to-choose", f"a random {node.domain.noun} of none", node.span)
        return kept[s.lot.lot_of(len(kept), node.span)]

    def number_by_lot(s: State, f: Frame) -> Any:
        kept = among(s, f)
        if not kept:
            fail("nothing-to-choose", "a random number of none", node.span)
        given = s.lot.listed()
        if given is not None and given not in kept:
            fail("stacked-chance", f"outcome {given} is given to a random number, and is none of these", node.span)
        return kept[s.lot.lot_of(len(kept), node.span)] if given is None else given

    return by_lot if node.domain.range is None else number_by_lot


@meaning(tree.NextPlayer)
def eval_next_player(node: tree.NextPlayer, c: Compiler) -> Value:
    slot, where = node.domain.local.index, domain(node.domain, c).where
    players = c.value(node.domain.source) if node.domain.source is not None else c.constant(c.table.everyone)
    after, count = needed(node.after, c), c.table.players
    step, orders = (-1, c.table.orders_rightwards) if node.domain.rightwards else (1, c.table.orders)

    def next_player(s: State, f: Frame) -> int | None:
        start: int = after(s, f)
        among = players(s, f)
        for seat in orders[(start + step) % count]:
            f[slot] = seat
            if among >> seat & 1 and (where is None or where(s, f)):
                return seat
        return None

    return next_player
