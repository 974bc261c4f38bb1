"""`trionfi play`: one game at a table in the terminal; from a pipe, one choice a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from trionfi.evening.in_play import InPlay
from trionfi.evening.seated import Seated
from trionfi.interpreter.take_back import CannotTakeBack
from trionfi.shell.asking import Asking, OutOfInput, asking_for, in_width
from trionfi.shell.board import Board
from trionfi.shell.calls import CallError, Sitting, seat_numbers
from trionfi.shell.door import inked
from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.naming import with_names
from trionfi.shell.notes import altered_lines, effect_lines, option_notes
from trionfi.shell.printing import note, print_json
from trionfi.shell.question import Question, picks_of
from trionfi.shell.saving import Going, Keeper, check_folder, keeper_of
from trionfi.shell.stopping import undisturbed
from trionfi.shell.story import news_lines, result_lines

if TYPE_CHECKING:
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.game import Game

__all__ = ["Table", "play_game"]

MOST_LABELS = 8  # that are named with one reason
HELP = (
    "An option's number or its text; several picks at once as in `1 3`; a number where one is asked for.",
    "`?` says why something is not offered and what cards have become (`? ace`: what has `ace` in it).",
    "`?` with a card's name also says what the card does, if it has an effect.",
    "`undo` takes your last choice back, `quit` leaves the table.",
)


class Left(Exception):
    """A player has left the table."""


def play_game(
    sitting: Sitting,
    seats: Sequence[str],
    number: int,
    record: Path | None,
    as_json: bool,
    going: Going | None = None,
    names: Mapping[int, str] | None = None,
    keeps: bool = True,
) -> bool:
    """Plays game `number`, kept in `record`, and as many more as are wanted; True if the last came to its end, and is
    kept. With `as_json` the record is the data and the table a note. `keeps`: in the folder of all games, too."""
    check_folder(record)
    seated = seated_of(sitting, seats, number, names or {})
    session = InPlay.begun(seated) if going is None else InPlay.gone_on(seated, going.record)
    keeper = keeper_of(session, record, None if going is None else going.path, keeps)
    fine = play_session(session, keeper, as_json, keeps)
    of_a_file = keeper is not None and not keeper.id  # which holds this one game
    while fine and not of_a_file and (following := what_next(session, as_json)) is not None:
        session = InPlay.begun(following)
        fine = play_session(session, keeper_of(session, None, None, keeps), as_json, keeps)
    return fine


def play_session(session: InPlay, keeper: Keeper | None, as_json: bool, counts: bool) -> bool:
    """One game, to its end or as far as it goes; True if it came to its end, and is kept. `counts`: it goes into the
    statistics."""
    out = sys.stderr if as_json else sys.stdout
    table = Table(session.game, session.people, out, sys.stdin, keeper=keeper, session=session)
    try:
        table.say_words(title_of(session))
        table.play(session.bots)
    except OutOfInput:
        note("trionfi: the input has ended before the game was over")
        if keeper is not None and keeper.id:
            keeper.tells = sys.stdin.isatty()  # a script has not asked for its game to be kept
    except Left:
        note("trionfi: left before the game was over")
    except BaseException:  # Ctrl-C, a signal, a closed pipe, a fault of the ruleset
        with undisturbed():
            with suppress(OSError):
                table.say()
            if keeper is not None:
                keeper.end(table.game)
        raise
    is_kept = keeper is None or keeper.end(table.game)
    if counts:
        session.note_end(lambda text: note(f"trionfi: {text}"))
    if as_json:
        print_json(session.record())
    return session.game.over and is_kept


def seated_of(sitting: Sitting, seats: Sequence[str], number: int, names: Mapping[int, str]) -> Seated:
    """Who sits where, as the call says. Raises CallError."""
    from trionfi.interpreter.bots import bots_for_seats
    from trionfi.interpreter.simulate import draw_seed

    rules, count = sitting.rules, sitting.players
    people = people_at(seats, sitting.bots, count)
    bots_for_seats(rules, sitting.bots, count)
    seed = draw_seed() if sitting.seed is None else sitting.seed
    return Seated.of(rules, count, people, seed, number, sitting.bots, names, sitting.engine)


def what_next(session: InPlay, as_json: bool) -> Seated | None:
    """What is played after a game, if somebody sits at a terminal who says it."""
    from trionfi.shell.afterwards import ask_what_next

    is_asked = not as_json and session.people and sys.stdin.isatty() and sys.stdout.isatty()
    return ask_what_next(session.seated, sys.stdin, sys.stdout) if is_asked else None


def title_of(session: InPlay) -> str:
    game = session.game
    about = f"{game.rules.name}, {players_text(game.players)}, seed {game.seed}{game_text(game.number)}"
    return f"{about}{opponents_text(session.seated.bots)}"


def players_text(count: int) -> str:
    return f"{count} {'player' if count == 1 else 'players'}"


def opponents_text(names: Sequence[str | None]) -> str:
    """Who plays the seats that no person has taken."""
    bots = {seat: name for seat, name in enumerate(names, start=1) if name is not None}
    if not bots:
        return ""
    alike = len({*bots.values()}) == 1
    who = bots.popitem()[1] if alike else ", ".join(f"p{seat} {name}" for seat, name in bots.items())
    return f"; {'opponents' if None in names else 'bots'}: {who}"


def game_text(number: int) -> str:
    return f", game {number}" if number else ""


def people_at(seats: Sequence[str], bots: Mapping[int, str], players: int) -> list[int]:
    """The seats that people play: those named, else the first unless a bot was named for it."""
    if not seats:
        return [] if 0 in bots else [0]
    people = seat_numbers(seats, players)
    for seat in people:
        if seat in bots:
            raise CallError(f"seat {seat + 1} is yours and cannot be played by {bots[seat]}")
    return people


class Table:
    """A game as it is shown to the people in it, and asked of them."""

    def __init__(
        self,
        game: Game,
        people: Sequence[int],
        out: IO[str],
        answers: IO[str],
        ink: Ink | None = None,
        keeper: Keeper | None = None,
        session: InPlay | None = None,
    ) -> None:
        self.game = game
        self.session = session
        self.keeper = keeper
        self.people = people
        out = inked(out)
        self.ink = ink if ink is not None else Ink.of(out)
        self.out = out = with_names(out, () if session is None else session.seated.names)
        self.board = Board(game, self.ink)
        self.asking: Asking = asking_for(answers, out, self.ink)
        self.told = dict.fromkeys(people, 0)  # how much of the log each has seen
        self.choices = [place for place, (seat, _, _) in enumerate(game.labels) if seat in people]
        if session is not None:
            self.choices = session.choices
        self.at_the_screen: int | None = people[0] if len(people) == 1 else None

    def say(self, text: str = "") -> None:
        print(text, file=self.out)

    def say_words(self, line: str) -> None:
        """A line of words, broken where it is too long."""
        for part in in_width(line, self.ink.width):
            self.say(part)

    def play(self, bots: Sequence[Callable[[Game], int]]) -> None:
        """To the end. Raises OutOfInput, Left."""
        decision = self.game.decision
        while decision is not None:
            if decision.player in self.people:
                self.turn(decision)
            else:
                self.game.apply(bots[decision.player](self.game))
            self.keep(decision.player)
            decision = self.game.decision
        self.show_end()

    def keep(self, mover: int) -> None:
        """After a move: at once what people have chosen, and before they are asked."""
        if self.keeper is None:
            return
        decision = self.game.decision
        at_once = decision is None or mover in self.people or decision.player in self.people
        self.keeper.keep(self.game, at_once)

    # ---- a turn

    def turn(self, decision: Decision) -> None:
        """Asks until an answer fits, and does what it says."""
        player = decision.player
        if self.at_the_screen != player:
            self.asking.hand_over(player)
            self.at_the_screen = player
        if self.keeper is not None and (said := self.keeper.news()):
            self.asking.again([said], wrong=True)
        question = self.question(decision)
        news = self.news(player)
        log_seen = len(self.log(player))
        while self.game.decision is decision:
            line = self.asking.ask(question, lambda: self.picture(question, news), self.board.cards.coloured)
            self.told[player] = log_seen
            self.obey(question, " ".join(line.split()))

    def question(self, decision: Decision) -> Question:
        """What is asked, with notes behind cards that have effects and cards that have changed."""
        question = Question.of(self.game, decision, self.subject(decision))
        if self.board.ruleset.effects:
            labels = [*question.labels, *question.later]
            view: Any = self.game.view(decision.player)
            question.notes = option_notes(self.board.ruleset, view, self.board.cards, labels)
        return question

    def obey(self, question: Question, text: str) -> None:
        move = question.move_for(text)
        if move is not None:
            self.choose([move])
        elif text.startswith("?"):
            self.explain(question, text[1:].strip())
        elif text.lower() in COMMANDS:
            COMMANDS[text.lower()](self, question)
        elif (labels := question.several(text)) is not None:
            self.pick(question, labels)
        else:
            wrong = f"`{text}` is not offered" if text else "an empty line is no answer"
            self.asking.again([f"{wrong}; {question.wanted}"], wrong=True)

    def choose(self, moves: Sequence[int]) -> None:
        self.choices.append(len(self.game.moves))
        for move in moves:
            self.game.apply(move)

    def pick(self, question: Question, labels: Sequence[str]) -> None:
        """Several at once: all of them, or none if they do not go together."""
        moves = picks_of(self.game, labels)
        if isinstance(moves, str):
            self.asking.again([f"{moves}; {question.wanted}"], wrong=True)
        else:
            self.choose(moves)

    def subject(self, decision: Decision) -> str:
        """The card whose orientation is asked, as its player may know it."""
        if decision.card is None:
            return ""
        view: Any = self.game.view(decision.player)
        number = view["decision"].get("card")
        return "a card" if number is None else self.board.cards.name(number)

    # ---- commands

    def explain(self, question: Question, about: str = "") -> None:
        """Why what is missing is missing, things with one reason together; `about`: only what has this in its label."""
        lines = []
        for reason, labels in self.reasons(about).items():
            lines += wrapped(f"{enough(labels, about)}: {reason}".split(), self.ink.width, "  ", "    ")
        if question.decision.is_number:
            lines += wrapped(question.wanted.split(), self.ink.width, "  ", "    ")
        view: Any = self.game.view(question.decision.player)
        told = [*altered_lines(view, self.board.cards, about), *effect_lines(self.board.ruleset, about)]
        lines += [part for line in told for part in wrapped(line.split(), self.ink.width, "  ", "    ")]
        nothing = f"  nothing with `{about}` in it is left out" if about else "  nothing is left out"
        self.asking.again([self.board.cards.coloured(line) for line in lines] or [nothing])

    def reasons(self, about: str) -> dict[str, list[str]]:
        """The labels of what is not offered, by the reason."""
        reasons: dict[str, list[str]] = {}
        for label, reason in self.game.missing():
            if about.casefold() in label.casefold() and label not in reasons.setdefault(reason, []):
                reasons[reason].append(label)
        return {reason: labels for reason, labels in reasons.items() if labels}

    def undo(self, question: Question) -> None:
        from trionfi.interpreter.take_back import taken_back

        if self.session is not None:
            self.undo_in(self.session)
            return
        if not self.choices:
            self.asking.again(["there is nothing to take back"], wrong=True)
            return
        seat = self.game.labels[self.choices[-1]][0]
        if seat != question.decision.player:
            self.asking.again([f"the last choice was p{seat + 1}'s, it stands"], wrong=True)
            return
        try:
            self.game = taken_back(self.game, self.choices[-1], self.people)
        except CannotTakeBack as stands:
            self.asking.again([f"your choice stands: {stands}"], wrong=True)
            return
        self.choices.pop()
        self.forget_news()

    def undo_in(self, session: InPlay) -> None:
        try:
            session.take_back()
        except CannotTakeBack as stands:
            self.asking.again([str(stands)], wrong=True)
            return
        self.game = session.game
        self.forget_news()

    def forget_news(self) -> None:
        """Of what has been taken back."""
        self.told = {seat: min(told, len(self.log(seat))) for seat, told in self.told.items()}

    def leave(self, _question: Question) -> None:
        raise Left

    def help(self, _question: Question) -> None:
        self.asking.again([line for text in HELP for line in wrapped(text.split(), self.ink.width)])

    # ---- what is shown

    def log(self, player: int) -> Sequence[Mapping[str, Any]]:
        log: Any = self.game.view(player)["log"]
        return log  # type: ignore[no-any-return]

    def news(self, player: int) -> list[str]:
        """What has happened since that player was last asked, as that player saw it."""
        return list(news_lines(self.log(player)[self.told[player] :], self.ink))

    def picture(self, question: Question, news: Sequence[str]) -> list[str]:
        player = question.decision.player
        lines = [self.board.cards.coloured(line) for line in news]
        lines += ["", *self.board.lines(self.game.view(player), player), ""]
        return lines

    def show_end(self) -> None:
        """The table as it lies then, scores and winners. Cards that nobody has shown stay down."""
        viewer = self.people[0] if self.people else None
        log = self.log(viewer)[self.told[viewer] :] if viewer is not None else self.game.log
        for line in news_lines(log, self.ink):
            self.say(self.board.cards.coloured(line))
        view = shared_view([self.game.view(seat) for seat in self.people]) if self.people else self.game.state
        lines = ["", *self.board.lines(view, viewer if len(self.people) == 1 else None), ""]
        for line in [*lines, *result_lines(self.game)]:
            self.say(line)


def shared_view(views: list[dict[str, Any]]) -> dict[str, Any]:
    """What all of several people may know, for a screen that all look at."""
    shared = dict(views[0])
    for view in views[1:]:
        zones: dict[str, Any] = view["zones"]
        shared["zones"] = {
            key: [one if one == other else None for one, other in zip(cards, zones[key], strict=True)]
            for key, cards in shared["zones"].items()
            if key in zones
        }
        theirs: dict[str, Any] = view["variables"]
        shared["variables"] = {k: v for k, v in shared["variables"].items() if theirs.get(k) == v}
    return shared


def enough(labels: Sequence[str], about: str) -> str:
    """Labels in a line; of many that nobody has asked about only some."""
    if about or len(labels) <= MOST_LABELS:
        return ", ".join(labels)
    return f"{', '.join(labels[:MOST_LABELS])} and {len(labels) - MOST_LABELS} more"


COMMANDS: dict[str, Callable[[Table, Question], None]] = {
    "undo": Table.undo,
    "u": Table.undo,
    "quit": Table.leave,
    "q": Table.leave,
    "help": Table.help,
}
