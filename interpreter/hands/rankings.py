"""Rankings: the best hand by patterns, and the worth of a hand by conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Any, NamedTuple

from trionfi.dsl.analysis.tried import counts_different, most_to_choose_from
from trionfi.dsl.limits import MOST_HANDS
from trionfi.dsl.tree import ConditionRanking, PatternRanking
from trionfi.interpreter.errors import fail
from trionfi.interpreter.hands.cards import Host, Table
from trionfi.interpreter.hands.orders import Ordering, Turned, expressions
from trionfi.interpreter.hands.patterns import Group, Pattern, Patterns
from trionfi.interpreter.hands.readings import READ_AS, Looks, Reading
from trionfi.interpreter.hands.reads import reads, reads_local
from trionfi.interpreter.hands.values import HandValue

PartOfHand = tuple[Sequence[int], int | None]
Rated = tuple[Any, int]  # what compares, and the category's number
Readings = Sequence[tuple[Reading, ...]]  # those of each card
_KEPT_HANDS = 20_000
_KEPT_GROUPS = 100_000
_UNKNOWN: Any = object()  # of a hand that has not been met, or that another thread has forgotten


class Held(NamedTuple):
    """Cards that are rated as one hand. `entries` are readings, `owners` the card of each; `values` keeps the keys of
    order that are the same however the hand is parted."""

    table: Table
    cards: Sequence[int]
    entries: Sequence[Reading]
    owners: Sequence[int]
    values: dict[int, Any]


class PatternEvaluator:
    """The best hand of a pattern ranking, by trying every choice of cards, every reading of them and every way to
    part them. What was read off cards is kept, and whole hands, unless the ranking looks at more than its cards."""

    def __init__(self, ranking: PatternRanking, host: Host) -> None:
        self.ranking = ranking
        self.patterns = Patterns(host, [c.facts for c in ranking.categories], ranking.alike, ranking.run)
        self.order = [(key.kind, [Ordering(host, expr) for expr in key.expressions]) for key in ranking.order]
        self.qualifier = None if ranking.qualifier is None else host.compile(ranking.qualifier)
        self.turn: Callable[[Any], Any] = Turned if ranking.best_low else tuple
        grouping = expressions(ranking.order, "groups")
        asking = [*expressions(ranking.order, "value"), *([ranking.qualifier] if ranking.qualifier else [])]
        helps = sharing_helps(ranking)
        telling = reads([*grouping, *asking]) | (frozenset() if helps else {"same"})
        looks = Looks(host, ranking.wild, ranking.wild_suit)
        self.reader = self.patterns.reader(host, looks, telling, max(0, len(ranking.locals) - 1))
        self._spare = [None] * max(0, len(ranking.locals) - 3)
        self._most_cards = most_to_choose_from(ranking)
        self._one_way = not grouping
        self._category_first = bool(ranking.order) and ranking.order[0].kind == "category"
        self._keeps_groups = keeps_groups(ranking)
        self._reads_at_once = reads_at_once(ranking)
        self._group_keys: dict[tuple[object, ...], tuple[Any, ...]] = {}
        self._hands: dict[object, tuple[Rated, tuple[int, ...]] | None] = {}

    def best_hand(self, table: Table, parts: Sequence[PartOfHand]) -> HandValue | None:
        """The best hand of as many cards as there are, at most `ranking.high`; None if no category fits.

        `parts` are (cards, exactly so many of them; None: they fill the hand up). A card counts in the first part
        that has it. Of equal hands the first stands, in the order of the cards.
        """
        cards, places = _flat(parts)
        if len(cards) > self._most_cards:
            what = f"hands of `{self.ranking.name}` are chosen from at most {self._most_cards} cards, not {len(cards)}"
            fail("too-many-hands", what, self.ranking.span)
        readings = [self.reader.readings(table, card) for card in cards]
        if not self._reads_at_once:
            self._check_readings([len(of_one) for of_one in readings])
        if self.reader.bound or len(self._group_keys) > _KEPT_GROUPS:
            self._group_keys.clear()
        if self.reader.bound:
            return self._value(cards, self._best(table, cards, readings, places))
        asked = (tuple(readings), tuple([(len(of_one), exactly) for of_one, exactly in places]))
        best = self._hands.get(asked, _UNKNOWN)
        if best is _UNKNOWN:
            if len(self._hands) >= _KEPT_HANDS:
                self._hands.clear()
            best = self._hands[asked] = self._best(table, cards, readings, places)
        return self._value(cards, best)

    def _check_readings(self, readings: Sequence[int]) -> None:
        """Whether there are not too many hands to try, each in all its readings; given how many each card has."""
        several, most, high = sum(count > 1 for count in readings), max(readings, default=1), self.ranking.high
        tried = comb(max(len(readings), high), high) * joint_count(most, min(several, high))
        if tried > MOST_HANDS:
            hands = f"hands of `{self.ranking.name}` have {tried:,} readings"
            what = f"with {several} cards that may be any of {most}, {hands}, more than {MOST_HANDS:,}"
            fail("too-many-hands", what, self.ranking.span)

    def _value(self, cards: Sequence[int], best: tuple[Rated, tuple[int, ...]] | None) -> HandValue | None:
        if best is None:
            return None
        (key, number), chosen = best
        return HandValue(self.ranking, key, number, tuple([cards[place] for place in chosen]))

    def _best(
        self,
        table: Table,
        cards: Sequence[int],
        readings: Readings,
        places: Sequence[tuple[Sequence[int], int | None]],
    ) -> tuple[Rated, tuple[int, ...]] | None:
        plain = all(len(of_one) == 1 and of_one[0].plain for of_one in readings)
        rate = self._rate_plain if plain else self._rate_at_once if self._reads_at_once else self._rate_each
        best: tuple[Rated, tuple[int, ...]] | None = None
        for chosen in _choices(places, self.ranking.low, self.ranking.high):
            hand = [cards[place] for place in chosen]
            rated = rate(table, hand, [readings[place] for place in chosen], None if best is None else best[0])
            if rated is not None and (best is None or rated[0] > best[0][0]):
                best = rated, chosen
        return best

    # ---- what some cards are worth; None: no hand, or none as good as `best`

    def _rate_plain(self, table: Table, cards: Sequence[int], readings: Readings, best: Rated | None) -> Rated | None:
        return self._rate(Held(table, cards, [of_one[0] for of_one in readings], cards, {}), best)

    def _rate_each(self, table: Table, cards: Sequence[int], readings: Readings, best: Rated | None) -> Rated | None:
        """The best reading of the cards together, each tried."""
        owns = [table.look(card) for card in cards]
        try:
            for hand in joint_readings(readings):
                for card, reading in zip(cards, hand, strict=True):
                    table.read_as(card, reading.look)
                rated = self._rate(Held(table, cards, hand, cards, {}), best)
                if rated is not None and (best is None or rated[0] > best[0]):
                    best = rated
        finally:
            for card, own in zip(cards, owns, strict=True):
                table.read_as(card, own)
        return best

    def _rate(self, held: Held, best: Rated | None) -> Rated | None:
        """The first category that fits, parted in the best way."""
        if not self._counts(held.table, held.cards):
            return None
        for pattern in self.patterns.fitting(held.entries):
            if best is not None and self._is_worse(pattern.number, best[1]):
                return None
            ways = self.patterns.ways(pattern, held.entries)
            parted = ([*groups, *[Group((place,)) for place in free]] for groups, free in ways)
            key = self._best_key(held, pattern, parted)
            if key is not None:
                return key, pattern.number
        return None

    def _rate_at_once(self, table: Table, cards: Sequence[int], readings: Readings, best: Rated | None) -> Rated | None:
        """What `_rate_each` finds, without trying each, where an earlier category is always better: the first that
        fits under any readings, its parts made of any of them, and each other card in its own best one."""
        if max(map(len, readings), default=0) <= 1:
            return self._rate_plain(table, cards, readings, best)
        if not self._counts(table, cards):
            return None
        values: dict[int, Any] = {}
        for pattern in self.patterns.patterns:
            if best is not None and self._is_worse(pattern.number, best[1]):
                return None
            narrowed = self.patterns.narrowed(pattern, readings)
            keys = [self._best_free_key(table, cards, pattern, left, values) for left in narrowed]
            fitting = [key for key in keys if key is not None]
            if fitting:
                return max(fitting), pattern.number
        return None

    def _best_free_key(
        self,
        table: Table,
        cards: Sequence[int],
        pattern: Pattern,
        readings: Sequence[Sequence[Reading]],
        values: dict[int, Any],
    ) -> Any:
        owners = [place for place, of_one in enumerate(readings) for _ in of_one]
        entries = [reading for of_one in readings for reading in of_one]
        held = Held(table, cards, entries, [cards[place] for place in owners], values)
        ways = self.patterns.ways(pattern, entries, owners)
        return self._best_key(held, pattern, ([*groups, *self._best_singles(held, free)] for groups, free in ways))

    def _best_key(self, held: Held, pattern: Pattern, parted: Iterable[Sequence[Group]]) -> Any:
        """The key of the best of the ways to part the cards; None if there is none."""
        best = None
        for groups in parted:
            key = self._key(held, pattern, groups)
            if self._one_way:
                return key
            if best is None or key > best:
                best = key
        return best

    def _counts(self, table: Table, cards: Sequence[int]) -> bool:
        return self.qualifier is None or bool(self.qualifier(table, [None, None, cards, *self._spare]))

    def _is_worse(self, number: int, best: int) -> bool:
        """Whether a hand that fits no category before this one must be worse than one of category `best`."""
        return self._category_first and not self.ranking.best_low and number > best

    # ---- keys

    def _key(self, held: Held, pattern: Pattern, groups: Sequence[Group]) -> Any:
        key: list[Any] = []
        for place, (kind, orderings) in enumerate(self.order):
            if kind == "category":
                key.append(-pattern.number)
            elif kind == "groups":
                key.append(self._groups_key(held, groups, orderings))
            else:
                if place not in held.values:
                    held.values[place] = orderings[0].read(held.table, [None, None, held.cards, *self._spare])
                key.append(held.values[place])
        return self.turn(key)

    def _groups_key(self, held: Held, groups: Sequence[Group], orderings: Sequence[Ordering]) -> tuple[Any, ...]:
        """Largest group first, then highest first; where one hand runs out of groups first it is lower."""
        keys = [(len(group.cards), self._group_key(held, group, orderings)) for group in groups]
        keys.sort(reverse=True)
        return tuple([key for _, key in keys])

    def _group_key(self, held: Held, group: Group, orderings: Sequence[Ordering]) -> tuple[Any, ...]:
        if not self._keeps_groups:
            return self._read_group(held, group, orderings)
        told = (id(orderings), group.tops, *[held.entries[entry] for entry in group.cards])
        key = self._group_keys.get(told)
        if key is None:
            key = self._group_keys[told] = self._read_group(held, group, orderings)
        return key

    def _read_group(self, held: Held, group: Group, orderings: Sequence[Ordering]) -> tuple[Any, ...]:
        """A run goes by the highest of its cards at the top, cards alike by the one of them that is highest."""
        table = held.table
        members = [held.owners[entry] for entry in group.cards]
        tops = members[-group.tops :]
        owns = [table.look(card) for card in members]
        try:
            for card, entry in zip(members, group.cards, strict=True):
                table.read_as(card, held.entries[entry].look)
            return max(
                tuple([ordering.read(table, [top, members, held.cards, *self._spare]) for ordering in orderings])
                for top in tops
            )
        finally:
            for card, own in zip(members, owns, strict=True):
                table.read_as(card, own)

    def _best_singles(self, held: Held, free: Sequence[int]) -> list[Group]:
        """Each card by itself, in the reading that makes it the highest group."""
        best: dict[int, tuple[Any, Group]] = {}
        for entry in free:
            group = Group((entry,))
            key = [self._group_key(held, group, orderings) for kind, orderings in self.order if kind == "groups"]
            card = held.owners[entry]
            if card not in best or key > best[card][0]:
                best[card] = key, group
        return [group for _, group in best.values()]


class ConditionEvaluator:
    """The worth of a hand by the conditions of a ranking with a signature: the first that holds."""

    def __init__(self, ranking: ConditionRanking, host: Host) -> None:
        self.ranking = ranking
        self.conditions = [None if c.condition is None else host.compile(c.condition) for c in ranking.categories]
        self.order = [
            None if key.kind == "category" else [Ordering(host, expr) for expr in key.expressions]
            for key in ranking.order
        ]
        self._spare = [None] * (len(ranking.locals) - len(ranking.parameters))

    def rate(self, table: Table, arguments: Sequence[Any]) -> HandValue | None:
        """The hand's value; None only if no condition holds and there is no `else`. `cards`: all that were given."""
        values = [*arguments, *self._spare]
        for number, condition in enumerate(self.conditions):
            if condition is None or condition(table, list(values)):
                key = tuple([part for keys in self.order for part in _read_keys(keys, table, values, number)])
                cards = [card for argument in arguments if isinstance(argument, (list, tuple)) for card in argument]
                return HandValue(self.ranking, key, number, tuple(cards))
        return None


def sharing_helps(ranking: PatternRanking) -> bool:
    """Whether a hand of one suit is never worse than the same hand of several: an earlier category is then better."""
    deciding = [key.kind for key in ranking.order if key.kind != "value"]  # values do not depend on it
    return not ranking.best_low and deciding[:1] in ([], ["category"])


def keeps_groups(ranking: PatternRanking) -> bool:
    """Whether the keys of a group do not depend on the rest of the hand."""
    grouping = expressions(ranking.order, "groups")
    return not any(reads_local(grouping, local) for local in ranking.locals[2:3])


def reads_at_once(ranking: PatternRanking) -> bool:
    """Whether a hand's readings need not be tried one by one."""
    asking = [*expressions(ranking.order, "value"), *([ranking.qualifier] if ranking.qualifier else [])]
    each = counts_different(ranking) or reads(asking) & READ_AS
    return sharing_helps(ranking) and keeps_groups(ranking) and not each


def joint_count(readings: int, cards: int) -> int:
    """In how many ways so many cards can be read together that look alike, each in so many ways."""
    return comb(readings + cards - 1, cards)


def _read_keys(orderings: Sequence[Ordering] | None, table: Table, values: Sequence[Any], number: int) -> Iterator[Any]:
    if orderings is None:
        yield -number
        return
    for ordering in orderings:
        yield ordering.read(table, values)


def _flat(parts: Sequence[PartOfHand]) -> tuple[list[int], list[tuple[list[int], int | None]]]:
    """All different cards in order, and for each part the places of its own among them."""
    cards: list[int] = []
    seen: set[int] = set()
    places: list[tuple[list[int], int | None]] = []
    for of_one, exactly in parts:
        own = []
        for card in of_one:
            if card not in seen:
                seen.add(card)
                own.append(len(cards))
                cards.append(card)
        places.append((own, exactly))
    return cards, places


def _choices(places: Sequence[tuple[Sequence[int], int | None]], low: int, high: int) -> Iterator[tuple[int, ...]]:
    """The sets of cards that may be the hand, by place: as many as there are, at most `high`."""
    fixed = [(of_one, exactly) for of_one, exactly in places if exactly is not None]
    free = [place for of_one, exactly in places if exactly is None for place in of_one]
    wanted = sum(exactly for _, exactly in fixed)
    size = min(high, wanted + len(free))
    if size < max(low, wanted) or any(exactly < 0 or exactly > len(of_one) for of_one, exactly in fixed):
        return
    for chosen in product(*(combinations(*of_one) for of_one in fixed), combinations(free, size - wanted)):
        yield tuple(sorted([place for of_one in chosen for place in of_one]))


def joint_readings(readings: Sequence[tuple[Reading, ...]]) -> Iterator[tuple[Reading, ...]]:
    """Each reading of all cards together; cards that look alike share theirs, and are not read twice alike."""
    kinds: dict[tuple[Reading, ...], list[int]] = {}
    for place, of_one in enumerate(readings):
        kinds.setdefault(of_one, []).append(place)
    hand: list[Reading] = [of_one[0] for of_one in readings]
    for chosen in product(*(combinations_with_replacement(of_one, len(kinds[of_one])) for of_one in kinds)):
        for places, of_kind in zip(kinds.values(), chosen, strict=True):
            for place, reading in zip(places, of_kind, strict=True):
                hand[place] = reading
        yield tuple(hand)
