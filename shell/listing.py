"""`trionfi list`: the games of the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from trionfi.shell.ink import wrapped
from trionfi.shell.printing import print_json, text_width

if TYPE_CHECKING:
    from trionfi.dsl.nodes import Mapping, Node

__all__ = ["show_list"]

INDENT = "    "


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of the list. `name` is what RULES takes; `usual`: how many are seated when nobody says how many;
    `opponents`: who plays against you, null where nobody does."""

    name: str
    title: str
    players: str
    usual: int
    opponents: str | None
    about: str

    @property
    def seats(self) -> str:
        """`2-7`, or with the usual number `3-6 (4)`."""
        ends = self.players.replace("..", "-")
        return ends if self.players.startswith(str(self.usual)) else f"{ends} ({self.usual})"

    @property
    def told(self) -> str:
        return f"{self.about} Opponents: {self.opponents}." if self.opponents else self.about


def show_list(as_json: bool) -> None:
    from trionfi.dsl.library import library_games

    games = [listed(name) for name in library_games()]
    if as_json:
        print_json([asdict(game) for game in games])
        return
    for line in list_lines(games, text_width()):
        print(line)


def list_lines(games: Sequence[Listed], width: int) -> Iterator[str]:
    """A line for each game with its name, players and title, and below it what it is about."""
    names, seats = (max(map(len, column)) for column in zip(*((one.name, one.seats) for one in games), strict=True))
    for game in games:
        yield from wrapped(game.title.split(), width, f"{game.name:{names}}  {game.seats:{seats}}  ", INDENT)
        yield from wrapped(game.told.split(), width, INDENT, INDENT)


def listed(name: str) -> Listed:
    """Reads the file and what it extends, and checks nothing: a list must come at once."""
    from trionfi.dsl.diagnostics import Diagnostics
    from trionfi.dsl.library import read_draft
    from trionfi.dsl.nodes import Mapping, Scalar

    draft = read_draft(name, Diagnostics())
    sections = draft.sections if draft else {}
    texts = {key: node.text for key, node in sections.items() if isinstance(node, Scalar)}
    players, usual = seats_of(sections.get("players"))
    strategies = sections.get("strategies")
    known = strategies.keys if isinstance(strategies, Mapping) else []
    opponents = texts.get("opponents") or (known[0] if len(known) == 1 else "random")
    about = " ".join(texts.get("about", "").split())
    return Listed(name, texts.get("name", ""), players, usual, None if players == "1" else opponents, about)


def seats_of(node: Node | None) -> tuple[str, int]:
    """`3..6`, and the usual number. Nothing is wrong in a ruleset of the library."""
    from trionfi.dsl.nodes import Mapping

    if isinstance(node, Mapping):
        return f"{word(node, 'from')}..{word(node, 'to')}", int(word(node, "usual") or word(node, "from"))
    written = "".join(node.text.split()) if node is not None and hasattr(node, "text") else "0"
    return written, int(written.partition("..")[0])


def word(mapping: Mapping, key: str) -> str:
    return getattr(mapping.get(key), "text", "")
