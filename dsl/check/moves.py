"""Statements that move, turn and show cards."""

from __future__ import annotations

from typing import Any, Literal, cast

from lark import Token

from trionfi.dsl.check.coerce import report_type
from trionfi.dsl.check.context import Frame
from trionfi.dsl.check.dispatch import Part, infer, take
from trionfi.dsl.check.queries import read_adjective, turned
from trionfi.dsl.check.statements import statement
from trionfi.dsl.diagnostics import declare_absences, declare_codes, did_you_mean
from trionfi.dsl.tree import (
    Deal,
    DealAround,
    Domain,
    Expr,
    Move,
    Orient,
    Show,
    Shuffle,
    Statement,
    TurnFace,
    TurnOver,
    ZoneFamily,
    ZonesValue,
)
from trionfi.dsl.types import CARDS, NUMBER, ORIENTATION, PLAYER, ZONE, ZONES, enum

declare_codes({"deal-to": "Cards are dealt and moved to a zone, or to the empty places of a row."})
declare_absences("deal-to")


@statement("shuffle")
def check_shuffle(frame: Frame, tree: Part) -> Statement | None:
    zone_tree, rotation_tree = tree.children
    zone = take(frame, cast(Part, zone_tree), ZONE)
    rotation = take(frame, cast(Part, rotation_tree), enum("rotation")) if rotation_tree is not None else None
    if zone is None or (rotation_tree is not None and rotation is None):
        return None
    return Shuffle(frame.span(tree), zone, rotation)


@statement("deal")
def check_deal(frame: Frame, tree: Part) -> Statement | None:
    up_to, amount_tree, source_tree, destination, facing_tree, starting_tree = cast("list[Any]", tree.children)
    amount, source = take(frame, amount_tree, NUMBER), take(frame, source_tree, ZONE)
    face = _face(facing_tree)
    if destination.data == "dest_each":
        around = _around(frame, destination, starting_tree)
        if around is None or amount is None or source is None:
            return None
        return DealAround(frame.span(tree), amount, up_to is not None, source, *around, face)
    if starting_tree is not None:
        message = "`starting` goes with dealing to each player: `deal 4 from stock to each hand starting ...`"
        frame.error("deal-to", message, frame.span(starting_tree))
        return None
    to = _destination(frame, destination) if not _refuse_unowned(frame, destination) else None
    if amount is None or source is None or to is None or _refuse_bottom(frame, destination):
        return None
    return Deal(frame.span(tree), amount, up_to is not None, source, to, face)


def _refuse_unowned(frame: Frame, destination: Part) -> bool:
    """`deal 5 from stock to hand`, where each player has one and nothing says whose: each player's is meant."""
    place = cast(Part, destination.children[0])
    name = str(place.children[0]) if place.data == "name" else ""
    of_players = isinstance(getattr(frame.names.belongings.get("player", {}).get(name), "thing", None), ZoneFamily)
    if not of_players or frame.lookup(name) or frame.names.lookup(name, frame.source) is not None:
        return False
    message = f"each player has its own `{name}`; say whose"
    frame.error("whose", message, frame.span(place), f"write `each {name}`")
    return True


def _refuse_bottom(frame: Frame, destination: Part) -> bool:
    if destination.data == "dest_bottom":
        frame.error("deal-to", "cards are dealt on top; `move` puts them to the bottom", frame.span(destination))
    return destination.data == "dest_bottom"


def _face(tree: object) -> Literal["up", "down", ""]:
    return cast(Literal["up", "down"], str(cast(Part, tree).children[0])) if tree is not None else ""


def _destination(frame: Frame, tree: Part) -> Expr | None:
    """A zone, or a row whose empty places are filled."""
    to = infer(frame, cast(Part, tree.children[0]))
    if to is None or to.type == ZONE or (isinstance(to, ZonesValue) and to.family.shape == "row"):
        return to
    if to.type == ZONES:
        frame.error("deal-to", "which of the zones is not said", to.span, f"say which: `{to.span.text}[1]`")
    else:
        report_type(frame, to, ZONE)
    return None


def _around(frame: Frame, tree: Part, starting: Part | None) -> tuple[ZoneFamily, Domain] | None:
    """`each live hand`: a zone of each player, and which players."""
    words, rightwards = turned(frame, cast("list[Token]", cast(Part, tree.children[0]).children))
    named = frame.names.belonging("player", str(words[-1]))
    if not isinstance(named, ZoneFamily) or len(words) > 2 or named.shape == "piles":
        zones = [n for n, one in frame.names.belongings.get("player", {}).items() if isinstance(one.thing, ZoneFamily)]
        hint = did_you_mean(words[-1], zones) or "write `each hand` or `each live hand`"
        frame.error("deal-to", f"`{words[-1]}` is no zone of each player", frame.span(words[-1]), hint)
        return None
    start = take(frame, starting, PLAYER) if starting is not None else None
    with frame.query():
        local = frame.add("player", PLAYER, frame.span(tree), hides=True)
        where = read_adjective(frame, words[0], local) if len(words) == 2 else None
    if (starting is not None and start is None) or (len(words) == 2 and where is None):
        return None
    return named, Domain("player", local, frame.span(tree), None, start, where, rightwards)


@statement("move")
def check_move(frame: Frame, tree: Part) -> Statement | None:
    cards_tree, to_tree, facing_tree = tree.children
    destination = cast(Part, to_tree)
    cards = take(frame, cast(Part, cards_tree), CARDS)
    if destination.data == "dest_each":
        hint = "write `for each player: move ... to player.hand`, or `deal`"
        frame.error("deal-to", "cards are moved to one zone", frame.span(destination), hint)
        return None
    to = _destination(frame, destination)
    if cards is None or to is None:
        return None
    return Move(frame.span(tree), cards, to, destination.data == "dest_bottom", _face(facing_tree))


@statement("turn")
def check_turn(frame: Frame, tree: Part) -> Statement | None:
    taken = [take(frame, cast(Part, child), CARDS) for child in tree.children[1:]]
    cards = [one for one in taken if one is not None]
    return TurnFace(frame.span(tree), cards, str(tree.children[0]) == "up") if len(cards) == len(taken) else None


@statement("flip")
def check_flip(frame: Frame, tree: Part) -> Statement | None:
    source, to = (take(frame, cast(Part, child), ZONE) for child in tree.children)
    return TurnOver(frame.span(tree), source, to) if source and to else None


@statement("orient")
def check_orient(frame: Frame, tree: Part) -> Statement | None:
    cards = take(frame, cast(Part, tree.children[0]), CARDS)
    orientation = take(frame, cast(Part, tree.children[1]), ORIENTATION)
    return Orient(frame.span(tree), cards, orientation) if cards and orientation else None


@statement("show")
def check_show(frame: Frame, tree: Part) -> Statement | None:
    cards_tree, to_tree = cast("list[Part | None]", tree.children)
    cards = take(frame, cast(Part, cards_tree), CARDS)
    to = take(frame, to_tree, PLAYER) if to_tree is not None else None
    if cards is None or (to_tree is not None and to is None):
        return None
    return Show(frame.span(tree), cards, to)


@statement("look")
def check_look(frame: Frame, tree: Part) -> Statement | None:
    player, cards = take(frame, cast(Part, tree.children[0]), PLAYER), take(frame, cast(Part, tree.children[1]), CARDS)
    return Show(frame.span(tree), cards, player) if cards and player else None
