"""Whole games, many at a time, played to the end in native code and added up there."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from time import perf_counter

from trionfi.dsl.limits import MOST_DECISIONS
from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.errors import InternalError
from trionfi.interpreter.game import Game
from trionfi.interpreter.native.game import NativeGame
from trionfi.interpreter.native.layout import FIRST, RANDOM, STRATEGIES
from trionfi.interpreter.native.record import Record
from trionfi.interpreter.native.table import NativeTable, mixed, table_of
from trionfi.interpreter.native.tallies import WORDS
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.statistics import Sums
from trionfi.interpreter.workers import halted

__all__ = ["BlockPlayer"]

PLAIN = {"random": RANDOM, "first": FIRST}  # policies that need no text
FIRST_PORTION = 16  # games
MOMENT = 0.1  # seconds


class BlockPlayer:
    """Plays blocks of games of one table with given bots; one after another, each from its own number on."""

    def __init__(self, rules: RulesData, players: int, bots: Sequence[str], seed: int) -> None:
        self.rules, self.players, self.bots, self.seed = rules, players, list(bots), seed
        self.native: NativeTable = table_of(rules, players)
        # made here, before threads ask for it
        self.playout, self.room = self.native.playout(strategies=any(bot not in PLAIN for bot in bots))
        self.template = self._template()

    def _template(self) -> bytes:
        record = Record(self.native.layout, self.native.table, bytearray(self.native.template))
        strategies = list(self.rules.ruleset.strategies)
        for seat, bot in enumerate(self.bots):
            record.set("policies", PLAIN[bot] if bot in PLAIN else STRATEGIES + strategies.index(bot), seat)
        return bytes(record.bytes)

    def play(self, first: int, count: int) -> Sums:
        """The sums of games `first` up to, not including, `first` + `count`. Raises GameError.

        Native code cannot be interrupted, so it is called for as many games as take a moment.
        """
        content = bytearray(self.template.ljust(self.room, b"\0"))
        address = ctypes.addressof(ctypes.c_char.from_buffer(content))
        done, portion = 0, FIRST_PORTION
        while done < count and not halted():
            portion = min(portion, count - done)
            start = perf_counter()
            failed = self.playout(address, self.template, mixed(self.seed), first + done, portion)
            if failed >= 0:
                asked = Record(self.native.layout, self.native.table, content).get("asked")
                self.explain(failed, "native" if asked > MOST_DECISIONS else "reference")
            done += portion
            portion *= 2 if perf_counter() - start < MOMENT else 1
        return self.sums(Record(self.native.layout, self.native.table, content), done)

    def explain(self, game: int, engine: str) -> None:
        """The error that stopped a game. The reference engine has words for all; a long game would take it minutes."""
        again: Game
        if engine == "native":
            again = NativeGame(self.native, self.seed, game)
        else:
            again = ReferenceGame(self.rules, self.native.program, self.seed, game)
        again.play_on(seat_bots(self.rules, self.bots, self.seed, game))
        raise InternalError(f"the native engine stopped {self.rules.key}, game {game} of seed {self.seed}")

    def sums(self, record: Record, games: int) -> Sums:
        layout, seats = self.native.layout, range(self.players)
        sums = Sums.empty(self.players, self.rules.measure_shapes)
        sums.games, sums.ties = games, record.get("ties")
        sums.wins = [[record.get("wins", seat * layout.seats + k) for k in seats] for seat in seats]
        sums.scores = [record.tally(layout["score tallies"], seat * WORDS) for seat in seats]
        sums.decisions = record.tally(layout["decision tally"], 0)
        sums.measures, sums.ratios = self.native.measure_tallies(record), self.native.measure_ratios(record)
        return sums
