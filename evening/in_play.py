"""One game while it is played: where it stands, what can be taken back, what is kept of it. Whatever shows the game
holds one of these and asks it for the game and the bots each time, for both change when something is taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.evening.seated import Bots, Seated, go_on
from trionfi.evening.undo import Choices, is_noted, take_back

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game

__all__ = ["InPlay"]


class InPlay:
    """`game` and `bots` change when something is taken back (`bots` stays the same list). `choices`: see `undo`."""

    def __init__(self, seated: Seated, game: Game, bots: Bots, taken_back: int = 0) -> None:
        self.seated = seated
        self.game = game
        self.bots = bots
        self.taken_back = taken_back
        self.was_chosen_in = False  # whatever has been taken back since
        self.moves_at_start = len(game.moves)
        people = seated.people
        self.choices: Choices = [place for place, (seat, _, _) in enumerate(game.labels) if seat in people]

    @classmethod
    def begun(cls, seated: Seated) -> InPlay:
        return cls(seated, *seated.start())

    @classmethod
    def gone_on(cls, seated: Seated, record: Mapping[str, Any]) -> InPlay:
        """From where a record ends. Raises RecordError."""
        game, bots, choices = go_on(seated, record)
        session = cls(seated, game, bots, record.get("taken_back", 0))
        session.choices = choices
        session.was_chosen_in = True  # whoever kept it had a reason
        return session

    @property
    def people(self) -> Sequence[int]:
        return self.seated.people

    @property
    def is_new_end(self) -> bool:
        """Whether the game has come to its end here, and not before."""
        return self.game.over and len(self.game.moves) > self.moves_at_start

    @property
    def has_choices(self) -> bool:
        """Whether a person has ever chosen anything: a game is not lost because all of it was taken back."""
        return self.was_chosen_in or any(seat in self.people for seat, _, _ in self.game.labels)

    def choose(self, moves: Sequence[int]) -> None:
        """A choice of a person, of one move or several. Raises IllegalMove."""
        self.choices.append(len(self.game.moves))
        for move in moves:
            self.game.apply(move)

    def take_back(self) -> None:
        """The last choice of a person. Raises CannotTakeBack."""
        self.game, self.bots[:] = take_back(self.seated, self.game, self.choices)
        self.was_chosen_in = True
        self.moves_at_start = min(self.moves_at_start, len(self.game.moves))
        self.taken_back += is_noted(self.seated)

    def record(self, game: Game | None = None) -> dict[str, object]:
        return self.seated.record(self.game if game is None else game, self.taken_back)

    def note_end(self, tell: Callable[[str], None]) -> None:
        """Adds a game that people have just finished to their statistics; what stops that is told."""
        from trionfi.evening.ledger import note_end

        if not self.people or not self.is_new_end:
            return
        try:
            note_end(self.seated, self.game, self.taken_back)
        except OSError as error:
            tell(f"this game is not counted in your statistics: {error.strerror or error}")
