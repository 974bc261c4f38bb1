"""Operations on fractions, which are kept as they come: not always in lowest terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.dsl.tree.words import Operator
from trionfi.interpreter.native.arithmetic import fraction_of, fractions_compared, rounded, terms
from trionfi.interpreter.native.builder import FALSE, I1, Mutable, Value, number
from trionfi.interpreter.native.emission.emitter import Emitter
from trionfi.interpreter.native.emission.numbers import arguments
from trionfi.interpreter.native.emission.operations import emits
from trionfi.interpreter.native.values import Compound

__all__: list[str] = []

OPERATORS: dict[Op, Operator] = {
    Op.FRACTION_ADD: "+",
    Op.FRACTION_SUBTRACT: "-",
    Op.FRACTION_MULTIPLY: "*",
    Op.FRACTION_DIVIDE: "/",
}


@dataclass(frozen=True, slots=True)
class Fitted(Compound):
    """A fraction that may be none; `is_none` says so without its words."""

    is_none: Value = FALSE


@emits(Op.TO_FRACTION)
def to_fraction(e: Emitter, node: Let) -> Compound:
    return Compound((e.value(node.args[0]), number(1)))


@emits(*OPERATORS)
def fraction_arithmetic(e: Emitter, node: Let) -> Compound:
    one, other = arguments(e, node)
    return fitted(e, terms(OPERATORS[node.op], one, other))


@emits(Op.FRACTION_NEGATE)
def fraction_negate(e: Emitter, node: Let) -> Compound:
    nothing = Compound((number(0), number(1)))
    return fitted(e, terms("-", nothing, e.value(node.args[0])))


def fitted(e: Emitter, emit: Callable[[Any], tuple[Value, Value]]) -> Compound:
    beyond = Mutable(e.code, I1, 0)
    beyond.set(FALSE)
    asked: list[Value] = []

    def note(large: Value) -> None:
        asked.append(large)
        beyond.set(large)

    over, under = fraction_of(e, emit, note).words
    if not asked:
        return Fitted((over, under))
    is_none = beyond.get()
    return Fitted((over, e.code.choose(is_none, number(0), number(under))), is_none)


@emits(Op.FRACTION_LESS, Op.FRACTION_AT_MOST)
def fraction_order(e: Emitter, node: Let) -> Value:
    one, other = arguments(e, node)
    return fractions_compared(e, "<" if node.op is Op.FRACTION_LESS else "<=", one, other)


@emits(Op.FRACTION_IS_ZERO)
def fraction_is_zero(e: Emitter, node: Let) -> Value:
    return e.code.compare("==", e.value(node.args[0]).words[0], 0)


@emits(Op.FLOOR, Op.CEIL)
def whole_number(e: Emitter, node: Let) -> Value:
    over, under = e.value(node.args[0]).words
    return rounded(e, over, under, node.op is Op.CEIL)
