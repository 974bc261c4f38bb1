"""Deals that cannot be made at some number of players, with the options as they stand."""

from __future__ import annotations

from trionfi.dsl.analysis.change import Changes
from trionfi.dsl.analysis.dry_run import DryRun
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.known import StepBudget
from trionfi.dsl.tree import Deal, DealAround, Procedure, Ruleset

declare_codes(
    {
        "not-enough-cards": "A deal wants no more cards than there are, at every number of players.",
        "zone-too-small": "A deal brings no more cards to a zone than it has room for.",
    }
)


def check_capacity(rules: Ruleset, diagnostics: Diagnostics) -> None:
    """Tries each number of players; a deal that fails is told once, for the smallest number at which it does. Where
    the cards do not suffice larger tables are not looked at."""
    changes = Changes()
    told: set[Deal | DealAround] = set()
    kinds: dict[Procedure, set[type]] = {}
    steps = StepBudget()
    for players in range(rules.players[0], rules.players[1] + 1):

        def report(deal: Deal | DealAround, what: str, wanted: int, there: int, players: int = players) -> None:
            if deal not in told:
                told.add(deal)
                _REPORTS[what](deal, wanted, there, players, diagnostics)

        before = len(diagnostics)
        DryRun(rules, players, changes, report, kinds, steps).start()
        if any(one.code == "not-enough-cards" for one in diagnostics.found[before:]):
            break


def _not_enough(deal: Deal | DealAround, wanted: int, there: int, players: int, diagnostics: Diagnostics) -> None:
    seats = f"{players} players" if players > 1 else "1 player"
    left = f"{there} are left" if there > 1 else "1 is left" if there else "none is left"
    message = f"with {seats} this deal wants {_cards(wanted)}, and {left}"
    hint = "let fewer play, deal fewer, or write `deal up to`"
    diagnostics.error("not-enough-cards", message, deal.span, hint)


def _too_small(deal: Deal | DealAround, brought: int, room: int, players: int, diagnostics: Diagnostics) -> None:
    name = deal.family.name if isinstance(deal, DealAround) else deal.to.span.text
    message = f"this deal brings {_cards(brought)} to `{name}`, which has room for {room} in all"
    diagnostics.error("zone-too-small", message, deal.span, "deal fewer, or give the zone more room")


def _cards(number: int) -> str:
    return f"{number} {'card' if number == 1 else 'cards'}"


_REPORTS = {"source": _not_enough, "target": _too_small}
