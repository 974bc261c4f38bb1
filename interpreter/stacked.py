"""Stacked games: what zones receive, what variables start with, how chance falls (docs/meaning.md, Chance)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trionfi.dsl.source import Span
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.errors import StackError, fail
from trionfi.interpreter.names import CardNames, listed, read_number, read_value, refuse
from trionfi.interpreter.table import Table

__all__ = ["Deal", "ForcedLot", "Stack", "read_deal"]

FaceAndSide = tuple[int, bool]  # a face, and whether it lies reversed
Outcome = int | list[FaceAndSide]


@dataclass(frozen=True, slots=True)
class Deal:
    """A stacked game as it was asked for, read and found good. `cards`: for zones with one list (the places of
    a row share theirs); `set`: (variable, owner) and value; `chance`: as written there."""

    cards: Sequence[tuple[tuple[int, ...], Sequence[FaceAndSide]]] = ()
    set: Mapping[tuple[int, int], Any] = field(default_factory=dict)
    chance: Sequence[Outcome] = ()
    begin: bool = True  # else the game stands before its first statement
    given: Mapping[str, Any] = field(default_factory=dict)  # as texts, ready for JSON


class Stack:
    """What is still to come of a stacked game."""

    def __init__(self, deal: Deal) -> None:
        self.lists: dict[int, deque[FaceAndSide]] = {}
        for zones, cards in deal.cards:
            shared = deque(cards)
            self.lists.update(dict.fromkeys(zones, shared))
        self.named: list[deque[FaceAndSide]] = list({id(cards): cards for cards in self.lists.values()}.values())
        self.setting = deal.set
        self.undrawn = set(deal.set)
        self.numbers = deque(outcome for outcome in deal.chance if isinstance(outcome, int))
        self.orders = deque(outcome for outcome in deal.chance if not isinstance(outcome, int))

    def spares_draw(self, variable: int, owner: int) -> bool:
        """Whether a draw by lot is left out, because the variable has been set: the first one is."""
        if (variable, owner) not in self.undrawn:
            return False
        self.undrawn.remove((variable, owner))
        return True


class ForcedLot(Stream):
    """The game's stream, after the outcomes that a stacked game gives to its random draws."""

    __slots__ = ("numbers",)

    def __init__(self, seed: int, game: int, numbers: deque[int]) -> None:
        super().__init__(seed, game)
        self.numbers = numbers

    def listed(self) -> int | None:
        """The next outcome that is given; none if none is left."""
        return self.numbers.popleft() if self.numbers else None

    def lot_of(self, count: int, span: Span) -> int:
        """One of `count`: the next outcome that is given, else drawn."""
        if not self.numbers:
            return self.below(count)
        number = self.numbers.popleft()
        if not 0 <= number < count:
            fail("stacked-chance", f"outcome {number} is given to a draw among {count}, counted from 0", span)
        return number


# ---- reading


def read_deal(
    table: Table,
    names: CardNames,
    cards: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    chance: Sequence[Any] | None = None,
    begin: bool = True,
) -> Deal:
    """Reads a stacked game. Raises StackError with the nearest known name."""
    return Deal(
        cards=read_lists(table, names, cards or {}),
        set=dict(read_setting(table, names, name, value) for name, value in (set or {}).items()),
        chance=[read_outcome(names, outcome) for outcome in chance or ()],
        begin=begin,
        given={
            "cards": {name: [str(card) for card in listed(value)] for name, value in (cards or {}).items()},
            "set": dict(set or {}),
            "chance": list(chance or ()),
            **({} if begin else {"begin": False}),
        },
    )


def read_lists(
    table: Table, names: CardNames, cards: Mapping[str, Any]
) -> list[tuple[tuple[int, ...], list[FaceAndSide]]]:
    known = zones_by_name(table)
    lists: list[tuple[tuple[int, ...], list[FaceAndSide]]] = []
    for name, given in cards.items():
        if name not in known:
            refuse("there is no zone", name, list(known))
        if any(zone in known[name] for zones, _ in lists for zone in zones):
            raise StackError(f"`{name}` is given cards twice")
        lists.append((known[name], [names.read(str(card)) for card in listed(given)]))
        check_copies(table, *lists[-1])
    return lists


def check_copies(table: Table, zones: Sequence[int], cards: Sequence[FaceAndSide]) -> None:
    """Where cards lie from the start, a list says how; none lies there more often than the game has it. (Elsewhere a
    card may come again.) Raises StackError."""
    if not any(zone in zones for zone, _ in table.start):
        return
    there_are = Counter(table.looks[card].face for card in table.in_game)
    for face, count in Counter(face for face, _ in cards).items():
        if count > there_are[face]:
            name = table.ruleset.faces[face].name
            found = f"listed {times(count)} in one zone, and is {times(there_are[face])} in the game"
            raise StackError(f"`{name}` is {found}")


def times(count: int) -> str:
    return {0: "not", 1: "once", 2: "twice"}.get(count, f"{count} times")


def zones_by_name(table: Table) -> dict[str, tuple[int, ...]]:
    """All names by which zones are called: `p1.hand`, `pile[1]`, `internal` (the places of the row), `root`."""
    known: dict[str, tuple[int, ...]] = {name: (zone,) for name, zone in table.zones_by_name.items()}
    for family in table.ruleset.zones:
        if family.shape != "row":
            continue
        for owner in range(table.owners(family.per)):
            places = tuple(table.places_of(family, owner))
            known[table.owned_name(family.per, owner, family.name)] = places
            for name, zone in zip(family.place_names, places, strict=False):
                known[table.owned_name(family.per, owner, name)] = (zone,)
    return known


def read_setting(table: Table, names: CardNames, name: str, given: Any) -> tuple[tuple[int, int], Any]:
    known = variables_by_name(table)
    if name not in known:
        refuse("there is no variable", name, list(known))
    variable = table.ruleset.variables[known[name][0]]
    try:
        value = read_value(table, names, variable.type, given)
    except StackError as error:
        raise StackError(f"`{name}`: {error}") from None
    if variable.type.kind == "cards" and variable.most and len(value) > variable.most:
        raise StackError(f"`{name}` holds at most {variable.most} cards, and is given {len(value)}")
    return known[name], value


def variables_by_name(table: Table) -> dict[str, tuple[int, int]]:
    return {
        table.value_name(variable, owner): (variable.index, owner)
        for variable in table.ruleset.variables
        for owner in range(table.size(variable))
    }


def read_outcome(names: CardNames, given: Any) -> Outcome:
    if isinstance(given, list | tuple):
        return [names.read(str(card)) for card in given]
    written = isinstance(given, str) and given.strip().removeprefix("-").isdecimal()
    if isinstance(given, bool) or not (written or isinstance(given, int)):
        raise StackError(f"an outcome is a number or a list of cards, not `{given}`")
    return read_number(given)
