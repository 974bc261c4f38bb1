"""Calls of the command line with strange options, cards, records and answers: each ends with an exit code and a word."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from trionfi import cli
from trionfi.interpreter.rules import Rules, load
from trionfi.shell import faults

from .mutations import NUMBERS, SIGNS, mutated

GAMES = [
    "kuhn",
    "leduc",
    "blackjack",
    "crazy-eights",
    "klondike",
    "hearts",
    "casino-twenty-one",
    "two-win",
    "gin-rummy",
]
RANKINGS = {
    "two-win": ["poker", "twenty_one"],
    "arcana-poker": ["hand"],
    "no-limit-holdem": ["hand"],
    "gin-rummy": ["meld"],
}
WORDS = [
    "",
    " ",
    "x",
    "none",
    "true",
    "no",
    "p1",
    "all",
    "3:2",
    "1:0",
    "0:0",
    "-1:1",
    "1e9",
    "nan",
    "½",
    "２",
    "٣",
    "=",
    ",",
    "a" * 5000,
]
FINE = (0, 1, 2)


@dataclass(slots=True)
class Call:
    """The words of a call; `files` lie where it is made, `answers` is its standard input."""

    words: list[str]
    files: dict[str, str] = field(default_factory=dict)
    answers: str = ""


def run_call(call: Call) -> str:
    """Raises what the last resort of the command line would have hidden, and Misdeed."""
    out, err = io.StringIO(), io.StringIO()
    faults.fault = show
    before, answers = Path.cwd(), sys.stdin
    with tempfile.TemporaryDirectory(prefix="trionfi-fuzz-") as folder:
        for name, text in call.files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8", errors="surrogatepass")
        os.chdir(folder)
        sys.stdin = io.StringIO(call.answers)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = cli.run(call.words)
        finally:
            os.chdir(before)
            sys.stdin = answers
    check(code, out.getvalue(), err.getvalue())
    return "called"


class Misdeed(Exception):
    """A call that ends otherwise than calls do."""


def show(error: Exception) -> NoReturn:
    raise error


def check(code: int, out: str, err: str) -> None:
    from .trial import check_shown

    if code not in FINE:
        raise Misdeed(f"exit code {code}")
    if code and not (err.strip() or out.strip()):
        raise Misdeed(f"exit code {code} without a word")
    check_shown(out)
    check_shown(err)


# ---- making calls


def call_of(seed: int, number: int) -> Call:
    """Call `number` of a seed: always the same."""
    dice = Random(f"call {seed}/{number} words")
    return dice.choice(MAKERS)(dice)


@cache
def rules_of(name: str) -> Rules:
    return load(name)


def a_word(dice: Random) -> str:
    return dice.choice([*NUMBERS, *SIGNS, *WORDS])


def spoiled(text: str, dice: Random) -> str:
    return mutated(text, dice) if dice.random() < 0.6 else a_word(dice) if dice.random() < 0.5 else text


def with_options(dice: Random) -> Call:
    name = dice.choice(GAMES)
    options = list(rules_of(name).ruleset.options) or ["x"]
    settings = []
    for _ in range(dice.choice([1, 1, 2])):
        option = dice.choice(options) if dice.random() < 0.9 else a_word(dice)
        settings += ["--set", f"{option}={a_word(dice)}" if dice.random() < 0.95 else a_word(dice)]
    head = dice.choice([["simulate", name, "-n", "2"], ["validate", name, "--static"], ["explain", name], ["play", name],
                        ["compare", f"{name}:{dice.choice(options)}={a_word(dice)}", name, "-n", "2"]])  # fmt: skip
    return Call([*head, *settings])


def with_seats(dice: Random) -> Call:
    name = dice.choice(GAMES)
    words = [dice.choice(["simulate", "play"]), name]
    words += ["-n", dice.choice(["1", "2", a_word(dice)])] if words[0] == "simulate" else []
    for key in dice.sample(["--players", "--bot", "--seed", "--seat", "--game", "--workers", "--engine"], 2):
        value = dice.choice([a_word(dice), "1", "2", f"{a_word(dice)}=random", f"1={a_word(dice)}"])
        words += [key, value if key != "--workers" else "1"]
    return Call([word for word in words if len(word) < 18 or not word.isdecimal()] if words[0] == "simulate" else words)


def with_cards(dice: Random) -> Call:
    name = dice.choice(list(RANKINGS))
    names = rules_of(name).cards
    cards = [dice.choice(names) for _ in range(dice.randrange(8))]
    cards = [spoiled(card, dice) if dice.random() < 0.2 else card for card in cards]
    if dice.random() < 0.3:
        cards.insert(dice.randrange(len(cards) + 1), dice.choice(["--vs", "2=", "own=", "shared=", "-x", "--json"]))
    ranking = dice.choice(RANKINGS[name]) if dice.random() < 0.95 else a_word(dice)
    return Call(["rank", name, ranking, *cards])


def with_answers(dice: Random) -> Call:
    name = dice.choice(GAMES)
    answers = [
        dice.choice(["1", "2", "3", "done", "?", "? 7", "undo", "u", "help", "1 2", "1,2", a_word(dice)])
        for _ in range(40)
    ]
    seats = dice.choice([[], ["--seat", "1", "--seat", "2"], ["--bot", "1=random"]])
    return Call(["play", name, "--seed", str(dice.randrange(99)), *seats], answers="\n".join(answers))


def with_spoiled_file(dice: Random) -> Call:
    """Files that are no text, no mapping, or another kind of thing."""
    text = dice.choice(["", "\ufeff", "[]", "- 1", "null", "{", "a: b", "trionfi: 1", "trionfi: 2\nname: x", "extends: mine",
                        "use: {mine: {}}", "\udcff", "trionfi: 1\nextends: kuhn\nname: Mine\n"])  # fmt: skip
    head = dice.choice(
        [["validate", "mine.yaml"], ["play", "mine.yaml"], ["test", "mine.yaml"], ["explain", "mine.yaml"]]
    )
    return Call([*head], {"mine.yaml": text})


# ---- records


@cache
def record_of(name: str, seed: int) -> str:
    game = rules_of(name).start(seed=seed, engine="reference")
    dice = Random(seed)
    while game.decision is not None and len(game.moves) < 12:
        game.apply(dice.randrange(game.decision.count))
    return json.dumps(game.record(), indent=1)


def with_record(dice: Random) -> Call:
    name = dice.choice(["kuhn", "blackjack", "leduc", "crazy-eights", "two-win"])
    text = record_of(name, dice.randrange(3))
    text = mutated(text, dice) if dice.random() < 0.3 else json.dumps(spoiled_value(json.loads(text), dice))
    words = dice.choice([["replay", "game.json"], ["replay", "game.json", "--step"], ["play", "--resume", "game.json"]])
    return Call(words, {"game.json": text}, answers="1\n2\n")


ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1 << 31,
    1 << 63,
    1 << 70,
    1.5,
    1e300,
    "",
    "x",
    [],
    {},
    [[]],
    "kuhn",
    "1",
    "\x1b[31m",
]


def spoiled_value(value: Any, dice: Random) -> Any:
    """A value of JSON with something within it dropped, doubled or replaced."""
    if isinstance(value, dict) and value and dice.random() < 0.95:
        key = dice.choice(list(value))
        return spoiled_at(dict(value), key, dice)
    if isinstance(value, list) and value and dice.random() < 0.9:
        return spoiled_at(list(value), dice.randrange(len(value)), dice)
    return dice.choice(ODD_VALUES)


def spoiled_at(whole: Any, key: Any, dice: Random) -> Any:
    way = dice.random()
    if way < 0.15:
        del whole[key]
    elif way < 0.2 and isinstance(whole, list):
        whole.insert(key, whole[key])
    elif way < 0.25 and isinstance(whole, dict):
        whole[dice.choice(["deal", "bots", "x", ""])] = dice.choice(ODD_VALUES)
    else:
        whole[key] = spoiled_value(whole[key], dice)
    return whole


MAKERS: list[Callable[[Random], Call]] = [
    with_options,
    with_cards,
    with_record,
    with_answers,
    with_seats,
    with_spoiled_file,
]
