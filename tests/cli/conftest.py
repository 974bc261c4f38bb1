"""Calls of the command line, in this process: quick, and seen from outside."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from trionfi.cli import run
from trionfi.interpreter.rules import Rules, load

LOADED: dict[str, Rules] = {}


class Called(NamedTuple):
    """What a call gave."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The JSON document on stdout."""
        return json.loads(self.out)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Called]:
    """`call("simulate", "kuhn", "-n", 10, typed="...")`: exit code, stdout, stderr."""

    def load_once(rules: str, *rest: Any, **options: Any) -> Rules:
        """Rulesets of the library are read once a run: what is tested here comes after that."""
        if rest or options or not rules.replace("-", "").isalnum():
            return load(rules, *rest, **options)
        if rules not in LOADED:
            LOADED[rules] = load(rules)
        return LOADED[rules]

    monkeypatch.setattr("trionfi.interpreter.rules.load", load_once)

    def call_it(*arguments: object, typed: str = "") -> Called:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = run([str(argument) for argument in arguments])
        return Called(code, *capsys.readouterr())

    return call_it
