"""Numbers that are none until they are set, in the reference engine, the core and the native engine."""

from __future__ import annotations

import pytest

from trionfi.dsl import read_ruleset
from trionfi.interpreter.rules import Rules

from .said import everywhere, rules_of, said

NUMBERS = """
variables:
  bid: {per: player, kind: number}
  best: {kind: number}
define:
  shown(number n): n
  is_none_yet(player): player.bid is none
"""


def test_it_is_none_until_it_is_set() -> None:
    script = """
    say "{count of players where player.bid is none} {p1.bid} {shown(p1.bid)}"
    p1.bid = 0
    p2 chooses number from 0 to 3 as p2.bid
    say "{count of is_none_yet players} {p1.bid} {p2.bid}"
    if best is none or p2.bid > best: best = p2.bid
    add 2 to best
    say "{best} {1 if best is 5 else 0} {1 if p3.bid is 5 else 0} {1 if p3.bid is best else 0}"
    best = none
    say "{1 if best is none else 0}"
    let copied = p3.bid
    p4.bid = copied
    say "{p4.bid}"
    """
    assert said(script, NUMBERS, ["3"]) == ["4 none none", "2 0 3", "5 1 0 0", "1", "none"]


@pytest.mark.parametrize(
    "script",
    [
        "add 1 to best",
        "subtract 1 from best",
        "add best to p1.bid",
        'say "{best + 1}"',
        'say "{-best}"',
        'say "{larger(best, 1)}"',
        "if best > 1: stop_here()",
        "if 3 is best..5: stop_here()",
        "repeat best times: stop_here()",
        "for i from best to 3: take(i)",
        "deal best from stock to p1.hand",
        "p1 chooses number from 0 to best as p1.bid",
        'say "{sum of player.bid for each player}"',
        'say "{highest of player.bid for each player}"',
        'say "{stock[best]}"',
        'say "{top best cards in stock}"',
        "p1 chooses best cards from p1.hand as kept\nmove kept to pile",
        "p1 chooses number from 1 to 9 step best as p1.bid",
        'say "{lowest of (best if player is p1 else 3) for each player}"',
        'say "{median of best for each player}"',
        'say "{the player with highest player.bid}"',
        "best = best * 2",
    ],
)
def test_where_a_number_is_needed_the_game_stops(script: str) -> None:
    procedures = 'procedures:\n  stop_here(): say "here"\n  take(number n): say "{n}"\n'
    sections = NUMBERS + "  asked(): best is none\n" + procedures
    assert said(script, sections).startswith("none-used: ")


def test_a_number_of_which_nobody_asks_starts_with_zero() -> None:
    """As in files of before, in which nothing could ask; it is told."""
    text = "trionfi: 1\nname: N\nabout: x\nplayers: 2\ndeck: standard\ntable: {stock: {start: deck, face: down}}\n"
    text += "variables: {last: {kind: number}}\nplay: |\n  add 1 to last\nresult: {score(player): last}\n"
    ruleset, diagnostics = read_ruleset("n.yaml", text)
    assert ruleset is not None
    assert [one.code for one in diagnostics] == ["number-without-start"]
    rules = Rules(ruleset)
    assert everywhere(rules, lambda engine: list(rules.start(seed=1, engine=engine).scores)) == [1, 1]


def test_it_is_shown_once_it_is_set() -> None:
    """A bid of nothing is a bid."""
    rules = rules_of("p1.bid = 0\np1 chooses 1 suit as led", NUMBERS + "  asked(): best is none\n")
    game = rules.deal(seed=1)
    assert game.state["variables"]["p1.bid"] == 0  # type: ignore[index]
    assert game.state["variables"]["p2.bid"] is None  # type: ignore[index]


def test_a_test_may_set_it_to_none() -> None:
    rules = rules_of(
        'say "{1 if best is none else 0}"',
        NUMBERS.replace("kind: number}\n  best", "start: 0}\n  best").replace("player.bid is none", "best is none"),
    )
    assert everywhere(rules, lambda engine: rules.deal(engine=engine, set={"best": 4}).log) == [{"say": "0"}]
    assert everywhere(rules, lambda engine: rules.deal(engine=engine, set={"best": "none"}).log) == [{"say": "1"}]
