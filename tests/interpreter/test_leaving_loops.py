"""How loops are left: every kind of loop, by itself and in every other, asking or not, left in every way.

A game says a number wherever it goes; `Walk` says what it must say, from what loops mean and without any engine.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.simulate import Setup, play_block

from ..by_day import of_the_day
from .conftest import small

__all__ = ["small"]

PASSES = 3
# How a loop of three passes begins that counts them in NAME. What stands before it, the head, what begins each pass.
LOOPS = {
    "while": ("let NAME = 0", "while NAME < 3:", "add 1 to NAME"),
    "repeat until": ("let NAME = 0", "repeat until NAME >= 3:", "add 1 to NAME"),
    "repeat times": ("let NAME = 0", "repeat 3 times:", "add 1 to NAME"),
    "for count": ("", "for NAME from 1 to 3:", ""),
    "players": ("let NAME = 0", "for each player NAMEq:", "add 1 to NAME"),
    "players starting": ("let NAME = 0", "for each player NAMEq starting p2:", "add 1 to NAME"),
    "cards": ("let NAME = 0", "for each card NAMEq in pile:", "add 1 to NAME"),
    "zones": ("let NAME = 0", "for each zone NAMEq in spot where NAMEq is empty:", "add 1 to NAME"),
    "words": ("let NAME = 0", "for each weather NAMEq:", "add 1 to NAME"),
}
# What a pass asks, and the line that says that it was answered.
ASKS = {
    "nothing": "",
    "a number": "p1 chooses number from 1 to 1 as NAMEn\nmark(NAMEn + 1)",
    "a menu": 'p1 chooses as go:\n  "on": mark(2)',
    "in secret": "each player secretly chooses:\n  number from 1 to 1 as player.kept\nmark(2)",
    "in a procedure": "ask()",
}
# What leaves the innermost loop in its second pass; what the procedure then gives, if it gives something.
LEAVES = {
    "falls out": ("", False),
    "stop": ("stop", False),
    "return": ("return", False),
    "return a value": ("return 7", True),
    "return a call": ("return called()", True),
    "return a call that asks": ("return asking()", True),
    "end game": ("end game", False),
}
# Where it stands: by itself under its condition, on another arm, in a line of a menu.
PLACES = {
    "if": "if HERE:\n  LEAVE",
    "else": "if not (HERE): mark(8)\nelse: LEAVE",
    "menu": 'p1 chooses as way:\n  "on" if not (HERE): mark(8)\n  "out" if HERE: LEAVE',
}
SECTIONS = """
kinds: {weather: [fair, grey, foul]}
variables:
  trail: 0
  last: {start: false}
  kept: {per: player, start: 0}
result:
  score(player): trail
procedures:
  mark(number n): |
    trail = (trail * 31 + n) mod 1000003
    say "{n}"
  ask(): |
    p1 chooses number from 1 to 1 as answer
    mark(answer + 1)
  called(): |
    mark(6)
    return 8
  asking(): |
    for i from 1 to 2:
      p1 chooses number from 6 to 6 as answer
      mark(answer)
      if i is 1: return 8
    return 9
"""


def loop(kinds: tuple[str, ...], asks: str, core: str) -> str:
    """Loops of these kinds, each in the one before; `core` ends the passes of the innermost."""
    before, head, begins = (part.replace("NAME", f"i{len(kinds)}") for part in LOOPS[kinds[0]])
    inside = loop(kinds[1:], asks, core) if kinds[1:] else core
    lines = [begins, "mark(1)", ASKS[asks].replace("NAME", f"i{len(kinds)}"), inside, "mark(3)"]
    body = indent("\n".join(line for line in lines if line), "  ")
    return f"{before}\n{head}\n{body}".strip("\n")


def core(leave: str, place: str, depth: int) -> str:
    here = " and ".join(f"i{level + 1} is 2" for level in range(depth))
    return PLACES[place].replace("HERE", here).replace("LEAVE", leave) if leave else "mark(8)"


class Over(Exception):
    """The game is over."""


class Walk:
    """What a game says: each loop has three passes, the innermost is left in its second (of the second of each)."""

    def __init__(self, asks: str, place: str) -> None:
        self.asks, self.place = asks != "nothing", place
        self.said: list[int] = []

    def procedure(self, depth: int, leave: str) -> None:
        given = self.loop(depth, leave, [])
        if given is None:
            self.said.append(4)
        if LEAVES[leave][1]:
            self.said.append(5 if given is None else given)

    def loop(self, depth: int, leave: str, passes: list[int]) -> int | None:
        """None if it goes on behind the loop, else what the procedure gives (0: nothing)."""
        for number in range(1, PASSES + 1):
            self.said += [1, 2] if self.asks else [1]
            if depth > 1:
                given = self.loop(depth - 1, leave, [*passes, number])
                if given is not None:
                    return given
            elif leave != "falls out" and {*passes, number} == {2}:
                return self.leave(leave)
            elif leave == "falls out" or self.place != "if":
                self.said.append(8)
            self.said.append(3)
        return None

    def leave(self, leave: str) -> int | None:
        if leave == "end game":
            raise Over
        if "call" in leave:
            self.said.append(6)
        return {"stop": None, "return": 0, "return a value": 7}.get(leave, 8)


# Each kind by itself, and each in another one, so that all are met inside and outside.
KINDS = list(LOOPS)
NESTS = [(kind,) for kind in KINDS] + [(kind, KINDS[(2 * place + 1) % len(KINDS)]) for place, kind in enumerate(KINDS)]


def text_of(nest: tuple[str, ...], asks: str, place: str) -> tuple[str, str]:
    """The play and the procedures: all ways to leave, one after another, at last the end of the game."""
    play, procedures = ["deal 3 from stock to pile"], []
    for number, (text, gives) in enumerate(LEAVES.values()):
        body = f"{loop(nest, asks, core(text, place, len(nest)))}\nmark(4)" + ("\nreturn 5" if gives else "")
        procedures.append(f"  way{number}(): |\n{indent(body, '    ')}\n")
        play += [f"let v{number} = way{number}()", f"mark(v{number})"] if gives else [f"way{number}()"]
    return "\n".join(play), "".join(procedures)


def expected(nest: tuple[str, ...], asks: str, place: str) -> list[int]:
    walk = Walk(asks, place)
    try:
        for leave in LEAVES:
            walk.procedure(len(nest), leave)
    except Over:
        return walk.said
    raise AssertionError("the game goes on")


def trail(said: list[int]) -> int:
    number = 0
    for one in said:
        number = (number * 31 + one) % 1000003
    return number


def played(rules: Rules, engine: str) -> tuple[list[int], list[object]]:
    """What a game says, and its scores."""
    game = rules.start(3, seed=1, engine=engine)
    while game.decision is not None:
        game.apply(0)
    assert game.scores is not None
    return [int(str(entry["say"])) for entry in game.log if "say" in entry], list(game.scores)


def place_of(nest: tuple[str, ...], asks: str) -> str:
    """Where it is left; what asks nothing asks nothing there, too."""
    places = ["if", "else"] if asks == "nothing" else list(PLACES)
    return places[(KINDS.index(nest[0]) + list(ASKS).index(asks) + len(nest)) % len(places)]


@pytest.mark.parametrize("asks", ASKS)
@pytest.mark.parametrize("nest", NESTS, ids=" with ".join)
def test_each_way_out_of_a_loop(small: Callable[..., Rules], nest: tuple[str, ...], asks: str) -> None:
    play, procedures = text_of(nest, asks, place_of(nest, asks))
    wanted = expected(nest, asks, place_of(nest, asks))
    said, scores = played(small(play, SECTIONS + procedures), "reference")
    assert said == wanted
    assert scores == [trail(wanted)] * 3


@pytest.mark.parametrize("nest", NESTS, ids=" with ".join)
def test_each_way_out_of_a_loop_natively(small: Callable[..., Rules], nest: tuple[str, ...], test_size: float) -> None:
    """Move by move and in whole games; by day with one way of asking each, and whole games of some."""
    place = 2 * KINDS.index(nest[0]) + len(nest)
    for asks in ASKS if test_size > 1 else [list(ASKS)[place % len(ASKS)]]:
        play, procedures = text_of(nest, asks, place_of(nest, asks))
        wanted = expected(nest, asks, place_of(nest, asks))
        rules = small(play, SECTIONS + procedures)
        assert played(rules, "native") == (wanted, [trail(wanted)] * 3)
        if not of_the_day(nest):
            continue
        native = BlockPlayer(rules, 3, ("random",) * 3, seed=1).play(0, 2)
        assert native.scores[0].total == 2 * trail(wanted)
        assert native == play_block(rules, Setup(3, ("random",) * 3, 1, "reference"), 0, 2).sums
