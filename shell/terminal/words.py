"""What the table says of itself: its keys, its help, the rules of the moment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from trionfi.shell.ink import wrapped

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.shell.terminal.choosing import Choosing

__all__ = ["HELP", "help_lines", "keys_line", "rules_lines", "speed_word"]

HELP = (
    "Cards and options are chosen with the arrows, the mouse, or by typing: 2c, queen, the beginning of a name.",
    "Enter takes what you have moved to or typed; nothing is chosen beforehand.",
    "Where an option shows a letter and no card is asked for, the letter alone chooses it.",
    "Of several cards the space bar ticks one; Enter takes those that are ticked.",
    "A number is typed, or moved to: up and down by a step, left and right from one usual amount to the next.",
    "",
    "?        and a card or an option: why it is not offered, what it does; ? alone: all of that",
    "Ctrl-U   takes your last choice back, where nobody has learnt from it",
    "Ctrl-T   a hint from the ruleset's own strategy",
    "Ctrl-R   the rules of the moment",
    "Ctrl-Q   leaves the table",
    "Ctrl-Z   puts the game aside until `fg`",
    "< >      slower and faster; any key hurries what is being shown",
    "PgUp     what happened before",
    "F4       suits in four colours, or in two",
)
BRIEF = {
    "a letter or arrows, Enter": "letter or arrows",
    "arrows or type, Enter": "type, then Enter",
    "space ticks, Enter takes": "space, then Enter",
}
KEYED = re.compile(r"\S+( >)?  ")
SPEEDS = {0.0: "at once", 0.3: "fast", 0.7: "as people do", 1.4: "slowly"}


def help_lines(width: int) -> list[str]:
    """The help, what belongs to a key below one another."""
    lines = []
    for line in HELP:
        key, gap, text = line.partition("  ") if KEYED.match(line) else ("", "", line)
        lines += wrapped(text.split(), width, f"{key:<9}" if gap else "", " " * 9 if gap else "")
    return lines


def speed_word(seconds: float) -> str:
    return SPEEDS.get(seconds, f"every {seconds} s")


def keys_line(choosing: Choosing | None, waiting: str, width: int) -> Text:
    """The keys that matter now."""
    if choosing is None:
        return Text(" any key goes on" if waiting else " any key hurries   < > speed", no_wrap=True)
    first = "a letter or arrows, Enter" if choosing.menu.by_letter else "arrows or type, Enter"
    if choosing.menu.is_of_several:
        first = "space ticks, Enter takes"
    parts = [first, "? why not", "^T hint", "^U undo", "^R rules", "F1 help", "^Q leave"]
    for least, instead in (
        ("^R rules", ""),
        ("^T hint", ""),
        (first, BRIEF[first]),
        ("? why not", "? why"),
        ("^U undo", ""),
    ):
        if len(" · ".join(parts)) > width - 2:
            parts = [part for one in parts if (part := instead if one == least else one)]
    return Text(" " + " · ".join(parts), no_wrap=True, overflow="ellipsis")


def rules_lines(game: Game, width: int) -> list[str]:
    """What the rulebook says of what is asked, and what the game is about."""
    from trionfi.shell.prose.parts import rules_of_moment

    rules, decision = game.rules, game.decision
    lines = wrapped(rules.ruleset.about.split(), width) if rules.ruleset.about else []
    told = list(rules_of_moment(rules.ruleset, decision.name, width, rules.values)) if decision is not None else []
    return [*lines, "", *told] if told else lines
