"""The table at a terminal: the game goes on in a task of its own, keys come to whatever waits for them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.driver import Driver
from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import Static

from trionfi.dsl.signs import escaped
from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.session import Bots, Session
from trionfi.shell.terminal.choosing import Choosing, Reply
from trionfi.shell.terminal.driver import forgiving
from trionfi.shell.terminal.hand import Hand, HandCard, hand_cards, sizes
from trionfi.shell.terminal.options import Options
from trionfi.shell.terminal.painting import Painter, ScreenRows, plan
from trionfi.shell.terminal.pointing import options_about, options_at
from trionfi.shell.terminal.screens import AROUND, Cover, Page, summary_page
from trionfi.shell.terminal.words import help_lines, keys_line, speed_word
from trionfi.table.model import Scene, Table

__all__ = ["TableApp"]

Part = TypeVar("Part", bound=Widget)

LEAVING = "leave the table?"
SPEEDS = (0.0, 0.3, 0.7, 1.4)  # seconds that a bot's move is looked at
LOOK_AGAIN = 1.0  # seconds after which it is looked whether the terminal is still there
MOST_NEWS = 200  # sentences that can be scrolled back to
MOST_TOLD = 8  # sentences that the last page repeats
MOST_SAID = 3  # rows of what is told of a key
STOPS = {"ctrl+c": "interrupted", "ctrl+d": "ended", "ctrl+q": "left"}


class TableApp(App[str]):
    """Gives `over`, or how it ended: `left`, `ended` (the input), `interrupted`."""

    CSS_PATH = None
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", show=False),
    ]
    CSS = """
    Screen { background: #10241c; color: #e8ece6; }
    Page { background: black 40%; }
    #head { height: 1; background: #0b1813; color: #cfd8cf; }
    #middle { height: auto; }
    #table { width: 1fr; height: auto; }
    #news { height: auto; background: #0b1813; scrollbar-size-vertical: 1; }
    #said { width: 100%; }
    #hand { height: auto; }
    #menu { height: auto; }
    #prompt { height: 1; background: #0b1813; }
    #keys { height: auto; color: #9db0a5; }
    .frames #table, .frames #news { border: round #3d6b57; border-title-color: #9db0a5; }
    .plain, .plain #head, .plain #news, .plain #prompt { background: ansi_default; color: ansi_default; }
    """

    def __init__(self, session: Session, bots: Bots, title: str, speed: float = SPEEDS[2]) -> None:
        super().__init__()
        self.session, self.bots, self.heading, self.speed = session, bots, title, speed
        self.picture: Table | None = None
        self.choosing: Choosing | None = None
        self.hand: Hand | None = None
        self.options: Options | None = None
        self.history: list[str] = []
        self.chosen_at = 0  # how much had happened when a person chose last
        self.waiting = ""  # for what a key is waited for
        self.answer: asyncio.Future[Reply] | None = None
        self.key: asyncio.Event = asyncio.Event()
        self.hurries = False
        self.is_covered = False  # a page lies over the table
        self.told = ""  # what is said of the last command
        self.how = ""  # it has ended
        self.fault: Exception | None = None
        self.stopped: int | None = None  # the signal that ended it

    def stop(self, number: int) -> None:
        """A signal has come."""
        self.stopped = number
        self.end("interrupted")

    def end(self, how: str) -> None:
        self.how = how
        self.exit(how)

    def _handle_exception(self, error: Exception) -> None:
        """A fault is told outside, where the terminal is as it was. What comes after the end is none."""
        if not self.how:
            self.fault = error
            self.end("fault")

    def get_driver_class(self) -> type[Driver]:
        return forgiving(super().get_driver_class())

    # ---- the screen

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Static(id="table")
            with VerticalScroll(id="news", can_focus=False):
                yield Static(id="said")
        with VerticalScroll(id="below", can_focus=False):
            yield Static(id="said_below")
        yield Static(id="hand")
        yield Static(id="menu")
        yield Static(id="prompt")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.painter = Painter(self.session.course.pictures.faces, not self.no_color)
        self.set_class(self.no_color, "plain")
        self.run_worker(self.play(), exit_on_error=False)
        if not self.is_headless:
            self.set_interval(LOOK_AGAIN, self.look_at_terminal)

    def look_at_terminal(self) -> None:
        """A terminal that has gone is the end of the input."""
        if not os.isatty(0):
            self.end("ended")

    def on_resize(self) -> None:
        self.call_after_refresh(self.paint)

    async def action_quit(self) -> None:
        """Ctrl-Q, wherever it is pressed: asks once more."""
        if self.answer is not None and not self.answer.done() and len(self.screen_stack) == 1:
            self.answer.set_result(Reply("command", ("quit",)))
        elif not isinstance(self.screen, Page) or self.screen.heading != LEAVING:
            self.run_worker(self.leave(), exit_on_error=False)

    # ---- the game

    async def play(self) -> None:
        """To the end; a fault of the ruleset is given to who started the table."""
        try:
            await self.play_on()
        except Exception as error:  # noqa: BLE001  # told outside, where the terminal is as it was
            self._handle_exception(error)

    async def play_on(self) -> None:
        people = self.session.people
        seat = people[0] if people else None
        at_the_screen = seat if len(people) == 1 else None
        if self.session.game.moves:
            self.skip_what_was(seat if len(people) <= 1 else None)
        while (decision := self.session.decision) is not None:
            if self.session.is_peoples_turn:
                seat = decision.player
                if at_the_screen != seat:
                    await self.cover(seat)
                    at_the_screen = seat
                await self.turn(seat)
            else:
                self.session.let_bot_move(self.bots)
                if len(people) <= 1:
                    await self.show(self.session.scenes(seat))
                await asyncio.sleep(0)
        await self.show_end(seat)

    def skip_what_was(self, seat: int | None) -> None:
        """Of a game that goes on: what happened before stands in the news."""
        for one in list[int | None](self.session.people) or [None]:
            scenes = self.session.scenes(one)
            if one == seat:
                self.note_news([said for scene in scenes for said in scene.sentences])
        self.chosen_at = len(self.history)

    async def turn(self, seat: int) -> None:
        """Asks until a choice has been made."""
        await self.show(self.session.scenes(seat))
        self.hurries = False
        decision = self.session.decision
        while self.session.decision is decision:
            self.picture = self.session.table(seat)
            assert self.picture.menu is not None, "this seat is asked"
            if self.choosing is None or self.choosing.menu != self.picture.menu:
                self.choosing = Choosing(self.picture.menu)
            if self.session.keeper is not None:
                self.told = self.session.keeper.news() or self.told
            self.paint()
            self.answer = asyncio.get_running_loop().create_future()
            await self.obey(await self.answer)
        self.choosing = self.answer = None

    async def obey(self, answer: Reply) -> None:
        assert self.choosing is not None, "something is asked"
        self.told = ""
        if answer.kind == "choose":
            self.told = self.session.choose(answer.labels)
            if not self.told:
                self.chosen_at = len(self.history)
        elif answer.kind == "ask":
            await self.ask(answer.labels[0])
        else:
            await COMMANDS[answer.labels[0]](self)

    async def cover(self, seat: int) -> None:
        self.picture = self.choosing = None
        self.history, self.chosen_at = [], 0
        self.paint()
        await self.push_screen_wait(Cover(self.session.names[seat]))

    # ---- what happened

    async def show(self, scenes: Sequence[Scene]) -> None:
        """One after another, each for a while; a trick and the end of a hand until a key."""
        for scene in scenes:
            self.picture = scene.table
            self.note_news(scene.sentences)
            if scene.wait == "hand" and scene.summary is not None:
                await self.lay_over(
                    Page(scene.summary.title, summary_page(scene.summary, self.painter.option, scene.sentences))
                )
            elif scene.wait:
                await self.until_key("a trick: any key")
            elif not self.is_own(scene) and not self.hurries:
                await self.for_a_while()
        self.paint()

    def note_news(self, sentences: Sequence[str]) -> None:
        """`you raise` goes before `you raise to 24`."""
        for said in sentences:
            if self.history and said.startswith(f"{self.history[-1]} "):
                self.history.pop()
            self.history.append(said)
        self.chosen_at = min(self.chosen_at, len(self.history))

    async def lay_over(self, page: Page) -> str:
        """The page until a key, which is given back; the table below says nothing of its own keys."""
        self.is_covered = True
        self.paint()
        key = await self.push_screen_wait(page)
        self.is_covered = False
        return key

    def is_own(self, scene: Scene) -> bool:
        return all(said.startswith("you ") for said in scene.sentences)

    async def until_key(self, waiting: str) -> None:
        self.waiting = waiting
        self.paint()
        self.key.clear()
        await self.key.wait()
        self.waiting = ""

    async def for_a_while(self) -> None:
        """Any key goes on at once."""
        self.paint()
        self.key.clear()
        if self.speed:
            try:
                await asyncio.wait_for(self.key.wait(), self.speed)
                self.hurries = True
            except TimeoutError:
                pass

    async def show_end(self, seat: int | None) -> None:
        await self.show(self.session.scenes(seat))
        self.picture = self.session.table_for_all()
        end = self.picture.end
        if end is not None and self.session.people:
            score = "score: " + ", ".join(f"{name} {value}" for name, value in end.scores)
            page = Page(
                end.summary.title,
                [
                    *summary_page(end.summary, self.painter.option, self.history[self.chosen_at :][-MOST_TOLD:]),
                    "",
                    score,
                ],
                hint="any key ends the game",
            )
            await self.lay_over(page)
        self.end("over")

    # ---- commands

    async def ask(self, about: str) -> None:
        """Why not, what cards have become and what they do."""
        lines = self.session.why_not(about)
        left_out = bool(self.session.reasons(about))
        assert self.choosing is not None, "something is asked"
        missing = self.session.nothing_left_out(self.choosing.menu, about)
        title = "why not" if left_out or not about else "what it does" if lines else "why not"
        await self.lay_over(Page(title, self.texts([self.painter.places(line) for line in lines or [missing]])))

    def texts(self, lines: Sequence[str]) -> list[Text | Any | str]:
        return [Text(escaped(line)) for line in lines]

    async def undo(self) -> None:
        self.told = self.session.undo()
        if self.told:
            return
        self.told, self.choosing = "taken back", None
        decision = self.session.decision
        if decision is not None:
            self.history, self.chosen_at = [], 0
            scenes = self.session.course.before.get(decision.player, [])
            self.note_news([said for scene in scenes for said in scene.sentences])
            mine = [place for place, said in enumerate(self.history, start=1) if said.startswith("you ")]
            self.chosen_at = max(mine, default=0)

    async def hint(self) -> None:
        self.told = self.session.hint()

    async def help(self) -> None:
        await self.lay_over(Page("help", self.texts(help_lines(min(76, self.size.width - AROUND - 4)))))

    async def rules(self) -> None:
        from trionfi.shell.terminal.words import rules_lines

        lines = rules_lines(self.session.game, min(76, self.size.width - AROUND - 4))
        await self.lay_over(Page(self.heading, self.texts(lines)))

    async def leave(self) -> None:
        key = await self.lay_over(Page(LEAVING, Text("y leaves, any other key stays"), hint=""))
        if key == "y":
            self.end("left")

    # ---- keys and mouse

    async def on_key(self, event: events.Key) -> None:
        if event.key in ("ctrl+c", "ctrl+d"):
            event.stop()
            self.end(STOPS[event.key])
            return
        if event.key in ("pageup", "pagedown"):
            self.scroll_news(event.key)
            return
        if event.key in ("less_than_sign", "greater_than_sign"):
            self.change_speed(1 if event.key == "less_than_sign" else -1)
            return
        if event.key == "f4":
            self.painter.four_colours = not self.painter.four_colours
            self.paint()
            return
        self.key.set()
        if self.answer is None or self.answer.done() or self.choosing is None:
            return
        event.stop()
        if event.key in COMMAND_KEYS:
            self.answer.set_result(Reply("command", (COMMAND_KEYS[event.key],)))
            return
        self.told = ""
        answer = self.choosing.press(event.key, event.character or "")
        if answer is not None:
            self.answer.set_result(answer)
        else:
            self.paint()

    def on_paste(self, event: events.Paste) -> None:
        """A text that the terminal hands over as a whole is typed, not entered."""
        event.stop()
        if self.choosing is not None and len(self.screen_stack) == 1:
            self.told = ""
            self.choosing.paste(event.text)
            self.paint()

    def change_speed(self, by: int) -> None:
        place = max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + by))
        self.speed = SPEEDS[place]
        self.told = f"bots move {speed_word(self.speed)}"
        self.paint()

    def scroll_news(self, key: str) -> None:
        news = self.part("#news" if self.plan_now.beside else "#below", VerticalScroll)
        if not news.max_scroll_y:
            self.told = "all that happened is on the screen"
            self.paint()
        news.scroll_page_up(animate=False) if key == "pageup" else news.scroll_page_down(animate=False)

    def on_click(self, event: events.Click) -> None:
        self.key.set()
        widget, answer = event.widget, None
        if self.choosing is None or self.answer is None or widget is None or self.hand is None or self.options is None:
            return
        label: str | None = None
        if widget.id == "hand" and (place := self.hand.place_at(event.x, event.y)) is not None:
            label = self.held[place].label or None
            self.told = ""
            if label is None:
                card = self.held[place].card
                answer = self.point_among(options_about(card, self.choosing.menu.offered, self.painter.faces))
                self.told = self.told or ("" if self.choosing.at else self.why_not_in_hand(place))
        elif widget.id == "menu":
            label = self.options.label_at(event.x, event.y)
        elif widget.id == "table":
            label, answer = None, self.point_at_table(event.get_content_offset(widget))
        if label is not None and self.choosing.menu.number is not None:
            self.choosing.typed = label
        elif label is not None:
            answer = self.choosing.point(label)
        if answer is not None and not self.answer.done():
            self.answer.set_result(answer)
        self.paint()

    def point_at_table(self, offset: Offset | None) -> Reply | None:
        """Moves to what may be done with the card or the pile there; of several to one after another."""
        if offset is None or self.picture is None or self.choosing is None:
            return None
        drawn, cards = self.drawn.plain.split("\n"), self.painter.cards(self.size.width)
        return self.point_among(options_at(self.picture, self.choosing.menu.offered, drawn, offset.x, offset.y, cards))

    def point_among(self, labels: Sequence[str]) -> Reply | None:
        if self.choosing is None:
            return None
        if len(labels) == 1:
            return self.choosing.point(labels[0])
        if labels:
            place = labels.index(self.choosing.at) + 1 if self.choosing.at in labels else 0
            self.choosing.at, self.choosing.typed = labels[place % len(labels)], ""
            self.told = f"{self.painter.option(self.choosing.at)}: Enter takes it"
        return None

    def why_not_in_hand(self, place: int) -> str:
        key = self.held[place].card.key
        return next((f"{key}: {one.reason}" for one in self.session.course.missing() if one.label == key), "")

    # ---- painting

    def part(self, name: str, kind: type[Part]) -> Part:
        """A part of the table, also while a page lies over it."""
        return self.screen_stack[0].query_one(name, kind)

    held: Sequence[HandCard] = ()
    drawn = Text()  # the table as it is painted
    news_state: tuple[object, ...] = ()  # what the news were written of
    plan_now = ScreenRows(0, 0, 0, 0, 0, False, False)

    def paint(self) -> None:
        if self.how or not self.screen_stack or not hasattr(self, "painter"):
            return
        width, height = self.size
        ink = Ink(not self.no_color, self.painter.encoding, width)
        self.hand = Hand(self.painter.cards(width), width)
        cards = self.picture.hand if self.picture is not None else ()
        self.held = hand_cards(self.picture, self.choosing)
        in_hand = {held.label for held in self.held if held.label}
        self.options = None
        if self.choosing is not None:
            names = [card.key for card in cards]
            self.options = Options(self.choosing, in_hand, ink, self.painter.option, names)
            labels = [held.label for held in self.held if held.label]
            self.choosing.order = [*labels, *(option.label for option in self.options.shown)]
        menu_rows = self.options.height() if self.options is not None else 1
        need = self.painter.need(self.picture, width) if self.picture is not None else 0
        self.plan_now = now = plan(
            width, height - len(self.said_lines(width)) + 1, sizes(self.hand, cards), menu_rows, need
        )
        self.set_class(now.has_frames, "frames")
        self.place(now)
        self.fill(now, width)

    def place(self, now: ScreenRows) -> None:
        """Gives each part its rows."""
        frame = 2 if now.has_frames else 0
        news, below = self.part("#news", VerticalScroll), self.part("#below", VerticalScroll)
        news.display, below.display = bool(now.beside), not now.beside
        if now.beside:
            news.styles.width, news.styles.height = now.beside, now.table + frame
        below.styles.height = now.news
        self.part("#table", Static).styles.height = now.table + frame
        for name, rows in (("hand", now.hand), ("menu", now.menu)):
            part = self.part(f"#{name}", Static)
            part.styles.height, part.display = rows, bool(rows)

    def fill(self, now: ScreenRows, width: int) -> None:
        frame = 2 if now.has_frames else 0
        self.part("#head", Static).update(self.head(width))
        table = Text()
        if self.picture is not None:
            table = self.painter.table(self.picture, width - now.beside - frame, now.table)
        self.drawn = table
        self.part("#table", Static).update(table)
        self.fill_news(now.beside, width)
        if self.hand is not None:
            self.part("#hand", Static).update(
                self.hand.large(self.held) if now.is_large else self.hand.small(self.held, now.hand)
            )
        lines = self.options.lines(now.menu) if self.options is not None else []
        self.part("#menu", Static).update(Text("\n").join(lines))
        self.part("#prompt", Static).update(self.prompt(width))
        self.part("#keys", Static).update(self.foot(width))

    def fill_news(self, beside: int, width: int) -> None:
        """Written anew only where something has changed: each sentence is laid out in lines, which takes a while."""
        state = (beside, width, self.chosen_at, self.painter.four_colours, *self.history[-MOST_NEWS:])
        if state == self.news_state:
            return
        self.news_state = state
        frame = 2 if self.has_class("frames") else 0
        news = self.part("#news" if beside else "#below", VerticalScroll)
        self.part("#said" if beside else "#said_below", Static).update(self.news(beside - frame if beside else width))
        news.scroll_end(animate=False)

    def head(self, width: int) -> Text:
        line = Text(escaped(f" {self.heading}"), "bold", no_wrap=True, overflow="ellipsis")
        if self.picture is not None:
            mains = [
                (seat, figure)
                for seat in (*self.picture.teams, *self.picture.seats)
                for figure in seat.figures
                if figure.is_main
            ]
            scores = escaped(
                "  ".join(f"{'you' if seat.is_you else seat.name} {figure.value}" for seat, figure in mains)
            )
            room = width - len(line) - len(scores) - 1
            line.append(" " * room + scores if room > 1 else "")
        return line

    def news(self, width: int) -> Text:
        """All that happened; what is new since a person chose last has a bar before it."""
        lines = []
        for place, said in enumerate(self.history[-MOST_NEWS:], start=max(0, len(self.history) - MOST_NEWS)):
            is_old = place < self.chosen_at
            text = Text.from_ansi(self.coloured(said), style="dim" if is_old else "")
            mark = ("  " if is_old else "│ ", "dim")
            lines += [Text.assemble(mark, line) for line in text.wrap(self.console, max(10, width - 4))]
        return Text("\n").join(lines)

    def coloured(self, text: str) -> str:
        """A sentence with its cards drawn."""
        return self.painter.sentence(text)

    def prompt(self, width: int) -> Text:
        line = Text(no_wrap=True, overflow="ellipsis")
        if self.choosing is None:
            line.append(f" {self.waiting or self.waits_for()}", "bold" if self.waiting else "dim")
            return line
        menu = self.choosing.menu
        ticked = f" ({len(self.choosing.marked)} ticked)" if self.choosing.marked else ""
        line.append(escaped(f" {menu.title}{ticked} ▸ "), "bold")
        line.append(escaped(self.choosing.typed))
        line.append("▏")
        return line

    @property
    def said(self) -> str:
        """What is to be told of the last key or command."""
        return self.told or (self.choosing.said if self.choosing is not None else "")

    def foot(self, width: int) -> Text:
        """The keys that matter, or what is to be told instead."""
        if self.is_covered:
            return Text()
        if not self.said:
            return keys_line(self.choosing, self.waiting, width)
        return Text("\n".join(self.said_lines(width)), "bold #ffcf6b", no_wrap=True)

    def said_lines(self, width: int) -> list[str]:
        said = self.painter.places(escaped(self.said))
        return wrapped(said.split(), width - 1, " ", " ")[:MOST_SAID] if said else [""]

    def waits_for(self) -> str:
        who = self.picture.waits_for if self.picture is not None else ""
        return f"{who} is asked …" if who else ""


COMMANDS = {
    "undo": TableApp.undo,
    "hint": TableApp.hint,
    "rules": TableApp.rules,
    "help": TableApp.help,
    "quit": TableApp.leave,
}
COMMAND_KEYS = {"ctrl+u": "undo", "ctrl+t": "hint", "ctrl+r": "rules", "f1": "help", "ctrl+q": "quit"}
