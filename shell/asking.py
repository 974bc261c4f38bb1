"""How a player is asked: by lines, from a pipe or a plain terminal, or by keys on a screen that is drawn anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import IO, Protocol

from trionfi.dsl.signs import escaped
from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.keys import Keys, can_read_keys
from trionfi.shell.printing import note
from trionfi.shell.question import DONE, Question, option_lines

__all__ = ["Asking", "KeyAsking", "LineAsking", "OutOfInput", "asking_for"]

Picture = Callable[[], Sequence[str]]
Colour = Callable[[str], str]


class OutOfInput(Exception):
    """The input has ended before the game."""


class Asking(Protocol):
    """Gives a line of text for a question; raises OutOfInput."""

    def ask(self, question: Question, picture: Picture, colour: Colour) -> str: ...

    def again(self, lines: Sequence[str], wrong: bool = False) -> None:
        """Says something before the same question is asked again; `wrong`: about the answer."""

    def hand_over(self, player: int) -> None:
        """Hides what another player has seen until this one is there."""


def asking_for(answers: IO[str], out: IO[str], ink: Ink) -> Asking:
    return KeyAsking(answers, out, ink) if can_read_keys(answers, out) else LineAsking(answers, out, ink)


# ---- lines


class LineAsking:
    def __init__(self, answers: IO[str], out: IO[str], ink: Ink) -> None:
        self.answers, self.out, self.ink = answers, out, ink
        self._asked: Question | None = None

    def ask(self, question: Question, picture: Picture, colour: Colour) -> str:
        if question is not self._asked:
            self._asked = question
            self._show(question, picture, colour)
        print(f"p{question.decision.player + 1}> ", end="", file=self.out, flush=True)
        line = escaped(self.answers.readline())
        if not line:
            print(file=self.out)
            raise OutOfInput
        if not self.answers.isatty():
            print(line.strip(), file=self.out)
        return line

    def _show(self, question: Question, picture: Picture, colour: Colour) -> None:
        lines = [colour(question.picked)] if question.picked else [*picture()]
        lines.append(colour(question.title))
        for line in lines:
            self._say(line)
        for line in in_columns(question, self.ink.width, colour):
            print(line, file=self.out)

    def _say(self, line: str) -> None:
        for part in in_width(line, self.ink.width):
            print(part, file=self.out)

    def again(self, lines: Sequence[str], wrong: bool = False) -> None:
        for part in (part for line in lines for part in in_width(line, self.ink.width)):
            if wrong:
                note(part)
            else:
                print(part, file=self.out)

    def hand_over(self, player: int) -> None:
        """Only where somebody sits at a terminal; a pipe sees nothing and types no empty lines."""
        if not (self.answers.isatty() and self.out.isatty()):
            return
        print("\n" * 60 + f"p{player + 1} is asked. Press Enter when nobody else looks.", file=self.out, flush=True)
        if not self.answers.readline():
            raise OutOfInput


def in_width(line: str, width: int) -> list[str]:
    """A line of words, broken where it is too long; one in colours as it is."""
    return wrapped(line.split(" "), width) if len(line) > width and "\x1b" not in line else [line]


def in_columns(question: Question, width: int, colour: Colour) -> list[str]:
    """The options numbered; many short ones stand in columns, read downwards."""
    lines = list(option_lines(question))
    widest = max(map(len, lines), default=0)
    columns = max(1, min(width // (widest + 2), (len(lines) + 7) // 8))
    height = -(-len(lines) // columns)
    if columns == 1:
        return [colour(part) for line in lines for part in wrapped_option(line, width)]
    rows = [lines[i::height] for i in range(height)]
    return [colour("  ".join(line.ljust(widest) for line in row).rstrip()) for row in rows]


def wrapped_option(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    head = line[: len(line) - len(line.lstrip())]
    number, _, label = line.strip().partition("  ")
    first = f"{head}{number}  "
    return wrapped(label.split(), width, first)


# ---- keys

LOOK_AGAIN = 0.25  # seconds after which the size of the terminal is read again
CLEAR = "\x1b[H\x1b[J"
FORGET = "\x1b[H\x1b[2J\x1b[3J"  # also what has been scrolled away


class KeyAsking:
    """A list with a bar that arrows move. Typed text is an answer, too; a blank ticks one of several."""

    def __init__(self, answers: IO[str], out: IO[str], ink: Ink) -> None:
        self.out, self.ink = out, ink
        self.keys = Keys(answers)
        self.said: list[str] = []

    def again(self, lines: Sequence[str], wrong: bool = False) -> None:
        self.said = [part for line in lines for part in in_width(line, self.ink.width)]

    def hand_over(self, player: int) -> None:
        self.said = []
        with self.keys:
            self._write(f"{FORGET}p{player + 1} is asked. Press Enter when nobody else looks.\n")
            while (key := self.keys.read(LOOK_AGAIN)) != "enter":
                if key == "end of input":
                    raise OutOfInput

    def ask(self, question: Question, picture: Picture, colour: Colour) -> str:
        menu = Menu(question, self.ink, colour)
        with self.keys:
            self._draw(menu, picture)
            size = self._size()
            while menu.answer is None:
                key = self.keys.read(LOOK_AGAIN)
                if self._size() != size or key == "redraw":
                    size = self._size()
                    self._draw(menu, picture)
                elif key:
                    self._press(menu, key)
        self.said = []
        self._write("\n")
        return menu.answer

    def _press(self, menu: Menu, key: str) -> None:
        if key == "end of input":
            self._write("\n")
            raise OutOfInput
        height = len(menu.lines(self._size()[1]))
        menu.press(key)
        if menu.answer is not None:
            return
        up = f"\x1b[{height - 1}A" if height > 1 else ""
        self._write(f"\r{up}\x1b[J" + "\n".join(menu.lines(self._size()[1])))

    def _draw(self, menu: Menu, picture: Picture) -> None:
        lines = [*picture(), *self.said, *menu.lines(self._size()[1])]
        self._write(CLEAR + "\n".join(lines))

    def _size(self) -> tuple[int, int]:
        try:
            columns, rows = os.get_terminal_size(self.out.fileno())
        except (OSError, ValueError):
            columns, rows = 80, 24
        return columns or 80, rows or 24

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()


class Menu:
    """The options of a question, which of them the bar is on, which are ticked, and what has been typed."""

    def __init__(self, question: Question, ink: Ink, colour: Colour) -> None:
        self.question, self.ink, self.colour = question, ink, colour
        self.labels = [*question.labels, *question.later]
        self.at = 0
        self.ticked: set[int] = set()
        self.typed = ""
        self.answer: str | None = None

    def press(self, key: str) -> None:
        if key in MOVES and self.labels:
            self.at = max(0, min(len(self.labels) - 1, MOVES[key](self.at, len(self.labels))))
        elif key == "enter":
            self.answer = self.typed if self.typed.strip() or not self.labels else self._chosen()
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "?" and not self.typed:
            self.answer = "?"
        elif key == " " and not self.typed and self.question.is_of_several:
            self._tick()
        elif len(key) == 1:
            self.typed += key

    def _tick(self) -> None:
        if self.labels[self.at] == DONE:
            self._finish()
        else:
            self.ticked ^= {self.at}

    def _finish(self) -> None:
        self.answer = self._chosen()

    def _chosen(self) -> str:
        """The ticked ones, else the one under the bar."""
        if not self.ticked:
            return str(self.at + 1)
        numbers = " ".join(str(place + 1) for place in sorted(self.ticked))
        return f"{numbers} {DONE}" if DONE in self.labels else numbers

    # ---- what it looks like

    def lines(self, rows: int) -> list[str]:
        """No more than the terminal has room for; the last is where one types."""
        width = self.ink.width - 1
        head = [self.question.title] if not self.question.picked else [self.question.picked, self.question.title]
        shown = [self.colour(clipped(line, width)) for line in head]
        room = max(3, rows - len(shown) - 4)
        first = max(0, min(self.at - room // 2, len(self.labels) - room))
        shown += [self._line(place, width) for place in range(first, min(len(self.labels), first + room))]
        if len(self.labels) > room:
            shown.append(self.ink.paint(clipped(f"  {self.at + 1} of {len(self.labels)}", width), "faint"))
        shown += self._rest_of_the_line(width)
        shown.append(self.ink.paint(clipped(self._hint(), width), "faint"))
        return [*shown, clipped(f"p{self.question.decision.player + 1}> {self.typed}", width)]

    def _rest_of_the_line(self, width: int) -> list[str]:
        """The whole note of the option under the bar, else its label, where its line has no room for it."""
        if not self.labels or len(self._plain(self.at)) <= width:
            return []
        text = self.question.notes.get(self.labels[self.at], self.labels[self.at])
        return [self.colour(line) for line in wrapped(text.split(), width, "    ", "    ")]

    def _hint(self) -> str:
        if not self.labels:
            return "type a number; undo, quit"
        ways = "arrows, blank to tick, Enter" if self.question.is_of_several else "arrows and Enter, or a number"
        return f"{ways}; ? why not, undo, quit"

    def _plain(self, place: int) -> str:
        bar = self.ink.signs["turn"] if place == self.at else " "
        tick = ""
        if self.question.is_of_several:
            tick = f"{self.ink.signs['checked']} " if place in self.ticked else "  "
        number = str(place + 1).rjust(len(str(len(self.labels))))
        return f"{bar} {tick}{number}  {self.question.noted(self.labels[place])}"

    def _line(self, place: int, width: int) -> str:
        line = clipped(self._plain(place), width)
        return self.ink.paint(line, "chosen") if place == self.at else self.colour(line)


MOVES: dict[str, Callable[[int, int], int]] = {
    "up": lambda at, _count: at - 1,
    "down": lambda at, _count: at + 1,
    "page up": lambda at, _count: at - 10,
    "page down": lambda at, _count: at + 10,
    "home": lambda _at, _count: 0,
    "end": lambda _at, count: count - 1,
}


def clipped(line: str, width: int) -> str:
    return line if len(line) <= width else line[: max(0, width - 1)] + "~"
