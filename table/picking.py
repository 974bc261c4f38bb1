"""Several things picked at once: a series of moves of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trionfi.interpreter.decision import DONE

if TYPE_CHECKING:
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.game import Game

__all__ = ["labels_later", "picks_of"]


def labels_later(game: Game, decision: Decision) -> list[str]:
    """Of a choice of several: what is not offered yet since the cards are picked in their order."""
    later: list[str] = []
    trial = game.clone() if decision.left > 1 else game
    asked: Decision | None = decision
    while asked is not None and asked.left > 1:
        things = [label for label in asked.labels() if label != DONE]
        if not things:
            break
        trial.apply(asked.labels().index(things[-1]))
        asked = trial.decision
        if asked is not None:
            later += [label for label in asked.labels() if label != DONE and label not in decision.labels()]
    return later


def picks_of(game: Game, labels: Sequence[str]) -> list[int] | str:
    """The moves that pick all of these, in the game's order, and end the choice if it may end; else what is wrong."""
    trial, left = game.clone(), [label for label in labels if label != DONE]
    moves: list[int] = []
    seat, name = asked_of(trial)
    while left:
        decision = trial.decision
        if decision is None or asked_of(trial) != (seat, name) or (moves and not decision.picked):
            return f"{count_of(left)} too many: {', '.join(left)}"
        offered = [(move, label) for label in left if (move := decision.move_called(label)) is not None]
        if not offered:
            alone = len(labels) == 1
            return f"`{left[0]}` {'is picked only with others' if alone else 'does not go with the others'}"
        move, label = min(offered)
        left.remove(label)
        trial.apply(move)
        moves.append(move)
    decision = trial.decision
    if decision is not None and asked_of(trial) == (seat, name) and decision.picked and DONE in decision.labels():
        moves.append(decision.labels().index(DONE))
    return moves


def asked_of(game: Game) -> tuple[int, str]:
    decision = game.decision
    return (-1, "") if decision is None else (decision.player, decision.name)


def count_of(things: Sequence[str]) -> str:
    return "one is" if len(things) == 1 else f"{len(things)} are"
