"""Queries: loops over seats, cards, zones and members, with what each finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Literal, assert_never

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.tree.words import Extreme
from trionfi.dsl.types import PLAYS, Type
from trionfi.interpreter.native import kernels, stacked
from trionfi.interpreter.native.builder import I1, I16, I64, I128, POINTER, TRUE, Loop, Number, Value, Variable, number
from trionfi.interpreter.native.lower_expressions import card_at, coerced, each_zone
from trionfi.interpreter.native.lower_numbers import as_fraction, fraction_arithmetic, given
from trionfi.interpreter.native.lower_seats import Answer, Names, Seats, at_once, settled
from trionfi.interpreter.native.lower_truths import order_compared, order_words
from trionfi.interpreter.native.lowering import CannotLower, Lower, Lowering
from trionfi.interpreter.native.values import Cards, Joined, Zones, joined, part_kinds, parts_of

# ---- going over a domain


@contextmanager
def each_thing(f: Lowering, domain: tree.Domain, ordered: bool = True, asks: bool = True) -> Iterator[tuple[Any, Loop]]:
    """Writes what happens for each thing of a domain, which its local names. `ordered`: as the domain says, else
    in whatever order serves. `asks`: only those for which `where` holds."""
    with ExitStack() as stack:
        thing, loop = stack.enter_context(GOING[domain.noun](f, domain, ordered))
        stack.enter_context(f.named(domain.local, thing))
        if asks and domain.where is not None:
            stack.enter_context(f.code.when(f.truth(domain.where)))
        yield thing, loop


@contextmanager
def each_player(f: Lowering, domain: tree.Domain, ordered: bool) -> Iterator[tuple[Value, Loop]]:
    first = first_seat(f, domain) if ordered else number(0)
    chosen = f.expression(domain.source) if domain.source is not None else None
    seats = f.seats
    with f.code.counting(seats) as (index, loop):
        seat = f.code.add(first, index) if ordered else index
        if ordered:
            past = f.code.compare(">=", seat, seats)
            seat = f.code.choose(past, f.code.subtract(seat, seats), seat)
        f.small(seat, f.layout.seats)
        if chosen is None:
            yield seat, loop
        else:
            with f.code.when(f.code.has_bit(chosen, seat)):
                yield seat, loop


def first_seat(f: Lowering, domain: tree.Domain) -> Value:
    """Where going round the table starts: from `starting`, else left of the dealer if there is one."""
    if domain.starting is not None:
        return f.wanted(f.expression(domain.starting), domain.starting.span)
    if f.rules.dealer is None:
        return number(0)
    dealer = f.field(f"variable {f.rules.dealer.name}")
    left = f.code.add(dealer, 1)  # of none: the first
    return f.code.choose(f.code.compare("==", left, f.seats), 0, left)


@contextmanager
def each_member(f: Lowering, domain: tree.Domain, ordered: bool) -> Iterator[tuple[Value, Loop]]:
    kind = domain.local.type
    count = len(f.rules.teams) if domain.noun == "team" else len(f.rules.enumerations[kind.name].members)
    with f.code.counting(count) as (index, loop):
        f.small(index, count)
        if domain.source is None:
            yield index, loop
        else:
            with f.code.when(is_offered(f, domain.source, index)):
                yield index, loop


def is_offered(f: Lowering, options: tree.Expr, member: Value) -> Value:
    """Whether an option is about this team, suit, rank or member of a kind of the game."""
    from trionfi.interpreter.native.policy import each_entry, things_in

    assert isinstance(options, tree.Offered), "only those that are offered are not all of them"
    found = Variable(f.code, I1, 0)
    with each_entry(f) as entry:
        for thing, here in things_in(f, entry, options.noun, options.element):
            same = f.code.both(here, f.code.compare("==", thing, member))
            found.set(f.code.either(found.get(), same))
    return found.get()


@contextmanager
def each_card(f: Lowering, domain: tree.Domain, ordered: bool) -> Iterator[tuple[Value, Loop]]:
    cards = f.expression(domain.source) if domain.source is not None else all_cards(f)
    with f.code.counting(cards.count) as (index, loop):
        yield card_at(f, cards, index), loop


def all_cards(f: Lowering) -> Cards:
    """The cards of the game, in the order of the decks."""
    return Cards(f.address("deck"), f.small(f.field("in_play"), f.layout.cards.count))


@contextmanager
def each_of_zones(f: Lowering, domain: tree.Domain, ordered: bool) -> Iterator[tuple[Value, Loop]]:
    if domain.source is None:
        raise CannotLower(f"{domain.span}: zones of no source")
    zones = f.expression(domain.source)
    with f.code.counting(zones.count) as (index, loop):
        yield each_zone(f, zones, index), loop


@contextmanager
def each_set(f: Lowering, domain: tree.Domain, ordered: bool) -> Iterator[tuple[Cards, Loop]]:
    from trionfi.interpreter.native.lower_melds import melds_of

    assert domain.source is not None
    count, meld = melds_of(f, f.expression(domain.source))
    with f.code.counting(count) as (index, loop):
        yield meld(index), loop


@contextmanager
def each_play(f: Lowering, domain: tree.Domain, ordered: bool) -> Iterator[tuple[Value, Loop]]:
    """From the oldest; a list that is given in its order."""
    plays = f.expression(domain.source) if domain.source is not None else None
    count = f.field("plays") if plays is None else plays.count
    with f.code.counting(count) as (index, loop):
        number_ = f.code.add(index, 1) if plays is None else f.code.load(I16, plays.pointer, index)
        yield f.small(number_, 1 << 15), loop


GOING = {
    "player": each_player,
    "team": each_member,
    "suit": each_member,
    "rank": each_member,
    "enum": each_member,
    "card": each_card,
    "zone": each_of_zones,
    "cards": each_set,
    "play": each_play,
}


def most_things(f: Lowering, domain: tree.Domain) -> int:
    """How many things a domain can have."""
    if domain.noun == "player":
        return f.layout.seats
    if domain.noun == "team":
        return len(f.rules.teams)
    if domain.noun == "card":
        return most_cards(f, domain.source)
    if domain.noun == "zone":
        family = domain.source.family if isinstance(domain.source, tree.ZonesValue) else None
        return family.places if family else f.layout.zones
    if domain.noun == "play":
        return f.layout.most_in(PLAYS)
    if domain.noun == "cards":  # sets that share none
        return f.layout.cards.count
    return len(f.rules.enumerations[domain.local.type.name].members)


def most_cards(f: Lowering, source: tree.Expr | None) -> int:
    inner = source.source if isinstance(source, tree.CardsOf) else source
    if isinstance(inner, tree.ZoneValue | tree.ZonesValue):
        plan = f.layout.plans[inner.family]
        return plan.capacity * (plan.places if isinstance(inner, tree.ZonesValue) else 1)
    if isinstance(inner, tree.VariableValue) and inner.type.kind == "cards":
        return f.layout.most_of(inner.variable)
    return f.layout.cards.count


# ---- any, count, sum


def lower_quantified(f: Lowering, node: tree.Quantified) -> Value:
    return at_once(f, node, quantified) if node.domain.noun == "player" else quantified(f, node)


def quantified(f: Lowering, node: tree.Quantified) -> Value:
    match node.quantifier:
        case "any":
            return there_is(f, node, True)
        case "no":
            return f.code.invert(there_is(f, node, True))
        case "every":
            return f.code.invert(there_is(f, node, False))
        case _:
            assert_never(node.quantifier)


def there_is(f: Lowering, node: tree.Quantified, wanted: bool) -> Value:
    """Whether there is one for which the condition holds, or one for which it does not."""
    result = Variable(f.code, I1, 0)
    with each_thing(f, node.domain, ordered=False) as (_, loop):
        holds = f.truth(node.condition)
        with f.code.when(holds if wanted else f.code.invert(holds)):
            result.set(1)
            loop.leave()
    return result.get()


def lower_count(f: Lowering, node: tree.Count) -> Value:
    result = at_once(f, node, counted) if node.domain.noun == "player" else counted(f, node)
    return f.small(result, max(1, f.layout.cards.count, f.layout.zones, f.layout.seats, f.layout.most_in(PLAYS)))


def counted(f: Lowering, node: tree.Count) -> Value:
    total = Variable(f.code, I64, 0)
    with each_thing(f, node.domain, ordered=False):
        total.set(f.code.builder.add(total.get(), number(1)))
    return total.get()


def lower_fold(f: Lowering, node: tree.Fold) -> Any:
    slowly = gathering(node)
    return at_once(f, node, slowly) if node.type.kind == "number" and node.domain.noun == "player" else slowly(f, node)


def gathering(node: tree.Fold) -> Lower:
    """What gathers the values one by one."""
    is_number = node.type.kind == "number"
    match node.operator:
        case "sum":
            return sum_of if is_number else sum_of_fractions
        case "highest" | "lowest":
            return partial(extreme if is_number else best_value, which=node.operator)
        case "median":
            raise CannotLower(f"{node.span}: a median")
        case _:
            assert_never(node.operator)


def sum_of(f: Lowering, node: tree.Fold) -> Value:
    """Only the whole sum has to fit in 64 bits."""
    total, large = Variable(f.code, I64, 0), Variable(f.code, I128, 0)
    most: int | None = None
    with each_thing(f, node.domain, ordered=False):
        value = number(given(f, node.value))
        bound = f.most(value)
        if bound is not None and bound < 1 << 40:
            most = bound * max(f.layout.cards.count, 256)
            total.set(f.code.builder.add(total.get(), value))
        else:
            large.set(f.code.builder.add(large.get(), f.code.builder.sext(value, I128)))
    if most is not None:
        return f.small(total.get(), most)
    result = f.code.builder.trunc(large.get(), I64)
    fits = f.code.builder.icmp_signed("==", f.code.builder.sext(result, I128), large.get())
    f.fail_when(f.code.invert(fits), "number-too-large", node.span)
    return result


def extreme(f: Lowering, node: tree.Fold, which: Extreme) -> Value:
    best, found = Variable(f.code, I64, 0), Variable(f.code, I1, 0)
    most: int | None = None
    with each_thing(f, node.domain, ordered=False):
        value = given(f, node.value)
        most = f.most(value)
        better = f.code.compare(sign_of(which), value, best.get())
        take = f.code.either(f.code.invert(found.get()), better)
        best.set(f.code.choose(take, value, best.get()))
        found.set(1)
    f.fail_when(f.code.invert(found.get()), "nothing-to-choose", node.span)
    return best.get() if most is None else f.small(best.get(), most)


def sum_of_fractions(f: Lowering, node: tree.Fold) -> Joined:
    words = [Variable(f.code, I64, start) for start in (0, 1)]
    with each_thing(f, node.domain, ordered=False):
        value = as_fraction(f.expression(node.value))
        total = fraction_arithmetic(f, "+", Joined(tuple(word.get() for word in words)), value, node.span)
        for word, part in zip(words, total.words, strict=True):
            word.set(part)
    return Joined(tuple(word.get() for word in words))


def best_value(f: Lowering, node: tree.Fold, which: Extreme) -> Any:
    """The highest or lowest of what is no whole number: of equal ones the first."""
    best = Best(f, node.value, which)
    kinds = part_kinds(node.type, f.build.words(node.type))
    kept = [Variable(f.code, kind, 0) for kind in kinds]
    with each_thing(f, node.domain, ordered=False):
        better, _ = best.read()
        for variable, part in zip(kept, parts_of(coerced(f, f.expression(node.value), node.type)), strict=True):
            variable.set(f.code.choose(better, part, variable.get()))
    f.fail_when(f.code.invert(best.found.get()), "nothing-to-choose", node.span)
    return joined(node.type, [variable.get() for variable in kept])


# ---- the, all, random


def lower_select(f: Lowering, node: tree.Select) -> Any:
    if node.domain.noun == "cards":
        return selected_set(f, node)
    match node.which:
        case "the":
            return the_best(f, node) if node.best else the_first(f, node)
        case "random":
            return random_one(f, node)
        case "all":
            return selected(f, node)
        case _:
            assert_never(node.which)


def the_first(f: Lowering, node: tree.Select) -> Value:
    if node.domain.noun == "player":
        return first_player(f, node)
    return first_thing(f, node)


def first_player(f: Lowering, node: tree.Select) -> Value:
    """The first of the seats in question, going round from where the domain starts."""

    def ask(seats: Seats, names: Names) -> Value:
        mask = seats.domain_mask(node.domain, names)
        start = seats.read(node.domain.starting, names).value if node.domain.starting is not None else None
        if start is not None:
            seats.guard(Answer(f.code.compare("<", start, 0), truth=True))
        return nearest_seat(f, mask, first_seat(f, node.domain) if start is None else f.code.larger(start, 0))

    return settled(f, ask, lambda: first_thing(f, node))


def nearest_seat(f: Lowering, mask: Value, start: Value) -> Value:
    """The first seat of a mask from `start` on, round the table; -1 if it is empty."""
    behind = f.code.builder.and_(mask, f.code.builder.shl(number(-1), number(start)))
    some = f.code.choose(f.code.compare("!=", behind, 0), behind, mask)
    seat = f.code.builder.cttz(some, ir.Constant(I1, 0))
    return f.small(f.code.choose(f.code.compare("==", mask, 0), -1, seat), f.layout.seats)


def first_thing(f: Lowering, node: tree.Select) -> Value:
    found = Variable(f.code, I64, -1)
    with each_thing(f, node.domain) as (thing, loop):
        found.set(thing)
        loop.leave()
    return found.get()


def sign_of(which: Extreme) -> Literal["<", ">"]:
    """How what is better compares with what is worse."""
    match which:
        case "highest":
            return ">"
        case "lowest":
            return "<"
        case _:
            assert_never(which)


class Best:
    """The best key so far while a query runs."""

    def __init__(self, f: Lowering, key: tree.Expr, which: Extreme) -> None:
        self.f, self.key, self.operator = f, key, sign_of(which)
        words = {"hand": f.build.words(key.type) - 1, "fraction": 2}.get(key.type.kind, 1)
        self.words = [Variable(f.code, I64, int(key.type.kind == "fraction")) for _ in range(words)]
        self.found = Variable(f.code, I1, 0)

    def read(self) -> tuple[Value, Value]:
        """Reads the key of the thing at hand: whether it is better than all before, and whether it equals the best."""
        f, kind = self.f, self.key.type
        key = order_words(f, self.key)
        old = [word.get() for word in self.words]
        first = f.code.invert(self.found.get())
        better = f.code.either(first, order_compared(f, self.operator, kind, key, old))
        equal = f.code.both(f.code.invert(first), order_compared(f, "==", kind, key, old))
        for word, part in zip(self.words, key, strict=True):
            word.set(f.code.choose(better, part, word.get()))
        self.found.set(1)
        return better, equal


def best_of(f: Lowering, node: tree.Select) -> Best:
    assert node.key is not None
    assert node.best is not None
    return Best(f, node.key, node.best)


def the_best(f: Lowering, node: tree.Select) -> Value:
    found, best = Variable(f.code, I64, -1), best_of(f, node)
    with each_thing(f, node.domain) as (thing, _):
        better, _equal = best.read()
        found.set(f.code.choose(better, thing, found.get()))
    return found.get()


def selected(f: Lowering, node: tree.Select) -> Any:
    """All things of the domain, or all whose key is best."""
    best = best_of(f, node) if node.best else None
    if node.domain.noun == "player":
        return selected_players(f, node, best)
    listed = {"card": Type("cards"), "play": PLAYS}.get(node.domain.noun, Type("zones"))
    room = f.list_room(listed)
    kind = f.layout.card_kind if node.domain.noun == "card" else I16
    count = Variable(f.code, I64, 0)
    with each_thing(f, node.domain) as (thing, _):
        list_thing(f, room, kind, count, thing, best)
    if node.domain.noun == "card":
        return Cards(room, f.small(count.get(), f.layout.cards.count))
    if node.domain.noun in ("zone", "play"):
        return Zones(f.small(count.get(), f.layout.most_in(listed)), pointer=room)
    raise CannotLower(f"{node.span}: all of {node.domain.noun}")


def selected_players(f: Lowering, node: tree.Select, best: Best | None) -> Value:
    return at_once(f, node, lambda f, _: players_one_by_one(f, node, best))


def players_one_by_one(f: Lowering, node: tree.Select, best: Best | None) -> Value:
    mask = Variable(f.code, I64, 0)
    with each_thing(f, node.domain, ordered=False) as (seat, _):
        bit = f.code.bit(seat)
        if best is None:
            mask.set(f.code.builder.or_(mask.get(), bit))
        else:
            better, equal = best.read()
            with_it = f.code.builder.or_(mask.get(), bit)
            mask.set(f.code.choose(better, bit, f.code.choose(equal, with_it, mask.get())))
    return mask.get()


def random_one(f: Lowering, node: tree.Select) -> Value:
    """By the game's chance, one of those in question, each as likely."""
    things, count = listed(f, node.domain, best_of(f, node) if node.best else None)
    nothing = f.code.compare("==", count, 0)
    f.fail_when(nothing, "nothing-to-choose", node.span)
    result = Variable(f.code, I64, -1 if node.domain.noun != "player" else 0)
    with f.code.when(f.code.invert(nothing)):
        result.set(f.code.load(I16, things, drawn_below(f, count, node.span)))
    return result.get()


def drawn_below(f: Lowering, count: Value, span: Span) -> Value:
    """A number below another by chance; a strategy draws from its seat's own stream."""
    if f.strategy is None and f.build.watched:
        site = f.build.error_site("stacked-chance", span)
        return f.code.call(stacked.lot(f.build), [f.state, count, number(site)])
    stream = (
        f.address("streams") if f.strategy is None else f.code.at(f.address("streams"), f.code.add(f.names[0], 1), 8)
    )
    return f.code.call(kernels.below(f.build), [stream, count])


def selected_set(f: Lowering, node: tree.Select) -> Cards:
    """One of the sets of an arrangement; no cards if there is none."""
    from trionfi.interpreter.native.lower_melds import melds_of

    assert node.domain.source is not None
    all_of_them, meld = melds_of(f, f.expression(node.domain.source))
    room, count = f.code.room(I16, max(2, f.layout.cards.count)), Variable(f.code, I64, 0)
    best = best_of(f, node) if node.best else None
    f.code.store(I16, 0, room)
    with f.code.count(all_of_them) as index:
        with f.named(node.domain.local, meld(index)):
            with f.code.when(f.truth(node.domain.where) if node.domain.where is not None else TRUE):
                list_thing(f, room, I16, count, index, best)
    nothing = f.code.compare("==", count.get(), 0)
    chosen = Variable(f.code, I64, 0)
    if node.draws:
        f.fail_when(nothing, "nothing-to-choose", node.span)
        with f.code.when(f.code.invert(nothing)):
            chosen.set(drawn_below(f, count.get(), node.span))
    with f.code.when(nothing):
        f.code.store(I16, 0, room)
    found = cards_in_set(f, all_of_them, meld, f.code.load(I16, room, chosen.get()))
    return Cards(found.pointer, f.code.choose(nothing, 0, found.count))


def cards_in_set(f: Lowering, sets: Value, meld: Callable[[Value], Cards], index: Value) -> Cards:
    """The cards of a set, no cards where there are no sets."""
    found = [Variable(f.code, POINTER), Variable(f.code, I64, 0)]
    found[0].set(f.list_room(Type("cards")))
    with f.code.when(f.code.compare(">", sets, 0)):
        for variable, part in zip(found, parts_of(meld(index)), strict=True):
            variable.set(part)
    return Cards(found[0].get(), found[1].get())


def listed(f: Lowering, domain: tree.Domain, best: Best | None = None) -> tuple[Value, Value]:
    """The things of a domain, or those whose key is best, as 16-bit numbers in this call's memory, and how many they
    are."""
    room, count = f.code.room(I16, max(2, most_things(f, domain))), Variable(f.code, I64, 0)
    with each_thing(f, domain) as (thing, _):
        list_thing(f, room, I16, count, thing, best)
    return room, f.small(count.get(), most_things(f, domain))


def list_thing(f: Lowering, room: Value, kind: ir.IntType, count: Variable, thing: Value, best: Best | None) -> None:
    """A thing goes on a list; of the best ones a better one begins it anew."""
    if best is None:
        f.code.store(kind, thing, room, count.get())
        count.set(f.code.builder.add(count.get(), number(1)))
        return
    better, equal = best.read()
    count.set(f.code.choose(better, 0, count.get()))
    f.code.store(kind, thing, room, count.get())
    count.set(f.code.builder.add(count.get(), f.code.number_of(f.code.either(better, equal))))


def lower_next_player(f: Lowering, node: tree.NextPlayer) -> Value:
    def ask(seats: Seats, names: Names) -> Value:
        mask = seats.domain_mask(node.domain, names)
        after = seats.read(node.after, names)
        seats.guard(Answer(f.code.compare("<", after.value, 0), truth=True))
        return nearest_seat(f, mask, f.code.add(f.code.larger(after.value, 0), 1))

    return settled(f, ask, lambda: next_one_by_one(f, node))


def next_one_by_one(f: Lowering, node: tree.NextPlayer) -> Value:
    """The first to the left for whom it holds; at last the player himself."""
    after = f.wanted(f.expression(node.after), node.after.span)
    chosen: Number | None = f.expression(node.domain.source) if node.domain.source is not None else None
    found, seats = Variable(f.code, I64, -1), f.seats
    with f.code.counting(seats) as (index, loop):
        seat = f.code.add(f.code.add(after, 1), index)
        past = f.code.compare(">=", seat, seats)
        seat = f.small(f.code.choose(past, f.code.subtract(seat, seats), seat), f.layout.seats)
        with f.named(node.domain.local, seat):
            holds = f.truth(node.domain.where) if node.domain.where is not None else f.code.compare("==", 0, 0)
            if chosen is not None:
                holds = f.code.both(f.code.has_bit(chosen, seat), holds)
            with f.code.when(holds):
                found.set(seat)
                loop.leave()
    return found.get()


TABLE: dict[type, Lower] = {
    tree.Quantified: lower_quantified,
    tree.Count: lower_count,
    tree.Fold: lower_fold,
    tree.Select: lower_select,
    tree.NextPlayer: lower_next_player,
}
