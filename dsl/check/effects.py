"""Effects: cards that do something when they are played.

Declared by name first, since quoted names and copies speak of them; their targets and parts are read when every name
of the game is known. What an alteration may read is checked in `alterations.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from trionfi.dsl.check import slots
from trionfi.dsl.check.alterations import read_alterations, reads_options_alone
from trionfi.dsl.check.context import UNKNOWN, Context, Frame, fold
from trionfi.dsl.check.decisions import note, read_amount
from trionfi.dsl.check.dispatch import Part
from trionfi.dsl.check.fields import entries, mapping_of, scalar, text, wrong
from trionfi.dsl.check.queries import make_domain
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.script import parse_slot
from trionfi.dsl.source import Source
from trionfi.dsl.tree import (
    Conditional,
    Const,
    Effect,
    Expr,
    LocalValue,
    Procedure,
    Targets,
)
from trionfi.dsl.types import CARDS, COLLECTION_OF, PLAY, PLAYER, PLAYS, Type

declare_codes(
    {
        "effect-card": "An effect is called as the card that has it.",
        "effect-parts": "An effect that takes another's text has no part of its own; what is chosen belongs to all.",
        "targets": "An effect is aimed at cards or plays: at some of one kind, or at single ones with names.",
        "names-plays": "`becomes`, `retargets` and `negates` name plays that the effect is aimed at.",
        "no-field": "Played cards lie in one zone that holds plays.",
    }
)

EACH = "each effect"
_WHEN = "when "
_ONE, _SEVERAL = "target", "targets"


@dataclass(slots=True, eq=False)
class EffectDraft:
    """An effect while it is being read; `frame` is its own, in which targets and alterations are read."""

    effect: Effect
    node: Mapping
    frame: Frame
    is_aimed: bool = False  # its targets have been read
    targets_good: bool = True


# ---- declaring


def declare_effects(context: Context, section: Node | None, main: Source) -> list[EffectDraft]:
    """The effects by name; scripts in them are read later."""
    drafts: list[EffectDraft] = []
    for entry in entries(section):
        node = mapping_of(context, entry.value, f"the effect `{entry.key.text}`")
        if node is None:
            continue
        if entry.key.text.strip() == EACH:
            context.when_chosen = _each_effect(context, node)
            continue
        draft = _declare(context, entry.key, node, main)
        if draft is not None:
            drafts.append(draft)
    return drafts


def _declare(context: Context, key: Scalar, node: Mapping, main: Source) -> EffectDraft | None:
    name = key.text.strip()
    effect = Effect(name, key.span, len(context.effects), text(context, node.get("text"), "the text"))
    effect.faces = _faces(context, name)
    if not effect.faces and key.span.source is main:
        hint = did_you_mean(fold(name), context.names.cards)
        context.diagnostics.error("effect-card", f"no card of the game is called `{name}`", key.span, hint)
    context.effects[fold(name)] = effect
    draft = EffectDraft(effect, node, Frame(context))
    effect.locals = draft.frame.locals
    draft.frame.add("player", PLAYER, key.span)
    for entry in node:
        _declare_script(context, draft, entry)
    return draft


def _faces(context: Context, name: str) -> list[int]:
    """The faces of the cards so called."""
    called = [number for number, face in enumerate(context.faces) if fold(face.name) == fold(name)]
    known = context.names.cards.get(fold(name))
    return called or ([known] if known is not None else [])


def _declare_script(context: Context, draft: EffectDraft, entry: Entry) -> None:
    """`when played`, `when EVENT`: a procedure whose parameters are the effect's own names."""
    key, effect = entry.key.text.strip(), draft.effect
    if not key.startswith(_WHEN):
        return
    event = key.removeprefix(_WHEN).strip()
    if event == "chosen":
        message = f"`when chosen` belongs to all effects, not to `{effect.name}` alone"
        context.diagnostics.error("effect-parts", message, entry.key.span, f"write it under `{EACH}`")
        return
    slot = scalar(context, entry.value, f"`{key}` of `{effect.name}`")
    procedure = _procedure(f"{effect.name}: {key}", entry.key)
    if event == "played":
        effect.when_played = procedure
    else:
        effect.events[event] = procedure
    if slot is not None:
        context.later(procedure, lambda: _read_script(context, draft, slot, procedure))


def _procedure(name: str, key: Scalar) -> Procedure:
    return Procedure(name, [], [], UNKNOWN, key.span, body=[])


def _read_script(context: Context, draft: EffectDraft, slot: Scalar, procedure: Procedure) -> None:
    aim(context, draft)
    frame = Frame(context, procedure, "script")
    frame.effect = draft.effect
    given: list[tuple[str, Type]] = [("player", PLAYER), ("this", PLAY)]
    given += [(targets.local.name, targets.local.type) for targets in draft.effect.targets]
    procedure.parameters = [frame.add(name, type, procedure.span) for name, type in given]
    slots.script(context, slot, frame, procedure)


def _each_effect(context: Context, node: Mapping) -> Procedure | None:
    for entry in node:
        if entry.key.text.strip() != "when chosen":
            message = f"of each effect only `when chosen` can be said, not `{entry.key.text.strip()}`"
            context.diagnostics.error("effect-parts", message, entry.key.span)
    chosen = node.entry("when chosen")
    slot = scalar(context, chosen.value, "`when chosen`") if chosen else None
    if chosen is None or slot is None:
        return None
    procedure = _procedure(f"{EACH}: when chosen", chosen.key)

    def read() -> None:
        frame = Frame(context, procedure, "script")
        given = (("player", PLAYER), ("this", PLAY), (_SEVERAL, CARDS))
        procedure.parameters = [frame.add(name, type, procedure.span) for name, type in given]
        slots.script(context, slot, frame, procedure)

    context.later(procedure, read)
    return procedure


# ---- targets


def aim(context: Context, draft: EffectDraft) -> None:
    """Reads what an effect is aimed at, once."""
    if draft.is_aimed:
        return
    draft.is_aimed = True
    node = draft.node.get("targets")
    if isinstance(node, Mapping):
        for entry in node:
            _named_targets(context, draft, entry)
    elif node is not None:
        slot = scalar(context, node, f"the targets of `{draft.effect.name}`")
        draft.targets_good = slot is not None and _read_targets(context, draft, "", slot)


def _named_targets(context: Context, draft: EffectDraft, entry: Entry) -> None:
    slot = scalar(context, entry.value, f"the target `{entry.key.text}`")
    name = entry.key.text.strip()
    if not name.isidentifier() or not context.names.is_allowed(name, entry.key.span):
        draft.targets_good = False
        if not name.isidentifier():
            wrong(context, entry.key, f"`{name}` is no name")
        return
    good = slot is not None and _read_targets(context, draft, name, slot)
    draft.targets_good = good and draft.targets_good
    if good and not draft.effect.targets[-1].single:
        message = "of several targets with names each is one thing"
        hint = "write `1 card from ...`, or aim at several of one kind without names"
        context.diagnostics.error("targets", message, entry.value.span, hint)


def _read_targets(context: Context, draft: EffectDraft, name: str, slot: Scalar) -> bool:
    """`0..3 cards from reach(player) where ...`; a choice that `player` makes before anything happens."""
    parsed = parse_slot("targets", slot, context.diagnostics)
    if parsed is None:
        return False
    frame = draft.frame
    amount_tree, phrase, source, where = cast("list[Part | None]", parsed.tree.children)
    with frame.reading(parsed):
        amount = read_amount(frame, cast(Part, amount_tree))
        with frame.query():
            domain = make_domain(frame, cast(Part, phrase), source, None, where, is_named=where is not None)
    if domain is None or amount is None:
        return False
    if domain.noun not in ("card", "play"):
        message = f"an effect is aimed at cards or plays, not at {spoken(domain.local.type)}"
        context.diagnostics.error("targets", message, domain.span)
        return False
    type = domain.local.type if amount.single else COLLECTION_OF[domain.noun]
    local = frame.add(name or (_ONE if amount.single else _SEVERAL), type, slot.span)
    called, index = name or _SEVERAL, len(draft.effect.targets)
    aimed = Targets(called, index, amount.low, amount.high, domain, local, amount.single, slot.span)
    draft.effect.targets.append(aimed)
    note(frame, f"{draft.effect.name}: {called}", slot.span, domain.noun, domain.local.type)
    return True


# ---- parts


def finish_effects(context: Context, drafts: list[EffectDraft]) -> list[Effect]:
    """Reads the parts of all effects, once every name is known."""
    for draft in drafts:
        aim(context, draft)
        if draft.targets_good:
            _read_parts(context, draft)
    return [draft.effect for draft in drafts]


def _read_parts(context: Context, draft: EffectDraft) -> None:
    effect = draft.effect
    effect.becomes, _ = _named_plays(context, draft, "becomes")
    effect.retargets, _ = _named_plays(context, draft, "retargets")
    effect.negates, effect.negates_if = _named_plays(context, draft, "negates")
    node = draft.node.get("while in force")
    slot = scalar(context, node, "`while in force`") if node is not None else None
    if slot is not None:
        effect.alterations = read_alterations(draft.frame, slot, effect)
    if effect.becomes is not None:
        _check_becomes(context, draft, effect.becomes)


def _check_becomes(context: Context, draft: EffectDraft, target: Targets) -> None:
    others = [entry for entry in draft.node if entry.key.text.strip() not in ("text", "targets", "becomes", "about")]
    for entry in others:
        message = f"`{draft.effect.name}` takes another text, so it has no `{entry.key.text.strip()}` of its own"
        context.diagnostics.error("effect-parts", message, entry.key.span)
    if not target.single:
        hint = "write `1 play from plays`"
        context.diagnostics.error("names-plays", "one play's text is taken", target.span, hint)


def _named_plays(context: Context, draft: EffectDraft, key: str) -> tuple[Targets | None, Expr | None]:
    """`target`, or for `negates` also `target if OPTION else none`: the targets, and the condition."""
    node = draft.node.get(key)
    slot = scalar(context, node, f"`{key}`") if node is not None else None
    value = slots.expression(context, slot, draft.frame) if slot is not None else None
    if slot is None or value is None:
        return None, None
    condition: Expr | None = None
    named: Expr = value
    if key == "negates" and isinstance(value, Conditional) and len(value.arms) == 1 and _is_none(value.otherwise):
        condition, named = value.arms[0]
        if not reads_options_alone(condition):
            message = "whether an effect negates hangs on options alone"
            context.diagnostics.error("names-plays", message, condition.span)
    if isinstance(named, LocalValue):
        found = next((one for one in draft.effect.targets if one.local is named.local), None)
        if found is not None and named.type in (PLAY, PLAYS):
            return found, condition
    known = [one.local.name for one in draft.effect.targets if one.domain.noun == "play"]
    hint = f"write `{key}: {known[0]}`" if known else "aim the effect at plays: `targets: 1 play from plays`"
    context.diagnostics.error("names-plays", f"`{key}` names plays that the effect is aimed at", named.span, hint)
    return None, None


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None
