"""Melds: whether cards are one, and how a hand is best parted into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trionfi.dsl.limits import MOST_MELD_WAYS, MOST_MELDS, MOST_PARTINGS
from trionfi.dsl.tree import MeldSpec
from trionfi.interpreter.errors import fail
from trionfi.interpreter.hands.cards import Host, Table
from trionfi.interpreter.hands.patterns import Pattern, Patterns
from trionfi.interpreter.hands.readings import Looks, Reading
from trionfi.interpreter.hands.reads import reads
from trionfi.interpreter.hands.values import Arrangement

_KEPT_ARRANGEMENTS = 20_000
Chosen = tuple[tuple[int, ...], "Chosen"] | None  # melds, the last one first


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
        whole = tuple(range(len(cards)))
        return len(cards) > 0 and any(meld == whole for meld in self._melds(readings, all_of=len(cards)))

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
            found = self._least(costs, self._few_melds(readings))
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
        found = set()
        for meld in self._melds(readings):
            found.add(meld)
            if len(found) > MOST_MELDS:
                fail("too-many-melds", f"these cards make more than {MOST_MELDS:,} different melds", self.spec.span)
        return found

    def _least(self, costs: Sequence[int], melds: set[tuple[int, ...]]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        try:
            return least(costs, melds)
        except TooManyWays:
            message = f"to part these cards in the best way takes more than {MOST_PARTINGS:,} steps"
            fail("too-many-partings", message, self.spec.span)

    def _cost(self, table: Table, card: int) -> int:
        return 1 if self.cost is None else int(self.cost(table, [card, *self._spare]))

    def _melds(self, readings: Sequence[tuple[Reading, ...]], all_of: int = 0) -> Iterator[tuple[int, ...]]:
        """All melds in the hand, each by the places of its cards, in order; some come twice. `all_of`: so many, only
        one of them all is wanted."""
        # each reading of each card stands by itself; a meld takes one of a card
        owners = [place for place, of_one in enumerate(readings) for _ in of_one]
        hand = [reading for of_one in readings for reading in of_one]
        scopes = [
            (pattern, scope) for pattern in self.patterns.patterns for scope in self.patterns.scopes(pattern, hand)
        ]
        self._check_ways(scopes, hand, all_of)
        for pattern, scope in scopes:
            within, owned = [hand[entry] for entry in scope], [owners[entry] for entry in scope]
            for entries in self._sets(pattern, within, owned, max(1, all_of)):
                if pattern in self.patterns.fitting([within[entry] for entry in entries]):
                    yield tuple(sorted(owned[entry] for entry in entries))

    def _check_ways(
        self, scopes: Sequence[tuple[Pattern, Sequence[int]]], hand: Sequence[Reading], all_of: int
    ) -> None:
        """There are not too many ways to make melds; to take all cards as they are is none that needs trying."""
        ways = 0
        for pattern, scope in scopes:
            if pattern.parts or len(scope) > all_of:
                ways += self.patterns.count_ways(pattern, [hand[entry] for entry in scope], MOST_MELD_WAYS)
            if ways > MOST_MELD_WAYS:
                message = f"there are more than {MOST_MELD_WAYS:,} ways to make melds of these cards"
                fail("too-many-melds", message, self.spec.span)

    def _sets(
        self, pattern: Pattern, hand: Sequence[Reading], owners: Sequence[int], least: int
    ) -> Iterator[Sequence[int]]:
        """Cards that the named parts of the pattern could be made of; without parts, any of its sizes from `least`."""
        if pattern.parts:
            for groups, _ in self.patterns.ways(pattern, hand, owners):
                yield [entry for group in groups for entry in group.cards]
            return
        low, high = pattern.size
        for size in range(max(least, low), min(high, len(set(owners))) + 1):
            for entries in combinations(range(len(hand)), size):
                if len({owners[entry] for entry in entries}) == size:
                    yield entries


class TooManyWays(Exception):
    """There are more than MOST_PARTINGS of them."""


def least(costs: Sequence[int], melds: set[tuple[int, ...]]) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """The least cost of cards outside melds that share no card, and those melds. Exact: cards that no melds connect are
    parted for themselves, and of those that are connected all ways are tried, card by card."""
    starting: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in costs]
    for meld in sorted(melds):
        starting[meld[0]].append((sum(1 << place for place in meld), meld))
    # what is still saved at most from a card on
    saving = [0] * (len(costs) + 1)
    for place in range(len(costs) - 1, -1, -1):
        saving[place] = saving[place + 1] + min(0, costs[place])
    cost, tried = 0, 0
    chosen: list[tuple[int, ...]] = []
    for connected in _connected(len(costs), [mask for of_one in starting for mask, _ in of_one]):
        part, of_part, tried = _least_of(connected, costs, starting, saving, tried)
        cost, chosen = cost + part, chosen + of_part
    return cost, tuple(sorted(chosen))


def _connected(cards: int, melds: Sequence[int]) -> Iterator[int]:
    """The cards that melds connect, as masks, one for each set of them."""
    free = (1 << cards) - 1
    while free:
        connected, before = free & -free, 0
        while connected != before:
            before = connected
            for meld in melds:
                connected |= meld if meld & connected else 0
        yield connected
        free &= ~connected


def _least_of(
    cards: int,
    costs: Sequence[int],
    starting: Sequence[Sequence[tuple[int, tuple[int, ...]]]],
    saving: Sequence[int],
    tried: int,
) -> tuple[int, list[tuple[int, ...]], int]:
    """The same of some cards; and how many steps have been tried with those before."""
    best: tuple[int, Chosen] | None = None
    waiting: list[tuple[int, int, Chosen]] = [(cards, 0, None)]
    while waiting:
        free, cost, chosen = waiting.pop()
        place = (free & -free).bit_length() - 1 if free else len(costs)
        if best is not None and cost + saving[place] >= best[0]:
            continue
        if not free:
            best = cost, chosen
            continue
        tried += 1 + len(starting[place])
        if tried > MOST_PARTINGS:
            raise TooManyWays
        waiting.append((free & (free - 1), cost + costs[place], chosen))
        for mask, meld in reversed(starting[place]):
            if mask & free == mask:
                waiting.append((free & ~mask, cost, (meld, chosen)))
    assert best is not None
    return best[0], [*_melds_of(best[1])], tried


def _melds_of(chosen: Chosen) -> Iterator[tuple[int, ...]]:
    while chosen is not None:
        meld, chosen = chosen
        yield meld
