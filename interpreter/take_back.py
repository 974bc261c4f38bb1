"""Taking back a choice: only while nobody has learnt anything from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from trionfi.interpreter.game import Game
from trionfi.interpreter.names import player_name
from trionfi.interpreter.opening import again
from trionfi.interpreter.reference.game import ReferenceGame

__all__ = ["CannotTakeBack", "taken_back"]


class CannotTakeBack(ValueError):
    """A choice stands: the message says why."""


def taken_back(game: Game, moves: int, people: Sequence[int]) -> Game:
    """The game as it was after `moves` moves, which are one player's from there on. `people` are the seats that must
    not have learnt anything since. Raises CannotTakeBack."""
    since = game.labels[moves:]
    seat = since[0][0]
    for other, _, _ in since:
        if other != seat:
            raise CannotTakeBack(f"{player_name(other)} has chosen since")
    before, now = in_reference(game, moves), in_reference(game, len(game.moves))
    if before.table_state.lot.state != now.table_state.lot.state:  # type: ignore[attr-defined]
        raise CannotTakeBack("chance has had its say since: cards were shuffled, or something was drawn by lot")
    if any(known_cards(now.view(one)) - known_cards(before.view(one)) for one in people):
        raise CannotTakeBack("a card has been seen since")
    earlier = again(game, engine_of(game))
    for move in game.moves[:moves]:
        earlier.apply(move)
    return earlier


def in_reference(game: Game, moves: int) -> ReferenceGame:
    """The same game up to there in the reference engine, which shows how far chance has come."""
    other = again(game, "reference")
    assert isinstance(other, ReferenceGame)
    for move in game.moves[:moves]:
        other.apply(move)
    return other


def engine_of(game: Game) -> str:
    return "reference" if isinstance(game, ReferenceGame) else "native"


def known_cards(view: Mapping[str, Any]) -> Counter[int]:
    """The cards that a view shows, wherever they lie."""
    return Counter(card for cards in view["zones"].values() for card in cards if card is not None)
