"""Questions that go over things: any, count, sum, the, all, random, next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trionfi.core.desugar.function import Desugar, desugars
from trionfi.core.desugar.numbers import as_fraction, fitting
from trionfi.core.desugar.truths import at_most, less, size_of, sort_key
from trionfi.core.desugar.writer import FALSE, TRUE, number
from trionfi.core.ir import Const, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, CARD, CARDS, INT, SEAT, SEATS, WIDE, CoreType, Kind, core_type, list_of
from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_IN_RANGE, MOST_NUMBERS, MOST_SETS
from trionfi.dsl.source import Span
from trionfi.dsl.tree.words import Extreme

__all__ = ["check_step", "collected", "each_of", "element_of", "found", "order_of", "round_the_table", "source_of"]

FIRST_SEAT = Const(0, SEAT)
PLACES_OF_SET = list_of(INT)


@contextmanager
def each_of(d: Desugar, domain: tree.Domain, in_order: bool = True) -> Iterator[tuple[Name, str]]:
    """A loop over the things of a domain for which `where` holds; gives the thing, which the local is, and the label.
    `in_order` false: the order does not show, so that players may go from the first on."""
    with going_over(d, domain, in_order) as (thing, label), d.named(domain.local, thing):
        if domain.where is None:
            yield thing, label
        else:
            with d.when(d.expr(domain.where)):
                yield thing, label


@contextmanager
def going_over(d: Desugar, domain: tree.Domain, in_order: bool) -> Iterator[tuple[Name, str]]:
    """The same for all of its things."""
    hint = domain.local.name
    if domain.range is not None:
        with numbers_of(d, domain.range, domain.span, hint) as found:
            yield found
        return
    if isinstance(domain.source, tree.SetsOf):
        with sets_of(d, domain.source, hint) as found:
            yield found
        return
    source = source_of(d, domain)
    if domain.noun == "player":
        start = order_of(d, domain) if in_order or domain.source is not None or domain.starting is not None else None
        with round_the_table(d, domain, source, start) as found:
            yield found
    elif domain.source is None and domain.noun in ("team", "suit", "rank", "enum"):
        kind = core_type(domain.local.type).some
        with d.count(number(0), number(member_count(d, domain)), "i") as (i, label):
            yield d.let(Op.THING, i, type=kind, hint=hint), label
    else:
        with d.each(source, hint) as found:
            yield found


@contextmanager
def round_the_table(
    d: Desugar, domain: tree.Domain, seats: Operand, start: Operand | None
) -> Iterator[tuple[Name, str]]:
    """Those of some seats, from one on to the left, or to the right."""
    hint = domain.local.name
    if not domain.rightwards:
        with d.each(seats, hint, start) as found:
            yield found
        return
    with d.count(number(0), d.let(Op.SEAT_COUNT)) as (i, label):
        seat = d.let(Op.SEAT_ON, FIRST_SEAT if start is None else start, d.let(Op.SUBTRACT, number(0), i), hint=hint)
        with d.when(d.let(Op.HAS_SEAT, seats, seat)):
            yield seat, label


@contextmanager
def numbers_of(d: Desugar, found: tree.NumberRange, span: Span, hint: str) -> Iterator[tuple[Name, str]]:
    """A loop over numbers, which are counted first."""
    low, high = d.needed(found.low), d.needed(found.high)
    step = number(1) if found.step is None else d.needed(found.step)
    check_step(d, step, span)
    count = d.var("count", INT, number(0))
    with d.when(d.let(Op.AT_MOST, low, high)):
        steps = d.let(Op.STEPS, low, high, step)
        d.check(d.let(Op.AT_MOST, steps, number(MOST_IN_RANGE)), "too-many-numbers", span)
        if found.closed or step == number(1):
            d.set(count, steps)
        else:
            d.set(count, d.let(Op.ADD, d.let(Op.FLOOR_DIVIDE, d.let(Op.SUBTRACT, high, low), step), number(1)))
    with d.count(number(0), count) as (i, label):
        if step == number(1):
            yield d.let(Op.ADD, low, i, hint=hint), label
            return
        value = d.let(Op.ADD, low, d.let(Op.MULTIPLY, i, step), hint=hint)
        yield (d.let(Op.MINIMUM, value, high, hint=hint) if found.closed else value), label


@contextmanager
def sets_of(d: Desugar, node: tree.SetsOf, hint: str) -> Iterator[tuple[Name, str]]:
    """A loop over sets of cards. The places of the next set are found before this one is looked at, so that whatever
    goes on with the loop goes on with the next."""
    low, high, cards = d.needed(node.low), d.needed(node.high), d.expr(node.cards)
    size = d.let(Op.SIZE, cards)
    places, count = d.var("places", PLACES_OF_SET, d.let(Op.EMPTY, type=PLACES_OF_SET)), d.var("count", INT, number(0))
    enough = d.both(d.let(Op.AT_MOST, low, size), d.let(Op.AT_MOST, low, high))
    more = d.var("more", BOOL, d.both(enough, d.let(Op.AT_MOST, number(0), high)))
    with d.loop("sets") as label:
        with d.when(d.negation(more)):
            d.leave(label)
        found = d.var(hint, CARDS, d.let(Op.EMPTY, type=CARDS))
        with d.each(places, "place") as (place, _):
            d.push(found, d.let(Op.ITEM, cards, place, type=CARD))
        is_set = d.let(Op.AT_MOST, low, d.let(Op.SIZE, places))
        find_next_set(d, places, more, (low, high, size))
        with d.when(is_set):
            d.check(d.let(Op.LESS, count, number(MOST_SETS)), "too-many-sets-of-cards", node.span)
            d.set(count, d.let(Op.ADD, count, number(1)))
            yield found, label


def find_next_set(d: Desugar, places: Name, more: Name, limits: tuple[Operand, Operand, Operand]) -> None:
    """The places go on by one that stands behind them, else the last moves on; `more` is false if none can. Sets for
    which too few are left are not begun."""
    low, high, size = limits
    following = d.var("following", INT, number(0))
    count = d.let(Op.SIZE, places)
    with d.when(d.let(Op.LESS, number(0), count)):
        last = d.let(Op.ITEM, places, d.let(Op.SUBTRACT, count, number(1)), type=INT)
        d.set(following, d.let(Op.ADD, last, number(1)))
    with d.when(d.both(d.let(Op.LESS, count, high), can_begin(d, count, following, low, size))):
        d.push(places, following)
    with d.otherwise(), d.loop("back") as label:
        left = d.let(Op.SIZE, places)
        with d.when(d.same(left, number(0))):
            d.set(more, FALSE)
            d.leave(label)
        before = d.let(Op.SUBTRACT, left, number(1))
        d.set(following, d.let(Op.ADD, d.let(Op.ITEM, places, before, type=INT), number(1)))
        d.set(places, d.let(Op.FIRST_ITEMS, places, before, type=PLACES_OF_SET))
        with d.when(can_begin(d, before, following, low, size)):
            d.push(places, following)
            d.leave(label)


def can_begin(d: Desugar, count: Operand, place: Operand, low: Operand, size: Operand) -> Operand:
    """Whether a set of so many places may go on with this one, and reach the least number."""
    left = d.let(Op.SUBTRACT, size, place)
    return d.both(d.let(Op.LESS, place, size), d.let(Op.AT_MOST, low, d.let(Op.ADD, count, left)))


def check_step(d: Desugar, step: Operand, span: Span) -> None:
    if step == number(1):
        return
    leads_on = d.both(d.let(Op.AT_MOST, number(1), step), d.let(Op.AT_MOST, step, number(MOST_NUMBERS)))
    d.check(leads_on, "bad-step", span)


def source_of(d: Desugar, domain: tree.Domain) -> Operand:
    """The things that a domain goes over, before `where`."""
    if domain.source is not None:
        source = d.expr(domain.source)
        in_own_order = domain.noun in ("team", "suit", "rank", "enum")
        return d.let(Op.SORTED, source, type=source.type) if in_own_order else source
    match domain.noun:
        case "player":
            return d.let(Op.EVERYONE)
        case "card":
            return d.let(Op.ALL_CARDS)
        case "play":
            return d.let(Op.PLAYS)
        case _:
            return number(0)  # of members, which are counted


def member_count(d: Desugar, domain: tree.Domain) -> int:
    if domain.noun == "team":
        return len(d.rules.teams)
    return len(d.rules.enumerations[domain.local.type.name].members)


def order_of(d: Desugar, domain: tree.Domain) -> Operand | None:
    """The seat that a domain of players begins with: `starting`, else left of the dealer; None for the first."""
    if domain.starting is not None:
        return d.needed(domain.starting)
    if d.rules.dealer is None:
        return None
    start = d.var("start", SEAT, FIRST_SEAT)
    dealer = d.let(Op.LOAD, type=SEAT.maybe, about=(d.rules.dealer.name,), hint="dealer")
    with d.when(d.is_some(dealer)):
        d.set(start, d.let(Op.SEAT_ON, d.unwrap(dealer), number(-1 if domain.rightwards else 1)))
    return start


def element_of(domain: tree.Domain) -> CoreType:
    return core_type(domain.local.type).some


def found(d: Desugar, domain: tree.Domain) -> Operand:
    """The things for which `where` holds, read at once, in order: a list."""
    kind = list_of(element_of(domain)) if domain.noun != "cards" else CoreType(Kind.SETS)
    things = d.var("found", kind, d.let(Op.EMPTY, type=kind))
    with each_of(d, domain) as (thing, _):
        d.push(things, thing)
    return things


# ---- any, no, every


@desugars(tree.Quantified)
def desugar_quantified(d: Desugar, node: tree.Quantified) -> Operand:
    is_every = node.quantifier == "every"
    result = d.var(node.quantifier, BOOL, TRUE if is_every else FALSE)
    with each_of(d, node.domain, in_order=False) as (_, label):
        condition = d.expr(node.condition)
        with d.when(d.negation(condition) if is_every else condition):
            d.set(result, FALSE if is_every else TRUE)
            d.leave(label)
    return d.negation(result) if node.quantifier == "no" else result


# ---- count, sum, highest, lowest


@desugars(tree.Count)
def desugar_count(d: Desugar, node: tree.Count) -> Operand:
    domain = node.domain
    is_listed = domain.source is not None and not isinstance(domain.source, tree.SetsOf)
    if domain.where is None and (is_listed or domain.noun in ("player", "card", "play")):
        return size_of(d, source_of(d, domain)) if domain.noun != "zone" else d.let(Op.SIZE, source_of(d, domain))
    count = d.var("count", INT, number(0))
    with each_of(d, domain, in_order=False):
        d.set(count, d.let(Op.ADD, count, number(1)))
    return count


@desugars(tree.Fold)
def desugar_fold(d: Desugar, node: tree.Fold) -> Operand:
    match node.operator:
        case "sum":
            return fold_fractions(d, node) if node.type.kind == "fraction" else fold_numbers(d, node)
        case "highest" | "lowest":
            return fold_best(d, node, node.operator)
        case "median":
            return fold_median(d, node)


def fold_numbers(d: Desugar, node: tree.Fold) -> Operand:
    """Only the whole sum has to fit in 64 bits."""
    total = d.var("sum", WIDE, d.let(Op.WIDEN, number(0)))
    with each_of(d, node.domain, in_order=False):
        d.set(total, d.let(Op.WIDE_ADD, total, d.let(Op.WIDEN, d.needed(node.value))))
    d.check(d.let(Op.WIDE_FITS, total), "number-too-large", node.span)
    return d.let(Op.NARROW, total)


def fold_fractions(d: Desugar, node: tree.Fold) -> Operand:
    total = d.var("sum", core_type(node.type), d.let(Op.TO_FRACTION, number(0)))
    with each_of(d, node.domain, in_order=False):
        value = as_fraction(d, d.needed(node.value))
        d.set(total, fitting(d, d.let(Op.FRACTION_ADD, total, value), node.span))
    return total


def fold_best(d: Desugar, node: tree.Fold, word: Extreme) -> Operand:
    """The first of the best values."""
    best = BestSoFar(d, word, node.value)
    with each_of(d, node.domain, in_order=False), best.improved_by(best.read()):
        pass
    d.check(d.negation(best.empty), "nothing-to-choose", node.span)
    return best.key


def fold_median(d: Desugar, node: tree.Fold) -> Operand:
    """The first value below which lie fewer than half of all, and which with those that it equals makes up the half.
    What is asked of many things draws nothing, so that the values may be read over and over."""
    count = d.var("count", INT, number(0))
    with each_of(d, node.domain, in_order=False):
        read_key(d, node.value)
        d.set(count, d.let(Op.ADD, count, number(1)))
    d.check(d.let(Op.LESS, number(0), count), "nothing-to-choose", node.span)
    half = d.let(Op.CEIL_DIVIDE, count, number(2))
    median = d.var("median", key_type(node.value))
    with each_of(d, node.domain, in_order=False) as (_, label):
        key = read_key(d, node.value)
        with d.when(d.both(*around(d, node, key, half))):
            d.set(median, key)
            d.leave(label)
    return median


def around(d: Desugar, node: tree.Fold, key: Operand, half: Operand) -> tuple[Operand, Operand]:
    """Whether fewer than half of the values lie below a key, and whether as many, or more, do not lie above it."""
    below, up_to = d.var("below", INT, number(0)), d.var("up_to", INT, number(0))
    with each_of(d, node.domain, in_order=False):
        other = read_key(d, node.value)
        with d.when(less(d, other, key)):
            d.set(below, d.let(Op.ADD, below, number(1)))
        with d.when(at_most(d, other, key)):
            d.set(up_to, d.let(Op.ADD, up_to, number(1)))
    return d.let(Op.LESS, below, half), d.let(Op.AT_MOST, half, up_to)


def key_type(key: tree.Expr) -> CoreType:
    kind = core_type(key.type)
    return kind if kind.kind is Kind.HAND else kind.some


def read_key(d: Desugar, node: tree.Expr) -> Operand:
    """The key of the thing at hand: something, but of hands, of which none is the least."""
    key = sort_key(d, node)
    return key if key.type.kind is Kind.HAND else d.some(key, node)


class BestSoFar:
    """The best key so far of things that are gone over."""

    def __init__(self, d: Desugar, word: Extreme | None, key: tree.Expr) -> None:
        assert word is not None, "the best is the highest or the lowest"
        self.d, self.word, self.node = d, word, key
        self.empty = d.var("empty", BOOL, TRUE)
        self.key = d.var(word, key_type(key))

    def read(self) -> Operand:
        return read_key(self.d, self.node)

    def is_better(self, key: Operand) -> Operand:
        return less(self.d, self.key, key) if self.word == "highest" else less(self.d, key, self.key)

    @contextmanager
    def improved_by(self, key: Operand) -> Iterator[None]:
        """What is to be done, too, if the key is better than all before."""
        d = self.d
        better = d.var("better", BOOL, TRUE)
        with d.when(d.negation(self.empty)):
            d.set(better, self.is_better(key))
        with d.when(better):
            d.set(self.key, key)
            d.set(self.empty, FALSE)
            yield


# ---- the, all, random


@desugars(tree.Select)
def desugar_select(d: Desugar, node: tree.Select) -> Operand:
    match node.which:
        case "the":
            return one_of_best(d, node) if node.best else one_of(d, node)
        case "all":
            return collected(d, node.domain, best_of(d, node) if node.best else found(d, node.domain))
        case "random" if node.domain.range is not None or isinstance(node.domain.source, tree.SetsOf):
            return counted_by_lot(d, node)
        case "random":
            return by_lot(d, node, best_of(d, node) if node.best else found(d, node.domain))


def no_thing(d: Desugar, node: tree.Select) -> Name:
    """A variable for one thing, which is none at first; of no sets of cards the one is no cards."""
    kind = element_of(node.domain)
    if kind.is_list:
        return d.var(node.domain.local.name, kind, d.let(Op.EMPTY, type=kind))
    return d.var(node.domain.local.name, kind.maybe, d.none_of(kind))


def one_of(d: Desugar, node: tree.Select) -> Operand:
    """The first, at which the search ends, or the last."""
    chosen = no_thing(d, node)
    with each_of(d, node.domain) as (thing, label):
        d.set(chosen, thing)
        if not node.last:
            d.leave(label)
    return chosen


def one_of_best(d: Desugar, node: tree.Select) -> Operand:
    chosen = no_thing(d, node)
    if node.last:
        with d.each(best_of(d, node), node.domain.local.name) as (thing, _):
            d.set(chosen, thing)
        return chosen
    best = BestSoFar(d, node.best, key_of(node))
    with each_of(d, node.domain) as (thing, _), best.improved_by(best.read()):
        d.set(chosen, thing)
    return chosen


def key_of(node: tree.Select) -> tree.Expr:
    assert node.key is not None, "highest and lowest are of something"
    return node.key


def best_of(d: Desugar, node: tree.Select) -> Operand:
    """Those whose key is best, in order."""
    kind = list_of(element_of(node.domain)) if node.domain.noun != "cards" else CoreType(Kind.SETS)
    kept = d.var("kept", kind, d.let(Op.EMPTY, type=kind))
    best = BestSoFar(d, node.best, key_of(node))
    with each_of(d, node.domain) as (thing, _):
        key = best.read()
        equal = d.var("equal", BOOL, FALSE)
        with d.when(d.negation(best.empty)):
            d.set(equal, d.same(key, best.key))
        with best.improved_by(key):
            d.set(kept, d.let(Op.EMPTY, type=kind))
            d.set(equal, TRUE)
        with d.when(equal):
            d.push(kept, thing)
    return kept


def collected(d: Desugar, domain: tree.Domain, things: Operand) -> Operand:
    """Listed things as one value: of players a set."""
    if domain.noun != "player":
        return things
    seats = d.var("seats", SEATS, Const(0, SEATS))
    with d.each(things, "seat") as (seat, _):
        d.set(seats, d.let(Op.WITH_SEAT, seats, seat))
    return seats


def by_lot(d: Desugar, node: tree.Select, things: Operand) -> Operand:
    count = d.let(Op.SIZE, things)
    some = d.let(Op.LESS, number(0), count)
    d.check(some, "nothing-to-choose", node.span)
    drawn = d.let(Op.DRAW, count, about=(d.place(node.span),))
    return d.let(Op.ITEM, things, drawn, type=element_of(node.domain))


def counted_by_lot(d: Desugar, node: tree.Select) -> Operand:
    """They are counted, and gone over again up to the one that is drawn: no list holds so many."""
    best = best_key_of(d, node)
    count = d.var("count", INT, number(0))
    with each_of(d, node.domain), d.when(is_best(d, node, best)):
        d.set(count, d.let(Op.ADD, count, number(1)))
    d.check(d.let(Op.LESS, number(0), count), "nothing-to-choose", node.span)
    if node.domain.range is None:
        drawn = no_thing(d, node)
        draw_counted(d, node, best, count, drawn)
        return drawn
    drawn = d.var(node.domain.local.name, INT, number(0))
    given = d.let(Op.LISTED_NUMBER, type=INT.maybe, hint="given")
    with d.when(d.is_some(given)):
        d.set(drawn, d.unwrap(given))
        check_listed(d, node, best, drawn)
    with d.otherwise():
        draw_counted(d, node, best, count, drawn)
    return drawn


def check_listed(d: Desugar, node: tree.Select, best: BestSoFar | None, given: Operand) -> None:
    """A number that a stacked game lists is one of those among which it is drawn."""
    there = d.var("there", BOOL, FALSE)
    with each_of(d, node.domain) as (thing, label), d.when(is_best(d, node, best)), d.when(d.same(thing, given)):
        d.set(there, TRUE)
        d.leave(label)
    d.check(there, "stacked-chance", node.span)


def draw_counted(d: Desugar, node: tree.Select, best: BestSoFar | None, count: Operand, drawn: Name) -> None:
    left = d.var("left", INT, d.let(Op.DRAW, count, about=(d.place(node.span),)))
    with each_of(d, node.domain) as (thing, label), d.when(is_best(d, node, best)):
        with d.when(d.same(left, number(0))):
            d.set(drawn, thing)
            d.leave(label)
        d.set(left, d.let(Op.SUBTRACT, left, number(1)))


def best_key_of(d: Desugar, node: tree.Select) -> BestSoFar | None:
    if node.best is None:
        return None
    best = BestSoFar(d, node.best, key_of(node))
    with each_of(d, node.domain), best.improved_by(best.read()):
        pass
    return best


def is_best(d: Desugar, node: tree.Select, best: BestSoFar | None) -> Operand:
    return TRUE if best is None else d.same(best.read(), best.key)


@desugars(tree.NextPlayer)
def desugar_next_player(d: Desugar, node: tree.NextPlayer) -> Operand:
    start = d.let(Op.SEAT_ON, d.needed(node.after), number(-1 if node.domain.rightwards else 1))
    among = d.let(Op.EVERYONE) if node.domain.source is None else d.expr(node.domain.source)
    result = d.var("next", SEAT.maybe, d.none_of(SEAT))
    with round_the_table(d, node.domain, among, start) as (seat, label), d.named(node.domain.local, seat):
        with d.when(TRUE if node.domain.where is None else d.expr(node.domain.where)):
            d.set(result, seat)
            d.leave(label)
    return result
