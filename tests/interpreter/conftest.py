"""Small games, written in the test that needs them."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from trionfi.interpreter.rules import Rules, load

HEAD = """\
trionfi: 1
name: Small
about: A game for a test.
players: 2..4
"""

DECK = "deck: {ranks: [ace, 2, 3, 4, jack], suits: [cups, swords], orientations: [upright, reversed]}\n"

TABLE = """\
table:
  stock: {start: deck}
  hand: {per: player, seen_by: owner}
  pile: {face: up}
  hidden: {face: down}
  spot: {row: [left_spot, middle_spot, right_spot]}
"""

RESULT = """\
result:
  score(player): 0
"""


@pytest.fixture
def small() -> Callable[..., Rules]:
    """`small(play, sections)`: rules whose play is a script; `sections` are further ones, as YAML, or others instead."""

    def make(play: str, sections: str = "", head: str = HEAD) -> Rules:
        given = dedent(sections)
        parts = [head, *(part for part in (DECK, TABLE, RESULT) if part.split(":")[0] not in top_keys(given)), given]
        script = indent(dedent(play).strip("\n"), "  ")
        return load("small", text="".join(f"{part.rstrip()}\n" for part in parts if part) + f"play: |\n{script}\n")

    return make


def top_keys(text: str) -> set[str]:
    return {line.split(":")[0] for line in text.splitlines() if line and not line.startswith((" ", "#"))}
