"""What has happened, as lines: the log since a player was last asked, the end of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.shell.ink import Ink, wrapped
from trionfi.shell.zones import spoken

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game

__all__ = ["log_line", "news_lines", "result_lines"]

MOST_NEWS = 12
SECRET = "chooses in secret"


def log_line(entry: Mapping[str, Any]) -> str:
    """A line of the log."""
    if "say" in entry:
        return str(entry["say"])
    label = SECRET if entry["label"] is None else entry["label"]
    return f"p{entry['player'] + 1} {spoken(entry['decision'])}: {label}"


def news_lines(log: Sequence[Mapping[str, Any]], ink: Ink) -> Iterator[str]:
    """The last lines of a log, and how many came before."""
    lines = told_once(log)
    if len(lines) > MOST_NEWS:
        yield f"  {ink.signs['more']} {len(lines) - MOST_NEWS} more before"
    for line in lines[-MOST_NEWS:]:
        yield from wrapped(line.split(), ink.width, "  ", "    ")


def told_once(log: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line an entry; what one player picks one after another in one choice stands in one line."""
    lines: list[str] = []
    before: object = None
    for entry in log:
        same = (entry["player"], entry["decision"]) if "say" not in entry else None
        if same is None or same != before or entry["decision"] == "orientation":
            lines.append(log_line(entry))
        elif entry["label"] is not None and not lines[-1].endswith(f": {SECRET}"):
            lines[-1] += f", {entry['label']}"
        before = same
    return lines


def result_lines(game: Game) -> Iterator[str]:
    """Scores and winners; of a game that goes on, who is asked."""
    if game.decision is not None:
        yield f"the game goes on: p{game.decision.player + 1} is asked for {game.decision.name}"
    if game.scores is not None and game.winners is not None:
        yield "score: " + ", ".join(f"p{seat + 1} {score}" for seat, score in enumerate(game.scores))
        names = " and ".join(f"p{seat + 1}" for seat in game.winners)
        yield f"{names} {'wins' if len(game.winners) == 1 else 'win'}" if names else "nobody wins"
