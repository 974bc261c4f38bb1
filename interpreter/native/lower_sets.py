"""What is offered about sets of cards: the melds of an arrangement. Entries hold their numbers; the arrangement is kept
while somebody is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.types import CARDS
from trionfi.interpreter.native.builder import I64, Value, Variable
from trionfi.interpreter.native.lower_labels import labelling, words_of, write_value
from trionfi.interpreter.native.lower_melds import melds_of
from trionfi.interpreter.native.lower_queries import each_thing
from trionfi.interpreter.native.lowering import DecisionSite, Lowering


def with_kept_sets(f: Lowering, domain: tree.Domain) -> tree.Domain:
    """The same domain over sets that are kept as they are now; other domains as they are."""
    if domain.noun != "cards":
        return domain
    assert domain.source is not None
    # a local of its own: no script has so many
    kept = tree.Local("sets", domain.source.type, (1 << 20) + len(f.names), domain.span)
    f.slot(kept).store(f.expression(domain.source))
    return replace(domain, source=tree.LocalValue(kept.type, domain.span, kept))


@contextmanager
def each_number_of(f: Lowering, domain: tree.Domain) -> Iterator[Value]:
    """Like `each_thing`, but gives of sets their numbers."""
    if domain.noun != "cards":
        with each_thing(f, domain) as (thing, _):
            yield thing
        return
    with f.code.count(count_of_sets(f, domain)) as index:
        with f.named(domain.local, thing_of_number(f, domain, index)):
            if domain.where is None:
                yield index
            else:
                with f.code.when(f.truth(domain.where)):
                    yield index


def count_of_sets(f: Lowering, domain: tree.Domain) -> Value:
    assert domain.source is not None
    return melds_of(f, f.expression(domain.source))[0]


def thing_of_number(f: Lowering, domain: tree.Domain, value: Value) -> Any:
    if domain.noun != "cards":
        return value
    assert domain.source is not None
    return melds_of(f, f.expression(domain.source))[1](value)


def write_set_labels(f: Lowering, site: DecisionSite, domain: tree.Domain) -> None:
    """labels_N(state, entry, out) of a pick: the cards of the set."""
    with labelling(f, site) as (g, entry, out):
        site.words = words_of(g, CARDS)
        write_value(g, thing_of_number(g, domain, entry), out, Variable(g.code, I64, 0))
