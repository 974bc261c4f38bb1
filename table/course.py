"""A game as several seats see it: follows it, and gives each its scenes and its present picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trionfi.table.menus import Menus
from trionfi.table.model import Menu, Option, Scene, Table
from trionfi.table.pictures import Pictures
from trionfi.table.scenes import Scenes
from trionfi.table.summaries import end_of
from trionfi.table.witness import Event, Witness

if TYPE_CHECKING:
    from trionfi.interpreter.decision import Missing
    from trionfi.interpreter.game import Game

__all__ = ["Course", "shared_view"]


class Course:
    """`people`: the seats that are shown something, None for who sees everything. `names`: what players are called.

    Call `follow` with the game after its moves; a game in which moves were taken back is followed anew.
    """

    def __init__(self, game: Game, people: Sequence[int | None], names: Sequence[str] = ()) -> None:
        self.people, self.names = people, names
        self.before: dict[int | None, list[Scene]] = {}  # all that happened, of a game in which moves were taken back
        self.begin(game)

    def begin(self, game: Game) -> None:
        self.game = game
        self.witness = Witness(game, self.people)
        first = next(event for event in self.witness.events if event.kind == "asked").views[self.people[0]]
        self.pictures = Pictures(self.witness.shadow, self.names, first["variables"])
        self.menus = Menus(self.pictures)
        self.makers = {seat: Scenes(self.pictures, seat) for seat in self.people}
        self.told = dict.fromkeys(self.people, 0)  # events that each has been shown

    def follow(self, game: Game) -> None:
        if self.witness.has_gone_back(game):
            self.begin(game)
            self.before = {seat: self.scenes(seat) for seat in self.people}
        else:
            self.game = game
            self.witness.follow(game)

    def scenes(self, seat: int | None) -> list[Scene]:
        """What has happened since this was asked last."""
        events = self.witness.events
        fresh, self.told[seat] = events[self.told[seat] :], len(events)
        return self.makers[seat].of(fresh)

    def last(self) -> Event:
        return self.witness.events[-1]

    def table(self, seat: int | None) -> Table:
        """How it lies now, with what that seat is asked, or with the end. What cannot be chosen, and why, is told by
        `with_reasons`."""
        event, maker = self.last(), self.makers[seat]
        view = event.views[seat]
        table = maker.picture(event.views)
        decision = self.game.decision
        if self.game.over:
            end = end_of(self.game, self.pictures, seat, maker.standing, view, event.hands)
            return replace(table, end=end)
        if decision is not None and decision.player == seat:
            return replace(table, menu=self.menus.menu(self.game, view))
        return table

    def missing(self) -> list[Missing]:
        """What the rules do not offer to who is asked, and why."""
        return self.witness.shadow.missing()

    def with_reasons(self, menu: Menu) -> Menu:
        known = {option.label for option in menu.options}
        reasons = {one.label: one.reason for one in self.missing() if one.label not in known}
        more = tuple(Option(label, None, reason=reason, card=label) for label, reason in reasons.items())
        return replace(menu, options=(*menu.options, *more))

    def table_for_all(self) -> Table:
        """For a screen that all who are shown something look at: what all of them may know."""
        views = [self.last().views[seat] for seat in self.people]
        seat = self.people[0] if len(self.people) == 1 else None
        if seat is not None or None in self.people:
            return self.table(seat)
        table = self.pictures.table(shared_view(views), None)
        if not self.game.over:
            return table
        event, maker = self.last(), self.makers[self.people[0]]
        hands = tuple(
            hand for hand in event.hands if all(hand.known >> one & 1 for one in self.people if one is not None)
        )
        return replace(table, end=end_of(self.game, self.pictures, None, maker.standing, shared_view(views), hands))


def shared_view(views: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What all of several people may know."""
    shared = dict(views[0])
    for view in views[1:]:
        zones = view["zones"]
        shared["zones"] = {
            key: [one if one == other else None for one, other in zip(cards, zones[key], strict=True)]
            for key, cards in shared["zones"].items()
            if key in zones
        }
        theirs = view["variables"]
        shared["variables"] = {k: v for k, v in shared["variables"].items() if theirs.get(k) == v}
    return shared
