"""A ruleset at one seat count in the native engine: its code, and the record that every game starts from."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from platform import python_implementation
from struct import Struct
from typing import TYPE_CHECKING, Any

from trionfi.dsl import tree
from trionfi.interpreter.chance import MASK, mix
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands import TotalEvaluator
from trionfi.interpreter.hands.patterns import Patterns
from trionfi.interpreter.hands.readings import Looks
from trionfi.interpreter.native.engine import Loaded, NativeCode, Use, structural_options, turns_cards
from trionfi.interpreter.native.hands.cards import CardTable, altered_table, printed_table
from trionfi.interpreter.native.hands.evaluator import Evaluator
from trionfi.interpreter.native.layout import OVER, RUNNING, Layout
from trionfi.interpreter.native.record import Record
from trionfi.interpreter.native.tallies import tally_plan
from trionfi.interpreter.native.totals import MOST_BITS, is_bound
from trionfi.interpreter.once import made_once, made_property
from trionfi.interpreter.reference.plays import effect_meaning
from trionfi.interpreter.seating import seating_of
from trionfi.interpreter.state import State

if TYPE_CHECKING:
    from trionfi.effects.field import Meaning
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.rules_data import RulesData
    from trionfi.interpreter.statistics import Ratio, Tally

__all__ = ["NativeTable", "table_of"]


def table_of(rules: RulesData, players: int) -> NativeTable:
    """The table of so many players; made once for these rules."""
    tables: dict[int, NativeTable] = rules.__dict__.setdefault("_native_tables", {})
    return made_once(tables, players, lambda: NativeTable(rules, players))


def code_of(rules: RulesData, copies: dict[str, int], compiler: Any) -> NativeCode:
    """The code for these options and copies; shared by seat counts."""
    codes: dict[Any, NativeCode] = rules.__dict__.setdefault("_native_codes", {})
    return made_once(codes, tuple(copies.items()), lambda: new_code(rules, copies, compiler))


def new_code(rules: RulesData, copies: dict[str, int], compiler: Any) -> NativeCode:
    fixed = {name: rules.values[name] for name in structural_options(rules.ruleset)}
    cards = cards_of(compiler, distinct=all(number <= 1 for number in copies.values()))
    return NativeCode(
        rules.ruleset,
        fixed,
        copies,
        lambda ranking: Evaluator(ranking, cards),
        partial(melds_of, compiler, {}),
        cards.altered,
    )


def cards_of(compiler: Any, distinct: bool) -> CardTable:
    """What evaluators know of the cards."""
    ruleset = compiler.ruleset
    all_turn = turns_cards(ruleset)
    if ruleset.effects:
        return altered_table(compiler, all_turn)
    return printed_table(compiler, distinct, all_turn=all_turn)


def melds_of(compiler: Any, known: dict[str, Patterns], spec: tree.MeldSpec) -> Patterns:
    """The facts of melds that hold under the options."""
    if spec.name not in known:
        kinds = list(spec.kinds.values())
        known[spec.name] = Patterns(compiler, kinds, spec.alike, spec.run, one_of_a_reading=False)
    return known[spec.name]


class NativeTable:
    """What all native games of one seat count share."""

    def __init__(self, rules: RulesData, players: int) -> None:
        self.rules, self.players = rules, players
        seating = seating_of(rules, players)
        self.table, self.program = seating.table, seating.program
        counts = [self.table.cards.count(face) for face in range(len(rules.ruleset.faces))]
        copies = {deck.name: 0 for deck in rules.ruleset.decks}
        for face, count in zip(rules.ruleset.faces, counts, strict=True):
            copies[rules.ruleset.decks[face.deck].name] = count
        self.code = code_of(rules, copies, self.program.compiler)
        self.layout: Layout = self.code.layout
        self._labels: dict[int, Any] = {}
        self._seed = (0, mixed(0))
        self.decisions: dict[int, Decision | None] = {OVER: None}  # those that a word says all about

    @made_property
    def template(self) -> bytes:
        """Core and setting of a game before its first statement."""
        state = State(self.table)
        self.program.set_up(state)
        record = Record(self.layout, self.table, bytearray(self.layout.setting_end))
        record.write(state)
        self._write_setting(record)
        return bytes(record.bytes)

    def _write_setting(self, record: Record) -> None:
        record.set("seats", self.players)
        record.set("status", RUNNING)
        for index, option in enumerate(self.rules.ruleset.options.values()):
            for place, word in enumerate(option_words(self.rules.values[option.name])):
                record.set("options", word, 2 * index + place)
        record.set("in_play", len(self.table.in_game))
        for place, card in enumerate(self.table.in_game):
            record.set("deck", card, place)
        for spec in self.rules.ruleset.totals.values():
            if not is_bound(self.rules.ruleset, spec):
                self._write_total(record, spec)
        if "deck ranks" in self.layout.fields:
            self._write_deck_ranks(record)

    def _write_total(self, record: Record, spec: tree.TotalSpec) -> None:
        """What each card may count, upright and reversed, as bits of a word; or that this cannot be."""
        evaluator = self.program.compiler.evaluator(spec, TotalEvaluator)
        state = State(self.table)
        for card in range(len(self.table.cards)):
            for turned in (0, 1):
                state.orient(card, bool(turned))
                try:
                    values = evaluator.values(state, card)
                except GameError:
                    values = (-1,)  # it is met, or not, when the card is counted
                if not all(0 <= value <= MOST_BITS for value in values):
                    record.set(f"total {spec.name} is slow", 1)
                    return
                record.set(f"total {spec.name}", sum(1 << value for value in set(values)), 2 * card + turned)

    def _write_deck_ranks(self, record: Record) -> None:
        """Which ranks a card of every rank may be read as."""
        row = 1 + len(self.rules.ruleset.enumerations["rank"].members)
        known = Looks(self.program.compiler, None, None).ranks
        for deck in range(len(self.rules.ruleset.decks)):
            for rank in known.get(deck, [-1]):
                record.set("deck ranks", 1, deck * row + 1 + rank)

    def mixed(self, seed: int) -> int:
        """What the streams of all games of a seed begin from; the last is remembered."""
        known = self._seed  # another thread may set another meanwhile
        if seed != known[0]:
            known = self._seed = seed, mixed(seed)
        return known[1]

    @made_property
    def read_scores(self) -> Callable[[bytearray], tuple[int, ...]]:
        return partial(Struct(f"<{self.players}q").unpack_from, offset=self.layout["scores"].offset)

    # ---- calls

    @made_property
    def stepping(self) -> Loaded:
        return self.code.module(Use.STEP)

    @made_property
    def begin(self) -> Any:
        """begin(record, mixed seed, game) -> word (engine.write_step)"""
        return self._quick("begin", ctypes.c_uint64, ctypes.c_uint64)

    @made_property
    def step(self) -> Any:
        """step(record, option) -> word"""
        return self._quick("step", ctypes.c_int64)

    def _quick(self, name: str, *kinds: Any) -> Any:
        """A short function, called at every decision."""
        if python_implementation() == "CPython":
            return self.stepping.builtin(name)
        return self.stepping.function(name, ctypes.c_int64, ctypes.c_void_p, *kinds)

    @made_property
    def advise(self) -> Any:
        """advise(record, strategy) -> the option that it picks, or -1"""
        advice = self.code.module(Use.ADVICE)
        return advice.function("advise", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)

    def labels(self, site: int) -> Any:
        """labels_N(record, entry, out)"""
        kinds = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
        return made_once(self._labels, site, lambda: self.stepping.function(f"labels_{site}", None, *kinds))

    @made_property
    def start_record(self) -> bytes:
        """The template, with room for frames and options."""
        return self.template + bytes(self.stepping.record_size - len(self.template))

    def playout(self, strategies: bool) -> tuple[Any, int]:
        """playout(record, template, mixed seed, first game, count) -> -1, or the game that stopped with an error;
        and the size of its record. `strategies`: whether seats have any."""
        code = self.code.module(Use.PLAYOUT_OF_STRATEGIES if strategies else Use.PLAYOUT)
        kinds = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64]
        return code.function("playout", ctypes.c_int64, *kinds), code.record_size

    # ---- sums

    def measure_tallies(self, record: Record) -> list[list[Tally]]:
        """Measure by measure, one tally or one a seat."""
        found = []
        for index, measure in enumerate(self.rules.ruleset.measures):
            plan = tally_plan(self.rules.ruleset, measure)
            field = self.layout[f"measure {index}"]
            found.append([record.tally(field, seat * plan.size, plan.words) for seat in self.seats_of(measure)])
        return found

    def measure_ratios(self, record: Record) -> list[list[list[Ratio]]]:
        """The same as sums over games; of words that each seat shows, all seats together follow."""
        found = []
        for index, measure in enumerate(self.rules.ruleset.measures):
            plan = tally_plan(self.rules.ruleset, measure)
            rows = [*self.seats_of(measure), *([plan.pooled] if plan.pooled >= 0 else [])]
            field = self.layout[f"measure {index}"]
            found.append([record.ratios(field, row * plan.size, plan) for row in rows])
        return found

    def seats_of(self, measure: tree.Measure) -> range:
        return range(self.players if measure.player is not None else 1)

    @property
    def meaning(self) -> Callable[[State], Meaning] | None:
        """What the conditions and values of alterations are, for a `State` that is read from a record."""
        if not self.rules.ruleset.effects:
            return None
        return lambda s: effect_meaning(s, self.program.alterations)

    @property
    def review(self) -> Any:
        return self.program.review


def option_words(value: Any) -> list[int]:
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    return [int(value)]


def mixed(seed: int) -> int:
    """What the streams of all games of a seed begin from."""
    return mix(seed) & MASK
