"""The tests of the reference engine, asked of the core."""

# ruff: noqa: F403
from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..interpreter.conftest import *
from ..interpreter.test_engine_cards import *
from ..interpreter.test_engine_decisions import *
from ..interpreter.test_engine_effects import *
from ..interpreter.test_engine_plays import *
from ..interpreter.test_engine_scripts import *
from ..interpreter.test_engine_views import *
from .alike import playing_the_core

# The first looks into a decision made anew, the second counts to a million, the third is asked of every game elsewhere.
del test_cards_that_the_chooser_does_not_know_are_told_apart_by_place_alone  # noqa: F821
del test_a_loop_without_end_is_an_error_that_shows_where_it_turns  # noqa: F821
del test_the_ruleset_s_own_tests_hold  # noqa: F821


@pytest.fixture(autouse=True)
def of_the_core() -> Iterator[None]:
    with playing_the_core():
        yield
