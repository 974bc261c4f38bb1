"""Hands as callers give them: names, short codes, numbers, altered cards, and parts of which so many must be used."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from trionfi.dsl.diagnostics import did_you_mean
from trionfi.dsl.tree import ConditionRanking, Local, Mark, MeldSpec, PatternRanking, Ruleset, TotalSpec
from trionfi.effects import Look
from trionfi.interpreter.errors import StackError
from trionfi.interpreter.hands.cards import HandTable, printed_look
from trionfi.interpreter.hands.melds import MeldEvaluator
from trionfi.interpreter.hands.rankings import ConditionEvaluator, PartOfHand, PatternEvaluator
from trionfi.interpreter.hands.totals import TotalEvaluator
from trionfi.interpreter.hands.values import Arrangement, HandValue
from trionfi.interpreter.names import CardNames, fold

__all__ = ["GivenHand", "HandError", "HandReader", "count_cards", "rank_hand", "rank_rows"]

Ranking = PatternRanking | ConditionRanking
Evaluator = PatternEvaluator | ConditionEvaluator
EVERY = "every"
NONE = "none"
_ALTERABLE = ("card", "orientation", "rank", "reversed", "suit", "suits")


class HandError(ValueError):
    """A hand that cannot be read: an unknown card, one card too often, or the wrong number of parts."""


@dataclass(frozen=True, slots=True)
class GivenHand:
    """A hand read: its cards lie on `table`; `arguments` are the parts of a pattern ranking, or the values of
    the parameters of a condition ranking; `names` are the cards' own."""

    table: HandTable
    arguments: list[Any]
    names: list[str]


class HandReader:
    """Reads hands of cards of one game. `kept`: the faces in the game, as `rules.cards` numbers them; `copies`: how
    many there are of each face (None: as many as wanted)."""

    def __init__(self, ruleset: Ruleset, kept: Sequence[int], copies: Sequence[int] | None = None) -> None:
        self.ruleset = ruleset
        self.kept = list(kept)
        self.copies = copies
        self.names = CardNames(ruleset)
        self._in_game = set(kept)
        self._marks = tuple(mark.default for mark in ruleset.marks)

    def read(self, ranking: Ranking, given: Sequence[object]) -> GivenHand:
        """The hand as the ranking takes it. Raises HandError.

        A pattern ranking takes one part or several: a list of cards, or `(cards, 2)` for exactly two of them. A
        condition ranking takes a value for each of its parameters, or one mapping by their names. A card is its name
        or short code, its number (`rules.cards`; reversed: with all of them added), or a mapping: `card`, and what is
        other than printed: `rank` (a rank, `every` or `none`), `suits` (one, several, `every` or `none`),
        `reversed`, and marks by name.
        """
        looks: list[Look] = []
        if isinstance(ranking, PatternRanking):
            arguments: list[Any] = [self._part(part, looks) for part in given]
        else:
            arguments = [
                self._argument(parameter, value, looks)
                for parameter, value in zip(ranking.parameters, _by_parameter(ranking, given), strict=True)
            ]
        self._check_copies(looks)
        return GivenHand(HandTable(looks), arguments, [self.names.of(look) for look in looks])

    def read_cards(self, given: object) -> GivenHand:
        """Cards without a ranking, as totals and melds take them: `arguments` holds their numbers. Raises HandError."""
        looks: list[Look] = []
        cards = self._cards(given, looks)
        self._check_copies(looks)
        return GivenHand(HandTable(looks), cards, [self.names.of(look) for look in looks])

    def _part(self, part: object, looks: list[Look]) -> PartOfHand:
        if isinstance(part, tuple) and _is_pair(part):
            cards, exactly = part
            if isinstance(exactly, bool) or not isinstance(exactly, int) or exactly < 0:
                raise HandError(f"a part is (cards, number of cards to use), not (cards, {exactly!r})")
            return self._cards(cards, looks), exactly
        return self._cards(part, looks), None

    def _argument(self, parameter: Local, value: object, looks: list[Look]) -> Any:
        kind = parameter.type
        if kind.kind == "cards":
            return self._cards(value, looks)
        if kind.kind == "card":
            return self._cards([value], looks)[0]
        if kind.kind == "enum":
            return self._member(parameter.name, kind.name, value)
        wanted = {"number": int, "truth": bool}.get(kind.kind)
        if wanted is None or type(value) is not wanted:
            raise HandError(f"`{parameter.name}` wants a {kind}, not {value!r}")
        return value

    def _cards(self, given: object, looks: list[Look]) -> list[int]:
        """The numbers that the cards get on the table."""
        if not _is_list(given):
            raise HandError(f"a hand is a list of cards, not {given!r}")
        start = len(looks)
        looks.extend(self.card(item) for item in given)  # type: ignore[attr-defined]
        return list(range(start, len(looks)))

    def card(self, given: object) -> Look:
        """One card. Raises HandError."""
        if isinstance(given, Mapping):
            return self._altered(given)
        if isinstance(given, str):
            return self._named(given)
        return self._numbered(given)

    def _named(self, text: str) -> Look:
        try:
            face, is_reversed = self.names.read(text)
        except StackError as error:
            raise HandError(str(error)) from None
        if face not in self._in_game:
            raise HandError(f"{self.names.write(face)} is not in this game")
        return printed_look(face, self.ruleset.faces[face], self._marks, is_reversed)

    def _numbered(self, given: object) -> Look:
        try:
            number = given.__index__()  # type: ignore[attr-defined]
        except AttributeError:
            raise HandError(f"a card is a name, a number or a mapping, not {given!r}") from None
        count = len(self.kept)
        if isinstance(given, bool) or not 0 <= number < 2 * count:
            raise HandError(f"cards are numbered from 0 to {count - 1} (reversed from {count}), not {given}")
        face = self.kept[number % count]
        if number >= count and not self.ruleset.decks[self.ruleset.faces[face].deck].oriented:
            raise HandError(f"card {number}: the cards of this deck do not lie reversed")
        return printed_look(face, self.ruleset.faces[face], self._marks, number >= count)

    def _altered(self, given: Mapping[Any, object]) -> Look:
        marks = {mark.name: mark for mark in self.ruleset.marks}
        known = [*_ALTERABLE, *marks]
        for key in given:
            if key not in known:
                _refuse(f"a card has no `{key}`", str(key), known)
        if "card" not in given or isinstance(given["card"], Mapping):
            raise HandError("an altered card says which: `card` with its name")
        look = self.card(given["card"])
        for key, value in given.items():
            if key in marks:
                look = look._replace(marks=self._with_mark(look.marks, marks[key], value))
            elif key != "card":
                look = look._replace(**self._alteration(key, value))
        return look

    def _alteration(self, key: str, value: object) -> dict[str, Any]:
        """The fields of a look that this key changes."""
        if key == "rank":
            any_rank = value == EVERY
            rank = None if any_rank or value in (None, NONE) else self._member("rank", "rank", value)
            return {"rank": rank, "any_rank": any_rank}
        if key in ("suit", "suits"):
            return {"suits": self._suits(value)}
        if key == "orientation":
            return {"reversed": self._member("orientation", "orientation", value) == 1}
        if not isinstance(value, bool):
            raise HandError(f"`reversed` is true or false, not {value!r}")
        return {"reversed": value}

    def _suits(self, value: object) -> int:
        if value == EVERY:
            return (1 << len(self.ruleset.enumerations["suit"].members)) - 1
        if value in (None, NONE):
            return 0
        mask = 0
        for suit in value if isinstance(value, (list, tuple, set, frozenset)) else [value]:
            mask |= 1 << self._member("suit", "suit", suit)
        return mask

    def _with_mark(self, marks: tuple[int, ...], mark: Mark, value: object) -> tuple[int, ...]:
        number = self._member(mark.name, mark.type.name, value)
        return (*marks[: mark.index], number, *marks[mark.index + 1 :])

    def _member(self, what: str, enumeration: str, value: object) -> int:
        members = self.ruleset.enumerations[enumeration].members
        folded = [fold(member) for member in members]
        if isinstance(value, bool) or fold(str(value)) not in folded:
            _refuse(f"there is no {what} `{value}`", str(value), members)
        return folded.index(fold(str(value)))

    def _check_copies(self, looks: Sequence[Look]) -> None:
        if self.copies is None:
            return
        for face, count in Counter(look.face for look in looks).items():
            if count > self.copies[face]:
                raise HandError(f"{self.names.write(face)} is given {count} times, the game has {self.copies[face]}")


def rank_hand(evaluator: Evaluator, reader: HandReader, given: Sequence[object]) -> HandValue | None:
    """The value of a hand, its cards by name; None if no category fits. Raises HandError."""
    hand = reader.read(evaluator.ranking, given)
    value = _evaluate(evaluator, hand)
    return None if value is None else value.with_cards(tuple(hand.names[card] for card in value.cards))


def count_cards(compiler: Any, spec: TotalSpec | MeldSpec, reader: HandReader, cards: Sequence[Any]) -> Any:
    """A Total, or an Arrangement with the names of the cards. Raises HandError."""
    given = reader.read_cards(cards)
    if isinstance(spec, TotalSpec):
        return compiler.evaluator(spec, TotalEvaluator).total(given.table, given.arguments)
    found = compiler.evaluator(spec, MeldEvaluator).arranged(given.table, given.arguments)
    melds = tuple(tuple(given.names[card] for card in meld) for meld in found.melds)
    return Arrangement(found.cost, melds, tuple(given.names[card] for card in found.left))


def rank_rows(evaluator: Evaluator, reader: HandReader, given: Sequence[Any], first: int = 0) -> array[int]:
    """One strength a row: greater is better, equal for ties, -1 for no hand. They compare within one call.

    `given` holds for each part or parameter the rows of cards (2-D array or lists), a part with so many to use
    as `(rows, number)`; `first` is the number of the first row. Raises HandError.
    """
    parts = [part if _is_pair(part) else (part, None) for part in given]
    if len({len(rows) for rows, _ in parts}) > 1:
        raise HandError("all parts must have as many rows")
    values = []
    for number, row in enumerate(zip(*(rows for rows, _ in parts), strict=True), start=first):
        hand = [cards if exactly is None else (cards, exactly) for cards, (_, exactly) in zip(row, parts, strict=True)]
        try:
            values.append(_evaluate(evaluator, reader.read(evaluator.ranking, hand)))
        except HandError as error:
            raise HandError(f"row {number} is no hand: {error}") from None
    keys = sorted({value.key for value in values if value is not None})
    strength = {key: number for number, key in enumerate(keys)}
    return array("q", [-1 if value is None else strength[value.key] for value in values])


def _evaluate(evaluator: Evaluator, hand: GivenHand) -> HandValue | None:
    if isinstance(evaluator, PatternEvaluator):
        return evaluator.best_hand(hand.table, hand.arguments)
    return evaluator.rate(hand.table, hand.arguments)


def _by_parameter(ranking: ConditionRanking, given: Sequence[object]) -> list[object]:
    names = [parameter.name for parameter in ranking.parameters]
    if len(given) == 1 and isinstance(given[0], Mapping) and set(given[0]) == set(names):
        return [given[0][name] for name in names]
    if len(given) != len(names):
        raise HandError(f"`{ranking.name}` takes {', '.join(names)}: {len(names)} parts, not {len(given)}")
    return list(given)


def _is_pair(part: object) -> bool:
    """`(cards, number)`, and not a hand of two cards."""
    return isinstance(part, tuple) and len(part) == 2 and _is_list(part[0])


def _is_list(given: object) -> bool:
    """A list, a tuple, or an array."""
    return not isinstance(given, (str, Mapping)) and (isinstance(given, Sequence) or hasattr(given, "__array__"))


def _refuse(message: str, text: str, known: Sequence[str]) -> NoReturn:
    hint = did_you_mean(text, known)
    raise HandError(f"{message}: {hint}" if hint else message)
