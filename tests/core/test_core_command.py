"""`trionfi core`: what it prints, and what it says of wrong calls."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import replace

import pytest

from trionfi.cli import run
from trionfi.core.ir import Program
from trionfi.core.passes import PASSES, run_passes
from trionfi.core.text import parse_program, print_function
from trionfi.core.verify import CoreFault
from trionfi.dsl.tree import Ruleset


def call(*arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        return run(["core", *arguments]), out.getvalue(), err.getvalue()


def test_a_ruleset_is_printed_whole(program: Callable[[str], Program]) -> None:
    code, out, err = call("kuhn")
    assert (code, err) == (0, "")
    assert parse_program(out).functions == program("kuhn").functions


@pytest.mark.parametrize("name", ["score", "define.score"])
def test_one_function(program: Callable[[str], Program], name: str) -> None:
    whole = program("kuhn")
    assert call("kuhn", name) == (0, print_function(whole.functions["define.score"], whole.places), "")


def test_options_are_set() -> None:
    assert call("hearts", "play", "--set", "target=50")[0] == 0
    code, out, err = call("hearts", "play", "--set", "targt=50")
    assert (code, out) == (2, "")
    assert "did you mean `target`?" in err


def test_wrong_calls() -> None:
    assert call("kuhn", "scor") == (
        2,
        "",
        "trionfi: Kuhn Poker has no function `scor`; did you mean `score`?\n",
    )
    assert "there is procedure.win, " in call("kuhn", "nothing_like_it")[2]
    there_is = "there is inline, nones, simplify, searches, moves, choices, tidy"
    assert call("kuhn", "--after", "x") == (2, "", f"trionfi: there is no pass `x`; {there_is}\n")


# ---- passes


def drop_score(program: Program, _rules: Ruleset) -> Program:
    return replace(program, functions={n: f for n, f in program.functions.items() if n != "score"})


def drop_win(program: Program, _rules: Ruleset) -> Program:
    """Wrong: it is called."""
    return replace(program, functions={n: f for n, f in program.functions.items() if n != "procedure.win"})


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trionfi.core.passes.PASSES", {"drop-score": drop_score, "drop-win": drop_win})


@pytest.mark.usefixtures("passes")
def test_after_a_pass() -> None:
    assert "function score(" in call("kuhn")[1]
    code, out, _ = call("kuhn", "--after", "drop-score")
    assert code == 0
    assert "function score(" not in out
    assert "function procedure.win" in out
    assert (
        call("kuhn", "--after", "drop-scor")[2] == "trionfi: there is no pass `drop-scor`; did you mean `drop-score`?\n"
    )
    assert call("kuhn", "--after", "zzz")[2] == "trionfi: there is no pass `zzz`; there is drop-score, drop-win\n"


@pytest.mark.usefixtures("passes")
def test_a_pass_that_breaks_the_core_is_found(program: Callable[[str], Program], rules: Callable[..., object]) -> None:
    ruleset = rules("kuhn").ruleset  # type: ignore[attr-defined]
    with pytest.raises(CoreFault, match=r"there is no function procedure\.win"):
        run_passes(program("kuhn"), ruleset, "drop-win")
    assert run_passes(program("kuhn"), ruleset, "drop-score").functions.keys() < program("kuhn").functions.keys()


def test_the_registry_has_functions() -> None:
    assert all(callable(one) for one in PASSES.values())
