"""Reading and writing the flat record from Python: as plain words, and as the `State` that views are made from."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.types import Type
from trionfi.effects import CardThing, Look, Play, Thing
from trionfi.effects.field import Field as Plays
from trionfi.effects.field import Gone, Meaning
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.hands import Total
from trionfi.interpreter.native import tallies
from trionfi.interpreter.native.layout import Layout, RecordField
from trionfi.interpreter.native.module import NO_NUMBER
from trionfi.interpreter.native.play_record import EVERY_RANK, most_targets
from trionfi.interpreter.state import State
from trionfi.interpreter.statistics import Ratio, Tally
from trionfi.interpreter.table import Table

__all__ = ["Record"]


@lru_cache(maxsize=256)
def zone_numbers(layout: Layout, table: Table) -> tuple[list[int], dict[int, int]]:
    """The record's number of each zone at the table, and the way back."""

    def number_of(place: Any) -> int:
        plan = layout.plans[place.family]
        owner: int = place.owner or 0
        return plan.first + owner * plan.places + max(0, int(place.number) - 1)

    zones = [number_of(place) for place in table.zones]
    return zones, {own: number for number, own in enumerate(zones)}


LETTERS = {1: "b", 8: "b", 16: "h", 32: "i", 64: "q"}


class Record:
    """A record beside its plan. Zones are numbered there for the most seats, in a `Table` for those at the table."""

    def __init__(
        self, layout: Layout, table: Table, content: bytearray, meaning: Callable[[State], Meaning] | None = None
    ) -> None:
        self.layout, self.table, self.bytes, self.meaning = layout, table, content, meaning
        self.zones, self.numbers = zone_numbers(layout, table)

    # ---- words

    def get(self, name: str, index: int = 0) -> int:
        return self.read(self.layout[name], index)

    def read(self, field: RecordField, index: int = 0) -> int:
        letter = LETTERS[field.kind.width]
        letter = letter if field.signed else letter.upper()
        return struct.unpack_from(f"<{letter}", self.bytes, field.offset + field.size * index)[0]  # type: ignore[no-any-return]

    def column(self, name: str, count: int) -> tuple[int, ...]:
        """The first `count` words of a field at once."""
        field = self.layout[name]
        letter = LETTERS[field.kind.width]
        letter = letter if field.signed else letter.upper()
        return struct.unpack_from(f"<{count}{letter}", self.bytes, field.offset)

    def set(self, name: str, value: int, index: int = 0) -> None:
        field = self.layout[name]
        letter = LETTERS[field.kind.width]
        letter = letter if field.signed else letter.upper()
        if field.kind.width == 64:
            letter, value = "Q", value & ((1 << 64) - 1)
        struct.pack_into(f"<{letter}", self.bytes, field.offset + field.size * index, value)

    # ---- zones and cards

    def write(self, s: State) -> None:
        """Notes where everything is, and what variables hold."""
        self.write_cards(s)
        for variable in self.layout.rules.variables:
            for owner, value in enumerate(s.values[variable.index]):
                self.write_variable(variable, owner, value)

    def write_cards(self, s: State) -> None:
        for zone, cards in enumerate(s.zones):
            self._write_zone(self.zones[zone], cards)
        for card in range(len(self.table.cards)):
            zone = s.zone_of[card]
            self.set("place", -1 if zone < 0 else self.zones[zone], card)
            self.set("known", s.known[card], card)
            self.set("face_up", int(s.up[card]), card)
            self.set("reversed", int(s.looks[card].reversed), card)
            for mark in self.layout.rules.marks:
                self.set(f"mark {mark.name}", s.looks[card].marks[mark.index], card)
        if self.layout.rules.effects:
            self._write_looks(s)

    def _write_looks(self, s: State) -> None:
        """What cards are before there are any plays."""
        for card, look in enumerate(s.looks):
            self.set("suits now", look.suits, card)
            self.set("rank now", -1 if look.rank is None else look.rank, card)
            for mark in self.layout.rules.marks:
                self.set(f"own mark {mark.name}", look.marks[mark.index], card)

    def _write_zone(self, zone: int, cards: list[int]) -> None:
        self.set("counts", len(cards), zone)
        self._write_cards(self.layout.zone_offsets[zone], cards)

    def _write_cards(self, offset: int, cards: Any) -> None:
        letter = "B" if self.layout.card_kind.width == 8 else "H"
        struct.pack_into(f"<{len(cards)}{letter}", self.bytes, offset, *cards)

    def _read_cards(self, offset: int, count: int) -> list[int]:
        letter = "B" if self.layout.card_kind.width == 8 else "H"
        return list(struct.unpack_from(f"<{count}{letter}", self.bytes, offset))

    def state(self) -> State:
        """The same as a `State`, which keeps what it was when the record goes on."""
        return RecordState(Record(self.layout, self.table, self.bytes.copy(), self.meaning))

    def read_zones(self) -> list[list[int]]:
        return [self._read_zone(zone) for zone in self.zones]

    def read_values(self) -> list[list[Any]]:
        return [
            [self._read_variable(variable, owner) for owner in range(self.table.size(variable))]
            for variable in self.layout.rules.variables
        ]

    def read_looks(self) -> list[Look]:
        """What cards are now."""
        looks = self.read_printed()
        if not self.layout.rules.effects:
            return looks
        suits, ranks = self.column("suits now", len(looks)), self.column("rank now", len(looks))
        return [altered(*card) for card in zip(looks, suits, ranks, strict=True)]

    def read_printed(self) -> list[Look]:
        """Printed cards as they lie now: which are reversed, and what they carry."""
        looks = self.table.looks
        marks = [self.column(f"mark {mark.name}", len(looks)) for mark in self.layout.rules.marks]
        turned = self.column("reversed", len(looks))
        carried = list(zip(*marks, strict=True)) if marks else [()] * len(looks)
        return [
            look if look.reversed == bool(turn) and look.marks == own else look._replace(reversed=bool(turn), marks=own)
            for look, turn, own in zip(looks, turned, carried, strict=True)
        ]

    def _read_zone(self, zone: int) -> list[int]:
        return self._read_cards(self.layout.zone_offsets[zone], self.get("counts", zone))

    # ---- variables

    def write_variable(self, variable: tree.Variable, owner: int, value: Any) -> None:
        field_name, kind = f"variable {variable.name}", variable.type.kind
        if kind == "cards":
            offset = self._list_offset(variable, owner)
            struct.pack_into("<q", self.bytes, offset, len(value))
            self._write_cards(offset + 8, value)
            return
        if self.layout.is_mask(variable):
            others = self.get(field_name) & ~(1 << owner)
            self.set(field_name, others | int(value) << owner)
            return
        for place, word in enumerate(self._words_of(variable.type, value)):
            count = self.layout.words_of(variable.type) if kind in ("fraction", "hand", "total") else 1
            self.set(field_name, word, owner * count + place)

    def _list_offset(self, variable: tree.Variable, owner: int) -> int:
        stride = self.layout.list_size(self.layout.most_of(variable))
        return self.layout[f"variable {variable.name}"].offset + owner * stride

    def _words_of(self, kind: Type, value: Any) -> list[int]:
        if kind.kind == "fraction":
            return [0, 1] if value is None else [value.numerator, value.denominator]
        if kind.kind == "total":
            return [0, 0, 0] if value is None else [value.value, int(value.soft), int(value.bust)]
        if kind.kind == "hand":
            by_pattern = isinstance(self.layout.rules.rankings[kind.name], tree.PatternRanking)
            return [-1, *[-1 if by_pattern else -(1 << 63)] * self.layout.keys_of(kind.name)]
        if kind.kind == "zone" and value is not None:
            return [self.zones[value]]
        if value is None:
            return [NO_NUMBER if kind.kind == "number" else -1]
        return [int(value)]

    def _read_variable(self, variable: tree.Variable, owner: int) -> Any:
        name, kind = f"variable {variable.name}", variable.type.kind
        if kind == "cards":
            offset = self._list_offset(variable, owner)
            count: int = struct.unpack_from("<q", self.bytes, offset)[0]
            return tuple(self._read_cards(offset + 8, count))
        if kind in ("fraction", "total"):
            count = self.layout.words_of(variable.type)
            words = [self.get(name, owner * count + place) for place in range(count)]
            return Fraction(*words) if kind == "fraction" else Total(words[0], bool(words[1]), bool(words[2]))
        if self.layout.is_mask(variable):
            return bool(self.get(name) >> owner & 1)
        return self.plain(variable.type, self.get(name, owner * (2 if kind == "hand" else 1)))

    def plain(self, kind: Type, word: int) -> Any:
        """A value of one word, as the reference engine has it."""
        if kind.kind in ("number", "players"):
            return None if word == NO_NUMBER and kind.kind == "number" else word
        if kind.kind == "truth":
            return bool(word)
        if word < 0:
            return None
        return self.numbers[word] if kind.kind == "zone" else word

    # ---- sums

    def tally(self, field: RecordField, place: int, words: int = 0) -> Tally:
        """The tally that begins at the `place`-th word of a field; `words` counters stand behind it."""
        at = field.offset + 8 * place
        tally = Tally(self.sum(at, tallies.COUNT, 1), self.sum(at, tallies.TOTAL, 2), self.sum(at, tallies.SQUARES, 4))
        if words:
            tally.counts = list(struct.unpack_from(f"<{words}q", self.bytes, at + 8 * tallies.WORDS))
        elif tally.count:
            tally.low, tally.high = self.sum(at, tallies.LEAST, 1), self.sum(at, tallies.GREATEST, 1)
        return tally

    def ratios(self, field: RecordField, place: int, plan: tallies.TallyPlan) -> list[Ratio]:
        """The same tally's sums over games: one, or one for each word."""
        tally = self.tally(field, place, plan.words)
        if not plan.by_game:
            return [Ratio.once(tally.count, n, n) for n in tally.counts] if plan.words else [tally.once]
        at = field.offset + 8 * (place + plan.games)
        games, squared = self.sum(at, tallies.GAMES, 1), self.sum(at, tallies.COUNTS_SQUARED, 2)
        found = []
        for number, total in enumerate(tally.counts or [tally.total]):
            if plan.words:
                figure = at + 8 * (tallies.FIGURES + number * tallies.WORD_SIZE)
                sums = self.sum(figure, tallies.WORD_PRODUCTS, 2), self.sum(figure, tallies.WORDS_SQUARED, 2)
            else:
                figure = at + 8 * tallies.FIGURES
                sums = self.sum(figure, tallies.PRODUCTS, 4), self.sum(figure, tallies.TOTALS_SQUARED, 4)
            found.append(Ratio(games, tally.count, total, squared, *sums))
        return found

    def sum(self, at: int, place: int, words: int) -> int:
        """A number of so many words, `place` words behind the byte `at`."""
        start = at + 8 * place
        return int.from_bytes(self.bytes[start : start + 8 * words], "little", signed=True)


def altered(look: Look, suits: int, rank: int) -> Look:
    """What a card is that effects may have altered."""
    return look._replace(suits=suits, rank=None if rank < 0 else rank, any_rank=rank == EVERY_RANK)


class RecordState(State):
    """A `State` whose parts are read from a record when they are first wanted: a label wants few of them."""

    __slots__ = ("record",)

    def __init__(self, record: Record) -> None:
        self.record = record
        self.table, self.named = record.table, record.table.first_card
        self.stack = self.log = self.chips = self.watch = None

    def __getattr__(self, name: str) -> Any:
        if name == "field":
            return self._read_field()
        if name not in PARTS:
            raise AttributeError(name)
        found = PARTS[name](self.record)
        setattr(self, name, found)
        return found

    def _read_field(self) -> Plays | None:
        rules = self.record.layout.rules
        self.field = Plays(rules, self.looks) if rules.effects else None
        if self.field is not None:
            read_field(self.record, self, self.field)
        return self.field


PARTS: dict[str, Callable[[Record], Any]] = {
    "zones": Record.read_zones,
    "values": Record.read_values,
    "looks": Record.read_looks,
    "zone_of": lambda r: [r.numbers.get(zone, -1) for zone in r.column("place", len(r.table.cards))],
    "known": lambda r: [known & r.table.everyone for known in r.column("known", len(r.table.cards))],
    "up": lambda r: [bool(up) for up in r.column("face_up", len(r.table.cards))],
    "lying": lambda r: sum(len(cards) for _, cards in r.table.start),
    "lot": lambda _: Stream(0, 0),
    "steps": lambda _: 0,
    "tallies": lambda _: [],
    "returned": lambda _: None,
    "offer": lambda _: None,
}


# ---- plays


def read_field(record: Record, s: State, field: Plays) -> None:
    """The plays, as a `State` has them; what cards have become is what the record says."""
    marks = record.layout.rules.marks
    now = s.looks.copy()
    for card, look in enumerate(record.read_printed()):
        own = tuple(record.get(f"own mark {mark.name}", card) for mark in marks)
        field.printed[card] = look._replace(marks=own)
        field.lives[card] = record.get("life", card)
    field.plays = [read_play(record, place) for place in range(record.get("plays"))]
    field.gone = read_gone(record, field)
    if record.meaning is not None:
        field.meaning = record.meaning(s)
    field.renew(everything=True)
    s.looks[:] = now


def read_play(record: Record, place: int) -> Play:
    effects, most = record.layout.rules.effects, most_targets(record.layout.rules)
    slot, text = record.get("play start", place), effects[record.get("play text", place)]
    sizes = [record.get("play aimed", place * most + n) for n in range(len(text.targets))]
    chosen, moved = read_things(record, slot, sizes), {}
    slot += sum(sizes)
    for _ in range(record.get("play blocks", place)):
        other = -record.get("thing", slot)
        its = effects[record.get("play text", other - 1)]
        theirs = [record.get("play aimed", (other - 1) * most + n) for n in range(len(its.targets))]
        moved[other] = read_things(record, slot + 1, theirs)
        slot += 1 + sum(theirs)
    life = record.get("play life", place)
    ended, player = bool(record.get("play ended", place)), record.get("play player", place)
    settled = None if life < 0 else life
    return Play(place + 1, player, record.get("play card", place), text, chosen, moved, ended, settled)


def read_things(record: Record, slot: int, sizes: list[int]) -> tuple[tuple[Thing, ...], ...]:
    found = []
    for size in sizes:
        found.append(tuple(thing_of(record.get("thing", slot + n)) for n in range(size)))
        slot += size
    return tuple(found)


def thing_of(word: int) -> Thing:
    return -word if word < 0 else CardThing(word & 0xFFFF, word >> 16)


def read_gone(record: Record, field: Plays) -> dict[CardThing, Gone]:
    """Cards that have left the places where they were aimed at, with those who knew them."""
    things = [(slot, thing_of(record.get("thing", slot))) for slot in range(record.get("slots"))]
    away = [(slot, thing) for slot, thing in things if isinstance(thing, CardThing) and not field.is_there(thing)]
    looks = record.table.looks
    return {thing: Gone(looks[thing.card], record.get("gone known", slot)) for slot, thing in away}
