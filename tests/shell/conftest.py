"""Small games for the table."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules, load
from trionfi.shell.ink import Ink
from trionfi.shell.lines import LineTable
from trionfi.shell.session import Session

sys.path.insert(0, str(Path(__file__).parent))  # for terminal.py beside this file

# Three of five cards are thrown away, then a number is said; the reason of `may_throw` is the author's.
THROWN = """trionfi: 1
name: Thrown Away
players: 2
deck: {from: standard, keep: "card.rank is 2..4"}
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down, capacity: 6}
  thrown: {face: up}
define:
  may_throw(player p, card):
    is: card.suit is not hearts or no card c in p.hand where c.suit is not hearts
    else: "{p} keeps hearts, as the {card}"
play: |
  shuffle stock
  deal 6 from stock to each hand
  p1 chooses 2 cards from p1.hand where may_throw(p1, card) as away
  move away to thrown
  p1 chooses number from 1 to 9 step 3 as bid
  p2 chooses as reply:
    "take it" if thrown is not empty: say "{p2} takes it"
    "leave it" if bid > 5: say "{p2} leaves it"
  p1 chooses 0..2 cards from p1.hand as rest
  move rest to thrown
result:
  score(player): 10 - player.hand.count
"""


@pytest.fixture(scope="session")
def thrown() -> Rules:
    return load("thrown.yaml", text=THROWN)


@pytest.fixture
def sit_down() -> Callable[..., Any]:
    """`sit_down(game, people, answers)` plays to the end, or until the answers end: table, text."""

    def sit(game: Any, people: list[int], answers: str, width: int = 80) -> SimpleNamespace:
        out = io.StringIO()
        session = Session(game, people)
        table = LineTable(session, out, io.StringIO(answers), Ink(width=width))
        return SimpleNamespace(table=table, out=out, session=session)

    return sit
