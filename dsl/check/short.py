"""`when short` of zones: what refills a zone does not deal from it, nor from a zone that is refilled so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.tree import (
    Block,
    Call,
    Deal,
    DealAround,
    Effect,
    PlayCard,
    Procedure,
    Statement,
    Trigger,
    ZoneFamily,
    ZoneValue,
)
from trionfi.dsl.tree.walk import walk

__all__ = ["check_short"]


def check_short(families: list[ZoneFamily], effects: list[Effect], diagnostics: Diagnostics) -> None:
    """Reports each zone that would be refilled while it is."""
    refilling = Refilling([family for family in families if family.when_short], effects)
    for family in refilling.families:
        deal = refilling.deal_from(family)
        if deal is not None:
            message = f"`when short` of `{family.name}` deals from `{deal.source.span.text}`, and so would run again"
            hint = "move the cards" if isinstance(deal.source, ZoneValue) else "name the zone that it deals from"
            diagnostics.error("recursion", message, deal.span, hint)


@dataclass(slots=True)
class Refilling:
    """The zones that have a `when short`, and the scripts that effects run."""

    families: list[ZoneFamily]
    effects: list[Effect]

    def deal_from(self, family: ZoneFamily) -> Deal | DealAround | None:
        """A deal within the zone's `when short`, through whatever it runs, that may be from this zone."""
        seen: set[int] = set()
        todo: list[Procedure | None] = [family.when_short]
        while todo:
            script = todo.pop()
            if script is None or id(script) in seen:
                continue
            seen.add(id(script))
            for statement in statements_of(script.body):
                if isinstance(statement, Deal | DealAround) and family in self.sources(statement):
                    return statement
                todo += self.run_by(statement)
        return None

    def sources(self, deal: Deal | DealAround) -> list[ZoneFamily]:
        """The zones that are refilled if the deal finds too few cards."""
        source = deal.source
        return [one for one in self.families if not isinstance(source, ZoneValue) or source.family is one]

    def run_by(self, statement: Statement) -> Iterator[Procedure | None]:
        """The scripts that a statement may run."""
        if isinstance(statement, Call):
            yield statement.procedure
        elif isinstance(statement, Deal | DealAround):
            yield from (family.when_short for family in self.sources(statement))
        elif isinstance(statement, PlayCard):
            yield from (effect.when_played for effect in self.effects)
        elif isinstance(statement, Trigger):
            yield from (script for effect in self.effects for script in effect.events.values())


def statements_of(block: Block) -> Iterator[Statement]:
    return (node for node in walk(block) if isinstance(node, Statement))
