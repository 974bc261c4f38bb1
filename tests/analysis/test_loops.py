"""Loops that cannot end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Text = Callable[..., str]
Said = Callable[[str], list[str]]

VARIABLES = "{n: 0, on_now: false, points: {per: player, start: 0}}"
PROCEDURES = """
  again(): add 1 to n
  finish(): end game
  idle(): say "nothing"
"""
RESULT = "{score(player): n + player.points + (1 if on_now else 0)}"
REST = "\n  n = 1\n  on_now = true\n  p1.points = 1\n  again()\n  idle()\n  move stock to pile\n  move p1.hand to pile\n  if n > 100: finish()"


def loops(small_game: Text, said: Said, script: str) -> list[str]:
    play = "|" + "".join(f"\n  {line}" for line in script.splitlines()) + REST
    text = small_game(variables=VARIABLES, procedures=PROCEDURES, result=RESULT, play=play)
    return said(text)


ENDS = [
    "while n < 5: add 1 to n",
    "while n < 5: again()",
    "while on_now: finish()",
    "repeat until stock is empty: deal 1 from stock to pile",
    "repeat until pile.count > 2: move stock.top to pile",
    "while any player where player.points < 3: add 1 to p1.points",
    "while p1.points < 3:\n  for each player: add 1 to player.points",
    "while true:\n  again()\n  if n > 5: stop",
    "while (random player) is p1: say \"again\"",
    "let m = n\nwhile m < 4: m = m + 1",
    "while stock.top.face is down: turn up stock.top",
    "repeat until stock.top.rank is 2: shuffle stock",
    'while on_now:\n  p1 chooses as turn_of:\n    "go on": say "on"\n    "leave": on_now = false',
    "repeat until on_now:\n  if n > 3: on_now = true\n  else: again()",
    "while n < 5:\n  if n < 3: again()\n  if n >= 3: n = 9",
]  # fmt: skip


@pytest.mark.parametrize("script", ENDS)
def test_a_loop_that_may_end(small_game: Text, said: Said, script: str) -> None:
    assert loops(small_game, said, script) == []


NEVER = "error this loop never ends: nothing in it changes what its condition asks [endless-loop]"
TURNS = (
    "warning a pass of this loop may change nothing, and then it turns for ever [loop-may-turn] "
    "(let something change, or `stop`, on every way through the loop)"
)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("while n < 5: idle()", f"n < 5 > {NEVER} (change `n` in it, or leave it with `stop`)"),
        ("while true: again()", f"true > {NEVER} (leave it with `stop`)"),
        ("repeat until n is 3: add 1 to p1.points", f"n is 3 > {NEVER} (change `n` in it, or leave it with `stop`)"),
        (
            "while n < 5 and on_now: deal up to 1 from stock to pile",
            f"n < 5 and on_now > {NEVER} (change `n` or `on_now` in it, or leave it with `stop`)",
        ),
        (
            "repeat until p1.hand is empty: deal up to 1 from stock to pile",
            f"p1.hand is empty > {NEVER} (change `hand` in it, or leave it with `stop`)",
        ),
        (
            "while on_now:\n  repeat 3 times:\n    add 1 to n\n    stop",
            f"on_now > {NEVER} (change `on_now` in it, or leave it with `stop`)",
        ),
        ("while n < 5:\n  if on_now: again()", f"n < 5 > {TURNS}"),
        ("while n < 5:\n  if n is 1: again()\n  else if n > 3: again()", f"n < 5 > {TURNS}"),
    ],
)
def test_a_loop_that_does_not_end(small_game: Text, said: Said, script: str, message: str) -> None:
    assert loops(small_game, said, script) == [message]
