"""Conditions on the cards of a list, taken out of loops as functions that can be asked of all cards at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trionfi.core.ir import (
    Block,
    Break,
    Call,
    Check,
    Const,
    Continue,
    Each,
    EndGame,
    Function,
    If,
    Let,
    Name,
    Operand,
    Push,
    Return,
    Set,
    Statement,
    Var,
    operands_of,
    walk,
)
from trionfi.core.ops import SIGNATURES, Memory, Op
from trionfi.core.passes.dead import STOPPING
from trionfi.core.passes.folding import NO, YES
from trionfi.core.passes.rewriting import declared_in, with_blocks
from trionfi.core.types import BOOL, CARD, CARDS

if TYPE_CHECKING:
    from trionfi.core.ir import Program

__all__ = ["Search", "dependents", "is_plain", "search_of", "stops"]

# What is worked out for all cards at once; anything else must be the same for all of them.
OF_CARDS = frozenset(
    {Op.SUIT, Op.RANK, Op.FACE, Op.HAS_SUIT, Op.HAS_RANK, Op.HAS_NO_SUIT, Op.HAS_NO_RANK}
    | {Op.SAME, Op.IS_NONE, Op.UNWRAP, Op.NOT, Op.AND, Op.OR, Op.SELECT, Op.INDEX, Op.THING, Op.LOOKUP}
    | {Op.LESS, Op.AT_MOST, Op.ADD, Op.SUBTRACT, Op.ADD_OVERFLOWS, Op.SUBTRACT_OVERFLOWS, Op.MINIMUM, Op.MAXIMUM}
)
# They may not be worked out where the text does not come to them.
CAREFUL = STOPPING | {Op.MODULO, Op.FLOOR_DIVIDE, Op.CEIL_DIVIDE}


@dataclass(frozen=True)
class Search:
    """A loop that asks something of each card: `found` is set to `value` and the loop left (any, every, no), or, if
    `value` is None, the cards are pushed to it."""

    loop: Each
    found: Name
    value: Const | None

    @property
    def captured(self) -> tuple[Name, ...]:
        """What the condition reads beside the card, in the order of the text."""
        inside = declared_in((self.loop,))
        read = (o for one in walk(self.asking) for o in operands_of(one) if isinstance(o, Name) and o != HIT)
        return tuple(dict.fromkeys(name for name in read if name.text not in inside))

    @property
    def asking(self) -> Block:
        """The body, with a truth in place of what is found."""
        return hits(self.loop.body, self)

    def condition(self, name: str) -> Function:
        body = (Var(HIT, NO), *self.asking, Return(HIT))
        return Function(name, (self.loop.name, *self.captured), BOOL, body, pure=True)


HIT = Name("hit", BOOL)


def search_of(program: Program, loop: Each) -> Search | None:
    """The search that a loop is, if it is one."""
    if loop.source.type != CARDS or loop.name.type != CARD or not all(is_calm(program, one) for one in walk(loop.body)):
        return None
    outer = [one for one in walk(loop.body) if isinstance(one, Set | Push) and is_outside(one.name, loop)]
    leaving = [one for one in walk(loop.body) if isinstance(one, Break | Continue) and one.label == loop.label]
    if len(outer) != 1:
        return None
    (effect,) = outer
    if isinstance(effect, Push):
        return Search(loop, effect.name, None) if not leaving and effect.value == loop.name else None
    only = [Break(loop.label)] == leaving and any(ends_in(block, effect) for block in all_blocks(loop.body))
    return Search(loop, effect.name, effect.value) if only and isinstance(effect.value, Const) else None


def is_calm(program: Program, statement: Statement) -> bool:
    match statement:
        case Let(op=op):
            return not SIGNATURES[op].writes and not SIGNATURES[op].reads & Memory.DECISION
        case Call(function=name):
            return program.functions[name].pure
        case Return() | EndGame():
            return False
        case _:
            return True


def is_outside(name: Name, loop: Each) -> bool:
    return name.text not in declared_in(loop.body)


def all_blocks(block: Block) -> Iterator[Block]:
    from trionfi.core.ir import blocks_of

    yield block
    for statement in block:
        for inner in blocks_of(statement):
            yield from all_blocks(inner)


def ends_in(block: Block, effect: Set) -> bool:
    return len(block) > 1 and block[-2] is effect and isinstance(block[-1], Break)


def hits(block: Block, search: Search) -> Block:
    made: list[Statement] = []
    for statement in block:
        if isinstance(statement, Set | Push) and statement.name == search.found:
            made.append(Set(HIT, YES))
        elif statement != Break(search.loop.label):
            made.append(with_blocks(statement, lambda inner: hits(inner, search)))
    return tuple(made)


# ---- what speaks of the card


def dependents(function: Function) -> set[str]:
    """The names of a condition that are not the same for all cards."""
    found = {function.parameters[0].text}
    while found != (found := found | set(speaking(function.body, found, {}, 0))):
        pass
    return found


def speaking(  # noqa: C901  # one case a form
    block: Block, found: set[str], levels: dict[str, int], level: int
) -> Iterator[str]:
    """`level`: how many conditions on the card stand around; a variable that is set deeper than it is declared
    depends on them."""
    for one in block:
        depends = any(is_one_of(operand, found) for operand in operands_of(one))
        match one:
            case Let(target=Name(text)) | Call(target=Name(text)):
                if depends:
                    yield text
            case Var(name=name):
                levels[name.text] = level
                if depends:
                    yield name.text
            case Set(name=name) | Push(name=name):
                if depends or level > levels.get(name.text, 0):
                    yield name.text
            case If(_, then, otherwise):
                for inner in (then, otherwise):
                    yield from speaking(inner, found, levels, level + depends)
            case Each(name=name, body=body):
                if depends:
                    yield name.text
                yield from speaking(body, found, levels, level + depends)
            case _:
                pass


def is_one_of(operand: Operand, names: set[str]) -> bool:
    return isinstance(operand, Name) and operand.text in names


def is_plain(function: Function) -> bool:
    """Whether a condition can be asked of all cards at once: no loops or calls, and what depends on the card is of a
    kind that is worked out for all of them."""
    depending = dependents(function)
    return all(is_plain_statement(one, depending) for one in walk(function.body))


def is_plain_statement(statement: Statement, depending: set[str]) -> bool:
    match statement:
        case Let(target=Name(text), op=op):
            return op in OF_CARDS if text in depending else op not in CAREFUL
        case Var(name=name):
            return not name.type.is_list
        case Set() | If() | Check() | Return():
            return True
        case _:
            return False


def stops(program: Program, function: Function) -> bool:
    """Whether a condition may stop the game."""
    for statement in walk(function.body):
        if isinstance(statement, Check):
            return True
        if isinstance(statement, Call) and stops(program, program.functions[statement.function]):
            return True
    return False


def place_of(function: Function) -> int:
    return next((one.place for one in walk(function.body) if isinstance(one, Check)), 0)
