"""The verifier: whether a program of the core is well formed. Run behind the desugaring and behind every pass.

A fault found here is one of ours, never of a ruleset.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from trionfi.core.ir import (
    Block,
    Break,
    Call,
    Check,
    Const,
    Continue,
    Each,
    EndGame,
    For,
    Function,
    If,
    Let,
    Loop,
    Name,
    Operand,
    Program,
    Push,
    Return,
    Set,
    Statement,
    Switch,
    Var,
    asking_functions,
    blocks_of,
    operands_of,
    walk,
)
from trionfi.core.operands import fits, operation_faults
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.text import print_statement
from trionfi.core.types import BOOL, INT, SEAT, CoreType, Kind
from trionfi.dsl.tree import Ruleset

__all__ = ["CoreFault", "Fault", "faults_of", "jumps", "verify"]

CONDITIONS = frozenset({Op.MATCHING, Op.STOPS})


class CoreFault(Exception):
    """A program of the core is not well formed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a function, and at which statement (None: the function as a whole)."""

    function: str
    statement: Statement | None
    message: str

    def __str__(self) -> str:
        where = "" if self.statement is None else f" `{print_statement(self.statement)}`:"
        return f"{self.function}:{where} {self.message}"


def verify(program: Program, rules: Ruleset | None = None) -> None:
    """Raises CoreFault, with all that is wrong, unless the program is well formed. With rules, the declarations that
    operations are about are looked up, too."""
    faults = faults_of(program, rules)
    if faults:
        raise CoreFault("\n".join(map(str, faults)))


def faults_of(program: Program, rules: Ruleset | None = None) -> list[Fault]:
    """All that is wrong, function by function."""
    found: list[Fault] = []
    asking = asking_functions(program)
    for name, function in program.functions.items():
        verifier = _Verifier(program, rules, function)
        verifier.whole(name, asks=name in asking)
        found += verifier.faults
    return found


# ---- where control goes


def jumps(statement: Statement) -> bool:
    """Whether what stands behind a statement is never reached, however conditions come out."""
    match statement:
        case Break() | Continue() | Return() | EndGame():
            return True
        case If() | Switch():
            return all(block and jumps(block[-1]) for block in blocks_of(statement))
        case Loop(label, body):
            return not any(isinstance(inner, Break) and inner.label == label for inner in walk(body))
        case _:
            return False


def gives_always(block: Block) -> bool:
    """Whether a block never ends without a jump; a check that always fails stops the game."""
    if not block:
        return False
    match block[-1]:
        case Check(Const(False)):
            return True
        case If() | Switch():
            return all(map(gives_always, blocks_of(block[-1])))
        case last:
            return jumps(last)


class _Verifier:
    """One function. `names`: all that have been declared; `seen`: those in scope; `unset`: variables that nothing above
    can have set; `here`: the statement at hand."""

    def __init__(self, program: Program, rules: Ruleset | None, function: Function) -> None:
        self.program, self.rules, self.function = program, rules, function
        self.faults: list[Fault] = []
        self.here: Statement | None = None
        self.names: dict[str, Name | None] = {}
        self.seen: set[str] = set()
        self.variables: set[str] = set()
        self.unset: set[str] = set()
        self.labels: list[str] = []

    def fault(self, message: str) -> None:
        self.faults.append(Fault(self.function.name, self.here, message))

    def want(self, condition: bool, message: str) -> None:
        if not condition:
            self.fault(message)

    def whole(self, name: str, asks: bool) -> None:
        function = self.function
        self.want(function.name == name, f"is called {name} by the program")
        self.want(function.asks == asks, "asks" if asks else "is said to ask, and does not")
        for parameter in function.parameters:
            self.declare(parameter)
        self.block(function.body)
        self.here = None
        if function.result is not None:
            self.want(gives_always(function.body), "may end without giving anything")

    # ---- blocks and names

    def block(self, block: Block, *inside: Name) -> None:
        """`inside`: names that are declared for the block alone."""
        outside = set(self.seen)
        for name in inside:
            self.declare(name)
        for place, statement in enumerate(block):
            self.here = statement
            if place and jumps(block[place - 1]):
                self.fault("is never reached")
            self.statement(statement)
        self.seen = outside

    def declare(self, name: Name) -> None:
        self.unique(name.text)
        self.names[name.text] = name
        self.seen.add(name.text)

    def unique(self, text: str) -> None:
        self.want(text not in self.names, f"`{text}` is declared twice")

    def read(self, operand: Operand) -> None:
        if isinstance(operand, Const):
            self.want(is_of(operand.value, operand.type), f"{operand.value} is no {operand.type}")
            return
        self.known(operand)
        self.want(operand.text not in self.unset, f"`{operand.text}` is read, and nothing has set it")

    def known(self, name: Name) -> None:
        """The name is in scope, and of its type."""
        declared = self.names.get(name.text)
        if name.text not in self.seen or declared is None:
            self.fault(f"`{name.text}` is not in scope")
        elif declared != name:
            self.fault(f"`{name.text}` is {declared.type}, not {name.type}")

    # ---- statements

    def statement(self, statement: Statement) -> None:
        for operand in operands_of(statement):
            self.read(operand)
        match statement:
            case Let():
                self.let(statement)
            case Call():
                self.call(statement)
            case Check(condition, _, place):
                self.fitting(BOOL, condition)
                self.want(self.is_place(place), f"there is no place {place}")
            case Var() | Set() | Push():
                self.variable(statement)
            case Break() | Continue() | Return() | EndGame():
                self.jump(statement)
            case If() | Switch():
                self.branch(statement)
            case Loop() | For() | Each():
                self.loop(statement)

    def is_place(self, place: int) -> bool:
        return not self.program.places or 0 <= place < len(self.program.places)

    def fitting(self, wanted: CoreType, operand: Operand) -> None:
        self.want(wanted.takes(operand.type), f"{wanted} is wanted, not {operand.type}")

    def let(self, let: Let) -> None:
        for message in operation_faults(let, self.rules, len(self.program.places)):
            self.fault(message)
        if let.op is Op.ASK:
            for label in let.about[1:]:
                self.want(not label or label in self.program.functions, f"there is no function {label}")
        if let.op in CONDITIONS:
            self.condition(let)
        if self.function.pure and SIGNATURES[let.op].writes:
            self.fault(f"a pure function does not {let.op}")
        if let.target is not None:
            self.declare(let.target)

    def condition(self, let: Let) -> None:
        """What is asked of each thing of a list is a pure function of it and of what else is given."""
        asked = self.program.functions.get(str(let.about[0])) if len(let.about) == 1 else None
        if asked is None:
            self.fault(f"{let.op} is about a function")
        elif not asked.pure or asked.result != BOOL:
            self.fault(f"{asked.name} is no condition")
        else:
            given = (let.args[0].type.element, *[arg.type for arg in let.args[1:]])
            wanted = tuple(parameter.type for parameter in asked.parameters)
            fits = len(given) == len(wanted) and all(one.takes(other) for one, other in zip(wanted, given, strict=True))
            self.want(fits, f"{asked.name} takes ({', '.join(map(str, wanted))})")

    def call(self, call: Call) -> None:
        called = self.program.functions.get(call.function)
        if called is None:
            self.fault(f"there is no function {call.function}")
        else:
            self.called(call, called)
        if call.target is not None:
            self.declare(call.target)

    def called(self, call: Call, called: Function) -> None:
        self.want(called.pure or not self.function.pure, f"a pure function does not call {called.name}")
        self.want(not called.pure or call.target is not None, f"what {called.name} gives is needed")
        if len(call.args) != len(called.parameters):
            self.fault(f"{called.name} takes {len(called.parameters)}, not {len(call.args)}")
            return
        for parameter, arg in zip(called.parameters, call.args, strict=True):
            self.fitting(parameter.type, arg)
        if call.target is not None and call.target.type != called.result:
            self.fault(f"{called.name} gives {called.result or 'nothing'}, not {call.target.type}")

    def variable(self, statement: Var | Set | Push) -> None:
        name, value = statement.name, statement.value
        if isinstance(statement, Var):
            self.declare(name)
            self.variables.add(name.text)
            if value is None:
                self.unset.add(name.text)
            else:
                self.fitting(name.type, value)
            return
        self.known(name)
        self.want(name.text in self.variables, f"`{name.text}` is no variable")
        if isinstance(statement, Set):
            self.fitting(name.type, statement.value)
            self.unset.discard(name.text)
        elif not name.type.is_list:
            self.fault(f"{name.type} is no list")
        else:
            self.read(name)
            self.fitting(name.type.element, statement.value)

    def jump(self, statement: Break | Continue | Return | EndGame) -> None:
        match statement:
            case Break(label) | Continue(label):
                self.want(label in self.labels, f"there is no loop `{label}` around it")
            case Return(value):
                self.give(value)
            case EndGame():
                self.want(not self.function.pure, "a pure function does not end the game")

    def give(self, value: Operand | None) -> None:
        result = self.function.result
        if value is None or result is None:
            self.want((value is None) == (result is None), f"the function gives {result or 'nothing'}")
        else:
            self.fitting(result, value)

    # ---- statements with blocks

    def branch(self, statement: If | Switch) -> None:
        if isinstance(statement, If):
            self.fitting(BOOL, statement.condition)
        else:
            numbers = [number for number, _ in statement.cases]
            self.want(fits("number", statement.value.type), f"{statement.value.type} is no number")
            self.want(len(set(numbers)) == len(numbers), "a number has two cases")
        before, after = set(self.unset), set(self.unset)
        for block in blocks_of(statement):
            self.unset = set(before)
            self.block(block)
            after &= self.unset
        self.unset = after

    def loop(self, statement: Loop | For | Each) -> None:
        label = statement.label
        self.unique(label)
        self.names[label] = None
        # what the end of the body sets, its beginning may read the next time
        self.unset -= {inner.name.text for inner in walk(statement.body) if isinstance(inner, Set)}
        self.labels.append(label)
        match statement:
            case Loop(body=body):
                self.block(body)
            case For(name=name, low=low, high=high, body=body):
                for kind in (name.type, low.type, high.type):
                    self.want(kind == INT, f"int is counted, not {kind}")
                self.block(body, name)
            case Each(body=body):
                self.each(statement)
                self.block(body, statement.name)
        self.labels.pop()

    def each(self, statement: Each) -> None:
        source, start = statement.source.type, statement.start
        is_set = source.kind is Kind.SEATS
        if not (is_set or source.is_list):
            self.fault(f"{source} is no list")
            return
        self.want(source.element == statement.name.type, f"{source} has {source.element}, not {statement.name.type}")
        if start is not None:
            self.want(is_set and start.type == SEAT, "only a set of seats begins with one of them")


def is_of(value: object, kind: CoreType) -> bool:
    """Whether a constant is written as one of its type."""
    if value is None:
        return kind.optional
    if kind.kind is Kind.BOOL or isinstance(value, bool):
        return kind.kind is Kind.BOOL and isinstance(value, bool)
    if kind.kind is Kind.FRACTION:
        return isinstance(value, Fraction)
    if kind.kind is Kind.INT:
        return isinstance(value, int) and -(1 << 63) <= value < 1 << 63
    return isinstance(value, int) and value >= 0 and (kind.is_reference or kind.kind in (Kind.SEATS, Kind.PLACES))
