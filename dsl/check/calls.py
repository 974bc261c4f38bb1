"""What is called with brackets: defines, rankings, totals, melds and the functions of the language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

from trionfi.dsl.check.coerce import fit, fit_all
from trionfi.dsl.check.context import OWN_NAMES, SPOKEN_THING, UNKNOWN, Frame
from trionfi.dsl.check.dispatch import Part, infer, rule, take
from trionfi.dsl.check.expressions import is_orderable
from trionfi.dsl.check.names import meld_named
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.tree import (
    Arranged,
    BestHand,
    Builtin,
    CallDefine,
    ConditionRanking,
    Define,
    Expr,
    Local,
    PatternRanking,
    Playable,
    Procedure,
    RateHand,
    TotalOf,
    TotalSpec,
)
from trionfi.dsl.tree import (
    Part as HandPart,
)
from trionfi.dsl.types import ARRANGEMENT, CARD, CARDS, EFFECT, FRACTION, NUMBER, PLAYER, TRUTH, Type, hand, total

declare_codes(
    {
        "not-callable": "Only defines, procedures, rankings, totals and functions are called with brackets.",
        "wrong-arguments": "A call gives one value for each parameter.",
        "procedure-as-value": "A procedure's result may only be the whole right side of `let`, `=` or `return`.",
    }
)


def called_name(tree: Part) -> str:
    """The name that a call calls, or an empty text."""
    callee = cast(Part, tree.children[0]) if tree.data == "apply" else tree
    return str(callee.children[0]) if tree.data == "apply" and callee.data == "name" else ""


def called_procedure(frame: Frame, tree: Part) -> Procedure | None:
    """The procedure that a part calls as a whole, if it does."""
    name = called_name(tree)
    if not name or frame.lookup(name):
        return None
    thing = frame.names.lookup(name, frame.source)
    return thing if isinstance(thing, Procedure) else None


def argument_trees(tree: Part) -> list[Part]:
    args = cast("Part | None", tree.children[1])
    return cast("list[Part]", args.children) if args is not None else []


@rule("apply")
def check_apply(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    name = called_name(tree)
    callee_span = frame.span(cast(Part, tree.children[0]))
    if not name:
        frame.error("not-callable", "only names are called with brackets", callee_span, "belongings stand after a dot")
        return None
    if name in _FUNCTIONS and not frame.lookup(name):
        return _FUNCTIONS[name](frame, tree, name)
    thing = None if frame.lookup(name) else frame.names.lookup(name, frame.source)
    checker = _CALLS.get(type(thing))
    if checker is not None:
        return checker(frame, tree, thing)
    _report_uncallable(frame, name, tree, thing)
    return None


def _report_uncallable(frame: Frame, name: str, tree: Part, thing: object) -> None:
    span = frame.span(cast(Part, tree.children[0]))
    if isinstance(thing, Procedure):
        hint = f"write `let x = {name}(...)` on a line before, then use `x`"
        frame.error("procedure-as-value", f"`{name}` is a procedure, which does something; it is no value", span, hint)
        return
    if frame.lookup(name) or thing is not None:
        said = SPOKEN_THING.get(type(thing), "a value")
        frame.error("not-callable", f"`{name}` is {said} and is not called with brackets", span)
        return
    callable_types = (*_CALLS, Procedure)
    known = [known for known, entry in frame.names.globals.items() if type(entry.thing) in callable_types]
    if (written := _written_here(frame, name, tree)) is not None:
        frame.error("unknown-name", f"there is no define or procedure `{name}`", frame.span(tree), f"write `{written}`")
        return
    hint = _FOREIGN.get(name.lower(), "") or did_you_mean(name, [*known, *_FUNCTIONS])
    if not hint and frame.names.owners_of(name):
        hint = f"what belongs to something is written after a dot: `player.{name}`"
    frame.error("unknown-name", f"there is no define or procedure `{name}`", span, hint)


# What other languages call with brackets, as it is said here.
_FOREIGN = {
    **dict.fromkeys(
        ("rand", "randint", "random", "choice"), "chance is written `random player`, `random card in stock`"
    ),
    **dict.fromkeys(("draw", "discard"), "cards go by `deal 1 from stock to player.hand`, `move card to pile`"),
}

_SAID = ("print", "write", "log", "echo", "printf", "puts")
_COUNTED = ("len", "length", "size", "count")
_SPELLED = {"max": "larger", "maximum": "larger", "min": "smaller", "minimum": "smaller"}


def _written_here(frame: Frame, name: str, tree: Part) -> str | None:
    """A call of another language as it is written in this one."""
    given = [frame.span(one).text for one in argument_trees(tree)]
    name = name.lower()
    if name in _SAID and len(given) == 1:
        return f"say {given[0]}" if given[0].startswith('"') else f'say "{{{given[0]}}}"'
    if name in _COUNTED and len(given) == 1:
        return f"{given[0]}.count" if " " not in given[0] else f"({given[0]}).count"
    if name in _SPELLED and len(given) > 1:
        return f"{_SPELLED[name]}({', '.join(given)})"
    return None


def arguments(frame: Frame, tree: Part, name: str, parameters: Sequence[Local]) -> list[Expr] | None:
    """The arguments as the parameters want them; a wrong number is reported with the signature."""
    trees = argument_trees(tree)
    if len(trees) != len(parameters):
        report_count(frame, tree, name, [_parameter_text(one) for one in parameters])
        for part in trees:
            infer(frame, part)
        return None
    taken = [_argument(frame, part, one.type) for part, one in zip(trees, parameters, strict=True)]
    return [expr for expr in taken if expr is not None] if None not in taken else None


def _argument(frame: Frame, tree: Part, type: Type) -> Expr | None:
    if tree.data == "some_from":
        message = "`2 from cards` is for rankings only"
        frame.error("wrong-arguments", message, frame.span(tree))
        return None
    return take(frame, tree, type)


def _parameter_text(local: Local) -> str:
    type = local.type.name if local.type.kind == "enum" else local.type.kind
    return type if type == local.name else f"{type} {local.name}"


def report_count(frame: Frame, tree: Part, name: str, wanted: Sequence[str]) -> None:
    given = len(argument_trees(tree))
    said = f"{len(wanted)} value{'s' if len(wanted) != 1 else ''}" if wanted else "no values"
    message = f"`{name}` takes {said}, here {'are' if given != 1 else 'is'} {given or 'none'}"
    frame.error("wrong-arguments", message, frame.span(tree), f"it is `{name}({', '.join(wanted)})`")


# ---- things of the game


def check_call_define(frame: Frame, tree: Part, define: Define) -> Expr | None:
    span = frame.span(tree)
    if frame.is_misfit(define):
        return None
    given = arguments(frame, tree, define.name, define.parameters)
    frame.calls.append((define, span))
    type = frame.context.settle(define, span)
    return CallDefine(type, span, define, given) if given is not None and type != UNKNOWN else None


def check_best_hand(frame: Frame, tree: Part, ranking: PatternRanking) -> Expr | None:
    trees = argument_trees(tree)
    if not trees:
        report_count(frame, tree, ranking.name, ["cards"])
        return None
    parts = [_hand_part(frame, part) for part in trees]
    there = [part for part in parts if part is not None]
    return BestHand(hand(ranking.name), frame.span(tree), ranking, there) if len(there) == len(parts) else None


def _hand_part(frame: Frame, tree: Part) -> HandPart | None:
    if tree.data != "some_from":
        cards = take(frame, tree, CARDS)
        return HandPart(cards) if cards else None
    amount, cards = take(frame, cast(Part, tree.children[0]), NUMBER), take(frame, cast(Part, tree.children[1]), CARDS)
    return HandPart(cards, amount) if cards and amount else None


def check_rate_hand(frame: Frame, tree: Part, ranking: ConditionRanking) -> Expr | None:
    given = arguments(frame, tree, ranking.name, ranking.parameters)
    return RateHand(hand(ranking.name), frame.span(tree), ranking, given) if given is not None else None


def check_total(frame: Frame, tree: Part, spec: TotalSpec) -> Expr | None:
    trees = argument_trees(tree)
    if len(trees) != 1:
        report_count(frame, tree, spec.name, ["cards"])
        return None
    cards = _argument(frame, trees[0], CARDS)
    return TotalOf(total(spec.name), frame.span(tree), spec, cards) if cards else None


_CALLS: dict[type, Callable[[Frame, Part, Any], Expr | None]] = {
    Define: check_call_define,
    PatternRanking: check_best_hand,
    ConditionRanking: check_rate_hand,
    TotalSpec: check_total,
}


# ---- functions of the language


def check_smaller(frame: Frame, tree: Part, name: str) -> Expr | None:
    """`smaller(a, b)`, `larger(a, b)`, of as many as are given."""
    trees = argument_trees(tree)
    if len(trees) < 2:
        report_count(frame, tree, name, ["a", "b"])
        return None
    values = fit_all(frame, [infer(frame, part) for part in trees])
    if values is None or not all(is_orderable(frame, value) for value in values):
        return None
    if values[0].type not in (NUMBER, FRACTION):
        frame.error("wrong-type", f"numbers were wanted here, this is {spoken(values[0].type)}", values[0].span)
        return None
    return Builtin(values[0].type, frame.span(tree), cast(Literal["smaller", "larger"], name), values)


def check_chance(frame: Frame, tree: Part, name: str) -> Expr | None:
    span = frame.span(tree)
    if frame.kind != "strategy":
        hint = "in a game, draw a card or a player at random"
        frame.error("not-callable", "`chance` is for strategies", span, hint)
        return None
    trees = argument_trees(tree)
    if len(trees) != 2:
        report_count(frame, tree, name, ["number n", "number m"])
        return None
    given = [take(frame, part, NUMBER) for part in trees]
    return Builtin(TRUTH, span, "chance", [one for one in given if one]) if None not in given else None


def check_arranged(frame: Frame, tree: Part, name: str) -> Expr | None:
    trees = argument_trees(tree)
    if len(trees) != 2:
        report_count(frame, tree, name, ["cards", "meld"])
        return None
    cards = take(frame, trees[0], CARDS)
    meld = meld_named(frame, trees[1])
    if meld is None:
        frame.error("unknown-name", "the name of a meld was wanted here", frame.span(trees[1]))
        return None
    return Arranged(ARRANGEMENT, frame.span(tree), meld, cards) if cards else None


def check_playable(frame: Frame, tree: Part, name: str) -> Expr | None:
    """`playable(player, x)`: x is a card, or an effect."""
    trees, span = argument_trees(tree), frame.span(tree)
    if len(trees) != 2:
        report_count(frame, tree, name, ["player", "card or effect"])
        return None
    player = take(frame, trees[0], PLAYER)
    what = infer(frame, trees[1], EFFECT)
    if what is not None and what.type != EFFECT:
        what = fit(frame, what, CARD)
    return Playable(TRUTH, span, player, what) if player and what else None


_FUNCTIONS: dict[str, Callable[[Frame, Part, str], Expr | None]] = {
    "smaller": check_smaller,
    "larger": check_smaller,
    "arranged": check_arranged,
    "chance": check_chance,
    "playable": check_playable,
}
assert _FUNCTIONS.keys() <= OWN_NAMES


@rule("some_from")
def check_some_from(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    frame.error("wrong-arguments", "`2 from cards` is for rankings only", frame.span(tree))
    return None
