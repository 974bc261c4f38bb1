"""Decisions: who decides, and how."""

from __future__ import annotations

from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.core.types import CARDS
from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_DECISIONS
from trionfi.interpreter.native.builder import I64, I128, Value, number
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.labels import write_menu_labels, write_pick_labels
from trionfi.interpreter.native.emission.menus import OfferedMenu, entry_of_target
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.emission.strategies import ask_policy
from trionfi.interpreter.native.emission.values import Items, item_at, most_items
from trionfi.interpreter.native.module import DecisionSite
from trionfi.interpreter.native.offers import note_picks, stepped, stop_to_ask

__all__: list[str] = []


# ---- asking


def asked(e: Emitter, node: Let, player: Value, count: Value, menu: OfferedMenu | None = None) -> Value:
    """The option that is taken: by the policy of the seat, or by whoever the game stops for."""
    code, place = e.code, e.program.places[int(node.about[0])]
    so_far = code.add(e.field("asked"), 1)
    e.set_field("asked", so_far)
    with code.when(code.compare(">", so_far, MOST_DECISIONS), likely=False):
        e.fail("game-without-end", place)
    e.set_field("passes", 0)
    site = site_of(e, node)
    e.build.asking.append((site, menu))
    if not e.build.watched:
        chosen = ask_policy(e, site, player, count, menu)
        if e.build.strategies:
            e.stop_if_failed()
        return chosen
    if isinstance(site.node, tree.Menu):
        assert menu is not None
        write_menu_labels(e, site, node, menu, site.node)
    elif menu is not None and (menu.sets is not None or menu.numbers is not None):
        write_pick_labels(e, site, menu)
    return stop_to_ask(e, site, player, count, menu)


KINDS = {Op.ASK: "menu", Op.ASK_PICK: "pick", Op.ASK_NUMBER: "number", Op.ASK_SIDE: "orientation"}


def site_of(e: Emitter, node: Let) -> DecisionSite:
    asks = e.program.places[int(node.about[0])].about
    return e.build.decision_site(KINDS[node.op], decision_of(e, asks), asks)


def decision_of(e: Emitter, asks: Any) -> str:
    """The name of what a node asks."""
    match asks:
        case tree.ChooseOrientation():
            return "orientation"
        case tree.Targets():
            effect = next(one for one in e.rules.effects if any(targets is asks for targets in one.targets))
            return f"{effect.name}: {asks.name}"
        case _:
            return str(asks.decision)


@emits(Op.ASK)
def ask(e: Emitter, node: Let) -> Value:
    player, menu = arguments(e, node)[:2]
    return asked(e, node, player, e.small(menu.count.get(), menu.most), menu)


@emits(Op.ASK_PICK)
def ask_pick(e: Emitter, node: Let) -> Value:
    player, menu, picked, left = arguments(e, node)
    if e.build.watched:
        note_picks(e, picked.count, left)
        list_picks(e, menu, picked)
    return asked(e, node, player, e.small(menu.count.get(), menu.most), menu)


def list_picks(e: Emitter, menu: OfferedMenu, picked: Items) -> None:
    """What is picked already stands behind what is offered."""
    if picked.row:
        return
    e.build.most_entries = max(e.build.most_entries, menu.most + most_items(e.layout, CARDS))
    with e.code.count(picked.count) as index:
        place = e.code.add(menu.count.get(), index)
        thing = item_at(e, picked, index)
        entry = thing if menu.targets is None else entry_of_target(e, thing)
        e.code.store(I64, entry, menu.pointer, place)


@emits(Op.STEPS)
def steps(e: Emitter, node: Let) -> Value:
    """How many numbers there are, more than 2^32 counted as so many."""
    code, b = e.code, e.code.builder
    low, high, step = arguments(e, node)
    width = code.subtract(high, low)  # without a sign
    whole, rest = b.udiv(width, number(step)), b.urem(width, number(step))
    count = code.add(whole, code.number_of(b.icmp_unsigned("!=", rest, number(0))))
    many = b.icmp_unsigned(">", count, number(1 << 32))
    return code.add(code.choose(many, 1 << 32, count), 1)


@emits(Op.ASK_NUMBER)
def ask_number(e: Emitter, node: Let) -> Value:
    code, b = e.code, e.code.builder
    player, low, high, step = arguments(e, node)
    count = steps(e, Let(None, Op.STEPS, node.args[1:]))
    if e.is_told:
        for name, value in (("low", low), ("high", high), ("step", step)):
            e.set_field(name, value)
        return stepped(e, asked(e, node, player, count))
    chosen = asked(e, node, player, count)
    above = b.mul(b.zext(chosen, I128), b.zext(number(step), I128))
    short = b.icmp_unsigned(">", above, b.zext(code.subtract(high, low), I128))
    return code.choose(short, high, code.add(low, b.trunc(above, I64)))


@emits(Op.ASK_SIDE)
def ask_side(e: Emitter, node: Let) -> Value:
    player, card = arguments(e, node)
    if e.is_told:
        e.set_field("card", card)
    return asked(e, node, player, number(2))
