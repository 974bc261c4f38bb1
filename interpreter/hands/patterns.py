"""Patterns: which hold for some cards, and how the cards part into the groups that a pattern names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from math import comb, prod
from operator import or_
from typing import Literal, NamedTuple, assert_never

from trionfi.dsl.tree import CardProperty, Fact, Run
from trionfi.interpreter.hands.cards import HandTable, Host, printed_look
from trionfi.interpreter.hands.readings import CardReader, Looks, Property, Reading
from trionfi.interpreter.hands.reads import reads

_ANY_SIZE = (0, 1 << 30)


class Group(NamedTuple):
    """Cards by their places in the hand. `tops` are a run's cards of its top rank, which stand last; 0 for cards alike
    and single cards: any of them may name the group."""

    cards: tuple[int, ...]
    tops: int = 0


class Parting(NamedTuple):
    """One way to make the parts of a pattern, and what is free then: all readings of the other cards."""

    groups: list[Group]
    free: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A part that a pattern names: `alike` cards or a `run`, from `low` to `high` of them; a run has `each` cards alike
    of each of its ranks, or one of any kind."""

    kind: Literal["alike", "run"]
    low: int
    high: int
    each: int = 1

    @property
    def cards(self) -> tuple[int, int]:
        """How many cards it takes, and how many it may take."""
        return self.low * self.each, self.high * self.each


@dataclass(frozen=True, slots=True)
class Pattern:
    """The facts of one category that hold under the options. `truths`: (which, low, high; high None: all cards);
    `different`: (which, low, high); `whole`: no card is outside the parts."""

    number: int
    size: tuple[int, int]
    same: int | None
    truths: tuple[tuple[int, int, int | None], ...]
    parts: tuple[Named, ...]
    different: tuple[tuple[int, int, int], ...] = ()
    whole: bool = False

    def sizes(self, high: int) -> tuple[int, int]:
        """Of how many cards, `high` at most, a hand of it may be."""
        least, most = (sum(one) for one in zip((0, 0), *[part.cards for part in self.parts], strict=True))
        ends = [self.size[1], high, *([most] if self.whole else [])]
        return max(self.size[0], least), min(ends)


def property_of(fact: Fact) -> CardProperty:
    assert fact.property is not None, "such a fact is about a property"
    return fact.property


class Shape(NamedTuple):
    """All that facts ask of a hand, but for how its parts share cards."""

    size: int
    alike: tuple[int, ...]  # how many cards of each kind, largest first
    longest: int  # run
    same: tuple[bool, ...]
    truths: tuple[int, ...]
    different: tuple[int, ...]


class Patterns:
    """Several patterns over the same properties, in order. Made once for given rules and options.

    With `one_of_a_reading`, ways that differ only in which of several cards of one reading they take come once.
    """

    def __init__(
        self,
        host: Host,
        facts: Sequence[Sequence[Fact]],
        alike: Sequence[CardProperty],
        run: Run | None,
        one_of_a_reading: bool = True,
    ) -> None:
        self.one_of_a_reading = one_of_a_reading
        active = [[fact for fact in of_one if _holds(host, fact)] for of_one in facts]
        self.same: list[tuple[CardProperty, ...]] = []
        self.truths: list[tuple[CardProperty, ...]] = []
        self.different: list[tuple[CardProperty, ...]] = []
        self.patterns = [self._pattern(number, of_one) for number, of_one in enumerate(active)]
        parts = [part for pattern in self.patterns for part in pattern.parts]
        self.alike = alike if any(part.kind == "alike" or part.each > 1 for part in parts) else []
        self.run = run.by if run and any(part.kind == "run" for part in parts) else None
        self.orders = run_orders(host, run) if run and self.run else []
        self._longest: dict[int, int] = {}
        self._candidates: dict[Shape, tuple[Pattern, ...]] = {}

    def _pattern(self, number: int, facts: Sequence[Fact]) -> Pattern:
        sizes, same = [_ANY_SIZE], list[CardProperty]()
        truths, parts = list[tuple[int, int, int | None]](), list[Named]()
        different, whole = list[tuple[int, int, int]](), False
        for fact in facts:
            match fact.kind:
                case "alike" | "run":
                    parts.append(Named(fact.kind, fact.low, fact.high, fact.each))
                case "same":
                    same.append(property_of(fact))
                case "cards":
                    sizes.append((fact.low, fact.high))
                case "are":
                    truths.append((_place_of(self.truths, (property_of(fact),)), fact.low, fact.high))
                case "all":
                    truths.append((_place_of(self.truths, (property_of(fact),)), fact.low, None))
                case "different":
                    different.append((_place_of(self.different, (property_of(fact),)), fact.low, fact.high))
                case "nothing else":
                    whole = True
                case "anything":
                    pass
                case _:
                    assert_never(fact.kind)
        size = max(low for low, _ in sizes), min(high for _, high in sizes)
        shared = tuple(sorted(same, key=lambda p: p.name))
        which = _place_of(self.same, shared) if shared else None
        return Pattern(number, size, which, tuple(truths), tuple(parts), tuple(different), whole)

    def reader(self, host: Host, looks: Looks, telling: frozenset[str], spare: int) -> CardReader:
        """Reads the properties that the patterns ask for."""
        truths, different = ([p for (p,) in of_one] for of_one in (self.truths, self.different))
        return CardReader(host, looks, self.alike, self.run, self.same, truths, different, telling, spare)

    def fitting(self, hand: Sequence[Reading]) -> tuple[Pattern, ...]:
        """The patterns that may fit, best first: all their facts hold, and each part could be made by itself."""
        shape = self.shape(hand)
        found = self._candidates.get(shape)
        if found is None:
            found = self._candidates[shape] = tuple(p for p in self.patterns if _may_fit(p, shape))
        return found

    def shape(self, hand: Sequence[Reading]) -> Shape:
        shared = [-1] * len(self.same)
        for card in hand:
            for which, mask in enumerate(card.same):
                shared[which] &= mask
        return Shape(
            len(hand),
            self._kinds(hand),
            self._longest_run(hand),
            tuple([mask != 0 for mask in shared]),
            tuple([sum(card.truths[which] for card in hand) for which in range(len(self.truths))]),
            tuple([len({card.different[which] for card in hand} - {None}) for which in range(len(self.different))]),
        )

    def _kinds(self, hand: Sequence[Reading]) -> tuple[int, ...]:
        if not self.alike:
            return ()
        counts: dict[int, int] = {}
        for card in hand:
            if card.alike is not None:
                counts[card.alike] = counts.get(card.alike, 0) + 1
        return tuple(sorted(counts.values(), reverse=True))

    def _longest_run(self, hand: Sequence[Reading]) -> int:
        mask = 0
        for card in hand:
            if card.run is not None:
                mask |= 1 << card.run
        longest = self._longest.get(mask)
        if longest is None:
            longest = self._longest[mask] = max((_stretch(order, mask) for order in self.orders), default=0)
        return longest

    def narrowed(self, pattern: Pattern, hand: Sequence[Sequence[Reading]]) -> Iterator[Sequence[Sequence[Reading]]]:
        """Cards with several readings each, left with those under which the facts that name no part all hold."""
        asked = pattern.truths
        if not pattern.size[0] <= len(hand) <= pattern.size[1]:
            return
        for shared in self._sharing(pattern, hand):
            if not asked:
                yield shared
                continue
            for alike in product(*(_by_truths(of_one) for of_one in shared)):
                truths = [of_one[0].truths for of_one in alike]
                if all(_counts(sum(t[which] for t in truths), low, high, len(hand)) for which, low, high in asked):
                    yield alike

    def _sharing(self, pattern: Pattern, hand: Sequence[Sequence[Reading]]) -> Iterator[Sequence[Sequence[Reading]]]:
        """For each value that all cards can share, the readings that have it."""
        which = pattern.same
        if which is None:
            yield hand
            return
        shared = -1
        for of_one in hand:
            shared &= reduce(or_, [reading.same[which] for reading in of_one])
        for bit in [1 << place for place in range(shared.bit_length()) if shared >> place & 1]:
            yield [[reading for reading in of_one if reading.same[which] & bit] for of_one in hand]

    def scopes(self, pattern: Pattern, hand: Sequence[Reading]) -> Iterator[Sequence[int]]:
        """The places among which the cards of a pattern all lie: those that share what it asks to be the same."""
        which = pattern.same
        if which is None:
            yield range(len(hand))
            return
        shared = reduce(or_, [reading.same[which] for reading in hand], 0)
        for bit in [1 << place for place in range(shared.bit_length()) if shared >> place & 1]:
            yield [place for place, reading in enumerate(hand) if reading.same[which] & bit]

    def count_ways(self, pattern: Pattern, hand: Sequence[Reading], most: int) -> int:
        """In how many ways the parts of a pattern can be made, each of all cards; without parts, how many sets of cards
        have its sizes. Beyond `most` some number above it."""
        if not pattern.parts:
            return chosen_from(len(hand), *pattern.size, most)
        return prod(self._ways_of(part, hand, most) for part in pattern.parts)

    def _ways_of(self, part: Named, hand: Sequence[Reading], most: int) -> int:
        if part.kind == "alike":
            counts = Counter(card.alike for card in hand if card.alike is not None)
            return sum(chosen_from(count, part.low, part.high, most) for count in counts.values())
        ranks = Counter(card.run for card in hand)
        return sum(_runs_along([ranks[rank] for rank in order], part, most) for order in self.orders)

    def ways(self, pattern: Pattern, hand: Sequence[Reading], owners: Sequence[int] | None = None) -> Iterator[Parting]:
        """All ways to make the parts that the pattern names. No card is in two of them, and none outside where the
        pattern is whole.

        `owners`: of which card each reading is, where cards have several; otherwise each is a card.
        """
        for parting in self._ways(pattern.parts, hand, owners, tuple(range(len(hand))), []):
            if not (pattern.whole and parting.free):
                yield parting

    def _ways(
        self,
        parts: Sequence[Named],
        hand: Sequence[Reading],
        owners: Sequence[int] | None,
        free: tuple[int, ...],
        taken: list[Group],
        start: int = 0,
    ) -> Iterator[Parting]:
        if not parts:
            yield Parting(taken, free)
            return
        part, others = parts[0], parts[1:]
        made = self._alike_groups if part.kind == "alike" else self._runs
        for group in made(part, hand, owners, free):
            first = min(group.cards)
            if first >= start:
                # parts that ask for the same stand in the order of their first cards: each way comes once
                behind = first if part in others[:1] else 0
                yield from self._ways(others, hand, owners, _rest(free, group, owners), [*taken, group], behind)

    def _alike_groups(
        self, part: Named, hand: Sequence[Reading], owners: Sequence[int] | None, free: tuple[int, ...]
    ) -> Iterator[Group]:
        kinds: dict[int, list[int]] = {}
        for place in free:
            kind = hand[place].alike
            if kind is not None:
                kinds.setdefault(kind, []).append(place)
        for places in kinds.values():
            for size in range(max(1, part.low), min(part.high, len(places)) + 1):
                choices: Iterable[tuple[int, ...]] = combinations(places, size)
                if owners is not None:
                    choices = (cards for cards in choices if len({owners[place] for place in cards}) == size)
                for cards in self._different(choices, hand, len(places) == size):
                    yield Group(cards)

    def _runs(
        self, part: Named, hand: Sequence[Reading], owners: Sequence[int] | None, free: tuple[int, ...]
    ) -> Iterator[Group]:
        of_rank: dict[int | None, list[int]] = {}
        for place in free:
            of_rank.setdefault(hand[place].run, []).append(place)
        seen: set[tuple[int, ...]] = set()
        for order in self.orders:
            for ranks in _stretches(order, of_rank, part):
                if ranks not in seen:  # the same ranks in the same order: made by an order before
                    seen.add(ranks)
                    of_each = [self._of_rank(part, hand, owners, of_rank[rank]) for rank in ranks]
                    choices = product(*of_each) if owners is None else _disjoint(of_each, owners)
                    runs = (tuple([place for cards in chosen for place in cards]) for chosen in choices)
                    one_way = all(len(cards) == 1 for cards in of_each)
                    for cards in self._different(runs, hand, one_way):
                        yield Group(cards, part.each)

    def _of_rank(
        self, part: Named, hand: Sequence[Reading], owners: Sequence[int] | None, places: Sequence[int]
    ) -> list[tuple[int, ...]]:
        """What a run may have of one rank: a card, or cards alike."""
        if part.each == 1:
            return [(place,) for place in places]
        groups = self._alike_groups(Named("alike", part.each, part.each), hand, owners, tuple(places))
        return [group.cards for group in groups]

    def _different(
        self, choices: Iterable[tuple[int, ...]], hand: Sequence[Reading], one_way: bool
    ) -> Iterable[tuple[int, ...]]:
        """The choices of cards without those that differ from an earlier one in nothing that the ranking can tell."""
        if one_way or not self.one_of_a_reading:
            return choices
        first: dict[frozenset[tuple[int, int]], tuple[int, ...]] = {}
        for cards in choices:
            first.setdefault(frozenset(Counter(id(hand[place]) for place in cards).items()), cards)
        return first.values()


def chosen_from(cards: int, low: int, high: int, most: int) -> int:
    """In how many ways low to high of the cards are chosen, one at least. Beyond `most` some number above it."""
    ways = 0
    for size in range(max(1, low), min(high, cards) + 1):
        ways += comb(cards, size)
        if ways > most:
            break
    return ways


def _runs_along(counts: Sequence[int], part: Named, most: int) -> int:
    """How many runs there are of so many cards of each rank, in order."""
    ways = 0
    for start in range(len(counts)):
        runs = 1
        for length, count in enumerate(counts[start : start + part.high], 1):
            runs = min(runs * count, most + 1)
            ways += runs if length >= part.low else 0
            if runs == 0 or ways > most:
                break
    return ways


def run_orders(host: Host, run: Run) -> list[tuple[int, ...]]:
    """The orders, lowest rank first, in which runs go: each from one end to the other and not round the corner.

    Only ranks that cards of the game have count, so that in a deck from 7 up 10 is next to jack and ace to 7.
    """
    members = host.ruleset.enumerations["rank"].members
    present = _ranks_present(host, run.by)
    base = [rank for rank in range(len(members)) if rank in present]
    if run.last:
        cuts = [base.index(rank) + 1 for rank in run.last if rank in base]
        return [tuple(base[cut:] + base[:cut]) for cut in cuts]
    ace = members.index("ace") if "ace" in members else None
    if ace not in base or not (run.ace_low or run.ace_high):
        return [tuple(base)]
    others = [rank for rank in base if rank != ace]
    ends = [[ace, *others]] if run.ace_low else []
    if run.ace_high:
        ends.append([*others, ace])
    return [tuple(order) for order in ends]


def _ranks_present(host: Host, by: CardProperty) -> set[int | None]:
    """The ranks that the game's cards have, as printed."""
    if "table" in reads([by.expr]):
        return set(range(len(host.ruleset.enumerations["rank"].members)))
    marks = tuple(mark.default for mark in host.ruleset.marks)
    looks = [printed_look(face, host.ruleset.faces[face], marks) for face in host.kept]
    rank_of = Property(host, by)
    table = HandTable(looks)
    return {rank_of.read(table, card) for card in range(len(looks))}


def _holds(host: Host, fact: Fact) -> bool:
    return fact.condition is None or bool(host.compile(fact.condition)(HandTable([]), []))


def _place_of(known: list[tuple[CardProperty, ...]], things: tuple[CardProperty, ...]) -> int:
    """Where these properties stand among the known ones, behind them if they are new. A name is one property."""
    names = [tuple(p.name for p in properties) for properties in known]
    wanted = tuple(p.name for p in things)
    if wanted not in names:
        known.append(things)
        return len(names)
    return names.index(wanted)


def _rest(free: tuple[int, ...], group: Group, owners: Sequence[int] | None) -> tuple[int, ...]:
    """What is free beside a group: no other reading of its cards either."""
    if owners is None:
        return tuple([place for place in free if place not in group.cards])
    used = {owners[place] for place in group.cards}
    return tuple([place for place in free if owners[place] not in used])


def _disjoint(
    choices: Sequence[Sequence[tuple[int, ...]]], owners: Sequence[int]
) -> Iterator[Sequence[tuple[int, ...]]]:
    """One of each of the choices, so that no two have readings of one card."""
    if not choices:
        yield ()
        return
    for places in choices[0]:
        used = {owners[place] for place in places}
        others = [[some for some in of_one if used.isdisjoint([owners[p] for p in some])] for of_one in choices[1:]]
        for rest in _disjoint(others, owners):
            yield places, *rest


def _by_truths(readings: Sequence[Reading]) -> list[list[Reading]]:
    found: dict[tuple[int, ...], list[Reading]] = {}
    for reading in readings:
        found.setdefault(reading.truths, []).append(reading)
    return list(found.values())


def _may_fit(pattern: Pattern, shape: Shape) -> bool:
    low, high = pattern.sizes(shape.size)
    return (
        low <= shape.size <= high
        and (pattern.same is None or shape.same[pattern.same])
        and all(_counts(shape.truths[which], low, high, shape.size) for which, low, high in pattern.truths)
        and all(low <= shape.different[which] <= high for which, low, high in pattern.different)
        and all(part.low <= shape.longest for part in pattern.parts if part.kind == "run")
        and all(sum(kind // part.each for kind in shape.alike) >= part.low for part in pattern.parts if part.each > 1)
        and _covers(shape.alike, sorted((part.low for part in pattern.parts if part.kind == "alike"), reverse=True))
    )


def _counts(found: int, low: int, high: int | None, size: int) -> bool:
    return found == size if high is None else low <= found <= high


def _covers(kinds: Sequence[int], wanted: Sequence[int]) -> bool:
    """Can groups of the wanted sizes be taken from kinds of so many cards, each from one kind?"""
    if not wanted:
        return True
    return any(
        _covers([*kinds[:i], count - wanted[0], *kinds[i + 1 :]], wanted[1:])
        for i, count in enumerate(kinds)
        if count >= wanted[0]
    )


def _stretch(order: Sequence[int], mask: int) -> int:
    """The longest stretch of an order whose ranks are all in the mask."""
    longest = length = 0
    for rank in order:
        length = length + 1 if mask >> rank & 1 else 0
        longest = max(longest, length)
    return longest


def _stretches(order: Sequence[int], there: dict[int | None, list[int]], part: Named) -> Iterator[tuple[int, ...]]:
    for start in range(len(order)):
        for length in range(1, min(part.high, len(order) - start) + 1):
            if order[start + length - 1] not in there:
                break
            if length >= part.low:
                yield tuple(order[start : start + length])
