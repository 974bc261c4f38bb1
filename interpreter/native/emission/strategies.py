"""Strategies of the ruleset: who decides in a playout, and what a script asks of a decision.

A strategy's script becomes one function for each place that asks, since what it names (lines, things) is the place's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.desugar.strategies import strategy_function
from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.core.types import INT, CoreType, Kind, core_type
from trionfi.dsl import tree
from trionfi.dsl.types import Type
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I16,
    I64,
    POINTER,
    TRUE,
    Mutable,
    Value,
    function,
    number,
    table,
)
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.function import StatementWriter
from trionfi.interpreter.native.emission.menus import PICKED, OfferedMenu
from trionfi.interpreter.native.emission.numbers import arguments, same_lists
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.things import alike_things
from trionfi.interpreter.native.emission.values import Items, element_of, item_at, most_items
from trionfi.interpreter.native.layout import FIRST, STRATEGIES, ThingPlace
from trionfi.interpreter.native.module import NO_NUMBER, Build, DecisionSite
from trionfi.interpreter.native.offers import DONE, low_bits

__all__ = ["ask_policy", "write_advise"]

NO_PICK = -1
ELSEWHERE = -2  # a line that this place does not have


# ---- who decides


def ask_policy(e: Emitter, site: DecisionSite, player: Value, count: Value, menu: OfferedMenu | None) -> Value:
    """The option that the seat's policy takes."""
    code = e.code
    chosen = Mutable(code, I64, 0)
    at_random, after = code.block("random"), code.block("chosen")
    switch = code.builder.switch(e.field("policies", player), at_random)
    switch.add_case(number(FIRST), after)
    for index, name in picking(e.program, e.rules, site) if e.build.strategies else ():
        block = code.block("strategy")
        switch.add_case(number(STRATEGIES + index), block)
        code.go_on(block)
        numbers = [e.field(name) for name in ("low", "high", "step")]
        picked = pick(e, name, site, menu, [player, e.field("card"), *rooms(menu), count, *numbers])
        chosen.set(picked)
        code.branch(code.compare("<", picked, 0), at_random, after)
    code.go_on(at_random)
    stream = code.at(e.address("streams"), code.add(player, 1), 8)
    chosen.set(code.call(kernels.below(e.build), [stream, count]))
    code.jump(after)
    code.go_on(after)
    return chosen.get()


def picking(program: ir.Program, rules: tree.Ruleset, site: DecisionSite) -> Iterator[tuple[int, str]]:
    """The strategies that have a script for what is asked there: their numbers, and the scripts' functions."""
    for index, strategy in enumerate(rules.strategies):
        name = strategy_function(strategy, site.name)
        if name in program.functions:
            yield index, name


def rooms(menu: OfferedMenu | None) -> list[Value]:
    """Where the entries of a menu and its sets of cards lie."""
    nowhere = llvm.Constant(POINTER, None)
    if menu is None:
        return [nowhere, nowhere]
    return [menu.pointer, nowhere if menu.sets is None else menu.sets.room]


def write_advise(build: Build, program: ir.Program) -> None:
    """advise(state, strategy): what a strategy picks at the present decision, -1 for none."""
    with function(build.module, "advise", I64, [POINTER, I64], internal=False) as code:
        e = StatementWriter(build, program, program.functions["play"], code)
        asked = [e.field(name) for name in ("player", "card", "offered", "low", "high", "step")]
        for site, menu in list(build.asking):
            for index, name in picking(program, build.rules, site):
                here = code.both(
                    code.compare("==", e.field("site"), site.number), code.compare("==", code.arguments[1], index)
                )
                with code.when(here):
                    shown = None if menu is None else menu.seen_from(e)
                    code.give(pick(e, name, site, menu, [*asked[:2], *rooms(shown), *asked[2:]]))
        code.give(number(NO_PICK))


def pick(e: Emitter, name: str, site: DecisionSite, menu: OfferedMenu | None, arguments: list[Value]) -> Value:
    """What a strategy picks. The statements that it passes do not count for the game."""
    made = written(e.build, e.program, name, site, menu)
    picked = e.code.call(made, [e.state, *arguments])
    if made.name in e.build.counting:
        e.set_field("passes", 0)
    return picked


# ---- scripts


@dataclass(frozen=True, slots=True)
class StrategyQuestion:
    """What a strategy is asked; numbers and orientations have no menu."""

    site: DecisionSite
    menu: OfferedMenu | None
    count: Value
    low: Value
    high: Value
    step: Value

    @property
    def item_domains(self) -> list[list[tree.Domain]]:
        """What the lines of a menu are about."""
        node = self.site.node
        return [item.domains for item in node.items] if isinstance(node, tree.Menu) else []


class Picker(StatementWriter):
    """A script that picks: it gives the option's number, or that it does not say."""

    asked: StrategyQuestion

    def stop(self) -> None:
        self.code.give(number(NO_PICK))

    def give(self, value: ir.Operand | None) -> None:
        assert value is not None
        self.code.give(self.code.larger(self.value(value, self.core.result), NO_PICK))

    def finish(self) -> None:
        if not self.code.builder.block.is_terminated:
            self.stop()


def written(
    build: Build, program: ir.Program, name: str, site: DecisionSite, menu: OfferedMenu | None
) -> llvm.Function:
    """strategy(state, player, card, entries, sets, count, low, high, step): the option picked, -1 for none."""
    key = ("strategy", name, site.number)
    if key not in build.kernels:
        kinds = [POINTER, I64, I64, POINTER, POINTER, I64, I64, I64, I64]
        with function(build.module, f"{name}.{site.number}", I64, kinds) as code:
            build.kernels[key] = code.function
            build.seldom.add(code.function.name)
            core = program.functions[name]
            p = Picker(build, program, core, code)
            _, player, card, entries, sets, count, *numbers = code.arguments
            shown = None if menu is None else menu.seen_from(p, entries, sets)
            if site.kind != "number":
                numbers = [number(NO_NUMBER)] * 3
            p.asked = StrategyQuestion(site, shown, count, *numbers)
            given = player, card if site.kind == "orientation" else number(-1)
            for parameter, value in zip(core.parameters, given, strict=True):
                p.names[parameter.text] = p.noted(value, parameter.type)
            p.block(core.body)
            p.finish()
    return build.kernels[key]


def picker(e: Emitter) -> Picker:
    assert isinstance(e, Picker), "only strategies ask what is offered"
    return e


# ---- what is offered

Offered = tuple[Value, Callable[[], Any]]  # whether an entry has a thing, and the thing


def things_in(e: Picker, entry: Value, fits: Callable[[tree.Domain], bool], alone: bool = False) -> Iterator[Offered]:
    """The things in an entry that fit, in their order; `alone`: where there is no other in it."""
    menu, node = e.asked.menu, e.asked.site.node
    assert menu is not None
    if isinstance(node, tree.Choose | tree.Targets):
        if fits(node.domain):
            yield e.code.compare("!=", entry, DONE), thing_at(menu, entry, PICKED, node.domain)
        return
    line = low_bits(e, entry)
    for index, domains in enumerate(e.asked.item_domains):
        places = menu.places_of(index, len(domains))
        for domain, place in zip(domains, places, strict=True):
            if fits(domain) and (not alone or len(domains) == 1):
                yield e.code.compare("==", line, index), thing_at(menu, entry, place, domain)


def thing_at(menu: OfferedMenu, entry: Value, place: ThingPlace, domain: tree.Domain) -> Callable[[], Any]:
    return partial(menu.thing, entry, place, core_type(domain.local.type).some)


@emits(Op.OFFERED)
def offered(e: Emitter, node: Let) -> Items:
    """Each thing once, in the order of the options."""
    assert node.target is not None
    p, code, kind = picker(e), e.code, node.target.type
    element, signed = element_of(e.layout, kind)
    room, count = code.room(element, most_items(e.layout, kind)), Mutable(code, I64, 0)

    def fits(domain: tree.Domain) -> bool:
        return domain.noun == node.about[0] and core_type(domain.local.type).some == kind.element

    if p.asked.menu is not None:
        with code.count(p.asked.count) as index:
            for here, thing in things_in(p, p.asked.menu.entry(index), fits):
                with code.when(here):
                    found, items = thing(), Items(room, count.get(), element, signed)
                    with code.when(code.invert(is_listed(p, items, found))):
                        code.store(element, found, room, count.get())
                        count.add(1)
    return Items(room, e.small(count.get(), most_items(e.layout, kind)), element, signed)


def is_listed(e: Picker, items: Items, thing: Value) -> Value:
    """Things to pick are all different."""
    if isinstance(e.asked.site.node, tree.Choose | tree.Targets):
        return FALSE
    found = Mutable(e.code, I1)
    found.set(FALSE)
    with e.code.counting(items.count) as (index, loop):
        with e.code.when(e.code.compare("==", item_at(e, items, index), thing)):
            found.set(TRUE)
            loop.leave()
    return found.get()


@emits(Op.LOWEST_OFFERED)
def lowest_offered(e: Emitter, _node: Let) -> Value:
    return end_offered(picker(e), "<", lambda asked: asked.low)


@emits(Op.HIGHEST_OFFERED)
def highest_offered(e: Emitter, _node: Let) -> Value:
    return end_offered(picker(e), ">", lambda asked: asked.high)


def end_offered(e: Picker, better: Literal["<", ">"], end: Callable[[StrategyQuestion], Value]) -> Value:
    """The end of the range asked for, or of the numbers among which one is picked; else none."""
    asked = e.asked
    if asked.menu is None or asked.menu.numbers is None or not isinstance(asked.site.node, tree.Choose):
        return end(asked)
    found = Mutable(e.code, I64, 0)
    found.set(asked.menu.thing(asked.menu.entry(number(0)), PICKED, INT))
    with e.code.count(asked.count) as index:
        here = asked.menu.thing(asked.menu.entry(index), PICKED, INT)
        found.set(e.code.choose(e.code.compare(better, here, found.get()), here, found.get()))
    return found.get()


# ---- lines


def templates(e: Picker) -> list[str]:
    """The labels of the place that asks, as written; `done` ends a choice of several."""
    node = e.asked.site.node
    return [item.label.template for item in node.items] if isinstance(node, tree.Menu) else ["done"]


@emits(Op.LINE_NAMED)
def line_named(e: Emitter, node: Let) -> Value:
    """The number of the first line that is written so."""
    known = templates(picker(e))
    return number(known.index(str(node.about[0])) if node.about[0] in known else ELSEWHERE)


def template_of(e: Picker, entry: Value) -> Value:
    known = templates(e)
    if not isinstance(e.asked.site.node, tree.Menu):
        return e.code.choose(e.code.compare("==", entry, DONE), 0, NO_PICK)
    lines = table(e.build.module, f"lines_{e.asked.site.number}", I16, [known.index(text) for text in known])
    return e.code.load(I16, lines, e.code.builder.and_(entry, number(0xFFFF)))


def first_option(e: Picker, fits: Callable[[Value], Value]) -> Value:
    """The first entry that fits; none if there is none."""
    found = Mutable(e.code, I64, NO_NUMBER)
    if e.asked.menu is not None:
        with e.code.counting(e.asked.count) as (index, loop):
            with e.code.when(fits(e.asked.menu.entry(index))):
                found.set(index)
                loop.leave()
    return found.get()


@emits(Op.FIND_LINE)
def find_line(e: Emitter, node: Let) -> Value:
    p, wanted = picker(e), e.value(node.args[0])
    is_line = e.code.compare(">=", wanted, 0)
    return first_option(p, lambda entry: e.code.both(is_line, e.code.compare("==", template_of(p, entry), wanted)))


@emits(Op.FIND_LINE_ABOUT)
def find_line_about(e: Emitter, node: Let) -> Value:
    p, (wanted, thing) = picker(e), arguments(e, node)
    kind = node.args[1].type

    def fits(entry: Value) -> Value:
        is_line = e.code.compare("==", template_of(p, entry), wanted)
        return e.code.both(is_line, is_about(p, entry, kind, thing))

    return first_option(p, fits)


# ---- things


@emits(Op.FIND_THING)
def find_thing(e: Emitter, node: Let) -> Value:
    p, wanted, kind = picker(e), e.value(node.args[0]), node.args[0].type
    if p.asked.site.kind == "number":
        return move_to_number(p, wanted) if kind.kind is Kind.INT else number(NO_NUMBER)
    if p.asked.site.kind == "orientation":
        is_side = kind.kind is Kind.MEMBER and kind.name == "orientation"
        return e.code.choose(e.code.compare("<", wanted, 0), NO_NUMBER, wanted) if is_side else number(NO_NUMBER)
    return first_option(p, lambda entry: is_about(p, entry, kind, wanted, alone=True))


def move_to_number(e: Picker, wanted: Value) -> Value:
    """The step that says this number, if it is offered; the highest always is."""
    code, asked = e.code, e.asked
    found = Mutable(code, I64, NO_NUMBER)
    within = code.both(code.compare(">=", wanted, asked.low), code.compare("<=", wanted, asked.high))
    with code.when(within):
        above, b = code.subtract(wanted, asked.low), code.builder
        even = code.compare("==", b.urem(above, asked.step), 0)
        found.set(code.choose(even, b.udiv(above, asked.step), NO_NUMBER))
        with code.when(code.compare("==", wanted, asked.high)):
            found.set(code.subtract(asked.count, 1))
    return found.get()


def is_about(e: Picker, entry: Value, kind: CoreType, wanted: Any, alone: bool = False) -> Value:
    """Whether a thing in the entry is the one in question, or of cards one that is the same option."""
    code, found = e.code, Mutable(e.code, I1)
    found.set(FALSE)
    is_some = TRUE if isinstance(wanted, Items) else code.compare(">=", wanted, 0)
    with code.when(is_some):
        for here, thing in things_in(e, entry, lambda domain: is_of(domain.local.type, kind), alone):
            with code.when(here):
                found.set(code.either(found.get(), same_thing(e, kind, thing(), wanted)))
    return found.get()


def is_of(kind: Type, wanted: CoreType) -> bool:
    return core_type(kind).some == wanted.some


def same_thing(e: Picker, kind: CoreType, one: Any, other: Any) -> Value:
    if isinstance(one, Items):
        return same_lists(e, one, other)
    return alike_things(e, kind.some, one, other, e.names[e.core.parameters[0].text])


@emits(Op.BELOW)
def below(e: Emitter, node: Let) -> Value:
    """From the stream of the seat that decides."""
    p = picker(e)
    stream = e.code.at(e.address("streams"), e.code.add(p.names[p.core.parameters[0].text], 1), 8)
    return e.code.call(kernels.below(e.build), [stream, e.value(node.args[0])])
