"""Decisions: picks, menus, numbers, orientations, one at a time or in secret (docs/meaning.md, Decisions).

Each is a generator that yields a `Decision` and is sent the number of the option chosen. Sent None, it makes
the same decision anew (tests ask so whether it shows what it must not).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_NUMBERS, MOST_OPTIONS
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.interpreter.decision import (
    DONE,
    Decision,
    Missing,
    Option,
    Text,
    Thing,
    label_of_many,
    menu_too_long,
    not_too_long,
)
from trionfi.interpreter.errors import fail
from trionfi.interpreter.reference.attributes import orientations
from trionfi.interpreter.reference.compiler import Asking, Compiler, Frame, Step, Value, statement
from trionfi.interpreter.reference.expressions import needed, texts_of_label
from trionfi.interpreter.reference.places import checked_size, locate
from trionfi.interpreter.reference.queries import Things, collected, domain, found
from trionfi.interpreter.reference.reasons import missing_lines, missing_things
from trionfi.interpreter.state import State
from trionfi.interpreter.texts import is_known, text_for, texts_of, value_texts, values_in

__all__: list[str] = []

Setting = tuple[list[Any], int, Any]  # a list, an index in it, and the value that goes there
Ask = Callable[[State, Frame], Asking]  # gives the settings that the choice comes to

ORIENTATION = "orientation"


def same_thing(s: State, player: int, noun: str, thing: Any) -> Any:
    """Things with the same key are one option: copies of a face in one orientation, if the player knows them."""
    if noun != "card" or not is_known(s, thing, player):
        return thing
    look = s.looks[thing]
    return look.face, look.reversed


def nothing_offered(decision: str, player: int, span: Span) -> None:
    fail("no-option", f"p{player + 1} has nothing to choose in `{decision}`", span)


def apply_settings(settings: list[Setting]) -> None:
    for values, index, value in settings:
        values[index] = value


def at_once(ask: Ask) -> Step:
    """A choice on its own: what it comes to is set when it is made."""

    def run(s: State, f: Frame) -> Asking:
        apply_settings((yield from ask(s, f)))

    return Step(run, asks=True)


# ---- picks


@statement(tree.Choose)
def run_choose(node: tree.Choose, c: Compiler) -> Step:
    return at_once(ask_choose(node, c))


class Limits(NamedTuple):
    """How many are picked: `high` None means all there are."""

    low: int
    high: int


@dataclass(slots=True)
class Series:
    """A choice under way: `things` in their order with copies together, `keys` of each, which of them are
    `picked` (by place), and with a condition on the whole the `legal` sets of places."""

    player: int
    things: list[Any]
    keys: list[Any]
    limits: Limits
    picked: list[int]
    legal: set[tuple[int, ...]] | None = None

    def values(self) -> list[Any]:
        return [self.things[i] for i in self.picked]

    def is_offered(self, place: int) -> bool:
        """Whether enough stay behind a thing to reach the least number."""
        return len(self.picked) + len(self.things) - place >= self.limits.low

    def offered(self) -> list[int]:
        """The places that may be picked next, a copy only once."""
        if self.legal is not None:
            return self.next_of_legal(self.legal)
        first = self.picked[-1] + 1 if self.picked else 0
        places = []
        for place in range(first, len(self.things)):
            is_copy = place > first and self.keys[place] == self.keys[place - 1]
            if not is_copy and self.is_offered(place):
                places.append(place)
        return places

    def next_of_legal(self, legal: set[tuple[int, ...]]) -> list[int]:
        so_far = tuple(self.picked)
        count = len(so_far)
        return sorted({places[count] for places in legal if len(places) > count and places[:count] == so_far})

    def may_stop(self) -> bool:
        if self.legal is not None:
            return tuple(self.picked) in self.legal
        return len(self.picked) >= self.limits.low


def grouped(s: State, player: int, noun: str, things: list[Any]) -> tuple[list[Any], list[Any]]:
    """Things with copies gathered at the first of them, and their keys."""
    groups: dict[Any, list[Any]] = {}
    for thing in things:
        groups.setdefault(same_thing(s, player, noun, thing), []).append(thing)
    together = [thing for group in groups.values() for thing in group]
    return together, [key for key, group in groups.items() for _ in group]


def missing_picks(node: tree.Choose, s: State, f: Frame, c: Compiler, series: Series) -> list[Missing]:
    """What may not be picked now: what the choice leaves out, and what no allowed set goes on with."""
    left_out = missing_things(node.domain, s, f, c, series.player)
    if node.such_that is None:
        return left_out
    first = series.picked[-1] + 1 if series.picked else 0
    offered, kind = series.offered(), node.domain.local.type
    return left_out + [
        Missing(text_for(s, value_texts(s, kind, series.things[place]), series.player), unfit(node.such_that))
        for place in range(first, len(series.things))
        if place not in offered
    ]


def unfit(condition: tree.Expr) -> str:
    return f"no set goes on with it such that {' '.join(condition.span.text.split())}"


class Asked(NamedTuple):
    """What a choice is about: the decision's name, the noun and type of its things, the place in the text."""

    decision: str
    noun: str
    kind: Type
    span: Span
    private: bool = False


def ask_choose(node: tree.Choose, c: Compiler) -> Ask:
    begin, at = begin_choose(node, c), locate(node.target, c)
    result = choose_result(node)
    asked = Asked(node.decision, node.domain.noun, node.domain.local.type, node.span, is_secret(node.target))

    def ask(s: State, f: Frame) -> Asking:
        series = begin(s, f)
        while len(series.picked) < series.limits.high:
            offered, stop = series.offered(), series.may_stop()
            decision = pick_decision(s, asked, series, offered, stop)
            decision.why = partial(missing_picks, node, s, f, c, series)
            move = yield decision
            if move is None:
                series = series if series.picked else begin(s, f)
            elif move == len(offered):
                break
            else:
                series.picked.append(offered[move])
        return [(*at(s, f), result(s, series.values()))]

    return ask


def choose_result(node: tree.Choose) -> Callable[[State, list[Any]], Any]:
    noun = node.domain.noun
    if node.single:
        return lambda _s, picked: picked[0] if picked else None
    size = checked_size(node.target, lambda picked, _f: picked, node.span)
    return lambda _s, picked: size(collected(noun, picked), [])


def begin_choose(node: tree.Choose, c: Compiler) -> Callable[[State, Frame], Series]:
    player, low = needed(node.player, c), needed(node.low, c)
    high = needed(node.high, c) if node.high is not None else None
    things, noun = found(domain(node.domain, c)), node.domain.noun
    legal = legal_sets(node, c) if node.such_that is not None else None

    def begin(s: State, f: Frame) -> Series:
        who, least = player(s, f), low(s, f)
        most = high(s, f) if high is not None else None
        together, keys = grouped(s, who, noun, things(s, f))
        series = Series(who, together, keys, Limits(least, len(together) if most is None else most), [])
        if legal is not None and series.limits.high > 0:
            series.legal = legal(s, f, series)
        return series

    return begin


def legal_sets(node: tree.Choose, c: Compiler) -> Callable[[State, Frame, Series], set[tuple[int, ...]]]:
    """The sets of places that the condition on the whole allows."""
    if node.such_that is None or node.chosen is None:
        raise ValueError("a choice without `such that`")
    condition, slot, noun = c.value(node.such_that), node.chosen.index, node.domain.noun

    def legal(s: State, f: Frame, series: Series) -> set[tuple[int, ...]]:
        allowed = set()
        for places in candidate_sets(series.keys, series.limits):
            f[slot] = collected(noun, [series.things[i] for i in places])
            if condition(s, f):
                allowed.add(places)
        return allowed

    return legal


def candidate_sets(keys: Sequence[Any], limits: Limits) -> Iterator[tuple[int, ...]]:
    """All sets of places of the wanted sizes; of copies always the first ones."""
    stack: list[tuple[int, ...]] = [()]
    while stack:
        places = stack.pop()
        if len(places) >= limits.low:
            yield places
        if len(places) == limits.high:
            continue
        first = places[-1] + 1 if places else 0
        stack.extend(
            (*places, place)
            for place in range(len(keys) - 1, first - 1, -1)
            if place == first or keys[place] != keys[place - 1]
        )


def pick_option(s: State, player: int, asked: Asked, thing: Any) -> Option:
    texts = value_texts(s, asked.kind, thing)
    return Option(text_for(s, texts, player), (Thing(asked.noun, thing),), texts=texts)


def pick_decision(
    s: State,
    asked: Asked,
    series: Series,
    offered: list[int],
    stop: bool,
    option: Callable[[State, int, Asked, Any], Option] = pick_option,
) -> Decision:
    """One pick of a series; `option` makes the option of a thing."""
    if not offered and not stop:
        nothing_offered(asked.decision, series.player, asked.span)

    def options() -> list[Option]:
        made = (option(s, series.player, asked, series.things[place]) for place in offered)
        return not_too_long(chain(made, [Option(DONE)] * stop), partial(menu_too_long, asked.span))

    decision = Decision(series.player, asked.decision, len(offered) + stop, options)
    if s.log is not None:
        decision.picked = [option(s, series.player, asked, thing).label for thing in series.values()]
    decision.left = series.limits.high - len(series.picked)
    decision.private = asked.private
    return decision


def is_secret(target: tree.Place) -> bool:
    return isinstance(target, tree.VariableValue) and target.variable.secret


# ---- numbers and orientations


@statement(tree.ChooseNumber)
def run_choose_number(node: tree.ChooseNumber, c: Compiler) -> Step:
    return at_once(ask_number(node, c))


def ask_number(node: tree.ChooseNumber, c: Compiler) -> Ask:
    player, low, high = needed(node.player, c), needed(node.low, c), needed(node.high, c)
    step = needed(node.step, c) if node.step is not None else c.constant(1)
    at, private = locate(node.target, c), is_secret(node.target)

    def offer(s: State, f: Frame) -> Decision:
        who, least, most, by = player(s, f), low(s, f), high(s, f), step(s, f)
        if most < least:
            what = f"p{who + 1} has no number to choose in `{node.decision}`: {least} to {most}"
            fail("no-option", what, node.span)
        if by < 1:
            fail("bad-step", f"the step of `{node.decision}` is {by}", node.span)
        decision = Decision.of_number(who, node.decision, least, most, by)
        if decision.count > MOST_NUMBERS:
            what = f"there are more than {MOST_NUMBERS:,} numbers to choose from in `{node.decision}`"
            fail("bad-step", what, node.span)
        decision.private = private
        return decision

    def ask(s: State, f: Frame) -> Asking:
        move = None
        while move is None:
            decision = offer(s, f)
            move = yield decision
        return [(*at(s, f), decision.number(move))]

    return ask


@statement(tree.ChooseOrientation)
def run_choose_orientation(node: tree.ChooseOrientation, c: Compiler) -> Step:
    ask = ask_orientation(node, c)
    _, turned = orientations(c)

    def run(s: State, f: Frame) -> Asking:
        yield from ask(s, f, lambda card, orientation: s.orient(card, orientation == turned))

    return Step(run, asks=True)


def ask_orientation(node: tree.ChooseOrientation, c: Compiler) -> Callable[..., Asking]:
    """A decision a card; each card and the orientation chosen go to `settle` at once."""
    player, cards = needed(node.player, c), found(domain(node.domain, c))
    words = c.ruleset.enumerations[ORIENTATION].members

    def offer(who: int, card: int) -> Decision:
        def options() -> list[Option]:
            return [
                Option(word, (Thing(ORIENTATION, i),), texts=[Text(word, card, "upright or reversed")])
                for i, word in enumerate(words)
            ]

        decision = Decision(who, ORIENTATION, len(words), options)
        decision.card = card
        return decision

    def ask(s: State, f: Frame, settle: Callable[[int, int], None]) -> Asking:
        who = player(s, f)
        for card in cards(s, f):
            move = None
            while move is None:
                move = yield offer(who, card)
            settle(card, move)

    return ask


# ---- menus


class Line(NamedTuple):
    """A line of a menu: its things, condition, label and what it does."""

    item: tree.MenuItem
    things: list[tuple[str, Things]]
    condition: Value | None
    label: Value
    body: Step


class MenuEntry(NamedTuple):
    """A line as it is offered, about certain things."""

    line: int
    things: tuple[Any, ...]


@statement(tree.Menu)
def run_menu(node: tree.Menu, c: Compiler) -> Step:
    player = needed(node.player, c)
    lines = [menu_line(item, c) for item in node.items]

    def ask(s: State, f: Frame) -> Asking:
        move = None
        while move is None:
            who = player(s, f)
            entries = menu_entries(s, f, who, lines, node.span)
            decision = menu_decision(s, f, node, who, lines, entries)
            decision.why = partial(missing_lines, node, s, f, c, who)
            move = yield decision
        line = lines[entries[move].line]
        take_up(f, line, entries[move].things)
        run, asks = line.body
        return (yield from run(s, f)) if asks else run(s, f)

    return Step(ask, asks=True)


def menu_line(item: tree.MenuItem, c: Compiler) -> Line:
    return Line(
        item=item,
        things=[(node.noun, domain(node, c)) for node in item.domains],
        condition=c.value(item.condition) if item.condition is not None else None,
        label=texts_of_label(item.label, c),
        body=c.block(item.body),
    )


def take_up(f: Frame, line: Line, values: tuple[Any, ...]) -> None:
    """Puts the things of a line into the frame."""
    for (_, things), value in zip(line.things, values, strict=True):
        f[things.slot] = value


def menu_entries(s: State, f: Frame, player: int, lines: list[Line], span: Span) -> list[MenuEntry]:
    """Lines as they stand, each for its things in order; of the same line about the same things the first."""
    entries: list[MenuEntry] = []

    def add(entry: MenuEntry) -> None:
        if len(entries) == MOST_OPTIONS:
            fail("too-many-options", f"there are more than {MOST_OPTIONS:,} options here", span)
        entries.append(entry)

    for number, line in enumerate(lines):
        if not line.things:
            if line.condition is None or line.condition(s, f):
                add(MenuEntry(number, ()))
            continue
        seen = set()
        for things in thing_tuples(s, f, line.things):
            if line.condition is not None and not line.condition(s, f):
                continue
            key = tuple(
                same_thing(s, player, noun, thing) for (noun, _), thing in zip(line.things, things, strict=True)
            )
            if key not in seen:
                seen.add(key)
                add(MenuEntry(number, things))
    return entries


def thing_tuples(s: State, f: Frame, domains: Sequence[tuple[str, Things]]) -> Iterator[tuple[Any, ...]]:
    """Each thing of the first with each of the second and so on; they stand in the frame meanwhile."""
    if not domains:
        yield ()
        return
    slot, source, where = domains[0][1]
    for thing in source(s, f):
        f[slot] = thing
        if where is None or where(s, f):
            for others in thing_tuples(s, f, domains[1:]):
                yield (thing, *others)


def menu_decision(
    s: State, f: Frame, node: tree.Menu, player: int, lines: list[Line], entries: list[MenuEntry]
) -> Decision:
    if not entries:
        nothing_offered(node.decision, player, node.span)

    def options() -> list[Option]:
        made = (menu_option(s, f, player, lines[entry.line], entry.things) for entry in entries)
        return not_too_long(made, partial(menu_too_long, node.span))

    return Decision(player, node.decision, len(entries), options)


def menu_option(s: State, f: Frame, player: int, line: Line, values: tuple[Any, ...]) -> Option:
    take_up(f, line, values)
    parts = line.label(s, f)
    label_of_many(values_in(parts), line.item.label.span)
    texts = texts_of(s, parts)
    things = tuple(Thing(noun, value) for (noun, _), value in zip(line.things, values, strict=True))
    return Option(text_for(s, texts, player), things, line.item, texts)


# ---- in secret


@statement(tree.Secret)
def run_secret(node: tree.Secret, c: Compiler) -> Step:
    """Nothing is set before all have chosen; then in the order in which it was asked."""
    slot, source, where = domain(node.players, c)
    choices = [secret_choice(choice, c) for choice in node.choices]
    players = found(Things(slot, source, where))

    def run(s: State, f: Frame) -> Asking:
        if s.log is not None:
            s.log.sealed = []
        settle: list[Callable[[State], None]] = []
        for seat in players(s, f):
            f[slot] = seat
            for choice in choices:
                made = yield from choice(s, f)
                settle.append(made)
        for set_all in settle:
            set_all(s)
        if s.log is not None:
            s.log.unseal()

    return Step(run, asks=True)


def secret_choice(node: tree.Choose | tree.ChooseNumber | tree.ChooseOrientation, c: Compiler) -> Ask:
    """Gives what has to be done in the end."""
    _, turned = orientations(c)
    if isinstance(node, tree.ChooseOrientation):
        ask_sides = ask_orientation(node, c)

        def sides(s: State, f: Frame) -> Asking:
            chosen: list[tuple[int, int]] = []
            yield from ask_sides(s, f, lambda card, orientation: chosen.append((card, orientation)))
            return lambda state: [state.orient(card, orientation == turned) for card, orientation in chosen]

        return sides
    ask = ask_choose(node, c) if isinstance(node, tree.Choose) else ask_number(node, c)

    def choice(s: State, f: Frame) -> Asking:
        settings = yield from ask(s, f)
        return lambda _state: apply_settings(settings)

    return choice
