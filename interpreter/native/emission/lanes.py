"""Loops over seats, done for all seats at once: a truth is a mask with a bit a seat, a number a vector with a lane a
seat.

The body of a loop is written once, without branches: what stands under a condition is done for the seats of a mask, the
path. What it changes outside (a count, a sum, the highest, the first who ..., players' variables) is gathered and
written at the end. Whatever could stop the game raises a *guard* instead; if one is up nothing has been changed yet,
and the loop runs seat by seat, which finds the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from trionfi.core import ir
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.types import Kind, core_type
from trionfi.dsl import tree
from trionfi.interpreter.native.builder import FALSE, I64, Value, constant_of, number
from trionfi.interpreter.native.emission.emitter import Emitter, Unfit
from trionfi.interpreter.native.emission.facts import FunctionFacts
from trionfi.interpreter.native.emission.operations import OPERATIONS
from trionfi.interpreter.native.emission.seat_operations import HARMLESS, WIDE
from trionfi.interpreter.native.emission.seat_values import (
    LANE,
    OUTER,
    SAFE,
    Grown,
    Mask,
    Outer,
    SeatNumbers,
    SeatValues,
    is_truth,
)
from trionfi.interpreter.native.emission.values import PlainVariable

__all__ = ["SeatLanes"]

PLAIN = (Kind.INT, Kind.BOOL, Kind.SEAT, Kind.TEAM, Kind.MEMBER, Kind.CATEGORY)


class SeatLanes(SeatValues):
    """One loop while it is written. `around`: the loop that it stands in, if its seat is asked about."""

    def __init__(self, e: Emitter, node: ir.Each | None, count: int, around: SeatLanes | None = None) -> None:
        guards, widths = ([], set()) if around is None else (around.guards, around.widths)
        super().__init__(e, count, Mask(number(-1)), guards, widths)
        self.node, self.around = node, around
        self.inside: dict[str, Any] = {}  # names of the body
        self.sets: dict[str, Value] = {}  # variables outside, and what they become
        self.stores: dict[str, tuple[Mask, Any]] = {}  # players' variables: of whom, and what
        self.added: dict[str, Any] = {}  # variables of the table: what is added
        self.made_on: dict[str, Any] = {}  # the path on which a variable of the body was declared

    # ---- the loop

    def run(self, seats: Value) -> None:
        assert self.node is not None
        self.path = Mask(seats)
        self.inside[self.node.name.text] = LANE
        for name in self.own():
            self.inside[name], self.made_on[name] = None, self.path
        self.block(self.node.body)

    def own(self) -> Iterator[str]:
        """Variables declared outside that the body sets for itself: nothing else reads them."""
        assert self.node is not None
        statements = set(map(id, ir.walk(self.node.body)))
        for one in self.node.body:
            if isinstance(one, ir.Set) and self.around is None and one.name.type.kind in PLAIN:
                readers = self.e.facts.readers.get(one.name.text, [])
                if all(id(reader) in statements for reader in readers):
                    yield one.name.text

    def block(self, block: ir.Block) -> None:
        place = 0
        while place < len(block):
            used = self.extreme(block[place : place + 4])
            if not used:
                last = block[place + 1] if place + 1 < len(block) else None
                self.statement(block[place], last)
            place += used or 1
            if place < len(block) and self.node is not None and block[place] == ir.Break(self.node.label):
                if place + 1 < len(block):
                    raise Unfit
                return

    def statement(self, one: ir.Statement, following: ir.Statement | None) -> None:  # one case a form
        match one:
            case ir.Let():
                self.let(one)
            case ir.Check(condition):
                self.raise_unless(self.value(condition))
            case ir.Var(name, value):
                if name.type.kind not in PLAIN:
                    raise Unfit
                self.inside[name.text] = None if value is None else self.value(value, name)
                self.made_on[name.text] = self.path
            case ir.Set(name, value) if name.text in self.inside:
                self.set_inside(name.text, self.value(value, name))
            case ir.Set(name, value):
                self.set_outside(name, value, following)
            case ir.If(condition, then, otherwise):
                self.either(self.value(condition), then, otherwise)
            case ir.Each() if one.start is None and one.source.type.kind is Kind.SEATS:
                self.nested(one)
            case ir.Call(ir.Name() as target, function, args):
                self.inside[target.text] = self.call(function, [self.value(arg) for arg in args])
            case _:
                raise Unfit

    def either(self, condition: Any, then: ir.Block, otherwise: ir.Block) -> None:
        before, holds = self.path, self.mask(condition)
        for block, truth in ((then, holds), (otherwise, self.others(holds))):
            if block:
                self.path = self.both(before, truth)
                self.block(block)
        self.path = before

    # ---- values

    def value(self, operand: ir.Operand, wanted: ir.Name | None = None) -> Any:
        if isinstance(operand, ir.Name):
            if operand.text in self.inside:
                found = self.inside[operand.text]
                if found is None:
                    raise Unfit
                return found
            if self.sets_outside(operand.text):
                return Grown(operand.text, None)
            if self.around is not None and operand.text in self.around.inside:
                return self.of_around(operand)
        return self.e.value(operand, None if wanted is None else wanted.type)

    def of_around(self, operand: ir.Name) -> Any:
        """What the loop around knows; of its seat only which it is, of other things only what is the same for all."""
        assert self.around is not None
        found = self.around.inside[operand.text]
        if found is LANE:
            return OUTER
        if found is None or self.is_wide(found):
            raise Unfit
        return found

    def sets_outside(self, name: str) -> bool:
        sets = (one for one in ir.walk(self.node.body if self.node else ()) if isinstance(one, ir.Set))
        return any(one.name.text == name for one in sets)

    def raise_unless(self, value: Any) -> None:
        self.raise_where(self.others(self.mask(value)))

    def set_inside(self, name: str, new: Any) -> None:
        old = self.inside[name]
        anyway = old is None or self.made_on.get(name) is self.path
        self.inside[name] = new if anyway else self.chosen(self.path, new, old)

    def let(self, node: ir.Let) -> None:
        if node.op in self.e.silent:
            return
        if node.op is Op.STORE:
            self.store(node)
            return
        if node.target is None or SIGNATURES[node.op].writes:
            raise Unfit
        self.inside[node.target.text] = self.worked_out(node)

    def worked_out(self, node: ir.Let) -> Any:
        args = [self.value(arg) for arg in node.args]
        if node.op is Op.LOAD:
            return self.load(node, args)
        if not any(map(self.is_wide, args)):
            return self.plain(node, args)
        emit = WIDE.get(node.op)
        if emit is None:
            raise Unfit
        for place, arg in enumerate(args):
            if isinstance(node.args[place], ir.Const) and node.args[place].value is None:  # type: ignore[union-attr]
                other = node.args[1 - place].type if len(args) == 2 else node.target and node.target.type
                args[place] = self.e.value(node.args[place], other.maybe if other else None)
            del arg
        return emit(self, node, args)

    def plain(self, node: ir.Let, args: list[Any]) -> Any:
        """What is the same for all seats; it must be harmless where the text does not come to it."""
        if node.op not in HARMLESS:
            raise Unfit
        operands: list[ir.Operand] = []
        for place, (operand, value) in enumerate(zip(node.args, args, strict=True)):
            named = ir.Name(f"of all {place}", operand.type) if isinstance(operand, ir.Name) else operand
            if isinstance(named, ir.Name):
                self.e.names[named.text] = value
            operands.append(named)
        return OPERATIONS[node.op](self.e, replace(node, args=tuple(operands)))

    # ---- variables of the game

    def variable(self, node: ir.Let) -> tree.Variable:
        return next(one for one in self.e.rules.variables if one.name == node.about[0])

    def load(self, node: ir.Let, args: list[Any]) -> Any:
        variable = self.variable(node)
        if variable.type.kind not in ("number", "truth", "player", "team", "enum"):
            raise Unfit
        name = variable.name
        if not args:
            return Grown(f"variable {name}", None) if self.stores_global(name) else self.plain(node, args)
        if args[0] is not LANE:
            if self.is_wide(args[0]) or self.is_stored(name):
                raise Unfit
            return self.plain(node, [self.code.larger(args[0], 0)])
        if variable.per != "player":
            raise Unfit
        of_all = self.of_all(variable)
        if name in self.stores:
            who, what = self.stores[name]
            return self.chosen(who, what, of_all)
        return of_all

    def is_stored(self, name: str) -> bool:
        loop: SeatLanes | None = self
        while loop is not None:
            if loop.node is not None and stores(loop.node.body, name):
                return True
            loop = loop.around
        return False

    def stores_global(self, name: str) -> bool:
        if self.around is not None and self.around.is_stored(name):
            raise Unfit
        return self.is_stored(name)

    def of_all(self, variable: tree.Variable) -> Any:
        """A player's variable of all seats; lanes behind the last seat hold anything."""
        if self.around is not None and self.around.is_stored(variable.name):
            raise Unfit
        e, name = self.e, f"variable {variable.name}"
        field = e.layout[name]
        if variable.type.kind == "truth":
            return Mask(e.field(name))
        kind = self.vector(field.kind)
        loaded = self.b.load(e.address(name), typ=kind, align=field.size)
        return SeatNumbers(self.b.sext(loaded, self.vector()) if field.kind is not I64 else loaded)

    def store(self, node: ir.Let) -> None:
        if self.around is not None:
            raise Unfit
        variable = self.variable(node)
        value, *owner = [self.value(arg) for arg in node.args]
        if not owner:
            if not isinstance(value, Grown) or value.name != f"variable {variable.name}" or value.by is None:
                raise Unfit
            self.grow(self.added, variable.name, value)
            self.raise_if_large(self.e.field(f"variable {variable.name}"))
            return
        if variable.per != "player" or owner[0] is not LANE or isinstance(value, Grown | Outer):
            raise Unfit
        if variable.type.kind not in ("number", "truth", "player", "team", "enum"):
            raise Unfit
        who, what = self.path, value
        if isinstance(node.args[0], ir.Const) and node.args[0].value is None:
            what = self.e.value(node.args[0], core_type(variable.type))
        if variable.name in self.stores:
            before, old = self.stores[variable.name]
            what, who = self.chosen(self.path, what, old), self.joined(self.b.or_, self.path, before)
        self.stores[variable.name] = who, what

    def grow(self, where: dict[str, Any], name: str, value: Grown) -> None:
        """Adds up what seats add to one variable."""
        if name in where or self.path.own is not None:
            raise Unfit
        where[name] = self.total(value.by)

    def total(self, value: Any) -> Value:
        bits = self.path.bits
        constant = constant_of(value) if not self.is_wide(value) else None
        if constant is not None and 0 <= constant <= 1 << 32:
            return self.code.multiply(self.code.bits(bits), constant)
        counted = self.b.select(self.truths(bits), self.lanes(value), self.spread(number(0)))
        shifted = self.b.add(counted, self.spread(number(SAFE)))
        self.guards.append(self.bits(self.b.icmp_unsigned(">", shifted, self.spread(number(2 * SAFE)))))
        return self.reduced("add", counted)

    # ---- variables outside

    def set_outside(self, name: ir.Name, operand: ir.Operand, following: ir.Statement | None) -> None:
        if self.node is None or name.type.kind not in (*PLAIN, Kind.SEATS) or name.text in self.sets:
            raise Unfit
        found, value = self.outside(name.text), self.value(operand, name)
        if following == ir.Break(self.node.label):
            self.sets[name.text] = self.first(value, found)
            return
        if isinstance(value, Grown) and value.name == name.text and value.by is not None and not self.breaks():
            if value.by is LANE:
                self.sets[name.text] = self.b.or_(found, self.path.bits)
                self.only_plain_path()
                return
            grown: dict[str, Any] = {}
            self.grow(grown, name.text, value)
            self.sets[name.text] = self.sum(found, grown[name.text])
            return
        raise Unfit

    def outside(self, name: str) -> Value:
        if self.around is not None:
            if name not in self.around.inside or self.is_wide(self.around.inside[name]):
                raise Unfit
            return self.around.inside[name]
        found = self.e.names.get(name)
        if not isinstance(found, PlainVariable):
            raise Unfit
        return found.load()

    def only_plain_path(self) -> None:
        if self.path.own is not None:
            raise Unfit

    def breaks(self) -> bool:
        assert self.node is not None
        return any(one == ir.Break(self.node.label) for one in ir.walk(self.node.body))

    def sum(self, one: Value, other: Value) -> Value:
        """The sum of two numbers; a guard is up if the first is large."""
        self.raise_if_large(one)
        return self.code.add(one, other)

    def raise_if_large(self, one: Value) -> None:
        if constant_of(one) is None:
            shifted = self.b.add(one, number(SAFE))
            self.guards.append(self.code.number_of(self.b.icmp_unsigned(">", shifted, number(2 * SAFE))))

    def first(self, value: Any, found: Any) -> Any:
        """What the first seat of the path sets a variable to."""
        assert self.node is not None
        breaks = [one for one in ir.walk(self.node.body) if one == ir.Break(self.node.label)]
        if len(breaks) != 1 or self.stores or self.added or self.sets:
            raise Unfit
        if self.around is not None:
            return self.of_each(value, found)
        bits = self.path.bits
        some = self.code.compare("!=", bits, 0)
        if value is LANE:
            value = self.nearest(bits)
        if self.is_wide(value):
            raise Unfit
        return self.code.choose(some, value, found)

    def nearest(self, bits: Value) -> Value:
        """The first seat of a mask from the loop's start on."""
        assert self.node is not None
        if self.node.start is None:
            return self.b.cttz(bits, FALSE)
        start = self.e.value(self.node.start)
        ahead = self.b.and_(bits, self.b.shl(number(-1), start))
        return self.b.cttz(self.code.choose(self.code.compare("!=", ahead, 0), ahead, bits), FALSE)

    # ---- loops in loops

    def nested(self, node: ir.Each) -> None:
        """A loop over all seats in the body, whose seat is compared with the one outside at most."""
        if self.around is not None:
            raise Unfit
        inner = SeatLanes(self.e, node, self.count, self)
        before = len(self.guards)
        inner.run(self.seats(node.source))
        raised, self.guards[before:] = self.guards[before:], []
        if raised:  # they count where the path comes to them
            some = self.code.compare("!=", self.path.bits, 0)
            self.guards += [self.code.choose(some, one, 0) for one in raised]
        for name, value in inner.sets.items():
            self.set_inside(name, value)

    def seats(self, source: ir.Operand) -> Value:
        value = self.value(source)
        if self.is_wide(value):
            raise Unfit
        return value

    def of_each(self, value: Any, found: Any) -> Any:
        """Whether there is somebody on the path, for each seat of the loop around: what is set then, and else."""
        if self.is_wide(value):
            raise Unfit
        path = self.path
        if path.own is None:
            return self.code.choose(self.code.compare("!=", path.bits, 0), value, found)
        if not is_truth(value):
            raise Unfit
        assert self.around is not None
        return self.around.chosen(Mask(self.somebody()), value, found)

    def somebody(self) -> Value:
        """The seats of the loop around for which the path has somebody."""
        b, code, others = self.b, self.code, self.path.bits
        two = code.compare("!=", b.and_(others, code.subtract(others, 1)), 0)
        besides = code.choose(two, -1, code.choose(code.compare("==", others, 0), 0, b.not_(others)))
        return b.or_(besides, self.path.own)

    # ---- the highest and the lowest

    def extreme(self, block: Sequence[ir.Statement]) -> int:
        """The highest or lowest of a number is kept in a variable outside; how many statements that takes."""
        match block:
            case [
                ir.Var(better, ir.Const(value=True)),
                ir.Let(ir.Name() as some, Op.NOT, (ir.Name() as empty,)),
                ir.If(condition, (ir.Let(ir.Name() as less, Op.LESS, sides), ir.Set(set_better, found)), ()),
                ir.If(is_better, (ir.Set(best, value), ir.Set(set_empty, ir.Const(value=False))), ()),
            ] if condition == some and found == less and set_better == better == is_better and set_empty == empty:
                if self.breaks() or best.type.kind is not Kind.INT or best.text in self.sets:
                    raise Unfit
                if sides not in ((best, value), (value, best)):
                    raise Unfit
                self.keep_extreme(best, empty, self.value(value), sides == (best, value))
                return 4
            case _:
                return 0

    def keep_extreme(self, best: ir.Name, empty: ir.Name, value: Any, highest: bool) -> None:
        """The loop begins with nothing found."""
        if not self.begins_empty(empty):
            raise Unfit
        path, numbers = self.path, self.lanes(value)
        if path.own is None:
            self.sets[best.text] = self.extreme_of(path.bits, numbers, highest)
            self.sets[empty.text] = self.code.compare("==", path.bits, 0)
            return
        if constant_of(path.own) != 0 or self.around is None:
            raise Unfit
        top = self.extreme_of(path.bits, numbers, highest)
        tops = self.b.and_(self.bits(self.b.icmp_signed("==", numbers, self.spread(top))), path.bits)
        alone = self.code.compare("==", self.b.and_(tops, self.code.subtract(tops, 1)), 0)
        second = self.extreme_of(self.b.and_(path.bits, self.b.not_(tops)), numbers, highest)
        his = self.truths(self.code.choose(alone, tops, 0))
        self.sets[best.text] = SeatNumbers(self.b.select(his, self.spread(second), self.spread(top)))
        self.sets[empty.text] = Mask(self.b.not_(self.somebody()))

    def begins_empty(self, empty: ir.Name) -> bool:
        """Whether the variable is declared as true before the loop, and set in it alone."""
        if self.around is not None:
            return constant_of(self.outside(empty.text)) == 1
        facts = self.e.facts
        made, changes = facts.vars.get(empty.text), facts.changes.get(empty.text, [])
        if made is None or made.value != ir.Const(True, empty.type) or len(changes) != 1:
            return False
        return facts.loops_between(made, changes[0]) == (self.node,)

    def extreme_of(self, bits: Value, numbers: Value, highest: bool) -> Value:
        nothing = self.spread(number(-(1 << 63) if highest else (1 << 63) - 1))
        return self.reduced("smax" if highest else "smin", self.b.select(self.truths(bits), numbers, nothing))

    # ---- calls

    def call(self, name: str, args: list[Any]) -> Any:
        """The body of a function in place of a call."""
        called = self.e.program.functions[name]
        last = called.body[-1] if called.body else None
        returns = sum(isinstance(one, ir.Return) for one in ir.walk(called.body))
        if not called.pure or returns != 1 or not isinstance(last, ir.Return) or last.value is None:
            raise Unfit
        inner = SeatLanes(self.e, None, self.count, self.around)
        inner.guards, inner.widths, inner.path = self.guards, self.widths, self.path
        before, self.e.facts = self.e.facts, FunctionFacts(called, self.e.layout)
        inner.inside = {p.text: arg for p, arg in zip(called.parameters, args, strict=True)}
        try:
            inner.block(called.body[:-1])
            return inner.value(last.value)
        finally:
            self.e.facts = before

    # ---- the end

    def write(self) -> None:
        """Writes what has changed."""
        for name, value in self.sets.items():
            if self.is_wide(value):
                raise Unfit
            self.e.names[name].store(value)
        for name, total in self.added.items():
            field = f"variable {name}"
            self.e.set_field(field, self.code.add(self.e.field(field), total))
        for name, (who, what) in self.stores.items():
            self.write_all(next(one for one in self.e.rules.variables if one.name == name), who, what)


def stores(block: ir.Block, name: str) -> bool:
    lets = (one for one in ir.walk(block) if isinstance(one, ir.Let))
    return any(one.op is Op.STORE and one.about[0] == name for one in lets)
