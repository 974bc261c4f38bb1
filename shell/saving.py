"""Games kept in files: whole after each move, never in the place of another game; gone on with later."""

from __future__ import annotations

import errno
import json
import os
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trionfi.shell.calls import CallError, Sitting
from trionfi.shell.command import command
from trionfi.shell.printing import note

if TYPE_CHECKING:
    from trionfi.evening.holding import Hold
    from trionfi.evening.in_play import InPlay
    from trionfi.interpreter.game import Game

__all__ = ["Going", "Keeper", "check_folder", "keeper_of", "kept_names", "record_text", "sitting_of"]

SELDOM = 1.0  # seconds between two times that the moves of bots are kept, which can be had again from the seed
# The file may be right, and still nothing can be written now.
OF_THE_MACHINE = {errno.ENOSPC, errno.EIO, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


def check_folder(record: Path | None) -> None:
    if record is None:
        return
    if not record.absolute().parent.is_dir():
        raise CallError(f"there is no folder `{record.parent}` for the record")
    if record.is_dir():
        raise CallError(f"`{record}` is a folder, not a file for the record")
    if record.exists() and not record.is_file():
        raise CallError(f"`{record}` is no file that could be replaced by a record")


def record_text(record: Mapping[str, Any]) -> str:
    """JSON with a line for each key, each move and each text."""
    lines = {key: json.dumps(value, ensure_ascii=False) for key, value in record.items()}
    moves = (json.dumps(move, ensure_ascii=False) for move in record["moves"])
    lines["moves"] = "[\n  " + ",\n  ".join(moves) + "\n ]" if record["moves"] else "[]"
    return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in lines.items()) + "\n}\n"


class Keeper:
    """Keeps one game in a file while it is played. `session` gives the record; `id`: what a game in the folder of all
    games is called, of which little is said."""

    def __init__(self, path: Path, session: InPlay, id: str = "") -> None:
        self.path = path
        self.session = session
        self.id = id
        self.tells = True  # at the end, how to go on
        self._trouble = ""  # why the last moves are not kept
        self._news = ""  # what has not been told yet
        self._kept = 0  # moves that the file holds
        self._ours: list[Stamp | None] = []  # the file as it was left, or is being left
        self._at = 0.0
        self._dated: list[int] | None = None  # the moves of the game that was left at the date that the file bears
        self._hold: Hold | None = None  # of the file, so that nobody else goes on with it meanwhile

    def begin(self, game: Game, resumed: Path | None) -> None:
        """Takes the file. Raises CallError if it holds another game, is being played, or can never be written."""
        if self.path.exists() and not (resumed is not None and self.path.samefile(resumed)):
            check_free(self.path, game)
        self._take()
        self._ours = [stamp(self.path)]
        self._kept = len(game.moves) if self._ours[0] else 0
        self._dated = list(game.moves) if resumed is not None else None
        try:
            self._write(game)
        except OSError as error:
            if error.errno not in OF_THE_MACHINE:
                raise CallError(f"the record cannot be written: {self.path}: {error.strerror}") from None
            self._complain(error)

    def _take(self) -> None:
        from trionfi.evening.holding import BeingPlayed, hold_of

        with suppress(OSError):  # what keeps us from reading it need not keep us from writing
            try:
                self._hold = hold_of(self.path)
            except BeingPlayed:
                raise CallError(being_played(self.path)) from None

    def _let_go(self) -> None:
        if self._hold is not None:
            self._hold.let_go()
        self._hold = None

    def keep(self, game: Game, at_once: bool = True) -> None:
        """Writes the game as it is now. If that fails the file stays as it was, and the game can go on."""
        if not at_once and time.monotonic() - self._at < SELDOM:
            return
        try:
            self._write(game)
        except OSError as error:
            self._complain(error)
        else:
            self._news = f"the game is kept in {self.path} again" if self._trouble else self._news
            self._trouble = ""

    def news(self) -> str:
        """What is to be told at the table, once."""
        news, self._news = self._news, ""
        return news

    def _write(self, game: Game) -> None:
        from trionfi.evening.holding import Hold
        from trionfi.interpreter.whole_file import whole_file

        self._at = time.monotonic()
        now = stamp(self.path)
        if now is not None and now not in self._ours:
            raise OSError(errno.EEXIST, "somebody else has changed the file, it is left as it is", str(self.path))
        # JSON has the same escapes for what is no UTF-8 in the name of a folder
        data = record_text(self.session.record(game)).encode("utf-8", "backslashreplace")
        with whole_file(self.path) as file:
            file.write(data)
            file.flush()
            if now is not None and self._dated == game.moves and os.utime in os.supports_fd:
                os.utime(file.fileno(), ns=(now[-1], now[-1]))  # nobody has played since: it was left then
            hold = Hold.of_new(file.fileno())
            self._ours.append(seal(os.fstat(file.fileno())))
        self._let_go()
        self._hold = hold
        self._ours, self._kept = self._ours[-1:], len(game.moves)
        self._dated = self._dated if self._dated == game.moves else None

    def _complain(self, error: OSError) -> None:
        trouble = f"{self.path}: {error.strerror}"
        if trouble != self._trouble:
            self._news = f"the game cannot be kept now ({trouble}), but goes on"
        self._trouble = trouble

    def end(self, game: Game) -> bool:
        """Keeps the game for the last time; says so, or what is lost, and how to go on. True if all is kept."""
        try:
            return self._end(game)
        finally:
            self._let_go()

    def _end(self, game: Game) -> bool:
        if self.id and not self.session.has_choices:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
            return True
        self.keep(game)
        if self._trouble:
            note(f"trionfi: kept only up to move {self._kept} of {len(game.moves)}: {self._trouble}")
        elif not self.id:
            note(f"kept in {self.path}")
        if not game.over and self.path.exists() and self.tells:
            note(f"go on with: {command()} play --resume {self.id or shlex.quote(str(self.path))}")
        return not self._trouble or bool(self.id)


def keeper_of(session: InPlay, record: Path | None, resumed: Path | None, keeps: bool) -> Keeper | None:
    """Who keeps the game: in the file that the call names, else, if anything is to be kept, in the one that it goes on
    with, or, if people play, in the folder of all games. Raises CallError."""
    from trionfi.evening.kept import is_kept

    path = record or (resumed if keeps else None)
    if path is not None:
        keeper = Keeper(path, session, path.stem if is_kept(path) else "")
        keeper.begin(session.game, resumed)
        return keeper
    return keeper_in_folder(session) if keeps and resumed is None and session.people else None


def keeper_in_folder(session: InPlay) -> Keeper | None:
    """None where the folder cannot be written; that is told."""
    from trionfi.evening.kept import make_room, new_place

    try:
        path = new_place(session.game.rules.key)
        keeper = Keeper(path, session, path.stem)
        keeper.begin(session.game, path)
        make_room(keep=path)
    except OSError as error:
        note(f"trionfi: this game cannot be kept: {error.filename or 'its folder'}: {error.strerror or error}")
        return None
    except CallError as error:
        note(f"trionfi: this game cannot be kept: {error}")
        return None
    return keeper


Stamp = tuple[int, ...]


def stamp(path: Path) -> Stamp | None:
    """What changes when anybody writes the file; None if there is none."""
    try:
        return seal(path.stat())
    except FileNotFoundError:
        return None


def seal(found: os.stat_result) -> Stamp:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def check_free(path: Path, game: Game) -> None:
    """That a file is empty, or holds nothing but the first moves of this game. Raises CallError."""
    from trionfi.interpreter.game import how_it_began
    from trionfi.shell.replaying import read_record

    if path.stat().st_size == 0:
        return
    go_on = f"give another name, or go on with it: {command()} play --resume {shlex.quote(str(path))}"
    try:
        other = read_record(path)
    except CallError:
        raise CallError(f"`{path}` is no record of a game, and is left as it is; give another name") from None
    began = {key: value for key, value in how_it_began(game).items() if key not in ("trionfi", "path")}
    if any(other.get(key) != value for key, value in began.items()):
        raise CallError(f"`{path}` holds another game, and is left as it is; {go_on}")
    moves = [tuple(move) for move in other["moves"]]
    if moves != game.labels[: len(moves)]:
        raise CallError(f"`{path}` holds this game with {len(moves)} moves, and is left as it is; {go_on}")


# ---- going on


class Going(NamedTuple):
    """A game that is gone on with: its file, and the record in it."""

    path: Path
    record: Mapping[str, Any]


def sitting_of(
    path: Path, name: str | None, seats: Sequence[str], bots: Sequence[str], engine: str | None
) -> tuple[Sitting, Sequence[str], dict[str, Any]]:
    """The rules and who sat where, from a record, unless the call says otherwise: also the seats that people play.

    `name`: where the rules are, if they are not to be those that the record holds.
    """
    from trionfi.interpreter.records import check_rules
    from trionfi.shell.calls import bots_by_seat, open_rules, seat_count, seat_numbers
    from trionfi.shell.replaying import read_record, rules_of

    check_not_played(path)
    record = read_record(path)
    if name is None:
        rules = rules_of(record, path, [])
    else:
        rules = open_rules(name, [f"{option}={spoken_value(value)}" for option, value in record["options"].items()])
        check_rules(rules, record)  # before its bots, whom another ruleset does not know
    count = seat_count(rules, record["players"])
    told = bots_by_seat(rules, bots, count)
    sat = [*record.get("bots", [])]
    before = bots_by_seat(rules, [f"{seat}={bot}" for seat, bot in enumerate(sat, start=1) if bot is not None], count)
    if seats:
        before = {seat: bot for seat, bot in before.items() if seat not in seat_numbers(seats, count)}
    elif sat:
        seats = [str(seat + 1) for seat, bot in enumerate(sat) if bot is None and seat not in told]
    return Sitting(rules, count, before | told, record["seed"], engine), seats, record


def check_not_played(path: Path) -> None:
    """That no other terminal goes on with the game just now. Raises CallError."""
    from trionfi.evening.holding import is_played

    if path.is_file() and is_played(path):
        raise CallError(being_played(path))


def being_played(path: Path) -> str:
    from trionfi.evening.kept import is_kept

    name = path.stem if is_kept(path) else path
    return f"`{name}` is being played at another terminal; when it is left there it can be gone on with"


def spoken_value(value: object) -> str:
    """An option's value of a record as `--set` takes it."""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def kept_names(record: Mapping[str, Any], players: int) -> dict[int, str]:
    """What the players of a record were called, if they can be."""
    from trionfi.evening.seated import wrong_names

    names = record.get("names", [])
    return dict(enumerate(names)) if len(names) == players and not wrong_names(names) else {}
