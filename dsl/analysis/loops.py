"""Loops that cannot end: nothing in them changes what their condition asks."""

from __future__ import annotations

from collections.abc import Iterator

from trionfi.dsl.analysis.change import CHANCE, Changes
from trionfi.dsl.analysis.logic import one_always_holds
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.tree import (
    Block,
    Call,
    Choose,
    ChooseNumber,
    ChooseOrientation,
    Expr,
    ForCount,
    ForEach,
    If,
    Menu,
    Not,
    Procedure,
    RepeatTimes,
    RepeatUntil,
    Return,
    Ruleset,
    Say,
    Secret,
    Show,
    Statement,
    Stop,
    Variable,
    While,
    ZoneFamily,
)
from trionfi.dsl.tree.walk import scripts, walk
from trionfi.dsl.types import TRUTH

declare_codes(
    {
        "endless-loop": "What a loop does can change what its condition asks, or leave it.",
        "loop-may-turn": "Each pass of a loop changes something, else the next pass is the same.",
    }
)

_LOOPS = (While, RepeatUntil, RepeatTimes, ForEach, ForCount)
_DECISIONS = (Choose, ChooseNumber, ChooseOrientation, Menu, Secret)


def check_loops(rules: Ruleset, diagnostics: Diagnostics) -> None:
    changes = Changes()
    for script in scripts(rules):
        for loop in walk(script.body):
            if isinstance(loop, While | RepeatUntil):
                _check_loop(rules, changes, loop, diagnostics)


def _check_loop(rules: Ruleset, changes: Changes, loop: While | RepeatUntil, diagnostics: Diagnostics) -> None:
    if _may_leave(loop.body) or changes.ends_game(loop.body):
        return
    read = changes.reads(loop.condition)
    if not changes.may_change(read, changes.writes(loop.body)):
        message = "this loop never ends: nothing in it changes what its condition asks"
        diagnostics.error("endless-loop", message, loop.condition.span, _advice(read))
    elif CHANCE not in read and not _always_changes(rules, changes, loop.body, [_ended(loop)]):
        message = "a pass of this loop may change nothing, and then it turns for ever"
        hint = "let something change, or `stop`, on every way through the loop"
        diagnostics.warning("loop-may-turn", message, loop.condition.span, hint)


def _advice(read: set[object]) -> str:
    names = [f"`{one.name}`" for one in sorted(_named(read), key=lambda one: one.span.start)]
    return f"change {' or '.join(names)} in it, or leave it with `stop`" if names else "leave it with `stop`"


def _named(read: set[object]) -> Iterator[Variable | ZoneFamily]:
    return (one for one in read if isinstance(one, Variable | ZoneFamily))


def _ended(loop: While | RepeatUntil) -> Expr:
    """The condition that ends the loop."""
    if isinstance(loop, RepeatUntil):
        return loop.condition
    return Not(TRUTH, loop.condition.span, loop.condition)


def _may_leave(block: Block) -> bool:
    """Whether statements hold a `stop` for the loop around them, or a `return`."""
    return any(
        isinstance(one, Stop | Return) or (isinstance(one, _LOOPS) and _returns(one))
        for one in walk(block, below=lambda one: not isinstance(one, (Expr, *_LOOPS)))
    )


def _returns(loop: Statement) -> bool:
    return any(isinstance(one, Return) for one in walk(loop))


def _always_changes(rules: Ruleset, changes: Changes, block: Block, others: list[Expr]) -> bool:
    """Whether something changes on every way through the statements. `others`: conditions under which that is asked
    for nothing."""
    return any(_changes(rules, changes, one, others) for one in block)


def _changes(rules: Ruleset, changes: Changes, one: Statement, others: list[Expr]) -> bool:
    if isinstance(one, _DECISIONS):
        return True
    if isinstance(one, If):
        return _if_changes(rules, changes, one, others)
    if isinstance(one, Call):
        return one.target is not None or _call_changes(rules, changes, one.procedure)
    if isinstance(one, While | RepeatTimes | ForEach | ForCount | RepeatUntil):
        # a loop within that has nothing to go over is taken for one that has
        return _always_changes(rules, changes, one.body, [])
    return not isinstance(one, Say | Show)


def _call_changes(rules: Ruleset, changes: Changes, procedure: Procedure) -> bool:
    if procedure not in changes.always_in:
        changes.always_in[procedure] = _always_changes(rules, changes, procedure.body, [])
    return changes.always_in[procedure]


def _if_changes(rules: Ruleset, changes: Changes, one: If, others: list[Expr]) -> bool:
    conditions = [condition for condition, _ in one.arms]
    if any(CHANCE in changes.reads(condition) for condition in conditions):
        return True
    if not all(_always_changes(rules, changes, body, others) for _, body in one.arms):
        return False
    if one.otherwise:
        return _always_changes(rules, changes, one.otherwise, others)
    return one_always_holds([*conditions, *others], rules.enumerations, changes.steps)
