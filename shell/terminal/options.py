"""The options below the hand: letters in a line, a list, or a number with its usual amounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from trionfi.dsl.signs import escaped
from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.terminal.choosing import Choosing
from trionfi.table.model import Option
from trionfi.table.words import spoken

__all__ = ["Options"]

KEY, AT, FAINT, DANGER = "bold reverse", "bold black on #ffe08a", "dim", "bold red"


class Options:
    """Draws what may be chosen, and remembers where each stands. `words`: how a label is written; `names`: of the
    cards of the hand, as they lie."""

    def __init__(
        self,
        choosing: Choosing,
        in_hand: set[str],
        ink: Ink,
        words: Callable[[str], str] = lambda label: label,
        names: Sequence[str] = (),
    ) -> None:
        self.choosing, self.in_hand, self.ink, self.words, self.names = choosing, in_hand, ink, words, names
        self.where: list[dict[int, str]] = []

    @property
    def shown(self) -> list[Option]:
        """Those that are not cards of the hand, which are chosen there; what is about its cards as these lie."""
        rest = [option for option in self.choosing.visible if option.label not in self.in_hand]
        about = iter(sorted((option for option in rest if self.place(option) >= 0), key=self.place))
        return [next(about) if self.place(option) >= 0 else option for option in rest]

    def place(self, option: Option) -> int:
        """Where the card of the hand lies that a label ends with; -1: it ends with none."""
        return next((i for i, name in enumerate(self.names) if option.label.endswith(f" {name}")), -1)

    def height(self) -> int:
        return max(1, len(self.lines(99)))

    def lines(self, most: int) -> list[Text]:
        """No more than `most`, the option under the bar among them."""
        if self.choosing.menu.number is not None:
            return self.number_lines()
        shown = self.shown
        if not shown:
            return []
        if all(option.letter for option in shown) or len(shown) <= 3:
            at = next((option for option in shown if option.label == self.choosing.at), None)
            rows = self.in_a_row(shown)
            if len(rows) <= most:
                return (rows + (self.note_lines(at) if at is not None else []))[:most]
        return self.listed(shown, most)

    # ---- kinds

    def number_lines(self) -> list[Text]:
        number = self.choosing.menu.number
        assert number is not None, "a number is asked for"
        line = Text(no_wrap=True)
        at: dict[int, str] = {}
        for amount in number.amounts:
            start = len(line)
            line.append(f"{amount.word} ", FAINT)
            line.append(f" {amount.value} ", AT if self.choosing.typed == str(amount.value) else "bold")
            line.append("  ")
            at |= dict.fromkeys(range(start, len(line) - 2), str(amount.value))
        self.where = [at]
        return [line]

    def in_a_row(self, shown: list[Option]) -> list[Text]:
        rows, self.where = [Text(no_wrap=True)], [{}]
        for option in shown:
            size = len(self.name(option)) + 6
            if len(rows[-1]) + size > self.ink.width and len(rows[-1]):
                rows.append(Text(no_wrap=True))
                self.where.append({})
            start = len(rows[-1])
            self.append_option(rows[-1], option)
            self.where[-1].update(dict.fromkeys(range(start, len(rows[-1])), option.label))
            rows[-1].append("   ")
        return rows

    def append_option(self, line: Text, option: Option) -> None:
        style = AT if option.label == self.choosing.at else DANGER if option.label == self.choosing.sure else ""
        if option.letter:
            line.append(f" {option.letter} ", KEY)
            line.append(" ")
        line.append(self.tick(option) + escaped(self.name(option)), style)

    def name(self, option: Option) -> str:
        """The label; where its letter is none of it, behind what is asked: `order up clubs`."""
        asked = spoken(self.choosing.menu.decision)
        is_of_asked = asked.startswith(option.letter) and option.letter not in option.label.casefold()
        return f"{asked} {self.words(option.label)}" if option.letter and is_of_asked else self.words(option.label)

    def tick(self, option: Option) -> str:
        if not self.choosing.menu.is_of_several:
            return ""
        return f"{self.ink.signs['checked']} " if option.label in self.choosing.marked else "  "

    def listed(self, shown: list[Option], most: int) -> list[Text]:
        """In columns, downwards; the note of the one under the bar last."""
        at = next((place for place, option in enumerate(shown) if option.label == self.choosing.at), 0)
        note = self.note_lines(shown[at]) if self.choosing.at is not None else []
        beside = 2 + 4 * any(option.letter for option in shown) + 2 * self.choosing.menu.is_of_several
        widest = min(max(len(self.name(option)) for option in shown) + beside, self.ink.width)
        columns = max(1, self.ink.width // widest)
        needed = -(-len(shown) // columns)
        note = note[: max(0, most - 2)]  # an option, and how many there are, are always seen
        rows = max(1, min(needed, most - len(note) - (needed > most - len(note))))
        page = rows * columns
        first = at // page * page
        part = shown[first : first + page]
        if len(shown) > page:
            note = [*note, self.counted(first, page, len(shown))]
        lines, self.where = [], []
        for row in range(min(rows, len(part))):
            line, where = Text(no_wrap=True), {}
            for option in part[row::rows]:
                start = len(line)
                self.append_option(line, option)
                line.append(" " * max(0, widest - (len(line) - start)))
                where.update(dict.fromkeys(range(start, start + widest), option.label))
            lines.append(line)
            self.where.append(where)
        return [*lines, *note]

    def counted(self, first: int, page: int, count: int) -> Text:
        return Text(f"{first + 1} to {min(first + page, count)} of {count}", FAINT)

    def note_lines(self, option: Option) -> list[Text]:
        lines = wrapped(option.note.split(), self.ink.width - 2, "  ", "  ") if option.note else []
        return [Text(escaped(line), FAINT) for line in lines]

    def label_at(self, column: int, row: int) -> str | None:
        return self.where[row].get(column) if 0 <= row < len(self.where) else None
