"""What the text of a function says about its names: how each is made, who reads it, how long a list can be."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod

from trionfi.core import ir
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.types import Kind
from trionfi.dsl import tree
from trionfi.dsl.types import PLAYS
from trionfi.interpreter.native.layout import Layout
from trionfi.interpreter.native.play_record import most_things

__all__ = ["STOPPING", "CardsOrigin", "FunctionFacts", "returned"]

MANY = 1 << 20  # passes of a loop that has no bound of its own
OFFERS = (Op.OFFER, Op.OFFER_PICK, Op.OFFER_DONE)
OF_THE_SAME = (Op.GROUPED, Op.FIRST_ITEMS, Op.WITHOUT)  # what they give is among their first argument


STOPPING = (Op.TOTAL, Op.ARRANGED, Op.ARRANGEMENT_COST, Op.IS_MELD)  # they may stop the game


def named(let: ir.Let) -> str:
    return let.target.text if let.target is not None else ""


@dataclass(frozen=True, slots=True)
class CardsOrigin:
    """Where cards of a list lie, if it is in zones of one family, and how many they are at most."""

    family: tree.ZoneFamily | None
    most: int


class FunctionFacts:
    def __init__(self, core: ir.Function, layout: Layout, program: ir.Program | None = None) -> None:
        self.core, self.layout, self.rules, self.program = core, layout, layout.rules, program
        self.lets: dict[str, ir.Let] = {}
        self.eaches: dict[str, ir.Each] = {}
        self.vars: dict[str, ir.Var] = {}
        self.calls: dict[str, ir.Call] = {}
        self.readers: dict[str, list[ir.Statement]] = {}
        self.changes: dict[str, list[ir.Push | ir.Set]] = {}
        self.around: dict[int, tuple[ir.Statement, ...]] = {}  # the loops around a statement
        self.lines: dict[int, int] = {}  # of what stands in a case of a switch, its number; the last: -1
        self._asked_for: set[str] = set()
        self._note(core.body, ())

    def _note(self, block: ir.Block, loops: tuple[ir.Statement, ...]) -> None:
        for statement in block:
            self.around[id(statement)] = loops
            self._note_names(statement)
            inner = (*loops, statement) if isinstance(statement, ir.Loop | ir.For | ir.Each) else loops
            for below in ir.blocks_of(statement):
                self._note(below, inner)

    def _note_names(self, statement: ir.Statement) -> None:
        for operand in ir.operands_of(statement):
            if isinstance(operand, ir.Name):
                self.readers.setdefault(operand.text, []).append(statement)
        match statement:
            case ir.Let(target=ir.Name(text=text)):
                self.lets[text] = statement
            case ir.Call(target=ir.Name(text=text)):
                self.calls[text] = statement
            case ir.Each(name=name):
                self.eaches[name.text] = statement
            case ir.Var(name=name):
                self.vars[name.text] = statement
            case ir.Push(name=name) | ir.Set(name=name):
                self.changes.setdefault(name.text, []).append(statement)
            case ir.Switch(cases=cases, otherwise=otherwise):
                for value, block in (*cases, (-1, otherwise)):
                    self.lines |= dict.fromkeys(map(id, block), value)
            case _:
                pass

    def unread(self, silent: Container[Op]) -> set[str]:
        """The names that nothing needs, where operations that are `silent` need none."""
        found: set[str] = set()
        for name, made in reversed(self.lets.items()):
            if SIGNATURES[made.op].writes or made.op in STOPPING or made.op is Op.BEST_HAND:
                continue
            readers = self.readers.get(name, [])
            if all(isinstance(one, ir.Let) and (one.op in silent or named(one) in found) for one in readers):
                found.add(name)
        return found

    def let_of(self, operand: ir.Operand) -> ir.Let | None:
        """How an operand is made, seen through `unwrap`."""
        while isinstance(operand, ir.Name):
            made = self.lets.get(operand.text)
            if made is None or made.op is not Op.UNWRAP:
                return made
            operand = made.args[0]
        return None

    def only_reader(self, name: ir.Name | None) -> ir.Let | None:
        """The operation that alone reads a name, once."""
        readers = self.readers.get(name.text, []) if name is not None else []
        return readers[0] if len(readers) == 1 and isinstance(readers[0], ir.Let) else None

    # ---- zones

    def family_of(self, zone: ir.Operand) -> tree.ZoneFamily | None:
        """The family of a zone or of zones, where the text shows it."""
        if isinstance(zone, ir.Name) and zone.text in self.eaches:
            return self.family_of(self.eaches[zone.text].source)
        made = self.let_of(zone)
        if made is None:
            return None
        if made.op in (Op.ZONE_AT, Op.ZONES_OF):
            return next(one for one in self.rules.zones if one.name == made.about[0])
        return self.family_of(made.args[0]) if made.op is Op.ITEM else None

    # ---- how long lists can be

    @cached_property
    def anything(self) -> CardsOrigin:
        return CardsOrigin(None, self.layout.cards.count)

    def origin(self, cards: ir.Operand) -> CardsOrigin:
        """Of a list of cards."""
        if isinstance(cards, ir.Name) and cards.text in self.vars:
            return self._gathered(cards.text)
        if isinstance(cards, ir.Name) and cards.text in self.calls:
            return self._called(self.calls[cards.text])
        made = self.let_of(cards)
        if made is None:
            return self.anything
        if made.op is Op.JOINED:
            parts = [self.origin(part) for part in made.args]
            return self._together(parts, sum(part.most for part in parts))
        if made.op in OF_THE_SAME:
            return self.origin(made.args[0])
        return self._read(made)

    def _called(self, call: ir.Call) -> CardsOrigin:
        """Of what a function gives, as its own text says."""
        if self.program is None:
            return self.anything
        function = self.program.functions[call.function]
        values = [one.value for one in ir.walk(function.body) if isinstance(one, ir.Return) and one.value is not None]
        facts = FunctionFacts(function, self.layout, self.program)
        origins = [facts.origin(value) for value in values]
        return self._together(origins, max(one.most for one in origins)) if function.pure and values else self.anything

    def _read(self, made: ir.Let) -> CardsOrigin:
        """Of cards that an operation reads from the state."""
        count = self.layout.cards.count
        if made.op is Op.LOAD:
            variable = next(one for one in self.rules.variables if one.name == made.about[0])
            return CardsOrigin(None, self.layout.most_of(variable))
        family = self.family_of(made.args[0]) if made.op in (Op.CARDS_IN, Op.TOP_CARDS, Op.LIFT_ALL) else None
        return self.anything if family is None else CardsOrigin(family, min(self.layout.plans[family].capacity, count))

    def _together(self, parts: Iterable[CardsOrigin], most: int) -> CardsOrigin:
        families = {part.family for part in parts}
        return CardsOrigin(families.pop() if len(families) == 1 else None, min(most, self.layout.cards.count))

    def _gathered(self, name: str) -> CardsOrigin:
        """Of a list that things are pushed to one by one."""
        made, changes = self.vars[name], self.changes.get(name, [])
        value = self.let_of(made.value) if made.value is not None else None
        pushes = [change for change in changes if isinstance(change, ir.Push)]
        if value is None or value.op is not Op.EMPTY or len(pushes) < len(changes) or name in self._asked_for:
            return self.anything
        self._asked_for.add(name)
        most = sum(prod(map(self.passes, self.loops_between(made, push))) for push in pushes)
        parts = [self._of_thing(push.value) for push in pushes]
        self._asked_for.remove(name)
        return self._together(parts, most)

    def _of_thing(self, card: ir.Operand) -> CardsOrigin:
        each = self.eaches.get(card.text) if isinstance(card, ir.Name) else None
        made = self.let_of(card)
        if each is not None:
            return self.origin(each.source)
        return self.origin(made.args[0]) if made is not None and made.op is Op.ITEM else self.anything

    def loops_between(self, outer: ir.Statement, inner: ir.Statement) -> tuple[ir.Statement, ...]:
        """The loops around the inner statement that are not around the outer one, which stands before it."""
        return self.around[id(inner)][len(self.around[id(outer)]) :]

    def passes(self, loop: ir.Statement) -> int:
        """How often a loop's body runs at most."""
        match loop:
            case ir.Each(source=source):
                return self.most(source)
            case ir.For(low=ir.Const(value=0), high=ir.Const(value=int(high))):
                return high
            case ir.For(high=high):
                size = self.let_of(high)
                return self.most(size.args[0]) if size is not None and size.op is Op.SIZE else MANY
            case _:
                return MANY

    def most(self, things: ir.Operand) -> int:
        """How many things a zone, a list or a set of seats has at most."""
        layout = self.layout
        match things.type.kind:
            case Kind.SEATS:
                return layout.seats
            case Kind.CARDS:
                return self.origin(things).most
            case Kind.ZONE | Kind.SETS:
                return layout.cards.count
            case Kind.ZONES:
                family = self.family_of(things)
                return layout.zones if family is None else layout.plans[family].places
            case Kind.PLAYS:
                return layout.most_in(PLAYS)
            case Kind.LIST if things.type.element.kind is Kind.TARGET:
                return most_things(self.rules, layout.cards.count)
            case _:
                return max(layout.cards.count, layout.zones, 64)

    # ---- menus

    def most_options(self, menu: ir.Name) -> int:
        made = self.lets[menu.text]
        if made.op is Op.PICK_MENU:
            return self.most(made.args[0])
        return sum(prod(map(self.passes, self.loops_between(made, offer))) for offer in self.offers(menu))

    def offers(self, menu: ir.Name) -> list[ir.Let]:
        return [one for one in self.readers.get(menu.text, []) if isinstance(one, ir.Let) and one.op in OFFERS]

    def line_of(self, about: ir.Let) -> int:
        """The line of a menu that an operation on a thing of it stands in; -1: the last."""
        return self.lines[id(about)]

    def ask_of(self, menu: ir.Name) -> ir.Let:
        """The question that a menu is for."""
        readers = self.readers[menu.text]
        return next(one for one in readers if isinstance(one, ir.Let) and one.op in (Op.ASK, Op.ASK_PICK))


def returned(function: ir.Function) -> str:
    """The list that alone a function gives, which it declares once: it may be gathered where it is wanted."""
    if not function.pure or function.result is None or not function.result.is_list:
        return ""
    values: set[object] = {one.value for one in ir.walk(function.body) if isinstance(one, ir.Return)}
    if len(values) != 1:
        return ""
    (value,) = values
    declared = [one.name for one in function.body if isinstance(one, ir.Var)]
    return value.text if value in declared else ""
