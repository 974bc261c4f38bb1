"""What a game is to those who play it, simulate it or search it, whichever engine runs it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import trionfi
from trionfi.dsl.diagnostics import Diagnostic
from trionfi.dsl.limits import MOST_DECISIONS
from trionfi.interpreter.decision import Decision, Missing
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.names import player_name

if TYPE_CHECKING:
    from trionfi.dsl.tree import Expr, Local
    from trionfi.interpreter.chance import Stream
    from trionfi.interpreter.rules_data import RulesData
    from trionfi.interpreter.stacked import Deal
    from trionfi.interpreter.statistics import Tally

__all__ = ["SNAPSHOT", "Game", "how_it_began", "plain_scores"]

SNAPSHOT = 1  # the version of a snapshot's form


class Game(ABC):
    """A game between its decisions. Seats count from 0."""

    rules: RulesData
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
    def winning_sides(self) -> int:
        """On how many sides the winners are; more than one have tied. 0 if nobody has won, or the game goes on."""
        return self.rules.sides_of(self.winners or [])

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

    def snapshot(self) -> bytes:
        """What `rules.restore` makes this game of again."""
        snapshot = {"snapshot": SNAPSHOT, **how_it_began(self), "moves": self.moves}
        return json.dumps(snapshot, separators=(",", ":")).encode()

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
        """The game so far as a record, ready for JSON; `scores` is null while it goes on, a fraction is a text.
        `bots`: who plays, a name a seat, None where a person sits or where it is not known who does."""
        return {
            **how_it_began(self),
            "bots": [None] * self.players if bots is None else list(bots),
            "names": [player_name(seat) for seat in range(self.players)],
            "moves": [list(move) for move in self.labels],
            "scores": plain_scores(self),
            "texts": self.rules.texts,
        }

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


def how_it_began(game: Game) -> dict[str, Any]:
    """The rules, options, seats and seed of a game; of a stacked one the deal, too."""
    rules = game.rules
    began = {
        "trionfi": trionfi.__version__,
        "rules": rules.key,
        **({} if rules.path is None else {"path": str(rules.path)}),
        "sha256": rules.sha256,
        "options": rules.options,
        "players": game.players,
        "seed": game.seed,
        "game": game.number,
    }
    return began if game.deal is None else {**began, "deal": dict(game.deal.given)}


def plain_scores(game: Game) -> list[int | str] | None:
    scores = game.scores
    return None if scores is None else [score if isinstance(score, int) else str(score) for score in scores]
