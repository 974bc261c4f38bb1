"""Random games of Arcana Poker watched at every step, in either engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from arcana_knowledge import Knowledge, Lying
from arcana_rulings import ARCANA, MAIN, Derived, Table, most_towers, round_points

MOST_PLAYS = 82  # of one round (A13)
EAGER = 0.7  # how often players of every other game play an arcana rather than let chance pass

# What chi-square passes once in a thousand, by degrees of freedom.
CHI_SQUARE = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47}


class Slot(NamedTuple):
    card: int
    is_up: bool


class Eye(Protocol):
    """What is seen of a game in an engine."""

    def check(self) -> None:
        """All that holds at every step: cards are conserved, what is derived is what the rulings say, and so on."""

    @property
    def derived(self) -> Derived:
        """What plays and cards come to now, by the rulings."""

    def hands(self) -> list[list[Slot]]:
        """The cards in the hand slots of each player."""

    def common(self) -> list[int]: ...

    def lying(self) -> Lying:
        """Where all cards lie and who knows them."""

    def number(self, variable: str, owner: int = 0) -> int: ...


class Temperance:
    """Which of so many cards Temperance took, and how many that lay face up."""

    def __init__(self) -> None:
        self.taken: dict[int, Counter[int]] = {size: Counter() for size in range(1, 6)}
        self.up, self.up_expected, self.variance = 0, 0.0, 0.0

    def note(self, before: Sequence[Slot], after: Sequence[Slot]) -> None:
        if not before:
            assert not after
            return
        (place,) = [place for place, slot in enumerate(before) if slot not in after]
        assert len(after) == len(before) - 1
        self.taken[len(before)][place] += 1
        share = sum(slot.is_up for slot in before) / len(before)
        self.up += before[place].is_up
        self.up_expected += share
        self.variance += share * (1 - share)

    @property
    def times(self) -> int:
        return sum(found.total() for found in self.taken.values())

    def check(self) -> None:
        for size in range(2, 6):
            found = self.taken[size]
            each = found.total() / size
            if each >= 5:
                chi_square = sum((found[place] - each) ** 2 / each for place in range(size))
                assert chi_square < CHI_SQUARE[size - 1], (size, found)
        assert (self.up - self.up_expected) ** 2 <= CHI_SQUARE[1] * max(self.variance, 1), vars(self)


class Watched:
    """A game that is played to its end."""

    def __init__(self, game: Any, eye: Eye, number: int, temperance: Temperance) -> None:
        self.game, self.eye, self.temperance = game, eye, temperance
        self.random, self.eager = Random(number), EAGER * (number % 2)
        self.actions = self.rounds = self.plays = 0
        self.shown: Table | None = None  # what lies open at the end of a round
        self.derived: Derived = eye.derived
        self.may_ask: dict[int, int] = {}  # by player: Towers that may be among the five
        self.played: Counter[str] = Counter()  # cards
        self.knowledge = Knowledge(eye.lying())

    def play(self) -> None:
        self.check()
        while (decision := self.game.decision) is not None:
            assert decision.count >= 1
            move = self.move(decision)
            hands = self.before(decision, move)
            self.game.apply(move)
            self.check()
            self.after(hands)
        assert self.game.over
        assert self.shown is None

    def check(self) -> None:
        self.eye.check()
        asked = self.game.decision
        lying = self.eye.lying()
        self.knowledge.check(lying, asked and asked.player, asked.name if asked else "")
        self.check_clean(lying)

    def check_clean(self, lying: Lying) -> None:
        """Only cards of the common row and the hands are altered, only arcana in hand slots do something there (A17)."""
        hands = {card for hand in lying.hands for card in hand}
        derived = self.eye.derived
        things = [thing for thing in derived.changes if isinstance(thing, tuple)]
        assert hands.union(lying.common).issuperset(card for card, life in things if life == derived.lives[card])
        assert hands.issuperset(play.card for play in derived.plays if derived.role(play.card))

    def move(self, decision: Any) -> int:
        below: int = decision.count
        if decision.name == "action" and below > 1 and self.random.random() < self.eager:
            return 1 + int(self.random.random() * (below - 1))
        return int(self.random.random() * below)

    def before(self, decision: Any, move: int) -> list[list[Slot]] | None:
        """Notes what the move is about; gives the hands before what may be a play."""
        if decision.name == "towers_in":
            self.choose_towers(decision, move)
        elif decision.name == "action":
            self.act()
            if move == 0 and self.eye.number("passes") == 1:
                self.show()
        return self.eye.hands() if decision.name in ("action", "The Fool: targets") else None

    def act(self) -> None:
        """A round is of so many actions at most: two passes in a row end it, and each play is of a card."""
        self.actions += 1
        self.plays = len(self.eye.derived.plays)
        assert self.plays <= MOST_PLAYS
        assert self.actions <= 2 * self.plays + 2

    def after(self, hands: list[list[Slot]] | None) -> None:
        decision = self.game.decision
        if self.shown is not None and (decision is None or decision.name != "towers_in"):
            self.end_round(self.shown)
        elif hands is not None:
            self.note_temperance(hands)

    def note_temperance(self, hands: list[list[Slot]]) -> None:
        plays = self.eye.derived.plays
        if len(plays) > self.plays and plays[-1].name == "Temperance":
            other = 1 - plays[-1].player
            self.temperance.note(hands[other], self.eye.hands()[other])

    # ---- the end of a round

    def show(self) -> None:
        """After the second pass."""
        hands = [[slot.card for slot in hand] for hand in self.eye.hands()]
        common, self.derived = self.eye.common(), self.eye.derived
        self.played.update(ARCANA[play.card - MAIN] for play in self.derived.plays)
        most = [most_towers(self.derived, hand, common) for hand in hands]
        self.may_ask = {player: number for player, number in enumerate(most) if number}
        self.shown = Table(common, hands, [self.eye.number("score", p) for p in (0, 1)], [0, 0])

    def choose_towers(self, decision: Any, move: int) -> None:
        assert self.shown is not None
        most = self.may_ask.pop(decision.player)
        assert (decision.low, decision.high, decision.step) == (0, most, 1)
        towers = list(self.shown.towers)
        towers[decision.player] = move
        self.shown = self.shown._replace(towers=towers)

    def end_round(self, table: Table) -> None:
        """Points are those of the rulings, and the game is over if they say so (A9, A10)."""
        assert not self.may_ask
        totals = [self.eye.number("score", p) for p in (0, 1)]
        assert [new - old for new, old in zip(totals, table.totals, strict=True)] == round_points(self.derived, table)
        goal = self.derived.options["goal"]
        assert isinstance(goal, int)
        assert self.game.over == (max(totals) >= goal and totals[0] != totals[1])
        self.shown, self.actions, self.rounds = None, 0, self.rounds + 1
