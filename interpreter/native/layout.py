"""Where everything lies in the flat record of a game's state.

The record has four parts, one behind the other. The *core* is what a game changes: a new game copies it from a
template, a clone copies it with the rest. The *setting* (seats, options, cards in play, policies) is the same for
all games of one table; there lie the measures, too, so that they add up over a run of games. Behind it come the
*frames* of procedures that can stop at a decision, and last the options that are offered.

Bytes are named by `RecordField`s; which there are follows from the ruleset and the options that change its cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.types import PLAYS, Type
from trionfi.interpreter.native import play_record, tallies
from trionfi.interpreter.native.builder import I1, I8, I16, I32, I64

# What the header's `status` says.
RUNNING, ASKING, OVER, FAILED = range(4)

# An arrangement: words for its cost, how many cards and melds; from this byte on a mask for each meld; the cards.
SETS_MASKS = 24

# Who decides for a seat in a playout: by lot, always the first option, and from 2 on the ruleset's strategies.
RANDOM, FIRST, STRATEGIES = range(3)

# 64-bit fields that every record begins with.
HEADER = (
    "status",
    "site",  # number of the decision's place in the ruleset
    "player",
    "offered",  # how many options
    "low",
    "high",
    "step",
    "choice",  # the option that was taken
    "asked",  # decisions so far
    "passes",  # statements in loops since the last decision
    "error",  # number of the failed place plus 1
    "detail",  # what the message of an error tells
    "winners",  # a mask of seats
    "entries",  # how many words of the options' part are in use
    "card",  # whose orientation is asked
    "picked",  # how many things of a choice have been picked
    "left",  # how many more may be
    "lines",  # of a plain menu: a bit for each line that is offered, else 0
    "stack",  # of a stacked game: the byte at which its stack begins, behind the record; else 0
)


@dataclass(frozen=True, slots=True)
class RecordField:
    """`count` things of one kind, from byte `offset` of the record on."""

    offset: int
    kind: ir.IntType
    count: int = 1
    signed: bool = True

    @property
    def size(self) -> int:
        return max(1, int(self.kind.width) // 8)

    @property
    def end(self) -> int:
        return self.offset + self.size * self.count


@dataclass(frozen=True, slots=True)
class ZonePlan:
    """The zones of a family: numbers `first`.. ; the cards of zone first + i at `offset` + i * `stride` bytes."""

    family: tree.ZoneFamily
    first: int
    owners: int
    capacity: int
    offset: int
    stride: int

    @property
    def places(self) -> int:
        return self.family.places if self.family.shape in ("piles", "row") else 1

    @property
    def zones(self) -> int:
        return self.owners * self.places


class PhysicalCards:
    """The physical cards: face by face, copy by copy, with those that `keep` drops at some seat counts."""

    def __init__(self, rules: tree.Ruleset, copies: Mapping[str, int]) -> None:
        self.faces = rules.faces
        self.face_of = [n for n, face in enumerate(rules.faces) for _ in range(copies[rules.decks[face.deck].name])]
        self.count = len(self.face_of)
        self.copied = any(number > 1 for number in copies.values())

    @cached_property
    def first_of(self) -> list[int]:
        """The first card of each face; -1 where a deck has no copies at all."""
        return [self.face_of.index(face) if face in self.face_of else -1 for face in range(len(self.faces))]

    def column(self, name: str) -> list[int]:
        """`suit`, `rank`, `number` or `deck` of each card, -1 for none."""
        values = [getattr(self.faces[face], name) for face in self.face_of]
        return [-1 if value is None else value for value in values]


class ThingPlace(NamedTuple):
    """Where a thing stands in the entry of an option: from which bit on, and how many bits. Of a number these are the
    index of a row in a table of numbers, and `column` is its place there."""

    shift: int
    bits: int
    column: int = 0


class Layout:
    """The plan of the record for a ruleset, given how many copies its decks have."""

    def __init__(self, rules: tree.Ruleset, copies: Mapping[str, int]) -> None:
        self.rules = rules
        self.cards = PhysicalCards(rules, copies)
        self.seats = rules.players[1]
        self.fields: dict[str, RecordField] = {}
        self.end = 0
        self.card_kind = I8 if self.cards.count < 256 else I16
        for name in HEADER:
            self.reserve(name, I64)
        self._plan_core()
        self.core_size = self.align(8)
        self._plan_setting()
        self.setting_end = self.align(8)

    def align(self, size: int) -> int:
        self.end = (self.end + size - 1) // size * size
        return self.end

    def reserve(self, name: str, kind: ir.IntType, count: int = 1, signed: bool = True) -> RecordField:
        """Room for `count` things at the end of what is planned so far."""
        size = max(1, int(kind.width) // 8)
        field = RecordField(self.align(size), kind, count, signed)
        self.end = field.end
        if name:
            self.fields[name] = field
        return field

    def _reserve_all(self, planned: Iterable[play_record.Planned]) -> None:
        for name, kind, count in planned:
            self.reserve(name, kind, count)

    def __getitem__(self, name: str) -> RecordField:
        return self.fields[name]

    # ---- the parts

    def _plan_core(self) -> None:
        self.reserve("streams", I64, 1 + self.seats)
        self.reserve("scores", I64, self.seats)
        for variable in self.rules.variables:
            self._plan_variable(variable)
        self._plan_zones()
        count = max(1, self.cards.count)  # after an error a card that there is not may be written to
        self.reserve("place", I16, count)
        self.reserve("known", I32, count)
        self.reserve("face_up", I8, count)
        self.reserve("reversed", I8, count)
        for mark in self.rules.marks:
            self.reserve(f"mark {mark.name}", I8, count)
        if self.rules.effects:
            self._reserve_all(play_record.play_fields(self.rules, count))

    def _plan_variable(self, variable: tree.Variable) -> None:
        owners = self.owners_of(variable)
        if variable.type.kind == "cards":
            words = self.list_size(self.most_of(variable)) // 8
            self.reserve(f"variable {variable.name}", I64, owners * words)
        elif variable.type.kind in ("fraction", "hand", "total"):
            self.reserve(f"variable {variable.name}", I64, owners * self.words_of(variable.type))
        elif self.is_mask(variable):
            self.reserve(f"variable {variable.name}", I64)
        else:
            self.reserve(f"variable {variable.name}", stored_kind(variable.type), owners)

    @staticmethod
    def is_mask(variable: tree.Variable) -> bool:
        """Whether a variable of all players is one word, a bit a seat."""
        return variable.type.kind == "truth" and variable.per == "player"

    def _plan_zones(self) -> None:
        self.plans: dict[tree.ZoneFamily, ZonePlan] = {}
        first = 0
        arrays: list[tuple[tree.ZoneFamily, int, int]] = []
        for family in self.rules.zones:
            arrays.append((family, first, self.owner_count(family.per)))
            first += self.owner_count(family.per) * self._places(family)
        self.zones = first
        self.reserve("counts", I16 if self.cards.count > 255 else I8, first, False)
        size = 1 if self.card_kind is I8 else 2
        for family, start, owners in arrays:
            capacity = min(self.capacity_of(family), max(1, self.cards.count))
            field = self.reserve(f"zone {family.name}", self.card_kind, capacity * owners * self._places(family), False)
            self.plans[family] = ZonePlan(family, start, owners, capacity, field.offset, capacity * size)

    def _plan_setting(self) -> None:
        self.reserve("seats", I64)
        self.reserve("options", I64, max(1, 2 * len(self.rules.options)))
        self.reserve("policies", I64, self.seats)
        self.reserve("in_play", I64)
        self.reserve("deck", self.card_kind, max(1, self.cards.count), False)
        for name in self.rules.totals:
            self.reserve(f"total {name}", I64, 2 * self.cards.count)
            self.reserve(f"total {name} is slow", I64)
        if self.rules.totals and self.rules.effects:
            # for each deck whether it has no rank, and whether it has each
            self.reserve("deck ranks", I8, len(self.rules.decks) * (1 + len(self.rules.enumerations["rank"].members)))
        self._reserve_all((name, I64, words) for name, words in tallies.tally_fields(self.rules, self.seats))
        if self.rules.effects:
            self._reserve_all(play_record.SLOTS)

    # ---- sizes

    @staticmethod
    def _places(family: tree.ZoneFamily) -> int:
        return family.places if family.shape in ("piles", "row") else 1

    def capacity_of(self, family: tree.ZoneFamily) -> int:
        if family.shape == "row":
            return 1
        return family.capacity if family.capacity is not None else self.cards.count

    def owner_count(self, per: str) -> int:
        counts = {
            "": 1,
            "player": self.seats,
            "team": len(self.rules.teams),
            "suit": len(self.rules.enumerations["suit"].members) if "suit" in self.rules.enumerations else 0,
        }
        return counts[per]

    def owners_of(self, variable: tree.Variable) -> int:
        if variable.per == "kind":
            return len(self.rules.enumerations[variable.per_kind].members)
        if variable.per != "spot":
            return self.owner_count(variable.per)
        assert variable.per_zone is not None
        return self.owner_count(variable.per_zone.per) * self._places(variable.per_zone)

    def most_in(self, kind: Type) -> int:
        """How many things a list of cards, zones or plays can hold."""
        if kind.kind == "plays":
            return max((family.plays for family in self.rules.zones), default=0)
        return self.cards.count if kind.kind == "cards" else self.zones

    def most_of(self, variable: tree.Variable) -> int:
        """How many cards a variable can hold."""
        return min(variable.most, self.cards.count) if variable.most else self.cards.count

    def list_size(self, most: int, element: ir.IntType | None = None) -> int:
        """Bytes that a list of so many cards (or of `element`) takes: its length, then its numbers."""
        size = int((element or self.card_kind).width) // 8
        return 8 + (most * size + 7) // 8 * 8

    @cached_property
    def mask_kind(self) -> ir.IntType:
        """A set of cards of the deck, or of places of a list of them: a bit each."""
        return ir.IntType(64 * max(1, -(-self.cards.count // 64)))

    @property
    def sets_cards(self) -> int:
        """Where the cards of an arrangement begin, behind a mask for each meld, in bytes."""
        return SETS_MASKS + self.cards.count * int(self.mask_kind.width) // 8

    @cached_property
    def sets_size(self) -> int:
        """Bytes that an arrangement takes."""
        return (self.sets_cards + self.cards.count * int(self.card_kind.width) // 8 + 7) // 8 * 8

    def words_of(self, kind: Type) -> int:
        """64-bit words that a value of a joined kind takes."""
        return {"fraction": 2, "total": 3}.get(kind.kind) or self.keys_of(kind.name) + 1

    def keys_of(self, ranking: str) -> int:
        """How many numbers, compared one after another, the values of a ranking are."""
        spec = self.rules.rankings[ranking]
        if isinstance(spec, tree.PatternRanking):
            return 1
        keys = [expression.type for entry in spec.order for expression in entry.expressions]
        return sum(entry.kind == "category" for entry in spec.order) + sum(map(self.key_words, keys))

    def key_words(self, kind: Type) -> int:
        """How many numbers a value is, where it decides between hands."""
        return self.keys_of(kind.name) if kind.kind == "hand" else 3 if kind.kind == "fraction" else 1

    # ---- options

    def things_at(self, domains: Sequence[tree.Domain]) -> list[ThingPlace]:
        """Where the things of a menu's line stand in an entry. All numbers of a line stand in one row of a table, whose
        index is in the entry, so that of many things it is there once."""
        columns = [sum(one.noun == "number" for one in domains[:place]) for place in range(len(domains))]
        if len(domains) <= 3:
            return [ThingPlace(16 * place, 16, column) for place, column in enumerate(columns, 1)]
        is_again = [one.noun == "number" and column > 0 for one, column in zip(domains, columns, strict=True)]
        sizes = [0 if again else self.bits_of(one) for one, again in zip(domains, is_again, strict=True)]
        starts = [16 + sum(sizes[:place]) for place in range(len(domains))]
        row = next((start for one, start in zip(domains, starts, strict=True) if one.noun == "number"), 0)
        return [
            ThingPlace(row, 16, column) if again else ThingPlace(start, size, column)
            for start, size, column, again in zip(starts, sizes, columns, is_again, strict=True)
        ]

    def bits_of(self, domain: tree.Domain) -> int:
        return 16 if domain.noun == "number" else max(1, self.most_of_noun(domain).bit_length())

    def most_of_noun(self, domain: tree.Domain) -> int:
        """No thing of a kind has a higher number."""
        most = {"player": self.seats, "team": len(self.rules.teams), "zone": self.zones, "play": self.most_in(PLAYS)}
        if domain.noun in ("card", "cards"):
            return self.cards.count
        return most.get(domain.noun) or len(self.rules.enumerations[domain.local.type.name].members)

    # ---- tables of zones

    def by_zone(self, value: Iterable[tuple[ZonePlan, int]]) -> list[int]:
        """A table with one number a zone from one a plan."""
        return [number for plan, number in value for _ in range(plan.zones)]

    @cached_property
    def zone_offsets(self) -> list[int]:
        return [plan.offset + i * plan.stride for plan in self.plans.values() for i in range(plan.zones)]

    @cached_property
    def zone_capacities(self) -> list[int]:
        return self.by_zone((plan, plan.capacity) for plan in self.plans.values())

    @cached_property
    def zone_faces(self) -> list[int]:
        """What a card's face becomes in a zone: 0 down, 1 up, 2 as it was."""
        codes = {"down": 0, "up": 1, "": 2}
        return self.by_zone((plan, codes[plan.family.face]) for plan in self.plans.values())

    @cached_property
    def zone_owners(self) -> list[int]:
        """The player who owns a zone, -1 for none."""
        found: list[int] = []
        for plan in self.plans.values():
            owned = plan.family.per == "player"
            found += [i // plan.places if owned else -1 for i in range(plan.zones)]
        return found

    @cached_property
    def zone_lookers(self) -> list[int]:
        """The player who sees the cards of a zone because it is his, -1 for none."""
        seen = self.by_zone((plan, int(plan.family.seen_by_owner)) for plan in self.plans.values())
        return [owner if sees else -1 for owner, sees in zip(self.zone_owners, seen, strict=True)]


def stored_kind(kind: Type) -> ir.IntType:
    """How a variable of a simple kind is stored; none is -1."""
    kinds = {"number": I64, "truth": I1, "players": I32, "card": I16, "zone": I16, "play": I16}
    return kinds.get(kind.kind, I8)
