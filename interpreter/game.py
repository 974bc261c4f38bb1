"""What a game is to those who play it, simulate it or search it, whichever engine runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from trionfi.dsl.diagnostics import Diagnostic
from trionfi.dsl.limits import MOST_DECISIONS
from trionfi.interpreter.errors import GameError, IllegalMove
from trionfi.interpreter.state import Text

if TYPE_CHECKING:
    from trionfi.dsl.tree import Expr, Local, MenuItem
    from trionfi.interpreter.chance import Stream
    from trionfi.interpreter.rules import Rules
    from trionfi.interpreter.stacked import Deal
    from trionfi.interpreter.statistics import Tally

__all__ = ["Decision", "Game", "GameError", "IllegalMove", "Missing", "Option", "checked_move"]

DONE = "done"


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

    def __repr__(self) -> str:
        return f"<{self.label}>"


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
        return folded.index(text.casefold()) if text.casefold() in folded else None

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


class Game(ABC):
    """A game between its decisions. Seats count from 0."""

    rules: Rules
    players: int
    seed: int
    number: int  # game `number` of the seed
    deal: Deal | None  # of a stacked game
    moves: list[int]  # what has been chosen so far, by option number

    @property
    @abstractmethod
    def over(self) -> bool: ...

    @property
    @abstractmethod
    def decision(self) -> Decision | None:
        """What is asked now; None when the game is over."""

    @abstractmethod
    def apply(self, move: int) -> None:
        """Chooses option `move` (of a number: so many steps above the lowest) and plays on to the next decision.

        Raises IllegalMove if there is no such option or the game is over, GameError if the ruleset fails.
        """

    @property
    @abstractmethod
    def scores(self) -> list[int | Fraction] | None:
        """One a player, when the game is over."""

    @property
    @abstractmethod
    def winners(self) -> list[int] | None:
        """Seats, when the game is over."""

    @property
    @abstractmethod
    def measures(self) -> dict[str, object] | None:
        """The ruleset's measures, when the game is over; one with a player is a list, one entry a seat.

        Read at the end: its value (a word for a member or category, None if it is none). Read at an event: a
        truth `{count, true}`, a number `{count, sum}`, words `{word: count}`.
        """

    @property
    @abstractmethod
    def tallies(self) -> list[list[Tally]]:
        """The same for adding up: measure by measure, one Tally or one a seat (of a truth: of 0 and 1)."""

    @abstractmethod
    def view(self, player: int) -> dict[str, object]:
        """What that player may know: keys zones, variables, decision, plays, log; ready for JSON."""

    @property
    @abstractmethod
    def state(self) -> dict[str, object]:
        """Everything, with the keys of a view; ready for JSON."""

    @property
    @abstractmethod
    def log(self) -> list[dict[str, object]]:
        """What has been chosen and said, all of it: `{player, decision, label}` and `{say}`."""

    @property
    @abstractmethod
    def labels(self) -> list[tuple[int, str, str]]:
        """The moves so far as seat, decision and label."""

    @abstractmethod
    def clone(self) -> Game:
        """The same game once more, that goes its own way from here."""

    @abstractmethod
    def snapshot(self) -> bytes:
        """What `rules.restore` makes this game of again."""

    @abstractmethod
    def evaluate(self, expr: Expr, locals_: Sequence[Local] = ()) -> Any:
        """The value of a condition of a ruleset's test, as things are now."""

    @abstractmethod
    def show(self, expr: Expr, locals_: Sequence[Local] = ()) -> str:
        """The same as a text."""

    @abstractmethod
    def missing(self) -> list[Missing]:
        """What the rules do not offer at this decision, and why."""

    @abstractmethod
    def ask_strategy(self, name: str, stream: Stream) -> int | None:
        """What one of the ruleset's strategies picks here, None if it does not say; it draws from `stream`."""

    def record(self, bots: Sequence[str | None] | None = None) -> dict[str, object]:
        """The game so far as a record, ready for JSON. `bots`: who plays, a name a seat, None for a person."""
        from trionfi.interpreter.records import record_of

        return record_of(self, bots)

    def too_long(self) -> GameError:
        """The error of a game that comes to no end."""
        what = f"the game passes {MOST_DECISIONS:,} decisions"
        error = GameError(Diagnostic("game-without-end", what, self.rules.ruleset.play.span), self.seed, self.number)
        error.moves = list(self.moves)
        return error

    def play_on(self, choose: Mapping[int, Callable[[Game], int]] | Sequence[Callable[[Game], int]]) -> None:
        """Plays to the end, asking `choose[seat](game)` for each move."""
        decision = self.decision
        while decision is not None:
            self.apply(choose[decision.player](self))
            decision = self.decision
