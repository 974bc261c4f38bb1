"""Simplifies functions in one walk from their beginning to their end.

At each place it is known which operand a name is the same as, which value a variable has, which truths hold, and what
has been asked already while nothing has changed the answer. So conditions that are decided vanish with the blocks that
are never reached, checks that have been passed are not made again, common questions are asked once, and what is put in
where it was called fits in with what is around it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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
    walk,
)
from trionfi.core.ops import SIGNATURES, Memory, Op
from trionfi.core.passes.facts import Facts
from trionfi.core.passes.folding import NO, YES, folded
from trionfi.core.passes.rewriting import (
    Names,
    Renaming,
    changed_in,
    names_of,
    reads_of,
    with_blocks,
    with_operands,
    writes_of,
)
from trionfi.core.verify import jumps

__all__ = ["Simplifier", "is_straight", "simplified"]

MAY_LEAVE = (Break, Continue, Return, EndGame, If, Switch, Loop)

Question = tuple[object, ...]
PutIn = Callable[[Function], bool]


def simplified(program: Program, function: Function, facts: Facts, put_in: PutIn) -> Function:
    """The function, with those that it calls put in where that is wanted."""
    simplifier = Simplifier(program, function, facts, put_in)
    return replace(function, body=simplifier.block(function.body))


def is_straight(function: Function) -> bool:
    """Whether a function gives its value at its very end, and only there."""
    returns = [statement for statement in walk(function.body) if isinstance(statement, Return)]
    return len(returns) == 1 and isinstance(function.body[-1], Return)


class Simplifier:
    """One function. `known`: what names and variables are at this place; `answers`: questions that have been asked."""

    def __init__(self, program: Program, function: Function, facts: Facts, put_in: PutIn) -> None:
        self.program, self.facts, self.put_in = program, facts, put_in
        self.names = Names(names_of(function.body, function.parameters))
        self.changing = changed_in(function.body)
        self.known: dict[str, Operand] = {}
        self.chosen: dict[str, Operand] = {}  # variables that are something if this holds, and else none
        self.answers: dict[Question, Name] = {}
        self.lets: dict[str, Let] = {}
        self.reads: dict[object, int] = {}  # of operations, and of functions by their names
        self.here: list[set[str]] = []  # what the blocks around this place have declared

    # ---- what is known

    def read(self, operand: Operand) -> Operand:
        while isinstance(operand, Name) and operand.text in self.known:
            operand = self.known[operand.text]
        return operand

    def changes(self, operand: Operand) -> bool:
        return isinstance(operand, Name) and operand.text in self.changing

    def learn(self, condition: Operand, holds: bool) -> None:
        """From here on the condition is known; so is what it was made of."""
        if isinstance(condition, Const):
            return
        self.known[condition.text] = YES if holds else NO
        made = self.lets.get(condition.text)
        if made is None:
            return
        if made.op is Op.NOT:
            self.learn(made.args[0], not holds)
        elif made.op is (Op.AND if holds else Op.OR):
            for arg in made.args:
                self.learn(self.read(arg), holds)

    def forget(self, block: Block) -> None:
        """What a block may change is not known any more."""
        for text in changed_in(block):
            self.known.pop(text, None)
            self.chosen.pop(text, None)
        writes = writes_of(block, self.program)
        if writes:
            self.forget_answers(writes)

    def forget_answers(self, writes: Memory, variable: str | int = "") -> None:
        written = writes.value
        gone = [
            question
            for question in self.answers
            if self.reads_of(question[0]) & written
            and not (variable and question[0] is Op.LOAD and question[2] != (variable,))
        ]
        for question in gone:
            del self.answers[question]

    def reads_of(self, asked: object) -> int:
        """What of a game's state an answer depends on, as bits: it is asked of each answer at each statement that
        changes anything."""
        if asked not in self.reads:
            memory = SIGNATURES[asked].reads if isinstance(asked, Op) else reads_of(self.program, str(asked))
            self.reads[asked] = memory.value
        return self.reads[asked]

    # ---- blocks

    def block(self, block: Block) -> Block:
        self.here.append(set())
        chosen = self.chosen
        self.chosen = dict(chosen)
        made: list[Statement] = []
        self.statements(block, made)
        inside = self.here.pop()
        self.chosen = {text: found for text, found in chosen.items() if self.chosen.get(text) == found}
        self.known = {text: value for text, value in self.known.items() if not is_in(value, inside)}
        return tuple(made)

    def statements(self, block: Block, made: list[Statement]) -> None:
        """Goes on writing; what stands behind a jump is left out."""
        for statement in block:
            if made and leaves(made[-1]):
                return
            self.statement(statement, made)

    def statement(self, statement: Statement, made: list[Statement]) -> None:  # noqa: C901  # one case a form
        statement = with_operands(statement, self.read)
        match statement:
            case Let():
                self.let(statement, made)
            case Check(condition):
                if condition != YES:
                    made.append(statement)
                    self.learn(condition, holds=True)
            case Var():
                self.variable(statement, made)
            case Set(name, value):
                made.append(statement)
                self.keep(name, value)
            case Push(name):
                made.append(statement)
                self.known.pop(name.text, None)
            case If():
                self.either(statement, made)
            case Switch():
                self.switch(statement, made)
            case Loop() | For() | Each():
                self.loop(statement, made)
            case Call():
                self.call(statement, made)
            case _:
                made.append(statement)

    # ---- names and variables

    def let(self, let: Let, made: list[Statement]) -> None:
        target = let.target
        if target is None:
            made.append(let)
            self.forget_writes(let)
            return
        if let.op is Op.IS_NONE and isinstance(let.args[0], Name) and let.args[0].text in self.chosen:
            let = Let(target, Op.NOT, (self.read(self.chosen[let.args[0].text]),))
        found = folded(let, self.lets) or self.facts.answer(let, self.lets)
        if found is None or self.changes(found):
            found = self.answered(let)
        if found is not None:
            self.known[target.text] = found
            return
        if let.op is Op.UNWRAP and not let.args[0].type.optional:
            made.append(Var(target, let.args[0]))
            self.declare(target)
            return
        made.append(let)
        self.declare(target)
        self.forget_writes(let)
        if let.op is Op.UNWRAP and isinstance(let.args[0], Name):
            self.known[let.args[0].text] = target
        if not any(map(self.changes, let.args)):
            self.lets[target.text] = let
            if not SIGNATURES[let.op].writes:
                self.answers[question_of(let)] = target

    def forget_writes(self, let: Let) -> None:
        writes = SIGNATURES[let.op].writes
        if writes:
            self.forget_answers(writes, let.about[0] if let.op is Op.STORE else "")

    def answered(self, let: Let) -> Name | None:
        found = self.answers.get(question_of(let))
        return found if found is not None and found.type == (let.target and let.target.type) else None

    def declare(self, name: Name) -> None:
        self.here[-1].add(name.text)

    def variable(self, var: Var, made: list[Statement]) -> None:
        value = var.value
        if value is not None and var.name.text not in self.changing and not self.changes(value):
            self.known[var.name.text] = typed(value, var.name)
            return
        made.append(var)
        self.declare(var.name)
        self.known.pop(var.name.text, None)
        if value is not None and var.name.text in self.changing:
            self.keep(var.name, value)

    def keep(self, name: Name, value: Operand) -> None:
        """The variable has this value until it is set anew."""
        self.chosen.pop(name.text, None)
        if self.changes(value) or name.type.is_list:
            self.known.pop(name.text, None)
        else:
            self.known[name.text] = typed(value, name)

    # ---- control

    def either(self, node: If, made: list[Statement]) -> None:
        if isinstance(node.condition, Const):
            self.statements(node.then if node.condition.value else node.otherwise, made)
            return
        before, asked = dict(self.known), dict(self.answers)
        blocks, ends = [], []
        for block, holds in ((node.then, True), (node.otherwise, False)):
            self.known, self.answers = dict(before), dict(asked)
            self.learn(node.condition, holds)
            blocks.append(self.block(block))
            if not (blocks[-1] and leaves(blocks[-1][-1])):
                ends.append(self.known)
        self.known = common(ends) if ends else before
        if len(ends) == 2:
            self.choose(node.condition, blocks[0], ends[1])
        self.answers = asked
        for one in blocks:
            self.forget_memory(one)
        if blocks[0] or blocks[1]:
            made.append(If(node.condition, blocks[0], blocks[1]))

    def choose(self, condition: Operand, then: Block, otherwise: dict[str, Operand]) -> None:
        """Notes which variables are none unless the condition holds."""
        sets = [one for one in walk(then) if isinstance(one, Set)]
        for one in [] if self.changes(condition) else sets:
            before = otherwise.get(one.name.text)
            nothing = isinstance(before, Const) and before.value is None
            if nothing and one in then and not one.value.type.optional and changed_once(one, sets):
                self.chosen[one.name.text] = condition

    def forget_memory(self, block: Block) -> None:
        writes = writes_of(block, self.program)
        if writes:
            self.forget_answers(writes)

    def switch(self, node: Switch, made: list[Statement]) -> None:
        before, asked, ends = self.known, self.answers, []

        def inside(block: Block) -> Block:
            self.known, self.answers = dict(before), dict(asked)
            done = self.block(block)
            if not (done and leaves(done[-1])):
                ends.append(self.known)
            return done

        made.append(with_blocks(node, inside))
        self.known, self.answers = common(ends) if ends else dict(before), dict(asked)
        self.forget_memory((made[-1],))

    def loop(self, node: Loop | For | Each, made: list[Statement]) -> None:
        self.forget((node,))
        known, asked = dict(self.known), dict(self.answers)
        done = with_blocks(node, self.block)
        assert isinstance(done, Loop | For | Each)
        self.known, self.answers = known, asked
        self.forget((done,))
        if done.body or isinstance(done, Loop):
            made.append(done)

    # ---- calls

    def call(self, node: Call, made: list[Statement]) -> None:
        called = self.program.functions[node.function]
        if called.pure and node.target is not None and self.put_in(called):
            self.put(node, called, made)
            return
        question = (node.function, node.args, ())
        if called.pure and node.target is not None and question in self.answers:
            self.known[node.target.text] = self.answers[question]
            return
        made.append(node)
        if node.target is not None:
            self.declare(node.target)
        if not called.pure:
            self.forget_answers(~Memory.NOTHING)
        elif node.target is not None and not node.target.type.is_list and not any(map(self.changes, node.args)):
            self.answers[question] = node.target

    def put(self, node: Call, called: Function, made: list[Statement]) -> None:
        """The body of a function in place of a call; an argument that changes is read once."""
        assert node.target is not None
        renaming = Renaming(self.names)
        for parameter, arg in zip(called.parameters, node.args, strict=True):
            given = renaming.declare(parameter)
            if self.changes(arg):
                made.append(Var(given, arg))
                self.declare(given)
            else:
                self.known[given.text] = typed(arg, given)
        body = renaming.block(called.body)
        self.changing |= changed_in(body)
        self.statements(body[:-1], made)
        last = body[-1]
        assert isinstance(last, Return)
        if made and leaves(made[-1]):
            return
        value = None if last.value is None else self.read(last.value)
        assert value is not None
        self.known[node.target.text] = typed(value, node.target)


def question_of(let: Let) -> Question:
    return (let.op, let.args, let.about)


def typed(value: Operand, name: Name) -> Operand:
    """A bare none is one of the name's type."""
    return Const(None, name.type) if isinstance(value, Const) and value.value is None else value


def is_in(operand: Operand, names: set[str]) -> bool:
    return isinstance(operand, Name) and operand.text in names


def common(ends: list[dict[str, Operand]]) -> dict[str, Operand]:
    """What is known whichever way was taken."""
    first, *others = ends
    return {text: value for text, value in first.items() if all(end.get(text) == value for end in others)}


def leaves(statement: Statement) -> bool:
    """Whether nothing behind a statement is reached."""
    return isinstance(statement, MAY_LEAVE) and jumps(statement)


def changed_once(one: Set, sets: list[Set]) -> bool:
    return sum(other.name == one.name for other in sets) == 1
