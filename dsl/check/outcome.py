"""What a game comes to: scores, winners, measures, and the strategies that people declare."""

from __future__ import annotations

from collections.abc import Collection

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame
from trionfi.dsl.check.fields import entries, mapping_of, scalar, text
from trionfi.dsl.check.scripts import declare_define
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_absences, declare_codes, did_you_mean
from trionfi.dsl.limits import MOST_MEASURES
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.tree import Attribute, CallDefine, Define, Local, LocalValue, Measure, Strategy
from trionfi.dsl.tree.words import EVERY_GAMES_BOTS
from trionfi.dsl.types import NUMBER, PLAYER, TEAM, TRUTH, Type

declare_codes(
    {
        "result-key": "The result is `score(player)` or `score(team)`, a number; `won(player)`, if need be, a truth.",
        "won-alone": "A game for one says when it is won.",
        "measure-type": "A measure is a truth, a number, a word of a kind or a category.",
        "measure-signature": "A measure is about the game, or about one player.",
        "too-many-measures": f"A game has no more than {MOST_MEASURES:,} measures.",
        "unknown-strategy": "Opponents play by a strategy that the game has.",
    }
)
declare_absences("unknown-strategy")

_RESULTS: dict[str, Type] = {"score": NUMBER, "won": TRUTH}
_MEASURED = frozenset({"truth", "number", "enum", "category"})
_EVENT = "when "


def declare_result(context: Context, section: Node | None) -> dict[str, Define]:
    """`score` and `won`, by name; both may be asked after a dot (`p1.score`)."""
    results: dict[str, Define] = {}
    for entry in entries(section):
        name = entry.key.text.partition("(")[0].strip()
        if name not in _RESULTS:
            hint = "write `score(player): ...`"
            context.diagnostics.error("result-key", f"the result has no `{name}`", entry.key.span, hint)
            continue
        define = declare_define(context, entry, _RESULTS[name], "player")
        if define is not None and _is_of_one(context, define):
            results[name] = _of_each_player(context, name, define)
            context.names.declare_belonging("player", name, results[name])
    if context.players[0] == 1 and "won" not in results and "score" in results:
        message = "who plays alone has the highest score and wins, whatever it is"
        hint = "say when the game is won: `won(player): player.score > 0`"
        context.diagnostics.warning("won-alone", message, results["score"].span, hint)
    return results


def _of_each_player(context: Context, name: str, define: Define) -> Define:
    """The result of a player; of `score(team)`, which is written after a team, too, that of the player's team."""
    if define.parameters[0].type == PLAYER:
        return define
    context.names.declare_belonging("team", name, define)
    span = define.span
    player = Local("player", PLAYER, 0, span)
    team = Attribute(TEAM, span, "team", LocalValue(PLAYER, span, player))
    type = _RESULTS[name]
    return Define(name, [player], [player], type, span, CallDefine(type, span, define, [team]))


def _is_of_one(context: Context, define: Define) -> bool:
    types = [parameter.type for parameter in define.parameters]
    if types == [PLAYER] or (types == [TEAM] and context.teams):
        return True
    message = f"`{define.name}` is that of one player"
    if types == [TEAM]:
        message = f"`{define.name}` is that of one player in a game without `teams`"
    context.diagnostics.error("result-key", message, define.span, f"write `{define.name}(player): ...`")
    context.diagnostics.lose(f"{define.name} player")  # its body asks who that is
    return False


# ---- measures


def read_measures(context: Context, section: Node | None) -> list[Measure]:
    """The measures: those read at the end, and under `when EVENT` those read at each `trigger EVENT`."""
    measures: list[Measure] = []
    taken: set[str] = set()
    for entry in entries(section):
        name = entry.key.text
        if name.startswith(_EVENT):
            group = [(name.removeprefix(_EVENT).strip(), one) for one in entries(entry.value)]
        else:
            group = [("", entry)]
        for event, one in group:
            if len(measures) == MOST_MEASURES:
                message = f"a game has no more than {MOST_MEASURES:,} measures"
                context.diagnostics.error("too-many-measures", message, one.key.span)
                return measures
            measure = _measure(context, event, one)
            if measure is not None and _is_new(context, measure, taken):
                measures.append(measure)
    return measures


def _is_new(context: Context, measure: Measure, taken: set[str]) -> bool:
    if measure.name in taken:
        context.diagnostics.error("duplicate-name", f"`{measure.name}` is already a measure", measure.span)
        return False
    taken.add(measure.name)
    return True


def _measure(context: Context, event: str, entry: Entry) -> Measure | None:
    signature = slots.signature(context, entry.key)
    slot = scalar(context, entry.value, f"the measure `{entry.key.text}`")
    if signature is None or slot is None:
        return None
    if signature.parameters and [one.type for one in signature.parameters] != [PLAYER]:
        message = f"`{signature.name}` is a measure of the game or of one player"
        context.diagnostics.error("measure-signature", message, signature.span, f"write `{signature.name}(player)`")
        return None
    frame = Frame(context)
    parameters = signature.add_to(frame)
    body = slots.expression(context, slot, frame)
    if body is None:
        return None
    if body.type.kind not in _MEASURED:
        message = f"`{signature.name}` is {spoken(body.type)}, which cannot be counted"
        hint = "a measure is a truth (share), a number (mean), a member or a category (counts)"
        context.diagnostics.error("measure-type", message, body.span, hint)
        return None
    player = parameters[0] if parameters else None
    return Measure(signature.name, player, frame.locals, body.type, body, event, signature.span)


# ---- strategies


def read_strategies(context: Context, section: Node | None) -> dict[str, Strategy]:
    """The strategies by name, once every decision is known."""
    strategies: dict[str, Strategy] = {}
    for entry in entries(section):
        name = entry.key.text.strip()
        node = mapping_of(context, entry.value, f"the strategy `{name}`")
        if node is not None and context.names.is_name(name, entry.key.span):
            strategies[name] = _strategy(context, name, entry.key, node)
    return strategies


def read_opponents(context: Context, node: Node | None, strategies: Collection[str]) -> str:
    """The name of a strategy, or of a bot that every game has; empty if the ruleset says nothing."""
    name = text(context, node, "`opponents`")
    known = [*strategies, *EVERY_GAMES_BOTS]
    if node is None or name in known:
        return name
    message = f"there is no strategy `{name}`"
    hint = did_you_mean(name, known) or f"the game has {', '.join(f'`{one}`' for one in known)}"
    context.diagnostics.error("unknown-strategy", message, node.span, hint)
    return ""


def _strategy(context: Context, name: str, key: Scalar, node: Mapping) -> Strategy:
    strategy = Strategy(name, text(context, node.get("about"), "`about`"), {}, key.span)
    for entry in entries(node):
        decision = entry.key.text.strip()
        slot = scalar(context, entry.value, f"the script for `{decision}`") if decision != "about" else None
        script = slots.strategy_script(context, slot, decision, entry.key.span) if slot else None
        if script is not None:
            strategy.scripts[decision] = script
    return strategy
