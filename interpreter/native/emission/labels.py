"""Functions that give the values in an option's label, one behind the other (game.py reads them)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.core.types import CARDS, INT, CoreType, core_type
from trionfi.dsl import tree
from trionfi.interpreter.native.builder import I1, I64, POINTER, VOID, Mutable, Value, function, number
from trionfi.interpreter.native.emission.calls import parts_to_call
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.function import StatementWriter
from trionfi.interpreter.native.emission.menus import PICKED, OfferedMenu
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.values import (
    Items,
    item_at,
    most_items,
    parts_of,
    reserved,
    type_kinds,
    variable,
)
from trionfi.interpreter.native.module import DecisionSite
from trionfi.interpreter.native.offers import low_bits

__all__ = ["write_menu_labels", "write_pick_labels"]

Kept = list[tuple[CoreType, int]]  # types and offsets of what labels speak of


@contextmanager
def labelling(e: Emitter, site: DecisionSite) -> Iterator[tuple[Emitter, Value, Value]]:
    """labels_N(state, entry, out)"""
    kinds = [POINTER, I64, POINTER]
    with function(e.build.module, f"labels_{site.number}", VOID, kinds, internal=False) as code:
        yield StatementWriter(e.build, e.program, e.core, code), code.arguments[1], code.arguments[2]
        code.give()


def write_pick_labels(e: Emitter, site: DecisionSite, menu: OfferedMenu) -> None:
    """Of a pick among sets of cards the cards, of one among numbers the number."""
    kind = CARDS if menu.sets is not None else INT
    site.words = words_of(e, kind)
    with labelling(e, site) as (g, entry, out):
        tell(g, menu.seen_from(g).thing(entry, PICKED, kind), out, Mutable(g.code, I64, 0))


def write_menu_labels(e: Emitter, site: DecisionSite, ask: Let, menu: OfferedMenu, node: tree.Menu) -> None:
    """The cards of an option's sets and its numbers, then the values in its label."""
    names = [str(name) for name in ask.about[1:]]
    if not any(names) and menu.sets is None and menu.numbers is None:
        return
    site.words = max(words_of_line(e, name, item) for name, item in zip(names, node.items, strict=True))
    kept = keep(e, ask)
    with labelling(e, site) as (g, entry, out):
        line = low_bits(g, entry)
        for index, (name, item) in enumerate(zip(names, node.items, strict=True)):
            with g.code.when(g.code.compare("==", line, index)):
                write_label(g, menu.seen_from(g), index, name, item, kept, entry, out)


def words_of_line(e: Emitter, name: str, item: tree.MenuItem) -> int:
    """How many words the sets and numbers of an option and the values in its label take at most."""
    told = [kind for kind in map(domain_type, item.domains) if kind.is_list or kind == INT]
    if name:
        lets = (statement for statement in e.program.functions[name].body if isinstance(statement, Let))
        told += [arg.type for let in lets if let.op is Op.RENDER for arg in let.args]
    return sum(words_of(e, kind) for kind in told)


def words_of(e: Emitter, kind: CoreType) -> int:
    return 1 + most_items(e.layout, kind) if kind.is_list else len(type_kinds(e.layout, kind))


def keep(e: Emitter, ask: Let) -> Kept:
    """Puts what labels speak of where they find it while the option is chosen."""
    kept: Kept = []
    for operand in ask.args[2:]:
        kept.append((operand.type, reserved(e.layout, operand.type)))
        variable(e, *kept[-1]).store(e.value(operand))
    return kept


def write_label(
    g: Emitter, menu: OfferedMenu, line: int, name: str, item: tree.MenuItem, kept: Kept, entry: Value, out: Value
) -> None:
    kinds = [domain_type(domain) for domain in item.domains]
    places = menu.places_of(line, len(kinds))
    things = [menu.thing(entry, place, kind) for place, kind in zip(places, kinds, strict=True)]
    written = Mutable(g.code, I64, 0)
    for thing, kind in zip(things, kinds, strict=True):
        if isinstance(thing, Items) or kind == INT:
            tell(g, thing, out, written)
    if name:
        values = [variable(g, *place).load() for place in kept]
        parts = parts_to_call(g, [*things, *values])
        rest = g.code.at(out, written.get(), 8)
        g.code.call(g.callee(name).function, [g.state, *parts, rest])


def domain_type(domain: tree.Domain) -> CoreType:
    return core_type(domain.local.type).some


@emits(Op.SEAL, Op.UNSEAL, Op.HOLD_LOG, Op.SAY)
def nothing(_e: Emitter, _node: Let) -> None:
    """The log is written by playing the moves again."""


@emits(Op.RENDER)
def render(e: Emitter, node: Let) -> None:
    written = Mutable(e.code, I64, 0)
    for value in arguments(e, node):
        tell(e, value, e.code.arguments[-1], written)


def tell(e: Emitter, value: Any, out: Value, written: Mutable) -> None:
    """Writes the words of a value: of a list its length, then its things."""

    def write(word: Value) -> None:
        e.code.store(I64, e.code.number_of(word) if word.type is I1 else word, out, written.get())
        written.add(1)

    if not isinstance(value, Items):
        for part in parts_of(value):
            write(part)
        return
    write(number(value.count))
    with e.code.count(value.count) as index:
        write(item_at(e, value, index))
