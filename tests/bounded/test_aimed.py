"""Plays together are aimed at so many things and no more: every engine stops at the play that is one too many."""

from __future__ import annotations

import pytest

from trionfi.interpreter.core_engine.program import core_game
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import load

from ..core.alike import core_program
from .nasty import game

TABLE = "{stock: {start: deck, face: down}, hand: {per: player, face: up}, field: {plays: 9, face: up}}"
EFFECTS = """
  2 of clubs: {targets: 2 cards from p1.hand, while in force: each target has suit hearts}
  3 of clubs: {targets: 1 play from plays, retargets: target}"""
PLAYS = "deal 6 from stock to p1.hand\n" + "\n".join(
    f"move {card} to p2.hand\np2 plays {card}" for card in ("2 of clubs", "3 of clubs", "2 of clubs")
)
# Two cards; a play, and for it its number and two cards; two cards.
AIMED = 2 + 1 + 1 + 2 + 2


def stop_of(engine: str, most: int, monkeypatch: pytest.MonkeyPatch) -> GameError | None:
    for module in ("core.desugar.plays", "interpreter.reference.plays"):
        monkeypatch.setattr(f"trionfi.{module}.MOST_AIMED", most)
    rules = load("aimed.yaml", text=game(PLAYS, table=TABLE, effects=EFFECTS, name=f"Aimed {most}"))
    try:
        started = (
            core_game(rules, core_program(rules, 2), 1) if engine == "core" else rules.start(seed=1, engine=engine)
        )
        while not started.over:
            started.apply(0)
    except GameError as error:
        return error
    return None


@pytest.mark.parametrize("engine", ["reference", "core", "native"])
def test_plays_are_aimed_at_so_many_things(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stop_of(engine, AIMED, monkeypatch) is None
    for most, effect in ((AIMED - 1, "2 of clubs"), (5, "3 of clubs"), (1, "2 of clubs")):
        stopped = stop_of(engine, most, monkeypatch)
        assert stopped is not None
        assert (stopped.code, stopped.span.text) == ("too-many-targets", effect)
