"""What a game has told is kept as far as there is room: of a very long one the oldest lines are left out."""

from __future__ import annotations

import pytest

from trionfi.interpreter.rules import load
from trionfi.table.witness import Witness

from .nasty import game

TURN = """repeat 40 times:
  p1 chooses number from 0 to 3 as bid
  say "bid {bid}"
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_oldest_lines_are_left_out_and_counted(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = game(TURN)
    whole = load("log.yaml", text=text).start(seed=1, engine=engine)
    while not whole.over:
        whole.apply(2)
    assert len(whole.log) == 80
    monkeypatch.setattr("trionfi.interpreter.state.MOST_LOGGED", 100)
    short = load("log.yaml", text=text).start(seed=1, engine=engine)
    witness = Witness(short, [0])
    while not short.over:
        short.apply(2)
        witness.follow(short)
    first, *rest = short.log
    assert first == {"say": f"({80 - len(rest)} older lines are left out)"}
    assert 30 < len(rest) < 50
    assert rest == whole.log[80 - len(rest) :]
    told = [event.kind for event in witness.events if event.kind in ("said", "chosen")]
    assert told == ["chosen", "said"] * 40, "who looks on is told each line when it comes"
