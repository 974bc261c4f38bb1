"""Statements: what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lark import Token

from trionfi.dsl.check.calls import arguments, called_name, called_procedure
from trionfi.dsl.check.coerce import fit, fit_all
from trionfi.dsl.check.context import SPOKEN_THING, UNKNOWN, Frame
from trionfi.dsl.check.dispatch import Part, infer, take, truth
from trionfi.dsl.check.expressions import is_unset
from trionfi.dsl.check.labels import label_of
from trionfi.dsl.check.places import can_store, read_target, refuse_chips
from trionfi.dsl.check.queries import make_domain
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Assign,
    Block,
    Call,
    Change,
    Const,
    Domain,
    EndGame,
    EndPlays,
    EndTarget,
    Expr,
    ForCount,
    ForEach,
    If,
    LocalValue,
    MarkValue,
    Menu,
    NumberRange,
    Pay,
    Place,
    PlayCard,
    Procedure,
    RepeatTimes,
    RepeatUntil,
    Return,
    Say,
    Select,
    SetMark,
    Statement,
    Stop,
    Trigger,
    VariableValue,
    While,
)
from trionfi.dsl.types import CARD, NONE, NOTHING, NUMBER, PLAYER, Type

declare_codes(
    {
        "strategy-acts": "A strategy looks and picks; it changes nothing.",
        "no-effect": "A statement does something; a value by itself does not.",
        "stop-outside": "`stop` leaves a loop.",
        "unknown-end": "What ends is the game, all plays, or a play that an effect is aimed at.",
        "returns": "A procedure with a result returns one on every way through.",
        "unused-name": "A name is there to be used.",
        "unreachable": "After `return`, `stop` or `end game` nothing more happens in a block.",
    }
)

StatementRule = Callable[[Frame, Part], "Statement | None"]
STATEMENTS: dict[str, StatementRule] = {}

_IN_STRATEGIES = frozenset(
    "let assign add subtract if_stmt while_stmt repeat_until repeat_times for_each for_count stop return_ pick".split()
)


def statement(*names: str) -> Callable[[StatementRule], StatementRule]:
    """Makes a function the rule of a statement's syntax node."""

    def enter(function: StatementRule) -> StatementRule:
        for name in names:
            STATEMENTS[name] = function
        return function

    return enter


# ---- blocks


def check_block(frame: Frame, trees: list[Part]) -> Block | None:
    """Statements one after another in a scope of their own; all are read, whatever is wrong with one."""
    with frame.scope():
        block = [check_statement(frame, tree) for tree in trees]
    there = [one for one in block if one is not None]
    _warn_of_rest(frame, block, trees)
    return there if len(there) == len(block) else None


def check_statement(frame: Frame, tree: Part) -> Statement | None:
    if frame.kind == "strategy" and tree.data not in _IN_STRATEGIES:
        frame.error("strategy-acts", "a strategy only picks, and this does something", frame.span(tree))
        return None
    return STATEMENTS[tree.data](frame, tree)


def check_suite(frame: Frame, suite: Part) -> Block | None:
    return check_block(frame, cast("list[Part]", suite.children))


def check_loop(frame: Frame, suite: Part) -> Block | None:
    frame.loops += 1
    block = check_suite(frame, suite)
    frame.loops -= 1
    return block


def _warn_of_rest(frame: Frame, block: list[Statement | None], trees: list[Part]) -> None:
    ended = next((i for i, one in enumerate(block[:-1]) if isinstance(one, Return | Stop | EndGame)), None)
    if ended is not None:
        frame.warning("unreachable", "this is never reached", frame.span(trees[ended + 1]))


def finish_script(frame: Frame, procedure: Procedure, block: Block | None) -> Block | None:
    """Settles what a procedure gives, from its returns, and warns of names that nothing reads."""
    procedure.locals = frame.locals
    procedure.asks = frame.asks
    procedure.type = _result_type(frame, block)
    frame.context.calls[procedure] = frame.calls
    if block is None:
        return None  # what could not be read may have used any name
    warn_of_unused(frame)
    procedure.body = block
    if procedure.type not in (NOTHING, UNKNOWN) and not _always_returns(block):
        message = f"`{procedure.name}` returns {spoken(procedure.type)}, but may end without returning anything"
        frame.error("returns", message, procedure.span, "let every way through end with `return`")
    return block


def warn_of_unused(frame: Frame) -> None:
    for local in frame.lets:
        if local not in frame.read and local.type != UNKNOWN:
            frame.warning("unused-name", f"`{local.name}` is never used", local.span)


def _result_type(frame: Frame, block: Block | None) -> Type:
    if not frame.returns:
        return NOTHING
    values = [one.value for one in frame.returns if one is not None and one.value is not None]
    called = [one.call.procedure.type for one in frame.returns if one is not None and one.call is not None]
    if None in frame.returns:
        return UNKNOWN
    if not values and not called:
        return NOTHING
    if len(values) + len(called) < len(frame.returns):
        bare = next(one for one in frame.returns if one is not None and one.value is None and one.call is None)
        frame.error("returns", "the other returns of this procedure give a value", bare.span)
        return UNKNOWN
    fitted = fit_all(frame, values, called[0] if called else None)
    if fitted is None or UNKNOWN in called:
        return UNKNOWN
    return _one_type(frame, fitted, called)


def _one_type(frame: Frame, values: list[Expr], called: list[Type]) -> Type:
    returns = [one for one in frame.returns if one is not None]
    for one, value in zip([one for one in returns if one.value is not None], values, strict=True):
        one.value = value
    type = values[0].type if values else called[0]
    for one in returns:
        if one.call is not None and one.call.procedure.type != type:
            message = f"{spoken(type)} is returned elsewhere, this is {spoken(one.call.procedure.type)}"
            frame.error("returns", message, one.span)
            return UNKNOWN
    return type if can_store(frame, type, returns[0].span) else UNKNOWN


def _always_returns(block: Block) -> bool:
    """Whether no way leads past the end of a block."""
    return any(_ends(one) for one in block)


def _ends(one: Statement) -> bool:
    if isinstance(one, If):
        return all(_always_returns(body) for body in [*(body for _, body in one.arms), one.otherwise])
    if isinstance(one, Menu):
        return all(_always_returns(item.body) for item in one.items)
    return isinstance(one, Return | EndGame)


# ---- names and numbers


@statement("say")
def check_say(frame: Frame, tree: Part) -> Statement | None:
    label = label_of(frame, cast(Token, tree.children[0]))
    return Say(frame.span(tree), label) if label else None


@statement("let")
def check_let(frame: Frame, tree: Part) -> Statement | None:
    name, value_tree = cast(Token, tree.children[0]), cast(Part, tree.children[1])
    procedure = called_procedure(frame, value_tree)
    call = _call(frame, value_tree, procedure) if procedure else None
    value = None if procedure else infer(frame, value_tree)
    type = procedure.type if procedure else value.type if value else UNKNOWN
    if type != UNKNOWN and not can_store(frame, type, frame.span(value_tree)):
        type = UNKNOWN
    target = _let_place(frame, name, type)
    if type == UNKNOWN:
        return None
    if call is not None:
        call.target, call.span = target, frame.span(tree)
    return call if procedure else _assign(frame, tree, target, value)


def _let_place(frame: Frame, name: Token, type: Type) -> LocalValue:
    span = frame.span(name)
    local = frame.add(str(name), type, span, settable=True)
    frame.lets.append(local)
    return LocalValue(type, span, local)


@statement("assign")
def check_assign(frame: Frame, tree: Part) -> Statement | None:
    target_tree, value_tree = cast("list[Part]", tree.children)
    target = read_target(frame, target_tree)
    if target is None or target.type == UNKNOWN or refuse_chips(frame, target):
        infer(frame, value_tree) if called_procedure(frame, value_tree) is None else None
        return None
    procedure = called_procedure(frame, value_tree)
    if procedure is not None:
        return _assign_result(frame, tree, procedure, target)
    value = infer(frame, value_tree, target.type)
    if value is not None and value.type == NONE and is_unset(target):
        value = Const(NUMBER, value.span, None)
    value = fit(frame, value, target.type)
    if isinstance(target, MarkValue):
        return SetMark(frame.span(tree), target.mark, target.card, value) if value else None
    return _assign(frame, tree, target, value)


def _assign(frame: Frame, tree: Part, target: Place, value: Expr | None) -> Statement | None:
    if value is None:
        return None
    by_lot = isinstance(value, Select) and value.draws
    return Assign(frame.span(tree), target, value, by_lot)


def _assign_result(frame: Frame, tree: Part, procedure: Procedure, target: Place | MarkValue) -> Statement | None:
    call = _call(frame, cast(Part, tree.children[1]), procedure)
    if call is None or procedure.type == UNKNOWN:
        return None
    if isinstance(target, MarkValue) or procedure.type != target.type:
        gives = spoken(procedure.type)
        frame.error("wrong-type", f"{spoken(target.type)} was wanted here, `{procedure.name}` gives {gives}", call.span)
        return None
    call.target, call.span = target, frame.span(tree)
    return call


@statement("add", "subtract")
def check_change(frame: Frame, tree: Part) -> Statement | None:
    amount = take(frame, cast(Part, tree.children[0]), NUMBER)
    target = read_target(frame, cast(Part, tree.children[1]))
    if target is None or target.type == UNKNOWN or refuse_chips(frame, target):
        return None
    if target.type != NUMBER or isinstance(target, MarkValue):
        message = f"numbers are added to and subtracted from, this is {spoken(target.type)}"
        frame.error("wrong-type", message, target.span)
        return None
    return Change(frame.span(tree), target, amount, tree.data == "subtract") if amount else None


@statement("pay")
def check_pay(frame: Frame, tree: Part) -> Statement | None:
    amount = take(frame, cast(Part, tree.children[0]), NUMBER)
    source, to = _purse(frame, cast(Part, tree.children[1])), _purse(frame, cast(Part, tree.children[2]))
    return Pay(frame.span(tree), amount, source, to) if amount and source and to else None


def _purse(frame: Frame, tree: Part) -> VariableValue | None:
    """A variable that counts chips."""
    purse = infer(frame, tree)
    if purse is None:
        return None
    if isinstance(purse, VariableValue) and purse.variable.chips:
        return purse
    message = "chips are paid from one chips variable to another, this is no chips variable"
    hint = f"declare it with `counts: chips`, or write `add ... to {purse.span.text}`"
    frame.error("chips-move", message, purse.span, hint if isinstance(purse, VariableValue) else "")
    return None


# ---- calls and ends


@statement("call")
def check_call(frame: Frame, tree: Part) -> Statement | None:
    called = cast(Part, tree.children[0])
    procedure = called_procedure(frame, called)
    if procedure is not None:
        return _call(frame, called, procedure)
    _report_no_effect(frame, called)
    return None


def _report_no_effect(frame: Frame, tree: Part) -> None:
    name = called_name(tree) or (str(tree.children[0]) if tree.data == "name" else "")
    thing = frame.names.lookup(name, frame.source) if name else None
    if isinstance(thing, Procedure):
        called = ", ".join(one.name for one in thing.parameters)
        message = f"`{name}` is a procedure and is called with brackets"
        frame.error("no-effect", message, frame.span(tree), f"write `{name}({called})`")
        return
    if thing is not None and not isinstance(thing, Expr):
        message = f"`{name}` is {SPOKEN_THING[type(thing)]}, a value that changes nothing by itself"
        frame.error("no-effect", message, frame.span(tree), "use it in a condition, a `let` or a statement")
        return
    value = infer(frame, tree)
    if value is not None:
        frame.error("no-effect", f"{spoken(value.type)} by itself does nothing", frame.span(tree))


def _call(frame: Frame, tree: Part, procedure: Procedure) -> Call | None:
    """A call of a procedure, whose own script is checked first."""
    if frame.kind != "script":
        message = f"`{procedure.name}` does something, which only scripts may"
        frame.error("procedure-as-value", message, frame.span(tree))
        return None
    if frame.is_misfit(procedure):
        return None
    given = arguments(frame, tree, procedure.name, procedure.parameters)
    frame.calls.append((procedure, frame.span(tree)))
    frame.context.settle(procedure, frame.span(tree))
    frame.asks = frame.asks or procedure.asks
    return Call(frame.span(tree), procedure, given) if given is not None else None


@statement("return_")
def check_return(frame: Frame, tree: Part) -> Statement | None:
    node = _return(frame, tree)
    frame.returns.append(node)
    return node


def _return(frame: Frame, tree: Part) -> Return | None:
    value_tree, span = cast("Part | None", tree.children[0]), frame.span(tree)
    if value_tree is None:
        return Return(span)
    procedure = called_procedure(frame, value_tree)
    if procedure is None:
        value = infer(frame, value_tree)
        return Return(span, value) if value else None
    call = _call(frame, value_tree, procedure)
    if call is None or procedure.type == UNKNOWN:
        return None
    if procedure.type == NOTHING:
        hint = "call it on a line before, then `return`"
        frame.error("returns", f"`{procedure.name}` gives no result", call.span, hint)
        return None
    return Return(span, None, call)


@statement("stop")
def check_stop(frame: Frame, tree: Part) -> Statement | None:
    if frame.loops:
        return Stop(frame.span(tree))
    frame.error("stop-outside", "there is no loop here to leave", frame.span(tree), "`return` leaves the procedure")
    return None


@statement("end")
def check_end(frame: Frame, tree: Part) -> Statement | None:
    what = str(tree.children[0])
    if what == "game":
        return EndGame(frame.span(tree))
    if what == "plays":
        return EndPlays(frame.span(tree)) if has_field(frame, frame.span(tree)) else None
    return _end_target(frame, what, frame.span(tree))


def _end_target(frame: Frame, name: str, span: Span) -> Statement | None:
    """`end target`: in an effect's script, of a target that is a play."""
    aimed = [one.local.name for one in frame.effect.targets if one.domain.noun == "play"] if frame.effect else []
    local = frame.lookup(name)
    if name not in aimed or local is None:
        ends = [*aimed, "game", *(["plays"] if frame.context.effects else [])]
        hint = "write " + " or ".join(f"`end {one}`" for one in ends)
        frame.error("unknown-end", f"`{name}` cannot be ended", span, hint)
        return None
    frame.read.add(local)
    return EndTarget(span, LocalValue(local.type, span, local))


@statement("plays")
def check_plays(frame: Frame, tree: Part) -> Statement | None:
    """`player plays card`. All effects may follow, and that no effect's script plays a card is found on the way."""
    player, card = take(frame, cast(Part, tree.children[0]), PLAYER), take(frame, cast(Part, tree.children[1]), CARD)
    span = frame.span(tree)
    frame.asks = True
    if player is None or card is None or not has_field(frame, span):
        return None
    effects = frame.context.effects.values()
    scripts = [frame.context.when_chosen, *(effect.when_played for effect in effects)]
    _reach(frame, [script for script in scripts if script is not None], span)
    return PlayCard(span, player, card)


def has_field(frame: Frame, span: Span) -> bool:
    """Whether the game has effects and a zone for plays; reports what is missing."""
    fields = [entry for entry in frame.names.globals.values() if getattr(entry.thing, "shape", "") == "plays"]
    if not frame.context.effects:
        frame.error("no-field", "the game has no effects that could be played", span, "write the section `effects`")
    elif len(fields) != 1:
        found = "there is none" if not fields else "not in several"
        message = f"played cards lie in one zone that holds plays, {found}"
        hint = "leave `plays` out of all but one" if fields else "write `field: {plays: 50, face: up}` in the table"
        frame.error("no-field", message, span, hint)
    return bool(frame.context.effects) and len(fields) == 1


def _reach(frame: Frame, scripts: list[Procedure], span: Span) -> None:
    """Scripts that run from here."""
    for script in scripts:
        frame.calls.append((script, span))
        frame.context.settle(script, span)
        frame.asks = frame.asks or script.asks


@statement("trigger")
def check_trigger(frame: Frame, tree: Part) -> Statement | None:
    event, span = cast(Token, tree.children[0]), frame.span(tree)
    frame.names.events.setdefault(str(event), frame.span(event))
    effects = frame.context.effects.values()
    _reach(frame, [effect.events[str(event)] for effect in effects if str(event) in effect.events], span)
    return Trigger(span, str(event))


# ---- control


@statement("if_stmt")
def check_if(frame: Frame, tree: Part) -> Statement | None:
    asked, suite, *rest = cast("list[Part | None]", tree.children)
    arms = [(truth(frame, cast(Part, asked)), check_suite(frame, cast(Part, suite)))]
    otherwise: Block | None = []
    for part in rest:
        if part is not None and part.data == "elif":
            elif_asked, elif_suite = cast("list[Part]", part.children)
            arms.append((truth(frame, elif_asked), check_suite(frame, elif_suite)))
        elif part is not None:
            otherwise = check_suite(frame, part)
    good = [(condition, body) for condition, body in arms if condition is not None and body is not None]
    return If(frame.span(tree), good, otherwise) if len(good) == len(arms) and otherwise is not None else None


@statement("while_stmt")
def check_while(frame: Frame, tree: Part) -> Statement | None:
    condition, body = truth(frame, cast(Part, tree.children[0])), check_loop(frame, cast(Part, tree.children[1]))
    return While(frame.span(tree), condition, body) if condition and body is not None else None


@statement("repeat_until")
def check_repeat_until(frame: Frame, tree: Part) -> Statement | None:
    condition, body = truth(frame, cast(Part, tree.children[0])), check_loop(frame, cast(Part, tree.children[1]))
    return RepeatUntil(frame.span(tree), condition, body) if condition and body is not None else None


@statement("repeat_times")
def check_repeat_times(frame: Frame, tree: Part) -> Statement | None:
    amount = take(frame, cast(Part, tree.children[0]), NUMBER)
    body = check_loop(frame, cast(Part, tree.children[1]))
    return RepeatTimes(frame.span(tree), amount, body) if amount and body is not None else None


@statement("for_each")
def check_for_each(frame: Frame, tree: Part) -> Statement | None:
    phrase, source, starting, where, suite = cast("list[Part | None]", tree.children)
    with frame.scope():
        domain = make_domain(frame, cast(Part, phrase), source, starting, where)
        body = check_loop(frame, cast(Part, suite))
    if domain is None or body is None:
        return None
    if domain.range is not None:
        return _count_through(frame.span(tree), domain, domain.range, body)
    return ForEach(frame.span(tree), domain, body)


def _count_through(span: Span, domain: Domain, found: NumberRange, body: Block) -> Statement:
    """A loop over numbers counts its passes, as every loop does that may go on for long."""
    asked: Block = body if domain.where is None else [If(domain.where.span, [(domain.where, body)], [])]
    return ForCount(span, domain.local, found.low, found.high, asked, found.step)


@statement("for_count")
def check_for_count(frame: Frame, tree: Part) -> Statement | None:
    name, low_tree, high_tree, suite = tree.children
    low, high = take(frame, cast(Part, low_tree), NUMBER), take(frame, cast(Part, high_tree), NUMBER)
    with frame.scope():
        local = frame.add(str(name), NUMBER, frame.span(cast(Token, name)))
        body = check_loop(frame, cast(Part, suite))
    return ForCount(frame.span(tree), local, low, high, body) if low and high and body is not None else None
