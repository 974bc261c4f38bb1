"""In lines, at a terminal: what is played next, and what was left unfinished before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING

from trionfi.evening.seated import Seated, WrongName
from trionfi.shell.calls import CallError, names_by_seat, seat_numbers

if TYPE_CHECKING:
    from trionfi.evening.kept import KeptGame

__all__ = ["ask_what_next", "ask_which"]

PROMPT = "a another deal, s same deal, c seats, n names, q leave > "
OFFERED = 9  # games that are listed, the last first


def ask_what_next(seated: Seated, answers: IO[str], out: IO[str]) -> Seated | None:
    """The next game; None when the evening is over."""
    now = seated
    while True:
        word = asked(PROMPT, answers, out, at_end="quit")
        if word in ("q", "quit", "leave"):
            return None
        if word in ("a", "another"):
            return now.next_deal() if now is seated else now
        if word in ("s", "same"):
            return now.same_deal()
        if word not in CHANGES:
            if word:
                print(f"`{word}` is none of these", file=out)
            continue
        try:
            now = CHANGES[word](now, answers, out)
        except (CallError, WrongName) as wrong:
            print(wrong, file=out)


def asked(prompt: str, answers: IO[str], out: IO[str], at_end: str = "") -> str:
    """What is typed, in small letters; `at_end` at the end of the input."""
    print(prompt, end="", file=out, flush=True)
    line = answers.readline()
    if not line:
        print(file=out)
        return at_end
    return " ".join(line.split()).casefold()


def change_seats(seated: Seated, answers: IO[str], out: IO[str]) -> Seated:
    """The people sit elsewhere, at the next deal."""
    many = len(seated.people)
    where = "which seat is yours" if many == 1 else f"which {many} seats are yours, in the order of now"
    told = asked(f"{where} (1 to {seated.players})? ", answers, out).replace(",", " ").split()
    people = [seat for one in told for seat in seat_numbers([one], seated.players)]
    if len({*people}) != many:
        raise CallError(f"{many} different seats are wanted" if many > 1 else "one seat is wanted")
    moved = seated.seated_at(people)
    print(f"at the next deal: {', '.join(f'seat {seat + 1}' for seat in moved.people)}", file=out)
    return moved


def change_names(seated: Seated, answers: IO[str], out: IO[str]) -> Seated:
    alone = len(seated.people) == 1
    wanted = "your name, or SEAT=NAME as in 2=Bob" if alone else "SEAT=NAME, as in 1=Ann 2=Bob"
    print(f"{wanted}> ", end="", file=out, flush=True)
    line = " ".join(answers.readline().split())
    if alone and line and "=" not in line:
        return seated.called({seated.people[0]: line})
    return seated.called(names_by_seat(line.split(), seated.players))


CHANGES: dict[str, Callable[[Seated, IO[str], IO[str]], Seated]] = {
    "c": change_seats,
    "change": change_seats,
    "n": change_names,
    "names": change_names,
}


def ask_which(games: Sequence[KeptGame], answers: IO[str], out: IO[str], can_begin: bool) -> KeptGame | None:
    """The game that is gone on with; None for a new one, or for none at all where no new one can begin."""
    print("You left:", file=out)
    for number, game in enumerate(games[:OFFERED], start=1):
        print(f"  {number}  {game.text}", file=out)
    other = "Enter begins a new game" if can_begin else "Enter leaves"
    while True:
        word = asked(f"A number goes on with one, {other}> ", answers, out)
        if word == "":
            return None
        if word.isdecimal() and 1 <= int(word) <= min(OFFERED, len(games)):
            return games[int(word) - 1]
        print(f"`{word}` is none of these", file=out)
