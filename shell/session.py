"""One game as people play it, whatever shows it: choices, bots, taking back, keeping, hints and reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from trionfi.table.answers import about as asked_about
from trionfi.table.course import Course
from trionfi.table.model import Menu, Option, Scene, Table
from trionfi.table.notes import altered_lines, effect_lines
from trionfi.table.picking import picks_of
from trionfi.table.telling import with_players

if TYPE_CHECKING:
    from trionfi.evening.in_play import InPlay
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.game import Game
    from trionfi.shell.saving import Keeper
    from trionfi.table.faces import Faces

__all__ = ["Session"]

Bots = Sequence[Callable[["Game"], int]]
MOST_LABELS = 8  # that are named with one reason
MOST_SIGNS = 150  # of them together


class Session:
    """`people`: the seats that are played here. `names`: what the players are called. `in_play`: the game of an
    evening, which knows its bots and how much may be taken back."""

    def __init__(
        self,
        game: Game,
        people: Sequence[int],
        keeper: Keeper | None = None,
        names: Sequence[str] = (),
        in_play: InPlay | None = None,
    ) -> None:
        self.game, self.people, self.keeper, self.in_play = game, people, keeper, in_play
        self.course = Course(game, list(people) or [None], names)
        self.choices = [place for place, (seat, _, _) in enumerate(game.labels) if seat in people]
        if in_play is not None:
            self.choices = in_play.choices

    @property
    def bots(self) -> Bots:
        """Of an evening's game; after something has been taken back, others."""
        return self.in_play.bots if self.in_play is not None else ()

    @property
    def decision(self) -> Decision | None:
        return self.game.decision

    @property
    def is_peoples_turn(self) -> bool:
        return self.decision is not None and self.decision.player in self.people

    @property
    def names(self) -> Sequence[str]:
        return self.course.pictures.names

    # ---- moves

    def choose(self, labels: Sequence[str]) -> str:
        """Takes the option, or the number, or several picks, so called; else says what is wrong."""
        decision = self.game.decision
        assert decision is not None, "somebody is asked"
        if len(labels) == 1 and (move := decision.move_called(labels[0])) is not None:
            self.make([move])
            return ""
        moves = picks_of(self.game, labels)
        if isinstance(moves, str):
            return moves
        self.make(moves)
        return ""

    def make(self, moves: Sequence[int]) -> None:
        """Moves of one person."""
        self.choices.append(len(self.game.moves))
        for move in moves:
            self.game.apply(move)
        self.keep(is_persons=True)

    def let_bot_move(self, bots: Bots) -> None:
        decision = self.game.decision
        assert decision is not None, "somebody is asked"
        self.game.apply(bots[decision.player](self.game))
        self.keep(is_persons=False)

    def keep(self, is_persons: bool) -> None:
        """After a move: at once what people have chosen, and before they are asked."""
        if self.keeper is not None:
            self.keeper.keep(self.game, is_persons or self.decision is None or self.is_peoples_turn)

    def undo(self) -> str:
        """Takes the last choice of who is asked back; else says why it stands."""
        from trionfi.interpreter.take_back import CannotTakeBack

        try:
            if self.in_play is not None:
                self.in_play.take_back()
                self.game = self.in_play.game
            elif stands := self.take_back():
                return stands
        except CannotTakeBack as stands:
            why = with_players(str(stands), self.names)
            return why if self.in_play is not None else f"your choice stands: {why}"
        self.keep(is_persons=True)
        self.course.follow(self.game)
        return ""

    def take_back(self) -> str:
        """Of a game without an evening: why nothing is taken back. Raises CannotTakeBack."""
        from trionfi.interpreter.take_back import taken_back

        decision = self.game.decision
        if not self.choices or decision is None:
            return "there is nothing to take back"
        seat = self.game.labels[self.choices[-1]][0]
        if seat != decision.player:
            return f"the last choice was {self.names[seat]}'s, it stands"
        self.game = taken_back(self.game, self.choices[-1], self.people)
        self.choices.pop()
        return ""

    # ---- what is shown

    def scenes(self, seat: int | None) -> list[Scene]:
        """What has happened since that seat looked last."""
        self.course.follow(self.game)
        return self.course.scenes(seat)

    def table(self, seat: int | None) -> Table:
        return self.course.table(seat)

    def table_for_all(self) -> Table:
        """For a screen that all people here look at."""
        return self.course.table_for_all()

    # ---- what is asked about

    def hint(self) -> str:
        """What the ruleset's own strategy would do, if it has one that says something here."""
        from trionfi.interpreter.chance import Stream

        strategies, decision = list(self.game.rules.ruleset.strategies), self.game.decision
        for name in reversed(strategies):
            move = self.course.witness.shadow.ask_strategy(name, Stream(0, 0, 1))
            if move is not None and decision is not None:
                return f"{name} would choose: {decision.label(move)}"
        told = (
            f"its strategies ({', '.join(strategies)}) say nothing here"
            if strategies
            else "the ruleset has no strategy"
        )
        return f"no hint: {told}"

    def why_not(self, about: str = "") -> list[str]:
        """Why what is missing is missing, things with one reason together; what cards have become, and what they do.
        `about`: only what has this in its label."""
        lines = [f"{enough(labels, about)}: {reason}" for reason, labels in self.reasons(about).items()]
        decision = self.game.decision
        view: Any = self.course.last().views[decision.player if decision is not None else None]
        faces, ruleset = self.course.pictures.faces, self.game.rules.ruleset
        names = set(asked_about(about, faces.names, faces)) if about else set(faces.names)
        lines += [*altered_lines(view, faces, names), *effect_lines(ruleset, names if about else ())]
        return [with_players(line, self.names) for line in lines]

    def reasons(self, about: str) -> dict[str, list[str]]:
        """The labels of what is not offered, by the reason; cards as they lie in a hand."""
        faces, reasons = self.course.pictures.faces, dict[str, list[str]]()
        missing = self.course.missing()
        asked = set(asked_about(about, (one.label for one in missing), faces))
        for label, reason in missing:
            if label in asked and label not in reasons.setdefault(reason, []):
                reasons[reason].append(label)
        return {reason: in_order(labels, faces) for reason, labels in reasons.items() if labels}

    def nothing_left_out(self, menu: Menu, about: str) -> str:
        """What is told where `why_not` has nothing to say."""
        if not about:
            return "all that you could do is offered"
        labels = asked_about(about, [option.label for option in menu.offered], self.course.pictures.faces)
        if labels:
            return f"{enough(labels, '')} {'is' if len(labels) == 1 else 'are'} offered"
        return f"nothing called `{about}` is left out"

    def with_reasons(self, menu: Menu) -> Menu:
        return self.course.with_reasons(menu)

    def reason_for(self, option: Option) -> str:
        return option.reason or dict(self.course.missing()).get(option.label, "")


def in_order(labels: Sequence[str], faces: Faces) -> list[str]:
    places = {name: faces.order(number) for number, name in enumerate(faces.names)}
    last = (len(faces.suits) + 1, 0, 0, 0)
    return sorted(labels, key=lambda label: places.get(label, last))


def enough(labels: Sequence[str], about: str) -> str:
    """Labels in a line; of many, or long ones, that nobody has asked about only some."""
    lengths = list(accumulate(map(len, labels)))
    few = max(1, min(MOST_LABELS, sum(length <= MOST_SIGNS for length in lengths)))
    if about or len(labels) <= few:
        return ", ".join(labels)
    return f"{', '.join(labels[:few])} and {len(labels) - few} more"
