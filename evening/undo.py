"""Taking back at the table: without limit where one person plays, within limits where several do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trionfi.interpreter.names import player_name
from trionfi.interpreter.opening import again
from trionfi.interpreter.take_back import CannotTakeBack, engine_of, taken_back

if TYPE_CHECKING:
    from trionfi.evening.seated import Bots, Seated
    from trionfi.interpreter.game import Game

__all__ = ["CannotTakeBack", "Choices", "is_noted", "take_back"]

Choices = list[int]  # after how many moves of the game each choice of a person was made, the last one last


def take_back(seated: Seated, game: Game, choices: Choices) -> tuple[Game, Bots]:
    """The game and its bots as they were before the last choice of a person, which is taken from `choices`.

    A person who plays alone, or against bots, goes back as far as wanted; bots then choose as they did. Among several
    a choice stands once anybody has learnt something from it. Raises CannotTakeBack.
    """
    if not choices:
        raise CannotTakeBack("there is nothing to take back")
    if len(seated.people) > 1:
        before = taken_back_among_several(seated, game, choices[-1])
    else:
        before = from_the_start(game)
    bots = replayed(seated, before, game.moves[: choices[-1]])
    choices.pop()
    return before, bots


def from_the_start(game: Game) -> Game:
    """The same game, in the same engine, before its first choice."""
    return again(game, engine_of(game))


def taken_back_among_several(seated: Seated, game: Game, place: int) -> Game:
    """The game from its beginning, if the choice may be taken back."""
    seat, decision = game.labels[place][0], game.decision
    if decision is not None and seat != decision.player:
        raise CannotTakeBack(f"the last choice was {player_name(seat)}'s, it stands")
    try:
        taken_back(game, place, seated.people)
    except CannotTakeBack as stands:
        raise CannotTakeBack(f"your choice stands: {stands}") from None
    return from_the_start(game)


def replayed(seated: Seated, game: Game, moves: Sequence[int]) -> Bots:
    """Plays moves; gives bots that have chosen along."""
    bots = seated.players_without_people()
    for move in moves:
        decision = game.decision
        if decision is not None and seated.bots[decision.player] is not None:
            bots[decision.player](game)
        game.apply(move)
    return bots


def is_noted(seated: Seated) -> bool:
    """Whether the record says that a choice was taken back: where bots sit, who have been answered otherwise."""
    return len(seated.people) == 1 and seated.players > 1
