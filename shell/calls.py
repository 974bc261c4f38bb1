"""What stands on a command line, read: rulesets, options, seats, bots. What is wrong there is a `CallError`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules

__all__ = ["CallError", "open_rules", "option_settings", "seat_bots", "seat_count", "seat_numbers"]


class CallError(Exception):
    """The call is wrong (exit code 2): the message says how."""


def option_settings(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` each; the last of a name counts."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise CallError(f"--set wants NAME=VALUE, as in --set chips=100; this is `{text}`")
        settings[name.strip()] = value.strip()
    return settings


def seat_count(rules: Rules, players: int | None) -> int:
    """How many play: as said, else as few as the ruleset allows."""
    low, high = rules.players
    if players is None:
        return low
    if not low <= players <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise CallError(f"{rules.name} is for {wanted} players, not {players}")
    return players


def seat_number(text: str, players: int) -> int:
    """A seat, from 0: `1`, or `p1`."""
    digits = text.strip().lower().removeprefix("p")
    if not digits.isdecimal() or not 1 <= int(digits) <= players:
        raise CallError(f"there is no seat `{text}`: the seats are 1 to {players}")
    return int(digits) - 1


def seat_numbers(texts: Iterable[str], players: int) -> list[int]:
    return sorted({seat_number(text, players) for text in texts})


def seat_bots(rules: Rules, texts: Sequence[str], players: int) -> list[str]:
    """A bot's name for each seat, from `SEAT=BOT` each (`all=BOT`: every seat); else `random`."""
    from trionfi.interpreter.bots import bot_names

    bots = ["random"] * players
    known = bot_names(rules)
    for text in texts:
        seat, equals, name = text.partition("=")
        if not equals:
            raise CallError(f"--bot wants SEAT=BOT, as in --bot 2={known[-1]}; this is `{text}`")
        check_bot(name.strip(), known, rules)
        seats = range(players) if seat.strip() == "all" else [seat_number(seat, players)]
        for number in seats:
            bots[number] = name.strip()
    return bots


def check_bot(name: str, known: Sequence[str], rules: Rules) -> None:
    from trionfi.dsl.diagnostics import did_you_mean

    if name not in known:
        hint = did_you_mean(name, known)
        raise CallError(f"{rules.name} knows no bot `{name}`" + (f"; {hint}" if hint else f": {', '.join(known)}"))
