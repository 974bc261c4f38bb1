"""What every test may use: rulesets by name, read once a run, and the size of the run.

`TRIONFI_TEST_SIZE` multiplies the amount of random trials: 1 is for every day, 100 (or `full`) for acceptance.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .cpu_times import *  # noqa: F403  its hooks

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules

FULL = 100.0

# What LLVM optimises by day: a module of each kind and size, and what many games are played of.
OPTIMISED = {"kuhn", "leduc", "blackjack", "crazy-eights", "gin-rummy", "two-win"}

_STATES = count()
_CACHE: dict[tuple[str, str], Rules] = {}


def pytest_collection_finish() -> None:
    """Garbage is looked for among what tests make, and not so often: what has been imported and collected stays, and
    to go through it again and again takes a tenth of the time of all tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


@pytest.fixture(autouse=True, scope="session")
def state_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Games that are played while fixtures are made are kept in a folder of the run, never in the home of whoever runs
    the tests."""
    folder = tmp_path_factory.getbasetemp() / "state"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def state_of_its_own(monkeypatch: pytest.MonkeyPatch, state_of_the_run: Path) -> None:
    """Those of a test are kept in a folder of its own, which is made when something is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(state_of_the_run / f"{next(_STATES)}"))


@pytest.fixture(scope="session")
def test_size() -> float:
    """By what the number of random trials is multiplied."""
    size = os.environ.get("TRIONFI_TEST_SIZE", "1")
    return FULL if size == "full" else float(size)


@pytest.fixture(scope="session", autouse=True)
def compiled_plainly(test_size: float) -> Iterator[None]:
    """By day LLVM optimises only what some of the library's games are played and added up with as they are; for
    acceptance, all.

    That is most of the time of all tests. A module's level is part of the name it is kept under, so that no plain one
    is taken for the other.
    """
    from trionfi.interpreter.native.engine import NativeCode, Use
    from trionfi.interpreter.native.hands import rows

    def level(code: NativeCode, use: Use) -> int:
        as_it_is = all(value == code.rules.options[name].default for name, value in code.fixed.items())
        optimised = code.rules.key in OPTIMISED and as_it_is and use in (Use.STEP, Use.PLAYOUT)
        return shipped(code, use) if optimised else 0

    shipped = NativeCode.level
    with pytest.MonkeyPatch.context() as patch:
        if test_size <= 1:
            patch.setattr(NativeCode, "level", level)
            patch.setattr(rows, "LEVEL", 0)
        yield


@pytest.fixture(scope="session", autouse=True)
def library_read_once() -> Iterator[None]:
    """A game of the library is read and checked once a run, whoever loads it; the tests of reading ask `trionfi.dsl`
    itself, and processes of their own read for themselves."""
    from trionfi.dsl.library import library_games
    from trionfi.interpreter import rules_data

    names, known, shipped = set(library_games()), dict[str, Any](), rules_data.read_game

    def read(name: str, text: str | None = None) -> Any:
        if text is not None or name not in names:
            return shipped(name, text)
        if name not in known:
            known[name] = shipped(name)
        return known[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_data, "read_game", read)
        yield


@pytest.fixture(scope="session")
def rules() -> Callable[..., Rules]:
    """`rules(name, option=value ...)`: a ruleset of the library, checked once a run."""

    def get(name: str, **options: object) -> Rules:
        from trionfi.interpreter.rules import load

        key = (name, repr(sorted(options.items())))
        if key not in _CACHE:
            _CACHE[key] = load(name, options=options)
        return _CACHE[key]

    return get


# A small game that is right; tests change a section or two of it.
_SMALL = {
    "trionfi": "1",
    "name": "Small",
    "about": "A game for tests.",
    "players": "2",
    "deck": "{ranks: [ace, 2, 3, 4, 5, 6], suits: [cups, swords]}",
    "table": "{stock: {start: deck, face: down}, hand: {per: player, seen_by: owner, face: down}, pile: {face: up}}",
    "play": "|\n  shuffle stock\n  deal 2 from stock to each hand\n  deal 1 from stock to pile",
    "result": "{score(player): player.hand.count}",
}


@pytest.fixture(scope="session")
def small_game() -> Callable[..., str]:
    """`small_game(table="...", play=None)`: the text of a small game with other sections, or without some."""

    def text(**sections: str | None) -> str:
        whole = {**_SMALL, **sections}
        return "".join(f"{name}: {text}\n" for name, text in whole.items() if text is not None)

    return text


@pytest.fixture(scope="session")
def said() -> Callable[[str], list[str]]:
    """What there is to say of a ruleset's text: `place > severity message [code] (hint)` each, `place` being the text
    above the caret."""

    def messages(text: str) -> list[str]:
        from trionfi.dsl import read_ruleset

        found = []
        for one in read_ruleset("small", text)[1]:
            place = one.span.text.partition("\n")[0]
            hint = f" ({one.hint})" if one.hint else ""
            found.append(f"{place} > {one.severity} {one.message} [{one.code}]{hint}")
        return found

    return messages
