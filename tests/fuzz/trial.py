"""One text through all that reads, tells, ranks and plays it. What it raises is a fault of the project."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import dataclass
from random import Random
from typing import Any

from trionfi.dsl import read_game
from trionfi.dsl.diagnostics import Diagnostics, RulesError, render
from trionfi.dsl.signs import CONTROL
from trionfi.interpreter import examples
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native import engine
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.rules_data import Origin
from trionfi.shell.prose.page import html_lines, markdown_lines, terminal_lines
from trionfi.shell.prose.parts import parts_of_game
from trionfi.shell.prose.rulebook import rulebook

from .engines import Difference, SideBySide, add_up_alike, rank_alike, same

# In place of the engines' own limits, so that games without end come to them soon.
SMALL_LIMITS = {"MOST_DECISIONS": 400, "MOST_STATEMENTS": 20_000}
SHARE_RANKED = 0.3  # of the rankings
SHARE_PLAYED = 0.5  # of the rulesets that are right: most of the time goes into compiling them
SHARE_ADDED_UP = 0.25  # of those
SHARE_OPTIMISED = 0.04


class Fault(Exception):
    """Something that is no exception is wrong."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A text, the path that it is read under, and the seed of all that is done with it. `thorough`: nothing that
    could be done is left to chance."""

    text: str
    path: str
    seed: str
    name: str = ""
    thorough: bool = False


def prepare() -> None:
    """What a process does once before its trials: small limits, code compiled plainly, nothing kept on disk."""
    for name, module in list(sys.modules.items()):
        if name.startswith("trionfi."):
            for limit, value in SMALL_LIMITS.items():
                if hasattr(module, limit):
                    setattr(module, limit, value)
    engine.load_object = lambda key: None  # type: ignore[assignment]
    engine.save_object = lambda *things: None  # type: ignore[assignment]
    emit = engine.emit
    engine.emit = lambda text, level, *more: emit(text, 0 if plainly[0] else level, *more)  # type: ignore[assignment]


plainly = [True]


def run(trial: Trial) -> str:
    """`refused`, `checked` or `played`. Raises whatever is found."""
    dice = Random(trial.seed)
    ruleset, diagnostics = read_game(trial.path, trial.text)
    check_messages(diagnostics, refused=ruleset is None)
    if ruleset is None:
        return "refused"

    def taken(share: float) -> bool:
        return trial.thorough or dice.random() < share

    rules = Rules(ruleset, {}, list(diagnostics), Origin(trial.path, {}, trial.text))
    if dice.random() < 0.5:
        rules = with_some_options(rules, dice)
    plainly[0] = dice.random() > SHARE_OPTIMISED
    tell(rules)
    for name in rules.ruleset.rankings:
        if taken(SHARE_RANKED):
            rank_alike(rules, name, dice)
    count_hands(rules, dice)
    if not taken(SHARE_PLAYED):
        return "checked"
    if rules.engine() != "native":
        return "checked"
    play(rules, dice)
    if taken(SHARE_ADDED_UP):
        add_up_alike(rules, dice.randint(*rules.players), dice.randrange(1000), dice)
    return "played"


def check_messages(diagnostics: Diagnostics, refused: bool) -> None:
    """Every message can be shown, points into its text, and a text is refused with one."""
    if refused and not diagnostics.has_errors:
        raise Fault("refused without a word")
    for one in diagnostics:
        if not 0 <= one.span.start <= one.span.end <= len(one.span.source.text):
            raise Fault(f"{one.code} points beside its text")
        json.dumps(one.to_dict())
        render(one)


def check_shown(text: str) -> None:
    """No sign that steers a terminal is in it."""
    if found := CONTROL.search(text):
        raise Fault(f"control sign {found.group()!r} in {text[max(0, found.start() - 60) : found.end() + 60]!r}")


def with_some_options(rules: Rules, dice: Random) -> Rules:
    """Options set to their ends and other values."""
    given: dict[str, object] = {}
    for name, option in rules.ruleset.options.items():
        if dice.random() < 0.3:
            given[name] = an_option_value(rules, option, dice)
    try:
        return rules.with_options(given)
    except RulesError as error:
        str(error)
        return rules


def an_option_value(rules: Rules, option: Any, dice: Random) -> object:
    ends = [value for value in (option.low, option.high) if value is not None]
    words = rules.ruleset.enumerations[option.type.name].members if option.type.kind == "enum" else []
    return dice.choice([*ends, *words, True, False, 0, 1, 2, 5, -1, 1 << 63, "3:2", "1:0", "x"])


def tell(rules: Rules) -> None:
    """The rulebook and each of its parts."""
    book = list(rulebook(rules.ruleset, rules.values, full=True))
    for line in (*terminal_lines(book, 80), *markdown_lines(book), *html_lines(rules.name, book)):
        check_shown(line)
    for parts in parts_of_game(rules.ruleset, rules.values).values():
        for part in parts:
            for line in terminal_lines(part(), 60):
                check_shown(line)


def count_hands(rules: Rules, dice: Random) -> None:
    for name in [*rules.ruleset.totals, *rules.ruleset.melds]:
        cards = dice.sample(rules.cards, min(len(rules.cards), dice.randrange(6)))
        with contextlib.suppress(GameError, ValueError):
            rules.count(name, cards)


def play(rules: Rules, dice: Random) -> None:
    low, high = rules.players
    for players in sorted({dice.randint(low, high), low}):
        for game in range(2):
            SideBySide(rules, players, dice.randrange(1 << 62), game, dice).play()
    run_tests(rules)


def run_tests(rules: Rules) -> None:
    """The ruleset's own tests, in both engines."""
    told = [list(examples.run_examples(rules, engine=engine)) for engine in ("reference", "native")]
    same("test", *told, "tests")
    for one in told[0]:
        check_shown(one.failure)


__all__ = ["Difference", "Fault", "Trial", "prepare", "run"]
