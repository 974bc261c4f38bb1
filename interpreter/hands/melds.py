"""Melds: whether cards are one, and how a hand is best parted into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trionfi.dsl.limits import MOST_MELDS
from trionfi.dsl.tree import MeldSpec
from trionfi.interpreter.errors import fail
from trionfi.interpreter.hands.cards import Host, Table
from trionfi.interpreter.hands.patterns import Pattern, Patterns
from trionfi.interpreter.hands.readings import Looks, Reading
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.hands.values import Arrangement

_KEPT_ARRANGEMENTS = 20_000


class MeldEvaluator:
    """A meld is a set of cards that fits one of the kinds and of which no card is left out of the parts it names."""

    def __init__(self, spec: MeldSpec, host: Host) -> None:
        self.spec = spec
        self.patterns = Patterns(host, list(spec.kinds.values()), spec.alike, spec.run, one_of_a_reading=False)
        self.cost = None if spec.cost is None else host.compile(spec.cost)
        costs = [] if spec.cost is None else [spec.cost]
        self._spare = [None] * max(0, len(spec.locals) - 1)
        self.reader = self.patterns.reader(host, Looks(host, None, None), frozenset(), len(self._spare))
        self._keeps = not self.reader.bound and "table" not in reads(costs)
        self._known: dict[object, tuple[int, tuple[tuple[int, ...], ...]]] = {}

    def is_meld(self, table: Table, cards: Sequence[int]) -> bool:
        """Are all these cards one meld?"""
        readings = [self.reader.readings(table, card) for card in cards]
        return len(cards) > 0 and tuple(range(len(cards))) in self._melds(readings)

    def arranged(self, table: Table, cards: Sequence[int]) -> Arrangement:
        """The cards parted into melds so that what is left costs least.

        Of equal arrangements it is the first in the cards' order: the first card stands in the first of its melds
        that an arrangement of that cost has (melds compare place by place) before it stands alone; then the next.
        """
        readings = [self.reader.readings(table, card) for card in cards]
        costs = [self._cost(table, card) for card in cards]
        asked = (tuple(readings), tuple(costs))
        found = self._known.get(asked)
        if found is None:
            found = _least(costs, self._few_melds(readings))
            if self._keeps:
                self._keep(asked, found)
        cost, melds = found
        melded = {place for meld in melds for place in meld}
        return Arrangement(
            cost,
            tuple(tuple(cards[place] for place in meld) for meld in melds),
            tuple(card for place, card in enumerate(cards) if place not in melded),
        )

    def _keep(self, asked: object, found: tuple[int, tuple[tuple[int, ...], ...]]) -> None:
        if len(self._known) >= _KEPT_ARRANGEMENTS:
            self._known.clear()
        self._known[asked] = found

    def _few_melds(self, readings: Sequence[tuple[Reading, ...]]) -> set[tuple[int, ...]]:
        found = self._melds(readings)
        if len(found) > MOST_MELDS:
            fail("too-many-melds", f"these cards make more than {MOST_MELDS} different melds", self.spec.span)
        return found

    def _cost(self, table: Table, card: int) -> int:
        return 1 if self.cost is None else int(self.cost(table, [card, *self._spare]))

    def _melds(self, readings: Sequence[tuple[Reading, ...]]) -> set[tuple[int, ...]]:
        """All melds in the hand, each by the places of its cards, in order."""
        # each reading of each card stands by itself; a meld takes one of a card
        owners = [place for place, of_one in enumerate(readings) for _ in of_one]
        hand = [reading for of_one in readings for reading in of_one]
        found = set()
        for pattern in self.patterns.patterns:
            for entries in self._sets(pattern, hand, owners):
                if pattern in self.patterns.fitting([hand[entry] for entry in entries]):
                    found.add(tuple(sorted(owners[entry] for entry in entries)))
        return found

    def _sets(self, pattern: Pattern, hand: Sequence[Reading], owners: Sequence[int]) -> Iterator[Sequence[int]]:
        """Cards that the named parts of the pattern could be made of; without parts, any of its sizes."""
        if pattern.parts:
            for groups, _ in self.patterns.ways(pattern, hand, owners):
                yield [entry for group in groups for entry in group.cards]
            return
        low, high = pattern.size
        for size in range(max(1, low), min(high, len(hand)) + 1):
            for entries in combinations(range(len(hand)), size):
                if len({owners[entry] for entry in entries}) == size:
                    yield entries


def _least(costs: Sequence[int], melds: set[tuple[int, ...]]) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """The least cost of cards outside melds that share no card, and those melds. Exact: tries all, card by card."""
    starting: list[list[tuple[int, ...]]] = [[] for _ in costs]
    for meld in sorted(melds):
        starting[meld[0]].append(meld)
    # what is still saved at most from a card on
    saving = [0] * (len(costs) + 1)
    for place in range(len(costs) - 1, -1, -1):
        saving[place] = saving[place + 1] + min(0, costs[place])
    best: tuple[int, tuple[tuple[int, ...], ...]] | None = None

    def place_from(place: int, taken: frozenset[int], cost: int, chosen: tuple[tuple[int, ...], ...]) -> None:
        nonlocal best
        if best is not None and cost + saving[place] >= best[0]:
            return
        if place == len(costs):
            best = cost, chosen
            return
        if place in taken:
            place_from(place + 1, taken, cost, chosen)
            return
        for meld in starting[place]:
            if taken.isdisjoint(meld):
                place_from(place + 1, taken.union(meld), cost, (*chosen, meld))
        place_from(place + 1, taken, cost + costs[place], chosen)

    place_from(0, frozenset(), 0, ())
    assert best is not None
    return best
