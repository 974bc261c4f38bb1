"""What authors make of Two-Win in a few lines: read without a remark, their own tests hold, they can be simulated."""

from __future__ import annotations

from pathlib import Path

import pytest

import trionfi
from trionfi.interpreter.examples import run_examples

VARIANTS = sorted((Path(__file__).resolve().parent.parent / "data" / "variants").glob("*.yaml"))


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_variants_hold(path: Path) -> None:
    rules = trionfi.load(str(path))
    assert [str(one) for one in rules.diagnostics] == []
    outcomes = list(run_examples(rules))
    assert len(outcomes) == 2
    assert [(one.title, one.failure) for one in outcomes if one.failure] == []


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_variants_are_simulated(path: Path, engine: str) -> None:
    rules = trionfi.load(str(path), options={"games": 2})
    for players in (2, 17):
        report = rules.simulate(games=2, players=players, seed=3, engine=engine).to_dict()
        assert sum(seat["mean"] for seat in report["seats"]) == 0
        assert report["decisions"]["max"] > 2


def test_a_tower_of_six_needs_the_variant() -> None:
    hand = (["The Tower", "Death reversed"], ["8 of Wands reversed", "The Hanged Man", "3 of Pentacles"])
    by_name = {path.stem: trionfi.load(str(path)) for path in VARIANTS}
    assert str(by_name["small-tower"].rank("twenty_one", *hand).category) == "Total"
    assert str(trionfi.load("two-win").rank("twenty_one", *hand).category) == "Bust"


@pytest.mark.parametrize("options", [{"minimum_bet": 3, "chip": 2}, {"chips": 201, "minimum_bet": 2, "chip": 2}])
def test_stacks_and_bets_are_multiples_of_the_chip(options: dict[str, object]) -> None:
    """W26."""
    with pytest.raises(trionfi.RulesError, match="multiple of"):
        trionfi.load("two-win", options=options)
