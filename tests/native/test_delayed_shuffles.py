"""A pile that is shuffled is drawn card by card, as its cards are wanted: the games are the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.core.desugar import desugar
from trionfi.core.ops import Op
from trionfi.core.passes.dead import silenced
from trionfi.interpreter.native.emission.shuffling import MARK
from trionfi.interpreter.native.engine import Use
from trionfi.interpreter.native.table import table_of
from trionfi.interpreter.rules import Rules, load

from .test_playout import both

TEXT = """\
trionfi: 1
name: Piles
players: 2
deck: standard
table:
  stock: {{start: deck, face: down}}
  hand: {{per: player, face: up}}
  aside: {{face: up}}
variables:
  marked: {{kind: player}}
  seen: {{start: 0}}
play: |
  shuffle stock
  deal 3 from stock to p1.hand
  {then}
  deal up to 2 from stock to p2.hand
  {later}
  deal up to 12 from stock to aside
  p1 chooses number from 1 to 2 as kept
  seen = seen + kept
result:
  score(player): (sum of card.rank.place for each card in player.hand) + seen + (100 if player is marked else 0)
"""
LINES = {
    "nothing": "add 1 to seen",
    "a draw": "marked = random player",
    "another shuffle": "shuffle stock",
    "a shuffle of other cards": "shuffle p1.hand",
    "the top card": "add stock.top.rank.place to seen",
    "cards on top": "move p1.hand to stock",
    "cards below": "move p1.hand to bottom of stock",
    "cards taken out": "move (all cards in stock where card.suit is hearts) to p1.hand",
    "all gathered": "move all cards to stock face down",
    "all moved": "move stock to p1.hand",
    "a sum": "add (sum of card.rank.place for each card in stock where card.suit is hearts) * (stock.top.rank.place if stock.count > 0 else 0) to seen",
    "a search": "if any card in stock where card.rank is queen: add 1 to seen",
}


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str, str], Rules]:
    def write(then: str, later: str) -> Rules:
        path = tmp_path / "piles.yaml"
        path.write_text(TEXT.format(then=LINES[then], later=LINES[later]))
        return load(path)

    return write


@pytest.mark.parametrize("then", LINES)
def test_the_same_cards_come(then: str, made: Callable[[str, str], Rules]) -> None:
    lines = list(LINES)
    later = lines[(lines.index(then) * 5 + 3) % len(lines)]
    rules = made(then, later)
    code = table_of(rules, 2).code
    assert MARK in code.lower(Use.PLAYOUT).layout.fields
    native, reference = both(rules, 2, ("random", "random"), 40)
    assert native == reference


def test_what_nobody_hears_is_not_worked_out(rules: Callable[..., Rules]) -> None:
    program = desugar(rules("blackjack").ruleset)
    less = str(silenced(program, {Op.KNOWN_BY, Op.LEARN}))
    assert "known_by" in str(program)
    assert "zone_seers" not in less
