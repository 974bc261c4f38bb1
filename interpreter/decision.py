"""What a player is asked: decisions, the options among which one is chosen, and the pieces of their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, assert_never

from trionfi.dsl.limits import MOST_IN_LABEL, MOST_LETTERS_OF_MENU
from trionfi.interpreter.errors import GameError, IllegalMove, fail
from trionfi.interpreter.names import plain_words

if TYPE_CHECKING:
    from trionfi.dsl.source import Span
    from trionfi.dsl.tree import MenuItem
    from trionfi.dsl.tree.words import Extreme

__all__ = [
    "DONE",
    "Decision",
    "Missing",
    "Option",
    "Text",
    "Thing",
    "checked_move",
    "end_offered",
    "label_of_many",
    "menu_too_long",
    "not_too_long",
    "tell_apart",
]

DONE = "done"


@dataclass(slots=True)
class Text:
    """A piece of a label or of what is said. `card`: shown to those who know that card, `hidden` to others;
    `known` is who they are, settled when the entry is closed. `word`: as the rules write it, of a word of a kind."""

    shown: str
    card: int | None = None
    hidden: str = ""
    known: int = 0
    word: str = ""


class Thing(NamedTuple):
    """A value of an option: a seat, card (inside the engine), zone, suit ..., and the noun that says which."""

    noun: str
    value: Any


class Missing(NamedTuple):
    """Something that is not offered now, and why, as the player who is asked may know it."""

    label: str
    reason: str


class Option:
    """One of the things that may be chosen. `label` is its text, as the chooser reads it.

    `things` is what is picked (of a menu's line what its `for each` goes over), `item` the line of the menu,
    `texts` the label in pieces, for those who may know less.
    """

    __slots__ = ("item", "label", "texts", "things")

    def __init__(
        self,
        label: str,
        things: tuple[Thing, ...] = (),
        item: MenuItem | None = None,
        texts: list[Text] | None = None,
    ) -> None:
        self.label = label
        self.things = things
        self.item = item
        self.texts = [Text(label)] if texts is None else texts

    @property
    def template(self) -> str:
        """The label as the ruleset writes it; `done` of a choice of several, else empty."""
        if self.item is not None:
            return self.item.label.template
        return "" if self.things else self.label

    @property
    def written(self) -> str:
        """The label with each word of a kind as the rules write it."""
        return "".join(text.word or text.shown for text in self.texts) if self._has_words else self.label

    @property
    def _has_words(self) -> bool:
        return any(text.word not in ("", text.shown) for text in self.texts)

    def __repr__(self) -> str:
        return f"<{self.label}>"


def not_too_long(options: Iterable[Option], too_many: Callable[[int], object]) -> list[Option]:
    """The options, unless their labels have too many letters in all: then `too_many` is called with how many there are
    up to there, and stops the game."""
    found, letters = [], 0
    for option in options:
        letters += len(option.label)
        if letters > MOST_LETTERS_OF_MENU:
            too_many(letters)
        found.append(option)
    return found


def menu_too_long(span: Span, letters: int) -> NoReturn:
    message = f"the options here have {letters:,} letters; at most {MOST_LETTERS_OF_MENU:,}"
    fail("menu-too-long", message, span)


def label_of_many(count: int, span: Span) -> None:
    """Stops the game if a label holds too many values."""
    if count > MOST_IN_LABEL:
        fail("label-too-long", f"this label holds {count} values; at most {MOST_IN_LABEL}", span)


class Decision:
    """What one player is asked: one of `options`, or a number from `low` to `high` by `step`.

    `player` counts from 0. `count` is the number of moves there are. `low`, `high` and `step` are None and
    `options` holds them all, or `options` is empty and they are numbers; the highest is always offered.
    `card` is the engine's number of the card whose orientation is asked, else None. A choice of several things
    is a series of decisions: `left` is how many may still be picked, `picked` the labels of those that are.
    `private`: others are not told what is chosen. `options` are made when they are first asked for.
    """

    __slots__ = (
        "_make",
        "_options",
        "card",
        "count",
        "high",
        "left",
        "locate",
        "low",
        "name",
        "picked",
        "player",
        "private",
        "step",
        "why",
    )

    def __init__(self, player: int, name: str, count: int, make: Callable[[], list[Option]]) -> None:
        self.player = player
        self.name = name
        self.count = count
        self.low: int | None = None
        self.high: int | None = None
        self.step: int | None = None
        self.card: int | None = None
        self.picked: Sequence[str] = ()
        self.left = 1
        self.private = False
        self.why: Callable[[], list[Missing]] | None = None  # what is not offered; the reference engine knows
        self.locate: Callable[[GameError], None] | None = None  # says of an error in a label in which game it was
        self._make = make
        self._options: list[Option] | None = None

    @classmethod
    def of_number(cls, player: int, name: str, low: int, high: int, step: int) -> Decision:
        """A number: `count` is the number of steps and one more."""
        decision = cls(player, name, -((low - high) // step) + 1, list)
        decision.low, decision.high, decision.step = low, high, step
        return decision

    @property
    def options(self) -> list[Option]:
        if self._options is None:
            try:
                self._options = self._make()
            except GameError as error:
                if self.locate is not None:
                    self.locate(error)
                raise
        return self._options

    @property
    def is_number(self) -> bool:
        return self.low is not None

    def number(self, index: int) -> int:
        """The number that is `index` steps above the lowest."""
        if self.low is None or self.high is None or self.step is None:
            raise IllegalMove(f"{self.name} asks for one of its options, not for a number")
        return min(self.low + index * self.step, self.high)

    def label(self, index: int) -> str:
        """What move `index` is called: an option's label, or the number."""
        return str(self.number(index)) if self.is_number else self.options[index].label

    def labels(self) -> list[str]:
        """All labels, in order; told apart: the second of the same text ends in ` #2`."""
        return tell_apart([option.label for option in self.options])

    def move_called(self, text: str) -> int | None:
        """The move with this label (a number: `12`), or None."""
        if self.is_number:
            return self._move_to(text)
        labels = self.labels()
        if text in labels:
            return labels.index(text)
        folded = [label.casefold() for label in labels]
        if text.casefold() in folded:
            return folded.index(text.casefold())
        # a word of a kind may be told by itself or by its label, and with blanks for each `_`
        for spelled in (labels, tell_apart([option.written for option in self.options])):
            plain = [plain_words(label) for label in spelled]
            if plain.count(plain_words(text)) == 1:
                return plain.index(plain_words(text))
        return None

    def _move_to(self, text: str) -> int | None:
        try:
            number = int(text)
        except ValueError:
            return None
        return self.move_to_number(number)

    def move_to_number(self, number: int) -> int | None:
        """The move that says `number`, None if it is not offered."""
        if self.low is None or self.high is None or self.step is None or not self.low <= number <= self.high:
            return None
        if number == self.high:
            return self.count - 1
        steps, rest = divmod(number - self.low, self.step)
        return None if rest else steps

    def __repr__(self) -> str:
        what = f"{self.low}..{self.high}" if self.is_number else ", ".join(self.labels())
        return f"<p{self.player + 1} {self.name}: {what}>"


def checked_move(name: str, count: int, move: object) -> int:
    """A move as a plain number (one of numpy's will do), if the decision `name` has it. Raises IllegalMove."""
    try:
        number = index(move)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise IllegalMove(f"{name} has moves 0 to {count - 1}, not {move!r}")
    return number


def tell_apart(labels: list[str]) -> list[str]:
    """The labels; of equal ones the second ends in ` #2` and so on."""
    if len(set(labels)) == len(labels):
        return labels
    seen: dict[str, int] = {}
    told = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        told.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return told


def end_offered(decision: Decision, end: Extreme) -> int | None:
    """The end of the range asked for, or of the numbers among which one is picked; else none."""
    picked = [option.things[0].value for option in decision.options if is_number(option)]
    match end:
        case "lowest":
            return min(picked) if picked else decision.low
        case "highest":
            return max(picked) if picked else decision.high
        case _:
            assert_never(end)


def is_number(option: Option) -> bool:
    return option.item is None and len(option.things) == 1 and option.things[0].noun == "number"
