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

# Left out: what looks into a decision made anew, what counts to a million or up to what is likely, what is asked of the
# games of the library in other tests.
del test_cards_that_the_chooser_does_not_know_are_told_apart_by_place_alone  # noqa: F821
del test_a_loop_without_end_is_an_error_that_shows_where_it_turns  # noqa: F821
del test_temperance_takes_each_card_equally_often  # noqa: F821
del test_games_of_many_plays_keep_their_cards_and_come_to_an_end  # noqa: F821
del test_with_all_plays_over_every_card_is_as_printed  # noqa: F821
del test_hidden_cards_change_nothing_that_is_seen_while_and_after_an_arcana_is_played  # noqa: F821
del test_its_tests_quote_every_ruling_and_every_card  # noqa: F821
del test_the_ruleset_s_own_tests_hold  # noqa: F821


@pytest.fixture(autouse=True)
def of_the_core() -> Iterator[None]:
    with playing_the_core():
        yield
