"""Calls in the reference engine: what is given and returned, and how many statements are passed."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

import pytest

from trionfi.dsl import tree
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.errors import GameError, InternalError
from trionfi.interpreter.reference import compiler
from trionfi.interpreter.rules import Rules

Small = Callable[..., Rules]

TOO_MANY = "takes 1,000 steps"


def played(rules: Rules, *moves: int) -> dict[str, Any]:
    """The variables after these moves of a game of two."""
    game: Any = rules.deal(players=2, seed=1, engine="reference")
    for move in moves:
        game.apply(move)
    variables: dict[str, Any] = game.state["variables"]
    return variables


# ---- procedures and defines


ASKS = '\n    p1 chooses as ready:\n      "yes": asked = asked + 1'


@pytest.mark.parametrize(("asks", "asked"), [("", 0), (ASKS, 5)])
def test_each_call_has_names_of_its_own_and_returns_where_it_says(small: Small, asks: str, asked: int) -> None:
    sections = f"""
variables: {{high: 0, low: 0, note: 7, asked: 0}}
procedures:
  inner(number n): |{asks}
    let own = n * n
    if own > 10: return own
    return 0 - own
  middle(number n): |{asks}
    let own = n + 1
    let given = 0
    given = inner(own)
    return given * 100 + own
  outer(number n): |
    if n > 1: return middle(n * 2)
    return 0
  note_down(number n): |{asks}
    let own = n
    if own > 3: return
    note = own
"""
    rules = small("let own = 2\nhigh = outer(own)\nlow = middle(own - 1)\nnote_down(9)\nhigh = high + own", sections)
    assert played(rules, *[0] * asked) == {"high": 2507, "low": -398, "note": 7, "asked": asked}


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("zero_of()", 3),
        ("one_of(5)", 8),
        ("two_of(5, 7)", 60),
        ("three_of(5, 7, 9)", 582),
        ("four_of(2, 5, 7, 9)", 2582),
    ],
)
def test_defines_take_their_arguments_in_order_and_name_things_beyond_them(small: Small, call: str, value: int) -> None:
    sections = """
variables: {result: 0, points: {per: player, start: 3}}
define:
  zero_of(): highest of p.points for each player p
  one_of(number a): highest of a + p.points for each player p
  two_of(number a, number b): highest of a * 10 + b + p.points for each player p
  three_of(number a, number b, number c): highest of a * 100 + b * 10 + c + p.points for each player p where a < b and b < c
  four_of(number a, number b, number c, number d): a * 1000 + three_of(b, c, d)
"""
    assert played(small(f"result = {call}", sections))["result"] == value


# ---- how many statements are passed


@pytest.fixture
def a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "MOST_STATEMENTS", 1000)


@pytest.mark.usefixtures("a_thousand")
@pytest.mark.parametrize(
    "loop", ["repeat until turns is {}:", "while turns < {}:", "repeat {} times:", "for i from 1 to {}:"]
)
@pytest.mark.parametrize(("body", "passes"), [(["turns = turns + 1"], 500), (["turns = turns + 1", "zero = 0"], 333)])
def test_a_pass_weighs_its_statements_and_one_more(small: Small, loop: str, body: list[str], passes: int) -> None:
    lines = indent("\n".join(body), "  ")
    most, beyond = (
        small(f"{loop.format(number)}\n{lines}", "variables: {turns: 0, zero: 0}") for number in (passes, passes + 1)
    )
    assert played(most)["turns"] == passes
    with pytest.raises(GameError, match=TOO_MANY):
        played(beyond)


BOTS = """
variables: {x: 0}
strategies:
  patient:
    ready: |
      let turns = 0
      repeat until turns is 500: turns = turns + 1
      pick "no"
  endless:
    ready: |
      let turns = 0
      repeat until turns is 501: turns = turns + 1
      pick "no"
"""


@pytest.mark.usefixtures("a_thousand")
def test_a_strategy_counts_its_statements_from_nothing(small: Small) -> None:
    lines = '  "yes": x = 1\n  "no": x = 2\n'
    game: Any = small(f"repeat 500 times: x = 0\np1 chooses as ready:\n{lines}", BOTS).deal(engine="reference")
    assert game.ask_strategy("patient", Stream(1, 2)) == 1
    with pytest.raises(GameError, match=TOO_MANY):
        game.ask_strategy("endless", Stream(1, 2))


# ---- what is known before play


def test_what_fails_before_play_stops_the_game_where_it_is_read(small: Small) -> None:
    sections = "variables: {x: 1}\noptions: {share: {default: 0, range: 0..5}}"
    assert played(small("if x is 0: x = 10 / share rounded down", sections))["x"] == 1
    with pytest.raises(GameError, match="division by zero") as caught:
        played(small("if x is 1: x = 10 / share rounded down", sections))
    assert caught.value.span.text.startswith("10 / share")


@pytest.mark.parametrize("node", [tree.Assign, tree.VariableValue])
def test_a_node_without_a_meaning_is_named(small: Small, monkeypatch: pytest.MonkeyPatch, node: type) -> None:
    rules = small("x = x", "variables: {x: 1}")
    monkeypatch.delitem(compiler.MEANINGS, node)
    with pytest.raises(InternalError, match=f"no meaning for {node.__name__}"):
        played(rules)
