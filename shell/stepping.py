"""`trionfi replay --step`: a recorded game move by move, as the table then lies; at a terminal it waits for a key."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

from trionfi.shell.door import inked
from trionfi.table.summaries import summary_lines

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.table.course import Course

__all__ = ["Steps"]


class Steps:
    """Shows the game after each move. At a terminal Enter goes on; `q`, or the end of the input, runs to the end."""

    def __init__(self, moves: int, out: IO[str]) -> None:
        self.moves = moves
        self.out = out = inked(out)
        self.course: Course | None = None
        self.waits = out.isatty() and sys.stdin.isatty()
        self.shows = True

    def __call__(self, game: Game) -> None:
        if not self.shows:
            return
        course = self.followed(game)
        seat, decision, label = game.labels[-1]
        if len(game.moves) > 1:
            self.say()
        self.say(f"{len(game.moves)}. p{seat + 1} {decision}: {label}")
        for scene in course.scenes(None):
            for said in (*scene.sentences, *summary_lines(scene.summary)):
                self.say(f"   {said}")
        for line in self.board.lines(course.table(None)):
            self.say(line)
        if self.waits and len(game.moves) < self.moves:
            self.wait()

    def followed(self, game: Game) -> Course:
        from trionfi.shell.board import Board
        from trionfi.shell.ink import Ink
        from trionfi.table.course import Course

        if self.course is None:
            self.course = Course(game, [None])
            self.board = Board.of(self.course.pictures.faces, Ink.of(self.out))
        else:
            self.course.follow(game)
        return self.course

    def say(self, text: str = "") -> None:
        print(text, file=self.out)

    def wait(self) -> None:
        print("-- Enter: the next move, q: to the end ", end="", file=self.out, flush=True)
        answer = sys.stdin.readline()
        if not answer:
            self.say()
        self.shows = bool(answer) and not answer.strip().lower().startswith("q")
