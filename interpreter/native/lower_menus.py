"""Menus: lines about things, and what their labels say."""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.dsl import tree
from trionfi.dsl.types import CARDS
from trionfi.interpreter.native.builder import I1, I16, I64, TRUE, Value, Variable, number
from trionfi.interpreter.native.lower_decisions import Offer, alike, ask, deciding, low_bits, new_site
from trionfi.interpreter.native.lower_labels import labelling, words_of, write_value
from trionfi.interpreter.native.lower_queries import most_things
from trionfi.interpreter.native.lower_sets import each_number_of, thing_of_number, with_kept_sets
from trionfi.interpreter.native.lowering import CannotLower, DecisionSite, Lower, Lowering


def lower_menu(f: Lowering, node: tree.Menu) -> None:
    site = new_site(f, "menu", node.decision, node)
    player = deciding(f, node)
    lines = [[with_kept_sets(f, domain) for domain in item.domains] for item in node.items]
    offer = Offer(f, sum(most_entries(f, item) for item in node.items), node.span)
    for index, (item, domains) in enumerate(zip(node.items, lines, strict=True)):
        offer_item(f, offer, index, item, domains, player)
    if f.build.watched:
        write_labels(f, site, node, lines)
    entry = offer.entry(ask(f, site, player, offer.count.get(), offer))
    line = low_bits(f, entry)
    after = f.code.block("after")
    blocks = [f.code.block(f"line{index}") for index in range(len(node.items))]
    switch = f.code.builder.switch(line, blocks[-1])
    for index, block in enumerate(blocks[:-1]):
        switch.add_case(number(index), block)
    for item, domains, block in zip(node.items, lines, blocks, strict=True):
        f.code.go_on(block)
        run_item(f, item, domains, entry)
        f.code.jump(after)
    f.code.go_on(after)


def most_entries(f: Lowering, item: tree.MenuItem) -> int:
    most = 1
    for domain in item.domains:
        most *= most_things(f, domain)
    return most


def offer_item(
    f: Lowering, offer: Offer, index: int, item: tree.MenuItem, domains: Sequence[tree.Domain], player: Value
) -> None:
    """A line without things, or one entry for each combination of things, the first slowest."""
    if not item.domains:
        offer.add_line(index, f.truth(item.condition) if item.condition is not None else None)
        return
    if f.layout.things_at(item.domains)[-1][0] + f.layout.things_at(item.domains)[-1][1] > 64:
        raise CannotLower(f"{item.span}: a line over too many things")
    offer_things_of(f, offer, item, domains, 0, number(index), player)


def offer_things_of(
    f: Lowering,
    offer: Offer,
    item: tree.MenuItem,
    domains: Sequence[tree.Domain],
    place: int,
    entry: Value,
    player: Value,
) -> None:
    if place == len(domains):
        condition = f.truth(item.condition) if item.condition is not None else None
        offer.add(entry, fresh_entry(f, offer, item, entry, condition, player))
        return
    shift, _ = f.layout.things_at(domains)[place]
    with each_number_of(f, domains[place]) as thing:
        part = f.code.builder.shl(low_bits(f, thing), number(shift))
        offer_things_of(f, offer, item, domains, place + 1, f.code.builder.or_(entry, part), player)


def fresh_entry(
    f: Lowering, offer: Offer, item: tree.MenuItem, entry: Value, condition: Value | None, player: Value
) -> Value | None:
    """The same line about copies of the same cards is offered once."""
    cards = [place for place, domain in enumerate(item.domains) if domain.noun == "card"]
    if not cards or not f.layout.cards.copied:
        return condition
    new = Variable(f.code, I1)
    new.set(TRUE if condition is None else condition)
    with f.code.when(new.get()):
        with f.code.counting(offer.count.get()) as (index, loop):
            with f.code.when(same_entry(f, item, offer.entry(index), entry, player)):
                new.set(0)
                loop.leave()
    return new.get()


def same_entry(f: Lowering, item: tree.MenuItem, one: Value, other: Value, player: Value) -> Value:
    result = f.code.compare("==", low_bits(f, one), low_bits(f, other))
    for place, domain in enumerate(item.domains):
        parts = [thing_of(f, entry, item.domains, place) for entry in (one, other)]
        if domain.noun == "card":
            one_card = f.code.choose(result, parts[0], parts[1])
            result = f.code.both(result, alike(f, one_card, parts[1], player))
        else:
            result = f.code.both(result, f.code.compare("==", *parts))
    return result


def thing_of(f: Lowering, entry: Value, domains: Sequence[tree.Domain], place: int) -> Value:
    """The thing that stands in an entry; of a set of cards its number."""
    b, (shift, bits) = f.code.builder, f.layout.things_at(domains)[place]
    part = b.lshr(entry, number(shift))
    if bits == 16:
        return f.small(b.sext(b.trunc(part, I16), I64), 1 << 15)
    return f.small(b.and_(part, number((1 << bits) - 1)), 1 << bits)


def run_item(f: Lowering, item: tree.MenuItem, domains: Sequence[tree.Domain], entry: Value) -> None:
    for place, domain in enumerate(domains):
        f.names.pop(domain.local.index, None)
        f.slot(domain.local).store(thing_of_number(f, domain, thing_of(f, entry, domains, place)))
    f.block(item.body)


# ---- labels


def write_labels(f: Lowering, site: DecisionSite, node: tree.Menu, lines: Sequence[Sequence[tree.Domain]]) -> None:
    """labels_N(state, entry, out): the cards of an option's sets, then the values in its label, one behind the other
    (game.py reads them)."""
    values = any(isinstance(part, tree.Expr) for item in node.items for part in item.label.parts)
    if not values and not any(domain.noun == "cards" for domains in lines for domain in domains):
        return
    with labelling(f, site) as (g, entry, out):
        line = low_bits(g, entry)
        for index, (item, domains) in enumerate(zip(node.items, lines, strict=True)):
            with g.code.when(g.code.compare("==", line, index)):
                site.words = max(site.words, write_label(g, item, domains, entry, out))


def write_label(g: Lowering, item: tree.MenuItem, domains: Sequence[tree.Domain], entry: Value, out: Value) -> int:
    """Gives how many words it writes at most."""
    written, most = Variable(g.code, I64, 0), 0
    for place, domain in enumerate(domains):
        thing = thing_of_number(g, domain, thing_of(g, entry, domains, place))
        g.names[domain.local.index] = thing
        if domain.noun == "cards":
            write_value(g, thing, out, written)
            most += words_of(g, CARDS)
    for part in item.label.parts:
        if isinstance(part, tree.Expr):
            write_value(g, g.expression(part), out, written)
            most += words_of(g, part.type)
    return most


TABLE: dict[type, Lower] = {tree.Menu: lower_menu}
