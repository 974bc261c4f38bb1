"""Loops over seats, done for all seats at once: a truth is a mask with a bit a seat, a number a vector with a lane a
seat.

The body of a loop is written once, without branches: what stands under a condition is done for the seats of a mask, the
path. What it changes outside (a count, a sum, the highest, the first who ..., players' variables) is gathered and
written at the end. Whatever could stop the game raises a *guard* instead; if one is up nothing has been changed yet,
and the loop runs seat by seat, which finds the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.ops import SIGNATURES, Memory, Op
from trionfi.core.types import Kind
from trionfi.dsl import tree
from trionfi.interpreter.native.builder import FALSE, I1, I32, I64, Value, constant_of, declared, number
from trionfi.interpreter.native.emission.emitter import Emitter, Unfit
from trionfi.interpreter.native.emission.operations import OPERATIONS
from trionfi.interpreter.native.emission.values import PlainVariable
from trionfi.interpreter.native.module import NO_NUMBER

__all__ = ["at_once"]

SAFE = 1 << 55  # numbers of at most this size may be added up, lane by lane, without leaving 64 bits
FEW, MANY = 8, 16  # lanes; where there may be more seats than few, all is written for many, too
PLAIN = (Kind.INT, Kind.BOOL, Kind.SEAT, Kind.TEAM, Kind.MEMBER, Kind.CATEGORY)


@dataclass(frozen=True, slots=True)
class Mask:
    """A truth of each seat. `own`: what it is of the seat of the loop around, if that differs: then `bits` is of all
    other seats."""

    bits: Value
    own: Value | None = None


@dataclass(frozen=True, slots=True)
class SeatNumbers:
    """A number of each seat."""

    lanes: Value


@dataclass(frozen=True, slots=True)
class Grown:
    """A variable outside, or one of the table's, with something added to it."""

    name: str
    by: Any


class Outer:
    """The seat of the loop around."""


LANE, OUTER = SeatNumbers(None), Outer()


def at_once(e: Emitter, node: ir.Each, slowly: Callable[[], None]) -> bool:
    """Writes the loop for all seats at once, and `slowly` for where a guard is up; false if it is not fit for that."""
    if e.build.watched or node.source.type.kind is not Kind.SEATS:
        return False
    with speculative(e) as kept:
        slow, after = e.code.block("slowly"), e.code.block("after")
        for count in counts(e):
            written = write_lanes(e, node, count, slow, after)
            if written is None:
                break
            e.code.go_on(written)
        else:
            e.code.jump(slow)
        kept.append(after)
    if not kept:
        return False
    e.code.go_on(slow)
    slowly()
    e.code.jump(after)
    e.code.go_on(after)
    return True


def counts(e: Emitter) -> list[int]:
    """How many lanes there may be: few, and as many as there can be seats, unless these are very many."""
    most = max(4, 1 << (e.layout.seats - 1).bit_length())
    return [most] if most <= FEW else [FEW, most] if most <= MANY else [FEW]


def write_lanes(e: Emitter, node: ir.Each, count: int, slow: Any, after: Any) -> Any:
    """Writes the loop with so many lanes; gives where to go on if there are too few, None if they are always enough."""
    code, more, test = e.code, e.code.block("more"), e.code.builder.block
    code.go_on(code.block("at_once"))
    start = code.builder.block
    loop = SeatLanes(e, node, count)
    loop.run(e.value(node.source))
    guard = loop.guard()
    if guard is not None:
        fast = code.block("at_once")
        code.branch(guard, slow, fast, likely=False)
        code.go_on(fast)
    loop.write()
    code.jump(after)
    code.go_on(test)
    if not loop.widths or count >= e.layout.seats:
        code.jump(start)
        return None
    code.branch(code.compare("<=", e.seats, count), start, more)
    return more


@contextmanager
def speculative(e: Emitter) -> Iterator[list[Any]]:
    """Blocks that are thrown away again if what is written in them is unfit; kept if something is noted."""
    code, before = e.code, e.code.builder.block
    count, names, start = len(code.function.blocks), dict(e.names), code.block("seats")
    kept: list[Any] = []
    code.go_on(start)
    try:
        yield kept
    except Unfit:
        kept.clear()
    e.names = names
    if not kept:
        del code.function.blocks[count:]
        code.go_on(before)
        return
    code.go_on(before)
    code.jump(start)


class SeatLanes:
    """One loop while it is written. `around`: the loop that it stands in, if its seat is asked about."""

    def __init__(self, e: Emitter, node: ir.Each | None, count: int, around: SeatLanes | None = None) -> None:
        self.e, self.code, self.node, self.around = e, e.code, node, around
        self.count = count
        self.inside: dict[str, Any] = {}  # names of the body
        self.guards: list[Value] = around.guards if around is not None else []
        self.widths: set[int] = around.widths if around is not None else set()  # of the vectors that are needed
        self.path: Any = None  # a Mask
        self.sets: dict[str, Value] = {}  # variables outside, and what they become
        self.stores: dict[str, tuple[Mask, Any]] = {}  # players' variables: of whom, and what
        self.added: dict[str, Any] = {}  # variables of the table: what is added
        self.made_on: dict[str, Any] = {}  # the path on which a variable of the body was declared

    @property
    def b(self) -> Any:
        return self.code.builder

    # ---- shapes

    def vector(self, element: llvm.Type = I64) -> llvm.VectorType:
        self.widths.add(self.count)
        return llvm.VectorType(element, self.count)

    def spread(self, value: Value) -> Value:
        """One number in all lanes."""
        constant = constant_of(value)
        kind = self.vector()
        if constant is not None:
            return llvm.Constant(kind, [constant] * self.count)
        one = self.b.insert_element(llvm.Constant(kind, llvm.Undefined), value, llvm.Constant(I32, 0))
        zeros = llvm.Constant(self.vector(I32), [0] * self.count)
        return self.b.shuffle_vector(one, llvm.Constant(kind, llvm.Undefined), zeros)

    def bits(self, truths: Value) -> Value:
        """A mask of a vector of truths."""
        return self.b.zext(self.b.bitcast(truths, llvm.IntType(self.count)), I64)

    def truths(self, bits: Value) -> Value:
        """A vector of truths of a mask."""
        return self.b.bitcast(self.b.trunc(bits, llvm.IntType(self.count)), self.vector(I1))

    def lanes(self, value: Any) -> Value:
        if value is LANE:
            return llvm.Constant(self.vector(), list(range(self.count)))
        if isinstance(value, SeatNumbers):
            return value.lanes
        if isinstance(value, Mask | Grown | Outer) or not is_number(value):
            raise Unfit
        return self.spread(value)

    def mask(self, value: Any) -> Mask:
        if isinstance(value, Mask):
            return value
        if not isinstance(value, llvm.Value) or value.type != I1:
            raise Unfit
        constant = constant_of(value)
        if constant is not None:
            return Mask(number(-1 if constant else 0))
        return Mask(self.code.choose(value, -1, 0))

    def joined(self, emit: Callable[..., Value], *masks: Mask) -> Mask:
        bits = emit(*(one.bits for one in masks))
        if all(one.own is None for one in masks):
            return Mask(bits)
        return Mask(bits, emit(*(one.bits if one.own is None else one.own for one in masks)))

    def and_(self, one: Value, other: Value) -> Value:
        known = constant_of(one), constant_of(other)
        if 0 in known:
            return number(0)
        return other if known[0] == -1 else one if known[1] == -1 else self.b.and_(one, other)

    def not_(self, one: Value) -> Value:
        known = constant_of(one)
        return self.b.not_(one) if known is None else number(~known)

    def both(self, one: Mask, other: Mask) -> Mask:
        return self.joined(self.and_, one, other)

    def others(self, one: Mask) -> Mask:
        return self.joined(self.not_, one)

    def is_wide(self, value: Any) -> bool:
        return isinstance(value, Mask | SeatNumbers | Grown | Outer)

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

    def raise_where(self, bad: Mask) -> None:
        raised = self.both(self.path, bad)
        bits = raised.bits if raised.own is None else self.b.or_(raised.bits, raised.own)
        if constant_of(bits) != 0:
            self.guards.append(bits)

    def guard(self) -> Value | None:
        """Whether a guard is up."""
        if not self.guards:
            return None
        raised = self.guards[0]
        for one in self.guards[1:]:
            raised = self.b.or_(raised, one)
        return self.code.compare("!=", raised, 0)

    def set_inside(self, name: str, new: Any) -> None:
        old = self.inside[name]
        anyway = old is None or self.made_on.get(name) is self.path
        self.inside[name] = new if anyway else self.chosen(self.path, new, old)

    def chosen(self, by: Any, new: Any, old: Any) -> Any:
        if not self.is_wide(by) and not self.is_wide(new) and not self.is_wide(old):
            return self.code.choose(by, new, old)
        which = self.mask(by)
        if is_truth(new) or is_truth(old):
            return self.one_of(which, self.mask(new), self.mask(old))
        if which.own is not None:
            raise Unfit
        if isinstance(new, llvm.Value) and isinstance(old, llvm.Value) and new is old:
            return new
        return SeatNumbers(self.b.select(self.truths(which.bits), self.lanes(new), self.lanes(old)))

    def one_of(self, which: Mask, new: Mask, old: Mask) -> Mask:
        known = constant_of(new.bits), constant_of(old.bits)
        if new.own is None and old.own is None and known in ((-1, 0), (0, -1)):
            return which if known == (-1, 0) else self.others(which)
        if old.own is None and known[1] == 0:
            return self.both(which, new)
        b = self.b
        return self.joined(lambda w, n, o: b.xor(o, b.and_(w, b.xor(n, o))), which, new, old)

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
            from trionfi.core.types import core_type

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

    def reduced(self, name: str, vector: Value) -> Value:
        kind = llvm.FunctionType(I64, [vector.type])
        made = declared(self.e.build.module, f"llvm.vector.reduce.{name}.v{self.count}i64", kind)
        return self.b.call(made, [vector])

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
        from trionfi.interpreter.native.emission.facts import FunctionFacts

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

    def write_all(self, variable: tree.Variable, who: Mask, what: Any) -> None:
        e, b, name = self.e, self.b, f"variable {variable.name}"
        field = e.layout[name]
        if variable.type.kind == "truth":
            old = e.field(name)
            e.set_field(name, b.xor(old, b.and_(who.bits, b.xor(old, self.mask(what).bits))))
            return
        kind, lanes = self.vector(field.kind), self.lanes(what)
        old = b.load(e.address(name), typ=kind, align=field.size)
        new = lanes if field.kind is I64 else b.trunc(lanes, kind)
        written = b.select(self.truths(who.bits), new, old)
        if self.count <= e.layout.seats:
            b.store(written, e.address(name), align=field.size)
            return
        there = llvm.Constant(self.vector(I1), [int(lane < e.layout.seats) for lane in range(self.count)])
        width = int(field.kind.width)
        store = declared(
            e.build.module,
            f"llvm.masked.store.v{self.count}i{width}.p0",
            llvm.FunctionType(llvm.VoidType(), [kind, e.address(name).type, I32, there.type]),
        )
        b.call(store, [written, e.address(name), llvm.Constant(I32, field.size), there])


# ---- operations


def is_number(value: Any) -> bool:
    return isinstance(value, llvm.Value) and value.type == I64


def is_truth(value: Any) -> bool:
    return isinstance(value, Mask) or (isinstance(value, llvm.Value) and value.type == I1)


def stores(block: ir.Block, name: str) -> bool:
    lets = (one for one in ir.walk(block) if isinstance(one, ir.Let))
    return any(one.op is Op.STORE and one.about[0] == name for one in lets)


Wider = Callable[[SeatLanes, ir.Let, list[Any]], Any]
WIDE: dict[Op, Wider] = {}
# They have no effect and do not stop the game, whatever they are asked.
HARMLESS = frozenset(
    {Op.LOAD, Op.OPTION, Op.SEAT_COUNT, Op.EVERYONE, Op.NOT, Op.AND, Op.OR, Op.SAME, Op.IS_NONE, Op.UNWRAP, Op.INDEX}
    | {Op.LESS, Op.AT_MOST, Op.ADD, Op.SUBTRACT, Op.ADD_OVERFLOWS, Op.SUBTRACT_OVERFLOWS, Op.MINIMUM, Op.MAXIMUM}
    | {Op.SELECT, Op.SEAT_ON, Op.THING}
)
assert all(not SIGNATURES[op].writes and not SIGNATURES[op].reads & Memory.CHANCE for op in HARMLESS)


def wide(*ops: Op) -> Callable[[Wider], Wider]:
    def register(emit: Wider) -> Wider:
        WIDE.update(dict.fromkeys(ops, emit))
        return emit

    return register


@wide(Op.UNWRAP, Op.INDEX)
def as_it_is(_lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Any:
    return args[0]


@wide(Op.IS_NONE)
def is_none(lanes: SeatLanes, node: ir.Let, args: list[Any]) -> Any:
    if args[0] is LANE or args[0] is OUTER or isinstance(args[0], Grown):
        return Mask(number(0)) if args[0] is not OUTER else FALSE
    numbers = lanes.lanes(args[0])
    if node.args[0].type.kind is Kind.INT:
        return Mask(lanes.bits(lanes.b.icmp_signed("==", numbers, lanes.spread(number(NO_NUMBER)))))
    return Mask(lanes.bits(lanes.b.icmp_signed("<", numbers, lanes.spread(number(0)))))


@wide(Op.NOT)
def negated(lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Mask:
    return lanes.others(lanes.mask(args[0]))


@wide(Op.AND, Op.OR)
def connected(lanes: SeatLanes, node: ir.Let, args: list[Any]) -> Mask:
    one, other = lanes.mask(args[0]), lanes.mask(args[1])
    if node.op is Op.AND:
        return lanes.both(one, other)
    return lanes.others(lanes.both(lanes.others(one), lanes.others(other)))


@wide(Op.SELECT)
def selected(lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Any:
    return lanes.chosen(*args)


@wide(Op.SAME)
def same(lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Mask:
    if OUTER in args:
        if LANE not in args:
            raise Unfit
        return Mask(number(0), number(-1))
    if LANE in args:
        other = args[1 - args.index(LANE)]
        if is_number(other):
            seat = lanes.code.bit(lanes.b.and_(other, number(63)))
            return Mask(lanes.code.choose(lanes.code.compare("<", other, 0), 0, seat))
    if any(map(is_truth, args)):
        xor = lanes.joined(lanes.b.xor, lanes.mask(args[0]), lanes.mask(args[1]))
        return lanes.others(xor)
    one, other = map(lanes.lanes, args)
    return Mask(lanes.bits(lanes.b.icmp_signed("==", one, other)))


@wide(Op.LESS, Op.AT_MOST)
def compared(lanes: SeatLanes, node: ir.Let, args: list[Any]) -> Mask:
    one, other = map(lanes.lanes, args)
    return Mask(lanes.bits(lanes.b.icmp_signed("<" if node.op is Op.LESS else "<=", one, other)))


@wide(Op.MINIMUM, Op.MAXIMUM)
def extreme(lanes: SeatLanes, node: ir.Let, args: list[Any]) -> SeatNumbers:
    one, other = map(lanes.lanes, args)
    first = lanes.b.icmp_signed("<" if node.op is Op.MINIMUM else ">", one, other)
    return SeatNumbers(lanes.b.select(first, one, other))


@wide(Op.ADD)
def added(lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Any:
    for place, arg in enumerate(args):
        if isinstance(arg, Grown):
            other = args[1 - place]
            if arg.by is not None or isinstance(other, Grown | Mask | Outer):
                raise Unfit
            return Grown(arg.name, other)
    return SeatNumbers(lanes.b.add(*map(lanes.lanes, args)))


@wide(Op.SUBTRACT)
def subtracted(lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> SeatNumbers:
    return SeatNumbers(lanes.b.sub(*map(lanes.lanes, args)))


@wide(Op.ADD_OVERFLOWS, Op.SUBTRACT_OVERFLOWS)
def overflows(lanes: SeatLanes, node: ir.Let, args: list[Any]) -> Mask:
    """A sum does if both sides differ in sign from it; a difference, if the sides differ, too. Of what is added to a
    variable outside it is looked at the end whether all is small."""
    if any(isinstance(arg, Grown) for arg in args):
        grown = next(arg for arg in args if isinstance(arg, Grown))
        if node.op is not Op.ADD_OVERFLOWS or grown.by is not None:
            raise Unfit
        return Mask(number(0))
    b, (one, other) = lanes.b, map(lanes.lanes, args)
    total = b.add(one, other) if node.op is Op.ADD_OVERFLOWS else b.sub(one, other)
    against = b.xor(one, total)
    signs = b.and_(against, b.xor(other, total) if node.op is Op.ADD_OVERFLOWS else b.xor(one, other))
    return Mask(lanes.bits(b.icmp_signed("<", signs, lanes.spread(number(0)))))


@wide(Op.WITH_SEAT)
def with_seat(_lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Grown:
    seats, seat = args
    if not isinstance(seats, Grown) or seats.by is not None or seat is not LANE:
        raise Unfit
    return Grown(seats.name, LANE)


@wide(Op.HAS_SEAT)
def has_seat(lanes: SeatLanes, _node: ir.Let, args: list[Any]) -> Mask:
    seats, seat = args
    if seat is not LANE or lanes.is_wide(seats):
        raise Unfit
    return Mask(seats)
