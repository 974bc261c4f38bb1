"""What libraries leave open: whether the game has what they need, and whether what it writes anew fits in."""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import SPOKEN_THING, UNKNOWN, Checked, Context, Frame
from trionfi.dsl.check.scripts import declare_define, declare_procedure
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.holes import Need, Replaced
from trionfi.dsl.library import Draft
from trionfi.dsl.merge import entry_name
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Define, Procedure
from trionfi.dsl.types import NONE, NOTHING, Type

declare_codes(
    {
        "missing-need": "A game declares what the libraries need that it uses.",
        "other-than-needed": "What a library needs, or lets be replaced, is declared as the library calls it.",
    }
)

_SORTS: dict[str, type[Checked]] = {"define": Define, "procedures": Procedure}


def check_holes(context: Context, draft: Draft) -> None:
    """To be called when all names are known and no script has been read. What a library needs and nobody has written
    gets a stub, so that the rest can be checked; of a library by itself that is as it should be."""
    for need in draft.needs:
        _check_need(context, need, draft)
    meant = [(one, _old_type(context, one)) for one in draft.replaced]
    for one, (type, parameters) in meant:
        _check_replaced(context, one, type, parameters)
    for key in draft.twice:
        declared = context.names.globals.get(entry_name(key))
        if declared is not None and isinstance(declared.thing, Checked):
            context.misfits.add(declared.thing)


# ---- what is needed


def _check_need(context: Context, need: Need, draft: Draft) -> None:
    signature = slots.signature(context, need.entry.key) if isinstance(need.gives, Scalar) else None
    if signature is None or not isinstance(need.gives, Scalar):
        return
    wanted = slots.given_type(context, need.gives)
    declared = context.names.globals.get(need.name)
    if declared is None:
        _declare_stub(context, need, signature, wanted)
        if not draft.is_library and draft.whole and not context.diagnostics.is_lost(need.name):
            _report_missing(context, need, wanted)
    elif not isinstance(declared.thing, _SORTS[need.section]):
        said = SPOKEN_THING[type(declared.thing)]
        message = f"`{need.name}` is {said}, and the library `{need.library}` needs {_call(need, wanted)}"
        context.diagnostics.error("other-than-needed", message, declared.span)
    else:
        types = [one.type for one in signature.parameters]
        _check_fit(context, declared.thing, need.entry.key, need.library, wanted, types)


def _declare_stub(context: Context, need: Need, signature: slots.SlotSignature, wanted: Type) -> None:
    """Something that is called as the library calls it."""
    stub = _SORTS[need.section](signature.name, [], [], wanted, signature.span)
    frame = Frame(context)
    stub.parameters = signature.add_to(frame)
    stub.locals = frame.locals
    context.names.declare(signature.name, stub, signature.span)


def _report_missing(context: Context, need: Need, wanted: Type) -> None:
    about = f": {need.about}" if need.about else ""
    message = f"the library `{need.library}` needs {_call(need, wanted)}{about}"
    hint = f"write under `{need.section}`: `{need.entry.key.text.strip()}: ...`"
    context.diagnostics.error("missing-need", message, need.asked, hint)


def _call(need: Need, wanted: Type) -> str:
    sort = "a define" if need.section == "define" else "a procedure"
    given = f" that gives {spoken(wanted)}" if wanted not in (NOTHING, UNKNOWN) else ""
    return f"{sort} `{need.entry.key.text.strip()}`{given}"


# ---- what is written anew


def _old_type(context: Context, one: Replaced) -> tuple[Type, list[Type]]:
    """What the library's own entry would give, and of which types its parameters are. UNKNOWN if it cannot be read
    in this game, which has other zones, maybe: then nothing is wanted of it."""
    decisions, events = dict(context.names.decisions), dict(context.names.events)
    with context.diagnostics.muted():
        if one.section == "define":
            thing: Checked | None = declare_define(context, one.old)
        else:
            thing = declare_procedure(context, one.old) if one.section == "procedures" else None
        if thing is not None:
            context.unheard.add(thing)
        type = context.settle(thing, thing.span) if thing is not None else UNKNOWN
    context.names.decisions, context.names.events = decisions, events
    return type, [parameter.type for parameter in thing.parameters] if thing is not None else []


def _check_replaced(context: Context, one: Replaced, type: Type, parameters: Sequence[Type]) -> None:
    declared = context.names.globals.get(entry_name(one.new.key))
    sort = _SORTS.get(one.section)
    if declared is not None and sort is not None and isinstance(declared.thing, sort):
        _check_fit(context, declared.thing, one.old.key, one.library, type, parameters)


def _check_fit(
    context: Context, thing: Checked, called: Scalar, library: str, wanted: Type, parameters: Sequence[Type]
) -> None:
    """Whether `thing` can be called as the library calls it. If not, what the library does with it says nothing."""
    if not _are_alike([one.type for one in thing.parameters], parameters):
        message = f"the library `{library}` calls this `{called.text.strip()}`"
        hint = "its parameters are of the same kinds, in the same order; their names are your own"
        _report_misfit(context, thing, thing.span, message, hint)
        return
    if wanted in (UNKNOWN, NONE, NOTHING):
        return
    if isinstance(thing, Define) and not slots.is_any_hand(wanted):
        context.wanted[thing] = wanted
        return
    type = context.settle(thing, thing.span)
    if type not in (UNKNOWN, wanted) and not (slots.is_any_hand(wanted) and type.kind == "hand"):
        thing.type = UNKNOWN
        message = f"the library `{library}` wants {spoken(wanted)} of this, and it gives {spoken(type)}"
        _report_misfit(context, thing, thing.span, message)


def _are_alike(given: Sequence[Type], wanted: Sequence[Type]) -> bool:
    both = zip(given, wanted, strict=False)
    return len(given) == len(wanted) and all(a == b or UNKNOWN in (a, b) for a, b in both)


def _report_misfit(context: Context, thing: Checked, span: Span, message: str, hint: str = "") -> None:
    context.misfits.add(thing)
    context.diagnostics.error("other-than-needed", message, span, hint)
