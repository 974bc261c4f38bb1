"""A game that comes to no end is stopped, in both engines at the same decision, with the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

import trionfi.interpreter.game
import trionfi.interpreter.native.blocks
import trionfi.interpreter.native.emission.asking
import trionfi.interpreter.native.game
import trionfi.interpreter.reference.game
from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import load
from trionfi.shell import validating

MODULES = (
    trionfi.interpreter.game,
    trionfi.interpreter.native.blocks,
    trionfi.interpreter.native.game,
    trionfi.interpreter.native.emission.asking,
    trionfi.interpreter.reference.game,
)
MOST = 300
TEXT = """\
trionfi: 1
name: Patience
about: For tests.
players: 2
deck: standard
options:
  turns: {default: 0, range: 0..1000}
table:
  stock: {start: deck}
variables:
  passed: 0
play: |
  repeat until passed is turns and turns > 0:
    p1 chooses as turn_choice:
      "pass": add 1 to passed
result:
  score(player): passed
"""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for module in MODULES:
        monkeypatch.setattr(module, "MOST_DECISIONS", MOST)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("turns", [0, MOST, MOST + 1])
def test_the_last_decision_is_the_same(turns: int) -> None:
    rules = load("patience", text=TEXT, options={"turns": turns})
    met = []
    for engine in ("reference", "native"):
        game = rules.start(players=2, seed=1, engine=engine)
        try:
            game.play_on(seat_bots(rules, ["first"] * 2, 1, 0))
            met.append(str(game.scores))
        except GameError as error:
            met.append(str(error))
    try:
        met.append(str([total.mean for total in BlockPlayer(rules, 2, ["first"] * 2, 1).play(0, 1).scores]))
    except GameError as error:
        met.append(str(error))
    assert ("passes 300 decisions" in met[0] and "after 300 moves" in met[0]) == (turns != MOST)
    assert met[0] == met[1]
    assert met[0] == met[2] or turns == MOST


@pytest.mark.usefixtures("few")
def test_validation_plays_long_games_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("patience", text=TEXT)
    monkeypatch.setattr(validating, "LONG", 20)
    found = list(validating.faults_in_play(rules))
    assert [one.code for one in found] == ["game-without-end"]  # the first that has no end is told, no other tried
    assert list(validating.faults_in_play(load("patience", text=TEXT, options={"turns": MOST}))) == []
