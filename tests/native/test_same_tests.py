"""The tests of the reference engine, asked of the native one."""

# ruff: noqa: F403
from __future__ import annotations

import pytest

from trionfi.interpreter import native
from trionfi.interpreter.opening import ENGINES

from ..interpreter.conftest import *
from ..interpreter.test_engine_cards import *
from ..interpreter.test_engine_decisions import *
from ..interpreter.test_engine_scripts import *
from ..interpreter.test_engine_views import *


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that ask for the reference engine are native ones."""
    monkeypatch.setitem(ENGINES, "reference", native)


# they reach into the reference engine
del test_chips_move_and_are_conserved  # noqa: F821
del test_exchanging_cards_that_nobody_knows_changes_no_view  # noqa: F821
del test_cards_that_the_chooser_does_not_know_are_told_apart_by_place_alone  # noqa: F821
