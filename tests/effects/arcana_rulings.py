"""What plays make of the cards, and what a round comes to, written from the rulings alone (A7..A9, A13..A19, A23).

Nothing here knows the engines or the ruleset. A card is its number: 0..51 the standard cards, thirteen of each suit
from 2 to the ace, then the 22 arcana in their order. A *thing* that is aimed at is a pair: a card and the life that it
had then. All is asked backwards: a card is what its last change makes of what it was before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import arcana_by_hand as by_hand

MAIN, CARDS = 52, 74
ARCANA = (
    "The Fool,The Magician,The High Priestess,The Empress,The Emperor,The Hierophant,The Lovers,The Chariot,Strength,"
    "The Hermit,Wheel of Fortune,Justice,The Hanged Man,Death,Temperance,The Devil,The Tower,The Star,The Moon,The Sun,"
    "Judgement,The World"
).split(",")
SUITS = ["clubs", "diamonds", "hearts", "spades"]
SUIT_OF = {"The Moon": "clubs", "The Star": "diamonds", "The Sun": "hearts", "The World": "spades"}
ANY = 0  # the rank of a card that is wild in rank; else 2..14
ALL_SUITS = frozenset(SUITS)

Thing = tuple[int, int] | int  # a card with its life, or a play by its number


class Card(NamedTuple):
    suits: frozenset[str]
    rank: int | None


@dataclass(slots=True)
class Played:
    """A play: `chosen` and `moved` hold the things for each of the text's roles; `life` is what its card had when the
    play was over, None while it is being played."""

    number: int
    player: int
    card: int
    name: str
    chosen: tuple[tuple[Thing, ...], ...]
    moved: dict[int, tuple[tuple[Thing, ...], ...]] = field(default_factory=dict)
    ended: bool = False
    life: int | None = None


class Change(NamedTuple):
    time: int
    play: int
    place: int
    name: str
    model: Thing | None


@cache
def printed(card: int) -> Card:
    return Card(frozenset([SUITS[card // 13]]), card % 13 + 2) if card < MAIN else Card(frozenset(), None)


class Derived:
    """What plays come to. `lives[card]`; `options` by name."""

    def __init__(self, plays: Sequence[Played], lives: Sequence[int], options: Mapping[str, object]) -> None:
        self.plays, self.lives, self.options = list(plays), lives, options
        self._in_force: dict[int, bool] = {}
        self._targets: dict[tuple[int, int, int], dict[Thing, int]] = {}
        self._changes: dict[Thing, list[Change]] | None = None

    # ---- plays

    def in_force(self, number: int) -> bool:
        """Not silenced by a younger Judgement that is in force (A16)."""
        if number not in self._in_force:
            judges = [one for one in self.plays[number:] if one.name == "Judgement" and self.judges]
            silenced = any(self.in_force(one.number) and number in self.targets(one.number) for one in judges)
            self._in_force[number] = not silenced and not self.plays[number - 1].ended
        return self._in_force[number]

    @property
    def judges(self) -> bool:
        """Whether a Judgement has a part in force."""
        return self.options["negation"] == "reversible"

    def targets(self, number: int, role: int = 0, before: int = 1000) -> dict[Thing, int]:
        """The things with their times, by the changes of plays before a number (A19)."""
        key = (number, role, before)
        if key not in self._targets:
            self._targets[key] = self._targets_of(*key)
        return self._targets[key]

    def _targets_of(self, number: int, role: int, before: int) -> dict[Thing, int]:
        movers = [one.number for one in self.plays[number:] if one.number < before and number in one.moved]
        youngest = next((one for one in reversed(movers) if self.in_force(one)), None)
        if youngest is None:
            return dict.fromkeys(self.plays[number - 1].chosen[role], number)
        otherwise = self.targets(number, role, youngest)
        new = self.plays[youngest - 1].moved[number][role]
        return {thing: otherwise.get(thing, youngest) for thing in new}

    def role(self, card: int) -> str:
        """What an arcana does that lies where its play has put it (A23)."""
        for play in self.plays:
            lies = play.card == card and play.life in (None, self.lives[card])
            if lies and play.name in ("The Chariot", "The Tower") and self.in_force(play.number):
                return play.name
        return ""

    # ---- cards

    @property
    def changes(self) -> dict[Thing, list[Change]]:
        """The changes of each thing, in order."""
        if self._changes is None:
            self._changes = {}
            for play in self.plays:
                if self.in_force(play.number):
                    self._note(play)
            for found in self._changes.values():
                found.sort()
        return self._changes

    def _note(self, play: Played) -> None:
        assert self._changes is not None
        if play.name == "Death":
            ((becoming, first),), ((model, second),) = (self.targets(play.number, role).items() for role in (0, 1))
            change = Change(max(first, second), play.number, 0, play.name, model)
            self._changes.setdefault(becoming, []).append(change)
        elif play.name in SUIT_OF or play.name in ("The Lovers", "Strength"):
            for place, (thing, time) in enumerate(self.targets(play.number).items()):
                self._changes.setdefault(thing, []).append(Change(time, play.number, place, play.name, None))

    def card(self, card: int) -> Card:
        """What a card is where it lies now."""
        return self.look((card, self.lives[card]))

    def look(self, thing: Thing, before: Change | None = None) -> Card:
        """What a thing is through its changes, or through those before one."""
        assert isinstance(thing, tuple)
        changes = [one for one in self.changes.get(thing, ()) if before is None or one[:3] < before[:3]]
        if not changes:
            return printed(thing[0])
        last = changes[-1]
        if last.model is not None:
            return self.look(last.model, last)
        was = self.look(thing, last)
        if last.name in SUIT_OF:
            return Card(frozenset([SUIT_OF[last.name]]), was.rank)
        if last.name == "The Lovers":
            return Card(ALL_SUITS, ANY if self.options["lovers"] == "any_card" else was.rank)
        return Card(was.suits, self.raised(was.rank))

    def raised(self, rank: int | None) -> int | None:
        if rank is None or rank == ANY:
            return rank
        return rank + 1 if rank < 14 else 2 if self.options["strength_ace"] == "two" else 14


# ---- a round


class Table(NamedTuple):
    """What counts at the end of a round: `towers` are those among the five, `hands` hold arcana in slots, too."""

    common: Sequence[int]
    hands: Sequence[Sequence[int]]
    totals: Sequence[int]
    towers: Sequence[int]


def most_towers(derived: Derived, hand: Sequence[int], common: Sequence[int]) -> int:
    """Beside at least one standard card."""
    some = any(card < MAIN for card in [*hand, *common])
    return sum(derived.role(card) == "The Tower" for card in hand) if some else 0


def hand_value(derived: Derived, hand: Sequence[int], common: Sequence[int], towers: int) -> by_hand.Value:
    """Rulings A7, A8, and The Tower's."""
    looks = [derived.card(card) for card in [*hand, *common] if card < MAIN]
    pool = [(sum(1 << SUITS.index(suit) for suit in look.suits), look.rank or ANY) for look in looks]
    return by_hand.best(pool, min(5 - towers, len(pool)))


POINTS = [6, 5, 5, 4, 4, 3, 3, 3, 2, 2, 1, 1, 0]  # of the categories, from the best down


def round_points(derived: Derived, table: Table) -> list[int]:
    """What each player gets (A9)."""
    values = [hand_value(derived, table.hands[p], table.common, table.towers[p]) for p in (0, 1)]
    points = []
    for player in (0, 1):
        chariots = sum(derived.role(card) == "The Chariot" for card in table.hands[player])
        wins = values[player] > values[1 - player]
        points.append(POINTS[-values[player][0]] + 2 * wins + 2 * table.towers[player] + chariots)
    with_round = derived.options["justice"] == "with_round"
    totals = [total + (points[p] if with_round else 0) for p, total in enumerate(table.totals)]
    live = [play for play in derived.plays if derived.in_force(play.number)]
    for play in live:
        if play.name == "Justice":
            points[play.player] += min(5, max(0, totals[1 - play.player] - totals[play.player]))
    for play in live:
        if play.name == "The Hermit":
            points = [
                p * 2 if derived.options["hermit"] == "both" or i == play.player else p for i, p in enumerate(points)
            ]
    return points
