"""The table as values: what there is to show to one seat, ready for JSON (`dataclasses.asdict`). A face draws it and
adds nothing; nothing in it is more than that seat may know.

A `Scene` is one thing that happens: a picture of the table as it then lies and what is said of it. Between two of
one's choices there are several; the last picture is the present one, with the `Menu` of what is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "Amount",
    "Card",
    "End",
    "Figure",
    "Menu",
    "Number",
    "Option",
    "Played",
    "Scene",
    "Seat",
    "Summary",
    "Table",
    "Zone",
]

Form = Literal["place", "pile", "row", "fan", "plays"]
Mark = Literal["", "led", "won"]
Wait = Literal["", "trick", "hand", "end"]


@dataclass(frozen=True)
class Card:
    """A card as the seat sees it. Of a back everything is empty. `key` is the name as answers and labels have it
    (`10 of Clubs`, `Death reversed`), `code` its short code (`10c`; empty if it has none)."""

    key: str = ""
    code: str = ""
    rank: str = ""  # `10`, `K`, `XIII`; what stands in a corner
    suit: str = ""  # its word, as the ruleset calls it; empty if it has none, or several
    colour: str = ""  # of the suit, as the deck says, else empty
    name: str = ""  # without `reversed`
    is_reversed: bool = False
    altered: str = ""  # what it is now, if not as printed: `6 of clubs`
    by: tuple[str, ...] = ()  # the plays that made it so
    now: tuple[str, tuple[str, ...]] | None = None  # of an altered card: its rank and suits
    marks: tuple[tuple[str, str], ...] = ()
    effect: str = ""  # what it does when it is played
    number: int | None = None  # as in `rules.cards`; reversed that many more; None for a back

    @property
    def is_back(self) -> bool:
        return self.number is None


@dataclass(frozen=True)
class Zone:
    """A pile, or one place. `key` as in views; `label` says which it is where its owner is clear, `short` in little
    room. `cards` bottom first. `owner` is a seat (`p1`), a team, a suit, or empty."""

    key: str
    family: str
    label: str
    short: str
    owner: str
    form: Form
    cards: tuple[Card, ...]
    count: int
    capacity: int | None = None
    mark: Mark = ""
    figures: tuple[Figure, ...] = ()  # a wager at this place
    is_hand: bool = False  # the seat's own, which it holds
    is_open: bool = False  # all can see its cards

    @property
    def known(self) -> list[Card]:
        return [card for card in self.cards if not card.is_back]


@dataclass(frozen=True)
class Figure:
    """A value with its word: `chips 188`; a truth has its word alone. `cards`: where it is cards."""

    word: str
    value: str = ""
    cards: tuple[Card, ...] = ()
    is_main: bool = False  # chips, points: what the game is about

    @property
    def text(self) -> str:
        return f"{self.word} {self.value}".rstrip()


@dataclass(frozen=True)
class Seat:
    """A player, or (`members`) a team. `tags`: what of the game's names this one (`dealer`)."""

    key: str  # `p1`, `team1`
    name: str
    is_you: bool = False
    is_asked: bool = False
    members: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    zones: tuple[Zone, ...] = ()  # what is this one's and lies not in the grid


@dataclass(frozen=True)
class Played:
    """A card that has been played: what it does, at what, whether it is in force."""

    number: int
    seat: str
    name: str
    text: str
    state: tuple[str, ...]  # `not in force`, `card gone`
    targets: tuple[str | Card, ...]


@dataclass(frozen=True)
class Option:
    """Something that may be chosen, or (`reason`) that may not now. `move` is what is applied; None: it can only be
    picked together with others, or not at all. `letter`: its line's own in all menus of the ruleset, or empty."""

    label: str
    move: int | None
    letter: str = ""
    note: str = ""  # what the card does, or has become
    reason: str = ""
    is_danger: bool = False  # giving up: asked once more
    card: str = ""  # the card that is chosen, by its label; a card of the hand or the table
    words: tuple[str, ...] = ()  # by the beginnings of which it is called, beside those of its label

    @property
    def is_offered(self) -> bool:
        return not self.reason


@dataclass(frozen=True)
class Amount:
    word: str  # `half the pot`
    value: int


@dataclass(frozen=True)
class Number:
    least: int
    most: int
    step: int
    amounts: tuple[Amount, ...] = ()


@dataclass(frozen=True)
class Menu:
    """What is asked. `by_letter`: a letter chooses at once, since neither cards nor numbers are asked for.

    Of a choice of several things `least` and `most` are still to be picked, `picked` are the labels of those that
    are, and `options` holds also what can be picked only behind others.
    """

    seat: str
    decision: str
    title: str
    options: tuple[Option, ...] = ()
    number: Number | None = None
    by_letter: bool = False
    least: int = 1
    most: int = 1
    picked: tuple[str, ...] = ()
    may_stop: bool = False

    @property
    def is_of_several(self) -> bool:
        return self.number is None and (self.most > 1 or bool(self.picked))

    @property
    def offered(self) -> list[Option]:
        return [option for option in self.options if option.is_offered]


@dataclass(frozen=True)
class Summary:
    """What decided a hand, or the game: a line a seat, and sentences."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class End:
    winners: tuple[str, ...]
    scores: tuple[tuple[str, str], ...]
    summary: Summary


@dataclass(frozen=True)
class Table:
    """One picture. `grid`: rows of cells, each with the zones that lie there (none: an empty cell)."""

    title: str
    seat: str
    grid: tuple[tuple[tuple[Zone, ...], ...], ...] = ()
    beside: tuple[Zone, ...] = ()  # what belongs to nobody and the grid leaves out
    figures: tuple[Figure, ...] = ()
    plays: tuple[Played, ...] = ()
    seats: tuple[Seat, ...] = ()
    teams: tuple[Seat, ...] = ()
    hand: tuple[Card, ...] = ()  # all that the seat holds, sorted
    menu: Menu | None = None
    waits_for: str = ""  # who is asked, if it is another
    end: End | None = None


@dataclass(frozen=True)
class Scene:
    """Something that happened. `wait`: it stays until it has been seen (a trick, the end of a hand)."""

    sentences: tuple[str, ...]
    table: Table
    wait: Wait = ""
    summary: Summary | None = field(default=None)
