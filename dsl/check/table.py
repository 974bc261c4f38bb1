"""The table: zones, rows, piles, and how they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame, RowPlace
from trionfi.dsl.check.fields import entries, mapping_of, one_of, text, truth, whole_number, words, wrong
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.limits import MOST_PLACES, MOST_PLAYS
from trionfi.dsl.nodes import Mapping, Node, Scalar
from trionfi.dsl.nodes import Sequence as ListNode
from trionfi.dsl.tree import Per, Procedure, ZoneFamily
from trionfi.dsl.types import NOTHING

declare_codes(
    {
        "zone-shape": "A zone is one pile, a row of places, several piles, or a field of plays.",
        "unknown-deck": "A zone starts with a deck of the game.",
        "deck-lies-nowhere": "Each deck starts in one zone.",
        "unknown-layout-name": "A layout names zones and places of the table, and `.` where nothing lies.",
    }
)

PERS: list[Per] = ["player", "team", "suit"]
_FACES: list[Literal["up", "down", ""]] = ["up", "down"]
_SHAPES = ("row", "piles", "plays")


def declare_table(context: Context, section: Node | None) -> list[ZoneFamily]:
    """The zones in the order of the text; scripts and truths in them are read later (`finish_table`)."""
    families: list[ZoneFamily] = []
    for entry in entries(section):
        node = mapping_of(context, entry.value, f"the zone `{entry.key.text}`")
        family = _zone(context, entry.key, node or Mapping([], entry.value.span), len(families))
        if context.names.declare(family.name, family, entry.key.span):
            families.append(family)
            row = node.get("row") if node else None
            _declare_places(context, family, row if isinstance(row, ListNode) else None)
    _check_starts(context, section, families)
    return families


def _zone(context: Context, key: Scalar, node: Mapping, index: int) -> ZoneFamily:
    name = key.text.strip()
    family = ZoneFamily(name, key.span, index=index)
    family.per = read_per(context, node.get("per"), name)
    _read_shape(context, family, node)
    family.face = one_of(context, node.get("face"), f"the face of `{name}`", _FACES)
    _read_owner_sees(context, family, node.get("seen_by"))
    if capacity := node.get("capacity"):
        family.capacity = whole_number(context, capacity, f"the capacity of `{name}`", 1)
    family.counted = truth(context, node.get("counted"), "`counted`", True)
    family.start = text(context, node.get("start"), f"the deck in `{name}`")
    return family


def read_per(context: Context, node: Node | None, name: str, more: Sequence[str] = ()) -> Per:
    """What has one each: a player, a team, a suit, or one of `more`; nothing if there is just one."""
    allowed: list[str] = [*PERS, *more]
    per = one_of(context, node, f"`per` of `{name}`", allowed)
    if per == "team" and not context.teams and node is not None:
        wrong(context, node, "this game has no teams", "write `teams: [[1, 3], [2, 4]]`")
    return next((one for one in PERS if one == per), "")


def _read_shape(context: Context, family: ZoneFamily, node: Mapping) -> None:
    shapes = [shape for shape in _SHAPES if shape in node]
    if len(shapes) > 1:
        entry = node.entry(shapes[1])
        message = f"`{family.name}` cannot be `{shapes[0]}` and `{shapes[1]}` at once"
        context.diagnostics.error("zone-shape", message, entry.key.span if entry else node.span)
    for shape in shapes[:1]:
        family.shape = shape  # type: ignore[assignment]
        _read_places(context, family, shape, node.get(shape))
    if family.shape == "row":
        family.capacity = 1


def _read_places(context: Context, family: ZoneFamily, shape: str, value: Node | None) -> None:
    if shape == "row" and isinstance(value, ListNode):
        family.place_names = [word.text.strip() for word in words(context, value, f"the places of `{family.name}`")]
        family.places = len(family.place_names) or 1
    elif value is not None:
        what = {"row": "the number of places", "piles": "the number of piles", "plays": "the number of plays"}[shape]
        most = MOST_PLAYS if shape == "plays" else MOST_PLACES
        number = whole_number(context, value, f"{what} of `{family.name}`", 1, most) or 1
        if shape == "plays":
            family.plays = number
        else:
            family.places = number


def _read_owner_sees(context: Context, family: ZoneFamily, node: Node | None) -> None:
    if node is None or not one_of(context, node, f"`seen_by` of `{family.name}`", ["owner"]):
        return
    family.seen_by_owner = True
    if family.per != "player":
        wrong(context, node, f"`{family.name}` has no owner who could see it", "write `per: player`, too")


def _declare_places(context: Context, family: ZoneFamily, row: ListNode | None) -> None:
    """Names of places are names like those of zones: `root`."""
    spans = {item.text.strip(): item.span for item in reversed(row.items) if isinstance(item, Scalar)} if row else {}
    for index, name in enumerate(family.place_names, 1):
        context.names.declare(name, RowPlace(family, index), spans[name])


def _check_starts(context: Context, section: Node | None, families: list[ZoneFamily]) -> None:
    """Each deck lies in one zone at the start, and that zone is one pile."""
    decks = [deck.name for deck in context.decks]
    places = {entry.key.text.strip(): entry.value for entry in entries(section)}
    used: dict[str, str] = {}
    for family in families:
        node = places[family.name]
        at = node.get("start") if isinstance(node, Mapping) else None
        if at is None or not family.start:
            continue
        if family.start not in decks:
            hint = did_you_mean(family.start, decks) or f"the game has {', '.join(f'`{deck}`' for deck in decks)}"
            context.diagnostics.error("unknown-deck", f"there is no deck `{family.start}`", at.span, hint)
        elif family.start in used:
            message = f"the deck `{family.start}` lies in `{used[family.start]}` already"
            context.diagnostics.error("deck-lies-nowhere", message, at.span)
        elif family.per or family.shape != "pile":
            wrong(context, at, f"a deck starts in one pile; `{family.name}` is several")
        used.setdefault(family.start, family.name)
    # a misspelt name is told once
    told = section is None or not set(used) <= set(decks)
    unplaced = [deck for deck in context.decks if deck.name not in used and not told]
    for deck in unplaced:
        hint = f"write `stock: {{start: {deck.name}}}` in the table"
        message = f"the deck `{deck.name}` lies nowhere at the start"
        context.diagnostics.error("deck-lies-nowhere", message, deck.span, hint)


def finish_table(context: Context, section: Node | None, families: list[ZoneFamily]) -> None:
    """Reads what is script in the zones, once all names are known."""
    by_name = {family.name: family for family in families}
    for entry in entries(section):
        family, node = by_name.get(entry.key.text.strip()), entry.value
        if family is None or not isinstance(node, Mapping):
            continue
        review = node.get("may_review")
        if isinstance(review, Scalar):
            family.may_review = slots.condition(context, review, Frame(context))
        short = node.get("when short")
        if isinstance(short, Scalar):
            family.when_short = when_short(context, family, short)


def when_short(context: Context, family: ZoneFamily, slot: Scalar) -> Procedure:
    """The script that runs before a deal that wants more cards than lie in a zone."""
    procedure = Procedure(f"{family.name}: when short", [], [], NOTHING, slot.span, body=[])
    frame = Frame(context, procedure, "script")
    slots.script(context, slot, frame, procedure)
    return procedure


# ---- layout


def read_layout(context: Context, node: Node | None, families: list[ZoneFamily]) -> list[list[str]]:
    """The grid of names from which a table is drawn: rows from above, columns from the left."""
    if node is None:
        return []
    if not isinstance(node, Scalar):
        wrong(context, node, "a layout is a text grid of zone names")
        return []
    known = _layout_names(context, families)
    rows: list[list[str]] = []
    offset = node.content.start
    for line in node.content.text.splitlines(keepends=True):
        rows += [names] if (names := _read_row(context, node, line, offset, known)) else []
        offset += len(line)
    return rows


def _read_row(context: Context, node: Scalar, line: str, offset: int, known: list[str]) -> list[str]:
    names = line.split()
    at = 0
    for name in names:
        at = line.index(name, at)
        if name != "." and name not in known:
            span = replace(node.content, start=offset + at, end=offset + at + len(name))
            message = f"there is no zone or place `{name}` to lie here"
            context.diagnostics.error("unknown-layout-name", message, span, _layout_hint(name, known))
        at += len(name)
    return names


def _layout_hint(name: str, known: list[str]) -> str:
    family = name.partition(".")[0]
    places = [other for other in known if other.startswith(f"{family}.")]
    if places:
        return f"`{family}` has {places[0]} to {places[-1]}"
    return did_you_mean(name, known)


def _layout_names(context: Context, families: list[ZoneFamily]) -> list[str]:
    """What a layout may name: zones, places by name or number (`external.1`), what each suit has by the suit's."""
    known = []
    for family in families:
        known += [family.name, *family.place_names]
        if family.shape in ("row", "piles"):
            known += [f"{family.name}.{i}" for i in range(1, family.places + 1)]
        elif family.per:
            known += [f"{family.name}.{i}" for i in range(1, _owners(context, family) + 1)]
    return known


def _owners(context: Context, family: ZoneFamily) -> int:
    if family.per == "suit":
        return len(context.enumerations["suit"].members)
    return context.players[1] if family.per == "player" else len(context.teams)
