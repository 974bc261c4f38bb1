"""`trionfi list`: the games of the library."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from trionfi.shell.printing import print_json, print_table, terminal_width

__all__ = ["show_list"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list: `name` is what RULES takes."""

    name: str
    title: str
    players: str
    about: str


def show_list(as_json: bool) -> None:
    from trionfi.dsl.library import library_games

    games = [listed(name) for name in library_games()]
    if as_json:
        print_json([asdict(game) for game in games])
    else:
        rows = [(game.name, game.title, game.players.replace("..", "-"), game.about) for game in games]
        print_table(rows, terminal_width())


def listed(name: str) -> Listed:
    """Reads the file and what it extends, and checks nothing: a list must come at once."""
    from trionfi.dsl.diagnostics import Diagnostics
    from trionfi.dsl.library import read_draft
    from trionfi.dsl.nodes import Scalar

    draft = read_draft(name, Diagnostics())
    texts = {key: node.text for key, node in draft.sections.items() if isinstance(node, Scalar)} if draft else {}
    return Listed(name, texts.get("name", ""), texts.get("players", ""), " ".join(texts.get("about", "").split()))
