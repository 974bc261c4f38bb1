"""The best hand found at once among all cards, without trying choices of them.

Where it serves (`Cells` says why not): one pack, hands of one size, an order of category and groups, patterns of parts
alike, runs of the whole hand, and hands of one suit. The cards are one set of bits: a row of classes for each suit (or
whatever `same` asks for). Rows added up give how many cards a class has; a row by itself is a suit.
"""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.interpreter.native.hands.handvalues import Unsuited
from trionfi.interpreter.native.hands.plan import Plan, PlannedShape
from trionfi.interpreter.native.hands.rate import Multiset, View
from trionfi.interpreter.native.hands.words import Lanes, Word

WORD = 63  # bits of a word that cards may have; the highest says that a code is none


class Cells:
    """Where each card has its bit. Raises Unsuited if the best hand cannot be found this way."""

    def __init__(self, plan: Plan) -> None:
        self._check(plan)
        self.plan = plan
        self.same = next((shape.same for shape in plan.shapes if shape.same is not None), None)
        self.row_of: dict[int, int] = {}
        self.rows: list[int] = []  # the classes of each row
        self._fill()
        self.rows_a_word = max(1, WORD // plan.width)
        self.words = -(-len(self.rows) // self.rows_a_word)

    def _check(self, plan: Plan) -> None:
        refuse(_cards(plan) | _orders(plan) | _shapes(plan))

    def _fill(self) -> None:
        taken: dict[tuple[int, int], int] = {}
        row_numbers: dict[int, int] = {}
        for code, row in enumerate(self.plan.codes):
            if not row:
                continue
            atom, face = self.plan.atom(code), self.plan.face(code)
            place = row_numbers.setdefault(atom.same[self.same], len(row_numbers)) if self.same is not None else 0
            while taken.setdefault((place, atom.kind), face) != face:
                if self.same is not None:
                    raise Unsuited("two cards of one suit that are alike")
                place += 1
            self.row_of[code] = place
        self.rows = [0] * (1 + max(self.row_of.values(), default=0))
        for place, kind in taken:
            self.rows[place] |= 1 << kind
        self.suits = [mask != 0 for mask in row_numbers] if self.same is not None else []

    def contribution(self, code: int) -> list[int]:
        """The words of one card."""
        words = [0] * self.words
        word, place = divmod(self.row_of[code], self.rows_a_word)
        words[word] = 1 << (place * self.plan.width + self.plan.atom(code).kind)
        return words

    def row(self, words: Sequence[Word], number: int) -> Word:
        """The classes that a row has among the cards."""
        word, place = divmod(number, self.rows_a_word)
        shifted = words[word] >> place * self.plan.width
        return shifted & self.rows[number]


class SimpleCells(Cells):
    """Where cards have their bits that have one reading and one suit at most, whatever the others have: these have the
    `mark`, the highest bit of their first word. Two cards with one bit show by their number."""

    mark = -1 << WORD

    def _fill(self) -> None:
        if self.same is None:
            raise Unsuited("no suits")
        simple = {code: self.plan.atom(code) for code, row in enumerate(self.plan.codes) if len(row) == 1}
        simple = {code: atom for code, atom in simple.items() if not atom.lone and single(atom.same[self.same])}
        masks = sorted({atom.same[self.same] for atom in simple.values()})
        self.rows, self.suits = [0] * len(masks), [mask != 0 for mask in masks]
        for code, atom in simple.items():
            place = self.row_of[code] = masks.index(atom.same[self.same])
            self.rows[place] |= 1 << atom.kind

    def _check(self, plan: Plan) -> None:
        refuse(_orders(plan) | _shapes(plan))

    def contribution(self, code: int) -> list[int]:
        return super().contribution(code) if code in self.row_of else [self.mark] + [0] * (self.words - 1)


def single(mask: int) -> bool:
    return mask & (mask - 1) == 0


def refuse(reasons: dict[str, bool]) -> None:
    for reason, holds in reasons.items():
        if holds:
            raise Unsuited(reason)


def _orders(plan: Plan) -> dict[str, bool]:
    return {
        "values in the order": bool(plan.order.head or plan.order.tail),
        "groups that are counted": plan.order.counted is not None,
        "the lowest hand is best": plan.best_low,
        "a qualifier": plan.qualifier is not None,
    }


def _shapes(plan: Plan) -> dict[str, bool]:
    return {
        "facts of some or all cards": any(shape.truths for shape in plan.shapes),
        "several kinds of suit": len({shape.same for shape in plan.shapes if shape.same is not None}) > 1,
        "ranks of runs with several classes": plan.depth > 1 and any(shape.run for shape in plan.shapes),
    }


def _cards(plan: Plan) -> dict[str, bool]:
    return {
        "cards of several readings": not plan.plain,
        "several packs": not plan.distinct,
        "hands of several sizes": plan.low != plan.high,
        "cards alike no other": plan.lone != 0,
        "a card of several suits": not all(single(mask) for atom in plan.atoms for mask in atom.same),
    }


class DirectHand:
    """All cards that a hand may be made of: at most `most`, at least as many as a hand has."""

    def __init__(self, lanes: Lanes, cells: Cells, words: Sequence[Word], most: int) -> None:
        self.lanes, self.cells = lanes, cells
        self.count = cells.plan.high
        self.most = most
        self.rows = [cells.row(words, number) for number in range(len(cells.rows))]
        self.cards = Multiset(lanes, self._levels(), (), 0)
        self._suit: Word | None = None

    def _levels(self) -> list[Word]:
        """Adds the rows up: in level j stay the classes that more than j rows have."""
        levels: list[Word] = []
        for row in self.rows:
            grown = []
            for place, level in enumerate(levels):
                below = row if place == 0 else levels[place - 1] & row
                grown.append(level | below)
            if len(levels) < self.most:
                grown.append(row if not levels else levels[-1] & row)
            levels = grown
        return levels

    def view(self, shape: PlannedShape) -> View:
        if not shape.size[0] <= self.count <= shape.size[1]:
            return View(self.lanes.never, self.cards, [])
        if shape.same is None:
            return View(self.lanes.always, self.cards, [self.cards.at_least(1)])
        if any(size > 1 for size in shape.alike):
            return View(self.lanes.never, self.cards, [])
        if shape.run and self.most >= 2 * self.count:
            return View(self.lanes.always, self.cards, [self.rows[number] for number in self._full_rows()])
        suit = self.suit()
        return View(suit.is_set(), Multiset(self.lanes, [suit], (), 0), [suit])

    def run_counted(self) -> Word:
        raise Unsuited("groups that are counted")

    def suit(self) -> Word:
        """The classes of the suit that has a hand's number of cards; of several the one with the best cards."""
        if self._suit is None:
            self._suit = self.lanes.zero
            several = self.most >= 2 * self.count
            for number in self._full_rows():
                row = self.rows[number]
                enough = row.count().at_least(self.count)
                kept = enough.keep(self._trimmed(row) if several else row)
                self._suit = self._suit.greater(kept) if several else self._suit | kept
        return self._suit

    def _full_rows(self) -> list[int]:
        """Rows that can hold a hand of one suit."""
        return [
            number
            for number, classes in enumerate(self.cells.rows)
            if self.cells.suits[number] and classes.bit_count() >= self.count
        ]

    def _trimmed(self, row: Word) -> Word:
        """The highest of the row's cards, as many as a hand has: sets of equal size compare as numbers."""
        for _ in range(min(self.most, self.cells.plan.width) - self.count):
            row = row.count().above(self.count).choose(row & (row - 1), row)
        return row
