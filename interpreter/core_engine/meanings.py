"""What each operation of the core does, in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add, and_, floordiv, getitem, is_, le, lt, mod, mul, or_, sub, truediv
from typing import Any

from trionfi.core.ir import Let, Program
from trionfi.core.ops import Op
from trionfi.core.types import CARD, TARGET, CoreType, Kind
from trionfi.dsl import tree
from trionfi.dsl.analysis.tried import steps_for, tried_in
from trionfi.dsl.limits import MOST_NUMBERS, MOST_STATEMENTS
from trionfi.effects import CardThing
from trionfi.interpreter import stacking
from trionfi.interpreter.hands import HandValue, MeldEvaluator, PatternEvaluator, TotalEvaluator
from trionfi.interpreter.measures import see
from trionfi.interpreter.reference.compiler import Compiler
from trionfi.interpreter.state import Entry, State
from trionfi.interpreter.statistics import MeasureShape
from trionfi.interpreter.table import NOWHERE, Table
from trionfi.interpreter.texts import texts_of

__all__ = ["MEANINGS", "CoreHost", "Meaning", "means", "plain", "reads", "same_thing"]

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1

Meaning = Callable[..., Any]  # of the state and the arguments
MEANINGS: dict[Op, Callable[[Let, CoreHost], Meaning]] = {}


@dataclass
class CoreHost:
    """What operations need to know beside the state: the declarations by name, the table, the evaluators of hands."""

    program: Program
    rules: tree.Ruleset
    options: dict[str, object]
    table: Table
    compiler: Compiler
    shapes: list[MeasureShape]
    variables: dict[str, tree.Variable] = field(init=False)
    families: dict[str, tree.ZoneFamily] = field(init=False)
    marks: dict[str, tree.Mark] = field(init=False)
    call: Callable[..., Any] = field(init=False)  # a function of the program, by name

    def __post_init__(self) -> None:
        self.variables = {one.name: one for one in self.rules.variables}
        self.families = {one.name: one for one in self.rules.zones}
        self.marks = {one.name: one for one in self.rules.marks}


def means(op: Op) -> Callable[[Callable[[Let, CoreHost], Meaning]], Callable[[Let, CoreHost], Meaning]]:
    def register(build: Callable[[Let, CoreHost], Meaning]) -> Callable[[Let, CoreHost], Meaning]:
        MEANINGS[op] = build
        return build

    return register


def plain(op: Op, value: Callable[..., Any]) -> None:
    """An operation on values alone."""

    def meaning(_s: State, *args: Any) -> Any:
        return value(*args)

    MEANINGS[op] = lambda _node, _host: meaning


def reads(op: Op, value: Callable[..., Any]) -> None:
    """An operation on the state that is about no declaration."""
    MEANINGS[op] = lambda _node, _host: value


def beyond(operate: Callable[[int, int], int]) -> Callable[[int, int], bool]:
    return lambda one, other: not LOWEST <= operate(one, other) <= HIGHEST


def ceil_divide(one: int, other: int) -> int:
    return -(-one // other)


def fitting(operate: Callable[..., Any]) -> Callable[..., Fraction | None]:
    """The result, none if one of its two numbers is beyond 64 bits."""

    def within(*args: Fraction) -> Fraction | None:
        result = Fraction(operate(*args))
        return result if LOWEST <= result.numerator <= HIGHEST and result.denominator <= HIGHEST else None

    return within


PLAIN: dict[Op, Callable[..., Any]] = {
    Op.ADD: add,
    Op.SUBTRACT: sub,
    Op.MULTIPLY: mul,
    Op.MODULO: mod,
    Op.FLOOR_DIVIDE: floordiv,
    Op.CEIL_DIVIDE: ceil_divide,
    Op.ADD_OVERFLOWS: beyond(add),
    Op.SUBTRACT_OVERFLOWS: beyond(sub),
    Op.MULTIPLY_OVERFLOWS: beyond(mul),
    Op.DIVIDE_OVERFLOWS: beyond(floordiv),
    Op.MINIMUM: min,
    Op.MAXIMUM: max,
    Op.LESS: lt,
    Op.AT_MOST: le,
    Op.WIDEN: int,
    Op.WIDE_ADD: add,
    Op.WIDE_FITS: lambda value: LOWEST <= value <= HIGHEST,
    Op.NARROW: int,
    Op.TO_FRACTION: Fraction,
    Op.FRACTION_ADD: fitting(add),
    Op.FRACTION_SUBTRACT: fitting(sub),
    Op.FRACTION_MULTIPLY: fitting(mul),
    Op.FRACTION_DIVIDE: fitting(truediv),
    Op.FRACTION_NEGATE: fitting(lambda value: -value),
    Op.FRACTION_LESS: lt,
    Op.FRACTION_AT_MOST: le,
    Op.FRACTION_IS_ZERO: lambda value: value == 0,
    Op.FLOOR: lambda value: value // 1,
    Op.CEIL: lambda value: -(-value // 1),
    Op.SAME: lambda one, other: one == other,
    Op.IS_NONE: lambda value: is_(value, None),
    Op.UNWRAP: lambda value: value,
    Op.NOT: lambda value: not value,
    Op.AND: and_,
    Op.OR: or_,
    Op.SELECT: lambda condition, one, other: one if condition else other,
    Op.INDEX: int,
    Op.THING: int,
    Op.HAS_SEAT: lambda seats, seat: bool(seats >> seat & 1),
    Op.WITH_SEAT: lambda seats, seat: seats | 1 << seat,
    Op.ITEM: getitem,
    Op.CONTAINS: lambda things, thing: thing in things,
    Op.SAME_CARDS: lambda one, other: set(one) == set(other),
    Op.JOINED: lambda one, other: (*one, *[card for card in other if card not in one]),
    Op.WITHOUT: lambda one, other: tuple(card for card in one if card not in other),
    Op.SORTED: lambda things: tuple(sorted(things)),
    Op.FIRST_ITEMS: lambda things, count: things[:count],
    Op.STEPS: lambda low, high, step: min(-((low - high) // step) + 1, MOST_NUMBERS + 1),
    Op.HAND_LESS: lambda one, other: hand_key(one) < hand_key(other),
    Op.HAND_AT_MOST: lambda one, other: hand_key(one) <= hand_key(other),
    Op.HAND_CATEGORY: lambda hand: hand.number,
    Op.TOTAL_VALUE: lambda total: total.value,
    Op.TOTAL_SOFT: lambda total: total.soft,
    Op.TOTAL_BUST: lambda total: total.bust,
    Op.ARRANGEMENT_COST: lambda arrangement: arrangement.cost,
    Op.ARRANGEMENT_MELDS: lambda arrangement: arrangement.melds,
    Op.ARRANGEMENT_LEFT: lambda arrangement: arrangement.left,
    Op.NEW_MENU: list,
    Op.OPTIONS: len,
    Op.LINE: lambda menu, choice: menu[choice][0],
}
for _op, _value in PLAIN.items():
    plain(_op, _value)


def hand_key(hand: Any) -> tuple[Any, ...]:
    """None, which is no hand, is below every hand."""
    return () if hand is None else (hand,)


@means(Op.LOOKUP)
def lookup(node: Let, _host: CoreHost) -> Meaning:
    assert node.target is not None
    table: list[Any] = list(node.about)
    if node.target.type.optional:
        table = [None if value == -1 else value for value in table]
    return lambda _s, thing: table[thing]


@means(Op.EMPTY)
def empty(_node: Let, _host: CoreHost) -> Meaning:
    return lambda _s: ()


# ---- seats, variables, options


reads(Op.EVERYONE, lambda s: s.table.everyone)
reads(Op.SEAT_COUNT, lambda s: s.table.players)
reads(Op.SEAT_ON, lambda s, seat, steps: (seat + steps) % s.table.players)


def place_of(node: Let, host: CoreHost) -> Callable[..., int]:
    """Which of the values of a variable an owner's is."""
    variable = host.variables[str(node.about[0])]
    family = variable.per_zone
    first = host.table.bases[family.index] if variable.per == "spot" and family is not None else 0
    return lambda *owner: owner[0] - first if owner else 0


@means(Op.LOAD)
def load(node: Let, host: CoreHost) -> Meaning:
    index, place = host.variables[str(node.about[0])].index, place_of(node, host)
    return lambda s, *owner: s.values[index][place(*owner)]


@means(Op.STORE)
def store(node: Let, host: CoreHost) -> Meaning:
    index, place = host.variables[str(node.about[0])].index, place_of(node, host)

    def put(s: State, value: Any, *owner: int) -> None:
        s.values[index][place(*owner)] = value

    return put


@means(Op.HAS_SPOT)
def has_spot(node: Let, host: CoreHost) -> Meaning:
    count, place = host.table.size(host.variables[str(node.about[0])]), place_of(node, host)
    return lambda _s, zone: 0 <= place(zone) < count


@means(Op.OPTION)
def option(node: Let, host: CoreHost) -> Meaning:
    value = host.options[str(node.about[0])]
    return lambda _s: value


@means(Op.IS_SET_BY_STACK)
def is_set_by_stack(node: Let, host: CoreHost) -> Meaning:
    index, place = host.variables[str(node.about[0])].index, place_of(node, host)
    return lambda s, *owner: s.stack is not None and s.stack.spares_draw(index, place(*owner))


@means(Op.STACKED_VALUE)
def stacked_value(node: Let, host: CoreHost) -> Meaning:
    index, place = host.variables[str(node.about[0])].index, place_of(node, host)
    return lambda s, *owner: s.stack.setting[index, place(*owner)]


# ---- cards


@means(Op.NAMED_CARD)
def named_card(node: Let, _host: CoreHost) -> Meaning:
    return lambda s: s.named[node.about[0]]


def first_suit(s: State, card: int) -> int | None:
    suits = s.looks[card].suits
    return (suits & -suits).bit_length() - 1 if suits else None


reads(Op.FACE, lambda s, card: s.looks[card].face)
reads(Op.SUIT, first_suit)
reads(Op.RANK, lambda s, card: s.looks[card].rank)
reads(Op.HAS_SUIT, lambda s, card, suit: bool(s.looks[card].suits >> suit & 1))
reads(Op.HAS_NO_SUIT, lambda s, card: not s.looks[card].suits)
reads(Op.HAS_RANK, lambda s, card, rank: s.looks[card].any_rank or s.looks[card].rank == rank)
reads(Op.HAS_EVERY_RANK, lambda s, card: s.looks[card].any_rank)
reads(Op.HAS_NO_RANK, lambda s, card: s.looks[card].rank is None and not s.looks[card].any_rank)
reads(Op.IS_REVERSED, lambda s, card: s.looks[card].reversed)
reads(Op.IS_UP, lambda s, card: s.up[card])
reads(Op.KNOWS, lambda s, seat, card: bool(s.known[card] >> seat & 1))
reads(Op.ZONE_OF, lambda s, card: None if s.zone_of[card] == NOWHERE else s.zone_of[card])
reads(Op.ALL_CARDS, lambda s: tuple(s.table.in_game))


@means(Op.HAS_EVERY_SUIT)
def has_every_suit(_node: Let, host: CoreHost) -> Meaning:
    every = (1 << len(host.rules.enumerations["suit"].members)) - 1
    return lambda s, card: s.looks[card].suits & every == every


@means(Op.MARK)
def mark(node: Let, host: CoreHost) -> Meaning:
    index = host.marks[str(node.about[0])].index
    return lambda s, card: s.looks[card].marks[index]


def same_thing(s: State, seat: int, kind: CoreType, thing: Any) -> Any:
    """Things with the same key are one option: copies of a face in one orientation, if the player knows them."""
    card = thing
    if kind == TARGET:
        if not isinstance(thing, CardThing) or s.field is None or not s.field.is_there(thing):
            return "", thing
        card = thing.card
    elif kind != CARD:
        return thing
    if not s.known[card] >> seat & 1:
        return "", thing
    look = s.looks[card]
    return look.face, look.reversed


@means(Op.ALIKE)
def alike(node: Let, _host: CoreHost) -> Meaning:
    kind = node.args[0].type
    return lambda s, one, other, seat: bool(same_thing(s, seat, kind, one) == same_thing(s, seat, kind, other))


@means(Op.GROUPED)
def grouped(node: Let, _host: CoreHost) -> Meaning:
    kind = node.args[0].type.element

    def group(s: State, things: tuple[Any, ...], seat: int) -> tuple[Any, ...]:
        by_key: dict[Any, list[Any]] = {}
        for thing in things:
            by_key.setdefault(same_thing(s, seat, kind, thing), []).append(thing)
        return tuple(thing for group in by_key.values() for thing in group)

    return group


# ---- zones and lists


def first_zone(node: Let, host: CoreHost) -> tuple[int, int]:
    family = host.families[str(node.about[0])]
    return host.table.bases[family.index], family.places


@means(Op.ZONE_AT)
def zone_at(node: Let, host: CoreHost) -> Meaning:
    base, places = first_zone(node, host)
    if "place" in node.about:
        return lambda _s, *args: base + (args[0] * places if len(args) > 1 else 0) + args[-1]
    return lambda _s, *owner: base + (owner[0] * places if owner else 0)


@means(Op.ZONES_OF)
def zones_of(node: Let, host: CoreHost) -> Meaning:
    base, places = first_zone(node, host)

    def zones(_s: State, *owner: int) -> tuple[int, ...]:
        start = base + (owner[0] * places if owner else 0)
        return tuple(range(start, start + places))

    return zones


def zone_owner(s: State, zone: int) -> int | None:
    place = s.table.zones[zone]
    return place.owner if place.family.per == "player" else None


reads(Op.ZONE_FAMILY, lambda s, zone: s.table.zones[zone].family.index)
reads(Op.ZONE_OWNER, zone_owner)
reads(Op.ZONE_PLACE, lambda s, zone: s.table.zones[zone].number)
reads(Op.ZONE_CAPACITY, lambda s, zone: s.table.zones[zone].capacity)
reads(Op.ZONE_TURNS, lambda s, zone: s.table.zones[zone].up is not None)
reads(Op.ZONE_IS_UP, lambda s, zone: bool(s.table.zones[zone].up))
reads(Op.ZONE_SEERS, lambda s, zone: s.table.zones[zone].seers)
reads(Op.CARD_AT, lambda s, zone, place: s.zones[zone][place])
reads(Op.PLACE_IN, lambda s, zone, card: s.zones[zone].index(card))
reads(Op.CARDS_IN, lambda s, zone: tuple(s.zones[zone]))
reads(Op.PLAYS, lambda s: tuple(play.number for play in s.field.plays) if s.field is not None else ())


@means(Op.SIZE)
def size(node: Let, _host: CoreHost) -> Meaning:
    match node.args[0].type.kind:
        case Kind.ZONE:
            return lambda s, zone: len(s.zones[zone])
        case Kind.SEATS | Kind.PLACES:
            return lambda _s, bits: bits.bit_count()
        case _:
            return lambda _s, things: len(things)


@means(Op.TOP_CARDS)
def top_cards(_node: Let, _host: CoreHost) -> Meaning:
    def top(s: State, zone: int, count: int) -> tuple[int, ...]:
        cards = s.zones[zone]
        return tuple(reversed(cards[max(0, len(cards) - count) :]))

    return top


# ---- cards move and turn


def lift(s: State, card: int) -> None:
    s.zones[s.zone_of[card]].remove(card)
    s.zone_of[card] = NOWHERE


def lay(s: State, zone: int, card: int, at: int) -> None:
    s.zones[zone].insert(at, card)
    s.zone_of[card] = zone


def turn(s: State, card: int, up: bool) -> None:
    s.up[card] = up


def learn(s: State, card: int, seats: int) -> None:
    s.known[card] |= seats


def known_by(s: State, card: int, seats: int) -> None:
    s.known[card] = seats


def leave(s: State, card: int) -> None:
    assert s.field is not None, "games without effects need no lives"
    s.field.leave((card,), s.known)


def rotate(s: State, zone: int, chosen: list[bool]) -> None:
    for card, is_turned in zip(s.zones[zone], chosen, strict=True):
        if is_turned:
            s.turn_end(card)


def next_card(s: State, source: int, to: int) -> int:
    return s.zones[source][-1] if s.stack is None else stacking.next_card(s, s.stack, source, to)


def lift_all(s: State, zone: int) -> tuple[int, ...]:
    cards = tuple(s.zones[zone])
    for card in cards:
        lift(s, card)
    return cards


def lift_every(s: State) -> None:
    for zone in range(len(s.zones)):
        lift_all(s, zone)


reads(Op.LIFT, lift)
reads(Op.LIFT_AT, lambda s, zone, place: lift(s, s.zones[zone][place]))
reads(Op.LIFT_ALL, lift_all)
reads(Op.LIFT_EVERY, lift_every)
reads(Op.LAY, lay)
reads(Op.TURN, turn)
reads(Op.LEARN, learn)
reads(Op.KNOWN_BY, known_by)
reads(Op.ORIENT, lambda s, card, is_reversed: s.orient(card, is_reversed))
reads(Op.LEAVE, leave)
reads(Op.ROTATE_HALF, lambda s, zone: rotate(s, zone, s.lot.chosen_half(len(s.zones[zone]))))
reads(Op.ROTATE_EACH, lambda s, zone: rotate(s, zone, s.lot.chosen_by_coin(len(s.zones[zone]))))
reads(Op.NEXT_CARD, next_card)
reads(Op.BELOW, lambda s, count: s.lot.below(count))


@means(Op.SET_MARK)
def set_mark(node: Let, host: CoreHost) -> Meaning:
    index = host.marks[str(node.about[0])].index
    return lambda s, card, value: s.set_mark(card, index, value)


@means(Op.SHUFFLE)
def shuffle(node: Let, host: CoreHost) -> Meaning:
    span = host.program.places[int(node.about[0])].span

    def run(s: State, zone: int) -> None:
        s.lot.shuffle(s.zones[zone])
        if s.stack is not None:
            stacking.arrange(s, s.stack, zone, span)

    return run


@means(Op.DRAW)
def draw(node: Let, host: CoreHost) -> Meaning:
    span = host.program.places[int(node.about[0])].span
    return lambda s, count: s.lot.lot_of(count, span)


reads(Op.LISTED_NUMBER, lambda s: s.lot.listed())


# ---- menus


@means(Op.OFFER)
def offer(node: Let, _host: CoreHost) -> Meaning:
    line = node.about[0]
    return lambda _s, menu, *things: menu.append((line, things))


@means(Op.IS_OFFERED)
def is_offered(node: Let, _host: CoreHost) -> Meaning:
    line, kinds = node.about[0], [arg.type for arg in node.args[2:]]

    def keys(s: State, seat: int, things: tuple[Any, ...]) -> list[Any]:
        return [same_thing(s, seat, kind, thing) for kind, thing in zip(kinds, things, strict=True)]

    def is_there(s: State, menu: list[Any], seat: int, *things: Any) -> bool:
        wanted = keys(s, seat, things)
        return any(own == line and keys(s, seat, about) == wanted for own, about in menu)

    return is_there


DONE: tuple[int, tuple[Any, ...]] = (-1, ())

plain(Op.OFFER_PICK, lambda menu, thing, place: menu.append((0, (thing, place))))
plain(Op.OFFER_DONE, lambda menu: menu.append(DONE))
plain(Op.IS_DONE, lambda menu, choice: menu[choice] is DONE)
plain(Op.PICKED_THING, lambda menu, choice: menu[choice][1][0])
plain(Op.PICKED_PLACE, lambda menu, choice: menu[choice][1][1])


@means(Op.ABOUT)
def about(node: Let, _host: CoreHost) -> Meaning:
    place = int(node.about[0])
    return lambda _s, menu, choice: menu[choice][1][place]


# ---- what is told and counted


@means(Op.SAY)
def say(node: Let, host: CoreHost) -> Meaning:
    label = host.program.places[int(node.about[0])].about
    assert isinstance(label, tree.Label)

    def run(s: State, *values: Any) -> None:
        rest = iter(values)
        said = [part if isinstance(part, str) else (part.type, next(rest)) for part in label.parts]
        if s.log is not None:
            entry = Entry(None, "", texts_of(s, said))
            entry.close(s)
            s.log.add(entry)

    return run


def render(s: State, *values: Any) -> None:
    s.returned = values


reads(Op.RENDER, render)


@means(Op.SEE)
def count_measure(node: Let, host: CoreHost) -> Meaning:
    index = int(node.about[0])
    shape = host.shapes[index]
    return lambda s, value, *seat: see(shape, s.tallies[index][seat[0] if seat else 0], value)


@means(Op.PASS)
def count_pass(node: Let, _host: CoreHost) -> Meaning:
    weight = int(node.about[0])

    def run(s: State) -> bool:
        s.steps += weight
        return s.steps <= MOST_STATEMENTS

    return run


@means(Op.COUNT_HANDS)
def count_hands(node: Let, host: CoreHost) -> Meaning:
    name, kind, times, fixed, *zones = node.about
    what = tried_in(host.rules, str(kind), str(name))
    steps = steps_for(what, str(kind), int(times), host.rules)
    named = zip(map(str, zones[::2]), map(int, zones[1::2]), strict=True)
    families = [(host.table.zones_of(family), factor) for family, factor in named]

    def run(s: State, *lists: Sequence[int]) -> bool:
        cards = int(fixed) + sum(map(len, lists))
        cards += sum(factor * max(len(s.zones[zone]) for zone in numbers) for numbers, factor in families)
        s.steps += steps[min(cards, len(steps) - 1)]
        return s.steps <= MOST_STATEMENTS

    return run


def seal(s: State) -> None:
    if s.log is not None:
        s.log.sealed = []


def unseal(s: State) -> None:
    if s.log is not None:
        s.log.unseal()


def hold_log(s: State, held: bool) -> None:
    if s.log is not None:
        s.log.hold(held)
        s.log.close(s)


reads(Op.SEAL, seal)
reads(Op.UNSEAL, unseal)
reads(Op.HOLD_LOG, hold_log)


# ---- hands, totals, melds


@means(Op.BEST_HAND)
def best_hand(node: Let, host: CoreHost) -> Meaning:
    name, *shapes = map(str, node.about)
    ranking = host.rules.rankings[name]
    evaluator = host.compiler.evaluator(ranking, PatternEvaluator)

    def best(s: State, *args: Any) -> HandValue | None:
        rest = iter(args)
        parts = [(list(next(rest)), next(rest) if shape == "exactly" else None) for shape in shapes]
        found: HandValue | None = evaluator.best_hand(s, parts)
        return found

    return best


@means(Op.MAKE_HAND)
def make_hand(node: Let, host: CoreHost) -> Meaning:
    ranking = host.rules.rankings[str(node.about[0])]
    assert isinstance(ranking, tree.ConditionRanking)
    kinds = [arg.type for arg in node.args[1:]]

    def make(_s: State, number: int, *values: Any) -> HandValue:
        keys = iter([order_key(kind, value) for kind, value in zip(kinds, values, strict=True)])
        parts: list[Any] = []
        for key in ranking.order:
            parts.extend([-number] if key.kind == "category" else [next(keys) for _ in key.expressions])
        return HandValue(ranking, tuple(parts), number, ())

    return make


def order_key(kind: CoreType, value: Any) -> Any:
    """A value as it compares in the order of a ranking: none is below all others."""
    if kind.kind is Kind.HAND:
        return () if value is None else (value.key,)
    if kind.kind in (Kind.INT, Kind.FRACTION):
        return LOWEST if value is None else value
    if kind.kind is Kind.CATEGORY or kind.name == "orientation":
        return LOWEST if value is None else -value
    return -1 if value is None else int(value)


@means(Op.TOTAL)
def total(node: Let, host: CoreHost) -> Meaning:
    evaluator: TotalEvaluator = host.compiler.evaluator(host.rules.totals[str(node.about[0])], TotalEvaluator)
    return evaluator.total


@means(Op.ARRANGED)
def arranged(node: Let, host: CoreHost) -> Meaning:
    evaluator: MeldEvaluator = host.compiler.evaluator(host.rules.melds[str(node.about[0])], MeldEvaluator)
    return evaluator.arranged


@means(Op.IS_MELD)
def is_meld(node: Let, host: CoreHost) -> Meaning:
    evaluator: MeldEvaluator = host.compiler.evaluator(host.rules.melds[str(node.about[0])], MeldEvaluator)
    return evaluator.is_meld
