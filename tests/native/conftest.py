"""Which way native code is written here."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from trionfi.interpreter.native import engine


@pytest.fixture(autouse=True, scope="session")
def from_core() -> Iterator[None]:
    """With TRIONFI_TEST_FROM_CORE all modules are written from the core, those that cannot be from the tree."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("TRIONFI_TEST_FROM_CORE"):
            patch.setattr(engine, "FROM_CORE", set(engine.Use))
        yield
