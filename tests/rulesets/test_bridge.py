"""Bridge against the laws told once more: random auctions and plays, what may be called, who declares, what it scores."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules

STRAINS = ("clubs", "diamonds", "hearts", "spades", "no trump")
BIDS = [f"{level} {strain}" for level in range(1, 8) for strain in STRAINS]
# Law 2: the vulnerable sides of the boards 1 to 16; N is the first side
VULNERABLE = ("", "N", "E", "NE", "N", "E", "NE", "", "E", "NE", "", "N", "NE", "", "N", "E")
# Law 77: undertricks that were doubled, one by one
DOUBLED_DOWN = {False: [100, 200, 200] + [300] * 10, True: [200] + [300] * 12}


def law_77(level: int, strain: int, times: int, tricks: int, vulnerable: bool) -> int:
    missing = level + 6 - tricks
    if missing > 0:
        doubled = sum(DOUBLED_DOWN[vulnerable][:missing])
        return -({True: 100, False: 50}[vulnerable] * missing if times == 1 else doubled * times // 2)
    each = 20 if strain < 2 else 30
    below = (level * each + (10 if strain == 4 else 0)) * times
    over = {1: each, 2: 200 if vulnerable else 100, 4: 400 if vulnerable else 200}[times] * -missing
    game = (500 if vulnerable else 300) if below >= 100 else 50
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    return below + over + game + slam + {1: 0, 2: 50, 4: 100}[times]


def legal_calls(calls: list[tuple[int, str]], seat: int) -> set[str]:
    made = [(who, call) for who, call in calls if call != "pass"]
    bid = max((BIDS.index(call) for _, call in made if call in BIDS), default=-1)
    legal = {"pass", *BIDS[bid + 1 :]}
    if made and (made[-1][0] - seat) % 2 == 1 and made[-1][1] != "redouble":
        legal.add("redouble" if made[-1][1] == "double" else "double")
    return legal


def declarer_of(calls: list[tuple[int, str]]) -> int:
    who, last = next((who, call) for who, call in reversed(calls) if call in BIDS)
    return next(one for one, call in calls if call[2:] == last[2:] and (one - who) % 2 == 0)


def auction(game: Any, dice: Random, dealer: int) -> list[tuple[int, str]]:
    calls: list[tuple[int, str]] = []
    while len(calls) < 4 or [call for _, call in calls[-3:]] != ["pass"] * 3:
        seat, legal = (dealer + len(calls)) % 4, legal_calls(calls, (dealer + len(calls)) % 4)
        assert game.decision.player == seat
        assert set(game.decision.labels()) == legal
        near = sorted(legal & {"double", "redouble"}) * 3 + [bid for bid in BIDS if bid in legal][: dice.randint(1, 5)]
        call = dice.choice([*near, *["pass"] * (len(near) + 1)])
        calls.append((seat, call))
        game.apply(game.decision.labels().index(call))
        if len(calls) == 4 and {call for _, call in calls} == {"pass"}:
            break
    return calls


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_boards_go_as_the_laws_say(rules: Callable[..., Rules], engine: str) -> None:
    dice, played = Random(3), 0
    for board in range(1, 17):
        game: Any = rules("bridge", boards=1, first_board=board).start(seed=board, engine=engine)
        calls = auction(game, dice, (board - 1) % 4)
        if {call for _, call in calls} == {"pass"}:
            assert game.scores == [0] * 4
            continue
        declarer = declarer_of(calls)
        assert game.state["variables"]["declarer"] == f"p{declarer + 1}"
        assert game.decision.player == (declarer + 1) % 4
        while game.decision is not None:
            assert game.decision.player != (declarer + 2) % 4  # dummy
            game.apply(dice.randrange(len(game.decision.labels())))
        bids = [call for _, call in calls if call in BIDS]
        since = [call for _, call in calls[[call for _, call in calls].index(bids[-1]) :]]
        times = 4 if "redouble" in since else 2 if "double" in since else 1
        tricks = len(game.state["zones"][f"team{declarer % 2 + 1}.tricks"]) // 4
        vulnerable = "NE"[declarer % 2] in VULNERABLE[board - 1]
        score = law_77(int(bids[-1][0]), STRAINS.index(bids[-1][2:]), times, tricks, vulnerable)
        assert game.scores == [score if seat % 2 == declarer % 2 else -score for seat in range(4)]
        played += 1
    assert played > 8
