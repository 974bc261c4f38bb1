"""A hand as a few words that are put together card by card: what the exact way of evaluating sees of it.

The words of one card: its class as a bit (again if it has the counted truth), its block, what it can share with others,
the truths and sums that add up, and values of which the highest or lowest counts. `Fields` knows which of them a
ranking needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from trionfi.interpreter.native.hands.handvalues import HandTally, Tallying, Unsuited
from trionfi.interpreter.native.hands.plan import Atom, Plan, PlannedShape
from trionfi.interpreter.native.hands.rate import Multiset, View
from trionfi.interpreter.native.hands.words import FULL, Lanes, Truth, Word, all_of, ones

Join = Literal["or", "and"] | Tallying


def joined(join: Join, a: Word, b: Word) -> Word:
    match join:
        case "or":
            return a | b
        case "and":
            return a & b
        case "sum":
            return a + b
        case "highest":
            return a.greater(b)
        case "lowest":
            return a.smaller(b)
        case _:
            assert_never(join)


@dataclass(frozen=True)
class Place:
    """Bits of a packed word: `width` of them from `shift` on of word `word`."""

    word: int
    shift: int
    width: int


@dataclass
class Partial:
    """Some cards of a hand: `levels[j]` the classes of more than j of them, `counted` likewise; packed words."""

    size: int
    levels: list[Word]
    counted: list[Word]
    packed: list[Word]

    @property
    def words(self) -> list[Word]:
        return [*self.levels, *self.counted, *self.packed]


class Fields:
    """Which words the hands of a ranking have, and how they are put together."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.joins: list[Join] = []
        self.empty: list[int] = []
        self._free: dict[str, Place] = {}
        bits = plan.high.bit_length()
        self.same = {
            which: self._place("and", FULL, max(1, self._same_width(which)))
            for which in sorted({shape.same for shape in plan.shapes if shape.same is not None})
        }
        self.truths = {
            which: self._place("sum", 0, bits)
            for which in sorted({which for shape in plan.shapes for which, _, _ in shape.truths})
        }
        self.tallies = {tally: self._tally_place(tally) for tally in plan.tallies}
        runs = any(shape.run for shape in plan.shapes)
        self.blocks = self._place("or", 0, 63) if runs and not self._blocks_are_classes() else None
        self.counts = plan.order.counted is not None
        self.run_counted = self._place("sum", 0, bits) if runs and self.counts else None
        self.most_alike = self._most_alike(lambda atom: True)
        self.most_counted = self._most_alike(lambda atom: atom.counted) if self.counts else 0

    # ---- layout

    def _place(self, join: Join, empty: int, width: int) -> Place:
        """A place of so many bits, in the word of that kind that is being filled, or in a new one."""
        free = self._free.get(join)
        if free is None or free.width < width:
            if width > 64:
                raise Unsuited("more kinds of suit than a word has bits")
            self.joins.append(join)
            self.empty.append(empty)
            free = Place(len(self.joins) - 1, 0, 64)
        self._free[join] = Place(free.word, free.shift + width, free.width - width)
        return Place(free.word, free.shift, width)

    def _tally_place(self, tally: HandTally) -> Place:
        if tally.operator == "sum" and tally.least >= 0:
            return self._place("sum", 0, (tally.most * self.plan.high).bit_length())
        self.joins.append(tally.operator)
        self.empty.append(tally.nothing & FULL)
        return Place(len(self.joins) - 1, 0, 64)

    def _same_width(self, which: int) -> int:
        return max((atom.same[which].bit_length() for atom in self.plan.atoms), default=1)

    def _blocks_are_classes(self) -> bool:
        return self.plan.depth == 1

    def _most_alike(self, wanted: Callable[[Atom], bool]) -> int:
        """The most cards of one class that a hand can have."""
        if not (self.plan.distinct and self.plan.plain):
            return self.plan.high
        faces = {
            (self.plan.atom(code).kind, self.plan.face(code))
            for code, row in enumerate(self.plan.codes)
            if row and wanted(self.plan.atom(code))
        }
        return min(self.plan.high, max(Counter(kind for kind, _ in faces).values(), default=0))

    # ---- cards

    @property
    def card_words(self) -> int:
        """How many words one card has."""
        return 1 + self.counts + len(self.joins)

    def contribution(self, atom: Atom) -> list[int]:
        """The words of one card read so."""
        words = [1 << atom.kind]
        if self.counts:
            words.append(words[0] if atom.counted else 0)
        packed = [0] * len(self.joins)
        for which, place in self.same.items():
            packed[place.word] |= atom.same[which] << place.shift
        for which, place in self.truths.items():
            packed[place.word] |= atom.truths[which] << place.shift
        for tally, number in zip(self.plan.tallies, atom.tallies, strict=True):
            place = self.tallies[tally]
            packed[place.word] |= (number & FULL) << place.shift & FULL
        if self.blocks is not None and atom.block is not None:
            packed[self.blocks.word] |= 1 << atom.block << self.blocks.shift
        if self.run_counted is not None:
            packed[self.run_counted.word] |= atom.counted << self.run_counted.shift
        return words + packed

    def nothing(self, lanes: Lanes) -> Partial:
        return Partial(0, [], [], [lanes.constant(empty) for empty in self.empty])

    def single(self, words: Sequence[Word]) -> Partial:
        """One card, from its words."""
        first = 1 + self.counts
        return Partial(1, [words[0]], list(words[1:first]) if self.most_counted else [], list(words[first:]))

    def widths(self, size: int) -> tuple[int, int]:
        """How many levels, and levels of counted cards, some cards have."""
        return min(size, self.most_alike), min(size, self.most_counted)

    def of_words(self, size: int, words: Sequence[Word]) -> Partial:
        levels, counted = self.widths(size)
        return Partial(
            size, list(words[:levels]), list(words[levels : levels + counted]), list(words[levels + counted :])
        )

    def join(self, left: Partial, right: Partial) -> Partial:
        if not left.size or not right.size:
            return right if right.size else left
        size = left.size + right.size
        levels, counted = self.widths(size)
        return Partial(
            size,
            _added(left.levels, right.levels, levels),
            _added(left.counted, right.counted, counted),
            [joined(join, a, b) for join, a, b in zip(self.joins, left.packed, right.packed, strict=True)],
        )


def _added(left: Sequence[Word], right: Sequence[Word], most: int) -> list[Word]:
    """The classes of more than j cards of both together: more than a on the left, and enough on the right."""
    result = []
    for size in range(1, most + 1):
        ways = [left[size - 1]] if size <= len(left) else []
        ways += [right[size - 1]] if size <= len(right) else []
        ways += [left[a - 1] & right[size - a - 1] for a in range(1, size) if a <= len(left) and size - a <= len(right)]
        whole = ways[0]
        for way in ways[1:]:
            whole = whole | way
        result.append(whole)
    return result


class ExactHand:
    """A hand of just these cards."""

    def __init__(self, lanes: Lanes, fields: Fields, cards: Partial) -> None:
        self.lanes, self.fields, self.cards = lanes, fields, cards
        self.count = cards.size
        self.size = lanes.constant(cards.size)
        self.multiset = Multiset(lanes, cards.levels, cards.counted, fields.plan.lone)

    def read(self, place: Place) -> Word:
        """The bits of a place."""
        word = self.cards.packed[place.word] >> place.shift
        return word if place.shift + place.width >= 64 else word & ones(place.width)

    def tally(self, tally: HandTally) -> Word:
        return self.read(self.fields.tallies[tally])

    def run_counted(self) -> Word:
        place = self.fields.run_counted
        return self.lanes.zero if place is None else self.read(place)

    def view(self, shape: PlannedShape) -> View:
        low, high = shape.size
        if not low <= self.count <= high:
            return View(self.lanes.never, self.multiset, [])
        holds = all_of(self.lanes, [self._truth(*truth) for truth in shape.truths])
        if shape.same is not None and self.count:
            place = self.fields.same[shape.same]
            shared = self.cards.packed[place.word] & (ones(place.width) << place.shift)
            holds = holds & shared.is_set()
        return View(holds, self.multiset, [self._blocks()])

    def _truth(self, which: int, low: int, high: int | None) -> Truth:
        number = self.read(self.fields.truths[which])
        if high is None:
            return number.equals(self.count)
        return number.at_least(low) & number.at_most(high)

    def _blocks(self) -> Word:
        if self.fields.blocks is not None:
            return self.read(self.fields.blocks)
        return self.multiset.at_least(1)
