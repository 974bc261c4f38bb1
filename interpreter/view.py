"""What a player may know of a game, and all of it, as mappings ready for JSON.

Reads a `State` alone, so that every engine that can give one shows the same. The keys: `zones` (numbers of cards
as in `rules.cards`, bottom first, null for one that is not known; a row is one list), `face_up` (beside them),
`marks` (if the ruleset has any), `altered` (in a game with effects), `variables`, `decision`, `plays`, `log`; of a
state `known`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from trionfi.dsl.tree import Variable
from trionfi.dsl.types import Type
from trionfi.effects import CardThing, Thing
from trionfi.effects.field import Field
from trionfi.interpreter.decision import Decision
from trionfi.interpreter.names import player_name, word_of
from trionfi.interpreter.state import State
from trionfi.interpreter.table import Place
from trionfi.interpreter.texts import is_known, play_text, seats_in

__all__ = ["Review", "log_lines", "state_of", "view_of"]


class Review(NamedTuple):
    """What `may_review` turns off: functions of the state for zones and variables by their number."""

    zones: dict[int, Callable[[State], bool]]
    variables: dict[int, Callable[[State], bool]]


def state_of(s: State, decision: Decision | None) -> dict[str, object]:
    """Everything."""
    shown = [(name, places, gathered(s, places)) for name, places in zone_groups(s)]
    return {
        "zones": {name: [card_number(s, card) for card in cards] for name, _, cards in shown},
        "face_up": {name: [s.up[card] for card in cards] for name, _, cards in shown},
        "known": {name: [seats_in(s.known[card]) for card in cards] for name, _, cards in shown},
        "places": {name: filled(s, places) for name, places, _ in shown if is_row(places)},
        **marks_of(s, {name: cards for name, _, cards in shown}, None),
        **altered_of(s, {name: cards for name, _, cards in shown}, None),
        "variables": {name: value_json(s, v.type, value, None) for name, v, _, value in variables(s)},
        "decision": decision_json(s, decision, None),
        "plays": plays_json(s, None),
        "log": log_lines(s, None),
    }


def view_of(s: State, review: Review, decision: Decision | None, player: int) -> dict[str, object]:
    """What the player (a seat from 0) may know."""
    seen = [zone for zone in visible_zones(s, player) if reviewable(review.zones, zone[1][0].family.index, s)]
    shown = {name: cards for name, _, cards in seen}
    return {
        "zones": {name: [known_number(s, card, player) for card in cards] for name, cards in shown.items()},
        "face_up": {name: [s.up[card] for card in cards] for name, cards in shown.items()},
        "places": {name: filled(s, places) for name, places, _ in seen if is_row(places) and places[0].family.counted},
        **marks_of(s, shown, player),
        **altered_of(s, shown, player),
        "variables": {
            name: value_json(s, variable.type, value, player)
            for name, variable, owner, value in variables(s)
            if (not variable.secret or s.table.keeper(variable, owner) == player)
            and reviewable(review.variables, variable.index, s)
        },
        "decision": decision_json(s, decision, player),
        "plays": plays_json(s, player),
        "log": log_lines(s, player),
    }


def reviewable(rules: dict[int, Callable[[State], bool]], index: int, s: State) -> bool:
    return index not in rules or rules[index](s)


# ---- zones


def zone_groups(s: State) -> Iterator[tuple[str, Sequence[Place]]]:
    """Each zone with its name; the places of a row as one, under the family's name."""
    table = s.table
    for family in table.ruleset.zones:
        for owner in range(table.owners(family.per)):
            places = [table.zones[zone] for zone in table.places_of(family, owner)]
            if family.shape == "row":
                yield table.owned_name(family.per, owner, family.name), places
            else:
                yield from ((place.name, [place]) for place in places)


def gathered(s: State, places: Sequence[Place]) -> list[int]:
    return [card for place in places for card in s.zones[place.index]]


def is_row(places: Sequence[Place]) -> bool:
    return places[0].family.shape == "row"


def filled(s: State, places: Sequence[Place]) -> list[int]:
    """In which place each card of a row lies."""
    return [place.number for place in places for _ in s.zones[place.index]]


def visible_zones(s: State, player: int) -> Iterator[tuple[str, Sequence[Place], list[int]]]:
    """Zones with the cards that a player sees to be there."""
    for name, places in zone_groups(s):
        cards = gathered(s, places)
        family = places[0].family
        if family.counted:
            yield name, places, cards
        elif family.per == "player" and places[0].owner == player:
            yield name, places, [card for card in cards if is_known(s, card, player)]


def card_number(s: State, card: int) -> int:
    """As in `rules.cards`; reversed that many more."""
    look = s.looks[card]
    return s.table.public[look.face] + (s.table.public_count if look.reversed else 0)


def known_number(s: State, card: int, viewer: int | None) -> int | None:
    return card_number(s, card) if viewer is None or is_known(s, card, viewer) else None


def marks_of(s: State, zones: dict[str, list[int]], viewer: int | None) -> dict[str, object]:
    """The key `marks`, if cards carry any: the words of each card that is known."""
    if not s.table.ruleset.marks:
        return {}
    return {"marks": {name: [mark_words(s, card, viewer) for card in cards] for name, cards in zones.items()}}


def mark_words(s: State, card: int, viewer: int | None) -> dict[str, str] | None:
    if viewer is not None and not is_known(s, card, viewer):
        return None
    ruleset, marks = s.table.ruleset, s.looks[card].marks
    return {mark.name: word_of(ruleset, mark.type, marks[mark.index]) for mark in ruleset.marks}


def altered_of(s: State, zones: dict[str, list[int]], viewer: int | None) -> dict[str, object]:
    """The key `altered`, in a game of effects: what each known card is now, if that is not what is printed on it."""
    field = s.field
    if field is None:
        return {}
    shown = {name: [altered_words(s, field, card, viewer) for card in cards] for name, cards in zones.items()}
    return {"altered": shown}


def altered_words(s: State, field: Field, card: int, viewer: int | None) -> dict[str, object] | None:
    """`{suits: [words], rank: word, plays: [numbers]}`; the rank is null for none, and `any` for every one; the plays
    are those that made it so."""
    look, printed = s.looks[card], field.printed[card]
    if (look.suits, look.rank, look.any_rank) == (printed.suits, printed.rank, printed.any_rank):
        return None
    if viewer is not None and not is_known(s, card, viewer):
        return None
    suits, ranks = s.table.ruleset.enumerations["suit"].members, s.table.ruleset.enumerations["rank"].members
    rank = "any" if look.any_rank else None if look.rank is None else ranks[look.rank]
    has = [word for i, word in enumerate(suits) if look.suits >> i & 1]
    return {"suits": has, "rank": rank, "plays": field.changed_by(card)}


# ---- variables


def variables(s: State) -> Iterator[tuple[str, Variable, int, Any]]:
    """Name, variable, owner and value of each."""
    for variable in s.table.ruleset.variables:
        for owner, value in enumerate(s.values[variable.index]):
            yield s.table.value_name(variable, owner), variable, owner, value


def value_json(s: State, kind: Type, value: Any, viewer: int | None) -> object:
    """A value for JSON: numbers and truths as they are, everything else by name, cards by number."""
    if value is None:
        return None
    if kind.kind in ("enum", "category"):
        return word_of(s.table.ruleset, kind, value)
    return JSON[kind.kind](s, value, viewer)


def plain_json(_s: State, value: Any, _viewer: int | None) -> object:
    return value


JSON: dict[str, Callable[[State, Any, int | None], object]] = {
    "number": plain_json,
    "truth": plain_json,
    "fraction": lambda _s, value, _viewer: str(value),
    "player": lambda _s, value, _viewer: player_name(value),
    "players": lambda _s, value, _viewer: [player_name(seat) for seat in seats_in(value)],
    "team": lambda _s, value, _viewer: f"team{value + 1}",
    "zone": lambda s, value, _viewer: s.table.zones[value].name,
    "play": plain_json,
    "effect": lambda s, value, _viewer: s.table.ruleset.effects[value].name,
    "card": known_number,
    "cards": lambda s, value, viewer: [known_number(s, card, viewer) for card in value],
}


# ---- plays


def plays_json(s: State, viewer: int | None) -> list[dict[str, object]]:
    """The plays, oldest first: whose, the card as in `rules.cards`, the effect in force and its text, what it is aimed
    at now (cards and numbers of plays), whether it is in force, and whether the card lies where the play put it."""
    field = s.field
    if field is None:
        return []
    return [
        {
            "number": play.number,
            "player": play.player,
            "card": card_number(s, play.card),
            "name": play_text(s, play.number),
            "effect": play.text.name,
            "text": play.text.text,
            "targets": {
                targets.name: [thing_json(s, field, thing, viewer) for thing in field.now(play).things(targets)]
                for targets in play.text.targets
            },
            "in_force": field.now(play).in_force,
            "on_table": field.card_of(play) is not None,
        }
        for play in field.plays
    ]


def thing_json(s: State, field: Field, thing: Thing, viewer: int | None) -> dict[str, object]:
    """`{"play": 2}`, or `{"card": 7, "there": true}`: the card is null to who does not know it."""
    if not isinstance(thing, CardThing):
        return {"play": thing}
    there = field.is_there(thing)
    if there:
        return {"card": known_number(s, thing.card, viewer), "there": True}
    gone = field.gone[thing]
    known = viewer is None or gone.known >> viewer & 1
    return {"card": s.table.public[gone.look.face] if known else None, "there": False}


# ---- decision and log


def decision_json(s: State, decision: Decision | None, viewer: int | None) -> dict[str, object] | None:
    """Who is asked for what; among what only to who is asked."""
    if decision is None:
        return None
    asked: dict[str, object] = {"player": decision.player, "name": decision.name}
    if viewer is not None and viewer != decision.player:
        return asked
    if decision.is_number:
        return {**asked, "low": decision.low, "high": decision.high, "step": decision.step}
    if decision.card is not None:
        asked["card"] = known_number(s, decision.card, viewer)
    if decision.picked:
        asked["picked"] = list(decision.picked)
    return {**asked, "options": decision.labels()}


def log_lines(s: State, viewer: int | None) -> list[dict[str, object]]:
    """What has been chosen and said, as a player may know it (None: all)."""
    lines: list[dict[str, object]] = []
    if s.log is not None and s.log.forgotten:
        lines.append({"say": f"({s.log.forgotten:,} older lines are left out)"})
    for entry in s.log.entries if s.log is not None else ():
        text = entry.text(viewer)
        if entry.player is None:
            lines.append({"say": text})
        else:
            lines.append({"player": entry.player, "decision": entry.decision, "label": text})
    return lines
