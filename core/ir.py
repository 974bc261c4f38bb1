"""The core: a small, typed, structured language between the checked tree and the machine (docs/core.md).

Operands are names or constants (A-normal form). A name is set once, where it is let; a *variable* is declared by `Var`
and changed by `Set` and `Push`. Control is structured: no labels but those of loops, no phi.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from trionfi.core.ops import Op
from trionfi.core.types import CoreType
from trionfi.dsl.source import Span

__all__ = [
    "Block",
    "Break",
    "Call",
    "Check",
    "Const",
    "Continue",
    "Each",
    "EndGame",
    "For",
    "Function",
    "If",
    "Let",
    "Loop",
    "Name",
    "Operand",
    "Place",
    "Program",
    "Push",
    "Return",
    "Set",
    "Statement",
    "Switch",
    "Var",
    "asking_functions",
    "blocks_of",
    "operands_of",
    "walk",
]


@dataclass(frozen=True, slots=True)
class Name:
    """What is let, declared or given to a function; its text is unlike all others of the function."""

    text: str
    type: CoreType

    def __hash__(self) -> int:
        return hash(self.text)  # which says nearly all, and is at hand


@dataclass(frozen=True, slots=True)
class Const:
    """A number (also the number of a thing), a truth, a fraction, or none."""

    value: int | bool | Fraction | None
    type: CoreType


Operand = Name | Const


@dataclass(frozen=True, slots=True)
class Let:
    """`target: T = op[about](args)`; without a target for what the operation does. `about` are the declarations that it
    is about, by name or number."""

    target: Name | None
    op: Op
    args: tuple[Operand, ...] = ()
    about: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """The game stops with an error of this code, at `places[place]` of the program, unless the condition holds."""

    condition: Operand
    code: str
    place: int


@dataclass(frozen=True, slots=True)
class Var:
    """Declares a variable; without a value it is set before it is read."""

    name: Name
    value: Operand | None = None


@dataclass(frozen=True, slots=True)
class Set:
    name: Name
    value: Operand


@dataclass(frozen=True, slots=True)
class Push:
    """Puts a thing behind the last of a list that is a variable."""

    name: Name
    value: Operand


@dataclass(frozen=True, slots=True)
class If:
    condition: Operand
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """The block of the number that the value is; `otherwise` for any other."""

    value: Operand
    cases: tuple[tuple[int, Block], ...]
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """Goes on until it is left."""

    label: str
    body: Block


@dataclass(frozen=True, slots=True)
class For:
    """The numbers from `low` up to, not including, `high`, which are read once."""

    label: str
    name: Name
    low: Operand
    high: Operand
    body: Block


@dataclass(frozen=True, slots=True)
class Each:
    """The things of a list in their order, as they were when it began; of a set of seats in their order round the table
    from `start` (by default the first)."""

    label: str
    name: Name
    source: Operand
    body: Block
    start: Operand | None = None


@dataclass(frozen=True, slots=True)
class Break:
    label: str


@dataclass(frozen=True, slots=True)
class Continue:
    label: str


@dataclass(frozen=True, slots=True)
class Call:
    """Calls a function of the program; `target` is what it gives."""

    target: Name | None
    function: str
    args: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    value: Operand | None = None


@dataclass(frozen=True, slots=True)
class EndGame:
    pass


Statement = (
    Let | Check | Var | Set | Push | If | Switch | Loop | For | Each | Break | Continue | Call | Return | EndGame
)
Block = tuple[Statement, ...]


@dataclass(slots=True)
class Function:
    """`pure`: a define, which changes nothing and draws nothing. `asks`: a decision may be reached."""

    name: str
    parameters: tuple[Name, ...]
    result: CoreType | None
    body: Block = ()
    pure: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the ruleset, where a game may stop or somebody is asked; `about`: the node of the tree."""

    span: Span
    about: object = None


@dataclass(slots=True)
class Program:
    """The functions of a ruleset by name, and the places that they speak of by number."""

    functions: dict[str, Function] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)


def blocks_of(statement: Statement) -> Iterator[Block]:
    """The blocks that stand directly in a statement."""
    match statement:
        case If(_, then, otherwise):
            yield then
            yield otherwise
        case Switch(_, cases, otherwise):
            for _, block in cases:
                yield block
            yield otherwise
        case Loop(body=body) | For(body=body) | Each(body=body):
            yield body
        case _:
            pass


def operands_of(statement: Statement) -> tuple[Operand, ...]:
    """What a statement itself reads."""
    match statement:
        case Let(args=args) | Call(args=args):
            return args
        case Check(condition=read) | If(condition=read) | Switch(value=read) | Set(value=read) | Push(value=read):
            return (read,)
        case For(low=low, high=high):
            return low, high
        case Each(source=source, start=start):
            return (source,) if start is None else (source, start)
        case Var(value=value) | Return(value=value):
            return () if value is None else (value,)
        case Loop() | Break() | Continue() | EndGame():
            return ()


def walk(block: Block) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it, in the order of the text."""
    found: list[Statement] = []
    gather(block, found)
    return iter(found)


def gather(block: Block, found: list[Statement]) -> None:
    for statement in block:
        found.append(statement)
        if type(statement) in COMPOUND:
            for inner in blocks_of(statement):
                gather(inner, found)


COMPOUND = frozenset({If, Switch, Loop, For, Each})  # what blocks stand in


ASKS = frozenset({Op.ASK, Op.ASK_PICK, Op.ASK_NUMBER, Op.ASK_SIDE})


def asking_functions(program: Program) -> set[str]:
    """Those from which a decision may be reached."""
    calls = {name: set(called_by(function)) for name, function in program.functions.items()}
    asking = {name for name, function in program.functions.items() if any(map(is_ask, walk(function.body)))}
    while more := {name for name, called in calls.items() if called & asking} - asking:
        asking |= more
    return asking


def called_by(function: Function) -> Iterator[str]:
    return (statement.function for statement in walk(function.body) if isinstance(statement, Call))


def is_ask(statement: Statement) -> bool:
    return isinstance(statement, Let) and statement.op in ASKS
