"""A game in the native engine: the flat record, and calls that move it from decision to decision.

What is rarely wanted and needs every move anew (the log, the labels of past moves, the words of an error) is told by
the reference engine, which plays the same moves again.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_DECISIONS, MOST_IN_LABEL
from trionfi.dsl.types import Type
from trionfi.interpreter.decision import DONE, Decision, Missing, Option, Text, Thing, not_too_long
from trionfi.interpreter.errors import IllegalMove, InternalError
from trionfi.interpreter.game import Game
from trionfi.interpreter.measures import shown
from trionfi.interpreter.native.layout import ASKING, OVER, RUNNING, ThingPlace
from trionfi.interpreter.native.play_record import GONE, KNOWN
from trionfi.interpreter.native.record import Record
from trionfi.interpreter.native.stacked_record import stacked_record
from trionfi.interpreter.native.table import NativeTable
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.stacked import Stack
from trionfi.interpreter.state import State
from trionfi.interpreter.texts import UNKNOWN_CARD, text_for, texts_of, value_texts, values_in

if TYPE_CHECKING:
    from trionfi.interpreter.chance import Stream
    from trionfi.interpreter.native.engine import Site
    from trionfi.interpreter.rules_data import RulesData
    from trionfi.interpreter.stacked import Deal
    from trionfi.interpreter.statistics import Tally

__all__ = ["NativeGame"]

DONE_ENTRY = -2
WORD = struct.Struct("<q")
addressof, from_buffer = ctypes.addressof, ctypes.c_char.from_buffer


class NativeDecision(Decision):
    """A decision whose picked things are named when they are asked for."""

    __slots__ = ("make_picked",)

    make_picked: Callable[[], list[str]]

    @property
    def picked(self) -> Sequence[str]:
        return self.make_picked() if hasattr(self, "make_picked") else ()

    @picked.setter
    def picked(self, _labels: Sequence[str]) -> None:
        """They are what the record says."""


class NativeGame(Game):
    """`record` is all there is to it; `moves` is kept for records and replays."""

    decision: Decision | None = None

    def __init__(self, table: NativeTable, seed: int, number: int, deal: Deal | None = None) -> None:
        self.native = table
        self.rules: RulesData = table.rules
        self.players = table.players
        self.seed, self.number = seed, number
        self.deal = deal
        self.moves = []
        self._content = content = bytearray(table.start_record) if deal is None else stacked_record(table, deal)
        self._address = address = addressof(from_buffer(content))
        self._step, self._decisions = table.step, table.decisions
        if deal is None or deal.begin:
            self._note(table.begin(address, table.mixed(seed), number))
        else:
            self._word_given = RUNNING

    # ---- playing

    def _note(self, word: int) -> None:
        """What `step` has given: mostly it says all about the decision, and that has been met before."""
        self._word_given = word
        if word in self._decisions:
            self.decision = self._decisions[word]
        else:
            self._meet(word)

    def _meet(self, word: int) -> None:
        """A decision that is to be read from the record, or an error."""
        if word & 3 not in (ASKING, OVER):
            self.decision = None
            self._explain()
        self.decision = self._decide()
        if word >> 32:
            self.decision = self._decisions[word] = self._plain_decision(self.decision)

    @property
    def over(self) -> bool:
        return self._word_given == OVER

    def apply(self, move: int) -> None:
        asked = self.decision
        if asked is None:
            self._refuse()
        if not isinstance(move, int) or not 0 <= move < asked.count:
            raise IllegalMove(f"{asked.name} has moves 0 to {asked.count - 1}, not {move!r}")
        self.moves.append(move)
        # as in `_note`; a search makes many moves
        self._word_given = word = self._step(self._address, move)
        if word in self._decisions:
            self.decision = self._decisions[word]
        else:
            self._meet(word)

    def _refuse(self) -> NoReturn:
        if self.over:
            raise IllegalMove("the game is over")
        if self._word_given == RUNNING:
            raise IllegalMove("the game has not begun")
        self._explain()

    def _explain(self) -> NoReturn:
        """The error that stopped the game, in the words of the reference engine."""
        if len(self.moves) >= MOST_DECISIONS:
            raise self.too_long()
        self._replay()
        raise InternalError(f"the native engine stopped {self.rules.key}, game {self.number} of seed {self.seed}")

    def ask_strategy(self, name: str, stream: Stream) -> int | None:
        """What one of the ruleset's strategies picks here, None if it does not say; it draws from `stream`."""
        if self.decision is None:
            self._refuse()
        at = self.native.layout["streams"].offset + 8 * (1 + self._word("player"))
        struct.pack_into("<Q", self._content, at, stream.state)
        move: int = self.native.advise(self._address, list(self.rules.ruleset.strategies).index(name))
        if self._word("error"):
            self._replay().ask_strategy(name, stream)
            raise InternalError(f"the strategy {name} stopped in {self.rules.key}")
        stream.state = struct.unpack_from("<Q", self._content, at)[0]
        return None if move < 0 else move

    # ---- decisions

    @property
    def _site(self) -> Site:
        return self.native.stepping.sites[self._word("site")]

    def _word(self, name: str) -> int:
        return WORD.unpack_from(self._content, self.native.layout[name].offset)[0]  # type: ignore[no-any-return]

    def _plain_decision(self, asked: Decision) -> Decision:
        """A decision that does not hold on to this game; its options are made now."""
        options = asked.options
        return Decision(asked.player, asked.name, asked.count, lambda: options)

    def _decide(self) -> Decision:
        site, player = self._site, self._word("player")
        node: Any = self.native.code.nodes[site.node]
        if site.kind == "number":
            low, high, step = (self._word(name) for name in ("low", "high", "step"))
            return Decision.of_number(player, site.name, low, high, step)
        made = len(self.moves)
        decision = NativeDecision(
            player,
            site.name,
            self._word("offered"),
            lambda: self._options(site, node) if len(self.moves) == made else self._after(made).options,
        )
        if site.kind == "orientation":
            decision.card = self._word("card")
        if site.kind == "pick":
            decision.left = self._word("left")
            decision.make_picked = lambda: (
                self._picked(node) if len(self.moves) == made else list(self._after(made).picked)
            )
        return decision

    def _after(self, count: int) -> Decision:
        """The decision after so many moves, made once more: it may be read when the game has gone on."""
        before = NativeGame(self.native, self.seed, self.number, self.deal)
        for move in self.moves[:count]:
            before.apply(move)
        assert before.decision is not None, "something was asked there"
        return before.decision

    def _picked(self, node: tree.Choose) -> list[str]:
        """The labels of what is picked already; it stands behind the options."""
        count, offered = self._word("picked"), self._word("entries")
        if not count:
            return []
        at = self.native.stepping.entries_offset + 8 * offered
        s, site = self._record.state(), self._site
        entries = struct.unpack_from(f"<{count}q", self._content, at)
        return [self._pick_option(s, node, site, entry).label for entry in entries]

    def _options(self, site: Site, node: Any) -> list[Option]:
        if site.kind == "orientation":
            words = self.rules.ruleset.enumerations["orientation"].members
            return [Option(word, (Thing("orientation", place),)) for place, word in enumerate(words)]
        # plain labels need no state
        if site.kind == "menu" and all(isinstance(part, str) for item in node.items for part in item.label.parts):
            return self._not_too_long(self._menu_option(None, node, site, entry) for entry in self._entries())
        s = self._record.state()
        make = self._menu_option if site.kind == "menu" else self._pick_option
        return self._not_too_long(make(s, node, site, entry) for entry in self._entries())

    def _not_too_long(self, options: Iterable[Option]) -> list[Option]:
        return not_too_long(options, lambda _: self._label_failed())

    def _entries(self) -> list[int]:
        count, offset = self._word("entries"), self.native.stepping.entries_offset
        return list(struct.unpack_from(f"<{count}q", self._content, offset))

    def _pick_option(self, s: State, node: tree.Choose, site: Site, entry: int) -> Option:
        if entry == DONE_ENTRY:
            return Option(DONE)
        kind = node.domain.local.type
        if node.domain.noun in ("cards", "number"):
            found = self._value(kind, self._label_values(site, entry))
            texts = value_texts(s, kind, found)
            return Option(text_for(s, texts, self._word("player")), (Thing(node.domain.noun, found),), texts=texts)
        thing = self._record.plain(kind, signed(entry))
        if entry >> GONE & 1:
            return self._gone_option(s, node, thing, entry >> KNOWN)
        texts = value_texts(s, kind, thing)
        return Option(text_for(s, texts, self._word("player")), (Thing(node.domain.noun, thing),), texts=texts)

    def _gone_option(self, s: State, node: tree.Choose, card: int, known: int) -> Option:
        """A target that is left alone and has gone: the name that it had, for those who knew it."""
        name = s.table.ruleset.faces[s.table.looks[card].face].name
        texts = [Text(name if known == s.table.everyone else UNKNOWN_CARD)]
        shown = name if known >> self._word("player") & 1 else UNKNOWN_CARD
        return Option(shown, (Thing(node.domain.noun, card),), texts=texts)

    def _menu_option(self, s: State | None, node: tree.Menu, site: Site, entry: int) -> Option:
        item = node.items[entry & 0xFFFF]
        values = self._label_values(site, entry) if site.words else iter(())
        places = zip(item.domains, self.native.layout.things_at(item.domains), strict=True)
        things = tuple(Thing(domain.noun, self._thing(domain, entry, at, values)) for domain, at in places)
        parts = item.label.parts
        if all(isinstance(part, str) for part in parts):
            return Option("".join(str(part) for part in parts), things, item)
        assert s is not None, "labels with values are texts of a state"
        shown = [part if isinstance(part, str) else (part.type, self._value(part.type, values)) for part in parts]
        if values_in(shown) > MOST_IN_LABEL:
            self._label_failed()
        texts = texts_of(s, shown)
        return Option(text_for(s, texts, self._word("player")), things, item, texts)

    def _thing(self, domain: tree.Domain, entry: int, at: ThingPlace, values: Iterator[int]) -> Any:
        """A thing that a line is about; the cards of a set, and numbers, are told with the values of the label."""
        if domain.noun in ("cards", "number"):
            return self._value(domain.local.type, values)
        part = entry >> at.shift
        return self._record.plain(domain.local.type, signed(part) if at.bits == 16 else part & ((1 << at.bits) - 1))

    def _label_values(self, site: Site, entry: int) -> Iterator[int]:
        """The values in a label, word by word."""
        out = (ctypes.c_int64 * site.words)()
        self.native.labels(self._word("site"))(self._address, entry, out)
        if self._word("error"):
            # of the label alone: the game can go on
            WORD.pack_into(self._content, self.native.layout["error"].offset, 0)
            self._label_failed()
        return iter(out)

    def _label_failed(self) -> NoReturn:
        decision = self._replay().decision
        if decision is not None:
            decision.labels()
        raise InternalError(f"a label stopped {self.rules.key}, game {self.number} of seed {self.seed}")

    def _value(self, kind: Type, words: Iterator[int]) -> Any:
        if kind.kind in ("cards", "zones", "plays"):
            count = next(words)
            element = Type(kind.kind.removesuffix("s"))
            return tuple(self._record.plain(element, next(words)) for _ in range(count))
        if kind.kind == "fraction":
            return Fraction(next(words), next(words))
        return self._record.plain(kind, next(words))

    # ---- results

    @property
    def _record(self) -> Record:
        return Record(self.native.layout, self.native.table, self._content, self.native.meaning)

    @property
    def scores(self) -> list[int | Fraction] | None:
        if not self.over:
            return None
        return list(self.native.read_scores(self._content))

    @property
    def winners(self) -> list[int] | None:
        if not self.over:
            return None
        mask = self._word("winners")
        return [seat for seat in range(self.players) if mask >> seat & 1]

    @property
    def tallies(self) -> list[list[Tally]]:
        return self.native.measure_tallies(self._record)

    @property
    def measures(self) -> dict[str, object] | None:
        if not self.over:
            return None
        figures: dict[str, object] = {}
        for shape, tallies in zip(self.rules.measure_shapes, self.tallies, strict=True):
            each = [shown(shape, tally) for tally in tallies]
            figures[shape.name] = each if shape.per_player else each[0]
        return figures

    # ---- looking

    def _now(self) -> State:
        """The state with its log."""
        s = self._record.state()
        s.log = self._replay().table_state.log
        return s

    def missing(self) -> list[Missing]:
        return self._replay().missing()

    def _replay(self) -> ReferenceGame:
        """The same game in the reference engine, up to here."""
        game = self.__dict__.get("_replayed")
        if game is None or game.moves != self.moves[: len(game.moves)]:
            game = ReferenceGame(self.rules, self.native.program, self.seed, self.number, self.deal)
        for move in self.moves[len(game.moves) :]:
            game.apply(move)
        self._replayed = game
        return game

    def view(self, player: int) -> dict[str, object]:
        from trionfi.interpreter.view import view_of

        if not 0 <= player < self.players:
            raise IndexError(f"there is no player {player}; seats are 0 to {self.players - 1}")
        return view_of(self._now(), self.native.review, self.decision, player)

    @property
    def state(self) -> dict[str, object]:
        from trionfi.interpreter.view import state_of

        return state_of(self._now(), self.decision)

    @property
    def log(self) -> list[dict[str, object]]:
        return self._replay().log

    @property
    def labels(self) -> list[tuple[int, str, str]]:
        return self._replay().labels

    def evaluate(self, expr: tree.Expr, locals_: Sequence[tree.Local] = ()) -> Any:
        return self.native.program.evaluate(expr, locals_, self._record.state())

    def show(self, expr: tree.Expr, locals_: Sequence[tree.Local] = ()) -> str:
        value = self.evaluate(expr, locals_)
        return "".join(text.shown for text in value_texts(self._record.state(), expr.type, value))

    def check_conserved(self) -> None:
        """Raises InternalError if cards or chips were made or lost."""
        stack = None if self.deal is None else Stack(self.deal)
        s, start = self._record.state(), State(self.native.table, stack=stack)
        self.native.program.set_up(start)
        s.chips = start.chips
        s.check_conserved()

    # ---- once more

    def clone(self) -> NativeGame:
        game = NativeGame.__new__(NativeGame)
        game.__dict__.update(self.__dict__)
        game.moves = self.moves.copy()
        game._own(self._content.copy())  # noqa: SLF001
        return game

    def _own(self, content: bytearray) -> None:
        """Takes a record for its own."""
        self._content = content
        self._address = addressof(from_buffer(content))
        if self.decision is not None and self._word_given not in self._decisions:
            self.decision = self._decide()  # the other's reads the other record


def signed(word: int) -> int:
    """The lowest 16 bits, with their sign."""
    low = word & 0xFFFF
    return low - 0x10000 if low >= 0x8000 else low
