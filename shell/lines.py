"""The table by lines: from a pipe, from a plain terminal, or where somebody wants it so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import IO

from trionfi.dsl.numbers import read_whole
from trionfi.dsl.signs import escaped
from trionfi.shell.board import Board
from trionfi.shell.door import inked
from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.naming import with_names
from trionfi.shell.printing import note
from trionfi.shell.session import Bots, Session
from trionfi.table.answers import amount_called, meant, several
from trionfi.table.model import Menu, Option, Scene
from trionfi.table.summaries import summary_lines

__all__ = ["Left", "LineTable", "OutOfInput", "answer_of", "in_columns", "in_width"]

MOST_NEWS = 24
HELP = (
    "An option's number, its text or a beginning; several picks at once as in `1 3`; a number where one is asked for.",
    "`?` says why something is not offered and what cards have become (`? ace`: what has `ace` in it).",
    "`?` with a card's name also says what the card does, if it has an effect.",
    "`undo` takes your last choice back, `hint` asks the ruleset's own strategy, `quit` leaves the table.",
)


class OutOfInput(Exception):
    """The input has ended before the game."""


class Left(Exception):
    """A player has left the table."""


class LineTable:
    """A game as it is shown to the people in it, and asked of them, line by line."""

    def __init__(self, session: Session, out: IO[str], answers: IO[str], ink: Ink | None = None) -> None:
        self.session = session
        out = inked(out)
        self.answers = answers
        self.ink = ink if ink is not None else Ink.of(out)
        self.out = with_names(out, session.names)
        self.board = Board.of(session.course.pictures.faces, self.ink)
        self.news: dict[int, list[str]] = {}
        self.at_the_screen: int | None = session.people[0] if len(session.people) == 1 else None

    # ---- writing

    def say(self, text: str = "") -> None:
        print(text, file=self.out)

    def say_words(self, line: str) -> None:
        """A line of words, broken where it is too long."""
        for part in in_width(line, self.ink.width):
            self.say(part)

    def coloured(self, line: str) -> str:
        return self.board.cards.coloured(line)

    def say_indented(self, lines: Sequence[str]) -> None:
        for line in lines:
            for part in wrapped(line.split(), self.ink.width, "  ", "    "):
                self.say(self.coloured(part))

    def say_wrong(self, line: str) -> None:
        for part in in_width(line, self.ink.width):
            note(part)

    # ---- the game

    def play(self, bots: Bots) -> None:
        """To the end. Raises OutOfInput, Left."""
        while self.session.decision is not None:
            if self.session.is_peoples_turn:
                self.turn(self.session.decision.player)
            else:
                self.session.let_bot_move(bots)
        self.show_end()

    def turn(self, seat: int) -> None:
        """Asks until an answer fits, and does what it says."""
        if self.at_the_screen != seat:
            self.hand_over(seat)
            self.at_the_screen = seat
        if self.session.keeper is not None and (said := self.session.keeper.news()):
            self.say_wrong(said)
        decision, news = self.session.decision, self.session.scenes(seat)
        table = self.session.table(seat)
        menu = table.menu
        assert menu is not None, "this seat is asked"
        if menu.picked:
            self.say(self.coloured(f"picked: {', '.join(menu.picked)}"))
        else:
            self.tell(news)
            for line in ["", *self.board.lines(table), ""]:
                self.say(line)
        self.say_words(self.coloured(title_of(menu)))
        for line in in_columns(menu, self.ink.width, self.coloured):
            self.say(line)
        while self.session.decision is decision:
            self.obey(menu, " ".join(self.line(seat).split()))

    def line(self, seat: int) -> str:
        print(f"{self.session.names[seat]}> ", end="", file=self.out, flush=True)
        line = escaped(self.answers.readline())
        if not line:
            self.say()
            raise OutOfInput
        if not self.answers.isatty():
            self.say(line.strip())
        return line

    def tell(self, scenes: Sequence[Scene]) -> None:
        """What has happened; of much only the last."""
        lines = [line for scene in scenes for line in (*scene.sentences, *summary_lines(scene.summary))]
        if len(lines) > MOST_NEWS:
            self.say(f"  {self.ink.signs['more']} {len(lines) - MOST_NEWS} more before")
        self.say_indented(lines[-MOST_NEWS:])

    def hand_over(self, seat: int) -> None:
        """Only where somebody sits at a terminal; a pipe sees nothing and types no empty lines."""
        if not (self.answers.isatty() and self.out.isatty()):
            return
        name = self.session.names[seat]
        print("\n" * 60 + f"{name} is asked. Press Enter when nobody else looks.", file=self.out, flush=True)
        if not self.answers.readline():
            raise OutOfInput

    # ---- answers

    def obey(self, menu: Menu, text: str) -> None:
        labels = answer_of(menu, text)
        if labels is not None:
            if wrong := self.session.choose(labels):
                self.say_wrong(f"{wrong}; {wanted(menu)}")
        elif text.startswith("?"):
            self.explain(menu, text[1:].strip())
        elif text.lower() in COMMANDS:
            COMMANDS[text.lower()](self)
        else:
            wrong = f"`{text}` is not offered" if text else "an empty line is no answer"
            self.say_wrong(f"{wrong}; {wanted(menu)}")

    def explain(self, menu: Menu, about: str) -> None:
        lines = self.session.why_not(about)
        if menu.number is not None:
            lines.append(wanted(menu))
        self.say_indented(lines or [self.session.nothing_left_out(menu, about)])

    def undo(self) -> None:
        if stands := self.session.undo():
            self.say_wrong(stands)

    def hint(self) -> None:
        self.say_indented([self.session.hint()])

    def leave(self) -> None:
        raise Left

    def help(self) -> None:
        for line in HELP:
            self.say_words(line)

    # ---- the end

    def show_end(self) -> None:
        """The table as it lies then, scores and winners. Cards that nobody has shown stay down."""
        seat = self.session.people[0] if self.session.people else None
        self.tell(self.session.scenes(seat))
        table = self.session.table_for_all()
        for line in ["", *self.board.lines(table), ""]:
            self.say(line)
        if table.end is not None:
            self.say_indented(summary_lines(table.end.summary)[1:])
            self.say("score: " + ", ".join(f"{name} {score}" for name, score in table.end.scores))
            self.say(table.end.summary.title)


COMMANDS: dict[str, Callable[[LineTable], None]] = {
    "undo": LineTable.undo,
    "u": LineTable.undo,
    "hint": LineTable.hint,
    "quit": LineTable.leave,
    "q": LineTable.leave,
    "help": LineTable.help,
}


# ---- what an answer means


def answer_of(menu: Menu, text: str) -> list[str] | None:
    """The labels that a line chooses: by numbers from 1, by texts, by their beginnings; None: it is no answer."""
    if menu.number is not None:
        if re_number(text):
            return [text] if in_range(menu, int(text)) else None
        usual = amount_called(menu.number, text) if text else None
        return None if usual is None else [str(usual)]
    options = list(menu.offered)
    by_number = option_at(options, text)
    if by_number is not None:
        return [by_number.label]
    if text.startswith("?") or not text or (text.lower() in COMMANDS and not exactly(menu, text)):
        return None
    one = meant(menu, text)
    if one is not None:
        return [one.label]
    if not menu.is_of_several:
        return None
    picked = [option_at(options, part) or meant(menu, part) for part in text.replace(",", " ").split()]
    if len(picked) > 1 and None not in picked:
        return [option.label for option in picked if option is not None]
    listed = several(menu, text)
    return None if listed is None else [option.label for option in listed]


def exactly(menu: Menu, text: str) -> bool:
    return any(option.label.casefold() == text.casefold() for option in menu.offered)


def option_at(options: Sequence[Option], text: str) -> Option | None:
    """The option with this number, from 1; where numbers are offered, the one that is called so."""
    if are_numbers(options):
        return None
    number = read_whole(text) if text.isdecimal() else None
    return options[number - 1] if number is not None and 1 <= number <= len(options) else None


def are_numbers(options: Sequence[Option]) -> bool:
    """Bids of 0 to 4: what is typed is the bid, not the place in the list."""
    return all(re_number(option.label) for option in options)


def re_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < 20


def in_range(menu: Menu, value: int) -> bool:
    number = menu.number
    if number is None or not number.least <= value <= number.most:
        return False
    return value == number.most or (value - number.least) % number.step == 0


def wanted(menu: Menu) -> str:
    """What would be an answer."""
    if menu.number is not None:
        steps = f" in steps of {menu.number.step}" if menu.number.step != 1 else ""
        return f"a number from {menu.number.least} to {menu.number.most}{steps} is wanted"
    if are_numbers(menu.offered):
        return "one of these numbers is wanted"
    count = sum(option.move is not None for option in menu.offered)
    return "1 is wanted, or the label" if count == 1 else f"a number from 1 to {count} is wanted, or a label"


# ---- how it looks


def title_of(menu: Menu) -> str:
    head = f"{menu.seat}, {menu.title}"
    if menu.number is not None:
        return head
    return f"{head}, several at once as in `1 2`" if menu.most > 1 else f"{head}:"


def in_width(line: str, width: int) -> list[str]:
    """A line of words, broken where it is too long; one in colours as it is."""
    return wrapped(line.split(" "), width) if len(line) > width and "\x1b" not in line else [line]


def option_lines(menu: Menu) -> list[str]:
    """`1  fold`, a line each, with its note."""
    if are_numbers(menu.offered):
        return [f"  {option.label}{f': {option.note}' if option.note else ''}" for option in menu.offered]
    width = len(str(len(menu.offered)))
    return [
        f"  {number:>{width}}  {option.label}{f': {option.note}' if option.note else ''}"
        for number, option in enumerate(menu.offered, start=1)
    ]


def in_columns(menu: Menu, width: int, colour: Callable[[str], str]) -> list[str]:
    """The options numbered; many short ones stand in columns, read downwards."""
    lines = option_lines(menu)
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
