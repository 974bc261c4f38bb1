"""`trionfi explain`: the rulebook of a game, or one part of it, made from the checked tree alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, assert_never

from trionfi.shell.calls import CallError, open_rules
from trionfi.shell.printing import text_width

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules
    from trionfi.shell.prose.page import Block

__all__ = ["Format", "explain_rules"]

Format = Literal["text", "markdown", "html"]


def explain_rules(name: str, settings: list[str], part: str, form: Format = "text", full: bool = False) -> None:
    """Prints the rulebook, or what is to be said of one part, as text in columns, Markdown or an HTML page."""
    from trionfi.shell.hand_examples import example_hands
    from trionfi.shell.prose.rulebook import rulebook

    rules = open_rules(name, settings)
    blocks = part_blocks(rules, part) if part else rulebook(rules.ruleset, rules.values, full, example_hands(rules))
    for line in written(blocks, form, rules.name):
        print(line)


def written(blocks: Iterable[Block], form: Format, title: str) -> Iterator[str]:
    """The lines of a page."""
    from trionfi.shell.prose.page import html_lines, markdown_lines, terminal_lines

    match form:
        case "text":
            return terminal_lines(blocks, text_width())
        case "markdown":
            return markdown_lines(blocks)
        case "html":
            return html_lines(title, blocks)
        case _:
            assert_never(form)


def part_blocks(rules: Rules, part: str) -> Iterator[Block]:
    from trionfi.dsl.diagnostics import did_you_mean
    from trionfi.shell.prose.parts import parts_of_game

    parts = parts_of_game(rules.ruleset, rules.values)
    names = {name.casefold(): name for name in parts}
    wanted = part.casefold().replace(" ", "_")
    found = names.get(wanted) or names.get(part.casefold())
    if found is None:
        hint = did_you_mean(part, parts) or f"there are {', '.join(sorted(parts))}"
        raise CallError(f"{rules.name} has no part `{part}`; {hint}")
    return (block for blocks in parts[found] for block in blocks())
