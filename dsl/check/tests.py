"""The tests of a ruleset: hands that are compared, and situations that are dealt, played and looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame, RowPlace, fold
from trionfi.dsl.check.fields import entries, found, mapping_of, scalar, text, whole_number, wrong
from trionfi.dsl.check.options import read_value
from trionfi.dsl.check.spoken import owner_of
from trionfi.dsl.diagnostics import declare_absences, declare_codes, did_you_mean
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.nodes import Sequence as ListNode
from trionfi.dsl.numbers import read_whole
from trionfi.dsl.tree import (
    ConditionRanking,
    Expectation,
    HandTest,
    Option,
    PatternRanking,
    SituationTest,
    Strategy,
    Variable,
    Written,
    ZoneFamily,
)
from trionfi.dsl.types import CARD, CARDS, NUMBER, PLAYER, TRUTH, enum

declare_codes(
    {
        "test-keys": "A test compares hands, or plays a situation.",
        "test-card": "Tests name cards of the game.",
        "test-name": "Tests name zones, variables, options, rankings and strategies of the game.",
        "test-seat": "Seats are `p1`, `p2` and so on, up to the number of players.",
        "test-value": "A variable is set to a value of its kind.",
    }
)
declare_absences("test-card", "test-name")

_HAND_KEYS = frozenset({"ranking", "better", "worse", "equal", "hand", "category"})
_SITUATION_KEYS = frozenset({"cards", "set", "chance", "moves", "then", "offered", "expect"})
_SEAT = re.compile(r"p([1-9][0-9]{0,5})")
_PLACE = re.compile(r"(?:(?P<owner>\w+)\.)?(?P<name>\w+)(?:\[(?P<place>[0-9]{1,9})\])?")
_WHOLE = re.compile(r"-?[0-9]+")
_FACING = re.compile(r"\s+(?:reversed|upright)$", re.IGNORECASE)

Rankings = dict[str, PatternRanking | ConditionRanking]


@dataclass(slots=True)
class TestReader:
    """Reads tests against the names of their game."""

    __test__ = False  # not a test of pytest's

    context: Context
    rankings: Rankings
    options: dict[str, Option]
    strategies: dict[str, Strategy]

    def read(self, tests: list[Entry]) -> list[HandTest | SituationTest]:
        """All tests that can be read, in the order of the text."""
        found = (self._test(entry) for entry in tests)
        return [test for test in found if test is not None]

    def _test(self, entry: Entry) -> HandTest | SituationTest | None:
        node = mapping_of(self.context, entry.value, "a test")
        if node is None:
            return None
        options = {one.key.text.strip(): self._option(one) for one in entries(node.get("options"))}
        seats = node.get("players")
        low, high = self.context.players
        players = whole_number(self.context, seats, "the number of players", low, high) if seats else None
        is_hands = "ranking" in node
        for other in node.keys:
            if other in (_SITUATION_KEYS if is_hands else _HAND_KEYS):
                kind = "compares hands" if is_hands else "plays a situation"
                self._wrong("test-keys", f"this test {kind}, so it has no `{other}`", node.entry(other), node)
        if is_hands:
            return self._hand_test(entry.key, node, options, players)
        with self._seated(players or low):
            return self._situation(entry.key, node, options, players)

    @contextmanager
    def _seated(self, players: int) -> Iterator[None]:
        """The table has just the seats of this test meanwhile."""
        before = self.context.players
        self.context.players = players, players
        try:
            yield
        finally:
            self.context.players = before

    def _wrong(self, code: str, message: str, entry: Entry | None, node: Node, hint: str = "") -> None:
        self.context.diagnostics.error(code, message, entry.key.span if entry else node.span, hint)

    def _option(self, entry: Entry) -> str:
        """The value of an option as written, after a look whether it does."""
        name, written = entry.key.text.strip(), text(self.context, entry.value, f"`{entry.key.text}`")
        option = self.options.get(name)
        if option is None:
            hint = did_you_mean(name, self.options)
            self._wrong("test-name", f"there is no option `{name}`", entry, entry.key, hint)
            return written
        value = read_value(option, written, self.context.members(option.type))
        if isinstance(value, str):
            self.context.diagnostics.error("test-value", value, entry.value.span)
        return written

    # ---- hands

    def _hand_test(self, title: Scalar, node: Mapping, options: dict[str, str], players: int | None) -> HandTest | None:
        name = text(self.context, node.get("ranking"), "the ranking")
        ranking = self.rankings.get(name)
        if ranking is None:
            hint = did_you_mean(name, self.rankings)
            at = node.get("ranking") or node
            self.context.diagnostics.error("test-name", f"there is no ranking `{name}`", at.span, hint)
            return None
        test = HandTest(title.text, title.span, options, players, name)
        for key in ("better", "worse", "hand"):
            if hand := node.get(key):
                setattr(test, key, self._hand(hand, ranking))
        equal = node.get("equal")
        if isinstance(equal, ListNode):
            test.equal = [self._hand(hand, ranking) for hand in equal]
        test.category = text(self.context, node.get("category"), "the category") or None
        self._check_hand_test(test, node, ranking)
        return test

    def _check_hand_test(self, test: HandTest, node: Mapping, ranking: PatternRanking | ConditionRanking) -> None:
        keys = set(node.keys)
        if not any(wanted <= keys for wanted in ({"better", "worse"}, {"equal"}, {"hand", "category"})):
            hint = "write `better` and `worse`, or `equal`, or `hand` and `category`"
            self._wrong("test-keys", "this test says nothing of its hands", None, node, hint)
        known = [category.name for category in ranking.categories]
        at = node.get("category")
        if test.category and at and test.category not in known:
            message = f"`{ranking.name}` has no category `{test.category}`"
            self.context.diagnostics.error("test-name", message, at.span, did_you_mean(test.category, known))

    def _hand(self, node: Node, ranking: PatternRanking | ConditionRanking) -> list[list[str]]:
        """A hand, as one list of cards for each parameter of the ranking (a pattern ranking has one)."""
        if isinstance(ranking, PatternRanking):
            return [self._cards(node)]
        names = [parameter.name for parameter in ranking.parameters]
        mapping = mapping_of(self.context, node, f"a hand of `{ranking.name}`")
        for entry in entries(mapping):
            if entry.key.text.strip() not in names:
                message = f"`{ranking.name}` has no cards called `{entry.key.text}`"
                self._wrong("test-name", message, entry, node, did_you_mean(entry.key.text, names))
        parts = (mapping.get(name) if mapping else None for name in names)
        return [self._cards(part) if part is not None else [] for part in parts]

    def _cards(self, node: Node) -> list[str]:
        return [written.text for written in self._written_cards(node)]

    def _written_cards(self, node: Node) -> list[Written]:
        if not isinstance(node, ListNode):
            wrong(self.context, node, f"cards are a list such as `[As, Kd]`, not {found(node)}")
            return []
        cards = [Written(item.text.strip(), item.span) for item in node if isinstance(item, Scalar)]
        for card in cards:
            self._check_card(card)
        return cards

    def _check_card(self, card: Written) -> bool:
        name = _FACING.sub("", card.text)
        if fold(name) in self.context.names.cards:
            return True
        names = {fold(face.name): face.name for face in self.context.faces}
        near = did_you_mean(fold(name), names)
        hint = f"did you mean `{names[near.split('`')[1]]}`?" if near else ""
        self.context.diagnostics.error("test-card", f"there is no card `{card.text}`", card.span, hint)
        return False

    # ---- situations

    def _situation(self, title: Scalar, node: Mapping, options: dict[str, str], players: int | None) -> SituationTest:
        test = SituationTest(title.text, title.span, options, players)
        for entry in entries(node.get("cards")):
            self._check_zone(entry.key)
            test.cards[entry.key.text.strip()] = self._written_cards(entry.value)
        for entry in entries(node.get("set")):
            test.set[entry.key.text.strip()] = self._set_value(entry)
        test.chance = [self._written(item) for item in _items(node.get("chance"))]
        if moves := node.get("moves"):
            test.moves = [move for item in _items(moves) for move in self._moves(item)]
        test.then = text(self.context, node.get("then"), "`then`")
        self._check_then(test.then, node.get("then"))
        test.offered = self._offered(node.get("offered"))
        test.expect = self._expectations(node.get("expect"))
        if "expect" not in node and "offered" not in node:
            hint = "write `expect:` with a condition, or `offered:` with what is asked next"
            self._wrong("test-keys", "this test expects nothing", None, title, hint)
        return test

    def _written(self, node: Node) -> Written:
        """A value; a list as its words with commas."""
        if isinstance(node, ListNode):
            return Written(", ".join(text(self.context, item, "a value") for item in node), node.span)
        return Written(text(self.context, node, "a value"), node.span)

    def _check_then(self, then: str, node: Node | None) -> None:
        if node is not None and then != "random" and then not in self.strategies:
            known = ["random", *self.strategies]
            hint = did_you_mean(then, known)
            self.context.diagnostics.error("test-name", f"there is no strategy `{then}`", node.span, hint)

    def _moves(self, node: Node) -> Iterator[tuple[int, Written]]:
        """`p1: raise`, or `p1: [2s, 3s, done]` for several in a row."""
        for entry in entries(mapping_of(self.context, node, "a move")):
            seat = self._seat(entry.key)
            if seat is not None:
                values = _items(entry.value) if isinstance(entry.value, ListNode) else [entry.value]
                yield from ((seat, self._written(value)) for value in values)

    def _seat(self, slot: Scalar) -> int | None:
        match = _SEAT.fullmatch(slot.text.strip())
        last = self.context.players[1]
        if match and int(match[1]) <= last:
            return int(match[1]) - 1
        seats = f"the seats of this test are p1 to p{last}" if last > 1 else "the only seat of this test is p1"
        message = f"{seats}, not `{slot.text.strip()}`"
        self.context.diagnostics.error("test-seat", message, slot.span)
        return None

    def _offered(self, node: Node | None) -> tuple[int, list[Written]] | None:
        """Who is asked, and for what: `{p1: [fold, call 5]}`; a number as its range: `{p1: 4..10}`."""
        for entry in entries(mapping_of(self.context, node, "`offered`") if node is not None else None):
            seat = self._seat(entry.key)
            if seat is not None:
                values = _items(entry.value) if isinstance(entry.value, ListNode) else [entry.value]
                return seat, [self._written(value) for value in values]
        return None

    def _expectations(self, node: Node | None) -> list[Expectation]:
        items = _items(node) if isinstance(node, ListNode) else [node] if node is not None else []
        expectations = []
        for item in items:
            slot = scalar(self.context, item, "a condition")
            frame = Frame(self.context)
            condition = slots.condition(self.context, slot, frame) if slot else None
            if condition is not None and slot is not None:
                expectations.append(Expectation(condition, frame.locals, slot.span))
        return expectations

    # ---- names of zones and variables

    def _check_zone(self, key: Scalar) -> None:
        """`stock`, `p1.hand`, `pile[1]`, `internal[2]`, `root`."""
        match = _PLACE.fullmatch(key.text.strip())
        thing = self._named(match["owner"], match["name"]) if match else None
        if isinstance(thing, RowPlace):
            return
        if match is None or not isinstance(thing, ZoneFamily):
            known = self._known(ZoneFamily)
            hint = did_you_mean(match["name"] if match else key.text, known)
            self.context.diagnostics.error("test-name", f"there is no zone `{key.text.strip()}`", key.span, hint)
        elif match["place"] and not 1 <= int(match["place"]) <= thing.places:
            message = f"`{thing.name}` has the places 1 to {thing.places}"
            self.context.diagnostics.error("test-name", message, key.span)

    def _named(self, owner: str | None, name: str) -> object:
        """The zone or variable so written; none if it is another owner's kind."""
        names = self.context.names
        if owner is None:
            entry = names.globals.get(name)
            return entry.thing if entry else None
        seat = _SEAT.fullmatch(owner)
        if seat:
            return names.belonging("player", name) if int(seat[1]) <= self.context.players[1] else None
        if re.fullmatch(r"team[1-9][0-9]*", owner):
            return names.belonging("team", name)
        kinds = [enum(one.name) for one in self.context.enumerations.values() if owner in one.members]
        return next((thing for kind in kinds if (thing := names.belonging(owner_of(kind), name))), None)

    def _known(self, kind: type) -> list[str]:
        names = self.context.names
        spaces = [names.globals, *names.belongings.values()]
        return [name for space in spaces for name, entry in space.items() if isinstance(entry.thing, kind)]

    def _set_value(self, entry: Entry) -> Written:
        written = self._written(entry.value)
        name = entry.key.text.strip()
        spot, _, last = name.rpartition(".")
        match = _PLACE.fullmatch(name)
        thing = self._named(match["owner"], match["name"]) if match else None
        if _PLACE.fullmatch(spot) and spot.endswith("]"):
            thing = self.context.names.belonging("zone", last)
        if not isinstance(thing, Variable):
            hint = did_you_mean(last or name, self._known(Variable))
            self._wrong("test-name", f"there is no variable `{name}`", entry, entry.key, hint)
        elif not self._fits(thing, entry.value, written):
            message = f"`{written.text}` is no value of `{thing.name}`"
            self.context.diagnostics.error("test-value", message, written.span, self._value_hint(thing))
        return written

    def _fits(self, variable: Variable, node: Node, written: Written) -> bool:
        if variable.type in (CARD, CARDS):
            items = _items(node) if isinstance(node, ListNode) else [node]
            cards = [Written(item.text.strip(), item.span) for item in items if isinstance(item, Scalar)]
            known = [card.text == "none" or self._check_card(card) for card in cards]  # every wrong one is reported
            return all(known)
        check = _VALUES.get(variable.type.kind)
        return check is None or check(self.context, variable, written.text)

    def _value_hint(self, variable: Variable) -> str:
        if variable.type.kind == "enum":
            return f"it is one of {', '.join(self.context.members(variable.type))}"
        return {NUMBER: "it is a whole number", TRUTH: "it is true or false", PLAYER: "it is a seat such as `p1`"}.get(
            variable.type, ""
        )


def _is_member(context: Context, variable: Variable, value: str) -> bool:
    return value == "none" or value in context.members(variable.type)


def _is_seat(context: Context, variable: Variable, value: str) -> bool:
    seat = _SEAT.fullmatch(value)
    return value == "none" or (seat is not None and int(seat[1]) <= context.players[1])


def _is_number(context: Context, variable: Variable, value: str) -> bool:
    if value == "none":
        return variable.unset
    return _WHOLE.fullmatch(value) is not None and read_whole(value) is not None


def _is_truth(context: Context, variable: Variable, value: str) -> bool:
    return value in ("true", "false")


_VALUES = {"number": _is_number, "truth": _is_truth, "player": _is_seat, "enum": _is_member}


def _items(node: Node | None) -> list[Node]:
    return list(node) if isinstance(node, ListNode) else []
