"""`trionfi play`: one game with plain text, numbered choices, a line each; at a terminal or from a pipe."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from trionfi.shell.calls import CallError, Sitting, seat_numbers
from trionfi.shell.printing import note, print_json

if TYPE_CHECKING:
    from trionfi.interpreter.game import Decision, Game
    from trionfi.interpreter.rules import Rules

__all__ = ["Table", "move_for", "play_game", "result_lines", "view_lines"]


class OutOfInput(Exception):
    """The input has ended before the game."""


def play_game(sitting: Sitting, seats: Sequence[str], number: int, record: Path | None, as_json: bool) -> bool:
    """Plays game `number`; True if it came to its end. With `as_json` the record is the data and the table a note."""
    from trionfi.interpreter.bots import bots_for_seats, seat_bots
    from trionfi.interpreter.simulate import draw_seed

    rules, count = sitting.rules, sitting.players
    people = people_at(seats, sitting.bots, count)
    if record is not None and not record.absolute().parent.is_dir():
        raise CallError(f"there is no folder `{record.parent}` for the record")
    seed = draw_seed() if sitting.seed is None else sitting.seed
    game = rules.start(players=count, seed=seed, game=number, engine=sitting.engine)
    bots = seat_bots(rules, bots_for_seats(rules, sitting.bots, count), seed, number)
    table = Table(game, people, sys.stderr if as_json else sys.stdout, sys.stdin)
    table.say(f"{rules.name}, {count} players, seed {seed}" + (f", game {number}" if number else ""))
    try:
        table.play(bots)
    except OutOfInput:
        note("trionfi: the input has ended before the game was over")
    except KeyboardInterrupt:
        keep(game, record, as_json=False)
        raise
    keep(game, record, as_json)
    return game.over


def people_at(seats: Sequence[str], bots: Mapping[int, str], players: int) -> list[int]:
    """The seats that people play: those named, else the first unless a bot was named for it."""
    if not seats:
        return [] if 0 in bots else [0]
    people = seat_numbers(seats, players)
    for seat in people:
        if seat in bots:
            raise CallError(f"seat {seat + 1} is yours and cannot be played by {bots[seat]}")
    return people


def keep(game: Game, record: Path | None, as_json: bool) -> None:
    if record is not None:
        record.write_text(record_text(game.record()), encoding="utf-8")
        note(f"kept in {record}")
    if as_json:
        print_json(game.record())


def record_text(record: Mapping[str, Any]) -> str:
    """JSON with a line for each key and each move."""
    lines = {key: json.dumps(value, ensure_ascii=False) for key, value in record.items()}
    moves = (json.dumps(move, ensure_ascii=False) for move in record["moves"])
    lines["moves"] = "[\n  " + ",\n  ".join(moves) + "\n ]" if record["moves"] else "[]"
    return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in lines.items()) + "\n}\n"


class Table:
    """A game as it is shown to the people in it, and asked of them."""

    def __init__(self, game: Game, people: list[int], out: IO[str], answers: IO[str]) -> None:
        self.game = game
        self.people = people
        self.out = out
        self.answers = answers
        self.told = dict.fromkeys(people or [-1], 0)  # how much of the log each has seen

    def say(self, text: str = "") -> None:
        print(text, file=self.out)

    def play(self, bots: list[Callable[[Game], int]]) -> None:
        """To the end. Raises OutOfInput."""
        decision = self.game.decision
        while decision is not None:
            if decision.player in self.people:
                self.game.apply(self.ask(decision))
            else:
                self.game.apply(bots[decision.player](self.game))
            decision = self.game.decision
        self.show_end()

    def ask(self, decision: Decision) -> int:
        """Shows what that player may know and asks until an answer fits."""
        self.show_news(decision.player)
        self.say()
        for line in view_lines(self.game.view(decision.player), self.game.rules):
            self.say(line)
        for line in choice_lines(decision):
            self.say(line)
        while True:
            print(f"p{decision.player + 1}> ", end="", file=self.out, flush=True)
            line = self.answers.readline()
            if not line:
                self.say()
                raise OutOfInput
            if not self.answers.isatty():
                self.say(line.strip())
            move = move_for(decision, line)
            if move is not None:
                return move
            note(f"`{line.strip()}` is not offered; {wanted(decision)}")

    def show_news(self, player: int) -> None:
        """What has happened since that player was last asked, as that player saw it."""
        log: Any = self.game.log if player < 0 else self.game.view(player)["log"]
        for entry in log[self.told[player] :]:
            self.say(f"  {log_line(entry)}")
        self.told[player] = len(log)

    def show_end(self) -> None:
        for player in self.told:
            self.show_news(player)
        self.say()
        for line in result_lines(self.game):
            self.say(line)


# ---- what is shown


def result_lines(game: Game) -> Iterator[str]:
    """Scores and winners; of a game that goes on, who is asked."""
    if game.decision is not None:
        yield f"the game goes on: p{game.decision.player + 1} is asked for {game.decision.name}"
    if game.scores is not None and game.winners is not None:
        yield "score: " + ", ".join(f"p{seat + 1} {score}" for seat, score in enumerate(game.scores))
        names = " and ".join(f"p{seat + 1}" for seat in game.winners)
        yield f"{names} {'wins' if len(game.winners) == 1 else 'win'}" if names else "nobody wins"


def card_name(rules: Rules, number: int) -> str:
    """The name of a card by its number in views."""
    count = len(rules.cards)
    return rules.cards[number] if number < count else f"{rules.cards[number - count]} reversed"


def view_lines(view: Mapping[str, Any], rules: Rules) -> Iterator[str]:
    """Zones in which something lies, then variables that are not nothing."""
    for name, cards in view["zones"].items():
        if any(card is not None for card in cards):
            yield f"  {name}: " + ", ".join("-" if card is None else card_name(rules, card) for card in cards)
        elif cards:
            yield f"  {name}: {counted(len(cards))}"
    values = [f"{name} {shown(value)}" for name, value in view["variables"].items() if value]
    if values:
        yield from wrapped(values)


def counted(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def shown(value: object) -> str:
    if value is True:
        return "yes"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def wrapped(pieces: Iterable[str], width: int = 78) -> Iterator[str]:
    line = " "
    for piece in pieces:
        if len(line) + len(piece) + 2 > width and line.strip():
            yield line.rstrip()
            line = " "
        line += f" {piece};"
    yield line.rstrip(";")


def log_line(entry: Mapping[str, Any]) -> str:
    """A line of the log."""
    if "say" in entry:
        return str(entry["say"])
    return f"p{entry['player'] + 1} {entry['decision']}: {entry['label']}"


def choice_lines(decision: Decision) -> Iterator[str]:
    """The decision's name and what may be chosen, numbered from 1."""
    if decision.is_number:
        step = f" in steps of {decision.step}" if decision.step != 1 else ""
        yield f"p{decision.player + 1}, {decision.name}: a number from {decision.low} to {decision.high}{step}"
        return
    yield f"p{decision.player + 1}, {decision.name}:"
    labels = decision.labels()
    width = len(str(len(labels)))
    for number, label in enumerate(labels, start=1):
        yield f"  {number:>{width}}  {label}"


def wanted(decision: Decision) -> str:
    if decision.is_number:
        return f"a number from {decision.low} to {decision.high} is wanted"
    return f"a number from 1 to {decision.count} is wanted, or a label"


def move_for(decision: Decision, line: str) -> int | None:
    """The move that an answer means: an option's number from 1, or its label; for a number the number itself."""
    text = line.strip()
    if not decision.is_number and text.isdecimal() and 1 <= int(text) <= decision.count:
        return int(text) - 1
    return decision.move_called(text)
