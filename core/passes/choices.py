"""Branches that only choose between values become choices without a branch.

Whether a card is a heart cannot be foretold; `select` costs less than a wrong guess. What stands in the blocks must be
cheap, and give something for whatever it is asked, since it is now worked out either way.
"""

from __future__ import annotations

from dataclasses import replace

from trionfi.core.ir import Block, Const, Function, If, Let, Name, Operand, Program, Set, Statement, Var, walk
from trionfi.core.ops import Op
from trionfi.core.passes.rewriting import Names, changed_in, names_of, with_blocks, with_operands
from trionfi.core.types import CoreType, Kind
from trionfi.dsl.tree import Ruleset

__all__ = ["choices"]

# They give something for all operands of their types.
TOTAL = frozenset(
    {Op.SUIT, Op.RANK, Op.FACE, Op.HAS_SUIT, Op.HAS_RANK, Op.HAS_NO_SUIT, Op.HAS_NO_RANK, Op.SAME, Op.IS_NONE, Op.NOT}
    | {Op.AND, Op.OR, Op.SELECT, Op.INDEX, Op.LESS, Op.AT_MOST, Op.ADD_OVERFLOWS, Op.OPTION, Op.NAMED_CARD}
)
MOST = 8  # operations that are worked out in vain
PLAIN = (Kind.INT, Kind.BOOL, Kind.SEAT, Kind.TEAM, Kind.CARD, Kind.ZONE, Kind.MEMBER, Kind.CATEGORY)


def choices(program: Program, _rules: Ruleset | None) -> Program:
    """Of all functions but conditions, which have no branches anyway."""
    functions = {name: replace(one, body=Choices(one).block(one.body)) for name, one in program.functions.items()}
    return Program(functions, program.places)


class Choices:
    """One function. `begun`: variables that have a value from the beginning."""

    def __init__(self, function: Function) -> None:
        self.names = Names(names_of(function.body, function.parameters))
        self.changing = changed_in(function.body)
        self.begun = {one.name.text for one in walk(function.body) if isinstance(one, Var) and one.value is not None}

    def block(self, block: Block) -> Block:
        made: list[Statement] = []
        for one in block:
            inner = with_blocks(one, self.block)
            made += self.chosen(inner) if isinstance(inner, If) else [inner]
        return tuple(made)

    def chosen(self, node: If) -> list[Statement]:
        """The branch as choices, if it is one between values."""
        then, otherwise = self.values(node.then), self.values(node.otherwise)
        if then is None or otherwise is None or isinstance(node.condition, Const):
            return [node]
        lets, names = [*then[0], *otherwise[0]], list(dict.fromkeys([*then[1], *otherwise[1]]))
        whole = all((name in then[1] and name in otherwise[1]) or name.text in self.begun for name in names)
        if not whole or len(lets) > MOST or not all(name.type.kind in PLAIN for name in names):
            return [node]
        made: list[Statement] = list(lets)
        sets: list[Statement] = []
        for name in names:
            one, other = (typed(side[1].get(name, name), name.type) for side in (then, otherwise))
            select = Name(self.names.fresh("select"), name.type)
            made.append(Let(select, Op.SELECT, (node.condition, one, other)))
            sets.append(Set(name, select))
        return [*made, *sets]

    def values(self, block: Block) -> tuple[list[Statement], dict[Name, Operand]] | None:
        """What a block works out, and what it sets."""
        lets: list[Statement] = []
        values: dict[Name, Operand] = {}

        def read(operand: Operand) -> Operand:
            return values.get(operand, operand) if isinstance(operand, Name) else operand

        for one in block:
            done = with_operands(one, read)
            if isinstance(done, Let) and done.op in TOTAL and all(map(self.is_there, done.args)):
                lets.append(done)
            elif isinstance(done, Set):
                values[done.name] = done.value
            else:
                return None
        return lets, values

    def is_there(self, operand: Operand) -> bool:
        """Whether an operand has a value whichever way is taken."""
        return isinstance(operand, Const) or operand.text not in self.changing or operand.text in self.begun


def typed(value: Operand, kind: CoreType) -> Operand:
    return Const(None, kind) if isinstance(value, Const) and value.value is None else value
