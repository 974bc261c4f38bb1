"""Every form of the language means in the core what it means in the reference engine: the examples of the language
reference have them all (tests/docs/test_language_reference.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from trionfi.core.desugar import desugar
from trionfi.core.text import parse_program, print_program
from trionfi.core.verify import verify

from ..native.test_language import EXAMPLES, Example, rules_of
from .alike import same_games

MOST = 30


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_what_is_shown_is_played_alike(example: Example, tmp_path: Path) -> None:
    rules = rules_of(example, tmp_path)
    program = desugar(rules.ruleset, unused=True)
    verify(program, rules.ruleset)
    assert parse_program(print_program(program)).functions == program.functions
    for number, players in enumerate(sorted(set(rules.players))):
        same_games(rules, players, number, MOST)
