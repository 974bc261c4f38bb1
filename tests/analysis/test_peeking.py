"""Strategies that know more than their player are refused, and no others."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

Text = Callable[..., str]
Said = Callable[[str], list[str]]

TABLE = """
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down}
  kitty: {face: down}
  pile: {face: up}
  piles: {piles: 2}"""
PLAY = """|
  shuffle stock
  deal 2 from stock to each hand
  deal 1 from stock to pile
  deal 1 from stock to kitty
  for each player: deal 1 from stock to piles[1] face down
  kept = kitty.top
  p1 chooses 1 card from p1.hand as lead
  move lead to pile
  p2 chooses as answer:
    "high": wanted = true
    "low": wanted = false"""
VARIABLES = "{wanted: {start: false}, kept: {kind: card}}"
RESULT = "{score(player): sum of card.rank.place for each card in player.hand}"
HONEST = {
    "the own hand": ("lead", "pick the card in player.hand with highest card.rank"),
    "what lies open": ("lead", "if pile.top.suit is cups: pick the card in options with lowest card.rank"),
    "how many cards another has": ("answer", 'pick "high" if p1.hand.count > 1 else "low"'),
    "what may lie open": ("answer", 'if kitty.top.face is up and kitty.top.rank is 6: pick "high"'),
    "a public variable": ("answer", 'pick "high" if wanted else "low"'),
    "each of what it sees": ("lead", "for each card in options where card.suit is pile.top.suit: pick card"),
    "so many times as it sees": (
        "lead",
        "repeat p1.hand.count times: pick (the card in options with lowest card.rank)",
    ),
    "a card kept in a variable that lies open": ("answer", 'if kept.face is up and kept.suit is cups: pick "high"'),
    "the cards of the deck": ("lead", "if (count of cards where card.suit is cups) > 5: pick player.hand.top"),
    "is there a card in a variable": ("answer", 'pick "high" if kept is none else "low"'),
    "of players the one who decides": (
        "answer",
        'if any player q where q is player and q.hand.top.suit is cups: pick "high"',
    ),
    "for each player, if it is who decides": (
        "answer",
        'for each player q:\n  if player is q and (any card in q.hand where card.suit is cups): pick "high"',
    ),
    "chance": ("answer", 'if chance(1, 2): pick "high"'),
}
SLY = {
    "another's hand": ("answer", 'if player.opponent.hand.top.rank is 6: pick "high"', "player.opponent.hand"),
    "through a name": ("answer", 'let his = p1.hand.top\npick "high" if his.rank is 6 else "low"', "p1.hand"),
    "one of all": ("answer", 'if any card in kitty where card.suit is cups: pick "high"', "kitty"),
    "where a card is": ("answer", 'if 6 of cups in p1.hand: pick "high"', "p1.hand"),
    "the next card": (
        "lead",
        "pick (the card in player.hand with highest card.rank) if stock.top.suit is cups else player.hand.top",
        "stock",
    ),
    "in a loop": ("answer", 'let n = 0\nwhile kitty.top.rank is 6 and n < 1:\n  add 1 to n\npick "low"', "kitty"),
    "so many times": (
        "answer",
        'let n = 0\nrepeat (kitty.top.rank.place) times: add 1 to n\nif n > 2: pick "high"',
        "kitty",
    ),
    "as far as": ("answer", 'let n = 0\nfor i from 1 to kitty.top.rank.place: n = i\nif n > 2: pick "high"', "kitty"),
    "which of many": ("lead", "for each card in options where card.rank is kitty.top.rank: pick card", "kitty"),
    "what is counted": ("answer", 'let n = 0\nadd (kitty.top.rank.place) to n\nif n > 2: pick "high"', "kitty"),
    "what is handed on": (
        "answer",
        (
            "let a = player.hand.top\nlet b = player.hand.top\nlet c = player.hand.top\nlet d = player.hand.top\n"
            'for i from 1 to 5:\n  if a.suit is cups: pick "high"\n  a = b\n  b = c\n  c = d\n  d = kitty.top'
        ),
        "kitty",
    ),
    "what is kept and not used": ("answer", 'let n = 10 mod kitty.top.rank.place\npick "low"', "kitty"),
    "a card kept in a variable": ("answer", 'if kept.suit is cups: pick "high"', "kept"),
    "where a card kept in a variable lies": ("answer", 'if kept in p1.hand: pick "high"', "p1.hand"),
    "which card is kept in a variable": ("answer", 'if any card in p1.hand where card is kept: pick "high"', "kept"),
    "by chance": ("answer", 'if chance(kitty.top.rank.place, 6): pick "high"', "kitty"),
    "a hidden card picked": ("lead", "pick kitty.top", "kitty"),
    "the points of another": ("answer", 'if p1.score > 5: pick "high"', "player.hand"),
    "of players the other one": (
        "answer",
        'if any player q where q is not player and q.hand.top.suit is cups: pick "high"',
        "q.hand",
    ),
    "each one": ("answer", 'for each card in p1.hand:\n  if card.suit is cups: pick "high"', "p1.hand"),
}


def peeks(small_game: Text, said: Said, decision: str, script: str) -> list[str]:
    strategies = f"\n  bot:\n    {decision}: |\n{indent(script, ' ' * 6)}"
    text = small_game(table=TABLE, variables=VARIABLES, play=PLAY, result=RESULT, strategies=strategies)
    found = said(text)
    assert not [one for one in found if " > error " in one and "[strategy-peeks]" not in one]
    return [one for one in found if "[strategy-peeks]" in one]


@pytest.mark.parametrize(("decision", "script"), HONEST.values(), ids=HONEST.keys())
def test_what_its_player_knows_a_strategy_may_ask(small_game: Text, said: Said, decision: str, script: str) -> None:
    assert peeks(small_game, said, decision, script) == []


@pytest.mark.parametrize(("decision", "script", "hidden"), SLY.values(), ids=SLY.keys())
def test_a_strategy_that_looks_at_hidden_cards(
    small_game: Text, said: Said, decision: str, script: str, hidden: str
) -> None:
    message, *_ = peeks(small_game, said, decision, script)
    assert " > error " in message
    assert f"`bot` hangs on `{hidden}`, which `player` cannot see" in message
