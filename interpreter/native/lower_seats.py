"""Questions about players, answered for all seats at once: what a player has stands in a vector, a lane a seat.

A question is answered so if it is made of players' variables, comparisons, sums and further questions. Whatever could
stop the game in it (a sum that is too large, an owner that is none) is a *guard*: if one is up, the question is asked
again seat by seat, which finds the place. Nothing here has an effect, so reading more than a script would is harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.interpreter.native.builder import I1, I8, I64, Value, Variable, constant_of, declared, number
from trionfi.interpreter.native.lowering import Lowering
from trionfi.interpreter.native.values import Slot

SAFE = 1 << 55  # numbers of at most this size may be added up, lane by lane, without leaving 64 bits
PLAIN = ("number", "truth", "player", "team", "enum")


class Unfit(Exception):  # noqa: N818  # no error: the question is asked seat by seat
    """An expression that is not answered for all seats at once."""


class Lane:
    """The player whose lane it is."""


LANE = Lane()


@dataclass(frozen=True, slots=True)
class Answer:
    """A value; `wide`: one a lane."""

    value: Value
    wide: bool = False


Names = dict[int, Any]  # a local's index -> LANE, or an Answer


def lanes_of(f: Lowering) -> int:
    """Lanes of a vector: a power of two that holds all seats."""
    return max(4, 1 << (f.layout.seats - 1).bit_length())


class Seats:
    """The questions of one place, while they are written."""

    def __init__(self, f: Lowering) -> None:
        self.f = f
        self.lanes = lanes_of(f)
        self.guards: list[Value] = []

    # ---- shapes

    def vector(self, element: ir.IntType) -> ir.VectorType:
        return ir.VectorType(element, self.lanes)

    def widened(self, answer: Answer) -> Value:
        if answer.wide:
            return answer.value
        kind = self.vector(answer.value.type)
        constant = constant_of(answer.value)
        if constant is not None:
            return ir.Constant(kind, [constant] * self.lanes)
        b = self.f.code.builder
        first = b.insert_element(ir.Constant(kind, ir.Undefined), answer.value, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(self.vector(ir.IntType(32)), [0] * self.lanes)
        return b.shuffle_vector(first, ir.Constant(kind, ir.Undefined), zeros)

    def applied(self, emit: Callable[..., Value], *answers: Answer) -> Answer:
        """An operator over one value or over all lanes."""
        if not any(answer.wide for answer in answers):
            return Answer(emit(*(answer.value for answer in answers)))
        return Answer(emit(*(self.widened(answer) for answer in answers)), wide=True)

    def guard(self, bad: Answer) -> None:
        """Notes what would stop the game."""
        self.guards.append(self.mask(bad, whole=False) if bad.wide else self.f.code.number_of(bad.value))

    def mask(self, truth: Answer, whole: bool = True) -> Value:
        """A bit a seat. `whole`: only of those seated."""
        f = self.f
        if not truth.wide:
            everyone = f.code.subtract(f.code.bit(f.seats), 1)
            return f.code.choose(truth.value, everyone, 0)
        b = f.code.builder
        bits = b.zext(b.bitcast(truth.value, ir.IntType(self.lanes)), I64)
        return b.and_(bits, f.code.subtract(f.code.bit(f.seats), 1)) if whole else bits

    # ---- expressions

    def read(self, node: tree.Expr, names: Names) -> Answer:
        reader = READERS.get(type(node))
        if reader is None or node.type.kind not in (*PLAIN, "none", "players"):
            raise Unfit
        return reader(self, node, names)

    def domain_mask(self, domain: tree.Domain, names: Names, condition: tree.Expr | None = None) -> Value:
        """The seats of a domain for which its `where` and a condition hold."""
        if domain.noun != "player":
            raise Unfit
        inner = {**{index: value for index, value in names.items() if value is not LANE}, domain.local.index: LANE}
        wanted = [node for node in (domain.where, condition) if node is not None]
        truth = Answer(ir.Constant(I1, 1))
        for node in wanted:
            truth = self.applied(self.f.code.both, truth, self.read(node, inner))
        mask = self.mask(truth)
        if domain.source is not None:
            source = self.read(domain.source, inner)
            if source.wide:
                raise Unfit
            mask = self.f.code.builder.and_(mask, source.value)
        return mask

    def lane_numbers(self, node: tree.Expr, domain: tree.Domain, names: Names) -> Value:
        inner = {**{index: value for index, value in names.items() if value is not LANE}, domain.local.index: LANE}
        return self.widened(self.read(node, inner))

    def reduced(self, name: str, vector: Value) -> Value:
        kind = ir.FunctionType(I64, [vector.type])
        function = declared(self.f.build.module, f"llvm.vector.reduce.{name}.v{self.lanes}i64", kind)
        return self.f.code.builder.call(function, [vector])

    def chosen(self, mask: Value, vector: Value, otherwise: int) -> Value:
        """The lanes of the mask; elsewhere a number that does not count."""
        b = self.f.code.builder
        kind = ir.IntType(self.lanes)
        narrow = b.trunc(mask, kind) if self.lanes < 64 else mask
        truths = b.bitcast(narrow, self.vector(I1))
        return b.select(truths, vector, ir.Constant(self.vector(I64), [otherwise] * self.lanes))


# ---- names and variables


def read_const(seats: Seats, node: tree.Const, names: Names) -> Answer:
    if node.value is None and node.type.kind == "number":
        raise Unfit
    return Answer(seats.f.constant(node.value, node.type))


def read_option(seats: Seats, node: tree.OptionValue, names: Names) -> Answer:
    return Answer(seats.f.expression(node))


def read_local(seats: Seats, node: tree.LocalValue, names: Names) -> Answer:
    if node.local.index not in names:
        raise Unfit
    found = names[node.local.index]
    if found is not LANE:
        return found  # type: ignore[no-any-return]
    return Answer(ir.Constant(seats.vector(I64), list(range(seats.lanes))), wide=True)


def read_variable(seats: Seats, node: tree.VariableValue, names: Names) -> Answer:
    f, variable = seats.f, node.variable
    name = f"variable {variable.name}"
    if node.owner is None:
        return Answer(f.field(name))
    if variable.per != "player":
        raise Unfit
    if isinstance(node.owner, tree.LocalValue) and names.get(node.owner.local.index) is LANE:
        return lanes_of_variable(seats, name)
    owner = seats.read(node.owner, names)
    if owner.wide:
        raise Unfit
    seats.guard(Answer(f.code.compare("<", owner.value, 0)))
    return Answer(f.field(name, f.code.larger(owner.value, 0)))


def lanes_of_variable(seats: Seats, name: str) -> Answer:
    """A player's variable of all seats; lanes without a seat are 0."""
    f, b = seats.f, seats.f.code.builder
    field = f.layout[name]
    stored = I8 if field.kind is I1 else field.kind
    loaded = b.load(f.address(name), typ=seats.vector(stored), align=field.size)
    there = ir.Constant(seats.vector(I1), [int(lane < f.layout.seats) for lane in range(seats.lanes)])
    value = b.select(there, loaded, ir.Constant(loaded.type, [0] * seats.lanes))
    if field.kind is I1:
        return Answer(b.icmp_unsigned("!=", value, ir.Constant(value.type, [0] * seats.lanes)), wide=True)
    return Answer(b.sext(value, seats.vector(I64)) if stored is not I64 else value, wide=True)


def read_call(seats: Seats, node: tree.CallDefine, names: Names) -> Answer:
    """A define is read with its parameters' names."""
    inner: Names = {}
    for argument, parameter in zip(node.arguments, node.define.parameters, strict=True):
        is_lane = isinstance(argument, tree.LocalValue) and names.get(argument.local.index) is LANE
        inner[parameter.index] = LANE if is_lane else seats.read(argument, names)
    return seats.read(node.define.body, inner)


# ---- operators


def read_not(seats: Seats, node: tree.Not, names: Names) -> Answer:
    answer = seats.read(node.operand, names)
    b = seats.f.code.builder
    return seats.applied(lambda value: b.not_(value), answer)


def read_and(seats: Seats, node: tree.And, names: Names) -> Answer:
    return folded(seats, node.operands, names, seats.f.code.both)


def read_or(seats: Seats, node: tree.Or, names: Names) -> Answer:
    return folded(seats, node.operands, names, seats.f.code.either)


def folded(seats: Seats, operands: Sequence[tree.Expr], names: Names, emit: Callable[..., Value]) -> Answer:
    result = seats.read(operands[0], names)
    for node in operands[1:]:
        result = seats.applied(emit, result, seats.read(node, names))
    return result


def read_same(seats: Seats, node: tree.Same, names: Names) -> Answer:
    for side in (node.left, node.right):
        if isinstance(side, tree.Const) and side.value is None:
            raise Unfit
    pair = seats.read(node.left, names), seats.read(node.right, names)
    return seats.applied(lambda left, right: seats.f.code.builder.icmp_signed("==", left, right), *pair)


def read_ordered(seats: Seats, node: tree.Ordered, names: Names) -> Answer:
    if node.left.type.kind != "number" or node.right.type.kind != "number":
        raise Unfit
    pair = seats.read(node.left, names), seats.read(node.right, names)
    return seats.applied(lambda left, right: seats.f.code.builder.icmp_signed(node.operator, left, right), *pair)


def read_arithmetic(seats: Seats, node: tree.Arithmetic, names: Names) -> Answer:
    b = seats.f.code.builder
    emits = {"+": b.add, "-": b.sub}
    if node.operator not in emits or node.type.kind != "number":
        raise Unfit
    left, right = seats.read(node.left, names), seats.read(node.right, names)
    result = seats.applied(emits[node.operator], left, right)

    def overflows(one: Value, other: Value, total: Value) -> Value:
        against = b.xor(one, total)
        # a sum overflows if both sides differ in sign from it; a difference, if the sides differ, too
        signs = b.and_(against, b.xor(other, total) if node.operator == "+" else b.xor(one, other))
        zero = ir.Constant(signs.type, [0] * seats.lanes if isinstance(signs.type, ir.VectorType) else 0)
        return b.icmp_signed("<", signs, zero)

    seats.guard(seats.applied(overflows, left, right, result))
    return result


def read_conditional(seats: Seats, node: tree.Conditional, names: Names) -> Answer:
    b = seats.f.code.builder
    result = seats.read(node.otherwise, names)
    for condition, value in reversed(node.arms):
        parts = seats.read(condition, names), seats.read(value, names), result
        result = seats.applied(b.select, *parts)
    return result


def read_builtin(seats: Seats, node: tree.Builtin, names: Names) -> Answer:
    if node.name not in ("smaller", "larger") or node.type.kind != "number":
        raise Unfit
    b, operator = seats.f.code.builder, "<" if node.name == "smaller" else ">"
    pair = [seats.read(argument, names) for argument in node.arguments]
    return seats.applied(lambda one, other: b.select(b.icmp_signed(operator, one, other), one, other), *pair)


# ---- further questions: of the seats, but not about the lane


def read_quantified(seats: Seats, node: tree.Quantified, names: Names) -> Answer:
    code = seats.f.code
    if node.quantifier == "every":
        negated = tree.Not(node.condition.type, node.span, node.condition)
        return Answer(code.compare("==", seats.domain_mask(node.domain, names, negated), 0))
    mask = seats.domain_mask(node.domain, names, node.condition)
    return Answer(code.compare("!=" if node.quantifier == "any" else "==", mask, 0))


def read_count(seats: Seats, node: tree.Count, names: Names) -> Answer:
    return Answer(seats.f.code.bits(seats.domain_mask(node.domain, names)))


def read_fold(seats: Seats, node: tree.Fold, names: Names) -> Answer:
    if node.type.kind != "number":
        raise Unfit
    mask = seats.domain_mask(node.domain, names)
    numbers = seats.lane_numbers(node.value, node.domain, names)
    if node.operator == "sum":
        return Answer(sum_of_lanes(seats, mask, numbers))
    seats.guard(Answer(seats.f.code.compare("==", mask, 0)))
    name, nothing = ("smax", -(1 << 63)) if node.operator == "highest" else ("smin", (1 << 63) - 1)
    return Answer(seats.reduced(name, seats.chosen(mask, numbers, nothing)))


def sum_of_lanes(seats: Seats, mask: Value, numbers: Value) -> Value:
    b = seats.f.code.builder
    counted = seats.chosen(mask, numbers, 0)
    shifted = b.add(counted, ir.Constant(counted.type, [SAFE] * seats.lanes))
    large = b.icmp_unsigned(">", shifted, ir.Constant(counted.type, [2 * SAFE] * seats.lanes))
    seats.guard(Answer(large, wide=True))
    return seats.reduced("add", counted)


def read_players(seats: Seats, node: tree.Select, names: Names) -> Answer:
    if node.which != "all" or node.best:
        raise Unfit
    return Answer(seats.domain_mask(node.domain, names))


def read_count_of(seats: Seats, node: tree.Attribute, names: Names) -> Answer:
    if node.name != "count" or node.operand.type.kind != "players":
        raise Unfit
    players = seats.read(node.operand, names)
    return Answer(seats.f.code.bits(players.value))


def read_all_players(seats: Seats, node: tree.AllPlayers, names: Names) -> Answer:
    return Answer(seats.f.expression(node))


READERS: dict[type, Callable[[Seats, Any, Names], Answer]] = {
    tree.Const: read_const,
    tree.OptionValue: read_option,
    tree.LocalValue: read_local,
    tree.VariableValue: read_variable,
    tree.CallDefine: read_call,
    tree.Not: read_not,
    tree.And: read_and,
    tree.Or: read_or,
    tree.Same: read_same,
    tree.Ordered: read_ordered,
    tree.Arithmetic: read_arithmetic,
    tree.Conditional: read_conditional,
    tree.Builtin: read_builtin,
    tree.Quantified: read_quantified,
    tree.Count: read_count,
    tree.Fold: read_fold,
    tree.Select: read_players,
    tree.Attribute: read_count_of,
    tree.AllPlayers: read_all_players,
}

# ---- whole questions


def at_once(f: Lowering, node: tree.Expr, slowly: Callable[[Lowering, Any], Value]) -> Value:
    """Answers a question of the seats for all of them at once; where a guard is up, seat by seat."""
    return settled(f, lambda seats, names: seats.read(node, names).value, lambda: slowly(f, node))


def settled(f: Lowering, ask: Callable[[Seats, Names], Value], slowly: Callable[[], Value]) -> Value:
    seats = Seats(f)
    side = Sketch(f)
    try:
        with side:
            value = ask(seats, names_of(f))
    except Unfit:
        return slowly()
    side.keep()
    if not seats.guards:
        return value
    result = Variable(f.code, value.type)
    result.set(value)
    raised = seats.guards[0]
    for guard in seats.guards[1:]:
        raised = f.code.builder.or_(raised, guard)
    with f.code.when(f.code.compare("!=", raised, 0), likely=False):
        result.set(slowly())
    return result.get()


def names_of(f: Lowering) -> Names:
    """What the locals are here, of those that are plain values."""
    found: Names = {}
    for index, value in f.names.items():
        plain = value.load() if isinstance(value, Slot) and is_plain(value) else value
        if isinstance(plain, ir.Value) and plain.type in (I64, I1):
            found[index] = Answer(plain)
    return found


def is_plain(slot: Any) -> bool:
    return slot.kind.kind in PLAIN


class Sketch:
    """Code written in a block of its own: joined to what stands before if it is kept, else thrown away."""

    def __init__(self, f: Lowering) -> None:
        self.f = f
        self.before = f.code.builder.block

    def __enter__(self) -> None:
        self.block = self.f.code.block("seats")
        self.f.code.go_on(self.block)

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            self.f.code.go_on(self.before)
            self.block.instructions.clear()
            self.block.terminator = None
            self.f.code.function.blocks.remove(self.block)

    def keep(self) -> None:
        end = self.f.code.builder.block
        self.f.code.go_on(self.before)
        self.f.code.jump(self.block)
        self.f.code.go_on(end)
