"""What stands on a command line, read: rulesets, options, seats, bots. What is wrong there is a `CallError`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trionfi.dsl.numbers import read_whole
from trionfi.shell.command import command

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules

__all__ = [
    "CallError",
    "Sitting",
    "check_there",
    "names_by_seat",
    "open_rules",
    "option_settings",
    "seat_numbers",
    "with_settings",
]


TRUTHS = {"yes": "true", "true": "true", "on": "true", "no": "false", "false": "false", "off": "false"}


class CallError(Exception):
    """The call is wrong (exit code 2): the message says how."""


# ---- rulesets


def check_there(name: str) -> None:
    """That a ruleset of the library is called so, or a file lies there."""
    from trionfi.dsl.diagnostics import did_you_mean
    from trionfi.dsl.library import find, library_files, library_games

    if find(name) is not None:
        return
    path = Path(name)
    if path.is_dir():
        raise CallError(f"`{name}` is a folder, not a ruleset file")
    if path.exists():
        raise CallError(f"`{name}` is not a ruleset file: those end in .yaml")
    hint = did_you_mean(path.stem, library_games()) or did_you_mean(path.stem, library_files())
    what = f"there is no file `{name}`" if path.suffix or path.parent != Path() else f"there is no ruleset `{name}`"
    raise CallError(f"{what}; {hint or f'`{command()} list` shows the library'}")


def open_rules(name: str, settings: Iterable[str] = ()) -> Rules:
    """The checked ruleset with options set. Raises RulesError if the ruleset is wrong, CallError if an option is."""
    from trionfi.interpreter.rules import load

    check_there(name)
    return with_settings(load(name), settings)


def with_settings(rules: Rules, settings: Iterable[str]) -> Rules:
    """The rules with options set, from `NAME=VALUE` each."""
    from trionfi.dsl.diagnostics import RulesError

    try:
        return rules.with_options(as_declared(rules, option_settings(settings)))
    except RulesError as error:
        wrong = (f"{d.message}; {d.hint}" if d.hint else d.message for d in error.diagnostics)
        raise CallError("\ntrionfi: ".join(wrong)) from None


def option_settings(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` each; the last of a name counts."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise CallError(f"--set wants NAME=VALUE, as in --set chips=100; this is `{text}`")
        settings[name.strip()] = value.strip()
    return settings


def as_declared(rules: Rules, settings: Mapping[str, str]) -> dict[str, str]:
    """Names and values as the ruleset has them, where they are typed as they are shown: `no limit` for `no_limit`,
    `yes` for `true`, in any case."""
    names = {folded(name): name for name in rules.options}
    told = {names.get(folded(name), name): value for name, value in settings.items()}
    return {name: value_as_declared(rules, name, value) for name, value in told.items()}


def value_as_declared(rules: Rules, name: str, value: str) -> str:
    last = name.rpartition(".")[2]
    variables = {one.name: one for one in rules.ruleset.variables}
    thing = rules.ruleset.options.get(name) or variables.get(last)
    if thing is None:
        return value
    if thing.type.kind == "truth":
        return TRUTHS.get(value.casefold(), value)
    if thing.type.kind != "enum":
        return value
    members = rules.ruleset.enumerations[thing.type.name].members
    alike = [member for member in members if folded(member) == folded(value)]
    return alike[0] if value not in members and len(alike) == 1 else value


def folded(word: str) -> str:
    return "_".join(word.casefold().replace("-", " ").replace("_", " ").split())


# ---- seats


@dataclass(frozen=True, slots=True)
class Sitting:
    """The rules and who plays them: what `play` and `simulate` are both told. `bots`: a name by seat, from 0."""

    rules: Rules
    players: int
    bots: Mapping[int, str]
    seed: int | None
    engine: str | None

    @classmethod
    def of(
        cls,
        name: str,
        settings: Sequence[str] | None,
        players: int | None,
        bots: Sequence[str] | None,
        seed: int | None,
        engine: str | None,
    ) -> Sitting:
        """As the command line says it. Raises CallError, and RulesError if the ruleset is wrong."""
        rules = open_rules(name, settings or ())
        count = seat_count(rules, players)
        return cls(rules, count, bots_by_seat(rules, bots or (), count), seed, engine)


def seat_count(rules: Rules, players: int | None) -> int:
    """How many play: as said, else as many as is usual in the ruleset."""
    low, high = rules.players
    if players is None:
        return seated(rules, rules.usual_players)
    if not low <= players <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise CallError(f"{rules.name} is for {wanted} players, not {players}")
    return seated(rules, players)


def seated(rules: Rules, players: int) -> int:
    """So many, if there are seats for all that is set."""
    try:
        return rules.seats(players)
    except ValueError as error:
        raise CallError(str(error)) from None


def seat_number(text: str, players: int) -> int:
    """A seat, from 0: `1`, or `p1`."""
    digits = text.strip().lower().removeprefix("p")
    if not digits.isdecimal() or not 1 <= (read_whole(digits) or 0) <= players:
        raise CallError(f"there is no seat `{text}`: the seats are 1 to {players}")
    return int(digits) - 1


def seat_numbers(texts: Iterable[str], players: int) -> list[int]:
    """Seats, from 0, in order."""
    return sorted({seat_number(text, players) for text in texts})


def bots_by_seat(rules: Rules, texts: Sequence[str], players: int) -> dict[int, str]:
    """A bot's name by seat, from `SEAT=BOT` each (`all=BOT`: every seat that has no bot of its own)."""
    bots: dict[int, str] = {}
    every: dict[int, str] = {}
    for text in texts:
        seat, equals, name = (part.strip() for part in text.partition("="))
        if not equals:
            raise CallError(f"--bot wants SEAT=BOT, as in --bot 2=first; this is `{text}`")
        check_bot(rules, name)
        those = dict.fromkeys(range(players) if seat == "all" else [seat_number(seat, players)], name)
        told = every if seat == "all" else bots
        if those.keys() & told.keys():
            raise CallError(f"--bot tells `{seat}` twice")
        told.update(those)
    return every | bots


def names_by_seat(texts: Sequence[str], players: int) -> dict[int, str]:
    """What players are called, from `SEAT=NAME` each."""
    from trionfi.evening.seated import wrong_names
    from trionfi.interpreter.names import player_name

    names: dict[int, str] = {}
    for text in texts:
        seat, equals, name = (part.strip() for part in text.partition("="))
        if not equals:
            raise CallError(f"--name wants SEAT=NAME, as in --name 1=Ann; this is `{text}`")
        names[seat_number(seat, players)] = name
    if reason := wrong_names([names.get(seat, player_name(seat)) for seat in range(players)]):
        raise CallError(reason)
    return names


def check_bot(rules: Rules, name: str) -> None:
    from trionfi.interpreter.bots import UnknownBot, check_name

    try:
        check_name(rules, name)
    except UnknownBot as unknown:
        raise CallError(str(unknown)) from None
