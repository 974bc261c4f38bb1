"""Games kept: records that people read, and snapshots that a search takes. Both are replayed move by move."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trionfi.interpreter.decision import DONE, Decision
from trionfi.interpreter.errors import EngineError
from trionfi.interpreter.game import SNAPSHOT, Game, plain_scores
from trionfi.interpreter.names import player_name
from trionfi.interpreter.opening import open_game, open_stacked
from trionfi.interpreter.record_form import RecordError, check_form
from trionfi.interpreter.rules_data import RulesData

__all__ = ["RecordError", "begin_again", "check_rules", "next_move", "replay", "restore"]


def restore(rules: RulesData, data: bytes, engine: str | None = None) -> Game:
    """The game of a snapshot. Raises RecordError."""
    try:
        kept = json.loads(data)
        version = kept["snapshot"]
    except (ValueError, KeyError, TypeError):
        raise RecordError("this is no snapshot of a game") from None
    if version != SNAPSHOT:
        raise RecordError(f"a snapshot of form {version}; this release reads form {SNAPSHOT}")
    check_rules(rules, kept)
    game = begin_again(rules, kept, engine)
    for move in kept["moves"]:
        game.apply(move)
    return game


def check_rules(rules: RulesData, kept: Mapping[str, Any]) -> None:
    if kept.get("sha256") != rules.sha256:
        raise RecordError(f"this was a game of another text of {kept.get('rules')}, not of these rules")
    if kept.get("options") != rules.options:
        raise RecordError(f"this was a game with other options: {kept.get('options')}")


def begin_again(rules: RulesData, kept: Mapping[str, Any], engine: str | None) -> Game:
    try:
        start = {"players": kept["players"], "seed": kept["seed"], "game": kept["game"]}
    except KeyError as missing:
        raise RecordError(f"the record does not say {missing}") from None
    try:
        if "deal" in kept:
            return open_stacked(rules, **start, engine=engine, **kept["deal"])
        return open_game(rules, **start, engine=engine)
    except EngineError:
        raise
    except ValueError as error:  # what does not fit the rules: a number of players, a card that there is not
        raise RecordError(str(error)) from None


def replay(
    rules: RulesData, record: Mapping[str, Any], engine: str | None = None, watch: Callable[[Game], None] | None = None
) -> Game:
    """Plays a record again and checks it; `watch` is shown the game after each move. Raises RecordError at the
    first move that is not offered, or if the scores are others."""
    check_form(record)
    check_rules(rules, record)
    game = begin_again(rules, record, engine)
    moves = [(seat, name, label) for seat, name, label in record["moves"]]
    while moves:
        game.apply(next_move(game, moves))
        if watch is not None:
            watch(game)
    scores = plain_scores(game)
    if record.get("scores") not in (None, scores):
        raise RecordError(f"the record ends with scores {record['scores']}, the game with {scores}")
    return game


def next_move(game: Game, moves: list[tuple[int, str, str]]) -> int:
    """Takes the next move from the list; of the picks of one set the one that is offered first, since their order
    does not count."""
    decision = game.decision
    seat, name, label = moves[0]
    if decision is None:
        raise RecordError(f"the game is over before {player_name(seat)} chooses {label}")
    if (decision.player, decision.name) != (seat, name):
        asked = f"{player_name(decision.player)} is asked for {decision.name}"
        raise RecordError(f"{player_name(seat)} chooses {label} in {name}, but {asked}")
    offered = [
        (move, place)
        for place in range(series_length(decision, moves))
        if (move := decision.move_called(moves[place][2])) is not None
    ]
    if not offered:
        raise RecordError(f"`{label}` is not offered in {decision}")
    move, place = min(offered)
    del moves[place]
    return move


def series_length(decision: Decision, moves: Sequence[tuple[int, str, str]]) -> int:
    """How many of the moves are picks of the set that is being chosen."""
    length = 0
    for seat, name, label in moves[: decision.left]:
        if (seat, name) != (decision.player, decision.name) or label == DONE:
            break
        length += 1
    return max(1, length)
