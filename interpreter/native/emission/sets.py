"""Conditions asked of all cards at once: as sets of cards, a bit a card.

What is printed on cards is known when the code is written. So `suit(card) == led` is a table of sets, one for each
suit, and what a condition makes of such sets are a few operations on words: no loop over cards, no branch. What does
not speak of the card is worked out once. A value of the card itself (its suit, the power it has) is a column, the same
for all cards, or a choice between two values by a set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from llvmlite import ir as llvm

from trionfi.core import ir
from trionfi.core.ops import Op
from trionfi.core.types import BOOL, CoreType, Kind
from trionfi.interpreter.native.builder import I1, I64, Value, number
from trionfi.interpreter.native.emission.emitter import Emitter, Unfit
from trionfi.interpreter.native.emission.function import StatementWriter
from trionfi.interpreter.native.emission.operations import OPERATIONS

__all__ = ["Answer", "answer_of"]

NONE = -1  # in a column, of references


@dataclass(frozen=True, slots=True)
class CardColumn:
    """A value of each card that is known now."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OneOfTwo:
    """One value for the cards of a set, another for the others."""

    cards: Value
    one: Any
    other: Any


@dataclass(frozen=True, slots=True)
class CardSet:
    """The cards of which a truth holds."""

    cards: Value


@dataclass(frozen=True, slots=True)
class Answer:
    """The cards that a condition says yes to, those for which it stops, and whether it may stop at all."""

    yes: Value
    stopping: Value
    may_stop: bool


def answer_of(e: Emitter, condition: ir.Function, arguments: Sequence[Any]) -> Answer:
    """What a condition says; `arguments`: of its parameters behind the card."""
    if e.rules.effects or e.layout.mask_kind.width > 128:
        raise Unfit
    inner = StatementWriter(e.build, e.program, condition, e.code)
    inner.bounds, inner.alive, inner.made = e.bounds, e.alive, e.made
    for parameter, value in zip(condition.parameters[1:], arguments, strict=True):
        inner.names[parameter.text] = value
    return ConditionSets(inner, condition.parameters[0]).answer(condition.body)


PRINTED = {Op.SUIT: "suit", Op.RANK: "rank"}
AS_IT_IS = (Op.UNWRAP, Op.INDEX, Op.THING)
ON_NUMBERS: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: int.__add__,
    Op.SUBTRACT: int.__sub__,
    Op.ADD_OVERFLOWS: lambda one, other: not -(1 << 63) <= one + other < 1 << 63,
    Op.SUBTRACT_OVERFLOWS: lambda one, other: not -(1 << 63) <= one - other < 1 << 63,
    Op.MINIMUM: min,
    Op.MAXIMUM: max,
    Op.LESS: int.__lt__,
    Op.AT_MOST: int.__le__,
    Op.SAME: int.__eq__,
}


class ConditionSets:
    """One condition on its way to sets. What is the same for all cards lies in the emitter's names."""

    def __init__(self, e: Emitter, card: ir.Name) -> None:
        self.e, self.code = e, e.code
        self.count = e.layout.cards.count
        self.kind = e.layout.mask_kind
        self.all = (1 << self.count) - 1
        self.cards: dict[str, Any] = {card.text: CardColumn(tuple(range(self.count)))}
        self.stopping: Value = self.constant(0)
        self.may_stop = False
        self.result: Any = None

    # ---- sets

    def constant(self, bits: int) -> Value:
        return llvm.Constant(self.kind, bits)

    def spread(self, truth: Value) -> Value:
        """All cards or none."""
        return self.code.builder.select(truth, self.constant(self.all), self.constant(0))

    def both(self, one: Value, other: Value) -> Value:
        known = is_constant(one, self.all), is_constant(other, self.all)
        return other if known[0] else one if known[1] else self.code.builder.and_(one, other)

    def others(self, cards: Value) -> Value:
        if isinstance(cards, llvm.Constant):
            return self.constant(cards.constant ^ self.all)
        return self.code.builder.xor(cards, self.constant(self.all))

    def divided(self, by: Value, one: Value, other: Value) -> Value:
        b = self.code.builder
        return b.xor(other, b.and_(by, b.xor(one, other)))

    def where(self, values: Sequence[int], holds: Callable[[int], bool]) -> int:
        return sum(1 << card for card, value in enumerate(values) if holds(value))

    def entry(self, rows: Sequence[int], index: Value) -> Value:
        """The set that stands in a table."""
        name = f"sets {self.kind.width} {' '.join(map(hex, rows))}"
        module = self.e.build.module
        if name not in module.globals:
            array = llvm.ArrayType(self.kind, len(rows))
            made = llvm.GlobalVariable(module, array, name)
            made.initializer = llvm.Constant(array, list(rows))
            made.global_constant, made.linkage, made.unnamed_addr = True, "internal", True
            made.type = llvm.PointerType()
        place = self.code.at(module.globals[name], index, int(self.kind.width) // 8)
        return self.code.builder.load(place, typ=self.kind)

    # ---- statements

    def answer(self, body: ir.Block) -> Answer:
        self.block(body, self.constant(self.all))
        return Answer(self.as_set(self.result), self.stopping, self.may_stop)

    def block(self, block: ir.Block, path: Value) -> None:
        for statement in block:
            self.statement(statement, path)

    def statement(self, statement: ir.Statement, path: Value) -> None:
        match statement:
            case ir.Let(target=ir.Name() as target):
                self.put(target, self.let(statement))
            case ir.Var(name, value) | ir.Set(name, value):
                self.put(name, None if value is None else self.value(value, name.type))
            case ir.If():
                self.either(statement, path)
            case ir.Check(condition):
                fails = self.others(self.as_set(self.value(condition, BOOL)))
                self.stopping = self.code.builder.or_(self.stopping, self.both(path, fails))
                self.may_stop = True
            case ir.Return(ir.Name() | ir.Const() as value):
                self.result = self.value(value, BOOL)
            case _:
                raise Unfit

    def either(self, node: ir.If, path: Value) -> None:
        """Both blocks, one after the other; what they set is chosen."""
        condition = self.value(node.condition, BOOL)
        by = self.as_set(condition)
        before = self.kept()
        self.block(node.then, self.both(path, by))
        then = self.kept()
        self.keep(before)
        self.block(node.otherwise, self.both(path, self.others(by)))
        otherwise = self.kept()
        for text in {*then, *otherwise}:
            one, other = then.get(text), otherwise.get(text)
            if one is not other and text in before:
                self.put_text(text, self.chosen(condition, by, one, other))

    def kept(self) -> dict[str, Any]:
        return {**self.e.names, **self.cards}

    def keep(self, names: dict[str, Any]) -> None:
        self.e.names, self.cards = {}, {}
        for text, value in names.items():
            self.put_text(text, value)

    def put(self, name: ir.Name, value: Any) -> None:
        self.put_text(name.text, self.e.noted(value, name.type) if is_scalar(value) else value)

    def put_text(self, text: str, value: Any) -> None:
        self.cards.pop(text, None)
        self.e.names.pop(text, None)
        of_cards = isinstance(value, CardColumn | OneOfTwo | CardSet)
        (self.cards if of_cards else self.e.names)[text] = value

    def chosen(self, condition: Any, by: Value, one: Any, other: Any) -> Any:
        if one is None or other is None:
            return other if one is None else one
        if is_scalar(condition) and is_scalar(one) and is_scalar(other):
            return self.code.choose(condition, one, other)
        if self.is_truth(one) or self.is_truth(other):
            return CardSet(self.divided(by, self.as_set(one), self.as_set(other)))
        return OneOfTwo(by, one, other)

    # ---- values

    def is_truth(self, value: Any) -> bool:
        return isinstance(value, CardSet) or (is_scalar(value) and value.type == I1)

    def value(self, operand: ir.Operand, wanted: CoreType | None = None) -> Any:
        if isinstance(operand, ir.Name) and operand.text in self.cards:
            return self.cards[operand.text]
        return self.e.value(operand, wanted)

    def as_set(self, value: Any) -> Value:
        if isinstance(value, CardSet):
            return value.cards
        if isinstance(value, llvm.Constant) and value.type == I1:
            return self.constant(self.all if value.constant else 0)
        if is_scalar(value) and value.type == I1:
            return self.spread(value)
        raise Unfit

    def let(self, node: ir.Let) -> Any:
        if not any(isinstance(arg, ir.Name) and arg.text in self.cards for arg in node.args):
            if node.op not in OPERATIONS:
                raise Unfit
            return OPERATIONS[node.op](self.e, node)
        return self.of_cards(node, [self.value(arg, self.kind_of(node, arg)) for arg in node.args])

    def kind_of(self, node: ir.Let, arg: ir.Operand) -> CoreType | None:
        """What a bare none is."""
        others = [one.type for one in node.args if one is not arg and one.type.name != "none"]
        return others[0].maybe if others else node.target.type if node.target else None

    def of_cards(self, node: ir.Let, args: list[Any]) -> Any:
        match node.op:
            case Op.NOT:
                return CardSet(self.others(self.as_set(args[0])))
            case Op.AND:
                return CardSet(self.both(self.as_set(args[0]), self.as_set(args[1])))
            case Op.OR:
                return CardSet(self.code.builder.or_(self.as_set(args[0]), self.as_set(args[1])))
            case Op.SELECT:
                return self.chosen(args[0], self.as_set(args[0]), args[1], args[2])
            case Op.SAME if node.args[0].type.kind is Kind.BOOL:
                apart = self.code.builder.xor(self.as_set(args[0]), self.as_set(args[1]))
                return CardSet(self.others(apart))
            case _ if node.op in AS_IT_IS:
                return args[0]
            case _:
                return self.leafwise(node, args)

    def leafwise(self, node: ir.Let, args: list[Any]) -> Any:
        """The operation on each side of a choice."""
        for place, arg in enumerate(args):
            if isinstance(arg, OneOfTwo):
                one, other = (
                    self.leafwise(node, [*args[:place], side, *args[place + 1 :]]) for side in (arg.one, arg.other)
                )
                return self.chosen(CardSet(arg.cards), arg.cards, one, other)
        return self.on_columns(node, [self.known(arg) for arg in args])

    def known(self, value: Any) -> Any:
        """A constant is a column, too."""
        if isinstance(value, llvm.Constant) and isinstance(value.constant, int) and value.type == I64:
            return CardColumn((value.constant,) * self.count)
        return value

    def on_columns(self, node: ir.Let, args: list[Any]) -> Any:
        columns = [arg.values for arg in args if isinstance(arg, CardColumn)]
        if len(columns) == len(args):
            return self.of_known(node, columns)
        if not columns:
            return self.of_scalars(node, args)
        if len(args) != 2 or any(not is_scalar(arg) for arg in args if not isinstance(arg, CardColumn)):
            raise Unfit
        column, scalar = columns[0], next(arg for arg in args if not isinstance(arg, CardColumn))
        return CardSet(self.compared(node, column, scalar, first=isinstance(args[0], CardColumn)))

    def of_scalars(self, node: ir.Let, args: list[Any]) -> Any:
        """On one side of a choice all cards have the same."""
        names = [ir.Name(f"side {place}", arg.type) for place, arg in enumerate(node.args)]
        self.e.names |= {name.text: value for name, value in zip(names, args, strict=True)}
        return OPERATIONS[node.op](self.e, replace(node, args=tuple(names)))

    def of_known(self, node: ir.Let, columns: list[tuple[int, ...]]) -> Any:
        rows = list(zip(*columns, strict=True))
        cards = self.e.layout.cards
        match node.op:
            case Op.SUIT | Op.RANK:
                of_card = cards.column(PRINTED[node.op])
                return CardColumn(tuple(of_card[card] for (card,) in rows))
            case Op.FACE:
                return CardColumn(tuple(cards.face_of[card] for (card,) in rows))
            case Op.HAS_SUIT | Op.HAS_RANK:
                of_card = cards.column(node.op.removeprefix("has_"))
                return self.truths([of_card[card] == member for card, member in rows])
            case Op.HAS_NO_SUIT | Op.HAS_NO_RANK:
                of_card = cards.column(node.op.removeprefix("has_no_"))
                return self.truths([of_card[card] < 0 for (card,) in rows])
            case Op.IS_NONE if node.args[0].type.kind is not Kind.INT:
                return self.truths([value < 0 for (value,) in rows])
            case Op.LOOKUP:
                return CardColumn(
                    tuple(int(node.about[value]) if 0 <= value < len(node.about) else NONE for (value,) in rows)
                )
            case _ if node.op in ON_NUMBERS:
                values = [ON_NUMBERS[node.op](one, other) for one, other in rows]
                return self.truths(values) if isinstance(values[0], bool) else CardColumn(tuple(values))
            case _:
                raise Unfit

    def truths(self, values: Sequence[int]) -> CardSet:
        return CardSet(self.constant(self.where(values, bool)))

    def compared(self, node: ir.Let, column: tuple[int, ...], scalar: Value, first: bool) -> Value:
        """The cards whose value compares so with one that is known when the game is played."""
        if node.op in (Op.HAS_SUIT, Op.HAS_RANK) and first:
            of_card = self.e.layout.cards.column(node.op.removeprefix("has_"))
            return self.equal([of_card[card] for card in column], scalar)
        if node.op is Op.SAME:
            return self.equal(column, scalar)
        if node.op is Op.LESS:
            return self.below(column, scalar) if first else self.others(self.below(column, self.code.add(scalar, 1)))
        if node.op is Op.AT_MOST:
            return self.below(column, self.code.add(scalar, 1)) if first else self.others(self.below(column, scalar))
        raise Unfit

    def equal(self, column: Sequence[int], scalar: Value) -> Value:
        low, high = self.span(column)
        rows = [self.where(column, lambda value, wanted=wanted: value == wanted) for wanted in range(low, high + 1)]  # type: ignore[misc]
        index, most = self.code.subtract(scalar, low), len(rows)
        b = self.code.builder
        index = b.select(b.icmp_unsigned("<", index, number(most)), index, number(most))
        return self.entry([*rows, 0], index)

    def below(self, column: Sequence[int], scalar: Value) -> Value:
        low, high = self.span(column)
        rows = [self.where(column, lambda value, limit=limit: value < limit) for limit in range(low, high + 2)]  # type: ignore[misc]
        within = self.code.smaller(self.code.larger(scalar, low), high + 1)
        return self.entry(rows, self.code.subtract(within, low))

    def span(self, column: Sequence[int]) -> tuple[int, int]:
        low, high = min(column), max(column)
        if high - low > 256:
            raise Unfit
        return low, high


def is_scalar(value: Any) -> bool:
    return isinstance(value, llvm.Value) and value.type in (I1, I64)


def is_constant(value: Value, bits: int) -> bool:
    return isinstance(value, llvm.Constant) and value.constant == bits
