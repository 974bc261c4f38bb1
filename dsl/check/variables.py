"""Variables and marks of cards."""

from __future__ import annotations

import re

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import UNKNOWN, Context, Frame
from trionfi.dsl.check.fields import (
    entries,
    found,
    mapping_of,
    missing,
    number_range,
    one_of,
    text,
    truth,
    whole_number,
    words,
    wrong,
)
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.check.table import PERS, read_per
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.limits import MOST_PLAYERS
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.nodes import Sequence as ListNode
from trionfi.dsl.tree import Mark, Variable, ZoneFamily
from trionfi.dsl.types import (
    CARD,
    CARDS,
    NUMBER,
    OPTIONAL,
    PLAYER,
    RANK,
    SUIT,
    TEAM,
    TRUTH,
    ZONE,
    Type,
)

declare_codes(
    {
        "unknown-kind": "The kind of a variable is one of the language's, or a kind of the game.",
        "chips-are-numbers": "Chips are numbers that move by `pay` only.",
        "number-without-start": "A number says what it starts with, unless the rules ask whether it is none.",
        "variable-type": "A variable holds something that lasts: a number, a truth, a card, a player and the like.",
    }
)

OWN_KINDS = ("orientation", "face", "deck", "colour", "rotation")
KINDS: dict[str, Type] = {
    "number": NUMBER,
    "truth": TRUTH,
    "player": PLAYER,
    "team": TEAM,
    "card": CARD,
    "cards": CARDS,
    "zone": ZONE,
    "suit": SUIT,
    "rank": RANK,
}
_STORABLE = frozenset({*OPTIONAL, "number", "truth", "cards", "fraction"}) - {"effect", "hand", "play"}
_STARTS = "it holds a number, a truth, or a card, player or word of a kind: `kind: player`"
_WHOLE = re.compile(r"-?[0-9]+")


def declare_variables(context: Context, section: Node | None, families: list[ZoneFamily]) -> list[Variable]:
    """The variables in the order of the text. A type that hangs on a start value is known after `finish_variables`."""
    variables: list[Variable] = []
    for entry in entries(section):
        variable = _variable(context, entry, families, len(variables))
        if variable is not None and context.names.declare(variable.name, variable, entry.key.span):
            variables.append(variable)
    return variables


def start_of(node: Node) -> Scalar | None:
    """The text of a variable's start: `passes: 0` is short for `passes: {start: 0}`."""
    found = node.get("start") if isinstance(node, Mapping) else node
    return found if isinstance(found, Scalar) and found.text.strip() else None


def _variable(context: Context, entry: Entry, families: list[ZoneFamily], index: int) -> Variable | None:
    name = entry.key.text.strip()
    variable = Variable(name, UNKNOWN, entry.key.span, index=index)
    short = isinstance(entry.value, Scalar)
    node = Mapping([], entry.value.span) if short else mapping_of(context, entry.value, f"the variable `{name}`")
    if node is None:
        return None
    _read_owners(context, variable, node, families)
    variable.chips = one_of(context, node.get("counts"), f"`counts` of `{name}`", ["chips"]) == "chips"
    variable.may_owe = truth(context, node.get("may_owe"), "`may_owe`", False)
    variable.about = text(context, node.get("about"), "`about`")
    variable.type = _type(context, variable, node, start_of(entry.value), entry)
    _read_secret(context, variable, node.get("secret"))
    if variable.type == CARDS:
        _read_most(context, variable, node)
    return variable


def _read_owners(context: Context, variable: Variable, node: Mapping, families: list[ZoneFamily]) -> None:
    spots = {family.name: family for family in families if family.shape in ("piles", "row")}
    per = node.get("per")
    taken = {*PERS, *spots, *OWN_KINDS}
    kinds = {name: type.name for name, type in context.kinds.items() if name not in taken}
    variable.per = read_per(context, per, variable.name, [*spots, *kinds])
    written = per.text.strip() if isinstance(per, Scalar) else ""
    if written in PERS:
        return
    if written in spots:
        variable.per, variable.per_zone = "spot", spots[written]
    elif written in kinds:
        variable.per, variable.per_kind = "kind", kinds[written]


def _read_secret(context: Context, variable: Variable, node: Node | None) -> None:
    variable.secret = one_of(context, node, f"`secret` of `{variable.name}`", ["owner"]) == "owner"
    has_owner = variable.per == "player" or (variable.per_zone is not None and variable.per_zone.per == "player")
    if variable.secret and not has_owner and node is not None:
        wrong(context, node, f"`{variable.name}` has no owner to keep it secret", "write `per: player`, too")


def _read_most(context: Context, variable: Variable, node: Mapping) -> None:
    most = node.get("most")
    if most is None:
        missing(context, node, variable.name, "most", "say how many cards it holds at most: `most: 3`")
    else:
        variable.most = whole_number(context, most, f"`most` of `{variable.name}`", 1) or 1


def _type(context: Context, variable: Variable, node: Mapping, start: Scalar | None, entry: Entry) -> Type:
    """What `kind` says, else what the start looks like; UNKNOWN while the start has to be read first."""
    kind = node.get("kind")
    if variable.chips:
        if kind is not None and text(context, kind, "`kind`") != "number":
            message = f"`{variable.name}` counts chips, so it is a number"
            context.diagnostics.error("chips-are-numbers", message, kind.span)
        return NUMBER
    if kind is not None:
        return kind_type(context, kind)
    given = node.get("start")
    if start is None and given is not None:
        wrong(context, given, f"`{variable.name}` starts with {found(given)}, and a variable holds no text", _STARTS)
        return UNKNOWN
    if start is None:
        missing(context, node, variable.name, "start", "or say what it is: `kind: player`")
        return UNKNOWN
    written = start.text.strip()
    if _WHOLE.fullmatch(written):
        return NUMBER
    return TRUTH if written in ("true", "false") else UNKNOWN


def kind_type(context: Context, node: Node) -> Type:
    """The type that a kind names; UNKNOWN after a message."""
    name = text(context, node, "`kind`")
    if name in KINDS:
        return KINDS[name]
    if name in context.kinds:
        return context.kinds[name]
    hint = did_you_mean(name, [*KINDS, *context.kinds])
    context.diagnostics.error("unknown-kind", f"there is no kind `{name}`", node.span, hint)
    return UNKNOWN


def finish_variables(context: Context, section: Node | None, variables: list[Variable]) -> None:
    """Reads the starts, once all names are known, and gives the last variables their type."""
    by_name = {(variable.name, variable.span.start): variable for variable in variables}
    for entry in entries(section):
        variable = by_name.get((entry.key.text.strip(), entry.key.span.start))
        if variable is None:
            continue
        start = start_of(entry.value)
        if start is not None:
            _read_start(context, variable, start)
        review = entry.value.get("may_review") if isinstance(entry.value, Mapping) else None
        if isinstance(review, Scalar):
            variable.may_review = slots.condition(context, review, Frame(context))


def warn_of_numbers(context: Context, variables: list[Variable]) -> None:
    """Numbers of which nobody says what they start with, once all that may ask whether they are none has been read."""
    for variable in variables:
        if variable.type != NUMBER or variable.start is not None or variable.unset or variable.chips:
            continue
        message = f"`{variable.name}` has no start, and nothing asks whether it is none: it starts with 0"
        hint = f"write `start: 0`, or ask `{variable.name} is none`"
        context.diagnostics.warning("number-without-start", message, variable.span, hint)


def _told_of(context: Context, slot: Scalar) -> bool:
    """Whether an error in this text has been told."""
    spans = [one.span for one in context.diagnostics.found if one.severity == "error"]
    inside = (slot.span.start <= span.start <= slot.span.end for span in spans if span.source is slot.span.source)
    return any(inside)


def _read_start(context: Context, variable: Variable, slot: Scalar) -> None:
    frame = Frame(context)
    expected = None if variable.type == UNKNOWN else variable.type
    start = slots.expression(context, slot, frame, expected)
    if start is None:
        if not _told_of(context, slot):  # it hangs on a variable whose type is not known yet
            message = f"the start of `{variable.name}` does not hang on other variables"
            wrong(context, slot, message, "set it in the play")
        return
    if frame.locals:
        wrong(context, slot, f"the start of `{variable.name}` is something simple, not a query", "set it in the play")
    elif variable.type == UNKNOWN and start.type.kind not in _STORABLE:
        message = f"`{variable.name}` cannot hold {spoken(start.type)}"
        context.diagnostics.error("variable-type", message, slot.span, "say what it is: `kind: player`")
    elif variable.type == UNKNOWN:
        variable.type = start.type
    variable.start = start


# ---- marks that cards carry


def declare_marks(context: Context, section: Node | None) -> list[Mark]:
    """`attributes:` of the ruleset. `role: [plain, chariot]`, or a mapping with `choices` and `default`."""
    marks: list[Mark] = []
    for entry in entries(section):
        name = entry.key.text.strip()
        node = entry.value
        listed = node.get("choices") if isinstance(node, Mapping) else node
        members = [word.text.strip() for word in words(context, listed, f"the choices of `{name}`")]
        if not members:
            continue
        type = context.enumeration(name, members, entry.key.span)
        default = node.get("default") if isinstance(node, Mapping) else None
        first = one_of(context, default, f"the default of `{name}`", members) or members[0]
        mark = Mark(name, type, members.index(first), entry.key.span, len(marks))
        if context.names.declare(name, mark, entry.key.span):
            marks.append(mark)
    return marks


# ---- players, teams, kinds


def read_players(context: Context, node: Node | None) -> tuple[int, int]:
    """`2`, `2..17` or `{from: 2, to: 17, usual: 4}`."""
    found = _player_range(context, node)
    if found is None or node is None:
        return 2, 2
    if found[0] < 1 or found[1] > MOST_PLAYERS:
        wrong(context, node, f"a game is for 1 to {MOST_PLAYERS} players")
        return 2, 2
    return found


def _player_range(context: Context, node: Node | None) -> tuple[int, int] | None:
    if not isinstance(node, Mapping):
        return None if node is None else number_range(context, node, "`players`")
    ends = [whole_number(context, end, f"`{key}`") for key in ("from", "to") if (end := node.get(key)) is not None]
    if len(ends) < 2 or ends[0] is None or ends[1] is None:
        return None
    if ends[0] > ends[1]:
        message = f"`players` goes from the lower to the higher number, not from {ends[0]} to {ends[1]}"
        wrong(context, node, message, f"write `from: {ends[1]}, to: {ends[0]}`")
        return None
    return ends[0], ends[1]


def read_usual_players(context: Context, node: Node | None) -> int:
    """`usual` of `players`; without it the fewest."""
    low, high = context.players
    usual = node.get("usual") if isinstance(node, Mapping) else None
    return low if usual is None else whole_number(context, usual, "`usual`", low, high) or low


def read_teams(context: Context, node: Node | None) -> list[list[int]]:
    """`[[1, 3], [2, 4]]`: seats of each team, from 0. With teams the number of players is fixed."""
    if node is None:
        return []
    seats = context.players[1]
    if not isinstance(node, ListNode):
        wrong(context, node, "`teams` lists the seats of each team, such as `[[1, 3], [2, 4]]`")
        return []
    listed = [list(team) if isinstance(team, ListNode) else [] for team in node]
    teams = [[(whole_number(context, seat, "a seat", 1, seats) or 1) - 1 for seat in team] for team in listed]
    if sorted(seat for team in teams for seat in team) != list(range(seats)) or context.players[0] != seats:
        wrong(context, node, f"each seat from 1 to {seats} is in one team, at every table of the game")
    return teams
