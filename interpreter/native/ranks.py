"""`rules.rank_many`: the compiled evaluators of one setting of a ruleset's options."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any, NoReturn

from llvmlite import ir

from trionfi.dsl.tree import ConditionRanking, PatternRanking
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands.reading import HandError
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I16, I64, POINTER, Value, function, number, table
from trionfi.interpreter.native.emission.entry import write_rating
from trionfi.interpreter.native.emission.expressions import value_of
from trionfi.interpreter.native.hands import Evaluator, RankMany, printed_table
from trionfi.interpreter.native.hands.rows import Rows, compiled, rows_of
from trionfi.interpreter.native.layout import Layout
from trionfi.interpreter.native.module import Build, CannotLower
from trionfi.interpreter.native.table import NativeTable, table_of
from trionfi.interpreter.once import made_once
from trionfi.interpreter.ranking import evaluator_of, reader_of
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.seating import faces_of, seating_of

__all__ = ["name_of_category", "order_of", "rank_rows"]


def rank_rows(rules: RulesData, ranking: str, hands: Sequence[Any]) -> Any:
    """A strength for each row of `hands`, an array for each part or parameter; None if only the reference can do it."""
    known: dict[str, Any] = rules.__dict__.setdefault("_rank_many", {})
    evaluator = made_once(known, ranking, lambda: _evaluator(rules, rules.ruleset.rankings[ranking]))
    return None if evaluator is None else evaluator(hands)


def order_of(rules: RulesData, ranking: str, one: Sequence[Any], other: Sequence[Any]) -> int | None:
    """Which of two hands is better; None if only the reference can compare them."""
    codes = _codes(rules, one), _codes(rules, other)
    if [len(part) for part in codes[0]] == [len(part) for part in codes[1]]:
        found = rank_rows(rules, ranking, [list(pair) for pair in zip(*codes, strict=True)])
        return None if found is None else _sign(int(found[0]), int(found[1]))
    if not isinstance(rules.ruleset.rankings[ranking], PatternRanking):
        return None  # strengths under conditions compare within one call
    each = [rank_rows(rules, ranking, [[part] for part in hand]) for hand in codes]
    return None if any(found is None for found in each) else _sign(int(each[0][0]), int(each[1][0]))


def _sign(one: int, other: int) -> int:
    return (one > other) - (one < other)


def name_of_category(rules: RulesData, ranking: str, hand: Sequence[Any]) -> str | None:
    """Of the hand's strength; empty for no hand, None if only the reference can tell."""
    found = rank_rows(rules, ranking, [[part] for part in _codes(rules, hand)])
    many = rules.__dict__["_rank_many"][ranking]
    if found is None or not isinstance(many, RankMany):
        return None
    category = many.evaluator.category(int(found[0]))
    return "" if category is None else rules.ruleset.rankings[ranking].categories[category].name


def _codes(rules: RulesData, hand: Sequence[Any]) -> list[list[int]]:
    """The numbers of cards, part by part, as `rules.cards` has them."""
    numbers, count = {face: number for number, face in enumerate(faces_of(rules))}, len(faces_of(rules))
    read = [[rules.card_names.read(str(card)) for card in part] for part in hand]
    return [[numbers[face] + is_reversed * count for face, is_reversed in part] for part in read]


def _evaluator(rules: RulesData, ranking: PatternRanking | ConditionRanking) -> Any:
    seating = seating_of(rules, rules.players[1])
    distinct = max((seating.table.cards.count(face) for face in faces_of(rules)), default=0) <= 1
    if isinstance(ranking, PatternRanking):
        cards = printed_table(seating.program.compiler, distinct, faces_of(rules))
        try:
            return RankMany(Evaluator(ranking, cards))
        except (CannotLower, GameError):  # an error of one card is none of hands without it
            return None
    only_cards = all(parameter.type.kind == "cards" for parameter in ranking.parameters)
    return RateMany(rules, ranking) if distinct and only_cards else None


class RateMany:
    """The strengths of many hands under a ranking by conditions. They compare within one call.

    The script's code reads cards of a game, so that each row is laid on the table of a game that has not begun.
    """

    def __init__(self, rules: RulesData, ranking: ConditionRanking) -> None:
        self.rules, self.ranking = rules, ranking
        self.table: NativeTable = table_of(rules, rules.players[1])
        self.keys = self.table.layout.keys_of(ranking.name)
        self._compiled: dict[Any, Any] = {}

    def __call__(self, given: Sequence[Any]) -> Any:
        """One int64 a row; `given` holds rows for each parameter. None if the ranking cannot be compiled."""
        if len(given) != len(self.ranking.parameters):
            raise HandError(f"`{self.ranking.name}` takes {len(self.ranking.parameters)} parts, not {len(given)}")
        rows = [rows_of(cards) for cards in given]
        counts = {one.count for one in rows}
        if len(counts) != 1:
            raise HandError("all parts must have as many rows")
        (count,) = counts
        try:
            run, size = self._function(rows)
        except CannotLower:
            return None
        state = (ctypes.c_char * size).from_buffer(bytearray(self.table.template.ljust(size, b"\0")))
        keys = (ctypes.c_int64 * max(1, count * self.keys))()
        wrong = run(ctypes.addressof(state), *(one.address for one in rows), count, ctypes.addressof(keys))
        if wrong:
            self._refuse(wrong - 1, given)
        return _by_rank(keys, count, self.keys)

    def _refuse(self, row: int, given: Sequence[Any]) -> NoReturn:
        """What is wrong with a row, in the words of the reference."""
        from trionfi.interpreter.hands import reading

        alone = [cards[row : row + 1] for cards in given]
        reading.rank_rows(evaluator_of(self.rules, self.ranking.name), reader_of(self.rules), alone, row)
        raise HandError(f"row {row} is no hand of the game's cards")

    def _function(self, rows: Sequence[Rows]) -> Any:
        """The compiled function, and how large the state is."""
        key = tuple((one.width, one.bits) for one in rows)
        return made_once(self._compiled, key, lambda: self._compile(rows))

    def _compile(self, rows: Sequence[Rows]) -> tuple[Any, int]:
        code = self.table.code
        build = Build(code.rules, code.fixed, Layout(code.rules, code.copies), watched=False)
        build.evaluators, build.melds = code.evaluator, code.melds
        build.value_of = value_of
        self._write(build, rows)
        size = max(build.finish(), len(self.table.template))
        return compiled(build.module, "rate_rows", 1 + len(rows)), size

    def _write(self, build: Build, rows: Sequence[Rows]) -> None:
        """i64 rate_rows(ptr state, ptr rows, ..., i64 count, ptr keys): 0, or one more than the number of a row that is
        no hand."""
        kinds = [POINTER, *(POINTER for _ in rows), I64, POINTER]
        with function(build.module, "rate_rows", I64, kinds, internal=False) as code:
            f = Body(build, code)
            state, *pointers, count, keys = code.arguments
            with code.count(count) as row:
                arguments: list[Value] = []
                laid: list[Value] = []
                for pointer, one in zip(pointers, rows, strict=True):
                    arguments += [self._lay(f, pointer, row, one, laid), number(one.width)]
                result = code.call(write_rating(build, self.ranking), [state, *arguments])
                with code.when(code.compare("!=", f.field("error"), 0), likely=False):
                    code.give(code.add(row, 1))
                for place in range(self.keys):
                    value = code.builder.extract_value(result, place + 1)
                    code.store(I64, value, keys, code.add(code.multiply(row, self.keys), place))
            code.give(0)

    def _lay(self, f: Body, pointer: Value, row: Value, rows: Rows, laid: list[Value]) -> Value:
        """The cards of a row, oriented as their codes say; none may have been `laid` before."""
        code, known = f.code, self._cards_of_codes()
        kept = len(faces_of(self.rules))
        tabled = table(f.build.module, "card_of_code", I16, [*known, -1])
        room = code.room(f.layout.card_kind, max(2, rows.width))
        for place in range(rows.width):
            given = code.load(
                ir.IntType(rows.bits), pointer, code.add(code.multiply(row, rows.width), place), signed=False
            )
            own = code.smaller(given, len(known))
            card = code.load(I16, tabled, own)
            wrong = code.compare("<", card, 0)
            for other in laid:
                wrong = code.either(wrong, code.compare("==", card, other))
            with code.when(wrong, likely=False):
                code.give(code.add(row, 1))
            laid.append(card)
            f.set_field("reversed", code.number_of(code.compare(">=", own, kept)), card)
            code.store(f.layout.card_kind, card, room, place)
        return room

    def _cards_of_codes(self) -> list[int]:
        """The card of each code, -1 if there is none."""
        ruleset, cards = self.rules.ruleset, self.table.table.cards
        upright = [cards.index(face) if face in cards else -1 for face in faces_of(self.rules)]
        oriented = [ruleset.decks[ruleset.faces[face].deck].oriented for face in faces_of(self.rules)]
        return [*upright, *(card if turns else -1 for card, turns in zip(upright, oriented, strict=True))]


def _by_rank(keys: Any, count: int, width: int) -> Any:
    """A number for each row, in the order of the rows' keys."""
    try:
        import numpy
    except ImportError:
        rows = [tuple(keys[place * width : (place + 1) * width]) for place in range(count)]
        places = {key: place for place, key in enumerate(sorted(set(rows)))}
        return array("q", [places[row] for row in rows])
    if not count:
        return numpy.empty(0, dtype=numpy.int64)
    found = numpy.frombuffer(keys, dtype=numpy.int64)[: count * width].reshape(count, width)
    return numpy.unique(found, axis=0, return_inverse=True)[1].astype(numpy.int64).reshape(count)
