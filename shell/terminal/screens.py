"""What is laid over the table until a key: help, reasons, rules, summaries, and the cover between two people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.table import Table as Columns
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from trionfi.dsl.signs import escaped
from trionfi.table.model import Summary

__all__ = ["AROUND", "Cover", "Page", "summary_page"]

LOW = 14  # rows
AROUND = 8  # columns of frame, padding and scroll bar
SCROLLS: dict[str, Callable[[VerticalScroll], None]] = {
    "up": lambda pane: pane.scroll_up(animate=False),
    "down": lambda pane: pane.scroll_down(animate=False),
    "pageup": lambda pane: pane.scroll_page_up(animate=False),
    "pagedown": lambda pane: pane.scroll_page_down(animate=False),
    "home": lambda pane: pane.scroll_home(animate=False),
    "end": lambda pane: pane.scroll_end(animate=False),
}


class Page(ModalScreen[str]):
    """A text over the table. Any key closes it, and is given back; arrows scroll what is longer than the screen."""

    DEFAULT_CSS = """
    Page { align: center middle; }
    Page > VerticalScroll { max-width: 100%; height: auto; max-height: 90%; padding: 1 2;
        border: round $accent; background: $surface; }
    Page > VerticalScroll > Static { width: 100%; height: auto; }
    """

    def __init__(
        self, title: str, body: Text | Columns | Sequence[Text | Columns | str], hint: str = "any key"
    ) -> None:
        super().__init__()
        self.heading, self.hint = title, hint
        self.is_closed = False
        self.parts = [body] if isinstance(body, Text | Columns) else list(body)

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False) as pane:
            pane.styles.width = self.width()
            pane.border_title = Text(escaped(self.heading))
            pane.border_subtitle = self.hint
            for part in self.parts:
                yield Static(part)

    def on_resize(self) -> None:
        """Where there are few rows, the text has them all."""
        pane, is_low = self.query_one(VerticalScroll), self.app.size.height < LOW
        pane.styles.padding = (0, 2) if is_low else (1, 2)
        pane.styles.max_height = "100%" if is_low else "90%"
        pane.styles.width = self.width()

    def width(self) -> int:
        """As wide as its text, up to the screen."""
        console = self.app.console
        widest = [console.measure(part).maximum if isinstance(part, Columns) else len(str(part)) for part in self.parts]
        most = self.app.size.width - 4
        return min(most, max(*widest, len(self.heading) + 6, 24) + AROUND)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        pane = self.query_one(VerticalScroll)
        if event.key in SCROLLS and pane.max_scroll_y:
            SCROLLS[event.key](pane)
            return
        self.close_with(event.key)

    def on_click(self) -> None:
        self.close_with("enter")

    def close_with(self, key: str) -> None:
        """Once: a second key may come before the page has gone."""
        if not self.is_closed:
            self.is_closed = True
            self.dismiss(key)


class Cover(ModalScreen[str]):
    """Nothing of the table is seen until the next player is there."""

    DEFAULT_CSS = "Cover { align: center middle; background: $background; } Cover > Static { width: auto; }"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.player = name
        self.is_closed = False

    def compose(self) -> ComposeResult:
        yield Static(Text(escaped(f"{self.player} is asked. Press Enter when nobody else looks.")))

    def on_key(self, event: events.Key) -> None:
        if event.key in ("ctrl+c", "ctrl+d", "ctrl+q"):
            return
        event.stop()
        if event.key == "enter" and not self.is_closed:
            self.is_closed = True
            self.dismiss("enter")


def summary_page(
    summary: Summary, words: Callable[[str], str] = lambda text: text, said: Sequence[str] = ()
) -> list[Text | Columns | str]:
    """A line a seat, in columns, what decided, and what was `said` last. `words`: how a text is written."""
    columns = Columns(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(summary.columns))
    for place, name in enumerate(summary.columns):
        is_number = bool(place) and all(
            cell[1:].isdecimal() or cell.isdecimal() or not cell for cell in (row[place] for row in summary.rows)
        )
        columns.add_column(escaped(name), justify="right" if is_number else "left")
    for row in summary.rows:
        columns.add_row(*(escaped(words(cell)) for cell in row))
    parts: list[Text | Columns | str] = [columns] if any(any(row[1:]) for row in summary.rows) else []
    for lines in (summary.lines, said[-12:]):
        parts += [*([""] if parts else []), *(Text(escaped(words(line))) for line in lines)] if lines else []
    return parts
