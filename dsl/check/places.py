"""What may be set: variables, lets and results of choices, marks of cards."""

from __future__ import annotations

from lark import Token

from trionfi.dsl.check.context import SPOKEN_THING, UNKNOWN, Frame
from trionfi.dsl.check.dispatch import Part, infer
from trionfi.dsl.check.names import is_open
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Attribute,
    CallDefine,
    Define,
    Expr,
    Local,
    LocalValue,
    MarkValue,
    OptionValue,
    Place,
    Procedure,
    Variable,
    VariableValue,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.types import FRACTION, LABEL, NONE, NOTHING, Type

declare_codes(
    {
        "cannot-set": "Only variables, lets, results of choices and marks of cards can be set.",
        "chips-move": "Chips are neither made nor lost: `pay` moves them, and nothing else does.",
        "not-stored": "A let holds a thing, a number or a truth.",
        "wrong-result": "What is chosen or returned is of the kind that the place holds.",
    }
)

_NOT_STORED = {
    FRACTION: ("a fraction is not stored", "say `rounded down` or `rounded up` behind it"),
    NONE: ("`none` does not say what kind of thing the name is for", "use a variable with a `kind`"),
    NOTHING: ("this procedure gives no result", "let it `return` one, or call it on a line of its own"),
    LABEL: ("a label is not stored", ""),
}
_WHY_NOT: dict[type, tuple[str, str]] = {
    ZoneValue: ("a zone is not set", "cards are moved: `move ... to {}`"),
    ZonesValue: ("zones are not set", "cards are moved: `move ... to {}`"),
    OptionValue: ("an option keeps its value all game", "keep a variable of your own"),
    CallDefine: ("a define is worked out anew each time and is not set", "set the variables it reads"),
}
_ATTRIBUTE_HINTS = {
    "face": "write `turn up {0}` or `turn down {0}`",
    "orientation": "write `turn {} to reversed`",
    "suit": "suits and ranks change by effects only",
    "rank": "suits and ranks change by effects only",
    "zone": "write `move {} to ...`",
    "owner": "a card belongs to the owner of its zone: `move {} to ...`",
}


def can_store(frame: Frame, type: Type, span: Span) -> bool:
    """Whether a let can hold values of a type; reports it if not."""
    if type not in _NOT_STORED:
        return True
    message, hint = _NOT_STORED[type]
    frame.error("not-stored", message, span, hint)
    return False


def read_target(frame: Frame, tree: Part) -> VariableValue | LocalValue | MarkValue | None:
    """What stands on the left of `=`, or behind `to` in `add`; reports what cannot be set."""
    if tree.data == "name" and (local := frame.lookup(str(tree.children[0]))) is not None:
        return _local_target(frame, local, frame.span(tree))
    if is_open(frame, tree) and tree.data == "name":
        _report_new_name(frame, str(tree.children[0]), frame.span(tree))
        return None
    target = _named_thing(frame, tree)
    if target is not None and frame.kind == "strategy":
        frame.error("strategy-acts", "a strategy only picks, and this changes the game", target.span)
        return None
    if isinstance(target, VariableValue | MarkValue) or target is None:
        return target
    _report_unsettable(frame, target)
    return None


def _named_thing(frame: Frame, tree: Part) -> Expr | None:
    """What the part names; a procedure or define is reported as what cannot be set."""
    thing = frame.names.lookup(str(tree.children[0]), frame.source) if tree.data == "name" else None
    if isinstance(thing, Define | Procedure):
        frame.error("cannot-set", f"`{thing.name}` is {SPOKEN_THING[type(thing)]} and cannot be set", frame.span(tree))
        return None
    return infer(frame, tree)


def _local_target(frame: Frame, local: Local, span: Span) -> LocalValue | None:
    if local in frame.settable:
        return LocalValue(local.type, span, local)
    message = f"`{local.name}` is a parameter or what a loop goes over, and keeps its value"
    frame.error("cannot-set", message, span, f"keep a copy: `let new_{local.name} = {local.name}`")
    return None


def _report_new_name(frame: Frame, name: str, span: Span) -> None:
    owners = frame.names.owners_of(name)
    variables = [known for known, entry in frame.names.globals.items() if isinstance(entry.thing, Variable)]
    hint = f"say whose: `{owners[0]}.{name}`" if owners else did_you_mean(name, [*frame.visible(), *variables])
    hint = hint or f"a new name begins with `let {name} = ...`"
    frame.error("unknown-name", f"there is no variable `{name}`", span, hint)


def _report_unsettable(frame: Frame, target: Expr) -> None:
    text = target.span.text
    message, hint = _WHY_NOT.get(type(target), (f"{spoken(target.type)} cannot be set here", ""))
    if isinstance(target, Attribute):
        message = f"`{target.name}` is not set"
        hint = _ATTRIBUTE_HINTS.get(target.name, "").format(target.operand.span.text)
    frame.error("cannot-set", message, target.span, hint.format(text))


def refuse_chips(frame: Frame, place: Expr) -> bool:
    """Reports a chips variable that something else than `pay` would change."""
    if not isinstance(place, VariableValue) or not place.variable.chips:
        return False
    message = f"`{place.variable.name}` counts chips, which only `pay` moves"
    frame.error("chips-move", message, place.span, f"write `pay ... from ... to {place.span.text}`")
    return True


def decision_place(frame: Frame, tree: Part, type: Type) -> tuple[str, Place] | None:
    """The name of a decision and where its result goes: a variable, or a local that is new or had it before.

    With an UNKNOWN type something is wrong with the choice, or with an earlier one; a new name is known all the same.
    """
    if tree.data == "name":
        name = str(tree.children[0])
        if frame.lookup(name) is None and not _is_variable(frame, name):
            local = frame.add(name, type, frame.span(tree), settable=True)
            frame.lets.append(local)
            return name, LocalValue(type, frame.span(tree), local)
    else:
        name = str(tree.children[-1]) if isinstance(tree.children[-1], Token) else ""
    before, frame.sealed = frame.sealed, set()
    target = read_target(frame, tree)
    frame.sealed = before
    if target is None or refuse_chips(frame, target):
        return None
    if isinstance(target, MarkValue) or not name:
        frame.error("cannot-set", "a choice is kept in a variable or under a new name", target.span)
        return None
    if UNKNOWN in (type, target.type):
        return None
    if target.type != type:
        message = f"`{target.span.text}` holds {spoken(target.type)}, and {spoken(type)} would be chosen"
        frame.error("wrong-result", message, target.span)
        return None
    return name, target


def _is_variable(frame: Frame, name: str) -> bool:
    return isinstance(frame.names.lookup(name, frame.source), Variable)
