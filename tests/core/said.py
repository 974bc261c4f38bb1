"""What expressions and scripts come to in the reference engine, the core and the native engine, which say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import dedent, indent
from typing import Any

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules, load

from .alike import playing_the_core

HEAD = """\
trionfi: 1
name: Said
about: A game that says what things are.
players: 4
"""
SECTIONS = {
    "deck": "deck: {from: standard, ace: high}",
    "table": "table: {stock: {start: deck, face: down}, hand: {per: player, face: up}, pile: {face: up}}",
    "result": "result: {score(player): 0}",
}


def rules_of(script: str, sections: str = "") -> Rules:
    """A game with that play; `sections` as YAML are further ones, or others in the place of those above."""
    given = dedent(sections).strip("\n")
    own = {line.split(":")[0] for line in given.splitlines() if line[:1].isalpha()}
    parts = [HEAD.rstrip(), *(text for name, text in SECTIONS.items() if name not in own), given]
    play = indent(dedent(script).strip("\n"), "  ")
    return load("said", text="\n".join([*(part for part in parts if part), f"play: |\n{play}", ""]))


def everywhere(rules: Rules, play: Callable[[str], Any]) -> Any:
    """What `play(engine)` gives, which must be the same in each; of a game that stops its words."""

    def outcome(engine: str) -> Any:
        try:
            return play(engine)
        except GameError as error:
            return f"{error.code}: {error}"

    with playing_the_core():
        core = outcome("reference")
    found = {"reference": outcome("reference"), "core": core, "native": outcome("native")}
    assert found["core"] == found["reference"]
    assert found["native"] == found["reference"]
    return found["reference"]


def said(script: str, sections: str = "", moves: Sequence[str] = (), cards: Mapping[str, Sequence[str]] = {}) -> Any:
    """The lines that a game says, with these moves by their labels."""
    rules = rules_of(script, sections)

    def play(engine: str) -> list[str]:
        game = rules.deal(seed=1, engine=engine, cards=cards)
        for label in moves:
            assert game.decision is not None
            move = game.decision.move_called(label)
            assert move is not None, f"{label} is not offered: {game.decision}"
            game.apply(move)
        return [str(entry["say"]) for entry in game.log if "say" in entry]

    return everywhere(rules, play)


def values(expressions: Mapping[str, object], sections: str = "", before: str = "") -> None:
    """Asserts what each expression is, in all engines."""

    def line(expression: str, value: object) -> str:
        return f'say "{{1 if {expression} else 0}}"' if isinstance(value, bool) else f'say "{{{expression}}}"'

    lines = [line(one, value) for one, value in expressions.items()]
    wanted = [str(int(value)) if isinstance(value, bool) else str(value) for value in expressions.values()]
    told = said("\n".join([dedent(before).strip("\n"), *lines]), sections)
    assert dict(zip(expressions, told, strict=True)) == dict(zip(expressions, wanted, strict=True))
