"""`trionfi play`: games at a table in the terminal; from a pipe, one choice a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO

from trionfi.evening.in_play import InPlay
from trionfi.evening.seated import Seated
from trionfi.shell.calls import CallError, Sitting, seat_numbers
from trionfi.shell.lines import Left, LineTable, OutOfInput
from trionfi.shell.printing import note, print_json
from trionfi.shell.saving import Going, Keeper, check_folder, keeper_of
from trionfi.shell.session import Session
from trionfi.shell.stopping import undisturbed

__all__ = ["fetch_table", "people_at", "play_game"]


def play_game(
    sitting: Sitting,
    seats: Sequence[str],
    number: int,
    record: Path | None,
    as_json: bool,
    going: Going | None = None,
    names: Mapping[int, str] | None = None,
    keeps: bool = True,
    is_plain: bool = False,
) -> bool:
    """Plays game `number`, kept in `record`, and as many more as are wanted; True if the last came to its end, and is
    kept. With `as_json` the record is the data and the table a note. `keeps`: in the folder of all games, too."""
    check_folder(record)
    seated = seated_of(sitting, seats, number, names or {})
    session = InPlay.begun(seated) if going is None else InPlay.gone_on(seated, going.record)
    keeper = keeper_of(session, record, None if going is None else going.path, keeps)
    fine = play_session(session, keeper, as_json, keeps, is_plain)
    of_a_file = keeper is not None and not keeper.id  # which holds this one game
    while fine and not of_a_file and (following := what_next(session, as_json)) is not None:
        session = InPlay.begun(following)
        fine = play_session(session, keeper_of(session, None, None, keeps), as_json, keeps, is_plain)
    return fine


def play_session(in_play: InPlay, keeper: Keeper | None, as_json: bool, counts: bool, is_plain: bool) -> bool:
    """One game, to its end or as far as it goes; True if it came to its end, and is kept. `counts`: it goes into the
    statistics."""
    out = sys.stderr if as_json else sys.stdout
    session = Session(in_play.game, in_play.people, keeper, in_play.seated.names, in_play)
    ended = ""
    try:
        sit_down(session, title_of(in_play), out, is_plain)
    except OutOfInput:
        ended = "the input has ended before the game was over"
        if keeper is not None and keeper.id:
            keeper.tells = sys.stdin.isatty()  # a script has not asked for its game to be kept
    except Left:
        ended = "you have left the table"
    except BaseException:  # Ctrl-C, a signal, a closed pipe, a fault of the ruleset
        try:
            break_off(session, out)
        except KeyboardInterrupt:  # a terminal that is closed ends the input, and sends a signal just then
            break_off(session, out)
            raise
        raise
    try:
        is_kept = end_game(session, ended)
    except KeyboardInterrupt:
        end_game(session, ended)
        raise
    if counts:
        in_play.note_end(lambda text: note(f"trionfi: {text}"))
    if as_json:
        print_json(in_play.record())
    return in_play.game.over and is_kept


def break_off(session: Session, out: IO[str]) -> None:
    """What is still done when something has stopped the game."""
    with undisturbed():
        with suppress(OSError):
            print(file=out)
        if session.keeper is not None:
            session.keeper.end(session.game)


def end_game(session: Session, ended: str) -> bool:
    """Whether the game is kept, if it is to be."""
    with undisturbed():
        if ended:
            note(f"trionfi: {ended}")
        return session.keeper is None or session.keeper.end(session.game)


def sit_down(session: Session, title: str, out: IO[str], is_plain: bool) -> None:
    """Plays to the end, at the table of a terminal or by lines. Raises OutOfInput, Left."""
    if not is_plain and is_terminal(out):
        from trionfi.shell.terminal.seating import sit_at_terminal

        sit_at_terminal(session, session.bots, session.game.rules.name)
        for line in end_lines(session):
            print(line, file=out)
        return
    table = LineTable(session, out, sys.stdin)
    table.say_words(title)
    table.play(session.bots)


def fetch_table(is_plain: bool) -> None:
    """Loads what draws the table, while the rules are read."""
    from threading import Thread

    if not is_plain and is_terminal(sys.stdout):
        Thread(target=lambda: import_module("trionfi.shell.terminal.seating"), daemon=True).start()


def is_terminal(out: IO[str]) -> bool:
    """Whether all ends are a terminal that knows more than lines."""
    streams = (sys.stdin, out, sys.stderr)  # Textual paints on stderr
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def end_lines(session: Session) -> Iterator[str]:
    """What stays on the screen when the table has gone."""
    end = session.table_for_all().end
    if end is not None:
        yield "score: " + ", ".join(f"{name} {score}" for name, score in end.scores)
        yield end.summary.title


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
