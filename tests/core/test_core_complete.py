"""Nothing of the language is missing in the core, and nothing of the core in its interpreter."""

from __future__ import annotations

import pytest

from trionfi.core import desugar
from trionfi.core.desugar import belongings, function
from trionfi.core.ops import SIGNATURES, Op
from trionfi.dsl import tree
from trionfi.interpreter.core_engine import machine, meanings


def test_each_node_of_the_tree_is_desugared() -> None:
    assert desugar.DESUGARING_ROOMS  # imported, all of them
    assert function.missing_desugarings() == []


def test_each_belonging_is_desugared() -> None:
    assert belongings.missing_belongings() == []


def test_each_operation_has_a_signature_and_a_meaning() -> None:
    assert set(SIGNATURES) == set(Op)
    assert machine.missing_meanings() == []


def test_what_is_missing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(function.DESUGARINGS, tree.Playable)
    monkeypatch.delitem(belongings.BELONGINGS, ("play", "in_force"))
    monkeypatch.delitem(meanings.MEANINGS, Op.GROUPED)
    assert function.missing_desugarings() == ["Playable"]
    assert belongings.missing_belongings() == ["play.in_force"]
    assert machine.missing_meanings() == ["grouped"]
