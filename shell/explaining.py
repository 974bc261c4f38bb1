"""`trionfi explain`: the rules of a game as text, made from the checked tree alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trionfi.shell.calls import CallError, open_rules
from trionfi.shell.printing import text_width

if TYPE_CHECKING:
    from trionfi.dsl.tree import Ruleset

__all__ = ["explain_rules"]


def explain_rules(name: str, settings: list[str], part: str) -> None:
    """Prints the rulebook, or what is to be said of one part."""
    from trionfi.shell.prose.rulebook import rulebook_lines

    rules = open_rules(name, settings)
    width = text_width()
    for line in part_lines(rules.ruleset, part, width) if part else rulebook_lines(rules.ruleset, width):
        print(line)


def part_lines(ruleset: Ruleset, part: str, width: int) -> Iterator[str]:
    from trionfi.dsl.diagnostics import did_you_mean
    from trionfi.shell.prose.rulebook import parts_of_game

    parts = parts_of_game(ruleset)
    names = {name.casefold(): name for name in parts}
    wanted = part.casefold().replace(" ", "_")
    found = names.get(wanted) or names.get(part.casefold())
    if found is None:
        hint = did_you_mean(part, parts) or f"there are {', '.join(sorted(parts))}"
        raise CallError(f"{ruleset.name} has no part `{part}`; {hint}")
    for number, lines in enumerate(parts[found]):
        yield from [""] if number else []
        yield from lines(width)
