"""`trionfi stats`: one's own games by ruleset."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trionfi.shell.calls import CallError
from trionfi.shell.command import command
from trionfi.shell.printing import note, print_json, text_width

if TYPE_CHECKING:
    from trionfi.evening.figures import Figures

__all__ = ["forget_games", "show_stats"]


def show_stats(rules: str | None, as_json: bool) -> None:
    from trionfi.evening.figures import figures_of
    from trionfi.evening.kept import unfinished
    from trionfi.evening.ledger import entries

    found = figures_of(entries(), None if rules is None else key_of(rules))
    left = unfinished(None if rules is None else key_of(rules))
    if as_json:
        print_json({"games": [one.to_dict() for one in found], "unfinished": [game.id for game in left]})
        return
    if not found:
        print(f"no finished games{'' if rules is None else f' of {rules}'}")
    for line in table_of(found) if found else ():
        print(line)
    if left:
        print(f"left unfinished: {len(left)}; go on with: {command()} play")


def key_of(rules: str) -> str:
    """What a ruleset is called in records: its name, or that of its file."""
    from trionfi.dsl.library import find

    path = find(rules)
    return rules.removesuffix(".yaml").rpartition("/")[2] if path is None else path.stem


def table_of(found: Sequence[Figures]) -> list[str]:
    from trionfi.interpreter.columns import Column, table_lines
    from trionfi.interpreter.report_text import figure

    named = any(one.player != "you" for one in found)
    columns = [
        Column("", [one.rules for one in found], right=False),
        *([Column("player", [one.player for one in found], right=False)] if named else []),
        Column("games", [str(one.games) for one in found]),
        Column("won", [share(one.won, one.games) for one in found]),
        Column("tied", [share(one.shared, one.games) for one in found], weight=2),
        Column("mean score", ["-" if one.mean is None else figure(one.mean) for one in found], weight=4),
        Column("best", ["-" if one.best is None else figure(one.best) for one in found], weight=3),
        Column("with undo", [str(one.taken_back) for one in found], weight=1),
        Column("again", [str(one.repeated) for one in found], weight=1),
    ]
    return list(table_lines(columns, text_width()))


def share(some: int | None, of: int) -> str:
    return "-" if some is None or not of else f"{some} ({some / of:.0%})"


# ---- forgetting


def forget_games(rules: str | None, sure: bool) -> None:
    """Deletes the games and figures of all rulesets, or of one, after a question. Raises CallError, OSError."""
    from trionfi.evening import kept, ledger
    from trionfi.evening.holding import is_played

    key = None if rules is None else key_of(rules)
    known = [game for game in kept.kept_games() if key in (None, game.rules)]
    games = [game for game in known if not is_played(game.path)]
    if len(games) < len(known):
        stays = "stays" if len(known) - len(games) == 1 else "stay"
        note(f"{kept.counted(len(known) - len(games), 'game')} being played {stays}")
    counted = sum(key in (None, entry["rules"]) for entry in ledger.entries())
    if not games and not counted:
        note("there is nothing to forget")
        return
    left = sum(not game.is_over for game in games)
    what = f"{kept.counted(len(games), 'kept game')} ({left} of them unfinished) and the figures of {counted}"
    if not sure and not agrees(f"delete {what}? [y/N] "):
        note("nothing is deleted")
        return
    kept.forget(key)
    ledger.forget(key)
    note(f"deleted {what}")


def agrees(question: str) -> bool:
    if not sys.stdin.isatty():
        raise CallError("stats --forget asks before it deletes; without a terminal say --yes")
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
