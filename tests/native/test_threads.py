"""Threads that share rules: each finds what it would have found alone.

What is made for rules is made when it is first wanted, so each trial has rules that are fresh, in a process of its
own: what goes wrong there may end it.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import sleep
from typing import Any

import pytest

from trionfi.interpreter.native.engine import Use
from trionfi.interpreter.native.table import NativeTable, mixed
from trionfi.interpreter.once import made_once
from trionfi.interpreter.ranking import evaluator_of
from trionfi.interpreter.rules import load

START = """
import json, sys, threading
import trionfi
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.native.engine import NativeCode

NativeCode.level = lambda code, use: 0  # in a tenth of the time
sys.setswitchinterval(1e-6)

def in_threads(work, count):
    found, gate = [None] * count, threading.Barrier(count)
    def run(place):
        gate.wait()
        try:
            found[place] = work(place)
        except BaseException as error:
            found[place] = f"{type(error).__name__}: {error}"
    threads = [threading.Thread(target=run, args=(place,)) for place in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found

def sums(report):
    return [report.sums.games, report.sums.wins, [tally.total for tally in report.sums.scores]]

def played(game, bot=None):
    while game.decision is not None:
        asked = game.decision
        game.apply(sum(map(ord, "".join(asked.labels()))) % asked.count)
    return [list(map(str, game.scores)), game.moves]

"""


def run(work: str, folder: Path) -> Any:
    """What a script prints, as JSON; it ends well."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    command = [sys.executable, "-c", START + work]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


WORKS = {
    # the rules are compiled by whoever comes first; in the end each has the same
    "simulate": """
rules = trionfi.load("hearts")
found = in_threads(lambda place: sums(rules.simulate(games=300, seed=3, workers=1)), 6)
alone = [sums(trionfi.load("hearts").simulate(games=300, seed=3, workers=1))] * 6
""",
    # other seeds in each thread: nothing of one shows in another
    "start and step": """
rules = trionfi.load("leduc")
found = in_threads(lambda place: [played(rules.start(seed=place % 3, game=n)) for n in range(20)], 6)
alone = [[played(rules.start(seed=place % 3, game=n)) for n in range(20)] for place in range(6)]
""",
    "the reference engine": """
rules = trionfi.load("blackjack")
found = in_threads(lambda place: played(rules.start(seed=place, engine="reference")), 4)
alone = [played(trionfi.load("blackjack").start(seed=place, engine="reference")) for place in range(4)]
""",
    "every kind of work": """
rules = trionfi.load("kuhn")
def work(place):
    rules_here = rules.with_options({}) if place % 2 else rules
    game = rules_here.start(seed=place, engine="native")
    advice = game.ask_strategy("cautious", Stream(1, 0))
    copy = game.clone()
    told = [game.view(0), played(copy), played(game), game.log]
    return json.loads(json.dumps([advice, told, sums(rules_here.simulate(50, seed=1, workers=1, bots="cautious"))]))
found = in_threads(work, 8)
rules = trionfi.load("kuhn")
alone = [work(place) for place in range(8)]
""",
    "rank": """
rules = trionfi.load("no-limit-holdem")
hands = [[(n * 7 + k * step) % 52 for k in range(7)] for step in (1, 5, 11) for n in range(60)]
name = next(iter(rules.ruleset.rankings))
def work(place):
    many = list(map(int, rules.rank_many(name, hands)))
    return [many, [str(rules.rank(name, hand)) for hand in hands[:20]]]
found = in_threads(work, 6)
rules = trionfi.load("no-limit-holdem")
alone = [work(0)] * 6
""",
}


@pytest.mark.parametrize("name", WORKS)
def test_each_finds_what_it_would_have_found_alone(name: str, tmp_path: Path) -> None:
    found, alone = run(WORKS[name] + "\nprint(json.dumps([found, alone]))", tmp_path)
    assert found == alone


def test_a_function_keeps_its_code() -> None:
    """Also when the rules that it was made for are gone."""
    native = load("kuhn").start(seed=1, engine="native").native  # type: ignore[attr-defined]
    playout, _ = native.playout(strategies=False)
    for module, function in ((native.code.module(Use.PLAYOUT), playout), (native.stepping, native.step)):
        code, name = weakref.ref(module.keep), function
        del module
        assert code() is not None
        assert any(one is code() for one in gc.get_referents(name, getattr(name, "__dict__", None)))


def test_a_thing_is_made_by_one() -> None:
    made: list[int] = []
    known: dict[str, int] = {}
    gate = Barrier(4)

    def make() -> int:
        made.append(1)
        sleep(0.02)  # long enough for all to ask
        return len(made)

    def ask(_: int) -> int:
        gate.wait()
        return made_once(known, "key", make)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(4))) == [1] * 4
    assert made == [1]


def test_a_seed_of_another_thread_does_not_show() -> None:
    native = load("kuhn").start(seed=1, engine="native").native  # type: ignore[attr-defined]

    class Disturbed(NativeTable):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, (7, mixed(7)) if name == "_seed" and value[0] == 5 else value)

    native.__class__ = Disturbed
    assert native.mixed(5) == mixed(5)


def test_what_another_thread_forgets_is_worked_out_again() -> None:
    rules = load("no-limit-holdem")
    ranking = next(iter(rules.ruleset.rankings))

    class Forgetful(dict[Any, Any]):
        def __contains__(self, key: object) -> bool:
            found = super().__contains__(key)
            self.clear()
            return found

    evaluator = evaluator_of(rules, ranking)
    evaluator._hands = Forgetful()
    values = [rules.rank(ranking, [0, 1, 2, 3, 17]) for _ in range(3)]
    assert values[0] == values[1] == values[2]
