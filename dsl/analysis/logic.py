"""Whether one of several conditions always holds, by trying all cases of what they ask.

Comparisons of the same two sides hang together (less, equal, greater), members of an enumeration, too; anything
else that is asked is a question of its own. Calls of defines are looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import assert_never

from trionfi.dsl.analysis.likeness import Likeness, likeness
from trionfi.dsl.known import StepBudget
from trionfi.dsl.limits import MOST_CASES
from trionfi.dsl.tree import (
    And,
    CallDefine,
    Conditional,
    Const,
    Enumeration,
    Expr,
    Local,
    Not,
    OptionValue,
    Or,
    Ordered,
    Same,
)
from trionfi.dsl.tree.words import Comparison
from trionfi.dsl.types import NUMBER, TRUTH

_LONG = 2000  # characters that say what an argument is

_TURNED = {"<": ">", ">": "<", "=": "="}

Case = dict[Likeness, object]
Formula = Callable[[Case], bool]
Bound = dict[Local, Likeness]


@dataclass
class Questions:
    """What the conditions ask: each question with the answers it may have."""

    enumerations: dict[str, Enumeration]
    steps: StepBudget
    answers: dict[Likeness, list[object]]
    asked: dict[Likeness, set[object]]  # answers for which some condition asks by name
    parts: int = 0
    names: dict[Likeness, Likeness] = field(default_factory=dict)  # short for arguments that are long

    def formula(self, condition: Expr, bound: Bound) -> Formula:
        """The condition as a function of the answers."""
        self.parts += 1
        if isinstance(condition, Const):
            return lambda case, value=bool(condition.value): value  # type: ignore[misc]
        if isinstance(condition, Not):
            inner = self.formula(condition.operand, bound)
            return lambda case: not inner(case)
        if isinstance(condition, And | Or):
            parts = [self.formula(one, bound) for one in condition.operands]
            every = isinstance(condition, And)
            return lambda case: all(p(case) for p in parts) if every else any(p(case) for p in parts)
        if isinstance(condition, Conditional):
            return self._conditional(condition, bound)
        if isinstance(condition, CallDefine):
            given = [self._argument(one, bound) for one in condition.arguments]
            inside = dict(zip(condition.define.parameters, given, strict=True))
            return self.formula(condition.define.body, inside)
        if isinstance(condition, Ordered):
            return self._compared(condition.left, condition.right, _allowed(condition.operator), bound)
        if isinstance(condition, Same):
            return self._same(condition, bound)
        return self._question(likeness(condition, bound), [True, False], {True})

    def _argument(self, expr: Expr, bound: Bound) -> Likeness:
        """One that holds arguments of calls around it would grow with each of these, so it has a short name."""
        like = likeness(expr, bound)
        return self.names.setdefault(like, ("argument", len(self.names))) if len(repr(like)) > _LONG else like

    def _conditional(self, condition: Conditional, bound: Bound) -> Formula:
        arms = [(self.formula(when, bound), self.formula(then, bound)) for when, then in condition.arms]
        otherwise = self.formula(condition.otherwise, bound)
        return lambda case: next((then(case) for when, then in arms if when(case)), otherwise(case))

    def _same(self, condition: Same, bound: Bound) -> Formula:
        left, right = condition.left, condition.right
        if left.type == NUMBER and right.type == NUMBER:
            return self._compared(left, right, "=", bound)
        if isinstance(right, Const) and right.type == TRUTH:
            inner = self.formula(left, bound)
            return lambda case: inner(case) == right.value
        if isinstance(right, Const) and left.type.kind == "enum":
            members: list[object] = list(range(len(self.enumerations[left.type.name].members)))
            possible = members if isinstance(left, OptionValue) else [*members, None]
            return self._question(likeness(left, bound), possible, {right.value})
        sides = sorted([likeness(left, bound), likeness(right, bound)], key=repr)
        return self._question(("same", *sides), [True, False], {True})

    def _compared(self, left: Expr, right: Expr, allowed: str, bound: Bound) -> Formula:
        one, other = likeness(left, bound), likeness(right, bound)
        if repr(one) > repr(other):
            one, other = other, one
            allowed = "".join(_TURNED[c] for c in allowed)
        return self._question(("compared", one, other), list("<=>"), set(allowed))

    def _question(self, question: Likeness, answers: list[object], yes: set[object]) -> Formula:
        self.answers[question] = answers
        self.asked.setdefault(question, set()).update(yes)
        return lambda case: case[question] in yes

    def trust_bounds(self) -> None:
        """Who asks for `drawn < draws` and for `drawn is draws` holds more to be impossible."""
        for question, answers in self.answers.items():
            asked = self.asked[question]
            if question[0] == "compared" and len(asked) == 2 and "=" in asked:
                self.answers[question] = [a for a in answers if a in asked]

    def cases(self) -> Iterator[Case]:
        """Every way to answer."""
        for given in product(*self.answers.values()):
            yield dict(zip(self.answers, given, strict=True))

    def are_too_many(self) -> bool:
        """Whether there are more cases than can be tried."""
        number = 1
        for answers in self.answers.values():
            number *= len(answers)
            if number > MOST_CASES:
                return True
        self.steps.spend(number * self.parts)
        return self.steps.left < 0


def _allowed(comparison: Comparison) -> str:
    """What it allows of less, equal and greater."""
    match comparison:
        case "<" | "<=" | ">":
            return comparison
        case ">=":
            return "=>"
        case _:
            assert_never(comparison)


def one_always_holds(conditions: list[Expr], enumerations: dict[str, Enumeration], steps: StepBudget) -> bool:
    """Whether in every case one of the conditions holds; true as well when that is too much to try."""
    questions = Questions(enumerations, steps, {}, {})
    formulas = [questions.formula(condition, {}) for condition in conditions]
    if questions.are_too_many():
        return True
    questions.trust_bounds()
    return all(any(formula(case) for formula in formulas) for case in questions.cases())


def none_ever_holds(conditions: list[Expr], enumerations: dict[str, Enumeration], steps: StepBudget) -> bool:
    """Whether in no case any of the conditions holds; false as well when that is too much to try."""
    questions = Questions(enumerations, steps, {}, {})
    formulas = [questions.formula(condition, {}) for condition in conditions]
    if questions.are_too_many():
        return False
    return not any(formula(case) for case in questions.cases() for formula in formulas)
