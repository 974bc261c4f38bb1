"""A native game of Arcana Poker as its record has it, and derived anew by the compiled functions alone."""

from __future__ import annotations

import ctypes
import struct
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

from arcana_games import Slot
from arcana_knowledge import Lying
from arcana_rulings import ANY, ARCANA, CARDS, MAIN, SUITS, Card, Derived, Played, Thing, printed

from trionfi.core.desugar import desugar
from trionfi.interpreter.native.emission.settling import renew
from trionfi.interpreter.native.engine import callable_at, emit, link
from trionfi.interpreter.native.hands import rows
from trionfi.interpreter.native.layout import Layout
from trionfi.interpreter.native.module import Build
from trionfi.interpreter.native.table import NativeTable, table_of
from trionfi.interpreter.rules import Rules

LETTERS = {1: "b", 8: "b", 16: "h", 32: "i", 64: "q"}
SOURCES = ["player", "card", "text", "ended", "life", "start", "total", "blocks"]
EVERY_RANK = -2
GONE_LIFE = 1 << 20  # no card has this life
MOST_PLAYS = 96


class Reader:
    """Where things lie in the record of this game."""

    def __init__(self, rules: Rules) -> None:
        self.native: NativeTable = table_of(rules, 2)
        self.layout: Layout = self.native.layout
        self.options = rules.options
        self.entries = self.native.stepping.entries_offset
        self.zones = {
            plan.family.name: [(plan.first + i, plan.offset + i * plan.stride) for i in range(plan.zones)]
            for plan in self.layout.plans.values()
        }
        self.counts = self.layout["counts"].offset
        self.source = [
            self._slice("life"),
            *(self._slice(f"play {name}") for name in SOURCES),
            self._slice("play aimed"),
        ]
        self.derived = [self._slice(name) for name in ("suits now", "rank now", "mark role", "play in force")]
        self.things = [self.layout[name] for name in ("thing", "now", "since")]
        self.renew = compiled_renew(rules)

    def _slice(self, name: str) -> slice:
        return slice(self.layout[name].offset, self.layout[name].end)

    def column(self, content: bytearray, name: str, count: int) -> tuple[int, ...]:
        field = self.layout[name]
        return struct.unpack_from(f"<{count}{LETTERS[field.kind.width]}", content, field.offset)

    def word(self, content: bytearray, name: str, index: int = 0) -> int:
        field = self.layout[name]
        found: int = struct.unpack_from(f"<{LETTERS[field.kind.width]}", content, field.offset + field.size * index)[0]
        return found

    def write(self, content: bytearray, name: str, value: int, index: int = 0) -> None:
        field = self.layout[name]
        struct.pack_into(f"<{LETTERS[field.kind.width]}", content, field.offset + field.size * index, value)

    # ---- cards

    def zone(self, content: bytearray, name: str) -> list[bytes]:
        """The cards in each zone of a family."""
        counts = self.counts
        return [bytes(content[at : at + content[counts + number]]) for number, at in self.zones[name]]

    def check_conserved(self, content: bytearray) -> None:
        """52 + 22 cards, each once, where a card of its deck may lie and where the record says that it lies."""
        seen: list[int] = []
        place = [0] * CARDS
        for name, zones in self.zones.items():
            for number, at in zones:
                cards = content[at : at + content[self.counts + number]]
                for card in cards:
                    place[card] = number
                seen += cards
                if cards and name in ("stock", "discard", "common"):
                    assert max(cards) < MAIN, name
                elif cards and name != "hand":
                    assert min(cards) >= MAIN, name
                assert len(cards) <= 1 or name not in ("hand", "common"), name
        assert sorted(seen) == list(range(CARDS))
        assert self.column(content, "place", CARDS) == tuple(place)

    # ---- plays

    def source_of(self, content: bytearray) -> tuple[bytes, ...]:
        """All that plays and cards are derived from."""
        slots, things = self.word(content, "slots"), self.things[0].offset
        count = self.word(content, "plays").to_bytes(8, "little")
        return (count, *(bytes(content[one]) for one in self.source), bytes(content[things : things + 8 * slots]))

    def derived_of(self, content: bytearray, plays: int) -> tuple[Any, ...]:
        """What follows from plays: what cards are, and of the first plays which are in force, with what targets."""
        cards = [bytes(content[one]) for one in self.derived[:3]]
        return (*cards, self.column(content, "play in force", plays), self.targets_of(content, plays))

    def targets_of(self, content: bytearray, plays: int) -> tuple[Any, ...]:
        starts, totals = self.column(content, "play start", plays), self.column(content, "play total", plays)
        now, since = self.things[1].offset, self.things[2].offset
        return tuple(
            (
                struct.unpack_from(f"<{total}q", content, now + 8 * start),
                struct.unpack_from(f"<{total}h", content, since + 2 * start),
            )
            for start, total in zip(starts, totals, strict=True)
        )

    def plays(self, content: bytearray) -> list[Played]:
        count = self.word(content, "plays")
        columns = {name: self.column(content, f"play {name}", count) for name in SOURCES}
        aimed = self.column(content, "play aimed", 2 * count)
        words = self.column(content, "thing", self.word(content, "slots"))
        sizes = [list(aimed[2 * i : 2 * i + 2]) for i in range(count)]
        plays: list[Played] = []
        for i in range(count):
            start, life = columns["start"][i], columns["life"][i]
            chosen, slot = cut(words, start, sizes[i])
            moved = {}
            for _ in range(columns["blocks"][i]):
                other = -words[slot]
                moved[other], slot = cut(words, slot + 1, sizes[other - 1])
            name = ARCANA[columns["text"][i]]
            known = None if life < 0 else life
            ended = bool(columns["ended"][i])
            plays.append(Played(i + 1, columns["player"][i], columns["card"][i], name, chosen, moved, ended, known))
        return plays

    def derive(self, content: bytearray) -> Derived:
        """By the rulings."""
        return Derived(self.plays(content), self.column(content, "life", CARDS), self.options)

    def check_derived(self, content: bytearray, derived: Derived) -> None:
        """What the record says of plays and cards is what the rulings say."""
        count = len(derived.plays)
        in_force = self.column(content, "play in force", count)
        assert in_force == tuple(derived.in_force(play.number) for play in derived.plays)
        for play, (now, since) in zip(derived.plays, self.targets_of(content, count), strict=True):
            expected = [one for role in range(len(play.chosen)) for one in derived.targets(play.number, role).items()]
            assert [(thing_of(word), time) for word, time in zip(now, since, strict=True)] == expected, play
        suits, ranks = self.column(content, "suits now", CARDS), self.column(content, "rank now", CARDS)
        roles = self.column(content, "mark role", CARDS)
        for card in range(CARDS):
            assert as_card(card, suits[card], ranks[card]) == derived.card(card), card
            assert ["", "The Chariot", "The Tower"][roles[card]] == derived.role(card), card

    # ---- plays that nobody has made

    def judged(self, content: bytearray, *numbers: int) -> bytearray:
        """The game with one more Judgement, which names these plays; its card lies elsewhere."""
        content = content.copy()
        play, start = self.word(content, "plays"), self.word(content, "slots")
        assert play < MOST_PLAYS
        values = [0, MAIN + ARCANA.index("Judgement"), ARCANA.index("Judgement"), 0, GONE_LIFE, start, len(numbers), 0]
        for name, value in zip(SOURCES, values, strict=True):
            self.write(content, f"play {name}", value, play)
        for place, size in enumerate((len(numbers), 0)):
            self.write(content, "play aimed", size, 2 * play + place)
        for place, number in enumerate(numbers):
            self.write(content, "thing", -number, start + place)
        self.write(content, "plays", play + 1)
        self.write(content, "slots", start + len(numbers))
        return self.renewed(content)

    def without_newest(self, content: bytearray) -> bytearray:
        """The game as if the newest play had no lasting part."""
        content = content.copy()
        self.write(content, "plays", self.word(content, "plays") - 1)
        return self.renewed(content)

    def renewed(self, content: bytearray) -> bytearray:
        self.renew(ctypes.addressof(ctypes.c_char.from_buffer(content)))
        return content

    def is_as_printed(self, content: bytearray) -> bool:
        suits, ranks = self.column(content, "suits now", CARDS), self.column(content, "rank now", CARDS)
        as_printed = all(as_card(card, suits[card], ranks[card]) == printed(card) for card in range(CARDS))
        return as_printed and not any(self.column(content, "mark role", CARDS))


def cut(words: tuple[int, ...], slot: int, sizes: list[int]) -> tuple[tuple[tuple[Thing, ...], ...], int]:
    """The things of each role, and the slot behind them."""
    ends = [slot, slot + sizes[0], slot + sizes[0] + sizes[1]]
    roles = [tuple(thing_of(word) for word in words[a:b]) for a, b in pairwise(ends)]
    return tuple(roles), ends[-1]


def thing_of(word: int) -> Thing:
    return -word if word < 0 else (word & 0xFFFF, word >> 16)


@cache
def as_card(card: int, suits: int, rank: int) -> Card:
    """A standard card's suits are the first four of the game's; all of these are all suits."""
    if card >= MAIN:
        return Card(frozenset(), None) if (suits, rank) == (1 << 4, -1) else Card(frozenset(["altered"]), rank)
    names = frozenset(suit for place, suit in enumerate(SUITS) if suits >> place & 1)
    return Card(names, ANY if rank == EVERY_RANK else None if rank < 0 else rank + 2)


class Renew:
    """`renew` of the native engine, compiled by itself: settles the plays in a record and derives what cards are."""

    def __init__(self, rules: Rules) -> None:
        code = table_of(rules, 2).code
        build = Build(rules.ruleset, code.fixed, Layout(rules.ruleset, code.copies), watched=True)
        build.program = desugar(rules.ruleset)
        made = renew(build)
        made.linkage = ""
        build.finish()
        address, self.keep = link(emit(str(build.module), level=min(rows.LEVEL, 1)))
        self.call = callable_at(address("renew"), self.keep, None, ctypes.c_void_p)


RENEWS: dict[str, Renew] = {}


def compiled_renew(rules: Rules) -> Any:
    """The same for all options but those that are constants of the code."""
    key = f"{rules.key} {table_of(rules, 2).code.fixed}"
    if key not in RENEWS:
        RENEWS[key] = Renew(rules)
    return RENEWS[key].call


class NativeEye:
    """What is seen of one native game. `met` counts what has been tried."""

    def __init__(self, reader: Reader, game: Any, met: Counter[str]) -> None:
        self.reader, self.content, self.met = reader, game._content, met
        self.derived = reader.derive(self.content)
        self.source = reader.source_of(self.content)
        self.follows: tuple[Any, ...] = ()

    # ---- what there is

    def hands(self) -> list[list[Slot]]:
        up, slots = self.reader.layout["face_up"].offset, self.reader.zone(self.content, "hand")
        return [
            [Slot(card, bool(self.content[up + card])) for (card,) in filter(None, slots[5 * p : 5 * p + 5])]
            for p in (0, 1)
        ]

    def common(self) -> list[int]:
        return [card for slot in self.reader.zone(self.content, "common") for card in slot]

    def lying(self) -> Lying:
        reader, content = self.reader, self.content
        zones = {name: [list(cards) for cards in reader.zone(content, name)] for name in reader.zones}
        common = [card for slot in zones["common"] for card in slot]
        hands = [[card for slot in zones["hand"][5 * p : 5 * p + 5] for card in slot] for p in (0, 1)]
        known = [known & 3 for known in reader.column(content, "known", CARDS)]
        up = [bool(up) for up in reader.column(content, "face_up", CARDS)]
        lie_open = [*zones["discard"][0], *zones["arcana_discard"][0], *zones["field"][0]]
        return Lying(
            zones["stock"][0], zones["arcana_stock"][0], common, lie_open, hands, zones["arcana_hand"], up, known
        )

    def number(self, variable: str, owner: int = 0) -> int:
        return self.reader.word(self.content, f"variable {variable}", owner)

    # ---- what holds

    def check(self) -> None:
        reader, content = self.reader, self.content
        reader.check_conserved(content)
        source, plays = reader.source_of(content), reader.word(content, "plays")
        follows = reader.derived_of(content, plays)
        if source == self.source and self.follows:
            assert follows == self.follows, "plays are the same, what follows from them is not"
            return
        self.source, self.follows = source, follows
        self.derived = reader.derive(content)
        reader.check_derived(content, self.derived)
        assert reader.derived_of(reader.renewed(content.copy()), plays) == follows, "derived twice"
        if plays and self.derived.judges:
            self.check_negated(plays)

    def check_negated(self, plays: int) -> None:
        """Rulings A16, by Judgements that are added to the record."""
        reader, content, cards = self.reader, self.content, slice(0, 3)
        if plays + 2 <= MOST_PLAYS:
            silent = reader.judged(content, plays)
            without = reader.derived_of(reader.without_newest(content), plays - 1)
            assert reader.derived_of(silent, plays - 1) == without, "negated as if never played"
            again = reader.derived_of(reader.judged(silent, plays + 1), plays)
            assert again == self.follows, "negating the negation restores"
            self.met["newest mattered"] += without[cards] != self.follows[cards]
        if plays < MOST_PLAYS:
            assert reader.is_as_printed(reader.judged(content, *range(1, plays + 1)))
            self.met["something altered"] += not reader.is_as_printed(content)
