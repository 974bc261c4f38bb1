"""Questions about players, answered for all seats at once: what a player has stands in a vector, a lane a seat.

A question is answered so if it is made of players' variables, comparisons, sums and further questions. Whatever could
stop the game in it (a sum that is too large, an owner that is none) is a *guard*: if one is up, the question is asked
again seat by seat, which finds the place. Nothing here has an effect, so reading more than a script would is harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.tree.words import Function
from trionfi.interpreter.native.builder import I1, I64, Value, Variable, constant_of, declared, number
from trionfi.interpreter.native.lower_expressions import load_variable
from trionfi.interpreter.native.lowering import Lowering, is_seat_of_some_tables
from trionfi.interpreter.native.values import Slot

SAFE = 1 << 55  # numbers of at most this size may be added up, lane by lane, without leaving 64 bits
PLAIN = ("number", "truth", "player", "team", "enum")


class Unfit(Exception):  # no error: the question is asked seat by seat
    """An expression that is not answered for all seats at once."""


class Lane:
    """The player whose lane it is."""


LANE = Lane()


@dataclass(frozen=True, slots=True)
class Answer:
    """A value; `wide`: one a seat. Then a truth is a mask with a bit a seat, a number a vector with a lane a seat."""

    value: Value
    wide: bool = False
    truth: bool = False


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
        """One value a lane; of a truth one bit a seat."""
        if answer.wide:
            return answer.value
        if answer.truth:
            return self.f.code.choose(answer.value, -1, 0)
        kind = self.vector(answer.value.type)
        constant = constant_of(answer.value)
        if constant is not None:
            return ir.Constant(kind, [constant] * self.lanes)
        b = self.f.code.builder
        first = b.insert_element(ir.Constant(kind, ir.Undefined), answer.value, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(self.vector(ir.IntType(32)), [0] * self.lanes)
        return b.shuffle_vector(first, ir.Constant(kind, ir.Undefined), zeros)

    def joined(self, emit: Callable[..., Value], *truths: Answer) -> Answer:
        """An operator over bits: of one truth or of a mask."""
        if not any(truth.wide for truth in truths):
            return Answer(emit(*(truth.value for truth in truths)), truth=True)
        return Answer(emit(*map(self.widened, truths)), wide=True, truth=True)

    def computed(self, emit: Callable[..., Value], *numbers: Answer) -> Answer:
        """An operator over numbers that gives a number."""
        if not any(one.wide for one in numbers):
            return Answer(emit(*(one.value for one in numbers)))
        return Answer(emit(*map(self.widened, numbers)), wide=True)

    def compared(self, emit: Callable[..., Value], *numbers: Answer) -> Answer:
        """An operator over numbers that gives a truth."""
        result = self.computed(emit, *numbers)
        return Answer(self.bits_of(result.value) if result.wide else result.value, result.wide, truth=True)

    def bits_of(self, truths: Value) -> Value:
        """A mask of a vector of truths."""
        b = self.f.code.builder
        return b.zext(b.bitcast(truths, ir.IntType(self.lanes)), I64)

    def truths_of(self, mask: Value) -> Value:
        """A vector of truths of a mask."""
        b = self.f.code.builder
        return b.bitcast(b.trunc(mask, ir.IntType(self.lanes)), self.vector(I1))

    def guard(self, bad: Answer) -> None:
        """Notes what would stop the game."""
        code = self.f.code
        seats = number((1 << self.f.layout.seats) - 1)
        self.guards.append(code.builder.and_(bad.value, seats) if bad.wide else code.number_of(bad.value))

    def mask(self, truth: Answer) -> Value:
        """A bit a seat, of those seated."""
        code = self.f.code
        everyone = code.subtract(code.bit(self.f.seats), 1)
        if constant_of(truth.value) == 1 and not truth.wide:
            return everyone
        return code.builder.and_(self.widened(truth), everyone)

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
        truth = Answer(ir.Constant(I1, 1), truth=True)
        for node in wanted:
            truth = self.joined(self.f.code.both, truth, self.read(node, inner))
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
        nothing = ir.Constant(self.vector(I64), [otherwise] * self.lanes)
        return self.f.code.builder.select(self.truths_of(mask), vector, nothing)


# ---- names and variables


def read_const(seats: Seats, node: tree.Const, names: Names) -> Answer:
    if (node.value is None and node.type.kind == "number") or is_seat_of_some_tables(seats.f.rules, node):
        raise Unfit
    return Answer(seats.f.constant(node.value, node.type), truth=node.type.kind == "truth")


def read_option(seats: Seats, node: tree.OptionValue, names: Names) -> Answer:
    return Answer(seats.f.expression(node), truth=node.type.kind == "truth")


def read_local(seats: Seats, node: tree.LocalValue, names: Names) -> Answer:
    if node.local.index not in names:
        raise Unfit
    found = names[node.local.index]
    if found is not LANE:
        return found  # type: ignore[no-any-return]
    return Answer(ir.Constant(seats.vector(I64), list(range(seats.lanes))), wide=True)


def read_variable(seats: Seats, node: tree.VariableValue, names: Names) -> Answer:
    f, variable = seats.f, node.variable
    truth = variable.type.kind == "truth"
    if node.owner is None:
        return Answer(load_variable(f, variable, 0), truth=truth)
    if variable.per != "player":
        raise Unfit
    if isinstance(node.owner, tree.LocalValue) and names.get(node.owner.local.index) is LANE:
        return lanes_of_variable(seats, variable)
    owner = seats.read(node.owner, names)
    if owner.wide:
        raise Unfit
    seats.guard(Answer(f.code.compare("<", owner.value, 0), truth=True))
    return Answer(load_variable(f, variable, f.code.larger(owner.value, 0)), truth=truth)


def lanes_of_variable(seats: Seats, variable: tree.Variable) -> Answer:
    """A player's variable of all seats; lanes without a seat are 0."""
    f, b = seats.f, seats.f.code.builder
    name = f"variable {variable.name}"
    field = f.layout[name]
    if variable.type.kind == "truth":
        return Answer(f.field(name), wide=True, truth=True)
    loaded = b.load(f.address(name), typ=seats.vector(field.kind), align=field.size)
    there = ir.Constant(seats.vector(I1), [int(lane < f.layout.seats) for lane in range(seats.lanes)])
    value = b.select(there, loaded, ir.Constant(loaded.type, [0] * seats.lanes))
    return Answer(b.sext(value, seats.vector(I64)) if field.kind is not I64 else value, wide=True)


def read_call(seats: Seats, node: tree.CallDefine, names: Names) -> Answer:
    """A define is read with its parameters' names."""
    inner: Names = {}
    for argument, parameter in zip(node.arguments, node.define.parameters, strict=True):
        is_lane = isinstance(argument, tree.LocalValue) and names.get(argument.local.index) is LANE
        inner[parameter.index] = LANE if is_lane else seats.read(argument, names)
    return seats.read(node.define.body, inner)


# ---- operators


def read_not(seats: Seats, node: tree.Not, names: Names) -> Answer:
    return seats.joined(seats.f.code.builder.not_, seats.read(node.operand, names))


def read_and(seats: Seats, node: tree.And, names: Names) -> Answer:
    return folded(seats, node.operands, names, seats.f.code.both)


def read_or(seats: Seats, node: tree.Or, names: Names) -> Answer:
    return folded(seats, node.operands, names, seats.f.code.either)


def folded(seats: Seats, operands: Sequence[tree.Expr], names: Names, emit: Callable[..., Value]) -> Answer:
    result = seats.read(operands[0], names)
    for node in operands[1:]:
        result = seats.joined(emit, result, seats.read(node, names))
    return result


def read_same(seats: Seats, node: tree.Same, names: Names) -> Answer:
    for side in (node.left, node.right):
        if isinstance(side, tree.Const) and side.value is None:
            raise Unfit
    left, right = seats.read(node.left, names), seats.read(node.right, names)
    b = seats.f.code.builder
    if left.truth:
        return seats.joined(lambda one, other: b.not_(b.xor(one, other)), left, right)
    return seats.compared(lambda one, other: b.icmp_signed("==", one, other), left, right)


def read_ordered(seats: Seats, node: tree.Ordered, names: Names) -> Answer:
    if node.left.type.kind != "number" or node.right.type.kind != "number":
        raise Unfit
    pair = seats.read(node.left, names), seats.read(node.right, names)
    return seats.compared(lambda left, right: seats.f.code.compare(node.operator, left, right), *pair)


def read_arithmetic(seats: Seats, node: tree.Arithmetic, names: Names) -> Answer:
    b = seats.f.code.builder
    emits = {"+": b.add, "-": b.sub}
    if node.operator not in emits or node.type.kind != "number":
        raise Unfit
    left, right = seats.read(node.left, names), seats.read(node.right, names)
    result = seats.computed(emits[node.operator], left, right)

    def overflows(one: Value, other: Value, total: Value) -> Value:
        against = b.xor(one, total)
        # a sum overflows if both sides differ in sign from it; a difference, if the sides differ, too
        signs = b.and_(against, b.xor(other, total) if node.operator == "+" else b.xor(one, other))
        zero = ir.Constant(signs.type, [0] * seats.lanes if isinstance(signs.type, ir.VectorType) else 0)
        return b.icmp_signed("<", signs, zero)

    seats.guard(seats.compared(overflows, left, right, result))
    return result


def read_conditional(seats: Seats, node: tree.Conditional, names: Names) -> Answer:
    result = seats.read(node.otherwise, names)
    for condition, value in reversed(node.arms):
        result = one_of(seats, seats.read(condition, names), seats.read(value, names), result)
    return result


def one_of(seats: Seats, condition: Answer, yes: Answer, no: Answer) -> Answer:
    b = seats.f.code.builder
    if not condition.wide:
        choose = seats.joined if yes.truth else seats.computed
        return choose(lambda one, other: b.select(condition.value, one, other), yes, no)
    if yes.truth:
        return seats.joined(lambda c, one, other: b.or_(b.and_(c, one), b.and_(b.not_(c), other)), condition, yes, no)
    truths = seats.truths_of(condition.value)
    return Answer(b.select(truths, seats.widened(yes), seats.widened(no)), wide=True)


def read_builtin(seats: Seats, node: tree.Builtin, names: Names) -> Answer:
    if node.type.kind != "number":
        raise Unfit
    b, operator = seats.f.code.builder, sign_of_function(node.name)
    result, *others = [seats.read(argument, names) for argument in node.arguments]
    for value in others:
        result = seats.computed(
            lambda one, other: b.select(b.icmp_signed(operator, one, other), one, other), result, value
        )
    return result


def sign_of_function(name: Function) -> Literal["<", ">"]:
    match name:
        case "smaller":
            return "<"
        case "larger":
            return ">"
        case "chance":
            raise Unfit
        case _:
            assert_never(name)


# ---- further questions: of the seats, but not about the lane


def read_quantified(seats: Seats, node: tree.Quantified, names: Names) -> Answer:
    match node.quantifier:
        case "any":
            return seated(seats, node, node.condition, names, "!=")
        case "no":
            return seated(seats, node, node.condition, names, "==")
        case "every":
            return seated(seats, node, tree.Not(node.condition.type, node.span, node.condition), names, "==")
        case _:
            assert_never(node.quantifier)


def seated(
    seats: Seats, node: tree.Quantified, condition: tree.Expr, names: Names, sign: Literal["==", "!="]
) -> Answer:
    """Whether there is nobody, or somebody, for whom the condition holds."""
    mask = seats.domain_mask(node.domain, names, condition)
    return Answer(seats.f.code.compare(sign, mask, 0), truth=True)


def read_count(seats: Seats, node: tree.Count, names: Names) -> Answer:
    return Answer(seats.f.code.bits(seats.domain_mask(node.domain, names)))


def read_fold(seats: Seats, node: tree.Fold, names: Names) -> Answer:
    if node.type.kind != "number":
        raise Unfit
    mask = seats.domain_mask(node.domain, names)
    numbers = seats.lane_numbers(node.value, node.domain, names)
    match node.operator:
        case "sum":
            return Answer(sum_of_lanes(seats, mask, numbers))
        case "highest":
            return extreme_of_lanes(seats, mask, numbers, "smax", -(1 << 63))
        case "lowest":
            return extreme_of_lanes(seats, mask, numbers, "smin", (1 << 63) - 1)
        case "median":
            raise Unfit
        case _:
            assert_never(node.operator)


def extreme_of_lanes(seats: Seats, mask: Value, numbers: Value, name: str, nothing: int) -> Answer:
    seats.guard(Answer(seats.f.code.compare("==", mask, 0), truth=True))
    return Answer(seats.reduced(name, seats.chosen(mask, numbers, nothing)))


def sum_of_lanes(seats: Seats, mask: Value, numbers: Value) -> Value:
    b = seats.f.code.builder
    counted = seats.chosen(mask, numbers, 0)
    shifted = b.add(counted, ir.Constant(counted.type, [SAFE] * seats.lanes))
    large = b.icmp_unsigned(">", shifted, ir.Constant(counted.type, [2 * SAFE] * seats.lanes))
    seats.guard(Answer(seats.bits_of(large), wide=True, truth=True))
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
            found[index] = Answer(plain, truth=plain.type is I1)
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
