"""Who decides in a playout: uniformly at random, the first option, or a strategy of the ruleset.

A seat's policy is a number of the setting: 0 random, 1 first, 2 and on the ruleset's strategies in their order.
A strategy's script becomes one function for each place that asks, since what it names (lines, things) is the place's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.types import PLAYER, Type
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import FALSE, I16, I64, POINTER, Value, Variable, function, number, table
from trionfi.interpreter.native.lowering import CannotLower, DecisionSite, Lower, Lowering
from trionfi.interpreter.native.values import Cards, Zones

if TYPE_CHECKING:
    from trionfi.interpreter.native.lowering import Build

RANDOM, FIRST, STRATEGIES = 0, 1, 2
NO_PICK = -1


@dataclass(slots=True)
class Asked:
    """What a strategy is asked, while its script is written."""

    site: DecisionSite
    entries: Value
    count: Value
    low: Value
    high: Value
    step: Value


def ask_policy(f: Lowering, site: DecisionSite, player: Value, count: Value, offer: Any) -> Value:
    """The option that the seat's policy takes."""
    f.small(count, 1 << 20)
    chosen = Variable(f.code, I64, 0)
    policy = f.field("policies", player)
    at_random, after = f.code.block("random"), f.code.block("chosen")
    switch = f.code.builder.switch(policy, at_random)
    switch.add_case(number(FIRST), after)
    known = f.rules.strategies.values() if f.build.strategies else ()
    for index, strategy in enumerate(known, start=STRATEGIES):
        if site.name not in strategy.scripts:
            continue
        block = f.code.block(strategy.name)
        switch.add_case(number(index), block)
        f.code.go_on(block)
        picked = ask_strategy(f, strategy, site, strategy_arguments(f, player, count, offer))
        chosen.set(picked)
        f.code.branch(f.code.compare("<", picked, 0), at_random, after)
    f.code.go_on(at_random)
    stream = f.code.at(f.address("streams"), f.code.add(player, 1), 8)
    chosen.set(f.code.call(kernels.below(f.build), [stream, count]))
    f.code.jump(after)
    f.code.go_on(after)
    return chosen.get()


def write_advise(build: Build) -> None:
    """advise(state, strategy): what a strategy picks at the present decision, -1 for none."""
    with function(build.module, "advise", I64, [POINTER, I64], internal=False) as code:
        f = Lowering(build, code)
        offset = code.builder.load(build.entries_offset(), typ=I64)
        entries = code.at(f.state, offset)
        names = ("player", "card", "", "offered", "low", "high", "step")
        asked = [f.state, *(f.field(name) if name else entries for name in names)]
        for number_, strategy in enumerate(f.rules.strategies.values()):
            for site in list(build.sites):
                if site.name in strategy.scripts:
                    here = code.both(
                        code.compare("==", f.field("site"), site.number), code.compare("==", code.arguments[1], number_)
                    )
                    with code.when(here):
                        code.give(ask_strategy(f, strategy, site, asked))
        code.give(number(NO_PICK))


def ask_strategy(f: Lowering, strategy: tree.Strategy, site: DecisionSite, arguments: list[Any]) -> Value:
    """What a strategy picks. The statements that it passes do not count for the game."""
    made = strategy_function(f, strategy, site)
    picked = f.code.call(made, arguments)
    if made.name in f.build.counting:
        f.set_field("passes", 0)
    return picked


def strategy_arguments(f: Lowering, player: Value, count: Value, offer: Any) -> list[Any]:
    entries = offer.pointer if offer is not None else ir.Constant(POINTER, None)
    return [f.state, player, f.field("card"), entries, count, f.field("low"), f.field("high"), f.field("step")]


def strategy_function(f: Lowering, strategy: tree.Strategy, site: DecisionSite) -> ir.Function:
    """strategy(state, player, card, entries, count, low, high, step): the option picked, -1 for none."""
    key = ("strategy", strategy.name, site.number)
    if key in f.build.kernels:
        return f.build.kernels[key]
    kinds, name = [POINTER, I64, I64, POINTER, I64, I64, I64, I64], f"strategy.{strategy.name}.{site.number}"
    f.build.seldom.add(name)
    with function(f.build.module, name, I64, kinds) as code:
        f.build.kernels[key] = code.function
        script = strategy.scripts[site.name]
        g = Lowering(f.build, code)
        g.leaving = number(NO_PICK)
        _, player, card, entries, count, low, high, step = code.arguments
        g.names[0] = g.small(player, f.layout.seats)
        g.names[1] = card
        g.strategy = Asked(site, entries, count, low, high, step)
        g.block(script.body)
        code.give(number(NO_PICK))
    return f.build.kernels[key]


# ---- picking


def lower_pick(f: Lowering, node: tree.Pick) -> None:
    """Takes the option if it is offered; else the script goes on."""
    kind = node.value.type.kind
    if kind == "label":
        pick_line(f, node)
    elif f.strategy.site.kind == "number":
        pick_number(f, f.expression(node.value))
    elif f.strategy.site.kind == "orientation":
        value = f.expression(node.value)
        with f.code.when(f.code.compare(">=", value, 0)):
            f.code.give(value)
    else:
        pick_thing(f, node)


def pick_number(f: Lowering, value: Value) -> None:
    asked, code = f.strategy, f.code
    offered = code.both(code.compare(">=", value, asked.low), code.compare("<=", value, asked.high))
    with code.when(offered):
        with code.when(code.compare("==", value, asked.high)):
            code.give(code.subtract(asked.count, 1))
        above = code.subtract(value, asked.low)
        with code.when(code.compare("==", code.builder.urem(above, asked.step), 0)):
            code.give(code.builder.udiv(above, asked.step))


def pick_line(f: Lowering, node: tree.Pick) -> None:
    """A line of the menu by its label as written, about a thing if one is named."""
    if f.strategy.site.kind in ("number", "orientation"):
        return  # there are no lines
    wanted = f.expression(node.value)
    about = f.expression(node.thing) if node.thing is not None else None
    with f.code.count(f.strategy.count) as index:
        entry = f.code.load(I64, f.strategy.entries, index)
        fits = f.code.compare("==", template_of(f, entry), wanted)
        if about is not None:
            assert node.thing is not None
            fits = f.code.both(fits, entry_is_about(f, entry, node.thing.type, about))
        with f.code.when(fits):
            f.code.give(index)


def templates(f: Lowering) -> list[str]:
    """The labels of the place that asks, as written; `done` of a choice of several is the last."""
    node = f.strategy.site.node
    return [item.label.template for item in node.items] if isinstance(node, tree.Menu) else ["done"]


def lower_item_name(f: Lowering, node: tree.ItemName) -> Value:
    known = templates(f)
    return number(known.index(node.template) if node.template in known else -2)


def template_of(f: Lowering, entry: Value) -> Value:
    """Which label an entry bears: the number of the first line with the same text."""
    known = templates(f)
    if not isinstance(f.strategy.site.node, tree.Menu):
        return f.code.choose(f.code.compare("==", entry, -2), 0, -1)
    lines = table(f.build.module, f"lines_{f.strategy.site.number}", I16, [known.index(text) for text in known])
    return f.code.load(I16, lines, f.code.builder.and_(entry, number(0xFFFF)))


def entry_is_about(f: Lowering, entry: Value, kind: Type, thing: Value, alone: bool = False) -> Value:
    """Whether a thing of that kind in the entry is the one in question. `alone`: and there is no other in it."""
    node = f.strategy.site.node
    if not isinstance(node, tree.Menu):
        return same_thing(f, kind, picked_thing(f, entry), thing)
    from trionfi.interpreter.native.lower_decisions import low_bits
    from trionfi.interpreter.native.lower_menus import thing_of

    result, line = FALSE, low_bits(f, entry)
    for index, item in enumerate(node.items):
        for place, domain in enumerate(item.domains):
            if domain.local.type == kind and (not alone or len(item.domains) == 1):
                here = f.code.compare("==", line, index)
                one = f.code.choose(here, thing_of(f, entry, item.domains, place), thing)
                about = f.code.both(here, same_thing(f, kind, one, thing))
                result = f.code.either(result, about)
    return result


def picked_thing(f: Lowering, entry: Value) -> Value:
    """The thing of a pick's entry, -1 for done."""
    return f.code.builder.sext(f.code.builder.trunc(entry, I16), I64)


def same_thing(f: Lowering, kind: Type, one: Value, other: Value) -> Value:
    same = f.code.compare("==", one, other)
    if kind.kind != "card" or not f.layout.cards.copied:
        return same
    from trionfi.interpreter.native.lower_decisions import alike

    there = f.code.both(f.code.compare(">=", one, 0), f.code.compare(">=", other, 0))
    return f.code.either(same, f.code.both(there, alike(f, f.code.larger(one, 0), f.code.larger(other, 0), f.names[0])))


def pick_thing(f: Lowering, node: tree.Pick) -> None:
    """The option that is the thing, or the first that is about it."""
    wanted = f.expression(node.value)
    with f.code.count(f.strategy.count) as index:
        entry = f.code.load(I64, f.strategy.entries, index)
        done = f.code.compare("==", entry, -2)
        fits = f.code.both(f.code.invert(done), entry_is_about(f, entry, node.value.type, wanted, alone=True))
        with f.code.when(f.code.both(fits, f.code.compare(">=", wanted, 0))):
            f.code.give(index)


# ---- what is offered


@contextmanager
def each_entry(f: Lowering) -> Iterator[Value]:
    """What is offered, entry by entry; numbers and orientations have none."""
    asked = f.strategy
    with f.code.count(number(0) if asked.site.kind in ("number", "orientation") else asked.count) as index:
        yield f.code.load(I64, asked.entries, index)


def lower_offered(f: Lowering, node: tree.Offered) -> Any:
    """The things of the wanted kind that are offered."""
    element = {"cards": "card", "zones": "zone", "plays": "play", "players": "player"}.get(node.type.kind)
    if element is None:
        raise CannotLower(f"{node.span}: options of type {node.type}")
    if element == "player":
        return offered_players(f)
    room = f.list_room(node.type)
    count = Variable(f.code, I64, 0)
    kind = f.layout.card_kind if element == "card" else I16
    with each_entry(f) as entry:
        for thing, here in things_in(f, entry, node.noun, node.element):
            fresh = f.code.both(here, f.code.invert(listed_before(f, room, kind, count.get(), thing)))
            with f.code.when(fresh):
                f.code.store(kind, thing, room, count.get())
                count.add(1)
    if element == "card":
        return Cards(room, f.small(count.get(), f.layout.cards.count))
    return Zones(f.small(count.get(), f.layout.most_in(node.type)), pointer=room)


def listed_before(f: Lowering, room: Value, kind: ir.IntType, count: Value, thing: Value) -> Value:
    if not isinstance(f.strategy.site.node, tree.Menu):
        return FALSE
    from trionfi.interpreter.native.builder import I1

    found = Variable(f.code, I1, 0)
    with f.code.counting(count) as (index, loop):
        with f.code.when(f.code.compare("==", f.code.load(kind, room, index, signed=False), thing)):
            found.set(1)
            loop.leave()
    return found.get()


def offered_players(f: Lowering) -> Value:
    mask = Variable(f.code, I64, 0)
    with each_entry(f) as entry:
        for thing, here in things_in(f, entry, "player", PLAYER):
            bit = f.code.choose(here, f.code.bit(f.code.larger(thing, 0)), 0)
            mask.set(f.code.builder.or_(mask.get(), bit))
    return mask.get()


def things_in(f: Lowering, entry: Value, noun: str, kind: Type) -> list[tuple[Value, Value]]:
    """The things of a kind in an entry, each with whether it stands there."""
    from trionfi.interpreter.native.lower_decisions import low_bits
    from trionfi.interpreter.native.lower_menus import thing_of

    node = f.strategy.site.node
    if f.strategy.site.kind in ("number", "orientation"):
        return []  # there are no entries
    if not isinstance(node, tree.Menu):
        if (node.domain.noun, node.domain.local.type) != (noun, kind):
            return []
        return [(picked_thing(f, entry), f.code.compare("!=", entry, -2))]
    return [
        (thing_of(f, entry, item.domains, place), f.code.compare("==", low_bits(f, entry), index))
        for index, item in enumerate(node.items)
        for place, domain in enumerate(item.domains)
        if (domain.noun, domain.local.type) == (noun, kind)
    ]


def lower_number_offered(f: Lowering, node: tree.NumberOffered) -> Value:
    match node.end:
        case "lowest":
            return f.strategy.low
        case "highest":
            return f.strategy.high
        case _:
            assert_never(node.end)


def lower_chance(f: Lowering, node: tree.Builtin) -> Value:
    """True n times in m, from the stream of the seat that decides."""
    times, of = (f.expression(argument) for argument in node.arguments)
    bad = f.code.either(f.code.compare("<", of, 1), f.code.compare(">=", of, 1 << 32))
    of = f.sound(number(of), bad, "bad-chance", node.span, instead=1)
    stream = f.code.at(f.address("streams"), f.code.add(f.names[0], 1), 8)
    return f.code.compare("<", f.code.call(kernels.below(f.build), [stream, of]), times)


EXPRESSIONS: dict[type, Lower] = {
    tree.Offered: lower_offered,
    tree.NumberOffered: lower_number_offered,
    tree.ItemName: lower_item_name,
}
STATEMENTS: dict[type, Lower] = {tree.Pick: lower_pick}
