"""`trionfi replay --step`: a recorded game move by move, as the table then lies; at a terminal it waits for a key."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Any

from trionfi.shell.door import inked

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.shell.board import Board

__all__ = ["Steps"]


class Steps:
    """Shows the game after each move. At a terminal Enter goes on; `q`, or the end of the input, runs to the end."""

    def __init__(self, moves: int, out: IO[str]) -> None:
        self.moves = moves
        self.out = out = inked(out)
        self.board: Board | None = None
        self.told = 0  # how much of the log has been shown
        self.waits = out.isatty() and sys.stdin.isatty()
        self.shows = True

    def __call__(self, game: Game) -> None:
        if not self.shows:
            return
        seat, decision, label = game.labels[-1]
        if self.board is not None:
            self.say()
        self.say(f"{len(game.moves)}. p{seat + 1} {decision}: {label}")
        for said in self.news(game):
            self.say(f"   {said}")
        for line in self.board_of(game).lines(game.state, None):
            self.say(line)
        if self.waits and len(game.moves) < self.moves:
            self.wait()

    def say(self, text: str = "") -> None:
        print(text, file=self.out)

    def board_of(self, game: Game) -> Board:
        from trionfi.shell.board import Board
        from trionfi.shell.ink import Ink

        if self.board is None:
            self.board = Board(game, Ink.of(self.out))
        return self.board

    def news(self, game: Game) -> list[str]:
        """What has been said at the table since the last step."""
        log: list[Any] = game.log
        fresh, self.told = log[self.told :], len(log)
        return [str(entry["say"]) for entry in fresh if "say" in entry]

    def wait(self) -> None:
        print("-- Enter: the next move, q: to the end ", end="", file=self.out, flush=True)
        answer = sys.stdin.readline()
        if not answer:
            self.say()
        self.shows = bool(answer) and not answer.strip().lower().startswith("q")
